#!/usr/bin/env python3
"""Writes the type stubs of the package: the extension's by nanobind, the rest from what is exported.

    python_stubs.py PACKAGE_FOLDER
"""

import importlib
import inspect
import pathlib
import re
import subprocess
import sys


NOT_ARRAYS = {"model": "MjModel", "names": "bytes", "paths": "bytes", "text_data": "bytes", "_accessors": "Any"}


def class_stub(match):
    """A class with the types of its array properties and, for models and data, the named accessors."""
    text, name = match[0], match[1]
    editable = name == "MjSpec" or name.startswith("Mjs")

    def typed(found):
        kind = "Any" if editable else NOT_ARRAYS.get(found[2], "npt.NDArray[Any]")
        return f"{found[1]}{found[2]}(self) -> {kind}:"

    text = re.sub(r"(@property\n    def )(\w+)\(self\) -> object:", typed, text)
    text = re.sub(r"(\.setter\n    def \w+\(self, )(\w+): object,", r"\1\2: Any,", text)
    if name.endswith("List"):
        text = text.replace("-> object", "-> Any")
    named = importlib.import_module("sinew._named")
    methods = [f"    def {method}(self, key: SupportsIndex | str = ...) -> Any: ...\n"
               for method in named.METHODS.get(name, ())]
    return text.rstrip("\n") + "\n\n" + "".join(methods) + "\n"


def without_early_defaults(match):
    """Arguments that may be None but must be given: no default may come before one without."""
    line = match[0]
    plain = [m.start() for m in re.finditer(r"\w+: [^=,()]+(?=,|\) ->)", line)]
    if plain:
        head, tail = line[: plain[-1]], line[plain[-1]:]
        line = head.replace(" = None", "") + tail
    return line


def core_stub(folder):
    command = [sys.executable, "-m", "nanobind.stubgen", "-q", "-P", "-i", str(folder.parent), "-m", "sinew._core",
               "-o", str(folder / "_core.pyi")]
    subprocess.run(command, check=True)
    path = folder / "_core.pyi"
    text = path.read_text()
    # signatures show the types of the reference package; more is taken
    text = re.sub(r'typing\.Annotated\[numpy\.typing\.NDArray\[[\w.]+\](, "[^"]*")+\]', "ArrayLike", text)
    text = text.replace("typing.SupportsInt", "int").replace("typing.SupportsFloat", "float")
    text = text.replace("mujoco._structs.", "")
    # arrays: what goes in is anything like an array, what comes out is a NumPy array
    text = text.replace("ArrayLike", "npt.ArrayLike").replace("npt.npt.", "npt.")
    # enums are taken wherever an integer is
    text = re.sub(r"^(def .*)$", lambda m: re.sub(r"(\w: )int\b(?=[,)]| =)", r"\1SupportsIndex", m[0]), text, flags=re.M)
    text = re.sub(r"^from sinew\._\w+ import (\(.*?\n\)|[^\n]*)\n", "", text, flags=re.M | re.S)
    text = re.sub(r"^ *def \w+\(.*$", without_early_defaults, text, flags=re.M)
    text = re.sub(r"^ +__hash__.*\n", "", text, flags=re.M)
    text = re.sub(r"^class (\w+).*?(?=^\S)", class_stub, text, flags=re.M | re.S)
    text = "from typing import Any, SupportsIndex\n" + text
    # a name that Python keeps for itself: only getattr reaches it
    text = re.sub(r"    @property\n    def global\(self\).*\n\n?", "", text)
    # properties that Python code adds to a class are left without their function
    text = re.sub(r"^ +@property\n(?!\s+(@|def ))", "", text, flags=re.M)
    if "import numpy.typing as npt" not in text:
        text = "import numpy.typing as npt\n" + text
    path.write_text(text)


