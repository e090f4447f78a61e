"""Abstract visualisation from Python: scenes, cameras and perturbations against MuJoCo."""

import copy
import pathlib

import mujoco
import numpy as np
import pytest
import sinew

MODELS = sorted((pathlib.Path(__file__).resolve().parents[2] / "models").glob("*.xml"))
FIELDS = ("type", "dataid", "objtype", "objid", "category", "matid", "texcoord", "segid", "size", "pos", "mat", "rgba",
          "emission", "specular", "shininess", "reflectance", "label", "modelrbound")


def stepped(module, path):
    m = module.MjModel.from_xml_path(str(path))
    d = module.MjData(m)
    d.ctrl[:] = 0.1
    for _ in range(20):
        module.mj_step(m, d)
    module.mj_forward(m, d)
    return m, d


def scene(module, m, d, flags=(), label=0, frame=0):
    scn, opt, pert, cam = module.MjvScene(m, 1000), module.MjvOption(), module.MjvPerturb(), module.MjvCamera()
    module.mjv_defaultFreeCamera(m, cam)
    opt.flags[list(flags)] = 1
    opt.label, opt.frame = label, frame
    module.mjv_updateScene(m, d, opt, pert, cam, module.mjtCatBit.mjCAT_ALL.value, scn)
    return scn


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
@pytest.mark.parametrize("flags", [(), (2, 4, 10), (14, 16), (3, 6, 19, 20)])
def test_scene(path, flags):
    m, d = stepped(mujoco, path)
    theirs = scene(mujoco, m, d, flags)
    m, d = stepped(sinew, path)
    ours = scene(sinew, m, d, flags)
    assert ours.ngeom == theirs.ngeom and ours.ngeom > 0
    for a, b in zip(ours.geoms[: ours.ngeom], theirs.geoms):
        for name in FIELDS:
            x, y = getattr(a, name), getattr(b, name)
            assert x == y if name == "label" else np.allclose(x, y, atol=2e-5), (a.objtype, a.objid, name, x, y)
    assert ours.nlight == theirs.nlight
    for a, b in zip(ours.lights[: ours.nlight], theirs.lights):
        assert np.allclose(a.pos, b.pos, atol=1e-5) and np.allclose(a.diffuse, b.diffuse)


def test_cameras_and_perturbations():
    results = []
    for module in (mujoco, sinew):
        m, d = stepped(module, MODELS[-1])
        scn, cam, pert = scene(module, m, d), module.MjvCamera(), module.MjvPerturb()
        module.mjv_defaultFreeCamera(m, cam)
        for action in (1, 3, 4, 5):
            module.mjv_moveCamera(m, action, 0.1, 0.05, scn, cam)
        pert.select, pert.active = 3, 3
        module.mjv_initPerturb(m, d, scn, pert)
        module.mjv_movePerturb(m, d, 3, 0.1, 0.2, scn, pert)
        module.mjv_applyPerturbForce(m, d, pert)
        point, geom = np.zeros((3, 1)), np.zeros((1, 1), np.int32)
        flex, skin = geom.copy(), geom.copy()
        body = module.mjv_select(m, d, module.MjvOption(), 1.0, 0.5, 0.5, scn, point, geom, flex, skin)
        results.append(np.concatenate([cam.lookat, [cam.distance, cam.azimuth, cam.elevation], pert.refpos, pert.refquat,
                                       [pert.localmass, pert.scale, module.mjv_frustumHeight(scn), body, geom[0, 0]],
                                       d.xfrc_applied.ravel() / 100, point.ravel()]))
    np.testing.assert_allclose(results[1], results[0], rtol=1e-4, atol=1e-4)


def test_scene_is_memory_of_its_own():
    m, d = stepped(sinew, MODELS[0])
    scn = scene(sinew, m, d)
    geom = scn.geoms[0]
    geom.rgba[0] = 0.25
    geom.label = "mine"
    assert scn.geoms[0] is geom and scn.geoms[0].label == "mine"
    twin = copy.copy(scn)
    twin.geoms[0].label = "other"
    assert geom.label == "mine" and twin.geoms[0].rgba[0] == np.float32(0.25) and twin.ngeom == scn.ngeom
    assert sinew.MjvScene().maxgeom == 0


def test_errors_are_exceptions():
    m, d = stepped(sinew, MODELS[0])
    scn, cam = scene(sinew, m, d), sinew.MjvCamera()
    with pytest.raises(sinew.FatalError, match="unexpected action"):
        sinew.mjv_moveCamera(m, 99, 0.1, 0.1, scn, cam)
    with pytest.raises(sinew.FatalError, match="has not been made"):
        sinew.mjr_render(sinew.MjrRect(0, 0, 1, 1), scn, sinew.MjrContext())


