"""Random pose sweeps of every pair of geom types with a closed form, against MuJoCo."""

import contacts
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

POSES = 400
FULL_POSES = 20000

MESH = "".join(f"{x} {y} {z} " for x in (-0.12, 0.12) for y in (-0.2, 0.2) for z in (-0.07, 0.1))

# name: attributes for two variants of sizes
SHAPES = {
    "plane": ['type="plane" size="1 1 .1"', 'type="plane" size="0 0 .1"'],
    "sphere": ['type="sphere" size=".1"', 'type="sphere" size=".23"'],
    "capsule": ['type="capsule" size=".1 .2"', 'type="capsule" size=".05 .31"'],
    "ellipsoid": ['type="ellipsoid" size=".1 .15 .2"', 'type="ellipsoid" size=".3 .1 .1"'],
    "cylinder": ['type="cylinder" size=".1 .2"', 'type="cylinder" size=".25 .05"'],
    "box": ['type="box" size=".1 .15 .2"', 'type="box" size=".2 .2 .2"'],
    "mesh": ['type="mesh" mesh="hull"', 'type="mesh" mesh="small"'],
}
PAIRS = [
    ("plane", "sphere"),
    ("plane", "capsule"),
    ("plane", "ellipsoid"),
    ("plane", "cylinder"),
    ("plane", "box"),
    ("plane", "mesh"),
    ("sphere", "sphere"),
    ("sphere", "capsule"),
    ("sphere", "cylinder"),
    ("sphere", "box"),
    ("capsule", "capsule"),
    ("capsule", "box"),
    ("box", "box"),
]

POINTS = np.random.default_rng(5).normal(size=(14, 3))
POINTS *= 0.2 / np.linalg.norm(POINTS, axis=1, keepdims=True)


def build(shape1, shape2, margin, swapped=False):
    """Two bodies with one geom each; a plane's body is moved as a mocap body."""
    vertices = " ".join(f"{x:.6f}" for x in POINTS.ravel())
    joint = '<freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    body1 = 'mocap="true"' if "plane" in shape1 else ""
    joint1 = "" if "plane" in shape1 else joint
    first = f"<body {body1}>{joint1}<geom {shape1} margin='{margin}'/></body>"
    second = f"<body>{joint}<geom {shape2} margin='{margin}' friction='.3 .1 .2'/></body>"
    bodies = second + first if swapped else first + second
    return mujoco.MjModel.from_xml_string(
        f"""<mujoco><asset><mesh name="hull" vertex="{MESH}"/><mesh name="small"
        vertex="{vertices}"/></asset><worldbody>{bodies}</worldbody></mujoco>"""
    )


# ---- poses


def random_quat(rng, n):
    quat = rng.normal(size=(n, 4))
    return quat / np.linalg.norm(quat, axis=1, keepdims=True)


def aligned_quat(rng, n):
    """The 24 rotations of a cube, with exact 45 degree steps mixed in."""
    basis = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], float)
    half = np.sqrt(0.5)
    turns = np.array([[half, half, 0, 0], [half, 0, half, 0], [half, 0, 0, half]])
    eighth = np.array([[np.cos(np.pi / 8), np.sin(np.pi / 8), 0, 0]])
    choices = np.concatenate([basis, turns, turns * [1, -1, -1, -1], eighth])
    return choices[rng.integers(len(choices), size=n)]


