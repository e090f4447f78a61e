"""Finite differences of steps and of inverse dynamics against MuJoCo's, at equal settings."""

import corpus
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

MODELS = ["own/sensor/arm", "own/sensor/contact", "dm/hopper", "dm/walker", "dm/humanoid", "dm/fish",
          "dm/acrobot", "dm/manipulator", "gym/ant", "gym/hopper", "own/actuation/muscle"]
MODELS = [name for name in MODELS if name in corpus.paths()]


def scene(name, integrator=0, steps=50, seed=0):
    """Both engines at the same state, somewhere along a trajectory."""
    mj = corpus.load(name)
    mj.opt.integrator = integrator
    m = bridge.model_from_mujoco(mj)
    theirs, ours = mujoco.MjData(mj), _core.MjData(m)
    rng = np.random.default_rng(seed)
    if mj.nkey:
        mujoco.mj_resetDataKeyframe(mj, theirs, 0)
    for _ in range(steps):
        theirs.ctrl[:] = np.clip(rng.normal(size=mj.nu), -0.9, 0.9)
        mujoco.mj_step(mj, theirs)
    bridge.state_from_mujoco(theirs, ours)
    return mj, theirs, m, ours


def jacobians(module, m, d, mj, eps, centered):
    ndx, ns = 2 * mj.nv + mj.na, mj.nsensordata
    out = [np.zeros(s) for s in ((ndx, ndx), (ndx, mj.nu), (ns, ndx), (ns, mj.nu))]
    module.mjd_transitionFD(m, d, eps, centered, *out)
    return out


def close(theirs, ours, tolerance=1e-6, eps=1e-6):
    """Relative to the largest entry: rounding of the step divided by eps enters every entry."""
    if not theirs.size:
        return True
    scale = max(1, np.max(np.abs(theirs)))
    return np.max(np.abs(theirs - ours)) <= tolerance * scale


