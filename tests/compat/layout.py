#!/usr/bin/env python3
"""Writes a program that prints where every member of every public struct lies.

    layout.py FOLDER > layout.c

FOLDER has the generated headers (build/compat/mujoco). Compiled against them with -DOWN the program also
prints the members that MuJoCo does not have; without it, it compiles against MuJoCo's headers too.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import compat

# members that MuJoCo does not have, beside the rows of our own tables
OWN = {
    "mjModel": {"moved"},
    "mjData": {"callback", "status", "moved", "reserved", "crew", "refused", "calm", "slots"},
    "mjSpec": {"deformable_repeats", "xpbd_substeps", "xpbd_compliance"},
    "mjsActuator": {"gain_model", "gain_params"},
    "mjsWrap": {"friction", "angle", "inertia", "radius"},
    "mjsFlex": {"elasticity_model", "elasticity_param", "bending_model", "bending_param"},
    "mjsKey": {"deformpos", "deformvel"},
}
OWN_STRUCTS = {"mjCallbacks", "mjContactSolver", "mjsDeformable", "mjsHill"}
TABLES = {
    "mjModel": [("model_fields.h", "SN_OWN_MODEL_SIZES"), ("model_fields.h", "SN_OWN_MODEL_FIELDS")],
    "mjData": [("data_fields.h", "SN_OWN_DATA_ARENA"), ("data_fields.h", "SN_OWN_DATA_FIELDS"),
               ("data_fields.h", "SN_OWN_DATA_SCALARS")],
}


def own(struct):
    rows = {row[1 if "SIZES" in macro else 2] for table, macro in TABLES.get(struct, ())
            for row in compat.rows(table, macro)}
    return OWN.get(struct, set()) | rows


def flat(block):
    """The members of a block; those of structs with a name inside it as name.member."""
    inner = re.compile(r"(?:struct|union) \{([^{}]*)\}\s*(\w*);")
    while match := inner.search(block):
        prefix = match[2] + "." if match[2] else ""
        members = "".join(f"int {prefix}{name};\n" for name in flat(match[1]))
        block = block[:match.start()] + members + block[match.end():]
    names = re.findall(r"\(\*(\w+)\)\(|([\w.]+)\s*(?:\[[^\]]*\]\s*)*;", re.sub(r"//[^\n]*", "", block))
    return [function or member for function, member in names]


def structs(folder):
    text = "\n".join(path.read_text() for path in sorted(pathlib.Path(folder).glob("mj*.h")))
    for name, block in re.findall(r"struct (mj\w+?)_? \{(.*?)\n\}", text, re.S):
        if name not in OWN_STRUCTS and re.search(rf"\}} {name};|typedef struct {name}_? {name};", text):
            yield name, flat(block)


def main():
    print("#include <stddef.h>\n#include <stdio.h>\n#include <mujoco/mujoco.h>\n\nint main(void) {")
    for struct, members in structs(sys.argv[1]):
        print(f'  printf("{struct} sizeof %zu %zu\\n", sizeof({struct}), sizeof({struct}));')
        line = '  printf("{0} {1} %zu %zu\\n", offsetof({0}, {1}), sizeof((({0}*)0)->{1}));'
        print("\n".join(line.format(struct, name) for name in members if name not in own(struct)))
        print("#ifdef OWN")
        print("\n".join(line.format(struct, name) for name in members if name in own(struct)))
        print("#endif")
    print("  return 0;\n}")


if __name__ == "__main__":
    main()
