#!/usr/bin/env python3
"""Steps per second on a GPU, by bench_gpu, under the protocol of the field (see bench/gpu.c): 1000 steps
from keyframe 0, small noise on the controls, contacts, rows and solver iterations beside each figure; then images per
second of worlds that have fallen.

    gpu.py --sinew build/apps/sinew/sinew --bench build-gpu/bench_gpu --models FOLDER
    gpu.py ... --only humanoid g1 --worlds 1 64 1024 --call 1 --precision double

Models are made on the fly as binary models in FOLDER, from those beside the repository; what is missing
is named and left out. Without --sinew, FOLDER holds them already (a machine without a network); without
--bench they are made and nothing is run. With --check all it does is look for a GPU.
"""

import argparse
import ctypes
import importlib.util
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SHARED = ROOT.parent / "shared" / "models"

# model, precision, numbers of worlds, steps of a call
RUNS = [
    ("humanoid", "single", (1, 64, 1024, 8192, 32768, 131072), 100),
    ("humanoid", "single", (8192,), 1),  # as a learning loop does
    ("humanoid", "double", (8192,), 100),
    ("three_humanoids", "single", (8192,), 100),
    ("g1", "single", (8192,), 100),
    ("hand", "single", (8192,), 100),
    ("franka", "single", (32768,), 100),
    ("quadruped", "single", (8192,), 100),
    ("reach", "single", (8192,), 100),
    ("muscle_arm", "single", (32768,), 100),
    ("flag", "single", (256,), 20),
    ("cloth", "single", (1000,), 100),
]

# model, precision, numbers of worlds, pixels of a side: images per second
IMAGES = [("humanoid", "single", (8192,), 64)]


def package(name, *parts):
    spec = importlib.util.find_spec(name)
    path = pathlib.Path(spec.origin).parent.joinpath(*parts) if spec and spec.origin else None
    return path if path and path.is_file() else None


def sources():
    """{name: (path, what it is)}; the path is None, or of no file, where the model is not here."""
    humanoid = SHARED / "mujoco/humanoid/humanoid.xml"
    kind = "MuJoCo's humanoid"
    if not humanoid.is_file():
        humanoid, kind = ROOT / "models" / "humanoid.xml", "our humanoid, as MuJoCo's is not here"
    hand, hand_kind = SHARED / "menagerie/shadow_hand/scene_right.xml", "shadow hand"
    if not hand.is_file():
        hand = package("gymnasium_robotics", "envs", "assets", "hand", "reach.xml")
        hand_kind = "shadow hand of gymnasium_robotics"
    muscles = SHARED / "mujoco/tendon_arm/arm26.xml"
    if not muscles.is_file():
        muscles = ROOT / "models" / "arm.xml"
    return {
        "humanoid": (humanoid, kind),
        "three_humanoids": (SHARED / "gpu/three_humanoids/three_humanoids.xml", "three humanoids"),
        "g1": (SHARED / "gpu/g1/g1.xml", "Unitree G1 on a floor"),
        "hand": (hand, hand_kind),
        "franka": (SHARED / "gpu/franka/franka.xml", "Franka arm, no contacts"),
        "quadruped": (SHARED / "menagerie/google_barkour_vb/scene.xml", "Barkour quadruped, feet and body are meshes"),
        "reach": (ROOT / "bench/reach.xml", "WidowX arm whose fingers press on a table beside stones, all meshes"),
        "muscle_arm": (muscles, "arm of 2 joints and 6 muscles"),
        "flag": (SHARED / "mujoco/flex/flag.xml", "flex cloth, a flag"),
        "cloth": (ROOT / "tests/models/deform/drape.xml", "XPBD cloth of 20 x 20 vertices over a sphere"),
    }


def make_models(sinew, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, (source, kind) in sources().items():
        target = folder / f"{name}.snb"
        target.unlink(missing_ok=True)
        if source is None or not source.is_file():
            print(f"{name}: left out, the model is not here ({kind})")
            continue
        done = subprocess.run([sinew, "compile", source, target], capture_output=True, text=True)
        print(f"{name}: {kind}" if done.returncode == 0 else f"{name}: left out: {done.stderr.strip()}", flush=True)


def run(options):
    arguments = ["--steps", str(options.steps), "--noise", str(options.noise)]
    ran = set()
    for name, precision, sizes, call in RUNS:
        path = options.models / f"{name}.snb"
        if options.only and name not in options.only:
            continue
        if not path.is_file():
            print(f"{name}: left out, {path} is not there", flush=True)
            continue
        precision, sizes, call = options.precision or precision, options.worlds or sizes, options.call or call
        if (name, precision, tuple(sizes), call) in ran:  # the options have made two runs one
            continue
        ran.add((name, precision, tuple(sizes), call))
        arguments += [f"--{precision}", "--call", str(call)]
        arguments += [*(word for n in sizes for word in ("--worlds", str(n))), str(path)]
    for name, precision, sizes, side in IMAGES:
        path = options.models / f"{name}.snb"
        if path.is_file() and not (options.only and name not in options.only):
            arguments += ["--images", str(side), f"--{options.precision or precision}"]
            arguments += [*(word for n in options.worlds or sizes for word in ("--worlds", str(n))), str(path), "--images", "0"]
    return subprocess.run([options.bench, *arguments]).returncode


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
    parser.add_argument("--only", nargs="+", choices=list(dict.fromkeys(row[0] for row in RUNS)), help="these models")
    parser.add_argument("--worlds", nargs="+", type=int, help="numbers of worlds, in place of the list's")
    parser.add_argument("--precision", choices=("single", "double"), help="in place of the list's")
    parser.add_argument("--call", type=int, help="steps of a call, in place of the list's")
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--noise", type=float, default=0.01, help="of the controls, relative to half their range")
    options = parser.parse_args()
    if options.check:
        check()
    if options.sinew:
        make_models(options.sinew, options.models)
    if options.bench:
        sys.exit(run(options))


if __name__ == "__main__":
    main()
