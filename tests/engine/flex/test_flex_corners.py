"""Corners of flexes that are easy to get wrong: generated points, order of messages, pins, compiling twice, worked checks."""

import flexes
import mujoco
import numpy as np
import pytest
import sinew
from sinew import bridge


def world(text, before=""):
    return f"<mujoco>{before}<worldbody>{text}</worldbody></mujoco>"


def message(module, xml):
    with pytest.raises(ValueError) as refused:
        module.MjModel.from_xml_string(xml)
    return str(refused.value)


# ---- points and messages --------------------------------------------------------------------------


def test_elements_of_generated_points_count_from_the_given_ones():
    model = sinew.MjModel.from_xml_string(world('<flexcomp name="f" count="2 2 1" spacing="1 1 1" point="9 9 9"/>'))
    assert model.nflexvert == 5
    assert model.flex_elem.tolist() == [0, 2, 3, 0, 3, 1]


# two defects each: the one that MuJoCo looks at first is told
TWICE = [
    '<flexcomp count="3 2 1" spacing="0 0 0" dim="9"/>',
    '<flexcomp count="3 2 1" type="torus"/>',
    '<flexcomp name="f" type="torus" dim="9" count="3 2 1"/>',
    '<flexcomp name="f" count="3 2" dim="9"/>',
    '<flexcomp name="f" count="3 2" type="torus"/>',
    '<flexcomp name="f" type="direct" dim="2" point="0 0 0 1 0 0" element="0 1 2"><pin id="5"/></flexcomp>',
    '<flexcomp name="f" type="direct" dim="2" point="0 0 0 1 0" element="0 1 2"><pin id="5"/></flexcomp>',
    '<flexcomp name="f" type="gmsh" file="nowhere.msh" dim="3"><pin id="5"/></flexcomp>',
    '<flexcomp name="f" type="mesh" file="nowhere.obj" mass="0"/>',
    '<flexcomp name="f" count="3 2 1" spacing="1 1 1" mass="0" scale="1 0 1"/>',
]


@pytest.mark.parametrize("text", TWICE)
def test_the_first_of_two_defects_is_told(text):
    first = [message(module, world(text)).split("\n")[0].split(" in attribute")[0] for module in (mujoco, sinew)]
    assert first[0] == first[1]


def test_attributes_need_no_space_between_them_and_the_world_may_hold_a_flexcomp():
    xml = world('<flexcomp name="f"count="3 3 3"dim="3"spacing=".1 .1 .1"/>')
    for module in (mujoco, sinew):
        model = module.MjModel.from_xml_string(xml)
        assert model.nflexvert == 27 and model.body(0).name == "world"
        assert (model.body_parentid[1:] == 0).all()


# ---- pins of nodes --------------------------------------------------------------------------------

# five points, of which one is in no element: which nodes are pinned, and the bodies of the nodes
POINTS = "0 0 0 1 0 0 0 1 0 0 0 1 1 1 2"
PINS = [("0 1 2 4", 4, {3, 4}), ("1 2 3 4", 4, {3, 4}), ("0 1 2 3", 4, {4})]


def pinned(element, pin):
    return world(f'<flexcomp name="f" type="direct" dim="3" dof="trilinear" point="{POINTS}" element="{element}">'
                 f'<contact selfcollide="none"/><pin id="{pin}"/></flexcomp>')


@pytest.mark.parametrize("element, pin, nodes", PINS)
def test_flags_of_dropped_points_pin_nodes(element, pin, nodes):
    xml = pinned(element, pin)
    mj, model = mujoco.MjModel.from_xml_string(xml), sinew.MjModel.from_xml_string(xml)
    assert model.nflexnode == 8
    found = {i for i in range(8) if model.flex_nodebodyid[i] == 0}
    assert found == {i for i in range(8) if mj.flex_nodebodyid[i] == 0} == nodes
    np.testing.assert_array_equal(model.flex_nodebodyid, mj.flex_nodebodyid)
    np.testing.assert_allclose(model.flex_node, mj.flex_node, atol=1e-14)


def test_pins_are_counted_before_points_are_dropped():
    text = [message(module, pinned("0 1 2 3", 5)).split("\n")[0] for module in (mujoco, sinew)]
    assert text[0] == text[1] and "pinid out of range" in text[1]


