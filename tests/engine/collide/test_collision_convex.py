"""Iterative colliders: convex pairs, height fields, distance fields, and distances of geoms.

Pairs are placed deep, shallow, touching and just apart, in random, aligned and nearly aligned
orientations, and compared with MuJoCo contact by contact. Properties that need no reference are
checked on the distances: symmetry, invariance under rigid motion, witness points on the surfaces,
and no better separating direction in a dense sweep.
"""

import ctypes
import functools
import math
import os

import contacts
import corpus
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

MODELS = corpus.OWN / "collision"

# pairs that go through the convex pipeline, in the order of their types
PAIRS = [
    ("sphere", "ellipsoid"),
    ("sphere", "cloud"),
    ("capsule", "ellipsoid"),
    ("capsule", "cylinder"),
    ("capsule", "cloud"),
    ("capsule", "prism"),
    ("ellipsoid", "ellipsoid"),
    ("ellipsoid", "cylinder"),
    ("ellipsoid", "box"),
    ("ellipsoid", "cloud"),
    ("cylinder", "cylinder"),
    ("cylinder", "box"),
    ("cylinder", "cloud"),
    ("cylinder", "cube"),
    ("box", "cloud"),
    ("box", "prism"),
    ("box", "cube"),
    ("box", "tetrahedron"),
    ("cloud", "cloud"),
    ("cloud", "prism"),
    ("prism", "prism"),
    ("cube", "prism"),
    ("tetrahedron", "cube"),
]

# (disable flags, enable flags, margin of each geom)
NATIVE = mujoco.mjtDisableBit.mjDSBL_NATIVECCD
MULTI = mujoco.mjtEnableBit.mjENBL_MULTICCD
SETTINGS = {
    "native": (0, 0, 0.0),
    "native-margin": (0, 0, 0.02),
    "multi": (0, MULTI, 0.0),
    "multi-margin": (0, MULTI, 0.02),
    "legacy": (NATIVE, 0, 0.0),
    "legacy-multi-margin": (NATIVE, MULTI, 0.02),
}


# ---- poses


def quaternion(rng, kind):
    """Random, aligned with the axes, or nearly aligned."""
    if kind == 0:
        quat = rng.normal(size=4)
    else:
        quat = np.array([[1, 0, 0, 0], [1, 1, 0, 0], [1, 0, 1, 0], [1, 1, 1, 1]][rng.integers(4)], float)
        if kind == 2:
            quat += 1e-3 * rng.normal(size=4)
    return quat / np.linalg.norm(quat)


def place(rng, mj, data, kinds=3):
    """Pose two free bodies so that they are deep, shallow, touching or just apart."""
    kind = rng.integers(kinds)
    direction = rng.normal(size=3)
    if kind and rng.integers(2):
        direction = np.eye(3)[rng.integers(3)] * rng.choice([-1, 1])
    direction /= np.linalg.norm(direction)
    data.qpos[0:3] = rng.normal(size=3) * 0.1
    data.qpos[3:7] = quaternion(rng, kind)
    data.qpos[10:14] = quaternion(rng, kind)
    depth = rng.integers(4)
    if depth == 0:
        data.qpos[7:10] = data.qpos[0:3] + direction * rng.uniform(0.02, 0.45)
        return
    # from afar, come as close as wanted along the shortest way
    data.qpos[7:10] = data.qpos[0:3] + direction * 1.5
    mujoco.mj_kinematics(mj, data)
    way = np.zeros(6)
    flags = mj.opt.disableflags
    mj.opt.disableflags = flags & ~int(NATIVE)
    distance = mujoco.mj_geomDistance(mj, data, 0, 1, 10, way)
    mj.opt.disableflags = flags
    if distance > 0:
        wanted = [0, -(10 ** rng.uniform(-6, -2)), rng.choice([-1, 0, 1]) * 1e-9, 1e-4][depth]
        way = (way[:3] - way[3:]) / np.linalg.norm(way[:3] - way[3:])
        data.qpos[7:10] += way * (distance - wanted)


