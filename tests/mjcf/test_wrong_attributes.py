"""Wrong values of attributes: of two in one element the one is told that MuJoCo tells."""

import itertools

import mujoco
import pytest

import sinew
from refused import told

# element: the text around it, and wrong (or suspicious) attributes
WRONG = {
    "geom": ('<mujoco><worldbody><body><geom %s/></body></worldbody></mujoco>',
        ['type="q"', 'size="a"', 'size="1 2 3 4"', 'size="0"', 'pos="1 2"', 'quat="1 2"', 'quat=""', 'contype="x"', 'condim="2"', 'group="a"', 'priority="1.5"',
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
    "light": ('<mujoco><worldbody><light %s/></worldbody></mujoco>',
        ['mode="q"', 'mode="targetbody"', 'target="q"', 'directional="q"', 'type="q"', 'directional="true" type="spot"', 'castshadow="q"',
         'active="q"', 'pos="1"', 'dir="0 0 0"', 'dir="1"', 'bulbradius="a"', 'intensity="a"', 'range="a"', 'attenuation="1"', 'cutoff="a"',
         'exponent="a"', 'ambient="1"', 'diffuse="a"', 'specular="1"', 'texture="q"', 'class="q"', 'foo="1"']),
    "site": ('<mujoco><worldbody><site %s/></worldbody></mujoco>',
        ['type="q"', 'type="plane"', 'type="mesh"', 'size="0"', 'size="a"', 'size="1 2 3 4"', 'pos="1"', 'quat="0 0 0 0"', 'quat="1"', 'fromto="1"',
         'fromto="0 0 0 0 0 0" type="capsule"', 'euler="1"', 'zaxis="0 0 0"', 'axisangle="0 0 0 1"', 'xyaxes="1 0 0 1 0 0"', 'group="a"', 'rgba="1"',
         'material="q"', 'class="q"', 'user="a"', 'foo="1"']),
    "inertial": ('<mujoco><worldbody><body><inertial %s/><joint/></body></worldbody></mujoco>',
        ['pos="0 0 0"', 'pos="1"', 'mass="1"', 'mass="-1"', 'mass="a"', 'mass="0"', 'diaginertia="1 1 1"', 'diaginertia="1 1 9"',
         'diaginertia="-1 1 1"', 'diaginertia="1"', 'fullinertia="1 1 1 0 0 0"', 'fullinertia="1 1 1 9 9 9"', 'fullinertia="1"', 'quat="0 0 0 0"',
         'euler="1"', 'zaxis="0 0 0"', 'axisangle="1 0 0 1"', 'foo="1"']),
    "frame": ('<mujoco><worldbody><frame %s><geom size=".1"/></frame></worldbody></mujoco>',
        ['pos="1"', 'quat="0 0 0 0"', 'quat="1"', 'euler="1"', 'zaxis="0 0 0"', 'axisangle="0 0 0 1"', 'xyaxes="1 0 0 1 0 0"', 'childclass="q"',
         'name="a"', 'foo="1"']),
    "replicate": ('<mujoco><worldbody><replicate %s><geom size=".1"/></replicate></worldbody></mujoco>',
        ['count="2"', 'count="-1"', 'count="a"', 'count="0"', 'offset="1"', 'euler="1"', 'sep="q"', 'foo="1"']),
    "material": ('<mujoco><asset><material %s/></asset></mujoco>',
        ['name="m"', 'name="a" class="q"', 'texture="q"', 'texrepeat="1"', 'texrepeat="a"', 'texuniform="q"', 'emission="a"', 'specular="2"',
         'specular="a"', 'shininess="-1"', 'shininess="a"', 'reflectance="2"', 'metallic="a"', 'roughness="a"', 'rgba="1"', 'rgba="2 2 2 2"',
         'foo="1"']),
    "hfield": ('<mujoco><asset><hfield %s/></asset></mujoco>',
        ['name="h"', 'nrow="2"', 'nrow="-1"', 'nrow="a"', 'ncol="2"', 'ncol="0"', 'size="1 1 1 1"', 'size="0 1 1 1"', 'size="1"', 'size="1 1 -1 1"',
         'elevation="1 2 3"', 'elevation="0 1 2 3"', 'elevation="a"', 'file="q.png"', 'file="q.foo"', 'content_type="q"', 'content_type="image/gif"',
         'foo="1"']),
    "spatial": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><tendon><spatial %s><site site="s"/><site site="s2"'
        '/></spatial></tendon></mujoco>',
        ['name="t"', 'group="a"', 'limited="q"', 'limited="true"', 'range="1 0" limited="true"', 'range="a"', 'actuatorfrclimited="q"',
         'actuatorfrcrange="1 0" actuatorfrclimited="true"', 'solreflimit="a"', 'margin="a"', 'stiffness="a"', 'damping="a"', 'springlength="2 1"',
         'springlength="a"', 'width="0"', 'width="a"', 'width="-1"', 'material="q"', 'rgba="1"', 'frictionloss="a"', 'armature="-1"', 'class="q"',
         'user="a"', 'foo="1"']),
    "fixed": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><tendon><fixed %s><joint joint="j" coef="1"/></fixe'
        'd></tendon></mujoco>',
        ['group="a"', 'limited="true"', 'range="1 0" limited="true"', 'springlength="2 1"', 'width="0"', 'armature="-1"', 'class="q"', 'user="a"',
         'rgba="1"', 'material="q"', 'foo="1"']),
    "tendon path": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><tendon><spatial><site site="s"/><geom %s/><site si'
        'te="s2"/></spatial></tendon></mujoco>',
        ['geom="g"', 'geom="q"', 'sidesite="s"', 'sidesite="q"', 'foo="1"']),
    "pulley": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><tendon><spatial><site site="s"/><site site="s2"/><'
        'pulley %s/><site site="s"/><site site="s2"/></spatial></tendon></mujoco>',
        ['divisor="0"', 'divisor="-1"', 'divisor="a"', 'divisor="2"', 'foo="1"']),
    "pair": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><contact><pair %s></pair></contact></mujoco>',
        ['geom1="g"', 'geom1="q"', 'geom2="g2"', 'geom2="q"', 'condim="2"', 'condim="a"', 'friction="a"', 'friction="1 2 3 4 5 6"', 'solref="a"',
         'solreffriction="1 2 3"', 'solimp="a"', 'margin="a"', 'gap="a"', 'class="q"', 'name="n"', 'foo="1"']),
    "exclude": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><contact><exclude %s></exclude></contact></mujoco>',
        ['body1="b"', 'body1="q"', 'body2="b2"', 'body2="q"', 'body2="b"', 'name="n"', 'foo="1"']),
    "connect": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><equality><connect %s></connect></equality></mujoco'
        '>',
        ['body1="b"', 'body1="q"', 'body2="b2"', 'body2="b"', 'site1="s"', 'site2="s2"', 'anchor="0 0 0"', 'anchor="1"', 'active="q"', 'class="q"',
         'solref="a"', 'name="n"', 'foo="1"']),
    "eq joint": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><equality><joint %s></joint></equality></mujoco>',
        ['joint1="j"', 'joint1="q"', 'joint2="j2"', 'joint2="j"', 'polycoef="a"', 'polycoef="1 2 3 4 5 6"', 'active="q"', 'class="q"', 'solimp="a"',
         'foo="1"']),
    "eq tendon": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><equality><tendon %s></tendon></equality></mujoco>',
        ['tendon1="q"', 'tendon2="q"', 'polycoef="a"', 'active="q"', 'foo="1"']),
    "eq flex": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><equality><flex %s></flex></equality></mujoco>',
        ['flex="q"', 'active="q"', 'solref="a"', 'class="q"', 'foo="1"']),
    "position": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><actuator><position joint="j" %s/></actuator></mujo'
        'co>',
        ['kp="a"', 'kp="-1"', 'kv="-1"', 'kv="a"', 'dampratio="-1"', 'dampratio="1"', 'kv="1" dampratio="1"', 'timeconst="-1"', 'timeconst="a"',
         'inheritrange="1"', 'inheritrange="-1"', 'inheritrange="1" ctrlrange="0 1"', 'ctrlrange="1 0" ctrllimited="true"', 'forcelimited="true"',
         'tendon="q"', 'class="q"', 'actdim="3"', 'foo="1"', 'gear="a"']),
    "velocity": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><actuator><velocity joint="j" %s/></actuator></mujo'
        'co>',
        ['kv="a"', 'kv="-1"', 'ctrllimited="true"', 'foo="1"', 'gear="a"', 'forcerange="a"']),
    "intvelocity": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><actuator><intvelocity joint="j" %s/></actuator></m'
        'ujoco>',
        ['kp="a"', 'kv="-1"', 'dampratio="1"', 'kv="1" dampratio="1"', 'actrange="1 0"', 'actrange="0 1"', 'actrange="a"', 'inheritrange="1"',
         'actlimited="q"', 'foo="1"']),
    "damper": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><actuator><damper joint="j" %s/></actuator></mujoco'
        '>',
        ['kv="-1"', 'kv="a"', 'ctrlrange="-1 1"', 'ctrlrange="0 1"', 'ctrllimited="q"', 'foo="1"']),
    "cylinder": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><actuator><cylinder joint="j" %s/></actuator></mujo'
        'co>',
        ['timeconst="a"', 'area="a"', 'diameter="a"', 'bias="1 2 3 4"', 'foo="1"', 'gear="a"']),
    "muscle": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><actuator><muscle joint="j" %s/></actuator></mujoco'
        '>',
        ['timeconst="1"', 'timeconst="a"', 'tausmooth="-1"', 'range="1"', 'range="1 0"', 'force="a"', 'scale="-1"', 'lmin="2"', 'lmax="0"',
         'vmax="-1"', 'fpmax="a"', 'fvmax="-1"', 'foo="1"', 'lengthrange="1 0"']),
    "adhesion": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><actuator><adhesion body="b" %s/></actuator></mujoc'
        'o>',
        ['gain="-1"', 'gain="a"', 'ctrlrange="-1 1"', 'ctrlrange="0 1"', 'ctrlrange="a"', 'ctrllimited="q"', 'foo="1"', 'body="q"']),
    "key": ('<mujoco><worldbody><body name="m" mocap="true"/><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site na'
        'me="s2" pos="1 0 0"/></body><body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><keyframe><key %s/></k'
        'eyframe></mujoco>',
        ['name="k"', 'time="a"', 'qpos="1"', 'qpos="a"', 'qvel="1"', 'qvel="1 2 3"', 'act="1"', 'ctrl="1"', 'ctrl="a"', 'mpos="1"', 'mpos="1 2 3"',
         'mquat="1"', 'mquat="0 0 0 0"', 'mquat="a"', 'foo="1"']),
    "numeric": ('<mujoco><custom><numeric %s/></custom></mujoco>',
        ['name="n"', 'size="1"', 'size="0"', 'size="-1"', 'size="a"', 'data="1 2"', 'data="a"', 'foo="1"']),
    "text": ('<mujoco><custom><text %s/></custom></mujoco>',
        ['name="n"', 'data=""', 'data="x"', 'foo="1"']),
    "tuple": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><custom><tuple name="t"><element %s/></tuple></cust'
        'om></mujoco>',
        ['objtype="body"', 'objtype="q"', 'objname="b"', 'objname="q"', 'prm="a"', 'prm="1"', 'foo="1"']),
    "statistic": ('<mujoco><statistic %s/></mujoco>',
        ['meaninertia="a"', 'meanmass="-1"', 'meansize="0"', 'extent="0"', 'extent="-1"', 'extent="a"', 'center="1"', 'center="a"', 'foo="1"']),
    "map": ('<mujoco><visual><map %s/></visual></mujoco>',
        ['stiffness="a"', 'znear="0"', 'znear="-1"', 'zfar="a"', 'shadowclip="a"', 'haze="a"', 'foo="1"']),
    "global": ('<mujoco><visual><global %s/></visual></mujoco>',
        ['realtime="0"', 'realtime="-1"', 'realtime="a"', 'fovy="a"', 'offwidth="a"', 'offheight="1.5"', 'orthographic="q"', 'cameraid="a"',
         'ipd="a"', 'bvactive="q"', 'ellipsoidinertia="q"', 'foo="1"']),
    "quality": ('<mujoco><visual><quality %s/></visual></mujoco>',
        ['shadowsize="a"', 'offsamples="1.5"', 'numslices="a"', 'numstacks="1 2"', 'numquads="a"', 'foo="1"']),
    "flag": ('<mujoco><option><flag %s/></option></mujoco>',
        ['contact="q"', 'gravity="x"', 'energy="q"', 'island="q"', 'sleep="q"', 'multiccd="q"', 'foo="1"', 'override="maybe"', 'actuation="q"',
         'nativeccd="q"', 'eulerdamp="q"', 'autoreset="q"', 'invdiscrete="q"', 'fwdinv="q"']),
    "size": ('<mujoco><size %s/></mujoco>',
        ['nuser_body="-2"', 'nuser_jnt="a"', 'nuser_geom="-3"', 'nuser_sensor="-2"', 'nconmax="-2"', 'njmax="a"', 'nuserdata="a"', 'nkey="-1"',
         'nkey="a"', 'memory="a"', 'memory="1M" njmax="3"', 'memory="1M"', 'nstack="4"', 'foo="1"']),
    "default": ('<mujoco><default><geom %s/></default><worldbody><geom/></worldbody></mujoco>',
        ['type="q"', 'size="a"', 'size="0"', 'class="q"', 'name="a"', 'pos="1"', 'friction="1 2 3 4"', 'material="q"', 'mesh="q"', 'foo="1"',
         'quat="0 0 0 0"']),
    "jointpos": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><sensor><jointpos %s></jointpos></sensor></mujoco>',
        ['joint="j"', 'joint="q"', 'cutoff="-1"', 'noise="-1"', 'user="a"', 'foo="1"', 'name="n"', 'delay="1"', 'nsample="-1"', 'interval="1 1"',
         'interval="a"', 'interp="q"']),
    "distance": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><sensor><distance %s></distance></sensor></mujoco>',
        ['geom1="g"', 'geom1="q"', 'geom2="g2"', 'geom2="q"', 'body1="b"', 'body1="q"', 'body2="b2"', 'cutoff="-1"', 'cutoff="1"', 'noise="a"',
         'foo="1"']),
    "contact sensor": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><sensor><contact %s></contact></sensor></mujoco>',
        ['geom1="g"', 'geom1="q"', 'geom2="g2"', 'body1="b"', 'subtree1="b"', 'subtree2="q"', 'site="s"', 'site="q"', 'num="0"', 'num="a"',
         'data="force found"', 'data="found force"', 'reduce="q"', 'reduce="netforce"', 'foo="1"']),
    "rangefinder": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><sensor><rangefinder %s></rangefinder></sensor></mu'
        'joco>',
        ['site="s"', 'site="q"', 'camera="q"', 'data="dist"', 'data="depth normal"', 'cutoff="-1"', 'foo="1"']),
    "user sensor": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><sensor><user %s></user></sensor></mujoco>',
        ['dim="0"', 'dim="-1"', 'dim="2"', 'dim="a"', 'needstage="q"', 'datatype="q"', 'datatype="quaternion"', 'objtype="body"', 'objname="b"',
         'objtype="q"', 'objname="q"', 'foo="1"']),
    "insidesite": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><sensor><insidesite %s></insidesite></sensor></mujo'
        'co>',
        ['site="s"', 'site="q"', 'objtype="body"', 'objtype="q"', 'objname="b"', 'objname="q"', 'foo="1"']),
    "camprojection": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><sensor><camprojection %s></camprojection></sensor>'
        '</mujoco>',
        ['site="s"', 'site="q"', 'camera="q"', 'cutoff="-1"', 'foo="1"']),
    "tactile": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><sensor><tactile %s></tactile></sensor></mujoco>',
        ['mesh="q"', 'geom="g"', 'geom="q"', 'cutoff="-1"', 'foo="1"']),
    "flexcomp": ('<mujoco><worldbody><body name="p"><flexcomp %s/></body></worldbody></mujoco>',
        ['name="f"', 'type="q"', 'type="grid"', 'type="mesh"', 'type="direct"', 'count="2"', 'count="2 2 1"', 'count="0 2 1"', 'spacing="1"',
         'spacing="-1 1 1"', 'dim="2"', 'dim="4"', 'dim="a"', 'mass="0"', 'mass="-1"', 'inertiabox="0"', 'inertiabox="a"', 'radius="0"',
         'radius="a"', 'scale="1"', 'dof="q"', 'dof="trilinear"', 'point="1 2"', 'point="a"', 'element="0 1"', 'file="q.obj"', 'rgba="1"',
         'group="9"', 'material="q"', 'rigid="q"', 'flatskin="q"', 'pos="1"', 'quat="0 0 0 0"', 'origin="1"', 'texcoord="1"', 'foo="1"']),
    "flex": ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size=".1"/><site name="s"/><site name="s2" pos="1 0 0"/></body><'
        'body name="b2"><joint name="j2"/><geom name="g2" size=".1"/></body></worldbody><deformable><flex %s/></deformable></mujoco>',
        ['name="f"', 'body="b b2"', 'body="q"', 'body="b"', 'vertex="0 0 0 1 0 0"', 'vertex="0 0"', 'vertex="a"', 'element="0 1"', 'element="0 9"',
         'element="0"', 'dim="1"', 'dim="2"', 'dim="0"', 'dim="a"', 'radius="0"', 'radius="a"', 'group="a"', 'material="q"', 'rgba="1"', 'node="b"',
         'flatskin="q"', 'texcoord="1"', 'elemtexcoord="1"', 'foo="1"']),
    "composite": ('<mujoco><worldbody><body><composite %s><joint kind="main"/><geom type="capsule" size=".01"/></composite></body></worldbody></mujoco>',
        ['type="cable"', 'type="q"', 'type="grid"', 'prefix="a"', 'count="3 1 1"', 'count="0 1 1"', 'count="a"', 'count="3"', 'offset="1"',
         'initial="q"', 'curve="s"', 'curve="q"', 'size="1"', 'size="1 1 1"', 'quat="0 0 0 0"', 'quat="1"', 'foo="1"']),
}
MESH = [
    'vertex="0 0"', 'vertex="0 0 0"', 'vertex="0 0 0 1 0 0 0 1 0 0 0 1"', 'vertex="0 0 0 1 0 0 0 1 0 0 0 1 1"', 'normal="1"', 'normal="1 0 0"',
    'normal="0 0 1 0 0 1 0 0 1 0 0 1"', 'texcoord="1"', 'texcoord="1 1"', 'face="0 1"', 'face="0 1 9"', 'face="0 1 2"', 'face="0 1 -1"',
    'file="q.obj"', 'file="q.foo"', 'maxhullvert="5"', 'inertia="shell"', 'inertia="exact"', 'scale="0 1 1"', 'refquat="0 0 0 0"', 'material="q"',
    'name="n"', 'content_type="image/png"', 'content_type="model/obj"', 'face="0 2 1 0 1 3 0 3 2 1 2 3"']


def names(attributes):
    return [part.split("=")[0] for attribute in attributes for part in attribute.split()]


def differences(template, groups):
    found = {}
    for attributes in groups:
        if len(set(names(attributes))) == len(names(attributes)):
            text = template % " ".join(attributes)
            expected, actual = told(mujoco, text), told(sinew, text)
            if expected != actual and not (expected and actual and actual.startswith(expected)):  # ours may add a name or a number
                found[attributes] = (expected, actual)
    return found


@pytest.mark.parametrize("element", WRONG)
def test_two_wrong_attributes(element):
    template, wrong = WRONG[element]
    assert not differences(template, [(one,) for one in wrong] + list(itertools.permutations(wrong, 2)))


def test_three_attributes_of_a_mesh():
    assert not differences("<mujoco><asset><mesh %s/></asset></mujoco>", itertools.combinations(MESH, 3))
