#!/usr/bin/env python3
"""Long runs: no bad numbers, no full arena, memory that does not grow.

    soak.py [--minutes 30] [--only NAME ...] [--worlds 10000] [--keep FOLDER] [--jobs N] [--program PATH]

Scenes take turns until the time is over or each has done the steps that it asks for, ten million and another million for
each of eleven scenes of deformables.
A scene fails when a state is not finite, when a step warns, or when the process grows by more than 5 %
after a twentieth of its steps (three turns, if it does not get that far): by then everything touches that will.
A batch, models that come and go, and files that are written by processes that are killed take their turns too.
With --keep scenes go on where the last run into that folder stopped; with --jobs each has a process of its own,
N at a time. With --program the scenes are run by that command line instead, 1 % of their
steps: by one that was built with sanitizers.
"""

import argparse
import copy
import itertools
import pathlib
import pickle
import resource
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import sinew

FLOOR = '<geom type="plane" size="3 3 .1"/>'
ROOT = pathlib.Path(__file__).parents[1]
WARM = 3  # turns before memory is compared


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


def humanoid():
    """The bundled humanoid, pushed by its motors."""
    return _bundled("models/humanoid.xml")


def arm():
    """The bundled arm."""
    return _bundled("models/arm.xml")


def muscles():
    """Muscles that pull at tendons."""
    return _bundled("tests/models/actuation/muscles.xml")


def constraints():
    """Every kind of constraint."""
    return _bundled("tests/models/constraint/mixed_all.xml")


def deformables():
    """A soft body and a chain that XPBD moves, and an arm."""
    return _bundled("tests/models/deform/soft.xml")


def _bundled(path):
    return (ROOT / path).read_text()


def deformable(body, world="", dt=0.005):
    return f"""<mujoco><option timestep="{dt}"/><worldbody>{FLOOR}{world}</worldbody>
      <deformable>{body}</deformable></mujoco>"""


BALL = '<body pos="0 0 {}"><freejoint/><geom size="{}" mass="{}"/></body>'
XPBD = {  # scenes of at most 500 vertices
    "xpbd_cloth_on_ball": lambda: deformable('<sinew:cloth count="20 20 1" spacing=".03 .03 1" pos="0 0 .5"/>',
                                             '<geom size=".2" pos="0 0 .2"/>'),
    "xpbd_cloth_on_itself": lambda: deformable(
        '<sinew:cloth count="12 40 1" spacing=".02 .02 1" pos="0 0 .5" euler="80 0 0" preset="silk" selfcollide="true"/>'),
    "xpbd_trampoline": lambda: deformable(
        '<sinew:cloth count="15 15 1" spacing=".05 .05 1" pos="0 0 .4" preset="rubber"><pin gridrange="0 0 0 14  14 0 14 14"/>'
        "</sinew:cloth>", BALL.format(0.8, 0.08, 0.5) + BALL.format(1.2, 0.05, 0.1)),
    "xpbd_soft_cube": lambda: deformable('<sinew:softbody count="7 7 7" spacing=".03 .03 .03" pos="0 0 .4" preset="foam"/>',
                                         BALL.format(1, 0.06, 1)),
    "xpbd_gelatin": lambda: deformable(
        '<sinew:softbody count="5 5 9" spacing=".03 .03 .03" pos="0 0 .5" euler="20 30 0" preset="gelatin" volume_compliance="0"/>'),
    "xpbd_rope_on_posts": lambda: deformable(
        '<sinew:chain count="120 1 1" spacing=".01 1 1" pos="0 0 .6" preset="rope" radius=".006" selfcollide="true"/>',
        '<geom type="capsule" size=".03" fromto=".3 0 0 .3 0 .3"/><geom type="capsule" size=".03" fromto="-.2 0 0 -.2 0 .4"/>'),
    "xpbd_pendulum": lambda: deformable(
        '<sinew:chain count="30 1 1" spacing=".03 1 1" pos="0 0 1.5" attachvert="29" attachbody="ball"><pin id="0"/></sinew:chain>',
        '<body name="ball" pos=".435 0 1.5"><freejoint/><geom size=".05" mass="2" contype="0" conaffinity="0"/></body>'),
    "xpbd_heap": lambda: deformable("".join(
        f'<sinew:softbody count="3 3 3" spacing=".04 .04 .04" pos="{0.03 * (i % 2)} 0 {0.2 + 0.15 * i}" preset="rubber"/>'
        for i in range(8)) + '<sinew:cloth count="12 12 1" spacing=".03 .03 1" pos="0 0 1.8"/>'),
    "xpbd_all_sleep": lambda: deformable(
        '<sinew:cloth count="10 10 1" spacing=".03 .03 1" pos="0 0 .2" solver="realtime"/>'
        '<sinew:chain count="20 1 1" spacing=".02 1 1" pos="0 0 .4" solver="realtime"/>'
        '<sinew:softbody count="3 3 3" spacing=".04 .04 .04" pos=".3 0 .3" solver="realtime"/>', BALL.format(3, 0.05, 0.2)),
    "xpbd_large_steps": lambda: deformable(
        '<sinew:cloth count="20 20 1" spacing=".03 .03 1" pos="0 0 1" euler="60 0 0" preset="leather" repeats="4"/>',
        BALL.format(2, 0.1, 5), 1 / 60),
}


