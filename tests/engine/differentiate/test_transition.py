"""Linearisation of a step: differences, the hybrid scheme, and their agreement on real models.

The small models are chains of links of length 1 and mass 0.1.
"""

import corpus
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

EULER, RK4, IMPLICIT, IMPLICITFAST, SPRINGDAMPER = 0, 1, 2, 3, 4
LINK = """<body pos="0 0 {z}"><joint name="j{i}" axis="0 1 0" {joint}/>
  <geom type="capsule" size=".05" fromto="0 0 0 0 0 -1" mass="0.1"/>{inner}</body>"""


def pendulum(n, joint="", actuator="", tendon="", h=0.002):
    body = ""
    for i in reversed(range(n)):
        text = joint[i] if isinstance(joint, (list, tuple)) else joint
        body = LINK.format(z=0 if i == 0 else -1, i=i, joint=text, inner=body)
    return f"""<mujoco><compiler autolimits="true"/><option timestep="{h}"><flag contact="disable"/></option>
      <worldbody>{body}</worldbody><tendon>{tendon}</tendon><actuator>{actuator}</actuator></mujoco>"""


def motors(n):
    return "".join(f'<motor joint="j{i}"/>' for i in range(n))


class Step:
    def __init__(self, xml, integrator=EULER, qpos=None, qvel=None, ctrl=None):
        mj = mujoco.MjModel.from_xml_string(xml)
        self.mj, self.m = mj, bridge.model_from_mujoco(mj)
        self.m.opt.integrator = integrator
        self.d = _core.MjData(self.m)
        rng = np.random.default_rng(3)
        self.d.qpos[:] = self.d.qpos + 0.3 * rng.normal(size=mj.nq) if qpos is None else qpos
        self.d.qvel[:] = rng.normal(size=mj.nv) if qvel is None else qvel
        self.d.ctrl[:] = 0.1 if ctrl is None else ctrl
        _core.mj_normalizeQuat(self.m, self.d.qpos) if hasattr(_core, "mj_normalizeQuat") else None
        self.nv, self.ndx = mj.nv, 2 * mj.nv + mj.na

    def ab(self, function="transition_difference", **option):
        A, B = np.zeros((self.ndx, self.ndx)), np.zeros((self.ndx, self.mj.nu))
        assert getattr(_core, function)(self.m, self.d, A, B, **option) == 0
        return A, B

    def hybrid(self, **option):
        return self.ab("transition_hybrid", **option)

    def inertia(self):
        _core.mj_forward(self.m, self.d)
        M = np.zeros((self.nv, self.nv))
        data = mujoco.MjData(self.mj)
        data.qpos[:] = self.d.qpos
        mujoco.mj_forward(self.mj, data)
        mujoco.mj_fullM(self.mj, M, data.qM)
        return M


def relative(a, b, floor=1e-6):
    return np.max(np.abs(a - b) / np.maximum(np.maximum(np.abs(a), np.abs(b)), floor))


def scaled(a, b):
    return np.max(np.abs(a - b)) / max(1e-3, np.max(np.abs(a))) if a.size else 0


# ---- differences


def test_sizes_without_inputs():
    """Spec 12: A1 A9 A10."""
    s = Step(pendulum(3))
    A, B = s.ab()
    assert A.shape == (6, 6) and B.shape == (6, 0) and np.all(np.isfinite(A))


def test_centred_agrees_with_forward_differences():
    """Spec 12: A2."""
    s = Step(pendulum(3))
    assert scaled(s.ab()[0], s.ab(centered=False)[0]) < 1e-4


def test_motor_columns_are_the_inverse_inertia():
    """Spec 12: A3."""
    s = Step(pendulum(3, actuator=motors(3)))
    h, expected = s.m.opt.timestep, np.linalg.inv(s.inertia())
    B = s.ab()[1]
    assert scaled(B[3:], h * expected) < 1e-4 and scaled(B[:3], h * h * expected) < 1e-4


BALL = """<mujoco><worldbody><body><joint type="ball"/><geom type="box" size=".1 .2 .3" pos=".1 0 .2"/></body>
  </worldbody></mujoco>"""
FREE = """<mujoco><worldbody><body pos="0 0 1"><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody>
  </mujoco>"""


