"""Sensors against MuJoCo: states along MuJoCo's trajectories, evaluated by both engines."""

import corpus
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

TYPE = mujoco.mjtSensor
# values that constraint forces enter are compared at 1e-6, all others at 1e-9
FORCES = {
    TYPE.mjSENS_TOUCH, TYPE.mjSENS_ACCELEROMETER, TYPE.mjSENS_FORCE, TYPE.mjSENS_TORQUE,
    TYPE.mjSENS_JOINTLIMITFRC, TYPE.mjSENS_TENDONLIMITFRC, TYPE.mjSENS_FRAMELINACC,
    TYPE.mjSENS_FRAMEANGACC, TYPE.mjSENS_CONTACT,
}
OWN = sorted(path.stem for path in (corpus.OWN / "sensor").glob("*.xml"))
SLOW = {"dm/dog", "dm/humanoid_CMU"}


def pair(name):
    mj = corpus.load(name)
    m = bridge.model_from_mujoco(mj)
    return mj, mujoco.MjData(mj), m, _core.MjData(m)


def errors(mj, theirs, ours):
    """Largest error of each sensor, relative to max(1, |value|), with its tolerance."""
    for i in range(mj.nsensor):
        kind, part = TYPE(mj.sensor_type[i]), slice(mj.sensor_adr[i], mj.sensor_adr[i] + mj.sensor_dim[i])
        if kind == TYPE.mjSENS_PLUGIN or not mj.sensor_dim[i]:
            continue
        x, y = theirs[part], ours[part]
        if kind == TYPE.mjSENS_CAMPROJECTION and np.max(np.abs(x)) > 1e9:
            continue  # the point lies in the plane of the camera: 0 / 0
        error = np.max(np.abs(x - y) / np.maximum(1, np.abs(x)))
        yield i, kind.name, error, 1e-6 if kind in FORCES else 1e-9


def check(mj, theirs, ours):
    bad = [e for e in errors(mj, theirs, ours) if not e[2] <= e[3]]
    assert not bad, bad


def follow(name, steps, every):
    mj, theirs, m, ours = pair(name)
    if mj.nkey:
        mujoco.mj_resetDataKeyframe(mj, theirs, 0)
    rng = np.random.default_rng(0)
    touched = np.zeros(mj.nsensordata, bool)
    for step in range(steps):
        theirs.ctrl[:] = np.clip(0.3 * rng.normal(size=mj.nu), -1, 1)
        mujoco.mj_step(mj, theirs)
        if step % every:
            continue
        bridge.state_from_mujoco(theirs, ours)
        mujoco.mj_forward(mj, theirs)
        _core.mj_forward(m, ours)
        check(mj, theirs.sensordata, ours.sensordata)
        touched |= theirs.sensordata != 0
    return mj, touched


SEEN = set()


@pytest.mark.parametrize("name", OWN)
def test_own_models(name):
    mj, touched = follow(f"own/sensor/{name}", 400, 10)
    for i in range(mj.nsensor):
        if touched[mj.sensor_adr[i]:mj.sensor_adr[i] + mj.sensor_dim[i]].any():
            SEEN.add(int(mj.sensor_type[i]))


def test_every_type_is_covered():
    """Each type, user sensors aside, had a value other than zero in the test above."""
    if not SEEN:
        pytest.skip("runs after test_own_models")
    assert set(range(int(TYPE.mjSENS_PLUGIN))) - SEEN == set()


def corpus_names():
    """Models with sensors, told by their text so that the others need not be compiled."""
    return [n for n, path in corpus.paths().items() if "<sensor" in path.read_text(errors="replace")]


@pytest.mark.parametrize("name", [n for n in corpus_names() if "own/sensor/" not in n])
def test_corpus(name):
    mj = corpus.load(name)
    if mj is None or mj.nflex or mj.nv > 300:
        pytest.skip("refused by MuJoCo, a flex, or large")
    follow(name, 10 if name in SLOW else 40, 10)


@pytest.mark.full
@pytest.mark.parametrize("name", corpus.paths())
def test_corpus_at_length(name):
    """Every model that has sensors once it is compiled, included files too."""
    mj = corpus.load(name)
    if mj is None or not mj.nsensor or mj.nflex:
        pytest.skip("refused by MuJoCo, no sensors, or a flex")
    follow(name, 100 if name in SLOW or mj.nv > 100 else 400, 10)


