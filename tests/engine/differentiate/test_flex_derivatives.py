"""Linearised steps of soft bodies: closed forms against differences of whole steps."""

import numpy as np
import pytest
import random_flex_mesh
import sinew
from sinew import _core, derivatives

HEAD = '<mujoco><option timestep="0.001" integrator="{}" tolerance="1e-14" iterations="200"><flag contact="disable"/></option><worldbody>'
SOFT = """<flexcomp name="soft" type="grid" dim="{dim}" count="{count}" spacing="0.1 0.1 0.1" mass="0.5" radius="0.001">
<edge {edge}/><elasticity young="3000" poisson="0.2" damping="0.01" {elastic}/><contact selfcollide="none"/>{pin}</flexcomp>"""
CASES = {
    "solid": SOFT.format(dim=3, count="2 3 2", edge='damping="0.1"', elastic="", pin='<pin id="0"/>'),
    "sheet": SOFT.format(dim=2, count="3 3 1", edge="", elastic='thickness="0.02" elastic2d="both"', pin=""),
    "rope": SOFT.format(dim=1, count="6 1 1", edge='stiffness="100" damping="0.3"', elastic="", pin='<pin id="0"/>'),
    "net": SOFT.format(dim=2, count="3 3 1", edge='equality="true"', elastic='elastic2d="none"', pin='<pin id="0"/>'),
}
PARENTS = {
    "fixed": '<body name="base">{}</body>',
    "turned": '<body name="base" euler="30 20 10">{}</body>',
    "moving": '<body name="base" euler="30 20 10"><joint type="ball"/><geom size="0.1" mass="1"/>{}</body>',
}


def excited(text, integrator):
    m = sinew.MjModel.from_xml_string(HEAD.format(integrator) + text + "</worldbody></mujoco>")
    d = sinew.MjData(m)
    rng = np.random.default_rng(1)
    sinew.mj_integratePos(m, d.qpos, 0.02 * rng.standard_normal(m.nv), 1)
    d.qvel[:] = 0.3 * rng.standard_normal(m.nv)
    sinew.mj_step(m, d, 3)
    return m, d


@pytest.mark.parametrize("integrator", ("Euler", "implicit", "implicitfast"))
@pytest.mark.parametrize("parent", PARENTS)
@pytest.mark.parametrize("case", CASES)
def test_closed_forms_by_velocity_equal_differences(case, parent, integrator):
    m, d = excited(PARENTS[parent].format(CASES[case]), integrator)
    expected, _ = derivatives.transition(m, d, "differences")
    found, _ = derivatives.transition(m, d, "hybrid")
    scale = np.abs(expected).max()
    np.testing.assert_allclose(found[:, m.nv :], expected[:, m.nv :], atol=2e-6 * scale)
    np.testing.assert_allclose(found[:, : m.nv], expected[:, : m.nv], atol=2e-5 * scale)


# flaps that are not flat at rest, and the invariants around vertices, which lie in the plane at rest
CURVED = """<flexcomp name="soft" type="direct" dim="2" point="0 0 0 .1 0 .03 0 .1 -.02 .12 .11 .05" element="0 1 2 2 1 3"
mass="0.5" radius="0.001"><elasticity young="30000" poisson="0.2" damping="0.01" thickness="0.02" elastic2d="both"/></flexcomp>"""
ALL = {**{(case, parent): PARENTS[parent].format(text) for case, text in {**CASES, "curved": CURVED}.items() for parent in PARENTS},
       ("vertices", "fixed"): SOFT.format(dim=2, count="3 3 1", edge='equality="vert"', elastic="", pin="")}
EVERY = 15  # positions, velocities, activations, controls


def check_closed_forms(m, d):
    assert _core.analytic_columns(m, d) == EVERY
    expected, _ = derivatives.transition(m, d, "differences")
    found, _ = derivatives.transition(m, d, "analytic")
    np.testing.assert_allclose(found, expected, atol=1e-6 * max(1, np.abs(expected).max()))


