#!/usr/bin/env python3
"""Steps per second on a GPU, by bench_gpu: the list of models, precisions and numbers of worlds below.

    gpu.py --sinew build/apps/sinew/sinew --bench build-gpu/bench_gpu --models FOLDER

Models are made on the fly as binary models in FOLDER, from what is there: ours, those of installed
packages, and those beside the repository; what is missing is named and left out. Without --sinew, FOLDER
holds them already (a machine without a network); without --bench they are made and nothing is run.
With --check all it does is look for a GPU.
"""

import argparse
import ctypes
import importlib.util
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "models"

# model, precision, numbers of worlds
RUNS = [
    ("humanoid", "single", (8192, 32768, 131072)),
    ("humanoid", "double", (8192, 32768)),
    ("three_humanoids", "single", (8192,)),
    ("arm", "single", (32768,)),
    ("hand", "single", (8192,)),
]

THREE = """<mujoco model="three humanoids"><option timestep="0.005"/>
  <asset><model name="humanoid" file="HUMANOID"/></asset>
  <worldbody><geom type="plane" size="10 10 .1"/>
    <frame pos="0 0 0"><attach model="humanoid" body="torso" prefix="a-"/></frame>
    <frame pos=".6 0 0"><attach model="humanoid" body="torso" prefix="b-"/></frame>
    <frame pos="0 .6 0"><attach model="humanoid" body="torso" prefix="c-"/></frame>
  </worldbody></mujoco>"""


def arm():
    """Seven hinges and two fingers, moved by position servos, without contacts."""
    body = "".join(
        f"<body pos='0 {side * 0.03} .1'><joint name='finger{side}' type='slide' axis='0 {side} 0' range='0 .04' limited='true'/>"
        "<geom type='box' size='.01 .01 .03' mass='.05'/></body>" for side in (-1, 1))
    for i in reversed(range(7)):
        body = (f"<body pos='0 0 {0.2 if i else 0.1}'><joint name='j{i}' axis='{i % 2} 0 {1 - i % 2}' range='-2.5 2.5'/>"
                f"<geom type='capsule' fromto='0 0 0 0 0 .2' size='{0.06 - 0.005 * i}'/>{body}</body>")
    servos = "".join(f"<position joint='j{i}' kp='{400 - 40 * i}' ctrlrange='-2.5 2.5'/>" for i in range(7))
    servos += "".join(f"<position joint='finger{side}' kp='100' ctrlrange='0 .04'/>" for side in (-1, 1))
    return f"""<mujoco model="arm"><compiler angle="radian"/><option integrator="implicitfast"/>
      <default><geom contype="0" conaffinity="0"/><joint damping="1" armature=".1"/></default>
      <worldbody>{body}</worldbody><actuator>{servos}</actuator></mujoco>"""


def package(name, *parts):
    spec = importlib.util.find_spec(name)
    path = pathlib.Path(spec.origin).parent.joinpath(*parts) if spec and spec.origin else None
    return path if path and path.is_file() else None


def sources():
    """{name: (path, what it is)}, or the text of a model in place of its path; None: not here."""
    humanoid = SHARED / "mujoco/humanoid/humanoid.xml"
    ours = not humanoid.is_file()
    if ours:
        humanoid = ROOT / "models" / "humanoid.xml"
    kind = "our humanoid, as MuJoCo's is not here" if ours else "MuJoCo's humanoid"
    hand = SHARED / "menagerie/shadow_hand/scene_right.xml"
    hand_kind = "shadow hand"
    if not hand.is_file():
        hand = package("gymnasium_robotics", "envs", "assets", "hand", "reach.xml")
        hand_kind = "shadow hand of gymnasium_robotics"
    return {
        "humanoid": (humanoid, kind),
        "three_humanoids": (THREE.replace("HUMANOID", str(humanoid)), f"three of them ({kind})"),
        "arm": (arm(), "seven hinges and two fingers, no contacts"),
        "hand": (hand, hand_kind),
    }


def make_models(sinew, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, (source, kind) in sources().items():
        target = folder / f"{name}.snb"
        target.unlink(missing_ok=True)
        if source is None:
            print(f"{name}: left out, the model is not here ({kind})")
            continue
        if isinstance(source, str):
            path = folder / f"{name}.xml"
            path.write_text(source)
            source = path
        done = subprocess.run([sinew, "compile", source, target], capture_output=True, text=True)
        print(f"{name}: {kind}" if done.returncode == 0 else f"{name}: left out: {done.stderr.strip()}", flush=True)


def run(bench, folder):
    arguments = []
    for name, precision, sizes in RUNS:
        path = folder / f"{name}.snb"
        if path.is_file():
            arguments += [f"--{precision}", *(word for n in sizes for word in ("--worlds", str(n))), str(path)]
    return subprocess.run([bench, *arguments]).returncode


def check():
    """Ends the program when there is no GPU."""
    count = ctypes.c_int()
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        sys.exit("bench-gpu: no NVIDIA driver is installed (libcuda.so.1)")
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)) or not count.value:
        sys.exit("bench-gpu: no NVIDIA GPU is available")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sinew", type=pathlib.Path, help="the program, to compile models")
    parser.add_argument("--bench", type=pathlib.Path, help="bench_gpu")
    parser.add_argument("--models", type=pathlib.Path, default=ROOT / "build-gpu" / "models", help="folder of the binary models")
    parser.add_argument("--check", action="store_true", help="is there a GPU?")
    options = parser.parse_args()
    if options.check:
        check()
    if options.sinew:
        make_models(options.sinew, options.models)
    if options.bench:
        sys.exit(run(options.bench, options.models))


if __name__ == "__main__":
    main()