@functools.lru_cache(maxsize=None)
def pair_model(first, second, setting):
    """MuJoCo's model of two bodies of convex.xml, and ours."""
    spec = mujoco.MjSpec.from_file(str(MODELS / "convex.xml"))
    for body in list(spec.bodies):
        if body.name not in ("world", f"{first}1", f"{second}2"):
            spec.delete(body)
    for geom in spec.geoms:
        geom.margin = SETTINGS[setting][2]
    mj = spec.compile()
    mj.opt.disableflags |= int(SETTINGS[setting][0])
    mj.opt.enableflags |= int(SETTINGS[setting][1])
    return mj, bridge.model_from_mujoco(mj)


# ---- convex pairs


def sweep(first, second, setting, count, seed):
    rng = np.random.default_rng([seed, PAIRS.index((first, second))])
    mj, model = pair_model(first, second, setting)
    mj_data, data = mujoco.MjData(mj), _core.MjData(model)
    errors = contacts.Errors()
    for _ in range(count):
        place(rng, mj, mj_data)
        mujoco.mj_kinematics(mj, mj_data)
        mujoco.mj_comPos(mj, mj_data)
        mujoco.mj_collision(mj, mj_data)
        errors.add(contacts.collide(model, data, mj_data), contacts.theirs(mj_data))
    agreement = 100 * (1 - errors.miscounted / errors.poses)
    print(f"{first}-{second} {setting}: {agreement:.2f} % agree in count; {errors}")
    return errors


def check_sweep(errors, allowed):
    assert errors.contacts > errors.poses // 5
    assert errors.miscounted <= allowed * errors.poses
    # in practice every number agrees to the last bit; the limits are those of the issue
    assert errors.worst["dist"] < 1e-6
    assert errors.worst["pos"] < 1e-6
    assert errors.worst["normal"] < 1e-6


@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_pair(pair, setting):
    check_sweep(sweep(*pair, setting, count=40, seed=1), allowed=0)


@pytest.mark.full
@pytest.mark.parametrize("setting", SETTINGS)
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_pair_full(pair, setting):
    count = 20000 if setting in ("native", "multi") else 2000
    errors = sweep(*pair, setting, count=count, seed=2)
    # legacy: degenerate ties, of which 29,000 poses have two, may come out either way
    loose = setting.startswith("legacy")
    assert errors.miscounted <= (0.005 if loose else 0) * errors.poses
    assert errors.worst["dist"] < (1e-3 if loose else 1e-8)


def test_iterations_and_tolerance():
    """Few and many iterations (the latter take scratch memory from the stack of the data)."""
    rng = np.random.default_rng(3)
    for first, second in [("ellipsoid", "cylinder"), ("cloud", "prism"), ("sphere", "ellipsoid")]:
        mj, _ = pair_model(first, second, "native")
        for iterations, tolerance in [(0, 1e-6), (1, 1e-6), (6, 1e-4), (50, 1e-8), (200, 1e-8)]:
            mj.opt.ccd_iterations, mj.opt.ccd_tolerance = iterations, tolerance
            model = bridge.model_from_mujoco(mj)
            mj_data, data = mujoco.MjData(mj), _core.MjData(model)
            errors = contacts.Errors()
            for _ in range(30):
                place(rng, mj, mj_data)
                mujoco.mj_kinematics(mj, mj_data)
                mujoco.mj_collision(mj, mj_data)
                errors.add(contacts.collide(model, data, mj_data), contacts.theirs(mj_data))
            assert errors.miscounted == 0, (first, second, iterations)
            assert max(errors.worst.values(), default=0) < 1e-9, (first, second, iterations)
    pair_model.cache_clear()


# ---- height fields


