"""The engine for GPUs: its sources compile for a device everywhere; results are compared where a GPU is."""

import pathlib
import re
import subprocess
import sys

import pytest

import sinew

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parents[1] / "tools" / "gpu_build.py"


def _build(tmp_path, *options):
    run = subprocess.run([sys.executable, BUILD, "--out", tmp_path, *options], capture_output=True, text=True)
    if "no NVRTC" in run.stderr:
        pytest.skip("NVRTC is not installed: the device build cannot be checked")
    assert run.returncode == 0, run.stderr[-3000:]
    return run.stdout


@pytest.mark.parametrize("precision", ["double", "single"])
def test_engine_compiles_for_devices(tmp_path, precision):
    """Every file of src/engine and src/math goes through the device compiler unchanged, and every call has its function."""
    assert precision in _build(tmp_path, "--check", "--precision", precision)


@pytest.mark.full
def test_engine_links_for_a_device(tmp_path):
    """Machine code of one architecture, in the file that the library looks for, with stacks that a driver can afford: it
    reserves them for all threads that a device holds."""
    output = _build(tmp_path, "--archs", "90", "--precision", "double")
    assert (tmp_path / "sinew.gpu").read_bytes().startswith(b"SNGPU 2\0")
    stacks = {name: int(stack) for name, stack in re.findall(r"(sn_kernel\w+) \d+ registers, (\d+) bytes", output)}
    assert len(stacks) >= 10 and max(stacks.values()) < 24000, stacks


def test_cases_on_the_gpu():
    """All of device_*cases.py, where there is a GPU and the engine has been built for it."""
    model = sinew.MjModel.from_xml_string("<mujoco/>")
    reason = sinew.Batch(model, 1).fallback
    if reason:
        pytest.skip(f"nothing is compared: {reason}")
    run = subprocess.run([sys.executable, "-m", "pytest", "-q", *sorted(HERE.glob("device_*cases.py"))],
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-6000:]
