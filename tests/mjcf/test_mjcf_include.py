"""Which files may be included where, and how their names are read: as MuJoCo does it."""

import os
import struct

import mujoco
import pytest

import sinew

BALL = '<worldbody><geom size=".1"/></worldbody>'


def include(*names):
    return "".join(f'<include file="{name}"/>' for name in names)


# files and what they contain, HERE for their folder; "x" is a file with a geom
REPEATED = {
    "twice in the main file": {"main": include("x", "x")},
    "in the main file, under two names": {"main": include("./x", "x", "s/../x")},
    "in the main file, with and without folder": {"main": include("x", "HERE/x")},
    "twice in an included file": {"main": include("a"), "a": include("x", "x")},
    "in two included files": {"main": include("a", "b"), "a": include("x"), "b": include("x")},
    "in an included file, then in the main one": {"main": include("a", "x"), "a": include("x")},
    "in the main file, then in an included one": {"main": include("x", "a"), "a": include("x")},
    "in the file of an included file": {"main": include("a"), "a": include("x", "b"), "b": include("x")},
    "two levels below": {"main": include("a"), "a": include("b"), "b": include("x", "x")},
    "of a file that includes": {"main": include("a"), "a": include("b", "b"), "b": include("x")},
    "of a file that includes, in the main file": {"main": include("a", "a"), "a": include("x")},
    "in bodies": {"main": include("a"), "a": f"<worldbody>{include('y')}<body>{include('y')}</body></worldbody>"},
    "with and without folder": {"main": include("a"), "a": include("x", "HERE/x")},
    "without and with folder": {"main": include("a"), "a": include("HERE/x", "x")},
    "with folder": {"main": include("a"), "a": include("HERE/x", "HERE/x")},
    "in a file with a folder": {"main": include("HERE/a"), "a": include("x", "HERE/x")},
    "from below": {"main": include("s/a"), "s/a": include("x", "x")},
    "from below and above": {"main": include("s/a", "x"), "s/a": include("x")},
    "below": {"main": include("s/a"), "s/a": include("s/x", "s/x"), "s/x": BALL},
    "the name of another below": {"main": include("s/a", "s/x"), "s/a": include("x"), "s/x": BALL},
    "itself": {"main": include("main")},
    "itself, from another": {"main": include("a"), "a": include("main")},
    "each other": {"main": include("a"), "a": include("b"), "b": include("a")},
}
# where the main file is given with a folder that is not absolute, MuJoCo does not find what lies beside an included file
BESIDE = {
    "beside, twice": {"main": include("s/a"), "s/a": include("z", "z"), "s/z": BALL},
    "beside and in the main file": {"main": include("s/z", "s/a"), "s/a": include("z"), "s/z": BALL},
    "beside, then in the main file": {"main": include("s/a", "s/z"), "s/a": include("z"), "s/z": BALL},
    "beside two files": {"main": include("s/a", "s/b"), "s/a": include("z"), "s/b": include("z"), "s/z": BALL},
    "two levels below, beside": {"main": include("s/a"), "s/a": include("t/b"), "s/t/b": include("z", "z"), "s/t/z": BALL},
    "one level up": {"main": include("s/a"), "s/a": include("../x", "../x")},
}


def written(folder, files):
    for name, text in {"x": BALL, "y": '<geom size=".1"/>', **files}.items():
        path = folder / "models" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"<mujoco>{text.replace('HERE', str(folder / 'models'))}</mujoco>")


def answer(module, path):
    """How many geoms there are, or which name was included already."""
    try:
        return module.MjModel.from_xml_path(path).ngeom
    except ValueError as error:
        return str(error).splitlines()[0]


@pytest.mark.parametrize("name, where", [(name, where) for name in REPEATED for where in ("absolute", "same", "folder", "dot")]
                         + [(name, where) for name in BESIDE for where in ("absolute", "same", "dot")])
