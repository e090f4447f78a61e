"""Contact lists of whole models at states of MuJoCo's trajectories."""

import contacts
import corpus
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

STATES = 3
FULL_STATES = 200
# contacts of distance fields come from a descent on finite differences, which amplify the last bit
ITERATIVE = mujoco.mjtGeom.mjGEOM_SDF


def trajectory(mj, count, seed=0):
    """Data at states of a run with random controls, collision detection just done."""
    rng = np.random.default_rng(seed)
    data = mujoco.MjData(mj)
    for _ in range(count):
        mujoco.mj_fwdPosition(mj, data)
        mujoco.mj_collision(mj, data)
        yield data
        if mj.nu:
            data.ctrl[:] = rng.normal(size=mj.nu) * 0.3
        for _ in range(10):
            mujoco.mj_step(mj, data)


def compare(name, count):
    mj = corpus.load(name)
    if mj is None:
        pytest.skip("MuJoCo does not load it")
    if mj.ngeom + mj.nflex < 2:
        pytest.skip("has nothing to collide")
    model = bridge.model_from_mujoco(mj)
    data = _core.MjData(model)
    errors = contacts.Errors()
    for mj_data in trajectory(mj, count):
        errors.add(contacts.collide(model, data, mj_data), contacts.theirs(mj_data))
    print(f"\n{name}: {errors}")
    iterative = ITERATIVE in mj.geom_type[(mj.geom_contype | mj.geom_conaffinity) != 0]
    assert errors.miscounted == 0
    for quantity, limit in (("dist", 1e-6 if iterative else 1e-8), ("pos", 1e-6), ("normal", 1e-6)):
        assert errors.worst.get(quantity, 0) <= limit
    for quantity in contacts.PARAMETERS:
        assert errors.worst.get(quantity, 0) == 0


NAMES = list(corpus.paths())


@pytest.mark.parametrize("name", NAMES[::9])
def test_model(name):
    compare(name, STATES)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_model_full(name):
    compare(name, FULL_STATES)


@pytest.mark.parametrize("name", ["gym/humanoidstandup", "gym/pusher", "dm/manipulator", "dm/dog"])
def test_active_nodes(name):
    """Nodes of the trees that a check visits, for visualisation alone.

    MuJoCo also descends the trees of bodies that its looser sweep reports and ours does not: there
    our flags stay off. All that we flag it flags, and the nodes of every contact are flagged.
    """
    mj = corpus.load(name) if name in corpus.paths() else None
    if mj is None:
        pytest.skip("the model is not installed")
    model = bridge.model_from_mujoco(mj)
    data = _core.MjData(model)
    flagged = missing = 0
    nodes = mj.bvh_nodeid[: np.max(mj.body_bvhadr + mj.body_bvhnum)]  # those of meshes follow
    leaf_of = {int(g): i for i, g in enumerate(nodes) if g >= 0}
    for mj_data in trajectory(mj, 10):
        contacts.collide(model, data, mj_data)
        ours, theirs = np.ravel(data.bvh_active), np.ravel(mj_data.bvh_active)
        assert not np.any((ours != 0) & (theirs == 0))
        flagged += np.sum(theirs != 0)
        missing += np.sum((ours == 0) & (theirs != 0))
        for pair in mj_data.contact.geom:
            if mj.body_geomnum[mj.geom_bodyid[pair]].max() > 1:  # else there is no tree to descend
                assert all(ours[leaf_of[geom]] for geom in pair)
    print(f"{name}: {missing} of {flagged} flags are MuJoCo's alone")
    assert flagged and missing <= 0.2 * flagged
    # nothing is flagged when nobody asks
    model.vis.global_.bvactive = 0
    data.bvh_active[:] = 0
    _core.mj_collision(model, data)
    assert not np.any(data.bvh_active)
