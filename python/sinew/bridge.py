"""Copies models and data between the `mujoco` package and Sinew, field by field.

The engine is thus compared with MuJoCo stage by stage on MuJoCo's own compiled model and state;
errors of our compiler and errors of our engine stay apart.
"""

import numpy as np

from sinew import _core

OPTION_FIELDS = list(_core.MjOption._fields)
STATISTIC_FIELDS = list(_core.MjStatistic._fields)
VISUAL_PARTS = ["global_", "quality", "headlight", "map", "scale", "rgba"]

CONTACT_DTYPE = np.dtype(
    [
        ("dist", "f8"),
        ("pos", "f8", 3),
        ("frame", "f8", 9),
        ("includemargin", "f8"),
        ("friction", "f8", 5),
        ("solref", "f8", 2),
        ("solreffriction", "f8", 2),
        ("solimp", "f8", 5),
        ("mu", "f8"),
        ("H", "f8", 36),
        ("dim", "i4"),
        ("geom1", "i4"),
        ("geom2", "i4"),
        ("geom", "i4", 2),
        ("flex", "i4", 2),
        ("elem", "i4", 2),
        ("vert", "i4", 2),
        ("exclude", "i4"),
        ("efc_address", "i4"),
    ],
    align=True,
)


def _numeric(value, dtype):
    """MuJoCo hands out character arrays as bytes; everything else is numeric already."""
    if isinstance(value, bytes):
        return np.frombuffer(value, dtype=np.int8)
    return np.asarray(value).astype(dtype, copy=False)


def copy_struct(source, target, names):
    for name in names:
        setattr(target, name, getattr(source, name))


def model_from_mujoco(mj_model, **sizes):
    """A Sinew model with every size, option and array of a `mujoco.MjModel`; sizes override."""
    sizes = {name: getattr(mj_model, name, 0) for name in _core.MODEL_SIZES} | sizes  # MuJoCo has no deformables
    model = _core.MjModel._make(sizes)
    copy_struct(mj_model.opt, model.opt, OPTION_FIELDS)
    copy_struct(mj_model.stat, model.stat, STATISTIC_FIELDS)
    for part in VISUAL_PARTS:
        source, target = getattr(mj_model.vis, part), getattr(model.vis, part)
        # MuJoCo hands out some colours as empty arrays: they stay what they are by default
        copy_struct(source, target, [n for n in type(target)._fields if np.size(getattr(source, n))])
    for name in _core.MODEL_FIELDS:
        if not hasattr(mj_model, name):
            continue  # ours alone
        array = model._characters(name) if name in _core.MODEL_CHARACTERS else getattr(model, name)
        if array.size:
            array[...] = _numeric(getattr(mj_model, name), array.dtype).reshape(array.shape)
    model._set_lists()
    return model


def data_from_mujoco(mj_data, data, fields=None):
    """Copy the fixed-size arrays of a `mujoco.MjData` (all, or the named ones) into ours."""
    data.time = mj_data.time
    for name in fields or _core.DATA_FIELDS:
        if name in ("plugin_data", "plugin") or not hasattr(mj_data, name):
            continue  # handles, and fields that are ours alone
        array = getattr(data, name)
        if array.size:
            array[...] = np.asarray(getattr(mj_data, name)).reshape(array.shape)
    return data


# the state that both engines have
STATE_FIELDS = [n for n, s in zip(_core.DATA_FIELDS, _core.DATA_STAGES) if s == "STATE" and not n.startswith("deform")]


def state_from_mujoco(mj_data, data):
    """Copy what a step starts from: positions, velocities, activations, inputs, warm start."""
    return data_from_mujoco(mj_data, data, STATE_FIELDS)


def contacts(data):
    """Our contacts as a structured array with the names of `mjContact`."""
    assert data._contact_bytes.shape[1] == CONTACT_DTYPE.itemsize
    return data._contact_bytes.reshape(-1).view(CONTACT_DTYPE)


def contacts_from_mujoco(mj_data, data):
    """Replace our contacts by those of a `mujoco.MjData`; drops the constraint rows."""
    records = np.zeros(mj_data.ncon, CONTACT_DTYPE)
    for name in CONTACT_DTYPE.names:
        if mj_data.ncon:
            records[name] = getattr(mj_data.contact, name).reshape(records[name].shape)
    data._set_contact_bytes(records.tobytes())
    return data