def random_quat(seed=5):
    q = np.random.default_rng(seed).normal(size=4)
    return q / np.linalg.norm(q)


@pytest.mark.parametrize("integrator", [EULER, IMPLICIT, IMPLICITFAST])
def test_rotations_have_three_coordinates(integrator):
    """Spec 12: A4 A11 A18."""
    ball = Step(BALL, integrator, qpos=random_quat())
    assert ball.ab()[0].shape == (6, 6)
    free = Step(FREE, integrator, qpos=np.r_[1, 2, 3, random_quat()])
    A = free.ab()[0]
    h = free.m.opt.timestep
    assert A.shape == (12, 12)
    assert np.max(np.abs(A[:6, 6:] - h * np.eye(6))) < 1e-2 * h
    for s in (ball, free):
        assert abs(np.linalg.norm(s.d.qpos[-4:]) - 1) < 1e-14
        assert scaled(s.ab()[0], s.hybrid()[0]) < 1e-7


FILTERS = """<general joint="j0" dyntype="filter" dynprm=".05" gainprm="2"/>
  <general joint="j2" dyntype="{}" dynprm=".1" gainprm="3" biastype="affine" biasprm="0 -1 -.5"/>"""


def test_filter_column_is_its_decay():
    """Spec 12: A5."""
    s = Step(pendulum(3, actuator=FILTERS.format("filter")))
    A, h = s.ab()[0], s.m.opt.timestep
    assert np.allclose(np.diag(A)[6:], [1 - h / 0.05, 1 - h / 0.1], atol=1e-4)


SPHERE = """<mujoco><worldbody><geom type="plane" size="1 1 .1" solref="{ref} 1"/><body pos="0 0 .0999">
  <freejoint/><geom size=".1" mass="1" solref="{ref} 1"/></body></worldbody></mujoco>"""


def test_contact_stiffness_is_in_the_columns():
    """Spec 12: A6."""
    slope = {}
    for ref in (0.02, 0.04):
        s = Step(SPHERE.format(ref=ref), qpos=[0, 0, 0.0999, 1, 0, 0, 0], qvel=np.zeros(6))
        slope[ref] = s.ab()[0][6 + 2, 2]
    # a deeper sphere is pushed out less, a higher one less: the velocity falls with the height
    assert all(abs(v) > 1e-3 for v in slope.values())
    assert abs(slope[0.02] - slope[0.04]) > 1e-3


def test_every_integrator_has_columns():
    """Spec 12: A7."""
    A = {i: Step(pendulum(3, 'damping=".1"'), i).ab()[0] for i in (EULER, SPRINGDAMPER, RK4)}
    assert all(np.all(np.isfinite(a)) for a in A.values())
    assert np.max(np.abs(A[RK4] - A[EULER])) > 1e-4


def test_columns_do_not_depend_on_the_step_of_differences():
    """Spec 12: A8."""
    s = Step(pendulum(3))
    assert scaled(s.ab(eps=1e-6)[0], s.ab(eps=1e-7)[0]) < 1e-3


# ---- derivatives of forces


def smooth(s, *fields):
    """Forward dynamics, then the sum of the named forces."""
    _core.mj_forward(s.m, s.d)
    return sum(sign * np.array(getattr(s.d, f)) for sign, f in fields)


def by_differences(s, eps, *fields):
    nv = s.nv
    D, v = np.zeros((nv, nv)), np.array(s.d.qvel)
    for j in range(nv):
        s.d.qvel[:] = v + eps * np.eye(nv)[j]
        plus = smooth(s, *fields)
        s.d.qvel[:] = v - eps * np.eye(nv)[j]
        D[:, j] = (plus - smooth(s, *fields)) / (2 * eps)
        s.d.qvel[:] = v
    return D


def qderiv(s, bias=True):
    _core.mj_forward(s.m, s.d)
    _core._deriv_smooth_vel(s.m, s.d, bias)
    D = np.zeros((s.nv, s.nv))
    for i in range(s.nv):
        adr, n = s.mj.D_rowadr[i], s.mj.D_rownnz[i]
        D[i, s.mj.D_colind[adr:adr + n]] = s.d.qDeriv[adr:adr + n]
    return D


