"""Tendons, transmissions, actuation, passive and fluid forces and their derivatives, by stage.

MuJoCo's own model and data are copied into ours, the outputs of one stage are cleared, the stage is
run, and its outputs are compared with MuJoCo's.
"""

import corpus
import mujoco
import numpy as np
import pytest

import sinew
from sinew import _core, bridge

TOLERANCE = 1e-9  # of the scale of a field
LARGE = 200  # dofs: one state, and no dense Jacobians
SAMPLE = ["dm/", "gym/", "own/actuation/"]
NAMES = [n for n in corpus.paths() if n.startswith(tuple(SAMPLE))]
REST = [n for n in corpus.paths() if not n.startswith(tuple(SAMPLE))]
ALL_NAMES = NAMES + [pytest.param(n, marks=pytest.mark.full) for n in REST]


def load(name):
    model = corpus.load(name)
    if model is None:
        pytest.skip("MuJoCo does not load it")
    if model.nplugin:
        pytest.skip("plugins compute forces of their own")
    return model


def random_state(model, data, rng):
    """A state near the initial one, with velocities, activations and controls."""
    mujoco.mj_resetData(model, data)
    # tangled flexes collide everywhere, which costs MuJoCo minutes
    scale = 1e-4 if model.nflex else 1.0
    step = rng.normal(size=model.nv) * 0.3 * scale
    mujoco.mj_integratePos(model, data.qpos, step, 1.0)
    data.qvel[:] = rng.normal(size=model.nv) * scale
    data.act[:] = rng.uniform(-0.2, 1.2, size=model.na)
    data.ctrl[:] = rng.normal(size=model.nu)
    data.time = 0.0
    mujoco.mj_forward(model, data)


def copies(model, data):
    ours = bridge.model_from_mujoco(model)
    copy = _core.MjData(ours)
    bridge.data_from_mujoco(data, copy)
    for name in ("ntree_awake", "nbody_awake", "nparent_awake", "nv_awake"):
        setattr(copy, name, getattr(data, name))
    return ours, copy


def assert_same(name, ours, theirs, tolerance=TOLERANCE):
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    scale = max(1e-3, np.abs(theirs).max(initial=0))
    error = np.abs(ours - theirs).max(initial=0)
    assert error <= tolerance * scale, f"{name}: error {error:.2e}, scale {scale:.2e}"


def clear(data, names):
    for name in names:
        getattr(data, name)[...] = 0


def dense_rows(data, prefix, values, rows, columns, sparse=True):
    """A compressed matrix of the data as a dense array."""
    values = np.asarray(getattr(data, values)).reshape(-1)
    if not sparse:
        return values[: rows * columns].reshape(rows, columns)
    result = np.zeros((rows, columns))
    number = np.asarray(getattr(data, prefix + "_rownnz")).reshape(-1)
    address = np.asarray(getattr(data, prefix + "_rowadr")).reshape(-1)
    columns_of = np.asarray(getattr(data, prefix + "_colind")).reshape(-1)
    for row in range(rows):
        for k in range(address[row], address[row] + number[row]):
            result[row, columns_of[k]] = values[k]
    return result


def states(name, seed=0, count=2):
    model = load(name)
    data = mujoco.MjData(model)
    rng = np.random.default_rng(seed)
    for _ in range(1 if model.nv > LARGE else count):
        random_state(model, data, rng)
        yield model, data


JACOBIANS = [mujoco.mjtJacobian.mjJAC_DENSE, mujoco.mjtJacobian.mjJAC_SPARSE]


