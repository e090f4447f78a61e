"""What the benchmarks found: text, plots and docs/performance.md."""

import os
import pathlib
import platform
import re
import shutil
import subprocess
import time

import mujoco
import numpy as np
import sinew
import stages

SAME_WORK = 0.1  # relative difference of contacts, rows and iterations up to which a ratio counts

IN_THE_WAY = """\
No single stage stands in the way of small models: profiles spread their time over some fifty short
loops, each a few per cent of the step. Wider vectors for all of the engine (tried: x86-64-v3 without
fused operations) gain 1 to 4 per cent, link-time optimisation nothing (-1.5 to 1.6 on eight models). What is left is to execute fewer
instructions: vectors over rows of 6 to 30 numbers, and less copying between stages. Tried and dropped: products and
solves with M for four rows and four columns at once (no gain below 60 dofs), climbs over hulls with four neighbours at
once (vertices have too few), GJK and EPA compiled for x86-64-v3 (they wait for roots and quotients). Kinematics, inertia,
velocities and integration take 0.7 to 0.95 of MuJoCo's time, not half of it. The Newton iteration runs as often as in
MuJoCo, because iteration counts are kept equal to MuJoCo's. Where meshes collide, the queries must
give MuJoCo's contact points, which fixes the algorithm (GJK, then EPA); hulls of up to 64 vertices
are searched whole, eight vertices at a time, larger ones among the few blocks of eight that can have the farthest vertex
along directions like the one asked for.

Thousands of bodies without constraints are limited by memory more than by instructions. Frames,
inertias and forces of four bodies at a time take 15 per cent fewer instructions for a star, and 8 per
cent less time; poses and velocities that children find in registers, where loads would wait for the stores just before,
10 per cent less for short chains. Tried and dropped: poses level by level of the tree, four bodies at a time (8 per cent fewer
instructions, but the bodies of a level lie far apart in memory: short chains took 15 per cent longer), and
all stages of 32 bodies before the next 32 (no gain). 10,000 free bodies asleep cost 0.05 ms a step on a quiet machine, 0.13 to
0.19 beside other work. That is 0.3 per cent of the same bodies awake on a plane (boxes 53 ms, balls 35 ms), but 1.3 to 4 per
cent of bodies that float and touch nothing (1.8 to 3.3 ms, 9 to 14 beside other work): every step has to read positions,
velocities and applied forces, because a user may have changed them. These are two megabytes, and one thread reads
some 70 gigabytes a second: less than 1.5 per cent is out of reach.

Small scenes with many contacts wait for quotients, roots and stores: five quotients less for the rows of a contact gain 2 per
cent, contacts that are copied by vectors instead of the processor's string instructions 2 to 7. Tried and dropped:
the same option of the compiler for all sources (copies of unknown size become loops over bytes: 4 to 14 per cent longer), columns of
the dual matrix two at a time in sweeps of PGS, cones of three rows with unrolled loops, chains of two bodies kept from contact to contact
(no gain each), boxes around ellipsoids before a query (2 per cent longer), and moment arms of four dofs at a time (5 per
cent for 2000 tendons, nothing for others).

Scenes with many contacts under CG spend half of their step in products with contact rows, and in sums over rows
whose order is fixed. Convex queries between hulls of hundreds of vertices are half of the
step of the bunnies.
"""


def same_work(row):
    """Did both engines handle about as many contacts and rows, in as many iterations? Only then is the
    ratio one of speed."""
    slack = {"contacts": 1, "rows": 1, "iterations": 0.3}
    return all(
        abs(row[key] - row[f"mujoco_{key}"]) <= max(least, SAME_WORK * row[f"mujoco_{key}"])
        for key, least in slack.items()
    )


def mean_ratio(rows):
    return float(np.exp(np.mean([np.log(r["ratio"]) for r in rows]))) if rows else 1.0


