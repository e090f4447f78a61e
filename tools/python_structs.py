#!/usr/bin/env python3
"""Generates the Python bindings of plain structs, and the enums, from the public headers.

    python_structs.py OUT.cc OUT.py
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
STRUCTS = ["snOption", "snStatistic", "snLROpt", "snContact", "snWarningStat", "snTimerStat", "snSolverStat"]


def fields(block):
    return re.findall(r"^\s*(\w+) (\w+)(?:\[(\d+)\])?;", block, re.M)


def member(struct, python_name, kind, name, count):
    if count:
        return f'  bindArray(cls, "{python_name}", &{struct}::{name});'
    return f'  cls.def_rw("{python_name}", &{struct}::{name});'


def bind_struct(struct, python, block, where="module"):
    names = ", ".join(f'"{name}"' for _, name, _ in fields(block))
    lines = ["{", f'  nb::class_<{struct}> cls({where}, "{python}");']
    lines += [member(struct, name, kind, name, count) for kind, name, count in fields(block)]
    lines += [f"  finish<{struct}>(cls, {{{names}}});", "}"]
    return "\n".join("  " + line for line in lines)


def visual(text):
    """mjVisual is made of nameless structs: each becomes a class inside MjVisual."""
    block = re.search(r"struct snVisual_ \{(.*?)\n\};", text, re.S)[1]
    lines = ["  nb::class_<snVisual> visual(module, \"MjVisual\");"]
    for part, name in re.findall(r"struct \{(.*?)\n  \} (\w+);", block, re.S):
        shown = {"global": "global_"}.get(name, name)
        alias = f"Visual_{name}"
        lines.append(f"  using {alias} = decltype(snVisual::{name});")
        lines.append(bind_struct(alias, name.capitalize(), part, "visual"))
        lines.append(f'  visual.def_prop_ro("{shown}", [](snVisual& self) {{ return &self.{name}; }}, '
                     "nb::rv_policy::reference_internal);")
    return "\n".join(lines)


def enums():
    text = (ROOT / "include/sinew/enums.h").read_text()
    for name, block in re.findall(r"typedef enum (\w+)_ \{(.*?)\n\}", text, re.S):
        members = re.findall(r"^\s*(sn\w+) = (-?\d+),", block, re.M)
        yield "mjt" + name[2:], [("mj" + member[2:], int(value)) for member, value in members]


def constants():
    text = (ROOT / "include/sinew/types.h").read_text()
    for name, value in re.findall(r"#define sn([A-Z]\w+) ([-\d.e]+)", text):
        yield "mj" + name, value


def main():
    text = (ROOT / "include/sinew/structs.h").read_text()
    parts = []
    for struct in STRUCTS:
        block = re.search(rf"struct {struct}_ \{{(.*?)\n\}};", text, re.S)[1]
        parts.append(bind_struct(struct, "Mj" + struct[2:], block))
    code = '// Generated from structs.h.\n\n#include "structs.h"\n\nvoid bindStructs(nb::module_& module) {\n'
    code += "\n".join(parts) + "\n" + visual(text) + "\n}\n"
    lines = ['"""Enums and constants. Generated from the public headers."""', "",
             "from sinew._enum import make_enum", ""]
    for name, members in enums():
        pairs = ", ".join(f"({member!r}, {value})" for member, value in members)
        lines.append(f"{name} = make_enum({name!r}, [{pairs}])")
    lines += [f"{name} = {value}" for name, value in constants()] + [""]
    for path, content in zip(sys.argv[1:], (code, "\n".join(lines))):
        path = pathlib.Path(path)
        if not path.exists() or path.read_text() != content:
            path.write_text(content)


main()
