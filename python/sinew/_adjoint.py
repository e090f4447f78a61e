"""Rollouts of a batch and their derivatives, backwards in time (src/batch/rollout.c); sinew.torch and sinew.jax dress this up."""

import numpy as np

from sinew import _core
from sinew._enums import mjtJoint, mjtState

_STATE = int(mjtState.mjSTATE_INTEGRATION)


METHODS = {"analytic": 0, "hybrid": 1, "differences": 2}


def check_shapes(batch, qpos, qvel, act, ctrl):
    """Refuse arrays that do not fit the batch."""
    model, count = batch.model, batch.nworld
    shapes = {"qpos": (count, model.nq), "qvel": (count, model.nv), "act": (count, model.na),
              "ctrl": (np.shape(ctrl)[0], count, model.nu)}
    for (name, shape), value in zip(shapes.items(), (qpos, qvel, act, ctrl)):
        if np.shape(value) != shape:
            raise ValueError(f"{name} should be of shape {shape}, got {np.shape(value)}")


class _Coordinates:
    """Between coordinates, nq, and the tangent space, nv. A unit quaternion q that turns by w in its own frame changes by
    dq = J w = q (0, w) / 2; the pseudo-inverse of J is 4 J'."""

    def __init__(self, model):
        self.nq, self.nv = int(model.nq), int(model.nv)
        self.quaternions, plain_q, plain_v = [], [], []
        for kind, q, v in zip(model.jnt_type, model.jnt_qposadr, model.jnt_dofadr):
            if kind == int(mjtJoint.mjJNT_FREE):
                plain_q += range(q, q + 3)
                plain_v += range(v, v + 3)
                q, v = q + 3, v + 3
            if kind in (int(mjtJoint.mjJNT_FREE), int(mjtJoint.mjJNT_BALL)):
                self.quaternions.append((slice(q, q + 4), slice(v, v + 3)))
            else:
                plain_q.append(q)
                plain_v.append(v)
        self.plain_q, self.plain_v = np.array(plain_q, int), np.array(plain_v, int)

    @staticmethod
    def _turn(q):
        """Columns of J, (n, 4, 3): the derivative of a quaternion by a turn in its own frame."""
        w, x, y, z = q.T
        return 0.5 * np.stack([np.stack([-x, -y, -z], 1), np.stack([w, -z, y], 1), np.stack([z, w, -x], 1),
                               np.stack([-y, x, w], 1)], 1)

    def change(self, qpos, change, scale=4):
        """A small change of coordinates as velocities times time; quaternions to the second order about their middle."""
        result = np.empty((len(qpos), self.nv))
        result[:, self.plain_v] = change[:, self.plain_q]
        for q, v in self.quaternions:
            result[:, v] = scale * np.einsum("nij,ni->nj", self._turn(qpos[:, q]), change[:, q])
        return result

    def to_tangent(self, qpos, gradient):
        """Gradients by turns, J' g, from those by coordinates."""
        return self.change(qpos, gradient, scale=1)


class Rollout:
    """One rollout of all worlds of a batch, which remembers what its derivatives need.

    qpos, qvel, act: states to start from, (nworld, ...). ctrl: (T, nworld, nu). The states after each step are in
    .qpos, .qvel and .act, (T, nworld, ...).
    """

    def __init__(self, batch, qpos, qvel, act, ctrl, method="analytic"):
        if method not in METHODS:
            raise ValueError(f"method is {method!r}, expected one of {', '.join(METHODS)}")
        if batch.on_gpu:
            raise ValueError("derivatives of steps need the worlds on the CPU: Batch(..., device='cpu')")
        check_shapes(batch, qpos, qvel, act, ctrl)
        self.batch, self.method, self.ctrl = batch, METHODS[method], np.array(ctrl, np.float64, order="C")
        times, model = (len(ctrl), batch.nworld), batch.model
        self.qpos, self.qvel, self.act = (np.empty((*times, int(n))) for n in (model.nq, model.nv, model.na))
        self.states = np.empty((*times, _core.mj_stateSize(model, _STATE)))
        start = (np.ascontiguousarray(part, np.float64) for part in (qpos, qvel, act))
        batch._worlds.rollout(*start, len(ctrl), self.ctrl, self.qpos, self.qvel, self.act, self.states)

    def backward(self, qpos, qvel, act):
        """Gradients by the start (qpos, qvel, act) and by ctrl, from those by the states after each step."""
        batch, model = self.batch, self.batch.model
        gradients = (np.ascontiguousarray(part, np.float64) for part in (qpos, qvel, act))
        found = [np.zeros((batch.nworld, int(n))) for n in (model.nq, model.nv, model.na)] + [np.empty_like(self.ctrl)]
        batch._worlds.rollout_back(self.method, len(self.ctrl), self.states, self.ctrl, self.qpos, *gradients, *found)
        return tuple(found)

    def backward_parameters(self, parameters, values, qpos, qvel, act):
        """As backward, and by parameters of the model, (nworld, size), whose values, of the same shape, the worlds have now."""
        from sinew.parameters import pull_back

        batch, now = self.batch, self.batch.get_state(_STATE)
        space, by_ctrl, states, tangents = _Coordinates(batch.model), np.empty_like(self.ctrl), [], []
        after = [np.zeros_like(part[0]) for part in (self.qpos, self.qvel, self.act)]
        for t in reversed(range(len(self.ctrl))):
            after = [np.ascontiguousarray(a + b[t]) for a, b in zip(after, (qpos, qvel, act))]
            tangents.append(np.concatenate([space.to_tangent(self.qpos[t], after[0]), *after[1:]], axis=1))
            batch.set_state(self.states[t], _STATE)
            batch.ctrl = self.ctrl[t]
            states.append(np.array(batch.get_state(_STATE)))
            before = [np.zeros_like(part) for part in after]
            batch._worlds.rollout_back(self.method, 1, self.states[t], self.ctrl[t], self.qpos[t], *after, *before, by_ctrl[t])
            after = before
        batch.set_state(now, _STATE)
        method = "differences" if self.method == METHODS["differences"] else "analytic"
        return *after, by_ctrl, pull_back(parameters, values, np.array(states), np.array(tangents), method)
