"""The engine for GPUs: its sources compile for a device everywhere; results are compared where a GPU is."""

import ctypes.util
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = ROOT / "tools" / "gpu_build.py"


def _check(tmp_path, precision):
    run = subprocess.run(
        [sys.executable, BUILD, "--check", "--out", tmp_path, "--precision", precision],
        capture_output=True,
        text=True,
    )
    if "no NVRTC" in run.stderr:
        pytest.skip("NVRTC is not installed: the device build cannot be checked")
    assert run.returncode == 0, run.stderr[-3000:]
    assert precision in run.stdout


def test_engine_compiles_for_devices(tmp_path):
    """Every file of src/engine and src/math goes through the device compiler unchanged."""
    _check(tmp_path, "double")


@pytest.mark.full
def test_engine_compiles_in_single_precision(tmp_path):
    _check(tmp_path, "single")


def test_gpu_results_equal_those_of_the_cpu():
    """One step on 500 random states, on a machine that has a GPU and a build with SN_GPU=ON."""
    bench = ROOT / "build-gpu" / "bench_gpu"
    if not ctypes.util.find_library("cuda") or not bench.exists():
        pytest.skip("no NVIDIA GPU, or no build with SN_GPU=ON in build-gpu: nothing is compared")
    models = sorted((ROOT / "build-gpu" / "models").glob("*.snb"))
    run = subprocess.run([bench, *models], capture_output=True, text=True, check=True)
    rows = [line for line in run.stdout.splitlines() if "error" in line and "double" in line]
    assert rows
    for row in rows:
        assert float(row.split("error ")[1].split(",")[0]) < 1e-10, row
