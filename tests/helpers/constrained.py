"""Our constraint stages on MuJoCo's state, and how their results are compared."""

import copy

import corpus
import mujoco
import numpy as np

from sinew import _core, bridge

ISLAND = int(mujoco.mjtDisableBit.mjDSBL_ISLAND)
SLEEP = int(mujoco.mjtEnableBit.mjENBL_SLEEP)
EVERYTHING = int(mujoco.mjtState.mjSTATE_INTEGRATION)

ROW_FIELDS = [
    "efc_type", "efc_id", "efc_pos", "efc_margin", "efc_frictionloss", "efc_diagApprox", "efc_KBIP",
    "efc_D", "efc_R", "efc_vel", "efc_aref", "tendon_efcadr",
]  # fmt: skip
ISLAND_FIELDS = [
    "tree_island", "island_ntree", "island_itreeadr", "map_itree2tree", "dof_island", "island_nv",
    "island_idofadr", "island_dofadr", "map_dof2idof", "map_idof2dof", "iM_rownnz", "iM_rowadr",
    "iLDiagInv", "efc_island", "island_ne", "island_nf", "island_nefc", "island_iefcadr",
    "map_efc2iefc", "map_iefc2efc", "iefc_type", "iefc_id", "iefc_frictionloss", "iefc_D", "iefc_R",
]  # fmt: skip


def load(name):
    """A private copy of a model of the corpus."""
    return copy.copy(corpus.load(name))


def states(model, count, steps=15, seed=0):
    """Integration states: keyframes, then a random walk of the controls."""
    rng = np.random.default_rng(seed)
    data = mujoco.MjData(model)
    size = mujoco.mj_stateSize(model, EVERYTHING)

    def current():
        state = np.zeros(size)
        mujoco.mj_getState(model, data, state, EVERYTHING)
        return state

    for key in range(model.nkey):
        mujoco.mj_resetDataKeyframe(model, data, key)
        data.qvel[:] = 0.2 * rng.standard_normal(model.nv)
        yield current()
    mujoco.mj_resetData(model, data)
    for _ in range(count):
        for _ in range(steps):
            data.ctrl[:] = rng.uniform(-1, 1, model.nu)
            mujoco.mj_step(model, data)
        yield current()


def forward(model, state):
    """MuJoCo's forward dynamics from a state; None where MuJoCo itself gives up."""
    try:
        data = mujoco.MjData(model)
        mujoco.mj_setState(model, data, state, EVERYTHING)
        mujoco.mj_forward(model, data)
    except mujoco.FatalError:
        return None
    return data if np.all(np.isfinite(data.qacc)) else None


def rows(model, data):
    """Our model and data with MuJoCo's positions and contacts, and our rows built on them.

    The model may have less memory than MuJoCo's data was made with.
    """
    ours_model = bridge.model_from_mujoco(model)
    ours = _core.MjData(ours_model)
    bridge.data_from_mujoco(data, ours)
    bridge.contacts_from_mujoco(data, ours)
    _core.mj_makeConstraint(ours_model, ours)
    _core.mj_island(ours_model, ours)
    _core.mj_projectConstraint(ours_model, ours)
    _core.mj_referenceConstraint(ours_model, ours)
    return ours_model, ours


def solve(model, data):
    """Our rows on MuJoCo's positions and contacts, and our solution."""
    ours_model, ours = rows(model, data)
    _core.mj_fwdConstraint(ours_model, ours)
    return ours_model, ours


def error(actual, expected):
    """Largest difference, relative to the larger of 1 and the expected entry."""
    actual = np.asarray(actual, float).ravel()
    expected = np.asarray(expected, float).ravel()
    assert actual.shape == expected.shape
    if not actual.size:
        return 0.0
    return float(np.max(np.abs(actual - expected) / np.maximum(1, np.abs(expected))))


