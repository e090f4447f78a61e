"""Flexes in specs that are edited, attached and replicated; their neighbours in the language. Against MuJoCo."""

import re

import mujoco
import pytest
import sinew
from compiled import differences

GRID = 'count="3 2 1" spacing=".1 .1 .1"'


def world(text, before="", after=""):
    return f"<mujoco>{before}<worldbody>{text}</worldbody>{after}</mujoco>"


CHILD = world(f'<body name="b"><geom size=".01"/><flexcomp name="f" {GRID}><edge equality="true"/></flexcomp></body>')


def attached(times):
    def make(module):
        spec = module.MjSpec.from_string(world('<body name="p"><frame name="place" pos="1 0 0"/></body>'))
        for i in range(times):
            spec.frame("place").attach_body(module.MjSpec.from_string(CHILD).body("b"), f"x{i}_", "")
        return spec

    return make


def added(module):
    spec = module.MjSpec()
    for i in range(4):
        body = spec.worldbody.add_body(name=f"v{i}", pos=[i % 2, i // 2, 0], mass=1, inertia=[1, 1, 1],
                                       ipos=[0, 0, 0], explicitinertial=True)
        for axis in ([1, 0, 0], [0, 1, 0], [0, 0, 1]):
            body.add_joint(type=module.mjtJoint.mjJNT_SLIDE, axis=axis)
    flex = spec.add_flex(name="f", dim=2, radius=0.01, young=100, poisson=0.2, thickness=0.01, elastic2d=3,
                         damping=0.1, edgedamping=0.2, group=2, rgba=[1, 0, 0, 1])
    flex.vertbody = ["v0", "v1", "v2", "v3"]
    flex.elem = [0, 1, 2, 1, 3, 2]
    flex.texcoord = [0, 0, 1, 0, 0, 1, 1, 1]
    flex.solref = [0.01, 1]
    flex.selfcollide = 0
    equality = spec.add_equality()
    equality.type = module.mjtEq.mjEQ_FLEX
    equality.name1 = "f"
    return spec


def deleted(module):
    spec = added(module)
    spec.delete(spec.equalities[0])
    spec.delete(spec.flexes[0])
    return spec


def copied(module):
    return module.MjSpec.from_string(CHILD).copy()


PAIR = '<body name="{}"{}><freejoint/><geom size=".1"/></body>'
TEXTS = {
    "keyframe": world(f'<flexcomp name="f" {GRID}/>',
                      after=f'<keyframe><key name="k" qpos="{" ".join(map(str, range(18)))}"/></keyframe>'),
    "frame": world(f'<body name="b"><frame pos="1 2 3" euler="10 20 30"><flexcomp name="f" {GRID}/></frame></body>'),
    "exclude": world(f'<flexcomp name="f" {GRID}/>', after='<contact><exclude body1="f_0" body2="f_1"/></contact>'),
    "pair": world(f'<flexcomp name="f" {GRID}/><geom name="g" size="1"/>',
                  after='<contact><pair geom1="g" geom2="f"/></contact>'),
    "spheres": world(f'<flexcomp name="f" {GRID}><contact vertcollide="true"/></flexcomp>'),
    "replicated bodies": world(f'<replicate count="2" offset="0 0 1">{PAIR.format("v", "")}</replicate>',
                               before='<deformable><flex name="f" dim="1" body="v0 v1" element="0 1"/></deformable>'),
    "replicated flex": world(
        f'<replicate count="2" offset="0 0 1">{PAIR.format("v", "")}{PAIR.format("w", " pos=" + chr(34) + "1 0 0" + chr(34))}</replicate>',
        before='<deformable><flex name="f" dim="1" body="v w" element="0 1"/></deformable>'),
    # copies of what cannot bend are left out
    "replicated pin": world('<replicate count="2"><body name="b"><joint/><geom size=".1"/>'
                            f'<flexcomp name="f" {GRID}><elasticity elastic2d="bend"/><pin id="0"/></flexcomp></body></replicate>'),
    "replicated names": world(f'<replicate count="2"><body name="b"><flexcomp name="f" count="4 4 1" spacing=".1 .1 .1"/></body></replicate>'),
    "tuple": world(f'<flexcomp name="f" {GRID}/>',
                   after='<custom><tuple name="t"><element objtype="flex" objname="f"/></tuple></custom>'),
    "plugin": world(f'<flexcomp name="f" {GRID}><plugin plugin="mujoco.elasticity.cable"/></flexcomp>',
                    before='<extension><plugin plugin="mujoco.elasticity.cable"/></extension>'),
    "class of equalities": world(f'<flexcomp name="f" {GRID}><edge equality="true"/></flexcomp>',
                                 before='<default><equality solref=".5 2" active="false"/></default>'),
    "total mass": world(f'<flexcomp name="f" {GRID}/>', before='<compiler settotalmass="7"/>'),
}
CASES = {"attached": attached(1), "attached twice": attached(2), "added": added, "deleted": deleted, "copied": copied}
CASES.update({name: lambda module, text=text: module.MjSpec.from_string(text) for name, text in TEXTS.items()})


def attached_sheet(attributes, inner):
    def make(module):
        child = module.MjSpec.from_string(world(f'<body name="b"><flexcomp name="f" {GRID} {attributes}>{inner}</flexcomp></body>'))
        parent = module.MjSpec()
        parent.attach(child, frame=parent.worldbody.add_frame(pos=[1, 2, 3]), prefix="x_")
        return parent

    return make


BEND = '<elasticity young="1" thickness=".1" elastic2d="{}"/>'
for word in ("bend", "stretch", "both"):
    CASES[f"attached sheet, {word}"] = attached_sheet("", BEND.format(word))
    CASES[f"attached sheet with a pin, {word}"] = attached_sheet("", BEND.format(word) + '<pin id="0"/>')
    CASES[f"attached rigid sheet, {word}"] = attached_sheet('rigid="true"', BEND.format(word))


def outcome(module, make):
    """Model and text, or the first line of the message."""
    try:
        spec = make(module)
        return spec.compile(), re.sub(' elastic2d="(stretch|both)"', "", spec.to_xml())
    except ValueError as error:
        return None, str(error).split("\n")[0]


@pytest.mark.parametrize("name", CASES)
def test_spec_with_flexes(name):
    expected, text = outcome(mujoco, CASES[name])
    actual, ours = outcome(sinew, CASES[name])
    assert ours == text
    assert (expected is None) == (actual is None)
    if expected is not None:
        assert differences(expected, actual) == []


CAPSULE = '<geom type="capsule" size=".01"/>'
COMPOSITES = [f'<composite type="{kind}" count="3 1 1">{CAPSULE}</composite>'
              for kind in ("particle", "grid", "rope", "loop", "cloth", "box")]
COMPOSITES += [
    '<composite type="grid"><skin group="9"/></composite>', '<composite type="cable"><skin group="9"/></composite>',
    '<composite type="rope" count="0 1 1"/>', '<composite type="rope"><joint kind="main" type="x"/></composite>',
    '<composite count="3"/>', '<composite type="rope" count="3 1 1" size="0 0 0"/>',
    '<composite type="rope" count="3 1 1" vertex="0 0 0 1 0 0"/>', '<composite type="rope" count="3" curve="tan"/>',
    '<composite type="rope" count="1 3 1"/>', '<composite type="grid" count="3"><plugin plugin="mujoco.pid"/></composite>',
    '<composite type="rope" count="5"><joint kind="main"/><joint kind="main"/></composite>',
    f'<composite type="cable" count="5 1 1" curve="s">{CAPSULE}<skin group="6"/></composite>',
    f'<composite type="cable" count="3 3 1">{CAPSULE}</composite>', f'<composite type="cable" count="1">{CAPSULE}</composite>',
    '<composite type="cable" count="3 1 1" vertex="0 0 0"><skin group="9"/></composite>',
    f'<composite type="cable" count="5 1 1" curve="s s s s">{CAPSULE}</composite>', '<composite type="cable" count="5 1 1" curve="s"/>',
    '<composite type="loop" count="5 2 1"><skin subgrid="1"/></composite>',
    '<composite type="loop" count="5 1 1"><plugin plugin="x"/><skin subgrid="2"/></composite>',
    '<composite type="loop" count="1 5 1"><plugin plugin="mujoco.elasticity.cable"/><skin subgrid="2"/></composite>',
    '<composite type="loop" count="5 1 1"><plugin plugin="x"/></composite>',
    2 * f'<composite type="cable" count="5 1 1" curve="s">{CAPSULE}</composite>',
]


@pytest.mark.parametrize("text", COMPOSITES)
def test_message_of_a_refused_composite(text):
    xml = world(text, before='<extension><plugin plugin="mujoco.elasticity.cable"/></extension>')
    messages = []
    for module in (mujoco, sinew):
        with pytest.raises(ValueError) as error:
            module.MjModel.from_xml_string(xml)
        # ours also name the attribute of a wrong keyword
        messages.append(str(error.value).split("\n")[0].split(" in attribute")[0])
    assert messages[0] == messages[1]
