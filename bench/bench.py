"""Speed of Sinew against MuJoCo 3.5.0: one thread, same model, same options, same controls, one run.

The two engines take turns, several times; a ratio is the median over the turns. Time is that of the
processor, so that other programs on the machine disturb little. Every benchmark also
prints a hash of Sinew's final state, so it is a determinism test as well.
"""

import argparse
import hashlib
import json
import os
import pathlib
import platform
import re
import subprocess
import time

import derivatives
import mujoco
import numpy as np
import scenes
import sinew

HOLD = 5  # steps under one control: the cost of the Python loop disappears


def load(module, source):
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

    def __init__(self, module, source):
        self.module = module
        self.load_seconds = float("inf")
        for _ in range(3):  # the shortest: what else runs on the machine can only add
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


def compare(name, source, seconds, repeats):
    ours, theirs = Runner(sinew, source), Runner(mujoco, source)
    ctrl = controls(theirs.model, 40)
    pilot = theirs.run(ctrl)
    count = int(np.clip(seconds / (pilot * HOLD), 20, 4000))
    ctrl = controls(theirs.model, count)
    times = [(ours.run(ctrl), theirs.run(ctrl)) for _ in range(repeats)]
    d = ours.data
    return {
        "model": name,
        "nv": int(ours.model.nv),
        "us": 1e6 * float(np.median([t[0] for t in times])),
        "mujoco_us": 1e6 * float(np.median([t[1] for t in times])),
        "ratio": float(np.median([b / a for a, b in times])),
        "contacts": int(d.ncon),
        "rows": int(d.nefc),
        "iterations": int(d.solver_niter[0]),
        "mb": (int(d.nbuffer) + int(d.maxuse_arena)) / 1e6,
        "load_ratio": theirs.load_seconds / ours.load_seconds,
        "hash": hashlib.sha256(d.qpos.tobytes() + d.qvel.tobytes()).hexdigest()[:12],
    }


def scaling(seconds):
    """Cost against size, and the order of its growth between the last two sizes."""
    families = {
        "chain": (scenes.chain, (10, 30, 100, 300, 1000)),
        "star": (scenes.star, (10, 30, 100, 300, 1000)),
        "contacts": (scenes.spheres_on_plane, (10, 30, 100, 300, 1000, 2000)),
    }
    rows = []
    for family, (make, sizes) in families.items():
        points = [(n, compare(f"{family} {n}", make(n), seconds, 1)) for n in sizes]
        for (n, row), (n2, row2) in zip(points, points[1:]):
            row2["order"] = float(np.log(row2["us"] / row["us"]) / np.log(n2 / n))
        rows += [row for _, row in points]
    return rows


def linearisations(only):
    """Derivatives of the small models that MuJoCo can difference."""
    rows = []
    for name, source in scenes.models().items():
        if only not in name:
            continue
        ours, theirs = Runner(sinew, source), Runner(mujoco, source)
        small = theirs.model.nv <= 60 and theirs.model.opt.integrator != mujoco.mjtIntegrator.mjINT_RK4
        if small and not theirs.model.nflex and not theirs.model.nhistory:
            for runner in (ours, theirs):
                runner.run(controls(theirs.model, 40))
            pairs = [(runner.model, runner.data) for runner in (ours, theirs)]
            rows.append(derivatives.linearisation(name, *pairs))
    return rows


def table(rows):
    head = f"{'model':<18}{'nv':>5}{'us/step':>10}{'MuJoCo':>10}{'ratio':>7}{'load':>7}{'con':>6}{'rows':>6}{'it':>4}{'MB':>7}  hash"
    lines = [head]
    for r in rows:
        lines.append(
            f"{r['model']:<18}{r['nv']:>5}{r['us']:>10.2f}{r['mujoco_us']:>10.2f}{r['ratio']:>7.2f}"
            f"{r['load_ratio']:>7.2f}{r['contacts']:>6}{r['rows']:>6}{r['iterations']:>4}{r['mb']:>7.2f}  {r['hash']}"
            + (f"  order {r['order']:.2f}" if "order" in r else "")
        )
    return "\n".join(lines)


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


