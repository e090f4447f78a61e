"""Compound pulleys (DT-30): friction of tendons where they wrap, wheels with inertia."""

import pathlib

import numpy as np
import pytest

import sinew
from sinew import _core, derivatives

MODEL = str(pathlib.Path(__file__).parents[2] / "models" / "actuator" / "capstan.xml")


def hoist(friction="sinew:friction='.3 .001'", masses=(1, 1), option="", tendon="", actuator='<motor tendon="t"/>'):
    """Two loads on vertical slides, a rope over a drum between them: half a turn."""
    return sinew.MjModel.from_xml_string(f"""
      <mujoco><option {option}/><default><geom contype="0" conaffinity="0"/></default><worldbody>
        <geom name="drum" type="cylinder" size=".1 .2" euler="90 0 0" pos="0 0 1"/><site name="over" pos="0 0 1.3"/>
        <body pos="-.1 0 0"><joint name="a" type="slide" axis="0 0 1"/><geom size=".02" mass="{masses[0]}"/><site name="a"/>
        </body>
        <body pos=".1 0 0"><joint name="b" type="slide" axis="0 0 1"/><geom size=".02" mass="{masses[1]}"/><site name="b"/>
        </body>
      </worldbody><tendon><spatial name="t" {tendon}><site site="a"/><geom geom="drum" sidesite="over" {friction}/>
        <site site="b"/></spatial></tendon><actuator>{actuator}</actuator></mujoco>""")


def pulls(model, speed, tension=10.0):
    """Upward forces of the rope on the two loads, the second one moving down."""
    data = sinew.MjData(model)
    data.qvel[:] = speed, -speed
    data.ctrl[:] = -tension
    sinew.mj_forward(model, data)
    return data.qfrc_actuator.copy()


@pytest.mark.parametrize("mu", [0.1, 0.3, 1.0])
@pytest.mark.parametrize("direction", [1, -1])
def test_tensions_of_a_sliding_rope_differ_by_the_capstan_ratio(mu, direction):
    """Spec DT30."""
    first, second = pulls(hoist(f"sinew:friction='{mu} .001'"), direction)
    assert first == pytest.approx(10, rel=1e-12)
    assert second / first == pytest.approx(np.exp(direction * mu * np.pi), rel=1e-9)


def test_friction_is_smooth_through_zero_velocity():
    model = hoist("sinew:friction='.3 .1'")
    speeds = np.linspace(-0.3, 0.3, 61)
    ratios = np.array([pulls(model, speed)[1] / 10 for speed in speeds])
    assert ratios == pytest.approx(np.exp(0.3 * np.pi * np.tanh(speeds / 0.1)), rel=1e-9)
    assert ratios[30] == pytest.approx(1, abs=1e-12)


def test_rope_without_friction_is_mujocos():
    first, second = pulls(hoist(""), 1.0)
    assert first == second == pytest.approx(10, rel=1e-12)


def test_slack_rope_does_not_rub():
    first, second = pulls(hoist(), 1.0, tension=-10.0)
    assert first == second == pytest.approx(-10, rel=1e-12)


def test_springs_of_a_tendon_rub_too():
    model = hoist(tendon="stiffness='100' springlength='0'", actuator="")
    data = sinew.MjData(model)
    data.qvel[:] = 1, -1
    sinew.mj_forward(model, data)
    first, second = data.qfrc_passive
    assert first == pytest.approx(100 * data.ten_length[0], rel=1e-12)
    assert second / first == pytest.approx(np.exp(0.3 * np.pi), rel=1e-9)


def test_heavier_load_creeps_as_slowly_as_the_friction_says():
    """T = m1 g, T exp(mu pi tanh(v / v0)) = m2 g: below the capstan ratio the loads nearly stand."""
    mu, v0, masses = 0.3, 0.01, (1.0, 1.6)
    model = hoist(f"sinew:friction='{mu} {v0}'", masses, "integrator='implicit' timestep='.002'",
                  "stiffness='5000' damping='50' springlength='2.2'", "")
    data = sinew.MjData(model)
    for _ in range(2000):
        sinew.mj_step(model, data)
    speed = v0 * np.arctanh(np.log(masses[1] / masses[0]) / (mu * np.pi))
    assert data.qvel == pytest.approx([speed, -speed], rel=1e-5)


def test_friction_takes_energy_away_and_never_gives_any():
    model = sinew.MjModel.from_xml_path(MODEL)
    plain = sinew.MjModel.from_xml_path(MODEL)
    plain.capstan_prm[:, 0] = 0
    data, other = sinew.MjData(model), sinew.MjData(plain)
    random, powers = np.random.default_rng(0), []
    for _ in range(200):
        for d in (data, other):
            d.qpos[:3] = 0
        data.qpos[:3] = other.qpos[:3] = 0.1 * random.standard_normal(3)
        data.qvel[:] = other.qvel[:] = random.standard_normal(model.nv)
        data.ctrl[:] = other.ctrl[:] = random.uniform(0, 40)
        sinew.mj_forward(model, data)
        sinew.mj_forward(plain, other)
        force = data.qfrc_passive + data.qfrc_actuator - other.qfrc_passive - other.qfrc_actuator
        powers.append(force @ data.qvel)
    assert max(powers) <= 1e-9 and min(powers) < -1


