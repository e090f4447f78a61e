#!/usr/bin/env python3
"""Writes the generated pages of docs/, or checks that they are up to date.

    docs.py [--check] SCHEMA_PAGE

docs/fields.md comes from the field tables, docs/mjcf.md from the program SCHEMA_PAGE, which prints the table of the
reader, and the words of tools/mjcf_meanings.txt, docs/versions.md from the table of changes of the language.
"""

import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mjcf_page  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
STAGES = "STATE, POS, VEL, ACC: the stage of a step that writes the field; COMPILE: the compiler; " \
         "CONST: `sn_setConst`."


def tables(path):
    """(macro, rows) of a header; a row is a list of arguments, its meaning last."""
    text = (ROOT / "include" / "sinew" / path).read_text()
    for macro, block in re.findall(r"#define (SN_\w+)\(X.*?\) \\\n((?:.*\\\n)*.*\n)", text):
        rows = []
        for line in block.splitlines():
            row = re.match(r'\s*[XA]\((.*?),\s*"(.*)"\)', line)
            if row:
                rows.append([part.strip() for part in re.split(r",\s*(?![^(]*\))", row[1])] + [row[2]])
        if rows:
            yield macro, rows


def shape(row):
    clean = [re.sub(r"SN_[MD]\((\w+)\)", r"\1", part) for part in row]
    return clean[2] if clean[3] == "1" else f"{clean[2]} x {clean[3]}"


def rule(text):
    return " |" if text == "FREE" else f" `{text}` |"


def rules():
    """The list of rules at the head of the table, as a code block."""
    text = (ROOT / "include" / "sinew" / "model_fields.h").read_text()
    lines = re.search(r"rule says what.*?:\n(.*?)// Sizes have", text, re.S)[1].splitlines()
    return ["", "The rules of the model's fields, which `src/model/validate.c` enforces:", "", "```text",
            *(line[5:] for line in lines), "```"]


def fields_page():
    lines = ["# Fields of the model and the data", "",
             "Generated from `include/sinew/model_fields.h` and `data_fields.h` by `make docs`.", "", STAGES, *rules()]
    for path, title in (("model_fields.h", "snModel"), ("data_fields.h", "snData")):
        for macro, rows in tables(path):
            lines += ["", f"## {title}: {macro}", ""]
            if macro.endswith("_MODEL_SIZES"):
                lines += ["| size | rule | meaning |", "|---|---|---|"]
                lines += [f"| `{name}` |{rule(text)} {meaning} |" for name, text, meaning in rows]
            elif macro.endswith(("_DATA_SCALARS", "_DATA_HANDLES")):
                lines += ["| type | name | count | meaning |", "|---|---|---|---|"]
                lines += [f"| {r[0]} | `{r[1]}` | {r[2] if len(r) == 4 else 1} | {r[-1]} |" for r in rows]
            else:
                ruled = macro.endswith("_MODEL_FIELDS")
                lines += ["| type | name | shape | stage | rule | meaning |", "|---|---|---|---|---|---|"] if ruled \
                    else ["| type | name | shape | stage | meaning |", "|---|---|---|---|---|"]
                lines += [f"| {r[0]} | `{r[1]}` | {shape(r)} | {r[4]} |{rule(r[5]) if ruled else ''} {r[-1]} |"
                          for r in rows]
    return "\n".join(lines) + "\n"


def unexplained():
    return [row[1] if len(row) > 2 else row[0] for path in ("model_fields.h", "data_fields.h")
            for _, rows in tables(path) for row in rows if not row[-1]]


