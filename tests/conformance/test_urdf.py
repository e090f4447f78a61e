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
