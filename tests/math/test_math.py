"""The maths layer against MuJoCo's public helpers, called through the shared library.

What has one formula must agree bit for bit; sums whose order the text leaves open agree to rounding.
"""

import ctypes
import pathlib

import mujoco
import numpy as np
import pytest

from sinew import _core

SEED = 7


def _library():
    for folder in pathlib.Path(_core.__file__).resolve().parents:
        for candidate in (folder / "libsinew.so", folder / "src" / "libsinew.so"):
            if candidate.exists():
                return ctypes.CDLL(str(candidate))
    pytest.skip("libsinew.so is not beside the extension", allow_module_level=True)


LIBRARY = _library()


def call(name, *args, result=None, prefix="snu_"):
    function = getattr(LIBRARY, prefix + name)
    function.restype = result
    converted = []
    for arg in args:
        if isinstance(arg, np.ndarray):
            assert arg.flags.c_contiguous
            converted.append(arg.ctypes.data_as(ctypes.c_void_p))
        elif isinstance(arg, float):
            converted.append(ctypes.c_double(arg))
        else:
            converted.append(arg)
    return function(*converted)


REAL = ctypes.c_double

# outputs: o 3-vector, Q quaternion, M matrix, S 6-vector; inputs: v q m s vectors, u unit quaternion,
# r rotation, f number, and N for a null pointer
SIGNATURES = {
    "copy3": "ov",
    "scl3": "ovf",
    "add3": "ovv",
    "sub3": "ovv",
    "addScl3": "ovvf",
    "cross": "ovv",
    "mulMatVec3": "omv",
    "mulMatTVec3": "omv",
    "rotVecQuat": "ovq",
    "negQuat": "Qq",
    "mulQuat": "Qqq",
    "mulQuatAxis": "Qqv",
    "axisAngle2Quat": "Qvf",
    "quat2Vel": "oqf",
    "subQuat": "oqq",
    "quat2Mat": "Mq",
    "mat2Quat": "Qr",
    "derivQuat": "Qqv",
    "quatZ2Vec": "Qv",
    "trnVecPose": "ovuv",
}


def draw(rng, kind):
    if kind in "ovQqMmSs":
        size = {"o": 3, "v": 3, "q": 4, "m": 9, "s": 6}[kind.lower() if kind != "o" else "o"]
        return rng.normal(size=size)
    if kind in "ur":
        quat = rng.normal(size=4)
        quat /= np.linalg.norm(quat)
        if kind == "u":
            return quat
        mat = np.zeros(9)
        mujoco.mju_quat2Mat(mat, quat)
        return mat
    return float(rng.normal())


@pytest.mark.parametrize("name", SIGNATURES)
def test_small_functions_are_bitwise(name):
    rng = np.random.default_rng(SEED)
    for _ in range(200):
        ours = [draw(rng, kind) for kind in SIGNATURES[name]]
        theirs = [x.copy() if isinstance(x, np.ndarray) else x for x in ours]
        call(name, *ours)
        getattr(mujoco, "mju_" + name)(*theirs)
        np.testing.assert_array_equal(ours[0], theirs[0])


@pytest.mark.parametrize("name,size", [("addTo3", 3), ("subFrom3", 3), ("addToScl3", 3)])
def test_accumulating_functions_are_bitwise(name, size):
    rng = np.random.default_rng(SEED)
    for _ in range(100):
        args = [rng.normal(size=size), rng.normal(size=size)]
        if name == "addToScl3":
            args.append(float(rng.normal()))
        theirs = [args[0].copy(), *args[1:]]
        call(name, *args)
        getattr(mujoco, "mju_" + name)(*theirs)
        np.testing.assert_array_equal(args[0], theirs[0])


@pytest.mark.parametrize("n", [3, 4])
@pytest.mark.parametrize("scale", [1.0, 1e-15, 9e-16, 0.0, 1e150])
def test_normalize_is_bitwise(n, scale):
    rng = np.random.default_rng(SEED)
    for _ in range(50):
        ours = rng.normal(size=n) * scale
        if n == 4 and scale == 1.0:
            ours /= np.linalg.norm(ours)
        theirs = ours.copy()
        length = call(f"normalize{n}", ours, result=REAL)
        assert length == getattr(mujoco, f"mju_normalize{n}")(theirs)
        np.testing.assert_array_equal(ours, theirs)


