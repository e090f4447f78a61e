"""Integrators: Runge-Kutta, implicit and implicitfast."""

import mujoco
import numpy as np
import pytest

import sinew
from sinew import _core, bridge

EULER, RK4, IMPLICIT, IMPLICITFAST = 0, 1, 2, 3
NOT_POSITIVE, SINGULAR = 1 << 16, 1 << 17

PENDULUM = """
<mujoco>
  <option timestep="{h}"/>
  <worldbody>
    <body pos="0 0 1"><joint axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5"/></body>
  </worldbody>
</mujoco>"""


class World:
    def __init__(self, xml, integrator=EULER, enable=0):
        self.mj = mujoco.MjModel.from_xml_string(xml)
        self.mj.opt.integrator = integrator
        self.mj.opt.enableflags |= enable
        self.m = bridge.model_from_mujoco(self.mj)
        self.d = _core.MjData(self.m)

    def start(self, qpos=None, qvel=None):
        if qpos is not None:
            self.d.qpos[:] = qpos
        if qvel is not None:
            self.d.qvel[:] = qvel
        return self

    def step(self, n=1):
        for _ in range(n):
            _core.mj_step(self.m, self.d)
        return self


def pendulum(h, integrator, seconds=1.0):
    return World(PENDULUM.format(h=h), integrator).start([1.0]).step(round(seconds / h))


# ---- Runge-Kutta


def test_rk4_differs_from_euler():
    """Spec 004-8: 1."""
    assert abs(pendulum(0.01, RK4).d.qpos[0] - pendulum(0.01, EULER).d.qpos[0]) > 1e-6


def test_order_of_convergence(capsys):
    """Spec 004-8: 2."""
    exact = pendulum(1e-4, RK4).d.qpos[0]
    ratio = [abs(pendulum(0.01, i).d.qpos[0] - exact) / abs(pendulum(0.005, i).d.qpos[0] - exact)
             for i in (RK4, EULER)]
    with capsys.disabled():
        order = np.log2(ratio)
        print(f"\norder of convergence: RK4 {order[0]:.2f}, Euler {order[1]:.2f}")
    assert 14 < ratio[0] < 18 and 1.8 < ratio[1] < 4.2


def test_rk4_agrees_with_euler_at_tiny_steps():
    """Spec 004-8: 3."""
    worlds = [World(PENDULUM.format(h=1e-5), i).start([0.5]).step(10) for i in (RK4, EULER)]
    assert abs(worlds[0].d.qpos[0] - worlds[1].d.qpos[0]) < 1e-8


def test_rk4_energy_drift(capsys):
    """Spec 004-8: 4."""
    def drift(h):
        w = World(PENDULUM.format(h=h), RK4, 2).start([1.0])
        _core.mj_forward(w.m, w.d)
        energy = np.sum(w.d.energy)
        w.step(round(1 / h))
        _core.mj_forward(w.m, w.d)
        return abs(np.sum(w.d.energy) - energy) / abs(energy)

    drifts = {h: drift(h) for h in (0.004, 0.002, 0.001)}
    with capsys.disabled():
        print("\nrelative energy drift of RK4 in 1 s:",
              ", ".join(f"{d:.1e} at h {h}" for h, d in drifts.items()))
    assert drifts[0.001] < 1e-10
    # at h 0.001 rounding hides the order
    assert 20 < drifts[0.004] / drifts[0.002] < 70


BALL = """
<mujoco>
  <option timestep="0.002"/>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .5"><freejoint/><geom size=".1" mass="1"/></body>
  </worldbody>
</mujoco>"""


def test_rk4_bouncing_ball_settles():
    """Spec 004-8: 5."""
    w = World(BALL, RK4)
    touched, top = False, 0.5
    for step in range(1500):
        w.step()
        touched |= w.d.ncon > 0
        assert 0.05 < w.d.qpos[2] <= top + 1e-9
    assert touched and np.linalg.norm(w.d.qvel) < 1e-3
    assert not any(w.d.warning.number)


