"""Disable and enable flags."""

import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

FLAGS = {name[len("mjDSBL_"):]: int(getattr(mujoco.mjtDisableBit, name))
         for name in dir(mujoco.mjtDisableBit) if name.startswith("mjDSBL_")}

MODEL = """
<mujoco>
  <option timestep="0.002" density="1.2" viscosity=".01"/>
  <worldbody>
    <geom type="plane" size="5 5 .1"/>
    <body name="a" pos="0 0 1">
      <joint name="a" axis="0 1 0" stiffness="100" damping="10" springref="20" frictionloss=".1" range="-30 40" limited="true"/>
      <geom type="capsule" size=".05" fromto="0 0 0 .4 0 0" mass="1"/>
      <body name="b" pos=".4 0 0">
        <joint name="b" axis="0 1 0" damping=".1" range="-90 10" limited="true"/>
        <geom type="capsule" size=".05" fromto="0 0 0 .4 0 0" mass="1"/>
        <site name="tip" pos=".4 0 0"/>
      </body>
    </body>
    <body name="ball" pos="1.5 0 .095" gravcomp=".1"><freejoint/><geom size=".1" mass="1"/></body>
    <body name="c" pos="3 0 1"><joint name="c" axis="1 0 0"/><geom type="capsule" size=".05" fromto="0 0 0 0 .4 0" mass="1"/></body>
    <body name="d" pos="3 1 1"><joint name="d" axis="1 0 0"/><geom type="capsule" size=".05" fromto="0 0 0 0 .4 0" mass="1"/></body>
  </worldbody>
  <equality><joint joint1="c" joint2="d" polycoef="0 1 0 0 0"/></equality>
  <tendon><fixed name="t" stiffness="5" damping="1"><joint joint="a" coef="1"/><joint joint="b" coef="1"/></fixed></tendon>
  <actuator><motor joint="b" ctrlrange="-1 1" ctrllimited="true"/><velocity joint="c" kv="2"/></actuator>
  <sensor><jointpos joint="a"/><framelinacc objtype="site" objname="tip"/></sensor>
</mujoco>"""


class Pair:
    """The same world in MuJoCo and here."""

    def __init__(self, disable=0, xml=MODEL):
        self.mj = mujoco.MjModel.from_xml_string(xml)
        self.mj.opt.disableflags = disable
        self.data = mujoco.MjData(self.mj)
        self.data.qvel[:] = 0.5
        self.data.qpos[:2] = [0.75, 0.2]
        self.data.ctrl[:] = [3.0, 1.0]
        self.m = bridge.model_from_mujoco(self.mj)
        self.d = _core.MjData(self.m)
        bridge.state_from_mujoco(self.data, self.d)

    def forward(self):
        _core.mj_forward(self.m, self.d)
        return self.d

    def step(self, n=1):
        for _ in range(n):
            mujoco.mj_step(self.mj, self.data)
            _core.mj_step(self.m, self.d)


def test_contacts_off():
    """Spec 41: 1."""
    d = Pair(FLAGS["CONTACT"]).forward()
    assert d.ncon == 0 and np.any(d.qfrc_spring) and abs(d.qacc[4] + 9.81) < 1


def test_gravity_off():
    """Spec 41: 2."""
    p = Pair(FLAGS["GRAVITY"] | FLAGS["CONTACT"])
    p.d.qvel[:] = 0
    d = p.forward()
    assert np.max(np.abs(d.qacc[2:8])) < 1e-12
    assert np.any(d.qfrc_spring) and np.any(d.qfrc_actuator) and not np.any(d.qfrc_gravcomp)


def test_limits_off():
    """Spec 41: 3."""
    on, off = Pair().forward(), Pair(FLAGS["LIMIT"]).forward()
    assert on.nl == 2 and off.nl == 0


def test_equalities_off():
    """Spec 41: 4."""
    assert Pair().forward().ne == 1 and Pair(FLAGS["EQUALITY"]).forward().ne == 0


def test_spring_and_damper_switch_alone():
    """Spec 41: 5."""
    d = Pair(FLAGS["SPRING"]).forward()
    assert not np.any(d.qfrc_spring) and np.any(d.qfrc_damper)
    d = Pair(FLAGS["DAMPER"]).forward()
    assert np.any(d.qfrc_spring) and not np.any(d.qfrc_damper)


def test_actuation_off():
    """Spec 41: 6."""
    p = Pair(FLAGS["ACTUATION"])
    d = p.forward()
    assert not np.any(d.qfrc_actuator) and not np.any(d.actuator_force)
    assert not np.any(d.actuator_velocity)


def test_sensors_off_keep_their_values():
    """Spec 41: 7."""
    p = Pair(FLAGS["SENSOR"])
    p.d.sensordata[:] = 7
    assert np.all(p.forward().sensordata == 7)