def height_field_sweep(margin, legacy, states, seed):
    """A moving height field and one geom of every type: returns errors and the contacts by type."""
    spec = mujoco.MjSpec.from_file(str(MODELS / "hfield.xml"))
    spec.geom("terrain").margin = margin
    mj = spec.compile()
    if legacy:
        mj.opt.disableflags |= int(NATIVE)
    model = bridge.model_from_mujoco(mj)
    mj_data, data = mujoco.MjData(mj), _core.MjData(model)
    rng = np.random.default_rng(seed)
    errors = contacts.Errors()
    found = {int(kind): 0 for kind in mj.geom_type[1:]}
    for _ in range(states):
        mj_data.mocap_quat[0] = quaternion(rng, rng.integers(3))
        rotation = np.zeros(9)
        mujoco.mju_quat2Mat(rotation, mj_data.mocap_quat[0])
        for joint in range(mj.njnt):
            adr = mj.jnt_qposadr[joint]
            local = rng.uniform([-1.1, -0.9, -0.3], [1.1, 0.9, 0.6])
            mj_data.qpos[adr : adr + 3] = rotation.reshape(3, 3) @ local
            mj_data.qpos[adr + 3 : adr + 7] = quaternion(rng, rng.integers(3))
        mujoco.mj_kinematics(mj, mj_data)
        mujoco.mj_comPos(mj, mj_data)
        mujoco.mj_collision(mj, mj_data)
        # pairs of other geoms are left to their own tests
        ours, expected = contacts.collide(model, data, mj_data), contacts.theirs(mj_data)
        errors.add(ours[ours["geom1"] == 0], expected[expected["geom1"] == 0])
        for geom in expected["geom2"][expected["geom1"] == 0]:
            found[int(mj.geom_type[geom])] += 1
    print(f"height field, margin {margin}, {'legacy' if legacy else 'native'}: {errors}; by type {found}")
    return errors, found


@pytest.mark.parametrize("legacy", [False, True], ids=["native", "legacy"])
@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_height_field(margin, legacy):
    errors, found = height_field_sweep(margin, legacy, 60, 5)
    assert errors.miscounted == 0 and errors.contacts > 1000 and min(found.values()) > 20
    assert max(errors.worst[k] for k in ("dist", "pos", "normal")) < 1e-8


@pytest.mark.full
@pytest.mark.parametrize("margin", [0.0, 0.05])
def test_height_field_full(margin):
    errors, found = height_field_sweep(margin, False, 20000, 6)
    assert errors.miscounted == 0 and min(found.values()) > 5000
    assert max(errors.worst[k] for k in ("dist", "pos", "normal")) < 1e-8


def test_height_field_against_a_mesh_in_line():
    """Flat on a flat field, a mesh has many vertices that are equally deep: which of them a query finds depends on the
    vertex that the query of another prism found last, even where that prism is out of reach."""
    rims = [(0.1 * np.cos(k / 8 * np.pi), 0.1 * np.sin(k / 8 * np.pi), z) for k in range(16) for z in (-0.08, 0.08)]
    vertices = " ".join(f"{x:.6f}" for point in rims for x in point)
    mj = mujoco.MjModel.from_xml_string(
        f"""<mujoco><asset><mesh name="drum" vertex="{vertices}"/>
        <hfield name="flat" nrow="21" ncol="21" size="1 1 .3 .1" elevation="{"1 " * 441}"/></asset><worldbody>
        <geom type="hfield" hfield="flat"/><body><freejoint/><geom type="mesh" mesh="drum"/></body></worldbody></mujoco>"""
    )
    model = bridge.model_from_mujoco(mj)
    mj_data, data = mujoco.MjData(mj), _core.MjData(model)
    rng = np.random.default_rng(0)
    errors = contacts.Errors()
    for state in range(400):
        place = rng.uniform([-1, -1, -0.1], [1, 1, 0.4])
        place[:2] = np.round(20 * place[:2]) / 20
        if state % 2:
            place[2] = np.round(20 * place[2]) / 20
        mj_data.qpos[:3] = place
        mujoco.mj_kinematics(mj, mj_data)
        mujoco.mj_comPos(mj, mj_data)
        mujoco.mj_collision(mj, mj_data)
        errors.add(contacts.collide(model, data, mj_data), contacts.theirs(mj_data))
    assert errors.miscounted == 0 and errors.contacts > 1000
    assert max(errors.worst[k] for k in ("dist", "pos", "normal")) < 1e-8


# ---- distance fields

PARTS = ["bolt", "bowl", "gear", "nut", "torus"]


