#!/usr/bin/env python3
"""Writes the generated pages of docs/, or checks that they are up to date.

    docs.py [--check] SCHEMA_PAGE

docs/fields.md comes from the field tables, docs/mjcf.md from the program SCHEMA_PAGE, which prints
the table of the reader.
"""

import pathlib
import re
import subprocess
import sys

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


def fields_page():
    lines = ["# Fields of the model and the data", "",
             "Generated from `include/sinew/model_fields.h` and `data_fields.h` by `make docs`.", "", STAGES]
    for path, title in (("model_fields.h", "snModel"), ("data_fields.h", "snData")):
        for macro, rows in tables(path):
            lines += ["", f"## {title}: {macro}", ""]
            if macro == "SN_MODEL_SIZES":
                lines += ["| size | meaning |", "|---|---|"]
                lines += [f"| `{name}` | {meaning} |" for name, meaning in rows]
            elif macro == "SN_DATA_SCALARS":
                lines += ["| type | name | count | meaning |", "|---|---|---|---|"]
                lines += [f"| {r[0]} | `{r[1]}` | {r[2] if len(r) == 4 else 1} | {r[-1]} |" for r in rows]
            else:
                lines += ["| type | name | shape | stage | meaning |", "|---|---|---|---|---|"]
                lines += [f"| {r[0]} | `{r[1]}` | {shape(r)} | {r[4]} | {r[-1]} |" for r in rows]
    return "\n".join(lines) + "\n"


def unexplained():
    return [row[1] if len(row) > 2 else row[0] for path in ("model_fields.h", "data_fields.h")
            for _, rows in tables(path) for row in rows if not row[-1]]


def main():
    check = "--check" in sys.argv
    schema = subprocess.run([sys.argv[-1]], check=True, capture_output=True, text=True).stdout
    stale = [f"{name} has no meaning" for name in unexplained()]
    for name, text in (("fields.md", fields_page()), ("mjcf.md", schema)):
        path = ROOT / "docs" / name
        if check and (not path.exists() or path.read_text() != text):
            stale.append(f"docs/{name} is not up to date: make docs")
        elif not check:
            path.write_text(text)
    print("\n".join(stale) or "docs: up to date")
    return bool(stale)


sys.exit(main())
