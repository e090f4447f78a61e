"""Laws of actuators that MuJoCo has not: series elastic, DC motor, laws of the user, by name."""

import contextlib
import pathlib
import re
import subprocess
import sys

import numpy as np
import pytest

import sinew
from sinew import _core, derivatives

LAWS = str(pathlib.Path(__file__).parents[2] / "models" / "actuator" / "laws.xml")
SERIES, MOTOR = "series_elastic", "dc_motor"


def slider(actuator, option="", mass=1.0):
    return sinew.MjModel.from_xml_string(f"""
      <mujoco><option gravity="0 0 0" {option}/><worldbody><body><joint name="j" type="slide" axis="1 0 0"/>
      <geom size="0.1" mass="{mass}"/></body></worldbody><actuator>{actuator}</actuator></mujoco>""")


def general(name, params="", more=""):
    return f'<general name="a" joint="j" sinew:gain_model="{name}" sinew:gain_params="{params}" {more}/>'


def affine(length, velocity, rate, params):
    return params[0] + params[1] * length + params[2] * velocity, params[3] * length + params[4] * velocity


def affine_slopes(length, velocity, rate, params):
    return params[1], params[2], params[3], params[4], 0


def curved(length, velocity, rate, params):
    return params[0] * np.cos(length) * (1 + velocity**2), -params[1] * np.tanh(velocity) + params[2] * rate * length


@pytest.fixture(scope="module", autouse=True)
def laws():
    sinew.actuators.register("test.affine", affine, slopes=affine_slopes, nparam=(1, 5))
    sinew.actuators.register("test.differenced", affine, nparam=(1, 5))
    sinew.actuators.register("test.curved", curved, nparam=3)


# ---- series elastic


def test_series_elastic_force_is_spring_and_damper_between_motor_and_joint():
    """spec 42D: 2. k (r a - x) + d (r a' - v), the motor's position a being an activation."""
    k, d, r, tau = 300.0, 7.0, 0.4, 0.05
    model = slider(general(SERIES, f"{k} {d} {r} {tau}"))
    data, random = sinew.MjData(model), np.random.default_rng(0)
    for _ in range(10):
        data.qpos[:], data.qvel[:], data.act[:], data.ctrl[:] = random.standard_normal(4)
        sinew.mj_forward(model, data)
        motor, rate = r * data.act[0], r * (data.ctrl[0] - data.act[0]) / tau
        expected = k * (motor - data.qpos[0]) + d * (rate - data.qvel[0])
        assert data.actuator_force[0] == pytest.approx(expected, rel=1e-12)


def test_series_elastic_follows_its_analytic_solution():
    """Mass, spring and damper behind a motor that follows the control with a lag: a linear system."""
    k, d, r, tau, mass, u, h = 200.0, 3.0, 0.5, 0.08, 2.0, 0.7, 1e-3
    model = slider(general(SERIES, f"{k} {d} {r} {tau}"), f'timestep="{h}" integrator="RK4"', mass)
    data = sinew.MjData(model)
    data.ctrl[:] = u
    # (x, v, a, 1)
    A = np.array([[0, 1, 0, 0], [-k / mass, -d / mass, (k * r - d * r / tau) / mass, d * r * u / tau / mass],
                  [0, 0, -1 / tau, u / tau], [0, 0, 0, 0]])
    values, vectors = np.linalg.eig(A)
    weights = np.linalg.solve(vectors, np.array([0, 0, 0, 1]))
    for step in range(1, 501):
        sinew.mj_step(model, data)
        exact = (vectors @ (np.exp(values * step * h) * weights)).real
        assert np.abs([data.qpos[0], data.qvel[0], data.act[0]] - exact[:3]).max() < 1e-8


def test_motor_without_a_time_constant_is_at_the_control_after_one_step():
    model = slider(general(SERIES, "10 1"))
    data = sinew.MjData(model)
    data.ctrl[:] = 0.3
    sinew.mj_step(model, data)
    assert data.act[0] == pytest.approx(0.3, rel=1e-12)


# ---- DC motor


def test_dc_motor_stalls_and_runs_free_as_its_constants_say():
    R, kt, ke, V = 1.5, 0.05, 0.04, 12.0
    model = slider(general(MOTOR, f"{R} {kt} {ke}"))
    data = sinew.MjData(model)
    data.ctrl[:] = V
    sinew.mj_forward(model, data)
    assert data.actuator_force[0] == pytest.approx(kt * V / R, rel=1e-13)
    data.qvel[:] = V / ke
    sinew.mj_forward(model, data)
    assert data.actuator_force[0] == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("gear", [1, 10])
