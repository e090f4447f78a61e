"""Pages of the site that are made from sources: the C interface from the headers, the Python package from its stubs and
modules. tools/site.py puts them beside the pages of docs/."""

import ast
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[1]
HEADERS = """sinew.h spec.h structs.h batch.h batch_render.h gpu.h sim.h actuator.h contactsolver.h deformable.h derivatives.h
  collision.h visual.h render.h page.h plugin.h handlers.h""".split()
MODULES = """batch rollout vector_env sim derivatives parameters sysid planning shards studies stores ray torch jax minimize renderer
  viewer page urdf deformable actuators standin compare bridge visual msh2obj""".split()


# ---- C ----


def _comment(lines, end):
    """the comment that ends just above a line, as one text"""
    start = end
    while start and lines[start - 1].startswith("//") and not lines[start - 1].startswith("// ----"):
        start -= 1
    return " ".join(line[2:].strip() for line in lines[start:end])


def _declarations(text):
    """(section, comment, declaration) of every public function, (None, comment, text) of types and enums"""
    lines, section, n = text.splitlines(), "", 0
    while n < len(lines):
        line = lines[n]
        heading = re.match(r"// -+ (.*?) -+$", line)
        if heading:
            section = heading[1]
        if line.startswith(("SN_API ", "typedef ")) or re.match(r"struct \w+ \{", line):
            comment, start = _comment(lines, n), n
            closed = re.compile(r"^\}.*;" if "{" in line else r".*;")
            while not closed.match(lines[n].split("//")[0].rstrip()) and n + 1 < len(lines):
                n += 1
            yield section, comment, "\n".join(lines[start : n + 1])
        n += 1


def c_page(name):
    """the page of one header"""
    text = (ROOT / "include" / "sinew" / name).read_text()
    head = re.match(r"((?://.*\n)+)", text)[1]
    words = "\n".join(line[3:] if line.startswith("// ") else line[2:] for line in head.splitlines())
    out, last = [f"# sinew/{name}", "", words, ""], ""
    for section, comment, declaration in _declarations(text):
        if section != last:
            out += [f"## {section}", ""]
            last = section
        function = re.match(r"SN_API [\w\s*]*?\**(\w+)\(", declaration)
        if function:
            out += [f"### {function[1]}", "", comment or "", "", "```c", declaration.replace("SN_API ", ""), "```", ""]
        elif "{" in declaration:
            kind = re.search(r"(\w+);\s*$", declaration) or re.match(r"struct (\w+)", declaration)
            out += [f"### {kind[1].rstrip('_')}", "", comment, "", "```c", declaration, "```", ""]
    return "\n".join(out) + "\n"


def enums_page():
    out = ["# Enumerations", "",
           "Names and values of `sinew/enums.h`; in Python and under the compatibility header the prefix is `mj`.", ""]
    text = (ROOT / "include" / "sinew" / "enums.h").read_text()
    for _, comment, body in _declarations(text):
        name = re.search(r"\} (\w+);", body)
        if not name:
            continue
        out += [f"## {name[1]}", "", comment, "", "| name | value | meaning |", "|---|---|---|"]
        out += [f"| `{key}` | {value} | {meaning} |"
                for key, value, meaning in re.findall(r"^  (\w+) = ([^,]+),?\s*//\s*(.*)$", body, flags=re.M)]
        out.append("")
    return "\n".join(out)


# ---- Python ----


def _doc(node):
    return (ast.get_docstring(node) or "").strip()


def _signature(node):
    arguments = ast.unparse(node.args)
    arguments = re.sub(r"mujoco\._structs\.", "", re.sub(r"^self(, )?", "", arguments))
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({arguments}){result}"


def _property(node):
    return any(isinstance(d, ast.Name) and d.id == "property" for d in node.decorator_list)


def _class(node, level):
    out = [f"{'#' * level} {node.name}", "", _doc(node), ""]
    fields = [f for f in node.body if isinstance(f, ast.FunctionDef) and _property(f) and not f.name.startswith("_")]
    methods = {f.name: f for f in node.body if isinstance(f, ast.FunctionDef) and not _property(f)
               and not f.name.startswith("_") and not any("setter" in ast.unparse(d) for d in f.decorator_list)}
    making = next((f for f in node.body if isinstance(f, ast.FunctionDef) and f.name == "__init__"), None)
    if making:
        out += ["```python", _signature(making).replace("__init__", node.name, 1).removesuffix(" -> None"), "```", ""]
    for method in methods.values():
        out += [f"{'#' * (level + 1)} {node.name}.{method.name}", "", "```python", _signature(method), "```", "",
                _doc(method), ""]
    told = [f for f in fields if _doc(f)]
    if told:
        out += [f"{'#' * (level + 1)} Properties of {node.name}", ""] + [f"- `{f.name}`: {_doc(f).splitlines()[0]}" for f in told]
    plain = [f"`{f.name}`" for f in fields if not _doc(f)]
    if plain:
        out += ["", "Fields ([meanings](fields.md)): " + ", ".join(plain) + "."]
    return out + [""]


def module_page(name, path):
    """the page of a module: its words, public classes and functions"""
    tree = ast.parse(path.read_text())
    out = [f"# sinew.{name}", "", _doc(tree), ""]
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            out += _class(node, 2)
        elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            out += [f"## {node.name}", "", "```python", _signature(node), "```", "", _doc(node), ""]
    return "\n".join(out) + "\n"


def core_page(stub):
    """functions and classes of the extension, from its stub"""
    tree = ast.parse(stub.read_text())
    out = ["# sinew: models, data and functions", "",
           "Names are those of the `mujoco` package; `import sinew as mujoco` makes them its. What MuJoCo's package has beyond",
           "this is listed in [python-coverage.md](python-coverage.md).", "", "## Functions", ""]
    seen = set()
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            if node.name not in seen:
                out += [f"### {node.name}", ""]
                seen.add(node.name)
            out += ["```python", _signature(node), "```", "", _doc(node), ""]
    out += ["## Classes", ""]
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
            out += _class(node, 3)
    return "\n".join(out) + "\n"
