"""Models with two defects: which one is told says in which order a compiler checks."""

_SKIN = '<deformable><skin name="s" {}>{}</skin></deformable>'
_BONE = '<bone body="{}" bindpos="0 0 0" bindquat="1 0 0 0" vertid="{}" vertweight="{}"/>'
_VERTEX, _FACE = 'vertex="0 0 0 1 0 0 0 1 0"', 'face="0 1 2"'

# name: (in the world body, behind it)
DEFECTS = {
    "skin without vertices": ("", _SKIN.format(_FACE, _BONE.format("b", "0 1 2", "1 1 1"))),
    "skin, texture coordinates": ("", _SKIN.format(f'{_VERTEX} {_FACE} texcoord="0 0"', _BONE.format("b", "0 1 2", "1 1 1"))),
    "skin, material": ("", _SKIN.format(f'{_VERTEX} {_FACE} material="q"', _BONE.format("b", "0 1 2", "1 1 1"))),
    "skin, body": ("", _SKIN.format(f"{_VERTEX} {_FACE}", _BONE.format("nobody", "0 1 2", "1 1 1"))),
    "skin, vertex": ("", _SKIN.format(f"{_VERTEX} {_FACE}", _BONE.format("b", "0 1 9", "1 1 1"))),
    "skin, weight": ("", _SKIN.format(f"{_VERTEX} {_FACE}", _BONE.format("b", "0 1 2", "0 1 1"))),
    "skin, sizes of a bone": ("", _SKIN.format(f"{_VERTEX} {_FACE}", _BONE.format("b", "0 1", "0 1 1"))),
    "size of a geom": ('<geom size="0"/>', ""),
    "size of a site": ('<site size="0"/>', ""),
    "material of a geom": ('<geom size=".1" material="q"/>', ""),
    "material of a geom that is drawn": ('<geom size=".1" contype="0" conaffinity="0" material="q"/>', ""),
    "mesh of a geom that is drawn": ('<geom type="mesh" mesh="q" contype="0" conaffinity="0"/>', ""),
    "size of a geom that is drawn": ('<geom size="0" contype="0" conaffinity="0"/>', ""),
    "mesh of a geom": ('<geom type="mesh" mesh="q"/>', ""),
    "height field of a geom": ('<geom type="hfield" hfield="q"/>', ""),
    "material of a site": ('<site material="q"/>', ""),
    "target of a camera": ('<camera mode="targetbody" target="q"/>', ""),
    "target of a light": ('<light mode="targetbody" target="q"/>', ""),
    "texture of a light": ('<light texture="q"/>', ""),
    "range of a joint": ('<body><joint range="1 0" limited="true"/><geom size=".1"/></body>', ""),
    "axis of a joint": ('<body><joint axis="0 0 0"/><geom size=".1"/></body>', ""),
    "two free joints": ('<body><freejoint/><freejoint/><geom size=".1"/></body>', ""),
    "deep free joint": ('<body><geom size=".1"/><body><freejoint/><geom size=".1"/></body></body>', ""),
    "moving mass": ("<body><joint/></body>", ""),
    "inertia": ('<body><inertial pos="0 0 0" mass="1" diaginertia="1 1 9"/></body>', ""),
    "gravity compensation plugin": ('<body><plugin instance="q"/></body>', ""),
    "geom of a pair": ("", '<contact><pair geom1="p" geom2="q"/></contact>'),
    "body of an exclude": ("", '<contact><exclude body1="b" body2="q"/></contact>'),
    "joint of a tendon": ("", '<tendon><fixed><joint joint="q" coef="1"/></fixed></tendon>'),
    "site of a tendon": ("", '<tendon><spatial><site site="q"/><site site="r"/></spatial></tendon>'),
    "range of a tendon": ("", '<tendon><fixed limited="true"><joint joint="j" coef="1"/></fixed></tendon>'),
    "material of a tendon": ('<site name="s1"/><site name="s2" pos="1 0 0"/>',
                             '<tendon><spatial material="q"><site site="s1"/><site site="s2"/></spatial></tendon>'),
    "body of an equality": ("", '<equality><weld body1="q"/></equality>'),
    "target of an actuator": ("", '<actuator><motor joint="q"/></actuator>'),
    "range of an actuator": ("", '<actuator><motor joint="j" ctrllimited="true"/></actuator>'),
    "plugin of an actuator": ("", '<actuator><plugin joint="j" plugin="mujoco.pid" instance="q"/></actuator>'),
    "object of a sensor": ("", '<sensor><jointpos joint="q"/></sensor>'),
    "cutoff of a sensor": ("", '<sensor><jointpos joint="j" cutoff="-1"/></sensor>'),
    "user data of a body": ('<body user="1 2 3"/>', '<size nuser_body="1"/>'),
    "user data of a joint": ('<body><joint user="1 2 3"/><geom size=".1"/></body>', '<size nuser_jnt="1"/>'),
    "user data of a geom": ('<geom size=".1" user="1 2 3"/>', '<size nuser_geom="1"/>'),
    "user data of a site": ('<site user="1 2 3"/>', '<size nuser_site="1"/>'),
    "user data of a camera": ('<camera user="1 2 3"/>', '<size nuser_cam="1"/>'),
    "user data of a tendon": ("", '<size nuser_tendon="1"/><tendon><fixed user="1 2 3"><joint joint="j" coef="1"/></fixed></tendon>'),
    "user data of an actuator": ("", '<size nuser_actuator="1"/><actuator><motor joint="j" user="1 2 3"/></actuator>'),
    "user data of a sensor": ("", '<size nuser_sensor="1"/><sensor><jointpos joint="j" user="1 2 3"/></sensor>'),
    "element of a tuple": ("", '<custom><tuple name="t"><element objtype="body" objname="q"/></tuple></custom>'),
    "size of a numeric": ("", '<custom><numeric name="n" size="1" data="1 2"/></custom>'),
    "size of a keyframe": ("", '<keyframe><key qpos="1 2 3 4 5 6 7 8 9"/></keyframe>'),
    "points of a mesh": ("", '<asset><mesh name="m" vertex="0 0 0"/></asset>'),
    "file of a mesh": ("", '<asset><mesh name="m" file="q.obj"/></asset>'),
    "size of a height field": ("", '<asset><hfield name="h" nrow="0" ncol="0" size="1 1 1 1"/></asset>'),
    "file of a texture": ("", '<asset><texture name="t" type="2d" file="q.png"/></asset>'),
    "texture without anything": ("", '<asset><texture name="t" type="2d"/></asset>'),
    "texture of a material": ("", '<asset><material name="m" texture="q"/></asset>'),
    "vertices of a flex": ("", '<deformable><flex name="f" dim="1" body="b b" vertex="0 0 0"/></deformable>'),
    "body of a flex": ("", '<deformable><flex name="f" dim="1" body="b q" element="0 1"/></deformable>'),
    "material of a flex": ("", '<deformable><flex name="f" dim="1" body="b b" element="0 1" material="q"/></deformable>'),
}


def model(*names, settings=""):
    inside, behind = ("".join(parts) for parts in zip(*(DEFECTS[name] for name in names)))
    return (f'<mujoco><compiler {settings}/><worldbody>{inside}<body name="b"><joint name="j"/><geom size=".1"/></body></worldbody>'
            f"{behind}</mujoco>")
