"""Every model that MuJoCo compiles passes our validator; a broken reference does not."""

import corpus
import pytest
from sinew import bridge


@pytest.mark.parametrize("name", corpus.names())
def test_sound_models_pass(name):
    assert bridge.model_from_mujoco(corpus.load(name))._validate() == ""


@pytest.mark.parametrize(
    "field, value",
    [("body_parentid", 9999), ("jnt_qposadr", 10**6), ("M_colind", -1), ("geom_dataid", 77)],
)
def test_broken_references_are_named(field, value):
    name = next(n for n in corpus.names() if corpus.load(n).njnt > 0)
    model = bridge.model_from_mujoco(corpus.load(name))
    getattr(model, field)[-1] = value
    assert field in model._validate()