@pytest.mark.parametrize("step", [55, 200, 225])
def test_nutbolt_has_the_same_accelerations(step):
    """The distance fields of nut and bolt have gradients by differences of 1e-8, which amplify the last bit of a
    distance a hundred million times, and qacc moves a million times as far as the contacts: the fields are equal bit
    for bit."""
    name = "shared/mujoco/plugin/sdf/nutbolt"
    if name not in corpus.paths():
        pytest.skip("model is not installed")
    mj, theirs, m, ours = pair(name)
    for _ in range(step + 1):
        mujoco.mj_step(mj, theirs)
    bridge.state_from_mujoco(theirs, ours)
    mujoco.mj_forward(mj, theirs)
    _core.mj_forward(m, ours)
    assert ours.ncon == theirs.ncon > 0
    assert np.max(np.abs(ours.qacc - theirs.qacc)) < 1e-7 * max(1, np.max(np.abs(theirs.qacc)))


# ---- schedule


def run_both(name, steps, setup=None, step=("mj_step",), tolerance=None):
    """Both engines step on their own from the same start; sensors after every step."""
    mj, theirs, _, _ = pair(name)
    if setup:
        setup(mj)
    m = bridge.model_from_mujoco(mj)
    ours = _core.MjData(m)
    rng = np.random.default_rng(1)
    for data in (theirs, ours):
        data.qvel[:] = np.linspace(-1, 1, mj.nv)
    for k in range(steps):
        theirs.ctrl[:] = ours.ctrl[:] = rng.normal(size=mj.nu)
        for function in step:
            getattr(mujoco, function)(mj, theirs)
            getattr(_core, function)(m, ours)
        if tolerance:
            assert np.max(np.abs(theirs.sensordata - ours.sensordata)) < tolerance, k
        else:
            check(mj, theirs.sensordata, ours.sensordata)
        assert np.allclose(theirs.history, ours.history, rtol=1e-9, atol=1e-9), k
        assert np.allclose(theirs.energy, ours.energy, rtol=1e-9, atol=1e-9), k


@pytest.mark.parametrize("integrator", [0, 1, 2, 3])
def test_delays_and_intervals(integrator):
    def setup(mj):
        mj.opt.integrator = integrator

    run_both("own/sensor/delay", 100, setup)


def test_delay_keeps_samples_while_sensors_are_disabled():
    def setup(mj):
        mj.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_SENSOR

    run_both("own/sensor/delay", 30, setup)


def test_halves_of_a_step_keep_old_accelerations():
    run_both("own/sensor/arm", 20, step=("mj_step1", "mj_step2"))


@pytest.mark.parametrize("energy", [False, True])
@pytest.mark.parametrize("integrator", [0, 1])
def test_energy_sensors(energy, integrator):
    def setup(mj):
        mj.opt.integrator = integrator
        if energy:
            mj.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY

    run_both("own/sensor/arm", 20, setup)


def test_inverse_dynamics_computes_sensors():
    mj, theirs, m, ours = pair("own/sensor/arm")
    mujoco.mj_step(mj, theirs, 100)
    theirs.qacc[:] = np.linspace(-3, 3, mj.nv)
    bridge.state_from_mujoco(theirs, ours)
    ours.qacc[:] = theirs.qacc
    mujoco.mj_inverse(mj, theirs)
    _core.mj_inverse(m, ours)
    check(mj, theirs.sensordata, ours.sensordata)


def test_disabled_sensors_keep_their_values():
    mj, _, m, ours = pair("own/sensor/arm")
    ours.sensordata[:] = 7
    m.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_SENSOR)
    _core.mj_forward(m, ours)
    assert np.all(ours.sensordata == 7)


SLEEPER = """
<mujoco>
  <option timestep="0.005"><flag sleep="enable"/></option>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body name="rest" pos="0 0 .1"><freejoint/><geom name="r" type="box" size=".1 .1 .1"/><site name="r"/></body>
    <body name="spin" pos="1 0 1"><joint axis="0 1 0"/><geom name="s" type="box" size=".1 .1 .3" pos="0 0 -.3"/>
      <site name="s"/></body>
  </worldbody>
  <sensor>
    <accelerometer site="r"/><framepos objtype="geom" objname="r"/><framepos objtype="geom" objname="s"/>
    <framepos objtype="geom" objname="r" reftype="geom" refname="s"/><subtreelinvel body="rest"/>
    <subtreeangmom body="world"/><touch site="r"/><clock/><rangefinder site="s"/><gyro site="s"/>
    <contact body1="rest" num="4" data="found force"/><contact site="r"/>
  </sensor>
</mujoco>"""