def test_scalar_functions_are_bitwise():
    rng = np.random.default_rng(SEED)
    values = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 1e10, -1e10, 1.1e10, np.inf, -np.inf, np.nan]
    values += list(rng.normal(size=50) * 3)
    for x in map(float, values):
        for name in ("sign", "sigmoid"):
            expected = getattr(mujoco, "mju_" + name)(x)
            np.testing.assert_allclose(call(name, x, result=REAL), expected, rtol=4e-16, atol=0)
        for name in ("round", "isBad"):
            assert call(name, x, result=ctypes.c_int) == getattr(mujoco, "mju_" + name)(x)
        for y in (0.25, float("nan")):
            for name in ("min", "max"):
                expected = getattr(mujoco, "mju_" + name)(x, y)
                np.testing.assert_array_equal(call(name, x, y, result=REAL), expected)
        np.testing.assert_array_equal(
            call("clip", x, -1.0, 0.7, result=REAL), mujoco.mju_clip(x, -1.0, 0.7)
        )


def test_vectors_of_any_length_are_bitwise():
    rng = np.random.default_rng(SEED)
    for n in range(1, 40):
        a, b = rng.normal(size=n), rng.normal(size=n)
        assert call("dot", a, b, n, result=REAL) == mujoco.mju_dot(a, b)
        assert call("norm", a, n, result=REAL) == mujoco.mju_norm(a)
        np.testing.assert_allclose(call("sum", a, n, result=REAL), mujoco.mju_sum(a), atol=1e-14)
        np.testing.assert_allclose(call("L1", a, n, result=REAL), mujoco.mju_L1(a), rtol=1e-15)
        ours, theirs = a.copy(), a.copy()
        assert call("normalize", ours, n, result=REAL) == mujoco.mju_normalize(theirs)
        np.testing.assert_array_equal(ours, theirs)
        for name in ("add", "sub"):
            call(name, ours, a, b, n)
            getattr(mujoco, "mju_" + name)(theirs, a, b)
            np.testing.assert_array_equal(ours, theirs)
        for name in ("addTo", "subFrom"):
            call(name, ours, b, n)
            getattr(mujoco, "mju_" + name)(theirs, b)
            np.testing.assert_array_equal(ours, theirs)
        call("addToScl", ours, b, 0.3, n)
        mujoco.mju_addToScl(theirs, b, 0.3)
        np.testing.assert_array_equal(ours, theirs)
        call("addScl", ours, a, b, 0.3, n)
        mujoco.mju_addScl(theirs, a, b, 0.3)
        np.testing.assert_array_equal(ours, theirs)
        call("scl", ours, a, 0.3, n)
        mujoco.mju_scl(theirs, a, 0.3)
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("nr,nc", [(1, 1), (3, 5), (7, 4), (12, 9)])
def test_dense_matrices(nr, nc):
    rng = np.random.default_rng(SEED)
    mat, other = rng.normal(size=(nr, nc)), rng.normal(size=(nr, nc))
    mat[rng.random(mat.shape) < 0.2] = 0
    vec_r, vec_c = rng.normal(size=nr), rng.normal(size=nc)
    vec_r[0] = 0

    def compare(name, shape, inputs, sizes):
        ours, theirs = np.zeros(shape), np.zeros(shape)
        call(name, ours, *inputs, *sizes)
        getattr(mujoco, "mju_" + name)(theirs, *inputs)
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-14)

    compare("mulMatVec", nr, [mat, vec_c], [nr, nc])
    compare("mulMatTVec", nc, [mat, vec_r], [nr, nc])
    compare("transpose", (nc, nr), [mat], [nr, nc])
    compare("mulMatMat", (nr, nr), [mat, np.ascontiguousarray(other.T)], [nr, nc, nr])
    compare("mulMatMatT", (nr, nr), [mat, other], [nr, nc, nr])
    compare("mulMatTMat", (nc, nc), [mat, other], [nr, nc, nc])
    compare("sqrMatTD", (nc, nc), [mat, vec_r], [nr, nc])
    square = rng.normal(size=(nr, nr))
    compare("symmetrize", (nr, nr), [square], [nr])
    expected = mujoco.mju_mulVecMatVec(vec_r, square, vec_r)
    got = call("mulVecMatVec", vec_r, square, vec_r, nr, result=REAL)
    np.testing.assert_allclose(got, expected, atol=1e-13)


