"""The implicitspringdamper integrator (an extension) against closed forms.

MuJoCo compiles the models and gives M, J and the explicit forces; the step is checked against a
dense solve of (M + h D + h^2 K) a = f - h K v.
"""

import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

EULER, IMPLICITFAST, SPRINGDAMPER = 0, 3, 4
PGS, CG, NEWTON = 0, 1, 2

CHAIN = """
<mujoco>
  <option timestep="{timestep}" gravity="0 0 0">{flag}</option>
  <worldbody>
    <body pos="0 0 {height}">
      <joint name="j0" axis="0 1 0" stiffness="{jk}" damping="{jb}"/><geom size=".1" mass="{mass}" {contact}/>
      {rest}
    </body>
    {world}
  </worldbody>
  <tendon>{tendons}</tendon>
</mujoco>"""
LINK = """<body pos="0 0 -1"><joint name="{joint}" axis="0 1 0"/><geom size=".1" mass="{mass}" {contact}/>{rest}</body>"""
OFF = 'contype="0" conaffinity="0"'


def tendon(k, b, joints, band="0 0", coefs=(1, -1)):
    path = "".join(f'<joint joint="{j}" coef="{c}"/>' for j, c in zip(joints, coefs))
    return f'<fixed stiffness="{k}" damping="{b}" springlength="{band}">{path}</fixed>'


def chain(links=2, tendons="", timestep=0.001, mass=1, jk=0, jb=0, height=0, flag="", world="",
          contact=OFF):
    rest = ""
    for i in reversed(range(1, links)):
        rest = LINK.format(joint=f"j{i}", mass=mass, contact=contact, rest=rest)
    return CHAIN.format(timestep=timestep, mass=mass, rest=rest, tendons=tendons, jk=jk, jb=jb,
                        height=height, flag=flag, world=world, contact=contact)


def model_a(k, b, **options):
    return chain(tendons=tendon(k, b, ("j0", "j1"), options.pop("band", "0 0")), **options)


class World:
    """One of our worlds, with MuJoCo's beside it."""

    def __init__(self, xml, integrator=SPRINGDAMPER, solver=PGS, qpos=None, qvel=None, jacobian=None):
        self.mj_model = mujoco.MjModel.from_xml_string(xml)
        self.mj_model.opt.solver = solver
        if jacobian is not None:
            self.mj_model.opt.jacobian = jacobian
        self.mj_data = mujoco.MjData(self.mj_model)
        self.m = bridge.model_from_mujoco(self.mj_model)
        self.m.opt.integrator = integrator
        self.d = _core.MjData(self.m)
        for dof, value in (qpos or {}).items():
            self.d.qpos[dof] = value
        for dof, value in (qvel or {}).items():
            self.d.qvel[dof] = value

    def step(self, n=1):
        for _ in range(n):
            _core.mj_step(self.m, self.d)
        return self

    def inertia(self):
        full = np.zeros((self.m.nv, self.m.nv))
        _core.mj_fullM(self.m, full, np.array(self.d.qM))
        return full

    def system(self):
        """Matrix and right side of the step at the present state, from MuJoCo's pieces, dense."""
        m, d, h = self.mj_model, self.mj_data, self.mj_model.opt.timestep
        d.qpos[:], d.qvel[:] = self.d.qpos, self.d.qvel
        mujoco.mj_forward(m, d)
        M = np.zeros((m.nv, m.nv))
        mujoco.mj_fullM(m, M, d.qM)
        force = np.array(d.qfrc_smooth)
        scalar = np.isin(m.jnt_type[m.dof_jntid], (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE))
        stiffness = np.where(scalar, m.jnt_stiffness[m.dof_jntid], 0)
        A = M + np.diag(h * m.dof_damping + h * h * stiffness)
        force -= h * stiffness * d.qvel
        J = np.array(d.ten_J).reshape(m.ntendon, m.nv)
        for t in range(m.ntendon):
            low, high = m.tendon_lengthspring[t]
            k = 0 if low <= d.ten_length[t] <= high else m.tendon_stiffness[t]
            A += (h * m.tendon_damping[t] + h * h * k) * np.outer(J[t], J[t])
            force -= h * k * d.ten_velocity[t] * J[t]
        return A, force


