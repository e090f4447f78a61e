"""Compiled assets against MuJoCo 3.5.0: meshes, hulls, polygons, bounding volumes, octrees, height
fields, textures, skins, fitted geoms, the virtual file system."""

import itertools
import pathlib
import struct

import mujoco
import numpy as np
import pytest
import sinew

import asset_files as af

# MuJoCo's asset cache mixes up assets that share a file: off
mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)

SHARED = pathlib.Path(__file__).resolve().parents[3] / "shared" / "models"
FIELDS = ("mesh_", "bvh_", "oct_", "hfield_", "tex_", "skin_", "geom_", "body_")


def compare(reference, model):
    """Integers equal, doubles to 1e-9 and floats to 1e-6 of the field's scale."""
    count = 0
    for name in dir(reference):
        if not name.startswith(FIELDS):
            continue
        x = getattr(reference, name)
        if not isinstance(x, np.ndarray):
            continue
        y = np.asarray(getattr(model, name))
        assert x.size == y.size, (name, x.shape, y.shape)
        y = y.reshape(x.shape)
        count += x.size
        if x.dtype.kind in "iub":
            np.testing.assert_array_equal(y, x, err_msg=name)
        else:
            finite = np.isfinite(x)
            np.testing.assert_array_equal(np.isfinite(y), finite, err_msg=name)
            scale = np.abs(x[finite]).max(initial=0)
            tolerance = (1e-6 if x.dtype == np.float32 else 1e-9) * scale
            np.testing.assert_allclose(
                y[finite], x[finite], rtol=0, atol=tolerance, err_msg=name)
    assert count


def check(xml, assets=None):
    """Both compile to the same model, or both refuse."""
    assets = assets or {}
    try:
        reference = mujoco.MjModel.from_xml_string(xml, assets)
    except ValueError as error:
        with pytest.raises(ValueError) as ours:
            sinew.MjModel.from_xml_string(xml, assets)
        return str(error), str(ours.value)
    compare(reference, sinew.MjModel.from_xml_string(xml, assets))
    return None


def mesh_model(attributes, geom='type="mesh" mesh="m"', compiler=""):
    return (
        f'<mujoco>{compiler}<asset><mesh name="m" {attributes}/></asset>'
        f"<worldbody><body><freejoint/><geom {geom}/><geom type='box' size='.1 .2 .3' pos='.5 .1 .2'/></body>"
        "</worldbody></mujoco>")


OPTIONS = (
    "",
    'inertia="exact"',
    'inertia="convex" scale=".5 1 2"',
    'scale="-.1 .1 .1" refpos=".1 .2 .3"',
    'inertia="shell" smoothnormal="true" maxhullvert="16" refquat="1 2 3 4"',
)


@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("form", ["obj", "stl", "msh"])
def test_mesh_formats(form, options):
    vert, face = af.torus(12, 0.4, 0.02)
    data = getattr(af, form)(vert, face)
    assert check(mesh_model(f'file="t.{form}" {options}'), {f"t.{form}": data}) is None


@pytest.mark.parametrize("normal,texcoord", list(itertools.product((False, True), repeat=2)))
@pytest.mark.parametrize("scale", ["1 1 1", "1 -2 1"])
def test_msh_arrays(normal, texcoord, scale):
    vert, face = af.torus(7, 0.3)
    data = af.msh(vert, face, normal, texcoord)
    assert check(mesh_model(f'file="t.msh" scale="{scale}"'), {"t.msh": data}) is None


def shared_meshes():
    files = sorted(p for e in ("*.obj", "*.stl", "*.STL") for p in SHARED.rglob(e))
    return files


@pytest.mark.skipif(not SHARED.exists(), reason="shared models are not there")
@pytest.mark.parametrize("step", [pytest.param(12, id="sample"),
                                  pytest.param(1, id="all", marks=pytest.mark.full)])
def test_mesh_files_of_the_field(step):
    files = shared_meshes()[::step]
    assert files
    for i, path in enumerate(files):
        for options in OPTIONS if step == 1 else (OPTIONS[i % len(OPTIONS)],):
            errors = check(mesh_model(f'file="{path}" {options}'))
            if errors:
                assert errors[0].splitlines()[0].split(".")[0] in errors[1], errors


