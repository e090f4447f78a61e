"""Errors help: MuJoCo's words first, then on a line of its own what was probably meant, what is legal, or which
version of MuJoCo brought what the file uses."""

import pathlib
import re
import warnings

import mujoco
import pytest

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
NEWER = "'{}' came with MuJoCo {}; this is the language of MuJoCo 3.5"
KINDS = "'type' is one of: plane, hfield, sphere, capsule, ellipsoid, cylinder, box, mesh, sdf"
ARM = """<mujoco><default><default class="arm"/></default><asset><material name="steel"/></asset><worldbody>
  <body name="forearm"><joint name="elbow"/><geom name="bone" size=".1"/><site name="hand"/></body></worldbody>
  {}</mujoco>"""


def world(inside):
    return f"<mujoco><worldbody><body>{inside}</body></worldbody></mujoco>"


HINTS = {
    # elements and attributes
    world('<geom sizee="1"/>'): "did you mean 'size'?",
    world('<geom Size="1"/>'): "did you mean 'size'?",
    world('<goem size="1"/>'): "did you mean 'geom'?",
    world('<frame><goem size="1"/></frame>'): "did you mean 'geom'?",
    world("<replcate count='2'/>"): "did you mean 'replicate'?",
    "<mujoco><worlbody/></mujoco>": "did you mean 'worldbody'?",
    "<mujoco><worldbody><sensor/></worldbody></mujoco>": "it may stand in 'mujoco'",
    "<mujoco><option timestpe='.1'/></mujoco>": "did you mean 'timestep'?",
    "<mujoco><worldbody><bdy/></worldbody></mujoco>": "did you mean 'body'?",
    # numbers
    world('<geom size="1" friction=".5,.1,.1"/>'): "numbers are separated by spaces, not by commas",
    world('<geom size="1 2 3 4"/>'): "it takes up to 3 numbers",
    world('<geom size="1 a"/>'): "it takes up to 3 numbers",
    world('<geom size="1" rgba="1 0 0"/>'): "it takes 4 numbers",
    '<mujoco><option gravity="0 0"/></mujoco>': "it takes 3 numbers",
    '<mujoco><option timestep="1 2"/></mujoco>': "it takes 1 number\n",
    # what MuJoCo's words do not say
    world("<joint/>"): "a body with joints needs a geom that has mass",
    world('<geom type="box" size="1"/>'): "of a box: half its three edges",
    '<mujoco><worldbody><geom type="plane"/></worldbody></mujoco>': "half its length and width, 0 for infinite",
    world('<geom type="mesh"/>'): "the name of a <mesh> of <asset>",
    world('<body><freejoint/><geom size="1"/></body>'): "the body has to stand in <worldbody>",
    ARM.format("<actuator><motor/></actuator>"): "what it drives",
    # keywords
    world('<geom type="capsul" size="1"/>'): "did you mean 'capsule'?\n" + KINDS,
    world('<geom type="potato" size="1"/>'): KINDS,
    '<mujoco><option integrator="euler"/></mujoco>': "did you mean 'Euler'?",
    '<mujoco><option cone="square"/></mujoco>': "'cone' is one of: pyramidal, elliptic",
    # names
    world('<geom class="mian" size="1"/>'): "did you mean 'main'?",
    ARM.format('<actuator><motor joint="elbwo"/></actuator>'): "did you mean joint 'elbow'?",
    ARM.format('<actuator><motor joint="hand"/></actuator>'): "there is a site 'hand', but no joint of that name",
    ARM.format('<contact><exclude body1="forarm" body2="world"/></contact>'): "did you mean body 'forearm'?",
    ARM.format('<sensor><force site="Hand"/></sensor>'): "did you mean site 'hand'?",
    ARM.format('<tendon><fixed><joint joint="elbows" coef="1"/></fixed></tendon>'): "did you mean joint 'elbow'?",
    ARM.format('<worldbody><geom size="1" material="stel"/></worldbody>'): "did you mean material 'steel'?",
    ARM.format('<worldbody><body childclass="amr"/></worldbody>'): "did you mean 'arm'?",
    # later versions of MuJoCo
    world('<geom size="1" adhesion="3"/>'): NEWER.format("adhesion", "3.11"),
    world('<joint springyield="1"/><geom size="1"/>'): NEWER.format("springyield", "4.0"),
    '<mujoco><default><default class="a"><geom surfacevel="1 0 0"/></default></default></mujoco>':
        NEWER.format("surfacevel", "3.11"),
    '<mujoco><option integrator="discrete"/></mujoco>': NEWER.format("discrete", "3.13"),
    '<mujoco><option><flag diagexact="enable"/></option></mujoco>': NEWER.format("diagexact", "3.9"),
    '<mujoco><compiler conflict="merge"/></mujoco>': NEWER.format("conflict", "3.10"),
    ARM.format('<actuator><dcmotor joint="elbow"/></actuator>'): NEWER.format("dcmotor", "3.7"),
    ARM.format('<actuator><motor joint="elbow" damping="1"/></actuator>'): NEWER.format("damping", "3.7"),
    '<mujoco><asset><mesh name="m" builtin="disc" params="1"/></asset></mujoco>': NEWER.format("disc", "3.16"),
    world('<joint stiffness="1 2 3"/><geom size="1"/>'): "it takes more since MuJoCo 3.7",
    "<mujoco><custom><text name='a'/></custom></mujoco>": "it is optional since MuJoCo 3.13",
}  # fmt: skip


