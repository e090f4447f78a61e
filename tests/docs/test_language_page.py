"""The page of the language tells the truth: a default that it states, written into a file, changes nothing, and its types
are those that MuJoCo reads. (That it misses no attribute is the ctest `docs`.)"""

import pathlib
import re

import numpy as np
import pytest

import sinew

PAGE = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "mjcf.md").read_text()
WORLD = """<mujoco><worldbody><geom name="g" type="sphere" size=".1" pos="0 0 -1"/><site name="s" pos="0 0 .2"/><body name="b">
  <joint name="j" range="-1 1"/><geom name="h" size=".1"/><site name="t"/><site name="u" pos=".1 0 .1"/></body><body name="c" pos="1 0 0">
  <joint name="k"/><geom size=".1"/></body>{body}</worldbody><tendon><fixed name="f"><joint joint="j" coef="1"/></fixed>{tendon}</tendon>
  {top}</mujoco>"""
# element: where it stands, what it needs beside the attribute
PLACES = {
    "compiler": ("top", ""),
    "compiler/lengthrange": ("top", ""),
    "option": ("top", ""),
    "option/flag": ("top", ""),
    "visual/global": ("top", ""),
    "visual/quality": ("top", ""),
    "visual/headlight": ("top", ""),
    "visual/map": ("top", ""),
    "visual/scale": ("top", ""),
    "visual/rgba": ("top", ""),
    "size": ("top", ""),
    "asset/texture": ("top", 'name="new" type="2d" builtin="flat" width="4" height="4"'),
    "asset/material": ("top", 'name="new"'),
    "asset/mesh": ("top", 'name="new" vertex="0 0 0 1 0 0 0 1 0 0 0 1"'),
    "asset/hfield": ("top", 'name="new" nrow="2" ncol="2" size="1 1 1 1"'),
    "body": ("body", ""),
    "body/freejoint": ("body/body", ""),
    "body/geom": ("body", 'size=".1"'),
    "body/joint": ("body/body", ""),
    "body/site": ("body", ""),
    "body/camera": ("body", ""),
    "body/light": ("body", ""),
    "body/composite": ("body/body", 'type="cable" count="5 1 1" curve="s"'),
    "body/flexcomp": ("body/body", 'name="flex" type="grid" count="5 5 1"'),
    "contact/pair": ("top", 'geom1="g" geom2="h"'),
    "equality/connect": ("top", 'body1="b" anchor="0 0 0"'),
    "equality/weld": ("top", 'body1="b"'),
    "equality/joint": ("top", 'joint1="j" joint2="k"'),
    "equality/tendon": ("top", 'tendon1="f"'),
    "equality/sinew:distance": ("top", 'site1="s" site2="t"'),
    "tendon/fixed": ("top", ""),
    "tendon/spatial": ("top", ""),
    "deformable/sinew:cloth": ("top", 'name="cloth"'),
    **{f"actuator/{kind}": ("top", 'joint="j"') for kind in
       ("general", "motor", "position", "velocity", "cylinder")},
    "actuator/intvelocity": ("top", 'joint="j" actrange="-1 1"'),
    "actuator/damper": ("top", 'joint="j" ctrlrange="0 1"'),
    "actuator/muscle": ("top", 'joint="j" lengthrange=".1 1"'),
    "actuator/adhesion": ("top", 'body="b" ctrlrange="0 1"'),
    "body/composite/joint": ("body/body", ""),
    "body/composite/geom": ("body/body", 'type="capsule" size=".01"'),
    "body/composite/site": ("body/body", ""),
    "body/composite/skin": ("body/body", ""),
    "body/flexcomp/edge": ("body/body", ""),
    "body/flexcomp/elasticity": ("body/body", ""),
    "body/flexcomp/contact": ("body/body", ""),
    "deformable/sinew:softbody": ("top", 'name="soft" count="3 3 3" spacing=".1 .1 .1"'),
    "deformable/sinew:chain": ("top", 'name="rope" count="5 1 1"'),
    "keyframe/key": ("top", ""),
    "sensor/framepos": ("top", 'objtype="site" objname="s"'),
    "sensor/contact": ("top", 'geom1="g"'),
    "sensor/rangefinder": ("top", 'site="s"'),
}  # fmt: skip
AROUND = {
    "body/composite": ('<composite prefix="p" type="cable" count="5 1 1" curve="s" size="1">', "</composite>"),
    "body/flexcomp": ('<flexcomp name="flex" type="grid" count="5 5 1">', "</flexcomp>"),
}
# what a composite has beside the element
BESIDE = {"joint": '<geom type="capsule" size=".01"/>', "geom": '<joint kind="main"/>',
          "site": '<joint kind="main"/><geom type="capsule" size=".01"/>',
          "skin": '<joint kind="main"/><geom type="box" size=".01 .02 .02"/>'}  # fmt: skip
