"""Flexcomps and files of Gmsh: what they become, against MuJoCo's specs, models, texts and messages."""

import re

import flexes
import gmsh_files
import mujoco
import numpy as np
import pytest
import random_flexcomp
import saved
import sinew
from compiled import differences
from refused import told
from sinew import _core

FIELDS = {
    "bodies": "name pos quat mass ipos iquat inertia childclass explicitinertial mocap gravcomp",
    "joints": "name type pos axis damping armature stiffness group range limited margin frictionloss",
    "geoms": "name type size group pos contype conaffinity condim mass density friction",
    "flexes": "name contype conaffinity condim priority friction solmix solref solimp margin gap dim radius "
    "internal flatskin selfcollide vertcollide passive activelayers group edgestiffness edgedamping rgba "
    "material young poisson damping thickness elastic2d nodebody vertbody node vert elem texcoord elemtexcoord",
    "equalities": "name type active solref solimp name1 name2 objtype",
}


def equal(theirs, ours):
    try:
        theirs, ours = np.asarray(theirs, float), np.asarray(ours, float)
    except (TypeError, ValueError):
        return [str(item) for item in theirs] == [str(item) for item in ours]
    return theirs.shape == ours.shape and np.allclose(theirs, ours, rtol=1e-12, atol=1e-14, equal_nan=True)


def spec_differences(theirs, ours):
    found = []
    for kind, fields in FIELDS.items():
        pairs = list(getattr(theirs, kind)), list(getattr(ours, kind))
        if len(pairs[0]) != len(pairs[1]):
            found.append(f"{kind}: {len(pairs[0])} expected, {len(pairs[1])} found")
            continue
        for i, (x, y) in enumerate(zip(*pairs)):
            found += [f"{kind}[{i}].{field}" for field in fields.split() if not equal(getattr(x, field), getattr(y, field))]
    return found


def world(text, before="", after=""):
    return f"<mujoco>{before}<worldbody>{text}</worldbody>{after}</mujoco>"


def check_message(xml):
    expected = told(mujoco, xml)
    assert expected
    # ours also name the attribute of a wrong keyword
    assert (told(sinew, xml) or "").split(" in attribute")[0] == expected.split(" in attribute")[0]


# ---- specs, models and texts ----


@pytest.mark.full
@pytest.mark.parametrize("name", flexes.shipped())
def test_shipped_model_has_mujocos_elements(name):
    path = str(flexes.shipped()[name])
    assert spec_differences(mujoco.MjSpec.from_file(path), sinew.MjSpec.from_file(path)) == []


# elastic2d: MuJoCo writes one of its three words and loses the others
def written(text):
    return re.sub(' elastic2d="(stretch|both)"', "", text)


def check_random(seeds):
    compared = 0
    for seed in seeds:
        xml = random_flexcomp.model(seed)
        theirs, ours = mujoco.MjSpec.from_string(xml), sinew.MjSpec.from_string(xml)
        assert spec_differences(theirs, ours) == [], f"seed {seed}"
        try:
            expected = theirs.compile()
        except ValueError as error:
            assert told(sinew, xml) == str(error).split("\n")[0], f"seed {seed}"
            continue
        actual = ours.compile()
        assert differences(expected, actual) == [], f"seed {seed}"
        assert written(ours.to_xml()) == theirs.to_xml(), f"seed {seed}"
        again = sinew.MjModel.from_xml_string(ours.to_xml(lossless=True))
        assert saved.differences(actual, again) == [], f"seed {seed}"
        compared += 1
    return compared


@pytest.mark.parametrize("start", range(0, 60, 10))
def test_random_models(start):
    assert check_random(range(start, start + 10)) > 7


@pytest.mark.full
@pytest.mark.parametrize("start", range(1000, 1500, 50))
def test_many_random_models(start):
    assert check_random(range(start, start + 50)) > 40


@pytest.mark.parametrize("count", [(7,), (4, 3), (3, 4, 2)])
def test_grid_has_its_points_and_fills_its_box(count):
    """Points at the spacing around the middle, two triangles in a square and six tetrahedra in a cube, that are all the same
    way round and have the size of the box (spec 42: 2)."""
    dim, spacing = len(count), np.array([0.1, 0.2, 0.3])
    shape = " ".join(map(str, count + (1,) * (3 - dim)))
    m = sinew.MjModel.from_xml_string(world(f'<flexcomp name="f" type="grid" dim="{dim}" count="{shape}" spacing=".1 .2 .3"/>'))
    d = sinew.MjData(m)
    sinew.mj_forward(m, d)
    grid = np.stack(np.meshgrid(*(np.arange(n) - (n - 1) / 2 for n in count), indexing="ij"), -1).reshape(-1, dim)
    np.testing.assert_allclose(d.flexvert_xpos[:, :dim], grid * spacing[:dim], atol=1e-15)
    assert not d.flexvert_xpos[:, dim:].any()
    corners = d.flexvert_xpos[m.flex_elem.reshape(-1, dim + 1)][:, :, :dim]
    sizes = np.linalg.det(corners[:, 1:] - corners[:, :1]) / (1, 2, 6)[dim - 1]
    cells = np.prod(np.array(count) - 1)
    assert len(sizes) == cells * (1, 2, 6)[dim - 1] and len(set(np.sign(sizes))) == 1
    assert abs(sizes).sum() == pytest.approx(cells * np.prod(spacing[:dim]))