def test_dc_motor_spins_up_exponentially(gear):
    R, kt, ke, V, mass, h = 1.5, 0.5, 0.4, 12.0, 0.3, 1e-3
    model = slider(general(MOTOR, f"{R} {kt} {ke}", f'gear="{gear}"'), f'timestep="{h}" integrator="RK4"', mass)
    data = sinew.MjData(model)
    data.ctrl[:] = V
    rate = kt * ke * gear**2 / (R * mass)
    for step in range(1, 201):
        sinew.mj_step(model, data)
        assert data.qvel[0] == pytest.approx(V / (ke * gear) * -np.expm1(-rate * step * h), rel=1e-5)


def test_cogs_pull_towards_their_rests():
    model = slider(general(MOTOR, "1 1 0 .2 7 .3"))
    data = sinew.MjData(model)
    for x in np.linspace(-1, 1, 9):
        data.qpos[:] = x
        sinew.mj_forward(model, data)
        assert data.actuator_force[0] == pytest.approx(-0.2 * np.sin(7 * x + 0.3), rel=1e-12)


# ---- slopes


def force_slopes(model, data, length, velocity, act, ctrl, eps=1e-6):
    """Centred differences of the force by length and velocity."""
    def force(x, v):
        data.qpos[:], data.qvel[:], data.ctrl[:] = x, v, ctrl
        data.act[:] = act
        sinew.mj_forward(model, data)
        return data.actuator_force[0]

    return ((force(length + eps, velocity) - force(length - eps, velocity)) / (2 * eps),
            (force(length, velocity + eps) - force(length, velocity - eps)) / (2 * eps))


HILL = '<muscle joint="j" force="500" sinew:optimal_length=".1" sinew:slack_length=".2" sinew:pennation=".4"/>'
SLOPES = [general(SERIES, "300 7 .4 .05"), general(MOTOR, "1.5 .5 .4 .2 7 .3"),
          general("test.affine", "1 2 -3 -4 -5"), general("test.differenced", "1 2 -3 -4 -5"),
          general("test.curved", "2 3 4", 'dyntype="filter" dynprm=".1"'), HILL]
NAMES = ["series", "motor", "user", "differenced", "curved", "hill"]


@pytest.mark.parametrize("actuator", SLOPES, ids=NAMES)
def test_velocity_slope_is_the_derivative_of_the_force(actuator):
    """spec 42D: 3. qDeriv against differences for every law."""
    model = slider(actuator, 'integrator="implicitfast"')
    data = sinew.MjData(model)
    for length, velocity, act, ctrl in ((0.31, 0.2, 0.6, 0.9), (0.27, -0.4, 0.3, 0.2)):
        _, expected = force_slopes(model, data, length, velocity, act, ctrl)
        data.qpos[:], data.qvel[:] = length, velocity
        sinew.mj_forward(model, data)
        _core._deriv_smooth_vel(model, data, False)
        assert data.qDeriv[0] == pytest.approx(expected, rel=1e-5, abs=1e-7)


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("actuator", SLOPES, ids=NAMES)
def test_linearised_step_is_that_of_differences(actuator, integrator):
    model = slider(actuator, f'integrator="{integrator}" timestep=".002"')
    data = sinew.MjData(model)
    data.qpos[:], data.qvel[:], data.ctrl[:] = 0.31, 0.2, 0.9
    data.act[:] = 0.6
    results = [derivatives.transition(model, data, method) for method in ("analytic", "differences")]
    for ours, theirs in zip(*results):
        assert np.abs(ours - theirs).max() < 2e-6 * max(1, np.abs(theirs).max())


def test_linearised_step_of_many_laws_is_that_of_differences():
    model = sinew.MjModel.from_xml_path(LAWS)
    data, random = sinew.MjData(model), np.random.default_rng(1)
    data.qpos[:], data.qvel[:] = 0.3 * random.standard_normal((2, model.nv))
    data.ctrl[:] = 0.4
    for _ in range(20):
        sinew.mj_step(model, data)
    results = [derivatives.transition(model, data, method) for method in ("analytic", "differences")]
    for ours, theirs in zip(*results):
        assert np.abs(ours - theirs).max() < 1e-4 * max(1, np.abs(theirs).max())


