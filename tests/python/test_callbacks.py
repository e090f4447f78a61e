"""Callbacks that fail leave nothing behind, and bad controls are reported."""

import warnings

import numpy as np
import pytest

import sinew
import sinew.rollout

MODEL = """
<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body pos="0 0 .05"><freejoint/><geom size=".1"/></body>
    <body pos=".1 0 .05"><joint name="j"/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor joint="j"/><motor name="grip" joint="j"/></actuator>
  <sensor><user dim="1"/></sensor>
</mujoco>
"""
SETTERS = ["passive", "control", "contactfilter", "sensor", "time"]


@pytest.fixture(autouse=True)
def no_callbacks():
    yield
    sinew.mj_resetCallbacks()
    sinew.set_mju_user_warning(None)


@pytest.mark.parametrize("kind", SETTERS)
@pytest.mark.parametrize("call", ["step", "forward", "inverse", "transition", "rollout"])
def test_an_exception_leaves_the_arena_as_it_was(kind, call):
    model = sinew.MjModel.from_xml_string(MODEL)
    data = sinew.MjData(model)
    sinew.mj_step(model, data)
    state = np.zeros((1, sinew.mj_stateSize(model, sinew.mjtState.mjSTATE_FULLPHYSICS)))

    def run():
        if call == "rollout":
            sinew.rollout.rollout(model, data, state, nstep=2)
        elif call == "transition":
            sinew.mjd_transitionFD(model, data, 1e-6, 1, np.zeros((14, 14)), None, None, None)
        else:
            getattr(sinew, f"mj_{call}")(model, data)

    def fail(*_):
        raise KeyError(kind)

    before = data.pstack, data.pbase
    getattr(sinew, f"set_mjcb_{kind}")(fail)
    raised = 0
    for _ in range(50):
        try:
            run()
        except KeyError:
            raised += 1
        assert (data.pstack, data.pbase) == before
    assert raised in (0, 50)
    assert raised or call in ("inverse", "transition", "rollout")
    sinew.mj_resetCallbacks()
    sinew.mj_resetData(model, data)
    fresh = sinew.MjData(model)
    for d in (data, fresh):
        sinew.mj_step(model, d, 10)
    assert np.array_equal(data.qpos, fresh.qpos)


@pytest.mark.parametrize("function", ["transition", "inverse", "hybrid"])
def test_derivatives_restore_the_state_when_a_trial_raises(function):
    model = sinew.MjModel.from_xml_string(MODEL)
    data = sinew.MjData(model)
    sinew.mj_step(model, data, 3)
    before = [array.copy() for array in (data.qpos, data.qvel, data.qacc, data.ctrl)]
    nv, calls = model.nv, []

    def fail(*_):
        calls.append(1)
        if len(calls) > 5:
            raise KeyError

    sinew.set_mjcb_passive(fail)
    with pytest.raises(KeyError):
        if function == "transition":
            sinew.mjd_transitionFD(model, data, 1e-3, 1, np.zeros((2 * nv, 2 * nv)), None, None, None)
        elif function == "inverse":
            sinew.mjd_inverseFD(model, data, 1e-3, 1, np.zeros((nv, nv)), np.zeros((nv, nv)), *[None] * 5)
        else:
            sinew._core.transition_difference(model, data, np.zeros((2 * nv, 2 * nv)), None, eps=1e-3)
    assert data.pstack == 0
    for array, old in zip((data.qpos, data.qvel, data.qacc, data.ctrl), before):
        assert np.array_equal(array, old)


def test_a_warning_that_raises_leaves_the_arena_as_it_was():
    model = sinew.MjModel.from_xml_string(MODEL)
    data = sinew.MjData(model)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(10):
            sinew.mj_resetData(model, data)
            data.ctrl[0] = np.nan
            with pytest.raises(RuntimeWarning):
                sinew.mj_step(model, data)
            assert data.pstack == 0


def test_a_bad_control_is_reported_once_by_name():
    model = sinew.MjModel.from_xml_string(MODEL)
    data = sinew.MjData(model)
    heard = []
    sinew.set_mju_user_warning(heard.append)
    data.ctrl[1] = np.nan
    sinew.mj_step(model, data, 5)
    assert len(heard) == 1
    assert "ACTUATOR 1" in heard[0] and "grip" in heard[0]
    assert data.warning[sinew.mjtWarning.mjWARN_BADCTRL].number == 5
