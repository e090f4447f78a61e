"""What sinew.urdf does besides reading: packages, mimics, transmissions, inertias, and the report."""

import mujoco
import numpy as np
import pytest

import sinew
import sinew.urdf

CUBE = "v 0 0 0\nv .1 0 0\nv 0 .1 0\nv 0 0 .1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
MASS = '<inertial><mass value="1"/><inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial>'


def link(name, text=MASS):
    return f'<link name="{name}">{text}</link>'


def joint(name, parent, child, text="", kind="revolute"):
    limit = '<limit lower="-1" upper="1" effort="10" velocity="3"/>'
    return (f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><axis xyz="0 1 0"/>'
            f'<origin xyz="0 0 .2"/>{limit}{text}</joint>')


def collision(file):
    return f'<collision><geometry><mesh filename="{file}"/></geometry></collision>'


def load(folder, text, **options):
    path = folder / "robot.urdf"
    path.write_text(f'<robot name="r">{text}</robot>')
    return sinew.urdf.load(path, **options)


def noted(robot, action):
    return [note.where for note in robot.report if note.action == action]


@pytest.mark.parametrize("scheme", ["package", "model"])
@pytest.mark.parametrize("how", ["listed", "root", "environment", "above"])
def test_packages_are_found(tmp_path, monkeypatch, scheme, how):
    package = tmp_path / "work" / "arm"
    (package / "meshes").mkdir(parents=True)
    (package / "meshes" / "part.obj").write_text(CUBE)
    folder = package / "urdf" if how == "above" else tmp_path / "elsewhere"
    folder.mkdir()
    options = {"listed": {"packages": {"arm": package}}, "root": {"roots": [package.parent]}}.get(how, {})
    monkeypatch.setenv("ROS_PACKAGE_PATH", str(package.parent) if how == "environment" else "")
    robot = load(folder, link("base", collision(f"{scheme}://arm/meshes/part.obj")), **options)
    assert robot.compile().nmeshvert == 4 and not robot.report


def test_plain_names_are_found_with_and_without_folders(tmp_path):
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "part.obj").write_text(CUBE)
    compiler = '<mujoco><compiler meshdir="meshes"/></mujoco>'
    for name, extra in (("meshes/part.obj", ""), ("other/part.obj", compiler), ("part.obj", compiler)):
        assert load(tmp_path, link("base", collision(name)) + extra).compile().nmesh == 1


def test_a_package_that_is_missing_is_an_error_that_the_report_explains(tmp_path):
    robot = load(tmp_path, link("base", collision("package://none/part.obj")))
    assert noted(robot, "dropped") == ["package://none/part.obj"] and "looked for" in robot.report[0].reason
    with pytest.raises(ValueError, match="part.obj"):
        robot.compile()


CHAIN = link("base", "") + link("a") + link("b") + joint("j1", "base", "a")
MIMIC = '<mimic joint="j1" multiplier="-2" offset=".1"/>'


def test_mimic_joints_follow(tmp_path):
    robot = load(tmp_path, CHAIN + joint("j2", "a", "b", MIMIC))
    model = robot.compile()
    data = sinew.MjData(model)
    data.qfrc_applied[0] = 0.5
    for _ in range(2000):
        sinew.mj_step(model, data)
    assert abs(data.qpos[0]) > 0.05 and abs(data.qpos[1] - (0.1 - 2 * data.qpos[0])) < 1e-2
    assert load(tmp_path, CHAIN + joint("j2", "a", "b", MIMIC), mimic=False).compile().neq == 0
    # MuJoCo reads what we write
    assert mujoco.MjModel.from_xml_string(robot.spec.to_xml()).neq == 1


def transmission(name, interface, reduction):
    return (f'<transmission name="t"><type>SimpleTransmission</type><joint name="{name}"><hardwareInterface>'
            f'{interface}</hardwareInterface></joint><actuator name="m"><mechanicalReduction>{reduction}'
            f"</mechanicalReduction></actuator></transmission>")