# ---- one law, built in and of the user


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("name", ["test.affine", "test.differenced"])
def test_law_of_the_user_moves_as_the_same_law_built_in(integrator, name):
    """spec 42D: 5. Implicit integrators know its slope."""
    option = f'integrator="{integrator}" timestep=".01"'
    built_in = slider('<general joint="j" gaintype="affine" biastype="affine" gainprm="2 -3 -4" biasprm="0 -30 -9"/>',
                      option)
    user = slider(general(name, "2 -3 -4 -30 -9"), option)
    states = []
    for model in (built_in, user):
        data = sinew.MjData(model)
        data.qvel[:], data.ctrl[:] = 1, 0.5
        for _ in range(100):
            sinew.mj_step(model, data)
        states.append((data.qpos[0], data.qvel[0]))
    assert states[0] == pytest.approx(states[1], rel=1e-7, abs=1e-9)


STIFF = 'integrator="implicitfast" timestep=".05"'


def stiff_velocity(model):
    data = sinew.MjData(model)
    data.qvel[:], data.ctrl[:] = 1, 1
    sinew.mj_step(model, data)
    return data.qvel[0], data.qDeriv[0]


def test_stiff_law_of_the_user_is_as_stable_as_built_in():
    expected = pytest.approx((1 / 26, -10), rel=1e-9)
    assert stiff_velocity(slider('<general joint="j" gaintype="affine" gainprm="0 0 -10"/>', STIFF, 0.02)) == expected
    assert stiff_velocity(slider(general("test.affine", "0 0 -10"), STIFF, 0.02)) == expected


@contextlib.contextmanager
def callbacks(**functions):
    """Callbacks of MuJoCo's Python package, and none afterwards."""
    try:
        for name, function in functions.items():
            getattr(sinew, f"set_mjcb_{name}")(function)
        yield
    finally:
        sinew.mj_resetCallbacks()


def test_callback_of_the_gain_is_as_stable_as_built_in():
    """spec 42D: 5. MuJoCo takes the derivative of a callback for zero, and flies off: a callback of the slope that
    returns zero does the same."""
    model = slider('<general joint="j" gaintype="user"/>', STIFF, 0.02)
    with callbacks(act_gain=lambda model, data, i: -10 * data.actuator_velocity[i]):
        assert stiff_velocity(model) == pytest.approx((1 / 26, -10), rel=1e-6)
        with callbacks(act_gain_vel=lambda model, data, i: 0,
                       act_gain=lambda model, data, i: -10 * data.actuator_velocity[i]):
            assert stiff_velocity(model) == pytest.approx((-24, 0))
    with callbacks(act_gain=lambda model, data, i: -10 * data.qvel[0]):
        assert stiff_velocity(model) == pytest.approx((1 / 26, -10), rel=1e-6)
    with callbacks(act_gain=lambda model, data, i: -10 * data.actuator_velocity[i],
                   act_gain_vel=lambda model, data, i: -10):
        assert stiff_velocity(model) == pytest.approx((1 / 26, -10), rel=1e-9)


TWO_JOINTS = """<mujoco><option integrator="{integrator}" timestep=".02" gravity="0 0 0"/>
  <worldbody><body><joint name="a" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05"/>
    <body pos="1 0 0"><joint name="b" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size=".05"/></body></body>
  </worldbody>
  <tendon><fixed name="t"><joint joint="a" coef="1.5"/><joint joint="b" coef="-.7"/></fixed></tendon>
  <actuator><general tendon="t" gear="3" {law}/><general joint="b" gear="2" {law}/></actuator></mujoco>"""


@pytest.mark.parametrize("reads", ["actuator_velocity", "qvel"])
@pytest.mark.parametrize("integrator", ["implicit", "implicitfast"])
def test_callbacks_of_gain_and_bias_move_as_the_same_law_built_in(integrator, reads):
    """spec 42D: 5."""
    law = ('gaintype="affine" biastype="affine" gainprm="2 -3 -40" biasprm="1 -30 -9"', 'gaintype="user" biastype="user"')
    arms = np.array([[4.5, -2.1], [0, 2.0]])

    def affine(prm):
        def value(model, data, i):
            velocity = data.actuator_velocity[i] if reads == "actuator_velocity" else arms[i] @ data.qvel
            return prm[0] + prm[1] * data.actuator_length[i] + prm[2] * velocity
        return value

    states = []
    for text in law:
        model = sinew.MjModel.from_xml_string(TWO_JOINTS.format(integrator=integrator, law=text))
        data = sinew.MjData(model)
        data.qvel[:], data.ctrl[:] = (1, -2), (0.5, 0.3)
        with callbacks(act_gain=affine((2, -3, -40)), act_bias=affine((1, -30, -9))):
            for _ in range(10):
                sinew.mj_step(model, data)
        states.append(np.concatenate([data.qDeriv, data.qvel, data.qpos]))
    assert np.allclose(*states, rtol=1e-6, atol=1e-7)