def test_scene_as_text(tmp_path):
    texts = []
    for module in (mujoco, sinew):
        m, d = stepped(module, MODELS[0])
        if not hasattr(module, "mj_printScene"):
            pytest.skip("MuJoCo does not write scenes from Python")
        module.mj_printScene(scene(module, m, d), str(tmp_path / "scene.txt"))
        texts.append((tmp_path / "scene.txt").read_text())
    assert len(texts[0].splitlines()) == len(texts[1].splitlines())


SIGHTS = """<mujoco><asset><mesh name="m" builtin="cone" params="6 .4"/></asset><worldbody>
  <geom type="plane" size="2 2 .1"/><body pos="0 0 .5"><freejoint/><geom size=".5"/></body>
  <body pos="0 1 1" euler="10 20 30"><freejoint/><geom type="mesh" mesh="m" euler="30 0 0" group="4"/><geom type="sdf" mesh="m"/></body>
  <flexcomp name="f" type="grid" count="4 4 1" spacing=".1 .1 .1" dim="2" pos="0 0 4" radius=".01">
    <contact selfcollide="none" contype="0" conaffinity="0"/></flexcomp>
  <camera pos="0 -3 1" xyaxes="1 0 0 0 .5 1" fovy="50" resolution="6 4"/>
  <camera pos="0 -3 2" xyaxes="1 0 0 0 .5 1" fovy="1" projection="orthographic" resolution="4 3"/>
  <camera pos="0 -3 1" sensorsize=".036 .024" focal=".035 .03" principal=".002 .001" resolution="64 48"/>
  <camera name="plain" pos="1 -3 1"/><site name="s" pos="0 0 3" euler="180 0 0"/></worldbody><sensor>{}</sensor></mujoco>"""
READINGS = ("dist", "dir", "point", "normal", "dist normal", "dist dir origin point normal depth", "dir origin point normal")


@pytest.mark.parametrize("what", ["camera", "trees", "rays"])
def test_what_cameras_and_trees_show(what):
    names = ("camera0", "camera1", "s")
    sensors = "".join(f'<rangefinder {"site" if name == "s" else "camera"}="{name}" data="{data}"/>'
                      for data in READINGS for name in names)
    xml = SIGHTS.format(sensors)
    for i in range(2):
        xml = xml.replace("<camera pos", f'<camera name="camera{i}" pos', 1)
    flag = {"camera": mujoco.mjtVisFlag.mjVIS_CAMERA, "trees": mujoco.mjtVisFlag.mjVIS_MESHBVH, "rays": mujoco.mjtVisFlag.mjVIS_RANGEFINDER}
    shapes = []
    for module in (mujoco, sinew):
        m = module.MjModel.from_xml_string(xml)
        d = module.MjData(m)
        module.mj_forward(m, d)
        scn = scene(module, m, d, [int(flag[what])])
        shapes.append([[np.array(getattr(g, name)) for name in FIELDS if name != "label"] for g in scn.geoms[: scn.ngeom]])
    assert len(shapes[0]) == len(shapes[1]) > {"camera": 60, "trees": 12, "rays": 60}[what]
    for theirs, ours in zip(*shapes):
        for x, y in zip(theirs, ours):
            np.testing.assert_allclose(y, x, rtol=1e-5, atol=2e-5)