def test_sleeping_sensors_keep_their_values():
    mj = mujoco.MjModel.from_xml_string(SLEEPER)
    m = bridge.model_from_mujoco(mj)
    theirs, ours = mujoco.MjData(mj), _core.MjData(m)
    theirs.qpos[7] = ours.qpos[7] = 1
    asleep = 0
    for _ in range(150):
        mujoco.mj_step(mj, theirs)
        _core.mj_step(m, ours)
        assert theirs.ntree_awake == ours.ntree_awake
        asleep += ours.ntree_awake < mj.ntree
        check(mj, theirs.sensordata, ours.sensordata)
    assert asleep > 20


# ---- what single sensors measure


def stepped(xml, steps):
    m = bridge.model_from_mujoco(mujoco.MjModel.from_xml_string(xml))
    d = _core.MjData(m)
    for _ in range(steps):
        _core.mj_step(m, d)
    return m, d


def test_force_and_torque_under_constraint_force():
    """A beam on a hinge lies on a ball: its joint feels what the contact pushes (spec 004-6: 1)."""
    xml = """<mujoco><worldbody><geom size=".1" pos=".5 0 -.15"/><body><joint axis="0 1 0" damping="1"/>
      <geom type="capsule" size=".05" fromto="0 0 0 .8 0 0" mass="2" contype="1"/><site name="s"/></body></worldbody>
      <sensor><force site="s"/><torque site="s"/></sensor></mujoco>"""
    m, d = stepped(xml, 2000)
    free = xml.replace('contype="1"', 'contype="0" conaffinity="0"')
    assert d.ncon == 1 and np.max(np.abs(d.qvel)) < 1e-4
    # moments about the hinge: the contact at .5 carries 2 g .4, the joint the rest
    push = 2 * 9.81 * 0.4 / 0.5
    assert abs(d.sensordata[2] - (2 * 9.81 - push)) < 1e-2
    assert np.max(np.abs(stepped(free, 1)[1].sensordata[:3] - d.sensordata[:3])) > 1


