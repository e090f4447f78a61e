"""Ten small scenes whose pixels are known from measurements of MuJoCo: they hold to one level of 255."""

import numpy as np
import osmesa
import pytest
import sinew

AMBIENT = '<headlight ambient="1 1 1" diffuse="0 0 0" specular="0 0 0"/>'
COLOURS = {"red": (255, 0, 0), "green": (0, 255, 0), "blue": (0, 0, 255), "yellow": (255, 255, 0),
           "cyan": (0, 255, 255), "magenta": (255, 0, 255), "white": (255, 255, 255)}
FACES = np.repeat([COLOURS[c] for c in "red green blue yellow cyan magenta".split()], 4, 0).ravel()


def model(world, visual="", asset=""):
    return (f"<mujoco><visual>{visual}</visual><statistic extent='2' center='0 0 0'/>{asset}"
            f"<worldbody>{world}</worldbody></mujoco>")


def check(image, pixels, mean=None):
    for (row, column), colour in pixels.items():
        assert np.abs(image[row, column].astype(int) - colour).max() <= 1, (row, column, image[row, column], colour)
    if mean is not None:
        assert abs(image.mean() - mean) < 0.1


def draw(xml, size=64, **kwargs):
    return osmesa.draw(sinew, xml, size, size, **kwargs)


FLOOR = '<camera pos="0 -2 2" xyaxes="1 0 0 0 1 1"/><geom type="plane" size="1 1 .25" rgba="1 .5 .25 1"/>'


def test_headlight_on_a_plane():
    shade = (98, 49, 24)
    check(draw(model(FLOOR))[0], {(32, 32): shade, (20, 32): shade, (45, 20): shade, (2, 2): 0}, 32.5913)


def test_fog_hides_what_is_far_but_not_the_background():
    visual = '<map fogstart="1" fogend="2"/><rgba fog=".2 .4 .6 1"/>'
    image = draw(model(FLOOR, visual), flags={sinew.mjtRndFlag.mjRND_FOG.value: 1})[0]
    check(image, {(32, 32): (79, 70, 77), (20, 32): (67, 84, 109), (45, 20): (88, 60, 51), (2, 2): 0}, 40.9495)


def test_spot_light_on_a_sphere():
    world = ('<camera pos="0 -3 0" xyaxes="1 0 0 0 0 1"/><light pos="2 -2 3" dir="-2 2 -3" castshadow="false"/>'
             '<geom size=".8" rgba=".8 .3 .2 1"/>')
    check(draw(model(world))[0], {(32, 32): (197, 110, 93), (20, 32): (180, 69, 47), (24, 40): (196, 81, 58),
                                  (44, 24): (87, 33, 22), (32, 45): (153, 58, 38)}, 24.3123)


@pytest.mark.parametrize("shadow", [1, 0])
def test_shadow_of_a_box(shadow):
    world = ('<camera pos="0 0 4"/><light pos="1 0 3" dir="-1 0 -3"/>'
             '<geom type="plane" size="1.5 1.5 .1" rgba=".8 .8 .8 1"/>'
             '<geom type="box" size=".3 .3 .3" pos="0 0 .5" rgba="0 .6 .9 1"/>')
    image = draw(model(world), flags={sinew.mjtRndFlag.mjRND_SHADOW.value: shadow})[0]
    if shadow:
        check(image, {(32, 32): (72, 242, 255), (32, 21): 157, (32, 16): 244, (32, 50): 247, (10, 32): 209}, 161.8215)
    else:
        check(image, {(32, 32): (73, 242, 255), (32, 21): 255, (32, 16): 245, (32, 50): 242, (10, 32): 209}, 165.1325)


@pytest.mark.parametrize("geom,mean", [('type="plane" size="1 1 1"', 112.0605), ('type="box" size="1 1 .1"', 119.6558)])
def test_texture_is_upright_and_repeats(geom, mean):
    texels = np.zeros((4, 4, 3), np.uint8)
    texels[:2, :2], texels[:2, 2:] = COLOURS["red"], COLOURS["green"]
    texels[2:, :2], texels[2:, 2:] = COLOURS["blue"], COLOURS["white"]
    asset = ('<asset><texture name="t" type="2d" builtin="flat" width="4" height="4"/>'
             '<material name="m" texture="t" texrepeat="2 1"/></asset>')
    world = f'<camera pos="0 0 2.6"/><geom {geom} material="m" rgba="1 1 1 1"/>'
    image = draw(model(world, AMBIENT, asset), texels=texels.ravel())[0]
    for row, names in ((12, "green red green red"), (52, "white blue white blue")):
        check(image, {(row, column): COLOURS[name] for column, name in zip((12, 24, 40, 52), names.split())}, mean)


@pytest.mark.parametrize("camera,colour", [
    ('pos="3 0 0" xyaxes="0 1 0 0 0 1"', "red"), ('pos="-3 0 0" xyaxes="0 -1 0 0 0 1"', "green"),
    ('pos="0 3 0" xyaxes="-1 0 0 0 0 1"', "blue"), ('pos="0 -3 0" xyaxes="1 0 0 0 0 1"', "yellow"),
    ('pos="0 0 3"', "cyan"), ('pos="0 0 -3" xyaxes="1 0 0 0 -1 0"', "magenta")])
def test_faces_of_a_cube_texture(camera, colour):
    asset = ('<asset><texture name="t" type="cube" builtin="flat" width="2" height="12"/>'
             '<material name="m" texture="t"/></asset>')
    world = f'<camera {camera}/><geom type="box" size=".5 .5 .5" material="m" rgba="1 1 1 1"/>'
    check(draw(model(world, AMBIENT, asset), texels=FACES)[0], {(32, 32): COLOURS[colour]})


