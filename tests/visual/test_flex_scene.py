"""Flexes in abstract scenes, with MuJoCo as the referee: shapes, faces, normals, selection, print-outs."""

import itertools

import mujoco
import numpy as np
import pytest
import sinew
from sinew import bridge

ASSETS = '<asset><texture name="t" type="2d" builtin="flat" width="4" height="4"/><material name="m" texture="t" emission="0.2"/></asset>'
BODIES = {
    "line": '<flexcomp name="soft" type="grid" dim="1" count="5 1 1" spacing="0.1 0.1 0.1" radius="0.01">{}</flexcomp>',
    "sheet": '<flexcomp name="soft" type="grid" dim="2" count="3 4 1" spacing="0.1 0.12 0.1" radius="0.02">{}</flexcomp>',
    "textured": '<flexcomp name="soft" type="direct" dim="2" point="0 0 0 .3 0 0 0 .1 .1 -.2 -.1 0" element="0 1 2 0 2 3" '
    'texcoord="0 0 1 0 0 1 .5 .25" radius="0.01" material="m" group="1">{}</flexcomp>',
    "solid": '<flexcomp name="soft" type="grid" dim="3" count="4 4 4" spacing="0.1 0.1 0.2" radius="0.01">{}</flexcomp>',
    "nodes": '<flexcomp name="soft" type="grid" dim="3" dof="trilinear" count="4 4 4" spacing="0.1 0.1 0.1" radius="0.01">'
    '{}<elasticity young="100"/></flexcomp>',
}
FLAGS = ["FLEXVERT", "FLEXEDGE", "FLEXFACE", "FLEXSKIN"]


def pair(name, flat=None):
    text = BODIES[name].format('<contact selfcollide="none"/>')
    mj_model = mujoco.MjModel.from_xml_string(
        f'<mujoco>{ASSETS}<worldbody><geom size=".1" pos="0 0 -1"/><body name="base">{text}</body></worldbody></mujoco>')
    if flat is not None:
        mj_model.flex_flatskin[:] = flat
    model = bridge.model_from_mujoco(mj_model)
    mj_data, data = mujoco.MjData(mj_model), sinew.MjData(model)
    data.qpos[:] = mj_data.qpos[:] = 0.01 * np.random.default_rng(3).standard_normal(model.nq)
    mujoco.mj_forward(mj_model, mj_data)
    sinew.mj_forward(model, data)
    return (mujoco, mj_model, mj_data), (sinew, model, data)


def scene(engine, flags, layer=0, label=None, select=-1):
    module, model, data = engine
    option, camera, perturb = module.MjvOption(), module.MjvCamera(), module.MjvPerturb()
    for name, value in zip(FLAGS, flags):
        option.flags[getattr(module.mjtVisFlag, f"mjVIS_{name}")] = value
    option.flex_layer = layer
    if label:
        option.label = getattr(module.mjtLabel, label)
    perturb.select, perturb.flexselect = 1, select
    camera.distance, camera.elevation = 1.5, -40
    made = module.MjvScene(model, 100)
    module.mjv_updateScene(model, data, option, perturb, camera, int(module.mjtCatBit.mjCAT_ALL), made)
    return made, option


def compare(theirs, ours):
    assert ours.ngeom == theirs.ngeom
    for a, b in zip(ours.geoms[: ours.ngeom], theirs.geoms[: theirs.ngeom]):
        for field in ("type", "objtype", "objid", "category", "matid", "texcoord", "segid", "dataid", "transparent"):
            assert getattr(a, field) == getattr(b, field), field
        for field in ("pos", "mat", "size", "rgba", "emission", "specular", "shininess", "reflectance"):
            np.testing.assert_allclose(getattr(a, field), getattr(b, field), atol=1e-6, err_msg=field)
        assert a.label == b.label
    for field in ("flexedgeadr", "flexedgenum", "flexvertadr", "flexvertnum", "flexfaceadr", "flexfacenum", "flexedge"):
        np.testing.assert_array_equal(np.ravel(getattr(ours, field)), np.ravel(getattr(theirs, field)), err_msg=field)


