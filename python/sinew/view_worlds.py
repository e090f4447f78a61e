"""All worlds of a batch side by side, as instances of the shapes of one of them."""

import numpy as np

from sinew._enums import mjtCatBit, mjtObj
from sinew.view_scene import Instances, quaternions

_PITCH = 1.2  # distance of worlds, in sizes of the model


class _Plan:
    """What the worlds share of one shape: which geoms its copies show, where they lie in these, how they look."""

    def __init__(self, mine, geoms, wanted, count, world):
        rows = np.flatnonzero(wanted[mine.geom])
        self.rest = np.flatnonzero(~wanted[mine.geom])
        self.ids = geoms["objid"][mine.geom[rows]]
        shown = mine.geom[rows]
        offset = np.einsum("nji,nj->ni", geoms["mat"][shown], mine.pos[rows] - geoms["pos"][shown])
        self.offset = np.float32(offset) if np.abs(offset).max(initial=0) > 1e-6 else None
        geom = np.full((count, len(rows)), -1)
        geom[world] = shown
        self.geom = np.concatenate([geom.ravel(), mine.geom[self.rest]])
        self.scale = np.concatenate([np.tile(mine.scale[rows], (count, 1)), mine.scale[self.rest]])
        self.rgba = np.concatenate([np.tile(mine.rgba[rows], (count, 1)), mine.rgba[self.rest]])


class Worlds:
    """Instances of a batch: the chosen world at its place, the others on a square grid around it."""

    def __init__(self, batch):
        self._batch, self._seen, self._plans = batch, None, {}

    def _places(self, world):
        count = len(self._batch)
        side = int(np.ceil(np.sqrt(count)))
        at = np.stack([np.arange(count) % side, np.arange(count) // side, np.zeros(count)], 1)
        return np.float32((at - at[world]) * _PITCH * float(self._batch.model.stat.extent))

    def copies(self, copies, geoms, world):
        """Copies of shapes (of the chosen world) with those of all worlds. What moves is looked up in the batch's arrays."""
        count = len(self._batch)
        world = min(world, count - 1)
        seen = (world, *(geoms[name].tobytes() for name in ("type", "objtype", "objid", "category", "rgba", "size")))
        if seen != self._seen:
            wanted = (geoms["objtype"] == mjtObj.mjOBJ_GEOM) & (geoms["category"] == mjtCatBit.mjCAT_DYNAMIC)
            self._plans = {key: _Plan(mine, geoms, wanted, count, world) for key, mine in copies.items()}
            self._seen = seen
        xpos, xmat = np.float32(self._batch.geom_xpos), np.float32(self._batch.geom_xmat)
        xmat = xmat.reshape(count, -1, 9)
        xpos = xpos + self._places(world)[:, None]
        bad = ~(np.isfinite(xpos).all(2) & np.isfinite(xmat).all(2))
        xpos[bad], xmat[bad] = 1e6, np.eye(3, dtype=np.float32).ravel()
        xquat = quaternions(xmat.reshape(-1, 9)).reshape(count, -1, 4)
        return {key: self._all(self._plans[key], mine, xpos, xmat, xquat) for key, mine in copies.items()}

    @staticmethod
    def _all(plan, mine, xpos, xmat, xquat):
        if not len(plan.ids):
            return mine
        pos = xpos[:, plan.ids]
        if plan.offset is not None:
            pos = pos + (xmat[:, plan.ids].reshape(*pos.shape, 3) * plan.offset[:, None]).sum(-1)
        pos, quat = pos.reshape(-1, 3), xquat[:, plan.ids].reshape(-1, 4)
        if len(plan.rest):
            pos, quat = np.concatenate([pos, mine.pos[plan.rest]]), np.concatenate([quat, mine.quat[plan.rest]])
        return Instances(pos, quat, plan.scale, plan.rgba, plan.geom)