def table(rows):
    head = (f"{'model':<18}{'nv':>5}{'us/step':>10}{'MuJoCo':>10}{'ratio':>7}{'load':>7}{'con':>7}"
            f"{'rows':>8}{'it':>6}{'MB':>7}{'MJ MB':>7}{'MJ rows':>9}  hash")
    lines = [head]
    for r in rows:
        lines.append(
            f"{r['model']:<18}{r['nv']:>5}{r['us']:>10.2f}{r['mujoco_us']:>10.2f}{r['ratio']:>7.2f}"
            f"{r['load_ratio']:>7.2f}{r['contacts']:>7.1f}{r['rows']:>8.1f}{r['iterations']:>6.1f}"
            f"{r['mb']:>7.2f}{r['mujoco_mb']:>7.2f}{r['mujoco_rows']:>9.1f}  {r['hash']}"
            + ("" if same_work(r) else "  NOT THE SAME WORK")
        )
    return "\n".join(lines)


def orders(growth):
    """Text: the fitted order of growth of each family, upper half of its sizes."""
    lines = []
    for family, points in growth.items():
        order = fitted_order(points)
        lines.append(f"{family:<10}cost grows as n^{order['us']:.2f}, MuJoCo's as n^{order['mujoco_us']:.2f}")
    return "\n".join(lines)