OBJ = {
    "quads": af.CUBE + af.QUADS,
    "carriage_returns": (af.CUBE + af.QUADS).replace("\n", "\r\n"),
    "carriage_returns_alone": (af.CUBE + af.QUADS).replace("\n", "\r"),
    "carriage_returns_of_all_kinds": af.CUBE.replace("\n", "\r\r\n") + af.QUADS.replace("\n", "\n\r"),
    "carriage_return_in_a_line": af.CUBE.replace("v ", "v 7 7 7\rv ", 1) + af.QUADS.replace("f 4 3 2 1", "f 4 3 2\r1\rf 4 2 1"),
    "tabs": (af.CUBE + af.QUADS).replace(" ", "\t"),
    "no_last_newline": (af.CUBE + af.QUADS)[:-1],
    "negative": af.CUBE + af.QUADS.replace("f 4 3 2 1", "f -5 -6 -7 -8"),
    "groups": af.CUBE + "o a\ng x\n" + af.QUADS + "g b\nf 1 2 3\n",
    "split_shape": af.CUBE + "f 4 3 2 1\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\no b\nf 3 4 8 7\n",
    "empty_group": af.CUBE + "g\n" + af.QUADS.replace("f 1", "g\nf 1"),
    "materials": af.CUBE + "usemtl a\n" + af.QUADS.replace("f 1", "usemtl b\nf 1"),
    "vertices_last": af.QUADS + af.CUBE,
    "no_faces": af.CUBE,
    "short_faces": af.CUBE + af.QUADS + "f 1 2\nf 3\n",
    "extra_numbers": af.CUBE.replace("\n", " .1 .2 .3\n") + af.QUADS,
    "missing_numbers": af.CUBE + "v 2\nv 0 2\n" + af.QUADS,
    "odd_numbers": "v 1e0 +1.5E+0 -.25\nv 1. 2.e-1 .5e1\nv 0.123456789012345678 -1e-3 7\n"
                   "v 3 3 x\nv 1,2 3 4\nv 1e 2 3\nv --1 2 0x10\n",
    "polygon": af.CUBE + "v 0 0 2\n" + af.QUADS.replace("5 6 7 8", "5 6 9 7 8"),
    "concave": "v 0 0 0\nv 2 0 0\nv 2 2 0\nv 1 .5 0\nv 0 2 0\nv 0 0 1\nv 1 1 1\n"
               "f 5 4 3 2 1\nf 1 2 6\nf 2 3 7 6\nf 5 1 6\n",
    "normals": af.CUBE + "vn 0 0 2\nvn 1 0 0\n" + af.QUADS.replace("4 3 2 1", "4//1 3//1 2//2 1//1"),
    "texcoords": af.CUBE + "vt 0 0\nvt 1 .25 3\nvt .5\n"
                 + af.QUADS.replace("4 3 2 1", "4/1 3/2 2/3 1/1"),
    "unused_texcoords": af.CUBE + "vt 0 0\nvt 1 1\nvn 0 0 1\n" + af.QUADS,
    "comments": "# x\n" + af.CUBE + "mtllib a\ns 1\nl 1 2\nvp 1 2 3\n" + af.QUADS,
}


@pytest.mark.parametrize("name", OBJ)
def test_obj_language(name):
    for scale in ("1 1 1", "1 1 -1"):
        model = mesh_model(f'file="t.obj" scale="{scale}"')
        assert check(model, {"t.obj": OBJ[name].encode()}) is None


