#!/usr/bin/env python3
"""Checks the architecture: includes point downwards, engine sources stay freestanding."""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

# a layer may include itself and the layers named here
LAYERS = {
    "base": [],
    "math": ["base"],
    "model": ["base", "math"],
    "spec": ["base", "math", "model"],
    "asset": ["base", "math", "model", "spec"],
    "engine": ["base", "math", "model"],
    "compile": ["base", "math", "model", "spec", "asset", "engine"],
    "mjcf": ["base", "math", "model", "spec", "asset", "compile"],
    "gpu": ["base", "math", "model", "engine"],
    "batch": ["base", "math", "model", "engine", "gpu"],
    "visual": ["base", "math", "model", "engine"],
    "compat": ["visual", "base", "math", "model", "spec", "asset", "engine", "compile", "mjcf", "batch"],
}

# the engine and the maths run anywhere: no heap, no files; but for a helper that allocates for the
# caller of the box solver, as in MuJoCo's interface
FREESTANDING = ("engine", "math")
ALLOWED = {"math/boxqp.c": "snu_malloc"}
FORBIDDEN = re.compile(r"\b(malloc|calloc|realloc|snu_malloc|fopen|printf|fprintf)\s*\(")


def problems():
    for path in sorted((ROOT / "src").rglob("*.[ch]")):
        layer = path.relative_to(ROOT / "src").parts[0]
        if layer not in LAYERS:
            continue
        lines = path.read_text().splitlines()
        for number, line in enumerate(lines, 1):
            place = f"{path.relative_to(ROOT)}:{number}"
            match = re.match(r'#include "(\w+)/', line)
            target = match and match[1]
            if target in LAYERS and target != layer and target not in LAYERS[layer]:
                yield f"{place}: {layer} includes {target}"
            taken = FORBIDDEN.search(line.split("//")[0]) if layer in FREESTANDING else None
            if taken and taken[1] != ALLOWED.get(str(path.relative_to(ROOT / "src"))):
                yield f"{place}: heap or files in {layer}"
        if len(lines) > 1200:
            yield f"{path.relative_to(ROOT)}: longer than 1200 lines"


found = list(problems())
print("\n".join(found) or "layers: sound")
sys.exit(bool(found))