@pytest.mark.parametrize("force", [0, 1])
@pytest.mark.parametrize("rotate", [False, True])
def test_transform_spatial_is_bitwise(force, rotate):
    rng = np.random.default_rng(SEED)
    for _ in range(100):
        vec, new, old = rng.normal(size=6), rng.normal(size=3), rng.normal(size=3)
        ours, theirs = np.zeros(6), np.zeros(6)
        rotation = rng.normal(size=9) if rotate else np.eye(3).flatten()
        call("transformSpatial", ours, vec, force, new, old, rotation if rotate else None)
        mujoco.mju_transformSpatial(theirs, vec, force, new, old, rotation)
        np.testing.assert_array_equal(ours, theirs)


def test_poses_and_integration_are_bitwise():
    rng = np.random.default_rng(SEED)
    for _ in range(100):
        p1, p2, q1, q2 = (draw(rng, k) for k in "vvuu")
        ours, theirs = (np.zeros(3), np.zeros(4)), (np.zeros(3), np.zeros(4))
        call("mulPose", *ours, p1, q1, p2, q2)
        mujoco.mju_mulPose(*theirs, p1, q1, p2, q2)
        np.testing.assert_array_equal(ours[0], theirs[0])
        np.testing.assert_array_equal(ours[1], theirs[1])
        call("negPose", *ours, p1, q1)
        mujoco.mju_negPose(*theirs, p1, q1)
        np.testing.assert_array_equal(ours[0], theirs[0])
        np.testing.assert_array_equal(ours[1], theirs[1])
        a, b = q1 * 1.1, q1 * 1.1
        call("quatIntegrate", a, p1, 0.01)
        mujoco.mju_quatIntegrate(b, p1, 0.01)
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("vec", [(0, 0, 0), (0, 0, 1), (0, 0, -2), (1e-16, 0, 1), (1e-9, 0, -1)])
def test_quat_z2vec_degenerate(vec):
    ours, theirs, vec = np.zeros(4), np.zeros(4), np.array(vec, float)
    call("quatZ2Vec", ours, vec)
    mujoco.mju_quatZ2Vec(theirs, vec)
    np.testing.assert_array_equal(ours, theirs)


def test_iterative_rotations():
    rng = np.random.default_rng(SEED)
    for k in range(60):
        mat = rng.normal(size=(3, 3))
        # iteration path and signs follow the same rules, rounding may differ in the last bits
        ours, theirs = np.array([1.0, 0, 0, 0]), np.array([1.0, 0, 0, 0])
        call("mat2Rot", ours, mat, result=ctypes.c_int)
        mujoco.mju_mat2Rot(theirs, mat.flatten())
        np.testing.assert_allclose(ours, theirs, atol=1e-8)
        sym = mat + mat.T
        if k % 3 == 0:
            sym = np.diag(rng.permutation([1.0, 2.0, 2.0])) + 1e-13 * sym
        if k % 3 == 1:
            sym *= 1e4
        a = [np.zeros(3), np.zeros(9), np.zeros(4)]
        b = [np.zeros(3), np.zeros(9), np.zeros(4)]
        n = call("eig3", *a, sym, result=ctypes.c_int)
        assert n == mujoco.mju_eig3(*b, sym.flatten())
        for x, y in zip(a, b):
            np.testing.assert_allclose(x, y, atol=1e-11 * max(1, abs(sym).max()))


@pytest.mark.parametrize("seq", ["xyz", "XYZ", "zyx", "xYz", "ZxX"])
def test_euler(seq):
    rng = np.random.default_rng(SEED)
    for _ in range(20):
        euler = rng.normal(size=3)
        ours, theirs = np.zeros(4), np.zeros(4)
        call("euler2Quat", ours, euler, seq.encode())
        mujoco.mju_euler2Quat(theirs, euler, seq)
        np.testing.assert_array_equal(ours, theirs)