def parts_xml(first, second):
    def part(kind, free):
        joint = "<freejoint/>" if free else ""
        return f"""<body><geom type="sdf" mesh="{kind}"><plugin instance="{kind}"/></geom>{joint}</body>"""

    def config(kind):
        values = {"nut": "0.26", "bolt": "0.255"}
        entry = f'<config key="radius" value="{values[kind]}"/>' if kind in values else ""
        return f'<plugin plugin="mujoco.sdf.{kind}"><instance name="{kind}">{entry}</instance></plugin>'

    kinds = dict.fromkeys([first, second])
    extension = "".join(config(kind) for kind in kinds)
    asset = "".join(f'<mesh name="{k}"><plugin instance="{k}"/></mesh>' for k in kinds)
    return f"""<mujoco><option sdf_iterations="10" sdf_initpoints="20"/>
      <extension>{extension}</extension><asset>{asset}</asset>
      <worldbody>{part(first, False)}{part(second, True)}</worldbody></mujoco>"""


@functools.lru_cache(maxsize=None)
def parts_model(first, second):
    try:
        return mujoco.MjModel.from_xml_string(parts_xml(first, second))
    except ValueError as error:
        pytest.skip(f"MuJoCo was installed without its distance-field plugins: {error}")


class _Field(ctypes.Structure):
    _fields_ = [
        ("plugin", ctypes.c_void_p),
        ("id", ctypes.c_void_p),
        ("type", ctypes.c_int),
        ("relpos", ctypes.c_void_p),
        ("relmat", ctypes.c_void_p),
        ("geomtype", ctypes.c_void_p),
    ]


def mujoco_field(mj, data, geom):
    """MuJoCo's distance and gradient of one geom's field, as functions of a point."""
    folder = os.path.dirname(mujoco.__file__)
    name = next(n for n in os.listdir(folder) if n.startswith("libmujoco"))
    library = ctypes.CDLL(os.path.join(folder, name))
    library.mjc_distance.restype = ctypes.c_double
    library.mjc_getSDF.restype = ctypes.c_void_p
    library.mjc_getSDF.argtypes = [ctypes.c_void_p, ctypes.c_int]
    pointer = ctypes.c_void_p
    library.mjc_distance.argtypes = [pointer] * 4
    library.mjc_gradient.argtypes = [pointer] * 5
    with_plugin = mj.geom_plugin[geom] >= 0
    plugin = (pointer * 1)(library.mjc_getSDF(mj._address, geom) if with_plugin else None)
    ids = (ctypes.c_int * 1)(int(mj.geom_plugin[geom]) if with_plugin else geom)
    types = (ctypes.c_int * 1)(int(mj.geom_type[geom]))
    pos, mat = np.zeros(3), np.eye(3).ravel()
    keep = _Field(
        ctypes.addressof(plugin), ctypes.addressof(ids), 0, pos.ctypes.data, mat.ctypes.data,
        ctypes.addressof(types),
    )
    alive = (plugin, ids, types, pos, mat)

    def evaluate(x, alive=alive):
        gradient = np.zeros(3)
        field = ctypes.byref(keep)
        distance = library.mjc_distance(mj._address, data._address, field, x.ctypes.data)
        library.mjc_gradient(mj._address, data._address, field, gradient.ctypes.data, x.ctypes.data)
        return distance, gradient

    return evaluate


def compare_field(mj, geom, gradient_tolerance):
    rng = np.random.default_rng(geom)
    data = mujoco.MjData(mj)
    model = bridge.model_from_mujoco(mj)
    ours = _core.MjData(model)
    reference = mujoco_field(mj, data, geom)
    for x in rng.uniform(-1.5, 1.5, (500, 3)) * mj.geom_size[geom].max():
        distance, gradient = reference(x)
        value = _core._field(model, ours, geom, x)
        assert abs(value[0] - distance) < 1e-13
        assert np.max(np.abs(np.array(value[1:]) - gradient)) < gradient_tolerance


@pytest.mark.parametrize("kind", PARTS)
def test_field_of_part(kind):
    # differences over 1e-8 turn the last bit of a distance of a gear into 1e-8 of its gradient
    compare_field(parts_model(kind, kind), 0, 1e-6 if kind == "gear" else 1e-12)