def xpbd_closed():
    """Cloth, soft body, chain and ball that collide without gravity: their energy may only fall."""
    return """<mujoco><option timestep=".002" gravity="0 0 0"/><worldbody>
      <body pos="0 0 .2"><freejoint/><geom size=".08" mass=".2"/></body>
      <geom type="box" size="1 1 .1" pos="0 0 -1.1"/><geom type="box" size="1 1 .1" pos="0 0 1.1"/>
      <geom type="box" size="1 .1 1" pos="0 -1.1 0"/><geom type="box" size="1 .1 1" pos="0 1.1 0"/>
      <geom type="box" size=".1 1 1" pos="-1.1 0 0"/><geom type="box" size=".1 1 1" pos="1.1 0 0"/></worldbody><deformable>
      <sinew:cloth count="10 10 1" spacing=".05 .05 .05" selfcollide="true"/>
      <sinew:softbody count="4 4 4" spacing=".05 .05 .05" pos="0 0 -.2" preset="rubber"/>
      <sinew:chain count="20 1 1" spacing=".03 1 1" pos="0 .3 .1"/></deformable></mujoco>"""

SCENES = {  # name: (model, steps, steps of a turn)
    "rope_in_knots": (rope_in_knots, 100_000, 500),
    "soft_cubes": (soft_cubes, 20_000, 50),
    "draped_cloth": (draped_cloth, 100_000, 100),
    "large_cloth": (large_cloth, 2000, 2),
    "boxes": (boxes, 500_000, 2000),
    "humanoid": (humanoid, 1_000_000, 10_000),
    "arm": (arm, 4_000_000, 50_000),
    "muscles": (muscles, 2_000_000, 50_000),
    "constraints": (constraints, 2_000_000, 20_000),
    "deformables": (deformables, 300_000, 1000),
    **{name: (make, 1_000_000, 1000) for name, make in XPBD.items()},
    "xpbd_closed": (xpbd_closed, 1_000_000, 200),
}


def memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


class Scene:
    """One world."""

    unit = "steps"

    def __init__(self, name):
        make, self.steps, self.part = SCENES[name]
        self.name, self.done, self.failure = name, 0, None
        self.model = sinew.MjModel.from_xml_string(make())
        self.data = sinew.MjData(self.model)
        self.random = np.random.default_rng(1)

    def turn(self):
        self.data.ctrl[:] = self.random.uniform(-0.3, 0.3, self.model.nu)
        sinew.mj_step(self.model, self.data, self.part)
        self.done += self.part
        warned = [i for i, warning in enumerate(self.data.warning) if warning.number]
        if not (np.isfinite(self.data.qpos).all() and np.isfinite(self.data.deformvert_xpos).all()):
            self.failure = "a position is not finite"
        elif warned:
            self.failure = f"warnings {warned}"
        return self.failure is None and self.done < self.steps

    def keep(self, folder):
        """Writes the world so that a later run can go on with it, bit for bit."""
        path = folder / f"{self.name}.pickle"
        with open(path.with_suffix(".part"), "wb") as file:
            pickle.dump(vars(self), file)
        path.with_suffix(".part").rename(path)

    def go_on(self, folder):
        path = folder / f"{self.name}.pickle"
        if path.exists():
            with open(path, "rb") as file:
                vars(self).update(pickle.load(file))
        return self.failure is None and self.done < self.steps


