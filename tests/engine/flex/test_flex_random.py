"""Random flex models along MuJoCo's own trajectory: every field of a step."""

import flexes
import mujoco
import numpy as np
import pytest
import random_flex
import sinew
from sinew import bridge

QUICK, ALL = 12, 200
POSITIONS = ["flexvert_xpos", "flexelem_aabb", "bvh_aabb_dyn", "flexedge_length", "flexedge_J"]
POSITIONS += ["flexvert_length", "flexvert_J"]
FORCES = ["flexedge_velocity", "qfrc_spring", "qfrc_damper", "qfrc_passive", "qfrc_bias", "qDeriv"]
ROWS = ["efc_pos", "efc_J", "efc_diagApprox", "efc_aref", "efc_D", "efc_id", "efc_type"]

SEEDS = [pytest.param(s, marks=[pytest.mark.full] if s >= QUICK else []) for s in range(ALL)]


def excite(mj_model, mj_data, seed):
    rng = np.random.default_rng(seed)
    mj_data.qvel[:] = 0.2 * rng.standard_normal(mj_model.nv)
    for _ in range(3):
        mujoco.mj_step(mj_model, mj_data)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_stage_of_a_random_model(seed):
    mj_model = random_flex.compiled(seed)
    mj_data = mujoco.MjData(mj_model)
    model = bridge.model_from_mujoco(mj_model)
    data = sinew.MjData(model)
    excite(mj_model, mj_data, seed)
    bridge.state_from_mujoco(mj_data, data)
    mujoco.mj_step(mj_model, mj_data)
    sinew.mj_step(model, data)
    for field in POSITIONS + FORCES + ROWS:
        assert flexes.distance(getattr(data, field), getattr(mj_data, field)) < 1e-9, field
    for field in ("efc_force", "qacc", "qvel", "qpos"):
        assert flexes.distance(getattr(data, field), getattr(mj_data, field)) < 1e-6, field


@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_dynamics_and_energy_of_a_random_model(seed):
    mj_model = random_flex.compiled(seed)
    mj_model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    mj_data = mujoco.MjData(mj_model)
    model = bridge.model_from_mujoco(mj_model)
    data = sinew.MjData(model)
    excite(mj_model, mj_data, seed)
    mujoco.mj_forward(mj_model, mj_data)
    bridge.state_from_mujoco(mj_data, data)
    mujoco.mj_inverse(mj_model, mj_data)
    sinew.mj_inverse(model, data)
    assert flexes.distance(data.energy, mj_data.energy) < 1e-9
    assert flexes.distance(data.qfrc_inverse, mj_data.qfrc_inverse) < 1e-8  # forces of 1e5 cancel in it