@pytest.mark.parametrize("dim", [1, 2, 3])
@pytest.mark.parametrize("kind", ["box", "cylinder", "ellipsoid"])
def test_surfaces_of_boxes(kind, dim):
    for count in ("2 2 2", "3 2 4", "2 5 3", "4 4 2"):
        xml = world(f'<flexcomp name="f" type="{kind}" dim="{dim}" count="{count}" spacing="1 2 3" rigid="true"/>')
        assert spec_differences(mujoco.MjSpec.from_string(xml), sinew.MjSpec.from_string(xml)) == [], count


# ---- pins of nodes ----

POINTS = "0 0 0 1 0 0 0 1 0 0 0 1 1 1 1"


@pytest.mark.parametrize("dof", ["trilinear", "quadratic"])
@pytest.mark.parametrize("element", ["0 1 2 3", "1 2 3 4", "0 1 2 4"])
@pytest.mark.parametrize("pin", ['id="4"', 'id="0 3"', 'range="1 4"', 'grid="1 0 1"', 'gridrange="0 0 0 1 1 0"'])
def test_pins_of_nodes(dof, element, pin):
    """Flags of points are read as flags of nodes, after unused points were dropped."""
    count = "2 2 2" if dof == "trilinear" else "3 3 3"
    xml = world(f'<flexcomp name="f" type="direct" dim="3" dof="{dof}" count="{count}" point="{POINTS}" '
                f'element="{element}"><contact selfcollide="none"/><pin {pin}/></flexcomp>')
    assert spec_differences(mujoco.MjSpec.from_string(xml), sinew.MjSpec.from_string(xml)) == []


def test_generated_points_come_after_given_ones():
    xml = world('<flexcomp name="f" count="2 2 1" spacing="1 1 1" point="9 9 9"/>')
    ours = sinew.MjSpec.from_string(xml)
    assert spec_differences(mujoco.MjSpec.from_string(xml), ours) == []
    assert len(ours.bodies) == 6


# ---- messages ----

