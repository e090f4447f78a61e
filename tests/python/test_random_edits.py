"""Random programs that edit specs do the same with MuJoCo and Sinew: names, errors, models and texts."""

import multiprocessing

import mujoco
import pytest

import compiled
import random_edits
import sinew

# MuJoCo keeps the tree, or entries of it, of a body that has lost geoms since the compilation before
TREES = ("nbvh", "nbvhstatic", "body_bvhadr", "body_bvhnum", "flex_bvhadr", "mesh_bvhadr", "bvh_nodeid", "bvh_child", "bvh_depth", "bvh_aabb")
EXEMPT = {**compiled.EXEMPT, **dict.fromkeys(TREES, "")}


def difference(seed):
    """What differs first, None when nothing does, "refused" when both end at the same error."""
    edits = random_edits.program(seed)
    ours = random_edits.answers(sinew, edits)
    theirs = random_edits.answers(mujoco, edits)  # it may crash
    errors = [[answer for answer in answers if isinstance(answer, tuple)] for answers in (theirs, ours)]
    if errors[0] != errors[1] or len(theirs) != len(ours):
        return f"errors: {errors}"
    for expected, actual in zip(theirs, ours):
        if isinstance(expected, mujoco.MjModel):
            if found := compiled.differences(expected, actual, EXEMPT):
                return str(found[:3])
        elif expected != actual:
            return f"expected {expected}, got {actual}"
    return "refused" if errors[0] else None


def _work(seeds, pipe):
    mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)
    for seed in seeds:
        pipe.send((seed, difference(seed)))
    pipe.close()


def check(seeds):
    """{seed: difference} in processes of their own, without the seeds that MuJoCo crashes on."""
    context, seeds, results = multiprocessing.get_context("fork"), list(seeds), {}
    while seeds:
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(seeds, theirs))
        process.start()
        theirs.close()
        try:
            while ours.poll(30):  # MuJoCo may hang as well
                seed, results[seed] = ours.recv()
                seeds.remove(seed)
        except EOFError:
            pass
        process.kill()
        process.join()
        seeds = seeds[1:]  # the one that it ended on
    return results


@pytest.mark.parametrize("first, count", [(0, 120), pytest.param(1000, 3000, marks=pytest.mark.full)])
def test_edits_do_what_they_do_in_mujoco(first, count):
    results = check(range(first, first + count))
    assert {seed: found for seed, found in results.items() if found not in (None, "refused")} == {}
    assert sum(found is None for found in results.values()) > 0.4 * count
