"""Speed of Sinew against MuJoCo 3.5.0: one thread, same model, same options, same controls, one run.

The two engines take turns, several times; a ratio is the median over the turns. Time is that of the
processor, so that other programs on the machine disturb little. Every benchmark also prints a hash of
Sinew's final state, so it is a determinism test as well: turns that end in different states fail.
"""

import argparse
import hashlib
import json
import os
import pathlib
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # helper threads would count as processor time

import crowds  # noqa: E402
import derivatives  # noqa: E402
import mujoco  # noqa: E402
import numpy as np  # noqa: E402
import report  # noqa: E402
import scenes  # noqa: E402
import sinew  # noqa: E402
import stages  # noqa: E402

REFEREE = "3.5.0"
HOLD = 5  # steps under one control: the cost of the Python loop disappears


def load(module, source):
    if callable(source):
        return source(module)
    if isinstance(source, str):
        return module.MjModel.from_xml_string(source)
    return module.MjModel.from_xml_path(str(source))


def controls(model, count):
    low, high = -np.ones(model.nu), np.ones(model.nu)
    limited = model.actuator_ctrllimited.astype(bool)
    low[limited], high[limited] = model.actuator_ctrlrange[limited].T
    return low + (high - low) * np.random.RandomState(0).rand(count, model.nu)


class Runner:
    """One engine on one model."""

    def __init__(self, module, source, loads=3):
        self.module = module
        self.load_seconds = float("inf")
        for _ in range(loads):  # the shortest: what else runs on the machine can only add
            start = time.perf_counter()
            self.model = load(module, source)
            self.load_seconds = min(self.load_seconds, time.perf_counter() - start)
        self.data = module.MjData(self.model)

    def run(self, ctrl):
        """Processor seconds per step from the initial state, warm-up excluded."""
        m, d, step = self.model, self.data, self.module.mj_step
        self.module.mj_resetData(m, d)
        warm = len(ctrl) // 5
        for u in ctrl[:warm]:
            d.ctrl[:] = u
            step(m, d, HOLD)
        start = time.process_time()
        for u in ctrl[warm:]:
            d.ctrl[:] = u
            step(m, d, HOLD)
        return (time.process_time() - start) / ((len(ctrl) - warm) * HOLD)

    def hash(self):
        d = self.data
        return hashlib.sha256(d.qpos.tobytes() + d.qvel.tobytes()).hexdigest()[:12]

    def megabytes(self):
        return (int(self.data.nbuffer) + int(self.data.maxuse_arena)) / 1e6


def compare(name, source, seconds, repeats, loads=3):
    ours, theirs = Runner(sinew, source, loads), Runner(mujoco, source, loads)
    pilot = theirs.run(controls(theirs.model, 5))
    if pilot < 1e-3:  # the first steps tell little of what falls
        pilot = theirs.run(controls(theirs.model, 40))
    count = int(np.clip(seconds / (pilot * HOLD), 10, 4000))
    ctrl = controls(theirs.model, count)
    times, hashes = [], set()
    for _ in range(repeats):
        first = ours.run(ctrl)
        hashes.add(ours.hash())
        times.append((first, theirs.run(ctrl)))
    if len(hashes) > 1:
        raise SystemExit(f"{name}: the same run ended in different states: {hashes}")
    # the same run once more with timers: its contacts and rows are those of the run that was timed
    (cost, means), (mujoco_cost, mujoco_means) = (stages.stage_costs(r, ctrl, HOLD) for r in (ours, theirs))
    return {
        "model": name,
        "nv": int(ours.model.nv),
        "us": 1e6 * float(np.median([t[0] for t in times])),
        "mujoco_us": 1e6 * float(np.median([t[1] for t in times])),
        "ratio": float(np.median([b / a for a, b in times])),
        "contacts": means[0],
        "rows": means[1],
        "iterations": means[2],
        "mujoco_contacts": mujoco_means[0],
        "mujoco_rows": mujoco_means[1],
        "mujoco_iterations": mujoco_means[2],
        "mb": ours.megabytes(),
        "mujoco_mb": theirs.megabytes(),
        "load_ratio": theirs.load_seconds / ours.load_seconds,
        "hash": hashes.pop(),
        "steps": count * HOLD,
        "stages": cost,
        "mujoco_stages": mujoco_cost,
    }


