"""Compiled plugins: instances, settings, surfaces of distance fields, refusals."""

import re

import corpus
import mujoco
import numpy as np
import pytest
import sinew
from compiled import differences
from sinew import _core

NAMES = [n for n in corpus.paths() if "/plugin/" in n]

# the largest meshes take MuJoCo many seconds: their hulls are those of all vertices
SLOW = ("bowl", "cow", "mesh", "primitives", "torus")


def compile_both(name):
    if corpus.load(name) is None:
        pytest.skip("refused by MuJoCo")
    path = str(corpus.paths()[name])
    return corpus.load(name), _core.MjModel.from_xml_path(path)


def check_compiled(name):
    expected, actual = compile_both(name)
    found = differences(expected, actual)
    assert not found, "\n".join(found)
    # single-precision sums, bit for bit
    assert np.array_equal(expected.mesh_normal, np.asarray(actual.mesh_normal).reshape(expected.mesh_normal.shape))


@pytest.mark.parametrize("name", [n for n in NAMES if not n.endswith(SLOW)])
def test_compiled(name):
    check_compiled(name)


@pytest.mark.full
@pytest.mark.parametrize("name", [n for n in NAMES if n.endswith(SLOW)])
def test_compiled_slow(name):
    check_compiled(name)


@pytest.mark.parametrize("name", ["shared/mujoco/plugin/sdf/gear", "shared/mujoco/plugin/sdf/nutbolt",
                                  "shared/mujoco/plugin/elasticity/belt",
                                  "shared/mujoco/plugin/elasticity/coil",
                                  "shared/mujoco/plugin/actuator/pid",
                                  "shared/mujoco/plugin/sensor/touch_grid"])
def test_compiled_and_stepped(name):
    """Our compiler and our engine against MuJoCo's, 60 steps on their own, contacts included."""
    if name not in corpus.paths():
        pytest.skip("the models beside the checkout are missing")
    mj, m = compile_both(name)
    theirs, ours = mujoco.MjData(mj), _core.MjData(m)
    theirs.ctrl[:] = ours.ctrl[:] = np.linspace(0.2, 0.5, mj.nu)
    for _ in range(60):
        mujoco.mj_step(mj, theirs)
        _core.mj_step(m, ours)
        assert theirs.ncon == ours.ncon
    # the nut's many contacts come from a search in a distance field: 2e-7 and 5e-5 after 60 steps
    position, velocity = (1e-6, 1e-4) if name.endswith("nutbolt") else (1e-12, 1e-10)
    assert np.allclose(theirs.qpos, ours.qpos, rtol=position, atol=position)
    assert np.allclose(theirs.qvel, ours.qvel, rtol=velocity, atol=velocity)


def extension(plugin, instance=""):
    return f'<extension><plugin plugin="mujoco.{plugin}">{instance}</plugin></extension>'


BODY = '<worldbody><body><joint name="j"/><geom name="g" size=".1"/><site name="s"/></body></worldbody>'
PID = '<instance name="i"><config key="kp" value="1"/></instance>'
GRID = '<config key="size" value="2 3"/><config key="fov" value="40 40"/>'
SITE = 'plugin="mujoco.sensor.touch_grid" objtype="site" objname="s"'


def actuator(attributes, config=""):
    return f'{BODY}<actuator><plugin joint="j" {attributes}>{config}</plugin></actuator>'


def sensor(attributes, config=GRID):
    return f"{BODY}<sensor><plugin {attributes}>{config}</plugin></sensor>"


def sdf(mesh, geom, kind="sdf"):
    return (f'<asset><mesh name="m" {mesh}</mesh></asset><worldbody><body>'
            f'<geom type="{kind}" mesh="m" contype="0" conaffinity="0">{geom}</geom></body></worldbody>')


def config(key, value):
    return f'<config key="{key}" value="{value}"/>'


