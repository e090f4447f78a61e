"""Our compiler against MuJoCo's on random models: the same numbers, and the same refusals."""

import mujoco
import pytest
from compiled import differences
from random_mjcf import random_model
from sinew import _core


def load(loader, xml):
    try:
        return loader(xml), None
    except ValueError as error:
        return None, str(error)


def check(seeds):
    compared = 0
    for seed in seeds:
        xml = random_model(seed)
        expected, reason = load(mujoco.MjModel.from_xml_string, xml)
        actual, message = load(_core.MjModel.from_xml_string, xml)
        assert (expected is None) == (actual is None), f"seed {seed}: {reason} / {message}"
        if expected is not None:
            found = differences(expected, actual)
            assert not found, f"seed {seed}:\n" + "\n".join(found)
            compared += 1
    return compared


@pytest.mark.parametrize("start", range(0, 60, 20))
def test_random_models(start):
    assert check(range(start, start + 20)) > 5


@pytest.mark.full
@pytest.mark.parametrize("start", range(0, 2000, 100))
def test_many_random_models(start):
    assert check(range(start, start + 100)) > 50