def test_callback_that_raises_leaves_velocities_as_they_were():
    model = slider('<general joint="j" gaintype="user"/>', STIFF, 0.02)
    data = sinew.MjData(model)
    data.qvel[:], data.ctrl[:] = 1, 1

    def gain(model, data, i):
        if data.qvel[0] != 1:
            raise ArithmeticError("moved")
        return 1

    with callbacks(act_gain=gain), pytest.raises(ArithmeticError, match="moved"):
        sinew.mj_step(model, data)
    assert data.qvel[0] == 1 and data.actuator_velocity[0] == 1
    sinew.mj_resetData(model, data)
    sinew.mj_step(model, data)


@pytest.mark.parametrize("name, prm, more", [
    ("fixed", "2.5", ""), ("affine", "1 -2 -3", ""),
    ("muscle", ".75 1.05 -1 200 .5 1.6 1.5 1.3 1.2", 'dyntype="muscle" dynprm=".01 .04" lengthrange="-1 1"')])
def test_laws_of_mujoco_by_name_are_bit_for_bit_those_by_type(name, prm, more):
    """spec 42D: 1."""
    states = []
    for actuator in (f'<general joint="j" gaintype="{name}" gainprm="{prm}" {more}/>', general(name, prm, more)):
        model = slider(actuator, 'integrator="implicit"')
        data = sinew.MjData(model)
        data.qvel[:], data.ctrl[:] = 0.3, 0.8
        for _ in range(50):
            sinew.mj_step(model, data)
        states.append((data.qpos[0], data.qvel[0], data.actuator_force[0]))
    assert states[0] == states[1]


# ---- errors, texts, files


@pytest.mark.parametrize("actuator, message", [
    (general("spring", "1"), "unknown gain model 'spring' in actuator; there are: fixed, affine, muscle, hill, "
                             "series_elastic, dc_motor"),
    (general(SERIES, "-1 2"), "stiffness of gain model 'series_elastic' must be zero or more"),
    (general(SERIES, "1"), "gain model 'series_elastic' has 2 to 4 parameters, got 1"),
    (general(SERIES, "1 1", 'dyntype="muscle"'), "needs dyntype 'filter', 'filterexact' or 'integrator'"),
    (general(MOTOR, "0 1 1"), "resistance of gain model 'dc_motor' must be positive"),
    (general(MOTOR, "1 1 1", 'biastype="affine"'), "gaintype and biastype are not for it"),
    (general("test.curved", "1"), "gain model 'test.curved' has 3 parameters, got 1"),
    ('<general name="a" joint="j" sinew:gain_params="1"/>', "gain_params without a gain_model"),
    ('<general name="a" joint="j" sinew:gain_law="x"/>', "there are: sinew:gain_model, sinew:gain_params"),
    ('<muscle name="a" joint="j" sinew:preset="triceps"/>',
     "unknown preset 'triceps' of a muscle; there are: biceps, quadriceps, gastrocnemius, soleus"),
    ('<muscle name="a" joint="j" sinew:slack_length="0"/>', "slack_length of a Hill muscle must be positive"),
    ('<muscle name="a" joint="j" sinew:pennation="2"/>', "pennation of a Hill muscle must be"),
    ('<muscle name="a" joint="j" sinew:preset="soleus" lmin=".5"/>', "'lmin' is of MuJoCo's muscle")])
def test_bad_parameters_are_errors_that_name_the_element(actuator, message):
    with pytest.raises(ValueError) as error:
        slider(actuator)
    assert message in str(error.value)
    assert "Element" in str(error.value) or "line" in str(error.value)


@pytest.mark.parametrize("kind, message", [
    (dict(name="series_elastic"), "built in"), (dict(name=""), "needs a name"), (dict(name="x" * 64), "needs a name"),
    (dict(name="test.many", nparam=11), "up to 10 are possible")])
