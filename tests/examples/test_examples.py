"""Every program of examples/ runs, and what it asserts of itself holds."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = {  # arguments that keep a run short
    "gymnasium_suite": ["--worlds", "8", "--steps", "40"],
    "identify": [],
    "mpc_humanoid": ["--time", "0.2", "--horizon", "20"],
    "muscle_arm": [],
    "randomise": ["--worlds", "50"],
    "soft_gripper": [],
    "urdf_arm": [],
}
ELSEWHERE = {"ppo", "gradients"}  # need PyTorch: tests/learning


def run(name, arguments):
    path = os.pathsep.join(str(pathlib.Path(entry).resolve()) for entry in sys.path if entry)
    done = subprocess.run([sys.executable, str(ROOT / "examples" / "python" / f"{name}.py"), *arguments], text=True,
                          capture_output=True, env=dict(os.environ, PYTHONPATH=path), cwd="/")
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_runs(name):
    assert run(name, PROGRAMS[name]).strip()


def test_no_program_is_forgotten():
    assert {path.stem for path in (ROOT / "examples" / "python").glob("*.py")} == set(PROGRAMS) | ELSEWHERE


@pytest.mark.full
def test_the_humanoid_stays_up():
    """For long enough that it would have fallen without control."""
    run("mpc_humanoid", ["--time", "3"])