class Closed(Scene):
    """A world whose kinetic energy never exceeds that of its start by more than 0.1 %."""

    def __init__(self, name):
        super().__init__(name)
        self.data.qvel[:] = [0.5, 0.2, -2, 1, 2, 3]
        self.data.deformvert_xvel[:] = self.random.normal(0, 0.3, self.data.deformvert_xvel.shape)
        self.start = self.energy()

    def energy(self):
        mass, spin = self.model.body_mass[1], self.data.qvel[3:6]
        pending = self.data.deformable_xfrc[1, :3] * self.model.opt.timestep  # on its way to the ball
        velocity = self.data.qvel[:3] + pending / mass
        return (mass * velocity @ velocity + spin @ (self.model.body_inertia[1] * spin)
                + (self.data.deformvert_xvel**2 / self.model.deformvert_invmass.reshape(-1, 1)).sum()) / 2

    def turn(self):
        going = super().turn()
        if self.failure is None and self.energy() > 1.001 * self.start:
            self.failure = f"energy {self.energy():.6g} after {self.start:.6g} at the start"
        return going and self.failure is None


class Worlds:
    """A batch whose worlds are pushed, fail and start again."""

    unit = "steps of all worlds"
    number = 10_000

    def __init__(self, name):
        self.name, self.done, self.failure = f"{name} ({self.number})", 0, None
        self.batch = sinew.Batch(sinew.MjModel.from_xml_string(humanoid()), self.number)
        self.random = np.random.default_rng(2)

    def turn(self):
        self.batch.step(5, self.random.uniform(-1, 1, (self.number, self.batch.model.nu)))
        self.done += 5
        self.batch.reset(self.random.random(self.number) < 0.02, seed=self.done)
        if not np.isfinite(self.batch.get_state()).all():
            self.failure = "a state is not finite"
        return self.failure is None


class Churn:
    """Models that are read, changed, written, copied and thrown away; callbacks that raise."""

    unit = "models"

    def __init__(self, name):
        self.name, self.done, self.failure = name, 0, None
        self.folder = tempfile.TemporaryDirectory()

    def turn(self):
        for make in (boxes, humanoid, draped_cloth):
            spec = sinew.MjSpec.from_string(make())
            spec.worldbody.add_body(name="more").add_geom(size=[0.1, 0.1, 0.1])
            model = spec.compile()
            spec.to_xml()
            path = self.folder.name + "/model.snb"
            sinew.mj_saveModel(model, path)
            model = sinew.MjModel.from_binary_path(path)
            data = sinew.MjData(model)
            scene = sinew.MjvScene(model, 1000)
            sinew.mj_step(model, data, 2)
            sinew.mjv_updateScene(model, data, sinew.MjvOption(), None, sinew.MjvCamera(), 7, scene)
            self.interrupt(model, copy.copy(data))
            self.done += 1
        return self.failure is None

    def interrupt(self, model, data):
        sinew.set_mjcb_passive(lambda m, d: 1 / 0)
        try:
            sinew.mj_step(model, data)
            self.failure = "an exception was lost"
        except ZeroDivisionError:
            pass
        finally:
            sinew.set_mjcb_passive(None)
        if data.pstack:
            self.failure = "an exception left frames on the stack"