def test_field_of_gear_parameters():
    for values in [
        {"teeth": 12, "alpha": 15},
        {"teeth": 60, "thickness": 0.5, "diameter": 1.4},
        {"innerdiameter": 1, "diameter": 3e0},
    ]:
        config = "".join(f'<config key="{k}" value="{v}"/>' for k, v in values.items())
        xml = parts_xml("gear", "gear").replace('name="gear"></instance>', f'name="gear">{config}</instance>')
        assert config in xml
        parts_model("gear", "gear")
        compare_field(mujoco.MjModel.from_xml_string(xml), 0, 1e-6)


def test_fields_of_octrees_and_primitives():
    mj = mujoco.MjModel.from_xml_path(str(MODELS / "sdf.xml"))
    for geom in range(mj.ngeom):
        compare_field(mj, geom, 1e-12)


def test_field_of_mesh():
    """A mesh without octree stands for its field by rays towards the origin of the world."""
    spec = mujoco.MjSpec.from_file(str(MODELS / "sdf.xml"))
    for body in list(spec.bodies):
        if body.name not in ("world", "wedge"):
            spec.delete(body)
    spec.geom("wedge").type = mujoco.mjtGeom.mjGEOM_MESH
    mj = spec.compile()
    data, model = mujoco.MjData(mj), bridge.model_from_mujoco(mj)
    ours = _core.MjData(model)
    data.mocap_pos[0], data.mocap_quat[0] = [0.1, 0.05, -0.1], [0.8, 0, 0.6, 0]
    mujoco.mj_kinematics(mj, data)
    bridge.data_from_mujoco(data, ours, contacts.INPUTS)
    reference = mujoco_field(mj, data, 0)
    for x in np.random.default_rng(12).uniform(-0.5, 0.5, (300, 3)):
        distance, gradient = reference(x)
        value = _core._field(model, ours, 0, x)
        assert abs(value[0] - distance) < 1e-12
        assert np.array_equal(value[1:], gradient)


@pytest.mark.parametrize("pair", [("nut", "bolt"), ("gear", "gear"), ("bowl", "torus")], ids="-".join)
def test_parts_touch(pair):
    mj = parts_model(*pair)
    model = bridge.model_from_mujoco(mj)
    mj_data, data = mujoco.MjData(mj), _core.MjData(model)
    rng = np.random.default_rng(6)
    errors = contacts.Errors()
    outliers = 0
    for _ in range(60):
        mj_data.qpos[:3] = rng.uniform(-1, 1, 3) * mj.geom_size[1] * 1.2
        mj_data.qpos[3:7] = quaternion(rng, rng.integers(3))
        mujoco.mj_kinematics(mj, mj_data)
        mujoco.mj_comPos(mj, mj_data)
        mujoco.mj_collision(mj, mj_data)
        single = contacts.Errors()
        same = single.add(contacts.collide(model, data, mj_data), contacts.theirs(mj_data))
        errors.poses += 1
        errors.contacts += single.contacts
        outliers += not same or max(single.worst.get(k, 0) for k in ("dist", "pos")) > 1e-6
    print("-".join(pair), errors, outliers, "poses differ by more than 1e-6")
    assert errors.contacts > 50
    # the descent is not smooth and its differences amplify the last bit: where fields agree to the
    # last bit (bowl, torus) so do contacts, else one pose in ten may end in another valley
    assert outliers <= (0 if pair == ("bowl", "torus") else 6)


