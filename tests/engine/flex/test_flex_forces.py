"""Passive forces and constraint rows of flexes against MuJoCo."""

import flexes
import mujoco
import pytest
import sinew
from sinew import bridge

FORCES = ["flexedge_velocity", "qfrc_spring", "qfrc_damper", "qfrc_passive", "qfrc_bias"]
ROWS = ["efc_pos", "efc_J", "efc_diagApprox", "efc_aref", "efc_D", "efc_id", "efc_type"]


def compare(mj_data, data):
    """Forces and rows to 1e-9, the solution to 1e-6."""
    for field in FORCES + ROWS:
        assert flexes.distance(getattr(data, field), getattr(mj_data, field)) < 1e-9, field
    for field in ("efc_force", "qacc"):
        assert flexes.distance(getattr(data, field), getattr(mj_data, field)) < 1e-6, field


@pytest.mark.parametrize("name", flexes.shipped())
def test_forces_and_rows_of_shipped_models(name):
    mj_model, mj_data, model, data = flexes.pair(flexes.shipped()[name])
    for options in (mj_model.opt, model.opt):  # unfinished iterations of CG magnify rounding
        options.tolerance = 1e-14
        options.iterations = 1000
    for _ in range(2):
        for _ in range(10):
            mujoco.mj_step(mj_model, mj_data)
        bridge.state_from_mujoco(mj_data, data)
        mujoco.mj_forward(mj_model, mj_data)
        sinew.mj_forward(model, data)
        compare(mj_data, data)
