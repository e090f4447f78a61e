"""State vectors, keyframes, reset, bad numbers: against MuJoCo."""

import copy

import corpus
import mujoco
import numpy as np
import pytest

from sinew import _core, bridge

NAMES = ["own/dynamics/joints", "own/dynamics/frames", "own/dynamics/actuated"]


def pair(name):
    model = copy.copy(corpus.load(name))
    ours_model = bridge.model_from_mujoco(model)
    return model, mujoco.MjData(model), ours_model, _core.MjData(ours_model)


def randomise(data, ours, rng):
    for field in bridge.STATE_FIELDS:
        value = getattr(data, field)
        if value.dtype == np.float64:
            value[...] = rng.normal(size=value.shape)
    data.time = 0.25
    bridge.state_from_mujoco(data, ours)


@pytest.mark.parametrize("name", NAMES)
def test_state_vectors(name):
    model, data, ours_model, ours = pair(name)
    rng = np.random.default_rng(3)
    randomise(data, ours, rng)
    for sig in [1 << bit for bit in range(14)] + [0, 30, 8223, 8128, 16383, 77]:
        size = mujoco.mj_stateSize(model, sig)
        assert _core.mj_stateSize(ours_model, sig) == size
        a, b = np.zeros(size), np.zeros(size)
        mujoco.mj_getState(model, data, a, sig)
        _core.mj_getState(ours_model, ours, b, sig)
        assert np.array_equal(a, b)
        for part in (sig & 6, sig & 8223, sig):
            n = mujoco.mj_stateSize(model, part)
            pa, pb = np.zeros(n), np.zeros(n)
            mujoco.mj_extractState(model, a, sig, pa, part)
            _core.mj_extractState(ours_model, b, sig, pb, part)
            assert np.array_equal(pa, pb)
        other, copied = _core.MjData(ours_model), _core.MjData(ours_model)
        _core.mj_setState(ours_model, other, b, sig)
        _core.mj_copyState(ours_model, ours, copied, sig)
        for target in (other, copied):
            back = np.full(size, np.nan)
            _core.mj_getState(ours_model, target, back, sig)
            assert np.array_equal(back, b)


def test_equality_flags_are_bytes():
    """Numbers become bytes by truncation and their low eight bits."""
    name = next(n for n in corpus.paths() if n == "dm/quadruped")
    model, data, ours_model, ours = pair(name)
    sig = int(mujoco.mjtState.mjSTATE_EQ_ACTIVE)
    for value in (0.5, 1.0, 2.9, -1.0, 300.0, 255.0):
        state = np.full(model.neq, value)
        mujoco.mj_setState(model, data, state, sig)
        _core.mj_setState(ours_model, ours, state, sig)
        back = np.zeros(model.neq)
        _core.mj_getState(ours_model, ours, back, sig)
        theirs = np.zeros(model.neq)
        mujoco.mj_getState(model, data, theirs, sig)
        assert np.array_equal(back, theirs), value


def test_keyframe_is_the_state_that_it_gives():
    """A keyframe is the state that it gives; an index out of range is a plain reset (spec 14: A1)."""
    model, data, ours_model, ours = pair("own/dynamics/frames")
    fields = ["qpos", "qvel", "act", "ctrl", "mocap_pos", "mocap_quat"]
    rng = np.random.default_rng(5)
    for key in (0, -1, 1, 99):
        randomise(data, ours, rng)
        mujoco.mj_resetDataKeyframe(model, data, key)
        _core.mj_resetDataKeyframe(ours_model, ours, key)
        assert ours.time == data.time
        for field in fields:
            assert np.array_equal(getattr(data, field), getattr(ours, field)), (key, field)

    randomise(data, ours, rng)
    mujoco.mj_setKeyframe(model, data, 0)
    _core.mj_setKeyframe(ours_model, ours, 0)
    for field in ("key_time", "key_qpos", "key_qvel", "key_act", "key_mpos", "key_mquat", "key_ctrl"):
        assert np.array_equal(getattr(model, field), getattr(ours_model, field)), field


@pytest.mark.parametrize("name", NAMES)
def test_reset(name):
    """A reset gives the same state whatever happened before, and a debug value fills the rest."""
    model, data, ours_model, ours = pair(name)
    rng = np.random.default_rng(7)
    randomise(data, ours, rng)
    _core.mj_step(ours_model, ours)
    for value in (0, 17):
        mujoco.mj_resetDataDebug(model, data, value)
        _core.mj_resetDataDebug(ours_model, ours, value)
        for field in _core.DATA_FIELDS:
            if not hasattr(data, field) or field in ("plugin_state", "plugin_data", "plugin"):
                continue
            a, b = np.asarray(getattr(data, field)), np.asarray(getattr(ours, field))
            assert a.ravel().tobytes() == b.ravel().tobytes(), (value, field)
        assert ours.time == 0 and ours.ncon == 0 and ours.nefc == 0


