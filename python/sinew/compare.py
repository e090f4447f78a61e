"""How closely Sinew agrees with the installed MuJoCo on a model of your own.

    python -m sinew.compare MODEL [--json] [--states 5] [--steps 100] [--no-speed]

Both packages load the file. Reported are the fields in which the compiled models differ; for several
states, the largest error of each stage's results in one step (relative to the largest value of the
field), both from MuJoCo's compiled model and from ours; the numbers of contacts; and the speed.
"""

import argparse
import json
import sys
import time

import numpy as np

from sinew import _core, bridge

STAGE_NAMES = {
    "POS": "position", "VEL": "velocity", "ACT": "actuation", "ACC": "acceleration", "STATE": "state",
    "SENSOR": "sensors",
}
# sparse matrices, compared as dense ones (row counts, row addresses, columns): entries that are zero
# up to rounding may be stored or not, and the storage is larger than what is used
SPARSE = {
    "actuator_moment": ("moment_rownnz", "moment_rowadr", "moment_colind"),
    "ten_J": ("ten_J_rownnz", "ten_J_rowadr", "ten_J_colind"),
}
# results that need not agree: own memory, order of work, and the above
NOT_COMPARED = {"plugin_data", "bvh_active", "qacc_warmstart"}.union(*SPARSE.values())
NOT_COMPARED_MODEL = {"nbuffer", "narena"}


def relative_error(expected, actual):
    """Largest difference relative to the largest number; 0 for empty arrays, inf where shapes differ."""
    expected, actual = np.asarray(expected, float), np.asarray(actual, float)
    if expected.size != actual.size:
        return np.inf
    if not expected.size:
        return 0.0
    expected, actual = expected.ravel(), actual.ravel()
    finite = np.isfinite(expected)
    if not np.array_equal(finite, np.isfinite(actual)):
        return np.inf
    scale = max(np.abs(expected[finite]).max(initial=0.0), 1e-6)
    return float(np.abs(expected[finite] - actual[finite]).max(initial=0.0) / scale)


def _numbers(value):
    return np.frombuffer(value, np.int8) if isinstance(value, bytes) else np.asarray(value)


# ---- models ----


def compare_models(theirs, ours):
    """{field: relative error} of the fields in which two compiled models differ."""
    found = {}
    for name in _core.MODEL_SIZES:
        if name not in NOT_COMPARED_MODEL and getattr(theirs, name, 0) != getattr(ours, name):
            found[name] = np.inf
    for name in _core.MODEL_FIELDS:
        if hasattr(theirs, name):
            error = relative_error(_numbers(getattr(theirs, name)), _numbers(getattr(ours, name)))
            if error > 0:
                found[name] = error
    for group in ("opt", "stat"):
        names = bridge.OPTION_FIELDS if group == "opt" else bridge.STATISTIC_FIELDS
        for name in names:
            error = relative_error(*(np.atleast_1d(getattr(getattr(m, group), name)) for m in (theirs, ours)))
            if error > 0:
                found[f"{group}.{name}"] = error
    return found


# ---- steps ----


def _result(d, name, nv):
    """A field of data without storage that is not in use."""
    values = np.asarray(getattr(d, name)).ravel()
    if name in ("wrap_obj", "wrap_xpos"):
        return values[: int(d.ten_wrapnum.sum()) * (3 if name == "wrap_xpos" else 1)]
    if name not in SPARSE:
        return values
    counts, addresses, columns = (np.asarray(getattr(d, field)).ravel() for field in SPARSE[name])
    dense = np.zeros((len(counts), nv))
    for row, (count, address) in enumerate(zip(counts, addresses)):
        span = slice(address, address + count)
        dense[row, columns[span]] = values[span]
    return dense