def check_tendon(model, data):
    ours, copy = copies(model, data)
    clear(copy, ["ten_length", "ten_J", "ten_wrapadr", "ten_wrapnum", "wrap_obj", "wrap_xpos"])
    clear(copy, ["ten_J_rownnz", "ten_J_rowadr", "ten_J_colind"])
    sinew._core.mj_tendon(ours, copy)
    sparse = bool(mujoco.mj_isSparse(model))
    assert_same("ten_length", copy.ten_length.reshape(-1), data.ten_length)
    assert_same(
        "ten_J",
        dense_rows(copy, "ten_J", "ten_J", model.ntendon, model.nv, sparse),
        dense_rows(data, "ten_J", "ten_J", model.ntendon, model.nv, sparse),
    )
    if sparse:
        np.testing.assert_array_equal(copy.ten_J_rownnz.reshape(-1), data.ten_J_rownnz)
        np.testing.assert_array_equal(copy.ten_J_rowadr.reshape(-1), data.ten_J_rowadr)
        total = data.ten_J_rownnz.sum()
        np.testing.assert_array_equal(
            copy.ten_J_colind.reshape(-1)[:total], data.ten_J_colind.reshape(-1)[:total]
        )
    np.testing.assert_array_equal(copy.ten_wrapnum.reshape(-1), data.ten_wrapnum)
    np.testing.assert_array_equal(copy.ten_wrapadr.reshape(-1), data.ten_wrapadr)
    used = data.ten_wrapnum.sum()
    np.testing.assert_array_equal(
        copy.wrap_obj.reshape(-1)[:used], data.wrap_obj.reshape(-1)[:used]
    )
    assert_same(
        "wrap_xpos", copy.wrap_xpos.reshape(-1)[: 3 * used], data.wrap_xpos.reshape(-1)[: 3 * used]
    )


@pytest.mark.parametrize("jacobian", JACOBIANS, ids=["dense", "sparse"])
@pytest.mark.parametrize("name", ALL_NAMES)
def test_tendon(name, jacobian):
    """Spec 39: T9; spec DT34."""
    if not load(name).ntendon:
        pytest.skip("no tendons")
    if jacobian == JACOBIANS[0] and load(name).nv > LARGE:
        pytest.skip("too large for dense Jacobians")
    saved = load(name).opt.jacobian
    load(name).opt.jacobian = jacobian
    try:
        for model, data in states(name, count=8):
            check_tendon(model, data)
    finally:
        load(name).opt.jacobian = saved


@pytest.mark.parametrize("jacobian", JACOBIANS, ids=["dense", "sparse"])
@pytest.mark.parametrize("name", ALL_NAMES)
def test_transmission(name, jacobian):
    if not load(name).nu:
        pytest.skip("no actuators")
    if jacobian == JACOBIANS[0] and load(name).nv > LARGE:
        pytest.skip("too large for dense Jacobians")
    saved = load(name).opt.jacobian
    load(name).opt.jacobian = jacobian
    try:
        for model, data in states(name):
            ours, copy = copies(model, data)
            clear(copy, ["actuator_length", "actuator_moment", "moment_colind"])
            clear(copy, ["moment_rownnz", "moment_rowadr"])
            sinew._core.mj_transmission(ours, copy)
            rows = model.actuator_trntype != mujoco.mjtTrn.mjTRN_BODY
            length = copy.actuator_length.reshape(-1)
            assert_same("actuator_length", length[rows], data.actuator_length[rows])
            a = dense_rows(copy, "moment", "actuator_moment", model.nu, model.nv)
            b = dense_rows(data, "moment", "actuator_moment", model.nu, model.nv)
            # adhesion reads the constraint rows, which are not copied
            assert_same("actuator_moment", a[rows], b[rows])
    finally:
        load(name).opt.jacobian = saved


@pytest.mark.parametrize("name", ALL_NAMES)
def test_actuation(name):
    if not load(name).nu:
        pytest.skip("no actuators")
    fields = ["actuator_force", "qfrc_actuator", "act_dot"]
    for model, data in states(name, count=4):
        for disabled in (0, 1 << 3):
            model.opt.disableactuator = disabled
            mujoco.mj_fwdActuation(model, data)
            ours, copy = copies(model, data)
            clear(copy, fields)
            sinew._core.mj_fwdActuation(ours, copy)
            for field in fields:
                assert_same(field, getattr(copy, field).reshape(-1), getattr(data, field))
        model.opt.disableactuator = 0


PASSIVE = ["qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_fluid", "qfrc_passive"]
SPRING = mujoco.mjtDisableBit.mjDSBL_SPRING
DAMPER = mujoco.mjtDisableBit.mjDSBL_DAMPER


@pytest.mark.parametrize("name", ALL_NAMES)
def test_passive(name):
    for model, data in states(name):
        for flags in (0, SPRING, DAMPER, SPRING | DAMPER):
            model.opt.disableflags |= flags
            mujoco.mj_passive(model, data)
            ours, copy = copies(model, data)
            clear(copy, PASSIVE)
            sinew._core.mj_passive(ours, copy)
            model.opt.disableflags &= ~int(SPRING | DAMPER)
            for field in PASSIVE:
                assert_same(field, getattr(copy, field).reshape(-1), getattr(data, field))


