"""Steps and rollouts of a Batch as functions of JAX, with gradients, inside `jit` too.

    batch = sinew.Batch(model, 64, device="cpu")
    qpos, qvel, act = sinew.jax.rollout(batch, qpos, qvel, controls)      # controls: (T, 64, nu)

XLA calls the engine itself, on its own buffers (jax.ffi): no Python runs in a compiled program. That is so where JAX and the
batch are both on the CPU, and for the rollout where both are on a GPU. Otherwise, and with a JAX that has no such calls,
arrays go through a callback. Physics of a batch on the CPU are in double precision, of one on a GPU in that of the batch;
results have the type of qpos (JAX computes in single precision unless `jax_enable_x64` is set). Gradients are those of
`sinew.torch`, computed on the CPU; the gradient takes the rollout again, that of a batch on a GPU in worlds of its own on the
host, which all have the model that the batch was made from. The batch is part of the function, which fails once the batch is
gone; calls of one batch wait for one another. Its model must not change in between.

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
from sinew._enums import mjtState
from sinew.batch import Batch
from sinew.parameters import Parameters

_numbers = weakref.WeakKeyDictionary()  # of batches that XLA knows
_hosts, _twins = weakref.WeakKeyDictionary(), weakref.WeakKeyDictionary()  # worlds on the CPU beside a batch: for gradients
_busy = threading.Lock()  # of one on a GPU, and with values of parameters; one call at a time
_START = int(mjtState.mjSTATE_QPOS | mjtState.mjSTATE_QVEL | mjtState.mjSTATE_ACT | mjtState.mjSTATE_WARMSTART)


def _register():
    if not hasattr(jax, "ffi"):
        return False
    for platform, targets in (("cpu", _core._xla_targets()), ("CUDA", _core._xla_gpu_targets())):
        for name, target in targets.items():
            jax.ffi.register_ffi_target(name, target, platform=platform)
    return True


_NATIVE = _register()


def _number(batch):
    """By which XLA knows a batch."""
    if batch not in _numbers:
        _numbers[batch] = number = _core._xla_admit(batch._worlds.address)
        weakref.finalize(batch, _core._xla_forget, number)
    return _numbers[batch]


def _call(targets, on_host, batch, method, shapes, *arrays):
    """The engine on XLA's buffers, by the target for the platform that the batch is on; elsewhere by a callback."""
    platform = "cuda" if batch.on_gpu else "cpu"

    def native(*arrays):
        call = jax.ffi.ffi_call(targets[platform], shapes, vmap_method="sequential")
        return tuple(call(*arrays, batch=np.int64(_number(batch)), method=np.int64(METHODS[method])))

    def callback(*arrays):
        return jax.pure_callback(functools.partial(on_host, batch, method), shapes, *arrays, vmap_method="sequential")

    if not _NATIVE or platform not in targets:
        return callback(*arrays)
    if platform == "cpu" and all(device.platform == "cpu" for device in jax.devices()):
        return native(*arrays)
    return jax.lax.platform_dependent(*arrays, **{platform: native}, default=callback)


def _run(batch, method, *arrays):
    if batch.on_gpu:
        return _run_on_gpu(batch, *arrays)
    run = Rollout(batch, *(np.asarray(part, np.float64) for part in arrays), method)
    return tuple(part.astype(arrays[0].dtype) for part in (run.qpos, run.qvel, run.act))


def _run_on_gpu(batch, qpos, qvel, act, ctrl):
    """A rollout of worlds on a GPU from arrays of the host."""
    cold = np.zeros((batch.nworld, int(batch.model.nv)))
    batch.set_state(np.hstack([np.asarray(part, np.float64) for part in (qpos, qvel, act)] + [cold]), _START)
    path = []
    for row in np.asarray(ctrl, np.float64):
        batch.step(1, row)
        path.append((batch.qpos[:], batch.qvel[:], batch.act[:]))
    return tuple(np.asarray(part, qpos.dtype) for part in map(np.array, zip(*path)))


def _beside(batches, batch):
    """As many worlds on the CPU, made once."""
    if batch not in batches:
        batches[batch] = Batch(batch.model, batch.nworld, device="cpu", threads=batch._threads)
    return batches[batch]


def _run_back(batch, method, *arrays):
    with _busy:
        return _gradients(_beside(_hosts, batch) if batch.on_gpu else batch, method, *arrays)


def _gradients(batch, method, *arrays):
    run = Rollout(batch, *(np.asarray(part, np.float64) for part in arrays[:4]), method)
    found = run.backward(*(np.asarray(part, np.float64) for part in arrays[4:]))
    return tuple(part.astype(arrays[0].dtype) for part in found)


def _path_shapes(batch, qpos, ctrl):
    """Of the states after each step."""
    model = batch.model
    return tuple(jax.ShapeDtypeStruct((ctrl.shape[0], batch.nworld, int(n)), qpos.dtype) for n in (model.nq, model.nv, model.na))


@functools.partial(jax.custom_vjp, nondiff_argnums=(0, 1))
def _rollout(batch, method, *arrays):
    shapes = _path_shapes(batch, arrays[0], arrays[3])
    return _call({"cpu": "sinew_rollout", "cuda": "sinew_rollout_gpu"}, _run, batch, method, shapes, *arrays)


def _forward(batch, method, *arrays):
    return _rollout(batch, method, *arrays), arrays


def _backward(batch, method, arrays, gradients):
    shapes = tuple(jax.ShapeDtypeStruct(part.shape, arrays[0].dtype) for part in arrays)
    return _call({"cpu": "sinew_rollout_back"}, _run_back, batch, method, shapes, *arrays, *gradients)


_rollout.defvjp(_forward, _backward)


# ---- with parameters of the model ----


def _run_with(batch, method, parameters, *arrays):
    """A rollout in worlds of its own that have the values, and the values in double precision."""
    *arrays, values = (np.asarray(part, np.float64) for part in arrays)
    parameters.apply(_beside(_twins, batch), values)
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


def _precision(batch, given):
    """The type of the arrays that a batch takes: on the CPU any, on a GPU its own."""
    if not batch.on_gpu:
        return given
    own = batch.field("qpos").dtype
    if own == np.float64 and not jax.config.jax_enable_x64:
        raise ValueError("the batch is in double precision, and JAX in single: make it with precision=\"single\", or set "
                         "jax_enable_x64")
    return own


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
        precision = _precision(batch, qpos.dtype)
        path = _rollout(batch, method, *(part.astype(precision) for part in arrays))
        return tuple(part.astype(qpos.dtype) for part in path)
    if not isinstance(parameters, Parameters):
        parameters = Parameters(batch.model, parameters)
    if np.shape(values) != (batch.nworld, parameters.size):
        raise ValueError(f"values should be of shape {(batch.nworld, parameters.size)}, got {np.shape(values)}")
    return _rollout_with(batch, method, parameters, *arrays, jax.numpy.asarray(values, qpos.dtype))


def step(batch, qpos, qvel, ctrl, act=None, method="analytic"):
    """States (qpos, qvel, act) after one step under controls (nworld, nu)."""
    return tuple(part[0] for part in rollout(batch, qpos, qvel, ctrl[None], act, method))
