"""The renderer's interface: sizes, cameras, modes, arrays, errors; and that rays agree with images."""

import pathlib

import numpy as np
import pytest
import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = sorted((ROOT / "models").glob("*.xml")) + [
    p for p in sorted((ROOT / "tests/models").rglob("*.xml"))
    if "flex" not in p.stem and "skin" not in p.stem and "<mujocoinclude" not in p.read_text()][::3]
SCENE = """<mujoco><statistic extent="2"/><worldbody><light pos="0 0 3"/><camera name="top" pos="0 0 3"/>
  <geom type="plane" size="1 1 .1"/><body name="b" pos="0 0 .5"><freejoint/><geom name="g" size=".3" rgba="1 0 0 1"/></body>
</worldbody></mujoco>"""


@pytest.fixture
def scene():
    m = sinew.MjModel.from_xml_string(SCENE)
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    return m, d


def test_image_has_the_size_and_the_object(scene):
    m, d = scene
    with sinew.Renderer(m, 48, 64) as renderer:
        renderer.update_scene(d, "top")
        image = renderer.render()
        assert image.shape == (48, 64, 3) and image.dtype == np.uint8
        assert image[24, 32, 0] > 100 and image[24, 32, 1] < image[24, 32, 0]
        m.geom("g").rgba = [0, 1, 0, 1]
        renderer.update_scene(d, "top")
        assert renderer.render()[24, 32, 1] > 100


def test_result_may_be_given(scene):
    m, d = scene
    with sinew.Renderer(m, 48, 64) as renderer:
        renderer.update_scene(d, 0)
        out = np.empty((48, 64, 3), np.uint8)
        assert renderer.render(out=out) is out and out.any()
        with pytest.raises(ValueError, match="Expected `out.shape"):
            renderer.render(out=np.empty((48, 64), np.uint8))
        renderer.enable_depth_rendering()
        depth = np.empty((48, 64), np.float32)
        assert renderer.render(out=depth) is depth and abs(depth[24, 32] - 2.2) < 0.01


def test_modes_exclude_each_other_and_leave_flags_alone(scene):
    m, d = scene
    with sinew.Renderer(m, 48, 64) as renderer:
        renderer.update_scene(d, 0)
        renderer.enable_depth_rendering()
        renderer.enable_segmentation_rendering()
        assert renderer.render().shape == (48, 64, 2)
        assert not renderer.scene.flags[sinew.mjtRndFlag.mjRND_SEGMENT]
        renderer.disable_segmentation_rendering()
        assert renderer.render().shape == (48, 64, 3)


def test_cameras_that_do_not_exist_are_named(scene):
    m, d = scene
    with sinew.Renderer(m) as renderer:
        with pytest.raises(ValueError, match='The camera "side" does not exist.'):
            renderer.update_scene(d, "side")
        with pytest.raises(ValueError, match=r"The camera id 1 is out of range \[-1, 1\)."):
            renderer.update_scene(d, 1)


def test_options_choose_what_is_drawn(scene):
    m, d = scene
    option = sinew.MjvOption()
    option.geomgroup[:] = 0
    with sinew.Renderer(m) as renderer:
        renderer.update_scene(d, 0, option)
        assert not renderer.render().any()


def test_sizes_beyond_the_buffer_are_refused(scene):
    m, _ = scene
    with pytest.raises(ValueError, match="Image width 641 > framebuffer width 640"):
        sinew.Renderer(m, 480, 641)
    with pytest.raises(ValueError, match="Image height 481 > framebuffer height 480"):
        sinew.Renderer(m, 481, 640)
    with pytest.raises(ValueError, match="0 x 10"):
        sinew.Renderer(m, 10, 0)
    m.vis.global_.offwidth = 1 << 30
    with pytest.raises(sinew.FatalError, match="sizes from 1 to"):
        sinew.Renderer(m)


def test_closed_renderer_says_so(scene):
    m, d = scene
    renderer = sinew.Renderer(m)
    renderer.close()
    renderer.close()
    with pytest.raises(RuntimeError, match="render cannot be called after close"):
        renderer.render()


def test_poses_that_are_no_numbers_are_left_out(scene):
    m, d = scene
    with sinew.Renderer(m, 48, 64) as renderer:
        renderer.update_scene(d, 0)
        for geom in renderer.scene.geoms[: renderer.scene.ngeom]:
            geom.pos = np.nan
        assert not renderer.render().any()
        renderer.update_scene(d, 0)
        for camera in renderer.scene.camera:
            camera.pos = np.nan
        renderer.render()


