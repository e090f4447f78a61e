"""Steps and rollouts of a Batch as functions of JAX, with gradients, inside `jit` too.

    batch = sinew.Batch(model, 64, device="cpu")
    qpos, qvel, act = sinew.jax.rollout(batch, qpos, qvel, controls)      # controls: (T, 64, nu)

On the CPU XLA calls the engine itself, on its own buffers (jax.ffi): no Python runs in a compiled program. On other devices, and
with a JAX that has no such calls, the batch computes on the host through a callback. Physics are in double precision; results
have the type of qpos (JAX computes in single precision unless `jax_enable_x64` is set). Gradients are those of `sinew.torch`;
the gradient takes the rollout again. The batch is part of the function, which fails once the batch is gone; calls of one batch
wait for one another. Its model must not change in between.

With parameters of the model, one row of values per world, gradients by them too, as in `sinew.torch`; these rollouts go through a
callback and take worlds of their own, so that those of the batch keep their states and values:

    chosen = sinew.parameters.Parameters(model, ["mass[forearm]", "dof_damping[elbow]"])
    sinew.jax.rollout(batch, qpos, qvel, controls, parameters=chosen, values=values)   # values: (64, 2)
"""

import functools
import threading
import weakref

import jax
import numpy as np

from sinew import _core
from sinew._adjoint import METHODS, Rollout, check_shapes
from sinew.batch import Batch
from sinew.parameters import Parameters

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


def _path_shapes(batch, qpos, ctrl):
    """Of the states after each step."""
    model = batch.model
    return tuple(jax.ShapeDtypeStruct((ctrl.shape[0], batch.nworld, int(n)), qpos.dtype) for n in (model.nq, model.nv, model.na))


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _rollout(batch, method, *arrays):
    return _call("sinew_rollout", _run, batch, method, _path_shapes(batch, arrays[0], arrays[3]), *arrays)


def _forward(batch, method, *arrays):
    return _rollout(batch, method, *arrays), arrays


def _backward(batch, method, arrays, gradients):
    shapes = tuple(jax.ShapeDtypeStruct(part.shape, arrays[0].dtype) for part in arrays)
    return _call("sinew_rollout_back", _run_back, batch, method, shapes, *arrays, *gradients)


_rollout.defvjp(_forward, _backward)


# ---- with parameters of the model ----

_twins, _busy = weakref.WeakKeyDictionary(), threading.Lock()  # worlds that get values; one call at a time


def _run_with(batch, method, parameters, *arrays):
    """A rollout in worlds of its own that have the values, and the values in double precision."""
    if batch not in _twins:
        _twins[batch] = Batch(batch.model, batch.nworld, device="cpu", threads=batch._threads)
    *arrays, values = (np.asarray(part, np.float64) for part in arrays)
    parameters.apply(_twins[batch], values)
    return Rollout(_twins[batch], *arrays, method), values


def _states_with(batch, method, parameters, *arrays):
    with _busy:
        run, _ = _run_with(batch, method, parameters, *arrays)
        return tuple(part.astype(arrays[0].dtype) for part in (run.qpos, run.qvel, run.act))


def _gradients_with(batch, method, parameters, *arrays):
    with _busy:
        run, values = _run_with(batch, method, parameters, *arrays[:5])
        found = run.backward_parameters(parameters, values, *(np.asarray(part, np.float64) for part in arrays[5:]))
        return tuple(np.asarray(part, arrays[0].dtype) for part in found)


def _call_with(function, batch, method, parameters, shapes, *arrays):
    call = functools.partial(function, batch, method, parameters)
    return jax.pure_callback(call, shapes, *arrays, vmap_method="sequential")


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1, 2))
def _rollout_with(batch, method, parameters, *arrays):
    return _call_with(_states_with, batch, method, parameters, _path_shapes(batch, arrays[0], arrays[3]), *arrays)


def _backward_with(batch, method, parameters, arrays, gradients):
    shapes = tuple(jax.ShapeDtypeStruct(part.shape, arrays[0].dtype) for part in arrays)
    return _call_with(_gradients_with, batch, method, parameters, shapes, *arrays, *gradients)


_rollout_with.defvjp(lambda batch, method, parameters, *arrays: (_rollout_with(batch, method, parameters, *arrays), arrays),
                     _backward_with)


def rollout(batch, qpos, qvel, ctrl, act=None, method="analytic", *, parameters=None, values=None):
    """States (qpos, qvel, act) after each step, (T, nworld, ...), under controls (T, nworld, nu), from given states.

    method: of the derivatives, "analytic", "hybrid" or "differences". parameters: `sinew.parameters.Parameters` of the model, or names of them, whose
    values, (nworld, size), worlds have in this rollout.
    """
    qpos, qvel, ctrl = (jax.numpy.asarray(part) for part in (qpos, qvel, ctrl))
    if act is None:
        act = jax.numpy.zeros((batch.nworld, int(batch.model.na)), qpos.dtype)
    if method not in METHODS:
        raise ValueError(f"method is {method!r}, expected one of {', '.join(METHODS)}")
    check_shapes(batch, qpos, qvel, act, ctrl)
    arrays = [jax.numpy.asarray(part, qpos.dtype) for part in (qpos, qvel, act, ctrl)]
    if (parameters is None) != (values is None):
        raise ValueError("parameters and their values go together")
    if parameters is None:
        return _rollout(batch, method, *arrays)
    if not isinstance(parameters, Parameters):
        parameters = Parameters(batch.model, parameters)
    if np.shape(values) != (batch.nworld, parameters.size):
        raise ValueError(f"values should be of shape {(batch.nworld, parameters.size)}, got {np.shape(values)}")
    return _rollout_with(batch, method, parameters, *arrays, jax.numpy.asarray(values, qpos.dtype))


def step(batch, qpos, qvel, ctrl, act=None, method="analytic"):
    """States (qpos, qvel, act) after one step under controls (nworld, nu)."""
    return tuple(part[0] for part in rollout(batch, qpos, qvel, ctrl[None], act, method))
