"""Images: processor time of one, Sinew beside MuJoCo on OSMesa with one thread.

    render.py [--out FOLDER]

Each side draws in a process of its own: the least time of several images, the update of the scene included.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys

import scenes

HUMANOID = str(scenes.ROOT / "models" / "humanoid.xml")
ARM = str(scenes.ROOT / "models" / "arm.xml")
SPHERES = "".join(f'<geom size=".05" pos="{i % 20 / 10 - 1} {i // 20 / 10 - 1} .1"/>' for i in range(400))
FLOOR = '<geom type="plane" size="0 0 .1"/>'
WORLD = '<mujoco><statistic extent="2"/><worldbody><light pos="0 0 3"/>{}</worldbody></mujoco>'

# name: model, width, height, samples
IMAGES = {
    "humanoid 640 x 480, 4 samples": (HUMANOID, 640, 480, 4),
    "humanoid 640 x 480": (HUMANOID, 640, 480, 0),
    "humanoid 64 x 64": (HUMANOID, 64, 64, 0),
    "arm 640 x 480, 4 samples": (ARM, 640, 480, 4),
    "400 spheres 640 x 480": (WORLD.format(FLOOR + SPHERES), 640, 480, 0),
    "floor alone 640 x 480": (WORLD.format(FLOOR), 640, 480, 0),
}

CHILD = """
import json, sys, time
module = __import__(sys.argv[1])
found = {}
for name, (model, width, height, samples) in json.loads(sys.argv[2]).items():
    m = (module.MjModel.from_xml_string if "<" in model else module.MjModel.from_xml_path)(model)
    m.vis.quality.offsamples = samples
    d = module.MjData(m)
    module.mj_forward(m, d)
    renderer, best = module.Renderer(m, height, width), 1e9
    for _ in range(int(sys.argv[3])):
        start = time.process_time()
        renderer.update_scene(d)
        renderer.render()
        best = min(best, time.process_time() - start)
    found[name] = best
    renderer.close()
print(json.dumps(found))
"""


def measure(module, repeats):
    """Seconds of processor time by image; None where the module cannot draw."""
    environment = {**os.environ, "MUJOCO_GL": "osmesa", "LP_NUM_THREADS": "0"}
    result = subprocess.run([sys.executable, "-c", CHILD, module, json.dumps(IMAGES), str(repeats)],
                            capture_output=True, text=True, env=environment)
    if result.returncode and module == "sinew":
        raise RuntimeError(result.stderr)
    return json.loads(result.stdout) if result.returncode == 0 else None


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--repeats", type=int, default=8)
    arguments = parser.parse_args()
    ours, theirs = (measure(module, arguments.repeats) for module in ("sinew", "mujoco"))
    print(f"{'image':32} {'sinew':>10} {'OSMesa':>10} {'ratio':>7}")
    for name, seconds in ours.items():
        other = theirs and theirs[name]
        print(f"{name:32} {1e3 * seconds:7.1f} ms " +
              (f"{1e3 * other:7.1f} ms {other / seconds:7.2f}" if other else "   absent"))
    if arguments.out:
        arguments.out.mkdir(parents=True, exist_ok=True)
        (arguments.out / "render.json").write_text(json.dumps({"sinew": ours, "osmesa": theirs}, indent=1))


if __name__ == "__main__":
    main()
