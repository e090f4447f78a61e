"""Rays against every geom type, alone and in scenes, against MuJoCo."""

import ctypes
import itertools
import os

import corpus
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

RAYS = 1000
FULL_RAYS = 100000
TOLERANCE = 1e-9

RNG = np.random.default_rng(11)
POINTS = " ".join(f"{x:.4f}" for x in RNG.normal(size=60) * 0.2)
HEIGHTS = " ".join(f"{x:.3f}" for x in RNG.random(7 * 9))

GEOMS = {
    "plane": 'type="plane" size="1 .7 .1"',
    "infinite": 'type="plane" size="0 0 .1"',
    "sphere": 'type="sphere" size=".3"',
    "capsule": 'type="capsule" size=".2 .4"',
    "ellipsoid": 'type="ellipsoid" size=".2 .3 .5"',
    "cylinder": 'type="cylinder" size=".3 .4"',
    "box": 'type="box" size=".2 .3 .4"',
    "mesh": 'type="mesh" mesh="hull"',
    "hfield": 'type="hfield" hfield="terrain"',
}
ASSETS = f"""<asset><mesh name="hull" vertex="{POINTS}"/>
<hfield name="terrain" nrow="7" ncol="9" size=".6 .5 .3 .2" elevation="{HEIGHTS}"/></asset>"""


def scene(bodies):
    mj = mujoco.MjModel.from_xml_string(f"<mujoco>{ASSETS}<worldbody>{bodies}</worldbody></mujoco>")
    mj_data = mujoco.MjData(mj)
    mujoco.mj_kinematics(mj, mj_data)
    mujoco.mj_comPos(mj, mj_data)
    model = bridge.model_from_mujoco(mj)
    data = bridge.data_from_mujoco(mj_data, _core.MjData(model))
    return mj, mj_data, model, data


def rays(rng, n):
    """From outside, from inside, along axes, towards the origin, with all sorts of lengths."""
    pnt = rng.normal(size=(n, 3)) * rng.choice([0.1, 0.5, 2.0], (n, 1))
    vec = -pnt + rng.normal(size=(n, 3)) * rng.choice([0.05, 0.3, 3.0], (n, 1))
    vec *= 10 ** rng.uniform(-2, 1, (n, 1))
    along = rng.random(n) < 0.1
    vec[along] = np.eye(3)[rng.integers(3, size=along.sum())] * rng.choice([-1, 2], (along.sum(), 1))
    return pnt, vec


def check_rays(world, count, seed):
    mj, mj_data, model, data = world
    rng = np.random.default_rng(seed)
    worst = worst_normal = hits = 0
    geom, mj_geom = np.zeros(1, np.int32), np.zeros(1, np.int32)
    normal, mj_normal = np.zeros(3), np.zeros(3)
    for pnt, vec in zip(*rays(rng, count)):
        expected = mujoco.mj_ray(mj, mj_data, pnt, vec, None, 1, -1, mj_geom, mj_normal)
        ours = _core.mj_ray(model, data, pnt, vec, None, 1, -1, geom, normal)
        assert geom[0] == mj_geom[0], (pnt, vec, ours, expected)
        hits += expected >= 0
        worst = max(worst, abs(ours - expected) / max(1, abs(expected)))
        worst_normal = max(worst_normal, np.abs(normal - mj_normal).max())
    print(f"\n{count} rays, {hits} hits, distance {worst:.1e}, normal {worst_normal:.1e}")
    assert hits > count / 20
    assert worst <= TOLERANCE
    assert worst_normal <= TOLERANCE


def posed(kind):
    return scene(f'<geom {GEOMS[kind]} pos=".1 -.05 .07" quat=".8 .3 -.4 .2"/>')


@pytest.mark.parametrize("kind", GEOMS)
def test_geom(kind):
    check_rays(posed(kind), RAYS, 1)


@pytest.mark.full
@pytest.mark.parametrize("kind", GEOMS)
def test_geom_full(kind):
    check_rays(posed(kind), FULL_RAYS, 2)


FIELDS = ["bolt", "bowl", "gear", "nut", "torus"]


