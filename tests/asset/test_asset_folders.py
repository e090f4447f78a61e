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
