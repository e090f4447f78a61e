#!/usr/bin/env python3
"""Programs written for MuJoCo, built unchanged against Sinew and against MuJoCo 3.5.0.

    samples.py BUILD

BUILD is a build folder of Sinew. MuJoCo's headers and library come from its Python wheel when one is
installed for this interpreter; without it the programs are only built and run against Sinew. What
they print must agree: words exactly, numbers to a relative 1e-6.
"""

import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

HERE = pathlib.Path(__file__).resolve().parent
SAMPLES = sorted([*(HERE / "samples").glob("*.c"), *(HERE / "samples").glob("*.cc")])


def sinew_flags(build):
    library = pathlib.Path(build).resolve() / "src" / "compat"
    return [f"-I{library.parents[1] / 'compat'}"], [f"-L{library}", "-lsinew_mujoco", f"-Wl,-rpath,{library}"]


def mujoco_flags():
    """Flags for the wheel's headers and library; None when there is none of version 3.5.0."""
    spec = importlib.util.find_spec("mujoco")
    if not spec or not spec.origin:
        return None
    folder = pathlib.Path(spec.origin).parent
    library = folder / "libmujoco.so.3.5.0"
    return (["-isystem", str(folder / "include")], [str(library), f"-Wl,-rpath,{folder}"]) if library.exists() else None


def run(source, flags, folder):
    """Output of a program, compiled without warnings."""
    language = ["c++", "-std=c++20"] if source.suffix == ".cc" else ["cc", "-std=c11", "-D_DEFAULT_SOURCE"]
    program = pathlib.Path(folder) / source.stem
    built = subprocess.run([*language, "-Wall", "-Wextra", "-Werror", *flags[0], str(source), "-o", str(program),
                            *flags[1], "-lm", "-lpthread"], capture_output=True, text=True)
    if built.returncode:
        raise RuntimeError(f"{source.name} does not build\n{built.stderr[:2000]}")
    result = subprocess.run([str(program)], cwd=folder, capture_output=True, text=True, timeout=600)
    if result.returncode:
        raise RuntimeError(f"{source.name} ended with {result.returncode}\n{result.stdout}{result.stderr}")
    return result.stdout


def number(word):
    return float(word) if re.fullmatch(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", word) else None


def differences(ours, theirs, tolerance=1e-6):
    """Lines that differ by more than the tolerance."""
    found = []
    a, b = ours.splitlines(), theirs.splitlines()
    for line in range(max(len(a), len(b))):
        x, y = (lines[line].split() if line < len(lines) else [] for lines in (a, b))
        same = len(x) == len(y)
        for left, right in zip(x, y):
            p, q = number(left), number(right)
            if p is None or q is None:
                same = same and left == right
            else:
                same = same and abs(p - q) <= tolerance * max(1, abs(p), abs(q))
        if not same:
            found.append(f"line {line + 1}: {' '.join(x)} | {' '.join(y)}")
    return found


def compare(source, reference):
    """Output with Sinew, and the lines of it that differ from MuJoCo's."""
    with tempfile.TemporaryDirectory() as folder:
        ours = run(source, sinew_flags(sys.argv[1]), folder)
    with tempfile.TemporaryDirectory() as folder:
        return ours, differences(ours, run(source, reference, folder)) if reference else []


def main():
    reference = mujoco_flags()
    failed = 0
    with ThreadPoolExecutor(2) as workers:
        results = workers.map(lambda source: compare(source, reference), SAMPLES)
        for source, (ours, found) in zip(SAMPLES, results):
            failed += bool(found) or not ours
            print(f"{source.name}: {'differs' if found else 'ok'}", *found[:10], sep="\n  ")
    if not reference:
        print("MuJoCo 3.5.0 is not installed: nothing to compare with")
    return failed


if __name__ == "__main__":
    sys.exit(main())
