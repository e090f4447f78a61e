#!/usr/bin/env python3
"""Builds the site of the documentation, with MkDocs, into BUILD/site/html; a dead link or anchor is an error.

    site.py BUILD [STUBS]          in the environment that requirements-site.txt describes (`make site`)

Pages are those of docs/ and README, the references of reference_pages.py, and the notebooks (with their results where
`make test-notebooks` has left them in BUILD/notebooks). STUBS is a folder with the stubs of the Python package.
"""

import base64
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import reference_pages as reference  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[1]
GROUPS = {
    "Tutorial": ["tutorial"],
    "How to": ["how-to", "troubleshooting", "builder", "batch", "training", "viewer", "rendering", "urdf", "gpu", "scaling", "identification", "under-your-library", "coming-from-mujoco"],
    "Concepts": ["concepts", "contact-solvers", "actuator-models", "deformables", "flex-laws", "derivatives", "linear", "determinism",
                 "promises", "security", "performance", "architecture"],
    "Models": ["gallery"],
    "MJCF": ["mjcf", "versions"],
}  # fmt: skip
SETTINGS = """site_name: Sinew
site_description: Physics engine in C with MuJoCo's interface and answers, in batches on CPU and GPU
site_url: ''
docs_dir: pages
site_dir: html
theme:
  name: material
  font: false
  features: [navigation.tabs, navigation.top, toc.follow, content.code.copy, search.suggest]
  palette: {primary: teal}
use_directory_urls: false
plugins: [search]
markdown_extensions: [tables, fenced_code, attr_list, md_in_html, toc, pymdownx.highlight, pymdownx.superfences]
validation: {links: {anchors: warn, unrecognized_links: warn, absolute_links: warn}, nav: {omitted_files: warn}}
nav:
"""


def with_math(text):
    """```math blocks, which GitHub draws, as MathML"""
    from latex2mathml.converter import convert

    return re.sub(r"^```math\n(.*?)^```$", lambda m: f'<div>{convert(m[1].strip(), display="block")}</div>', text, flags=re.M | re.S)


def at_home(text, pages):
    """links of a page that lead out of the site become the names of the files"""

    def link(found):
        words, target = found[1], found[2]
        file = target.split("#")[0].removeprefix("docs/")
        if re.match(r"\w+:", target) or target.startswith("#") or file in pages or file.startswith("pictures/"):
            return f"[{words}]({target.removeprefix('docs/')})"
        return f"{words} (`{target.split('#')[0].removeprefix('../')}`)"

    return re.sub(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)", link, text).replace("](docs/pictures/", "](pictures/")


def pages_named(text, pages):
    """names of pages in backticks become links"""
    return re.sub(r"`docs/([\w-]+\.md)`", lambda m: f"[{m[1]}]({m[1]})" if m[1] in pages else m[0], text)


def notebook(path, folder):
    """a notebook as a page: its words, code and what the code printed or drew"""
    out = []
    for number, cell in enumerate(json.loads(path.read_text())["cells"]):
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            out.append(source)
            continue
        out.append(f"```python\n{source}\n```")
        for index, output in enumerate(cell.get("outputs", [])):
            data = output.get("data", {})
            if "image/png" in data:
                name = f"{path.stem}-{number}-{index}.png"
                (folder / name).write_bytes(base64.b64decode("".join(data["image/png"])))
                out.append(f"![result]({name})")
            elif "text/plain" in data or "text" in output:
                out.append("```text\n" + "".join(data.get("text/plain", output.get("text", ""))).rstrip() + "\n```")
    return "\n\n".join(out) + "\n"


def title(text, name):
    found = re.search(r"^# (.*)$", text, flags=re.M)
    return found[1].replace("`", "") if found else name


def collect(build, folder, stubs):
    """{name of a page: its text} in the order of the menu, with the menu"""
    docs = {path.name: path.read_text() for path in sorted((ROOT / "docs").glob("*.md"))}
    groups = {"": ["index.md"], **{group: [f"{name}.md" for name in names if f"{name}.md" in docs] for group, names in GROUPS.items()}}
    texts = {"index.md": (ROOT / "README.md").read_text(), **docs}
    groups["Notebooks"] = []
    for path in sorted((ROOT / "examples" / "notebooks").glob("*.ipynb")):
        done = build / "notebooks" / path.name
        name = f"notebook-{path.stem}.md"
        texts[name] = notebook(done if done.exists() else path, folder)
        groups["Notebooks"].append(name)
    groups["C"] = ["fields.md", "c-enums.md", "c-api-coverage.md"]
    texts["c-enums.md"] = reference.enums_page()
    for header in reference.HEADERS:
        name = f"c-{header[:-2].replace('_', '-')}.md"
        texts[name] = reference.c_page(header)
        groups["C"].insert(-2, name)
    groups["Python"] = []
    core = stubs / "_core.pyi" if stubs else None
    if core and core.exists():
        texts["python-core.md"] = reference.core_page(core)
        groups["Python"].append("python-core.md")
    for module in reference.MODULES:
        path = ROOT / "python" / "sinew" / f"{module}.py"
        name = f"python-{module.replace('_', '-')}.md"
        texts[name] = reference.module_page(module, path)
        groups["Python"].append(name)
    groups["Python"].append("python-coverage.md")
    for name, source in (("contributing.md", "CONTRIBUTING.md"), ("changelog.md", "CHANGELOG.md")):
        texts[name] = (ROOT / source).read_text()
        groups.setdefault("Project", []).append(name)
    listed = {name for names in groups.values() for name in names}
    groups["Project"] += sorted(set(docs) - listed)
    return texts, {group: names for group, names in groups.items() if names}


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    stubs = pathlib.Path(sys.argv[2]).resolve() if len(sys.argv) > 2 else None
    site = build / "site"
    folder = site / "pages"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    shutil.copytree(ROOT / "docs" / "pictures", folder / "pictures")
    texts, groups = collect(build, folder, stubs)
    menu = []
    for group, names in groups.items():
        if group:
            menu.append(f"  - {json.dumps(group)}:")
        menu += [f"{'      ' if group else '  '}- {json.dumps(title(texts[name], name))}: {name}" for name in names]
    for name, text in texts.items():
        (folder / name).write_text(with_math(pages_named(at_home(text, texts), texts)))
    (site / "mkdocs.yml").write_text(SETTINGS + "\n".join(menu) + "\n")
    done = subprocess.run([sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", str(site / "mkdocs.yml")])
    if done.returncode == 0:
        print(f"site: {len(texts)} pages, no dead links: {site / 'html' / 'index.html'}")
        print(f"      with search: python3 -m http.server -d {site / 'html'}")
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
