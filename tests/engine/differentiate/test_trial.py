"""Finite differences on a world that blows up: the user's state is left alone, the warnings are MuJoCo's.

MuJoCo 3.5.0 is the referee for the state and the warnings, and for the matrices where no trial resets the
world. Where trials do, MuJoCo's matrices hold scratch (the reset frees the stack under it; with a large
qfrc_applied the state is lost too), and ours are the derivative of a constant: zero.
"""

import corpus
import mujoco
import numpy as np
import pytest

import sinew

MODELS = ["models/humanoid.xml", "tests/models/actuation/muscles.xml", "tests/models/actuation/sleep.xml"]
STATE = int(mujoco.mjtState.mjSTATE_INTEGRATION)
AUTORESET = int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
BAD = [
    ("qvel", 1e9),
    ("qvel", 1e11),
    ("qvel", np.nan),
    ("qpos", 1e11),
    ("qpos", np.inf),
    ("qfrc_applied", 1e30),
    ("ctrl", np.nan),
]


class World:
    def __init__(self, library, path, disabled):
        self.library = library
        self.m = library.MjModel.from_xml_path(str(corpus.ROOT / path))
        self.m.opt.disableflags |= disabled
        self.d = library.MjData(self.m)
        for _ in range(3):
            library.mj_step(self.m, self.d)

    def state(self):
        state = np.zeros(self.library.mj_stateSize(self.m, STATE))
        self.library.mj_getState(self.m, self.d, state, STATE)
        return state

    def differentiate(self):
        n = 2 * self.m.nv + self.m.na
        A, B = np.full((n, n), 7.0), np.full((n, self.m.nu), 7.0)
        self.library.mjd_transitionFD(self.m, self.d, 1e-6, 1, A, B, None, None)
        return A, B

    def warnings(self):
        return [(w.number, w.lastinfo) for w in self.d.warning]


def worlds(path, disabled, field, value):
    pair = [World(library, path, disabled) for library in (mujoco, sinew)]
    for world in pair:
        numbers = getattr(world.d, field).reshape(-1)
        if not numbers.size:
            pytest.skip(f"no {field}")
        numbers[0] = value
    return pair


@pytest.mark.parametrize("disabled", [0, AUTORESET], ids=["autoreset", "no autoreset"])
@pytest.mark.parametrize("field, value", BAD)
@pytest.mark.parametrize("path", MODELS)
def test_bad_numbers_leave_the_state_and_warn_as_mujoco_does(path, field, value, disabled):
    reference, world = worlds(path, disabled, field, value)
    before = world.state()
    reference.differentiate()
    A, B = world.differentiate()
    np.testing.assert_array_equal(before, world.state())
    assert world.warnings() == reference.warnings()
    assert world.d.pstack == world.d.pbase == 0
    if not disabled and field in ("qpos", "qvel") and not abs(value) < 1e10:  # every trial resets
        assert np.abs(A).max() < 1e-20 and np.abs(B).max(initial=0) < 1e-20


@pytest.mark.parametrize("path", MODELS[:2])
def test_controls_that_are_not_numbers_count_as_zero(path):
    reference, world = worlds(path, 0, "ctrl", np.nan)
    for expected, found in zip(reference.differentiate(), world.differentiate()):
        np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-5 * max(1, np.abs(expected).max()))


@pytest.mark.parametrize("path", MODELS)
def test_a_world_goes_on_after_a_trial_that_reset_it(path):
    _, world = worlds(path, 0, "qvel", 1e11)
    world.differentiate()
    world.d.qvel[0] = 0
    other = World(sinew, path, 0)
    other.d.qvel[0] = 0
    for w in (world, other):
        for _ in range(5):
            sinew.mj_step(w.m, w.d)
    np.testing.assert_array_equal(world.state(), other.state())