VERSIONS = """# Versions of MuJoCo

Sinew has the language, the interface and the answers of MuJoCo 3.5.0. Files of later versions load as long as
they use nothing that came later; where they do, the error says which version brought it:

    XML Error: Schema violation: unrecognized attribute: 'adhesion'
    Element 'geom', line 7, file 'scene.xml'
    'adhesion' came with MuJoCo 3.11; this is the language of MuJoCo 3.5

What later versions removed still works here. Inside of a `frame` MuJoCo ignores attributes that it does not know;
Sinew ignores them with a warning.

## Files that load and mean something else

A model file does not say which version of MuJoCo it was written for. Some settings kept their spelling and changed
their meaning or their default, so such a file loads here without an error and behaves as in MuJoCo 3.5:

| setting | in MuJoCo 3.5 and here | later | what to do |
|---|---|---|---|
| `margin` and `gap` of geoms, pairs and flexes | a contact is listed below `margin` and pushes below `margin - gap` | from 3.9 on it is listed below `margin + gap` and pushes below `margin` | `<compiler sinew:margins="3.9"/>`, see below |
| `multiccd` | off: one contact for most pairs of convex shapes | from 3.8 on it is on | `<flag multiccd="enable"/>` |
| `sleep_tolerance` | 1e-4 | 1e-3 from 3.11 on | write the number into the file |
| `strippath` of URDF files | `true`: folders in names of meshes are dropped | `false` from 3.7 on | write it into the file |
| `sidesite` of a wrapping geom | where 3.5 puts the tendon | another rule from 4.0 on | compare with `sinew.compare` |

## Physics of an unchanged file

Of 401 models of MuJoCo's tests, its examples and robots of the Menagerie, 331 load in 3.5.0 and in 4.0.0. 290 of them have the
same forces and accelerations at rest, 239 after one step. What moved the others, by the version that did it:

| version | what gives other numbers | where it shows |
|---|---|---|
| 3.7 | `connect` and `weld` count the change of their own direction; bodies that turn about their centre of mass have another weight in contacts | closed chains in motion; wheels |
| 3.8 | several contacts for pairs of convex shapes | cylinders and meshes at rest on something |
| 3.9 | margins and gaps | models with a gap |
| 3.11 | `implicitfast` knows gyroscopic forces of free bodies; Newton stops earlier; ball servos take the nearest turn; trees sleep sooner | spinning bodies; last digits |
| 3.12 | contacts of boxes; children of mocap bodies do not touch them | piles of boxes |
| 3.13 | contacts of cylinders and of meshes on planes; elastic flexes refuse implicit integrators | |
| 3.14 | force sensors count welds and tendons; force limits of tendons act without a flag; axes of nearly round inertias | hands, grippers |
| 3.15 | `dampratio` uses the inertia that the actuator moves; contacts of capsules | servos by damping ratio |
| 3.16 | default classes of one kind of actuator no longer leak into another; stiffness of interpolated flexes | |
| 3.17 | ends of the solver scale with the present inertia; lines of elements bend | last digits |
| 4.0 | `RK4` turns bodies to fourth order; tendons choose their side by another rule; accelerometers on fixed bodies read gravity; other constants of flexes; servos that saturate add no damping | tendons around geoms, soft bodies |

Programs written for later versions meet other names: `mj_fullM(m, d, dst)` (3.10), no `data.qM` (3.11), `joint.stiffness` of a spec as
an array (3.7), `efc_diagA` in place of `efc_diagApprox` (3.10), a sparse `ten_J` (3.6), controls that are more than actuators
(3.11). Sinew has the names of 3.5.0.

To write a file that 3.5, Sinew and 4.0 all read, leave out `composite`, `flexvert`, `vertcollide`, `internal`, and edge
equalities by vertex.

## Margins as of MuJoCo 3.9

<!-- file scene.xml: <mujoco><worldbody><geom size="1" margin=".1" gap=".05"/></worldbody></mujoco> -->
```xml
<mujoco>
  <compiler sinew:margins="3.9"/>
  <include file="scene.xml"/>
</mujoco>
```

reads `margin` and `gap` of geoms, pairs, flexes and default classes as MuJoCo 3.9 and later do, here of a file that
need not be edited. The reader adds the gap to the margin, which gives the same contacts under the rule of 3.5; the
compiled model and a saved file therefore hold the numbers of 3.5. `sinew:margins="3.5"` is the default. A model that
is attached keeps the setting of its own file. Compared with MuJoCo 3.9.0 on the 12 models with gaps that we have, contacts and
rows are the same in ten. One has a contact more, inside of its gap, which MuJoCo finds from 3.11 on; the other sets
`<flag override="enable"/>`, under which the engine takes `o_margin` for every margin and follows 3.5.

## Changes by version

What changed up to 4.0; an element is given with its path below the root. Generated from `src/mjcf/versions.h` by
`make docs`.
"""
CHANGES = {"ADDED": "Came", "REMOVED": "Went", "OPTIONAL": "Became optional", "WIDENED": "Takes more values or names",
           "STRICTER": "Refuses what it took", "DEFAULT": "Another default", "MEANING": "Another meaning",
           "DEPRECATED": "Discouraged"}  # fmt: skip


def versions_page():
    """Changes by version and kind; attributes of an element that came with it are not listed."""
    text = (ROOT / "src" / "mjcf" / "versions.h").read_text()
    rows = re.findall(r'X\("(.*?)",\s+"(.*?)",\s+"(.*?)",\s+(\w+),\s+"(.*?)"\)', text)
    whole = {(element, version) for element, attribute, _, change, version in rows if change == "ADDED" and not attribute}
    lines = []
    for version in dict.fromkeys(row[4] for row in rows):
        lines += ["", f"### {version}", ""]
        for change, title in CHANGES.items():
            found = {}
            for element, attribute, keyword, kind, since in rows:
                inside = attribute and not keyword and change == "ADDED" and (element, since) in whole
                if kind == change and since == version and not inside:
                    word = f"`{attribute}={keyword}`" if keyword else f"`{attribute}`" if attribute else ""
                    found.setdefault(element, []).append(word)
            parts = [f"`{element}` {', '.join(filter(None, words))}".rstrip() for element, words in found.items()]
            if parts:
                lines.append(f"- {title}: {'; '.join(parts)}")
    return VERSIONS + "\n".join(lines) + "\n"


def main():
    check = "--check" in sys.argv
    schema = subprocess.run([sys.argv[-1]], check=True, capture_output=True, text=True).stdout
    mjcf, wrong = mjcf_page.page(schema) if schema else ("", [])  # nothing where a test looks at fields alone
    stale = [f"{name} has no meaning" for name in unexplained()] + wrong
    pages = [("fields.md", fields_page()), ("mjcf.md", mjcf)]
    if (ROOT / "src").is_dir():
        pages.append(("versions.md", versions_page()))
    for name, text in pages:
        path = ROOT / "docs" / name
        if check and (not path.exists() or path.read_text() != text):
            stale.append(f"docs/{name} is not up to date: make docs")
        elif not check:
            path.write_text(text)
    print("\n".join(stale) or "docs: up to date")
    return bool(stale)


sys.exit(main())