DRAWN = {
    "actuators": ((4,), """<mujoco><option><flag clampctrl="disable"/></option><worldbody><site name="c" pos="0 0 1"/><body><joint name="j" type="slide"/>
      <geom size=".1"/><site name="s"/></body></worldbody><actuator><motor joint="j" ctrlrange="0 1"/><motor joint="j" ctrlrange="1 3"/>
      <motor joint="j" ctrlrange="-3 -1"/><motor joint="j" ctrlrange="-.5 4"/><motor joint="j"/>
      <general cranksite="s" slidersite="c" cranklength=".5" name="crank"/></actuator></mujoco>"""),
    "planes": ((), """<mujoco><worldbody><geom size=".1"/><geom type="plane" size="1 1 1"/><geom type="plane" size="1 1 1" rgba="0 0 0 0"/>
      <geom type="plane" size="1 1 1" group="4"/><geom type="plane" size="1 1 1"/></worldbody></mujoco>"""),
    "islands": ((15,), """<mujoco><asset><material name="m" rgba="1 0 0 1" emission=".3"/></asset><worldbody><geom type="plane" size="1 1 1" material="m"/>
      <geom size=".1" pos="0 0 5" rgba="1 0 0 0"/><body pos="0 0 .09"><freejoint/><geom size=".1" material="m"/><site name="a"/></body>
      <body pos="1 0 .09"><freejoint/><geom size=".1" rgba="1 0 0 0"/><site name="b"/></body></worldbody>
      <tendon><spatial name="t"><site site="a"/><site site="b"/></spatial><spatial frictionloss="1"><site site="a"/><site site="b"/></spatial></tendon>
      <equality><tendon tendon1="t"/></equality></mujoco>"""),
    "contacts": ((14, 16), """<mujoco><worldbody><geom type="plane" size="3 3 1" margin=".2"/><body pos="0 0 .25"><freejoint/><geom size=".1"/></body>
      <body pos="1 0 .02"><freejoint/><geom size=".1"/></body><body pos="2 0 .1"><geom type="box" size=".3 .3 .1"/><joint type="slide"/></body>
      <flexcomp name="f" type="grid" count="3 3 1" spacing=".1 .1 .1" dim="2" pos="2 0 .21" radius=".02" mass="1"><contact selfcollide="none"/></flexcomp>
      </worldbody></mujoco>"""),
    "contacts of islands": ((14, 15, 16), """<mujoco><worldbody><geom type="plane" size="3 3 1"/><body pos="0 0 .09"><freejoint/><geom size=".1"/></body>
      <body pos="1 0 .05"><freejoint/><geom type="box" size=".1 .1 .06"/></body><body pos="2 0 .11"><freejoint/><geom size=".1" margin=".03" gap=".03"/></body>
      </worldbody></mujoco>"""),
    "contacts without islands": ((14, 15), """<mujoco><option><flag island="disable"/></option><worldbody><geom type="plane" size="3 3 1"/>
      <body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>"""),
    "order": ((9, 12), """<mujoco><worldbody><body pos="0 0 .5" name="a"><freejoint/><geom size=".1" name="g"/></body>
      <body pos="1 0 .5" name="b"><freejoint/><geom name="h" size=".1"/></body></worldbody><equality><connect body1="a" body2="b" anchor="0 0 0"/></equality>
      <sensor><fromto geom1="g" geom2="h" cutoff="5"/></sensor></mujoco>"""),
    "ropes": ((18,), """<mujoco><option gravity="1 2 -9"/><default><tendon width=".01"/></default><worldbody><site name="a" pos="0 0 1"/><site name="c" pos=".2 .3 1"/>
      <body pos=".5 .3 .7"><geom size=".01"/><joint type="slide"/><site name="b"/></body></worldbody><tendon>
      <spatial range="0 2" name="t"><site site="a"/><site site="b"/></spatial><spatial range="0 .67"><site site="a"/><site site="b"/></spatial>
      <spatial range="0 90"><site site="c"/><site site="b"/></spatial><spatial range=".1 2"><site site="a"/><site site="b"/></spatial>
      <spatial range="0 2" stiffness="1"><site site="a"/><site site="b"/></spatial><spatial range="0 2" damping="1"><site site="a"/><site site="b"/></spatial>
      <spatial range="0 2" frictionloss="1"><site site="a"/><site site="b"/></spatial><spatial range="0 .5"><site site="a"/><site site="b"/></spatial>
      <spatial range="0 2"><site site="a"/><site site="c"/><site site="b"/></spatial><spatial range="0 2" name="u"><site site="a"/><site site="b"/></spatial>
      </tendon><actuator><motor tendon="u"/></actuator></mujoco>"""),
    "hanging": ((), """<mujoco><worldbody><site name="a" pos="0 0 1"/><site name="b" pos="0 0 .5"/><site name="c" pos="0 0 1"/><geom size=".1"/></worldbody><tendon>
      <spatial range="0 2"><site site="a"/><site site="b"/></spatial><spatial range="0 2"><site site="a"/><site site="c"/></spatial></tendon></mujoco>"""),
    "skins": ((18,), """<mujoco><worldbody><body name="b"><freejoint/><geom size=".1"/></body></worldbody><deformable><skin vertex="0 0 0 1 0 0 0 1 0"
      face="0 1 2"><bone body="b" bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></deformable></mujoco>"""),
}


@pytest.mark.parametrize("what", DRAWN)
def test_what_is_drawn_is_that_of_mujoco(what):
    """Colours, sizes, order and labels; frames stand where something can be seen."""
    flags, xml = DRAWN[what]
    for label, frame in ((0, 0), (7, 0), (8, 0), (0, 2), (0, 3)):
        shapes = []
        for module in (mujoco, sinew):
            m = module.MjModel.from_xml_string(xml)
            d = module.MjData(m)
            d.ctrl[:] = np.array([-0.4, 2.5, -0.5, -0.2, 0.3, 0.1])[: m.nu]
            d.xfrc_applied[1:, 0] = 1
            module.mj_forward(m, d)
            scn = scene(module, m, d, flags, label, frame)
            shapes.append([[getattr(g, name) for name in FIELDS] for g in scn.geoms[: scn.ngeom]])
        assert len(shapes[0]) == len(shapes[1]) > 0
        for theirs, ours in zip(*shapes):
            for name, x, y in zip(FIELDS, theirs, ours):
                assert x == y if name == "label" else np.allclose(x, y, atol=2e-5), (name, theirs, ours)


