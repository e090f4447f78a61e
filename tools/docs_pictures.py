#!/usr/bin/env python3
"""Draws the pictures of README and docs/ with Sinew's own renderer.

    PYTHONPATH=build/python python tools/docs_pictures.py SINEW

SINEW is the command line program. Where OSMesa is installed, the sheet of docs/rendering.md is drawn again:
Sinew's images on the left, MuJoCo's on the right.
"""

import pathlib
import re
import subprocess
import sys

import numpy as np
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/helpers"), str(ROOT / "tests/render")]
import osmesa  # noqa: E402
import sinew  # noqa: E402
import test_osmesa  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
SHEET = ["shadows of a spot light", "mirror", "sky and haze", "painted shapes", "transparent", "height field",
         "materials", "humanoid"]


def film(program):
    """The run that README shows."""
    subprocess.run([program, "run", ROOT / "models/humanoid.xml", "--time", "1.6", "--camera", "follow", "--size",
                    "320x240", "--record", PICTURES / "humanoid.gif"], check=True, stdout=subprocess.DEVNULL)


def sheet():
    """Pairs of images, two pairs to a row."""
    jobs = [dict(width=240, height=180, **{**test_osmesa.SCENES[name], "samples": 4}) for name in SHEET]
    pairs = [np.concatenate([osmesa.draw(sinew, **job)[0], theirs[0]], axis=1)
             for job, theirs in zip(jobs, osmesa.draw_all(jobs))]
    rows = [np.concatenate(pairs[i : i + 2], axis=1) for i in range(0, len(pairs), 2)]
    Image.fromarray(np.concatenate(rows)).save(PICTURES / "side-by-side.png", optimize=True)


LIGHT = """<visual><headlight ambient=".3 .3 .3" diffuse=".3 .3 .3"/><global offwidth="960"/></visual><asset>
  <texture name="grid" type="2d" builtin="checker" rgb1=".8 .8 .8" rgb2=".7 .7 .7" width="200" height="200"/>
  <material name="grid" texture="grid" texrepeat="20 20"/></asset>"""
FLOOR = """<light pos="1 -1 4" dir="-.2 .2 -1" diffuse=".7 .7 .7"/><geom type="plane" size="4 4 .1" material="grid"/>
  <camera name="c" pos="0 -2.4 1.3" xyaxes="1 0 0 0 .45 .89"/>"""


def deformable(world, bodies, steps, size=(480, 270)):
    """Image of a world with deformables after some steps."""
    model = sinew.MjModel.from_xml_string(f"""<mujoco><option timestep=".005"/>{LIGHT}
      <worldbody>{FLOOR}{world}</worldbody>{bodies}</mujoco>""")
    data = sinew.MjData(model)
    sinew.mj_step(model, data, steps)
    with sinew.Renderer(model, size[1], size[0]) as renderer:
        renderer.update_scene(data, camera="c")
        return renderer.render()


def deformables():
    """What docs/deformables.md shows."""
    image = deformable(
        """<geom size=".25" pos="-.8 0 .3" rgba=".5 .5 .6 1"/>
        <geom type="box" size=".25 .25 .15" pos="0 0 .15" rgba=".6 .5 .4 1"/>
        <geom type="cylinder" size=".04 .35" pos=".8 0 .5" euler="90 0 0" rgba=".5 .5 .5 1"/>""",
        """<deformable><sinew:cloth count="40 40 1" spacing=".025 .025 1" pos="-.8 0 .6" rgba=".8 .25 .2 1"
          selfcollide="true" bend_compliance="300"
          damping="1"/><sinew:softbody count="6 6 6" spacing=".05 .05 .05" pos="0 0 .5" preset="gelatin" young="3e4"
          rgba=".3 .7 .35 1" damping="1"/><sinew:chain count="50 1 1" spacing=".02 1 1" pos=".83 0 .6" radius=".015"
          bend_compliance="10" rgba=".85 .7 .3 1" damping="1" friction="1"/></deformable>""", 300)
    Image.fromarray(image).save(PICTURES / "deformables.png", optimize=True)
    ball = '<geom size=".35" pos="0 0 .4" rgba=".5 .5 .6 1"/>'
    grid = 'count="20 20 1" spacing=".06 .06 1" pos="0 0 .8" rgba=".8 .25 .2 1"'
    flex = deformable(f"""{ball}<flexcomp name="f" type="grid" dim="2" {grid} radius=".008" mass=".5">
      <edge equality="true" damping=".01"/><contact selfcollide="none"/></flexcomp>""", "", 250, (360, 240))
    bodies = f'<deformable><sinew:cloth {grid} thickness=".016" bend_compliance="100" mass=".5"/></deformable>'
    cloth = deformable(ball, bodies, 250, (360, 240))
    Image.fromarray(np.concatenate([flex, cloth], axis=1)).save(PICTURES / "flex-and-deformable.png", optimize=True)