INSIDE = {"tendon/fixed": '<joint joint="j" coef="1"/>', "tendon/spatial": '<site site="s"/><site site="t"/>',
          "body/composite": '<joint kind="main"/><geom type="capsule" size=".01"/>',
          "body/joint": "", "body/flexcomp": ""}  # fmt: skip
# stating these is not the same as leaving them out, by their meaning
APART = {
    ("asset/mesh", "builtin"): "needs parameters",
    ("actuator/position", "kv"): "the damping of a bias is minus zero",
    ("actuator/intvelocity", "kv"): "the damping of a bias is minus zero",
    **{(f"actuator/{kind}", "cranklength"): "needs a crank" for kind in
       ("general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder", "muscle")},
}  # fmt: skip


def defaults():
    """(element, attribute, default) of every default on the page that is a number or a keyword"""
    for section in re.split(r"^## mujoco/?", PAGE, flags=re.M)[1:]:
        path = section.split("\n", 1)[0]
        for name, value in re.findall(r"^\| `([\w:]+)` \| [^|]* \| `([^|`]+)` \|", section, flags=re.M):
            if path in PLACES:
                yield path, name, value


def model(path, attribute):
    place, needed = PLACES[path]
    parts = path.split("/")
    element = f"<{parts[-1]} {needed} {attribute}>{INSIDE.get(path, '')}</{parts[-1]}>"
    if path in ("body", "body/freejoint", "body/joint"):
        inside = '<geom size=".1"/>'
        element = f"<body {attribute}>{inside}</body>" if path == "body" else element + inside
    around = AROUND.get("/".join(parts[:2])) if len(parts) == 3 else None
    if around:
        beside = BESIDE.get(parts[2], "") if parts[1] == "composite" else ""
        kind = 'kind="main" ' if path == "body/composite/joint" else ""
        element = around[0] + element.replace(f"<{parts[2]} ", f"<{parts[2]} {kind}") + beside + around[1]
    if place == "body/body":
        element = f'<body name="new" pos="0 3 3">{element}</body>'
    if place == "top" and len(parts) > 1:
        element = f"<{parts[0]}>{element}</{parts[0]}>"
    holes = {"body": "", "tendon": "", "top": ""}
    holes["body" if place.startswith("body") else "top"] = element
    return WORLD.format(**holes)


def same(first, second):
    def saved(model):
        buffer = np.zeros(sinew.mj_sizeModel(model), np.uint8)
        sinew.mj_saveModel(model, None, buffer)
        return buffer

    return np.array_equal(saved(first), saved(second))


@pytest.mark.parametrize("path", PLACES)
def test_stated_defaults_change_nothing(path):
    found = [(name, value) for element, name, value in defaults() if element == path]
    assert found
    without = sinew.MjModel.from_xml_string(model(path, ""))
    wrong = []
    for name, value in found:
        if (path, name) in APART or f"{name}=" in PLACES[path][1]:
            continue
        if path == "actuator/muscle" and name.startswith("sinew:"):
            continue  # below
        text = model(path, f'{name}="{value}"' if '"' not in value else f"{name}={value}")
        try:
            if not same(without, sinew.MjModel.from_xml_string(text)):
                wrong.append(f"{name}={value} is another model")
        except ValueError as error:
            wrong.append(f"{name}={value}: {error}")
    assert not wrong, "\n".join(wrong)


def test_stated_defaults_of_hill_muscles_are_those_of_a_plain_one():
    found = {name: value for element, name, value in defaults() if element == "actuator/muscle" and name.startswith("sinew:")}
    assert len(found) == 10
    # any of the attributes makes it one
    plain = sinew.MjModel.from_xml_string(model("actuator/muscle", 'force="1000" sinew:pennation="0"'))
    stated = " ".join(f'{name}="{value}"' for name, value in found.items())
    assert same(plain, sinew.MjModel.from_xml_string(model("actuator/muscle", f'force="1000" {stated}')))


def test_meanings_are_sentences():
    import sys

    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))
    import mjcf_page

    elements, attributes = mjcf_page.meanings()
    for text in [*elements.values(), *(row[2] for row in attributes.values())]:
        assert text.endswith(".") and (text[0].isupper() or text[0] in "`0123456789"), text
        assert len(text) < 260 and "  " not in text, text