class Killed:
    """Processes that are killed while they write checkpoints: the last good one is there, whole."""

    unit = "processes killed"
    code = """
import sys
import sinew
model = sinew.MjModel.from_xml_path(sys.argv[1])
sinew.mj_saveModel(model, sys.argv[2])
print("ready", flush=True)
while True:
    sinew.mj_saveModel(model, sys.argv[2])
"""

    def __init__(self, name):
        self.name, self.done, self.failure = name, 0, None
        self.folder = tempfile.TemporaryDirectory()
        self.random = np.random.default_rng(3)

    def turn(self):
        path = self.folder.name + "/checkpoint.snb"
        command = [sys.executable, "-c", self.code, str(ROOT / "models/humanoid.xml"), path]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            process.stdout.readline()
            time.sleep(self.random.uniform(0, 0.05))
            process.send_signal(signal.SIGKILL)
        self.done += 1
        try:
            sinew.MjModel.from_binary_path(path)
        except ValueError as error:
            self.failure = f"a checkpoint is damaged: {error}"
        for left in pathlib.Path(self.folder.name).glob("*.tmp"):
            left.unlink()
        return self.failure is None


KINDS = {"xpbd_closed": Closed}
OTHERS = {"worlds": Worlds, "churn": Churn, "killed": Killed}


def run_program(program, names):
    """A hundredth of the steps of the scenes by a command line that was built with sanitizers."""
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            make, steps, _ = SCENES[name]
            path = pathlib.Path(folder) / f"{name}.xml"
            path.write_text(make())
            result = subprocess.run([program, "run", path, "--steps", str(steps // 100), "--seed", "1"],
                                    capture_output=True, text=True)
            failed |= result.returncode != 0
            print(f"{name}: {steps // 100} steps: {'sound' if not result.returncode else result.stderr}", flush=True)
    return failed


def run_apart(names, jobs, arguments):
    """Each scene in a process of its own."""
    def run(name):
        result = subprocess.run([sys.executable, __file__, "--only", name, *arguments], capture_output=True, text=True)
        print(result.stdout + result.stderr, end="", flush=True)
        return result.returncode != 0

    with ThreadPoolExecutor(jobs) as pool:
        return any(list(pool.map(run, names)))


def run_scenes(scenes, seconds, folder):
    """Lets the scenes take turns. Returns the growth of the process."""
    end, start, turns, warm = time.monotonic() + seconds, None, 0, False
    kept = [scene for scene in scenes if folder and isinstance(scene, Scene)]
    running = [scene for scene in scenes if scene not in kept or scene.go_on(folder)]
    while running and time.monotonic() < end:
        running = [scene for scene in running if time.monotonic() < end and scene.turn()]
        turns += 1
        were_warm, warm = warm, all(scene.done >= scene.steps / 20 for scene in scenes if isinstance(scene, Scene))
        if turns == WARM or (warm and not were_warm):
            start = memory()
    grown = memory() / (start or memory()) - 1
    for scene in kept:
        scene.keep(folder)
    return grown


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--only", nargs="+", choices=[*SCENES, *OTHERS], default=[*SCENES, *OTHERS])
    parser.add_argument("--worlds", type=int, default=Worlds.number)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--program")
    options = parser.parse_args()
    if options.program:
        sys.exit(run_program(options.program, [name for name in options.only if name in SCENES]))
    if options.keep:
        options.keep.mkdir(parents=True, exist_ok=True)
    if options.jobs:
        shared = ["--minutes", str(options.minutes), "--worlds", str(options.worlds)]
        sys.exit(run_apart(options.only, options.jobs, shared + (["--keep", str(options.keep)] if options.keep else [])))
    Worlds.number = options.worlds
    scenes = [{**OTHERS, **KINDS}.get(name, Scene)(name) for name in options.only]
    grown = run_scenes(scenes, 60 * options.minutes, options.keep)
    for scene in scenes:
        print(f"{scene.name}: {scene.done} {scene.unit}: {scene.failure or 'sound'}")
    print(f"memory grew by {100 * grown:.1f} %", flush=True)
    sys.exit(any(scene.failure for scene in scenes) or grown > 0.05)


if __name__ == "__main__":
    main()