INTEGRATORS = [mujoco.mjtIntegrator.mjINT_IMPLICIT, mujoco.mjtIntegrator.mjINT_IMPLICITFAST]


@pytest.mark.parametrize("integrator", INTEGRATORS, ids=["implicit", "implicitfast"])
@pytest.mark.parametrize("name", ALL_NAMES)
def test_smooth_derivative(name, integrator):
    saved = load(name).opt.integrator
    load(name).opt.integrator = integrator
    try:
        for model, data in states(name):
            ours, copy = copies(model, data)
            clear(copy, ["qDeriv"])
            mujoco.mj_implicit(model, data)
            sinew._core._deriv_smooth_vel(ours, copy, integrator == INTEGRATORS[0])
            assert_same("qDeriv", copy.qDeriv.reshape(-1), data.qDeriv)
    finally:
        load(name).opt.integrator = saved


@pytest.mark.parametrize("jacobian", JACOBIANS, ids=["dense", "sparse"])
def test_sleeping_trees_are_left_alone(jacobian):
    """Every stage on a model with one tree asleep: stale values stay, the rest is computed."""
    model = mujoco.MjModel.from_xml_path(str(corpus.OWN / "actuation" / "sleep.xml"))
    model.opt.jacobian = jacobian
    model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICIT
    data = mujoco.MjData(model)
    rng = np.random.default_rng(0)
    for _ in range(5):
        data.ctrl[:] = rng.normal(size=model.nu)
        mujoco.mj_step(model, data)
    mujoco.mj_forward(model, data)
    assert data.ntree_awake == 1
    ours, copy = copies(model, data)
    stages = {
        "mj_tendon": ["ten_length", "ten_J_rownnz", "ten_J_rowadr"],
        "mj_transmission": ["actuator_length", "moment_rownnz", "moment_rowadr"],
        "mj_passive": PASSIVE,
        "mj_fwdActuation": ["actuator_force", "qfrc_actuator", "act_dot"],
    }
    stale = rng.normal()
    for stage, fields in stages.items():
        # what the sleeping tree leaves behind: marked, and equally marked in both engines
        for name in ("qfrc_spring", "qfrc_damper", "qfrc_fluid", "qfrc_gravcomp"):
            getattr(data, name)[0] = stale
            getattr(copy, name).reshape(-1)[0] = stale
        data.act_dot[1] = copy.act_dot.reshape(-1)[1] = stale
        getattr(mujoco, stage)(model, data)
        getattr(_core, stage)(ours, copy)
        for field in fields:
            mask = slice(1, None) if field == "qfrc_passive" else slice(None)
            assert_same(field, getattr(copy, field).reshape(-1)[mask], getattr(data, field)[mask])
    _core._deriv_smooth_vel(ours, copy, True)
    mujoco.mj_implicit(model, data)
    assert_same("qDeriv", copy.qDeriv.reshape(-1), data.qDeriv)


OWN_MODELS = ["actuators", "tendons", "muscles", "fluid", "gravcomp", "delays"]
STEPPERS = ["Euler", "RK4", "implicit", "implicitfast"]


@pytest.mark.parametrize("integrator", range(4), ids=STEPPERS)
@pytest.mark.parametrize("name", OWN_MODELS)
def test_trajectory(name, integrator):
    """The whole step, with random controls: the same motion for a hundred steps."""
    model = mujoco.MjModel.from_xml_path(str(corpus.OWN / "actuation" / f"{name}.xml"))
    model.opt.integrator = integrator
    data = mujoco.MjData(model)
    rng = np.random.default_rng(0)
    data.qvel[:] = rng.normal(size=model.nv) * 0.1
    ours, copy = copies(model, data)
    for _ in range(100):
        data.ctrl[:] = rng.normal(size=model.nu)
        copy.ctrl.reshape(-1)[:] = data.ctrl
        mujoco.mj_step(model, data)
        _core.mj_step(ours, copy)
    for field in ("qpos", "qvel", "act"):
        assert_same(field, getattr(copy, field).reshape(-1), getattr(data, field))
    controls = model.nhistory and model.sensor_historyadr.min()
    assert_same("history", copy.history.reshape(-1)[:controls], data.history[:controls])
