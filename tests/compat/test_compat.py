"""C and C++ programs in MuJoCo's interface, built against Sinew's compatibility headers."""

import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMPAT = ROOT / "tests" / "compat"
TABLES = ROOT.parent / "shared" / "reference" / "tables"
BUILD = ROOT / "build"
import samples

pytestmark = pytest.mark.skipif(
    not (BUILD / "src" / "compat" / "libsinew_mujoco.so").exists(), reason="the library is not built in build/")


@pytest.mark.parametrize("source", samples.SAMPLES, ids=lambda path: path.name)
def test_sample_prints_the_same(source, tmp_path):
    reference = samples.mujoco_flags()
    if not reference:
        pytest.skip("MuJoCo 3.5.0 has no headers here")
    ours = samples.run(source, samples.sinew_flags(BUILD), tmp_path)
    assert ours
    assert not samples.differences(ours, samples.run(source, reference, tmp_path))


@pytest.mark.parametrize("language", ["c", "c++"])
def test_interface(language, tmp_path):
    """Every function, field and enumerator of the tables has the type that they state."""
    if not TABLES.exists():
        pytest.skip("no tables of the interface")
    program = tmp_path / "interface"
    program.write_text(subprocess.run([sys.executable, COMPAT / "interface.py", TABLES, language],
                                      capture_output=True, text=True, check=True).stdout)
    standard = {"c": "c11", "c++": "c++20"}[language]
    checked = subprocess.run(["cc", f"-std={standard}", "-x", language, "-Werror=incompatible-pointer-types"
                              if language == "c" else "-Werror", *samples.sinew_flags(BUILD)[0],
                              "-fsyntax-only", program], capture_output=True, text=True)
    assert checked.returncode == 0, checked.stderr[:2000]