def check_field_rays(mj, count, seed):
    """Sphere tracing stops at 1e-7: there a hit ends at the same step in both engines or does not."""
    mj_data, model = mujoco.MjData(mj), bridge.model_from_mujoco(mj)
    mujoco.mj_kinematics(mj, mj_data)
    data = bridge.data_from_mujoco(mj_data, _core.MjData(model))
    rng = np.random.default_rng(seed)
    geom, mj_geom = np.zeros(1, np.int32), np.zeros(1, np.int32)
    hits = differ = 0
    worst = 0.0
    scale = mj.geom_rbound.max()
    for pnt, vec in zip(*rays(rng, count)):
        expected = mujoco.mj_ray(mj, mj_data, pnt * scale, vec * scale, None, 1, -1, mj_geom)
        ours = _core.mj_ray(model, data, pnt * scale, vec * scale, None, 1, -1, geom)
        if geom[0] != mj_geom[0]:
            differ += 1
            continue
        hits += expected >= 0
        worst = max(worst, abs(ours - expected) / max(1, abs(expected)))
    print(f"\n{count} rays, {hits} hits, {differ} differ, distance {worst:.1e}")
    assert hits > count / 20 and differ == 0
    assert worst <= TOLERANCE


def field_model(kind):
    from test_collision_convex import parts_model

    return parts_model(kind, kind)


@pytest.mark.parametrize("kind", FIELDS)
def test_distance_field(kind):
    check_field_rays(field_model(kind), RAYS, 21)


@pytest.mark.full
@pytest.mark.parametrize("kind", FIELDS)
def test_distance_field_full(kind):
    check_field_rays(field_model(kind), FULL_RAYS, 22)


def octree_model():
    return mujoco.MjModel.from_xml_path(str(corpus.OWN / "collision" / "sdf.xml"))


def test_octrees():
    check_field_rays(octree_model(), RAYS, 23)


@pytest.mark.full
def test_octrees_full():
    check_field_rays(octree_model(), FULL_RAYS, 24)


def mujoco_ray_skin():
    """MuJoCo's function; its Python binding takes single numbers for the arrays."""
    folder = os.path.dirname(mujoco.__file__)
    name = next(n for n in os.listdir(folder) if n.startswith("libmujoco"))
    function = ctypes.CDLL(os.path.join(folder, name)).mju_raySkin
    function.restype = ctypes.c_double
    function.argtypes = [ctypes.c_int] * 2 + [ctypes.c_void_p] * 5

    def call(nface, nvert, *arrays):
        return function(nface, nvert, *(array.ctypes.data for array in arrays))

    return call


def check_skin_rays(count, seed):
    """mju_raySkin on a bent sheet of triangles: distance and nearest vertex."""
    reference = mujoco_ray_skin()
    rng = np.random.default_rng(seed)
    side = 9
    x, y = np.meshgrid(np.linspace(-1, 1, side), np.linspace(-1, 1, side))
    vert = np.c_[x.ravel(), y.ravel(), 0.4 * np.sin(2 * x.ravel()) * y.ravel()].astype(np.float32)
    first = (np.arange(side - 1)[:, None] * side + np.arange(side - 1)).ravel()
    face = np.r_[
        np.c_[first, first + 1, first + side + 1], np.c_[first, first + side + 1, first + side]
    ].astype(np.int32)
    hits = 0
    worst = 0.0
    for pnt, vec in zip(*rays(rng, count)):
        vertid, mj_vertid = np.full(1, -7, np.int32), np.full(1, -7, np.int32)
        arguments = (len(face), len(vert), face.ravel(), vert.ravel(), pnt, vec)
        expected = reference(*arguments, mj_vertid)
        ours = _core.mju_raySkin(*arguments, vertid)
        assert (ours < 0) == (expected < 0) and vertid[0] == mj_vertid[0]
        worst = max(worst, abs(ours - expected) / max(1, abs(expected)))
        hits += expected >= 0
    print(f"\n{count} rays at a skin, {hits} hits, distance {worst:.1e}")
    assert hits > count / 20 and worst <= TOLERANCE


def test_skin():
    check_skin_rays(RAYS, 25)


@pytest.mark.full
def test_skin_full():
    check_skin_rays(FULL_RAYS, 26)


SCENE = "".join(
    f'<body pos="{x:.2f} {y:.2f} {z:.2f}" euler="{30 * i} {20 * i} 0">{joint}<geom {geom} '
    f'group="{i % 6}" rgba="1 1 1 {0 if i == 5 else 1}"/>'
    f'<geom size=".1" pos=".3 0 .2" group="{i % 3}"/></body>'
    for i, (geom, (x, y, z)) in enumerate(
        zip(
            [g for k, g in GEOMS.items() if k != "infinite"],
            np.random.default_rng(3).normal(size=(9, 3)),
        )
    )
    for joint in ["" if "plane" in geom or "hfield" in geom else "<freejoint/>"]
)


def test_scene():
    check_rays(scene(SCENE), RAYS, 4)