def test_rk4_free_spin_is_analytic():
    """Spec 004-8: 6."""
    xml = """<mujoco><option timestep="0.01" gravity="0 0 0"/><worldbody>
      <body><freejoint/><geom type="box" size=".1 .2 .3"/></body></worldbody></mujoco>"""
    w = World(xml, RK4).start(qvel=[0, 0, 0, 0, 0, 2.0])
    for step in range(1, 101):
        w.step()
        assert abs(np.linalg.norm(w.d.qpos[3:]) - 1) < 1e-10
        angle = 2.0 * 0.01 * step
        assert abs(w.d.qpos[3] - np.cos(angle / 2)) < 1e-6
        assert abs(w.d.qpos[6] - np.sin(angle / 2)) < 1e-6


CHAIN_LINK = '<body pos="0 0 -.1"><joint axis="0 1 0"/><geom type="capsule" size=".02 .05"/>{}</body>'


def chain(n, options=""):
    body = ""
    for _ in range(n):
        body = CHAIN_LINK.format(body)
    return f'<mujoco><option timestep="0.001" {options}/><worldbody>{body}</worldbody></mujoco>'


@pytest.mark.parametrize("integrator,expected", [(EULER, 1), (RK4, 4), (IMPLICIT, 1), (IMPLICITFAST, 1)])
def test_forces_are_evaluated_once_or_four_times(integrator, expected):
    """What an integrator costs, in evaluations of the passive forces (spec 004-8: 8; spec 13: A11 A12 A13)."""
    calls = []
    w = World(chain(10), integrator)
    sinew.set_mjcb_passive(lambda m, d: calls.append(1))
    try:
        w.step()
    finally:
        sinew.set_mjcb_passive(None)
    assert len(calls) == expected


SENSED = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body pos="0 0 1"><joint name="j" axis="0 1 0"/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5"/>
      <site name="s" pos="0 0 -.5"/></body>
  </worldbody>
  <sensor><jointpos joint="j"/><jointvel joint="j"/><framepos objtype="site" objname="s"/>
    <accelerometer site="s"/><clock/></sensor>
</mujoco>"""


def test_rk4_sensors_hold_the_state_before_the_step():
    """The three further evaluations of RK4 leave the sensors of the first (spec 004-8: 9)."""
    w = World(SENSED, RK4).start([1.0], [2.0])
    _core.mj_forward(w.m, w.d)
    before, position = np.array(w.d.sensordata), np.array(w.d.site_xpos)
    w.step()
    assert np.array_equal(w.d.sensordata, before)
    assert abs(w.d.site_xpos - position).max() > 1e-3  # while poses are those of the last evaluation
    data = mujoco.MjData(w.mj)
    data.qpos[:], data.qvel[:] = 1.0, 2.0
    mujoco.mj_step(w.mj, data)
    assert np.allclose(w.d.sensordata, data.sensordata, rtol=1e-12)


def test_rk4_warm_start_is_the_last_evaluation():
    """MuJoCo's rule in place of saved multipliers: the fourth evaluation's acceleration (spec 004-8: 10)."""
    mine = World(chain(3), RK4).start([0.3, 0.2, 0.1], [1, 0, 2])
    data = mujoco.MjData(mine.mj)
    bridge_fields = ("qpos", "qvel")
    for field in bridge_fields:
        getattr(data, field)[:] = getattr(mine.d, field)
    mujoco.mj_step(mine.mj, data)
    mine.step()
    assert np.allclose(mine.d.qacc_warmstart, data.qacc_warmstart, rtol=1e-12)
    assert np.array_equal(mine.d.qacc_warmstart, mine.d.qacc)
    for field in ("xpos", "cvel", "qfrc_bias"):
        assert np.allclose(getattr(mine.d, field), getattr(data, field), rtol=1e-11, atol=1e-12)


def test_rk4_order_must_be_four():
    w = World(chain(2), RK4)
    before = np.array(w.d.qpos), w.d.time
    with pytest.raises(_core.FatalError, match="N=4"):
        _core.mj_RungeKutta(w.m, w.d, 3)
    assert np.array_equal(before[0], w.d.qpos) and w.d.time == before[1]


# ---- names

NAMES = ["Euler", "RK4", "implicit", "implicitfast", "implicitspringdamper"]


@pytest.mark.parametrize("name", NAMES)
def test_integrator_names_are_read_and_written(name):
    """Every name is read as its own integrator and written back as itself (spec 13; spec 004-7: 1 3)."""
    xml = f'<mujoco><option integrator="{name}"/></mujoco>'
    assert _core.MjModel.from_xml_string(xml).opt.integrator == NAMES.index(name)
    written = sinew.MjSpec.from_string(xml).to_xml()
    assert f'integrator="{name}"' in written or name == "Euler"  # the default is not written
    assert _core.MjModel.from_xml_string(written).opt.integrator == NAMES.index(name)


def test_unknown_integrator_is_refused():
    with pytest.raises(ValueError, match="integrator"):
        _core.MjModel.from_xml_string('<mujoco><option integrator="leapfrog"/></mujoco>')


# ---- implicit and implicitfast

ARM = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body pos="0 0 2">
      <joint name="a" axis="0 1 0"/><geom type="capsule" size=".04" fromto="0 0 0 0 0 -.5" mass="1"/>
      <body pos="0 0 -.5">
        <joint name="b" axis="0 1 0"/><geom type="capsule" size=".04" fromto="0 0 0 0 0 -.5" mass="1"/>
      </body>
    </body>
  </worldbody>
  <tendon><fixed name="t" damping="{damping}"><joint joint="a" coef="1"/><joint joint="b" coef="-1"/></fixed></tendon>
  {actuator}
</mujoco>"""


