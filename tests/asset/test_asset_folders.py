"""Where files of assets are looked for: beside the model, in its folders, beside included files."""

import mujoco
import pytest
from sinew import _core

OBJ = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
FOLDER = '<compiler meshdir="mesh"/>'
GEOM = '<worldbody><geom type="mesh" mesh="q"/></worldbody>'


def mesh(file):
    return f'<asset><mesh name="q" file="{file}"/></asset>'


def model(contents):
    return f"<mujoco>{contents}</mujoco>"


def attached(file):
    return model(f'<asset><model name="k" file="{file}"/></asset>'
                 '<worldbody><attach model="k" prefix="x" body="b"/></worldbody>')


def child(file, folder=FOLDER):
    return model(f'{folder}{mesh(file)}<worldbody><body name="b"><geom type="mesh" mesh="q"/></body></worldbody>')


# main file, other files, whether it loads
CASES = {
    "beside the model": (model(FOLDER + mesh("a.obj") + GEOM), {}, False),
    "in the folder": (model(FOLDER + mesh("m.obj") + GEOM), {}, True),
    "beside an included file of the same folder":
        (model(FOLDER + '<include file="i.xml"/>' + GEOM), {"i.xml": model(mesh("a.obj"))}, True),
    "beside an included file":
        (model(FOLDER + '<include file="inc/i.xml"/>' + GEOM), {"inc/i.xml": model(mesh("c.obj"))}, True),
    "beside the model of an included file":
        (model(FOLDER + '<include file="inc/i.xml"/>' + GEOM), {"inc/i.xml": model(mesh("a.obj"))}, False),
    "beside an attached model": (attached("k.xml"), {"k.xml": child("a.obj")}, False),
    "beside an attached model without folders":
        (attached("sub/k.xml"), {"sub/k.xml": child("b.obj", "")}, True),
}


@pytest.mark.parametrize("name", CASES)
def test_folder(name, tmp_path):
    main, files, loads = CASES[name]
    meshes = {file: OBJ for file in ("a.obj", "sub/b.obj", "inc/c.obj", "mesh/m.obj")}
    for file, text in {**meshes, **files, "main.xml": main}.items():
        path = tmp_path / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
    for load in (mujoco.MjModel.from_xml_path, _core.MjModel.from_xml_path):
        if loads:
            assert load(str(tmp_path / "main.xml")).nmesh == 1
        else:
            with pytest.raises(ValueError):
                load(str(tmp_path / "main.xml"))


# ---- what is no file, and what is in none ----

KINDS = {
    "mesh": '<asset><mesh name="q" file="{}.obj"/></asset>',
    "stl": '<asset><mesh name="q" file="{}.stl"/></asset>',
    "msh": '<asset><mesh name="q" file="{}.msh"/></asset>',
    "unknown": '<asset><mesh name="q" file="{}"/></asset>',
    "hfield": '<asset><hfield name="q" file="{}.bin" size="1 1 1 1"/></asset>',
    "png": '<asset><hfield name="q" file="{}.png" size="1 1 1 1"/></asset>',
    "texture": '<asset><texture name="q" type="2d" file="{}.png"/></asset>',
    "custom texture": '<asset><texture name="q" type="2d" file="{}.bin"/></asset>',
    "skin": '<deformable><skin name="q" file="{}.skn"/></deformable>',
    "no skin": '<deformable><skin name="q" file="{}.txt"/></deformable>',
    "two skins": '<deformable><skin name="q" file="{}.skn" vertex="0 0 0"/></deformable>',
    "include": '<include file="{}.xml"/>',
    "model": '<asset><model name="q" file="{}.xml"/></asset>',
    "flexcomp": '<worldbody><flexcomp name="f" type="mesh" file="{}.stl"/></worldbody>',
    "flexcomp obj": '<worldbody><flexcomp name="f" type="mesh" file="{}.obj"/></worldbody>',
    "flexcomp unknown": '<worldbody><flexcomp name="f" type="mesh" file="{}"/></worldbody>',
    "gmsh": '<worldbody><flexcomp name="f" type="gmsh" file="{}.msh"/></worldbody>',
}


def first_line(load, path):
    with pytest.raises(ValueError) as error:
        load(str(path))
    return str(error.value).split("\n")[0]


@pytest.mark.filterwarnings("ignore:.*read as an empty file")
@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("what", ["folder", "empty", "missing"])
def test_message_about_a_folder_an_empty_and_a_missing_file(name, what, tmp_path):
    for extension in ("", ".obj", ".stl", ".msh", ".bin", ".png", ".skn", ".txt", ".xml"):
        for folder in ("", "mesh"):
            (tmp_path / folder / f"folder{extension}").mkdir(parents=True)
            (tmp_path / folder / f"empty{extension}").touch()
    for compiler in ("", '<compiler assetdir="mesh"/>', '<compiler assetdir="mesh/../mesh/"/>'):
        main = tmp_path / "main.xml"
        main.write_text(model(compiler + KINDS[name].format(what)))
        assert first_line(_core.MjModel.from_xml_path, main) == first_line(mujoco.MjModel.from_xml_path, main)


ROBOT = ('<robot name="r">{}<link name="w"/><link name="b"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" '
         'ixz="0" iyz="0"/></inertial><collision><geometry><mesh filename="far/q.obj"/></geometry></collision></link>'
         '<joint name="j" type="continuous"><parent link="w"/><child link="b"/></joint></robot>')


@pytest.mark.parametrize("file", ["k.xml", "k.urdf"])
@pytest.mark.parametrize("inner", ["", '<compiler strippath="true"/>', '<compiler strippath="false"/>'])
@pytest.mark.parametrize("outer", ["", '<compiler strippath="true"/>', '<compiler strippath="false"/>'])
def test_paths_are_stripped_as_the_model_says_that_holds_the_asset(file, inner, outer, tmp_path):
    """Not as the model that it was attached from; a reader of URDF strips at once."""
    (tmp_path / "far").mkdir()
    (tmp_path / "q.obj").write_text(OBJ)
    (tmp_path / "far" / "q.obj").write_text(OBJ.replace("1", "2", 1))
    robot = ROBOT.format(f"<mujoco>{inner}</mujoco>" if inner else "")
    (tmp_path / file).write_text(robot if file == "k.urdf" else child("far/q.obj", inner))
    main = tmp_path / "main.xml"
    main.write_text(attached(file).replace("<mujoco>", "<mujoco>" + outer))
    ours, theirs = _core.MjModel.from_xml_path(str(main)), mujoco.MjModel.from_xml_path(str(main))
    assert bytes(ours.paths) == bytes(theirs.paths)
    assert (ours.mesh_vert.ravel() == theirs.mesh_vert.ravel()).all()
