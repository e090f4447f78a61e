"""Cost of the linearisation of a step (A and B, centred) by each method, in multiples of one step."""

import time

import mujoco
import numpy as np
from sinew import _core

METHODS = ("MuJoCo", "differences", "hybrid", "analytic")


def seconds_of(function, repeats):
    best = np.inf
    for _ in range(repeats):
        start = time.process_time()
        function()
        best = min(best, time.process_time() - start)
    return best


def same_state(d, data):
    for field in ("qpos", "qvel", "act", "ctrl", "qacc_warmstart"):
        getattr(d, field)[:] = getattr(data, field)


def linearisation(name, ours, theirs, repeats=10):
    """One row: seconds of a step of Sinew, and of A and B by each method."""
    (m, d), (mj, data) = ours, theirs
    ndx = 2 * mj.nv + mj.na
    A, B = np.zeros((ndx, ndx)), np.zeros((ndx, mj.nu))
    steps = 20

    def step_on():
        same_state(d, data)
        _core.mj_step(m, d, steps)

    step = seconds_of(step_on, repeats) / steps
    same_state(d, data)
    times = [
        seconds_of(lambda: mujoco.mjd_transitionFD(mj, data, 1e-6, True, A, B, None, None), repeats),
        seconds_of(lambda: _core.transition_difference(m, d, A, B), repeats),
        seconds_of(lambda: _core.transition_hybrid(m, d, A, B), repeats),
        seconds_of(lambda: _core.transition_analytic(m, d, A, B), repeats),
    ]
    return {"model": name, "nv": mj.nv, "step": step} | dict(zip(METHODS, times))


def table(rows):
    ratios = METHODS[1:]
    lines = [f"{'A and B of':<18}{'nv':>5}" + "".join(f"{method:>13}" for method in METHODS)
             + "   in steps of Sinew; times cheaper than MuJoCo's differences: "
             + ", ".join(ratios)]
    for row in rows:
        costs = "".join(f"{row[method] / row['step']:>13.1f}" for method in METHODS)
        cheaper = "".join(f"{row['MuJoCo'] / row[method]:>8.2f}" for method in ratios)
        lines.append(f"{row['model']:<18}{row['nv']:>5}{costs}   {cheaper}")
    return "\n".join(lines)