def close(a, b, tolerance=1e-9):
    return np.allclose(a, b, rtol=tolerance, atol=tolerance * np.max(np.abs(b)))


def test_spring_step_has_its_closed_form():
    """Spec DT35: 6a."""
    w = World(model_a(50, 0), qpos={0: 0.3}).step()
    assert close(w.d.qacc, [-29.505778, 3732.480944], 1e-8)
    assert close(w.d.ten_force, [-15], 1e-12)


def test_damper_step_has_its_closed_form():
    """Spec DT35: 6b."""
    w = World(model_a(0, 100), qvel={0: 1}).step()
    assert close(w.d.qvel, [0.992453969, 0.954572895], 1e-9)
    assert close(w.d.ten_force, [-100], 1e-12)


@pytest.mark.parametrize("integrator", range(5))
def test_tendon_force_is_the_same_under_every_integrator(integrator):
    """ten_force = -k delta - b V whatever the integrator, and what the generalised force is made of (spec DT35)."""
    w = World(model_a(100, 7, band="0.5 1.0"), integrator, qpos={0: 1.5, 1: 0.2}, qvel={0: 2, 1: -1})
    _core.mj_forward(w.m, w.d)
    assert close(w.d.ten_force, [-100 * 0.3 - 7 * 3], 1e-12)
    assert close(w.d.qfrc_spring + w.d.qfrc_damper, w.d.ten_force[0] * np.array([1, -1]), 1e-12)
    w.d.qpos[0] = 0.9
    _core.mj_forward(w.m, w.d)
    assert close(w.d.ten_force, [-21], 1e-12)
    for bits, force in ((mujoco.mjtDisableBit.mjDSBL_DAMPER, -30), (mujoco.mjtDisableBit.mjDSBL_SPRING, -21)):
        w.m.opt.disableflags = int(bits)
        w.d.qpos[0] = 1.5
        _core.mj_forward(w.m, w.d)
        assert close(w.d.ten_force, [force], 1e-12)
    w.m.opt.disableflags = int(mujoco.mjtDisableBit.mjDSBL_DAMPER | mujoco.mjtDisableBit.mjDSBL_SPRING)
    _core.mj_forward(w.m, w.d)
    assert w.d.ten_force[0] == 0


def test_agrees_with_euler_at_small_steps():
    """Spec DT35: 6c."""
    implicit = World(model_a(50, 10, mass=10), qpos={0: 0.1}).step(10)
    euler = World(model_a(50, 10, mass=10), EULER, qpos={0: 0.1}).step(10)
    assert np.max(np.abs(implicit.d.qvel - euler.d.qvel)) < 0.05
    assert close(euler.d.qvel - implicit.d.qvel, [-1.93e-4, 2.45e-2], 1e-2)


def test_stiff_spring_stays_stable():
    """Spec DT35: 6d."""
    implicit = World(model_a(5000, 0, timestep=0.01), qpos={0: 0.3})
    euler = World(model_a(5000, 0, timestep=0.01), EULER, qpos={0: 0.3})
    euler.m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    implicit.step(200)
    euler.step(200)
    assert np.linalg.norm(implicit.d.qvel) < 100
    assert not any(implicit.d.warning.number)
    speed = np.linalg.norm(euler.d.qvel)
    assert not np.isfinite(speed) or speed > np.linalg.norm(implicit.d.qvel)
    assert not np.isfinite(speed) or speed > 1e3


def test_spring_moves_both_joints():
    """Spec DT35: 6e."""
    w = World(model_a(50, 0), qpos={0: 0.3}).step()
    assert w.d.qacc[0] < 0 < w.d.qacc[1] and abs(w.d.qacc[1]) > 1e-3


def deriv(w):
    _core.mj_forward(w.m, w.d)
    _core._deriv_smooth_vel(w.m, w.d, True)
    out = np.zeros((w.m.nv, w.m.nv))
    for r in range(w.m.nv):
        entries = slice(w.m.D_rowadr[r], w.m.D_rowadr[r] + w.m.D_rownnz[r])
        out[r, w.m.D_colind[entries]] = w.d.qDeriv[entries]
    return out


