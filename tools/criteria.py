#!/usr/bin/env python3
"""Lists the acceptance criteria of the specification that no test names.

The specification lies beside the checkout (../shared/spec); without it there is nothing to compare with.
A test names its criteria in its docstring (in C: in the comment above it), as `spec ITEM: LABEL LABEL`,
several items separated by semicolons: `spec 38: 5 T4; spec 004-8: 7`.

    tools/criteria.py            # criteria without a test, by item; criteria that do not exist
    tools/criteria.py --all      # every criterion and the tests that name it
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
SPEC = ROOT.parent / "shared" / "spec"

# criteria that no test can show: on documents or on the code as a whole, or measured by `make bench`
WITHOUT_TEST = {
    "004-1": {"5": "the whole suite"},
    "004-2": {"3": "structure: there is one factorisation", "4": "structure: stages are ordered, there is no flag",
              "7": "the whole suite"},
    "004-4": {"5": "structure: loops over no tendons"},
    "004-7": {"2": "documentation"},
    "004-11": {"2": "make bench-gpu"},
    "11": {"A9": "tests of another library", "A10": "the whole suite", "A11": "a number of tests", "A12": "make lint"},
    "12": {"A24": "make bench", "A25": "make lint", "A26": "the whole suite", "A27": "a number of tests",
           "A40": "make lint", "A41": "a number of tests"},
    "13": {"A3": "the whole suite"},
    "40a": {"T18": "dropped by the specification", "T33": "the whole suite", "T34": "the whole suite"},
    "42A-i": {"5": "the whole suite"},
    "42D": {"4": "make bench; state hashes"},
    "42E": {"4": "make bench"},
}  # fmt: skip


def between(text, start, stop):
    """The part of a digest from the heading `start` to the next line that matches `stop`."""
    begin = re.search(start, text, re.MULTILINE)
    if not begin:
        return ""
    end = re.compile(stop, re.MULTILINE).search(text, begin.end())
    return text[begin.end() : end.start() if end else len(text)]


def numbered(text):
    """Labels 1, 2, 3 … as long as they follow one another: `1. …` or, within a line, `1 …`."""
    found, at = [], 0
    while match := re.compile(rf"(?:^|\s){len(found) + 1}\.? ", re.MULTILINE).search(text, at):
        found.append(str(len(found) + 1))
        at = match.end()
    return found


def lettered(pattern):
    return lambda text: list(dict.fromkeys(re.findall(pattern, text)))


TESTS = lettered(r"\bT\d+(?:\.\d+|b)?\b")
POINTS = lettered(r"\bA\d+(?=\. )")


def items():
    """(item, labels) of all digests."""
    text = {path.name[:4].rstrip("-"): path.read_text() for path in sorted(SPEC.glob("00*.md"))}
    for row in re.findall(r"^\| DT-(\d+)", text["000"], re.MULTILINE):
        yield f"DT{row}", [""]
    yield "DT35", lettered(r"\b6[a-s](?=[½¾]? )")(between(text["000"], r"^## 3\.", r"^## 4\."))
    for number, section in ((11, "1.10"), (12, "2.7"), (13, "3.7"), (14, "4.4")):
        yield str(number), POINTS(between(text["001"], rf"^### {re.escape(section)} ", r"^(###|---)"))
    for number in range(33, 38):
        part = between(text["002"], rf"^## #{number} ", r"^## ")
        yield str(number), numbered(between(part, r"^\*\*Acceptance", r"^\*\*"))
    part = text["003a"]
    yield "38", numbered(between(part, r"^### 38\.4", r"^###")) + TESTS(between(part, r"^### 38\.5", r"^###"))
    yield "39", TESTS(between(part, r"^### 39\.4", r"^###"))
    yield "40", TESTS(between(part, r"^### 40\.6", r"^###"))
    part = text["003b"]
    yield "40a", TESTS(between(between(part, r"^## #40a", r"^## "), r"^\*\*4\.", r"^\*\*5\.").replace("#40 T1–T42", ""))
    for name in ("40b", "41", "42", "42A-i", "42A-iv", "42A-v", "42B", "42C", "42D", "42E", "42F"):
        section = between(part, rf"^## #{name} ", r"^## ")
        yield name, numbered(between(section, r"\*\*4\. Criteria\.\*\*", r"\*\*5\.|^---"))
    for number in range(1, 12):
        section = between(text["004"], rf"^## {number} ", r"^## ")
        yield f"004-{number}", numbered(between(section, r"\*\*4\.(?: Criteria\.)?\*\*", r"\*\*5\.|^---"))


def named():
    """{item: {label: tests that name it}}; a test that names an item without labels stands under ''."""
    found = {}
    for path in sorted((ROOT / "tests").rglob("*")):
        if path.suffix == ".py":
            tests = re.findall(r'^def (test_\w+)\(.*?\n((?: {4}""".*?""")?)', path.read_text(), re.MULTILINE | re.DOTALL)
        elif path.suffix == ".c":
            tests = [(b, a) for a, b in re.findall(r"((?:^//.*\n)+)static void (\w+)\(", path.read_text(), re.MULTILINE)]
        else:
            continue
        for test, words in tests:
            for item, labels in re.findall(r"\b[Ss]pec ([\w-]+)((?::[ \w.]+?(?=[;)\n]|\.\W|$))?)", words):
                for label in labels.strip(":. ").split() or [""]:
                    found.setdefault(item, {}).setdefault(label, []).append(f"{path.relative_to(ROOT)}: {test}")
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all", action="store_true", help="every criterion and the tests that name it")
    options = parser.parse_args()
    if not SPEC.is_dir():
        print(f"skipped: no specification at {SPEC}")
        return 0
    tests, shown, total, known = named(), 0, 0, {}
    for item, labels in items():
        known[item] = set(labels)
        reasons = WITHOUT_TEST.get(item, {})
        missing = [label for label in labels if label not in tests.get(item, {}) and label not in reasons]
        total += len(labels)
        shown += len(labels) - len(missing)
        if missing:
            print(f"{item}: no test names", *missing) if any(missing) else print(f"{item}: no test names it")
        for label in labels if options.all else ():
            print(f"  {item} {label}:", *tests.get(item, {}).get(label, [reasons.get(label, "-")]), sep="\n    ")
    for item, labels in sorted(tests.items()):
        strange = set(labels) - known.get(item, set()) - {""}
        if item in known and strange:
            print(f"{item}: named and not in the specification:", *sorted(strange))
    print(f"{shown} of {total} criteria are named by a test or have a reason for none")
    return 0


if __name__ == "__main__":
    sys.exit(main())