def diverges(world, steps=1000):
    world.m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    world.step(steps)
    return not np.all(np.abs(world.d.qvel) < 1e3)


def test_implicitfast_holds_tendon_damping():
    """Spec 13: A1."""
    xml = ARM.format(damping=100, actuator="")
    start = ([0.5, -0.5], [1, -1])
    fast = World(xml, IMPLICITFAST).start(*start)
    highest = 0
    for _ in range(1000):
        highest = max(highest, np.max(np.abs(fast.step().d.qvel)))
    assert highest < 20 and not any(fast.d.warning.number)
    assert diverges(World(xml, EULER).start(*start))


def test_implicitfast_holds_velocity_feedback_through_a_tendon():
    """Spec 13: A2."""
    # gain -10 V at control 20: damping 200 along the tendon, h 200 |J|^2 / inertia far above 2
    actuator = '<actuator><general tendon="t" gaintype="affine" gainprm="0 0 -10"/></actuator>'
    xml = ARM.format(damping=0, actuator=actuator)
    worlds = {i: World(xml, i).start([0.5, -0.5], [1, -1]) for i in (IMPLICITFAST, EULER)}
    for w in worlds.values():
        w.d.ctrl[0] = 20
    worlds[IMPLICITFAST].step(1000)
    assert np.max(np.abs(worlds[IMPLICITFAST].d.qvel)) < 20
    assert not any(worlds[IMPLICITFAST].d.warning.number)
    assert diverges(worlds[EULER])


def test_without_velocity_forces_implicitfast_is_euler():
    """Spec 13: A4."""
    a = World(chain(5), IMPLICITFAST).start(0.3 * np.ones(5), np.arange(5.0)).step()
    b = World(chain(5), EULER).start(0.3 * np.ones(5), np.arange(5.0)).step()
    assert np.allclose(a.d.qvel, b.d.qvel, rtol=1e-10, atol=0)


def test_implicit_drifts_less_than_implicitfast():
    """implicit knows the Coriolis force: it drifts less than implicitfast at high speed (spec 13: A5)."""
    drift = {}
    for integrator in (IMPLICIT, IMPLICITFAST):
        w = World(ARM.format(damping=0, actuator=""), integrator, 2).start([0.3, 0.2], [20, 20])
        w.m.opt.timestep = 0.002
        _core.mj_forward(w.m, w.d)
        energy = np.sum(w.d.energy)
        w.step(500)
        _core.mj_forward(w.m, w.d)
        drift[integrator] = abs(np.sum(w.d.energy) - energy)
        assert np.all(np.isfinite(w.d.qvel)) and not any(w.d.warning.number)
    assert drift[IMPLICIT] < drift[IMPLICITFAST]