def distance(actual, expected):
    """Largest difference, relative to the largest expected entry (at least 1e-3)."""
    actual, expected = np.asarray(actual).ravel(), np.asarray(expected).ravel()
    assert actual.shape == expected.shape
    if not actual.size:
        return 0.0
    return float(np.max(np.abs(actual - expected)) / max(1e-3, np.max(np.abs(expected))))


def compare_rows(model, data, ours, tolerance):
    """Every array of the constraint rows."""
    counts = ["ne", "nf", "nl", "nefc", "nJ", "nA"]
    assert [getattr(ours, n) for n in counts] == [getattr(data, n) for n in counts]
    if not data.nefc:
        return
    for field in ROW_FIELDS:
        assert error(getattr(ours, field), getattr(data, field)) <= tolerance, field
    n = data.nefc * model.nv if not mujoco.mj_isSparse(model) else data.nJ
    assert error(ours.efc_J[:n], np.ravel(data.efc_J)[:n]) <= tolerance
    if mujoco.mj_isSparse(model):
        for field in ("efc_J_rownnz", "efc_J_rowadr", "efc_J_colind"):
            assert np.array_equal(np.ravel(getattr(ours, field)), np.ravel(getattr(data, field)))
    if data.nA:
        assert error(ours.efc_AR, data.efc_AR) <= tolerance
        if mujoco.mj_isSparse(model):
            assert np.array_equal(ours.efc_AR_colind, np.ravel(data.efc_AR_colind))
    contacts = bridge.contacts(ours)
    for field in ("efc_address", "exclude", "mu"):
        if data.ncon:
            assert error(contacts[field], getattr(data.contact, field)) <= tolerance, field


def compare_islands(model, data, ours, tolerance):
    """Every array of the islands."""
    assert (ours.nisland, ours.nidof) == (data.nisland, data.nidof)
    if not data.nisland:
        return
    for field in ISLAND_FIELDS:
        assert error(getattr(ours, field), getattr(data, field)) <= tolerance, field
    entries = int(np.sum(data.iM_rownnz))
    for field in ("iM_colind", "iM", "iLD"):
        theirs = np.ravel(getattr(data, field))[:entries]
        assert error(getattr(ours, field)[:entries], theirs) <= tolerance, field
    n = data.nidof * data.nefc if not mujoco.mj_isSparse(model) else data.nJ
    if data.nisland == 1 or mujoco.mj_isSparse(model):
        assert error(ours.iefc_J[:n], np.ravel(data.iefc_J)[:n]) <= tolerance
    for k in range(data.nisland if not mujoco.mj_isSparse(model) else 0):
        begin = data.nidof * data.island_iefcadr[k]
        end = begin + data.island_nv[k] * data.island_nefc[k]
        assert error(ours.iefc_J[begin:end], np.ravel(data.iefc_J)[begin:end]) <= tolerance


def set_options(model, solver, cone, jacobian, island):
    model.opt.solver, model.opt.cone, model.opt.jacobian = solver, cone, jacobian
    model.opt.disableflags = model.opt.disableflags & ~ISLAND | (0 if island else ISLAND)


def run(model, steps, qpos=None, qvel=None, control=None):
    """Both engines for some steps from the same start; yields both data after each step."""
    data = mujoco.MjData(model)
    ours_model = bridge.model_from_mujoco(model)
    ours = _core.MjData(ours_model)
    for d in (data, ours):
        if qpos is not None:
            d.qpos[:] = qpos
        if qvel is not None:
            d.qvel[:] = qvel
    for step in range(steps):
        if control is not None:
            data.ctrl[:] = control(step)
            ours.ctrl[:] = data.ctrl
        mujoco.mj_step(model, data)
        _core.mj_step(ours_model, ours)
        yield data, ours


def ours(xml):
    """Our model and data of an MJCF text that MuJoCo compiles."""
    model = bridge.model_from_mujoco(mujoco.MjModel.from_xml_string(xml))
    return model, _core.MjData(model)
