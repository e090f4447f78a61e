"""MSH files as OBJ text, to the byte as the reference's module writes it."""

import pathlib
import struct

import numpy as np
import pytest

import sinew
from sinew import msh2obj

reference = pytest.importorskip("mujoco.msh2obj")
VERTICES = np.array([[0, 0, 0], [1, 0, 0], [0, 1.1, 0], [0, 0, 1 / 3]], np.float32)
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]], np.int32)


def write(path, normals, texcoords):
    """A tetrahedron, with or without normals and texture coordinates."""
    parts = [struct.pack("<4i", 4, 4 * normals, 4 * texcoords, 4), VERTICES.tobytes()]
    parts += [np.tile(np.array([0, 0.6, 0.8], np.float32), (4, 1)).tobytes()] * normals
    parts += [(np.arange(8, dtype=np.float32) / 10).tobytes()] * texcoords
    path.write_bytes(b"".join([*parts, FACES.tobytes()]))
    return path


@pytest.mark.parametrize("normals", [0, 1])
@pytest.mark.parametrize("texcoords", [0, 1])
def test_text(normals, texcoords, tmp_path):
    path = write(tmp_path / "a.msh", normals, texcoords)
    ours, theirs = msh2obj.msh_to_obj(path), reference.msh_to_obj(pathlib.Path(path))
    assert ours.strip() == theirs.strip() and "f 1/1/1 3/3/3 2/2/2" in ours


def test_files_that_are_absent_or_short(tmp_path):
    with pytest.raises(FileNotFoundError):
        msh2obj.msh_to_obj(tmp_path / "none.msh")
    path = write(tmp_path / "a.msh", 1, 1)
    path.write_bytes(path.read_bytes()[:40])
    with pytest.raises(ValueError):
        msh2obj.msh_to_obj(path)


@pytest.mark.parametrize("normals", [0, 1])
@pytest.mark.parametrize("texcoords", [0, 1])
def test_models_of_both_files_agree(normals, texcoords, tmp_path):
    path = write(tmp_path / "a.msh", normals, texcoords)
    (tmp_path / "b.obj").write_text(msh2obj.msh_to_obj(path))
    models = []
    for name in ("a.msh", "b.obj"):
        xml = f'<mujoco><asset><mesh name="m" file="{tmp_path / name}"/></asset></mujoco>'
        models.append(sinew.MjModel.from_xml_string(xml))
    for field in ("mesh_vert", "mesh_face", "mesh_normal", "mesh_texcoord"):
        np.testing.assert_allclose(getattr(models[0], field), getattr(models[1], field), atol=1e-6)
