#!/usr/bin/env python3
"""Checks links of README and the pages of docs/: files and pictures exist, anchors are headings of the page they name,
files that the text names in backticks are there. Needs nothing but Python; links into the network are not followed.

    check_links.py [FILE...]
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# paths of the text that a build, a user or a test makes
MADE = ("build", "run.", "fall.", "copy", "robot", "scene.", "model.xml", "cloth.xml", "MUJOCO_LOG")


def pages():
    return sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")])


def without_code(text):
    """the text with the insides of code blocks blanked, so that line numbers stay"""
    text = re.sub(r"^```.*?^```", lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.M | re.S)
    return re.sub(r"(?m)^ {4}.*$", "", text)


def anchors(path):
    """anchors of a page, as GitHub and MkDocs make them: lower case, words and hyphens, numbered when repeated"""
    found, counts = set(), {}
    for heading in re.findall(r"^#+ +(.*?) *#*$", without_code(path.read_text()), flags=re.M):
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
        name = re.sub(r"[^\w\- ]", "", plain.lower()).strip().replace(" ", "-")
        seen = counts[name] = counts.get(name, -1) + 1
        found.add(f"{name}-{seen}" if seen else name)
    return found


def problems(path):
    text = without_code(path.read_text())
    for found in re.finditer(r"!?\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)", text):
        line = text.count("\n", 0, found.start()) + 1
        target, _, anchor = found[1].partition("#")
        if re.match(r"\w+:", found[1]):
            continue
        file = (path.parent / target).resolve() if target else path
        if not file.exists():
            yield line, f"{found[1]} does not exist"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file):
            yield line, f"{found[1]}: the page has no such heading"
    for found in re.finditer(r"`((?:docs|src|tests|tools|examples|models|bench|include|python|apps)/[\w./-]+)`", text):
        name = found[1].rstrip("/.")
        line = text.count("\n", 0, found.start()) + 1
        if not (ROOT / name).exists() and not name.startswith(MADE) and not list(ROOT.glob(name + ".*")):
            yield line, f"`{name}` does not exist"


def main():
    files = [pathlib.Path(name).resolve() for name in sys.argv[1:]] or pages()
    wrong = [f"{path.relative_to(ROOT) if path.is_relative_to(ROOT) else path}:{line}: {what}" for path in files for line, what in problems(path)]
    print("\n".join(wrong) or f"links: sound ({len(files)} pages)")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
