"""dm_control's suite, unmodified, with Sinew standing in for the `mujoco` module."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import sinew

pytest.importorskip("dm_env")
pytest.importorskip("dm_control")

RECORD = pathlib.Path(__file__).with_name("dm_record.py")
STEPS = 20
# one task of each domain; quadruped's escape builds its terrain by rendering
TASKS = [
    "acrobot/swingup", "ball_in_cup/catch", "cartpole/swingup", "cheetah/run", "dog/run", "finger/spin",
    "fish/swim", "hopper/hop", "humanoid/run", "humanoid_CMU/run", "lqr/lqr_6_2", "manipulator/bring_ball",
    "pendulum/swingup", "point_mass/easy", "quadruped/run", "reacher/easy", "stacker/stack_4",
    "swimmer/swimmer6", "walker/run",
]


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """What each engine shows of every task."""
    folder, found = tmp_path_factory.mktemp("dm_control"), {}
    for engine in ("mujoco", "sinew"):
        out = folder / f"{engine}.npz"
        command = [sys.executable, str(RECORD), str(out), str(STEPS), engine, *TASKS]
        result = subprocess.run(command, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr[-2000:]
        found[engine] = np.load(out)
    return found


@pytest.mark.parametrize("task", TASKS)
def test_observations(task, played):
    """Twenty steps of seeded random actions: observations and rewards agree within 1e-6."""
    theirs, ours = (played[engine][task.replace("/", "__")] for engine in ("mujoco", "sinew"))
    assert theirs.shape == ours.shape and len(theirs) == STEPS
    np.testing.assert_allclose(ours, theirs, rtol=1e-6, atol=1e-6)


def test_images_need_no_graphics_driver():
    """Whatever MUJOCO_GL says and no display: the same image, from two threads."""
    script = """
import importlib, os, sys, threading, warnings
import sinew.standin
sinew.standin.install()
warnings.simplefilter("ignore")
from dm_control import suite
env = suite.load("cartpole", "swingup", task_kwargs={"random": 1})
env.reset()
images = [env.physics.render(48, 64, camera_id=0)]
thread = threading.Thread(target=lambda: images.append(env.physics.render(48, 64, camera_id=0)))
thread.start()
thread.join()
assert (images[0] == images[1]).all() and images[0].std() > 10
assert os.environ.get("MUJOCO_GL") == (sys.argv[1] if len(sys.argv) > 1 else None)
print(images[0].tobytes().hex())
"""
    environment = {name: value for name, value in os.environ.items() if name not in ("MUJOCO_GL", "DISPLAY", "PYOPENGL_PLATFORM")}
    environment["PYTHONPATH"] = str(pathlib.Path(sinew.__file__).parents[1])
    found = set()
    for backend in (None, "glfw", "egl", "osmesa", "disable"):
        asked = {} if backend is None else {"MUJOCO_GL": backend}
        result = subprocess.run([sys.executable, "-c", script, *asked.values()], capture_output=True, text=True, env=environment | asked)
        assert result.returncode == 0, (backend, result.stderr[-2000:])
        found.add(result.stdout)
    assert len(found) == 1
