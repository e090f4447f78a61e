"""Numbers that are not finite, in every kind of attribute: refused, or kept, as MuJoCo does it."""

import mujoco
import numpy as np
import pytest
from compiled import differences
from sinew import _core

GEOM = '<geom size=".1"/>'
PLACES = {
    "inertial_pos": '<body><joint/><inertial pos="0 {} 0" mass="1" diaginertia="1 1 1"/></body>',
    "inertial_mass": '<body><joint/><inertial pos="0 0 0" mass="{}" diaginertia="1 1 1"/></body>',
    "diaginertia": '<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 {} 1"/></body>',
    "fullinertia": '<body><joint/><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 {} 0"/></body>',
    "static_fullinertia": '<body><inertial pos="0 0 0" mass="1" fullinertia="1 1 1 0 {} 0"/></body>',
    "geom_size": '<geom size="{}"/>',
    "geom_size_box": '<body><joint/><geom type="box" size="1 1 {}"/></body>',
    "geom_size_unused": '<geom size="1 1 {}"/>',
    "geom_size_plane": '<geom type="plane" size="1 1 {}"/>',
    "geom_size_plane_half": '<geom type="plane" size="1 {} 1"/>',
    "geom_fromto": '<geom type="capsule" size=".1" fromto="0 0 0 0 {} 1"/>',
    "geom_pos": '<body><joint/><geom size="1" pos="0 {} 0"/></body>',
    "geom_quat": '<body><joint/><geom size="1" quat="1 {} 0 0"/></body>',
    "geom_mass": '<body><joint/><geom size="1" mass="{}"/></body>',
    "geom_density": '<body><joint/><geom size="1" density="{}"/></body>',
    "site_size": '<site size="{}"/>',
    "site_size_box": '<site type="box" size="1 {} 1"/>',
    "site_fromto": '<site type="capsule" size=".1" fromto="0 0 0 0 {} 1"/>',
    "camera_fovy": '<camera name="c" fovy="{}"/>',
    "joint_axis": f'<body><joint axis="0 {{}} 1"/>{GEOM}</body>',
    "joint_range": f'<body><joint limited="true" range="0 {{}}"/>{GEOM}</body>',
    "joint_range_low": f'<body><joint limited="true" range="{{}} 1"/>{GEOM}</body>',
    "joint_range_auto": f'<body><joint range="0 {{}}"/>{GEOM}</body>',
    "ball_range": f'<body><joint type="ball" limited="true" range="{{}} 1"/>{GEOM}</body>',
    "joint_frcrange": f'<body><joint actuatorfrclimited="true" actuatorfrcrange="0 {{}}"/>{GEOM}</body>',
    "hinge_ref": f'<body><joint ref="{{}}"/>{GEOM}<body><joint type="slide"/>{GEOM}</body></body>',
    "hinge_ref_alone": f'<body><joint ref="{{}}"/>{GEOM}</body>',
    "slide_ref": f'<body><joint type="slide" ref="{{}}"/>{GEOM}</body>',
    "hinge_springref": f'<body><joint springref="{{}}"/>{GEOM}</body>',
    "springdamper": f'<body><joint springdamper="{{}} 1"/>{GEOM}</body>',
    "springdamper_of_no_inertia": f'<body><joint armature="{{}}" springdamper="1 1"/>{GEOM}</body>',
    "springdamper_ratio": f'<body><joint springdamper="1 {{}}"/>{GEOM}</body>',
}
MESH_PLACES = {
    f"mesh_{attribute}_{number}": (f'{attribute}="{value}" inertia="{inertia}"', world)
    for attribute, value in [("scale", "1 {} 1"), ("refpos", "1 {} 1"), ("refquat", "1 0 {} 0")]
    for number, (inertia, world) in enumerate([
        ("legacy", '<geom type="mesh" mesh="m"/>'),
        ("exact", '<geom type="box" mesh="m"/>'),
        ("shell", '<body><joint/><geom type="mesh" mesh="m"/></body>'),
        ("legacy", '<body><joint/><geom size="1"/><geom type="mesh" mesh="m" mass="0"/></body>'),
        ("exact", GEOM),
    ])
}
AFTER_PLACES = {
    "tendon_range": '<tendon><fixed limited="true" range="0 {}"><joint joint="j" coef="1"/></fixed></tendon>',
    "tendon_frcrange": '<tendon><fixed actuatorfrclimited="true" actuatorfrcrange="0 {}">'
                       '<joint joint="j" coef="1"/></fixed></tendon>',
    "pulley": '<tendon><spatial name="t"><site site="s"/><site site="s2"/><pulley divisor="{}"/>'
              '<site site="s"/><site site="s2"/></spatial></tendon>',
    "pulley_alone": '<tendon><spatial name="t"><site site="s"/><pulley divisor="{}"/></spatial></tendon>',
    "ctrlrange": '<actuator><motor joint="j" ctrllimited="true" ctrlrange="0 {}"/></actuator>',
    "forcerange": '<actuator><motor joint="j" forcelimited="true" forcerange="0 {}"/></actuator>',
    "actrange": '<actuator><intvelocity joint="j" actlimited="true" actrange="0 {}"/></actuator>',
    "damper_range": '<actuator><damper joint="j" kv="1" ctrlrange="{} 1"/></actuator>',
    "muscle_force": '<actuator><muscle joint="j" force="{}"/></actuator>',
    "muscle_lengthrange": '<actuator><muscle joint="j" lengthrange="0 {}"/></actuator>',
}
BODY = f'<body><joint name="j"/>{GEOM}<site name="s"/><site name="s2" pos="1 0 0"/></body>'
CASES = {name: f"<worldbody>{text}</worldbody>" for name, text in PLACES.items()}
CASES |= {name: '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" '
                f"{mesh}/></asset><worldbody>{world}</worldbody>"
          for name, (mesh, world) in MESH_PLACES.items()}
