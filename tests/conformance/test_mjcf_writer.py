"""Writing: the text of a model compiles to the same model."""

import numpy as np
import pytest

import corpus
import sinew
from sinew import _core


def differences(a, b):
    for name in _core.MODEL_SIZES:
        if getattr(a, name) != getattr(b, name):
            yield name
    for name in _core.MODEL_FIELDS:
        x, y = np.asarray(getattr(a, name)), np.asarray(getattr(b, name))
        if x.shape != y.shape:
            yield name
        elif x.dtype.kind == "f" and x.size:
            # numbers are written so that they read back exactly; what is computed from angles that
            # changed their unit may differ by rounding
            finite = x[np.isfinite(x)]
            scale = np.abs(finite).max() if finite.size else 1.0
            limit = (1e-9 if x.dtype == np.float64 else 1e-6) * max(scale, 1e-300)
            if not np.allclose(x, y, rtol=0, atol=limit, equal_nan=True):
                yield name
        elif not np.array_equal(x, y):
            yield name


def _models(full):
    for name, path in corpus.paths().items():
        big = name.startswith("shared/")
        if big == full:
            yield pytest.param(path, id=name, marks=[pytest.mark.full] if big else [])


@pytest.mark.parametrize("path", [*_models(False), *_models(True)])
def test_write_then_read(path):
    try:
        model = sinew.MjModel.from_xml_path(str(path))
    except ValueError as error:
        pytest.skip(str(error))
    spec = sinew.MjSpec.from_file(str(path))
    text = spec.to_xml()
    second = sinew.MjSpec.from_string(text)
    second.modelfiledir = spec.modelfiledir
    again = second.compile()
    assert text.startswith("<mujoco")
    assert list(differences(model, again)) == []