@pytest.mark.parametrize("corners", [5, 99, 100, 101, 130])
def test_faces_of_more_than_a_hundred_corners_are_left_out(corners):
    """A pyramid over a regular polygon: its base is in the mesh up to a hundred corners."""
    angle = 2 * np.pi * np.arange(corners) / corners
    lines = [f"v {np.cos(a):.6f} {np.sin(a):.6f} 0" for a in angle] + ["v 0 0 1"]
    lines.append("f " + " ".join(str(corners - i) for i in range(corners)))
    lines += [f"f {i + 1} {(i + 1) % corners + 1} {corners + 1}" for i in range(corners)]
    files = {"p.obj": "\n".join(lines).encode()}
    xml = mesh_model('file="p.obj" inertia="legacy"')
    assert check(xml, files) is None
    assert sinew.MjModel.from_xml_string(xml, files).nmeshface == corners + (corners - 2 if corners <= 100 else 0)


@pytest.mark.parametrize("seed", range(5))
def test_polygons_of_normals_that_are_equal_but_for_rounding(seed):
    """Triangles around an axis: normals whose x differs by about what counts as equal have no order, only a way through the tree."""
    rng, n = np.random.RandomState(seed), 300
    angle = 2 * np.pi * (rng.randint(72, size=n) + 1e-6 * rng.uniform(-1, 1, n)) / 72
    corners = np.zeros((n, 3, 3))
    corners[:, 1, 0] = 1
    corners[:, 1, 1:] = rng.normal(0, 5e-16, (n, 2))
    corners[:, 2, 1:] = np.stack([np.cos(angle), np.sin(angle)], 1)
    stl = af.stl(corners.reshape(-1, 3), np.arange(3 * n).reshape(n, 3))
    xml = mesh_model('file="m.stl" inertia="shell"', geom='type="mesh" mesh="m" contype="0" conaffinity="0"')
    assert check(xml, {"m.stl": stl}) is None


def test_texture_coordinates_stay_when_visuals_are_discarded():
    xml = mesh_model('vertex="0 0 0 1 0 0 0 1 0 0 0 1" texcoord="0 0 1 0 0 1 1 1"', compiler='<compiler discardvisual="true"/>')
    assert check(xml, {}) is None
    assert sinew.MjModel.from_xml_string(xml).nmeshtexcoord == 4


def test_a_field_that_reaches_the_end_of_its_grid():
    """The pole of this bowl is a sample of the first layer, inside by rounding: vertices are numbered by edges."""
    config = "".join(f'<config key="{k}" value="{v}"/>' for k, v in (("height", ".15"), ("radius", ".3"), ("thickness", ".03")))
    xml = (
        '<mujoco><extension><plugin plugin="mujoco.sdf.bowl"><instance name="i">' + config + "</instance></plugin></extension>"
        '<asset><mesh name="m"><plugin instance="i"/></mesh></asset>'
        '<worldbody><geom type="sdf" mesh="m"><plugin instance="i"/></geom></worldbody></mujoco>'
    )
    assert check(xml, {}) is None


def test_inline_mesh_data():
    vert, face = af.torus(5, 0.3)
    text = lambda a: " ".join("%.7g" % v for v in np.ravel(a))
    for attributes in (
        f'vertex="{text(vert)}"',
        f'vertex="{text(vert)}" face="{text(face)}"',
        f'vertex="{text(vert)}" face="{text(face)}" normal="{text(vert)}"',
        f'vertex="{text(vert)}" face="{text(face)}" texcoord="{text(vert[:, :2])}"',
    ):
        assert check(mesh_model(attributes)) is None


BUILTINS = (
    [("sphere", (k,)) for k in range(5)] + [("hemisphere", (k,)) for k in (0, 1, 4, 10)]
    + [("cone", p) for p in ((3, 0), (5, 0.5), (20, 1), (7, 2))]
    + [("supersphere", p) for p in ((3, 1, 1), (8, 0.5, 0.5), (16, 2, 0.3), (10, 0, 1), (22, 0.05, 0.2))]
    + [("supertorus", p) for p in ((8, 0.4, 1, 1), (3, 1, 1, 1), (12, 0.2, 0.5, 2))]
    + [("wedge", p) for p in ((3, 4, 60, 40, 0), (10, 7, 90, 45, 0.5), (5, 5, 180, 90, 1))]
    + [("plate", p) for p in ((3, 4), (10, 10))]
)