def test_the_box_of_the_nodes_has_points_that_no_element_uses():
    """A pinned node is a corner of that box, on the parent."""
    model = sinew.MjModel.from_xml_string(pinned("0 1 2 3", 4))
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    node = np.array([data.xpos[b] + model.flex_node[i] for i, b in enumerate(model.flex_nodebodyid)])
    corners = {tuple(corner) for corner in np.round(node, 12).tolist()}
    assert corners == {(x, y, z) for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 2.0)}
    assert model.flex_nodebodyid[4] == 0 and tuple(model.flex_node[4]) == (1, 0, 0)


# ---- compiling twice ------------------------------------------------------------------------------

BOTH = world('<body name="base" pos=".3 .1 .2"><flexcomp name="a" type="grid" dim="2" count="4 3 1" spacing=".1 .1 .1" radius=".01">'
             '<elasticity young="3e3" poisson=".2" thickness=".01" elastic2d="both"/></flexcomp></body>'
             '<flexcomp name="b" type="grid" dim="3" count="5 5 5" spacing=".1 .1 .1" dof="quadratic" radius=".01">'
             '<elasticity young="3e3"/><contact selfcollide="none"/></flexcomp>')


def test_a_spec_compiles_twice_and_its_copy_to_the_same_bits(tmp_path):
    spec = sinew.MjSpec.from_string(BOTH)
    images = []
    for i, one in enumerate((spec, spec, spec.copy())):
        sinew.mj_saveModel(one.compile(), str(tmp_path / f"{i}.mjb"), None)
        images.append((tmp_path / f"{i}.mjb").read_bytes())
    assert images[0] == images[1] == images[2]


# ---- worked checks --------------------------------------------------------------------------------


def block(order, extra=""):
    dof = {1: "trilinear", 2: "quadratic"}[order]
    return (f'<mujoco><option gravity="0 0 0" {extra}/><worldbody><flexcomp name="f" type="grid" dim="3" count="5 6 5" '
            f'spacing=".1 .1 .1" radius=".01" dof="{dof}" mass="1"><elasticity young="1e4" poisson=".3" damping=".01"/>'
            '<contact contype="0" conaffinity="0" selfcollide="none"/></flexcomp></worldbody></mujoco>')


@pytest.mark.parametrize("order", (1, 2))
def test_the_matrix_of_the_nodes_does_not_feel_rigid_motions(order):
    """K is symmetric, pushes back, and translations and small rotations are in its kernel."""
    model = sinew.MjModel.from_xml_string(block(order))
    n = 3 * model.nflexnode
    stiffness = np.ravel(model.flex_stiffness)[: n * n].reshape(n, n)
    scale = np.abs(stiffness).max()
    assert np.abs(stiffness - stiffness.T).max() <= 1e-12 * scale
    assert np.linalg.eigvalsh((stiffness + stiffness.T) / 2).max() <= 1e-9 * scale
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    x = np.array([data.xpos[b] + model.flex_node[i] for i, b in enumerate(model.flex_nodebodyid)])
    for axis in np.eye(3):
        assert np.abs(stiffness @ np.tile(axis, len(x))).max() <= 1e-10 * scale
        assert np.abs(stiffness @ np.cross(axis, x).ravel()).max() <= 1e-9 * scale


def test_nodes_at_rest_put_vertices_where_a_dof_for_each_has_them():
    position = []
    for dof in ("trilinear", "full"):
        xml = block(1).replace("trilinear", dof)
        model = sinew.MjModel.from_xml_string(xml)
        data = sinew.MjData(model)
        sinew.mj_forward(model, data)
        position.append(np.array(data.flexvert_xpos))
    assert np.abs(position[0] - position[1]).max() <= 1e-15


