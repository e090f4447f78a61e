"""The Hill-type muscle, an extension, with pennation and a series tendon.

MuJoCo compiles the scene with user actuators; their types are changed in our copy of the model.
"""

import mujoco
import numpy as np
import pytest

import sinew
from sinew import _core, bridge

PEAK, OPTIMAL, SLACK, PENNATION, VMAX = 500.0, 0.1, 0.2, 0.3, 10.0
TYPES = dict(actuator_dyntype=6, actuator_gaintype=4, actuator_biastype=4)


class Muscle:
    """A mass on a slide, pulled towards the origin by one muscle."""

    def __init__(self, strain=0.0, pennation=PENNATION, h=0.001, mass=1.0, integrator="Euler"):
        prm = f"{PEAK} {OPTIMAL} {SLACK} {pennation} {VMAX} 0 0 0 {strain} 0"
        elastic = 'actdim="2"' if strain else ""
        mj = mujoco.MjModel.from_xml_string(f"""
          <mujoco><option timestep="{h}" gravity="0 0 0" integrator="{integrator}"/><worldbody>
          <body><joint name="j" type="slide" axis="1 0 0"/><geom size="0.1" mass="{mass}"/></body>
          </worldbody><actuator><general joint="j" dyntype="user" gaintype="user" biastype="user"
          dynprm="0.01 0.04 0" gainprm="{prm}" biasprm="{prm}" {elastic}/></actuator></mujoco>""")
        self.m = bridge.model_from_mujoco(mj)
        for name, value in TYPES.items():
            getattr(self.m, name)[...] = value
        self.d = _core.MjData(self.m)

    def __getitem__(self, name):
        return getattr(self.d, name).reshape(-1)

    def at(self, length, velocity=0.0, act=0.0, ctrl=0.0):
        self["qpos"][0], self["qvel"][0] = length, velocity
        self["act"][-1], self["ctrl"][0] = act, ctrl
        _core.mj_forward(self.m, self.d)
        return self

    @property
    def force(self):
        return self["actuator_force"][0]


def optimal_length(pennation=PENNATION):
    return SLACK + OPTIMAL * np.cos(pennation)


def test_activation_is_updated():
    """Spec 004-5: 1."""
    muscle = Muscle().at(optimal_length(), ctrl=1)
    _core.mj_step(muscle.m, muscle.d)
    assert muscle["act"][0] > 0


def test_zero_at_rest_and_monotone():
    """Spec 004-5: 2."""
    muscle = Muscle()
    forces = [muscle.at(optimal_length(), act=a).force for a in np.linspace(0, 1, 21)]
    assert forces[0] == 0
    assert all(b < a for a, b in zip(forces, forces[1:]))


def test_force_length():
    """Spec 004-5: 2."""
    muscle = Muscle()
    best = abs(muscle.at(optimal_length(), act=1).force)
    for factor in (0.5, 0.8, 1.2):
        length = SLACK + np.sqrt((factor * OPTIMAL) ** 2 - (OPTIMAL * np.sin(PENNATION)) ** 2)
        active = muscle.at(length, act=1).force - muscle.at(length, act=0).force
        assert abs(active) < best
        assert active < 0
    # passive force beyond the optimal length only
    assert muscle.at(optimal_length() - 0.02).force == 0
    assert muscle.at(optimal_length() + 0.02).force < 0


def test_force_velocity():
    """Spec 004-5: 2."""
    muscle = Muscle()
    shorten, hold, lengthen = (
        abs(muscle.at(optimal_length(), v, act=1).force) for v in (-0.3, 0, 0.3)
    )
    assert shorten < hold < lengthen
    # at the largest speed only the fibre's damping pushes back
    fastest = -VMAX * OPTIMAL / np.cos(PENNATION)
    assert muscle.at(optimal_length(), fastest, act=1).force == pytest.approx(
        muscle.at(optimal_length(), fastest, act=0).force
    )


@pytest.mark.parametrize("pennation", [0.0, 0.3, 0.6])
def test_peak_force(pennation):
    """Spec 004-5: 3."""
    muscle = Muscle(pennation=pennation).at(optimal_length(pennation), act=1)
    assert muscle.force == pytest.approx(-PEAK * np.cos(pennation), rel=1e-12)


def test_activates_faster_than_it_deactivates():
    """Spec 004-5: 4."""
    rise = Muscle().at(optimal_length(), act=0.5, ctrl=1)["act_dot"][0]
    fall = Muscle().at(optimal_length(), act=0.5, ctrl=0)["act_dot"][0]
    assert rise > -fall > 0


@pytest.mark.parametrize("act,velocity", [(0.7, -0.3), (0.7, 0.2), (0.0, 0.1), (1.0, -0.05)])
def test_velocity_derivative(act, velocity):
    """qDeriv against centred differences."""
    muscle, step = Muscle(integrator="implicitfast"), 1e-6
    length = optimal_length() + 0.01
    difference = [muscle.at(length, velocity + s * step, act).force for s in (1, -1)]
    muscle.at(length, velocity, act)
    _core._deriv_smooth_vel(muscle.m, muscle.d, False)
    numeric = (difference[0] - difference[1]) / (2 * step)
    assert muscle["qDeriv"][0] == pytest.approx(numeric, rel=1e-6)


