"""Flexes beside bodies that sleep."""

import numpy as np
import pytest
import sinew

SCENE = """
<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane" size="5 5 0.1"/>
<body name="box" pos="2 0 0.0999"><freejoint/><geom type="box" size="0.1 0.1 0.1"/></body>
<body name="base" pos="0 0 1"><flexcomp name="soft" type="grid" dim="2" count="4 4 1" spacing="0.1 0.1 0.1" radius="0.01">
{}<contact selfcollide="none"/><pin id="0 3"/></flexcomp></body></worldbody></mujoco>"""
KINDS = {
    "elastic": '<elasticity young="3e4" thickness="0.01" elastic2d="stretch" damping="0.001"/>',
    "equality": '<edge equality="true"/>',
}


@pytest.mark.parametrize("kind", KINDS)
def test_vertices_stay_awake_while_a_box_sleeps(kind):
    """MuJoCo refuses to step an edge equality with sleeping enabled; here it works, its trees never sleep."""
    m = sinew.MjModel.from_xml_string(SCENE.format(KINDS[kind]))
    twin = sinew.MjModel.from_xml_string(SCENE.format(KINDS[kind]).replace('sleep="enable"', 'sleep="disable"'))
    d, e = sinew.MjData(m), sinew.MjData(twin)
    sinew.mj_step(m, d, 800)
    sinew.mj_step(twin, e, 800)
    assert d.tree_asleep[0] >= 0 and (d.tree_asleep[1:] < 0).all()
    np.testing.assert_allclose(d.flexvert_xpos, e.flexvert_xpos, atol=1e-9)