GRID = 'count="3 2 1" spacing="1 1 1"'
REFUSED = [
    f"<body><flexcomp name='f' {GRID}/></body>",
    f"<flexcomp {GRID}/>",
    f"<flexcomp name='f' {GRID} dim='0'/>",
    f"<flexcomp name='f' {GRID} dim='4'/>",
    f"<flexcomp name='f' {GRID} type='torus'/>",
    f"<flexcomp name='f' {GRID} dof='half'/>",
    "<flexcomp name='f' count='3 2' spacing='1 1 1'/>",
    "<flexcomp name='f' count='3 0 1' spacing='1 1 1'/>",
    "<flexcomp name='f' count='3 2 1' spacing='1 1 1' dim='3' dof='radial'/>",
    "<flexcomp name='f' count='3 2 1' spacing='1 1 .001'/>",
    "<flexcomp name='f' count='3 2 1' spacing='1 .1 1' radius='.05'><contact margin='.01'/></flexcomp>",
    f"<flexcomp name='f' {GRID} scale='1 0 1'/>",
    f"<flexcomp name='f' {GRID} mass='0'/>",
    f"<flexcomp name='f' {GRID} inertiabox='0'/>",
    f"<flexcomp name='f' {GRID} quat='1 0 0 0' euler='1 0 0'/>",
    f"<flexcomp name='f' {GRID} axisangle='0 0 0 1'/>",
    "<flexcomp name='f' count='1 1 1' spacing='1 1 1'/>",
    "<flexcomp name='f' count='1 1 1' spacing='1 1 1' dim='1'/>",
    "<flexcomp name='f' count='1 1 1' spacing='1 1 1' dim='1' type='circle'/>",
    "<flexcomp name='f' count='2 1 1' spacing='1 1 1' dim='1' type='circle'/>",
    "<flexcomp name='f' count='3 2 10' spacing='1 1 1'/>",
    f"<flexcomp name='f' {GRID} point='1 2'/>",
    "<flexcomp name='f' count='2 2 2' spacing='1 1 1' dim='3' element='0'/>",
    "<flexcomp name='f' type='mesh'/>",
    "<flexcomp name='f' type='mesh' dim='3' file='a.obj'/>",
    "<flexcomp name='f' type='mesh' dim='1' file='a.obj'/>",
    "<flexcomp name='f' type='mesh' file='a.msh'/>",
    "<flexcomp name='f' type='mesh' file='nowhere.obj'/>",
    "<flexcomp name='f' type='gmsh'/>",
    "<flexcomp name='f' type='gmsh' file='nowhere.msh'/>",
    "<flexcomp name='f' type='direct'/>",
    "<flexcomp name='f' type='direct' point='1 2 3 4'/>",
    "<flexcomp name='f' type='direct' point='1 2 3 4' element='0 1 2'/>",
    "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1'/>",
    "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1 3'/>",
    "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1 -1'/>",
    "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1 1'/>",
    "<flexcomp name='f' type='direct' point='0 0 0 1 0 0 0 1 0' element='0 1 2' texcoord='0 0 1 1'/>",
    f"<flexcomp name='f' {GRID}><pin range='1'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><pin grid='1'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><pin gridrange='1 1 1'/></flexcomp>",
    f"<flexcomp name='f' {GRID} rigid='true'><pin gridrange='1 1 1'/></flexcomp>",
    f"<flexcomp name='f' {GRID} type='square'><pin grid='1 1'/></flexcomp>",
    f"<flexcomp name='f' {GRID} dim='1'><pin grid='1'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><pin id='6'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><pin id='-1'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><pin range='0 6'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><pin grid='3 0'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><pin gridrange='0 0 3 0'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><pin id='x'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><edge equality='true'/><elasticity elastic2d='both'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><edge stiffness='1'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><edge equality='maybe'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><contact selfcollide='often'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><elasticity elastic2d='all'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><elasticity young='1' poisson='.5'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><elasticity young='1' elastic2d='bend'/></flexcomp>",
    f"<flexcomp name='f' {GRID}><elasticity elastic2d='bend'/><pin id='0'/></flexcomp>",
    f"<flexcomp name='f' {GRID} material='none'/>",
    f"<flexcomp name='f' {GRID} sticky='true'/>",
    f"<flexcomp name='f' {GRID}><glue/></flexcomp>",
    f"<flexcomp name='f' {GRID}/><flexcomp name='f' {GRID}/>",
    f"<body name='f_0'/><flexcomp name='f' {GRID}/>",
    f"<flexcomp name='f' {GRID}/><body name='f_0'/>",
    f"<replicate count='2'><flexcomp name='f' {GRID}/></replicate>",
    f"<replicate count='2'><body name='b'><flexcomp name='f' {GRID}/></body></replicate>",
    "<flexcomp name='f' type='box' count='2 2 2' spacing='1 1 1' material='m'/>",
    "<flexcomp name='f' count='3 3 3' spacing='1 1 1' dim='3' dof='trilinear'/>",
    "<flexcomp name='f' count='3 3 3' spacing='1 1 1' dim='3' dof='trilinear'>"
    "<contact selfcollide='none' internal='true'/></flexcomp>",
]


@pytest.mark.parametrize("text", REFUSED)
def test_message_of_a_refused_flexcomp(text):
    check_message(world(text, before='<asset><material name="m"/></asset>'))


# what is wrong in several places at once, attribute by attribute in the order of the manual's table
WRONG = [
    "type='q'", "count='x'", "spacing='x'", "scale='x'", "mass='x'", "inertiabox='x'", "rgba='x'", "flatskin='x'", "dim='x'",
    "radius='x'", "group='x'", "origin='x'", "pos='x'", "quat='x'", "rigid='x'", "point='x'", "element='x'", "texcoord='x'",
    "dof='x'",
]
WRONG_PARTS = ["<edge solref='x'/>", "<elasticity young='x'/>", "<contact contype='x'/>", "<pin id='x'/>", "<pin range='x'/>"]


@pytest.mark.parametrize("attributes", ["name='f'", "name='f' type='mesh'", "name='f' type='mesh' dim='3' file='a.obj'"])
def test_first_of_two_errors(attributes):
    given = {text.split("=")[0] for text in attributes.split()}
    wrong = [text for text in WRONG if text.split("=")[0] not in given]
    for one, other in zip(wrong, wrong[1:] + wrong[:1]):
        check_message(world(f"<flexcomp {attributes} {one} {other}/>"))
    for one, other in zip(WRONG_PARTS, WRONG_PARTS[1:] + WRONG_PARTS[:1]):
        check_message(world(f"<flexcomp {attributes}>{other}{one}</flexcomp>"))
        check_message(world(f"<flexcomp {attributes} dof='x'>{one}</flexcomp>"))


