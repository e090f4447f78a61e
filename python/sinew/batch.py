"""Many worlds of one model, stepped together.

    batch = sinew.Batch(model, 1024)
    batch.qvel[:] = 0.1              # strided NumPy view: (nworld, nv)
    batch.step(10, ctrl)             # ctrl: (nworld, nu), or (10, nworld, nu)
    batch.reset(batch.terminated)

Results are the same bits for any number of threads, any number of worlds and any place in the
batch. A world whose state goes bad is flagged, keeps its last good state and is reset when it is
stepped next; it never affects the others.

Fields of data are attributes: zero-copy views with the world as first axis. They can be handed on by
DLPack (`numpy.ndarray.__dlpack__`). When a world needs more memory for contacts, all worlds move:
`generation` counts how often. A view taken before then shows the old memory from then on, so take
fields from the batch after each step rather than keeping them.
"""

import numpy as np

from sinew import _core
from sinew._enums import mjtState

_PHYSICS = mjtState.mjSTATE_PHYSICS.value


class Batch:
    """A number of worlds of one model.

    reward and terminated are optional functions of the batch, called after each step, that give one
    number, or one truth value, per world.
    """

    def __init__(self, model, nworld, *, nthread=0, keyframe=-1, max_steps=0, reward=None, terminated=None):
        self._worlds = _core._Batch(model, nworld, nthread, keyframe, max_steps)
        self._keyframe = keyframe
        self._reward, self._terminated = reward, terminated
        self.model = model

    @staticmethod
    def bytes(model, nworld):
        """Memory that a batch may use."""
        return _core._batch_bytes(model, nworld)

    # ---- fields ----

    def field(self, name):
        """View of a data field over all worlds."""
        return self._worlds.data_field(name)

    def model_field(self, name):
        """View of a model field, or of "opt.gravity" and the like, of which every world now has its own."""
        return self._worlds.model_field(name)

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        return self._worlds.data_field(name)

    def __setattr__(self, name, value):
        if name.startswith("_") or name == "model":
            object.__setattr__(self, name, value)
        else:
            self._worlds.data_field(name)[...] = value

    def __len__(self):
        return self._worlds.nworld

    @property
    def nworld(self):
        """Number of worlds."""
        return self._worlds.nworld

    @property
    def generation(self):
        """How often the worlds have moved to larger memory."""
        return self._worlds.generation

    @property
    def rewards(self):
        """Rewards of the last step, (nworld,)."""
        return self._worlds.rewards

    @property
    def terminated(self):
        """Worlds whose episode ended: they failed, or the user's function said so. (nworld,) bool."""
        return self._worlds.terminated.view(np.bool_)

    @property
    def truncated(self):
        """Worlds whose episode reached its maximal number of steps. (nworld,) bool."""
        return self._worlds.truncated.view(np.bool_)

    @property
    def status(self):
        """Warnings of the last step as bits, 1 << mjtWarning. (nworld,) int."""
        return self._worlds.status

    # ---- work ----

    def step(self, nstep=1, ctrl=None):
        """Step all worlds, with controls (nworld, nu) for all steps, or (nstep, nworld, nu)."""
        if ctrl is not None:
            ctrl = np.asarray(ctrl, np.float64)
            shape = (nstep, self.nworld, self.model.nu)
            if ctrl.shape not in (shape, shape[1:]):
                raise ValueError(f"ctrl should be of shape {shape} or {shape[1:]}, got {ctrl.shape}")
            ctrl = np.ascontiguousarray(np.broadcast_to(ctrl, shape))
        self._worlds.step(nstep, ctrl)
        self._judge()

    def step_subset(self, worlds, nstep=1):
        """Step only some worlds."""
        self._worlds.step_subset(np.asarray(worlds, np.int32), nstep)
        self._judge()

    def _judge(self):
        failed = self.terminated.copy()
        if self._reward is not None:
            self.rewards[:] = np.where(failed, 0.0, self._reward(self))
        if self._terminated is not None:
            self.terminated[:] = failed | np.asarray(self._terminated(self), bool)

    def forward(self):
        """Run forward dynamics in all worlds without advancing them."""
        self._worlds.forward()

    def reset(self, mask=None, keyframe=None):
        """Reset the worlds with a true mask, or all."""
        if mask is not None:
            mask = np.ascontiguousarray(np.asarray(mask, bool)).view(np.uint8)
        self._worlds.reset(mask, self._keyframe if keyframe is None else keyframe)

    def perturb(self, seed, scale, mask=None):
        """Add seeded uniform noise in [-scale, scale] to positions and velocities."""
        if mask is not None:
            mask = np.ascontiguousarray(np.asarray(mask, bool)).view(np.uint8)
        self._worlds.perturb(seed, scale, mask)

    def set_const(self):
        """Recompute what derives from model fields, after changing some."""
        self._worlds.set_const()

    # ---- states ----

    def get_state(self, sig=_PHYSICS, out=None):
        """States of all worlds, (nworld, mj_stateSize(model, sig))."""
        if out is None:
            out = np.empty((self.nworld, _core.mj_stateSize(self.model, int(sig))))
        self._worlds.get_state(out, int(sig))
        return out

    def set_state(self, state, sig=_PHYSICS):
        """Set the states of all worlds."""
        self._worlds.set_state(state, int(sig))

    def copy_world(self, world, data=None):
        """One world as an MjData, a copy."""
        data = _core.MjData(self.model) if data is None else data
        self._worlds.copy_world(world, data)
        return data
