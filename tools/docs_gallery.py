#!/usr/bin/env python3
"""Pictures of the tutorial and of the page of concepts, and the gallery: docs/gallery.md with a picture of every model.

    PYTHONPATH=build/python python tools/docs_gallery.py          (part of `make docs-pictures`)
"""

import pathlib
import re

import numpy as np
import sinew
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
# folders of models, with what is said of them
PARTS = {
    "models": "Models that come with Sinew: `sinew run FILE`, `sinew view FILE`, or `MjModel.from_xml_path`.",
    "examples/python": "Models inside of the example programs, which show what can be done with them.",
    "tests/models/flex_motion": "Flexes that the tests step beside MuJoCo.",
    "tests/models/deform": "Deformables, moved by XPBD, of the tests.",
}
COLOURS = [(0.85, 0.35, 0.25, 1), (0.25, 0.5, 0.7, 1), (0.4, 0.65, 0.35, 1), (0.85, 0.65, 0.25, 1)]
PAGE = """# Gallery

Every model here is drawn by Sinew itself, after a second of simulation. `make docs-pictures` writes this page.
"""


def save(image, name):
    """A picture with few colours, so that the repository stays small."""
    Image.fromarray(image).quantize(96, dither=Image.Dither.NONE).save(PICTURES / name, optimize=True)


def texts(folder):
    """{name: (path, XML or None)} of the models in a folder"""
    for path in sorted((ROOT / folder).glob("*.xml")):
        yield path, None
    for path in sorted((ROOT / folder).glob("*.py")):
        found = re.search(r'= """\s*(<mujoco.*?)"""', path.read_text(), re.S)
        if found:
            yield path, found[1]


def load(path, text):
    """A model, on a light background unless it has one; None when it needs what is not there."""
    try:
        spec = sinew.MjSpec.from_string(text) if text else sinew.MjSpec.from_file(str(path))
        if not any(t.type == sinew.mjtTexture.mjTEXTURE_SKYBOX for t in spec.textures):
            spec.add_texture(name="gallery", type=sinew.mjtTexture.mjTEXTURE_SKYBOX, builtin=sinew.mjtBuiltin.mjBUILTIN_FLAT,
                             rgb1=[0.93, 0.94, 0.96], width=8, height=48)
        model = spec.compile()
    except (ValueError, sinew.FatalError):
        return None
    model.vis.headlight.ambient[:], model.vis.headlight.diffuse[:] = 0.35, 0.55
    for kind, colours in (("geom", model.geom_rgba), ("flex", model.flex_rgba), ("deformable", model.deformable_rgba)):
        for i in range(len(colours)):
            if np.all(colours[i] == (0.5, 0.5, 0.5, 1)):  # nobody chose it
                plane = kind == "geom" and model.geom_type[i] == sinew.mjtGeom.mjGEOM_PLANE
                colours[i] = (0.85, 0.86, 0.88, 1) if plane else COLOURS[(i + (kind != "geom")) % len(COLOURS)]
    return model


def camera(model, data):
    """A free camera on what is there, planes aside."""
    there = [data.geom_xpos[model.geom_type != sinew.mjtGeom.mjGEOM_PLANE], data.flexvert_xpos.reshape(-1, 3),
             data.deformvert_xpos.reshape(-1, 3)]
    points = np.concatenate(there)
    low, high = points.min(axis=0), points.max(axis=0)
    view = sinew.MjvCamera()
    sinew.mjv_defaultFreeCamera(model, view)
    view.lookat[:] = (low + high) / 2
    bound = model.geom_rbound[model.geom_type != sinew.mjtGeom.mjGEOM_PLANE]
    view.distance = 1.6 * np.linalg.norm(high - low) + 2.2 * (bound.max() if len(bound) else 0) + 0.05
    view.elevation = -25
    return view


def picture(model, seconds=1.0, size=(240, 320)):
    data = sinew.MjData(model)
    if model.nkey:
        sinew.mj_resetDataKeyframe(model, data, 0)
    for _ in range(min(int(seconds / model.opt.timestep), 1000)):
        sinew.mj_step(model, data)
    model.vis.global_.offheight, model.vis.global_.offwidth = max(size), max(size)
    with sinew.Renderer(model, *size) as renderer:
        renderer.update_scene(data, camera=camera(model, data))
        return renderer.render()


def sizes(model):
    counts = {"bodies": model.nbody - 1, "degrees of freedom": model.nv, "actuators": model.nu, "sensors": model.nsensor,
              "flexes": model.nflex, "deformables": model.ndeformable}
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def gallery():
    lines = [PAGE]
    for folder, words in PARTS.items():
        cells = []
        for path, text in texts(folder):
            model = load(path, text)
            if model is None:
                continue
            name = f"model-{path.parent.name}-{path.stem}.png".replace("_", "-")
            save(picture(model), name)
            cells.append((path, name, sizes(model)))
        if not cells:
            continue
        lines += [f"## {folder}", "", words, "", "| | | |", "|---|---|---|"]
        cells += [None] * (-len(cells) % 3)
        for row in range(0, len(cells), 3):
            part = cells[row : row + 3]
            told = [f"![{c[0].stem}](pictures/{c[1]}) <br> `{c[0].relative_to(ROOT)}` <br> {c[2]}" if c else "" for c in part]
            lines.append("| " + " | ".join(told) + " |")
        lines.append("")
    (ROOT / "docs" / "gallery.md").write_text("\n".join(lines))