SLIDES = '<joint type="slide" axis="1 0 0"/><joint type="slide" axis="0 1 0"/><joint type="slide" axis="0 0 1"/>'
BODIES = "".join(f'<body name="b{i}" pos="{i % 2} {i // 2 % 2} {i // 4}"><geom size=".01"/>{SLIDES}</body>' for i in range(8))
NODES = " ".join(f"b{i}" for i in range(8))
REFUSED_FLEXES = [
    '<flex body="b0 b1 b2" element="0 1 2" dim="4"/>',
    '<flex body="b0 b1 b2" element="0 1 2 0"/>',
    '<flex body="b0 b1 b2"/>',
    '<flex element="0 1 2"/>',
    '<flex body="b0 b1 b2" element="0 1 2" vertex="0 0"/>',
    '<flex body="b0 b1 b2" element="0 1 2" vertex="0 0 0 1 0 0"/>',
    '<flex body="b0 b1" element="0 1 2"/>',
    '<flex body="b0 b1 b2" element="0 1 3"/>',
    '<flex body="b0 b1 b2" element="0 1 1"/>',
    '<flex body="b0 b1 b9" element="0 1 2"/>',
    '<flex body="b0 b1 b2" element="0 1 2" material="none"/>',
    '<flex body="b0 b1 b2" element="0 1 2" texcoord="0 0 1 1"/>',
    f'<flex body="b0 b1 b2" element="0 1 2" node="{NODES}"/>',
    f'<flex body="b0 b1 b2" element="0 1 2" node="{NODES} b0"><contact selfcollide="none"/></flex>',
    f'<flex body="b0 b1 b2" element="0 1 2" node="{NODES}"><contact selfcollide="none" internal="true"/></flex>',
    '<flex body="b0 b1 b2" element="0 1 2"><edge stiffness="1"/></flex>',
    '<flex body="b0 b1 b2" element="0 1 2"><elasticity young="1" poisson="-1"/></flex>',
    '<flex body="world b1 b2" element="0 1 2"><elasticity elastic2d="both"/></flex>',
    '<flex body="b0 b1 b2" element="0 1 2"><contact friction="1 2 3 4"/></flex>',
    '<flex body="b0 b1 b2" element="0 1 2" weight="3"/>',
    '<flex name="f" body="b0 b1 b2" element="0 1 2"/><flex name="f" body="b0 b1 b2" element="0 1 2"/>',
]


@pytest.mark.parametrize("text", REFUSED_FLEXES)
def test_message_of_a_refused_flex(text):
    check_message(world(BODIES, before=f"<deformable>{text}</deformable>"))


REFUSED_EQUALITIES = [
    '<flex flex="none"/>',
    "<flex/>",
    '<flexvert flex="none"/>',
    '<flex flex="r"/>',
    '<flexvert flex="r"/>',
    '<flex flex="f" solref="1 2 3"/>',
    '<flex flex="f" active="perhaps"/>',
]


@pytest.mark.parametrize("text", REFUSED_EQUALITIES)
def test_message_of_a_refused_equality(text):
    flex = '<flex name="f" body="b0 b1 b2" element="0 1 2"/><flex name="r" body="b0 b0 b0" element="0 1 2"/>'
    check_message(world(BODIES, before=f"<deformable>{flex}</deformable><equality>{text}</equality>"))


# ---- counts that no machine has room for ----

HUGE = [
    "count='100000 100000 100000' dim='3'",
    "count='2000000000 1 1' dim='1'",
    "count='60000 60000 1'",
    "count='100000 100000 100000' dim='3' type='box'",
    "count='2000 2000 2000' dim='3' rigid='true'",
    "count='2147483647 2147483647 2147483647' dim='3' dof='trilinear'",
    "count='200 200 2' dim='3'",
]


@pytest.mark.parametrize("attributes", HUGE)
def test_huge_counts_are_refused(attributes):
    with pytest.raises(ValueError, match="too many|Count"):
        sinew.MjSpec.from_string(world(f"<flexcomp name='f' spacing='1 1 1' {attributes}/>"))


def test_counts_of_one_in_a_box_are_refused():
    """MuJoCo does not come back."""
    with pytest.raises(ValueError, match="Count too small"):
        sinew.MjSpec.from_string(world("<flexcomp name='f' type='box' count='1 2 2' spacing='1 1 1' dim='3'/>"))


def test_contact_dimensions_that_no_contact_has_are_refused():
    """MuJoCo takes them and stops at the first contact that has one."""
    for condim in (-1, 0, 7, 100):
        with pytest.raises(ValueError, match="invalid condim in flex"):
            sinew.MjModel.from_xml_string(world(f"<flexcomp name='f' {GRID}><contact condim='{condim}'/></flexcomp>"))
    for field in ("selfcollide", "elastic2d"):
        spec = sinew.MjSpec.from_string(world(f"<flexcomp name='f' {GRID}/>"))
        setattr(spec.flexes[0], field, 9)
        with pytest.raises(ValueError, match=f"invalid {field} in flex"):
            spec.compile()


def test_flex_of_negative_radius_steps():
    """Its boxes are inside out: the sweep of its own contacts must not leave what it did not enter."""
    model = sinew.MjModel.from_xml_string(world(f"<flexcomp name='f' {GRID} radius='-0.5'/>"))
    data = sinew.MjData(model)
    for _ in range(5):
        sinew.mj_step(model, data)
    assert np.isfinite(data.qpos).all()


# ---- files of triangles ----

CUBE = [(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)]
FACES = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4),
         (1, 5, 7), (1, 7, 3)]


