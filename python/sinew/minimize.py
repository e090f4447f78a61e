"""Nonlinear least squares in a box, by Gauss-Newton steps with adaptive regularisation.

    minimise  norm(r(x))  subject to  lower <= x <= upper

Each iteration takes the step dx that minimises g dx + dx (H + mu 1) dx / 2 in the box, where g and H
are gradient and Gauss-Newton Hessian of the norm of the residual; mu grows when a step fails to
improve the objective as it should, and shrinks faster and faster while steps go well.
"""

import abc
import dataclasses
import enum
import sys
import time

import numpy as np

from sinew import _core


class Verbosity(enum.Enum):
    """How much to tell and to keep."""

    SILENT = 0
    FINAL = 1
    ITER = 2
    FULLITER = 3


class Status(enum.Enum):
    """Why the search ended."""

    FACTORIZATION_FAILED = enum.auto()
    NO_IMPROVEMENT = enum.auto()
    MAX_ITER = enum.auto()
    DX_TOL = enum.auto()
    G_TOL = enum.auto()


_MESSAGES = {
    Status.FACTORIZATION_FAILED: "factorization failed.",
    Status.NO_IMPROVEMENT: "insufficient reduction.",
    Status.MAX_ITER: "maximum iterations reached.",
    Status.DX_TOL: "norm(dx) < tol.",
    Status.G_TOL: "norm(gradient) < tol.",
}


@dataclasses.dataclass
class IterLog:
    """One iteration: the point, its objective, what the step brought, and how it was regularised."""

    candidate: np.ndarray
    objective: float
    reduction: float
    regularizer: float
    residual: np.ndarray = None
    jacobian: np.ndarray = None
    grad: np.ndarray = None
    step: np.ndarray = None


class Norm(abc.ABC):
    """A scalar function of the residual."""

    @abc.abstractmethod
    def value(self, r):
        """The norm of a residual."""

    @abc.abstractmethod
    def grad_hess(self, r, proj):
        """Gradient proj' n'(r) and Gauss-Newton Hessian proj' n''(r) proj."""


class Quadratic(Norm):
    """Half the sum of squares."""

    def value(self, r):
        return 0.5 * r.T.dot(r).item()

    def grad_hess(self, r, proj):
        return proj.T.dot(r), proj.T.dot(proj)


# ---- derivatives ----


def jacobian_fd(residual, x, r, eps, n_res, bounds=None):
    """Jacobian by one-sided differences, all columns in one call; returns (jacobian, n_res).

    Steps are relative to the size of x, and backwards in the upper part of the box, so that points
    stay inside it.
    """
    n = x.size
    x = x.reshape(n, 1)
    steps = eps * np.maximum(1.0, np.abs(x[:, 0]))
    if bounds is not None:
        lower, upper = (np.reshape(b, n) for b in bounds)
        steps = np.where(x[:, 0] > 0.5 * (upper - lower), -steps, steps)
    steps = (steps + x[:, 0]) - x[:, 0]
    values = residual(x + np.diag(steps))
    return (values - r.reshape(-1, 1)) / steps, n_res + n


def check_jacobian(residual, x, r, jac, eps, n_res, bounds=None, output=None, name="Jacobian"):
    """ValueError unless a Jacobian agrees with finite differences; returns n_res."""
    expected, n_res = jacobian_fd(residual, x, r, eps, n_res, bounds)
    given = jac(x, r)
    if given.shape != expected.shape:
        raise ValueError(f"{name} has shape {given.shape}, expected {expected.shape}")
    scale = max(np.abs(expected).max(initial=0.0), 1e-12)
    worst = np.abs(given - expected).max(initial=0.0) / scale
    if worst > 1e-5:
        raise ValueError(f"User-provided {name} does not match finite-differences to a relative tolerance of 1e-5.")
    if output is not None:
        print(f"User-provided {name} matches finite-differences.", file=output)
    return n_res


def check_norm(r, norm, eps=np.finfo(np.float64).eps ** 0.5, output=None):
    """ValueError unless gradient and Hessian of a norm agree with finite differences."""
    n = r.size
    r = r.reshape(n, 1)
    grad, hess = norm.grad_hess(r, np.eye(n))
    base = norm.value(r)
    steps = eps ** 0.5 * np.maximum(1.0, np.abs(r[:, 0]))
    grad_fd, hess_fd = np.zeros((n, 1)), np.zeros((n, n))
    for i in range(n):
        forward, backward = r.copy(), r.copy()
        forward[i] += steps[i]
        backward[i] -= steps[i]
        grad_fd[i] = (norm.value(forward) - norm.value(backward)) / (2 * steps[i])
        difference = norm.grad_hess(forward, np.eye(n))[0] - norm.grad_hess(backward, np.eye(n))[0]
        hess_fd[:, i] = difference.reshape(n) / (2 * steps[i])
    if not np.allclose(hess, hess.T):
        raise ValueError("norm Hessian is not symmetric")
    if np.linalg.eigvalsh(hess).min() < 0:
        raise ValueError("norm Hessian is not positive definite")
    for name, given, expected in (("gradient", grad, grad_fd), ("Hessian", hess, hess_fd)):
        worst = np.abs(given - expected).max() / max(1.0, np.abs(expected).max(), abs(base))
        if worst > 1e-5:
            raise ValueError(f"norm {name} does not match finite differences: error {worst:.3g}")
    if output is not None:
        print("User-provided norm gradient matches finite-differences.", file=output)
        print("User-provided norm Hessian matches finite-differences.", file=output)