def test_velocity_derivative_of_a_tendon_damper():
    """Spec DT35: 6f."""
    D = deriv(World(model_a(0, 100), qpos={0: 0.3}))
    assert close(D, [[-100, 100], [100, -100]], 1e-6)


def test_spring_and_damper_together():
    """Spec DT35: 6g."""
    both = World(model_a(50, 20), qpos={0: 0.3}, qvel={0: 1}).step()
    spring = World(model_a(50, 0), qpos={0: 0.3}, qvel={0: 1}).step()
    assert close(both.d.qacc, [-11.460334, 1449.732292], 1e-8)
    assert close(spring.d.qacc, [-29.604131, 3744.922547], 1e-8)
    assert both.d.qvel[0] < 1 - 1e-6


def test_energy_never_grows():
    """A damper between the joints takes energy until they move together; a spring gives none (spec DT35: 6h)."""
    w = World(model_a(0, 50), qvel={0: 2, 1: -1})
    _core.mj_forward(w.m, w.d)
    energy = 0.5 * w.d.qvel @ w.inertia() @ w.d.qvel
    for _ in range(50):
        w.step()
        now = 0.5 * w.d.qvel @ w.inertia() @ w.d.qvel
        assert now <= energy + 1e-12
        energy = now
    assert abs(w.d.qvel[0] - w.d.qvel[1]) < 1e-6
    assert close(w.d.qvel, [1.97647, 1.97647], 1e-5)

    w = World(model_a(50, 0), qpos={0: 0.3}).step(100)
    q, v = w.d.qpos, w.d.qvel
    energy = 25 * (q[0] - q[1]) ** 2 + 0.5 * v @ w.inertia() @ v
    assert energy <= 2.25 + 1e-6
    assert energy / 2.25 == pytest.approx(0.2831, abs=2e-4)


def test_spring_forces_do_not_depend_on_the_integrator():
    """Spring forces are the same under Euler and implicitfast (spec 13: A8; spec DT35: 6i)."""
    forces = []
    for integrator in (EULER, IMPLICITFAST):
        w = World(model_a(50, 0), integrator, qpos={0: 0.3})
        _core.mj_forward(w.m, w.d)
        forces.append(np.array(w.d.qfrc_passive))
    assert np.array_equal(*forces) and abs(forces[0][0] + 15) < 1e-9


def test_implicitfast_survives_strong_tendon_damping():
    """Strong tendon damping: implicitfast keeps the energy bounded, Euler diverges (spec 13: A1; spec DT35: 6j)."""
    xml = model_a(0, 100, timestep=0.01)
    fast = World(xml, IMPLICITFAST, qvel={0: 1}).step(1000)
    assert np.linalg.norm(fast.d.qvel) < 10 and not any(fast.d.warning.number)
    euler = World(xml, EULER, qvel={0: 1})
    euler.m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    euler.step(1000)
    assert not np.all(np.abs(euler.d.qvel) < 1e6)


def test_dead_band_has_no_force():
    """Spec DT35: 6k."""
    def world(q, v=0):
        return World(model_a(100, 0, band="0.5 1.0"), qpos={0: q}, qvel={0: v})

    assert np.max(np.abs(world(0.7).step().d.qacc)) < 1e-10
    w = world(0.7, 1).step()
    assert np.max(np.abs(w.d.qacc)) < 1e-10 and abs(w.d.qvel[0] - 1) < 1e-10
    assert close(world(0.2).step().d.qacc, [58.280719, -7372.510928], 1e-8)
    assert close(world(1.5).step().d.qacc, [-97.134531, 12287.518213], 1e-8)
    w = world(1.0, 2).step()
    assert np.max(np.abs(w.d.qacc)) < 1e-10
    assert close(w.step().d.qacc, [-0.777076, 98.300146], 1e-5)


SPATIAL = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0"/>
  <worldbody>
    <site name="w" pos=".3 0 0"/>
    <body>
      <joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05" mass="1"/>
      <site name="s0" pos=".1 0 -.25"/>
      <body pos="0 0 -.5">
        <joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -.5" size=".05" mass="1"/>
        <site name="s1" pos=".1 0 -.25"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial stiffness="50" damping="10" springlength="0 0">
      <site site="w"/><site site="s0"/><site site="s1"/>
    </spatial>
  </tendon>
