"""Wrong values of attributes: of two in one element the one is told that MuJoCo tells."""

import itertools

import mujoco
import pytest

import sinew

# element: the text around it, and wrong (or suspicious) attributes
WRONG = {
    "geom": ('<mujoco><worldbody><body><geom %s/></body></worldbody></mujoco>',
        ['type="q"', 'size="a"', 'size="1 2 3 4"', 'size="0"', 'pos="1 2"', 'quat="1 2"', 'contype="x"', 'condim="2"', 'group="a"', 'priority="1.5"',
         'fromto="1 2"', 'zaxis="0 0 0"', 'euler="1 2"', 'axisangle="0 0 0 1"', 'xyaxes="1 0 0 1 0 0"', 'rgba="a"', 'material="q"', 'mesh="q"',
         'hfield="q"', 'class="q"', 'fluidshape="q"', 'fluidcoef="1 2 3 4 5 6"', 'shellinertia="q"', 'fitscale="q"', 'solref="a"',
         'solimp="1 2 3 4 5 6"', 'friction="1 2 3 4"', 'mass="q"', 'density="-1"', 'name="a" name2="b"', 'foo="1"', 'user="a"', 'gap="x"',
         'margin="1 2"']),
    "joint": ('<mujoco><worldbody><body><joint %s/><geom size=".1"/></body></worldbody></mujoco>',
        ['type="q"', 'pos="1 2"', 'axis="0 0 0"', 'axis="1 2"', 'range="1"', 'range="1 0" limited="true"', 'limited="q"', 'limited="true"',
         'springdamper="1 0"', 'springdamper="a"', 'stiffness="q"', 'ref="q"', 'class="q"', 'actuatorfrcrange="1 0" actuatorfrclimited="true"',
         'actuatorfrclimited="q"', 'actuatorgravcomp="q"', 'solreflimit="a"', 'damping="1 2"', 'armature="a"', 'group="a"', 'user="q"', 'foo="1"',
         'frictionloss="a"', 'align="q"']),
    "body": ('<mujoco><worldbody><body %s><geom size=".1"/></body></worldbody></mujoco>',
        ['pos="1 2"', 'quat="0 0 0 0"', 'quat="1 2"', 'euler="1 2" ', 'zaxis="0 0 0"', 'childclass="q"', 'mocap="q"', 'gravcomp="a"', 'sleep="q"',
         'user="a"', 'foo="1"', 'name="world"', 'axisangle="0 0 0 1"', 'xyaxes="1 0 0 1 0 0"']),
    "camera": ('<mujoco><worldbody><camera %s/></worldbody></mujoco>',
        ['mode="q"', 'mode="targetbody"', 'target="q"', 'fovy="a"', 'fovy="200"', 'fovy="-1"', 'resolution="0 1"', 'resolution="a"',
         'sensorsize="1 1"', 'focal="1 1"', 'focalpixel="1 1"', 'principal="1 1"', 'principalpixel="1 1"', 'ipd="a"', 'pos="1"', 'quat="1"',
         'class="q"', 'orthographic="q"', 'projection="q"', 'user="a"', 'foo="1"']),
    "motor": ('<mujoco><worldbody><body><joint name="j"/><geom size=".1"/><site name="s"/></body></worldbody><actuator><motor %s/></actuator></mujoco>',
        ['joint="q"', 'site="s"', 'joint="j"', 'tendon="q"', 'body="q"', 'refsite="s"', 'cranksite="s"', 'slidersite="s"',
         'ctrlrange="1 0" ctrllimited="true"', 'ctrlrange="a"', 'forcerange="1 0" forcelimited="true"', 'ctrllimited="q"', 'gear="a"',
         'gear="1 2 3 4 5 6 7"', 'lengthrange="1"', 'group="a"', 'class="q"', 'cranklength="-1"', 'user="a"', 'foo="1"', 'delay="1"', 'nsample="a"',
         'interp="q"']),
    "general": ('<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody><actuator><general joint="j" %s/></actuator></mujoco>',
        ['dyntype="q"', 'gaintype="q"', 'biastype="q"', 'dynprm="a"', 'gainprm="1 2 3 4 5 6 7 8 9 10 11"', 'actdim="2"', 'actdim="a"',
         'actlimited="true"', 'actrange="1 0" actlimited="true"', 'actrange="0 1"', 'actearly="q"', 'dyntype="integrator" actdim="0"',
         'dyntype="muscle" gaintype="muscle"', 'actlimited="q"', 'biasprm="a"']),
    "sensor": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/></body></worldbody><sensor><framepos %s/></sensor></mujoco>',
        ['objtype="q"', 'objname="q"', 'objtype="body"', 'objname="b"', 'objtype="body" objname="b"', 'reftype="q"', 'refname="q"', 'reftype="site"',
         'refname="s"', 'cutoff="-1"', 'cutoff="a"', 'noise="-1"', 'user="a"', 'foo="1"', 'name="x"', 'delay="1"', 'interval="-1"', 'interval="1 2"',
         'nsample="a"']),
    "texture": ('<mujoco><asset><texture %s/></asset></mujoco>',
        ['type="q"', 'type="2d"', 'name="n"', 'builtin="q"', 'builtin="flat"', 'width="a"', 'width="0" height="0"', 'mark="q"', 'file="q.png"',
         'file="q.foo"', 'gridsize="1"', 'gridsize="13 1"', 'gridlayout="abc"', 'fileright="q.png"', 'rgb1="a"', 'random="q"', 'hflip="q"',
         'nchannel="9"', 'content_type="q"', 'content_type="image/gif"', 'colorspace="q"', 'foo="1"']),
    "option": ('<mujoco><option %s/></mujoco>',
        ['timestep="a"', 'timestep="0"', 'timestep="-1"', 'integrator="q"', 'solver="q"', 'cone="q"', 'jacobian="q"', 'iterations="a"',
         'iterations="-1"', 'tolerance="a"', 'gravity="1 2"', 'wind="a"', 'magnetic="1"', 'density="-1"', 'viscosity="a"', 'o_solref="a"',
         'o_friction="1 2 3 4 5 6"', 'impratio="a"', 'impratio="0"', 'noslip_iterations="1.5"', 'sdf_iterations="a"', 'actuatorgroupdisable="31"',
         'actuatorgroupdisable="a"', 'actuatorgroupdisable="1 1"', 'foo="1"', 'ls_tolerance="a"', 'ccd_iterations="a"', 'apirate="a"']),
    "compiler": ('<mujoco><compiler %s/></mujoco>',
        ['angle="q"', 'eulerseq="abc"', 'eulerseq="xy"', 'autolimits="q"', 'boundmass="a"', 'boundmass="-1"', 'inertiafromgeom="q"',
         'inertiagrouprange="1"', 'inertiagrouprange="7 1"', 'coordinate="global"', 'coordinate="q"', 'settotalmass="a"', 'balanceinertia="q"',
         'strippath="q"', 'usethread="q"', 'convexhull="true"', 'exactmeshinertia="q"', 'alignfree="q"', 'discardvisual="q"', 'fusestatic="q"',
         'saveinertial="q"', 'foo="1"', 'conflict="q"']),
    "weld": ('<mujoco><worldbody><body name="b"><joint/><geom size=".1"/><site name="s"/></body></worldbody><equality><weld %s/></equality></mujoco>',
        ['body1="b"', 'body1="q"', 'body2="b"', 'site1="s"', 'site1="s" site2="s"', 'site2="s"', 'relpose="1 2"', 'anchor="1"', 'torquescale="a"',
         'active="q"', 'solref="a"', 'class="q"', 'foo="1"', 'name="n"', 'solimp="a"']),
    "mesh": ('<mujoco><asset><mesh %s/></asset></mujoco>',
        ['name="n"', 'file="q.obj"', 'file="q.foo"', 'vertex="0 0 0"', 'vertex="a"', 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"', 'normal="1"',
         'texcoord="1"', 'face="0 1"', 'face="0 1 9"', 'scale="1"', 'scale="0 1 1"', 'refpos="1"', 'refquat="1"', 'inertia="q"', 'smoothnormal="q"',
         'maxhullvert="2"', 'maxhullvert="a"', 'builtin="q"', 'builtin="sphere"', 'params="1"', 'builtin="sphere" params="9"', 'content_type="q"',
         'class="q"', 'foo="1"', 'material="q"', 'octree_maxdepth="a"']),
}
MESH = [
    'vertex="0 0"', 'vertex="0 0 0"', 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"', 'vertex="0 0 0 1 0 0 0 1 0 0 0 1 1"', 'normal="1"', 'normal="1 0 0"',
    'normal="0 0 1 0 0 1 0 0 1 0 0 1"', 'texcoord="1"', 'texcoord="1 1"', 'face="0 1"', 'face="0 1 9"', 'face="0 1 2"', 'face="0 1 -1"',
    'file="q.obj"', 'file="q.foo"', 'maxhullvert="5"', 'inertia="shell"', 'inertia="exact"', 'scale="0 1 1"', 'refquat="0 0 0 0"', 'material="q"',
    'name="n"', 'content_type="image/png"', 'content_type="model/obj"', 'face="0 2 1 0 1 3 0 3 2 1 2 3"']


def told(module, text):
    try:
        module.MjModel.from_xml_string(text)
    except ValueError as error:
        return str(error).split("\n")[0]
    return None


def names(attributes):
    return [part.split("=")[0] for attribute in attributes for part in attribute.split()]


def differences(template, groups):
    found = {}
    for attributes in groups:
        if len(set(names(attributes))) == len(names(attributes)):
            text = template % " ".join(attributes)
            expected, actual = told(mujoco, text), told(sinew, text)
            if expected != actual:
                found[attributes] = (expected, actual)
    return found


@pytest.mark.parametrize("element", WRONG)
def test_two_wrong_attributes(element):
    template, wrong = WRONG[element]
    assert not differences(template, [(one,) for one in wrong] + list(itertools.permutations(wrong, 2)))


def test_three_attributes_of_a_mesh():
    assert not differences("<mujoco><asset><mesh %s/></asset></mujoco>", itertools.combinations(MESH, 3))