def obj(vertices, faces, texcoord=(), corners=None):
    text = "".join("v {} {} {}\n".format(*v) for v in vertices) + "".join("vt {} {}\n".format(*t) for t in texcoord)
    for i, face in enumerate(faces):
        text += "f " + " ".join(f"{v + 1}/{t + 1}" if texcoord else f"{v + 1}"
                                for v, t in zip(face, corners[i] if texcoord else face)) + "\n"
    return text.encode()


def stl(vertices, faces):
    data = np.zeros(len(faces), dtype=[("normal", "<f4", 3), ("corner", "<f4", (3, 3)), ("attribute", "<u2")])
    data["corner"] = np.asarray(vertices)[np.asarray(faces)]
    return bytes(80) + np.uint32(len(faces)).tobytes() + data.tobytes()


UV = [(i / 20, i / 30) for i in range(14)]
MESHES = {
    "cube.obj": obj(CUBE, FACES),
    "cube.stl": stl(CUBE, FACES),
    "repeated.obj": obj(CUBE + CUBE, FACES[:6] + [tuple(i + 8 for i in face) for face in FACES[6:]]),
    "unused.obj": obj([(9, 9, 9), *CUBE, (8, 8, 8)], [tuple(i + 1 for i in face) for face in FACES]),
    "textured.obj": obj(CUBE, FACES, UV, [((3 * i) % 14, (3 * i + 1) % 14, (3 * i + 2) % 14) for i in range(12)]),
    "squares.obj": obj(CUBE, [(0, 1, 3, 2), (4, 6, 7, 5)]),
    "empty.obj": b"",
    "points.obj": b"v 0 0 0\nv 1 0 0\nv 0 1 0\n",
    "cut.stl": stl(CUBE, FACES)[:200],
    "unknown.ply": b"ply",
}
OPTIONS = ['dim="2"', 'dim="3" origin="0 0 0"', 'dim="3" origin=".1 .2 2"', 'dim="2" rigid="true" material="m"',
           'scale="2 3 1" pos="1 2 3" quat="1 1 0 0"', 'dim="3" origin="1 2 3" dof="trilinear"', 'dof="radial"']


def test_message_of_a_file_with_a_coordinate_that_is_no_number(tmp_path):
    for name, data in (("a.stl", stl([(np.nan, 0, 0)] + CUBE[1:], FACES[::-1])),
                       ("a.obj", MESHES["cube.obj"].replace(b"-0.5 -0.5 0.5", b"-0.5 nan 0.5", 1))):
        (tmp_path / name).write_bytes(data)
        check_message(world(f'<flexcomp name="f" type="mesh" file="{tmp_path / name}"/>'))


def test_corners_without_texture_are_kept_and_drawn(tmp_path):
    """MuJoCo keeps them as -1 too, but writes before its texture coordinates while it reads: it does not run here."""
    text = obj(CUBE, [], [(0.25, 0.5), (1, 0.25), (0.5, 1)]) + b"f 1/1 2/2 4/3\nf 1 4 3\nf 5/2 6/1 8/3\n"
    (tmp_path / "a.obj").write_bytes(text)
    xml = world(f'<flexcomp name="f" type="mesh" file="{tmp_path / "a.obj"}" material="m" rigid="true"/>',
                before='<asset><material name="m"/></asset>')
    model = sinew.MjModel.from_xml_string(xml)
    assert list(model.flex_elemtexcoord) == [0, 1, 2, -1, -1, -1, 1, 0, 2]
    sinew.mj_saveModel(model, str(tmp_path / "a.mjb"))
    again = sinew.MjModel.from_binary_path(str(tmp_path / "a.mjb"))
    assert saved.differences(model, again) == []
    data, scene = sinew.MjData(again), sinew.MjvScene(again, 100)
    sinew.mj_forward(again, data)
    option = sinew.MjvOption()
    for skin in (0, 1):
        option.flags[sinew.mjtVisFlag.mjVIS_FLEXSKIN] = skin
        option.flags[sinew.mjtVisFlag.mjVIS_FLEXFACE] = 1 - skin
        sinew.mjv_updateScene(again, data, option, None, sinew.MjvCamera(), sinew.mjtCatBit.mjCAT_ALL, scene)
        assert np.isfinite(scene.flextexcoord).all()


@pytest.mark.parametrize("name", MESHES)
@pytest.mark.parametrize("strip", ["", ' strippath="true"'])
def test_files_of_triangles(name, strip, tmp_path):
    (tmp_path / name).write_bytes(MESHES[name])
    folder = "elsewhere/" if strip else ""
    for options in OPTIONS:
        xml = world(f'<flexcomp name="f" type="mesh" file="{folder}{name}" radius=".01" {options}/>',
                    before=f'<compiler meshdir="{tmp_path}"{strip}/><asset><material name="m"/></asset>')
        try:
            theirs = mujoco.MjSpec.from_string(xml)
        except ValueError:
            check_message(xml)
        else:
            assert spec_differences(theirs, sinew.MjSpec.from_string(xml)) == [], options


# ---- Gmsh ----


def gmsh(path, attributes='rigid="true"'):
    return world(f'<flexcomp name="f" type="gmsh" file="{path}" {attributes}/>')