def build_flags():
    """Compiler and flags of the build that holds the package, as CMake recorded them."""
    for folder in pathlib.Path(sinew.__file__).absolute().parents:
        cache = folder / "CMakeCache.txt"
        if cache.is_file():
            values = dict(re.findall(r"^(\w+):\w+=(.*)$", cache.read_text(), re.M))
            compiler = pathlib.Path(values.get("CMAKE_C_COMPILER", "cc"))
            version = subprocess.run([compiler, "--version"], capture_output=True, text=True)
            rule = (folder / "build.ninja").read_text() if (folder / "build.ninja").is_file() else ""
            flags = re.search(r"build src/\S*forward\.c\.o:.*?\n(?:.*\n)*?  FLAGS = (.*)", rule)
            return f"{version.stdout.splitlines()[0]}; {flags.group(1) if flags else 'flags unknown'}"
    return "unknown"


def document(rows, growth, mean, options):
    """docs/performance.md: all of it comes from the run."""
    lines = [
        "# Performance",
        "",
        "Written by `bench/bench.py --doc docs/performance.md`; do not edit.",
        "",
        f"Sinew against MuJoCo {mujoco.__version__} from Python, one thread, interleaved:",
        f"{options.repeats} turns of {options.seconds} s per engine and model, random controls held",
        f"for {HOLD} steps, processor time, medians. A ratio above 1 means that Sinew is faster;",
        "`load` is the same ratio for loading the model from XML, by the wall clock, the shortest of",
        "three in one process (both engines keep a cache of assets); other load on the machine shows.",
        "",
        f"- Date: {time.strftime('%Y-%m-%d')}",
        f"- Machine: {processor()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}",
        f"- System: {platform.platform()}",
        f"- Build: {build_flags()}",
        "",
        "| model | nv | us/step | MuJoCo us/step | ratio | load | contacts | rows | iterations | MB |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for r in rows + growth:
        lines.append(
            f"| {r['model']} | {r['nv']} | {r['us']:.2f} | {r['mujoco_us']:.2f} | {r['ratio']:.2f} | "
            f"{r['load_ratio']:.2f} | {r['contacts']} | {r['rows']} | {r['iterations']} | {r['mb']:.2f} |"
        )
    rest = float(np.exp(np.mean(sorted(np.log(r["ratio"]) for r in rows)[:-1] or [0])))
    slow = [r["model"] for r in rows if r["ratio"] < 1]
    lines += [
        "",
        f"Geometric mean of the {len(rows)} ratios: {mean:.2f}. "
        + (f"Slower than MuJoCo: {', '.join(slow)}." if slow else "No model is slower than with MuJoCo."),
        f"Without the largest ratio: {rest:.2f}. Median: {np.median([r['ratio'] for r in rows]):.2f}.",
        "Contacts, rows and iterations are those of the last step.",
        "",
    ]
    options.doc.write_text("\n".join(lines))


def plot(rows, out):
    """Ratios as bars, in SVG and PNG where matplotlib is installed."""
    try:
        import matplotlib
    except ImportError:
        print("plot: matplotlib is not installed, skipped")
        return
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(8, 0.35 * len(rows) + 1))
    axes.barh([r["model"] for r in rows][::-1], [r["ratio"] for r in rows][::-1])
    axes.axvline(1, color="k")
    axes.set_xlabel("speed relative to MuJoCo 3.5.0 (single thread)")
    figure.tight_layout()
    for suffix in ("png", "svg"):
        figure.savefig(out / f"bench.{suffix}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/bench"))
    parser.add_argument("--seconds", type=float, default=1.0, help="per engine, model and repeat")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--only", default="", help="part of a model's name")
    parser.add_argument("--doc", type=pathlib.Path, help="write the results as a document")
    parser.add_argument("--scaling", action="store_true", help="also cost against size")
    options = parser.parse_args()

    rows = []
    for name, source in scenes.models().items():
        if options.only in name:
            rows.append(compare(name, source, options.seconds, options.repeats))
            print(table(rows[-1:]).splitlines()[1], flush=True)
    mean = float(np.exp(np.mean([np.log(r["ratio"]) for r in rows])))
    growth = scaling(options.seconds / 4) if options.scaling else []
    text = table(rows) + f"\ngeometric mean of {len(rows)} ratios: {mean:.2f}\n"
    text += f"{platform.machine()}, {platform.platform()}, one thread\n"
    if growth:
        text += table(growth) + "\n"
    text += derivatives.table(linearisations(options.only)) + "\n"
    print(text)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "bench.txt").write_text(text)
    (options.out / "bench.json").write_text(json.dumps({"rows": rows, "scaling": growth}, indent=1))
    plot(rows, options.out)
    if options.doc:
        document(rows, growth, mean, options)


if __name__ == "__main__":
    main()
