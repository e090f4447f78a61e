"""Our compiler against MuJoCo's: every field of the compiled model, and every refusal."""

import corpus
import mujoco
import numpy as np
import pytest
import sinew
from compiled import differences
from sinew import _core

OWN = sorted((corpus.OWN / "compile").glob("*.xml"))
FIELD = [name for name in corpus.paths() if not name.startswith("own/")]


def check(path):
    # a mesh that an earlier model left in MuJoCo's cache would be taken with that model's hull
    mujoco.mj_clearCache(mujoco.mj_getCache())
    expected = mujoco.MjModel.from_xml_path(str(path))
    if "plugin/sdf" in str(path):
        pytest.skip("meshes of plugins have their own test")
    actual = _core.MjModel.from_xml_path(str(path))
    found = differences(expected, actual)
    assert not found, "\n".join(found)


def test_enough_own_models():
    assert len(OWN) >= 120


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.stem)
def test_own_model(path):
    check(path)


def check_field_model(name):
    try:
        check(corpus.paths()[name])
    except ValueError as error:
        if corpus.load(name) is None:
            pytest.skip(f"MuJoCo refuses the file: {error}")
        raise


@pytest.mark.parametrize("name", FIELD[::12])
def test_field_model(name):
    check_field_model(name)


@pytest.mark.full
@pytest.mark.parametrize("name", FIELD)
def test_all_field_models(name):
    check_field_model(name)


# ---- refusals ----

BODY = """<body name="a"><joint name="j"/><joint name="sl" type="slide"/><geom name="g" size=".1"/>
<geom name="gb" type="box" size=".1 .1 .1"/><site name="s"/><site name="s2" pos="1 0 0"/></body>
<body name="b" pos="1 0 0"><joint name="ball" type="ball"/><geom name="g2" size=".1"/></body>"""


def model(inside, outside=""):
    return f"<mujoco>{outside}<worldbody>{inside}</worldbody></mujoco>"


def with_tree(outside):
    return model(BODY, outside)


