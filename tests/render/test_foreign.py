"""Programs of others that draw, unmodified, with Sinew standing in: no graphics driver, no display."""

import os
import subprocess
import sys

import numpy as np
import osmesa
import pytest

GYM = """
import sys
import gymnasium, numpy as np
found = []
for mode in ("rgb_array", "depth_array"):
    env = gymnasium.make("HalfCheetah-v5", render_mode=mode)
    env.reset(seed=0)
    for _ in range(5):
        env.step(np.zeros(env.action_space.shape))
    found.append(env.render())
np.savez(sys.argv[1], colours=found[0], depth=found[1])
"""
SUITE = """
import sys
import numpy as np
from dm_control import suite
physics = suite.load("cartpole", "swingup", task_kwargs={"random": 0}).physics
np.savez(sys.argv[1], colours=physics.render(120, 160, camera_id=0), depth=physics.render(120, 160, camera_id=0, depth=True),
         ids=physics.render(120, 160, camera_id=0, segmentation=True))
"""


def play(code, folder, standin, gl):
    script, out = folder / "script.py", folder / f"{standin}.npz"
    script.write_text(code)
    start = [sys.executable] + (["-m", "sinew.standin"] if standin else [])
    environment = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "MUJOCO_GL")}
    result = subprocess.run([*start, str(script), str(out)], capture_output=True, text=True,
                            env={**environment, **({"MUJOCO_GL": gl} if gl else {})})
    assert result.returncode == 0, result.stderr[-2000:]
    return np.load(out)


def assert_alike(ours, theirs):
    """Images with four samples a pixel: edges may differ, surfaces do not."""
    off = np.abs(ours["colours"].astype(int) - theirs["colours"]).max(-1) > 3
    assert off.mean() < 0.01
    near = theirs["depth"] < 50  # the sky of MuJoCo is a polygon
    assert np.median(np.abs(ours["depth"] - theirs["depth"])[near]) < 1e-5


def test_gymnasium_draws(tmp_path):
    pytest.importorskip("gymnasium")
    ours = play(GYM, tmp_path, True, None)
    assert ours["colours"].shape == (480, 480, 3) and ours["colours"].std() > 10
    assert ours["depth"].shape == (480, 480) and 0.9 < ours["depth"].min() < ours["depth"].max() <= 1
    if osmesa.available():
        assert_alike(ours, play(GYM, tmp_path, False, "osmesa"))


def test_dm_control_draws(tmp_path):
    pytest.importorskip("dm_control")
    ours = play(SUITE, tmp_path, True, "osmesa" if osmesa.available() else None)
    assert ours["colours"].shape == (120, 160, 3) and ours["colours"].std() > 10
    assert (ours["ids"] == [3, 5]).all(-1).any()
    if osmesa.available():
        assert_alike(ours, play(SUITE, tmp_path, False, "osmesa"))
