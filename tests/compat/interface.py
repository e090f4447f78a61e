#!/usr/bin/env python3
"""Writes a program that states MuJoCo 3.5.0's public interface, for a compiler to check.

    interface.py TABLES c|c++ > interface.c

TABLES is the folder with functions.csv, structs.csv, model.csv, data.csv and enums.csv. Every
function is assigned to a pointer of its type, every field is compared with its type (C++: exactly;
C: as a pointer to it) and must follow the field before it, every enumerator with its value.
"""

import csv
import pathlib
import re
import sys

TABLES = pathlib.Path(sys.argv[1])
CPP = sys.argv[2] == "c++"
VARIADIC = {"mju_error", "mju_warning"}  # the tables leave the dots out


def table(name):
    with open(TABLES / f"{name}.csv") as file:
        return list(csv.DictReader(file))


def declarator(kind, name):
    """A declaration of name with a type as the tables write it, such as `float [4]`."""
    array = re.match(r"(.*?)((?:\s*\[[^\]]+\])+)$", kind)
    return f"{array[1]} {name}{array[2]}" if array else f"{kind} {name}"


def functions():
    for row in table("functions"):
        parameters = []
        for parameter in filter(None, (p.strip() for p in row["parameters"].split(";"))):
            parameter = parameter.rstrip("?")
            array = re.match(r"(.*?)((?:\s*\[[^\]]*\])+)\s*(\w+)$", parameter)
            parameters.append(f"{array[1]} {array[3]}{array[2]}" if array else parameter)
        if row["function"] in VARIADIC:
            parameters.append("...")
        text = ", ".join(parameters) or "void"
        yield f"{row['returns']} (*check_{row['function']})({text}) = {row['function']};"


def fields(struct, rows):
    previous = None
    for row in rows:
        name, kind = row["field"], row["type"]
        tag = f"{struct}_{name.replace('.', '_')}"
        if CPP:
            yield f"typedef {declarator(kind, 'T_' + tag)};"
            yield (f"static_assert(std::is_same_v<decltype((({struct}*)0)->{name}), T_{tag}>, "
                   f"\"type of {struct}.{name}\");")
        else:
            array = re.match(r"(.*?)((?:\s*\[[^\]]+\])+)$", kind)
            pointer = f"{array[1]} (*check_{tag}){array[2]}" if array else f"{kind} *check_{tag}"
            yield f"static inline void set_{tag}({struct}* s) {{ {pointer} = &s->{name}; (void)check_{tag}; }}"
        if previous:
            yield (f"{'static_assert' if CPP else '_Static_assert'}(offsetof({struct}, {previous}) < "
                   f"offsetof({struct}, {name}), \"order of {struct}.{name}\");")
        previous = name


def main():
    print("#include <stddef.h>\n#include <mujoco/mujoco.h>\n#include <mujoco/mjxmacro.h>")
    if CPP:
        print("#include <type_traits>")
        print('#pragma GCC diagnostic ignored "-Winvalid-offsetof"')
    keyword = "static_assert" if CPP else "_Static_assert"
    for row in table("enums"):
        print(f"{keyword}((int){row['name']} == {row['value']}, \"{row['name']}\");")
        print(f"static inline {row['enum']} value_{row['name']}(void) {{ return {row['name']}; }}"
              if not re.match(r"mjN[A-Z]|mjSTATE|mjtRay", row["name"]) else "")
    for struct, name in (("mjModel", "model"), ("mjData", "data")):
        print("\n".join(fields(struct, table(name))))
    structs = {}
    for row in table("structs"):
        structs.setdefault(row["struct"], []).append(row)
    for struct, rows in structs.items():
        print("\n".join(fields(struct, rows)))
    if CPP:
        print('extern "C" {')
    print("\n".join(functions()))
    if CPP:
        print("}")
    print("int main(void) { return 0; }")


main()
