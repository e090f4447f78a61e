"""What the package says of itself is said once, in the same words, wherever it is said."""

import pathlib
import re

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_versions_and_descriptions_agree():
    project, cmake = (ROOT / "pyproject.toml").read_text(), (ROOT / "CMakeLists.txt").read_text()
    version = re.search(r'^version = "(.*)"$', project, re.MULTILINE)[1]
    assert f"project(sinew VERSION {version} " in cmake
    assert f'#define SN_VERSION "{version}"' in (ROOT / "include" / "sinew" / "types.h").read_text()
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text()
    description = re.search(r'^description = "(.*)"$', project, re.MULTILINE)[1]
    assert f'DESCRIPTION "{description}"' in cmake
    assert (ROOT / "README.md").read_text().startswith(f"# Sinew\n\n{description}.\n")


def test_the_version_is_mujocos():
    """Programs compare it with what they need of MuJoCo."""
    assert sinew.__version__ == "3.5.0"