FORMATS = {"text 4.1": gmsh_files.text41, "binary 4.1": gmsh_files.binary41, "text 2.2": gmsh_files.text22,
           "binary 2.2": gmsh_files.binary22}


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_gmsh_file(format, dim, tmp_path):
    nodes, elements = gmsh_files.grid(3)
    elements = [element[: dim + 1] for element in elements]
    path = tmp_path / "mesh.msh"
    path.write_bytes(FORMATS[format](nodes, elements, dim))
    xml = gmsh(path)
    if dim == 1 and "2.2" in format:
        check_message(xml)
        return
    assert spec_differences(mujoco.MjSpec.from_string(xml), sinew.MjSpec.from_string(xml)) == []


def test_gmsh_file_of_ftetwild(tmp_path):
    nodes, elements = gmsh_files.grid(5)
    path = tmp_path / "mesh.msh"
    path.write_bytes(gmsh_files.binary22(nodes, elements, 3, wild=True))
    assert spec_differences(mujoco.MjSpec.from_string(gmsh(path)), sinew.MjSpec.from_string(gmsh(path))) == []


def test_small_binary_gmsh_file(tmp_path):
    """MuJoCo wants some bytes more than there are."""
    path = tmp_path / "mesh.msh"
    path.write_bytes(gmsh_files.binary22(gmsh_files.NODES, gmsh_files.ELEMENTS[3], 3))
    flex = sinew.MjSpec.from_string(gmsh(path)).flexes[0]
    assert list(flex.elem) == [0, 1, 2, 3, 1, 2, 3, 4] and len(flex.vert) == 15


def test_lossless_text_keeps_denormal_coordinates(tmp_path):
    """MuJoCo writes their digits and refuses to read them: they are out of its range."""
    nodes, elements = gmsh_files.grid(3)
    path = tmp_path / "mesh.msh"
    path.write_bytes(gmsh_files.binary41([tuple(x or 3e-320 for x in node) for node in nodes], elements, 3))
    for attributes in ('rigid="true"', 'radius="0.01"'):
        spec = sinew.MjSpec.from_string(gmsh(path, attributes))
        model = spec.compile()
        again = sinew.MjSpec.from_string(spec.to_xml(lossless=True))
        assert saved.differences(model, again.compile()) == []
        assert list(again.flexes[0].vert) == list(spec.flexes[0].vert)


TEXT41 = gmsh_files.text41(gmsh_files.NODES, gmsh_files.ELEMENTS[3], 3).decode()
TEXT22 = gmsh_files.text22(gmsh_files.NODES, gmsh_files.ELEMENTS[3], 3).decode()
BROKEN = [
    (TEXT41, "$MeshFormat", "$Mesh"), (TEXT41, "4.1 0 8", "4.0 0 8"), (TEXT41, "4.1 0 8", "x"),
    (TEXT41, "4.1 0 8", "4.1"), (TEXT41, "4.1 0 8", "4.1 1 8"), (TEXT41, "4.1 0 8", "2.2 0 8"),
    (TEXT41, "$Nodes", ""), (TEXT41, "$EndNodes", ""), (TEXT41, "$Elements", ""), (TEXT41, "$EndElements", ""),
    (TEXT41, "1 5 1 5\n3 1 0 5", "1 5 1 5\n3 1 0"), (TEXT41, "1 5 1 5", "2 5 1 5"), (TEXT41, "1 5 1 5", "1 6 1 5"),
    (TEXT41, "1 5 1 5", "1 5 1 6"), (TEXT41, "1 5 1 5", "x 5 1 6"), (TEXT41, "3 1 0 5", "4 1 0 5"),
    (TEXT41, "3 1 0 5", "0 1 0 5"), (TEXT41, "3 1 0 5", "2 1 0 5"), (TEXT41, "\n2\n3\n", "\n2\n2\n"),
    (TEXT41, "\n2\n3\n", "\n2\nx\n"), (TEXT41, "\n1.0 0.0 0.0\n", "\n1.0 x 0.0\n"), (TEXT41, "3 1 4 2", "2 1 4 2"),
    (TEXT41, "3 1 4 2", "3 1 2 2"), (TEXT41, "3 1 4 2", "3 1 4 3"), (TEXT41, "1 2 1 2\n", "2 2 1 2\n"),
    (TEXT41, "1 1 2 3 4", "1 1 2 3 99"), (TEXT41, "1 1 2 3 4", "1 1 2 3 -4"), (TEXT41, "1 1 2 3 4", "1 1 2 3 x"),
    (TEXT41, "1 2 1 2\n3 1 4 2", "1 0 1 0\n3 1 4 0"), (TEXT41, "1 2 1 2\n3 1 4 2", "1 400000000000 1 4\n3 1 4 400000000000"),
    (TEXT41, "\n0.0 0.0 0.0\n", "\nnan 0.0 0.0\n"), (TEXT41, "\n0.0 0.0 0.0\n", "\n1e999 0.0 0.0\n"),
    (TEXT22, "$Nodes\n5", "$Nodes\n5 "), (TEXT22, "$Nodes\n5", "$Nodes\nx"), (TEXT22, "$Nodes\n5", "$Nodes\n6"),
    (TEXT22, "$Nodes\n5", "$Nodes\n4"), (TEXT22, "$Nodes\n5", "$Nodes\n99999999999999999999"),
    (TEXT22, "$Nodes\n5", "$Nodes\n400000000000"), (TEXT22, "$Elements\n2", "$Elements\n400000000000"),
    (TEXT22, "$Elements\n2", "$Elements\n3"), (TEXT22, "$Elements\n2", "$Elements\n2.5"),
    (TEXT22, "1 4 2 0 0 1", "1 5 2 0 0 1"), (TEXT22, "1 4 2 0 0 1", "1 1 2 0 0 1"),
    (TEXT22, "1 2 3 4\n", "1 2 3 9\n"), (TEXT22, "1 2 3 4\n", "0 2 3 4\n"), (TEXT22, "\n3 0.0 1.0", "\nx 0.0 1.0"),
    (TEXT22, "$Nodes", "$EndElements\n$Nodes"), (TEXT41, "$Nodes", "$EndNodes\n$Nodes"),
    (TEXT22, "\n3 0.0 1.0", "\n3 0.0 x"), (TEXT22, "$EndNodes", ""), (TEXT22, "$Elements\n2", "$Elements\n0"),
]