@pytest.mark.parametrize("name,params", BUILTINS)
def test_builtin_meshes(name, params):
    collide = 0 if name == "plate" else 1
    geom = f'type="mesh" mesh="m" contype="{collide}" conaffinity="{collide}"'
    text = " ".join(map(str, params))
    assert check(mesh_model(f'builtin="{name}" params="{text}"', geom)) is None


def test_builtin_mesh_limits():
    for name, params in (("sphere", "5"), ("sphere", "-1"), ("sphere", "1 2"), ("hemisphere", "11"),
                         ("supersphere", "2 1 1"), ("supersphere", "5 -1 1"), ("supertorus", "5 2 1 1"),
                         ("supertorus", "5 .4 0 1"), ("wedge", "0 1 1 1 0"), ("wedge", "2 2 190 10 0"),
                         ("wedge", "2 2 60 40 2"), ("plate", "0 1"), ("cone", "1")):
        assert check(mesh_model(f'builtin="{name}" params="{params}"')), (name, params)


@pytest.mark.parametrize("kind", ["sphere", "capsule", "cylinder", "ellipsoid", "box"])
@pytest.mark.parametrize("aabb", ["true", "false"])
def test_fitted_geoms(kind, aabb):
    vert, face = af.torus(9, 0.3, 0.05)
    model = mesh_model(
        'file="t.obj" scale="1 2 5"', f'type="{kind}" mesh="m" fitscale="1.1" pos="1 2 3" euler="10 20 30"',
        f'<compiler fitaabb="{aabb}"/>')
    assert check(model, {"t.obj": af.obj(vert, face)}) is None


@pytest.mark.parametrize("name,params", [("sphere", "1"), ("cone", "4 0"), ("supertorus", "8 .4 1 1")])
def test_octrees(name, params):
    model = mesh_model(f'builtin="{name}" params="{params}"', 'type="sdf" mesh="m"')
    assert check(model) is None


def test_body_trees():
    """Many geoms of all kinds in one body, some of them visual only."""
    random = np.random.RandomState(3)
    geoms = []
    for i in range(60):
        kind = ("sphere", "capsule", "box", "ellipsoid", "cylinder")[i % 5]
        numbers = lambda n: " ".join("%.5f" % v for v in random.rand(n) + 0.01)
        visual = 'contype="0" conaffinity="0"' if i % 7 == 0 else ""
        geoms.append(f'<geom type="{kind}" size="{numbers(3)}" pos="{numbers(3)}" '
                     f'quat="{numbers(4)}" {visual}/>')
    body = "".join(geoms)
    assert check(f"<mujoco><worldbody>{body}<body><freejoint/>{body}</body></worldbody></mujoco>") is None


PNG = [(0, 1), (0, 2), (0, 4), (0, 8), (0, 16), (2, 8), (2, 16), (3, 1), (3, 4), (3, 8), (4, 8), (6, 8),
       (6, 16)]


@pytest.mark.parametrize("color,depth", PNG)
def test_png(color, depth):
    for i, extra in enumerate((b"", af.chunk(b"sRGB", b"\0"), af.chunk(b"gAMA", struct.pack(">I", 9)))):
        data = {"a.png": af.png(7, 5, depth, color, i, extra)}
        for channels, flip in itertools.product((1, 3, 4), ("", 'hflip="true"', 'vflip="true"')):
            texture = f'<texture name="t" type="2d" file="a.png" nchannel="{channels}" {flip}/>'
            assert check(f"<mujoco><asset>{texture}</asset></mujoco>", data) is None
        hfield = '<hfield name="h" size="1 1 1 1" file="a.png"/>'
        assert check(f"<mujoco><asset>{hfield}</asset></mujoco>", data) is None


@pytest.mark.parametrize("builtin", ["gradient", "checker", "flat"])
@pytest.mark.parametrize("mark", ["none", "edge", "cross", "random"])
def test_builtin_textures(builtin, mark):
    for kind, width in itertools.product(("2d", "cube", "skybox"), (1, 2, 5, 16, 250)):
        texture = (f'<texture name="t" type="{kind}" builtin="{builtin}" mark="{mark}" width="{width}" '
                   'height="7" rgb1=".1 .5 .9" rgb2=".3 .7 1" markrgb="1 .2 .4" random=".3"/>')
        assert check(f"<mujoco><asset>{texture}</asset></mujoco>") is None