def test_filters():
    """Groups, static geoms, an excluded body, transparent geoms."""
    mj, mj_data, model, data = scene(SCENE)
    rng = np.random.default_rng(5)
    geom, mj_geom = np.zeros(1, np.int32), np.zeros(1, np.int32)
    seen = set()
    for pnt, vec in zip(*rays(rng, 800)):
        group = rng.integers(2, size=6).astype(np.uint8)
        static, exclude = int(rng.integers(2)), int(rng.integers(-1, mj.nbody))
        expected = mujoco.mj_ray(mj, mj_data, pnt, vec, group, static, exclude, mj_geom)
        ours = _core.mj_ray(model, data, pnt, vec, group, static, exclude, geom)
        assert geom[0] == mj_geom[0] and abs(ours - expected) <= TOLERANCE * max(1, expected)
        seen.add(int(geom[0]))
    assert len(seen) > 8


@pytest.mark.parametrize("cutoff", [0.8, 2.0, 1e10])
def test_multi_ray(cutoff):
    mj, mj_data, model, data = scene(SCENE)
    rng = np.random.default_rng(6)
    n, hits = 200, 0
    for _ in range(12):
        pnt = rng.normal(size=3)
        vec = rng.normal(size=(n, 3))
        vec[0] = 0
        mine, theirs = np.full(n, 7.0), np.full(n, 7.0)
        geom, mj_geom = np.full(n, 7, np.int32), np.full(n, 7, np.int32)
        normal, mj_normal = np.zeros((n, 3)), np.zeros((n, 3))
        arguments = (None, 1, -1)
        mujoco.mj_multiRay(
            mj, mj_data, pnt, vec.ravel(), *arguments, mj_geom, theirs, mj_normal.ravel(), n, cutoff
        )
        flat = normal.reshape(-1)
        _core.mj_multiRay(model, data, pnt, vec.ravel(), *arguments, geom, mine, flat, n, cutoff)
        assert np.array_equal(geom, mj_geom)
        assert np.abs(mine - theirs).max() <= TOLERANCE
        hits += (mine >= 0).sum()
    assert hits > 50


def test_primitive_function():
    """mju_rayGeom, the shapes without a world."""
    rng = np.random.default_rng(7)
    mat = np.zeros(9)
    for kind in (0, 2, 3, 4, 5, 6):
        worst = 0
        for pnt, vec in zip(*rays(rng, 300)):
            quat = rng.normal(size=4)
            mujoco.mju_quat2Mat(mat, quat / np.linalg.norm(quat))
            pos, size = rng.normal(size=3) * 0.2, rng.uniform(0.05, 0.6, 3)
            normal, mj_normal = np.zeros(3), np.zeros(3)
            ours = _core.mju_rayGeom(pos, mat, size, pnt, vec, kind, normal)
            expected = mujoco.mju_rayGeom(pos, mat, size, pnt, vec, kind, mj_normal)
            worst = max(worst, abs(ours - expected), np.abs(normal - mj_normal).max())
        assert worst <= TOLERANCE, kind


def test_degenerate():
    """Bad numbers and empty directions return, and report no hit or a number."""
    _, _, model, data = scene(SCENE)
    for pnt in (np.zeros(3), np.full(3, np.nan), np.full(3, 1e300), np.array([np.inf, 0, 0])):
        for vec in (np.array([0, 0, 1.0]), np.full(3, np.nan), np.full(3, 1e200)):
            _core.mj_ray(model, data, pnt, vec, None, 1, -1, None)
        with pytest.raises(_core.FatalError, match="vector length"):
            _core.mj_ray(model, data, pnt, np.zeros(3), None, 1, -1, None)


def test_corpus_meshes():
    """Meshes of real models, where rays meet shared edges and vertices."""
    loaded = ((name, corpus.load(name)) for name in corpus.paths() if "menagerie" in name)
    models = itertools.islice(((n, m) for n, m in loaded if m is not None and m.nmesh), 3)
    checked = 0
    for name, mj in models:
        checked += 1
        mj_data = mujoco.MjData(mj)
        mujoco.mj_forward(mj, mj_data)
        model = bridge.model_from_mujoco(mj)
        data = bridge.data_from_mujoco(mj_data, _core.MjData(model))
        rng = np.random.default_rng(8)
        geom, mj_geom = np.zeros(1, np.int32), np.zeros(1, np.int32)
        for _ in range(100):
            pnt = mj.stat.center + rng.normal(size=3) * mj.stat.extent
            target = mj_data.geom_xpos[rng.integers(mj.ngeom)]
            vec = target - pnt
            expected = mujoco.mj_ray(mj, mj_data, pnt, vec, None, 1, -1, mj_geom)
            ours = _core.mj_ray(model, data, pnt, vec, None, 1, -1, geom)
            assert geom[0] == mj_geom[0], name
            assert abs(ours - expected) <= TOLERANCE
    if not checked:
        pytest.skip("no model with meshes is installed")
