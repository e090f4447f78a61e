"""Filters, explicit pairs, mixing, margins, mid phase and order, on random worlds."""

import contacts
import mujoco
import numpy as np
import pytest

import sinew
from sinew import _core, bridge

WORLDS = 12
POSES = 8

TYPES = ["sphere", "capsule", "box", "sphere", "capsule", "box", "cylinder", "ellipsoid"]


def random_geom(rng, kinds):
    """One geom with random size, pose, masks and contact parameters."""
    kind = rng.choice(kinds)
    size = " ".join(f"{x:.3f}" for x in rng.uniform(0.08, 0.3, 3))
    pos = " ".join(f"{x:.3f}" for x in rng.normal(size=3) * 0.25)
    euler = rng.choice(["0 0 0", "30 40 50", "90 0 0", "0 90 45"])
    text = f'<geom type="{kind}" size="{size}" pos="{pos}" euler="{euler}"'
    if rng.random() < 0.3:
        text += f' contype="{rng.integers(4)}" conaffinity="{rng.integers(4)}"'
    if rng.random() < 0.3:
        text += f' margin="{rng.uniform(0, 0.1):.3f}" gap="{rng.uniform(0, 0.05):.3f}"'
    if rng.random() < 0.4:
        text += f' priority="{rng.integers(2)}" condim="{rng.choice([1, 3, 4, 6])}"'
        text += f' solmix="{rng.choice([0, 0.5, 1, 3])}" friction="{rng.random():.2f} .01 .001"'
    if rng.random() < 0.3:
        text += f' solref="{rng.choice(["-100 -5", ".01 .7", ".03 1"])}" solimp=".7 .8 .01 .4 1.5"'
    return text + "/>"


def random_world(rng, kinds=TYPES):
    """Chains of bodies around the origin, static bodies with planes, pairs and excludes."""
    names, geoms, bodies = [], [], ""
    for chain in range(rng.integers(3, 7)):
        depth = rng.integers(1, 4)
        pos = " ".join(f"{x:.3f}" for x in rng.normal(size=3) * 0.6)
        joint = rng.choice(["<freejoint/>", "<freejoint/>", '<joint type="hinge"/>', ""])
        opened = ""
        for level in range(depth):
            name = f"b{chain}_{level}"
            names.append(name)
            inner = "".join(random_geom(rng, kinds) for _ in range(rng.integers(1, 4)))
            for i in range(inner.count("<geom")):
                geoms.append(f"{name}_g{i}")
                inner = inner.replace("<geom ", f'<geom name="{name}_g{i}" ', 1).replace(
                    f'<geom name="{name}_g{i}" ', f'<GEOM name="{name}_g{i}" ', 1
                )
            inner = inner.replace("<GEOM", "<geom")
            use = joint if level == 0 else rng.choice(['<joint axis="0 1 0"/>', ""])
            opened += f'<body name="{name}" pos="{pos}">{use}{inner}'
            pos = " ".join(f"{x:.3f}" for x in rng.normal(size=3) * 0.3)
        bodies += opened + "</body>" * depth
    bodies += '<body name="shelf" pos="0 0 -.7"><geom type="plane" size="1 1 .1"/></body>'
    if rng.random() < 0.5:
        bodies = '<geom type="plane" size="2 2 .1" pos="0 0 -.5" euler="0 10 0"/>' + bodies
    if rng.random() < 0.5:
        bodies += '<geom type="box" size=".3 .3 .3"/>'
    contact = ""
    for _ in range(rng.integers(4)):
        g1, g2 = rng.choice(geoms, 2, replace=False)
        contact += f'<pair geom1="{g1}" geom2="{g2}" condim="{rng.choice([1, 4])}" margin=".05"/>'
    for _ in range(rng.integers(4)):
        b1, b2 = rng.choice(names, 2, replace=False)
        contact += f'<exclude body1="{b1}" body2="{b2}"/>'
    flags = "".join(
        f' {name}="{state}"'
        for name, state in (
            ("filterparent", "disable"),
            ("midphase", "disable"),
            ("override", "enable"),
            ("multiccd", "enable"),
        )
        if rng.random() < 0.25
    )
    return f"""<mujoco><option o_margin=".03" o_friction=".4 .3 .2 .1 0" o_solref=".05 .8">
      <flag{flags}/></option><size memory="20M"/><worldbody>{bodies}</worldbody>
      <contact>{contact}</contact></mujoco>"""


def randomise(mj, data, rng, scale=0.6):
    for joint in range(mj.njnt):
        start = mj.jnt_qposadr[joint]
        if mj.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE:
            data.qpos[start : start + 3] = rng.normal(size=3) * scale
            data.qpos[start + 3 : start + 7] = rng.normal(size=4)
        else:
            data.qpos[start] = rng.uniform(-2, 2)
    mujoco.mj_normalizeQuat(mj, data.qpos)


