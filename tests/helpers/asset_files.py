"""Asset files written by the tests: meshes, images, height fields, skins."""

import struct
import zlib

import numpy as np

CUBE = (
    "v -1 -1 -1\nv 1 -1 -1\nv 1 1 -1\nv -1 1 -1\nv -1 -1 1\nv 1 -1 1\nv 1 1 1\nv -1 1 1\n"
)
QUADS = "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"


def torus(n, radius, jitter=0.0, seed=0):
    """Vertices and triangles of a torus."""
    random = np.random.RandomState(seed)
    u, v = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    a, b = 2 * np.pi * u.ravel() / n, 2 * np.pi * v.ravel() / n
    ring = 1 + radius * np.cos(b)
    vert = np.stack([ring * np.cos(a), ring * np.sin(a), radius * np.sin(b)], 1)
    vert += jitter * random.randn(*vert.shape)
    index = lambda i, j: (i % n) * n + j % n
    face = []
    for i in range(n):
        for j in range(n):
            p, q = index(i, j), index(i + 1, j)
            r, s = index(i + 1, j + 1), index(i, j + 1)
            face += [(p, q, s), (q, r, s)]
    return vert, np.array(face)


def obj(vert, face):
    lines = ["v %.9g %.9g %.9g" % tuple(v) for v in vert]
    lines += ["f %d %d %d" % tuple(f + 1) for f in face]
    return ("\n".join(lines) + "\n").encode()


def stl(vert, face):
    data = b"\0" * 80 + struct.pack("<i", len(face))
    for f in face:
        data += struct.pack("<12fH", 0, 0, 0, *vert[f].astype("f4").ravel(), 0)
    return data


def msh(vert, face, normal=False, texcoord=False):
    n = len(vert)
    data = struct.pack("<iiii", n, n * normal, n * texcoord, len(face))
    data += vert.astype("<f4").tobytes()
    if normal:
        data += (vert / np.linalg.norm(vert, axis=1, keepdims=True)).astype("<f4").tobytes()
    if texcoord:
        data += vert[:, :2].astype("<f4").tobytes()
    return data + face.astype("<i4").tobytes()


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width, height, depth=8, color=2, seed=0, extra=b""):
    """A PNG with random pixels; color is the type of the format (0 grey, 2 rgb, 3 palette, ...)."""
    random = np.random.RandomState(seed)
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}[color]
    if color == 3:
        palette = random.randint(0, 256, 3 << depth).astype("u1").tobytes()
        extra = chunk(b"PLTE", palette) + extra
    row = (width * channels * depth + 7) // 8
    rows = [b"\0" + random.randint(0, 256, row).astype("u1").tobytes() for _ in range(height)]
    header = struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra
        + chunk(b"IDAT", zlib.compress(b"".join(rows))) + chunk(b"IEND", b"")
    )


def skn(nvert=6, texcoord=True, bones=("a", "b"), seed=0):
    random = np.random.RandomState(seed)
    face = [(i, i + 1, i + 2) for i in range(nvert - 2)]
    data = struct.pack("<iiii", nvert, nvert * texcoord, len(face), len(bones))
    data += random.rand(nvert, 3).astype("<f4").tobytes()
    data += random.rand(nvert * texcoord, 2).astype("<f4").tobytes()
    data += np.array(face, "<i4").tobytes()
    for name in bones:
        data += name.encode().ljust(40, b"\0") + random.randn(7).astype("<f4").tobytes()
        data += struct.pack("<i", nvert) + np.arange(nvert).astype("<i4").tobytes()
        data += (0.1 + random.rand(nvert)).astype("<f4").tobytes()
    return data
