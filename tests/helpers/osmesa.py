"""Images by MuJoCo on OSMesa, in a process of its own: the library has one way to draw per process."""

import ctypes.util
import os
import pickle
import subprocess
import sys
import tempfile

_CHILD = """
import pickle, sys
import numpy as np
sys.path.insert(0, sys.argv[3])
import mujoco
import osmesa
with open(sys.argv[1], "rb") as f:
    jobs = pickle.load(f)
with open(sys.argv[2], "wb") as f:
    pickle.dump([osmesa.draw(mujoco, **job) for job in jobs], f)
"""


def available():
    """Whether the library is installed."""
    return ctypes.util.find_library("OSMesa") is not None or os.path.exists("/usr/lib/x86_64-linux-gnu/libOSMesa.so.8")


def draw(module, model, width, height, camera=0, flags=(), options=(), samples=0, texels=None, steps=0):
    """Colours, distances and ids of a model (text or path) with a module that has MuJoCo's names."""
    load = module.MjModel.from_xml_string if "<" in model else module.MjModel.from_xml_path
    m = load(model)
    m.vis.quality.offsamples = samples
    m.vis.global_.offwidth = max(width, m.vis.global_.offwidth)
    m.vis.global_.offheight = max(height, m.vis.global_.offheight)
    if texels is not None:
        m.tex_data[:] = texels
    d = module.MjData(m)
    for _ in range(steps):
        module.mj_step(m, d)
    module.mj_forward(m, d)
    option = module.MjvOption()
    for flag, value in dict(options).items():
        option.flags[flag] = value
    with module.Renderer(m, height, width) as renderer:
        renderer.update_scene(d, camera, option)
        for flag, value in dict(flags).items():
            renderer.scene.flags[flag] = value
        colours = renderer.render()
        renderer.enable_depth_rendering()
        distances = renderer.render()
        renderer.enable_segmentation_rendering()
        return colours, distances, renderer.render()


def draw_all(jobs):
    """The images of a list of jobs (arguments of draw) by MuJoCo."""
    with tempfile.TemporaryDirectory() as folder:
        files = [os.path.join(folder, name) for name in ("jobs", "images")]
        with open(files[0], "wb") as f:
            pickle.dump(jobs, f)
        subprocess.run([sys.executable, "-c", _CHILD, *files, os.path.dirname(__file__)], check=True,
                       env={**os.environ, "MUJOCO_GL": "osmesa"})
        with open(files[1], "rb") as f:
            return pickle.load(f)