# model, a part of the message that names what is wrong
BROKEN = {
    "geom_size": (model('<geom name="x"/>'), "size 0 must be positive"),
    "geom_box_size": (model('<geom type="box" size=".1 .1"/>'), "size 2 must be positive"),
    "geom_plane_size": (model('<geom type="plane" size="1 1 0"/>'), "plane size(3)"),
    "geom_condim": (model('<geom size=".1" condim="2"/>'), "condim"),
    "geom_mesh_missing": (model('<geom type="mesh"/>'), "mesh"),
    "geom_mesh_unknown": (model('<geom type="mesh" mesh="q"/>'), "'q'"),
    "geom_hfield_unknown": (model('<geom type="hfield" hfield="q"/>'), "'q'"),
    "geom_hfield_type": (
        model('<geom size=".1" hfield="h"/>', '<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset>'),
        "hfield",
    ),
    "geom_material": (model('<geom size=".1" material="q"/>'), "'q'"),
    "geom_plane_moving": (
        model('<body><joint/><geom size=".1"/><geom type="plane" size="1 1 1"/></body>'),
        "plane only allowed in static bodies",
    ),
    "geom_fromto_type": (model('<geom type="sphere" size=".1" fromto="0 0 0 1 0 0"/>'), "fromto"),
    "geom_fromto_pos": (
        model('<geom type="capsule" size=".1" pos="1 0 0" fromto="0 0 0 1 0 0"/>'),
        "both pos and fromto",
    ),
    "geom_fromto_close": (
        model('<geom type="capsule" size=".1" fromto="0 0 0 0 0 0"/>'),
        "fromto points too close",
    ),
    "geom_mass": (model('<body><joint/><geom size=".1" mass="-1"/></body>'), "are negative"),
    "geom_density": (model('<body><joint/><geom size=".1" density="-1"/></body>'), "are negative"),
    "axisangle": (model('<geom size=".1" axisangle="0 0 0 1"/>'), "axisangle too small"),
    "xyaxes": (model('<geom size=".1" xyaxes="1 0 0 1 0 0"/>'), "too small"),
    "zaxis": (model('<geom size=".1" zaxis="0 0 0"/>'), "zaxis too small"),
    "site_plane": (model('<site type="plane" size="1 1 1"/>'), "site"),
    "site_size": (model('<site size="-1"/>'), "size 0 must be positive in geom"),
    "joint_axis": (model('<body><joint axis="0 0 0"/><geom size=".1"/></body>'), "axis too small"),
    "joint_range": (
        model('<body><joint limited="true" range="1 0"/><geom size=".1"/></body>'),
        "range[0] should be smaller",
    ),
    "joint_ball_range": (
        model('<body><joint type="ball" range="1 2"/><geom size=".1"/></body>'),
        "range[0] should be 0",
    ),
    "joint_springdamper": (
        model('<body><joint springdamper="1 0"/><geom size=".1"/></body>'),
        "springdamper",
    ),
    "joint_actfrc": (
        model('<body><joint actuatorfrclimited="true"/><geom size=".1"/></body>'),
        "actfrcrange",
    ),
    "joint_autolimits": (
        model('<body><joint range="0 1"/><geom size=".1"/></body>', '<compiler autolimits="false"/>'),
        "autolimits",
    ),
    "joint_user": (
        model('<body><joint user="1 2"/><geom size=".1"/></body>', '<size nuser_jnt="1"/>'),
        "nuser_jnt",
    ),
    "joint_dofs": (
        model('<body><joint type="ball"/><joint type="slide"/><joint type="slide" axis="1 0 0"/>'
              '<joint type="slide" axis="0 1 0"/><joint type="slide"/><geom size=".1"/></body>'),
        "more than 6 dofs",
    ),
    "joint_after_ball": (
        model('<body><joint type="ball"/><joint/><geom size=".1"/></body>'),
        "ball followed by rotation",
    ),
    "free_nested": (
        model('<body><geom size=".1"/><body><freejoint/><geom size=".1"/></body></body>'),
        "free joint",
    ),
    "free_and_hinge": (model('<body><freejoint/><joint/><geom size=".1"/></body>'), "dofs"),
    "body_mass": (model('<body name="x"><joint/></body>'), "mass and inertia of moving bodies"),
    "body_inertia": (
        model('<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 3"/></body>'),
        "A + B >= C",
    ),
    "body_full_inertia": (
        model('<body><joint/><inertial pos="0 0 0" mass="1" fullinertia="-1 1 1 0 0 0"/></body>'),
        "positive eigenvalues",
    ),
    "body_both_inertias": (
        model('<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1" '
              'fullinertia="1 1 1 0 0 0"/></body>'),
        "fullinertia and diagonal inertia",
    ),
    "body_negative_mass": (
        model('<body><joint/><inertial pos="0 0 0" mass="-1" diaginertia="1 1 1"/></body>'),
        "larger than mjMINVAL",
    ),
    "body_mocap": (model('<body mocap="true"><joint/><geom size=".1"/></body>'), "mocap"),
    "body_mocap_nested": (model('<body><body mocap="true"/></body>'), "mocap"),
    "body_sleep": (model('<body sleep="never"><geom size=".1"/></body>'), "sleep policy"),
    "camera_target": (model('<camera mode="targetbody" target="q"/>'), "unknown target body in camera"),
    "camera_fovy": (model('<camera fovy="180"/>'), "fovy"),
    "camera_focal": (model('<camera focal="1 1"/>'), "sensorsize"),
    "camera_resolution": (model('<camera sensorsize="1 1" resolution="0 0"/>'), "resolution"),
    "light_dir": (model('<light dir="0 0 0"/>'), "zero direction"),
    "light_target": (model('<light mode="targetbody" target="q"/>'), "unknown target body in light"),
    "light_texture": (model('<light texture="q"/>'), "'q'"),
    "material_texture": (
        model("", '<asset><material name="m" texture="q"/></asset>'),
        "texture 'q' not found in material",
    ),
    "mesh_file": (model("", '<asset><mesh name="m" file="q.obj"/></asset>'), "q.obj"),
    "mesh_vertices": (model("", '<asset><mesh name="m" vertex="0 0 0 1 0 0"/></asset>'), "at least 4"),
    "mesh_face": (
        model("", '<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 9"/></asset>'),
        "does not exist",
    ),
    "hfield_size": (
        model("", '<asset><hfield name="h" nrow="2" ncol="2" size="0 1 1 1"/></asset>'),
        "size",
    ),
    "texture_file": (model("", '<asset><texture name="t" type="2d" file="q.png"/></asset>'), "q.png"),
    "skin_body": (
        model("", '<deformable><skin vertex="0 0 0 1 0 0 0 1 0" face="0 1 2"><bone body="q" '
              'bindpos="0 0 0" bindquat="1 0 0 0" vertid="0 1 2" vertweight="1 1 1"/></skin></deformable>'),
        "'q'",
    ),
    "pair_geom": (with_tree('<contact><pair geom1="g" geom2="q"/></contact>'), "'q'"),
    "pair_condim": (with_tree('<contact><pair geom1="g" geom2="g2" condim="2"/></contact>'), "condim"),
    "exclude_body": (with_tree('<contact><exclude body1="a" body2="q"/></contact>'), "'q'"),
    "equality_unknown": (with_tree('<equality><joint joint1="q"/></equality>'), "'q'"),
    "equality_repeated": (with_tree('<equality><joint joint1="j" joint2="j"/></equality>'), "repeated"),
    "equality_world": (
        with_tree('<equality><connect body1="world" anchor="0 0 0"/></equality>'),
        "repeated",
    ),
    "equality_ball": (with_tree('<equality><joint joint1="ball"/></equality>'), "HINGE and SLIDE"),
    "tendon_empty": (with_tree('<tendon><spatial name="t"/></tendon>'), "path cannot be empty"),
    "tendon_one": (
        with_tree('<tendon><spatial name="t"><site site="s"/></spatial></tendon>'),
        "at least two",
    ),
    "tendon_site": (
        with_tree('<tendon><spatial><site site="s"/><site site="q"/></spatial></tendon>'),
        "'q'",
    ),
    "tendon_repeated": (
        with_tree('<tendon><spatial><site site="s"/><site site="s"/></spatial></tendon>'),
        "repeated",
    ),
    "tendon_bracket": (
        with_tree('<tendon><spatial><site site="s"/><geom geom="g"/></spatial></tendon>'),
        "not bracketed",
    ),
    "tendon_box": (
        with_tree('<tendon><spatial><site site="s"/><geom geom="gb"/><site site="s2"/></spatial></tendon>'),
        "not sphere or cylinder",
    ),
    "tendon_sidesite": (
        with_tree('<tendon><spatial><site site="s"/><geom geom="g" sidesite="q"/><site site="s2"/>'
                  "</spatial></tendon>"),
        "'q'",
    ),
    "tendon_pulley_end": (
        with_tree('<tendon><spatial><site site="s"/><site site="s2"/><pulley divisor="1"/></spatial></tendon>'),
        "ends with pulley",
    ),
    "tendon_pulley": (
        with_tree('<tendon><spatial><site site="s"/><pulley divisor="-1"/><site site="s2"/></spatial></tendon>'),
        "negative divisor",
    ),
    "tendon_width": (
        with_tree('<tendon><spatial width="0"><site site="s"/><site site="s2"/></spatial></tendon>'),
        "width",
    ),
    "tendon_limits": (
        with_tree('<tendon><spatial limited="true"><site site="s"/><site site="s2"/></spatial></tendon>'),
        "invalid limits",
    ),
    "tendon_springlength": (
        with_tree('<tendon><spatial springlength="2 1"><site site="s"/><site site="s2"/></spatial></tendon>'),
        "springlength",
    ),
    "tendon_actfrc": (
        with_tree('<tendon><fixed actuatorfrclimited="true" actuatorfrcrange="1 2">'
                  '<joint joint="j" coef="1"/></fixed></tendon>'),
        "actuatorfrcrange",
    ),
    "tendon_armature_geom": (
        with_tree('<tendon><spatial armature="1"><site site="s"/><geom geom="g"/><site site="s2"/>'
                  "</spatial></tendon>"),
        "armature",
    ),
    "tendon_joint": (
        with_tree('<tendon><fixed><joint joint="q" coef="1"/></fixed></tendon>'),
        "'q'",
    ),
    "actuator_target": (with_tree('<actuator><motor joint="q"/></actuator>'), "'q'"),
    "actuator_none": (with_tree("<actuator><motor/></actuator>"), "missing transmission"),
    "actuator_ctrlrange": (
        with_tree('<actuator><motor joint="j" ctrllimited="true"/></actuator>'),
        "control range",
    ),
    "actuator_forcerange": (
        with_tree('<actuator><motor joint="j" forcelimited="true" forcerange="1 0"/></actuator>'),
        "force range",
    ),
    "actuator_actrange": (
        with_tree('<actuator><general joint="j" actlimited="true" actrange="0 1"/></actuator>'),
        "actrange",
    ),
    "actuator_actdim": (
        with_tree('<actuator><general joint="j" dyntype="filter" actdim="2"/></actuator>'),
        "actdim",
    ),
    "actuator_stateless": (
        with_tree('<actuator><general joint="j" actdim="1"/></actuator>'),
        "stateless",
    ),
    "actuator_inherit": (
        with_tree('<actuator><position joint="j" inheritrange="1"/></actuator>'),
        "no range defined",
    ),
    "actuator_muscle": (
        with_tree('<actuator><muscle joint="j" range="1 .5"/></actuator>'),
        "range[0]<range[1]",
    ),
    "actuator_delay": (with_tree('<actuator><motor joint="j" delay="1"/></actuator>'), "history"),
    "sensor_name": (with_tree('<sensor><touch site="q"/></sensor>'), "'q'"),
    "sensor_ball": (with_tree('<sensor><ballquat joint="j"/></sensor>'), "must be ball"),
    "sensor_hinge": (with_tree('<sensor><jointpos joint="ball"/></sensor>'), "slide or hinge"),
    "sensor_limited": (with_tree('<sensor><jointlimitpos joint="j"/></sensor>'), "limited"),
    "sensor_cutoff": (
        with_tree('<sensor><framequat objtype="body" objname="a" cutoff="1"/></sensor>'),
        "cutoff",
    ),
    "sensor_noise": (with_tree('<sensor><jointpos joint="j" noise="-1"/></sensor>'), "negative noise"),
    "sensor_dim": (with_tree('<sensor><user dim="2" datatype="axis"/></sensor>'), "dim=3"),
    "sensor_interval": (with_tree('<sensor><jointpos joint="j" interval="-1"/></sensor>'), "interval"),
    "sensor_phase": (with_tree('<sensor><jointpos joint="j" interval="1 -2"/></sensor>'), "phase"),
    "sensor_same": (with_tree('<sensor><distance geom1="g" geom2="g"/></sensor>'), "different"),
    "sensor_frame": (
        with_tree('<sensor><framepos objtype="joint" objname="j"/></sensor>'),
        "geom, site or camera",
    ),
    "sensor_samples": (
        with_tree('<sensor><jointpos joint="j" nsample="20000000"/></sensor>'),
        "2^24",
    ),
    "tuple_object": (
        with_tree('<custom><tuple name="t"><element objtype="body" objname="q"/></tuple></custom>'),
        "'q'",
    ),
    "key_qpos": (with_tree('<keyframe><key name="k" qpos="1 2 3 4 5 6 7 8"/></keyframe>'), "qpos"),
    "key_mpos": (with_tree('<keyframe><key mpos="1 2 3"/></keyframe>'), "mpos"),
    "history_timestep": (
        with_tree('<option timestep="0"/><actuator><motor joint="j" nsample="2"/></actuator>'),
        "timestep",
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_refused(name):
    xml, part = BROKEN[name]
    with pytest.raises(ValueError) as expected:
        mujoco.MjModel.from_xml_string(xml)
    with pytest.raises(ValueError) as error:
        _core.MjModel.from_xml_string(xml)
    assert part in str(error.value)
    assert str(expected.value).splitlines()[0] in str(error.value)


@pytest.mark.parametrize("joint", ["ball", "free"])
def test_fixed_tendon_on_ball_or_free_joint(joint):
    """The first coordinate and the first dof of the joint count, as in MuJoCo (spec DT28)."""
    xml = f'''<mujoco><worldbody><body name="a" pos="0 0 1"><joint name="h"/><geom size=".1"/></body>
      <body name="b"><joint name="j" type="{joint}"/><geom size=".1" pos=".3 0 0"/></body></worldbody>
      <tendon><fixed name="t" stiffness="3" damping="1"><joint joint="j" coef="2"/>
      <joint joint="h" coef="1"/></fixed></tendon></mujoco>'''
    theirs, ours = mujoco.MjModel.from_xml_string(xml), _core.MjModel.from_xml_string(xml)
    assert not differences(theirs, ours)
    a, b = mujoco.MjData(theirs), sinew.MjData(ours)
    a.qvel[:] = b.qvel[:] = np.arange(theirs.nv) / 7
    for _ in range(10):
        mujoco.mj_step(theirs, a)
        sinew.mj_step(ours, b)
    np.testing.assert_allclose(b.qpos, a.qpos, rtol=0, atol=1e-12)
    np.testing.assert_allclose(b.ten_length, a.ten_length, rtol=0, atol=1e-12)


FILE_NAMES = ["./a.obj", "x/./a.obj", "x/../a.obj", "../../a.obj", "x/../../y/a.obj", "x//a.obj", ".//a.obj",
              "/../a.obj", "/x/../../a.obj", "x//../a.obj", "a/..", "a/.", ".", r"x\y\..\a.obj"]


@pytest.mark.parametrize("name", FILE_NAMES)
def test_names_of_files_are_reduced(name):
    xml = f'<mujoco><asset><mesh name="m" file="{name}"/></asset></mujoco>'
    theirs, ours = mujoco.MjSpec.from_string(xml), sinew.MjSpec.from_string(xml)
    assert ours.meshes[0].file == theirs.meshes[0].file


def test_element_in_message():
    xml = '<mujoco>\n<worldbody>\n<geom name="ball"/>\n</worldbody></mujoco>'
    with pytest.raises(ValueError) as error:
        _core.MjModel.from_xml_string(xml)
    assert "Element name 'ball', id 0, line 3" in str(error.value)
    assert "geom" in str(error.value)


def test_joint_in_spatial_path_is_refused():
    """Spec DT31."""
    xml = with_tree('<tendon><spatial name="t"><joint joint="j" coef="1"/></spatial></tendon>')
    for load in (mujoco.MjModel.from_xml_string, _core.MjModel.from_xml_string):
        with pytest.raises(ValueError):
            load(xml)


def test_tendon_limit_parameters_are_read():
    """Spec DT32; spec DT33."""
    xml = with_tree(
        '<tendon><spatial name="t" range="0 1" margin=".02" solreflimit=".05 2" '
        'solimplimit=".1 .2 .3 .4 5"><site site="s"/><site site="s2"/></spatial></tendon>'
    )
    m = _core.MjModel.from_xml_string(xml)
    assert m.tendon_margin[0] == 0.02
    assert list(m.tendon_solref_lim[0]) == [0.05, 2]
    assert list(m.tendon_solimp_lim[0]) == [0.1, 0.2, 0.3, 0.4, 5]


def test_mesh_with_textures_on_some_faces_is_saved_and_read(tmp_path):
    """Corners of the other faces have texture coordinate -1."""
    xml = '<mujoco><asset><mesh name="m" file="m.obj"/></asset><worldbody><geom type="mesh" mesh="m"/></worldbody></mujoco>'
    obj = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvt .5 .5\nf 1/1 3/1 2/1\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    theirs = mujoco.MjModel.from_xml_string(xml, {"m.obj": obj})
    ours = _core.MjModel.from_xml_string(xml, {"m.obj": obj})
    assert not differences(theirs, ours) and (ours.mesh_facetexcoord == -1).any()
    sinew.mj_saveModel(ours, str(tmp_path / "m.mjb"), None)
    again = sinew.MjModel.from_binary_path(str(tmp_path / "m.mjb"))
    assert np.array_equal(again.mesh_facetexcoord, ours.mesh_facetexcoord)
    renderer = sinew.Renderer(again, 32, 32)
    renderer.update_scene(sinew.MjData(again))
    assert renderer.render().shape == (32, 32, 3)


# ---- what a sensor of a program may observe ----

SENSED = [(0, ""), (1, "b"), (2, "b"), (3, "j"), (5, "g"), (6, "s"), (9, "f"), (9, "none"), (9, "")]
SENSED_XML = ('<mujoco><worldbody><body name="b"><joint name="j"/><geom name="g" size="1"/><site name="s"/></body>'
              '<flexcomp name="f" count="3 2 1" spacing="1 1 1"/></worldbody></mujoco>')


def observed(module, kind, target, reference):
    """What a compiled sensor refers to, or the first line of the message."""
    spec = module.MjSpec.from_string(SENSED_XML)
    spec.add_sensor(type=kind, objtype=target[0], objname=target[1], reftype=reference[0], refname=reference[1])
    try:
        model = spec.compile()
    except ValueError as error:
        return str(error).split("\n")[0]
    return [int(getattr(model, "sensor_" + name)[0]) for name in ("objtype", "objid", "reftype", "refid", "dim")]


# MuJoCo takes any object for a camera
@pytest.mark.parametrize("kind", [kind for kind in mujoco.mjtSensor.__members__
                                  if kind not in ("mjSENS_CAMPROJECTION", "mjSENS_PLUGIN")])
def test_sensor_with_a_flex_or_nothing_in_the_place_of_its_objects(kind):
    cases = [(a, b) for a in SENSED for b in SENSED if a[0] in (0, 9) or b[0] in (0, 3, 9)]
    for target, reference in cases:
        theirs = observed(mujoco, mujoco.mjtSensor.__members__[kind], target, reference)
        assert observed(sinew, sinew.mjtSensor.__members__[kind], target, reference) == theirs, (target, reference)