def test_transmissions_are_actuators(tmp_path):
    effort = transmission("j1", "hardware_interface/EffortJointInterface", 50)
    model = load(tmp_path, CHAIN.replace(link("b"), "") + effort).compile()
    assert model.actuator("m").gear[0] == 50 and np.allclose(model.actuator_ctrlrange, [[-0.2, 0.2]])
    twice = CHAIN + joint("j2", "a", "b") + effort + effort.replace("j1", "j2")
    assert load(tmp_path, twice).compile().actuator("j2").gear[0] == 50  # the name m is taken
    text = CHAIN.replace(link("b"), "") + transmission("j1", "PositionJointInterface", 1)
    model = load(tmp_path, text, kp=80).compile()
    assert model.actuator_gainprm[0, 0] == 80 and np.allclose(model.actuator_ctrlrange, [[-1, 1]])
    assert np.allclose(model.actuator_forcerange, [[-10, 10]])
    robot = load(tmp_path, text)
    assert "needs a gain" in robot.report[-1].reason and robot.compile().actuator_biastype[0] == 0
    control = '<ros2_control name="c"><joint name="j1"><command_interface name="effort"/></joint></ros2_control>'
    assert load(tmp_path, CHAIN.replace(link("b"), "") + control).compile().actuator("j1").gear[0] == 1
    assert load(tmp_path, text, actuators=False).compile().nu == 0
    lost = load(tmp_path, CHAIN.replace(link("b"), "") + transmission("none", "Effort", 1))
    assert lost.compile().nu == 0 and noted(lost, "dropped")[-1].startswith("transmission")


def inertial(mass, *diagonal):
    x, y, z = diagonal
    return (f'<inertial><mass value="{mass}"/><inertia ixx="{x}" iyy="{y}" izz="{z}" ixy="0" ixz="0" iyz="0"/>'
            "</inertial>")


@pytest.mark.parametrize("text, expected", [
    (inertial(1, 1, 0.1, 0.1), [1, 0.5, 0.5]),
    (inertial(1, 0.2, 0.2, -0.1), [0.2, 0.2, 1e-6]),
    (inertial(0, 1e-6, 1e-6, 1e-6), [1e-6] * 3),
    ("", [1e-6] * 3),
])
def test_bad_inertias_are_repaired_with_a_warning(tmp_path, text, expected):
    robot_text = link("base", "") + link("a", text) + joint("j1", "base", "a")
    with pytest.warns(UserWarning, match="link 'a'"):
        robot = load(tmp_path, robot_text)
    assert np.allclose(robot.compile().body_inertia[-1], expected, rtol=1e-6)
    assert noted(robot, "repaired")
    with pytest.raises(ValueError):
        load(tmp_path, robot_text, repair=False).compile()


def test_an_inertial_that_is_not_whole_or_repeated_is_dropped(tmp_path):
    box = "<collision><geometry><box size='1 1 1'/></geometry></collision>"
    robot = load(tmp_path, link("base", "<inertial><origin/></inertial>" + box) + link("a", MASS + MASS)
                 + joint("j1", "base", "a"))
    assert noted(robot, "dropped")[-2:] == ["link 'base' / inertial", "link 'a' / inertial"]
    assert robot.compile().body_mass[-1] == 1


def test_meshes_of_other_kinds_have_a_file_beside_them_or_are_dropped(tmp_path):
    (tmp_path / "part.obj").write_text(CUBE)
    assert load(tmp_path, link("base", collision("part.dae"))).compile().nmesh == 1
    with pytest.warns(UserWarning, match="none.glb"):
        robot = load(tmp_path, link("base", MASS + collision("none.glb")))
    assert robot.compile().ngeom == 0 and noted(robot, "dropped") == ["link 'base' / collision"]


def test_good_inertias_stay(tmp_path):
    robot = load(tmp_path, CHAIN + joint("j2", "a", "b"))
    path = tmp_path / "robot.urdf"
    assert not noted(robot, "repaired")
    assert np.array_equal(robot.compile().body_inertia, sinew.MjModel.from_xml_path(str(path)).body_inertia)


def test_the_report_names_what_is_dropped(tmp_path):
    text = (link("base", "<visual><geometry><box size='1 1 1'/></geometry></visual><sensor/>") + link("a")
            + joint("j1", "base", "a", '<safety_controller k_velocity="1"/>')
            + '<gazebo reference="a"><mu1>1</mu1></gazebo>')
    dropped = noted(load(tmp_path, text), "dropped")
    assert dropped == ["link 'base' / sensor", "joint 'j1' / safety_controller", "gazebo", "joint 'j1' / limit",
                       "link 'base' / visual"]


@pytest.mark.parametrize("text, reason", [
    ("<mujoco/>", "<robot> expected"),
    ("<robot", "unclosed|not well-formed"),
    ("<!DOCTYPE x><robot/>", "document types"),
])
def test_what_is_no_urdf_is_refused(tmp_path, text, reason):
    path = tmp_path / "robot.urdf"
    path.write_text(text)
    with pytest.raises(ValueError, match=reason):
        sinew.urdf.load(path)
