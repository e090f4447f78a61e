#!/usr/bin/env python3
"""Compares MuJoCo and Sinew on the models of packages of the field.

    make test-field                        # every package of requirements-field.txt
    tests/field/sweep.py metaworld         # some of them
    tests/field/sweep.py --folder ~/models # a folder of one's own

Each package is installed without its dependencies into a folder of its own, build/field/NAME. Every MJCF and URDF file
in it is compiled by both; what both compile is compared field by field, then full steps are compared from twenty states
along MuJoCo's trajectory. Exits with 1 when a model differs. Files that are parts of others are refused by both
and not counted.
"""

import argparse
import json
import os
import pathlib
import re
import select
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
MODELS = re.compile(r"<(mujoco|robot)[\s>]")
LARGEST = 20 << 20  # bytes: larger files are no models


def packages():
    lines = (ROOT / "requirements-field.txt").read_text().splitlines()
    return [line.split("#")[0].strip() for line in lines if line.split("#")[0].strip()]


def install(name, build):
    folder = build / "field" / re.split("[=<>@ ]", name)[0]
    if not folder.is_dir():
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-compile"]
        if subprocess.run([*pip, "--target", folder, name], stdout=sys.stderr).returncode:
            print(f"{name}: cannot be installed here", file=sys.stderr)
            return None
    return folder


def model_files(folder):
    for path in sorted(folder.rglob("*")):
        if path.suffix.lower() not in (".xml", ".mjcf", ".urdf") or not path.is_file():
            continue
        if path.stat().st_size < LARGEST and MODELS.search(path.read_text(errors="replace")[:20000]):
            yield path


class Worker:
    """A process that compares files; another one takes over when it dies or takes too long."""

    def __init__(self, timeout):
        self.timeout, self.process = timeout, None

    def start(self):
        environment = {**os.environ, "PYTHONPATH": os.environ.get("PYTHONPATH", str(ROOT / "build" / "python"))}
        self.process = subprocess.Popen(
            [sys.executable, HERE / "compare.py"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True, env=environment)

    def stop(self):
        if self.process:
            self.process.kill()
            self.process.wait()
        self.process = None

    def compare(self, path):
        if not self.process:
            self.start()
        self.process.stdin.write(f"{path}\n")
        self.process.stdin.flush()
        ready, _, _ = select.select([self.process.stdout], [], [], self.timeout)
        line = self.process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)
        code = self.process.poll()
        self.stop()
        if not ready:
            return {"result": "timeout", "detail": f"more than {self.timeout} s"}
        return {"result": "died", "detail": f"the process ended ({code})"}


def sweep(name, folder, worker, limit):
    rows, told = [], []
    for number, path in enumerate(model_files(folder)):
        if limit and number >= limit:
            break
        answer = worker.compare(path)
        rows.append(answer)
        if answer["result"] not in ("equal", "refused") or answer.get("bad"):
            told.append((path.relative_to(folder), answer))
    return rows, told


def line(name, rows):
    count = {k: sum(r["result"] == k for r in rows) for k in ("equal", "differs", "refused", "timeout", "died")}
    moved = [r for r in rows if r["result"] == "equal" and r["states"]]
    states, bad = sum(r["states"] for r in moved), sum(r["bad"] for r in moved)
    return (f"{name:24} {count['equal'] + count['differs']:7} {count['equal']:7} {count['differs']:8} {len(moved):7} "
            f"{sum(not r['bad'] for r in moved):7} {bad:6} / {states:<6} {count['refused']:8} "
            f"{count['timeout'] + count['died']:8}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="*", help="default: all of requirements-field.txt")
    parser.add_argument("--folder", action="append", default=[], type=pathlib.Path, help="a folder with models")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--timeout", type=float, default=120, help="seconds for one file")
    parser.add_argument("--limit", type=int, default=0, help="files of a package, 0: all")
    arguments = parser.parse_args()
    names = arguments.packages or ([] if arguments.folder else packages())
    folders = [(name, install(name, arguments.build)) for name in names]
    folders += [(folder.name, folder.resolve()) for folder in arguments.folder]
    worker, every, differences = Worker(arguments.timeout), [], []
    print(f"{'':24} {'models':>7} {'equal':>7} {'compiled':>8} {'stepped':>7} {'equal':>7} {'states off':>15} "
          f"{'refused':>8} {'lost':>8}")
    print(f"{'':24} {'':7} {'':7} {'unequal':>8} {'':7} {'':7} {'':>15} {'by both':>8} {'(died)':>8}")
    for name, folder in folders:
        if folder is None:
            continue
        rows, told = sweep(name, folder, worker, arguments.limit)
        print(line(name, rows), flush=True)
        every += rows
        differences += [(name, *entry) for entry in told]
    worker.stop()
    print(line("all", every))
    for name, path, answer in differences:
        detail = answer.get("detail") or f"{answer['bad']} of {answer['states']} states, off by {answer['worst']:.1e}"
        print(f"  {name}/{path}: {answer['result']}: {detail[:300]}")
    return 1 if any(a["result"] == "differs" or a.get("bad") for _, _, a in differences) else 0


if __name__ == "__main__":
    sys.exit(main())
