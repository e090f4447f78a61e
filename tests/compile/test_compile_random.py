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


def as_mujoco_takes_it(xml):
    """The model and what MuJoCo makes of it.

    MuJoCo ends a compilation with a trial step, and refuses the model when its engine gives up
    there. Its sparse Newton solver does so when rounding leaves a pivot of the Hessian too small;
    its dense one clamps the pivot and goes on, as both of ours do. That is a matter of the last
    digits of an iteration, not of the model, so such a model is compared with the dense solver.
    """
    expected, reason = load(mujoco.MjModel.from_xml_string, xml)
    if expected is None and "engine error: FactorizeHessian: rank-deficient" in reason:
        xml = xml.replace("</mujoco>", '<option jacobian="dense"/></mujoco>')
        expected, reason = load(mujoco.MjModel.from_xml_string, xml)
        assert expected is not None, reason
    return xml, expected, reason


def check(seeds):
    compared = 0
    for seed in seeds:
        xml, expected, reason = as_mujoco_takes_it(random_model(seed))
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


@pytest.mark.parametrize("seed", [1848, 500551])
def test_trial_step_with_singular_hessian(seed):
    xml, _, _ = as_mujoco_takes_it(random_model(seed))
    assert 'jacobian="dense"' in xml
    assert check([seed]) == 1


@pytest.mark.full
@pytest.mark.parametrize("start", range(0, 2000, 100))
def test_many_random_models(start):
    assert check(range(start, start + 100)) > 50
