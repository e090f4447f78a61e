"""Vertices, boxes, edges and metrics of flexes against MuJoCo."""

import flexes
import mujoco
import pytest
import sinew
from sinew import bridge

FIELDS = [
    "flexvert_xpos",
    "flexelem_aabb",
    "bvh_aabb_dyn",
    "flexedge_length",
    "flexedge_J",
    "flexvert_length",
    "flexvert_J",
]


@pytest.mark.parametrize("name", flexes.shipped())
def test_positions_of_shipped_models(name):
    mj_model, mj_data, model, data = flexes.pair(flexes.shipped()[name])
    for _ in range(3):
        for _ in range(4):
            mujoco.mj_step(mj_model, mj_data)
        mujoco.mj_forward(mj_model, mj_data)
        bridge.state_from_mujoco(mj_data, data)
        sinew.mj_fwdKinematics(model, data)
        for field in FIELDS:
            assert flexes.distance(getattr(data, field), getattr(mj_data, field)) < 1e-13, field
