"""Steps and rollouts of a Batch as functions of PyTorch, with gradients.

    batch = sinew.Batch(model, 64, device="cpu")
    qpos, qvel, _ = sinew.torch.rollout(batch, qpos, qvel, controls)      # controls: (T, 64, nu)
    loss(qpos[-1]).backward()                                             # gradients by states and controls

Gradients are the engine's own, in closed form where there is one (see docs/derivatives.md), chained backwards over the
steps; memory grows with the states of the rollout, not with their derivatives. The batch computes: its worlds end up in
the last states, and it may be used again before backward() is called. Gradients by quaternions are along unit ones.

With parameters of the model, one row of values per world, gradients by them too:

    chosen = sinew.parameters.Parameters(model, ["mass[forearm]", "dof_damping[elbow]"])
    sinew.torch.rollout(batch, qpos, qvel, controls, parameters=chosen, values=values)   # values: (64, 2)
"""

import numpy as np
import torch

from sinew._adjoint import Rollout
from sinew.parameters import Parameters


def _array(tensor):
    return tensor.detach().cpu().double().numpy()


class _Rollout(torch.autograd.Function):
    @staticmethod
    def forward(ctx, batch, method, parameters, qpos, qvel, act, ctrl, values):
        ctx.values, ctx.parameters = None if values is None else _array(values), parameters
        if parameters is not None:
            parameters.apply(batch, ctx.values)
        ctx.rollout = run = Rollout(batch, *(_array(part) for part in (qpos, qvel, act, ctrl)), method)
        ctx.like = qpos
        return tuple(torch.from_numpy(part).to(qpos) for part in (run.qpos, run.qvel, run.act))

    @staticmethod
    def backward(ctx, *gradients):
        run = ctx.rollout
        arrays = [np.zeros_like(part) if gradient is None else _array(gradient)
                  for part, gradient in zip((run.qpos, run.qvel, run.act), gradients)]
        if ctx.parameters is None:
            found = (*run.backward(*arrays), None)
        else:
            ctx.parameters.apply(run.batch, ctx.values)
            found = run.backward_parameters(ctx.parameters, ctx.values, *arrays)
        return None, None, None, *(None if part is None else torch.from_numpy(np.ascontiguousarray(part)).to(ctx.like)
                                   for part in found)


def rollout(batch, qpos, qvel, ctrl, act=None, method="analytic", *, parameters=None, values=None):
    """States (qpos, qvel, act) after each step, (T, nworld, ...), under controls (T, nworld, nu), from given states.

    method: of the derivatives, "analytic", "hybrid" or "differences". parameters: `sinew.parameters.Parameters` of the model, or names of them, whose
    values, (nworld, size), the worlds get before.
    """
    for name, part in (("qpos", qpos), ("qvel", qvel), ("ctrl", ctrl)):
        if not isinstance(part, torch.Tensor):
            raise TypeError(f"{name} should be a tensor, got {type(part).__name__}")
    if act is None:
        act = qpos.new_zeros((batch.nworld, int(batch.model.na)))
    if (parameters is None) != (values is None):
        raise ValueError("parameters and their values go together")
    if parameters is not None and not isinstance(parameters, Parameters):
        parameters = Parameters(batch.model, parameters)
    return _Rollout.apply(batch, method, parameters, qpos, qvel, act, ctrl, values)


def step(batch, qpos, qvel, ctrl, act=None, method="analytic"):
    """States (qpos, qvel, act) after one step under controls (nworld, nu)."""
    return tuple(part[0] for part in rollout(batch, qpos, qvel, ctrl[None], act, method))