@pytest.mark.parametrize("integrator", [IMPLICIT, IMPLICITFAST])
def test_implicit_steps_are_mujocos(integrator):
    """(qvel+ - qvel)/h against MuJoCo, 1e-6 relative: damped arm with feedback in one step each (spec 13: A6 A7)."""
    actuator = """<actuator><velocity joint="a" kv="3"/><position joint="b" kp="10" kv="2"/>
      <general tendon="t" gaintype="affine" gainprm="1 0 -2"/></actuator>"""
    w = World(ARM.format(damping=5, actuator=actuator), integrator)
    data = mujoco.MjData(w.mj)
    rng = np.random.default_rng(1)
    for _ in range(50):
        data.qpos[:], data.qvel[:] = rng.normal(size=2), 3 * rng.normal(size=2)
        data.ctrl[:] = rng.normal(size=3)
        bridge.state_from_mujoco(data, w.d)
        before = np.array(data.qvel)
        mujoco.mj_step(w.mj, data)
        w.step()
        theirs, ours = data.qvel - before, w.d.qvel - before
        assert np.max(np.abs(theirs - ours)) < 1e-9 * np.max(np.abs(theirs))


def test_singular_matrix_is_reported():
    """M - h D with a zero pivot: status and message, no crash, the state stays (spec 13: A14 A15)."""
    xml = """<mujoco><option timestep="0.01" gravity="0 0 0"/><worldbody>
      <body><joint name="j" type="slide" axis="1 0 0" damping="{}"/><geom size=".1" mass="1"/></body>
      </worldbody></mujoco>"""
    w = World(xml.format(0), IMPLICIT).start(qvel=[1.0])
    w.m.dof_damping[0] = -100.0
    with pytest.raises(_core.FatalError, match="diagonal element too small"):
        w.step()
    assert w.d.status & SINGULAR
    assert np.array_equal(w.d.qvel, [1.0]) and w.d.qpos[0] == 0


def test_indefinite_matrix_is_reported():
    """Indefinite M - h D: implicitfast goes on as MuJoCo does and says so; implicit has no complaint (spec 13: A16)."""
    xml = """<mujoco><option timestep="0.01" gravity="0 0 0"/><worldbody>
      <body><joint name="j" axis="0 1 0"/><geom size=".1" mass="1" pos="0 0 -.3"/></body></worldbody>
      <actuator><general joint="j" gaintype="affine" gainprm="0 0 1000"/></actuator></mujoco>"""
    for integrator, expected in ((IMPLICITFAST, NOT_POSITIVE), (IMPLICIT, 0)):
        w = World(xml, integrator).start(qvel=[0.1])
        data = mujoco.MjData(w.mj)
        data.qvel[:] = w.d.qvel
        data.ctrl[0] = w.d.ctrl[0] = 10
        mujoco.mj_step(w.mj, data)
        w.step()
        assert w.d.status == expected
        assert np.allclose(w.d.qvel, data.qvel, rtol=1e-10)


def test_a_matrix_of_no_numbers_is_no_singular_one():
    """As in MuJoCo: accelerations that are NaN raise the warning, and the state is reset; nothing stops."""
    w = World(PENDULUM.format(h=0.01), IMPLICIT)
    w.mj.dof_damping[0] = w.m.dof_damping[0] = np.nan
    data = mujoco.MjData(w.mj)
    for _ in range(2):
        mujoco.mj_step(w.mj, data)
        with pytest.warns(RuntimeWarning):
            sinew.mj_step(w.m, w.d)
    assert [x.number for x in w.d.warning] == [x.number for x in data.warning]
    assert np.array_equal(w.d.qpos, data.qpos, equal_nan=True)