@pytest.mark.parametrize("xml", HINTS, ids=range(len(HINTS)))
def test_hint_stands_below_mujocos_words(xml):
    with pytest.raises(ValueError) as theirs:
        mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(ValueError) as ours:
        sinew.MjModel.from_xml_string(xml)
    first, rest = str(ours.value).split("\n", 1)
    assert first == str(theirs.value).split("\n")[0]
    assert HINTS[xml] in rest


@pytest.mark.parametrize("xml", [world('<geom zzzzzz="1"/>'), "<mujoco><zzzzzz/></mujoco>",
                                 ARM.format('<actuator><motor joint="zzzzzz"/></actuator>')])
def test_nothing_near_gives_no_hint(xml):
    with pytest.raises(ValueError) as ours:
        sinew.MjModel.from_xml_string(xml)
    assert "did you mean" not in str(ours.value) and "came with" not in str(ours.value)


def test_long_words_are_cut_and_not_guessed():
    with pytest.raises(ValueError, match="unrecognized attribute"):
        sinew.MjModel.from_xml_string(world(f'<geom {"a" * 5000}="1"/>'))
    with pytest.raises(ValueError, match="invalid keyword"):
        sinew.MjModel.from_xml_string(world(f'<geom type="{"a" * 5000}" size="1"/>'))


@pytest.mark.parametrize("inside,text", [
    ('<geom size="1" adhesion="3"/>', "attribute 'adhesion'"),
    ('<body><geom size="1" masss="3"/></body>', "did you mean 'mass'?"),
])
def test_unknown_attributes_inside_of_frames_are_a_warning(inside, text):
    """MuJoCo ignores them without a word; so does the compiled model."""
    xml = world(f"<frame>{inside}</frame>")
    mujoco.MjModel.from_xml_string(xml)
    with pytest.warns(RuntimeWarning, match=re.escape(text)):
        sinew.MjModel.from_xml_string(xml)


def test_scale_of_a_frame_is_a_warning():
    with pytest.warns(RuntimeWarning, match="came with MuJoCo 3.16"):
        sinew.MjModel.from_xml_string(world('<frame scale="2"><geom size="1"/></frame>'))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sinew.MjModel.from_xml_string(world('<frame pos="1 0 0"><geom size="1"/></frame>'))


def test_added_words_are_not_ours():
    """The table of versions says of no word that we read that it came later."""
    ours, element = set(), None
    for line in (ROOT / "docs" / "mjcf.md").read_text().splitlines():
        if line.startswith("## "):
            element = line[3:].removeprefix("mujoco/")
            ours.add((element, ""))
        elif line.startswith("- `"):
            ours.add((element, line.split("`")[1]))
    rows = re.findall(r'X\("(.*?)",\s+"(.*?)",\s+"(.*?)",\s+(\w+),\s+"(.*?)"\)', (ROOT / "src/mjcf/versions.h").read_text())
    assert len(rows) == 334
    added = {(element, attribute) for element, attribute, keyword, change, _ in rows if change == "ADDED" and not keyword}
    assert not added & ours
