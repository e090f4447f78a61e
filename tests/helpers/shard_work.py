"""Functions of shards for tests: what they do can be seen from outside, and they can die."""

import os
import pathlib
import signal
import time

import numpy as np
from sinew import shards


def draw(index, scale=None):
    """Numbers that depend on the item alone."""
    values = np.stack([shards.generator(7, i).normal(size=(2, 3)) for i in index])
    return {"values": values if scale is None else values * scale[:, None, None], "item": index, "nothing": values[:, :0]}


class Traced:
    """draw, with a line per call in a file; the first to work on item `victim` is killed, `deaths` times."""

    key = "traced"

    def __init__(self, folder, victim=None, deaths=1, pause=0.0):
        self.folder, self.victim, self.deaths, self.pause = str(folder), victim, deaths, pause

    def __call__(self, index):
        with open(pathlib.Path(self.folder) / "calls", "a") as file:
            file.write(f"{index[0]}\n")
        for death in range(self.deaths if self.victim in index else 0):
            try:
                os.close(os.open(pathlib.Path(self.folder) / f"death{death}", os.O_CREAT | os.O_EXCL))
            except FileExistsError:
                continue
            os.kill(os.getpid(), signal.SIGKILL)
        time.sleep(self.pause)
        return draw(index)

    def calls(self):
        return sorted(int(line) for line in (pathlib.Path(self.folder) / "calls").read_text().split())


def fail(index):
    raise ZeroDivisionError(f"item {index[0]} cannot be divided")


def unsendable(index):
    return {"x": lambda: index}


class Scale:
    """Numbers of items times a factor."""

    def __init__(self):
        self.factor = 1.0

    def __call__(self, index):
        return {"x": self.factor * index}


def height(batch):
    """What a sweep measures."""
    return {"height": np.array(batch.qpos[:, 2]), "speed": np.linalg.norm(batch.qvel, axis=1)}


def reach(states, controls):
    """Cost of a plan: a pendulum's angle from upright, at the end above all, and effort."""
    angle = states[:, :, 1] - np.pi
    return np.square(angle).mean(axis=1) + 3 * np.square(angle[:, -1]) + 1e-3 * np.square(controls).sum(axis=(1, 2))


BALLS = """
<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
  <body name="ball" pos="0 0 .5"><freejoint/><geom name="ball" type="sphere" size=".1" mass="1"/></body>
</worldbody></mujoco>"""
PENDULUM = """
<mujoco><option timestep=".02"/><worldbody><body><joint name="hinge" axis="0 1 0" damping=".05"/>
  <geom type="capsule" fromto="0 0 0 0 0 -.5" size=".02" mass="1"/></body></worldbody>
  <actuator><motor joint="hinge" gear="3" ctrlrange="-1 1" ctrllimited="true"/></actuator>
  <sensor><jointpos joint="hinge"/></sensor></mujoco>"""


def same(a, b):
    """Are two dicts of arrays the same bits?"""
    assert a.keys() == b.keys()
    for name in a:
        assert a[name].dtype == b[name].dtype and a[name].shape == b[name].shape, name
        assert a[name].tobytes() == b[name].tobytes(), name