def test_height_field_against_distance_field():
    """Not supported: a warning each time and no contact, in both engines."""
    xml = parts_xml("torus", "torus").replace(
        "<asset>", '<asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1" elevation="1 0 0 1"/>'
    )
    xml = xml.replace("<worldbody>", '<worldbody><geom type="hfield" hfield="h" pos="0 0 -1"/>')
    parts_model("torus", "torus")
    mj = mujoco.MjModel.from_xml_string(xml)
    model = bridge.model_from_mujoco(mj)
    mj_data, data = mujoco.MjData(mj), _core.MjData(model)
    mj_data.qpos[:] = [3, 0, 0, 1, 0, 0, 0]
    expected, found = [], []
    try:
        mujoco.set_mju_user_warning(expected.append)
        _core.set_mju_user_warning(found.append)
        for x in (0.5, 0.0, 9.0):
            mj_data.qpos[0] = x
            mujoco.mj_kinematics(mj, mj_data)
            mujoco.mj_comPos(mj, mj_data)
            mujoco.mj_collision(mj, mj_data)
            ours = contacts.collide(model, data, mj_data)
            assert 0 not in ours["geom1"] and 0 not in mj_data.contact.geom1
    finally:
        mujoco.set_mju_user_warning(None)
        _core.set_mju_user_warning(None)
    assert found == expected and len(found) == 2


def test_octrees_touch():
    mj = mujoco.MjModel.from_xml_path(str(MODELS / "sdf.xml"))
    model = bridge.model_from_mujoco(mj)
    mj_data, data = mujoco.MjData(mj), _core.MjData(model)
    rng = np.random.default_rng(7)
    errors = contacts.Errors()
    outliers = 0
    for _ in range(30):
        for joint in range(mj.njnt):
            adr = mj.jnt_qposadr[joint]
            mj_data.qpos[adr : adr + 3] = rng.uniform(-0.35, 0.35, 3)
            mj_data.qpos[adr + 3 : adr + 7] = quaternion(rng, rng.integers(3))
        mujoco.mj_kinematics(mj, mj_data)
        mujoco.mj_comPos(mj, mj_data)
        mujoco.mj_collision(mj, mj_data)
        ours, expected = contacts.collide(model, data, mj_data), contacts.theirs(mj_data)
        single = contacts.Errors()
        same = single.add(ours[ours["geom2"] < 2], expected[expected["geom2"] < 2])
        errors.contacts += single.contacts
        outliers += not same or max(single.worst.get(k, 0) for k in ("dist", "pos")) > 1e-6
    print("octrees:", errors.contacts, "contacts,", outliers, "of 30 states differ by more than 1e-6")
    assert errors.contacts > 200 and outliers <= 1


@pytest.mark.parametrize("name", ["bowl", "cow", "gear", "mesh", "nutbolt", "primitives", "torus"])
def test_shared_models(name):
    mj = corpus.load(f"shared/mujoco/plugin/sdf/{name}") if corpus.SHARED.is_dir() else None
    if mj is None:
        pytest.skip("the folder of further models is not beside the checkout")
    model = bridge.model_from_mujoco(mj)
    mj_data, data = mujoco.MjData(mj), _core.MjData(model)
    errors = contacts.Errors()
    for step in range(300):
        mujoco.mj_step(mj, mj_data)
        if step % 20:
            continue
        mujoco.mj_kinematics(mj, mj_data)
        mujoco.mj_comPos(mj, mj_data)
        mujoco.mj_collision(mj, mj_data)
        errors.add(contacts.collide(model, data, mj_data), contacts.theirs(mj_data))
    print(name, errors)
    assert errors.miscounted == 0
    assert max(errors.worst.get(k, 0) for k in ("dist", "pos", "normal")) < 1e-6


# ---- distances of geoms

ROUND = ("sphere", "capsule", "ellipsoid", "cylinder", "box", "cloud", "cube")


@pytest.mark.parametrize("setting", ["native", "legacy"])
def test_geom_distance(setting):
    rng = np.random.default_rng(8)
    worst = np.zeros(2)
    for first in ROUND:
        for second in ROUND:
            mj, model = pair_model(first, second, setting)
            mj_data, data = mujoco.MjData(mj), _core.MjData(model)
            for distmax in (-0.05, 0.0, 0.2, 1.0, 1e10):
                place(rng, mj, mj_data)
                if rng.integers(2):
                    mj_data.qpos[7:10] += rng.normal(size=3)
                mujoco.mj_kinematics(mj, mj_data)
                bridge.data_from_mujoco(mj_data, data, contacts.INPUTS)
                for g1, g2 in ((0, 1), (1, 0)):
                    theirs, ours = np.zeros(6), np.zeros(6)
                    expected = mujoco.mj_geomDistance(mj, mj_data, g1, g2, distmax, theirs)
                    found = _core.mj_geomDistance(model, data, g1, g2, distmax, ours)
                    scale = 1 + np.max(np.abs(theirs))
                    worst = np.maximum(
                        worst, [abs(found - expected), np.max(np.abs(ours - theirs)) / scale]
                    )
    print("geom distance", setting, worst)
    assert worst[0] < 1e-8 and worst[1] < 1e-6


