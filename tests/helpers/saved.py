"""Two models of Sinew, one of them saved and read again: which fields differ."""

import numpy as np

from sinew import _core
from sinew.bridge import OPTION_FIELDS, STATISTIC_FIELDS


def equal_arrays(x, y):
    x, y = np.asarray(x), np.asarray(y)
    if x.shape != y.shape:
        return False
    if x.dtype.kind != "f":
        return np.array_equal(x, y)
    finite = x[np.isfinite(x)]
    scale = np.abs(finite).max() if finite.size else 1.0
    limit = (1e-9 if x.dtype == np.float64 else 1e-6) * max(scale, 1e-300)
    return np.allclose(x, y, rtol=0, atol=limit, equal_nan=True)


def differences(a, b):
    """Names of all fields that differ: sizes, arrays, settings."""
    found = [name for name in _core.MODEL_SIZES if getattr(a, name) != getattr(b, name)]
    found += [name for name in _core.MODEL_FIELDS if not equal_arrays(getattr(a, name), getattr(b, name))]
    for group, names in (("opt", OPTION_FIELDS), ("stat", STATISTIC_FIELDS)):
        x, y = getattr(a, group), getattr(b, group)
        found += [f"{group}.{name}" for name in names if not equal_arrays(getattr(x, name), getattr(y, name))]
    found += ["vis." + part for part in ("global_", "quality", "headlight", "map", "scale", "rgba")
              if repr(getattr(a.vis, part)) != repr(getattr(b.vis, part))]
    return found
