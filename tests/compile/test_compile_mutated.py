"""Our compiler against MuJoCo's on changed models: the same numbers, the same refusals, and MJCF that comes back."""

import pytest
from differential import check
from mutated_mjcf import mutated_flex, mutated_flexcomp, mutated_model


def test_changed_models():
    assert check(mutated_model, range(120)) > 40


@pytest.mark.full
@pytest.mark.parametrize("start", range(1000, 4000, 250))
def test_many_changed_models(start):
    assert check(mutated_model, range(start, start + 250)) > 90


def test_changed_flexes():
    assert check(mutated_flex, range(120)) > 40


@pytest.mark.full
@pytest.mark.parametrize("start", range(1000, 4000, 250))
def test_many_changed_flexes(start):
    assert check(mutated_flex, range(start, start + 250)) > 90


def test_changed_flexcomps():
    assert check(mutated_flexcomp, range(120)) > 40


@pytest.mark.full
@pytest.mark.parametrize("start", range(1000, 4000, 250))
def test_many_changed_flexcomps(start):
    assert check(mutated_flexcomp, range(start, start + 250)) > 90
