#!/usr/bin/env python3
"""Differential fuzzer: random models, rigid and with flexes, through MuJoCo and Sinew.

    differential.py [--first SEED] [--count N] [--minutes M] [--kind rigid|flex|both|world|soft|compose|urdf|dense] [--out FOLDER]

Each model is compiled by both (the same numbers, or both refuse), then stepped a hundred times along
MuJoCo's trajectory: every step starts from MuJoCo's state, with random controls. A difference counts when it
is larger than what MuJoCo itself makes of a change of the state in the twelfth digit. The smallest model that
differs in the same way is written to FOLDER, with the seed in its name. Worlds are models in which everything touches, under
random options, of which every field of the data is compared after every step; so it is with worlds that have flexes (soft),
models made of models and files (compose), robots in URDF, and models with as many attributes as MuJoCo takes (dense).
"""

import argparse
import multiprocessing
import os
import pathlib
import sys
import time

import mujoco
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))

import compiled  # noqa: E402
import differential  # noqa: E402
import every_field  # noqa: E402
import flex_defects  # noqa: E402
import minimal  # noqa: E402
import random_compose  # noqa: E402
import random_dense  # noqa: E402
import random_flex  # noqa: E402
import random_mjcf  # noqa: E402
import random_soft_world  # noqa: E402
import random_urdf  # noqa: E402
import random_world  # noqa: E402
import sinew  # noqa: E402
from sinew import bridge  # noqa: E402

STEPS = 100
TOLERANCE = 1e-6  # of the largest number of a field
FIELDS = ("qpos", "qvel", "qacc", "sensordata")
MOST_DOFS = 400  # what is larger takes long and shows nothing else


def distance(expected, actual):
    scale = max(1.0, np.abs(expected).max(initial=0.0))
    return float(np.abs(expected - actual).max(initial=0.0) / scale)


def step_of_mujoco(model, state, ctrl, change=0.0):
    data = mujoco.MjData(model)
    mujoco.mj_setState(model, data, state, mujoco.mjtState.mjSTATE_INTEGRATION)
    data.ctrl[:] = ctrl
    data.qpos[:] *= 1 + change
    data.qvel[:] *= 1 + change
    mujoco.mj_step(model, data)
    return data


def step_difference(model, ours, state, ctrl):
    """Name of a field that differs after one step from a state, or None; and MuJoCo's data after it."""
    theirs = step_of_mujoco(model, state, ctrl)
    data = sinew.MjData(ours)
    sinew.mj_setState(ours, data, state, int(mujoco.mjtState.mjSTATE_INTEGRATION))
    data.ctrl[:] = ctrl
    sinew.mj_step(ours, data)
    for field in FIELDS:
        expected, actual = getattr(theirs, field), getattr(data, field)
        if not np.isfinite(expected).all():
            return None, None
        found = distance(expected, actual)
        if found > TOLERANCE:
            sensitive = max(
                distance(expected, getattr(step_of_mujoco(model, state, ctrl, change), field))
                for change in (1e-12, -1e-12, 1e-11)
            )
            if found > 10 * sensitive:
                return field, theirs
    return None, theirs


def difference(xml, steps=STEPS, files=None):
    """What differs, as a word; None when nothing does, "refused" when both refuse."""
    theirs, reason = differential.load(mujoco, xml)
    ours, message = differential.load(sinew, xml)
    if theirs is None or ours is None:
        known = differential.TAKEN if theirs is None else differential.REFUSED
        if theirs is None and ours is None:
            return "refused"
        return None if any(text in reason + message for text in known) else "one refuses"
    if theirs.nv > MOST_DOFS or flex_defects.defects(theirs):
        return None
    if compiled.differences(theirs, ours):
        return None if differential.is_singular(theirs) else "model"
    # from here on the same numbers: rounding of the compiler is not the engine's
    ours = bridge.model_from_mujoco(theirs)
    rng = np.random.default_rng(len(xml))
    data = mujoco.MjData(theirs)
    data.qvel[:] = 0.2 * rng.standard_normal(theirs.nv)
    state = np.zeros(mujoco.mj_stateSize(theirs, mujoco.mjtState.mjSTATE_INTEGRATION))
    mujoco.mj_getState(theirs, data, state, mujoco.mjtState.mjSTATE_INTEGRATION)
    for step in range(steps):
        field, after = step_difference(theirs, ours, state, rng.uniform(-1, 1, theirs.nu))
        if field:
            return f"{field} at step {step}" if step else f"{field} at once"
        if after is None or any(w.number for w in after.warning):
            return None
        mujoco.mj_getState(theirs, after, state, mujoco.mjtState.mjSTATE_INTEGRATION)
    return None


# ---- worlds: every field ----


def _load_world(module, xml, files):
    try:
        return module.MjModel.from_xml_string(xml, files)
    except (ValueError, module.FatalError):
        return None


def _push(rng, model, data):
    """Forces and mocap poses of a step; controls are returned."""
    data.mocap_pos[:] += 0.005 * rng.standard_normal(data.mocap_pos.shape)
    data.xfrc_applied[1:] = rng.standard_normal((model.nbody - 1, 6)) * (rng.random((model.nbody - 1, 1)) < 0.05)
    return rng.uniform(-1, 1, model.nu)


