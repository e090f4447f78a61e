#!/usr/bin/env python3
"""Draws the plots of docs/ as SVG, from what the engine computes.

    PYTHONPATH=build/python python tools/docs_plots.py
"""

import pathlib

import numpy as np
import sinew

PICTURES = pathlib.Path(__file__).resolve().parents[1] / "docs" / "pictures"
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"]
WIDTH, HEIGHT, LEFT, TOP, RIGHT, BOTTOM = 300, 220, 42, 26, 10, 36


def panel(place, title, label, curves, xrange, yrange):
    """One set of axes: curves are (name, x, y)."""
    def at(x, y):
        u = LEFT + (x - xrange[0]) / (xrange[1] - xrange[0]) * (WIDTH - LEFT - RIGHT)
        v = HEIGHT - BOTTOM - (y - yrange[0]) / (yrange[1] - yrange[0]) * (HEIGHT - TOP - BOTTOM)
        return u, v

    (x0, y0), (x1, y1) = at(xrange[0], yrange[0]), at(xrange[1], yrange[1])
    parts = [f'<g transform="translate({place * WIDTH},0)" font-family="sans-serif" font-size="11">',
             f'<rect x="{x0:.1f}" y="{y1:.1f}" width="{x1 - x0:.1f}" height="{y0 - y1:.1f}" fill="none" stroke="#888"/>',
             f'<text x="{(x0 + x1) / 2:.1f}" y="16" text-anchor="middle" font-size="12">{title}</text>',
             f'<text x="{(x0 + x1) / 2:.1f}" y="{HEIGHT - 6}" text-anchor="middle">{label}</text>']
    for tick in np.linspace(*xrange, 5):
        u, v = at(tick, yrange[0])
        parts.append(f'<text x="{u:.1f}" y="{v + 14:.1f}" text-anchor="middle">{tick:.4g}</text>')
    for tick in np.linspace(*yrange, 4):
        u, v = at(xrange[0], tick)
        parts.append(f'<text x="{u - 5:.1f}" y="{v + 4:.1f}" text-anchor="end">{tick:.4g}</text>')
    for colour, (name, xs, ys), row in zip(COLOURS, curves, range(9)):
        points = " ".join("%.1f,%.1f" % at(x, min(max(y, yrange[0]), yrange[1])) for x, y in zip(xs, ys)
                          if xrange[0] <= x <= xrange[1])
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.6"/>')
        parts.append(f'<text x="{x0 + 8:.1f}" y="{y1 + 14 + 13 * row:.1f}" fill="{colour}">{name}</text>')
    return "\n".join(parts + ["</g>"])


def write(name, panels):
    body = "\n".join(panels)
    size = f'width="{WIDTH * len(panels)}" height="{HEIGHT}"'
    (PICTURES / name).write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n'
                                 f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n')


def muscle(more=""):
    """A muscle of unit force on a slide, with the slack length and the optimal length 1."""
    model = sinew.MjModel.from_xml_string(f"""<mujoco><option gravity="0 0 0"/><worldbody><body>
      <joint name="j" type="slide"/><geom size=".1"/></body></worldbody><actuator><muscle joint="j" force="1"
      sinew:optimal_length="1" sinew:slack_length="1" sinew:damping="1e-9" {more}/></actuator></mujoco>""")
    return model, sinew.MjData(model)


def pull(world, length, velocity, act):
    model, data = world
    data.qpos[:], data.qvel[:], data.act[:] = length, velocity, act
    sinew.mj_forward(model, data)
    return -data.actuator_force[0]