</mujoco>"""


def test_spatial_tendon_step():
    """The generalised force has the sign of the pull; inertia coupling turns the first joint back (spec DT35: 6l)."""
    w = World(SPATIAL, qpos={0: 0.3})
    _core.mj_forward(w.m, w.d)
    assert close(w.d.ten_J.ravel(), [0.208233, 0.1], 1e-5)
    assert close(w.d.qfrc_passive, [-9.2316, -4.4333], 1e-4)
    A, force = w.system()
    expected = np.linalg.solve(A, force)
    w.step()
    assert close(w.d.qacc, expected, 1e-10)
    assert w.d.qacc[0] > 0 and abs(w.d.qacc[1]) > 1e-6


def test_several_tendons_on_a_chain():
    """Spec DT35: 6l."""
    tendons = tendon(50, 0, ("j0", "j1")) + tendon(30, 0, ("j1", "j2"))
    first = World(chain(3, tendons), qpos={0: 0.3}).step()
    assert close(first.d.qacc, [-44.5622, 103.8797, -59.3175], 1e-5)
    second = World(chain(3, tendons), qpos={0: 0.3, 2: -0.2}).step()
    assert close(second.d.qacc, [-26.8868, 56.7342, 1459.6309], 1e-6)


def test_tendon_without_stiffness_does_nothing():
    """Spec DT35: 6l."""
    assert np.max(np.abs(World(model_a(0, 0), qpos={0: 0.3}).step().d.qacc)) < 1e-10


@pytest.mark.parametrize("integrator", [EULER, IMPLICITFAST, SPRINGDAMPER])
def test_derivative_is_filled_under_every_integrator(integrator):
    """Spec DT35: 6m."""
    xml = chain(tendons=tendon(0, 5, ("j0", "j1"), coefs=(1, 1)))
    D = deriv(World(xml, integrator, qpos={0: 0.3}))
    assert np.linalg.norm(D) > 1 and np.all(D < -1)


def test_newton_without_rows_keeps_the_spring():
    """Spec DT35: 6n."""
    w = World(model_a(50, 0), solver=NEWTON, qpos={0: 0.3}).step()
    assert w.d.qacc[0] < -1e-3 and w.d.qacc[1] > 1e-3


def test_solver_does_not_matter_without_rows():
    """Spec DT35: 6o."""
    a = World(model_a(50, 20), solver=PGS, qpos={0: 0.3}, qvel={0: 1}).step()
    b = World(model_a(50, 20), solver=NEWTON, qpos={0: 0.3}, qvel={0: 1}).step()
    assert np.max(np.abs(a.d.qvel - b.d.qvel)) < 1e-10
    assert np.max(np.abs(a.d.qacc - b.d.qacc)) < 1e-10


CONTACT = """
<mujoco>
  <option timestep="0.001"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body pos="0 0 .5">
      <joint name="j0" axis="0 1 0"/><geom size=".1" mass="1"/>
      <body pos="0 0 -.5"><joint name="j1" axis="0 1 0"/><geom size=".1" mass="1"/></body>
    </body>
  </worldbody>
  <tendon>
    <fixed stiffness="100" damping="10" springlength="0 0">
      <joint joint="j0" coef="1"/><joint joint="j1" coef="-1"/>
    </fixed>
  </tendon>
