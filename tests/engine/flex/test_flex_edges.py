"""Edge fields, their Jacobian and the rigid flags of flexes."""

import numpy as np
import pytest
import sinew

# vertices on bodies with six dofs, one, three and none, off their origins
ATTACHED = """
<mujoco><option gravity="0 0 0"><flag contact="disable"/></option><worldbody>
<body name="a" pos="0 0 0"><freejoint/><geom size="0.05" mass="1" contype="0" conaffinity="0"/></body>
<body name="b" pos="0.4 0 0.1"><joint type="hinge" axis="0 1 0.2"/><geom size="0.05" mass="1" contype="0" conaffinity="0"/>
  <body name="c" pos="0 0.3 0"><joint type="ball"/><geom size="0.05" mass="1" contype="0" conaffinity="0"/></body></body>
<body name="d" pos="0.5 0.5 0.5"><geom size="0.05" contype="0" conaffinity="0"/></body></worldbody>
<deformable><flex name="soft" dim="1" body="a b c d" vertex="0.1 0 0  0 0.1 0.05  0.02 0 0.1  0 0 0" element="0 1 1 2 2 3 0 3">
<edge {edge}/><contact selfcollide="none"/></flex></deformable></mujoco>"""

FREE = """
<mujoco><option gravity="0 0 0" {option}><flag contact="disable"/></option><worldbody><body name="base">
<flexcomp name="soft" type="grid" dim="{dim}" count="{count}" spacing="0.1 0.1 0.1" radius="0.001" {extra}>
{inner}<contact selfcollide="none"/></flexcomp></body></worldbody></mujoco>"""


def dense(m, d):
    rows = np.zeros((m.nflexedge, m.nv))
    for e in range(m.nflexedge):
        place = slice(m.flexedge_J_rowadr[e], m.flexedge_J_rowadr[e] + m.flexedge_J_rownnz[e])
        rows[e, m.flexedge_J_colind[place]] = d.flexedge_J[place]
    return rows


def excite(m, d, seed=0, scale=0.3):
    rng = np.random.default_rng(seed)
    velocity = scale * rng.standard_normal(m.nv)
    sinew.mj_integratePos(m, d.qpos, velocity, 1)
    d.qvel[:] = rng.standard_normal(m.nv)
    sinew.mj_forward(m, d)


def lengths(m, d, qpos):
    d.qpos[:] = qpos
    sinew.mj_forward(m, d)
    return np.array(d.flexedge_length)


@pytest.mark.parametrize("edge", ('stiffness="50"', 'damping="0.2"', 'stiffness="50" damping="0.2"'))
def test_jacobian_of_attached_vertices_is_the_derivative_of_the_lengths(edge):
    """The stage of flexes computes it, from poses and centres of mass (spec 42A-i: 1 4)."""
    m = sinew.MjModel.from_xml_string(ATTACHED.format(edge=edge))
    d = sinew.MjData(m)
    excite(m, d)
    qpos, rows = np.array(d.qpos), dense(m, d)
    d.flexedge_J[:] = 0
    for stage in (sinew.mj_kinematics, sinew.mj_comPos, sinew.mj_flex):
        assert not d.flexedge_J.any()
        stage(m, d)
    np.testing.assert_array_equal(dense(m, d), rows)
    for dof in range(m.nv):
        step, ends = np.eye(m.nv)[dof], []
        for sign in (1, -1):
            moved = qpos.copy()
            sinew.mj_integratePos(m, moved, step, sign * 1e-7)
            ends.append(lengths(m, d, moved))
        np.testing.assert_allclose(rows[:, dof], (ends[0] - ends[1]) / 2e-7, atol=1e-5)


def test_springs_and_dampers_act_through_the_transposed_jacobian():
    """Spec 42A-i: 2; bending acts on the bodies of the vertices, as MuJoCo's."""
    m = sinew.MjModel.from_xml_string(ATTACHED.format(edge='stiffness="50" damping="0.2"'))
    d = sinew.MjData(m)
    excite(m, d)
    rows = dense(m, d)
    np.testing.assert_allclose(d.flexedge_velocity, rows @ d.qvel, atol=1e-12)
    np.testing.assert_allclose(d.qfrc_spring, rows.T @ (50 * (m.flexedge_length0 - d.flexedge_length)), atol=1e-12)
    np.testing.assert_allclose(d.qfrc_damper, rows.T @ (-0.2 * d.flexedge_velocity), atol=1e-12)


def test_equality_rows_are_those_of_the_jacobian():
    """The third of its users (spec 42A-i: 2)."""
    text = FREE.format(dim=2, count="3 3 1", inner='<edge equality="true" damping="0.1"/>', option='jacobian="dense"', extra="")
    m = sinew.MjModel.from_xml_string(text)
    d = sinew.MjData(m)
    excite(m, d, scale=0.02)
    assert d.nefc == m.nflexedge
    np.testing.assert_array_equal(d.efc_J.reshape(d.nefc, m.nv), dense(m, d))
    np.testing.assert_allclose(d.qfrc_constraint, dense(m, d).T @ d.efc_force, atol=1e-12)


