"""Built-in plugins: controllers, cables, touch grids, distance fields."""

import importlib.util
import pathlib
import shutil

import compiled
import corpus
import mujoco
import numpy as np
import pytest

import sinew
from sinew import _core, bridge

NAMES = [n for n in corpus.paths() if "plugin/" in n and "plugin/sdf/" not in n]
FIELDS = ("qfrc_passive", "actuator_force", "act_dot", "sensordata")


@pytest.mark.parametrize("name", NAMES)
def test_along_a_trajectory(name):
    mj = corpus.load(name)
    if mj is None or not mj.nplugin:
        pytest.skip("refused by MuJoCo, or a scene without plugins")
    m = bridge.model_from_mujoco(mj)
    theirs, ours = mujoco.MjData(mj), _core.MjData(m)
    rng = np.random.default_rng(0)
    for step in range(120):
        if step % 20 == 0:
            theirs.ctrl[:] = 0.3 * rng.normal(size=mj.nu)
        mujoco.mj_step(mj, theirs)
        if step % 12:
            continue
        bridge.state_from_mujoco(theirs, ours)
        mujoco.mj_forward(mj, theirs)
        _core.mj_forward(m, ours)
        for field in FIELDS:
            x, y = getattr(theirs, field), getattr(ours, field)
            assert np.allclose(x, y, rtol=1e-9, atol=1e-9 * max(1, np.max(np.abs(x), initial=0))), field


def test_a_touch_grid_brings_the_forces_on_bodies():
    """MuJoCo prepares what sensors of accelerations may read before it asks a plugin for them."""
    xml = """
    <mujoco><extension><plugin plugin="mujoco.sensor.touch_grid"/></extension>
      <worldbody><body><freejoint/><geom size=".1"/><site name="s"/></body></worldbody>
      <sensor><plugin plugin="mujoco.sensor.touch_grid" objtype="site" objname="s">
        <config key="size" value="2 2"/><config key="fov" value="40 40"/><config key="nchannel" value="1"/></plugin></sensor>
    </mujoco>"""
    mj, m = mujoco.MjModel.from_xml_string(xml), sinew.MjModel.from_xml_string(xml)
    theirs, ours = mujoco.MjData(mj), sinew.MjData(m)
    mujoco.mj_forward(mj, theirs)
    sinew.mj_forward(m, ours)
    assert theirs.flg_rnepost == 1 and ours.flg_rnepost == 1
    assert np.any(theirs.cacc) and np.allclose(theirs.cacc, ours.cacc)


@pytest.mark.parametrize("name", ["own/plugin/pid", "own/plugin/cable"])
@pytest.mark.parametrize("integrator", [0, 1, 2, 3])
def test_free_running(name, integrator):
    """Both engines on their own, 200 steps."""
    mj = corpus.load(name)
    mj.opt.integrator = integrator
    try:
        m = bridge.model_from_mujoco(mj)
        theirs, ours = mujoco.MjData(mj), _core.MjData(m)
        theirs.ctrl[:] = ours.ctrl[:] = np.linspace(-0.5, 0.5, mj.nu)
        for _ in range(200):
            mujoco.mj_step(mj, theirs)
            _core.mj_step(m, ours)
        assert np.max(np.abs(theirs.qpos - ours.qpos)) < 1e-6
        assert np.allclose(theirs.act, ours.act, rtol=1e-6, atol=1e-9)
    finally:
        mj.opt.integrator = 0


# ---- compiler


@pytest.mark.parametrize("name", NAMES)
def test_compiled_model(name):
    mj = corpus.load(name)
    if mj is None:
        pytest.skip("refused by MuJoCo")
    found = compiled.differences(mj, _core.MjModel.from_xml_path(str(corpus.paths()[name])))
    assert not found, "\n".join(found)


def model(extension, actuator="", sensor=""):
    return f"""<mujoco><extension>{extension}</extension>
      <worldbody><body><joint name="j"/><geom size=".1"/><site name="s"/></body></worldbody>
      <actuator>{actuator}</actuator><sensor>{sensor}</sensor></mujoco>"""


PID = '<plugin plugin="mujoco.pid">{}</plugin>'
GRID = '<plugin plugin="mujoco.sensor.touch_grid"/>'
TOUCH = """<plugin plugin="mujoco.sensor.touch_grid" objtype="{}" objname="s"><config key="size" value="{}"/>
  <config key="fov" value="{}"/><config key="nchannel" value="{}"/></plugin>"""