def test_qderiv_of_joint_damping():
    """Spec 12: A12."""
    s = Step(pendulum(3, [f'damping="{b}"' for b in (0.5, 1.0, 1.5)]))
    assert np.array_equal(qderiv(s, False), -np.diag([0.5, 1.0, 1.5]))


TENDON = '<fixed name="t" damping="0.7"><joint joint="j0" coef="1.5"/><joint joint="j1" coef="-2"/></fixed>'


def test_qderiv_of_tendon_damping():
    """Spec 12: A13."""
    s = Step(pendulum(2, tendon=TENDON))
    J = np.array([1.5, -2])
    D = qderiv(s, False)
    assert np.allclose(D, -0.7 * np.outer(J, J), atol=1e-14)
    assert np.max(np.abs(D - by_differences(s, 1e-5, (1, "qfrc_passive")))) < 1e-8


AFFINE = """<general joint="j0" gear="3" gaintype="affine" gainprm="1 0 .4" biastype="affine"
  biasprm="0 0 -.2"/>"""


def test_qderiv_of_an_affine_actuator():
    """Spec 12: A14."""
    s = Step(pendulum(2, actuator=AFFINE), ctrl=[0.8])
    D = qderiv(s, False)
    assert abs(D[0, 0] - 9 * (0.4 * 0.8 - 0.2)) < 1e-13
    assert np.max(np.abs(D - by_differences(s, 1e-5, (1, "qfrc_actuator")))) < 1e-8


def test_qderiv_of_the_bias_force():
    """Spec 12: A15 A17."""
    s = Step(pendulum(2), qpos=[0.3, 0.7], qvel=[1.0, 0.5])
    D = qderiv(s)
    before = [np.array(getattr(s.d, f)) for f in ("cvel", "cdof_dot", "qfrc_bias")]
    _core._deriv_smooth_vel(s.m, s.d, True)
    for f, value in zip(("cvel", "cdof_dot", "qfrc_bias"), before):
        assert np.array_equal(getattr(s.d, f), value)
    assert np.max(np.abs(D + by_differences(s, 1e-7, (1, "qfrc_bias")))) < 1e-6


def test_qderiv_of_all_smooth_forces():
    """Spec 12: A16."""
    s = Step(pendulum(3, 'damping=".3"', actuator=AFFINE + motors(3), tendon=TENDON), ctrl=0.5)
    D = qderiv(s)
    s.d.qDeriv[:] = 77
    assert np.array_equal(D, qderiv(s))
    fields = (1, "qfrc_passive"), (1, "qfrc_actuator"), (-1, "qfrc_bias")
    assert np.max(np.abs(D - by_differences(s, 1e-5, *fields))) < 1e-5


def test_qderiv_of_a_ball_joint():
    """Spec 12: A19."""
    s = Step(BALL, qpos=random_quat(), qvel=[1, -2, 0.5])
    D = qderiv(s)
    assert np.max(np.abs(D)) > 1e-3
    assert np.max(np.abs(D + by_differences(s, 1e-6, (1, "qfrc_bias")))) < 1e-6


# ---- infrastructure


@pytest.mark.parametrize("function", ["transition_difference", "transition_hybrid", "transition"])
def test_eps_out_of_range_is_refused(function):
    """Spec 12: A20."""
    s = Step(pendulum(2))
    A = np.full((4, 4), 9.0)
    for eps in (0.0, -1.0, np.nan, 0.1):
        assert getattr(_core, function)(s.m, s.d, A, None, eps=eps) == -1
        assert np.all(A == 9)
    assert getattr(_core, function)(s.m, s.d, A, None, eps=1e-6) == 0


def test_differences_leave_the_state():
    """Spec 12: A22."""
    s = Step(pendulum(3, actuator=FILTERS.format("filter")))
    fields = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart")
    before = [np.array(getattr(s.d, f)) for f in fields]
    first, second = s.ab()[0], s.ab()[0]
    assert np.array_equal(first, second)
    assert np.array_equal(s.hybrid()[0], s.hybrid()[0])
    assert all(np.array_equal(getattr(s.d, f), v) for f, v in zip(fields, before)) and s.d.time == 0


