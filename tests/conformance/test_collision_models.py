"""Contact lists of whole models at states of MuJoCo's trajectories."""

import contacts
import corpus
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

STATES = 3
FULL_STATES = 200
# contacts of these pairs come from iterations that stop at a tolerance of 1e-6
ITERATIVE = {mujoco.mjtGeom.mjGEOM_HFIELD, mujoco.mjtGeom.mjGEOM_SDF}


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
    if mj.nflex:
        pytest.skip("has a flex")
    if mj.ngeom < 2:
        pytest.skip("has nothing to collide")
    model = bridge.model_from_mujoco(mj)
    data = _core.MjData(model)
    errors = contacts.Errors()
    for mj_data in trajectory(mj, count):
        errors.add(contacts.collide(model, data, mj_data), contacts.theirs(mj_data))
    print(f"\n{name}: {errors}")
    iterative = ITERATIVE.intersection(mj.geom_type[(mj.geom_contype | mj.geom_conaffinity) != 0])
    assert errors.miscounted <= (0.05 * errors.poses if iterative else 0)
    for quantity, limit in (("dist", 1e-8), ("pos", 1e-6), ("normal", 1e-6)):
        assert errors.worst.get(quantity, 0) <= limit or iterative
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
