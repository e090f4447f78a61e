"""Every model that MuJoCo compiles passes our validator; a broken reference does not."""

import corpus
import pytest
from sinew import bridge


def check(name):
    mj = corpus.load(name)
    if mj is None:
        pytest.skip("MuJoCo does not load it")
    assert bridge.model_from_mujoco(mj)._validate() == ""


NAMES = list(corpus.paths())


@pytest.mark.parametrize("name", NAMES[::5])
def test_sound_models_pass(name):
    check(name)


@pytest.mark.full
@pytest.mark.parametrize("name", NAMES)
def test_all_sound_models_pass(name):
    check(name)


@pytest.mark.parametrize(
    "field, value",
    [("body_parentid", 9999), ("jnt_qposadr", 10**6), ("M_colind", -1), ("geom_dataid", 77)],
)
def test_broken_references_are_named(field, value):
    model = bridge.model_from_mujoco(corpus.load("own/constraint/contact_arm"))
    getattr(model, field)[-1] = value
    assert field in model._validate()
