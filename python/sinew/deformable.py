"""Deformables that a program adds to a world that exists, and access to them.

    index, model, data = register(spec, model, data, type=CLOTH, vert=..., elem=...)
    rope = get(model, data, index)   # views: rope.xpos, rope.xvel, rope.invmass, rope.colliding
    kept = rope.copy()               # numbers of its own

The spec is edited and compiled again; everything that moved stays where it is. A world of its own is a model and
data of its own: register with each. An index that is out of range is an IndexError.
"""

import dataclasses

import numpy as np

from sinew._enums import mjtDeformable

CLOTH, SOFT, CHAIN = mjtDeformable.mjDEFORMABLE_CLOTH, mjtDeformable.mjDEFORMABLE_SOFT, mjtDeformable.mjDEFORMABLE_CHAIN


@dataclasses.dataclass
class Deformable:
    """One deformable of a world: arrays of its vertices."""

    type: mjtDeformable
    invmass: np.ndarray
    colliding: np.ndarray
    xpos: np.ndarray
    xvel: np.ndarray

    def copy(self):
        """The same with arrays that are copies."""
        return Deformable(self.type, *(np.array(getattr(self, name)) for name in ("invmass", "colliding", "xpos", "xvel")))

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()


def register(spec, model, data, **fields):
    """Add a deformable (fields of MjsDeformable) to a spec, and compile it into a new model and new data that go on
    from the state of the given ones. Returns its index, the model and the data. An error leaves all as they were.
    Arrays may have any shape: vert of (n, 3), elem of (m, 2) and so on."""
    flat = {name: value.ravel().tolist() if isinstance(value, np.ndarray) else value for name, value in fields.items()}
    body = spec.add_deformable(registered=True, **flat)
    try:
        model, data = spec.recompile(model, data)
    except Exception:
        spec.delete(body)
        raise
    return body.id, model, data


def get(model, data, index):
    """Deformable number index, as views into the model and the data."""
    if not 0 <= index < model.ndeformable:
        raise IndexError(f"deformable {index} out of range, there are {model.ndeformable}")
    first = int(model.deformable_vertadr.ravel()[index])
    rows = slice(first, first + int(model.deformable_vertnum.ravel()[index]))
    kind = mjtDeformable(int(model.deformable_type.ravel()[index]))
    return Deformable(kind, model.deformvert_invmass[rows], data.deformvert_colliding[rows], data.deformvert_xpos[rows],
                      data.deformvert_xvel[rows])