@pytest.mark.parametrize("case", range(len(BROKEN)))
def test_message_of_a_broken_gmsh_file(case, tmp_path):
    text, old, new = BROKEN[case]
    assert old in text
    path = tmp_path / "mesh.msh"
    path.write_bytes(text.replace(old, new, 1).encode())
    check_message(gmsh(path))


# in a binary file of version 2.2 MuJoCo tells of an exception instead of the header
NO_TAG = [("binary 4.1", tag) for tag in ("$Nodes", "$EndNodes", "$Elements", "$EndElements")]


@pytest.mark.parametrize("format, tag", NO_TAG + [("binary 2.2", "$EndNodes"), ("binary 2.2", "$EndElements")])
def test_message_of_a_binary_gmsh_file_without_a_tag(format, tag, tmp_path):
    nodes, elements = gmsh_files.grid(3)
    path = tmp_path / "mesh.msh"
    path.write_bytes(FORMATS[format](nodes, elements, 3).replace(tag.encode(), b"$Other" + b"_" * (len(tag) - 6), 1))
    check_message(gmsh(path))


@pytest.mark.parametrize("folder", ["", "meshes", "/nowhere"])
def test_message_of_a_missing_file_in_a_folder(folder, tmp_path):
    path = tmp_path / "model.xml"
    for kind, name in (("mesh", "a.obj"), ("gmsh", "a.msh")):
        path.write_text(world(f'<flexcomp name="f" type="{kind}" file="b/{name}"/>', before=f'<compiler meshdir="{folder}"/>'))
        lines = []
        for module in (mujoco, sinew):
            with pytest.raises(ValueError) as error:
                module.MjModel.from_xml_path(str(path))
            lines.append(str(error.value).split("\n")[0])
        assert lines[0] == lines[1]


def test_message_of_a_broken_gmsh_file_names_its_line(tmp_path):
    path = tmp_path / "mesh.msh"
    path.write_bytes(TEXT41.replace("\n2\n3\n", "\n2\n2\n").encode())
    with pytest.raises(ValueError, match="Node tags must be sequential\nGMSH file '.*mesh.msh', line 9\nElement 'flexcomp', line 1"):
        sinew.MjSpec.from_string(gmsh(path))


@pytest.mark.parametrize("format", FORMATS)
def test_cut_gmsh_file_is_refused(format, tmp_path):
    nodes, elements = gmsh_files.grid(3)
    data = FORMATS[format](nodes, elements, 3)
    path = tmp_path / "mesh.msh"
    for size in range(0, data.index(b"$EndElements"), 41):
        path.write_bytes(data[:size])
        with pytest.raises(ValueError, match="Error"):
            sinew.MjSpec.from_string(gmsh(path))


@pytest.mark.parametrize("format", FORMATS)
def test_mutated_gmsh_file(format, tmp_path):
    """Whatever bytes there are: a mesh or an error."""
    rng = np.random.default_rng(0)
    nodes, elements = gmsh_files.grid(3)
    data = FORMATS[format](nodes, elements, 3)
    path = tmp_path / "mesh.msh"
    for _ in range(200):
        bytes_ = bytearray(data)
        for at in rng.integers(0, len(data), rng.integers(1, 6)):
            bytes_[at] = rng.choice([rng.integers(256), ord("0"), ord("9"), ord(" ")])
        path.write_bytes(bytes_)
        try:
            sinew.MjSpec.from_string(gmsh(path))
        except ValueError as error:
            assert "Error" in str(error)