</mujoco>"""


def test_spring_with_contact_stays_finite():
    """Spec DT35: 6p."""
    w = World(CONTACT, solver=NEWTON, qpos={0: 0.5}).step(50)
    assert np.all(np.isfinite(w.d.qvel)) and np.linalg.norm(w.d.qacc) > 1e-3


@pytest.mark.parametrize("jacobian", [0, 1])
@pytest.mark.parametrize("solver", [NEWTON, CG, PGS])
def test_solvers_agree_on_the_implicit_inertia(solver, jacobian):
    """All solvers, dense and sparse, minimise with the same inertia: stationary at the result (spec DT35: 6p)."""
    w = World(CONTACT, solver=solver, jacobian=jacobian, qpos={0: 0.2, 1: -0.2})
    w.m.opt.tolerance, w.m.opt.iterations = 0, 500
    w.m.opt.ls_tolerance = 1e-6
    _core.mj_forward(w.m, w.d)
    assert w.d.nefc > 0
    A, force = w.system()
    residual = A @ w.d.qacc - force - w.d.qfrc_constraint
    assert np.max(np.abs(residual)) < 1e-8 * np.max(np.abs(force))
    reference = World(CONTACT, solver=NEWTON, jacobian=0, qpos={0: 0.2, 1: -0.2})
    reference.m.opt.tolerance = 0
    _core.mj_forward(reference.m, reference.d)
    assert close(w.d.qacc, reference.d.qacc, 1e-6)


@pytest.mark.parametrize("solver", [NEWTON, CG, PGS])
def test_unrelated_contact_changes_nothing(solver):
    """A sphere on a plane elsewhere makes the solver run; the chain moves as without it (spec DT35: 6p)."""
    ball = '<geom type="plane" size="5 5 .1"/><body pos="3 0 .0999"><freejoint/><geom size=".1" mass="1"/></body>'
    alone = World(model_a(50, 20, height=3), qpos={0: 0.3}, qvel={0: 1}).step()
    w = World(model_a(50, 20, height=3, world=ball), solver=solver, qpos={0: 0.3}, qvel={0: 1})
    w.m.opt.tolerance = 0
    w.m.opt.gravity[2] = -1e-3  # hardly bends the chain, presses the ball
    w.step()
    assert w.d.nefc > 0
    assert np.max(np.abs(w.d.qacc[:2] - alone.d.qacc)) < 1e-1
    w.m.opt.gravity[2] = 0
    w.d.qpos[:2], w.d.qvel[:2] = [0.3, 0], [1, 0]
    w.step()
    assert w.d.nefc > 0
    assert close(w.d.qacc[:2], alone.d.qacc, 1e-8)


@pytest.mark.parametrize("cone", [0, 1])
@pytest.mark.parametrize("jacobian", [0, 1])
@pytest.mark.parametrize("solver", [NEWTON, CG, PGS])
def test_noslip_sweeps_with_the_implicit_inertia(solver, jacobian, cone):
    """Noslip sweeps with the inertia of the integrator: A = J M_eff^-1 J', M_eff a = f + J' f_c (spec DT35)."""
    w = World(CONTACT, solver=solver, jacobian=jacobian, qpos={0: 0.2, 1: -0.2}, qvel={1: 0.5})
    w.m.opt.cone = cone
    w.m.opt.noslip_iterations, w.m.opt.noslip_tolerance = 500, 0
    _core.mj_forward(w.m, w.d)
    assert w.d.nefc > 0
    A, force = w.system()
    residual = A @ w.d.qacc - force - w.d.qfrc_constraint
    assert np.max(np.abs(residual)) < 1e-8 * np.max(np.abs(force))
    n = w.d.nefc
    J = np.zeros((n, w.m.nv))
    for r in range(n):
        entries = slice(w.d.efc_J_rowadr[r], w.d.efc_J_rowadr[r] + w.d.efc_J_rownnz[r])
        J[r, w.d.efc_J_colind[entries]] = w.d.efc_Js[entries]
    AR = np.array(w.d.efc_AR).reshape(n, n)  # dense
    assert close(AR - np.diag(w.d.efc_R), J @ np.linalg.solve(A, J.T), 1e-9)
    # unregularised friction: what the contact slides at is the reference, or the force is at its bound
    slack = J @ w.d.qacc - w.d.efc_aref
    if cone:
        friction, bound = w.d.efc_force[1:3], w.d.efc_force[0]
        assert np.max(np.abs(slack[1:3])) < 1e-6 or abs(np.linalg.norm(friction) - bound) < 1e-6 * bound
    else:
        for j in range(0, n, 2):
            pair = w.d.efc_force[j : j + 2]
            assert abs(slack[j] - slack[j + 1]) < 1e-6 or np.min(pair) < 1e-9


def test_one_dof_tendon_is_a_joint_spring():
    """Spec DT35: 6q."""
    single = World(chain(1, tendon(50, 0, ("j0",), coefs=(2,))), qpos={0: 0.3}).step()
    joint = World(chain(1, jk=200), qpos={0: 0.3}).step()
    assert close(single.d.qacc, [-14285.714286], 1e-9)
    assert close(single.d.qacc, joint.d.qacc, 1e-12)


def test_joint_spring_step_has_its_closed_form():
    """Spec 13: A3; spec DT35: 6r; spec 004-1: 5; spec 004-7: 4."""
    a = World(chain(1, jk=100, jb=10), solver=NEWTON, qpos={0: 0.5}).step()
    b = World(chain(1, jk=100, jb=10), solver=PGS, qpos={0: 0.5}).step()
    assert close(a.d.qacc, [-3546.099291], 1e-9)
    assert abs(a.d.qacc[0] - b.d.qacc[0]) < 1e-10


def test_sleeping_spring_stays():
    """An awake spring acts; a sleeping tree stays where it is (spec DT35: 6s)."""
    xml = model_a(100, 10, height=1, flag='<flag sleep="enable"/>')
    assert np.max(np.abs(World(xml, qpos={0: 0.3}).step().d.qacc)) > 1e-3
    w = World(xml, qpos={0: 0.3})
    _core.mj_forward(w.m, w.d)
    w.d.tree_asleep[:] = 0
    _core._update_sleep(w.m, w.d)
    assert w.d.nv_awake == 0
    w.step(3)
    assert np.array_equal(w.d.qpos, [0.3, 0]) and np.array_equal(w.d.qvel, [0, 0])


BRANCHES = """
<mujoco>
  <option timestep="0.01"/><default><geom contype="0" conaffinity="0"/></default>
  <worldbody>
    <body name="trunk" pos="0 0 2">
      <joint name="t0" axis="0 1 0" damping=".3" stiffness="4"/><joint name="t1" type="slide" axis="0 0 1" stiffness="50"/>
      <geom type="capsule" size=".05 .2"/>
      <body pos="0 .1 -.3">
        <joint name="a0" axis="0 1 0"/><geom type="capsule" size=".03 .1"/>
        <body pos="0 0 -.3"><joint name="a1" type="ball" stiffness="3" damping=".1"/><geom type="box" size=".05 .1 .03"/></body>
      </body>
      <body pos="0 -.1 -.3">
        <joint name="b0" axis="0 1 0"/><geom type="capsule" size=".03 .1"/>
        <body pos="0 0 -.3"><joint name="b1" axis="1 0 0"/><geom type="capsule" size=".03 .1"/><site name="b" pos="0 0 -.2"/></body>
      </body>
    </body>
    <body name="other" pos="1 0 2"><joint name="c0" axis="0 1 0"/><geom type="capsule" size=".05 .2" pos=".1 0 0"/><site name="c" pos=".2 0 0"/></body>
    <body name="simple" pos="2 0 2">
      <joint name="s0" type="slide" axis="1 0 0"/><joint name="s1" type="slide" axis="0 1 0"/><geom size=".1"/>
    </body>
  </worldbody>
  <tendon>
    <fixed stiffness="400" damping="5" springlength="0 0"><joint joint="a0" coef="1"/><joint joint="b0" coef="-1"/></fixed>
    <fixed stiffness="300" springlength="0 0"><joint joint="b1" coef="1"/><joint joint="c0" coef="2"/><joint joint="s1" coef=".5"/></fixed>
    <fixed damping="7"><joint joint="s0" coef="1"/><joint joint="s1" coef="-1"/><joint joint="t0" coef=".2"/></fixed>
    <spatial stiffness="100" damping="2" springlength="0 .1"><site site="b"/><site site="c"/></spatial>
  </tendon>
