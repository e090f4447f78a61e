"""The public structs as plain C: those that a table makes are written out."""

import pathlib
import re

HEADERS = pathlib.Path(__file__).resolve().parents[1] / "include" / "sinew"
ROW = {"R": "  snReal {0};", "V": "  snReal {0}[{1}];", "I": "  int {0};"}


def plain_structs():
    """The text of structs.h with the rows of the tables in their place."""
    text = (HEADERS / "structs.h").read_text()
    tables = dict(re.findall(r"#define (SN_\w+_FIELDS)\([^)]*\) (.*?[^\\])\n",
                             (HEADERS / "option_fields.h").read_text(), re.S))
    text = re.sub(r"#define SN_STRUCT_[^\n]*\n", "", text)

    def rows(match):
        entries = re.findall(r"\b([RVI])\((\w+)(?:, (\w+(?:\([^)]*\))?))?\)", tables[match[1]])
        return "\n".join(ROW[kind].format(name, count) for kind, name, count in entries)

    return re.sub(r"  (SN_\w+_FIELDS)\([^)]*\)", rows, text)