def hill_curves():
    rigid, elastic = muscle(), muscle(f'sinew:tendon_stiffness="{3.157187089473768 / 0.04}"')
    lengths, speeds, strains = np.linspace(0.4, 1.7, 131), np.linspace(-1, 1, 201), np.linspace(0, 0.06, 61)
    passive = [pull(rigid, 1 + x, 0, 0) for x in lengths]
    active = [pull(rigid, 1 + x, 0, 1) - p for x, p in zip(lengths, passive)]
    speed = [pull(rigid, 2, 10 * w, 1) for w in speeds]
    tendon = [pull(elastic, 2 + s, 0, (1, 0)) for s in strains]
    write("hill-curves.svg", [
        panel(0, "force and length", "fibre length / optimal length",
              [("active", lengths, active), ("passive", lengths, passive)], (0.4, 1.8), (0, 1.2)),
        panel(1, "force and velocity", "velocity / maximum velocity", [("active", speeds, speed)], (-1, 1), (0, 1.5)),
        panel(2, "tendon", "strain", [("force / peak force", strains, tendon)], (0, 0.06), (0, 2.4))])


def impedance():
    """The impedance of a joint's limit by its violation, as the engine computes it: docs/concepts.md."""
    violations = np.linspace(0, 0.0015, 121)

    def curve(solimp):
        model = sinew.MjModel.from_xml_string(f"""<mujoco><worldbody><body><joint type="slide" range="-1 0" solimplimit="{solimp}"/>
          <geom size=".1"/></body></worldbody></mujoco>""")
        data, found = sinew.MjData(model), []
        for violation in violations:
            data.qpos[0] = max(violation, 1e-12)
            sinew.mj_forward(model, data)
            found.append(data.efc_KBIP[0][2])
        return 1000 * violations, found

    write("impedance.svg", [
        panel(0, "impedance", "violation (mm)", [("0.9 0.95 0.001, the default", *curve("0.9 0.95 0.001")),
                                                 ("0.5 0.95 0.001", *curve("0.5 0.95 0.001")),
                                                 ("0 0.99 0.001", *curve("0 0.99 0.001"))], (0, 1.5), (0, 1.2))])


def falling(option, height, world="", more=""):
    """Height of a ball of 10 cm, or of the top of a stack of boxes, over two seconds."""
    return sinew.MjModel.from_xml_string(f"""<mujoco><option {option}/><worldbody><geom type="plane" size="9 9 .1"/>
      <body pos="0 0 {height}"><freejoint/><geom size=".1" {more}/></body>{world}</worldbody></mujoco>""")


def seen(model, time, see):
    data, times, values = sinew.MjData(model), [], []
    while data.time < time:
        sinew.mj_step(model, data)
        times.append(data.time)
        values.append(see(data))
    return times, values


def creep(option):
    """Distance in mm that a box with friction 0.5 has slid down slopes in one second, by their angle."""
    angles, moved = np.linspace(15, 32, 18), []
    for a in np.radians(angles):
        model = sinew.MjModel.from_xml_string(f"""<mujoco><option {option} gravity="{9.81 * np.sin(a)} 0 {-9.81 * np.cos(a)}"/>
          <worldbody><geom type="plane" size="9 9 .1" friction=".5"/><body pos="0 0 .1"><freejoint/>
          <geom type="box" size=".1 .1 .1" friction=".5"/></body></worldbody></mujoco>""")
        data = sinew.MjData(model)
        sinew.mj_step(model, data, 500)
        moved.append(1e3 * data.qpos[0])
    return angles, moved


def contact_solvers():
    solvers = {"Newton": 'solver="Newton"', "XPBD": 'sinew:solver="xpbd"'}
    boxes = "".join(f'<body pos="0 0 {0.1 + 0.2 * i}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>' for i in range(10))

    def overlap(data):
        return 1e3 * max(0.0, -data.contact.dist.min()) if data.ncon else 0.0

    ball = [(name, *seen(falling(o, 1.1), 1.2, lambda d: 1e3 * (d.qpos[2] - 0.1))) for name, o in solvers.items()]
    stack = [(name, *seen(falling(o, 50, boxes), 1, overlap)) for name, o in solvers.items()]
    angle = np.radians(np.linspace(15, 32, 100))
    exact = 500 * 9.81 * np.maximum(0, np.sin(angle) - 0.5 * np.cos(angle))
    slide = [(name, *creep(o)) for name, o in solvers.items()] + [("Coulomb", np.degrees(angle), exact)]
    write("contact-solvers.svg", [
        panel(0, "a ball falls 1 m: gap in mm", "time in s", ball, (0.4, 1.2), (-40, 80)),
        panel(1, "ten boxes, stacked: overlap in mm", "time in s", stack, (0, 1), (0, 1.5)),
        panel(2, "friction 0.5: mm down a slope in 1 s", "angle in degrees", slide, (15, 32), (0, 600))])