def fitted_order(points):
    """Slope of log cost against log size over the upper half of the sizes, by least squares."""
    upper = points[len(points) // 2 :] if len(points) > 3 else points
    size = np.log([p["size"] for p in upper])
    return {key: float(np.polyfit(size, np.log([p[key] for p in upper]), 1)[0])
            for key in ("us", "mujoco_us")}


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


def _summary(rows):
    fair = [r for r in rows if same_work(r)]
    other = [r["model"] for r in rows if not same_work(r)]
    slow = [r["model"] for r in rows if r["ratio"] < 1]
    rest = mean_ratio(sorted(fair, key=lambda r: r["ratio"])[:-1])
    rigid = [r for r in fair if not r["model"].startswith("flex")]
    return [
        "",
        f"Geometric mean of {len(fair)} ratios: {mean_ratio(fair):.2f}. "
        + (f"Slower than MuJoCo: {', '.join(slow)}." if slow else "No model is slower than with MuJoCo."),
        f"Without the largest ratio: {rest:.2f}. Median: {np.median([r['ratio'] for r in fair] or [1]):.2f}.",
        f"{len(rigid)} models without flexes: {mean_ratio(rigid):.2f}; {sum(r['ratio'] < 1.3 for r in fair)} ratios are below 1.3.",
        "Contacts, rows and iterations (the most of any island) are means over the run. Chaotic models",
        f"part ways: where these differ between the engines by more than {100 * SAME_WORK:.0f} % (marked *), the ratio",
        "is not one of speed alone and is left out of the means"
        + (f": {', '.join(other)}." if other else "; here there is none."),
    ]


def _model_table(rows):
    lines = [
        "| model | nv | us/step | MuJoCo us/step | ratio | load | contacts | rows | iterations | MuJoCo contacts | MuJoCo rows | MuJoCo iterations | MB | MuJoCo MB | hash |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for r in rows:
        lines.append(
            f"| {r['model']}{'' if same_work(r) else ' *'} | {r['nv']} | {r['us']:.2f} | {r['mujoco_us']:.2f} | {r['ratio']:.2f} | "
            f"{r['load_ratio']:.2f} | {r['contacts']:.1f} | {r['rows']:.1f} | {r['iterations']:.1f} | "
            f"{r['mujoco_contacts']:.1f} | {r['mujoco_rows']:.1f} | {r['mujoco_iterations']:.1f} | {r['mb']:.2f} | {r['mujoco_mb']:.2f} | {r['hash']} |"
        )
    return lines


def _stage_table(rows):
    names = list(stages.STAGES) + ["other"]
    lines = ["", "## Stages", "",
             "Microseconds per step, Sinew / MuJoCo, by the timers of the engines: medians over windows",
             "of a few steps. The Runge-Kutta models (Gymnasium's and dm_control's quadruped) repeat",
             "their stages.", "",
             "| model | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
    for r in rows:
        cells = " | ".join(f"{r['stages'][n]:.1f} / {r['mujoco_stages'][n]:.1f}" for n in names)
        lines.append(f"| {r['model']} | {cells} |")
    return lines


def _lockstep(rows):
    """What blocks of worlds side by side could bring at most."""
    small = [r for r in rows if 2 <= r["nv"] <= 30]
    bounds = {r["model"]: stages.lockstep_bounds(r) for r in small}
    if not bounds:
        return []
    reach = {r["model"] for r in small if bounds[r["model"]][0] >= 2}
    touching = [r["model"] for r in small if r["contacts"] > 0.1]
    mean = np.exp(np.mean(np.log(list(bounds.values())), axis=0))
    lines = ["", "## Worlds side by side", "",
             "A batch could keep eight worlds of a small model side by side, a number of each in one register. Such worlds go",
             "through " + ", ".join(stages.LOCKSTEP[:-1]) + f" and {stages.LOCKSTEP[-1]} in the same way; which pairs",
             "of geoms are near, which rows there are and how long the solver iterates differ from world to world, and these",
             "stages gain nothing. The table has upper bounds from the stages above, for models of 2 to 30 dofs: the step",
             "against what is left of it if the stages in lockstep cost nothing at all, and if neither did what belongs to",
             "no stage (checks, smooth accelerations, sensors).", "",
             "| model | nv | us/step | at most | without other, too |", "|---|---|---|---|---|"]
    for r in small:
        first, second = bounds[r["model"]]
        lines.append(f"| {r['model']} | {r['nv']} | {sum(r['stages'].values()):.1f} | {first:.2f} | {second:.2f} |")
    return [*lines, "",
            f"Geometric means {mean[0]:.2f} and {mean[1]:.2f}. With the stages in lockstep free, {len(reach)} of {len(bounds)} models could become",
            f"twice as fast{': ' if reach else ''}{', '.join(sorted(reach))}; of the {len(touching)} that touch anything, "
            f"{len(reach.intersection(touching))}. Registers of eight numbers",
            "bring the cost to an eighth at best, not to nothing; worlds have to be turned into blocks and back around the other",
            "stages; and tendons that wrap, which count as kinematics, branch differently in each world. Therefore worlds of a",
            "batch are stepped one at a time: blocks were to be kept if they brought 2 times."]


def _way_to_goal(rows):
    lines = ["", "## What stands in the way", "",
             "The goal is twice MuJoCo's speed on every model and three times in the mean.", "",
             *IN_THE_WAY.splitlines(), "",
             "Models with ratios below 2: the time that has to be saved for 2, that of a step, and the stages that take most (Sinew / MuJoCo):", ""]
    for r in sorted(rows, key=lambda r: r["ratio"]):
        if r["ratio"] >= 2:
            continue
        excess = r["us"] - r["us"] * r["ratio"] / 2
        parts = ", ".join(f"{name} {a:.1f} / {b:.1f}" for name, a, b in stages.largest(r))
        lines.append(f"- {r['model']} ({r['ratio']:.2f}): {excess:.1f} of {r['us']:.1f} us; {parts}")
    return lines


def _crowds(rows):
    slow = [r["model"] for r in rows if r["ratio"] < 1]
    return ["", "## Many of one thing", "",
            "Generated scenes (bench/crowds.py) in which one stage has very much to do; measured as above, in",
            "shorter turns. " + (f"Slower than MuJoCo: {', '.join(slow)}." if slow else "None is slower than with MuJoCo."),
            "", *_model_table(rows)]


def document(path, rows, many, growth, options):
    """docs/performance.md: all of it comes from the run."""
    lines = [
        "# Performance",
        "",
        "Written by `make bench DOC=docs/performance.md`; do not edit.",
        "",
        f"Sinew against MuJoCo {mujoco.__version__} from Python, one thread, interleaved:",
        f"{options.repeats} turns of {options.seconds} s per engine and model from the initial state, the",
        f"first fifth left out, random controls held for {options.hold} steps, processor time, medians. A",
        "ratio above 1 means that Sinew is faster; `load` is the same ratio for loading the model from",
        "XML, by the wall clock, the shortest of three in one process (both engines keep a cache of",
        "assets). MB is the memory of one world: buffer and used arena.",
        "",
        f"- Date: {time.strftime('%Y-%m-%d')}",
        f"- Machine: {processor()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}",
        f"- System: {platform.platform()}",
        f"- Build: {build_flags()}",
        "",
        "![Ratio by model, the largest first](pictures/performance-ratios.svg)",
        "",
        *_model_table(rows),
        *_summary(rows),
        *_stage_table(rows),
        *_lockstep(rows),
        *_way_to_goal(rows),
    ]
    if many:
        lines += _crowds(many)
    if growth:
        lines += ["", "## Growth", "",
                  "Chain and star: bodies; contacts: spheres on a plane. Orders are fitted over the upper",
                  "half of the sizes.", ""]
        lines += [f"- {line}" for line in orders(growth).splitlines()]
        lines += ["", "![Microseconds per step by size](pictures/performance-growth.svg)", ""]
        lines += [*_model_table([p for points in growth.values() for p in points])]
    path.write_text("\n".join(lines) + "\n")
    pictures = path.parent / "pictures"
    pictures.mkdir(exist_ok=True)
    for name, own in (("ratios", "bench"), ("growth", "scaling")):
        if (options.out / f"{own}.svg").is_file():
            shutil.copy(options.out / f"{own}.svg", pictures / f"performance-{name}.svg")


def plot(rows, growth, out):
    """Ratios as bars, stages as stacked bars, growth as lines; PNG and SVG."""
    import matplotlib

    matplotlib.use("Agg")
    matplotlib.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "bench"})  # text as text
    from matplotlib import pyplot

    def save(figure, name):
        figure.tight_layout()
        for suffix in ("png", "svg"):
            figure.savefig(out / f"{name}.{suffix}")
        pyplot.close(figure)

    if rows:
        order = sorted(rows, key=lambda r: r["ratio"])
        figure, axes = pyplot.subplots(figsize=(8, 0.16 * len(rows) + 1))
        axes.barh([r["model"] for r in order], [r["ratio"] for r in order])
        axes.set_xscale("log", base=2)
        axes.set_xticks([1, 1.5, 2, 3, 4, 8], ["1", "1.5", "2", "3", "4", "8"])
        axes.tick_params("y", labelsize=7)
        axes.margins(y=0.005)
        axes.axvline(1, color="k")
        axes.set_xlabel("speed relative to MuJoCo 3.5.0 (single thread)")
        save(figure, "bench")

        labels = [r["model"] for r in rows][::-1]
        figure, axes = pyplot.subplots(figsize=(10, 0.35 * len(rows) + 1.5))
        left = np.zeros(len(rows))
        for name in list(stages.STAGES) + ["other"]:
            part = np.array([r["stages"][name] / max(sum(r["stages"].values()), 1e-9) for r in rows])[::-1]
            axes.barh(labels, part, left=left, label=name)
            left += part
        axes.set_xlabel("share of the step")
        axes.legend(ncol=5, loc="upper center", bbox_to_anchor=(0.5, -0.06))
        save(figure, "stages")
    if growth:
        figure, axes = pyplot.subplots(figsize=(7, 5))
        for family, points in growth.items():
            size = [p["size"] for p in points]
            line = axes.loglog(size, [p["us"] for p in points], marker="o", label=f"{family}, Sinew")[0]
            axes.loglog(size, [p["mujoco_us"] for p in points], marker="x", linestyle="--",
                        color=line.get_color(), label=f"{family}, MuJoCo")
        axes.set_xlabel("size")
        axes.set_ylabel("microseconds per step")
        axes.legend()
        save(figure, "scaling")
