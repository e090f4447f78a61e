"""Open-loop rollouts of many trajectories, on one thread or several."""

import numpy as np

from sinew import _core
from sinew._progress import reporter
from sinew._enums import mjtState

_FULL = mjtState.mjSTATE_FULLPHYSICS.value
_USER = mjtState.mjSTATE_USER.value


class Rollout:
    """Rolls out trajectories with threads that are kept between calls."""

    def __init__(self, *, nthread=None):
        self.nthread = int(nthread or 0)
        self._pool = _core._RolloutPool(self.nthread) if self.nthread > 1 else None
        self._open = True

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        self.close()

    def close(self):
        """Stop the threads; rollouts are refused from now on."""
        self._pool = None
        self._open = False

    def rollout(self, model, data, initial_state, control=None, *, control_spec=mjtState.mjSTATE_CTRL.value,
                skip_checks=False, nstep=None, initial_warmstart=None, state=None, sensordata=None,
                chunk_size=None, progress=False):
        """Roll out trajectories from initial states with given controls; returns (state, sensordata).

        Shapes: initial_state (nbatch, nstate), control (nbatch, nstep, ncontrol), initial_warmstart
        (nbatch, nv), state (nbatch, nstep, nstate), sensordata (nbatch, nstep, nsensordata); inputs
        may have 1 in place of nbatch and nstep, or lack leading axes. States are those after each
        step, sensor values those of the state before it. progress: True for a bar on stderr, or a
        function that is told steps done and steps in all, ten times a second.
        """
        if not self._open:
            raise RuntimeError("rollout requested after thread pool shutdown")
        control_spec = int(control_spec)
        if skip_checks:
            nstep = _exact_steps(control, state, sensordata, nstep)
            _core._rollout(self._pool, list(model), data, initial_state.shape[0], nstep, control_spec, chunk_size or 0,
                           initial_state, initial_warmstart, control, state, sensordata,
                           reporter(progress, "rollout"))
            return state, sensordata
        _check_whole("nstep", nstep)
        _check_whole("chunk_size", chunk_size)
        models = _model_list(model)
        data = self._data_list(data)
        _check_models(models, control_spec)
        arrays = _Arrays(models, initial_state, control, initial_warmstart, state, sensordata, nstep, control_spec)
        _core._rollout(self._pool, models, data, arrays.nbatch, arrays.nstep, control_spec, int(chunk_size or 0),
                       arrays.initial_state, arrays.initial_warmstart, arrays.control, arrays.state,
                       arrays.sensordata, reporter(progress, "rollout"))
        return arrays.state, arrays.sensordata

    def _data_list(self, data):
        if isinstance(data, _core.MjData):
            data = [data]
        elif not isinstance(data, list):
            raise RuntimeError(f"data must be an MjData or a list of them, got {type(data).__name__}")
        if not data:
            raise ValueError("The list of data instances is empty")
        if len(data) > 1 and self.nthread == 0:
            raise ValueError("More than one data instance passed but rollout is configured to run on main thread")
        if len(data) != max(1, self.nthread):
            raise ValueError(f"Length of data: {len(data)} not equal to nthread: {self.nthread}")
        return data


def _model_list(model):
    models = [model] if isinstance(model, _core.MjModel) else list(model)
    if not models:
        raise ValueError("the list of models is empty")
    return models


def _check_whole(name, value):
    if value is not None and not isinstance(value, (int, np.integer)):
        raise ValueError(f"{name} must be an integer")


def _check_models(models, control_spec):
    if control_spec & ~_USER:
        raise ValueError("control_spec can only contain bits in mjSTATE_USER")
    if len({id(m) for m in models}) == 1:
        return
    sizes = {
        (_core.mj_stateSize(m, _FULL), _core.mj_stateSize(m, control_spec), m.nv, m.nsensordata) for m in models
    }
    if len(sizes) > 1:
        raise ValueError("models are not compatible")


def _exact_steps(control, state, sensordata, nstep):
    for array in (control, state, sensordata):
        if array is not None:
            return array.shape[1]
    return nstep or 1