@pytest.mark.parametrize("scale", (1.0, 1.2))
def test_flexvert_rows_measure_scaling_and_not_rigid_motion(scale):
    """Uniform scaling s in the plane: lengths of every vertex are those of sqrt(m) (2 s^2 - 2) and sqrt(m) (s^4 - 1)."""
    xml = world('<flexcomp name="f" type="grid" dim="2" count="5 5 1" spacing=".1 .1 .1" radius=".01" mass="1">'
                '<edge equality="vert"/><contact selfcollide="none"/></flexcomp>')
    mj, mj_data, model, data = flexes.pair(xml)
    start = np.array(data.qpos)
    sinew.mj_forward(model, data)
    x = np.array(data.flexvert_xpos)
    angle = 0.4
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    data.qpos[:] = start + (scale * x @ turn.T + [0.3, 0.2, 0.1] - x).ravel()
    mj_data.qpos[:] = data.qpos
    sinew.mj_forward(model, data)
    mujoco.mj_forward(mj, mj_data)
    assert flexes.distance(data.flexvert_length, mj_data.flexvert_length) <= 1e-12
    assert data.nefc == mj_data.nefc
    assert flexes.distance(data.efc_pos, mj_data.efc_pos) <= 1e-12
    length = np.reshape(data.flexvert_length, (-1, 2))
    if scale == 1:
        assert np.abs(length).max() <= 1e-12
    else:
        ratio = length[:, 1] / length[:, 0]
        assert np.allclose(ratio, (scale**4 - 1) / (2 * scale**2 - 2), rtol=1e-9)


def test_energies_of_membranes_and_of_bending_are_closed_forms():
    """Triangles scaled by s: A h / 4 (s^2 - 1)^2 (mu / 2 + lambda); an affine plate does not bend."""
    young, poisson, thickness, s = 3e3, 0.2, 0.01, 1.1
    for elastic in ("stretch", "bend"):
        model = sinew.MjModel.from_xml_string(f"""<mujoco><option gravity="0 0 0"><flag energy="enable"/></option><worldbody>
          <flexcomp name="f" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" radius=".01" mass="1">
          <elasticity young="{young}" poisson="{poisson}" thickness="{thickness}" elastic2d="{elastic}"/>
          <contact selfcollide="none"/></flexcomp></worldbody></mujoco>""")
        data = sinew.MjData(model)
        sinew.mj_forward(model, data)
        x = np.array(data.flexvert_xpos)
        if elastic == "stretch":
            data.qpos[:] = ((s - 1) * x).ravel()
            sinew.mj_forward(model, data)
            mu, lam = young / (2 * (1 + poisson)), young * poisson / ((1 + poisson) * (1 - 2 * poisson))
            work = -(data.qfrc_spring * x.ravel()).sum()  # dU/ds
            area = 0.3 * 0.3
            slope = area * thickness * (s * s - 1) * s * (mu / 2 + lam)
            mj, mj_data, _, _ = flexes.pair(f"""<mujoco><option gravity="0 0 0"/><worldbody>
              <flexcomp name="f" type="grid" dim="2" count="4 4 1" spacing=".1 .1 .1" radius=".01" mass="1">
              <elasticity young="{young}" poisson="{poisson}" thickness="{thickness}" elastic2d="{elastic}"/>
              <contact selfcollide="none"/></flexcomp></worldbody></mujoco>""")
            mj_data.qpos[:] = data.qpos
            mujoco.mj_forward(mj, mj_data)
            assert flexes.distance(data.qfrc_spring, mj_data.qfrc_spring) <= 1e-12
            assert work == pytest.approx(slope, rel=1e-9)
        else:
            data.qpos[:] = np.outer(x @ [0.3, -0.2, 0.0], [0, 0, 1]).ravel()
            sinew.mj_forward(model, data)
            assert np.abs(data.qfrc_spring).max() <= 1e-12


def test_rows_skip_a_rigid_flex_between_two_soft_ones():
    soft = '<flexcomp name="{}" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" pos="0 0 {}" radius=".01" mass="1">' \
           '<edge equality="true"/><contact selfcollide="none"/></flexcomp>'
    rigid = '<flexcomp name="r" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" rigid="true" radius=".01" mass="1"/>'
    xml = world(soft.format("a", 1) + f'<body name="raft" pos="0 0 2"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>{rigid}</body>'
                + soft.format("b", 3)).replace("<worldbody>", '<option jacobian="sparse"/><worldbody>')
    mj, mj_data, model, data = flexes.pair(xml)
    rng = np.random.default_rng(2)
    data.qpos[:] += 0.01 * rng.normal(size=model.nq)
    mj_data.qpos[:] = data.qpos
    sinew.mj_forward(model, data)
    mujoco.mj_forward(mj, mj_data)
    assert data.nefc == mj_data.nefc > 0
    for name in ("efc_J_rownnz", "efc_J_rowadr", "efc_J_colind"):
        count = data.efc_J_rownnz.sum() if name.endswith("colind") else data.nefc
        np.testing.assert_array_equal(getattr(data, name)[:count], getattr(mj_data, name)[:count])
    np.testing.assert_allclose(data.efc_J[: data.efc_J_rownnz.sum()], mj_data.efc_J[: data.efc_J_rownnz.sum()], atol=1e-14)