# ---- the search ----


def _check_bounds(bounds, n):
    if bounds is None:
        return None
    if len(bounds) != 2:
        raise ValueError("bounds must have 2 elements.")
    lower, upper = (np.asarray(b, np.float64).reshape(-1, 1) for b in bounds)
    if lower.size != n or upper.size != n:
        raise ValueError("bounds must have the same size as x0.")
    if not (np.all(np.isfinite(lower)) and np.all(np.isfinite(upper))):
        raise ValueError("bounds must be finite.")
    if not np.all(lower < upper):
        raise ValueError("bounds[0] must be smaller than bounds[1].")
    return lower, upper


def _evaluator(residual, log):
    """The residual with its result checked, timed and counted."""

    def evaluate(x):
        start = time.time()
        r = residual(x)
        log["residual"] += time.time() - start
        log["Residual evals"] += x.shape[1]
        if not isinstance(r, np.ndarray) or r.dtype != np.float64:
            raise ValueError("residual function must return float64 arrays.")
        if r.shape[-1] != x.shape[1]:
            raise ValueError(f"residual must return a column per column of its argument, {x.shape[1]}, got shape {r.shape}")
        return r

    return evaluate


def _derivative(jacobian, evaluate, eps, bounds, log):
    """The user's Jacobian, timed and counted, or one by differences."""

    def derive(x, r):
        if jacobian is None:
            return jacobian_fd(evaluate, x, r, eps, 0, bounds)[0]
        start = time.time()
        J = jacobian(x, r)
        log["Jacobian"] += time.time() - start
        log["Jacobian evals"] += 1
        return J

    return derive


class _BoxSolver:
    """Solves min g dx + dx H dx / 2 in a box, starting from the last solution."""

    def __init__(self, n, bounds):
        self.bounds = bounds
        self.solution = np.zeros(n)
        self.factor = np.zeros(n * (n + 7))

    def solve(self, hess, grad, x):
        lower = upper = None
        if self.bounds is not None:
            lower, upper = ((b - x).reshape(-1) for b in self.bounds)
        rank = _core.mju_boxQP(self.solution, self.factor, None, hess, grad.reshape(-1), lower, upper)
        return None if rank < 0 else self.solution.copy().reshape(-1, 1)


def _free_norm(grad, x, bounds):
    """Norm of the gradient without the components that push against an active bound."""
    if bounds is None:
        return np.linalg.norm(grad)
    lower, upper = bounds
    blocked = ((x <= lower) & (grad > 0)) | ((x >= upper) & (grad < 0))
    return np.linalg.norm(grad[~blocked])


class _Damping:
    """The regularisation mu of the steps: raised after bad ones, lowered ever faster after good ones."""

    def __init__(self, smallest, largest, factor):
        self.smallest, self.largest, self.factor = smallest, largest, factor
        self.mu, self.reductions = 0.0, 0

    def rise(self):
        self.reductions = 0
        self.mu = max(self.smallest, self.factor * self.mu)

    def fall(self):
        self.mu *= (1.0 / self.factor) ** (2 ** self.reductions)
        self.reductions += 1
        if self.mu < self.smallest:
            self.mu = 0.0

    def adapt(self, ratio):
        """ratio: reduction of the objective over what the quadratic model expects."""
        if ratio > 0.75:
            self.fall()
        elif ratio < 0.25:
            self.rise()