def scaling(seconds):
    """Cost against size: {family: rows}."""
    families = {
        "chain": (scenes.chain, (10, 30, 100, 300, 1000)),
        "linear chain": (lambda n: lambda module: scenes.linear_chain(module, n), (10, 30, 100, 250, 1000)),
        "star": (scenes.star, (10, 30, 100, 300, 1000)),
        "sheet": (scenes.sheet, (100, 400, 1600)),
        "Newton sheet": (lambda n: scenes.sheet(n, "Newton"), (100, 400, 1600)),
        "contacts": (scenes.spheres_on_plane, (10, 30, 100, 300, 1000, 2000)),
    }
    growth = {}
    for family, (make, sizes) in families.items():
        growth[family] = []
        for n in sizes:
            long = family == "chain" and n > 400
            source = (lambda module, n=n: scenes.long_chain(module, n)) if long else make(n)
            growth[family].append(compare(f"{family} {n}", source, seconds, 3) | {"size": n})
            print(report.table(growth[family][-1:]).splitlines()[1], flush=True)
    return growth


def crowded(only, seconds, repeats):
    """Scenes with very many of one thing."""
    rows = []
    for name, source in crowds.crowds().items():
        if only in name:
            rows.append(compare(name, source, seconds, repeats, 1))
            print(report.table(rows[-1:]).splitlines()[1], flush=True)
    return rows


def linearisations(only):
    """Derivatives of the small models that MuJoCo can difference."""
    rows = []
    for name, source in scenes.models().items():
        if only not in name:
            continue
        ours, theirs = Runner(sinew, source, 1), Runner(mujoco, source, 1)
        small = theirs.model.nv <= 60 and theirs.model.opt.integrator != mujoco.mjtIntegrator.mjINT_RK4
        if small and not theirs.model.nflex and not theirs.model.nhistory:
            for runner in (ours, theirs):
                runner.run(controls(theirs.model, 40))
            pairs = [(runner.model, runner.data) for runner in (ours, theirs)]
            rows.append(derivatives.linearisation(name, *pairs))
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/bench"))
    parser.add_argument("--seconds", type=float, default=0.5, help="per engine, model and repeat")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="", help="part of a model's name")
    parser.add_argument("--doc", type=pathlib.Path, help="write the results as a document")
    parser.add_argument("--no-scaling", action="store_true", help="leave out cost against size")
    options = parser.parse_args()
    options.hold = HOLD
    if mujoco.__version__ != REFEREE:
        raise SystemExit(f"bench: MuJoCo is {mujoco.__version__}, the comparison is with {REFEREE}")

    rows = []
    for name, source in (scenes.models() | scenes.field()).items():
        if options.only in name:
            rows.append(compare(name, source, options.seconds, options.repeats))
            print(report.table(rows[-1:]).splitlines()[1], flush=True)
    many = crowded(options.only, options.seconds / 4, options.repeats)
    growth = {} if options.no_scaling else scaling(options.seconds / 4)
    fair = [r for r in rows if report.same_work(r)]
    parts = [
        report.table(rows)
        + f"\ngeometric mean of {len(fair)} ratios (same work): {report.mean_ratio(fair):.2f}",
        stages.table(rows),
        "many of one thing:\n" + report.table(many) if many else "",
        report.table([p for points in growth.values() for p in points]) if growth else "",
        report.orders(growth),
        f"{report.processor()}, one thread; {report.build_flags()}",
    ]
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "bench.json").write_text(json.dumps({"rows": rows, "crowds": many, "scaling": growth}, indent=1))
    report.plot(rows, growth, options.out)
    if options.doc:
        report.document(options.doc, rows, many, growth, options)
    parts.append(derivatives.table(linearisations(options.only)))
    text = "\n\n".join(part for part in parts if part) + "\n"
    print("\n" + text)
    (options.out / "bench.txt").write_text(text)


if __name__ == "__main__":
    main()