CASES |= {name: f"<worldbody>{BODY}</worldbody>{text}" for name, text in AFTER_PLACES.items()}

# Boxes around the faces of a mesh that is nowhere: MuJoCo's have a centre that is not a number and infinite halves.
BOXES = ("bvh_aabb", "geom_aabb")


def load(loader, xml):
    try:
        return loader(xml), None
    except ValueError as error:
        return None, str(error)


@pytest.mark.parametrize("value", ["nan", "-NaN", "inf", "-inf"])
@pytest.mark.parametrize("name", CASES)
def test_not_finite(name, value):
    xml = f"<mujoco>{CASES[name].format(value)}</mujoco>"
    expected, reason = load(mujoco.MjModel.from_xml_string, xml)
    actual, message = load(_core.MjModel.from_xml_string, xml)
    if expected is None:
        # ours speaks of a site where MuJoCo calls it a geom, and fovy may exceed an integer
        phrase = reason.splitlines()[0].removesuffix(" in geom").split(", value")[0]
        assert message and phrase in message
    else:
        assert actual is not None, message
        found = [line for line in differences(expected, actual) if not (name.startswith("mesh") and line.startswith(BOXES))]
        assert not found, found


@pytest.mark.parametrize("body", ['<body quat="nan 0 1 0">', '<body mocap="true" quat="inf 0 0 0">'])
def test_models_with_bad_quaternions_can_be_saved_and_loaded(body, tmp_path):
    model = _core.MjModel.from_xml_string(f'<mujoco><worldbody>{body}<geom size=".1"/></body></worldbody></mujoco>')
    path = str(tmp_path / "model.mjb")
    _core.mj_saveModel(model, path, None)
    again = _core.MjModel.from_binary_path(path)
    assert np.isnan(again.body_quat[1]).any() and np.array_equal(model.body_quat, again.body_quat, equal_nan=True)
