"""The examples that need PyTorch."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def run(name, *arguments):
    pytest.importorskip("torch")
    path = os.pathsep.join(str(pathlib.Path(entry).resolve()) for entry in sys.path if entry)
    done = subprocess.run([sys.executable, str(ROOT / "examples" / "python" / f"{name}.py"), *arguments], text=True,
                          capture_output=True, env=dict(os.environ, PYTHONPATH=path), cwd="/")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]


def test_ppo_learns_to_hold_a_pendulum_up():
    """From a few steps at first to hundreds."""
    run("ppo", "--steps", "150000", "--until", "300")


def test_gradients_find_a_throw():
    run("gradients")
