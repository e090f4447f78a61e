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


def play(name, steps, folder, engine, noise=0.0):
    out = folder / f"{name}-{engine}-{noise}.npz"
    arguments = [sys.executable, str(RECORD), name, str(steps), str(out), str(noise)] + ([engine] if engine == "sinew" else [])
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


def assert_alike(references, ours):
    """Medians over an episode lie among those of MuJoCo from states that differ by rounding errors.

    The motion is chaotic, so that such episodes part; up to a quarter of the spread within an episode
    is allowed beyond the medians of the references, and nine of ten observations must comply.
    """
    for field in ("observations", "rewards"):
        runs = [np.atleast_2d(run[field].T).T for run in references]
        found = np.atleast_2d(ours[field].T).T
        assert np.all(np.isfinite(found)), field
        spread = np.percentile(runs[0], 95, axis=0) - np.percentile(runs[0], 5, axis=0)
        medians = np.array([np.median(run, axis=0) for run in runs])
        slack = 0.25 * spread + 1e-3
        middle = np.median(found, axis=0)
        alike = (middle >= medians.min(axis=0) - slack) & (middle <= medians.max(axis=0) + slack)
        assert np.mean(alike) >= 0.9, (field, np.mean(alike))


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[] if name in ("Hopper-v5", "Reacher-v5", "InvertedPendulum-v5") else pytest.mark.full)
    for name in ENVIRONMENTS
])
def test_thousand_steps(name, tmp_path):
    """1000 steps run, stay finite, and are distributed like MuJoCo's."""
    references = [play(name, 1000, tmp_path, "mujoco", noise) for noise in (0.0, 1e-14, -1e-14, 3e-14)]
    assert_alike(references, play(name, 1000, tmp_path, "sinew"))


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
