#!/usr/bin/env python3
"""Draws docs/pictures/flex-laws.svg: what the laws of stretch and bending do, computed by the engine.

    PYTHONPATH=build/python law_plots.py

Left: a cube (E = 1, nu = 0.3) that is stretched along x and held across, its nominal stress by the stretch. Right: a flap
(E = 1e4, nu = 0.3, 1 cm) that is folded, its moment about the hinge by the angle. Plain SVG: no plotting library is needed.
"""

import pathlib

import numpy as np

import sinew

OUT = pathlib.Path(__file__).resolve().parents[1] / "docs" / "pictures" / "flex-laws.svg"
COLOURS = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#aa3377"]
CUBE = "type='grid' count='2 2 2' spacing='1 1 1' dim='3'"
FLAP = "type='direct' dim='2' point='0 0 0  0 1 0  -1 .5 0  1 .5 0' element='1 0 2  0 1 3'"


def build(shape, elasticity):
    return sinew.MjModel.from_xml_string(f"""<mujoco><option gravity='0 0 0'/><worldbody>
      <flexcomp name='f' {shape} radius='.001' mass='1'><contact contype='0' conaffinity='0' selfcollide='none'/>
      <elasticity {elasticity}/></flexcomp></worldbody></mujoco>""")


def forces(model, move):
    """Spring forces by vertex after move(positions at rest) gives the displacements."""
    data = sinew.MjData(model)
    sinew.mj_forward(model, data)
    data.qpos[:] = move(data.flexvert_xpos.copy()).ravel()
    sinew.mj_forward(model, data)
    return data.qfrc_spring.reshape(-1, 3)


def stretch(law):
    model = build(f"{CUBE} sinew:elasticity_model='{law}'", "young='1' poisson='.3'")
    x = np.linspace(0.4, 2, 81)
    along = [forces(model, lambda p, s=s: (s - 1) * p * [1, 0, 0]) for s in x]
    right = sinew.MjData(model).qpos.size and np.arange(8) // 4 == 1
    return x, np.array([-f[right, 0].sum() for f in along])


def fold(law):
    model = build(f"{FLAP} sinew:bending_model='{law}'", "young='1e4' poisson='.3' thickness='.01' elastic2d='bend'")
    x = np.linspace(-2.5, 2.5, 101)
    moment = []
    for t in x:
        place = np.array([np.cos(t), 0.5, np.sin(t)])
        f = forces(model, lambda p: np.where(p[:, :1] > 0.5, place - p, 0))
        moment.append(np.cos(t) * f[3, 2] - np.sin(t) * f[3, 0])
    return x, -np.array(moment)


def panel(left, title, label, curves, low, high):
    """One diagram: a frame, an axis at zero, a line and a name for each curve."""
    width, height, top = 300, 240, 30
    xs = np.concatenate([x for x, _ in curves.values()])
    sx = lambda x: left + width * (x - xs.min()) / np.ptp(xs)
    sy = lambda y: top + height * (high - np.clip(y, low, high)) / (high - low)
    lines = [f'<text x="{left}" y="18" font-weight="bold">{title}</text>',
             f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="none" stroke="#888"/>',
             f'<line x1="{left}" x2="{left + width}" y1="{sy(0):.1f}" y2="{sy(0):.1f}" stroke="#ccc"/>',
             f'<text x="{left}" y="{top + height + 16}">{xs.min():g}</text>',
             f'<text x="{left + width - 20}" y="{top + height + 16}">{xs.max():g}</text>',
             f'<text x="{left + width / 2 - 30}" y="{top + height + 16}">{label}</text>',
             f'<text x="{left + 4}" y="{top + 12}">{high:g}</text>', f'<text x="{left + 4}" y="{top + height - 4}">{low:g}</text>']
    for k, (name, (x, y)) in enumerate(curves.items()):
        points = " ".join(f"{sx(a):.1f},{sy(b):.1f}" for a, b in zip(x, y))
        lines.append(f'<polyline points="{points}" fill="none" stroke="{COLOURS[k]}" stroke-width="1.5"/>')
        lines.append(f'<text x="{left + width - 100}" y="{top + height - 12 * (len(curves) - k)}" fill="{COLOURS[k]}">{name}</text>')
    return lines


def main():
    materials = {law: stretch(law) for law in sinew.Sim.names("elasticity")}
    benders = {law: fold(law) for law in sinew.Sim.names("bending")}
    most = max(np.abs(y).max() for _, y in benders.values())
    lines = ['<svg xmlns="http://www.w3.org/2000/svg" width="700" height="300" font-family="sans-serif" font-size="11">',
             '<rect width="700" height="300" fill="white"/>']
    lines += panel(30, "nominal stress / E, held across", "stretch", materials, -2, 2)
    lines += panel(370, "moment of a hinge (N m)", "angle (rad)", benders, -float(f"{most:.1g}"), float(f"{most:.1g}"))
    OUT.write_text("\n".join(lines) + "\n</svg>\n")


if __name__ == "__main__":
    main()