class _Arrays:
    """The arrays of a rollout, made contiguous, repeated where they are shared, and allocated."""

    def __init__(self, models, initial_state, control, warmstart, state, sensordata, nstep, control_spec):
        m = models[0]
        nstate, ncontrol = _core.mj_stateSize(m, _FULL), _core.mj_stateSize(m, control_spec)
        named = {
            "initial_state": (initial_state, 2, nstate),
            "initial_warmstart": (warmstart, 2, m.nv),
            "control": (control, 3, ncontrol),
            "state": (state, 3, nstate),
            "sensordata": (sensordata, 3, m.nsensordata),
        }
        arrays = {name: _expand(name, *entry) for name, entry in named.items()}
        if arrays["initial_state"] is None:
            raise ValueError("initial_state is required")
        counts = {name: a.shape[0] for name, a in arrays.items() if a is not None}
        self.nbatch = _common_batch(_common(0, counts), len(models))
        steps = {name: a.shape[1] for name, a in arrays.items() if a is not None and a.ndim == 3}
        self.nstep = _common(1, {"nstep": nstep, **steps} if nstep else steps)
        self.initial_state = _tile(arrays["initial_state"], (self.nbatch, nstate))
        self.initial_warmstart = _tile(arrays["initial_warmstart"], (self.nbatch, m.nv))
        self.control = _tile(arrays["control"], (self.nbatch, self.nstep, ncontrol))
        self.state = _output("state", state, (self.nbatch, self.nstep, nstate))
        self.sensordata = _output("sensordata", sensordata, (self.nbatch, self.nstep, m.nsensordata))


def _expand(name, array, ndim, last):
    """The array with all its axes; the last must have the right length."""
    if array is None:
        return None
    if not isinstance(array, np.ndarray):
        raise ValueError(f"{name} must be a numpy array or float")
    if array.ndim > ndim:
        raise ValueError(f"{name} can have at most {ndim} dimensions")
    array = array.reshape((1,) * (ndim - array.ndim) + array.shape)
    if array.shape[-1] != last:
        raise ValueError(f"trailing dimension of {name} must be {last}, got {array.shape[-1]}")
    return array


def _common(axis, counts):
    """The one count other than 1 that the arguments agree on along an axis."""
    common = 1
    for name, count in counts.items():
        if count == 1:
            continue
        if common not in (1, count):
            raise ValueError(f"dimension {axis} inferred as {common} but {name} has {count}")
        common = count
    return common


def _common_batch(nbatch, nmodel):
    if nmodel > 1 and nbatch > 1 and nmodel != nbatch:
        raise ValueError(f"nbatch inferred as {nbatch} but model is length {nmodel}")
    return max(nbatch, nmodel)


def _tile(array, shape):
    if array is None:
        return None
    return np.ascontiguousarray(np.broadcast_to(array, shape), dtype=np.float64)


def _output(name, array, shape):
    """Memory for results: the caller's with all its axes; new memory where that has another layout or type."""
    if array is None:
        return np.empty(shape)
    if array.size != np.prod(shape):
        raise ValueError(f"{name}.size should be {np.prod(shape)}, got {array.size}")
    array = np.ascontiguousarray(array, dtype=np.float64)
    return array if array.shape == shape else array.reshape(shape)


_persistent = None


def shutdown_persistent_pool():
    """Stop the threads that rollouts with persistent_pool=True keep."""
    global _persistent
    if _persistent is not None:
        _persistent.close()
    _persistent = None


def rollout(model, data, initial_state, control=None, *, control_spec=mjtState.mjSTATE_CTRL.value,
            skip_checks=False, nstep=None, initial_warmstart=None, state=None, sensordata=None, chunk_size=None,
            persistent_pool=False, progress=False):
    """Roll out trajectories; as many threads as data. See Rollout.rollout."""
    global _persistent
    nthread = len(data) if isinstance(data, list) and len(data) > 1 else 0
    if persistent_pool:
        if _persistent is None or _persistent.nthread != nthread:
            shutdown_persistent_pool()
            _persistent = Rollout(nthread=nthread)
        roller = _persistent
    else:
        roller = Rollout(nthread=nthread)
    try:
        return roller.rollout(
            model, data, initial_state, control, control_spec=control_spec, skip_checks=skip_checks, nstep=nstep,
            initial_warmstart=initial_warmstart, state=state, sensordata=sensordata, chunk_size=chunk_size,
            progress=progress)
    finally:
        if not persistent_pool:
            roller.close()
