"""Linearisation of a step and of inverse dynamics; see docs/derivatives.md. An extension: MuJoCo has differences alone."""

import numpy as np

from sinew import _core

_METHODS = {"analytic": _core.transition_analytic, "hybrid": _core.transition_hybrid,
            "differences": _core.transition_difference}


def transition(model, data, method="analytic", *, eps=1e-6, centered=True):
    """A (ndx, ndx) and B (ndx, nu) of x+ = A dx + B du at the state of data, x = (dq, qvel, act).

    method: "analytic", "hybrid" or "differences". eps is the step of what is differenced. The state of data is
    left as it was; what is computed from it belongs to another one.
    """
    if method not in _METHODS:
        raise ValueError(f"method is {method!r}, expected one of {', '.join(_METHODS)}")
    ndx = 2 * model.nv + model.na
    A, B = np.zeros((ndx, ndx)), np.zeros((ndx, model.nu))
    if _METHODS[method](model, data, A, B, eps=eps, centered=centered):
        raise ValueError("no derivatives: eps is not in (0, 0.01], the model has delays, or the arena is full")
    return A, B


def inverse(model, data, actuation=False):
    """Derivatives of qfrc_inverse by qpos, qvel and qacc at the state and qacc of data, in closed form: three (nv, nv)
    arrays, row i by input i as in mjd_inverseFD. With actuation, of qfrc_inverse less qfrc_actuator."""
    result = [np.zeros((model.nv, model.nv)) for _ in range(3)]
    if _core.inverse_analytic(model, data, actuation, *result):
        raise ValueError("no closed form for this model or integrator: use mjd_inverseFD")
    return tuple(result)
