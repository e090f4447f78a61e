"""Linearisation of a step and of inverse dynamics; see docs/derivatives.md. An extension: MuJoCo has differences alone."""

import numpy as np

from sinew import _core
from sinew._closed import _STATE, ClosedForms

_METHODS = {"analytic": _core.transition_analytic, "hybrid": _core.transition_hybrid,
            "differences": _core.transition_difference}


def _check(model, data):
    for value, kind in ((model, _core.MjModel), (data, _core.MjData)):
        if not isinstance(value, kind):
            raise TypeError(f"an MjModel and an MjData are expected, got {type(model).__name__} and {type(data).__name__}")


def transition(model, data, method="analytic", *, eps=1e-6, centered=True):
    """A (ndx, ndx) and B (ndx, nu) of x+ = A dx + B du at the state of data, x = (dq, qvel, act).

    method: "analytic", "hybrid" or "differences". eps is the step of what is differenced. The state of data is
    left as it was; what is computed from it belongs to another one.
    """
    _check(model, data)
    if method not in _METHODS:
        raise ValueError(f"method is {method!r}, expected one of {', '.join(_METHODS)}")
    ndx = 2 * model.nv + model.na
    A, B = np.zeros((ndx, ndx)), np.zeros((ndx, model.nu))
    if _METHODS[method](model, data, A, B, eps=eps, centered=centered):
        raise ValueError("no derivatives: eps is not in (0, 0.01], the model has delays, or the arena is full")
    return A, B


def parameters(model, data, names, method="analytic", *, eps=1e-5):
    """Derivatives of the next state by parameters of the model at the state of data: (2 nv + na, number of parameters).

    names: of `sinew.parameters`, such as "mass[forearm]" or "dof_damping[elbow]". method: "analytic", in closed form where there is
    one (`known_parameters` tells), else by central differences, with steps eps relative to each parameter; or "differences".
    Model and data stay as they are. For many states, `sinew.parameters.Differences`.
    """
    from sinew.parameters import Differences, Parameters

    _check(model, data)
    if method not in ("analytic", "differences"):
        raise ValueError(f"method is {method!r}, expected one of analytic, differences")
    chosen = names if isinstance(names, Parameters) else Parameters(model, names)
    state = _state(model, data)
    if method == "differences":
        return Differences(model, chosen, eps=eps, threads=1)(state[None])[0]
    result, known = ClosedForms(model, chosen)(state)
    rest = [label for label, done in zip(chosen.labels, known) if not done]
    if rest:
        result[:, ~known] = Differences(model, rest, eps=eps, threads=1)(state[None])[0]
    return result


def known_parameters(model, data, names):
    """Which parameters have derivatives in closed form at the state of data: one bool for each."""
    from sinew.parameters import Parameters

    _check(model, data)
    chosen = names if isinstance(names, Parameters) else Parameters(model, names)
    return ClosedForms(model, chosen)(_state(model, data))[1]


def _state(model, data):
    state = np.empty(_core.mj_stateSize(model, _STATE))
    _core.mj_getState(model, data, state, _STATE)
    return state


def inverse(model, data, actuation=False):
    """Derivatives of qfrc_inverse by qpos, qvel and qacc at the state and qacc of data, in closed form: three (nv, nv)
    arrays, row i by input i as in mjd_inverseFD. With actuation, of qfrc_inverse less qfrc_actuator."""
    _check(model, data)
    result = [np.zeros((model.nv, model.nv)) for _ in range(3)]
    if _core.inverse_analytic(model, data, actuation, *result):
        raise ValueError("no closed form for this model or integrator: use mjd_inverseFD")
    return tuple(result)


def smooth_vel(model, data):
    """The derivative of qfrc_passive + qfrc_actuator - qfrc_bias by qvel as a dense (nv, nv) array, whatever the
    integrator; `data.qDeriv` holds it on the pattern of D. Forward dynamics of this state have run."""
    _check(model, data)
    _core.smooth_vel(model, data)
    result = np.zeros((model.nv, model.nv))
    row = np.repeat(np.arange(model.nv), np.ravel(model.D_rownnz))
    place = np.concatenate([np.arange(n) + adr for n, adr in zip(np.ravel(model.D_rownnz), np.ravel(model.D_rowadr))] or [[]])
    place = place.astype(int)
    result[row, np.ravel(model.D_colind)[place]] = np.ravel(data.qDeriv)[place]
    return result


def max_relative_error(a, b, floor=1e-10):
    """Largest |a - b| / max(|a|, |b|, floor) of two arrays, and its index in them."""
    a, b = (np.ascontiguousarray(x, float) for x in (a, b))
    if a.shape != b.shape:
        raise ValueError(f"arrays have the shapes {a.shape} and {b.shape}")
    error, where = _core.max_relative_error(a, b, floor)
    return error, np.unravel_index(where, a.shape) if a.size and where >= 0 else None


def validate(model, data):
    """Maximum relative errors of A and B of the hybrid scheme against differences, floor 1e-10."""
    return _core.validate_transition(model, data)


def check_convergence(model, data, eps=1e-6, tolerance=1e-3):
    """Do the differences of A at eps and eps / 10 agree within a relative tolerance, floor 1e-10?"""
    result = _core.check_convergence(model, data, eps, tolerance)
    if result < 0:
        raise ValueError("no derivatives: eps is not in (0, 0.01], the model has delays, or the arena is full")
    return bool(result)
