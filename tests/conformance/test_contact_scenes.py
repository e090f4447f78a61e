"""Free-running contact scenes: close to MuJoCo for a while, sound for long."""

import constrained
import corpus
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge


def height(model, data):
    return np.array(data.subtree_com).reshape(-1, 3)[0]


def penetration(contacts):
    return float(min([0.0, *contacts["dist"]]))


def energy(model, ours_model, data, ours):
    """Energies of both states, computed by MuJoCo from positions and velocities."""
    values = []
    for d in (data, ours):
        probe = mujoco.MjData(model)
        probe.qpos[:], probe.qvel[:] = d.qpos, d.qvel
        model.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
        mujoco.mj_forward(model, probe)
        model.opt.enableflags &= ~int(mujoco.mjtEnableBit.mjENBL_ENERGY)
        values.append(np.array(probe.energy))
    return values


SCENES = {
    "falling humanoid": ("shared/mujoco/humanoid/humanoid", 400),
    "quadruped": ("dm/quadruped", 100),
    "grasp": ("own/constraint/mixed_grasp", 100),
    "stack": ("own/constraint/mixed_stack", 100),
    "hand": ("shared/menagerie/shadow_hand/scene_right", 100),
}


@pytest.mark.parametrize("scene", sorted(SCENES))
def test_rollout(scene):
    """100 steps with contacts: energy, penetration and path of the centre of mass."""
    name, warmup = SCENES[scene]
    if name not in corpus.paths():
        pytest.skip(f"{name} is not here")
    model = constrained.load(name)
    rng = np.random.default_rng(0)
    data = mujoco.MjData(model)
    for _ in range(warmup):
        mujoco.mj_step(model, data)
    ours_model = bridge.model_from_mujoco(model)
    ours = _core.MjData(ours_model)
    bridge.state_from_mujoco(data, ours)
    for _ in range(100):
        data.ctrl[:] = 0.1 * rng.uniform(-1, 1, model.nu)
        ours.ctrl[:] = data.ctrl
        mujoco.mj_step(model, data)
        _core.mj_step(ours_model, ours)
        theirs = min([0.0, *data.contact.dist]) if data.ncon else 0.0
        assert abs(penetration(bridge.contacts(ours)) - theirs) < 1e-4
        assert np.max(np.abs(height(model, ours) - height(model, data))) < 1e-4
    first, second = energy(model, ours_model, data, ours)
    assert np.allclose(first, second, rtol=1e-3, atol=1e-3)
    assert not any(ours.warning.number)


# With the default soft contacts a column of 20 boxes buckles after 7 to 9 seconds in MuJoCo and here
# alike: it is higher than its contacts are stiff. These two settings carry it.
STIFF = 'solref=".01 1" solimp=".95 .99 .001"'
TOWERS = {"stiff": ("", STIFF), "elliptic": ('cone="elliptic"', "")}


def tower(count, option, geom):
    bodies = "".join(
        f'<body pos="0 0 {0.1 + 0.2 * i}"><freejoint/><geom type="box" size=".1 .1 .1" {geom}/></body>'
        for i in range(count)
    )
    return f"""<mujoco><option {option}/><worldbody><geom type="plane" size="5 5 .1" {geom}/>
    {bodies}</worldbody></mujoco>"""


def stands(kind, seconds):
    model, data = constrained.ours(tower(20, *TOWERS[kind]))
    for _ in range(int(seconds / 0.002)):
        _core.mj_step(model, data)
        if data.time % 1 < 0.002:
            assert data.qpos[7 * 19 + 2] > 3.7, data.time
    assert not any(data.warning.number)
    assert np.max(np.abs(data.qpos.reshape(20, 7)[:, :2])) < 0.05


@pytest.mark.parametrize("kind", sorted(TOWERS))
def test_stack_of_20_boxes(kind):
    stands(kind, 2)


@pytest.mark.full
@pytest.mark.parametrize("kind", sorted(TOWERS))
def test_stack_of_20_boxes_full(kind):
    stands(kind, 60)


CONTACT_MODELS = sorted(
    n
    for n in corpus.paths()
    if n.startswith(("own/constraint/", "dm/", "gym/"))
    and corpus.load(n) is not None
    and 0 < corpus.load(n).nv <= 60
)


def shake(name, steps):
    """Random controls: no bad numbers; warnings are returned."""
    model = constrained.load(name)
    ours_model = bridge.model_from_mujoco(model)
    data = _core.MjData(ours_model)
    rng = np.random.default_rng(0)
    for step in range(steps):
        if step % 20 == 0:
            data.ctrl[:] = rng.uniform(-1, 1, model.nu)
        _core.mj_step(ours_model, data)
        assert data.pstack == 0
    assert np.all(np.isfinite(data.qpos))
    return list(data.warning.number)


@pytest.mark.full
@pytest.mark.parametrize("name", CONTACT_MODELS)
def test_random_controls_full(name):
    """About 10^6 steps in all; warnings only where MuJoCo itself blows up."""
    warnings = shake(name, 10000)
    if any(warnings):
        model = constrained.load(name)
        data = mujoco.MjData(model)
        rng = np.random.default_rng(0)
        for step in range(10000):
            if step % 20 == 0:
                data.ctrl[:] = rng.uniform(-1, 1, model.nu)
            mujoco.mj_step(model, data)
        theirs = [w.number for w in data.warning]
        print(name, warnings, theirs)
        assert any(theirs), warnings


@pytest.mark.parametrize("name", CONTACT_MODELS[::12])
def test_random_controls(name):
    shake(name, 500)
