"""Rollouts of a batch and their derivatives, backwards in time; sinew.torch and sinew.jax dress this up.

Forwards, x+ = f(x, u) with x = (qpos, qvel, act). Backwards, with A and B of every step (Batch.transition),

    g_t    gradient by the state at t, in the tangent space
    u_t    gradient by the control at t:  B' g_(t+1)
    g_t    = A' g_(t+1) + what the loss says of the state at t

Gradients by qpos are in coordinates: a unit quaternion q turned by w in its own frame changes by dq = q (0, w) / 2, so that
gradients by w are J' times those by q, and back with the pseudo-inverse of J, 4 J'.
"""

import numpy as np

from sinew._enums import mjtJoint, mjtState

_STATE = int(mjtState.mjSTATE_INTEGRATION)


class _Coordinates:
    """Between coordinates, nq, and the tangent space, nv."""

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

    def to_tangent(self, qpos, gradient):
        """Gradients by turns from those by coordinates."""
        result = np.empty((len(qpos), self.nv))
        result[:, self.plain_v] = gradient[:, self.plain_q]
        for q, v in self.quaternions:
            result[:, v] = np.einsum("nij,ni->nj", self._turn(qpos[:, q]), gradient[:, q])
        return result

    def to_coordinates(self, qpos, gradient):
        """Gradients by coordinates, along unit quaternions, from those by turns."""
        result = np.empty((len(qpos), self.nq))
        result[:, self.plain_q] = gradient[:, self.plain_v]
        for q, v in self.quaternions:
            result[:, q] = 4 * np.einsum("nij,nj->ni", self._turn(qpos[:, q]), gradient[:, v])
        return result

    def change(self, qpos, change):
        """A small change of coordinates as velocities times time; quaternions to the second order about their middle."""
        result = np.empty((len(qpos), self.nv))
        result[:, self.plain_v] = change[:, self.plain_q]
        for q, v in self.quaternions:
            result[:, v] = 4 * np.einsum("nij,ni->nj", self._turn(qpos[:, q]), change[:, q])
        return result


class Rollout:
    """One rollout of all worlds of a batch, which remembers what its derivatives need.

    qpos, qvel, act: states to start from, (nworld, ...). ctrl: (T, nworld, nu). The states after each step are in
    .qpos, .qvel and .act, (T, nworld, ...).
    """

    def __init__(self, batch, qpos, qvel, act, ctrl, method="analytic"):
        model, count = batch.model, batch.nworld
        if batch.on_gpu:
            raise ValueError("derivatives of steps need the worlds on the CPU: Batch(..., device='cpu')")
        shapes = {"qpos": (count, model.nq), "qvel": (count, model.nv), "act": (count, model.na),
                  "ctrl": (len(ctrl), count, model.nu)}
        for (name, shape), value in zip(shapes.items(), (qpos, qvel, act, ctrl)):
            if np.shape(value) != shape:
                raise ValueError(f"{name} should be of shape {shape}, got {np.shape(value)}")
        self.batch, self.method, self.ctrl = batch, method, np.array(ctrl, np.float64)
        batch.qpos, batch.qvel, batch.act, batch.qacc_warmstart = qpos, qvel, act, 0
        self.start = np.array(qpos, np.float64)
        self.states = []
        self.qpos, self.qvel, self.act = (np.empty((len(ctrl), count, n)) for n in (model.nq, model.nv, model.na))
        for t, controls in enumerate(self.ctrl):
            self.states.append(batch.get_state(_STATE))
            batch.step(1, controls)
            self.qpos[t], self.qvel[t], self.act[t] = batch.qpos, batch.qvel, batch.act

    def backward(self, qpos, qvel, act):
        """Gradients by the start (qpos, qvel, act) and by ctrl, from those by the states after each step."""
        batch, model = self.batch, self.batch.model
        now = batch.get_state(_STATE)
        space, nv = _Coordinates(model), model.nv
        gradient = np.zeros((batch.nworld, 2 * nv + model.na))
        by_ctrl = np.empty_like(self.ctrl)
        for t in reversed(range(len(self.ctrl))):
            gradient[:, :nv] += space.to_tangent(self.qpos[t], qpos[t])
            gradient[:, nv:2 * nv] += qvel[t]
            gradient[:, 2 * nv:] += act[t]
            batch.set_state(self.states[t], _STATE)
            batch.ctrl = self.ctrl[t]
            A, B = batch.transition(self.method)
            by_ctrl[t] = np.einsum("nij,ni->nj", B, gradient)
            gradient = np.einsum("nij,ni->nj", A, gradient)
        batch.set_state(now, _STATE)
        start = space.to_coordinates(self.start, gradient[:, :nv])
        return start, gradient[:, nv:2 * nv], gradient[:, 2 * nv:], by_ctrl
