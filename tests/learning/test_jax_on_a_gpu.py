"""sinew.jax with worlds on a GPU, on the driver without one (tests/gpu)."""

import pathlib
import subprocess
import sys

import pytest

GPU = pathlib.Path(__file__).resolve().parents[1] / "gpu"
sys.path.insert(0, str(GPU))
from test_fake import FAKE, environment, write_engine  # noqa: E402


def test_cases_of_xla_on_the_driver_without_a_gpu(tmp_path):
    pytest.importorskip("jax")
    if not (FAKE / "libcuda.so.1").exists():
        pytest.skip("the drivers for tests are not built")
    engine = write_engine(tmp_path / "sinew.gpu", [(8, 90, 0), (4, 90, 0)])
    fresh = dict(environment(FAKE, engine), JAX_PLATFORMS="cpu")
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", GPU / "device_xla_cases.py"],
                          capture_output=True, text=True, env=fresh, cwd=GPU.parents[1])
    assert done.returncode == 0 and "4 passed" in done.stdout, done.stdout[-4000:] + done.stderr[-2000:]