def replaced(settings, key, value):
    """The settings with another value of one of them."""
    return re.sub(f'<config key="{key}"[^>]*>', "", settings) + config(key, value)


TORUS = '<plugin plugin="mujoco.sdf.torus"/>'
MODELS = {
    "named": extension("pid", PID) + actuator('instance="i"'),
    "declared in capitals": extension("PID") + actuator('plugin="mujoco.pid"'),
    "named twice": extension("pid", PID) + actuator('plugin="mujoco.pid" instance="i"'),
    "settings beside an instance": extension("pid", PID) + actuator('instance="i"', config("kp", 7)),
    "declared later": actuator('instance="i"') + extension("pid", PID),
    "integral": extension("pid") + actuator('plugin="mujoco.pid" actdim="1"', config("ki", 1)),
    "integral and filter":
        extension("pid") + actuator('plugin="mujoco.pid" dyntype="filter" actdim="2"', config("ki", 1)),
    "grid": extension("sensor.touch_grid") + sensor(SITE),
    "grid with cutoff": extension("sensor.touch_grid") + sensor(SITE + ' cutoff="1"'),
    "grid without channels":
        extension("sensor.touch_grid") + sensor(SITE, GRID + config("nchannel", 0)),
    "torus": extension("sdf.torus") + sdf(">" + TORUS, TORUS),
    "torus as a mesh": extension("sdf.torus") + sdf(">" + TORUS, "", "mesh"),
    "torus fitted by a box": extension("sdf.torus") + sdf(">" + TORUS, "", "box"),
    "torus moved": extension("sdf.torus") + sdf('refpos="1 2 3">' + TORUS, TORUS),
    "torus without a field": extension("sdf.torus") + sdf(">" + TORUS, ""),
    "torus field on a sphere":
        extension("sdf.torus") + sdf('builtin="sphere" params="1">', TORUS),
}
BROKEN = {
    "undeclared": actuator('plugin="mujoco.pid"'),
    "used in capitals": extension("pid") + actuator('plugin="MUJOCO.pid"'),
    "instance in capitals": extension("PID", PID) + actuator('instance="i"'),
    "instance used in capitals": extension("pid", PID) + actuator('plugin="MUJOCO.pid" instance="i"'),
    "unknown instance": extension("pid", PID) + actuator('instance="x"'),
    "neither": extension("pid") + actuator(""),
    "not an actuator": extension("sensor.touch_grid") + actuator('plugin="mujoco.sensor.touch_grid"'),
    "unknown setting": extension("pid") + actuator('plugin="mujoco.pid"', config("zz", 1)),
    "activations": extension("pid", PID) + actuator('instance="i" actdim="3"'),
    "integral without activation": extension("pid") + actuator('plugin="mujoco.pid"', config("ki", 1)),
    "unused controller": extension("pid", PID) + BODY,
    "grid without site": extension("sensor.touch_grid") + sensor('plugin="mujoco.sensor.touch_grid"'),
    "grid of one size": extension("sensor.touch_grid") + sensor(SITE, GRID.replace("2 3", "2")),
    "grid wider than a half": extension("sensor.touch_grid") + sensor(SITE, GRID.replace("40 40", "190 1")),
    **{f"grid of {key} {value}": extension("sensor.touch_grid") + sensor(SITE, replaced(GRID, key, value))
       for key, value in (("size", "2 3 4"), ("size", "0 3"), ("size", "-2 3"), ("fov", "40"), ("fov", "0 40"),
                          ("fov", "40 91"), ("gamma", 2), ("gamma", "x"), ("nchannel", 7), ("nchannel", -1))},
    **{f"controller of {key} {value}": extension("pid") + actuator('plugin="mujoco.pid" actdim="3"', config("ki", 1) + config(key, value))
       for key, value in (("imax", -1), ("slewmax", -1), ("kp", 1))},
    "scaled torus": extension("sdf.torus") + sdf('scale="2 2 2">' + TORUS, TORUS),
    "radius in words":
        extension("sdf.torus") + sdf(">" + TORUS.replace("/>", f'>{config("radius1", "x")}</plugin>'), TORUS),
    "bending in words": extension("elasticity.cable") + BODY.replace(
        "<site", f'<plugin plugin="mujoco.elasticity.cable">{config("bend", "x")}</plugin><site'),
    "controller on a body": extension("pid") + BODY.replace("<site", '<plugin plugin="mujoco.pid"/><site'),
}