def test_velocity_derivative_of_friction_is_that_of_differences():
    model = sinew.MjModel.from_xml_path(MODEL)
    data, random, eps = sinew.MjData(model), np.random.default_rng(2), 1e-6

    def smooth(qvel):
        data.qvel[:] = qvel
        sinew.mj_forward(model, data)
        return data.qfrc_passive + data.qfrc_actuator - data.qfrc_bias

    qvel = 0.01 * random.standard_normal(model.nv)
    data.ctrl[:] = 20
    columns = [(smooth(qvel + eps * e) - smooth(qvel - eps * e)) / (2 * eps) for e in np.eye(model.nv)]
    smooth(qvel)
    _core._deriv_smooth_vel(model, data, True)
    ours = np.zeros((model.nv, model.nv))
    for i in range(model.nv):
        for k in range(model.D_rowadr[i], model.D_rowadr[i] + model.D_rownnz[i]):
            ours[i, model.D_colind[k]] = data.qDeriv[k]
    expected = np.array(columns).T * (ours != 0)  # the pattern has pairs of dofs of one branch alone
    assert np.abs(ours - expected).max() < 1e-5 * np.abs(expected).max()
    assert np.abs(expected).max() > 100


def test_linearised_step_with_friction_is_that_of_differences():
    model = sinew.MjModel.from_xml_path(MODEL)
    data = sinew.MjData(model)
    data.ctrl[:] = 20
    for _ in range(50):
        sinew.mj_step(model, data)
    results = [derivatives.transition(model, data, method) for method in ("analytic", "differences")]
    for ours, theirs in zip(*results):
        assert np.abs(ours - theirs).max() < 1e-4 * max(1, np.abs(theirs).max())


@pytest.mark.parametrize("angle", ["", "sinew:angle='1.5'"])
def test_pulley_rubs_by_the_angle_that_the_rope_turns_around_it(angle):
    model = sinew.MjModel.from_xml_string(f"""
      <mujoco><option gravity="0 0 0"/><worldbody><site name="o"/><site name="p" pos="1 0 0"/>
        <body pos="0 0 -1"><joint type="slide" axis="0 0 1"/><geom size=".1" mass="1"/><site name="a"/></body>
        <body pos="1 0 -1"><joint type="slide" axis="0 0 1"/><geom size=".1" mass="1"/><site name="b"/></body>
      </worldbody><tendon><spatial name="t"><site site="o"/><site site="a"/><pulley divisor="2" sinew:friction=".2 .001"
        {angle}/><site site="p"/><site site="b"/></spatial></tendon><actuator><motor tendon="t"/></actuator></mujoco>""")
    data = sinew.MjData(model)
    data.ctrl[:], data.qvel[:] = -8, (0, -1)
    sinew.mj_forward(model, data)
    assert data.qfrc_actuator == pytest.approx([8, 4 * np.exp(0.2 * (1.5 if angle else np.pi))], rel=1e-9)


@pytest.mark.parametrize("divisor", [1, 2, 4])
def test_wheel_of_a_pulley_turns_with_the_rope(divisor):
    """Spec DT30. (m + I / r^2) l'' = F / n for a load on the rope of a pulley with divisor n."""
    mass, inertia, radius, force = 2.0, 0.03, 0.1, 7.0
    model = sinew.MjModel.from_xml_string(f"""
      <mujoco><option gravity="0 0 0"/><worldbody><site name="o"/><body pos="0 0 -1">
        <joint type="slide" axis="0 0 1"/><geom size=".1" mass="{mass}"/><site name="a"/></body></worldbody>
      <tendon><spatial name="t"><pulley divisor="{divisor}" sinew:inertia="{inertia}" sinew:radius="{radius}"/>
        <site site="o"/><site site="a"/></spatial></tendon><actuator><motor tendon="t"/></actuator></mujoco>""")
    data = sinew.MjData(model)
    data.ctrl[:] = -force
    sinew.mj_forward(model, data)
    assert data.qacc[0] == pytest.approx(force / divisor / (mass + inertia / radius**2), rel=1e-9)


def test_texts_of_pulleys_are_read_back():
    spec = sinew.MjSpec.from_file(MODEL)
    model = spec.compile()
    again = sinew.MjModel.from_xml_string(spec.to_xml())
    for field in ("capstan_prm", "capstan_wrap", "capstan_tendon", "tendon_armature", "eq_data"):
        assert np.allclose(getattr(model, field), getattr(again, field), rtol=1e-6), field
    assert model.ncapstan == 2
    wrap = spec.tendons[0].path[1]
    assert list(wrap.friction) == [0.3, 0.02]


@pytest.mark.parametrize("piece, message", [
    ("<geom geom='drum' sinew:friction='-1'/>", "friction must be zero or more in tendon 0, wrap 1"),
    ("<geom geom='drum' sinew:inertia='1'/>", "there are: sinew:friction"),
    ("<site site='a'/><pulley divisor='2' sinew:inertia='1'/>", "inertia needs a radius in tendon 0, wrap 2")])
def test_bad_pulleys_are_errors_that_name_the_tendon(piece, message):
    with pytest.raises(ValueError, match=message):
        sinew.MjModel.from_xml_string(f"""<mujoco><worldbody><geom name="drum" type="cylinder" size=".1 .1"/>
          <site name="a" pos="-1 0 0"/><site name="b" pos="1 0 0"/><site name="c" pos="0 1 0"/></worldbody><tendon>
          <spatial name="t"><site site="c"/>{piece}<site site="a"/><site site="b"/></spatial></tendon></mujoco>""")
