"""Images against MuJoCo on OSMesa: 99 % of the pixels of every scene within two levels of 255, without multisampling."""

import pathlib

import numpy as np
import osmesa
import pytest
import sinew

pytestmark = pytest.mark.skipif(not osmesa.available(), reason="OSMesa (libosmesa6) is not installed")

ROOT = pathlib.Path(__file__).resolve().parents[2]
RND = sinew.mjtRndFlag
VIS = sinew.mjtVisFlag

ASSETS = """<asset>
  <texture name="checker" type="2d" builtin="checker" rgb1=".2 .3 .4" rgb2=".6 .7 .8" width="128" height="128"/>
  <texture name="marked" type="2d" builtin="checker" mark="edge" rgb1=".2 .3 .4" rgb2=".1 .2 .3" markrgb=".8 .8 .8"
           width="300" height="300"/>
  <texture name="cube" type="cube" builtin="gradient" rgb1="1 0 0" rgb2="0 0 1" width="64" height="64"/>
  <texture name="sky" type="skybox" builtin="gradient" rgb1=".3 .5 .7" rgb2="0 0 0" width="64" height="384"/>
  <material name="floor" texture="checker" texrepeat="2 2" texuniform="true"/>
  <material name="mirror" texture="marked" texrepeat="3 3" texuniform="true" reflectance=".3"/>
  <material name="painted" texture="checker" texrepeat="4 4"/>
  <material name="cube" texture="cube"/>
  <material name="shiny" specular="1" shininess=".9" rgba=".8 .2 .2 1"/>
  <material name="lamp" emission=".7" rgba=".2 .8 .3 1"/>
  <mesh name="smooth" builtin="sphere" params="2"/>
  <mesh name="wedge" vertex="0 0 0 .5 0 0 0 .5 0 0 0 .5 .5 .5 0"/>
  <hfield name="hills" nrow="12" ncol="15" size="1 .8 .3 .1"
          elevation="%s"/>
</asset>""" % " ".join(f"{(3 * r + 5 * c) % 7}" for r in range(12) for c in range(15))


def world(geoms, light='<light pos="1 -1 3" dir="-.3 .3 -1"/>', sky=False, visual=""):
    assets = ASSETS if sky else "".join(line + "\n" for line in ASSETS.splitlines() if "skybox" not in line)
    return (f"<mujoco><visual>{visual}</visual><statistic extent='2' center='0 0 .3'/>{assets}<worldbody>{light}"
            f'<camera pos="0 -2 1" xyaxes="1 0 0 0 .4 1"/>{geoms}</worldbody></mujoco>')


FLOOR = '<geom type="plane" size="0 0 .3" material="floor"/>'
TILTED = 'pos="0 0 .4" euler="20 30 40"'
SHAPES = "".join(f'<geom type="{kind}" size="{size}" pos="{x} {y} .4" rgba="{rgba}" euler="{20 * x} 30 40"/>'
                 for kind, size, x, y, rgba in (
    ("sphere", ".2", -0.7, 0, ".8 .3 .2 1"), ("capsule", ".1 .2", -0.2, 0.2, ".3 .8 .2 1"),
    ("box", ".1 .2 .15", 0.3, 0, ".2 .3 .8 1"), ("cylinder", ".15 .2", 0.8, 0.3, ".8 .8 .2 1"),
    ("ellipsoid", ".1 .2 .3", 0.1, 0.9, ".7 .3 .7 1")))