</mujoco>"""


def test_tendons_across_branches_equal_the_dense_system():
    """Tendons across branches and trees: the sparse system equals the dense one (spec 13: A3; spec DT35)."""
    rng = np.random.default_rng(2)
    w = World(BRANCHES, jacobian=0)
    for _ in range(30):
        w.d.qvel[:] += 0.1 * rng.normal(size=w.m.nv)
        A, force = w.system()
        expected = np.linalg.solve(A, force)
        w.step()
        assert close(w.d.qacc, expected, 1e-9)
    assert not any(w.d.warning.number) and w.d.status == 0


FLOOR = '<geom type="plane" size="9 9 .1" contype="1" conaffinity="1"/>'
TOUCHING = 'contype="1" conaffinity="1"'


def grounded():
    """BRANCHES on a floor that two of its trees touch, and a ball that nothing ties to the rest."""
    xml = BRANCHES.replace('<geom type="capsule" size=".05 .2" pos=".1 0 0"/>',
                           f'<geom type="capsule" size=".05 .2" pos=".1 0 0" {TOUCHING}/>')
    ball = f'<body pos="4 0 .099"><freejoint/><geom size=".1" {TOUCHING}/></body>'
    xml = xml.replace('pos="1 0 2"', 'pos="1 0 .245"').replace("<worldbody>", f"<worldbody>{FLOOR}{ball}")
    return xml


@pytest.mark.parametrize("jacobian", [0, 1])
@pytest.mark.parametrize("solver", [NEWTON, CG])
def test_islands_equal_the_whole(solver, jacobian):
    """Trees that a tendon's spring couples share an island; the answer is that of the whole solve (spec DT35)."""
    rng = np.random.default_rng(5)
    w = World(grounded(), solver=solver, jacobian=jacobian)
    whole = World(grounded(), solver=solver, jacobian=jacobian)
    whole.m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
    for world in (w, whole):
        world.m.opt.tolerance, world.m.opt.iterations = 0, 300
    seen = 0
    for _ in range(20):
        w.d.qvel[:] += 0.05 * rng.normal(size=w.m.nv)
        for field in ("qpos", "qvel", "qacc_warmstart"):
            getattr(whole.d, field)[:] = getattr(w.d, field)
        w.step()
        whole.step()
        assert whole.d.nisland == 0
        assert close(w.d.qacc, whole.d.qacc, 1e-9 if solver == NEWTON else 1e-6)
        if w.d.nisland == 2:
            seen += 1
            trees = w.m.tree_dofadr
            islands = [w.d.dof_island[adr] for adr in trees]
            assert islands[0] == 0 and islands[1] == islands[2] == islands[3] == 1
    assert seen > 5 and not any(w.d.warning.number)