def test_bad_registrations_are_errors(kind, message):
    with pytest.raises(ValueError, match=message):
        sinew.actuators.register(law=affine, **kind)


def test_texts_of_laws_are_read_back():
    spec = sinew.MjSpec.from_file(LAWS)
    model = spec.compile()
    again = sinew.MjModel.from_xml_string(spec.to_xml())
    for field in ("model", "gaintype", "biastype", "dyntype", "gainprm", "biasprm", "dynprm", "actnum"):
        assert np.allclose(getattr(again, f"actuator_{field}"), getattr(model, f"actuator_{field}"), rtol=1e-5), field


def test_spec_takes_laws_and_hill_muscles_by_attribute():
    spec = sinew.MjSpec.from_string("""<mujoco><worldbody><body><joint name="j" type="slide"/><geom size=".1"/></body>
      </worldbody></mujoco>""")
    joint = sinew.mjtTrn.mjTRN_JOINT
    spec.add_actuator(target="j", trntype=joint, gain_model="dc_motor", gain_params=[2, 0.1, 0.1])
    spec.add_actuator(target="j", trntype=joint).set_to_hill("soleus", max_velocity=8)
    model = spec.compile()
    assert list(model.actuator_model) == [2, 0]
    assert model.actuator_gainprm[0, :3] == pytest.approx([2, 0.1, 0.1])
    assert model.actuator_gainprm[1, :5] == pytest.approx([3549, 0.05, 0.25, 0.43633231, 8])
    with pytest.raises(TypeError, match="no 'strength'"):
        spec.actuators[1].set_to_hill(strength=1)


def test_binary_model_with_a_law_of_the_user_needs_the_law(tmp_path):
    path = str(tmp_path / "user.mjb")
    model = slider(general("test.affine", "1 2 -3 -4 -5"))
    sinew.mj_saveModel(model, path)
    again = sinew.MjModel.from_binary_path(path)
    assert again.actuator_model[0] == model.actuator_model[0] >= 1000
    code = f"import sinew; sinew.MjModel.from_binary_path({path!r})"
    fresh = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600)
    assert "actuator model 'test.affine' is not registered; there are: fixed" in fresh.stderr


# ---- functions of Python


def test_exception_of_a_law_leaves_the_step():
    def broken(length, velocity, rate, params):
        raise RuntimeError("no pressure")

    sinew.actuators.register("test.broken", broken)
    model = slider(general("test.broken"))
    with pytest.raises(RuntimeError, match="no pressure"):
        sinew.mj_step(model, sinew.MjData(model))


def test_batch_of_a_cpu_follows_laws_of_python():
    model = slider(general("test.affine", "1 2 -3 -4 -5"))
    data = sinew.MjData(model)
    batch = sinew.Batch(model, 3, device="cpu", threads=2)
    data.ctrl[:] = batch.ctrl[:] = 0.5
    batch.step(20)
    for _ in range(20):
        sinew.mj_step(model, data)
    assert np.array_equal(np.asarray(batch.qpos), np.tile(data.qpos, (3, 1)))


def test_gpu_refuses_laws_of_the_user_by_name():
    reason = _core._gpu_refusal(slider(general("test.affine", "1")))
    if reason == "anything":
        pytest.skip("built without a GPU")
    assert reason == "the actuator model 'test.affine' that a program registered"


# ---- Hill muscles by name


def test_named_attributes_of_a_hill_muscle_are_its_parameters():
    named = slider('<muscle joint="j" force="500" timeconst=".02 .05" sinew:optimal_length=".1" sinew:slack_length=".2" '
                   'sinew:pennation=".3" sinew:max_velocity="8" sinew:passive_strain=".5" sinew:width=".4" '
                   'sinew:max_eccentric="1.5" sinew:damping=".05" sinew:min_activation=".01"/>')
    assert named.actuator_gainprm[0] == pytest.approx([500, 0.1, 0.2, 0.3, 8, 0.5, 0.4, 1.5, 0, 0.05])
    assert named.actuator_dynprm[0, :4] == pytest.approx([0.02, 0.05, 0, 0.01])
    assert (named.actuator_dyntype[0], named.actuator_gaintype[0], named.actuator_biastype[0]) == (6, 4, 4)


