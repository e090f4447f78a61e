#!/usr/bin/env python3
"""Long runs: no bad numbers, no full arena, memory that does not grow.

    soak.py [--minutes 30] [--only NAME ...]

Scenes take turns, 1000 steps at a time, until the time is over or each has done the steps that it asks for.
A scene fails when a state is not finite, when a step warns, or when the process grows by more than 5 %
after its first turn.
"""

import argparse
import itertools
import resource
import sys
import time

import numpy as np
import sinew

FLOOR = '<geom type="plane" size="3 3 .1"/>'
TURN = 1000


def rope_in_knots():
    """A rope of 120 points wound around itself falls on two posts."""
    turns = np.linspace(0, 6 * np.pi, 120)
    points = np.stack([0.12 * np.cos(turns), 0.12 * np.sin(turns), 0.4 + 0.015 * turns + 0.03 * np.cos(5 * turns)], 1)
    listed = " ".join(f"{x:.4f}" for x in points.ravel())
    elements = " ".join(f"{i} {i + 1}" for i in range(len(points) - 1))
    return f"""<mujoco><option timestep="0.002" solver="CG"/><worldbody>{FLOOR}
      <geom type="capsule" size=".03" fromto=".1 0 0 .1 0 .3"/><geom type="capsule" size=".03" fromto="-.1 0 0 -.1 0 .3"/>
      <flexcomp name="rope" type="direct" dim="1" point="{listed}" element="{elements}" radius=".01" mass=".3">
        <edge equality="true" damping=".01"/><contact selfcollide="auto" condim="3"/></flexcomp></worldbody></mujoco>"""


def soft_cubes(number=30):
    """A heap of soft cubes."""
    places = list(itertools.product(range(3), range(2), range(5)))[:number]
    cubes = "".join(f"""<flexcomp name="cube{i}" type="grid" dim="3" count="3 3 3" spacing=".06 .06 .06" radius=".005"
      pos="{0.2 * x + 0.02 * z} {0.2 * y + 0.01 * z} {0.15 + 0.2 * z}" mass=".2"><elasticity young="5e3" poisson=".1"
      damping=".005"/><contact selfcollide="none"/></flexcomp>""" for i, (x, y, z) in enumerate(places))
    return f'<mujoco><option timestep="0.001" solver="CG"/><worldbody>{FLOOR}{cubes}</worldbody></mujoco>'


def draped_cloth(side=20):
    """A cloth falls over a sphere and onto the floor."""
    radius = min(0.005, 0.15 / side)
    return f"""<mujoco><option timestep="0.002" solver="CG"/><worldbody>{FLOOR}
      <geom type="sphere" size=".15" pos="0 0 .15"/>
      <flexcomp name="cloth" type="grid" dim="2" count="{side} {side} 1" spacing="{0.6 / side} {0.6 / side} .1"
        pos="0 0 .35" radius="{radius}" mass=".2"><edge equality="true" damping=".01"/>
        <contact selfcollide="auto" condim="3"/></flexcomp></worldbody></mujoco>"""


def large_cloth():
    """The same with 10,000 vertices."""
    return draped_cloth(100)


def boxes():
    """Boxes and capsules in a heap."""
    bodies = "".join(f"""<body pos="{0.1 * (i % 3)} {0.1 * (i % 2)} {0.2 + 0.12 * i}"><freejoint/>
      <geom type="{('box', 'capsule')[i % 2]}" size=".05 .05 .05"/></body>""" for i in range(20))
    return f"<mujoco><worldbody>{FLOOR}{bodies}</worldbody></mujoco>"


SCENES = {  # name: (model, steps)
    "rope_in_knots": (rope_in_knots, 100_000),
    "soft_cubes": (soft_cubes, 20_000),
    "draped_cloth": (draped_cloth, 100_000),
    "large_cloth": (large_cloth, 2000),
    "boxes": (boxes, 1_000_000),
}


def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Scene:
    def __init__(self, name):
        make, self.steps = SCENES[name]
        self.name, self.done, self.failure = name, 0, None
        self.model = sinew.MjModel.from_xml_string(make())
        self.data = sinew.MjData(self.model)

    def turn(self):
        sinew.mj_step(self.model, self.data, TURN)
        self.done += TURN
        warned = [i for i, warning in enumerate(self.data.warning) if warning.number]
        if not np.isfinite(self.data.qpos).all():
            self.failure = "a position is not finite"
        elif warned:
            self.failure = f"warnings {warned}"
        return self.failure is None and self.done < self.steps


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--only", nargs="+", choices=SCENES, default=list(SCENES))
    options = parser.parse_args()
    scenes = [Scene(name) for name in options.only]
    end, start, running = time.monotonic() + 60 * options.minutes, None, list(scenes)
    while running and time.monotonic() < end:
        running = [scene for scene in running if scene.turn()]
        start = start or memory()
    grown = memory() / start - 1
    for scene in scenes:
        print(f"{scene.name}: {scene.done} steps, {scene.data.ncon} contacts: {scene.failure or 'sound'}")
    print(f"memory grew by {100 * grown:.1f} %")
    sys.exit(any(scene.failure for scene in scenes) or grown > 0.05)


if __name__ == "__main__":
    main()
