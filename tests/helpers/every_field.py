"""One step of both engines from the same state, and every field of the data that differs afterwards."""

import mujoco
import numpy as np

import sinew
from sinew import _core, bridge

REAL = 1e-6  # of a field's largest number

SIZES = ("ncon", "ne", "nf", "nl", "nefc", "nJ", "nA", "nisland", "nidof", "ntree_awake", "nbody_awake",
         "nparent_awake", "nv_awake")

SCALARS = ("flg_energypos", "flg_energyvel", "flg_subtreevel", "flg_rnepost", "ntree_awake", "nbody_awake",
           "nparent_awake", "nv_awake")

# fields that are not compared, each with the reason
EXEMPT = {
    "plugin": "handles",
    "plugin_data": "handles",
    "efc_J_rowsuper": "a hint for products of rows",
    "iefc_J_rowsuper": "a hint for products of rows",
    "efc_state": "MuJoCo leaves the states of the warm start there when it solves islands one by one",
    "bvh_active": "what the viewer draws",
}
FIELDS = [name for name in (*_core.DATA_FIELDS, *_core.DATA_ARENA) if name not in EXEMPT and hasattr(mujoco.MjData, name)]
# twice the same; the Hessian of a cone has entries for its dimension only
CONTACT = [name for name in bridge.CONTACT_DTYPE.names if name not in ("geom1", "geom2", "H")]


ISLAND = [n for n in FIELDS if "island" in n or n.startswith(("iefc", "ifrc", "iacc", "iM", "iLD", "map"))]
# entries that happen to be zero, and what the dense layout does not use
MOMENT = ["moment_rownnz", "moment_rowadr", "moment_colind", "ten_J_rownnz", "ten_J_rowadr", "ten_J_colind"]


def undefined(module, model, data):
    """Fields that MuJoCo leaves as they lie in its memory."""
    sparse, dual = module.mj_isSparse(model), model.opt.noslip_iterations or model.opt.solver == mujoco.mjtSolver.mjSOL_PGS
    names = list(MOMENT)
    if not data.nefc:
        names += [n for n in FIELDS if n.startswith("efc")] + ["tendon_efcadr"] + ISLAND
    if data.nv_awake < model.nv:
        names += ["qH", "qHDiagInv", "qLU"]  # what sleeps keeps old entries, or has no factor
    if not data.nisland:
        names += ISLAND
    if model.opt.enableflags & mujoco.mjtEnableBit.mjENBL_FWDINV:
        names.append("iefc_state")  # ours are those of the inverse dynamics, which came last
    if dual:  # all islands are solved at once
        names += [n for n in ISLAND if n.startswith(("iefc", "ifrc", "iacc", "iM", "iLD"))]
    else:
        names += [n for n in FIELDS if n.startswith("efc_AR")]
    if not sparse:
        names += ["nJ"] + [n for n in FIELDS if n.startswith(("efc_J_", "iefc_J_", "efc_AR_"))]
    return names


def dense(values, rownnz, rowadr, colind, columns):
    matrix = np.zeros((len(rownnz), columns))
    for row, (n, a) in enumerate(zip(rownnz, rowadr)):
        matrix[row, colind.ravel()[a:a + n]] = values.ravel()[a:a + n]
    return matrix


def island_blocks(found, islands, nidof):
    """iefc_J of the dense layout: a block for each island, at the place of its first row."""
    blocks = [np.zeros(0)]
    for k in range(islands):
        first = nidof * found["island_iefcadr"][k]
        blocks.append(found["iefc_J"][first:first + found["island_nefc"][k] * found["island_nv"][k]])
    return np.concatenate(blocks)


def values(module, model, data):
    """Every field of a data as an array of its own."""
    found = {name: np.array(getattr(data, name)) for name in SIZES}
    contact = bridge.contacts(data) if module is sinew else data.contact
    for name in FIELDS:
        if name != "contact":
            found[name] = np.array(getattr(data, name)).ravel()
    for name in CONTACT:
        found["contact." + name] = np.array(contact[name] if module is sinew else getattr(contact, name)).ravel()
    hessians = np.array(contact["H"] if module is sinew else contact.H).reshape(int(data.ncon), 36)
    found["contact.H"] = np.concatenate([np.zeros(0), *(h[:n * n] for h, n in zip(hessians, found["contact.dim"]))])
    rows, columns, islands = int(data.nefc), model.nv, int(data.nisland)
    if not module.mj_isSparse(model):
        found["efc_J"] = found["efc_J"][:rows * columns]
        found["iefc_J"] = island_blocks(found, islands, int(data.nidof))
    used = int(found["iM_rownnz"].sum()) if islands else 0
    for name in ("iM", "iLD", "iM_colind"):
        found[name] = found[name][:used]
    for name in undefined(module, model, data):
        found.pop(name, None)
    found["actuator_moment"] = dense(data.actuator_moment, data.moment_rownnz, data.moment_rowadr, data.moment_colind, columns)
    if module.mj_isSparse(model):
        found["ten_J"] = dense(data.ten_J, data.ten_J_rownnz, data.ten_J_rowadr, data.ten_J_colind, columns)
    found["energy"] = np.array(data.energy)
    found["warnings"] = np.array([w.number for w in data.warning])
    return found


def step(module, model, data, start, ctrl, change=0.0, rng=None):
    """A step from what MuJoCo's data `start` holds, whose sleeping trees are no part of a state."""
    if module is sinew:
        sinew.mj_resetData(model, data)
        bridge.data_from_mujoco(start, data)
        data.energy[:] = start.energy
        for name in SCALARS:
            setattr(data, name, getattr(start, name))
    else:
        mujoco.mj_copyData(data, model, start)
    data.ctrl[:] = ctrl
    if change:
        data.qpos[:] += change * rng.standard_normal(model.nq) * np.maximum(np.abs(data.qpos), 0.1)
        data.qvel[:] *= 1 + change * rng.standard_normal(model.nv)
    module.mj_step(model, data)
    return values(module, model, data)


def distance(expected, actual):
    if expected.shape != actual.shape:
        return np.inf
    if not expected.size:
        return 0.0
    if expected.dtype.kind in "iub":
        return np.inf if (expected != actual).any() else 0.0
    finite = np.isfinite(expected)
    if not np.array_equal(finite, np.isfinite(actual)):
        return np.inf
    return float(np.abs(expected - actual)[finite].max(initial=0) / max(1.0, np.abs(expected[finite]).max(initial=0)))


# Relative changes of the state that an answer should survive. A solver that is cut off and a polytope that grows on
# round shapes take one of two ways by the last digit, few states in a hundred: so many are tried
CHANGES = [1e-12, 1e-12, 1e-12, 1e-11, 1e-11] + 10 * [1e-11, 1e-12, 1e-13, 1e-14, 1e-15, 1e-16]


def differences(model, ours, start, ctrl, data, other):
    """Fields that differ by more than MuJoCo's own answer changes with the last digits of the state."""
    actual = step(sinew, ours, other, start, ctrl)
    expected = step(mujoco, model, data, start, ctrl)
    found = {name: distance(expected[name], actual[name]) for name in expected}
    found = {name: value for name, value in found.items() if not value <= REAL}
    if found:
        scratch, rng = mujoco.MjData(model), np.random.default_rng(0)
        for change in CHANGES:
            near = step(mujoco, model, scratch, start, ctrl, change, rng)
            found = {name: value for name, value in found.items() if not value <= 10 * distance(expected[name], near[name])}
            if not found:
                break
    return found