def poses(rng, n, reach, halves):
    """Relative positions and two orientations: random, aligned, nearly aligned; deep to missing."""
    quat1, quat2 = random_quat(rng, n), random_quat(rng, n)
    aligned = rng.random(n) < 0.45
    quat1[aligned] = aligned_quat(rng, aligned.sum())
    quat2[aligned] = aligned_quat(rng, aligned.sum())
    nearly = aligned & (rng.random(n) < 0.3)
    quat2[nearly] += 10 ** rng.uniform(-9, -2, (nearly.sum(), 1)) * rng.normal(size=(nearly.sum(), 4))
    quat2[nearly] /= np.linalg.norm(quat2[nearly], axis=1, keepdims=True)
    same = rng.random(n) < 0.1
    quat2[same] = quat1[same]

    direction = rng.normal(size=(n, 3))
    direction /= np.linalg.norm(direction, axis=1, keepdims=True)
    pos = direction * reach * rng.random((n, 1)) ** 0.5 * 1.05
    # sums of half sizes put aligned faces into exact contact, then a little closer or farther
    grid = rng.choice(halves, (n, 3)) * rng.choice([-1.0, 0.0, 1.0, 1.0], (n, 3))
    grid[:, 2] += rng.choice([0, 0, 1e-9, -1e-9, 1e-5, -1e-5, -1e-3, 1e-3], n)
    on_grid = rng.random(n) < 0.4
    pos[on_grid] = grid[on_grid]
    pos[rng.random(n) < 0.01] = 0
    return pos, quat1, quat2


class Scene:
    """A model of two geoms in both engines, with a way to set their poses."""

    def __init__(self, mj_model):
        self.mj = mj_model
        self.mj_data = mujoco.MjData(mj_model)
        self.model = bridge.model_from_mujoco(mj_model)
        self.data = _core.MjData(self.model)

    def place(self, body, pos, quat):
        mocap = self.mj.body_mocapid[body]
        if mocap >= 0:
            self.mj_data.mocap_pos[mocap], self.mj_data.mocap_quat[mocap] = pos, quat
        else:
            start = self.mj.jnt_qposadr[self.mj.body_jntadr[body]]
            self.mj_data.qpos[start : start + 3] = pos
            self.mj_data.qpos[start + 3 : start + 7] = quat

    def contacts(self):
        mujoco.mj_kinematics(self.mj, self.mj_data)
        mujoco.mj_comPos(self.mj, self.mj_data)
        mujoco.mj_collision(self.mj, self.mj_data)
        return contacts.collide(self.model, self.data, self.mj_data), contacts.theirs(self.mj_data)


