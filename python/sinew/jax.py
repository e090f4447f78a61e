"""Steps and rollouts of a Batch as functions of JAX, with gradients, inside `jit` too.

    batch = sinew.Batch(model, 64, device="cpu")
    qpos, qvel, act = sinew.jax.rollout(batch, qpos, qvel, controls)      # controls: (T, 64, nu)

The batch computes on the host, through a callback, in double precision; results have the type of qpos (JAX computes in
single precision unless `jax_enable_x64` is set). Gradients are those of `sinew.torch`; backward() takes the rollout again.
The batch is part of the function: it must not change its model, or be used by another thread, in between.
"""

import functools

import jax
import numpy as np

from sinew._adjoint import Rollout


def _shapes(batch, steps, dtype):
    model = batch.model
    return tuple(jax.ShapeDtypeStruct((steps, batch.nworld, int(n)), dtype) for n in (model.nq, model.nv, model.na))


def _run(batch, method, *arrays):
    run = Rollout(batch, *(np.asarray(part, np.float64) for part in arrays), method)
    return tuple(part.astype(arrays[0].dtype) for part in (run.qpos, run.qvel, run.act))


def _run_back(batch, method, arrays, gradients):
    run = Rollout(batch, *(np.asarray(part, np.float64) for part in arrays), method)
    found = run.backward(*(np.asarray(part, np.float64) for part in gradients))
    return tuple(part.astype(arrays[0].dtype) for part in found)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _rollout(batch, method, qpos, qvel, act, ctrl):
    call = functools.partial(_run, batch, method)
    return jax.pure_callback(call, _shapes(batch, ctrl.shape[0], qpos.dtype), qpos, qvel, act, ctrl)


def _forward(batch, method, *arrays):
    return _rollout(batch, method, *arrays), arrays


def _backward(batch, method, arrays, gradients):
    call = functools.partial(_run_back, batch, method)
    shapes = tuple(jax.ShapeDtypeStruct(part.shape, arrays[0].dtype) for part in arrays)
    return jax.pure_callback(call, shapes, arrays, gradients)


_rollout.defvjp(_forward, _backward)


def rollout(batch, qpos, qvel, ctrl, act=None, method="analytic"):
    """States (qpos, qvel, act) after each step, (T, nworld, ...), under controls (T, nworld, nu), from given states."""
    if act is None:
        act = jax.numpy.zeros((batch.nworld, int(batch.model.na)), qpos.dtype)
    return _rollout(batch, method, qpos, qvel, act, ctrl)


def step(batch, qpos, qvel, ctrl, act=None, method="analytic"):
    """States (qpos, qvel, act) after one step under controls (nworld, nu)."""
    return tuple(part[0] for part in rollout(batch, qpos, qvel, ctrl[None], act, method))