def hill_force(length, velocity, act):
    """Thelen 2003 on a rigid tendon, for the muscle of HILL."""
    along = (length - 0.2) / 0.1
    fibre = np.hypot(along, np.sin(0.4))
    cosine = along / fibre
    v = velocity / (0.1 * 10) * cosine
    active = np.exp(-(fibre - 1) ** 2 / 0.45)
    speed = (1 + v) / (1 - 4 * v) if v <= 0 else 1 + 0.4 * v / (v + 0.4 / 5)
    passive = np.expm1(4 / 0.6 * (fibre - 1)) / np.expm1(4) if fibre > 1 else 0
    return -500 * (act * active * speed + passive + 0.1 * v) * cosine


def test_hill_muscle_follows_the_published_curves():
    model = slider(HILL)
    data = sinew.MjData(model)
    for length in (0.25, 0.28, 0.29, 0.31, 0.34):
        for velocity in (-0.5, -0.1, 0, 0.2, 0.6):
            for act in (0, 0.3, 1):
                data.qpos[:], data.qvel[:], data.act[:] = length, velocity, act
                sinew.mj_forward(model, data)
                assert data.actuator_force[0] == pytest.approx(hill_force(length, velocity, act), rel=1e-12)


def test_tendon_has_the_given_stiffness_at_the_peak_force():
    stiffness = 4e4
    model = slider(HILL.replace("/>", f' sinew:tendon_stiffness="{stiffness}"/>'))
    data = sinew.MjData(model)
    strain = model.actuator_gainprm[0, 8]
    forces = []
    for extra in (1e-6, 2e-6):  # just beyond the peak force, with the fibre at its optimal length
        data.act[:] = 1, 0.5
        data.qpos[:] = 0.2 * (1 + strain) + 0.1 * np.cos(0.4) + extra
        sinew.mj_forward(model, data)
        forces.append(-data.actuator_force[0])
    assert forces[0] == pytest.approx(500, rel=1e-3)
    assert (forces[1] - forces[0]) / 1e-6 == pytest.approx(stiffness, rel=1e-5)


@pytest.mark.parametrize("preset", ["biceps", "quadriceps", "gastrocnemius", "soleus"])
def test_presets_hold_their_peak_force_at_the_optimal_length(preset):
    model = slider(f'<muscle joint="j" sinew:preset="{preset}"/>')
    force, optimal, slack, pennation = model.actuator_gainprm[0, :4]
    assert model.actuator_actnum[0] == 2 and model.actuator_gainprm[0, 8] == pytest.approx(0.04)
    data = sinew.MjData(model)
    # the tendon as long as it is under the force of the fibres
    pull = np.cos(pennation)
    strain = 0.04 * np.log1p(pull * np.expm1(3)) / 3
    data.qpos[:] = slack * (1 + strain) + optimal * np.cos(pennation)
    data.act[:] = 0, 1
    sinew.mj_forward(model, data)
    assert data.actuator_force[0] == pytest.approx(-force * pull, rel=1e-6)


def test_activation_does_not_fall_below_the_least_one():
    model = slider('<muscle joint="j" sinew:min_activation=".05"/>')
    data = sinew.MjData(model)
    data.act[:] = 0.5
    for _ in range(500):
        sinew.mj_step(model, data)
    assert data.act[0] == 0.05


# ---- the manual


def blocks(language):
    page = (pathlib.Path(__file__).parents[3] / "docs" / "actuator-models.md").read_text()
    return re.findall(rf"```{language}\n(.*?)```", page, re.S)


def test_model_of_the_manual_runs():
    model = sinew.MjModel.from_xml_string(blocks("xml")[0])
    data = sinew.MjData(model)
    data.ctrl[:] = 0.2, 6, 0.5, 20
    for _ in range(500):
        sinew.mj_step(model, data)
    assert not any(data.warning.number) and np.isfinite(data.qpos).all()
    eye, tip = data.site("eye").xpos, data.site("tip").xpos
    assert np.linalg.norm(eye - tip) == pytest.approx(model.eq_data[0, 0], abs=2e-3)


def test_law_of_the_manual_in_python_runs():
    exec(blocks("python")[0], {"sinew": sinew})
    model = slider(general("lab.pneumatic", "2 30"))
    data = sinew.MjData(model)
    data.qpos[:], data.ctrl[:] = 0.1, 4
    sinew.mj_forward(model, data)
    assert data.actuator_force[0] == pytest.approx(2 * 4 - 30 * 0.1)
