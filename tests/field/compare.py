"""Compares the models that it is told on standard input, one path a line, and answers each with a line of JSON.

A process of its own, because MuJoCo may end it: the sweep starts another one then.
"""

import json
import os
import pathlib
import sys

import mujoco
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))

import compiled  # noqa: E402
import every_field  # noqa: E402
import sinew  # noqa: E402

STATES, EVERY = 20, 10  # states compared along MuJoCo's trajectory, and steps between them
EQUAL = 1e-6  # of what a step gives, relative to the largest entry

# what MuJoCo takes from its cache is not what it reads from a file
mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)


def load(module, path):
    try:
        return module.MjModel.from_xml_path(path), ""
    except (ValueError, module.FatalError) as error:
        return None, str(error).replace("\n", " ")


def relative(expected, actual):
    return np.abs(expected - actual).max(initial=0) / max(1.0, np.abs(expected).max(initial=0))


def step_difference(theirs, ours):
    """Largest relative difference of qacc, qvel and qpos after a step, and how many states exceed EQUAL.

    Both start from the states of MuJoCo's trajectory, under controls drawn at random.
    """
    rng = np.random.default_rng(0)
    data, other = mujoco.MjData(theirs), sinew.MjData(ours)
    if theirs.nkey:
        mujoco.mj_resetDataKeyframe(theirs, data, 0)
    low, high = np.where(theirs.actuator_ctrllimited[:, None], theirs.actuator_ctrlrange, (-1, 1)).T
    worst, states, bad = 0.0, 0, 0
    for step in range(STATES * EVERY):
        data.ctrl[:] = rng.uniform(low, high)
        if step % EVERY == 0:
            every_field.step(sinew, ours, other, data, data.ctrl)  # which trees sleep is no part of a state
        mujoco.mj_step(theirs, data)
        if not np.isfinite(data.qacc).all() or sum(w.number for w in data.warning):
            break  # MuJoCo's own simulation is unstable
        if step % EVERY == 0:
            error = max(relative(getattr(data, name), getattr(other, name)) for name in ("qacc", "qvel", "qpos"))
            worst, states, bad = max(worst, float(error)), states + 1, bad + int(not error <= EQUAL)
    return worst, states, bad


def compare(path):
    os.chdir(os.path.dirname(path))
    theirs, reason = load(mujoco, path)
    ours, message = load(sinew, path)
    if theirs is None and ours is None:
        return {"result": "refused", "detail": reason}
    if theirs is None or ours is None:
        return {"result": "differs", "detail": f"refused by {'MuJoCo' if ours else 'Sinew'} alone: {reason or message}"}
    found = compiled.differences(theirs, ours)
    if found:
        return {"result": "differs", "detail": "; ".join(found[:3])}
    try:
        worst, states, bad = step_difference(theirs, ours)
    except mujoco.FatalError as error:
        return {"result": "equal", "states": 0, "bad": 0, "worst": 0, "detail": f"MuJoCo stops: {error}"}
    return {"result": "equal", "states": states, "bad": bad, "worst": worst}


def main():
    # what the libraries print must not stand between the answers
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    for line in sys.stdin:
        path = line.strip()
        try:
            answer = compare(path)
        except Exception as error:  # noqa: BLE001: the sweep goes on
            answer = {"result": "differs", "detail": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(answer) + "\n")


main()