def pose(data, geom):
    return np.array(data.geom_xpos[geom]), np.array(data.geom_xmat[geom]).reshape(3, 3)


def support(kind, size, u):
    """Farthest points of a shape along unit directions (rows), in its frame."""
    if kind == "sphere":
        return size[0] * u
    if kind == "capsule":
        return size[0] * u + np.outer(np.sign(u[:, 2]), [0, 0, size[1]])
    if kind == "ellipsoid":
        return u * size**2 / np.linalg.norm(u * size, axis=1)[:, None]
    if kind == "box":
        return np.sign(u) * size
    flat = u[:, :2] / np.maximum(np.linalg.norm(u[:, :2], axis=1), 1e-300)[:, None]
    return np.c_[size[0] * flat, np.sign(u[:, 2]) * size[1]]


def surface(kind, size, x):
    """A function that vanishes on the surface of a shape, about as steep as the distance."""
    if kind == "sphere":
        return np.linalg.norm(x) - size[0]
    if kind == "capsule":
        return np.linalg.norm(x - [0, 0, np.clip(x[2], -size[1], size[1])]) - size[0]
    if kind == "ellipsoid":
        return (np.linalg.norm(x / size) - 1) * size.min()
    if kind == "box":
        return np.max(np.abs(x) - size)
    return max(math.hypot(x[0], x[1]) - size[0], abs(x[2]) - size[1])


SMOOTH = ["sphere", "capsule", "ellipsoid", "cylinder", "box"]
SMOOTH_PAIRS = [p for p in PAIRS if p[0] in SMOOTH and p[1] in SMOOTH]


def flaws(pair, model, data, distance, way, directions, rng):
    """Properties of a distance and its witness points that do not hold to the tolerance."""
    found = []
    sizes = np.array(model.geom_size)

    # swapping the geoms changes nothing
    if abs(distance - _core.mj_geomDistance(model, data, 1, 0, 10.0)) > 2e-6:
        found.append("swap")

    # the points lie on the surfaces and are as far apart as they should be
    if abs(np.linalg.norm(way[3:] - way[:3]) - abs(distance)) > 1e-5:
        found.append("gap")
    for geom in (0, 1):
        pos, mat = pose(data, geom)
        local = mat.T @ (way[3 * geom : 3 * geom + 3] - pos)
        if abs(surface(pair[geom], sizes[geom], local)) > 1e-4:
            found.append("surface")

    # no direction separates better, or would resolve the penetration by a shorter move
    reach = []
    for geom, sign in ((0, 1), (1, -1)):
        pos, mat = pose(data, geom)
        far = support(pair[geom], sizes[geom], sign * directions @ mat) @ mat.T + pos
        reach.append(np.sum(far * directions, axis=1))
    if np.max(reach[1] - reach[0]) > distance + 2e-6:
        found.append("direction")

    # a rigid motion of both changes nothing
    turn, shift = np.zeros(9), rng.normal(size=3)
    mujoco.mju_quat2Mat(turn, quaternion(rng, 0))
    turn = turn.reshape(3, 3)
    for geom in (0, 1):
        pos, mat = pose(data, geom)
        data.geom_xpos[geom] = turn @ pos + shift
        data.geom_xmat[geom] = (turn @ mat).ravel()
    if abs(distance - _core.mj_geomDistance(model, data, 0, 1, 10.0)) > 2e-6:
        found.append("motion")
    return found