def test_quaternion_derivatives():
    rng = np.random.default_rng(SEED)
    for scale in (1.0, 1e-3, 1e-9, 0.0, 3.0):
        for _ in range(20):
            qa, vel = draw(rng, "u"), rng.normal(size=3) * scale
            qb = qa.copy()
            mujoco.mju_quatIntegrate(qb, vel, 1.0)
            ours, theirs = np.zeros((2, 9)), np.zeros((2, 9))
            call("subQuat", qa, qb, ours[0], ours[1], prefix="snd_")
            mujoco.mjd_subQuat(qa, qb, theirs[0].reshape(3, 3), theirs[1].reshape(3, 3))
            np.testing.assert_allclose(ours, theirs, atol=1e-14)
            a, b = [np.zeros(9), np.zeros(9), np.zeros(3)], [np.zeros(9), np.zeros(9), np.zeros(3)]
            call("quatIntegrate", vel, 0.7, *a, prefix="snd_")
            mujoco.mjd_quatIntegrate(vel, 0.7, *b)
            for x, y in zip(a, b):
                np.testing.assert_allclose(x, y, atol=1e-14)


def spd(rng, n):
    mat = rng.normal(size=(n, n + 3))
    return np.ascontiguousarray(mat @ mat.T)


@pytest.mark.parametrize("n", [1, 2, 5, 12, 30])
def test_cholesky(n):
    rng = np.random.default_rng(SEED)
    mat, vec = spd(rng, n), rng.normal(size=n)
    ours, theirs = mat.copy(), mat.copy()
    rank = call("cholFactor", ours, n, 1e-15, result=ctypes.c_int)
    assert rank == mujoco.mju_cholFactor(theirs, 1e-15)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
    x, y = np.zeros(n), np.zeros(n)
    call("cholSolve", x, ours, vec, n)
    mujoco.mju_cholSolve(y, theirs, vec)
    np.testing.assert_allclose(x, y, rtol=1e-11)
    np.testing.assert_allclose(mat @ x, vec, atol=1e-10)
    for plus in (1, 0):
        u = rng.normal(size=n)
        a, b = u.copy(), u.copy()
        rank = call("cholUpdate", ours, a, n, plus, result=ctypes.c_int)
        assert rank == mujoco.mju_cholUpdate(theirs, b, plus)
        np.testing.assert_allclose(ours, theirs, rtol=1e-9, atol=1e-9)


def test_cholesky_of_a_singular_matrix_reports_its_rank():
    vec = np.arange(1.0, 5.0)
    ours, theirs = np.outer(vec, vec), np.outer(vec, vec)
    assert call("cholFactor", ours, 4, 1e-10, result=ctypes.c_int) == 1
    assert mujoco.mju_cholFactor(theirs, 1e-10) == 1
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)


@pytest.mark.parametrize("shape", [(6, 3, 0), (8, 2, 3), (5, 1, 2), (7, 4, 2), (4, 1, 4)])
def test_band(shape):
    ntotal, nband, ndense = shape
    rng = np.random.default_rng(SEED)
    nsparse = ntotal - ndense
    dense = spd(rng, ntotal) + 20 * np.eye(ntotal)
    for i in range(nsparse):
        for j in range(nsparse):
            if abs(i - j) >= nband:
                dense[i, j] = 0
    size = nsparse * nband + ndense * ntotal
    ours, theirs = np.zeros(size), np.zeros(size)
    call("dense2Band", ours, dense, *shape)
    mujoco.mju_dense2Band(theirs, dense, *shape)
    np.testing.assert_array_equal(ours, theirs)
    assert call("bandDiag", ntotal - 1, *shape, result=ctypes.c_int) == mujoco.mju_bandDiag(
        ntotal - 1, *shape
    )
    for symmetric in (0, 1):
        a, b = np.zeros((ntotal, ntotal)), np.zeros((ntotal, ntotal))
        call("band2Dense", a, ours, *shape, symmetric)
        mujoco.mju_band2Dense(b, ours, *shape, symmetric)
        np.testing.assert_array_equal(a, b)
        vec = rng.normal(size=(2, ntotal))
        out = np.zeros((2, ntotal))
        call("bandMulMatVec", out, ours, vec, *shape, 2, symmetric)
        np.testing.assert_allclose(out, vec @ b.T, atol=1e-12)
    low = call("cholFactorBand", ours, *shape, 0.1, 0.2, result=REAL)
    assert low == pytest.approx(mujoco.mju_cholFactorBand(theirs, *shape, 0.1, 0.2), rel=1e-12)
    x, y, vec = np.zeros(ntotal), np.zeros(ntotal), rng.normal(size=ntotal)
    call("cholSolveBand", x, ours, vec, *shape)
    mujoco.mju_cholSolveBand(y, theirs, vec, *shape)
    np.testing.assert_allclose(x, y, rtol=1e-11)
    full = dense + np.diag(0.1 + 0.2 * np.diag(dense))
    np.testing.assert_allclose(full @ x, vec, atol=1e-11)


