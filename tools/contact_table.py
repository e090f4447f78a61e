#!/usr/bin/env python3
"""Writes the table of docs/contact-solvers.md: the same scenes under the default solver and under XPBD.

    PYTHONPATH=build/python contact_table.py

Figures are distances, angles and counts, no times: they are the same on every machine of one kind.
"""

import pathlib
import re

import numpy as np

import sinew

PAGE = pathlib.Path(__file__).resolve().parents[1] / "docs" / "contact-solvers.md"
SOLVERS = {"Newton": "solver='Newton'", "XPBD": "sinew:solver='xpbd'",
           "XPBD, 4 substeps": "sinew:solver='xpbd' sinew:xpbd_substeps='4'"}
PLANE = "<geom type='plane' size='9 9 .1'/>"


def box(height):
    return f"<body pos='0 0 {height}'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"


def build(option, world, more=""):
    return sinew.MjModel.from_xml_string(f"<mujoco><option {option}/><worldbody>{world}</worldbody>{more}</mujoco>")


def run(model, time, see=lambda data: 0.0):
    """Data after so many seconds, what was seen at each step, and the mean number of sweeps or iterations."""
    data, seen, work = sinew.MjData(model), [], 0
    steps = round(time / model.opt.timestep)
    for _ in range(steps):
        sinew.mj_step(model, data)
        seen.append(see(data))
        work += data.solver_niter.sum()
    return data, np.array(seen), work / steps


def overlap(data):
    return max(0.0, -data.contact.dist.min()) if data.ncon else 0.0


def stack(option):
    model = build(option, PLANE + "".join(box(0.1 + 0.2 * i) for i in range(10)))
    data, seen, work = run(model, 10, overlap)
    drift = np.abs(data.qpos.reshape(10, 7)[:, :2]).max()
    return {"ten boxes, 10 s: drift sideways (mm)": 1e3 * drift, "overlap at the end (mm)": 1e3 * seen[-1],
            "iterations of a step": work}


def impact(option):
    model = build(option, PLANE + "<body pos='0 0 1.1'><freejoint/><geom size='.1'/></body>")
    _, seen, _ = run(model, 2, lambda data: (overlap(data), data.qvel[2]))
    return {"ball falls 1 m: deepest overlap (mm)": 1e3 * seen[:, 0].max(), "rebound (m/s)": max(0, seen[:, 1].max())}


def chain(option):
    bodies = "".join(f"<body name='b{i}' pos='{0.1 * i} 0 2'><freejoint/><geom size='.03' contype='0'/></body>" for i in range(12))
    joined = "".join(f"<connect body1='b{i}' body2='b{i + 1}' anchor='.05 0 0'/>" for i in range(11))
    model = build(option, bodies, f"<equality><connect body1='b0' anchor='0 0 0'/>{joined}</equality>")
    _, seen, _ = run(model, 3, lambda data: np.abs(data.efc_pos).max())
    return {"chain of 12 connects swings: widest gap (mm)": 1e3 * seen.max()}


def slope(option):
    def slide(degrees):
        a = np.radians(degrees)
        model = build(f"{option} gravity='{9.81 * np.sin(a)} 0 {-9.81 * np.cos(a)}'", PLANE.replace("/>", " friction='.5'/>")
                      + box(0.1).replace("box'", "box' friction='.5'"))
        return run(model, 1)[0].qpos[0], 9.81 * (np.sin(a) - 0.5 * np.cos(a)) / 2
    rest, (moved, exact) = slide(20)[0], slide(30)
    return {"box on a slope of 20 degrees, friction 0.5: creep in 1 s (mm)": 1e3 * rest,
            "slope of 30 degrees: distance in 1 s against Coulomb's (%)": 100 * (moved / exact - 1)}


def humanoid(option):
    text = (PAGE.parents[1] / "models/humanoid.xml").read_text()
    model = sinew.MjModel.from_xml_string(re.sub("<option", f"<option {option}", text, count=1))
    limited = np.flatnonzero(np.ravel(model.jnt_limited) & (np.ravel(model.jnt_type) >= 2))
    adr, bound = np.ravel(model.jnt_qposadr[limited]), model.jnt_range[limited]

    def excess(data):
        return max(0, np.maximum(bound[:, 0] - data.qpos[adr], data.qpos[adr] - bound[:, 1]).max())
    _, seen, work = run(model, 10, excess)
    return {"humanoid falls: excess of a limit (rad)": seen.max(), "the same when it lies, last 5 s (rad)": seen[len(seen) // 2:].max(),
            "iterations of its step": work}


def number(x):
    return f"{x:.1f}" if abs(x) >= 10 else f"{x:.2g}"


def table():
    columns = []
    for option in SOLVERS.values():
        column = {}
        for scene in (stack, impact, chain, slope, humanoid):
            column |= scene(option)
        columns.append(column)
    lines = ["| | " + " | ".join(SOLVERS) + " |", "|---|" + "---|" * len(SOLVERS)]
    lines += [f"| {name} | " + " | ".join(number(c[name]) for c in columns) + " |" for name in columns[0]]
    return "\n".join(lines)


if __name__ == "__main__":
    page = PAGE.read_text()
    start, end = "<!-- tools/contact_table.py -->\n", "<!-- end -->"
    before, rest = page.split(start)
    PAGE.write_text(before + start + table() + "\n" + end + rest.split(end, 1)[1])
