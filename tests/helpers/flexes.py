"""Models with flexes, compiled by MuJoCo and copied into Sinew."""

import pathlib

import mujoco
import numpy as np
import sinew
from sinew import bridge

SHARED = pathlib.Path(__file__).resolve().parents[2] / ".." / "shared" / "models" / "mujoco"
FILES = sorted((SHARED / "flex").glob("*.xml")) + [SHARED / "hammock" / "hammock.xml"]
NO_CONTACT = mujoco.mjtDisableBit.mjDSBL_CONTACT


def shipped():
    """Names and files of the models that MuJoCo ships and that have a flex."""
    found = [path for path in FILES if path.exists() and "flexcomp" in path.read_text()]
    return {path.stem: path for path in found}


def pair(source, contacts=False):
    """MuJoCo's model and data and their copies; from a path or from text."""
    if isinstance(source, pathlib.Path):
        mj_model = mujoco.MjModel.from_xml_path(str(source))
    else:
        mj_model = mujoco.MjModel.from_xml_string(source)
    if not contacts:
        mj_model.opt.disableflags |= NO_CONTACT
    model = bridge.model_from_mujoco(mj_model)
    return mj_model, mujoco.MjData(mj_model), model, sinew.MjData(model)


def distance(ours, theirs):
    """Largest difference of two arrays, relative to the largest number where that exceeds one."""
    ours, theirs = np.asarray(ours), np.asarray(theirs)
    assert ours.shape == theirs.shape
    if not ours.size:
        return 0.0
    return np.abs(ours - theirs).max() / max(1.0, np.abs(theirs).max())
