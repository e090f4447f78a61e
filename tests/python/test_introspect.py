"""Modules of MuJoCo's package that describe its interface, and those in which it keeps its names."""

import dataclasses
import importlib
import subprocess
import sys

import mujoco  # noqa: F401
import pytest
from mujoco.introspect import ast_nodes as their_nodes
from mujoco.introspect import type_parsing as their_parsing

from sinew.introspect import ast_nodes, type_parsing


def described(node):
    """What a node says, whatever its class; sentences differ."""
    if dataclasses.is_dataclass(node):
        members = {each.name: described(getattr(node, each.name)) for each in dataclasses.fields(node) if each.name != "doc"}
        return type(node).__name__, members, None if isinstance(node, (ast_nodes.EnumDecl, their_nodes.EnumDecl)) else str_of(node)
    if isinstance(node, dict):
        return list(node.items())
    return tuple(map(described, node)) if isinstance(node, tuple) else node


def str_of(node):
    return node.decl() if hasattr(node, "decl") else str(node)


@pytest.mark.parametrize("module, table", [("enums", "ENUMS"), ("functions", "FUNCTIONS"), ("structs", "STRUCTS")])
def test_declarations_are_those_of_mujoco(module, table):
    """The same names with the same values, types, shapes and marks of what may be null; every function has a sentence."""
    theirs, ours = (getattr(importlib.import_module(f"{package}.introspect.{module}"), table) for package in ("mujoco", "sinew"))
    assert set(ours) == set(theirs)
    different = [name for name in theirs if described(ours[name]) != described(theirs[name])]
    assert not different
    assert all(each.doc for each in ours.values()) if table == "FUNCTIONS" else True


def test_shapes_by_name_are_those_of_mujoco():
    theirs, ours = (importlib.import_module(f"{package}.introspect.mjxmacro") for package in ("mujoco", "sinew"))
    assert ours.MJMODEL == theirs.MJMODEL and ours.MJDATA == theirs.MJDATA


TYPES = ["int", "const char *", "int * const *", "unsigned long long int", "int (*)[3]", "int [3][4]", "int *[3]", "int (*(*)[3])[2]",
         "int volatile * const volatile [2]", "float *restrict", "struct mjvFigure_", "unsigned int const", "", "int[", "void (int)",
         "int unsigned long long", "long int long", "short long", "unsigned signed int", "long char", "foo bar", "return",
         "long long long", "9a", "const"]


@pytest.mark.parametrize("text", TYPES)
def test_types_are_parsed_and_written_as_by_mujoco(text):
    answers = []
    for parsing in (their_parsing, type_parsing):
        try:
            answers.append(described(parsing.parse_type(text)))
        except ValueError:
            answers.append(None)
    assert answers[0] == answers[1]


@pytest.mark.parametrize("name", ["_callbacks", "_constants", "_enums", "_errors", "_functions", "_render", "_specs", "_structs"])
def test_parts_of_the_package_hold_the_same_names(name):
    theirs, ours = (importlib.import_module(f"{package}.{name}") for package in ("mujoco", "sinew"))
    absent = {each for each in dir(theirs) if not each.startswith("__")} - set(dir(ours))
    assert absent <= {"_recompile_spec_addr"}  # takes addresses of C++ objects


def test_stand_in_offers_both():
    script = ("import mujoco, mujoco._structs as s; from mujoco.introspect import functions, structs, enums\n"
              "m = mujoco.MjModel.from_xml_string('<mujoco/>')\n"
              "assert isinstance(m, s.MjModel) and isinstance(m.body(0), s._MjModelBodyViews)\n"
              "assert functions.__name__ == 'sinew.introspect.functions', functions.__name__\n"
              "print(functions.FUNCTIONS['mj_step'])")
    code = f"from sinew import standin; standin.install(); exec({script!r})"
    printed = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert printed.stdout == "void mj_step(const mjModel * m, mjData * d)\n", printed.stderr
