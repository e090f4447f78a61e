"""Images do not depend on the instruction set whose kernels draw them (SINEW_INSTRUCTIONS)."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODELS = sorted((ROOT / "models").glob("*.xml")) + sorted((ROOT / "tests" / "render" / "scenes").glob("*.xml"))

CHILD = """
import hashlib, sys
import sinew
for path in sys.argv[1:]:
    for samples in (0, 4):
        model = sinew.MjModel.from_xml_path(path)
        model.vis.quality.offsamples = samples
        data = sinew.MjData(model)
        sinew.mj_forward(model, data)
        with sinew.Renderer(model, 90, 160) as renderer:
            renderer.update_scene(data)
            print(path, samples, hashlib.sha256(renderer.render().tobytes()).hexdigest())
"""


def images(level):
    words = [sys.executable, "-c", CHILD, *map(str, MODELS)]
    result = subprocess.run(words, capture_output=True, text=True, env={**os.environ, "SINEW_INSTRUCTIONS": level})
    assert result.returncode == 0, result.stderr
    return result.stdout.splitlines()


@pytest.fixture(scope="module")
def plain():
    return images("v1")


@pytest.mark.parametrize("level", ["v2", "v3", "v4"])
def test_same_images_with_every_set(plain, level):
    # a machine without the set uses its best one instead
    assert len(set(plain)) == 2 * len(MODELS) > 4
    assert images(level) == plain
