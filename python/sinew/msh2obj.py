"""Converts meshes in MuJoCo's legacy binary format (MSH) to OBJ.

    python -m sinew.msh2obj -i in.msh -o out.obj
"""

import argparse
import pathlib

import numpy as np


class _Reader:
    """Arrays of a file, one after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def take(self, count, kind):
        size = count * np.dtype(kind).itemsize
        if count < 0 or self.at + size > len(self.data):
            raise ValueError("the MSH file is too short")
        values = np.frombuffer(self.data, kind, count, self.at)
        self.at += size
        return values


def _text(value):
    return str(float(value))  # all digits that the number has in double precision


def msh_to_obj(msh_file):
    """The text of an OBJ file for a MSH file.

    Counts of vertices, normals, texture coordinates and faces, then the arrays, in the byte order of the
    format (little-endian). OBJ readers turn the second texture coordinate over: it is written turned over.
    """
    reader = _Reader(pathlib.Path(msh_file).read_bytes())
    nvert, nnormal, ntexcoord, nface = reader.take(4, "<i4").tolist()
    vertices = reader.take(3 * nvert, "<f4").reshape(-1, 3)
    normals = reader.take(3 * nnormal, "<f4").reshape(-1, 3)
    texcoords = reader.take(2 * ntexcoord, "<f4").reshape(-1, 2)
    faces = reader.take(3 * nface, "<i4").reshape(-1, 3) + 1
    lines = ["v " + " ".join(map(_text, v)) for v in vertices]
    lines += ["vn " + " ".join(map(_text, n)) for n in normals]
    lines += [f"vt {_text(u)} {_text(np.float32(1) - v)}" for u, v in texcoords]
    lines += ["f " + " ".join(f"{i}/{i}/{i}" for i in face) for face in faces]
    return "\n".join(lines) + "\n"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-i", "--input", required=True, help="MSH file to read")
    parser.add_argument("-o", "--output", required=True, help="OBJ file to write")
    options = parser.parse_args(arguments)
    pathlib.Path(options.output).write_text(msh_to_obj(options.input))


if __name__ == "__main__":
    main()
