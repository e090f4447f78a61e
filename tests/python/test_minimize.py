"""least_squares tells what MuJoCo's does: the same lines, in the same numbers."""

import io
import re

import mujoco.minimize
import numpy as np
import pytest

import sinew.minimize

START, BOUNDS = np.array([-1.2, 0.5]), [np.array([-2.0, -2.0]), np.array([0.5, 2.0])]


def _residual(x):
    return np.stack([1 - x[0], 10 * (x[1] - x[0] ** 2)])


def _jacobian(x, r):
    return np.array([[-1.0, 0.0], [-20 * x[0, 0], 10.0]])


CASES = {
    "differences": {},
    "box": {"bounds": BOUNDS},
    "own Jacobian": {"jacobian": _jacobian, "check_derivatives": True},
    "few iterations": {"max_iter": 3},
    "exact start": {"x0": np.ones(2)},
}


def _told(module, verbosity, x0=START, **options):
    output = io.StringIO()
    x, entries = module.least_squares(x0, _residual, output=output, verbose=module.Verbosity[verbosity], **options)
    lines = re.sub(r"[\d.]+(ms|%)", "TIME", output.getvalue())
    # squares of residuals of 1e-8 and less are rounding errors of the start's 46.6: their digits depend on the processor's BLAS
    return x, len(entries), re.sub(r"\d(\.\d+)?e-(1[6-9]|[2-9]\d)", "NOTHING", lines)


@pytest.mark.parametrize("verbosity", ["SILENT", "FINAL", "ITER", "FULLITER"])
@pytest.mark.parametrize("case", CASES)
def test_the_lines_are_mujocos(case, verbosity):
    theirs, ours = (_told(module, verbosity, **CASES[case]) for module in (mujoco.minimize, sinew.minimize))
    np.testing.assert_allclose(ours[0], theirs[0], atol=1e-9)
    assert ours[1:] == theirs[1:]


REFUSED = {
    "one bound": {"bounds": [START]},
    "short bounds": {"bounds": [START, START[:1]]},
    "infinite bounds": {"bounds": [START, START + np.inf]},
    "empty box": {"bounds": [START, START]},
    "factor": {"mu_factor": 1},
    "single precision": {"residual": lambda x: _residual(x).astype(np.float32)},
    "wrong derivative": {"jacobian": lambda x, r: np.zeros((2, 2)), "check_derivatives": True},
}


@pytest.mark.parametrize("what", REFUSED)
def test_refusals_have_the_words_of_mujoco(what):
    words = []
    for module in (mujoco.minimize, sinew.minimize):
        with pytest.raises(ValueError) as error:
            module.least_squares(START, **{"residual": _residual, "verbose": 0, **REFUSED[what]})
        words.append(str(error.value))
    assert words[0] == words[1]


def test_a_residual_of_one_axis():
    answers = [module.least_squares(START, lambda x: _residual(x)[0], verbose=0)[0] for module in (mujoco.minimize, sinew.minimize)]
    np.testing.assert_allclose(answers[1], answers[0], atol=1e-5)
