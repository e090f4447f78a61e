"""Rays against flexes, with MuJoCo as the referee."""

import itertools

import flexes
import mujoco
import numpy as np
import pytest
import sinew
from sinew import bridge

SHEET = """
<mujoco><worldbody><body name="base">
<flexcomp name="soft" type="grid" dim="{dim}" count="{count}" spacing="0.1 0.1 0.1" mass="1" radius="0.01">
<contact selfcollide="none"/></flexcomp></body></worldbody></mujoco>"""
COUNTS = {1: "6 1 1", 2: "5 4 1", 3: "4 4 4"}
FLAGS = list(itertools.product((0, 1), repeat=4))


def rays(points, count, seed):
    """Rays towards points of the flex from outside and inside, some along the axes."""
    rng = np.random.default_rng(seed)
    start = rng.uniform(-0.5, 0.5, (count, 3))
    ends = points[rng.integers(len(points), size=(2, count))]
    target = ends[0] + rng.uniform(0, 1, (count, 1)) * (ends[1] - ends[0])
    vec = target + 0.008 * rng.standard_normal((count, 3)) - start
    vec[::7] = np.eye(3)[rng.integers(3, size=len(vec[::7]))]
    return start, vec


@pytest.mark.parametrize("dim", COUNTS)
def test_hits_are_those_of_mujoco(dim):
    mj_model, mj_data, model, data = flexes.pair(SHEET.format(dim=dim, count=COUNTS[dim]))
    mj_data.qpos[:] = 0.02 * np.random.default_rng(dim).standard_normal(mj_model.nq)
    bridge.state_from_mujoco(mj_data, data)
    mujoco.mj_forward(mj_model, mj_data)
    sinew.mj_forward(model, data)
    hits = 0
    for flags in FLAGS:
        for layer, (start, vec) in itertools.product((0, 1), zip(*rays(data.flexvert_xpos, 40, dim))):
            ids = [np.full(1, 77, np.int32) for _ in range(2)]
            normals = np.zeros((2, 3))
            theirs = mujoco.mj_rayFlex(mj_model, mj_data, layer, *flags, 0, start, vec, ids[0], normals[0])
            ours = sinew.mj_rayFlex(model, data, layer, *flags, 0, start, vec, ids[1], normals[1])
            assert ours == pytest.approx(theirs, abs=1e-12), (flags, layer)
            np.testing.assert_allclose(normals[1], normals[0], atol=1e-9)
            assert ids[0][0] == ids[1][0], (flags, layer, start, vec)
            hits += theirs >= 0
    assert hits > 100


def test_what_is_missed_leaves_the_vertex_alone():
    _, _, model, data = flexes.pair(SHEET.format(dim=2, count=COUNTS[2]))
    sinew.mj_forward(model, data)
    vertex, normal = np.full(1, 5, np.int32), np.ones(3)
    assert sinew.mj_rayFlex(model, data, 0, 1, 1, 1, 1, 0, [0, 0, 1], [0, 0, 1], vertex, normal) == -1
    assert vertex[0] == 5 and not normal.any()
