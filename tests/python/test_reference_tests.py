"""MuJoCo's own Python tests, where the installed wheel has them, run with Sinew standing in."""

import os
import pathlib
import re
import shutil
import subprocess
import sys

import mujoco
import pytest

import sinew

FOLDER = pathlib.Path(mujoco.__file__).parent

# files that run together
GROUPS = {name: [name + "_test.py"] for name in ("bindings", "specs", "rollout")} | {
    "others": [name + "_test.py" for name in ("msh2obj", "minimize", "render", "renderer", "viewer", "memory_leak")],
    "usd": ["usd/exporter_test.py"],
    "introspect": [f"introspect/{name}_test.py" for name in ("ast_nodes", "type_parsing", "enums", "functions", "structs")],
}
# what a group needs besides
NEEDS = {"usd": "pxr"}
# tests that fail, each with the reason
_SENTENCES = "compares sentences of documentation, which are our own; test_introspect.py compares all else"
KNOWN = {"introspect": {"test_mj_copyData": _SENTENCES, "test_mju_transformSpatial": _SENTENCES, "test_mjData": _SENTENCES,
                        "test_mjVisual": _SENTENCES, "test_mjuiItem": _SENTENCES}}


@pytest.mark.parametrize("name", GROUPS)
def test_reference_tests(name, tmp_path):
    files = [FOLDER / each for each in GROUPS[name] if (FOLDER / each).exists()]
    if not files:
        pytest.skip("the installed wheel has no tests")
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    # for a test in a folder that is no package, pytest would load the package around it
    files = [each if (each.parent / "__init__.py").exists() else shutil.copy(each, tmp_path) for each in files]
    # the tests look for their files in the package
    package = tmp_path / "lib" / "sinew"
    shutil.copytree(pathlib.Path(sinew.__file__).parent, package)
    shutil.copytree(FOLDER / "testdata", package / "testdata")
    command = [sys.executable, "-m", "sinew.standin", "-m", "pytest", "-q", "-rf", "--tb=no", "-p", "no:cacheprovider",
               "--import-mode=importlib", f"--rootdir={tmp_path}", *map(str, files)]
    environment = dict(os.environ, PYTHONPATH=str(package.parent), COLUMNS="200")
    output = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment).stdout
    passed = re.search(r"(\d+) passed", output)
    failed = set(re.findall(r"^FAILED \S+::(\w+)", output, re.M))
    assert passed, output[-2000:]
    assert failed <= set(KNOWN.get(name, ())), failed