@pytest.mark.parametrize("tendon", ["", "damped"])
def test_qderiv_under_the_spring_damper_integrator(tendon):
    """Joint damping is on the diagonal of qDeriv. The specification first left tendons out of this
    integrator and then put them back, so that their term is there and the columns agree with differences (spec 12: A23)."""
    s = Step(pendulum(2, 'damping=".5"', tendon=TENDON if tendon else ""), SPRINGDAMPER)
    J = np.array([1.5, -2]) * bool(tendon)
    assert np.allclose(qderiv(s, False), -0.5 * np.eye(2) - 0.7 * np.outer(J, J), atol=1e-14)
    assert scaled(s.ab()[0], s.hybrid()[0]) < 1e-6


# ---- integration


def test_ball_columns_at_rest_and_spinning():
    """Columns of the step of a ball joint against differences, at rest and spinning (spec 12: A28 A30)."""
    for omega in ([0, 0, 0], [2.0, 1.0, -1.5], [30.0, 20.0, -10.0]):
        s = Step(BALL, qpos=random_quat(), qvel=omega)
        A, H = s.ab()[0], s.hybrid()[0]
        assert np.max(np.abs(A - H)) < 1e-7


def test_hinges_integrate_linearly():
    """Spec 12: A29."""
    s = Step(pendulum(3))
    A, h = s.hybrid()[0], s.m.opt.timestep
    assert np.allclose(A[:3, 3:], h * A[3:, 3:], rtol=1e-14, atol=1e-17)


def test_exact_filter_column_is_exponential():
    """Spec 12: A31."""
    xml = pendulum(3, actuator=FILTERS.format("filterexact").replace('dynprm=".1"', 'dynprm=".05"'), h=0.001)
    s = Step(xml)
    assert abs(s.hybrid()[0][7, 7] - np.exp(-0.001 / 0.05)) < 1e-15
    assert scaled(s.ab()[0], s.hybrid()[0]) < 1e-6


def test_quaternion_jacobians_against_differences():
    """Both Jacobians of mjd_quatIntegrate against differences, at the criterion's velocity and around its series.

    Spec 12: A28.
    """
    rng = np.random.default_rng(1)
    directions = rng.normal(size=(4, 3))
    for vel, h in [(np.array([1.0, 0.5, -0.3]), 0.001)] + [(v, 1.0) for v in directions * [[1], [1e-1], [1e-3], [0]]]:
        Dquat, Dvel, Dscale = np.zeros((3, 3)), np.zeros((3, 3)), np.zeros(3)
        _core.mjd_quatIntegrate(vel, h, Dquat, Dvel, Dscale)

        def moved(start, velocity):
            quat = random_quat()
            mujoco.mju_quatIntegrate(quat, start, 1)
            mujoco.mju_quatIntegrate(quat, velocity, h)
            return quat

        def column(plus, minus, eps):
            out = np.zeros(3)
            mujoco.mju_subQuat(out, plus, minus)
            return out / (2 * eps)

        eps, zero = 1e-5, np.zeros(3)
        by_quat = np.stack([column(moved(eps * e, vel), moved(-eps * e, vel), eps) for e in np.eye(3)], axis=1)
        by_vel = np.stack([column(moved(zero, vel + eps / h * e), moved(zero, vel - eps / h * e), eps) for e in np.eye(3)], axis=1)
        assert np.max(np.abs(Dquat - by_quat)) < 1e-6 and np.max(np.abs(Dvel - by_vel)) < 1e-6
        assert np.allclose(Dscale, Dvel @ vel, atol=1e-14)


# ---- the hybrid scheme


def test_validation_finds_agreement():
    """Spec 12: A32."""
    s = Step(pendulum(3, actuator=motors(3)))
    error = _core.validate_transition(s.m, s.d)
    assert error[0] < 1e-3 and error[1] < 1e-3


def test_damped_columns_agree():
    """Spec 12: A33."""
    s = Step(pendulum(3, 'damping="1"'))
    assert relative(s.ab()[0][:, 3:], s.hybrid()[0][:, 3:]) < 1e-4


@pytest.mark.parametrize("integrator", [EULER, IMPLICIT, IMPLICITFAST, SPRINGDAMPER])
def test_ten_links_agree_under_every_integrator(integrator):
    """Spec 12: A34."""
    s = Step(pendulum(10, 'damping=".01"', actuator=motors(10)), integrator)
    for x, y in zip(s.ab(), s.hybrid()):
        assert scaled(x, y) < 1e-6