@pytest.mark.parametrize("flat", (0, 1))
@pytest.mark.parametrize("name", BODIES)
def test_faces_and_shapes_are_those_of_mujoco(name, flat):
    theirs, ours = pair(name, flat)
    textured = ours[1].flex_texcoordadr[0] >= 0
    for flags, layer in itertools.product(itertools.product((0, 1), repeat=4), (0, 1)):
        (a, _), (b, _) = scene(theirs, flags, layer), scene(ours, flags, layer)
        compare(a, b)
        if not any(flags):
            continue
        used = int(a.flexfaceused[0])
        assert used == b.flexfaceused[0], (flags, layer)
        np.testing.assert_allclose(b.flexvert, np.ravel(a.flexvert), atol=1e-6)
        np.testing.assert_allclose(b.flexface[: 9 * used], a.flexface[: 9 * used], atol=1e-6)
        np.testing.assert_allclose(b.flexnormal[: 9 * used], a.flexnormal[: 9 * used], atol=1e-5)
        if textured:
            np.testing.assert_allclose(b.flextexcoord[: 6 * used], a.flextexcoord[: 6 * used], atol=1e-6)


def test_labels_and_what_is_selected():
    theirs, ours = pair("textured")
    for options in ({"label": "mjLABEL_FLEX"}, {"select": 0}, {"select": 3}):
        compare(scene(theirs, (0, 1, 0, 1), **options)[0], scene(ours, (0, 1, 0, 1), **options)[0])


@pytest.mark.parametrize("name", ["sheet", "solid", "nodes"])
def test_the_mouse_selects_what_mujoco_selects(name):
    engines = pair(name)
    found, hits = [], 0
    for module, model, data in engines:
        made, option = scene((module, model, data), (0, 1, 0, 1))
        for x, y in itertools.product(np.linspace(0.35, 0.65, 7), repeat=2):
            point, ids = np.zeros(3), [np.full((1, 1), -7, np.int32) for _ in range(3)]
            body = module.mjv_select(model, data, option, 1.33, x, y, made, point, *ids)
            found.append([body, *(int(i.ravel()[0]) for i in ids), *(point if body >= 0 else np.zeros(3))])
            hits += body >= 0
    half = len(found) // 2
    np.testing.assert_allclose(found[half:], found[:half], atol=1e-6)
    assert hits > 20


def test_print_outs_list_the_flexes(tmp_path):
    texts = []
    for engine in pair("sheet"):
        path = tmp_path / engine[0].__name__
        engine[0].mj_printScene(scene(engine, (0, 1, 0, 1))[0], str(path))
        text = path.read_text()
        texts.append(text[text.index("FLEX DATA") : text.index("FLAGS")])
    assert texts[0] == texts[1]


@pytest.mark.parametrize("radius", [0, 0.01])
@pytest.mark.parametrize("flat", ["true", "false"])
@pytest.mark.parametrize("dim,count", [(2, "4 4 1"), (3, "4 4 3")])
def test_normals_of_skins_with_and_without_thickness(dim, count, flat, radius):
    xml = f"""<mujoco><worldbody><flexcomp type="grid" count="{count}" spacing=".1 .1 .1" radius="{radius}" name="s"
      dim="{dim}" mass="5" flatskin="{flat}"><contact selfcollide="none" internal="false"/></flexcomp></worldbody></mujoco>"""
    found = []
    for module in (mujoco, sinew):
        m = module.MjModel.from_xml_string(xml)
        d = module.MjData(m)
        module.mj_forward(m, d)
        scn, cam = module.MjvScene(m, 100), module.MjvCamera()
        module.mjv_updateScene(m, d, module.MjvOption(), None, cam, 7, scn)
        used = 9 * scn.flexfaceused[0]
        found.append((scn.flexface[:used].copy(), scn.flexnormal[:used].copy()))
    for theirs, ours in zip(*found):
        assert np.allclose(theirs, ours, atol=1e-6)


