"""Every code block of README and docs/ runs, compiles or loads; one that cannot says why in the page.

A block is fenced and names its language. What a reader does not need to see stands in comments of the page before it:

    <!-- not run: why -->                     the block is left out
    <!-- setup: python statements -->         run before the block (Python)
    <!-- file NAME: text -->                  written before the block

Blocks of one page and language share a folder, in which the repository's models/ and examples/ lie, and Python blocks share
their names, from the top of the page to its end.
"""

import os
import pathlib
import re
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
RUN = {"python", "sh", "c", "cpp", "xml"}
TOLD = {"text", "math"}  # nothing that runs
COMMANDS = r"(make|python3?|pip|sinew|cmake|cc|gcc|git|import|from|#include|snVFS|sn\w+\(|tests/|tools/|\w+ = sinew)\b"
QUICK = {"README.md", "urdf.md", "versions.md", "flex-laws.md", "actuator-models.md", "security.md"}  # the others with `make test-all`
COMMENT = re.compile(r"<!-- (not run|setup|file [\w./-]+): ?(.*?)\s*-->", re.S)


def blocks(path):
    """(line, language, text, comments) of a page; comments are those between the last block and this one"""
    text, found, end = path.read_text(), [], 0
    for match in re.finditer(r"^( *)```(\S*)[^\n]*\n(.*?)^\1```$", text, flags=re.M | re.S):
        body = re.sub(rf"^{match[1]}", "", match[3], flags=re.M)
        comments = COMMENT.findall(text[end : match.start()])
        found.append((text.count("\n", 0, match.start()) + 2, match[2], body, comments))
        end = match.end()
    return found


def runnable(path, languages):
    """the blocks of these languages that say nothing against it, with the files that they want"""
    return [(line, body, comments) for line, language, body, comments in blocks(path)
            if language in languages and not any(kind == "not run" for kind, _ in comments)]


def folder_for(path, tmp_path):
    for name in ("models", "examples"):
        (tmp_path / name).symlink_to(ROOT / name)
    for _, _, _, comments in blocks(path):
        for kind, text in comments:
            if kind.startswith("file "):
                (tmp_path / kind[5:]).parent.mkdir(parents=True, exist_ok=True)
                (tmp_path / kind[5:]).write_text(text + "\n")
    return tmp_path


def environment():
    sinew = pathlib.Path(__import__("sinew").__file__).absolute().parents[1]
    build = pathlib.Path(os.environ.get("SN_BUILD", sinew.parent))
    path = [str(build / "apps" / "sinew"), str(pathlib.Path(sys.executable).parent), os.environ["PATH"]]
    return dict(os.environ, PATH=os.pathsep.join(path), PYTHONPATH=str(sinew), MPLBACKEND="Agg")


def go(command, folder, text=None):
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True, input=text, timeout=600)
    assert done.returncode == 0, (done.stdout[-1500:] + done.stderr[-3000:])
    return done.stdout


def cases(*languages):
    quick = [pytest.param(p, marks=() if p.name in QUICK else pytest.mark.full, id=p.name) for p in PAGES if runnable(p, languages)]
    return pytest.mark.parametrize("path", quick)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_blocks_are_fenced_and_name_their_language(path):
    wrong = [f"{path.name}:{line}: language '{language}'" for line, language, _, comments in blocks(path)
             if language not in RUN | TOLD and not any(kind == "not run" for kind, _ in comments)]
    outside = re.sub(r"^( *)```.*?^\1```$", "", path.read_text(), flags=re.M | re.S)
    outside = re.sub(r"<!--.*?-->", "", outside, flags=re.S)
    wrong += [f"{path.name}: '{line}' is code without a fence" for line in re.findall(r"(?<=\n\n)(?: {4}|\t)(.*)", outside)
              if re.match(COMMANDS, line)]
    assert not wrong, "\n".join(wrong)


@cases("python")
def test_python_runs(path, tmp_path):
    script = ["names = {'__name__': '__main__'}"]
    for line, body, comments in runnable(path, {"python"}):
        for kind, text in comments:
            if kind == "setup":
                script.append(f"exec(compile({text!r}, 'setup of {path.name}:{line}', 'exec'), names)")
        text = "\n" * (line - 1) + body
        script.append(f"exec(compile({text!r}, {str(path)!r}, 'exec'), names)")
    go([sys.executable, "-"], folder_for(path, tmp_path), "\n".join(script))


@cases("sh")
def test_commands_run(path, tmp_path):
    folder = folder_for(path, tmp_path)
    for _, body, _ in runnable(path, {"sh"}):
        go(["bash", "-e"], folder, body)


@cases("c", "cpp")
def test_c_compiles(path, tmp_path):
    for language, program in (("c", ["gcc", "-std=gnu11"]), ("cpp", ["g++", "-std=c++17"])):
        for line, body, _ in runnable(path, {language}):
            head = f'#line {line} "{path.name}"\n'
            if not re.search(r"^(#include|static|typedef|int main)", body, flags=re.M):
                head = "#include <sinew/sinew.h>\n#include <sinew/sim.h>\nvoid page(void) {\n" + head
                body += "\n}\n"
            go([*program, "-fsyntax-only", "-Wall", "-Werror", "-Wno-unused", f"-I{ROOT / 'include'}", "-x",
                "c" if language == "c" else "c++", "-"], tmp_path, head + body)


@cases("xml")
def test_models_load(path, tmp_path):
    import sinew

    folder = folder_for(path, tmp_path)
    for line, body, _ in runnable(path, {"xml"}):
        text = body
        if re.match(r"\s*<(flexcomp|geom|body|joint)", body):
            text = f"<mujoco><worldbody><body name='b'>{body}</body></worldbody></mujoco>"
        elif not re.match(r"\s*<mujoco", body):
            text = f"<mujoco><worldbody><body name='hook'><geom size='.1'/></body></worldbody>{body}</mujoco>"
        (folder / "page.xml").write_text(text)
        model = sinew.MjModel.from_xml_path(str(folder / "page.xml"))
        sinew.mj_step(model, sinew.MjData(model))