def test_stiff_springs_agree():
    """Spec 12: A35."""
    s = Step(pendulum(3, 'stiffness="1000" damping="10"'), SPRINGDAMPER)
    assert scaled(s.ab()[0][:, 3:], s.hybrid()[0][:, 3:]) < 1e-3


def test_implicit_tendon_spring_agrees():
    """The implicit stiffness of a tendon, at a state where it moves (spec 12: A35)."""
    tendon = """<fixed stiffness="300" damping="3" springlength="0 0"><joint joint="j0" coef="1"/>
      <joint joint="j2" coef="-2"/></fixed>"""
    s = Step(pendulum(3, tendon=tendon), SPRINGDAMPER, [0.3, -0.2, 0.4], [1, -2, 3])
    assert scaled(s.ab()[0], s.hybrid()[0]) < 1e-6


@pytest.mark.parametrize("integrator,bound", [(IMPLICITFAST, 1e-3), (IMPLICIT, 1e-5)])
def test_damped_velocity_block_agrees(integrator, bound):
    """Joint and tendon damping at a modest speed: analytic against centred differences (spec 13: A9 A10)."""
    tendon = '<fixed damping="5"><joint joint="j0" coef="1"/><joint joint="j2" coef="-1"/></fixed>'
    xml = pendulum(3, 'damping=".5"', tendon=tendon)
    s = Step(xml, integrator, qpos=[0.3, -0.2, 0.4], qvel=[0.1, -0.2, 0.1])
    dvdv = slice(3, 6)
    assert np.max(np.abs(s.ab()[0][dvdv, dvdv] - s.hybrid()[0][dvdv, dvdv])) < bound


@pytest.mark.parametrize("kind", ["filter", "filterexact", "integrator"])
def test_activation_columns_agree(kind):
    """Spec 12: A36."""
    s = Step(pendulum(3, actuator=FILTERS.format(kind)))
    (A, B), (HA, HB) = s.ab(), s.hybrid()
    assert scaled(A[:, 6:], HA[:, 6:]) < 1e-7 and scaled(B, HB) < 1e-7


def test_transition_chooses_the_scheme():
    """Spec 12: A37 A38."""
    s = Step(pendulum(3, actuator=motors(3)))
    assert np.array_equal(s.ab("transition")[0], s.hybrid()[0])
    assert np.array_equal(s.ab("transition", analytic=False)[0], s.ab()[0])
    s = Step(pendulum(3, actuator=motors(3)), RK4)
    assert np.array_equal(s.ab("transition")[0], s.ab()[0])


@pytest.mark.parametrize("eps", [1e-4, 1e-5, 1e-6, 1e-7, 1e-8])
def test_convergence_is_found(eps):
    """On a model without tiny entries: at 1e-8 the partner's rounding is 1e-7 (spec 12: A39)."""
    s = Step(pendulum(2, 'damping=".1"', h=0.1), qpos=[0.4, 0.3], qvel=[2, -1])
    assert np.min(np.abs(s.ab()[0])) > 1e-3
    assert _core.check_convergence(s.m, s.d, eps, 1e-3) == 1


def test_switching_limit_is_no_convergence():
    """A limit that is reached within the coarse step only; a step out of range (spec 12: A39)."""
    s = Step(pendulum(1, 'range="-1 10" limited="true"', h=0.01), qpos=[np.pi / 18 - 3e-6], qvel=[1])
    assert _core.check_convergence(s.m, s.d, 1e-5, 1e-3) == 0
    assert _core.check_convergence(s.m, s.d, 1.0, 1e-3) == -1


# ---- real models, contacts included

REAL = ["own/sensor/arm", "own/sensor/contact", "dm/hopper", "dm/walker", "dm/humanoid", "dm/acrobot",
        "dm/manipulator", "gym/ant", "dm/cheetah", "dm/fish"]
REAL = [name for name in REAL if name in corpus.paths()]