STAGES = [  # of a step: title, what it computes, fields that hold it
    ("positions", ["poses of bodies and geoms", "inertia M and its factor", "lengths of tendons"], "xpos, M, ten_length"),
    ("collision", ["pairs that may touch", "contact points", "rows of constraints"], "contact, efc_J"),
    ("velocities", ["Coriolis and gravity c", "springs, dampers, fluid"], "qfrc_bias, qfrc_passive"),
    ("actuation", ["activations follow controls", "forces of actuators"], "act_dot, qfrc_actuator"),
    ("solver", ["acceleration without rows", "forces of constraints f", "acceleration"], "qacc_smooth, efc_force, qacc"),
    ("integration", ["new velocities", "new positions", "new activations"], "qvel, qpos, act"),
]


def pipeline():
    """The stages of a step as boxes: docs/concepts.md."""
    wide, high, gap = 150, 118, 22
    parts = []
    for n, (title, lines, fields) in enumerate(STAGES):
        x, y = 6 + (n % 3) * (wide + gap), 6 + (n // 3) * (high + 34)
        parts.append(f'<g transform="translate({x},{y})" font-family="sans-serif" font-size="11">'
                     f'<rect width="{wide}" height="{high}" rx="6" fill="{COLOURS[n % 3]}" fill-opacity=".1" stroke="{COLOURS[n % 3]}"/>'
                     f'<text x="10" y="20" font-size="13" font-weight="bold">{title}</text>')
        parts += [f'<text x="10" y="{42 + 16 * k}">{line}</text>' for k, line in enumerate(lines)]
        for k, names in enumerate((", ".join(fields.split(", ")[:2]), ", ".join(fields.split(", ")[2:]))):
            parts.append(f'<text x="10" y="{high - 18 + 13 * k}" fill="#555" font-size="10" font-family="monospace">{names}</text>')
        parts.append("</g>")
        if n % 3 < 2:
            parts.append(f'<path d="M{x + wide + 3} {y + high / 2} h{gap - 8} m-5 -4 l5 4 l-5 4" fill="none" stroke="#555"/>')
    first, last = 6 + wide / 2, 6 + 2 * (wide + gap) + wide / 2
    parts.append(f'<path d="M{last} {high + 9} v12 H{first} v9 m-4 -5 l4 5 l4 -5" fill="none" stroke="#555"/>')
    size = f'width="{3 * wide + 2 * gap + 12}" height="{2 * high + 46}"'
    (PICTURES / "step.svg").write_text(f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n'
                                       f'<rect width="100%" height="100%" fill="white"/>\n' + "\n".join(parts) + "\n</svg>\n")


# task, what its episodes are plotted by, last of it, highest return
TRAININGS = [("InvertedPendulum", "steps", 200, 1000), ("HalfCheetah", "seconds", 80, 9000), ("Humanoid", "seconds", 332, 9000)]


def learning():
    """Returns of examples/python/ppo.py, as its --curve wrote them: training takes too long to be done again here."""
    table = np.genfromtxt(PICTURES / "ppo.csv", delimiter=",", names=True, dtype=None, encoding="utf-8")
    panels = []
    for task, by, last, top in TRAININGS:
        rows = table[table["task"] == task]
        curves = [(f"seed {seed}", own[by] / (1000 if by == "steps" else 1), own["value"])
                  for seed in np.unique(rows["seed"]) for own in [rows[rows["seed"] == seed]]]
        label = "1000 steps, on two processors" if by == "steps" else "seconds, on an H200"
        panels.append(panel(len(panels), f"{task}: return of episodes", label, curves, (0, last), (0, top)))
    write("ppo.svg", panels)


if __name__ == "__main__":
    hill_curves()
    pipeline()
    impedance()
    contact_solvers()
    learning()
