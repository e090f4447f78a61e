"""Broken assets: an error that says what is wrong with which element; never a crash."""

import struct
import zlib

import mujoco
import pytest
import sinew

import asset_files as af

VERT, FACE = af.torus(5, 0.3)
BODY = '<worldbody><body name="a"><geom size="1"/></body></worldbody>'


def mesh(attributes="", geom='type="mesh" mesh="m"', **files):
    xml = f'<asset><mesh name="m" {attributes}/></asset><worldbody><geom {geom}/></worldbody>'
    return xml, {k.replace("_", "."): v for k, v in files.items()}


def asset(element, body=BODY, **files):
    return f"<asset>{element}</asset>{body}", {k.replace("_", "."): v for k, v in files.items()}


def bad_png(**changes):
    data = bytearray(af.png(4, 4))
    for at, value in changes.items():
        data[int(at[1:])] = value
    return bytes(data)


def header_png(width, height):
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + af.chunk(b"IHDR", header)
            + af.chunk(b"IDAT", zlib.compress(b"\0" * 100)) + af.chunk(b"IEND", b""))


FLAT = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 3\n"
STL = af.stl(VERT, FACE)
MSH = af.msh(VERT, FACE)
SKN = af.skn()
TEX2D = '<texture name="t" type="2d" '
CUBE = '<texture name="t" type="cube" '
HFIELD = '<hfield name="h" size="1 1 1 1" '
SKIN = ('<skin name="s" vertex="{}" texcoord="{}" face="{}">'
        '<bone body="{}" bindpos="0 0 0" bindquat="1 0 0 0" vertid="{}" vertweight="{}"/></skin>')