@pytest.mark.parametrize("name", MODELS)
def test_accepted(name):
    xml = f"<mujoco>{MODELS[name]}</mujoco>"
    expected = mujoco.MjModel.from_xml_string(xml)
    found = differences(expected, _core.MjModel.from_xml_string(xml))
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", BROKEN)
def test_broken(name):
    xml = f"<mujoco>{BROKEN[name]}</mujoco>"
    with pytest.raises(ValueError) as expected:
        mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(ValueError) as error:
        _core.MjModel.from_xml_string(xml)
    assert str(error.value) == str(expected.value)


CABLE = f"""<mujoco>{extension("elasticity.cable")}<worldbody>
<composite type="cable" curve="s" count="4 1 1" size="1" initial="none">
<plugin plugin="mujoco.elasticity.cable">{config("twist", 4)}</plugin>
<geom type="capsule" size=".01"/></composite></worldbody></mujoco>"""
CONTROLLED = f'<mujoco>{extension("pid", PID)}{actuator("instance=" + chr(34) + "i" + chr(34))}</mujoco>'


def test_replicated_cable():
    """Each copy moves as one cable alone. (MuJoCo crashes on such a model.)"""
    one = sinew.MjModel.from_xml_string(CABLE)
    many = sinew.MjModel.from_xml_string(
        CABLE.replace("<worldbody>", '<worldbody><replicate count="3" offset="0 1 0">')
        .replace("</worldbody>", "</replicate></worldbody>"))
    assert many.nv == 3 * one.nv and many.nbody == 3 * (one.nbody - 1) + 1
    velocity = np.linspace(-1, 1, one.nv)
    states = []
    for model, copies in ((one, 1), (many, 3)):
        data = sinew.MjData(model)
        data.qvel[:] = np.tile(velocity, copies)
        for _ in range(50):
            sinew.mj_step(model, data)
        states.append(np.array(data.qpos).reshape(copies, -1))
    assert np.abs(states[0][0] - np.array(one.qpos0)).max() > 1e-3
    np.testing.assert_allclose(states[1], np.tile(states[0], (3, 1)), rtol=0, atol=1e-12)


@pytest.mark.parametrize("child", [CABLE, CONTROLLED], ids=["cable", "controller"])
@pytest.mark.parametrize("copy", [False, True])
def test_attached(child, copy):
    """Instances come along with what refers to them, under the new names."""
    models = []
    for module in (mujoco, sinew):
        parent = module.MjSpec.from_string('<mujoco><worldbody><frame name="f"/></worldbody></mujoco>')
        parent.copy_during_attach = copy
        parent.attach(module.MjSpec.from_string(child), prefix="x_", frame="f")
        models.append(parent.compile())
    found = differences(*models)
    assert not found, "\n".join(found)


def test_attached_without_names():
    """MuJoCo leaves such references dangling; ours keep their own instances."""
    child = f'<mujoco>{extension("sdf.torus")}{sdf(">" + TORUS, TORUS)}</mujoco>'
    parent = sinew.MjSpec.from_string('<mujoco><worldbody><frame name="f"/></worldbody></mujoco>')
    parent.attach(sinew.MjSpec.from_string(child), prefix="x_", frame="f")
    model = parent.compile()
    alone = sinew.MjModel.from_xml_string(child)  # there the mesh's instance comes first
    assert model.nplugin == alone.nplugin == 2
    assert list(model.geom_plugin) == list(alone.geom_plugin) == [1]
