#!/usr/bin/env python3
"""Checks the architecture: includes point downwards, engine sources stay freestanding, files and
functions stay short."""

import ast
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
    "render": ["base", "math", "model", "engine", "gpu", "batch", "visual"],
    "compat": ["visual", "render", "base", "math", "model", "spec", "asset", "engine", "compile", "mjcf", "batch"],
}

# the engine and the maths run anywhere: no heap, no files; but for a helper that allocates for the
# caller of the box solver, as in MuJoCo's interface
FREESTANDING = ("engine", "math")
ALLOWED = {"math/boxqp.c": "snu_malloc"}
FORBIDDEN = re.compile(r"\b(malloc|calloc|realloc|snu_malloc|fopen|printf|fprintf)\s*\(")


FILE_LINES, FUNCTION_LINES = 1200, 100


def long_functions(path, lines):
    """Functions outside of classes: from a line that ends in ") {" to a brace, both without indent."""
    start = None
    for number, line in enumerate(lines, 1):
        if re.match(r"[A-Za-z].*\) (const )?\{$", line):
            start = number
        elif line.startswith("}"):
            if start and number - start >= FUNCTION_LINES:
                yield f"{path.relative_to(ROOT)}:{start}: a function longer than {FUNCTION_LINES} lines"
            start = None


def long_python_functions(path):
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.FunctionDef) and node.end_lineno - node.lineno >= FUNCTION_LINES:
            yield f"{path.relative_to(ROOT)}:{node.lineno}: {node.name} is longer than {FUNCTION_LINES} lines"


def sizes():
    """Files and functions that are too long, in every folder."""
    for folder in ("apps", "bench", "include", "python", "src", "tests", "tools"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix not in (".c", ".cc", ".cu", ".h", ".py"):
                continue
            lines = path.read_text().splitlines()
            if len(lines) > FILE_LINES:
                yield f"{path.relative_to(ROOT)}: longer than {FILE_LINES} lines"
            yield from long_python_functions(path) if path.suffix == ".py" else long_functions(path, lines)


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


def unlisted_headers():
    """Headers of files that a unit of kernels includes, which must come before them, outside of namespaces."""
    for unit in ("src/render/kernel.cu", "src/gpu/step_kernel.cu"):
        includes = re.findall(r'^#include ["<](.*)[">]', (ROOT / unit).read_text(), re.M)
        for source in (path for path in includes if path.endswith(".c")):
            for header in re.findall(r'^#include ["<](.*)[">]', (ROOT / "src" / source).read_text(), re.M):
                if header not in includes and not header.startswith("sanitizer/"):
                    yield f"{unit}: {header} of {source} is not listed"
    for path in sorted((ROOT / "src/engine").rglob("*.c")):
        if re.search("^SN_STAGE ", path.read_text(), re.M) and str(path.relative_to(ROOT / "src")) not in includes:
            yield f"src/gpu/step_kernel.cu: {path.relative_to(ROOT)} has stages and is not listed"


found = list(problems()) + list(unlisted_headers()) + list(sizes())
print("\n".join(found) or "layers and sizes: sound")
sys.exit(bool(found))