ROOM = """<mujoco><worldbody><light name="l" pos="0 0 2"/><light name="m" pos="1 1 2" dir=".3 .4 -1"/><light pos="1 2 2" dir="0 0 1"/>
  <camera name="c" pos="0 -1 1" euler="30 20 10"/><camera pos="0 -2 1"/><geom type="plane" size="1 1 .1"/>
  <body name="b" pos="0 0 .09"><freejoint/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos=".1 0 0"/>
    <body name="b2" pos=".3 0 0"><inertial mass="1" pos=".05 .02 .1" quat="1 1 0 0" diaginertia="1e-3 2e-3 2.5e-3"/><joint name="h"/>
      <geom name="g2" size=".05"/></body></body></worldbody>
  <tendon><spatial name="t"><site site="s"/><site site="s2"/></spatial></tendon><actuator><motor name="a" joint="h"/></actuator></mujoco>"""


@pytest.mark.parametrize("shown", ["everything", "little"])
def test_every_label_beside_every_frame_is_that_of_mujoco(shown):
    """Those of cameras and lights are there with their cameras and lights; the order in which they come is the same."""
    worlds = [(module, module.MjModel.from_xml_string(ROOM)) for module in (mujoco, sinew)]
    worlds = [(module, m, module.MjData(m)) for module, m in worlds]
    flags = [int(flag) for flag in (mujoco.mjtVisFlag.mjVIS_CAMERA, mujoco.mjtVisFlag.mjVIS_LIGHT, mujoco.mjtVisFlag.mjVIS_JOINT,
                                    mujoco.mjtVisFlag.mjVIS_ACTUATOR, mujoco.mjtVisFlag.mjVIS_INERTIA, mujoco.mjtVisFlag.mjVIS_BODYBVH)]
    flags = flags if shown == "everything" else flags[2:4]
    for module, m, d in worlds:
        module.mj_forward(m, d)
    for label in range(int(mujoco.mjtLabel.mjNLABEL)):
        for frame in range(int(mujoco.mjtFrame.mjNFRAME)):
            theirs, ours = (scene(module, m, d, flags, label, frame) for module, m, d in worlds)
            assert ours.ngeom == theirs.ngeom > 5
            for a, b in zip(ours.geoms[: ours.ngeom], theirs.geoms):
                for name in FIELDS:
                    x, y = getattr(a, name), getattr(b, name)
                    assert x == y if name == "label" else np.allclose(x, y, atol=2e-5), (label, frame, a.objtype, a.objid, name, x, y)


def scene_of_random_options(module, m, d, seed):
    rng, opt, pert, scn = np.random.default_rng(seed), module.MjvOption(), module.MjvPerturb(), module.MjvScene(m, 3000)
    opt.flags[:] = rng.random(len(opt.flags)) < 0.35
    opt.label, opt.frame = rng.integers(int(module.mjtLabel.mjNLABEL)), rng.integers(int(module.mjtFrame.mjNFRAME))
    for group in ("geomgroup", "sitegroup", "jointgroup", "tendongroup", "actuatorgroup", "flexgroup", "skingroup"):
        getattr(opt, group)[:] = rng.random(6) < 0.7
    pert.select, pert.active = int(rng.integers(3)), int(rng.integers(3))
    pert.refpos[:], pert.refquat[:] = (0.2, 0.1, 0.5), (0.8, 0.6, 0, 0)
    module.mjv_updateScene(m, d, opt, pert, module.MjvCamera(), module.mjtCatBit.mjCAT_ALL.value, scn)
    return scn


def test_random_options_show_what_mujoco_shows():
    """Flags, groups, labels, frames and perturbations in combinations that no list names."""
    worlds = [(module, module.MjModel.from_xml_string(ROOM)) for module in (mujoco, sinew)]
    worlds = [(module, m, module.MjData(m)) for module, m in worlds]
    for module, m, d in worlds:
        d.xfrc_applied[1:] = 0.5
        module.mj_forward(m, d)
    for seed in range(150):
        theirs, ours = (scene_of_random_options(module, m, d, seed) for module, m, d in worlds)
        assert ours.ngeom == theirs.ngeom, seed
        for a, b in zip(ours.geoms[: ours.ngeom], theirs.geoms):
            for name in FIELDS:
                x, y = getattr(a, name), getattr(b, name)
                assert x == y if name == "label" else np.allclose(x, y, atol=2e-5), (seed, a.objtype, a.objid, name, x, y)
