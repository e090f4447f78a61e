#!/usr/bin/env python3
"""Draws the pictures of README and docs/ with Sinew's own renderer.

    PYTHONPATH=build/python python tools/docs_pictures.py SINEW

SINEW is the command line program. Where OSMesa is installed, the sheet of docs/rendering.md is drawn again:
Sinew's images on the left, MuJoCo's on the right.
"""

import pathlib
import subprocess
import sys

import numpy as np
from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "tests/helpers"), str(ROOT / "tests/render")]
import osmesa  # noqa: E402
import sinew  # noqa: E402
import test_osmesa  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
SHEET = ["shadows of a spot light", "mirror", "sky and haze", "painted shapes", "transparent", "height field",
         "materials", "humanoid"]


def film(program):
    """The run that README shows."""
    subprocess.run([program, "run", ROOT / "models/humanoid.xml", "--time", "1.6", "--camera", "follow", "--size",
                    "320x240", "--record", PICTURES / "humanoid.gif"], check=True, stdout=subprocess.DEVNULL)


def sheet():
    """Pairs of images, two pairs to a row."""
    jobs = [dict(width=240, height=180, **{**test_osmesa.SCENES[name], "samples": 4}) for name in SHEET]
    pairs = [np.concatenate([osmesa.draw(sinew, **job)[0], theirs[0]], axis=1)
             for job, theirs in zip(jobs, osmesa.draw_all(jobs))]
    rows = [np.concatenate(pairs[i : i + 2], axis=1) for i in range(0, len(pairs), 2)]
    Image.fromarray(np.concatenate(rows)).save(PICTURES / "side-by-side.png", optimize=True)


def main():
    PICTURES.mkdir(exist_ok=True)
    film(sys.argv[1])
    if osmesa.available():
        sheet()


if __name__ == "__main__":
    main()