def test_warmstart_off():
    """Spec 41: 8."""
    p = Pair(FLAGS["WARMSTART"])
    p.forward()
    qacc = np.array(p.d.qacc)
    p.d.qacc_warmstart[:] = 100
    p.forward()
    assert np.array_equal(p.d.qacc, qacc)


def test_constraints_off():
    """Spec 41: 9."""
    d = Pair(FLAGS["CONSTRAINT"]).forward()
    assert d.nefc == 0 and not np.any(d.qfrc_constraint) and np.array_equal(d.qacc, d.qacc_smooth)


def test_spring_and_damper_off_silence_all_passive_forces():
    """Spec 41: 10."""
    d = Pair(FLAGS["SPRING"] | FLAGS["DAMPER"]).forward()
    for force in (d.qfrc_fluid, d.qfrc_gravcomp, d.qfrc_spring, d.qfrc_damper, d.qfrc_passive):
        assert not np.any(force)
    assert np.any(Pair(FLAGS["SPRING"]).forward().qfrc_fluid)


# MuJoCo's convex routines of the library that it calls without nativeccd are not reproduced, and
# no pair of this model needs them
@pytest.mark.parametrize("flag", FLAGS)
def test_each_flag_alone_is_mujocos(flag):
    """Ten steps against MuJoCo, 1e-10 per component of qacc.

    The solvers of both sides run to the end: within the default tolerance their answers differ.

    Spec 41: 14.
    """
    p = Pair(FLAGS[flag])
    for m in (p.mj, p.m):
        m.opt.tolerance = 0
        m.opt.iterations = 50
    for _ in range(10):
        p.step()
        scale = max(1, np.max(np.abs(p.data.qacc)))
        assert np.max(np.abs(p.data.qacc - p.d.qacc)) < 1e-10 * scale


def test_flags_change_the_motion():
    """Each flag that concerns this model changes its motion (spec 41: 14)."""
    plain = Pair()
    plain.step(10)
    for flag in ("CONSTRAINT", "EQUALITY", "FRICTIONLOSS", "LIMIT", "CONTACT", "SPRING", "DAMPER",
                 "GRAVITY", "CLAMPCTRL", "ACTUATION", "EULERDAMP"):
        p = Pair(FLAGS[flag])
        p.step(10)
        assert np.max(np.abs(p.d.qvel - plain.d.qvel)) > 1e-6, flag


def test_no_flags_by_default():
    """Spec 41: 11."""
    m = _core.MjModel.from_xml_string("<mujoco><option/></mujoco>")
    assert m.opt.disableflags == 0 and m.opt.enableflags == 0
    d = _core.MjModel.from_xml_string("<mujoco/>")
    assert d.opt.disableflags == 0 and d.opt.enableflags == 0


@pytest.mark.parametrize("flag", FLAGS)
def test_flags_are_read(flag):
    xml = f'<mujoco><option><flag {flag.lower()}="disable"/></option></mujoco>'
    assert _core.MjModel.from_xml_string(xml).opt.disableflags == FLAGS[flag]


def test_passive_flag_of_older_files():
    """An extension: the name of older files switches springs and dampers; either may be switched back (spec 41: 12)."""
    both = FLAGS["SPRING"] | FLAGS["DAMPER"]
    for text, bits in (('passive="disable"', both), ('passive="enable"', 0),
                       ('passive="disable" spring="enable"', FLAGS["DAMPER"])):
        xml = f"<mujoco><option><flag {text}/></option></mujoco>"
        assert _core.MjModel.from_xml_string(xml).opt.disableflags == bits
    with pytest.raises(ValueError, match="passive"):
        _core.MjModel.from_xml_string('<mujoco><option><flag passive="maybe"/></option></mujoco>')


def test_sleeping_bodies_feel_no_fluid():
    """Bodies asleep are skipped: nothing changes for those awake, and those asleep stay (spec 41: 13)."""
    xml = """<mujoco><option density="1.2" viscosity=".1"><flag sleep="enable"/></option><worldbody>
      <geom type="plane" size="5 5 .1"/>
      <body name="rest" pos="0 0 .1"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
      <body name="fly" pos="2 0 2"><joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 0 1"/>
      <geom size=".1" gravcomp=""/></body></worldbody></mujoco>""".replace(' gravcomp=""', "")
    mj = mujoco.MjModel.from_xml_string(xml)
    m = bridge.model_from_mujoco(mj)
    awake, d = _core.MjData(m), _core.MjData(m)
    for data in (awake, d):
        data.qvel[6:] = [3.0, 1.0]
    _core.mj_forward(m, d)
    d.tree_asleep[0] = 0
    _core._update_sleep(m, d)
    assert d.nv_awake == 2
    m.opt.enableflags = 0
    _core.mj_forward(m, awake)
    m.opt.enableflags = int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    _core.mj_forward(m, d)
    assert np.any(d.qfrc_fluid[6:]) and np.array_equal(d.qfrc_fluid[6:], awake.qfrc_fluid[6:])
    assert not np.any(d.qfrc_fluid[:6])