def test_shapes_without_assets_are_left_out(scene):
    m, d = scene
    with sinew.Renderer(m, 48, 64) as renderer:
        renderer.update_scene(d, 0)
        for geom in renderer.scene.geoms[: renderer.scene.ngeom]:
            geom.type, geom.dataid, geom.matid = int(sinew.mjtGeom.mjGEOM_MESH), 99, 99
        assert not renderer.render().any()


def test_missing_textures_are_named_and_materials_without_one_are_plain():
    world = """<mujoco><visual><headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/></visual><asset>
      <texture name="t" type="2d" {}/><material name="m" texture="t"/></asset>
      <worldbody><camera pos="0 0 3"/><geom type="plane" size="1 1 1" material="m" rgba="1 0 0 1"/></worldbody></mujoco>"""
    with pytest.raises(ValueError, match="none.png"):
        sinew.MjModel.from_xml_string(world.format('file="none.png"'))
    m = sinew.MjModel.from_xml_string(world.format('builtin="flat" rgb1="0 1 0" width="4" height="4"'))
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    for texture, colour in ((0, (0, 0, 0)), (-1, (255, 0, 0)), (99, (255, 0, 0))):
        m.mat_texid[:] = texture
        with sinew.Renderer(m, 48, 64) as renderer:
            renderer.update_scene(d, 0)
            assert tuple(renderer.render()[24, 32]) == colour, texture


def test_ten_thousand_geoms():
    spheres = "".join(f'<geom size=".01" pos="{i % 100 / 50 - 1} {i // 100 / 50 - 1} 0"/>' for i in range(10000))
    m = sinew.MjModel.from_xml_string(
        f'<mujoco><statistic extent="2" center="0 0 0"/><worldbody><camera pos="0 0 3"/>{spheres}</worldbody></mujoco>')
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    with sinew.Renderer(m, 120, 120, max_geom=20000) as renderer:
        renderer.update_scene(d, 0)
        renderer.enable_segmentation_rendering()
        ids = renderer.render()[..., 0]
        assert len(np.unique(ids)) > 1000


def test_rectangles_and_pixels(scene):
    m, _ = scene
    context, rect = sinew.MjrContext(m, 100), sinew.MjrRect(0, 0, 8, 8)
    sinew.mjr_setBuffer(sinew.mjtFramebuffer.mjFB_OFFSCREEN, context)
    sinew.mjr_rectangle(sinew.MjrRect(0, 0, 8, 8), 1, 1, 1, 1)
    sinew.mjr_rectangle(sinew.MjrRect(2, 3, 4, 2), 0, 0, 1, 0.5)
    flat = np.zeros(3 * 64, np.uint8)
    sinew.mjr_readPixels(flat, None, rect, context)
    expected = np.full((8, 8, 3), 255)
    expected[3:5, 2:6] = (127, 127, 255)
    assert np.array_equal(flat.reshape(8, 8, 3), expected)
    with pytest.raises(ValueError, match="192 are needed"):
        sinew.mjr_readPixels(np.zeros(10, np.uint8), None, rect, context)
    sinew.mjr_drawPixels(np.zeros(3 * 64, np.uint8), None, rect, context)
    sinew.mjr_readPixels(flat, None, rect, context)
    assert not flat.any() and sinew.mjr_findRect(3, 4, 1, rect) == 0 and sinew.mjr_findRect(9, 0, 1, rect) == -1
    context.free()
    context.free()
    with pytest.raises(sinew.FatalError, match="has not been made"):
        sinew.mjr_readPixels(flat, None, rect, context)


def test_overlays_lie_where_mujoco_puts_them(scene):
    m, _ = scene
    context, rect = sinew.MjrContext(m, 150), sinew.MjrRect(0, 0, 200, 120)
    corners = [(5, 81), (140, 81), (5, 5), (140, 5), (67, 81), (67, 5), (5, 37), (140, 37)]
    for place, (left, bottom) in enumerate(corners):
        sinew.mjr_rectangle(rect, 1, 1, 1, 1)
        sinew.mjr_overlay(sinew.mjtFont.mjFONT_NORMAL, place, rect, "AiW", None, context)
        image = np.zeros((120, 200, 3), np.uint8)
        sinew.mjr_readPixels(image, None, rect, context)
        rows, columns = np.nonzero(image[..., 0] == 127)
        found = columns.min(), rows.min(), np.ptp(columns) + 1, np.ptp(rows) + 1
        assert found == (left, bottom, 54, 33)
        assert (image == 255).all(-1)[rows.min() : rows.max(), columns.min() : columns.max()].any()


