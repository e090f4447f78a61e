"""dm_control's suite, unmodified, with Sinew standing in for the `mujoco` module."""

import pathlib
import subprocess
import sys

import numpy as np
import pytest

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