@pytest.mark.parametrize("autoreset", [True, False])
@pytest.mark.parametrize("bad", [np.nan, np.inf, -1e11])
@pytest.mark.parametrize("field", ["qpos", "qvel", "qfrc_applied"])
def test_bad_numbers(field, bad, autoreset):
    """Counted, reset unless disabled; the step goes on. Exactly 1e10 is fine."""
    model, data, ours_model, ours = pair("own/dynamics/joints")
    for m in (model, ours_model):
        m.opt.disableflags |= 0 if autoreset else int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
    data.qvel[:] = 1
    getattr(data, field)[4] = bad * 1e15 if field == "qfrc_applied" else bad
    bridge.state_from_mujoco(data, ours)
    for steps in range(2):
        mujoco.mj_step(model, data)
        _core.mj_step(ours_model, ours)
        assert list(ours.warning.number) == [w.number for w in data.warning]
        if steps == 0:
            kind = {"qpos": 4, "qvel": 5, "qfrc_applied": 6}[field]
            assert ours.status & (1 << kind)
        if autoreset:
            assert np.allclose(ours.qpos, data.qpos, rtol=0, atol=1e-12)
            assert ours.time == data.time
    good = pair("own/dynamics/joints")[3]
    good.qvel[0] = 1e10
    _core.mj_checkVel(ours_model, good)
    assert not any(good.warning.number)


def test_names():
    for name in ("dm/humanoid", "own/dynamics/frames"):
        model, _, ours_model, _ = pair(name)
        for kind in range(-1, 27):
            for i in range(-1, 40):
                theirs = mujoco.mj_id2name(model, kind, i)
                assert _core.mj_id2name(ours_model, kind, i) == theirs
                if theirs:
                    assert _core.mj_name2id(ours_model, kind, theirs) == i
            for text in ("", "no such name", "world"):
                assert _core.mj_name2id(ours_model, kind, text) == mujoco.mj_name2id(model, kind, text)


MOCAP = """
<mujoco>
  <worldbody>
    <body name="hand" mocap="true" pos="0 0 1" quat="2 0 0 0">
      <geom name="palm" type="box" size=".2 .2 .05" mass="7"/>
      <body pos=".1 0 .2"><geom name="thumb" size=".03"/><site name="tip" pos="0 0 .1"/></body>
    </body>
    <body name="ball" pos="0 0 1.2"><freejoint/><geom name="ball" size=".1" mass="1"/></body>
  </worldbody>
</mujoco>"""


def test_mocap_body_goes_where_it_is_put():
    """A mocap body goes where it is put, carries what hangs on it, is hit, and has no inertia (spec 14: A2 A3)."""
    model = mujoco.MjModel.from_xml_string(MOCAP)
    data = mujoco.MjData(model)
    ours_model = _core.MjModel.from_xml_string(MOCAP)
    ours = _core.MjData(ours_model)
    assert ours_model.nv == 6  # the ball alone
    touched = False
    for step in range(300):
        for d in (data, ours):
            d.mocap_pos[0] = [0.0002 * step, 0, 1 + 0.0003 * step]
            d.mocap_quat[0] = [3, 0.001 * step, 0, 0.3]  # not of unit length
        mujoco.mj_step(model, data)
        _core.mj_step(ours_model, ours)
        touched |= ours.ncon > 0
        for field in ("qpos", "xpos", "xquat", "geom_xpos", "site_xpos"):
            assert np.allclose(getattr(data, field), getattr(ours, field), atol=1e-6), (step, field)
        assert np.array_equal(ours.mocap_quat[0], data.mocap_quat[0])
    assert touched
    M = np.zeros((6, 6))
    _core.mj_fullM(ours_model, M, ours.qM)
    assert np.allclose(np.diag(M)[:3], 1)


def test_bad_keyframes_and_mocap_bodies_are_refused():
    """Vectors that are too long and mocap bodies that move are refused, with the element's name; qpos and qvel may be
    short, as in MuJoCo."""
    body = '<body name="b"><freejoint/><geom size=".1"/></body>'
    key = "<mujoco><worldbody>{}</worldbody><keyframe><key name='home' {}/></keyframe></mujoco>"
    for attribute in ("qpos='1 2 3 1 0 0 0 0'", "qvel='1 2 3 4 5 6 7'", "ctrl='1'", "act='1'", "mpos='1 2 3'"):
        with pytest.raises(ValueError):
            mujoco.MjModel.from_xml_string(key.format(body, attribute))
        with pytest.raises(ValueError, match="home"):
            _core.MjModel.from_xml_string(key.format(body, attribute))
    for attribute in ("qpos='1 2 3'", "qvel='1'"):
        theirs = mujoco.MjModel.from_xml_string(key.format(body, attribute))
        ours = _core.MjModel.from_xml_string(key.format(body, attribute))
        assert np.array_equal(theirs.key_qpos, ours.key_qpos) and np.array_equal(theirs.key_qvel, ours.key_qvel)
    for bad in ('<body name="b" mocap="true"><joint/><geom size=".1"/></body>',
                '<body><geom size=".1"/><body name="b" mocap="true"><geom size=".1"/></body></body>'):
        with pytest.raises(ValueError, match="mocap"):
            _core.MjModel.from_xml_string(key.format(bad, ""))
    m = _core.MjModel.from_xml_string(key.format(body, "qpos='1 2 3 2 0 0 2' time='4'"))
    d = _core.MjData(m)
    _core.mj_resetDataKeyframe(m, d, 0)
    assert np.allclose(d.qpos, [1, 2, 3, 0.5**0.5, 0, 0, 0.5**0.5]) and d.time == 4
    with pytest.raises(Exception, match="keyframe|key"):
        _core.mj_setKeyframe(m, d, 1)
