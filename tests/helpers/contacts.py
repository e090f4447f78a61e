"""Comparison of contact lists with MuJoCo's."""

import numpy as np

from sinew import _core, bridge

# what collision detection reads
INPUTS = [
    "geom_xpos",
    "geom_xmat",
    "xpos",
    "xmat",
    "xipos",
    "ximat",
    "flexvert_xpos",
    "flexelem_aabb",
    "bvh_aabb_dyn",
    "body_awake",
]
IDS = ["geom", "geom1", "geom2", "flex", "elem", "vert", "dim", "exclude", "efc_address"]
PARAMETERS = ["includemargin", "friction", "solref", "solreffriction", "solimp", "mu", "H"]


def collide(model, data, mj_data):
    """Our contacts for the poses of a `mujoco.MjData`."""
    bridge.data_from_mujoco(mj_data, data, INPUTS)
    data.nbody_awake = mj_data.nbody_awake
    _core.mj_collision(model, data)
    return bridge.contacts(data)


def theirs(mj_data):
    """MuJoCo's contacts as a structured array; rows of constraints are not yet made."""
    contacts = np.zeros(mj_data.ncon, bridge.CONTACT_DTYPE)
    for name in bridge.CONTACT_DTYPE.names:
        contacts[name] = getattr(mj_data.contact, name)
    return contacts


class Errors:
    """Largest differences seen so far, by quantity."""

    def __init__(self):
        self.worst = {}
        self.poses = self.contacts = self.miscounted = 0

    def note(self, name, difference):
        value = float(np.max(difference)) if np.size(difference) else 0.0
        if not value <= self.worst.get(name, -1.0):
            self.worst[name] = value

    def add(self, ours, expected):
        """Count one pose; returns whether the number of contacts and their ids agree."""
        self.poses += 1
        self.contacts += len(expected)
        if len(ours) != len(expected):
            self.miscounted += 1
            return False
        for name in IDS:
            if not np.array_equal(ours[name], expected[name]):
                self.miscounted += 1
                return False
        self.note("dist", np.abs(ours["dist"] - expected["dist"]))
        self.note("pos", np.abs(ours["pos"] - expected["pos"]))
        self.note("normal", np.abs(ours["frame"][:, :3] - expected["frame"][:, :3]))
        self.note("tangent", np.abs(ours["frame"][:, 3:] - expected["frame"][:, 3:]))
        for name in PARAMETERS:
            self.note(name, np.abs(ours[name] - expected[name]))
        return True

    def __str__(self):
        worst = ", ".join(f"{k} {v:.1e}" for k, v in self.worst.items() if v)
        return f"{self.poses} poses, {self.contacts} contacts, {self.miscounted} differ; {worst}"