CASES = {
    "no_such_file": (*mesh('file="none.obj"'), "none.obj"),
    "no_extension": (*mesh('file="none"', none=b"x"), "unknown or unsupported"),
    "ply": (*mesh('file="a.ply"', a_ply=b"ply"), "model/ply"),
    "content_type": (*mesh('file="a.obj" content_type="obj"', a_obj=b""), "invalid content type"),
    "other_content_type": (*mesh('file="a.obj" content_type="a/b"', a_obj=b""), "a/b"),
    "obj_empty": (*mesh('file="a.obj"', a_obj=b""), "at least 4 vertices"),
    "obj_binary": (*mesh('file="a.obj"', a_obj=bytes(range(256))), "at least 4 vertices"),
    "obj_index_zero": (*mesh('file="a.obj"', a_obj=(af.CUBE + "f 0 1 2\n").encode()), "could not parse OBJ"),
    "obj_index_high": (*mesh('file="a.obj"', a_obj=(af.CUBE + "f 1 2 9\n").encode()), "index 8 does not exist"),
    "obj_index_low": (*mesh('file="a.obj"', a_obj=(af.CUBE + "f 1 2 -9\n").encode()), "index -1 does not"),
    "obj_index_huge": (*mesh('file="a.obj"', a_obj=(af.CUBE + "f 1 2 99999999999\n").encode()), "OBJ"),
    "obj_index_text": (*mesh('file="a.obj"', a_obj=(af.CUBE + "f a b c\n").encode()), "could not parse OBJ"),
    "obj_not_finite": (*mesh('file="a.obj"', a_obj=(af.CUBE + "v nan 1 1\n" + af.QUADS).encode()),
                       "not finite"),
    "obj_infinite": (*mesh('file="a.obj"', a_obj=(af.CUBE + "v 1e400 1 1\n").encode()), "not finite"),
    "obj_flat": (*mesh('file="a.obj"', a_obj=FLAT.encode()), "qhull error"),
    "obj_one_point": (*mesh('file="a.obj"', a_obj=b"v 1 1 1\n" * 8), "qhull error"),
    "obj_line": (*mesh('file="a.obj"', a_obj=b"".join(b"v %d 0 0\n" % i for i in range(9))), "qhull"),
    "obj_no_area": (*mesh('file="a.obj"', 'type="mesh" mesh="m" contype="0" conaffinity="0"',
                          a_obj=b"v 0 0 0\nv 1 0 0\nv 2 0 0\nv 3 0 0\nf 1 2 3\n"), "surface area is too small"),
    "obj_no_volume": (*mesh('file="a.obj" inertia="exact"', 'type="mesh" mesh="m" contype="0" conaffinity="0"',
                            a_obj=FLAT.encode()), "volume is too small"),
    "obj_inside_out": (*mesh('file="a.obj" inertia="exact"',
                             a_obj=af.obj(VERT, FACE[:, ::-1])), "volume is negative"),
    "obj_orientation": (*mesh('file="a.obj" inertia="exact"',
                              a_obj=(af.CUBE + af.QUADS + "f 1 2 6\n").encode()), "inconsistent orientation"),
    "obj_tiny": (*mesh('file="a.obj" scale="1e-9 1e-9 1e-9"', a_obj=af.obj(VERT, FACE)), "too small"),
    "convex_without_hull": (*mesh('file="a.obj" inertia="convex"', "size='1'", a_obj=af.obj(VERT, FACE)),
                            "convex"),
    "stl_empty": (*mesh('file="a.stl"', a_stl=b""), "STL"),
    "stl_ascii": (*mesh('file="a.stl"', a_stl=b"solid x\nfacet normal 0 0 1\nouter loop\n" * 9), "ASCII"),
    "stl_short": (*mesh('file="a.stl"', a_stl=STL[:-1]), "wrong size"),
    "stl_long": (*mesh('file="a.stl"', a_stl=STL + b"x"), "wrong size"),
    "stl_count": (*mesh('file="a.stl"', a_stl=STL[:80] + struct.pack("<i", 200001)), "200000"),
    "stl_no_faces": (*mesh('file="a.stl"', a_stl=STL[:80] + struct.pack("<i", 0)), "200000"),
    "stl_large": (*mesh('file="a.stl"', a_stl=af.stl(VERT * 2e9, FACE)), "exceed maximum bounds"),
    "stl_nan": (*mesh('file="a.stl"', a_stl=af.stl(VERT * float("nan"), FACE)), "not finite"),
    "msh_empty": (*mesh('file="a.msh"', a_msh=b""), "MSH"),
    "msh_short": (*mesh('file="a.msh"', a_msh=MSH[:-4]), "file size"),
    "msh_few": (*mesh('file="a.msh"', a_msh=struct.pack("<iiii", 3, 0, 0, 0) + bytes(36)), "sizes"),
    "msh_negative": (*mesh('file="a.msh"', a_msh=struct.pack("<iiii", 4, -1, 0, 4)), "sizes"),
    "msh_normals": (*mesh('file="a.msh"', a_msh=struct.pack("<iiii", 4, 3, 0, 4)), "sizes"),
    "msh_huge": (*mesh('file="a.msh"', a_msh=struct.pack("<iiii", 2**31 - 1, 0, 0, 2**31 - 1)), "MSH"),
    "msh_index": (*mesh('file="a.msh"', a_msh=af.msh(VERT, FACE + 100)), "does not exist"),
    "repeated_vertices": (*mesh('file="a.obj" vertex="0 0 0 1 0 0 0 1 0 0 0 1"', a_obj=af.obj(VERT, FACE)),
                          "repeated vertex"),
    "repeated_faces": (*mesh('file="a.obj" face="0 1 2"', a_obj=af.obj(VERT, FACE)), "repeated face"),
    "three_vertices": (*mesh('vertex="0 0 0 1 0 0 0 1 0"'), "at least 4 vertices"),
    "vertex_numbers": (*mesh('vertex="0 0 0 1 0 0 0 1 0 0 0 1 2"'), "multiple of 3"),
    "vertex_infinite": (*mesh('vertex="0 0 0 1 0 0 0 1 0 0 0 inf"'), "not finite"),
    "face_numbers": (*mesh('vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 2 3"'), "multiple of 3"),
    "face_index": (*mesh('vertex="0 0 0 1 0 0 0 1 0 0 0 1" face="0 1 4"'), "does not exist"),
    "texcoord_numbers": (*mesh('vertex="0 0 0 1 0 0 0 1 0 0 0 1" texcoord="0 0 0"'), "texcoord"),
    "builtin_and_file": (*mesh('builtin="sphere" params="1" file="a.obj"', a_obj=b""), "builtin"),
    "png_empty": (*asset(TEX2D + 'file="a.png"/>', a_png=b""), "empty"),
    "png_text": (*asset(TEX2D + 'file="a.png"/>', a_png=b"this is not an image at all, is it?"), "a.png"),
    "png_truncated": (*asset(TEX2D + 'file="a.png"/>', a_png=af.png(9, 9)[:80]), "a.png"),
    "png_checksum": (*asset(TEX2D + 'file="a.png"/>', a_png=bad_png(_20=77)), "a.png"),
    "png_bomb": (*asset(TEX2D + 'file="a.png"/>', a_png=header_png(60000, 60000)), "a.png"),
    "png_zero": (*asset(TEX2D + 'file="a.png"/>', a_png=header_png(0, 4)), "a.png"),
    "png_missing_rows": (*asset(TEX2D + 'file="a.png"/>', a_png=header_png(40, 40)), "a.png"),
    "png_channels": (*asset(TEX2D + 'file="a.png" nchannel="2"/>', a_png=af.png(2, 2)), "channels: 2"),
    "texture_channels": (*asset(TEX2D + 'builtin="flat" width="1" height="1" nchannel="-1"/>'), "channels"),
    "texture_custom": (*asset(TEX2D + 'file="a.bin"/>', a_bin=b"xyz"), "file size"),
    "texture_custom_negative": (*asset(TEX2D + 'file="a.bin"/>', a_bin=struct.pack("<ii", -2, 2) + bytes(12)),
                                "file size"),
    "texture_type": (*asset(TEX2D + 'file="a.bin" content_type="image/x"/>', a_bin=b"xyz"), "image/x"),
    "texture_nothing": (*asset(TEX2D + "/>"), "texture"),
    "texture_no_file": (*asset(TEX2D + 'file="none.png"/>'), "none.png"),
    "texture_huge": (*asset(TEX2D + 'builtin="flat" width="2000000000" height="2000000000"/>'), "too large"),
    "texture_no_width": (*asset(TEX2D + 'builtin="flat"/>'), "Invalid width"),
    "texture_no_height": (*asset(TEX2D + 'builtin="flat" width="1"/>'), "Invalid height"),
    "ktx_flip": (*asset(TEX2D + 'file="a.ktx" content_type="image/ktx" hflip="true"/>', a_ktx=b"abc"), "KTX"),
    "cube_nothing": (*asset(CUBE + "/>"), "cube"),
    "cube_not_square": (*asset(CUBE + 'file="a.png"/>', a_png=af.png(3, 4)), "gridsize"),
    "cube_grid": (*asset(CUBE + 'file="a.png" gridsize="5 5" gridlayout="............"/>', a_png=af.png(5, 5)),
                  "grid"),
    "cube_symbol": (*asset(CUBE + 'file="a.png" gridsize="2 2" gridlayout="RXLB"/>', a_png=af.png(4, 4)),
                    "RLUDFB"),
    "cube_sizes": (*asset(CUBE + 'fileup="a.png" filedown="b.png"/>', a_png=af.png(4, 4), b_png=af.png(5, 5)),
                   "b.png"),
    "hfield_nothing": (*asset(HFIELD + "/>"), "not specified"),
    "hfield_size": (*asset('<hfield name="h" size="1 1 0 1" nrow="2" ncol="2"/>'), "not positive"),
    "hfield_rows": (*asset(HFIELD + 'nrow="-2" ncol="2"/>'), "not specified"),
    "hfield_huge": (*asset(HFIELD + 'nrow="2000000000" ncol="2000000000"/>'), "too many"),
    "hfield_elevation": (*asset(HFIELD + 'nrow="2" ncol="2" elevation="1 2 3"/>'), "elevation"),
    "hfield_nan": (*asset(HFIELD + 'nrow="1" ncol="2" elevation="nan nan"/>'), "data range"),
    "hfield_empty": (*asset(HFIELD + 'file="a.bin"/>', a_bin=b""), "could not read"),
    "hfield_header": (*asset(HFIELD + 'file="a.bin"/>', a_bin=b"abc"), "header"),
    "hfield_negative": (*asset(HFIELD + 'file="a.bin"/>', a_bin=struct.pack("<ii", -1, 2)), "non-positive"),
    "hfield_short": (*asset(HFIELD + 'file="a.bin"/>', a_bin=struct.pack("<ii", 40000, 50000)), "file size"),
    "hfield_png": (*asset(HFIELD + 'file="a.png"/>', a_png=b"abc"), "PNG"),
    "skin_extension": (*asset('<skin name="s" file="s.obj"/>', s_obj=SKN), "skin file type"),
    "skin_empty": (*asset('<skin name="s" file="s.skn"/>', s_skn=b""), "SKN"),
    "skin_short": (*asset('<skin name="s" file="s.skn"/>', s_skn=SKN[:-1]), "SKN"),
    "skin_long": (*asset('<skin name="s" file="s.skn"/>', s_skn=SKN + b"1"), "SKN"),
    "skin_huge": (*asset('<skin name="s" file="s.skn"/>', s_skn=struct.pack("<iiii", 9, 9, 9, 2**31 - 1)), "SKN"),
    "skin_body": (*asset(SKIN.format("0 0 0 1 0 0 0 1 0", "", "0 1 2", "none", "0 1 2", "1 1 1")), "none"),
    "skin_face": (*asset(SKIN.format("0 0 0 1 0 0 0 1 0", "", "0 1 3", "a", "0 1 2", "1 1 1")), "does not exist"),
    "skin_vertid": (*asset(SKIN.format("0 0 0 1 0 0 0 1 0", "", "0 1 2", "a", "0 1 3", "1 1 1")), "out of range"),
    "skin_weight": (*asset(SKIN.format("0 0 0 1 0 0 0 1 0", "", "0 1 2", "a", "0 1 2", "1 1 0")), "weight"),
    "skin_lengths": (*asset(SKIN.format("0 0 0 1 0 0 0 1 0", "", "0 1 2", "a", "0 1 2", "1 1")), "vertweight"),
    "skin_texcoord": (*asset(SKIN.format("0 0 0 1 0 0 0 1 0", "0 0", "0 1 2", "a", "0 1 2", "1 1 1")), "texcoord"),
}