def _differs_by_chance(xml, files, theirs, ours, found):
    """Are length ranges all that differs, by less than MuJoCo's own do when bodies are moved in the twelfth digit?

    A range is where a simulation ends, often against stops."""
    if any(not line.startswith("actuator_lengthrange") for line in found):
        return False
    moved = 0.0
    for change in (1e-12, -1e-12, 1e-11):
        spec = mujoco.MjSpec.from_string(xml, assets=files)
        for body in spec.bodies[1:]:
            body.pos = body.pos * (1 + change)
        moved = np.maximum(moved, np.abs(spec.compile().actuator_lengthrange - theirs.actuator_lengthrange))
    return bool((np.abs(theirs.actuator_lengthrange - ours.actuator_lengthrange) <= 10 * moved.max(1, keepdims=True)).all())


def world_difference(xml, steps=STEPS, files=None):
    """As difference(), for a model of random_world and the like, in every field."""
    files = random_world.FILES if files is None else files
    theirs, ours = _load_world(mujoco, xml, files), _load_world(sinew, xml, files)
    if theirs is None or ours is None:
        # what MuJoCo alone refuses are errors of its engine
        return "one refuses" if theirs is not None else "refused"
    if theirs.nv > MOST_DOFS or theirs.nflex and flex_defects.defects(theirs):
        return None
    found = compiled.differences(theirs, ours)
    if found and not differential.is_singular(theirs) and not _differs_by_chance(xml, files, theirs, ours, found):
        return "model"
    ours = bridge.model_from_mujoco(theirs)
    rng = np.random.default_rng(len(xml))
    try:
        start, expected = mujoco.MjData(theirs), mujoco.MjData(theirs)
    except mujoco.FatalError:  # it wakes trees before it has reset what sleeps
        return None
    actual = sinew.MjData(ours)
    for step in range(steps):
        try:
            found = every_field.differences(theirs, ours, start, _push(rng, theirs, start), expected, actual)
        except (mujoco.FatalError, sinew.FatalError):  # what falls asleep in the wrong island, in both
            return None
        if not np.isfinite(expected.qacc).all() or not np.abs(expected.qvel).max(initial=0) <= 1e4:
            return None
        if any(w.number for w in expected.warning):
            return None
        if found:
            return f"{max(found, key=found.get)} at step {step}"
        mujoco.mj_copyData(start, theirs, expected)
    return None


# ---- processes of their own: MuJoCo may end one ----


def _answer(pipe, xml, steps, compare, files):
    for quiet in (1, 2):
        os.dup2(os.open(os.devnull, os.O_WRONLY), quiet)
    pipe.send(compare(xml, steps, files))


def apart(xml, steps=STEPS, seconds=60, compare=difference, files=None):
    """difference() in another process: "crash" when it dies, "hang" when it takes too long."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(theirs, xml, steps, compare, files))
    process.start()
    theirs.close()
    try:
        answer = ours.recv() if ours.poll(seconds) else "hang"
    except EOFError:
        answer = "crash"
    process.kill()
    process.join()
    return answer


# of a seed: the text of a model, and the files that go with it
MAKERS = {
    "rigid": lambda seed: (random_mjcf.random_model(seed), None), "flex": lambda seed: (random_flex.model(seed), None),
    "world": lambda seed: (random_world.world(seed), random_world.FILES), "soft": lambda seed: (random_soft_world.world(seed), {}),
    "compose": random_compose.model, "dense": random_dense.model, "urdf": lambda seed: (random_urdf.model(seed), random_urdf.FILES),
}


def make(kind, seed):
    return MAKERS[kind](seed)[0]


def ours_alone(xml, steps, files):
    model = _load_world(sinew, xml, files or {})
    data = model and sinew.MjData(model)
    for _ in range(steps if model else 0):
        try:
            sinew.mj_step(model, data)
        except sinew.FatalError:
            break


def found_in(kind, seed, steps=STEPS):
    """What differs in the model of a seed; "theirs" when MuJoCo crashes or hangs on it and we do not."""
    xml, files = MAKERS[kind](seed)
    found = apart(xml, steps, compare=COMPARE.get(kind, world_difference), files=files)
    return "theirs" if found in ("crash", "hang") and apart(xml, steps, compare=ours_alone, files=files) is None else found


COMPARE = {"rigid": difference, "flex": difference}  # the others: every field


def smallest(xml, found, compare, files):
    word = found.split(" at step")[0]
    return minimal.minimise(xml, lambda smaller: (apart(smaller, compare=compare, files=files) or "").split(" at step")[0] == word)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--kind", choices=["both", *MAKERS], default="both")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/differential"))
    options = parser.parse_args()
    kinds = ["rigid", "flex"] if options.kind == "both" else [options.kind]
    end, tried, answers = time.monotonic() + 60 * options.minutes, 0, {}
    for seed in range(options.first, options.first + options.count):
        for kind in kinds:
            if time.monotonic() > end:
                break
            found = found_in(kind, seed)
            tried += 1
            answers[found] = answers.get(found, 0) + 1
            if found in (None, "refused", "theirs"):
                continue
            print(f"{kind} {seed}: {found}", flush=True)
            options.out.mkdir(parents=True, exist_ok=True)
            xml, files = MAKERS[kind](seed)
            if found not in ("hang", "crash"):
                xml = smallest(xml, found, COMPARE.get(kind, world_difference), files)
            (options.out / f"{kind}_{seed}.xml").write_text(xml)
    bad = sum(count for found, count in answers.items() if found not in (None, "refused", "theirs"))
    print(f"{tried} models, {answers.get('refused', 0)} refused by both, {bad} differ")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