def update(mj, data):
    mujoco.mj_kinematics(mj, data)
    mujoco.mj_comPos(mj, data)
    mujoco.mj_collision(mj, data)


def make_world(seed, kinds=TYPES):
    """A random world that MuJoCo accepts; repeated pairs or excludes of one body are drawn again."""
    rng = np.random.default_rng(seed)
    while True:
        try:
            return mujoco.MjModel.from_xml_string(random_world(rng, kinds)), rng
        except ValueError:
            continue


def check_world(seed, poses, kinds=TYPES):
    mj, rng = make_world(seed, kinds)
    mj_data = mujoco.MjData(mj)
    model = bridge.model_from_mujoco(mj)
    data = _core.MjData(model)
    errors = contacts.Errors()
    for _ in range(poses):
        randomise(mj, mj_data, rng)
        update(mj, mj_data)
        assert errors.add(contacts.collide(model, data, mj_data), contacts.theirs(mj_data)), seed
    return errors


def check_errors(errors):
    assert errors.worst["dist"] <= 1e-8
    assert errors.worst["pos"] <= 1e-6
    assert errors.worst["normal"] <= 1e-6
    assert all(errors.worst[name] <= 1e-15 for name in contacts.PARAMETERS)


@pytest.mark.parametrize("seed", range(WORLDS))
def test_random_world(seed):
    errors = check_world(seed, POSES)
    print(f"\n{errors}")
    check_errors(errors)


@pytest.mark.full
def test_random_worlds():
    total = 0
    for seed in range(100, 500):
        errors = check_world(seed, 15)
        check_errors(errors)
        total += errors.contacts
    assert total > 50000


def test_runtime_masks():
    """Masks of geoms and of bodies edited after compilation must both pass."""
    mj, rng = make_world(3)
    mj_data = mujoco.MjData(mj)
    errors = contacts.Errors()
    for _ in range(10):
        mj.geom_contype[:] = rng.integers(4, size=mj.ngeom)
        mj.geom_conaffinity[:] = rng.integers(4, size=mj.ngeom)
        mj.body_contype[:] = rng.integers(4, size=mj.nbody)
        model = bridge.model_from_mujoco(mj)
        data = _core.MjData(model)
        randomise(mj, mj_data, rng)
        update(mj, mj_data)
        assert errors.add(contacts.collide(model, data, mj_data), contacts.theirs(mj_data))
    assert errors.contacts > 20


@pytest.mark.parametrize("step", [0.2, 0.2 + 1e-9, 0.2 - 1e-8, 0.2 - 1e-7])
def test_grazing_lattice(step):
    """Spheres in exactly grazing contact: MuJoCo's sweep loses some of them to rounding."""
    bodies = "".join(
        f'<body pos="{i * step!r} {j * step!r} {k * step!r}"><freejoint/><geom size=".1"/></body>'
        for i in range(4)
        for j in range(4)
        for k in range(3)
    )
    mj = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    mj_data = mujoco.MjData(mj)
    model = bridge.model_from_mujoco(mj)
    data = _core.MjData(model)
    rng = np.random.default_rng(2)
    errors = contacts.Errors()
    for turn in range(10):
        update(mj, mj_data)
        assert errors.add(contacts.collide(model, data, mj_data), contacts.theirs(mj_data)), turn
        # rigid motion of the whole lattice
        quat = rng.normal(size=4)
        quat /= np.linalg.norm(quat)
        shift = rng.normal(size=3)
        for body in range(1, mj.nbody):
            start = 7 * (body - 1)
            pos = np.zeros(3)
            mujoco.mju_rotVecQuat(pos, mj.body_pos[body], quat)
            mj_data.qpos[start : start + 3] = pos + shift
    print(f"\n{errors}")
    assert errors.poses == 10


def test_sleeping():
    """Sleeping bodies do not collide with one another or with static ones."""
    bodies = "".join(
        f'<body pos="0 0 {0.2 * i + 0.1}"><freejoint/><geom type="box" size=".1 .1 .1"/></body>'
        for i in range(5)
    )
    mj = mujoco.MjModel.from_xml_string(
        f"""<mujoco><option><flag sleep="enable"/></option><worldbody><geom type="plane"
        size="1 1 1"/>{bodies}</worldbody></mujoco>"""
    )
    mj_data = mujoco.MjData(mj)
    mujoco.mj_forward(mj, mj_data)
    model = bridge.model_from_mujoco(mj)
    data = _core.MjData(model)
    rng = np.random.default_rng(1)
    counts = set()
    for _ in range(30):
        mj_data.body_awake[1:] = rng.integers(2, size=mj.nbody - 1)
        mj_data.nbody_awake = 1 + int((mj_data.body_awake[1:] == 1).sum())
        mujoco.mj_collision(mj, mj_data)
        errors = contacts.Errors()
        assert errors.add(contacts.collide(model, data, mj_data), contacts.theirs(mj_data))
        counts.add(mj_data.ncon)
    assert len(counts) >= 3


