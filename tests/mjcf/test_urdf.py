"""URDF gives MuJoCo's model."""

import pytest

import mujoco
import sinew
from test_mjcf_compose import differences

INERTIAL = (
    '<inertial><origin xyz=".1 0 0" rpy="0 0 1"/><mass value="2"/>'
    '<inertia ixx="1" iyy="1.2" izz="1.1" ixy=".1" ixz="0" iyz="0.05"/></inertial>'
)
VISUAL = (
    '<visual><geometry><box size="1 2 3"/></geometry>'
    '<material name="m"><color rgba="1 0 0 1"/></material></visual>'
)
KEEP = '<mujoco><compiler discardvisual="false" fusestatic="false"/></mujoco>'
DETAILS = '<limit lower="-1" upper="2" effort="5"/><dynamics damping=".3" friction=".2"/>'


def link(name, contents=""):
    return f'<link name="{name}">{INERTIAL}{contents}</link>'


def collision(name, shape):
    return (f'<collision name="{name}"><origin xyz="0 0 .1" rpy=".1 .2 .3"/><geometry><{shape}/></geometry>'
            "</collision>")


def joint(name, kind, parent, child, details=DETAILS):
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="1 2 3" rpy=".3 .2 .1"/><axis xyz="0 1 1"/>{details}</joint>')


BASE = link("base", collision("s", 'sphere radius=".2"'))
ARM = link("arm", VISUAL + collision("c", 'cylinder radius=".1" length=".4"')
           + collision("b", 'box size="1 2 3"') + collision("p", 'capsule radius=".1" length=".4"'))

ROBOTS = {"empty": "", "root in the middle": BASE + link("a") + link("b")
          + joint("j2", "revolute", "a", "b") + joint("j1", "continuous", "base", "a"),
          "floating": '<link name="world"/>' + ARM + joint("j", "floating", "world", "arm", ""),
          "spherical": BASE + ARM + joint("j", "spherical", "base", "arm", "")}
for kind in ("revolute", "continuous", "prismatic", "fixed", "planar"):
    ROBOTS[kind] = BASE + ARM + joint("j", kind, "base", "arm")
    ROBOTS[kind + " with visuals"] = KEEP + ROBOTS[kind]

BROKEN = {
    "unknown link": BASE + joint("j", "revolute", "base", "nothing"),
    "repeated link": BASE + BASE,
    "unknown joint": BASE + ARM + joint("j", "elbow", "base", "arm"),
    "loop": BASE + ARM + joint("j", "revolute", "base", "arm") + joint("k", "revolute", "arm", "base"),
    "two parents": BASE + ARM + link("c") + joint("j", "revolute", "base", "arm")
    + joint("k", "revolute", "c", "arm"),
}


@pytest.mark.parametrize("name", ROBOTS)
def test_same_model(name):
    xml = f'<robot name="r">{ROBOTS[name]}</robot>'
    theirs = mujoco.MjModel.from_xml_string(xml)
    ours = sinew.MjModel.from_xml_string(xml)
    assert list(differences(theirs, ours)) == []


@pytest.mark.parametrize("name", BROKEN)
def test_refused(name):
    xml = f'<robot name="r">{BROKEN[name]}</robot>'
    for load in (sinew.MjModel.from_xml_string, mujoco.MjModel.from_xml_string):
        with pytest.raises(ValueError):
            load(xml)


def shape(inside):
    return f"<collision><geometry>{inside}</geometry></collision>"


BOX = link("base", shape('<box size="1 1 1"/>'))


def robot(inside):
    return f'<robot name="r">{BOX}{inside}</robot>'


def hinge(name, parent, child, details=""):
    return joint(name, "revolute", parent, child, DETAILS + details)


def test_meshes_in_the_order_of_the_links():
    mesh = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    xml = robot(
        link("l1", shape('<mesh filename="a.obj"/>'))
        + link("l2", shape('<mesh filename="b.obj"/>'))
        + hinge("j2", "base", "l2")
        + hinge("j1", "base", "l1")
    )
    assets = {"a.obj": mesh, "b.obj": mesh}
    theirs = mujoco.MjModel.from_xml_string(xml, assets)
    ours = sinew.MjModel.from_xml_string(xml, assets)
    assert [ours.mesh(i).name for i in range(2)] == [theirs.mesh(i).name for i in range(2)] == ["a", "b"]
    assert not list(differences(theirs, ours))


REFUSED = {
    "parent_unknown": link("l") + hinge("j", "none", "l"),
    "parent_missing": link("l") + '<joint name="j" type="revolute"><child link="l"/></joint>',
    "child_unknown": hinge("j", "base", "none"),
    "parents": link("l") + hinge("j", "base", "l") + hinge("k", "base", "l"),
    "loop": link("l") + link("m") + hinge("j", "l", "m") + hinge("k", "m", "l"),
    "joint_type": link("l") + hinge("j", "base", "l").replace("revolute", "foo"),
    "inertials": link("l", '<inertial><mass value="1"/></inertial>') + hinge("j", "base", "l"),
    "mass_missing": link("l").replace('<mass value="2"/>', "") + hinge("j", "base", "l"),
    "mass_empty": link("l").replace(' value="2"', "") + hinge("j", "base", "l"),
    "links": link("l") + link("l"),
    "geometry_missing": link("l", "<collision/>") + hinge("j", "base", "l"),
    "geometry_empty": link("l", shape("")) + hinge("j", "base", "l"),
    "geometry_unknown": link("l", shape("<foo/>")) + hinge("j", "base", "l"),
    "geometries": link("l", shape("<sphere radius='1'/></geometry><geometry>")) + hinge("j", "base", "l"),
    "box_size": link("l", shape("<box/>")) + hinge("j", "base", "l"),
    "cylinder_length": link("l", shape('<cylinder radius="1"/>')) + hinge("j", "base", "l"),
    "limits": link("l") + hinge("j", "base", "l", "<limit/>"),
    "origins": link("l") + hinge("j", "base", "l", "<origin/><origin/>"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refusals_name_the_same_reason_and_place(name):
    messages = []
    for package in (mujoco, sinew):
        with pytest.raises(ValueError) as error:
            package.MjModel.from_xml_string(robot(REFUSED[name]))
        messages.append(str(error.value).splitlines())
    assert messages[1][0].startswith(messages[0][0].rstrip(": "))
    for theirs, ours in zip(messages[0][1:], messages[1][1:]):
        assert ours.startswith(theirs)


PAINTED = '<robot name="r">{}<link name="a"><visual><geometry><sphere radius=".1"/></geometry>{}</visual></link>{}</robot>'


@pytest.mark.parametrize("texts", [
    ('<material name="m"><color rgba="1 0"/></material>', "", ""),
    ('<material name="m"><color/></material>', "", ""),
    ("", "", '<material name="m"><color rgba="a"/></material>'),
    ("", '<material name="m"/>', '<other><material name="m"><color rgba="0 1"/></material></other>'),
    ('<material name="m"><color rgba="1 0 0 1"/></material><material name="m"><color rgba="0"/><color/></material>', '<material name="m"/>', ""),
    ('<material><color rgba="0 1"/></material>', "", ""),
])
def test_colours_of_named_materials_are_read_used_or_not(texts):
    """The first of a name; those of others are not looked at."""
    answers = []
    for module in (mujoco, sinew):
        try:
            answers.append(module.MjModel.from_xml_string(PAINTED.format(*texts)).geom_rgba.tolist())
        except ValueError as error:
            answers.append(str(error).split("\n")[0])
    assert answers[0] == answers[1]
