"""Steps and rollouts of a Batch as functions of JAX, with gradients, inside `jit` too.

    batch = sinew.Batch(model, 64, device="cpu")
    qpos, qvel, act = sinew.jax.rollout(batch, qpos, qvel, controls)      # controls: (T, 64, nu)

On the CPU XLA calls the engine itself, on its own buffers (jax.ffi): no Python runs in a compiled program. On other devices, and
with a JAX that has no such calls, the batch computes on the host through a callback. Physics are in double precision; results
have the type of qpos (JAX computes in single precision unless `jax_enable_x64` is set). Gradients are those of `sinew.torch`;
the gradient takes the rollout again. The batch is part of the function, which fails once the batch is gone; calls of one batch
wait for one another. Its model must not change in between.
"""

import functools
import weakref

import jax
import numpy as np

from sinew import _core
from sinew._adjoint import METHODS, Rollout, check_shapes

_numbers = weakref.WeakKeyDictionary()  # of batches that XLA knows


def _register():
    if not hasattr(jax, "ffi"):
        return False
    for name, target in _core._xla_targets().items():
        jax.ffi.register_ffi_target(name, target, platform="cpu")
    return True


_NATIVE = _register()


def _number(batch):
    """By which XLA knows a batch."""
    if batch not in _numbers:
        _numbers[batch] = number = _core._xla_admit(batch._worlds.address)
        weakref.finalize(batch, _core._xla_forget, number)
    return _numbers[batch]


def _call(target, on_host, batch, method, shapes, *arrays):
    """The engine on the buffers of the CPU; on those of other devices by a callback."""

    def native(*arrays):
        call = jax.ffi.ffi_call(target, shapes, vmap_method="sequential")
        return tuple(call(*arrays, batch=np.int64(_number(batch)), method=np.int64(METHODS[method])))

    def callback(*arrays):
        return jax.pure_callback(functools.partial(on_host, batch, method), shapes, *arrays, vmap_method="sequential")

    if not _NATIVE:
        return callback(*arrays)
    if all(device.platform == "cpu" for device in jax.devices()):
        return native(*arrays)
    return jax.lax.platform_dependent(*arrays, cpu=native, default=callback)


def _run(batch, method, *arrays):
    run = Rollout(batch, *(np.asarray(part, np.float64) for part in arrays), method)
    return tuple(part.astype(arrays[0].dtype) for part in (run.qpos, run.qvel, run.act))


def _run_back(batch, method, *arrays):
    run = Rollout(batch, *(np.asarray(part, np.float64) for part in arrays[:4]), method)
    found = run.backward(*(np.asarray(part, np.float64) for part in arrays[4:]))
    return tuple(part.astype(arrays[0].dtype) for part in found)


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _rollout(batch, method, *arrays):
    model, (qpos, *_, ctrl) = batch.model, arrays
    shapes = tuple(jax.ShapeDtypeStruct((ctrl.shape[0], batch.nworld, int(n)), qpos.dtype) for n in (model.nq, model.nv, model.na))
    return _call("sinew_rollout", _run, batch, method, shapes, *arrays)


def _forward(batch, method, *arrays):
    return _rollout(batch, method, *arrays), arrays


def _backward(batch, method, arrays, gradients):
    shapes = tuple(jax.ShapeDtypeStruct(part.shape, arrays[0].dtype) for part in arrays)
    return _call("sinew_rollout_back", _run_back, batch, method, shapes, *arrays, *gradients)


_rollout.defvjp(_forward, _backward)


def rollout(batch, qpos, qvel, ctrl, act=None, method="analytic"):
    """States (qpos, qvel, act) after each step, (T, nworld, ...), under controls (T, nworld, nu), from given states."""
    if act is None:
        act = jax.numpy.zeros((batch.nworld, int(batch.model.na)), qpos.dtype)
    if method not in METHODS:
        raise ValueError(f"method is {method!r}, expected one of {', '.join(METHODS)}")
    check_shapes(batch, qpos, qvel, act, ctrl)
    return _rollout(batch, method, *(jax.numpy.asarray(part, qpos.dtype) for part in (qpos, qvel, act, ctrl)))


def step(batch, qpos, qvel, ctrl, act=None, method="analytic"):
    """States (qpos, qvel, act) after one step under controls (nworld, nu)."""
    return tuple(part[0] for part in rollout(batch, qpos, qvel, ctrl[None], act, method))
