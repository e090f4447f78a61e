"""Where the time of a step goes: the engines' own timers, in microseconds per step.

Both engines read the clock of the wall at the ends of their stages. A window is a few steps under one
control; medians over many windows leave out what other programs on the machine took away.
"""

import numpy as np

# stage: timers that are added up, timers that are taken away
STAGES = {
    "kinematics": (["POS_KINEMATICS"], []),
    "inertia": (["POS_INERTIA"], []),
    "broad phase": (["COL_BROAD"], []),
    "narrow phase": (["POS_COLLISION"], ["COL_BROAD"]),
    "rows": (["POS_MAKE", "POS_PROJECT"], []),
    "velocity": (["VELOCITY"], []),
    "actuation": (["ACTUATION"], []),
    "solver": (["CONSTRAINT"], []),
    "integration": (["ADVANCE"], []),
}


# stages in which all worlds of a model do the same, whatever they touch
LOCKSTEP = ("kinematics", "inertia", "velocity", "actuation", "integration")


def lockstep_bounds(row):
    """How many times faster a step would be if the stages in lockstep cost nothing, and if what belongs to no stage did
    not either."""
    costs = row["stages"]
    total, free = sum(costs.values()), sum(costs[name] for name in LOCKSTEP)
    return tuple(total / max(total - saved, 1e-9) for saved in (free, free + costs["other"]))


def stage_costs(runner, ctrl, hold):
    """{stage: us per step} with "other" for the rest, and means of contacts, rows and iterations."""
    m, d, module = runner.model, runner.data, runner.module
    index = {name: int(getattr(module.mjtTimer, f"mjTIMER_{name}"))
             for stage in STAGES.values() for part in stage for name in part}
    step = int(module.mjtTimer.mjTIMER_STEP)
    module.mj_resetData(m, d)
    warm, windows, counts = len(ctrl) // 5, [], []
    for k, u in enumerate(ctrl):
        d.ctrl[:] = u
        d.timer.duration[:] = 0
        module.mj_step(m, d, hold)
        if k >= warm:
            windows.append(d.timer.duration.copy())
            islands = max(1, min(d.nisland, len(d.solver_niter)))
            counts.append((d.ncon, d.nefc, int(np.max(d.solver_niter[:islands]))))
    time = 1e6 * np.median(windows, axis=0) / hold
    costs = {stage: float(sum(time[index[n]] for n in plus) - sum(time[index[n]] for n in minus))
             for stage, (plus, minus) in STAGES.items()}
    # stages that RK4 repeats are counted as often as they run; what is left may be below zero then
    costs["other"] = float(max(0, time[step] - sum(costs.values())))
    return costs, [float(c) for c in np.mean(counts, axis=0)]


def table(rows):
    """Text: one line per model, ours/MuJoCo's for each stage."""
    names = list(STAGES) + ["other"]
    lines = [f"{'us per step':<18}" + "".join(f"{name:>17}" for name in names) + "   (Sinew/MuJoCo)"]
    for row in rows:
        ours, theirs = row["stages"], row["mujoco_stages"]
        cells = "".join(f"{f'{ours[n]:.1f}/{theirs[n]:.1f}':>17}" for n in names)
        lines.append(f"{row['model']:<18}{cells}")
    return "\n".join(lines)


def largest(row, count=3):
    """The stages of ours that take most, as (stage, ours, MuJoCo's)."""
    ours, theirs = row["stages"], row["mujoco_stages"]
    names = sorted(ours, key=ours.get, reverse=True)[:count]
    return [(name, ours[name], theirs[name]) for name in names]