def test_cube_textures():
    for i, (rows, cols, layout) in enumerate((
            (2, 3, ".U..LF"), (2, 3, "RLUDFB"), (3, 4, ".U..LFRB.D.."), (1, 6, "BFDULR"),
            (2, 2, "UUUD"), (1, 1, "."))):
        data = {"a.png": af.png(4 * cols, 4 * rows, seed=i)}
        for flip in ("", 'hflip="true"', 'vflip="true"'):
            texture = (f'<texture name="t" type="cube" file="a.png" gridsize="{rows} {cols}" '
                       f'gridlayout="{layout}" {flip}/>')
            assert check(f"<mujoco><asset>{texture}</asset></mujoco>", data) is None
    for side in ("right", "left", "up", "down", "front", "back"):
        texture = f'<texture name="t" type="skybox" file{side}="a.png" rgb1=".2 .3 .4"/>'
        assert check(f"<mujoco><asset>{texture}</asset></mujoco>", {"a.png": af.png(3, 3)}) is None


def test_height_fields():
    data = struct.pack("<ii", 3, 2) + np.random.RandomState(0).randn(6).astype("<f4").tobytes()
    for attributes in ('file="h.bin"', 'nrow="2" ncol="3" elevation="1 2 3 4 5 7"', 'nrow="4" ncol="2"',
                       'nrow="2" ncol="2" elevation="3 3 3 3"', 'nrow="2" ncol="2" elevation="1e11 1 1 2"'):
        model = (f'<mujoco><asset><hfield name="h" size="1 2 3 4" {attributes}/></asset><worldbody>'
                 '<geom type="hfield" hfield="h"/></worldbody></mujoco>')
        assert check(model, {"h.bin": data}) is None


def test_skins():
    bodies = '<body name="a"><geom size="1"/></body><body name="b"><geom size="1"/></body>'
    for texcoord in (False, True):
        model = (f'<mujoco><asset><skin name="s" file="s.skn"/></asset><worldbody>{bodies}'
                 "</worldbody></mujoco>")
        assert check(model, {"s.skn": af.skn(texcoord=texcoord)}) is None
    bone = ('<bone body="{}" bindpos="1 2 3" bindquat="1 2 3 4" vertid="0 1 2" vertweight="{}"/>')
    skin = ('<skin name="s" vertex="0 0 0 1 0 0 0 1 0" texcoord="0 0 1 0 0 1" face="0 1 2" inflate=".1">'
            + bone.format("a", "1 2 3") + bone.format("b", ".1 .2 .7") + "</skin>")
    for place in ("asset", "deformable"):
        model = f"<mujoco><{place}>{skin}</{place}><worldbody>{bodies}</worldbody></mujoco>"
        assert check(model) is None


VFS = [
    ("t.obj", "t.obj", ""), ("t.obj", "T.OBJ", ""), ("d/t.obj", "t.obj", ""), ("t.obj", "d/t.obj", ""),
    ("d/t.obj", "d/t.obj", ""), ("t.obj", "d/t.obj", 'meshdir="d"'), ("t.obj", "t.obj", 'meshdir="d"'),
    ("./t.obj", "t.obj", ""), ("d/../t.obj", "t.obj", ""), ("../t.obj", "t.obj", ""),
    ("/x/t.obj", "t.obj", ""), ("D/t.obj", "d/t.obj", ""), ("d/t.obj", "t.obj", 'strippath="true"'),
    ("d\\t.obj", "d/t.obj", ""), ("t.obj", "d/t.obj", 'assetdir="d//"'),
]


@pytest.mark.parametrize("file,key,compiler", VFS)
def test_virtual_files(file, key, compiler):
    model = mesh_model(f'file="{file}"', compiler=f"<compiler {compiler}/>")
    assert check(model, {key: (af.CUBE + af.QUADS).encode()}) is None