@pytest.mark.parametrize("integrator", ("Euler", "implicit", "implicitfast", "RK4"))
@pytest.mark.parametrize("case", ALL, ids="-".join)
def test_closed_forms_equal_differences(case, integrator):
    check_closed_forms(*excited(ALL[case], integrator))


def check_random(seed):
    """Vertices on bodies of every kind: sliders, hinges, balls, several on one, on moving parents."""
    m = sinew.MjModel.from_xml_string(random_flex_mesh.model(seed))
    if not 0 < m.nv <= 60 or m.nflexnode:
        return 0
    m.opt.disableflags |= int(sinew.mjtDisableBit.mjDSBL_CONTACT)
    m.opt.timestep, m.opt.solver, m.opt.tolerance, m.opt.iterations = 1e-4, 2, 1e-15, 300
    m.opt.integrator = (0, 2, 3)[seed % 3]
    d = sinew.MjData(m)
    rng = np.random.default_rng(seed)
    sinew.mj_integratePos(m, d.qpos, 0.02 * rng.standard_normal(m.nv), 1)
    d.qvel[:] = 0.1 * rng.standard_normal(m.nv)
    sinew.mj_forward(m, d)
    if np.abs(d.qacc).max() > 1e8 or (d.nefc and d.efc_R.min() < 1e-14):
        return 0  # rows of vertices on static bodies
    check_closed_forms(m, d)
    return 1


def test_closed_forms_of_random_flexes():
    assert sum(check_random(seed) for seed in range(30)) > 10


@pytest.mark.full
def test_closed_forms_of_many_random_flexes():
    assert sum(check_random(seed) for seed in range(30, 300)) > 100


@pytest.mark.parametrize("cone", ("pyramidal", "elliptic"))
@pytest.mark.parametrize("parent", ("fixed", "moving"))
def test_vertices_on_a_plane_have_closed_forms(parent, cone):
    text = CASES["solid"].replace('mass="0.5"', 'mass="0.5" pos="0 0 .05"').replace('radius="0.001"', 'radius="0.01"')
    head = HEAD.replace('<flag contact="disable"/>', "").replace("<option", f'<option cone="{cone}"')
    plane = '<geom type="plane" size="1 1 1" euler="5 3 0"/>'
    m = sinew.MjModel.from_xml_string(head.format("Euler") + plane + PARENTS[parent].format(text) + "</worldbody></mujoco>")
    m.geom_contype[1:] = m.geom_conaffinity[1:] = 0
    d = sinew.MjData(m)
    d.qvel[:] = 0.1 * np.random.default_rng(0).standard_normal(m.nv)
    sinew.mj_step(m, d, 20)
    sinew.mj_forward(m, d)
    assert d.ncon and d.nefc
    check_closed_forms(m, d)


BALL = '<body pos=".03 .02 .04"><freejoint/><geom size=".05"/></body>'


@pytest.mark.parametrize("passive", ("true", "false"))
def test_elements_that_touch_something_are_differenced(passive):
    text = CASES["sheet"].replace('selfcollide="none"', f'selfcollide="none" passive="{passive}"')
    xml = HEAD.replace('<flag contact="disable"/>', "").format("Euler") + PARENTS["fixed"].format(text) + BALL
    m = sinew.MjModel.from_xml_string(xml + "</worldbody></mujoco>")
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    assert d.ncon and not _core.analytic_columns(m, d) & 1
    expected, _ = derivatives.transition(m, d, "differences")
    found, _ = derivatives.transition(m, d, "analytic")
    np.testing.assert_allclose(found, expected, atol=2e-5 * np.abs(expected).max())


def test_flexes_between_nodes_are_differenced():
    nodes = CASES["solid"].replace('count="2 3 2"', 'count="4 4 4" dof="trilinear"').replace('<pin id="0"/>', "")
    m, d = excited(PARENTS["fixed"].format(nodes.replace('<edge damping="0.1"/>', "")), "implicit")
    assert _core.analytic_columns(m, d) == 0