class _Trace:
    """What least_squares tells: entries, lines, the caller's function."""

    def __init__(self, verbose, output, callback):
        self.verbose, self.output, self.callback = Verbosity(verbose), output, callback
        self.entries, self.start = [], time.time()

    def add(self, point, reduction, mu, J, grad, dx, ratio=None):
        x, r, objective = point
        entry = IterLog(x, objective, reduction, mu)
        if self.verbose is Verbosity.FULLITER:
            entry.residual, entry.jacobian, entry.grad, entry.step = r, J, grad, dx
        self.entries.append(entry)
        if self.verbose.value >= Verbosity.ITER.value and ratio is not None:
            print(f"iter: {len(self.entries) - 1:<4d} y: {objective:<10.4g} log10mu: {np.log10(mu) if mu else -np.inf:>4.1f}"
                  f"  ratio: {ratio:<7.2g}  dx: {np.linalg.norm(dx):<7.2g}  reduction: {reduction:<7.2g}", file=self.output)
        if self.callback is not None:
            self.callback(self.entries)

    def say_exact(self, grad):
        if not np.any(grad):  # said even where nothing else is
            print("Zero gradient norm: exact minimum found?", file=self.output)

    def close(self, status, iterations, y, log):
        """The last lines; log: evaluations and seconds."""
        if self.verbose.value < Verbosity.FINAL.value:
            return
        spent = max(time.time() - self.start, 1e-9)
        text = f"Terminated after {iterations} iterations: {_MESSAGES[status]} y: {y:<.4g}, Residual evals: {log['Residual evals']}"
        share = f"total time {1e3 * spent:.1f}ms of which residual {100 * log['residual'] / spent:.1f}%"
        if log["Jacobian evals"]:
            text += f", Jacobian evals: {log['Jacobian evals']}"
            share += f" Jacobian {100 * log['Jacobian'] / spent:.1f}%"
        print(text, share, sep="\n", file=self.output)


def _find_step(solver, damping, evaluate, norm, point, grad, hess):
    """A step that lowers the objective enough, with more damping until there is one.

    Returns (step, new point, None), or (None, None, reason).
    """
    x, _, y = point
    while True:
        dx = solver.solve(hess + damping.mu * np.eye(x.size), grad, x)
        failure = Status.FACTORIZATION_FAILED
        if dx is not None:
            r_new = evaluate(x + dx)
            y_new = norm.value(r_new)
            if y - y_new + 1e-2 * (grad.T @ dx).item() >= 0:
                return dx, (x + dx, r_new, y_new), None
            failure = Status.NO_IMPROVEMENT
        if damping.mu >= damping.largest:
            return None, None, failure
        damping.rise()


def least_squares(x0, residual, bounds=None, jacobian=None, norm=Quadratic(), eps=np.finfo(np.float64).eps ** 0.5,
                  mu_min=1e-6, mu_max=1e8, mu_factor=10.0 ** 0.1, xtol=1e-8, gtol=1e-8, max_iter=100,
                  verbose=Verbosity.ITER, output=None, iter_callback=None, check_derivatives=False):
    """Minimise the norm of a residual in a box; returns (x, list of IterLog).

    residual takes an (n, k) array of points and gives their (nr, k) residuals; jacobian(x, r) gives
    the (nr, n) Jacobian, by finite differences when None.
    """
    if mu_factor <= 1:
        raise ValueError("mu_factor must be > 1.")
    output = sys.stdout if output is None else output
    x = np.array(x0, np.float64).reshape(-1, 1)
    bounds = _check_bounds(bounds, x.size)
    if bounds is not None:
        x = np.clip(x, *bounds)
    log = {"residual": 0.0, "Residual evals": 0, "Jacobian": 0.0, "Jacobian evals": 0}
    evaluate = _evaluator(residual, log)
    derive = _derivative(jacobian, evaluate, eps, bounds, log)
    solver, damping = _BoxSolver(x.size, bounds), _Damping(mu_min, mu_max, mu_factor)
    trace, status = _Trace(verbose, output, iter_callback), Status.MAX_ITER
    r = evaluate(x)
    point = x, r, norm.value(r)
    if check_derivatives:
        if not isinstance(norm, Quadratic):
            check_norm(r, norm, output=output)
        if jacobian is not None:
            check_jacobian(evaluate, x, r, jacobian, eps, 0, bounds, output)

    J, grad, iteration = None, None, 0
    for iteration in range(max_iter):
        x, r, y = point
        J = derive(x, r)
        grad, hess = norm.grad_hess(r, J)
        grad = np.reshape(grad, (x.size, 1))
        if _free_norm(grad, x, bounds) <= gtol:
            status = Status.G_TOL
            trace.say_exact(grad)
            break
        dx, new, failure = _find_step(solver, damping, evaluate, norm, point, grad, hess)
        if failure is not None:
            status = failure
            break
        reduction = y - new[2]
        expected = -((grad.T @ dx) + 0.5 * dx.T @ hess @ dx).item()
        ratio = reduction / expected if expected else 0.0
        trace.add(point, reduction, damping.mu, J, grad, dx, ratio)
        if np.linalg.norm(dx) < xtol * (xtol + np.linalg.norm(x)):
            status = Status.DX_TOL
            break
        damping.adapt(ratio)
        point = new

    x, r, y = point
    if trace.verbose is Verbosity.FULLITER:
        J = derive(x, r)
        grad = np.reshape(norm.grad_hess(r, J)[0], (x.size, 1))
    trace.add(point, 0.0, damping.mu, J, grad, np.zeros((x.size, 1)))
    trace.close(status, iteration, y, log)
    return x.reshape(np.shape(x0)), trace.entries
