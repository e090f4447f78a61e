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


# A contact that comes or goes a rounding error earlier parts two runs at once; their energies stay near.
SENSITIVE = ("floppy", "sphere_passive", "sphere_trilinear")
TOUCHING = [pytest.param(n, marks=() if n in ("hammock", "press", "trampoline", "trilinear") else pytest.mark.full)
            for n in flexes.shipped()]


@pytest.mark.parametrize("name", TOUCHING)
def test_a_thousand_steps_with_contacts_end_where_mujoco_ends(name):
    """Both engines solve each step to the end: their solvers stop apart otherwise."""
    mj_model, mj_data, model, data = flexes.pair(flexes.shipped()[name], contacts=True)
    for options in (mj_model.opt, model.opt):
        options.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
        options.solver, options.tolerance, options.iterations = mujoco.mjtSolver.mjSOL_NEWTON, 1e-13, 100
    sensitive = name in SENSITIVE
    for _ in range(4):
        mujoco.mj_step(mj_model, mj_data, nstep=250)
        sinew.mj_step(model, data, 250)
        assert sensitive or data.ncon == mj_data.ncon
        assert flexes.distance(data.qpos, mj_data.qpos) < (0.1 if sensitive else 1e-6)
        assert flexes.distance(data.energy, mj_data.energy) < (0.01 if sensitive else 1e-6)
    assert not any(w.number for w in data.warning)