@pytest.mark.parametrize("pair", SMOOTH_PAIRS, ids="-".join)
def test_distance_properties(pair):
    """The reference's algorithm fails now and then, and so do we, alike: the rest must be right."""
    rng = np.random.default_rng(9)
    mj, model = pair_model(*pair, "native")
    before = mj.opt.ccd_iterations
    mj.opt.ccd_iterations = model.opt.ccd_iterations = 100  # enough to converge on round shapes
    mj_data, data = mujoco.MjData(mj), _core.MjData(model)
    directions = rng.normal(size=(4000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    checked, flawed = 0, []
    for _ in range(60):
        place(rng, mj, mj_data, kinds=1)  # in aligned poses many directions tie
        mujoco.mj_kinematics(mj, mj_data)
        bridge.data_from_mujoco(mj_data, data, contacts.INPUTS)
        way = np.zeros(6)
        distance = _core.mj_geomDistance(model, data, 0, 1, 10.0, way)
        if abs(distance) < 1e-5:
            continue  # touching: no direction is defined to the tolerance
        checked += 1
        found = flaws(pair, model, data, distance, way, directions, rng)
        if found:
            flawed.append(found)
            assert abs(distance - mujoco.mj_geomDistance(mj, mj_data, 0, 1, 10, None)) < 1e-9
    mj.opt.ccd_iterations = model.opt.ccd_iterations = before
    print("-".join(pair), checked, "poses checked, flawed:", flawed)
    assert checked > 30 and len(flawed) <= 0.15 * checked


# ---- degenerate geometry


@pytest.mark.parametrize("setting", ["native", "multi", "legacy"])
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_degenerate(pair, setting):
    """No crash, no endless loop, at most as many contacts as there is room for."""
    mj, _ = pair_model(*pair, setting)
    model = bridge.model_from_mujoco(mj)
    mj_data, data = mujoco.MjData(mj), _core.MjData(model)
    mujoco.mj_kinematics(mj, mj_data)
    bridge.data_from_mujoco(mj_data, data, contacts.INPUTS)
    sizes = np.array(model.geom_size)
    special = [0.0, 1e-300, 1e-15, 1e15, 1e300, np.inf, -np.inf, np.nan]
    rng = np.random.default_rng(10)
    for trial in range(60):
        model.geom_size[...] = sizes
        data.geom_xmat[...] = np.eye(3).ravel()
        data.geom_xpos[...] = 0  # coincident centres
        if trial % 4 == 1:
            data.geom_xpos[1] = rng.choice(special, 3)
        elif trial % 4 == 2:
            data.geom_xmat[rng.integers(2)] = rng.choice(special, 9)
            data.geom_xpos[1] = rng.normal(size=3) * 0.1
        elif trial % 4 == 3:
            model.geom_size[rng.integers(2)] = rng.choice([0.0, 0.1, 1e-300, 1e15], 3)
            data.geom_xpos[1] = rng.normal(size=3) * rng.choice([0, 0.1, 1e-9])
        rows = _core._collide_pair(model, data, 0, 1, rng.choice([0.0, 0.1]), "convex")
        assert len(rows) <= 50
        _core.mj_geomDistance(model, data, 0, 1, rng.choice([0.0, 1.0, 1e10]))


def test_degenerate_height_and_distance_fields():
    rng = np.random.default_rng(11)
    for name, collider in (("hfield", "hfield"), ("sdf", "sdf")):
        mj = mujoco.MjModel.from_xml_path(str(MODELS / f"{name}.xml"))
        model = bridge.model_from_mujoco(mj)
        data = _core.MjData(model)
        for trial in range(40):
            data.geom_xmat[...] = np.eye(3).ravel()
            data.geom_xpos[...] = rng.normal(size=data.geom_xpos.shape) * (trial % 3) * 0.1
            if trial % 2:
                data.geom_xpos[rng.integers(mj.ngeom)] = rng.choice([0.0, 1e300, np.nan, np.inf], 3)
                data.geom_xmat[rng.integers(mj.ngeom)] = rng.choice([0.0, 1.0, np.nan], 9)
            for geom in range(1, mj.ngeom):
                pair = (0, geom) if name == "hfield" else (max(geom, 1), 0)
                assert len(_core._collide_pair(model, data, *pair, 0.0, collider)) <= 50