def sweep(shape1, shape2, count, seed):
    rng = np.random.default_rng(seed)
    errors = contacts.Errors()
    failures = []
    variants = [(a, b, m) for a in SHAPES[shape1] for b in SHAPES[shape2] for m in (0, 0.03)]
    for first, second, margin in variants:
        scene = Scene(build(first, second, margin))
        reach = scene.mj.geom_rbound.sum() + 2 * margin
        halves = np.concatenate([[0], scene.mj.geom_size.ravel()])
        halves = np.unique((halves[:, None] + halves).ravel())
        pos, quat1, quat2 = poses(rng, count // len(variants), reach, halves)
        base = rng.normal(size=3) if margin else np.zeros(3)
        for i in range(len(pos)):
            scene.place(1, base, quat1[i])
            scene.place(2, base + pos[i], quat2[i])
            if not errors.add(*scene.contacts()):
                failures.append((first, second, margin, pos[i], quat1[i], quat2[i]))
    return errors, failures


def check(shape1, shape2, count):
    errors, failures = sweep(shape1, shape2, count, seed=len(shape1) * 100 + len(shape2))
    print(f"\n{shape1}-{shape2}: {errors}")
    assert errors.contacts > count / 20
    assert not failures, f"{len(failures)} of {errors.poses} poses differ, first {failures[0]}"
    assert errors.worst["dist"] <= 1e-8
    assert errors.worst["pos"] <= 1e-6
    assert errors.worst["normal"] <= 1e-6
    assert errors.worst["tangent"] <= 1e-6
    assert all(errors.worst[name] == 0 for name in contacts.PARAMETERS)


@pytest.mark.parametrize("shape1, shape2", PAIRS, ids=["-".join(p) for p in PAIRS])
def test_pair(shape1, shape2):
    check(shape1, shape2, POSES)


@pytest.mark.full
@pytest.mark.parametrize("shape1, shape2", PAIRS, ids=["-".join(p) for p in PAIRS])
def test_pair_full(shape1, shape2):
    check(shape1, shape2, FULL_POSES)


# ---- properties that need no reference


@pytest.mark.parametrize("shape1, shape2", PAIRS, ids=["-".join(p) for p in PAIRS])
def test_rigid_motion(shape1, shape2):
    """Contacts move with the two geoms."""
    scene = Scene(build(SHAPES[shape1][0], SHAPES[shape2][0], 0.01))
    rng = np.random.default_rng(9)
    reach = scene.mj.geom_rbound.sum()
    found = 0
    for _ in range(80):
        quat1, quat2, turn = random_quat(rng, 3)
        pos, shift = rng.normal(size=3) * reach * 0.4, rng.normal(size=3)
        moved, quat1_moved, quat2_moved = np.zeros(3), np.zeros(4), np.zeros(4)
        mujoco.mju_rotVecQuat(moved, pos, turn)
        mujoco.mju_mulQuat(quat1_moved, turn, quat1)
        mujoco.mju_mulQuat(quat2_moved, turn, quat2)
        scene.place(1, np.zeros(3), quat1)
        scene.place(2, pos, quat2)
        before = scene.contacts()[0].copy()
        scene.place(1, shift, quat1_moved)
        scene.place(2, shift + moved, quat2_moved)
        after = scene.contacts()[0]
        assert len(before) == len(after)
        for c, e in zip(before, after):
            expected, normal = np.zeros(3), np.zeros(3)
            mujoco.mju_rotVecQuat(expected, c["pos"], turn)
            mujoco.mju_rotVecQuat(normal, c["frame"][:3], turn)
            assert abs(c["dist"] - e["dist"]) < 1e-12
            assert np.abs(expected + shift - e["pos"]).max() < 1e-12
            assert np.abs(normal - e["frame"][:3]).max() < 1e-10
            found += 1
    assert found > 10


@pytest.mark.parametrize("shape", ["sphere", "capsule"])
def test_swap(shape):
    """Geoms of one type in the other order: the same points, opposite normals."""
    first, second = SHAPES[shape]
    one, two = Scene(build(first, second, 0.01)), Scene(build(second, first, 0.01))
    rng = np.random.default_rng(10)
    found = 0
    for _ in range(150):
        quat1, quat2 = random_quat(rng, 2)
        pos = rng.normal(size=3) * 0.2
        one.place(1, np.zeros(3), quat1)
        one.place(2, pos, quat2)
        two.place(1, pos, quat2)
        two.place(2, np.zeros(3), quat1)
        a, b = one.contacts()[0], two.contacts()[0]
        assert len(a) == len(b)
        if len(a) == 1:
            assert np.abs(a["dist"] - b["dist"]).max() < 1e-12
            assert np.abs(a["pos"] - b["pos"]).max() < 1e-12
            assert np.abs(a["frame"][:, :3] + b["frame"][:, :3]).max() < 1e-9
            found += 1
    assert found > 10


@pytest.mark.parametrize("shape1, shape2", PAIRS, ids=["-".join(p) for p in PAIRS])
def test_degenerate(shape1, shape2):
    """Zero, tiny, huge and bad sizes, coincident centres, bad poses: an answer, never a crash."""
    mj = build(SHAPES[shape1][0], SHAPES[shape2][0], 0.01)
    mj_data = mujoco.MjData(mj)
    mujoco.mj_forward(mj, mj_data)
    rng = np.random.default_rng(12)
    for size in (0.0, 1e-300, 1e-9, 1e9, np.inf, np.nan):
        for columns in ([0], [1], [2], [0, 1, 2]):
            model = bridge.model_from_mujoco(mj)
            model.geom_size[:, columns] = size
            data = _core.MjData(model)
            for pose in (0, 1, np.nan, np.inf):
                mj_data.geom_xpos[:] = pose * rng.normal(size=(mj.ngeom, 3)) if pose else 0
                ours = contacts.collide(model, data, mj_data)
                assert 0 <= len(ours) <= 50