def test_labels_are_white_with_a_black_halo(scene):
    m, d = scene
    option = sinew.MjvOption()
    option.label = int(sinew.mjtLabel.mjLABEL_BODY)
    with sinew.Renderer(m) as renderer:
        renderer.update_scene(d, 0)
        plain = renderer.render()
        renderer.update_scene(d, 0, option)
        changed = renderer.render()[(renderer.render() != plain).any(-1)]
        assert len(changed) and set(map(tuple, changed.tolist())) == {(0, 0, 0), (255, 255, 255)}


def test_viewports_outside_of_the_buffer_are_refused(scene):
    m, d = scene
    with sinew.Renderer(m) as renderer:
        renderer.update_scene(d, 0)
        with pytest.raises(sinew.FatalError, match="not inside"):
            sinew.mjr_render(sinew.MjrRect(600, 0, 100, 100), renderer.scene, renderer._mjr_context)


def rays(m, d, width, height):
    """What rays through the centres of pixels of the free camera hit: distance along the axis, geom."""
    with sinew.Renderer(m, height, width) as renderer:
        renderer.update_scene(d)
        camera = renderer.scene.camera[0]
        renderer.enable_depth_rendering()
        depth = renderer.render()
        renderer.enable_segmentation_rendering()
        ids = renderer.render()
    forward, up = camera.forward.astype(float), camera.up.astype(float)
    right = np.cross(forward, up)
    pos = 0.5 * (renderer.scene.camera[0].pos.astype(float) + renderer.scene.camera[1].pos)
    top, near = float(camera.frustum_top), float(camera.frustum_near)
    x = ((np.arange(width) + 0.5) / width * 2 - 1) * top * width / height / near
    y = (1 - (np.arange(height) + 0.5) / height * 2) * top / near
    hit, distance = np.full((height, width), -1), np.full((height, width), -1.0)
    geom = np.zeros(1, np.int32)
    for i in range(height):
        for j in range(width):
            ray = forward + x[j] * right + y[i] * up
            length = np.linalg.norm(ray)
            groups = np.array([1, 1, 1, 0, 0, 0], np.uint8)
            found = sinew.mj_ray(m, d, pos, ray / length, groups, 1, -1, geom)
            hit[i, j], distance[i, j] = geom[0], found / length
    return depth, ids, hit, distance


def inner(ids):
    """Pixels whose neighbours all show the same object."""
    same = np.ones(ids.shape, bool)
    for shift in (-1, 1):
        for axis in (0, 1):
            same &= ids == np.roll(ids, shift, axis)
    same[[0, -1]] = same[:, [0, -1]] = False
    return same


@pytest.mark.parametrize("path", MODELS, ids=lambda p: p.stem)
def test_segmentation_is_what_rays_hit(path):
    m = sinew.MjModel.from_xml_path(str(path))
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    if m.nsite or m.ntendon or m.nskin:
        m.site_rgba[:, 3] = m.tendon_rgba[:, 3] = 0
        m.skin_group[:] = 5
    depth, ids, hit, distance = rays(m, d, 48, 36)
    ours = np.where(ids[..., 1] == int(sinew.mjtObj.mjOBJ_GEOM), ids[..., 0], -1)
    shown = (ids[..., 1] == -1) | (ids[..., 1] == int(sinew.mjtObj.mjOBJ_GEOM))
    here = inner(ours) & inner(hit) & shown
    # geoms that coincide: either may be drawn
    wrong = here & (ours != hit) & ~(np.abs(depth / distance - 1) < 1e-2)
    # round shapes are polygons, a little smaller than what rays hit
    assert wrong.sum() <= 0.01 * max(here.sum(), 1), (wrong.sum(), here.sum())


def test_depth_of_flat_shapes_is_the_distance_of_rays():
    m = sinew.MjModel.from_xml_string("""<mujoco><statistic extent="2" center="0 0 .3"/><worldbody>
      <geom type="plane" size="3 3 .1"/><geom type="box" size=".2 .3 .4" pos="0 0 .5" euler="10 20 30"/>
      <geom type="box" size=".5 .1 .2" pos=".5 .2 .3" euler="40 -20 70"/></worldbody></mujoco>""")
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    depth, ids, hit, distance = rays(m, d, 64, 48)
    here = inner(ids[..., 0]) & inner(hit) & (hit >= 0)
    assert here.sum() > 1000
    assert np.abs(depth[here] / distance[here] - 1).max() < 1e-6