def test_elastic_tendon_starts_in_equilibrium():
    """Fibre force along the tendon equals the tendon's force when nothing moves."""
    muscle = Muscle(strain=0.04)
    muscle.at(optimal_length() * 1.02, act=0.8)
    first = muscle.force
    assert first < 0
    # with the ends held, the fibre stays where it is
    for _ in range(50):
        muscle["ctrl"][0] = 0.8
        muscle["act"][:] += 0.001 * muscle["act_dot"]
        muscle["act"][-1] = 0.8
        _core.mj_forward(muscle.m, muscle.d)
    assert muscle.force == pytest.approx(first, rel=1e-9)


def test_elastic_tendon_is_softer_than_a_rigid_one():
    length = optimal_length() * 1.05
    assert abs(Muscle(strain=0.08).at(length, act=0.5).force) < abs(
        Muscle(strain=0.0).at(length, act=0.5).force
    )


@pytest.mark.parametrize("h", [0.0005, 0.002, 0.005])
def test_elastic_tendon_is_stable(h):
    """A stiff tendon and a light load: bounded, settling, whatever the step."""
    muscle = Muscle(strain=0.02, h=h, mass=5.0)
    muscle.at(optimal_length() * 1.03, ctrl=0.3)
    for _ in range(int(2 / h)):
        _core.mj_step(muscle.m, muscle.d)
        assert np.isfinite(muscle["act"]).all() and abs(muscle["qvel"][0]) < 5
    assert 0 < muscle["act"][0] < 2


def test_elastic_step_converges():
    """Halving the step changes the motion in first order."""
    ends = []
    for h in (0.002, 0.001, 0.0005):
        muscle = Muscle(strain=0.05, h=h, mass=5.0).at(optimal_length() * 1.03, ctrl=0.5)
        for _ in range(int(round(0.1 / h))):
            _core.mj_step(muscle.m, muscle.d)
        ends.append(muscle["qpos"][0])
    assert abs(ends[2] - ends[1]) < 0.7 * abs(ends[1] - ends[0])


def test_other_dynamics_are_untouched():
    """The new types have numbers of their own, behind MuJoCo's (spec 004-5: 5)."""
    assert TYPES["actuator_dyntype"] > int(mujoco.mjtDyn.mjDYN_USER)
    assert TYPES["actuator_gaintype"] > int(mujoco.mjtGain.mjGAIN_USER)
    assert TYPES["actuator_biastype"] > int(mujoco.mjtBias.mjBIAS_USER)


# ---- through the reader

READ = """
<mujoco>
  <option timestep="0.001" gravity="0 0 0" integrator="{integrator}"/>
  <default><default class="hill"><general dyntype="hill" gaintype="hill" biastype="hill"
    dynprm="0.01 0.04 0" gainprm="{prm}" biasprm="{prm}" actdim="{actdim}"/></default></default>
  <worldbody>
    <site name="origin"/>
    <body pos="{x} 0 0"><joint name="j" type="slide" axis="1 0 0"/><geom size=".02" mass="1"/><site name="end"/></body>
  </worldbody>
  <tendon><spatial name="t"><site site="origin"/><site site="end"/></spatial></tendon>
  <actuator><general name="m" class="hill" tendon="t"/></actuator>
</mujoco>"""


def read(strain=0.0, pennation=PENNATION, integrator="Euler"):
    prm = f"{PEAK} {OPTIMAL} {SLACK} {pennation} {VMAX} 0 0 0 {strain} 0"
    text = READ.format(prm=prm, actdim=2 if strain else 1, x=optimal_length(pennation), integrator=integrator)
    m = _core.MjModel.from_xml_string(text)
    return m, _core.MjData(m)


def test_hill_keyword_is_read():
    m, _ = read(strain=0.04)
    assert (m.actuator_dyntype[0], m.actuator_gaintype[0], m.actuator_biastype[0]) == (6, 4, 4)
    assert m.na == 2 and m.actuator_gainprm[0, 8] == 0.04
    # written and read again
    text = sinew.MjSpec.from_string(READ.format(prm="500 .1", actdim=1, x=0.3, integrator="Euler")).to_xml()
    again = _core.MjModel.from_xml_string(text)
    assert again.actuator_dyntype[0] == 6 and again.actuator_gainprm[0, 0] == 500


@pytest.mark.parametrize("pennation", [0.0, 0.3])
def test_peak_force_through_a_tendon(pennation):
    """Spec 004-5: 3."""
    m, d = read(pennation=pennation)
    d.act[0] = 1
    _core.mj_forward(m, d)
    peak = -PEAK * np.cos(pennation)
    assert d.actuator_force[0] == pytest.approx(peak, rel=1e-12)
    assert d.qfrc_actuator[0] == pytest.approx(peak, rel=1e-12)  # pulls towards the origin


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast", "implicitspringdamper"])
@pytest.mark.parametrize("strain", [0.0, 0.04], ids=["rigid", "elastic"])
def test_runs_with_every_integrator(strain, integrator):
    """Spec 004-5: 1."""
    m, d = read(strain, integrator=integrator)
    d.ctrl[0] = 0.5
    start = d.qpos[0]
    for _ in range(100):
        _core.mj_step(m, d)
    assert 0.1 < d.act[-1] <= 0.5 and d.qpos[0] < start - 1e-4
    assert np.all(np.isfinite(d.act)) and not any(d.warning.number)