@pytest.mark.parametrize("jacobian", [0, 1])
def test_discrete_inverse_returns_the_forces(jacobian):
    """With invdiscrete, inverse dynamics gives back the forces that the step was made with (spec DT35)."""
    rng = np.random.default_rng(6)
    w = World(grounded(), solver=NEWTON, jacobian=jacobian)
    w.m.opt.tolerance = 0
    bits = mujoco.mjtEnableBit
    w.m.opt.enableflags |= int(bits.mjENBL_INVDISCRETE | bits.mjENBL_FWDINV)
    for _ in range(20):
        w.d.qvel[:] += 0.05 * rng.normal(size=w.m.nv)
        applied = rng.normal(size=w.m.nv)
        w.d.qfrc_applied[:] = applied
        _core.mj_forward(w.m, w.d)
        constraint, scale = np.array(w.d.qfrc_constraint), np.max(np.abs(w.d.qfrc_smooth))
        _core.mj_inverse(w.m, w.d)
        assert np.max(np.abs(w.d.qfrc_inverse - applied)) < 1e-8 * scale
        assert np.max(np.abs(w.d.qfrc_constraint - constraint)) < 1e-8 * scale
        w.step()
        assert w.d.nefc > 0 and np.max(w.d.solver_fwdinv) < 1e-7 * scale


def test_flags_gate_joint_and_tendon_terms_together():
    """Spec DT35."""
    for flag, k, b in ((mujoco.mjtDisableBit.mjDSBL_SPRING, 50, 0), (mujoco.mjtDisableBit.mjDSBL_DAMPER, 0, 50)):
        w = World(model_a(k, b, jk=k, jb=b), qpos={0: 0.3}, qvel={0: 1})
        w.m.opt.disableflags |= int(flag)
        w.step()
        assert np.max(np.abs(w.d.qacc)) < 1e-9