def enum_stub(folder, enums):
    lines = ["from typing import ClassVar", "", "from sinew._enum import MjEnum as MjEnum", ""]
    for name, value in sorted(vars(enums).items()):
        if inspect.isclass(value) and hasattr(value, "__members__"):
            lines.append(f"class {name}(MjEnum):")
            lines += [f"    {member}: ClassVar[{name}]" for member in value.__members__] + [""]
        elif name.startswith("mj") and isinstance(value, (int, float)):
            lines.append(f"{name}: {type(value).__name__}")
    (folder / "_enums.pyi").write_text("\n".join(lines) + "\n")
    base = [
        "class MjEnum:", "    @property", "    def name(self) -> str: ...", "    @property",
        "    def value(self) -> int: ...", "    def __init__(self, value: object) -> None: ...",
        "    def __int__(self) -> int: ...", "    def __index__(self) -> int: ...", "    def __float__(self) -> float: ...",
    ]
    operators = "add sub mul truediv floordiv mod and or xor lshift rshift".split()
    for operator in operators:
        result = "float" if operator == "truediv" else "int"
        base.append(f"    def __{operator}__(self, other: int | MjEnum) -> {result}: ...")
        if operator not in ("lshift", "rshift"):
            base.append(f"    def __r{operator}__(self, other: int) -> {result}: ...")
    base += ["    def __neg__(self) -> int: ...", "",
             "def make_enum(name: str, members: list[tuple[str, int]]) -> type[MjEnum]: ...", ""]
    (folder / "_enum.pyi").write_text("\n".join(base))


def visual_stub(folder, visual):
    """Classes with typed fields, and functions with the parameters that they have."""
    lines = ["from typing import Any", "", "import numpy as np", "import numpy.typing as npt", ""]
    for name, value in sorted(vars(visual).items()):
        if name.startswith("_") or inspect.ismodule(value) or getattr(value, "__module__", "").startswith("sinew._e"):
            continue
        if inspect.isclass(value):
            lines.append(f"class {name}:")
            lines.append(f"    def __init__{str(inspect.signature(value.__init__))}: ...")
            for field in getattr(value, "_dtype", None).names if getattr(value, "_dtype", None) else ():
                dtype = value._dtype[field]
                kinds = {"S": "str", "f": "float", "i": "int", "u": "int"}
                lines.append(f"    {field}: {'npt.NDArray[Any]' if dtype.shape else kinds[dtype.kind]}")
        elif inspect.isfunction(value):
            lines.append(f"def {name}{inspect.signature(value)}: ...")
        elif isinstance(value, (int, tuple)):
            lines.append(f"{name}: {'int' if isinstance(value, int) else 'tuple[Any, ...]'}")
    (folder / "visual.pyi").write_text("\n".join(lines) + "\n")


def package_stub(folder, package):
    """Names of the package, from wherever they are defined."""
    sources = ["_core", "_enums", "visual", "batch"]
    modules = {source: importlib.import_module(f"sinew.{source}") for source in sources}
    lines = ["from typing import Any", ""]
    for name in sorted(vars(package)):
        value = getattr(package, name)
        if name.startswith("_") or inspect.ismodule(value):
            continue
        origin = next((s for s in sources if getattr(modules[s], name, None) is value), None)
        if origin:
            lines.append(f"from sinew.{origin} import {name} as {name}")
        elif inspect.isclass(value) and issubclass(value, Exception):
            lines.append(f"class {name}(Exception): ...")
        elif inspect.isclass(value) or callable(value):
            lines.append(f"{name}: Any")
        else:
            kind = {tuple: "tuple[Any, ...]", list: "list[Any]"}.get(type(value), type(value).__name__)
            lines.append(f"{name}: {kind}")
    lines.append("__version__: str")
    (folder / "__init__.pyi").write_text("\n".join(lines) + "\n")


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    sys.path.insert(0, str(folder.parent))
    package = importlib.import_module("sinew")
    core_stub(folder)
    enum_stub(folder, importlib.import_module("sinew._enums"))
    visual_stub(folder, importlib.import_module("sinew.visual"))
    package_stub(folder, package)
    (folder / "py.typed").touch()
    assert re.search(r"def mj_step\(", (folder / "_core.pyi").read_text())


main()