def _states(mujoco, model, count, steps):
    """States that the model visits under random controls, as pairs (data, controls)."""
    random = np.random.default_rng(0)
    d = mujoco.MjData(model)
    for key in range(count):
        if model.nkey and key == 0:
            mujoco.mj_resetDataKeyframe(model, d, 0)
        low, high = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [-1.0, 1.0]).T
        d.ctrl[:] = random.uniform(low, high)
        yield d
        mujoco.mj_step(model, d, max(1, steps // count))


def _copy_state(mujoco, theirs, source, ours, target):
    sig = mujoco.mjtState.mjSTATE_INTEGRATION.value
    state = np.empty(mujoco.mj_stateSize(theirs, sig))
    mujoco.mj_getState(theirs, source, state, sig)
    _core.mj_setState(ours, target, state, sig)


def compare_steps(mujoco, theirs, ours, count=5, steps=100):
    """Errors of one step from each of several states: per stage the worst field, and contact counts."""
    stages, contacts, equal = {}, [], True
    mine = _core.MjData(ours)
    for source in _states(mujoco, theirs, count, steps):
        reference = mujoco.MjData(theirs)
        mujoco.mj_copyData(reference, theirs, source)
        _copy_state(mujoco, theirs, source, ours, mine)
        mujoco.mj_step(theirs, reference)
        _core.mj_step(ours, mine)
        contacts.append((int(reference.ncon), int(mine.ncon)))
        equal = equal and reference.ncon == mine.ncon and reference.nefc == mine.nefc
        for name, stage in zip(_core.DATA_FIELDS, _core.DATA_STAGES):
            if name in NOT_COMPARED or not hasattr(reference, name):
                continue
            error = relative_error(*(_result(d, name, theirs.nv) for d in (reference, mine)))
            entry = stages.setdefault(STAGE_NAMES.get(stage, stage.lower()), {"error": 0.0, "field": None})
            if error > entry["error"]:
                entry.update(error=error, field=name)
    return {"stages": stages, "contacts": contacts, "counts_equal": equal}


# ---- speed ----


def _rate(step, model, data, steps):
    """Steps per second, the best of three."""
    best = 0.0
    for _ in range(3):
        start = time.perf_counter()
        step(model, data, steps)
        best = max(best, steps / (time.perf_counter() - start))
    return best


def compare_speed(mujoco, theirs, ours, steps):
    """Steps per second of both, from the same state on one thread."""
    rates = []
    for package, model in ((mujoco, theirs), (_core, ours)):
        d = package.MjData(model)
        if model.nkey:
            package.mj_resetDataKeyframe(model, d, 0)
        package.mj_step(model, d, 10)
        rates.append(_rate(package.mj_step, model, d, steps))
    return {"mujoco": rates[0], "sinew": rates[1], "ratio": rates[1] / rates[0]}


# ---- report ----


def compare(path, states=5, steps=100, speed=True):
    """Everything about one model, as a dictionary."""
    import mujoco

    if getattr(mujoco, "sinew_version", None):
        raise RuntimeError("mujoco is Sinew itself here: compare needs the installed MuJoCo")
    theirs = mujoco.MjModel.from_xml_path(path)
    result = {"model": path, "mujoco": mujoco.__version__}
    bridged = bridge.model_from_mujoco(theirs)
    result["engine"] = compare_steps(mujoco, theirs, bridged, states, steps)
    try:
        ours = _core.MjModel.from_xml_path(path)
    except ValueError as error:
        result["load_error"] = str(error)
        ours = bridged
    else:
        result["fields"] = compare_models(theirs, ours)
        if ours.nq == theirs.nq and ours.nv == theirs.nv:
            result["whole"] = compare_steps(mujoco, theirs, ours, states, steps)
    if speed:
        result["speed"] = compare_speed(mujoco, theirs, ours, steps)
    return result


def _print_steps(title, found):
    print(f"\n{title}")
    print(f"  {'stage':<14}{'worst error':>12}  field")
    for stage, entry in found["stages"].items():
        print(f"  {stage:<14}{entry['error']:>12.2e}  {entry['field'] or '-'}")
    pairs = ", ".join(f"{a}/{b}" for a, b in found["contacts"])
    print(f"  contacts (MuJoCo/Sinew): {pairs}{'' if found['counts_equal'] else '   DIFFERENT'}")


def print_table(result):
    print(f"{result['model']} against MuJoCo {result['mujoco']}")
    if "load_error" in result:
        print(f"\nSinew cannot load the file: {result['load_error']}")
    fields = result.get("fields", {})
    large = {name: error for name, error in fields.items() if error > 1e-12}
    print(f"\ncompiled model: {len(fields)} fields not equal to the bit, {len(large)} by more than 1e-12")
    for name, error in sorted(large.items(), key=lambda item: -item[1])[:20]:
        print(f"  {name:<24}{error:>10.2e}")
    _print_steps("one step, from MuJoCo's compiled model", result["engine"])
    if "whole" in result:
        _print_steps("one step, from Sinew's compiled model", result["whole"])
    if "speed" in result:
        s = result["speed"]
        print(f"\nsteps per second: MuJoCo {s['mujoco']:.0f}, Sinew {s['sinew']:.0f}, ratio {s['ratio']:.2f}")


def _plain(value):
    """JSON has no infinity."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="python -m sinew.compare", description=__doc__.split("\n")[0])
    parser.add_argument("model", help="MJCF or URDF file")
    parser.add_argument("--json", action="store_true", help="print JSON in place of the table")
    parser.add_argument("--states", type=int, default=5, help="states that a step is taken from")
    parser.add_argument("--steps", type=int, default=100, help="steps over which the states spread")
    parser.add_argument("--no-speed", action="store_true", help="leave the speeds out")
    chosen = parser.parse_args(arguments)
    try:
        result = compare(chosen.model, chosen.states, chosen.steps, not chosen.no_speed)
    except (ValueError, RuntimeError, ImportError) as error:
        print(f"cannot compare: {error}", file=sys.stderr)
        return 1
    if chosen.json:
        print(json.dumps(_plain(result), indent=2))
    else:
        print_table(result)
    return 0


if __name__ == "__main__":
    sys.exit(main())
