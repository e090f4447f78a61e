"""Gymnasium's MuJoCo environments and dm_control's models, unmodified, with Sinew standing in."""

import importlib.util
import os
import pathlib
import subprocess
import sys

import mujoco
import numpy as np
import pytest

import sinew

pytest.importorskip("gymnasium")

ENVIRONMENTS = [
    "Ant-v5", "HalfCheetah-v5", "Hopper-v5", "Humanoid-v5", "HumanoidStandup-v5", "InvertedPendulum-v5",
    "InvertedDoublePendulum-v5", "Pusher-v5", "Reacher-v5", "Swimmer-v5", "Walker2d-v5",
]
RECORD = pathlib.Path(__file__).with_name("gym_record.py")


def play(name, steps, folder, engine):
    out = folder / f"{name}-{engine}.npz"
    arguments = [sys.executable, str(RECORD), name, str(steps), str(out)] + ([engine] if engine == "sinew" else [])
    result = subprocess.run(arguments, capture_output=True, text=True, env=dict(os.environ))
    assert result.returncode == 0, result.stderr[-2000:]
    recorded = np.load(out)
    assert str(recorded["engine"]).startswith(engine)
    return recorded


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_first_observations(name, tmp_path):
    """The first 20 steps of seeded random actions agree within 1e-6."""
    theirs, ours = (play(name, 20, tmp_path, engine) for engine in ("mujoco", "sinew"))
    difference = np.abs(theirs["observations"] - ours["observations"]).max(axis=1)
    assert difference.shape == (21,)
    assert difference.max() < 1e-6, difference
    assert np.abs(theirs["rewards"] - ours["rewards"]).max() < 1e-6


def assert_alike(theirs, ours):
    """Distributions over an episode: medians within half the spread of the reference."""
    for field in ("observations", "rewards"):
        a, b = (np.atleast_2d(x[field].T).T for x in (theirs, ours))
        assert np.all(np.isfinite(b)), field
        spread = np.percentile(a, 95, axis=0) - np.percentile(a, 5, axis=0)
        shift = np.abs(np.median(a, axis=0) - np.median(b, axis=0))
        # chaotic motion: nine of ten observations must be alike
        alike = shift <= 0.5 * spread + 1e-3
        assert np.mean(alike) >= 0.9, (field, np.mean(alike))


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[] if name in ("Hopper-v5", "Reacher-v5", "InvertedPendulum-v5") else pytest.mark.full)
    for name in ENVIRONMENTS
])
def test_thousand_steps(name, tmp_path):
    """1000 steps run, stay finite, and are distributed like MuJoCo's."""
    theirs, ours = (play(name, 1000, tmp_path, engine) for engine in ("mujoco", "sinew"))
    assert_alike(theirs, ours)


def suite_models():
    """The files of the suite; the package itself, which needs more than its models, is not imported."""
    package = importlib.util.find_spec("dm_control")
    if package is None:
        pytest.skip("dm_control is not installed")
    return sorted((pathlib.Path(package.origin).parent / "suite").glob("*.xml"))


def test_dm_control_models():
    """The suite's models, loaded by both packages, give the same 20 steps."""
    checked, worst = 0, {}
    for path in suite_models():
        theirs, ours = mujoco.MjModel.from_xml_path(str(path)), sinew.MjModel.from_xml_path(str(path))
        a, b = mujoco.MjData(theirs), sinew.MjData(ours)
        random = np.random.default_rng(3)
        for _ in range(20):
            a.ctrl[:] = b.ctrl[:] = random.uniform(-1, 1, theirs.nu)
            mujoco.mj_step(theirs, a)
            sinew.mj_step(ours, b)
        scale = max(1.0, np.abs(a.qvel).max(initial=0))
        error = max(np.abs(a.qpos - b.qpos).max(initial=0), np.abs(a.qvel - b.qvel).max(initial=0) / scale)
        worst[path.name] = error
        checked += 1
    assert checked >= 15
    bad = {name: error for name, error in worst.items() if not error < 1e-6}
    assert not bad, bad