def test_includes_may_be_repeated_where_they_may_in_mujoco(tmp_path, monkeypatch, name, where):
    written(tmp_path, {**REPEATED, **BESIDE}[name])
    monkeypatch.chdir(tmp_path if where == "folder" else tmp_path / "models")
    path = {"absolute": str(tmp_path / "models" / "main"), "same": "main", "folder": "models/main", "dot": "./main"}[where]
    expected, found = answer(mujoco, path), answer(sinew, path)
    if "itself" in name or name == "each other":  # refused one level earlier, see docs/coming-from-mujoco.md
        assert "already included" in expected and "already included" in found
    else:
        assert found == expected


def test_a_file_that_includes_itself_below_is_refused(tmp_path):
    """MuJoCo 3.5.0 crashes."""
    written(tmp_path, {"main": include("a"), "a": include("b"), "b": include("c"), "c": include("b")})
    assert "'b' already included" in answer(sinew, str(tmp_path / "models" / "main"))


def test_files_that_include_each_other_many_times_are_refused(tmp_path):
    """Each of 40 files includes the next one twice: a billion of them is refused soon."""
    written(tmp_path, {"main": include("f0"), **{f"f{i}": include(f"f{i + 1}", f"f{i + 1}") for i in range(40)}, "f40": BALL})
    assert "too large" in answer(sinew, str(tmp_path / "models" / "main"))


# ---- names of files ----

CORNERS = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
FACES = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
STL = bytes(80) + struct.pack("<I", 4) + b"".join(
    struct.pack("<12fH", 0, 0, 0, *(x for corner in face for x in CORNERS[corner]), 0) for face in FACES)
PART = '<worldbody><body name="b"><geom size=".1"/></body></worldbody>'


def mesh(directory, file):
    return f'<compiler meshdir="{directory}"/><asset><mesh name="m" file="{file}"/></asset>'


NAMES = {
    "include": include(r"s\part.xml"),
    "include under a folder that is not there": include("none/../s/part.xml"),
    "include above a link": include("link/../s/part.xml"),
    "include beside the target of a link": include("link/../deep.xml"),
    "mesh": mesh("", r"s\m.stl"),
    "directory": mesh(r"s\t", "m.stl"),
    "directory and its end": mesh("s\\", r"t\m.stl"),
    "directory here": mesh(r".\s", r".\m.stl"),
    "directory that is left": mesh("none", "../s/m.stl"),
    "directory of two parts that is left": mesh("s/none/..", "m.stl"),
    "link that is left": mesh("link", "../s/m.stl"),
    "target of a link": mesh("link/..", "n.stl"),
    "model": r'<asset><model name="k" file="s\part.xml"/></asset><worldbody><attach model="k" body="b" prefix="q"/></worldbody>',
    "model left": '<asset><model name="k" file="no/../s/part.xml"/></asset><worldbody><attach model="k" body="b" prefix="q"/></worldbody>',
}


@pytest.fixture
def folder(tmp_path):
    for name in ("s/t", "real/deeper"):
        os.makedirs(tmp_path / name)
    for name in ("s/m.stl", "s/t/m.stl", "real/n.stl"):
        (tmp_path / name).write_bytes(STL)
    for name in ("s/part.xml", "real/deep.xml"):
        (tmp_path / name).write_text(f"<mujoco>{PART}</mujoco>")
    (tmp_path / "link").symlink_to(tmp_path / "real" / "deeper")
    return tmp_path


def loaded(module, path):
    try:
        model = module.MjModel.from_xml_path(path)
        return model.nbody, model.nmesh, model.names
    except ValueError as error:
        return "Error opening file" in str(error)


@pytest.mark.parametrize("name", NAMES)
def test_names_of_files_are_read_as_mujoco_reads_them(folder, name):
    """Either separator; folders that ".." leaves need not exist, and are not looked up if they are links."""
    (folder / "main.xml").write_text(f"<mujoco>{NAMES[name]}</mujoco>")
    assert loaded(sinew, str(folder / "main.xml")) == loaded(mujoco, str(folder / "main.xml"))


@pytest.mark.parametrize("path", [r"s\part.xml", r".\s\part.xml", "none/../s/part.xml", "link/../s/part.xml", "link/../deep.xml"])
def test_the_name_of_the_main_file_is_read_as_mujoco_reads_it(folder, monkeypatch, path):
    monkeypatch.chdir(folder)
    assert loaded(sinew, path) == loaded(mujoco, path)
