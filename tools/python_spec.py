#!/usr/bin/env python3
"""Generates the tables of fields of the editable model for the Python bindings from spec.h.

    python_spec.py OUT.cc
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

SCALARS = {"int": "INT", "double": "DOUBLE", "float": "FLOAT", "snByte": "BYTE", "snSize": "SIZE", "snReal": "DOUBLE",
           "snsOrientation": "ORIENTATION", "snsPlugin": "PLUGIN", "snsCompiler": "COMPILER", "snLROpt": "LROPT",
           "snOption": "OPTION", "snVisual": "VISUAL", "snStatistic": "STATISTIC"}
ARRAYS = {"int": "INTS", "double": "DOUBLES", "float": "FLOATS", "snReal": "DOUBLES", "char": "CHARS"}
POINTERS = {"snString": "STRING", "snStringVec": "STRINGVEC", "snByteVec": "BYTEVEC", "snIntVec": "INTVEC",
            "snIntVecVec": "INTVECVEC", "snFloatVec": "FLOATVEC", "snFloatVecVec": "FLOATVECVEC",
            "snDoubleVec": "DOUBLEVEC"}


def kind_of(kind, pointer, count):
    """Kind of a field and the enum or class that its values belong to."""
    if pointer:
        return (POINTERS[kind], "") if kind in POINTERS else ("DUMMY", "Mjs" + kind[3:])
    if count:
        return ARRAYS[kind], ""
    return (SCALARS[kind], "") if kind in SCALARS else ("ENUM", "mjt" + kind[2:])


def table(struct, block):
    lines = [f"static const Field k{struct}Fields[] = {{"]
    for kind, pointer, name, count in re.findall(r"^\s*(\w+)(\*?) (\w+)(?:\[(\d+)\])?;", block, re.M):
        if name == "element" or struct == "snsElement":
            continue
        what, values = kind_of(kind, pointer, count)
        lines.append(f'    {{"{name}", offsetof({struct}, {name}), Kind::{what}, {count or 0}, "{values}"}},')
    return "\n".join(lines + ["};", ""])


def main():
    text = (ROOT / "include/sinew/spec.h").read_text()
    blocks = [b for b in re.findall(r"struct (\w+)_ \{(.*?)\n\};", text, re.S) if b[0] != "snsElement"]
    code = '// Generated from spec.h.\n\n#include "spec.h"\n\n'
    code += "\n".join(table(*b) for b in blocks)
    code += "\n// clang-format off\n"
    for struct, _ in blocks:
        code += f"template <> FieldTable fieldsOf<{struct}>() {{ return {{k{struct}Fields, std::size(k{struct}Fields)}}; }}\n"
    path = pathlib.Path(sys.argv[1])
    if not path.exists() or path.read_text() != code:
        path.write_text(code)


main()