def tile(images, columns):
    """Images of one size as rows of a sheet, one pixel apart."""
    padded = [np.pad(image, ((0, 1), (0, 1), (0, 0)), constant_values=255) for image in images]
    rows = [np.concatenate(padded[i : i + columns], axis=1) for i in range(0, len(padded), columns)]
    return np.concatenate(rows)[:-1, :-1]


def batch():
    """Worlds of a batch, as docs/batch.md shows them."""
    model = sinew.MjModel.from_xml_path(str(ROOT / "models/humanoid.xml"))
    worlds = sinew.Batch(model, 24, device="cpu")
    worlds.reset(seed=1, scale=0.3)
    worlds.step(60)
    Image.fromarray(tile(worlds.render("follow", 80, 80), 12)).save(PICTURES / "batch.png", optimize=True)


def modes():
    """One state in colour, depth and segmentation, and a figure: docs/rendering.md."""
    model = sinew.MjModel.from_xml_path(str(ROOT / "models/humanoid.xml"))
    data = sinew.MjData(model)
    heights = []
    for _ in range(150):
        sinew.mj_step(model, data)
        heights.append((data.time, data.qpos[2], data.qvel[2]))
    with sinew.Renderer(model, 180, 240) as renderer:
        renderer.update_scene(data, "follow")
        images = [renderer.render()]
        renderer.enable_depth_rendering()
        depth = np.clip(renderer.render() / 8, 0, 1)
        images.append(np.repeat((255 * (1 - depth)).astype(np.uint8)[..., None], 3, axis=2))
        renderer.enable_segmentation_rendering()
        palette = np.random.default_rng(3).integers(60, 255, (1000, 3), dtype=np.uint8)
        ids = renderer.render()[..., 0]
        images.append(np.where(ids[..., None] < 0, 0, palette[ids]).astype(np.uint8))
    Image.fromarray(tile([*images, figure(heights)], 4)).save(PICTURES / "modes.png", optimize=True)


def figure(heights):
    """Height and speed of the fall, by mjr_figure."""
    plot = sinew.MjvFigure()
    sinew.mjv_defaultFigure(plot)
    plot.title, plot.xlabel, plot.xformat = "the fall", "time (s)", "%.1f"
    plot.gridsize[:] = 3, 5
    plot.range[:] = 0
    for line, name in enumerate(("height", "speed")):
        plot.linename[line] = name
        plot.linepnt[line] = len(heights)
        plot.linedata[line][: 2 * len(heights)] = np.array([(row[0], row[1 + line]) for row in heights]).ravel()
    context = sinew.MjrContext(sinew.MjModel.from_xml_string("<mujoco/>"), 50)
    sinew.mjr_changeFont(50, context)
    pixels = np.empty((180, 240, 3), np.uint8)
    sinew.mjr_figure(sinew.MjrRect(0, 0, 240, 180), plot, context)
    sinew.mjr_readPixels(pixels, None, sinew.MjrRect(0, 0, 240, 180), context)
    context.free()
    return pixels[::-1]


def models():
    """The models that come with the repository, and those of examples that hold their XML: README."""
    paths = [ROOT / "models/humanoid.xml", ROOT / "models/arm.xml"]
    loaded = [sinew.MjModel.from_xml_path(str(path)) for path in paths]
    for name in ("randomise", "soft_gripper"):
        text = (ROOT / "examples/python" / f"{name}.py").read_text()
        loaded.append(sinew.MjModel.from_xml_string(re.search(r'= """\s*(<mujoco.*?)"""', text, re.S)[1]))
    images = []
    for model in loaded:
        data = sinew.MjData(model)
        model.vis.headlight.ambient[:], model.vis.headlight.diffuse[:] = 0.4, 0.6
        sinew.mj_step(model, data, 40)
        with sinew.Renderer(model, 180, 240) as renderer:
            renderer.update_scene(data)
            images.append(renderer.render())
    Image.fromarray(tile(images, 4)).save(PICTURES / "models.png", optimize=True)


def main():
    PICTURES.mkdir(exist_ok=True)
    film(sys.argv[1])
    deformables()
    batch()
    modes()
    models()
    if osmesa.available():
        sheet()


if __name__ == "__main__":
    main()
