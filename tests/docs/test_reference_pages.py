"""The references of the site miss nothing: every public function of C, every public class and function of the Python modules."""

import ast
import pathlib
import re
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import reference_pages  # noqa: E402


@pytest.mark.parametrize("name", reference_pages.HEADERS)
def test_every_function_of_a_header_is_there_with_words(name):
    text, page = (ROOT / "include" / "sinew" / name).read_text(), reference_pages.c_page(name)
    functions = set(re.findall(r"^SN_API [^(;]*?(\w+)\(", text, flags=re.M))
    told = {found[0]: found[1].strip() for found in re.findall(r"^### (\w+)\n\n(.*?)\n```c", page, flags=re.M | re.S)}
    assert functions <= set(told)
    # functions that follow one another share the words above the first
    silent = [function for function in functions if not told[function]]
    assert len(silent) <= len(functions) / 3, silent


def test_no_header_is_forgotten():
    tables = {"enums.h", "types.h", "data.h", "model.h", "model_fields.h", "data_fields.h", "option_fields.h"}
    assert {path.name for path in (ROOT / "include" / "sinew").glob("*.h")} - tables == set(reference_pages.HEADERS)


@pytest.mark.parametrize("name", reference_pages.MODULES)
def test_every_class_and_function_of_a_module_is_there(name):
    path = ROOT / "python" / "sinew" / f"{name}.py"
    page = reference_pages.module_page(name, path)
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
            assert f"## {node.name}\n" in page


def test_enumerators_are_there():
    page = reference_pages.enums_page()
    for word in ("snDSBL_CONSTRAINT", "snJNT_HINGE", "snGEOM_MESH", "snSENS_TOUCH", "snINT_RK4"):
        assert f"| `{word}` |" in page
