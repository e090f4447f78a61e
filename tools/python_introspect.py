#!/usr/bin/env python3
"""Writes the declarations of MuJoCo's C interface, as the compatibility headers have them, as Python data.

    python_introspect.py OUT

The package `sinew.introspect` makes its nodes from them. What is our own in the headers is left out.
"""

import pathlib
import pprint
import re
import sys

import compat

HEADERS = dict(compat.headers())
# the first definition of each: later ones are for devices
CONSTANTS = dict(reversed(re.findall(r"^#define (mj[A-Z]\w*) +([\w()+*]+) *(?://.*)?$", "".join(HEADERS.values()), re.M)))
# what MuJoCo does not have
OWN = set("""
    mjtDeformable mjtDeformConstraint mjtStatus mjENBL_LINEAR mjINT_IMPLICITSPRINGDAMPER mjSOL_XPBD mjDYN_HILL mjGAIN_HILL mjGAIN_MODEL
    mjBIAS_HILL mjBIAS_MODEL mjOBJ_DEFORMABLE mj_limitFilesVFS mj_losslessXML mj_saveLosslessXML mj_getXMLPrecision mj_setThreads
    mj_threads mjs_defaultHill mjs_setToHill mjContactSolver mjCallbacks mjsDeformable mjsHill
    mjSpec.deformable_repeats mjSpec.xpbd_substeps mjSpec.xpbd_compliance
    mjsFlex.elasticity_model mjsFlex.elasticity_param mjsFlex.bending_model mjsFlex.bending_param
    mjsWrap.friction mjsWrap.angle mjsWrap.inertia mjsWrap.radius mjsActuator.gain_model mjsActuator.gain_params
    mjsKey.deformpos mjsKey.deformvel""".split())
# structs that are members of another one only
INNER = {"mjuiItemSingle", "mjuiItemMulti", "mjuiItemSlider", "mjuiItemEdit"}
# a size of our own whose largest value is MuJoCo's
SIZES = {"niM": "nC"}


def without_own(text):
    """A header without the members behind those of MuJoCo, and without directives."""
    text = re.sub(r"\n  // our own.*?\n\};", "\n};", text, flags=re.S)
    return re.sub(r"^#(?:.*\\\n)*.*\n", "", text, flags=re.M)


TEXT = {name: without_own(text) for name, text in HEADERS.items()}


def number(text, names=CONSTANTS):
    """The value of a constant expression."""
    while "mj" in text:
        text = re.sub(r"\bmj\w+", lambda word: f"({names[word[0]]})", text)
    return int(eval(text, {"__builtins__": {}}))


def sentence(comment):
    return " ".join(" ".join(line.strip("/ ") for line in comment.splitlines()).split())


def spaced(kind):
    """A type with its stars and brackets apart: `const char * [3]`."""
    return " ".join(re.sub(r"(\*)", r" \1 ", kind).replace("[", " [").split()).replace("] [", "][")


def declarator(text):
    """(name, type) of a declaration."""
    base, name, brackets = re.fullmatch(r"(.*?)(\w+)((?:\[[^]]+\])*)", text.strip()).groups()
    extents = "".join(f"[{number(each)}]" for each in re.findall(r"\[([^]]+)\]", brackets))
    return name, spaced(base + extents)


def enums():
    found = []
    for name, body in re.findall(r"typedef enum (\w+)_ \{(.*?)\}", "".join(TEXT.values()), re.S):
        values, last = {}, -1
        for entry in filter(str.strip, re.sub(r"//.*", "", body).split(",")):
            word, _, text = map(str.strip, entry.partition("="))
            last = number(text, {**CONSTANTS, **values}) if text else last + 1
            values[word] = last
        CONSTANTS.update((word, str(each)) for word, each in values.items())
        if name not in OWN:
            found.append((name, [entry for entry in values.items() if entry[0] not in OWN]))
    return found


def functions():
    found = []
    pattern = r"((?://[^\n]*\n)*)MJAPI ([\w *]+?)\b(mj\w+)\(([^;]*?)\);"
    for comment, returns, name, parameters in re.findall(pattern, TEXT["mujoco"]):
        if name in OWN or "(*" in parameters:  # no node describes a function as a parameter
            continue
        doc = sentence(comment)
        nullable = set(re.findall(r"\w+", "".join(re.findall(r"Nullable: ([^.]*)\.", doc))))
        words = [each for each in " ".join(parameters.split()).split(", ") if each not in ("void", "...")]
        listed = map(declarator, words)
        found.append((name, spaced(returns), [(each, kind, each in nullable) for each, kind in listed], doc))
    return found


def extents():
    """Shapes of the arrays of model and data by the X macros."""
    shapes = {}
    for name, rows, columns in re.findall(r"X(?:NV)?\( \w+, (\w+), ([^,]+), (.*?) \)", HEADERS["mjxmacro"]):
        sizes = [re.sub(r"MJ_[MD]\((\w+)\)", lambda size: SIZES.get(size[1], size[1]), each.strip()) for each in (rows, columns)]
        shapes.setdefault(name, tuple(int(each) if each.isdigit() else each for each in sizes if each != "1"))
    return shapes


def closing(text, at):
    """Where the brace that was opened before a place is closed."""
    depth = 1
    while depth:
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        at += 1
    return at


def members(text):
    """(name, type or group, doc, None) of each member of a struct."""
    opening = re.compile(r"\s*(?://[^\n]*\n\s*)*(struct|union) \{")
    plain = re.compile(r"\s*((?://[^\n]*\n\s*)*)([^;{}]+);[ \t]*(?://([^\n]*(?:\n[ \t]+//[^\n]*)*))?")
    found, at = [], 0
    while True:
        if group := opening.match(text, at):
            end = closing(text, group.end())
            name = re.compile(r"\s*(\w*)\s*;[^\n]*").match(text, end)
            found.append((name[1], (group[1], members(text[group.end():end - 1])), "", None))
            at = name.end()
        elif match := plain.match(text, at):
            first, *others = " ".join(match[2].split()).split(", ")
            base = re.match(r"[^*\[]*[ *]", first)[0]
            for each in (first, *(base + other for other in others)):
                found.append((*declarator(each), sentence(match[3] or match[1]), None))
            at = match.end()
        else:
            return found


def structs():
    found, shapes = [], extents()
    for header in ("mjmodel", "mjthread", "mjdata", "mjspec", "mjvisualize", "mjplugin", "mjrender", "mjui"):
        for start in re.finditer(r"^(?:typedef )?struct (mj(?!p)(?!Resource)\w+)_ \{\n", TEXT[header], re.M):
            name, end = start[1], closing(TEXT[header], start.end())
            if name in OWN | INNER:
                continue
            fields = [row for row in members(TEXT[header][start.end():end - 1]) if f"{name}.{row[0]}" not in OWN]
            if name in ("mjModel", "mjData"):
                fields = [(*row[:3], shapes.get(row[0]) if "*" in row[1] else None) for row in fields]
            found.append((name, f"struct {name}_", fields))
    return found


def main():
    lines = ['"""Generated by tools/python_introspect.py from the headers."""', ""]
    for name, rows in (("ENUMS", enums()), ("FUNCTIONS", functions()), ("STRUCTS", structs())):
        lines += [f"{name} = {pprint.pformat(rows, width=140, compact=True)}", ""]
    pathlib.Path(sys.argv[1]).write_text("\n".join(lines))


if __name__ == "__main__":
    main()