def test_disabled():
    mj, rng = make_world(3)
    for flag in (mujoco.mjtDisableBit.mjDSBL_CONTACT, mujoco.mjtDisableBit.mjDSBL_CONSTRAINT):
        mj.opt.disableflags = flag
        mj_data = mujoco.MjData(mj)
        randomise(mj, mj_data, rng)
        mujoco.mj_kinematics(mj, mj_data)
        model = bridge.model_from_mujoco(mj)
        assert len(contacts.collide(model, _core.MjData(model), mj_data)) == 0


def test_full_arena():
    """A small arena drops contacts, raises the warning and goes on."""
    bodies = "".join(
        f'<body pos="{0.15 * i} 0 0"><freejoint/><geom size=".1"/></body>' for i in range(100)
    )
    mj = mujoco.MjModel.from_xml_string(
        f'<mujoco><size memory="70K"/><worldbody>{bodies}</worldbody></mujoco>'
    )
    mj_data = mujoco.MjData(mj)
    mujoco.mj_kinematics(mj, mj_data)
    mujoco.mj_comPos(mj, mj_data)
    model = bridge.model_from_mujoco(mj)
    ours = contacts.collide(model, _core.MjData(model), mj_data)
    assert 0 < len(ours) < 99
    assert np.all(np.diff(ours["geom"][:, 0]) >= 0)


@pytest.mark.parametrize("kinds", [["sphere", "capsule", "box"]])
def test_bad_poses(kinds):
    """Not-a-number, infinite and huge poses neither crash nor hang, nor leave anything behind."""
    mj, rng = make_world(1, kinds)
    mj_data = mujoco.MjData(mj)
    model = bridge.model_from_mujoco(mj)
    data = _core.MjData(model)
    for value in (np.nan, np.inf, -np.inf, 1e300, 1e-300):
        for _ in range(5):
            randomise(mj, mj_data, rng)
            update(mj, mj_data)
            bad = rng.random(mj_data.geom_xpos.shape) < 0.3
            mj_data.geom_xpos[bad] = value
            mj_data.geom_xmat[rng.random(mj_data.geom_xmat.shape) < 0.1] = value
            found = contacts.collide(model, data, mj_data)
            assert np.all((found["geom"] >= 0) & (found["geom"] < mj.ngeom))
    randomise(mj, mj_data, rng)
    update(mj, mj_data)
    after, fresh = (contacts.collide(model, each, mj_data) for each in (data, _core.MjData(model)))
    assert len(fresh) > 0
    for name in fresh.dtype.names:  # nothing is written to the gap at the end of the struct
        assert after[name].tobytes() == fresh[name].tobytes(), name


def test_fused_bodies_lose_no_contact():
    """Trees of fused bodies have inner nodes that name a geom: MuJoCo descends them all the same."""
    from random_mjcf import random_model

    compared = 0
    for seed in (14, 21, 55, 57, 79, 82):
        mj = mujoco.MjModel.from_xml_string(random_model(seed))
        ours_model = bridge.model_from_mujoco(mj)
        theirs, ours = mujoco.MjData(mj), _core.MjData(ours_model)
        mujoco.mj_forward(mj, theirs)
        _core.mj_forward(ours_model, ours)
        assert ours.ncon == theirs.ncon > 0
        compared += np.any((mj.bvh_nodeid >= 0) & (mj.bvh_child[:, 0] >= 0))
    assert compared


@pytest.mark.parametrize("apart", [0.5, 0.9, 1.2])
def test_a_filter_decides_about_geoms_that_are_only_seen(apart):
    """Masks keep them out of the boxes of the broad phase; a user's filter takes the place of masks."""
    seen = '<body pos="{} 0 0"><freejoint/><geom size=".1"/><geom size=".5" contype="0" conaffinity="0"/></body>'
    text = f"""<mujoco><option><flag midphase="disable"/></option><worldbody>
      {seen.format(0)}{seen.format(apart)}</worldbody></mujoco>"""
    pairs = {}
    for module in (mujoco, sinew):
        model = module.MjModel.from_xml_string(text)
        data = module.MjData(model)
        found = []
        try:
            for accept in (None, lambda m, d, g1, g2: 0):
                module.set_mjcb_contactfilter(accept)
                module.mj_forward(model, data)
                found.append(data.contact.geom.tolist())
        finally:
            module.set_mjcb_contactfilter(None)
        pairs[module] = found
    assert pairs[sinew] == pairs[mujoco]
    assert pairs[mujoco][0] == [] and bool(pairs[mujoco][1]) == (apart < 1)
