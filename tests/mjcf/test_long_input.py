"""Long inputs: reading takes time in proportion to the text, up to limits that have messages of their own.

The sizes are such that anything quadratic would take minutes.
"""

import pytest

import sinew

INERTIAL = (
    "<inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' iyz='0' izz='1'/></inertial>"
)


def robot(count, parent):
    """A URDF robot whose link i + 1 hangs on link parent(i)."""
    links = "".join(f"<link name='l{i}'>{INERTIAL}</link>" for i in range(count))
    joints = "".join(
        f"<joint name='j{i}' type='continuous'><parent link='l{parent(i)}'/><child link='l{i + 1}'/></joint>"
        for i in range(count - 1)
    )
    return f"<robot name='r'>{links}{joints}</robot>"


def test_an_element_has_at_most_256_attributes():
    def element(count):
        return "<mujoco><worldbody " + " ".join(f"a{i}='1'" for i in range(count)) + "/></mujoco>"

    with pytest.raises(ValueError, match="unrecognized attribute"):
        sinew.MjModel.from_xml_string(element(256))
    with pytest.raises(ValueError, match="too many attributes"):
        sinew.MjModel.from_xml_string(element(257))
    with pytest.raises(ValueError, match="too many attributes"):
        sinew.MjModel.from_xml_string(element(200_000))


def test_elements_are_nested_at_most_500_deep():
    with pytest.raises(ValueError, match="nested too deeply"):
        sinew.MjModel.from_xml_string("<mujoco>" + "<a>" * 200_000 + "</a>" * 200_000 + "</mujoco>")
    with pytest.raises(ValueError, match="nested too deeply"):
        sinew.MjModel.from_xml_string(robot(20_000, lambda i: i))


def test_a_robot_of_twenty_thousand_links_is_read():
    model = sinew.MjModel.from_xml_string(robot(20_000, lambda i: 0))
    assert model.njnt == 19_999
    model = sinew.MjModel.from_xml_string(robot(20_000, lambda i: i if i % 50 else 0))
    assert model.njnt == 19_999
    assert model.body("l30").parentid == model.body("l29").id


def test_colours_and_names_of_many_parts_are_found():
    count = 30_000
    materials = "".join(
        f"<material name='m{i}'><color rgba='{i / count} 0 0 1'/></material>" for i in range(count)
    )
    visuals = "".join(
        f"<visual><geometry><sphere radius='1'/></geometry><material name='m{i}'/></visual>"
        for i in range(count)
    )
    model = sinew.MjModel.from_xml_string(
        "<robot name='r'><mujoco><compiler discardvisual='false'/></mujoco>"
        f"{materials}<link name='l'>{visuals}</link></robot>"
    )
    assert abs(model.geom_rgba[7000, 0] - 7000 / count) < 1e-6
    with pytest.raises(ValueError, match="repeated name 'g'"):
        sinew.MjModel.from_xml_string(
            "<mujoco><worldbody>" + "<geom name='g' size='1'/>" * count + "</worldbody></mujoco>"
        )


def test_models_that_attach_models_are_bounded():
    """Every level attaches the next one eight times: the twelfth would have 8^12 bodies."""
    attach = "".join(f"<attach model='m' body='b' prefix='p{k}'/>" for k in range(8))
    def level(i):
        return f"<mujoco><asset><model name='m' file='{i + 1}.xml'/></asset><worldbody><body name='b'>{attach}</body></worldbody></mujoco>"

    files = {f"{i}.xml": level(i).encode() for i in range(12)} | {"12.xml": b"<mujoco><worldbody><body name='b'/></worldbody></mujoco>"}
    with pytest.raises(ValueError, match="too many elements are attached"):
        sinew.MjModel.from_xml_string(files["0.xml"].decode(), files)
    assert sinew.MjModel.from_xml_string(files["8.xml"].decode(), files).nbody == 2 + 8 + 64 + 512 + 4096