REFUSED = {
    "unknown plugin": model('<plugin plugin="mujoco.nothing"/>'),
    "not declared": model("", '<plugin plugin="mujoco.pid" joint="j"/>'),
    "unknown instance": model(PID.format(""), '<plugin plugin="mujoco.pid" instance="x" joint="j"/>'),
    "unknown setting": model(PID.format('<instance name="a"><config key="zz" value="1"/></instance>'),
                             '<plugin plugin="mujoco.pid" instance="a" joint="j"/>'),
    "wrong capability": model(GRID, '<plugin plugin="mujoco.sensor.touch_grid" joint="j"/>'),
    "activations": model(PID.format('<instance name="a"><config key="ki" value="1"/></instance>'),
                         '<plugin plugin="mujoco.pid" instance="a" joint="j"/>'),
    "grid size": model(GRID, sensor=TOUCH.format("site", "0 3", "30 30", "1")),
    "field of view": model(GRID, sensor=TOUCH.format("site", "3 3", "30 100", "1")),
    "channels": model(GRID, sensor=TOUCH.format("site", "3 3", "30 30", "7")),
}


@pytest.mark.parametrize("case", REFUSED)
def test_refused(case):
    with pytest.raises(ValueError):
        _core.MjModel.from_xml_string(REFUSED[case])


@pytest.mark.parametrize("case", ["unknown plugin", "not declared", "unknown setting"])
def test_refused_by_mujoco_too(case):
    """The other cases end MuJoCo's process: it crashes, or its plugins refuse at run time."""
    with pytest.raises(ValueError):
        mujoco.MjModel.from_xml_string(REFUSED[case])


@pytest.mark.parametrize("name", [n for n in NAMES if n.startswith("own/")])
def test_written_model(name, all_digits):
    """What is written compiles to the same model."""
    path = str(corpus.paths()[name])
    expected = mujoco.MjModel.from_xml_path(path)
    text = sinew.MjSpec.from_file(path).to_xml()
    found = compiled.differences(expected, _core.MjModel.from_xml_string(text))
    assert not found, "\n".join(found)


# ---- libraries

LIFT = ('<mujoco><extension><plugin plugin="sinew.test.lift"/></extension><worldbody><body>'
        '<plugin plugin="sinew.test.lift"/><joint/><geom size=".1"/></body></worldbody></mujoco>')


def test_library_of_plugins(tmp_path):
    library = pathlib.Path(_core.__file__).resolve().parents[2] / "tests" / "plugin_library.so"
    if not library.is_file():
        pytest.skip("the package is not in a build folder")
    with pytest.raises(ValueError):
        sinew.MjModel.from_xml_string(LIFT)
    assert sinew.mj_loadPluginLibrary(str(library)) is None
    sinew.mj_loadPluginLibrary(str(library))  # again
    model = sinew.MjModel.from_xml_string(LIFT)
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    assert list(data.qfrc_passive) == [1]
    # folders may hold other libraries, and may be missing
    (tmp_path / "other.so").symlink_to(importlib.util.find_spec("_ctypes").origin)
    sinew.mj_loadAllPluginLibraries(str(tmp_path))
    sinew.mj_loadAllPluginLibraries(str(tmp_path / "none"))


SUM = ('<mujoco><extension><plugin plugin="sinew.test.sum"/></extension><worldbody><body>'
       '<plugin plugin="sinew.test.sum"/><joint/><geom size=".1"/></body></worldbody>'
       '<actuator><motor joint="j" gear="0"/></actuator></mujoco>').replace("<joint/>", '<joint name="j"/>')


def test_worlds_of_a_batch_have_states_of_their_own():
    library = pathlib.Path(_core.__file__).resolve().parents[2] / "tests" / "plugin_library.so"
    if not library.is_file():
        pytest.skip("the package is not in a build folder")
    sinew.mj_loadPluginLibrary(str(library))
    model = sinew.MjModel.from_xml_string(SUM)
    batch, alone = sinew.Batch(model, 3), [sinew.MjData(model) for _ in range(3)]
    batch.ctrl[:] = [[0], [1], [-2]]
    for _ in range(5):
        batch.step()
        for data, control in zip(alone, (0, 1, -2)):
            data.ctrl[0] = control
            sinew.mj_step(model, data)
    assert np.array_equal(batch.plugin_state, [[0], [5], [-10]])
    assert np.array_equal(batch.qpos, [data.qpos for data in alone]) and np.ptp(batch.qpos) > 0
    batch.reset([False, True, False])
    assert np.array_equal(batch.plugin_state, [[0], [0], [-10]])


def test_library_that_cannot_be_loaded(tmp_path):
    for module in (mujoco, sinew):
        with pytest.raises(module.FatalError, match="Error loading plugin library '/none.so': /none.so: cannot open"):
            module.mj_loadPluginLibrary("/none.so")
    (tmp_path / "bad.so").write_text("no library")
    with pytest.raises(sinew.FatalError, match="bad.so"):
        sinew.mj_loadAllPluginLibraries(str(tmp_path))
    other = shutil.copy(importlib.util.find_spec("_multiprocessing").origin, tmp_path / "other.so")
    with pytest.raises(sinew.FatalError, match="registered no plugins"):
        sinew.mj_loadPluginLibrary(str(other))
