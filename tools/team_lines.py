#!/usr/bin/env python3
"""Counts the lines of src/engine and src/math that run only where a team has more than one lane (base/team.h).

    team_lines.py [--list]          --list: the functions, by file

A line counts when a build for teams has code for it and a build for one lane has not, or when it lies in a function
that one lane cannot reach: the linker drops it when only public functions and those that other layers, the Python
package and the tests of one lane use are kept.
Two figures: lines with code, and lines of the functions from head to closing brace, without assertions.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
# without.c takes the place of deformables in a library that has none
SOURCES = sorted(path for path in [*ROOT.glob("src/engine/*/*.c"), *ROOT.glob("src/math/*.c")] if path.name != "without.c")
# page_text.c includes what only a build makes, and uses nothing of the engine
OTHERS = sorted(path for path in ROOT.glob("src/*/*.c")
                if path not in SOURCES and path.parts[-2] != "compat" and path.name != "page_text.c")
FLAGS = ["-std=c11", "-D_GNU_SOURCE", "-DSN_NO_DISPATCH", f"-I{ROOT}/include", f"-I{ROOT}/src", "-w"]


def run(command, **options):
    return subprocess.run(command, check=True, capture_output=True, text=True, **options).stdout


def coverage(task):
    """Lines with code and functions (name: file, first, last) of one source, of the engine's own files."""
    path, team, folder = task
    target = folder / f"{path.parts[-2]}_{path.stem}_{team}.o"
    run(["gcc", *FLAGS, *(["-DSN_TEAM_THREADS"] if team else []), "-O0", "-Dalways_inline=noinline", "--coverage", "-c", path, "-o", target])
    lines, functions = set(), {}
    report = json.loads(run(["gcov", "--json-format", "--stdout", target], cwd=folder))
    for file in report["files"]:
        name = os.path.relpath(file["file"], ROOT)
        if not name.startswith(("src/engine", "src/math")):
            continue
        lines |= {(name, line["line_number"]) for line in file["lines"]}
        for function in file["functions"]:
            functions[name, function["start_line"]] = (function["name"], function["end_line"])
    return lines, functions


def reachable(folder, pool):
    """Lines that a library for one lane keeps, by its debug information: (file, line)."""
    def compile_one(path):
        target = folder / f"{path.parts[-2]}_{path.stem}.o"
        unit = target.with_suffix(".c")  # debug information has the whole path of what is included
        unit.write_text(f'#include "{path}"\n')
        run(["gcc", *FLAGS, "-O1", "-gdwarf-4", "-fPIC", "-ffunction-sections", "-c", unit, "-o", target])
        return target
    objects = list(pool.map(compile_one, SOURCES))
    outside = list(pool.map(compile_one, [path for path in OTHERS if path.parts[-2] != "gpu"]))
    roots = set(re.findall(r"\b(sn[a-z]?_\w+)\b", "".join(p.read_text() for p in ROOT.glob("include/**/*.h"))))
    roots |= set(re.findall(r" U (\w+)", run(["nm", *outside])))
    users = [*ROOT.glob("src/compat/*.c"), *ROOT.glob("python/bindings/*.cc"), *ROOT.glob("tests/math/*.c")]
    roots |= set(re.findall(r"\b(sn[a-z]?_\w+)\b", "".join(path.read_text() for path in users)))
    script = folder / "roots"
    script.write_text("{ global: " + " ".join(f"{name};" for name in sorted(roots)) + " local: *; };")
    library = folder / "engine.so"
    run(["gcc", "-shared", "-o", library, "-Wl,--gc-sections", f"-Wl,--version-script={script}", *objects])
    lines, file = set(), ""
    first = int(re.search(r" \.text +PROGBITS +(\w+)", run(["readelf", "-SW", library]))[1], 16)
    for text in run(["objdump", "--dwarf=decodedline", library]).splitlines():
        if text.endswith(":"):
            file = os.path.relpath(text[:-1].removeprefix("CU: "), ROOT)
        elif (row := re.match(r"\S+ +(\d+) +(0x\w+)", text)) and int(row[2], 16) >= first:
            lines.add((file, int(row[1])))
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        lines, functions = [set(), set()], [{}, {}]
        for team in (0, 1):
            for found, names in pool.map(coverage, [(path, team, folder) for path in SOURCES]):
                lines[team] |= found
                functions[team].update(names)
        kept = reachable(folder, pool)
    only = lines[1] - lines[0]
    whole = collections.defaultdict(list)
    for (file, first), (name, last) in functions[1].items():
        if any((file, line) in kept for line in range(first, last + 1)):
            continue
        whole[file].append((first, last, name))
        only |= {(file, line) for line in range(first, last + 1) if (file, line) in lines[1]}
    text = {file: (ROOT / file).read_text().splitlines() for file in whole}

    def extent(file, first, last):
        return sum("SN_ASSERT" not in line for line in text[file][first - 1:last])

    extents = {file: sum(extent(file, first, last) for first, last, _ in items) for file, items in whole.items()}
    for file in sorted(extents, key=extents.get, reverse=True):
        print(f"{extents[file]:6} lines, {len(whole[file]):3} functions, {sum(f == file for f, _ in only):5} with code  {file}")
        if options.list:
            for first, last, name in sorted(whole[file]):
                print(f"           {extent(file, first, last):4} {name}")
    print(f"{sum(extents.values())} lines in {sum(map(len, whole.values()))} functions that only teams call; "
          f"{len(only)} lines with code that only teams run; "
          f"{len(lines[1])} lines with code in all")


if __name__ == "__main__":
    main()