def tutorial():
    """The swing of docs/tutorial.md, by its own code."""
    names = {}
    for code in re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / "tutorial.md").read_text(), flags=re.M | re.S)[:8]:
        exec(code.replace('"fall.html"', '"/dev/null"').replace('"swing.html"', '"/dev/null"'), names)
    model, positions = names["model"], names["positions"]
    data = sinew.MjData(model)
    images = []
    with sinew.Renderer(model, 120, 360) as renderer:
        for time in (0.02, 0.5, 0.9, 1.2, 1.5, 4.0):
            data.qpos[:] = positions[int(time / model.opt.timestep)]
            sinew.mj_forward(model, data)
            renderer.update_scene(data, camera="side")
            images.append(np.pad(renderer.render(), ((0, 1), (0, 1), (0, 0)), constant_values=255))
    rows = [np.concatenate(images[i : i + 2], axis=1) for i in (0, 2, 4)]
    save(np.concatenate(rows)[:-1, :-1], "tutorial-swing.png")


CONTACTS = """<mujoco><visual><headlight ambient=".4 .4 .4" diffuse=".5 .5 .5"/><scale contactwidth=".2" contactheight=".06"
  forcewidth=".06"/><map force=".08"/><global offwidth="640"/></visual><asset><texture type="skybox" builtin="flat" rgb1=".95 .95 .96"
  width="8" height="48"/></asset><worldbody><camera name="c" pos="0 -1.15 .5" xyaxes="1 0 0 0 .33 .94"/><geom type="plane" size="1 1 .1"
  rgba=".85 .85 .88 1"/><body pos="-.45 0 .12"><freejoint/><geom type="box" size=".12 .12 .12" rgba=".2 .5 .7 .6"/></body><body
  pos="0 0 .08" euler="0 90 20"><freejoint/><geom type="capsule" size=".08 .12" rgba=".8 .5 .2 .6"/></body><body pos=".42 0 .1">
  <freejoint/><geom size=".1" rgba=".4 .7 .3 .6" mass="3"/></body></worldbody></mujoco>"""


def contacts():
    model = sinew.MjModel.from_xml_string(CONTACTS)
    data = sinew.MjData(model)
    sinew.mj_step(model, data, 300)
    option = sinew.MjvOption()
    sinew.mjv_defaultOption(option)
    option.flags[sinew.mjtVisFlag.mjVIS_CONTACTPOINT] = option.flags[sinew.mjtVisFlag.mjVIS_CONTACTFORCE] = 1
    with sinew.Renderer(model, 260, 640) as renderer:
        renderer.update_scene(data, camera="c", scene_option=option)
        save(renderer.render(), "contacts.png")


SHAPES = """<mujoco><visual><headlight ambient=".45 .45 .45" diffuse=".5 .5 .5"/><global offwidth="720"/></visual><asset>
  <texture type="skybox" builtin="flat" rgb1=".95 .95 .96" width="8" height="48"/><mesh name="m" builtin="supertorus" params="30 .35 1 1"
  scale=".17 .17 .17"/>
  <hfield name="h" nrow="9" ncol="9" size=".22 .22 .16 .02" elevation="{}"/></asset><worldbody>
  <camera name="c" pos="0 -1.6 .75" xyaxes="1 0 0 0 .36 .93" fovy="38"/><geom type="plane" size="2.2 .7 .1" rgba=".85 .86 .88 1"/>
  <geom pos="-1.5 0 .2" size=".2" rgba=".85 .35 .25 1"/><geom type="capsule" pos="-1 0 .27" size=".12 .15" rgba=".25 .5 .7 1"/>
  <geom type="ellipsoid" pos="-.5 0 .14" size=".24 .18 .14" rgba=".4 .65 .35 1"/><geom type="cylinder" pos="0 0 .2" size=".16 .2"
  rgba=".85 .65 .25 1"/><geom type="box" pos=".5 0 .18" size=".18 .18 .18" rgba=".55 .4 .65 1"/><geom type="mesh" mesh="m" pos="1 0 .12"
  rgba=".3 .6 .6 1"/><geom type="hfield" hfield="h" pos="1.5 0 .03" rgba=".6 .5 .4 1"/></worldbody></mujoco>"""


def shapes():
    """Types of geoms, in the order of docs/concepts.md."""
    grid = np.linspace(-2, 2, 9)
    hills = 0.5 + 0.5 * np.sin(2 * grid)[:, None] * np.cos(2 * grid)
    model = sinew.MjModel.from_xml_string(SHAPES.format(" ".join(f"{value:.2f}" for value in hills.ravel())))
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    with sinew.Renderer(model, 200, 720) as renderer:
        renderer.update_scene(data, camera="c")
        save(renderer.render(), "shapes.png")


def main():
    PICTURES.mkdir(exist_ok=True)
    tutorial()
    contacts()
    shapes()
    gallery()


if __name__ == "__main__":
    main()
