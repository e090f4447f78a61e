"""What the package says of itself is said once, in the same words, wherever it is said."""

import importlib
import pathlib
import re
import tomllib

import sinew

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def test_versions_and_descriptions_agree():
    project, cmake = (ROOT / "pyproject.toml").read_text(), (ROOT / "CMakeLists.txt").read_text()
    version = re.search(r'^version = "(.*)"$', project, re.MULTILINE)[1]
    assert f"project(sinew VERSION {version} " in cmake
    assert f'#define SN_VERSION "{version}"' in (ROOT / "include" / "sinew" / "types.h").read_text()
    assert f"## {version}" in (ROOT / "CHANGELOG.md").read_text()
    description = re.search(r'^description = "(.*)"$', project, re.MULTILINE)[1]
    assert f'DESCRIPTION "{description}"' in cmake
    assert (ROOT / "README.md").read_text().startswith(f"# Sinew\n\n{description}.\n")
    assert sinew.sinew_version == version


def test_the_images_for_gpus_are_of_the_same_version():
    """The second distribution has the layout of structs of one version of the first."""
    gpu = tomllib.loads((ROOT / "python" / "gpu" / "pyproject.toml").read_text())["project"]
    assert gpu["version"] == PROJECT["version"]
    assert gpu["dependencies"] == [f"{PROJECT['name']}=={PROJECT['version']}"]
    module = (ROOT / "python" / "gpu" / "sinew_gpu" / "__init__.py").read_text()
    assert f'__version__ = "{PROJECT["version"]}"' in module


def test_console_scripts_are_functions_of_the_package():
    for name, place in PROJECT["scripts"].items():
        module, function = place.split(":")
        assert callable(getattr(importlib.import_module(module), function)), name


def test_extras_and_targets_that_the_pages_name_exist():
    makefile = (ROOT / "Makefile").read_text()
    targets = set(re.search(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)[1].split())
    for page in PAGES:
        text = page.read_text()
        named = set(re.findall(re.escape(PROJECT["name"]) + r"\[(\w+)\]", text))
        assert named <= set(PROJECT["optional-dependencies"]), page.name
        named = set(re.findall(r"(?:^|`)make ([a-z][a-z-]*)", text, re.MULTILINE))
        assert named <= targets, page.name


def test_models_come_with_the_package():
    for path in (ROOT / "models").glob("*.xml"):
        assert (pathlib.Path(sinew.MODELS_DIR) / path.name).read_text() == path.read_text()


def test_the_version_is_mujocos():
    """Programs compare it with what they need of MuJoCo."""
    assert sinew.__version__ == "3.5.0"