# ---- words of later versions, and of ours ----

LATER = [
    (world(f"<flexcomp name='f' {GRID} dof='2d'/>"), "3.8"),
    (world(f"<flexcomp name='f' {GRID} cellcount='1 1 1'/>"), "3.8"),
    (world(f"<flexcomp name='f' type='mesh' mesh='m'/>"), "3.16"),
    (world(f"<flexcomp name='f' {GRID}><edge equality='strain'/></flexcomp>"), "3.6"),
    (world(f"<flexcomp name='f' {GRID}><elasticity yield='1 1'/></flexcomp>"), "4.0"),
    (world("", before="<equality><flexstrain flex='f'/></equality>"), "3.6"),
    (world(BODIES, before="<deformable><flex body='b0 b1 b2' element='0 1 2' nodecoord='0'/></deformable>"), "3.12"),
]


@pytest.mark.parametrize("xml, version", LATER)
def test_words_of_later_versions_are_refused_with_the_version(xml, version):
    with pytest.raises(ValueError) as error:
        sinew.MjSpec.from_string(xml)
    assert str(error.value).startswith(told(mujoco, xml)) and f"came with MuJoCo {version};" in str(error.value)


def test_make_flex_says_which_version_has_it():
    with pytest.raises(AttributeError, match="3.10.0"):
        sinew.MjSpec().worldbody.make_flex
    assert not hasattr(sinew.MjSpec().worldbody, "make_flex")


LAWS = "sinew:elasticity_model='linear' sinew:elasticity_param='1 2.5' sinew:bending_model='cotangent'"


def test_laws_of_a_flex_are_kept():
    spec = sinew.MjSpec.from_string(world(f"<flexcomp name='f' {GRID} {LAWS}/><flexcomp name='g' {GRID}/>"))
    model = spec.compile()
    assert [flex.elasticity_model for flex in spec.flexes] == ["linear", ""]
    assert [flex.bending_model for flex in spec.flexes] == ["cotangent", ""]
    assert list(model.flex_elasticmodel) == [0, 0] and list(model.flex_bendingmodel) == [0, 0]
    assert model.flex_elasticparam[:, :3].tolist() == [[1, 2.5, 0], [0, 0, 0]] and not model.flex_bendingparam.any()
    for text in (spec.to_xml(), spec.to_xml(lossless=True)):
        assert text.count("sinew:") == 3
        again = sinew.MjSpec.from_string(text)
        assert list(again.flexes[0].elasticity_param) == [1, 2.5]
        assert again.to_xml() == spec.to_xml()


def test_unknown_laws_are_refused_with_a_list():
    with pytest.raises(ValueError, match="unknown bending model 'hinge' in flex; there are: cotangent"):
        sinew.MjModel.from_xml_string(world(f"<flexcomp name='f' {GRID} sinew:bending_model='hinge'/>"))
    with pytest.raises(ValueError, match="unknown elasticity model 'rubber' in flex; there are: linear"):
        sinew.MjModel.from_xml_string(world(f"<flexcomp name='f' {GRID} sinew:elasticity_model='rubber'/>"))
    with pytest.raises(ValueError, match="there are: sinew:elasticity_model, sinew:elasticity_param, sinew:bending_model"):
        sinew.MjModel.from_xml_string(world(f"<flexcomp name='f' {GRID} sinew:colour='red'/>"))
    many = " ".join(["1"] * 11)
    with pytest.raises(ValueError, match="more than 10 parameters"):
        sinew.MjModel.from_xml_string(world(f"<flexcomp name='f' {GRID} sinew:bending_param='{many}'/>"))


# ---- saving ----

KEPT = f"""
<mujoco><worldbody><body name="b" pos="1 2 3">
  <flexcomp name="pinned" count="3 3 4" spacing=".1 .1 .1" dim="3" dof="trilinear" radius=".01">
    <contact selfcollide="none" passive="true" vertcollide="true"/><pin id="0 5"/></flexcomp>
  <flexcomp name="cloth" {GRID}><edge equality="vert" damping="1"/><elasticity young="10" damping="2"/></flexcomp>
  <flexcomp name="still" {GRID} rigid="true"/>
</body></worldbody></mujoco>"""


def test_lossless_text_keeps_what_mujocos_text_loses():
    """Nodes of pinned corners, and how contacts act."""
    spec = sinew.MjSpec.from_string(KEPT)
    model = spec.compile()
    text = spec.to_xml(lossless=True)
    assert "sinew:nodecoord" in text and 'sinew:passive="true"' in text
    again = sinew.MjSpec.from_string(text)
    assert saved.differences(model, again.compile()) == []
    assert again.flexes[0].vertcollide == 1


def test_saved_binary_model_keeps_flexes(tmp_path):
    model = sinew.MjModel.from_xml_string(KEPT)
    sinew.mj_saveModel(model, str(tmp_path / "model.mjb"))
    assert saved.differences(model, sinew.MjModel.from_binary_path(str(tmp_path / "model.mjb"))) == []
