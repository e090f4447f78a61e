"""Compares two compiled models field by field: MuJoCo's and ours."""

import numpy as np
from sinew import _core
from sinew.bridge import OPTION_FIELDS, STATISTIC_FIELDS

# fields that are not compared, each with the reason
EXEMPT = {
    "nbuffer": "bytes of our own memory layout",
}

# fields that are compared with another tolerance, each with the reason
RELAXED = {
    # the end of a simulation against joint limits: the constraint solver stops at its tolerance
    "actuator_lengthrange": 1e-6,
}

REAL = 1e-9  # doubles, relative to the field's scale
FLOAT = 1e-6  # single-precision mesh and texture data


def _array(value):
    return np.frombuffer(value, np.int8) if isinstance(value, bytes) else np.asarray(value)


def _like(value, other):
    value = _array(value)
    return value.reshape(other.shape) if value.size == other.size else value


def _real_difference(expected, actual):
    """Largest difference relative to the largest finite number of the field; inf when NaNs differ."""
    expected, actual = expected.astype(float), actual.astype(float)
    finite = np.isfinite(expected)
    if not np.array_equal(finite, np.isfinite(actual)):
        return np.inf
    if not finite.any():
        return 0.0
    # a field of mere rounding residues has no scale of its own
    scale = max(np.abs(expected[finite]).max(), 1e-6)
    return np.abs(expected[finite] - actual[finite]).max() / scale


def _field_difference(name, expected, actual):
    if expected.shape != actual.shape:
        return f"{name}: {expected.shape} entries expected, {actual.shape} found"
    if not actual.size:
        return None
    if actual.dtype.kind in "iu":
        wrong = np.flatnonzero((expected != actual).ravel())
        if not wrong.size:
            return None
        first = wrong[0]
        return (
            f"{name}: {wrong.size} of {actual.size} differ, first at {first}: "
            f"{expected.ravel()[first]} expected, {actual.ravel()[first]} found"
        )
    tolerance = RELAXED.get(name, REAL if actual.dtype == np.float64 else FLOAT)
    difference = _real_difference(expected, actual)
    return None if difference <= tolerance else f"{name}: relative difference {difference:.3g}"


def differences(expected, actual, exempt=EXEMPT):
    """What differs between a `mujoco.MjModel` and ours, as a list of lines."""
    found = []
    for name in _core.MODEL_SIZES:
        if name not in exempt and getattr(expected, name, 0) != getattr(actual, name, 0):
            found.append(f"{name}: {getattr(expected, name)} expected, {getattr(actual, name)} found")
    for name in _core.MODEL_FIELDS:
        if name in exempt or not hasattr(expected, name):
            continue
        ours = _array(getattr(actual, name))
        found.append(_field_difference(name, _like(getattr(expected, name), ours), ours))
    for group, names in (("opt", OPTION_FIELDS), ("stat", STATISTIC_FIELDS)):
        for name in names:
            theirs = np.atleast_1d(np.asarray(getattr(getattr(expected, group), name), float))
            ours = np.atleast_1d(np.asarray(getattr(getattr(actual, group), name), float))
            found.append(_field_difference(f"{group}.{name}", theirs, ours))
    for part in ("global_", "quality", "headlight", "map", "scale", "rgba"):
        theirs, ours = getattr(expected.vis, part), getattr(actual.vis, part)
        for name in (name for name in dir(theirs) if not name.startswith("_")):
            values = [np.atleast_1d(np.asarray(getattr(side, name), np.float32)) for side in (theirs, ours)]
            if values[0].size:  # MuJoCo's package shows rgba.bv and rgba.bvactive as empty
                found.append(_field_difference(f"vis.{part}.{name}", *values))
    return [line for line in found if line]