def test_touch_is_the_contact_force():
    """Spec 004-6: 2."""
    xml = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .1"><freejoint/>
      <geom size=".1" mass="2"/><site name="s" size=".2"/></body></worldbody>
      <sensor><touch site="s"/></sensor></mujoco>"""
    m, d = stepped(xml, 1000)
    force = np.zeros(6)
    _core.mj_contactForce(m, d, 0, force)
    assert abs(d.sensordata[0] - force[0]) < 1e-12 and abs(d.sensordata[0] - 2 * 9.81) < 1e-3


def test_many_touch_sensors_feel_what_each_alone_feels():
    """A pile whose bodies, and the table below it, have touch sensors; also a sensor that reads its history."""
    xml = """<mujoco><worldbody><geom type="plane" size="3 3 .1"/><site name="ground" size="2 2 .1" type="box"/>
      <replicate count="4" offset=".21 0 0"><replicate count="4" offset="0 .21 0"><replicate count="3" offset=".02 .01 .21">
        <body name="b" pos="0 0 .11"><freejoint/><geom type="box" size=".1 .1 .1"/><site name="s" type="box" size=".12 .12 .12"/></body>
      </replicate></replicate></replicate></worldbody><sensor>SENSORS</sensor></mujoco>"""
    sites = [f"s{i}{j}{k}" for i in range(3) for j in range(4) for k in range(4)]  # the innermost number first
    late = '<touch site="s011" nsample="4" interval=".006" interp="zoh"/>'
    touch = "".join(f'<touch site="{s}" cutoff="{9 if s == "s001" else 0}"/>' for s in ["ground", *sites])
    mj = mujoco.MjModel.from_xml_string(xml.replace("SENSORS", late + touch))
    m = bridge.model_from_mujoco(mj)
    theirs, d = mujoco.MjData(mj), _core.MjData(m)
    felt, held = np.zeros(mj.nsensor, bool), 0
    for _ in range(60):
        mujoco.mj_step(mj, theirs)
        bridge.state_from_mujoco(theirs, d)
        _core.mj_forward(m, d)
        mujoco.mj_forward(mj, theirs)
        felt |= d.sensordata != 0
        held += theirs.sensordata[0] != theirs.sensordata[2 + sites.index("s011")]
        assert np.allclose(d.sensordata, theirs.sensordata, rtol=1e-6, atol=1e-6)
    assert d.ncon > 100 and felt.sum() > 40 and held > 10 and d.sensordata[2 + sites.index("s001")] == 9


def test_tendons_and_actuators_of_every_transmission():
    """Spec 004-6: 5 6."""
    xml = """<mujoco><worldbody><site name="w" pos="0 0 1"/><body><joint name="h" axis="0 1 0"/><geom size=".1" pos=".3 0 0"/>
        <site name="a" pos=".3 0 0" euler="0 20 0"/><body pos=".4 0 0"><joint name="b" type="ball"/><geom size=".1"/>
        <site name="c" pos="0 0 .2"/></body></body><body pos="1 0 0"><joint name="s" type="slide" axis="0 0 1"/>
        <geom size=".1"/><site name="d"/></body></worldbody>
      <tendon><spatial name="t"><site site="w"/><site site="a"/></spatial>
        <fixed name="f"><joint joint="h" coef="2"/><joint joint="s" coef="-1"/></fixed></tendon>
      <actuator><motor name="0" joint="h" gear="3"/><motor name="1" joint="b" gear="1 2 3"/>
        <motor name="2" jointinparent="b" gear="1 2 3"/><motor name="3" tendon="t" gear="2"/><motor name="4" tendon="f"/>
        <motor name="5" site="a" gear="1 0 0 0 1 0"/><motor name="6" site="c" refsite="a" gear="1 2 3 1 0 1"/>
        <motor name="7" cranksite="c" slidersite="d" cranklength="2"/></actuator>
      <sensor><tendonpos tendon="t"/><tendonvel tendon="t"/><tendonpos tendon="f"/><tendonvel tendon="f"/>SENSORS</sensor></mujoco>"""
    sensors = "".join(f'<actuatorpos actuator="{i}"/><actuatorvel actuator="{i}"/><actuatorfrc actuator="{i}"/>' for i in range(8))
    mj = mujoco.MjModel.from_xml_string(xml.replace("SENSORS", sensors))
    m = bridge.model_from_mujoco(mj)
    theirs, d = mujoco.MjData(mj), _core.MjData(m)
    rng = np.random.default_rng(2)
    theirs.qvel[:] = d.qvel[:] = rng.normal(size=mj.nv)
    theirs.ctrl[:] = d.ctrl[:] = rng.normal(size=mj.nu)
    for _ in range(20):
        mujoco.mj_step(mj, theirs)
        _core.mj_step(m, d)
    mujoco.mj_forward(mj, theirs)
    _core.mj_forward(m, d)
    assert np.allclose(d.sensordata, theirs.sensordata, rtol=1e-9, atol=1e-9)
    ten = np.stack([d.ten_length, d.ten_velocity], axis=1)
    act = np.stack([d.actuator_length, d.actuator_velocity, d.actuator_force], axis=1)
    assert np.array_equal(d.sensordata, np.r_[ten.ravel(), act.ravel()])
    assert np.all(np.abs(act[[0, 1, 2, 3, 4, 6, 7], 0]) > 0) and np.all(np.abs(act[:, 1:]) > 0)


def test_rangefinder_of_a_known_geom():
    """Spec 004-6: 3."""
    xml = """<mujoco><worldbody><body><geom size=".25" pos="0 0 2"/></body><site name="s" pos=".1 0 .5"/>
      <site name="t" euler="180 0 0"/></worldbody>
      <sensor><rangefinder site="s"/><rangefinder site="t"/></sensor></mujoco>"""
    mj = mujoco.MjModel.from_xml_string(xml)
    m = bridge.model_from_mujoco(mj)
    d = _core.MjData(m)
    _core.mj_forward(m, d)
    assert abs(d.sensordata[0] - 1.5 + np.sqrt(0.25**2 - 0.1**2)) < 1e-12
    assert d.sensordata[1] == -1


def test_magnetometer_rotates_the_field():
    """Spec 004-6: 4."""
    xml = """<mujoco><option magnetic="1 2 3"/><worldbody><body><joint axis="0 0 1"/><geom size=".1"/>
      <site name="s"/></body></worldbody><sensor><magnetometer site="s"/></sensor></mujoco>"""
    mj = mujoco.MjModel.from_xml_string(xml)
    m = bridge.model_from_mujoco(mj)
    d = _core.MjData(m)
    d.qpos[0] = np.pi / 2
    _core.mj_forward(m, d)
    assert np.allclose(d.sensordata, [2, -1, 3], atol=1e-12)


# ---- user sensors


def fill(model, data, stage):
    """Every user sensor of the stage gets numbers that say who and when."""
    for i in range(model.nsensor):
        if model.sensor_type[i] == int(TYPE.mjSENS_USER) and model.sensor_needstage[i] == int(stage):
            part = slice(model.sensor_adr[i], model.sensor_adr[i] + model.sensor_dim[i])
            data.sensordata[part] = 0.7 * (i - 60) * np.arange(-1, model.sensor_dim[i] - 1) + data.time


def test_user_sensors():
    mj, theirs, m, ours = pair("own/sensor/arm")
    try:
        mujoco.set_mjcb_sensor(fill)
        _core.set_mjcb_sensor(fill)
        for _ in range(5):
            mujoco.mj_step(mj, theirs)
            _core.mj_step(m, ours)
        user = np.isin(mj.sensor_type, int(TYPE.mjSENS_USER))
        values = [theirs.sensordata[mj.sensor_adr[i]:mj.sensor_adr[i] + mj.sensor_dim[i]]
                  for i in np.flatnonzero(user)]
        assert all(np.any(v) for v in values) and np.max(np.abs(values[0])) == 1  # its cutoff
        check(mj, theirs.sensordata, ours.sensordata)
    finally:
        mujoco.set_mjcb_sensor(None)
        _core.set_mjcb_sensor(None)


@pytest.mark.parametrize("field, index, value, message", [
    ("sensor_objtype", 0, int(mujoco.mjtObj.mjOBJ_JOINT), "sensor_obj"),
    ("sensor_type", 2, int(TYPE.mjSENS_BALLQUAT), "sensor_objtype"),
    ("sensor_type", 2, int(TYPE.mjSENS_RANGEFINDER), "sensor_dim"),
])
def test_models_with_unfit_sensors_are_refused(field, index, value, message):
    """A model from a damaged file: objects of the wrong kind, results that overrun their place."""
    m = bridge.model_from_mujoco(corpus.load("own/sensor/arm"))
    assert m._validate() == ""
    getattr(m, field)[index] = value
    assert message in m._validate()


@pytest.mark.parametrize("ground", ['type="plane" size="1 1 1"', 'type="box" size="1 1 .1" pos="0 0 -.1"'])
def test_taxels_below_the_ground(ground):
    xml = f"""<mujoco><asset><mesh name="m" builtin="sphere" params="2" scale=".1 .1 .1"/></asset>
      <worldbody><geom {ground}/><body pos="0 0 .08"><freejoint/><geom name="g" size=".1"/></body></worldbody>
      <sensor><tactile geom="g" mesh="m"/></sensor></mujoco>"""
    mj = mujoco.MjModel.from_xml_string(xml)
    m = bridge.model_from_mujoco(mj)
    theirs, ours = mujoco.MjData(mj), _core.MjData(m)
    for data in (theirs, ours):
        data.qvel[:3] = 0.1, -0.2, 0
    mujoco.mj_forward(mj, theirs)
    _core.mj_forward(m, ours)
    assert np.count_nonzero(theirs.sensordata) > 20
    assert np.allclose(theirs.sensordata, ours.sensordata, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_a_site_in_the_plane_of_the_camera(seed):
    """Its depth is the rounding of two vectors that cancel, and the pixel is divided by it."""
    rng = np.random.default_rng(seed)
    quat, position = rng.normal(size=4), 4 * rng.normal(size=3)
    quat /= np.linalg.norm(quat)
    axes = np.zeros(9)
    mujoco.mju_quat2Mat(axes, quat)
    place, turn, site = (" ".join(f"{x:.17g}" for x in v) for v in (position, quat, position + axes.reshape(3, 3) @ (2.1, 2.7, 0)))
    xml = (f'<mujoco><worldbody><camera name="c" pos="{place}" quat="{turn}" resolution="64 48"/><site name="s" pos="{site}"/></worldbody>'
           '<sensor><camprojection site="s" camera="c"/></sensor></mujoco>')
    mj = mujoco.MjModel.from_xml_string(xml)
    m = bridge.model_from_mujoco(mj)
    theirs, ours = mujoco.MjData(mj), _core.MjData(m)
    mujoco.mj_forward(mj, theirs)
    _core.mj_forward(m, ours)
    np.testing.assert_allclose(ours.sensordata, theirs.sensordata, rtol=1e-12)