@pytest.mark.parametrize("flags", list(itertools.product((0, 1), repeat=4))[1:])
def test_vertices_and_faces_of_hidden_flexes_are_there(flags):
    """Of a group that is not shown. (When nothing of flexes is asked for, MuJoCo leaves what was in memory.)"""
    theirs, ours = pair("textured", 0)
    made = []
    for module, model, data in (theirs, ours):
        option, camera = module.MjvOption(), module.MjvCamera()
        option.flexgroup[:] = 0
        for name, value in zip(FLAGS, flags):
            option.flags[getattr(module.mjtVisFlag, f"mjVIS_{name}")] = value
        made.append(module.MjvScene(model, 100))
        module.mjv_updateScene(model, data, option, module.MjvPerturb(), camera, int(module.mjtCatBit.mjCAT_ALL), made[-1])
    a, b = made
    compare(a, b)
    used = int(a.flexfaceused[0])
    assert used == b.flexfaceused[0] and bool(used) == bool(flags[2] or flags[3])
    np.testing.assert_allclose(b.flexvert, np.ravel(a.flexvert), atol=1e-6)
    np.testing.assert_allclose(b.flexface[: 9 * used], a.flexface[: 9 * used], atol=1e-6)


def decoration(engine, *flags, depth=1):
    module, model, data = engine
    option, camera = module.MjvOption(), module.MjvCamera()
    option.flags[:] = 0
    for name in flags:
        option.flags[getattr(module.mjtVisFlag, f"mjVIS_{name}")] = 1
    option.bvh_depth = depth
    made = module.MjvScene(model, 1000)
    module.mjv_updateScene(model, data, option, module.MjvPerturb(), camera, int(module.mjtCatBit.mjCAT_ALL), made)
    return made


NODES = """<mujoco><asset><mesh name="ball" builtin="sphere" params="2"/></asset><worldbody><body name="base" pos="1 2 3" euler="10 20 30">{}</body>
  <body><freejoint/><geom type="sdf" mesh="ball"/></body></worldbody></mujoco>"""
CAGED = ('<flexcomp name="{}" type="grid" dim="3" dof="{}" count="5 5 5" spacing=".1 .1 .1" pos="{} 0 0" radius=".01">{}'
         '<contact selfcollide="none"/><elasticity young="100"/></flexcomp>')


@pytest.mark.parametrize("depth", [0, 1, 3])
@pytest.mark.parametrize("kinds", [("trilinear",), ("quadratic",), ("full", "trilinear", "quadratic")], ids="-".join)
def test_boxes_of_flexes_come_with_cages(kinds, depth):
    xml = NODES.format("".join(CAGED.format(f"f{i}", kind, i, '<pin id="0 3"/>' if i == 1 else "") for i, kind in enumerate(kinds)))
    mj_model = mujoco.MjModel.from_xml_string(xml)
    model = bridge.model_from_mujoco(mj_model)
    mj_data, data = mujoco.MjData(mj_model), sinew.MjData(model)
    data.qpos[:] = mj_data.qpos[:] = mj_data.qpos + 0.01 * np.random.default_rng(3).standard_normal(model.nq)
    mujoco.mj_forward(mj_model, mj_data)
    sinew.mj_forward(model, data)
    theirs = decoration((mujoco, mj_model, mj_data), "MESHBVH", depth=depth)
    compare(theirs, decoration((sinew, model, data), "MESHBVH", depth=depth))
    lines = sum(g.type == int(mujoco.mjtGeom.mjGEOM_LINE) for g in theirs.geoms[: theirs.ngeom])
    assert lines == 12 * ("trilinear" in kinds) + 54 * ("quadratic" in kinds)
