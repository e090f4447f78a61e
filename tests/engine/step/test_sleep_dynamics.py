"""Smooth dynamics with sleeping trees: what is frozen, what wakes, as in MuJoCo."""

import corpus
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

FIELDS = ["qpos", "qvel", "xpos", "xquat", "xipos", "geom_xpos", "site_xpos", "cam_xpos", "subtree_com",
          "cinert", "cdof", "qM", "M", "qLD", "cvel", "cdof_dot", "qfrc_bias", "qfrc_passive",
          "qacc_smooth", "qfrc_smooth", "qacc", "qacc_warmstart", "energy"]
LISTS = ["tree_asleep", "tree_awake", "body_awake"]


def lists(data):
    return [list(data.body_awake_ind[: data.nbody_awake]),
            list(data.parent_awake_ind[: data.nparent_awake]),
            list(data.dof_awake_ind[: data.nv_awake])]


@pytest.mark.parametrize("integrator", [0, 2, 3])
def test_sleep_and_wake(integrator):
    model = mujoco.MjModel.from_xml_path(str(corpus.OWN / "dynamics" / "sleep.xml"))
    model.opt.integrator = integrator
    model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
    ours_model = bridge.model_from_mujoco(model)
    data, ours = mujoco.MjData(model), _core.MjData(ours_model)
    for d in (data, ours):
        d.qvel[:] = 0.3
    slept, woken = set(), 0
    for step in range(1200):
        for d in (data, ours):
            d.xfrc_applied[:] = 0
            if step == 700:
                d.xfrc_applied[5, 2] = 1e-3  # a touch wakes the ball's tree
            if step == 800:
                d.qvel[0] = 0.1  # a velocity wakes the first
            if step == 900:
                d.qpos[6] += 0.01  # a move from outside wakes the slider
            if step == 1000:
                d.mocap_pos[0, 0] += 0.5  # wakes nobody
        before = ours.ntree_awake
        mujoco.mj_step(model, data)
        _core.mj_step(ours_model, ours)
        slept |= set(np.flatnonzero(np.asarray(ours.tree_asleep) >= 0))
        woken += ours.ntree_awake > before
        for name in LISTS:
            assert np.array_equal(getattr(data, name), getattr(ours, name)), (name, step)
        assert lists(data) == lists(ours), step
        for name in FIELDS:
            a, b = np.ravel(getattr(data, name)), np.ravel(getattr(ours, name))
            scale = max(1, np.max(np.abs(a)))
            assert np.max(np.abs(a - b)) < 1e-9 * scale, (name, step)
    assert slept == {0, 1, 2} and woken == 3


def test_flag_off_wakes_everything():
    model = mujoco.MjModel.from_xml_path(str(corpus.OWN / "dynamics" / "sleep.xml"))
    ours_model = bridge.model_from_mujoco(model)
    ours = _core.MjData(ours_model)
    for _ in range(600):
        _core.mj_step(ours_model, ours)
    assert ours.ntree_awake < ours_model.ntree
    ours_model.opt.enableflags = 0
    _core.mj_step(ours_model, ours)
    assert ours.ntree_awake == ours_model.ntree and np.all(np.asarray(ours.tree_asleep) == -11)