@pytest.mark.parametrize("n", [1, 3, 8])
def test_box_qp(n):
    rng = np.random.default_rng(SEED)
    for trial in range(20):
        H, g = spd(rng, n), rng.normal(size=n) * 5
        lower, upper = -rng.random(n), rng.random(n)
        if trial == 0:
            lower = upper = None
        a, b = np.zeros(n), np.zeros(n)
        Ra, Rb = np.zeros(n * (n + 7)), np.zeros((n, n + 7))
        ia, ib = np.zeros(n, np.int32), np.zeros(n, np.int32)
        rank = call("boxQP", a, Ra, ia, H, g, n, lower, upper, result=ctypes.c_int)
        assert rank == mujoco.mju_boxQP(b, Rb, ib, H, g, lower, upper)
        np.testing.assert_allclose(a, b, atol=1e-9)
        np.testing.assert_array_equal(ia[:rank], ib[:rank])


@pytest.mark.parametrize("nnz", [2, 3, 4, 5])
def test_dense2sparse(nnz):
    mat = np.array([[1.0, 0, 2], [0, 0, 0], [3, 4, 0]])
    ours = [np.zeros(nnz), np.zeros(3, np.int32), np.zeros(3, np.int32), np.zeros(nnz, np.int32)]
    theirs = [x.copy() for x in ours]
    status = call("dense2sparse", ours[0], mat, 3, 3, *ours[1:], nnz, result=ctypes.c_int)
    assert status == mujoco.mju_dense2sparse(theirs[0], mat, *theirs[1:])
    for x, y in zip(ours, theirs):
        np.testing.assert_array_equal(x, y)
    if not status:
        back = np.ones((3, 3))
        call("sparse2dense", back, ours[0], 3, 3, *ours[1:])
        np.testing.assert_array_equal(back, mat)


def test_spring_damper_and_halton():
    rng = np.random.default_rng(SEED)
    for kp, kv in [(4.0, 1.0), (1.0, 5.0), (1.0, 2.0), (0.0, 1.0), (3.0, 0.0)]:
        for _ in range(10):
            args = [float(rng.normal()), float(rng.normal()), kp, kv, float(rng.random())]
            np.testing.assert_allclose(
                call("springDamper", *args, result=REAL), mujoco.mju_springDamper(*args), rtol=1e-13
            )
    for index in (0, 1, 5, 17, 1000):
        for base in (2, 3, 5):
            assert call("Halton", index, base, result=REAL) == mujoco.mju_Halton(index, base)


def test_names_and_messages():
    def text(name, *args):
        value = call(name, *args, result=ctypes.c_char_p)
        return value.decode() if value is not None else None

    for kind in list(range(32)) + [99, 100, 101, 102]:
        name = mujoco.mju_type2Str(kind)
        assert text("type2Str", kind) == name
        if name:
            assert call("str2Type", name.encode(), result=ctypes.c_int) == mujoco.mju_str2Type(name)
    assert call("str2Type", b"nothing", result=ctypes.c_int) == 0
    for size in (0, 1, 1023, 1024, 1500, 2**20, 3 * 2**20 + 5, 5 * 2**30, 2**60):
        assert text("writeNumBytes", ctypes.c_size_t(size)) == mujoco.mju_writeNumBytes(size)
    for warning in range(-1, 9):
        expected = mujoco.mju_warningText(warning, 3)
        assert text("warningText", warning, ctypes.c_size_t(3)) == expected


def test_sorting():
    rng = np.random.default_rng(SEED)
    for n in (0, 1, 2, 17):
        x = rng.normal(size=n)
        expected = np.sort(x)
        call("insertionSort", x, n)
        np.testing.assert_array_equal(x, expected)
        k = rng.integers(0, 9, size=n).astype(np.int32)
        expected = np.sort(k)
        call("insertionSortInt", k, n)
        np.testing.assert_array_equal(k, expected)