@pytest.mark.parametrize("axes,colour", [
    ("0 -1 0 0 0 1", "red"), ("0 1 0 0 0 1", "green"), ("1 0 0 0 -1 0", "blue"), ("1 0 0 0 1 0", "yellow"),
    ("-1 0 0 0 0 1", "cyan"), ("1 0 0 0 0 1", "magenta")])
def test_sides_of_the_sky(axes, colour):
    asset = '<asset><texture type="skybox" builtin="flat" width="2" height="12"/></asset>'
    check(draw(model(f'<camera xyaxes="{axes}"/>', "", asset), texels=FACES)[0], {(32, 32): COLOURS[colour]})


@pytest.mark.parametrize("haze", [1, 0])
def test_haze_where_floor_and_sky_meet(haze):
    asset = ('<asset><texture type="skybox" builtin="gradient" rgb1="1 1 1" rgb2="0 0 1" width="32" height="192"/>'
             "</asset>")
    world = '<camera pos="0 0 2" xyaxes="1 0 0 0 0 1"/><geom type="plane" size="0 0 1" rgba=".2 .6 .2 1"/>'
    image = draw(model(world, "", asset), 65, flags={sinew.mjtRndFlag.mjRND_HAZE.value: haze})[0]
    check(image, {(2, 32): (169, 169, 255), (30, 32): (130, 130, 255), (31, 32): (129, 129, 255),
                  (32, 32): (127, 127, 255), (60, 32): (5, 15, 5)}, 105.7142 if haze else 102.7605)
    crest = {(33, 32): (191, 191, 255), (34, 32): (244, 244, 255)}
    check(image, crest if haze else {(33, 32): (125, 125, 255), (34, 32): (124, 124, 255)})


@pytest.mark.parametrize("reflection", [1, 0])
def test_mirror_adds_the_reflected_scene(reflection):
    visual = '<headlight ambient=".5 .5 .5" diffuse="0 0 0" specular="0 0 0"/>'
    asset = '<asset><material name="r" reflectance=".5" rgba=".2 .2 .2 1"/></asset>'
    world = ('<camera pos="0 -2 1" xyaxes="1 0 0 0 1 2"/><geom type="plane" size="1 1 1" material="r"/>'
             '<geom type="box" size=".5 .1 .5" pos="0 .4 .5" rgba="1 .5 0 1"/>')
    image = draw(model(world, visual, asset), flags={sinew.mjtRndFlag.mjRND_REFLECTION.value: reflection})[0]
    seen = (90, 58, 26) if reflection else (26, 26, 26)
    check(image, {(38, 32): seen, (20, 32): (128, 64, 0), (45, 4): (26, 26, 26)}, 33.2205 if reflection else 27.8924)


@pytest.mark.parametrize("additive", [0, 1])
def test_transparent_boxes_blend_twice(additive):
    world = ('<camera pos="0 0 3"/><geom type="plane" size="1 1 1" rgba="1 1 1 1"/>'
             '<geom type="box" size=".4 .4 .1" pos="-.2 0 .3" rgba="1 0 0 .5"/>'
             '<geom type="box" size=".4 .4 .1" pos=".2 0 .7" rgba="0 0 1 .25"/>')
    image = draw(model(world, AMBIENT), flags={sinew.mjtRndFlag.mjRND_ADDITIVE.value: additive})[0]
    places = ((32, 20), (32, 32), (32, 46), (10, 32))
    colours = [(255, 63, 63), (179, 35, 111), (143, 143, 255), 255] if not additive else [255] * 4
    check(image, dict(zip(places, colours)), None if additive else 140.3138)


DEPTH = ('<mujoco><visual><map znear="0.01" zfar="50"/></visual><statistic extent="1"/><worldbody>'
         '<camera pos="0 0 3" fovy="45"/><geom type="plane" size="1 1 .1"/>'
         '<geom type="box" size=".5 .5 .2" pos="0 0 .2"/><site type="sphere" size=".2" pos=".6 .6 .3"/>'
         "</worldbody></mujoco>")


def test_depth_in_metres():
    depth = draw(DEPTH, 65)[1]
    for place, value in {(32, 32): 2.6, (54, 32): 3.0, (15, 49): 2.516046, (0, 0): 50.001705}.items():
        assert abs(depth[place] - value) <= 1e-6 * value
    assert depth.dtype == np.float32 and abs(depth[:30, 40:].min() - 2.50078) < 1e-5


def test_segmentation_gives_object_and_type():
    ids = draw(DEPTH, 65)[2]
    assert ids.dtype == np.int32 and ids.shape == (65, 65, 2)
    for place, value in {(32, 32): (1, 5), (54, 32): (0, 5), (15, 49): (0, 6), (0, 0): (-1, -1)}.items():
        assert tuple(ids[place]) == value
    kinds, counts = np.unique(ids.reshape(-1, 2), axis=0, return_counts=True)
    assert dict(zip(map(tuple, kinds.tolist()), counts)) == {(-1, -1): 1416, (0, 5): 1742, (1, 5): 958, (0, 6): 109}


def test_segmentation_colours():
    m = sinew.MjModel.from_xml_string(DEPTH)
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    with sinew.Renderer(m, 65, 65) as renderer:
        renderer.update_scene(d, 0)
        renderer.scene.flags[sinew.mjtRndFlag.mjRND_SEGMENT] = 1
        check(renderer.render(), {(32, 32): (191, 169, 83), (54, 32): (89, 101, 42), (15, 49): (64, 56, 123), (0, 0): 0})
        renderer.scene.flags[sinew.mjtRndFlag.mjRND_IDCOLOR] = 1
        check(renderer.render(), {(32, 32): (2, 0, 0), (54, 32): (1, 0, 0), (15, 49): (3, 0, 0), (0, 0): 0})