@pytest.mark.parametrize("centered", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_transition(name, centered):
    mj, theirs, m, ours = scene(name)
    start = np.array(ours.qpos), np.array(ours.qvel), np.array(ours.ctrl)
    # solved to rounding, so that the solver's last iterate does not enter the differences
    mj.opt.tolerance = m.opt.tolerance = 0
    mj.opt.iterations = m.opt.iterations = 100
    expected = jacobians(mujoco, mj, theirs, mj, 1e-6, centered)
    found = jacobians(_core, m, ours, mj, 1e-6, centered)
    for label, x, y in zip("ABCD", expected, found):
        assert close(x, y), (label, np.max(np.abs(x - y)), np.max(np.abs(x)))
    for before, after in zip(start, (ours.qpos, ours.qvel, ours.ctrl)):
        assert np.array_equal(before, after)


@pytest.mark.parametrize("integrator", [2, 3])
@pytest.mark.parametrize("name", MODELS[:5])
def test_transition_of_implicit_integrators(name, integrator):
    mj, theirs, m, ours = scene(name, integrator)
    try:
        mj.opt.tolerance = m.opt.tolerance = 0
        for x, y in zip(jacobians(mujoco, mj, theirs, mj, 1e-6, True),
                        jacobians(_core, m, ours, mj, 1e-6, True)):
            assert close(x, y)
    finally:
        mj.opt.integrator = 0


LIMITS = """
<mujoco>
  <worldbody><body><joint name="a"/><geom size=".1"/><body pos="0 0 .3"><joint name="b" axis="1 0 0"/>
    <geom size=".1" pos=".1 0 0"/></body></body></worldbody>
  <actuator>
    <motor joint="a" ctrlrange="-1 1"/><motor joint="a" ctrlrange="-1 1"/><motor joint="b" ctrlrange="-1 1"/>
    <motor joint="b" ctrlrange="-1 1"/><motor joint="b"/><intvelocity joint="a" actrange="-1 1"/>
  </actuator>
  <sensor><jointpos joint="a"/><jointvel joint="b"/><actuatorfrc actuator="0"/></sensor>
</mujoco>""".replace('actuator="0"', 'actuator="m"').replace('<motor joint="a" ctrlrange="-1 1"/>',
                                                             '<motor name="m" joint="a" ctrlrange="-1 1"/>', 1)


@pytest.mark.parametrize("centered", [False, True])
def test_controls_at_their_limits(centered):
    """One-sided at a limit, zero beyond it; the centred columns of D have MuJoCo's sign."""
    mj = mujoco.MjModel.from_xml_string(LIMITS)
    m = bridge.model_from_mujoco(mj)
    theirs, ours = mujoco.MjData(mj), _core.MjData(m)
    theirs.ctrl[:] = ours.ctrl[:] = [1, -1, 0, 2, 5, 0.3]
    x = jacobians(mujoco, mj, theirs, mj, 1e-6, centered)
    y = jacobians(_core, m, ours, mj, 1e-6, centered)
    for a, b in zip(x, y):
        assert np.allclose(a, b, rtol=1e-6, atol=1e-8)
    assert np.all(y[1][:, 3] == 0) and np.all(y[3][:, 3] == 0)
    assert np.abs(y[1][:, [0, 1, 2, 4]]).max(axis=0).min() > 0
    assert y[3][2, 0] == pytest.approx(1) and y[3][2, 0] * x[3][2, 0] > 0


def test_outputs_may_be_missing():
    mj, theirs, m, ours = scene("own/sensor/arm")
    ndx = 2 * mj.nv + mj.na
    A, D = np.zeros((ndx, ndx)), np.zeros((mj.nsensordata, mj.nu))
    _core.mjd_transitionFD(m, ours, 1e-6, True, A, None, None, None)
    full = jacobians(_core, m, ours, mj, 1e-6, True)
    assert np.allclose(A, full[0], atol=1e-9 * np.abs(A).max())
    _core.mjd_transitionFD(m, ours, 1e-6, True, None, None, None, D)
    assert np.array_equal(D, full[3])


# ---- inverse dynamics


@pytest.mark.parametrize("actuation", [False, True])
@pytest.mark.parametrize("name", MODELS)
def test_inverse_differences(name, actuation):
    mj, theirs, m, ours = scene(name)
    mujoco.mj_forward(mj, theirs)
    _core.mj_forward(m, ours)
    ours.qacc[:] = theirs.qacc
    nv, ns = mj.nv, mj.nsensordata
    shapes = [(nv, nv)] * 3 + [(nv, ns)] * 3 + [(nv, mj.nM)]
    x, y = [np.zeros(s) for s in shapes], [np.zeros(s) for s in shapes]
    mujoco.mjd_inverseFD(mj, theirs, 1e-6, actuation, *x)
    _core.mjd_inverseFD(m, ours, 1e-6, actuation, *y)
    for label, a, b in zip(("fq", "fv", "fa", "sq", "sv", "sa", "mq"), x, y):
        assert close(a, b), (label, np.max(np.abs(a - b)), np.max(np.abs(a)))


@pytest.mark.parametrize("integrator", [0, 1, 2, 3])
@pytest.mark.parametrize("name", MODELS)
def test_inverse_of_forward(name, integrator):
    """qfrc_inverse is what the actuators and the user applied."""
    mj, theirs, m, ours = scene(name)
    m.opt.integrator = integrator
    m.opt.tolerance = 0
    m.opt.iterations = 200
    _core.mj_forward(m, ours)
    applied = np.array(ours.qfrc_applied + ours.qfrc_actuator)
    scale = max(1, np.max(np.abs(ours.qfrc_bias)), np.max(np.abs(ours.qfrc_constraint)))
    _core.mj_inverse(m, ours)
    assert np.max(np.abs(ours.qfrc_inverse - applied)) < 1e-9 * scale


@pytest.mark.parametrize("integrator", [0, 2, 3])
@pytest.mark.parametrize("name", ["own/sensor/arm", "dm/acrobot", "dm/fish", "dm/walker"])
def test_discrete_inverse_of_a_step(name, integrator):
    """From the change of velocity of a step to the forces that made it."""
    if name not in corpus.paths():
        pytest.skip("model is not installed")
    mj, theirs, m, ours = scene(name)
    m.opt.integrator = integrator
    m.opt.tolerance = 0
    m.opt.iterations = 200
    m.opt.enableflags |= int(mujoco.mjtEnableBit.mjENBL_INVDISCRETE)
    qpos, qvel, act, time = (np.array(v) for v in (ours.qpos, ours.qvel, ours.act, ours.time))
    _core.mj_forward(m, ours)
    applied = np.array(ours.qfrc_applied + ours.qfrc_actuator)
    scale = max(1, np.max(np.abs(ours.qfrc_bias)), np.max(np.abs(ours.qfrc_constraint)))
    _core.mj_step(m, ours)
    qacc = (ours.qvel - qvel) / m.opt.timestep
    ours.qpos[:], ours.qvel[:], ours.act[:], ours.time = qpos, qvel, act, float(time)
    ours.qacc[:] = qacc
    _core.mj_inverse(m, ours)
    # the difference of velocities has lost digits: rounding of qvel over the timestep
    assert np.max(np.abs(ours.qfrc_inverse - applied)) < 1e-8 * scale
    assert np.array_equal(ours.qacc, qacc)