@pytest.mark.parametrize("integrator", ("implicit", "implicitfast"))
def test_damping_derivative_is_made_of_the_rows(integrator):
    """On the pattern of D: -b J'J."""
    text = ATTACHED.format(edge='damping="0.2"').replace("<option ", f'<option integrator="{integrator}" ')
    m = sinew.MjModel.from_xml_string(text)
    d = sinew.MjData(m)
    excite(m, d)
    d.qvel[:] = 0  # no derivative of the bias force
    sinew.mj_forward(m, d)
    full = -0.2 * dense(m, d).T @ dense(m, d)
    sinew.mj_implicit(m, d)
    for dof in range(m.nv):
        place = slice(m.D_rowadr[dof], m.D_rowadr[dof] + m.D_rownnz[dof])
        np.testing.assert_allclose(d.qDeriv[place], full[dof, m.D_colind[place]], atol=1e-12)


@pytest.mark.parametrize("dim, count", [(1, "8 1 1"), (2, "4 5 1"), (3, "3 3 3")])
def test_rows_of_free_vertices_are_the_directions_bit_for_bit(dim, count):
    """And have six entries an edge, so that springs cost what they cost with the directions (spec 42A-i: 3 6)."""
    inner = '<edge damping="0.1"/>'
    m = sinew.MjModel.from_xml_string(FREE.format(dim=dim, count=count, inner=inner, option="", extra=""))
    d = sinew.MjData(m)
    excite(m, d, scale=0.02)
    rows = dense(m, d)
    for e, (a, b) in enumerate(m.flex_edge):
        direction = d.flexvert_xpos[b] - d.flexvert_xpos[a]
        length = np.sqrt(direction[0] ** 2 + direction[1] ** 2 + direction[2] ** 2)
        direction = direction * (1 / length)
        bodies = m.body_dofadr[m.flex_vertbodyid[[a, b]]]
        expected = np.zeros(m.nv)
        expected[bodies[0] : bodies[0] + 3] = -direction
        expected[bodies[1] : bodies[1] + 3] = direction
        assert np.array_equal(rows[e], expected) and d.flexedge_length[e] == length
    assert (m.flexedge_J_rownnz == 6).all() and m.nJfe == 6 * m.nflexedge


def test_an_edge_without_length_points_along_x():
    m = sinew.MjModel.from_xml_string(FREE.format(dim=1, count="2 1 1", option="", extra="", inner='<edge damping="1"/>'))
    d = sinew.MjData(m)
    d.qpos[3] = -0.1
    sinew.mj_forward(m, d)
    assert d.flexedge_length[0] < 1e-15
    np.testing.assert_array_equal(np.abs(dense(m, d)[0]), [1, 0, 0, 1, 0, 0])


# ---- rigid flags ----


def test_rigid_flexes_have_no_work_and_no_forces():
    inner = '<elasticity young="1000" damping="0.01"/>'
    m = sinew.MjModel.from_xml_string(FREE.format(dim=3, count="3 3 3", inner=inner, option="", extra='rigid="true"'))
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    assert m.flex_rigid[0] and m.flexedge_rigid.all() and not d.flexedge_length.any()
    np.testing.assert_array_equal(np.ptp(d.flexvert_xpos, axis=0) > 0, True)


PINNED = """
<mujoco><worldbody><body name="base"><joint type="hinge" axis="0 1 0"/><geom size="0.05" mass="1" contype="0" conaffinity="0"/>
<flexcomp name="soft" type="grid" dim="2" count="4 4 1" spacing="0.1 0.1 0.1" radius="0.001"><edge {edge}/>
<contact selfcollide="none"/><pin id="0 1 4 5"/></flexcomp></body></worldbody></mujoco>"""


@pytest.mark.parametrize("edge", ('damping="0.3"', 'equality="true"'))
def test_rigid_edges_change_no_result(edge):
    """Edges between two pins cannot change: with their flags cleared everything stays the same, but for rows
    of an equality that can never act."""
    m = sinew.MjModel.from_xml_string(PINNED.format(edge=edge))
    states = []
    assert m.flexedge_rigid.any() and not m.flexedge_rigid.all()
    for clear in (False, True):
        if clear:
            m.flexedge_rigid[:] = 0
        d = sinew.MjData(m)
        excite(m, d, scale=0.02)
        sinew.mj_step(m, d, 5)
        states.append((np.array(d.qfrc_damper), np.array(d.qpos), d.nefc))
    tolerance = 1e-12 if "damping" in edge else 1e-9
    np.testing.assert_allclose(states[1][0], states[0][0], atol=tolerance)
    np.testing.assert_allclose(states[1][1], states[0][1], atol=tolerance)


# ---- cost ----


def test_rows_and_forces_grow_with_the_number_of_vertices_alone():
    """Entries of the Jacobians per vertex, and bytes of the data, do not grow with the sheet."""
    sizes = []
    for n in (10, 20, 40):
        text = FREE.format(dim=2, count=f"{n} {n} 1", option="", extra="", inner='<edge equality="true"/>')
        m = sinew.MjModel.from_xml_string(text)
        d = sinew.MjData(m)
        sinew.mj_forward(m, d)
        assert d.nefc == m.nflexedge
        sizes.append((d.nJ / n**2, m.nJfe / n**2, int(m.nbuffer) / n**2))
    assert all(b < 1.1 * a for first, second in zip(sizes, sizes[1:]) for a, b in zip(first, second)), sizes
