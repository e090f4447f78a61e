"""Free runs of flex models beside MuJoCo: a thousand steps, each engine on its own."""

import flexes
import mujoco
import pytest
import sinew

# CG stops at the tolerance of the model, so that runs part by as much; all others stay within rounding
TOLERANCE = 1e-4
QUICK = ("pulley", "trilinear", "sphere_radial", "press")
NAMES = [pytest.param(n, marks=() if n in QUICK else pytest.mark.full) for n in flexes.shipped()]


@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_steps_end_where_mujoco_ends(name):
    mj_model, mj_data, model, data = flexes.pair(flexes.shipped()[name])
    for options in (mj_model.opt, model.opt):
        options.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    for _ in range(4):
        mujoco.mj_step(mj_model, mj_data, nstep=250)
        sinew.mj_step(model, data, 250)
        assert flexes.distance(data.qpos, mj_data.qpos) < TOLERANCE
        assert flexes.distance(data.energy, mj_data.energy) < TOLERANCE
    assert not any(w.number for w in data.warning)
