"""What the cases of batches on a GPU share (device_cases.py, device_array_cases.py, device_image_cases.py)."""

import ctypes
import functools
import gzip
import os
import pathlib
import sys
import tempfile

import numpy as np
import pytest

import sinew

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "helpers"))
from balls import balls, watched  # noqa: E402
from heap import heap  # noqa: E402, F401

ROOT = pathlib.Path(__file__).resolve().parents[2]
NAME, REASON = sinew._core._gpu_name()
FAKE = NAME.startswith("fake")
needs_gpu = pytest.mark.skipif(not NAME, reason=REASON)
INTEGRATION = sinew.mjtState.mjSTATE_INTEGRATION
STATES = 30 if FAKE else int(os.environ.get("SN_GPU_STATES", 500))  # of every model; fewer for a look at large models


@pytest.fixture(scope="module")
def model():
    return balls()


def pair(model, count, **options):
    """The same batch on the GPU and on the CPU."""
    return tuple(sinew.Batch(model, count, device=device, **options) for device in ("gpu", "cpu"))


def same(a, b, tolerance=1e-10):
    a, b = np.asarray(a), np.asarray(b)
    if FAKE:
        return np.array_equal(a, b)
    return bool(np.all(np.abs(a - b) <= tolerance * max(1.0, np.abs(b).max(initial=0))))


def random_states(model, count, seed=0):
    """States of a rollout under random controls: contacts, limits, warm starts and all."""
    random = np.random.default_rng(seed)
    limited = model.actuator_ctrllimited.astype(bool)
    low, high = np.where(limited[:, None], model.actuator_ctrlrange, [-1, 1]).T
    batch = sinew.Batch(model, count, device="cpu")
    batch.reset(seed=seed, scale=0.02)
    age = 0
    for stop in (20, 60, 120):  # a third of the worlds each
        while age < stop:
            batch.step(1, random.uniform(low, high, (count, model.nu)))
            age += 1
        state = batch.get_state(INTEGRATION)
        third = slice(0, count // 3) if stop == 20 else slice(count // 3, 2 * count // 3)
        if stop < 120:
            kept = state[third].copy() if stop == 20 else np.vstack([kept, state[third]])
    return np.vstack([kept, state[len(kept):]])


def sensitivity(model, start, names, runs=6):
    """By world: how far a step of the CPU moves what the fields hold when velocities change by 1e-15, large ones by as much of
    themselves, or positions by their last bit, the most of some runs. Bits of a position decide how many contacts shapes that lie parallel
    have; rounding in CG grows by a factor of three in each iteration once directions are not conjugate any more."""
    random, results = np.random.default_rng(0), []
    for run in range(runs + 1):
        batch = sinew.Batch(model, len(start), device="cpu")
        batch.set_state(start, INTEGRATION)
        if run % 2:
            qvel = np.array(batch.qvel)
            batch.qvel[:] = qvel + 1e-15 * np.maximum(1, np.abs(qvel)) * random.uniform(-1, 1, qvel.shape)
        elif run:
            batch.qpos[:] *= 1 + np.finfo(float).eps * random.integers(-1, 2, batch.qpos.shape)
        batch.step(1)
        results.append({name: np.array(batch.field(name)).reshape(len(start), -1) for name in names})
    moved = [np.abs(result[name] - results[0][name]).max(axis=1, initial=0) for result in results[1:] for name in names]
    return np.max(moved, axis=0)


def as_close_as_rounding(error, model, start, names, bar, scale):
    """Is the error of each world within the bar, or where a step is sensitive to the last bits of its state, about as
    large as they make it, in about as many worlds? Returns that, and what it was compared with."""
    if error.max(initial=0) <= bar:
        return True, ""
    moved = sensitivity(model, start, names) / scale
    ours, theirs = int((error > bar).sum()), int((moved > bar).sum())
    close = error.max() <= 10 * moved.max() and ours <= 2 * theirs + 1  # a few draws of what varies by powers of ten
    return close, (f"beyond {bar:.0e}: {ours} worlds, by up to {error.max():.1e}; last bits of the state "
                   f"change {theirs} on a CPU, by up to {moved.max():.1e}")


@functools.lru_cache(maxsize=None)
def states_of(path, count):
    """random_states of a file: both precisions start from them, and the CPU takes longer to make them than a GPU to step."""
    return random_states(load(path), count)


def model_files():
    files = [ROOT / "models" / "humanoid.xml", ROOT / "models" / "arm.xml"]
    if os.environ.get("SN_GPU_MODELS"):
        files = sorted(pathlib.Path(os.environ["SN_GPU_MODELS"]).glob("*.snb.gz"))
    return files


def load(path):
    if path.suffix == ".xml":
        return sinew.MjModel.from_xml_path(str(path))
    with tempfile.NamedTemporaryFile(suffix=".snb") as file:
        file.write(gzip.decompress(path.read_bytes()))
        file.flush()
        return sinew.MjModel.from_binary_path(file.name)


def device_taken():
    """Bytes of the device that are in use, by whomever."""
    free, total = ctypes.c_size_t(), ctypes.c_size_t()
    assert ctypes.CDLL("libcuda.so.1").cuMemGetInfo_v2(ctypes.byref(free), ctypes.byref(total)) == 0
    return total.value - free.value