def walk(name, states, integrator=EULER, between=10):
    mj = corpus.load(name)
    m = bridge.model_from_mujoco(mj)
    m.opt.integrator = integrator
    # solved to rounding: what the solver leaves would enter the differences
    m.opt.tolerance, m.opt.iterations = 0, 100
    theirs, d = mujoco.MjData(mj), _core.MjData(m)
    if mj.nkey:
        mujoco.mj_resetDataKeyframe(mj, theirs, 0)
    rng = np.random.default_rng(0)
    for _ in range(states):
        for _ in range(between):
            theirs.ctrl[:] = np.clip(rng.normal(size=mj.nu), -0.9, 0.9)
            mujoco.mj_step(mj, theirs)
        bridge.state_from_mujoco(theirs, d)
        yield mj, m, d


def hybrid_error(mj, m, d, eps):
    ndx = 2 * mj.nv + mj.na
    A, HA = np.zeros((2, ndx, ndx))
    B, HB = np.zeros((2, ndx, mj.nu))
    assert _core.transition_difference(m, d, A, B, eps=eps) == 0
    assert _core.transition_hybrid(m, d, HA, HB, eps=eps) == 0
    assert np.all(np.isfinite(HA)) and np.all(np.isfinite(HB))
    return max(scaled(A, HA), scaled(B, HB))


def agree(name, states, integrator):
    worst = 0
    for mj, m, d in walk(name, states, integrator):
        # a constraint that switches within eps of the state shows in one of the two steps only
        worst = max(worst, min(hybrid_error(mj, m, d, eps) for eps in (1e-6, 1e-7)))
    assert worst < 1e-5, worst


@pytest.mark.parametrize("integrator", [EULER, IMPLICIT, IMPLICITFAST])
@pytest.mark.parametrize("name", REAL)
def test_hybrid_on_real_models(name, integrator):
    agree(name, 3, integrator)


@pytest.mark.full
@pytest.mark.parametrize("name", REAL)
def test_hybrid_on_real_models_at_length(name):
    agree(name, 50, EULER)


# ---- never NaN

COINCIDENT = """<mujoco><worldbody>
    <body><joint name="a" axis="0 1 0" range="-30 30" limited="true"/><geom size=".1" mass="1"/><site name="p"/>
      <body><joint name="b" axis="1 0 0"/><geom size=".05" pos="0 0 .1"/><site name="q"/></body></body>
    <body pos="0 0 .15"><freejoint/><geom size=".05"/></body>
  </worldbody>
  <tendon><spatial name="t" stiffness="10" damping="1"><site site="p"/><site site="q"/></spatial></tendon>
  <actuator><muscle tendon="t" lengthrange="0 1"/><motor joint="a"/>
    <general joint="b" dyntype="filter" dynprm="0"/></actuator>
  <sensor><tendonpos tendon="t"/><framequat objtype="site" objname="p" reftype="site" refname="q"/></sensor></mujoco>"""


@pytest.mark.parametrize("integrator", [EULER, IMPLICIT, IMPLICITFAST, SPRINGDAMPER])
@pytest.mark.parametrize("angle", [0.0, np.pi / 6, -np.pi / 6])
def test_columns_are_never_nan(integrator, angle):
    """Zero lengths, coincident frames, contact onset, exact limits, muscle edges."""
    s = Step(COINCIDENT, integrator, ctrl=[0, 0, 1])
    mujoco_data = mujoco.MjData(s.mj)
    s.d.qpos[:] = mujoco_data.qpos
    s.d.qpos[0] = angle
    for qvel in (0, 1):
        for act in (0, 1):
            s.d.qvel[:], s.d.act[0] = qvel, act
            for x in (*s.ab(), *s.hybrid()):
                assert np.all(np.isfinite(x))
            A, C = np.zeros((s.ndx, s.ndx)), np.zeros((s.mj.nsensordata, s.ndx))
            _core.mjd_transitionFD(s.m, s.d, 1e-6, True, A, None, C, None)
            assert np.all(np.isfinite(A)) and np.all(np.isfinite(C))


def test_trials_start_warm():
    """The last perturbed step needs at most twice the iterations of the step itself (spec 12: A21)."""
    for mj, m, d in walk("own/sensor/contact", 3):
        m.opt.tolerance = 1e-8
        _core.mj_forward(m, d)
        nominal = int(d.solver_niter[0])
        ndx = 2 * mj.nv + mj.na
        assert _core.transition_difference(m, d, np.zeros((ndx, ndx)), None) == 0
        assert 0 < d.solver_niter[0] <= 2 * max(1, nominal)
