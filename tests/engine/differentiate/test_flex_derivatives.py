"""Linearised steps of soft bodies: closed forms against differences of whole steps."""

import numpy as np
import pytest
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


def test_velocities_of_flexes_have_closed_forms_and_nodes_have_none():
    m, d = excited(PARENTS["fixed"].format(CASES["solid"]), "Euler")
    velocity, position = 2, 1
    assert _core.analytic_columns(m, d) & velocity and not _core.analytic_columns(m, d) & position
    nodes = CASES["solid"].replace('count="2 3 2"', 'count="4 4 4" dof="trilinear"').replace('<pin id="0"/>', "")
    m, d = excited(PARENTS["fixed"].format(nodes.replace('<edge damping="0.1"/>', "")), "implicit")
    assert _core.analytic_columns(m, d) == 0
