"""Functions of MuJoCo's C interface called with the same random arguments in both libraries.

Every function of the tables whose arguments are numbers, integers and arrays of them is called: arrays
are filled with numbers of one kind (ordinary, whole, tiny, huge, zero), integers are small, and
everything that a call has written or returned must agree.
"""

import ctypes
import csv
import pathlib
import re

import numpy as np
import pytest

import samples

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ROOT.parent / "shared" / "reference" / "tables"
LIBRARY = ROOT / "build" / "src" / "compat" / "libsinew_mujoco.so"

pytestmark = pytest.mark.skipif(
    not LIBRARY.exists() or not TABLES.exists() or not samples.mujoco_flags(), reason="nothing to compare with")

SCALARS = {"mjtNum": ctypes.c_double, "int": ctypes.c_int, "mjtByte": ctypes.c_ubyte, "float": ctypes.c_float,
           "double": ctypes.c_double, "size_t": ctypes.c_size_t}
ARRAYS = {"mjtNum": np.float64, "double": np.float64, "float": np.float32, "int": np.int32}
# Random numbers, memory, or arguments that mean more than their type says (tested below and by the samples)
APART = {"mju_standardNormal", "mju_malloc", "mju_free", "mju_boxQPmalloc", "mju_threadPoolCreate", "mju_printMat",
         "mju_printMatSparse", "mju_insertionSortInt", "mju_dense2sparse", "mju_sparse2dense", "mju_raySkin", "mju_boxQP",
         "mju_cholFactorBand", "mju_cholSolveBand", "mju_bandMulMatVec", "mju_band2Dense", "mju_dense2Band",
         "mju_bandDiag", "mju_rayGeom", "mju_Halton", "mju_str2Type", "mju_type2Str"}
SIZE = 128


def parameters(text):
    """(base type, length or 0 for a pointer or None for a scalar, nullable) of each; None when one is of another kind."""
    found = []
    for word in filter(None, map(str.strip, text.split(";"))):
        match = re.fullmatch(r"(?:const )?(\w+) ?(\*|\[\d+\])? ?\w+(\?)?", word)
        if not match or match[1] not in SCALARS:
            return None
        found.append((match[1], match[2], bool(match[3])))
    return found


def functions():
    if not TABLES.exists():
        return []
    rows = csv.DictReader((TABLES / "functions.csv").open())
    usable = []
    for row in rows:
        name, kinds = row["function"], parameters(row["parameters"])
        if kinds and name not in APART and row["returns"] in ("void", *SCALARS):
            usable.append((name, row["returns"], kinds))
    return usable


def libraries():
    theirs = pathlib.Path(samples.mujoco_flags()[1][0])
    return ctypes.CDLL(str(LIBRARY)), ctypes.CDLL(str(theirs))


KINDS = {
    "ordinary": lambda rng, n: rng.normal(size=n),
    "unit": lambda rng, n: rng.uniform(0, 1, size=n),
    "whole": lambda rng, n: rng.integers(-2, 3, size=n).astype(float),
    "tiny": lambda rng, n: rng.normal(size=n) * 10.0 ** rng.integers(-20, -10),
    "huge": lambda rng, n: rng.normal(size=n) * 10.0 ** rng.integers(5, 12),
    "sparse": lambda rng, n: rng.normal(size=n) * (rng.uniform(size=n) < 0.3),
    "zero": lambda rng, n: np.zeros(n),
}


def arguments(rng, kinds, draw):
    made = []
    for base, length, nullable in kinds:
        if nullable and rng.integers(3) == 0:
            made.append(None)
        elif length:
            made.append(draw(rng, SIZE).astype(ARRAYS[base]))
        else:
            made.append(float(draw(rng, 1)[0]) if base in ("mjtNum", "double", "float") else int(rng.integers(1, 6)))
    return made


def call(function, returns, kinds, made):
    values, held = [], []
    for (base, length, _), value in zip(kinds, made):
        if isinstance(value, np.ndarray):
            held.append(value.copy())
            values.append(held[-1].ctypes.data_as(ctypes.c_void_p))
        else:
            values.append(None if value is None else SCALARS[base](value))
    function.restype = SCALARS.get(returns)
    result = function(*values)
    return [np.atleast_1d(np.array(result if result is not None else 0, float)), *held]


def same(a, b):
    return all(np.allclose(x, y, rtol=1e-9, atol=1e-14 * max(1, np.nanmax(np.abs(y), initial=0)), equal_nan=True)
               for x, y in zip(a, b))


@pytest.mark.parametrize("name,returns,kinds", functions(), ids=lambda v: v if isinstance(v, str) and v[:2] == "mj" else "")
def test_same_results_of_random_arguments(name, returns, kinds):
    ours, theirs = libraries()
    rng = np.random.default_rng(sum(map(ord, name)))
    for kind, draw in KINDS.items():
        for _ in range(30):
            made = arguments(rng, kinds, draw)
            a, b = (call(getattr(library, name), returns, kinds, made) for library in (ours, theirs))
            assert same(a, b), (kind, made, a, b)
