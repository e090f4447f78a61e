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

# tests that fail, each with the reason
KNOWN = {
    "bindings_test.py": {},
    "specs_test.py": {},
    "rollout_test.py": {},
    "msh2obj_test.py": {},
    "minimize_test.py": {},
}


@pytest.mark.parametrize("name", KNOWN)
def test_reference_tests(name, tmp_path):
    if not (FOLDER / name).exists():
        pytest.skip("the installed wheel has no tests")
    # the tests look for their files in the package
    package = tmp_path / "lib" / "sinew"
    shutil.copytree(pathlib.Path(sinew.__file__).parent, package)
    shutil.copytree(FOLDER / "testdata", package / "testdata")
    command = [sys.executable, "-m", "sinew.standin", "-m", "pytest", "-q", "-rf", "--tb=no", "-p", "no:cacheprovider",
               "--import-mode=importlib", f"--rootdir={tmp_path}", str(FOLDER / name)]
    environment = dict(os.environ, PYTHONPATH=str(package.parent), COLUMNS="200")
    output = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment).stdout
    passed = re.search(r"(\d+) passed", output)
    assert passed, output[-2000:]
    failed = set(re.findall(r"^FAILED \S+::(\w+)", output, re.M))
    assert failed <= set(KNOWN[name]), failed - set(KNOWN[name])
    assert int(passed[1]) >= 1