@pytest.mark.parametrize("name", CASES)
def test_broken_asset(name):
    xml, files, reason = CASES[name]
    with pytest.raises(ValueError) as error:
        sinew.MjModel.from_xml_string(f"<mujoco>{xml}</mujoco>", files)
    assert reason in str(error.value)


# MuJoCo says something else: it crashes, takes what it should not, or decodes images with another library
OTHER = {
    "convex_without_hull": "MuJoCo crashes",
    "hfield_huge": "MuJoCo runs out of memory",
    "skin_face": "MuJoCo takes a face without vertices",
    "obj_index_huge": "ours does not wrap the index around",
    "obj_infinite": "ours finds the number before qhull does",
    "texture_channels": "ours names the attribute",
    "texture_huge": "one message for textures of all kinds",
    "cube_not_square": "ours has the number of the element in the next line",
    "cube_sizes": "ours has the number of the element in the next line",
    "hfield_nan": "MuJoCo prints a warning",
    **dict.fromkeys([name for name in CASES if name.startswith("png_")], "another library"),
}


@pytest.mark.parametrize("name", sorted(set(CASES) - set(OTHER)))
def test_message_is_mujocos(name, capfd):
    xml, files, _ = CASES[name]
    said = []
    for module in (mujoco, sinew):
        with pytest.raises(ValueError) as error:
            module.MjModel.from_xml_string(f"<mujoco>{xml}</mujoco>", files)
        said.append(str(error.value).splitlines()[0])
    # ours adds what qhull says
    assert said[0] == said[1] or said[1].startswith(said[0] + ": QH"), said
