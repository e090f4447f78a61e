#!/usr/bin/env python3
"""Generates the Python bindings of plain structs, and the enums, from the public headers.

    python_structs.py OUT.cc ENUMS.py VISUAL.py
"""

import math
import pathlib
import re
import sys

import compat

import struct_tables

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
    lines = ["{", f'  nb::class_<{struct}> cls({where}, "{python}", nb::is_weak_referenceable(), nb::type_slots(attributeSlots()));']
    lines += [member(struct, name, kind, name, count) for kind, name, count in fields(block)]
    lines += [f"  finish<{struct}>(cls, {{{names}}});", "}"]
    return "\n".join("  " + line for line in lines)


def visual(text):
    """mjVisual is made of nameless structs: each becomes a class inside MjVisual."""
    block = re.search(r"struct snVisual_ \{(.*?)\n\};", text, re.S)[1]
    lines = ["  nb::class_<snVisual> visual(module, \"MjVisual\", nb::is_weak_referenceable());", "  nb::list parts;"]
    for part, name in re.findall(r"struct \{(.*?)\n  \} (\w+);", block, re.S):
        shown = {"global": "global_"}.get(name, name)
        alias = f"Visual_{name}"
        lines.append(f"  using {alias} = decltype(snVisual::{name});")
        lines.append(bind_struct(alias, name.capitalize(), part, "visual"))
        lines.append(f'  visual.def_prop_ro("{shown}", [](snVisual& self) {{ return &self.{name}; }}, '
                     "nb::rv_policy::reference_internal);")
        lines.append(f'  parts.append("{shown}");')
    lines.append("  finishValue(visual, parts);")
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


CODES = {"int": "i4", "uint32_t": "u4", "float": "f4", "mjtNum": "f8", "mjtByte": "u1"}


def visual_field(kind, name, dimensions):
    """One field as an entry of a NumPy dtype; the last dimension of characters is their length."""
    shape = tuple(int(n) for n in re.findall(r"\d+", dimensions))
    if kind == "char":
        return (name, f"S{shape[-1]}", shape[:-1]) if shape[:-1] else (name, f"S{shape[-1]}")
    if (kind, name, shape) == ("float", "mat", (9,)):
        shape = (3, 3)
    return (name, CODES[kind], shape) if shape else (name, CODES[kind])


def scene_field(kind, pointer, name, dimensions):
    """One field of a scene: pointers are addresses, structs stand by their names."""
    if pointer:
        return (name, "u8")
    if kind not in CODES:
        return (name, "M" + kind[1:], tuple(int(n) for n in re.findall(r"\d+", dimensions)))
    return visual_field(kind, name, dimensions)


def visual_structs():
    """The plain structs of visualisation as NumPy dtypes, and the buffers of a scene."""
    text = compat.visual_types() + compat.render_types()
    text = plain_bounds(text)
    structs, buffers, layouts = {}, {}, {}
    for struct, block in re.findall(r"struct (mj\w+)_ \{(.*?)\n\};", text, re.S):
        members = re.findall(r"^\s*(\w+)(\*?) (\w+)((?:\[\d+\])*);", block, re.M)
        plain = [visual_field(k, n, d) for k, pointer, n, d in members if not pointer and k in {*CODES, "char"}]
        structs["M" + struct[1:]] = plain
        if struct in ("mjvScene", "mjrContext"):
            layouts[struct] = [scene_field(*member) for member in members]
        if struct == "mjvScene":
            buffers = {n: CODES[k] for k, pointer, n, _ in members if pointer and k in CODES and n != "geomorder"}
    lines = ['"""Structs of visualisation as NumPy dtypes. Generated from the C headers."""', "", "STRUCTS = {"]
    lines += [f"    {name!r}: {plain!r}," for name, plain in structs.items()]
    return "\n".join(lines + ["}", f"SCENE_BUFFERS = {buffers!r}",
                              "# every field; structs by name, pointers as numbers",
                              f"SCENE_LAYOUT = {layouts['mjvScene']!r}",
                              f"CONTEXT_LAYOUT = {layouts['mjrContext']!r}", ""])


def plain_bounds(text):
    """Array bounds as numbers: constants of the text and enumerators are replaced, products taken."""
    values = dict(re.findall(r"#define (mj\w+) (\d+)", text))
    values.update((name, str(value)) for _, members in enums() for name, value in members)
    values.update(constants())

    def bound(match):
        factors = [values.get(factor.strip(), factor) for factor in match[1].split("*")]
        return f"[{math.prod(int(factor) for factor in factors)}]"

    return re.sub(r"\[([^\]\[]+)\]", bound, text)


def main():
    text = struct_tables.plain_structs()
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
    for path, content in zip(sys.argv[1:], (code, "\n".join(lines), visual_structs())):
        path = pathlib.Path(path)
        if not path.exists() or path.read_text() != content:
            path.write_text(content)


main()