SCENES = {
    "sphere": dict(model=world('<geom size=".6" rgba=".8 .3 .2 1"/>')),
    "ellipsoid": dict(model=world(f'<geom type="ellipsoid" size=".6 .3 .4" {TILTED}/>')),
    "capsule": dict(model=world(f'<geom type="capsule" size=".2 .4" {TILTED}/>')),
    "cylinder": dict(model=world(f'<geom type="cylinder" size=".3 .4" {TILTED}/>')),
    "box": dict(model=world(f'<geom type="box" size=".3 .4 .5" {TILTED}/>')),
    "finite plane": dict(model=world('<geom type="plane" size="1 1 .3" rgba=".8 .3 .2 1"/>')),
    "infinite plane": dict(model=world('<geom type="plane" size="0 0 .3" rgba=".8 .3 .2 1"/>')),
    "plane from below": dict(model=world('<geom type="plane" size="1 1 .3" euler="180 0 0"/>' + SHAPES)),
    "shadows of a spot light": dict(model=world(FLOOR + SHAPES)),
    "shadows of a directional light": dict(model=world(FLOOR + SHAPES, '<light directional="true" pos="1 0 3" dir="-.4 .2 -1"/>')),
    "eight of twelve lights": dict(model=world(FLOOR + SHAPES, "".join(
        f'<light pos="{k % 4 - 1.5} {k // 4 - 1} 2" diffuse=".2 .2 .1" castshadow="{str(k % 3 == 0).lower()}"/>'
        for k in range(12)))),
    "mirror": dict(model=world('<geom type="plane" size="0 0 .3" material="mirror"/>' + SHAPES, sky=True)),
    "transparent in a mirror": dict(model=world('<geom type="plane" size="0 0 .3" material="mirror"/>'
                                                + SHAPES.replace(" 1\"", " .4\""), sky=True)),
    "mirror on a box": dict(model=world('<geom type="box" size="1 1 .1" material="mirror"/>' + SHAPES)),
    "sky and haze": dict(model=world(FLOOR + SHAPES, sky=True)),
    "fog": dict(model=world(FLOOR + SHAPES, visual='<map fogstart=".5" fogend="3"/><rgba fog=".5 .5 .6 1"/>'),
                flags={RND.mjRND_FOG.value: 1}),
    "materials": dict(model=world(FLOOR + '<geom size=".3" pos="-.5 0 .3" material="shiny"/>'
                                  '<geom size=".3" pos=".4 0 .3" material="lamp"/>')),
    "painted shapes": dict(model=world(SHAPES.replace("rgba", 'material="painted" rgba'))),
    "cube texture": dict(model=world(SHAPES.replace("rgba", 'material="cube" rgba'))),
    "smooth mesh": dict(model=world(FLOOR + '<geom type="mesh" mesh="smooth" pos="0 0 .5"/>')),
    "flat mesh": dict(model=world(FLOOR + '<geom type="mesh" mesh="wedge" pos="0 0 .3" euler="0 20 40"/>')),
    "convex hull": dict(model=world(FLOOR + '<geom type="mesh" mesh="wedge" pos="0 0 .3" euler="0 20 40"/>'),
                        options={VIS.mjVIS_CONVEXHULL.value: 1}),
    "height field": dict(model=world('<geom type="hfield" hfield="hills"/>')),
    "transparent": dict(model=world(FLOOR + SHAPES.replace(" 1\"", " .4\""))),
    "additive": dict(model=world(FLOOR + SHAPES.replace(" 1\"", " .4\"")), flags={RND.mjRND_ADDITIVE.value: 1}),
    "no culling": dict(model=world(FLOOR + SHAPES), flags={RND.mjRND_CULL_FACE.value: 0}),
    "orthographic": dict(model=world(FLOOR + SHAPES).replace("<camera", '<camera projection="orthographic" fovy="2"')),
    "intrinsics": dict(model=world(FLOOR + SHAPES).replace(
        "<camera", '<camera sensorsize=".04 .03" focal=".03 .03" resolution="200 150" principal=".002 -.003"')),
    "humanoid": dict(model=str(ROOT / "models/humanoid.xml"), camera=-1, steps=50),
    "arm": dict(model=str(ROOT / "models/arm.xml"), camera=-1),
}


@pytest.fixture(scope="module")
def theirs():
    return dict(zip(SCENES, osmesa.draw_all([dict(width=200, height=150, **job) for job in SCENES.values()])))


@pytest.mark.parametrize("name", SCENES)
def test_images_agree(name, theirs):
    colours, distances, ids = osmesa.draw(sinew, width=200, height=150, **SCENES[name])
    expected_colours, expected_distances, expected_ids = theirs[name]
    off = np.abs(colours.astype(int) - expected_colours).max(-1) > 2
    assert off.mean() < 0.01, off.mean()
    different = (ids != expected_ids).any(-1)
    assert different.mean() < 0.001
    # OSMesa interpolates depth in single precision: far away on a plane it differs from rays by more than we do
    near = (expected_distances < 10) & ~different
    assert (np.abs(distances[near] / expected_distances[near] - 1) > 1e-6).mean() < 0.005


def test_multisampled_edges_agree():
    job = dict(model=world('<geom type="box" size=".3 .4 .5" pos="0 0 .4" euler="20 30 40" rgba="1 1 1 1"/>'),
               width=200, height=150, samples=4)
    ours, expected = osmesa.draw(sinew, **job)[0], osmesa.draw_all([job])[0][0]
    assert (np.abs(ours.astype(int) - expected).max(-1) > 2).mean() < 0.001


@pytest.mark.parametrize("geom", ['<geom type="box" size=".3 .4 .5" pos="0 0 .4" rgba="1 1 1 1"/>', '<geom size=".5" pos="0 0 .4"/>',
                                  '<geom type="mesh" mesh="smooth" pos="0 0 .5"/>'])
def test_wireframes_have_the_edges_of_polygons(geom):
    """Lines are free to differ by a pixel: each of ours is beside one of theirs, and the other way round."""
    job = dict(model=world(geom), width=200, height=150, flags={int(RND.mjRND_WIREFRAME): 1})
    ours, theirs = osmesa.draw(sinew, **job)[0].max(-1) > 0, osmesa.draw_all([job])[0][0].max(-1) > 0
    for a, b in ((ours, theirs), (theirs, ours)):
        wide = np.zeros_like(b)
        for dx in (-1, 0, 1):
            for dy in (-1, 0, 1):
                wide |= np.roll(b, (dy, dx), (0, 1))
        assert (a & wide).sum() > 0.9 * a.sum()
