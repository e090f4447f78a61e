"""Steps and rollouts of a Batch as functions of PyTorch, with gradients.

    batch = sinew.Batch(model, 64, device="cpu")
    qpos, qvel, _ = sinew.torch.rollout(batch, qpos, qvel, controls)      # controls: (T, 64, nu)
    loss(qpos[-1]).backward()                                             # gradients by states and controls

Gradients are the engine's own, in closed form where there is one (see docs/derivatives.md), chained backwards over the
steps; memory grows with the states of the rollout, not with their derivatives. The batch computes: its worlds end up in
the last states, and it may be used again before backward() is called. Gradients by quaternions are along unit ones.
"""

import numpy as np
import torch

from sinew._adjoint import Rollout


class _Rollout(torch.autograd.Function):
    @staticmethod
    def forward(ctx, batch, method, qpos, qvel, act, ctrl):
        arrays = [part.detach().cpu().double().numpy() for part in (qpos, qvel, act, ctrl)]
        ctx.rollout = Rollout(batch, *arrays, method)
        ctx.like = qpos
        run = ctx.rollout
        return tuple(torch.from_numpy(part).to(qpos) for part in (run.qpos, run.qvel, run.act))

    @staticmethod
    def backward(ctx, *gradients):
        run = ctx.rollout
        arrays = [np.zeros_like(part) if gradient is None else gradient.detach().cpu().double().numpy()
                  for part, gradient in zip((run.qpos, run.qvel, run.act), gradients)]
        return None, None, *(torch.from_numpy(np.ascontiguousarray(part)).to(ctx.like) for part in run.backward(*arrays))


def rollout(batch, qpos, qvel, ctrl, act=None, method="analytic"):
    """States (qpos, qvel, act) after each step, (T, nworld, ...), under controls (T, nworld, nu), from given states.

    method: of the derivatives, "analytic", "hybrid" or "differences".
    """
    if act is None:
        act = qpos.new_zeros((batch.nworld, int(batch.model.na)))
    return _Rollout.apply(batch, method, qpos, qvel, act, ctrl)


def step(batch, qpos, qvel, ctrl, act=None, method="analytic"):
    """States (qpos, qvel, act) after one step under controls (nworld, nu)."""
    return tuple(part[0] for part in rollout(batch, qpos, qvel, ctrl[None], act, method))