@pytest.mark.parametrize("order", (1, 2))
def test_implicit_steps_approach_those_of_euler(order):
    """The difference falls with the step, as both are of the first order."""
    gaps = []
    for step in (2e-5, 1e-5):  # Euler's steps are stable only when they are short
        ends = []
        for integrator in ("Euler", "implicitfast"):
            xml = block(order, f'timestep="{step}" integrator="{integrator}"').replace('young="1e4"', 'young="1e2"')
            model = sinew.MjModel.from_xml_string(xml)
            data = sinew.MjData(model)
            data.qvel[:] = 0.1 * np.random.default_rng(4).normal(size=model.nv)
            sinew.mj_step(model, data, round(0.002 / step))
            assert not any(warning.number for warning in data.warning)
            ends.append(np.array(data.qpos))
        gaps.append(np.abs(ends[0] - ends[1]).max())
    assert gaps[1] <= 0.6 * gaps[0] and gaps[1] <= 1e-5


# ---- distances ------------------------------------------------------------------------------------


def test_distances_are_those_of_geoms_and_pass_through_flexes():
    """Distances and their sensors are between geoms: a cloth in between changes nothing."""
    xml = """<mujoco><worldbody>
      <body name="a" pos="0 0 0"><freejoint/><geom name="a" type="box" size=".1 .1 .1"/></body>
      <body name="b" pos=".05 .02 .6"><freejoint/><geom name="b" type="capsule" size=".05 .1" euler="70 10 0"/></body>
      {}</worldbody><sensor><distance geom1="a" geom2="b" cutoff="2"/><normal body1="a" body2="b" cutoff="2"/>
      <fromto geom1="b" geom2="a" cutoff="2"/></sensor></mujoco>"""
    cloth = '<flexcomp name="f" type="grid" dim="2" count="5 5 1" spacing=".1 .1 .1" pos="0 0 .3" radius=".02" mass="1"/>'
    found = []
    for text in (cloth, ""):
        mj = mujoco.MjModel.from_xml_string(xml.format(text))
        model, mj_data = bridge.model_from_mujoco(mj), mujoco.MjData(mj)
        data = sinew.MjData(model)
        for module, one, of in ((mujoco, mj, mj_data), (sinew, model, data)):
            module.mj_forward(one, of)
            line = np.zeros(6)
            found.append([module.mj_geomDistance(one, of, 0, 1, 5.0, line), *line, *of.sensordata])
    assert found[0][0] > 0.3
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], atol=1e-9)


def test_distances_and_sensors_do_not_take_flexes():
    cloth = '<flexcomp name="f" type="grid" dim="2" count="3 3 1" spacing=".1 .1 .1" radius=".02" mass="1"/>'
    for sensor in ('<distance geom1="f" geom2="g"/>', '<distance flex1="f" geom2="g"/>', '<contact flex1="f"/>'):
        xml = f'<mujoco><worldbody><geom name="g" size=".1"/>{cloth}</worldbody><sensor>{sensor}</sensor></mujoco>'
        text = [message(module, xml).split("\n")[0] for module in (mujoco, sinew)]
        assert text[0] == text[1]


@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_springs_of_contacts_between_what_stands_still(jacobian):
    """A pinned vertex of a passive flex in the ground: a dense row has all dofs, a sparse one none."""
    xml = world('<geom type="plane" size="1 1 1"/><flexcomp name="f" dim="1" count="3 1 1" spacing=".1 .1 .1" radius=".05" pos="0 0 .01">'
                '<contact passive="true" selfcollide="none"/><pin id="0"/></flexcomp>', f'<option jacobian="{jacobian}"/>')
    model = mujoco.MjModel.from_xml_string(xml)
    ours_model = bridge.model_from_mujoco(model)
    data, ours = mujoco.MjData(model), sinew.MjData(ours_model)
    mujoco.mj_forward(model, data)
    sinew.mj_forward(ours_model, ours)
    assert data.ncon and bridge.contacts(ours)["exclude"].tolist() == data.contact.exclude.tolist()
    np.testing.assert_allclose(ours.qfrc_spring, data.qfrc_spring, atol=1e-12)
