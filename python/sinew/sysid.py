"""System identification: parameters of a model from recordings of how the real thing moved.

    recording = Recording(control, {"qpos": positions}, qpos=start)          # or times=..., {"sensor:gyro": ...}
    result = fit(model, [recording], [Parameter("mass[forearm]", 0.1, 3), Parameter("dof_damping[elbow]", 0.01, 2)])
    print(result)                    # values, standard errors, what could not be told apart
    result.write(model)

Residuals are the differences of simulated and recorded signals, over all recordings; `sinew.minimize` finds the parameters in
their bounds by Gauss-Newton steps. All trajectories of a Jacobian, by central differences, run side by side in one batch.
Parameters are those of `sinew.parameters`. The purpose is that of MuJoCo's toolbox of this name, the interface is not.
"""

import dataclasses

import numpy as np

from sinew import _core, minimize
from sinew._enums import mjtObj
from sinew.batch import Batch
from sinew.parameters import Parameters

_STATES = ("qpos", "qvel", "act")


@dataclasses.dataclass
class Parameter:
    """A parameter and its bounds; start: where to begin, the model's own value if None. Bounds may be arrays."""

    name: str
    lower: object
    upper: object
    start: object = None


@dataclasses.dataclass
class Recording:
    """What was done and what was seen.

    control: (n, nu). measured: signals by name, (n,) or (n, width): "qpos", "qvel", "act", or "sensor:" and the name of a
    sensor; NaN where there is no measurement. qpos, qvel, act: the state at the beginning, that of the model if None.
    times: (n,), of the samples: controls are held from each on, signals are those of that time, and the state is that of
    the first. Without times there is a sample per step, with the numbers that mj_step leaves: the control, the state after the
    step, and the sensors as they were before it.
    """

    control: np.ndarray
    measured: dict
    qpos: np.ndarray = None
    qvel: np.ndarray = None
    act: np.ndarray = None
    times: np.ndarray = None


class _Plan:
    """A recording in steps of the model: the controls of each, and when it was measured."""

    def __init__(self, model, recording):
        self.recording, step = recording, model.opt.timestep
        control = np.asarray(recording.control, np.float64)
        control = control.reshape(len(control), -1)
        if control.shape[1] != model.nu:
            raise ValueError(f"control should be of shape (n, {model.nu}), got {control.shape}")
        count = len(control)
        if recording.times is None:
            self.control, self.lag, self.when = control, 1, np.arange(1.0, count + 1)
        else:
            times = np.asarray(recording.times, np.float64)
            if times.shape != (count,) or not (np.diff(times) > 0).all():
                raise ValueError(f"times should be {count} numbers that rise")
            self.when, self.lag = (times - times[0]) / step, 0  # in steps
            starts = np.arange(max(1, int(np.ceil(self.when[-1] - 1e-9))))
            self.control = control[np.searchsorted(self.when, starts + 1e-9, side="right") - 1]
        self.measured = {name: np.asarray(values, np.float64) for name, values in recording.measured.items()}
        for name, values in self.measured.items():
            if len(values) != count:
                raise ValueError(f"{name!r} should have {count} samples, has {len(values)}")


def _signal(model, name):
    """Field of a batch and the part of it that a signal is."""
    if name in _STATES:
        return name, slice(None)
    kind, _, sensor = name.partition(":")
    if kind != "sensor":
        raise ValueError(f"no signal {name!r}: expected qpos, qvel, act or sensor:NAME")
    index = model.sensor(sensor).id
    first = int(model.sensor_adr[index])
    return "sensordata", slice(first, first + int(model.sensor_dim[index]))


def _between(series, when):
    """Series (k, steps + 1, width) at times in steps, straight lines between them."""
    low = np.minimum(when.astype(int), series.shape[1] - 2)
    share = (when - low)[None, :, None]
    return (1 - share) * series[:, low] + share * series[:, low + 1]


class Problem:
    """Residuals of recordings as a function of parameters. weights: of signals by name, 1 / noise makes errors meaningful."""

    def __init__(self, model, recordings, parameters, *, weights=None, threads=0):
        self.model, self.threads, self.weights = model, threads, dict(weights or {})
        recordings = [recordings] if isinstance(recordings, Recording) else list(recordings)
        for parameter in parameters:
            if not isinstance(parameter, Parameter):
                raise TypeError(f"parameters are given as sysid.Parameter(name, lower, upper), got {type(parameter).__name__}")
        self._plans = [_Plan(model, recording) for recording in recordings]
        self.parameters = Parameters(model, [parameter.name for parameter in parameters])
        self.lower, self.upper, self.start = self._bounds(parameters)
        names = dict.fromkeys(name for plan in self._plans for name in plan.measured)
        if not names:
            raise ValueError("nothing was measured")
        unknown = set(self.weights) - set(names)
        if unknown:
            raise ValueError(f"weights of signals that were not measured: {', '.join(sorted(unknown))}")
        self._signals = {name: _signal(model, name) for name in names}
        self._steps = max(len(plan.control) for plan in self._plans)
        self._batches = {}

    def _bounds(self, parameters):
        found = []
        for parameter in parameters:
            own = Parameters(self.model, [parameter.name]).values()
            start = own if parameter.start is None else parameter.start
            rows = [np.broadcast_to(np.asarray(part, np.float64), own.shape) for part in (parameter.lower, parameter.upper, start)]
            if not (rows[0] < rows[1]).all():
                raise ValueError(f"{parameter.name}: the lower bound should be below the upper one")
            found.append(rows)
        return (np.concatenate(part) for part in zip(*found))

    # ---- simulation ----

    def simulate(self, values):
        """Signals under each row of values, (k, size): for each recording a dict of (k, steps + 1, width), the start first."""
        values = np.atleast_2d(np.asarray(values, np.float64))
        k, plans = len(values), self._plans
        batch = self._batch(k * len(plans))
        self.parameters.apply(batch, np.repeat(values, len(plans), axis=0))
        self._place(batch, k)
        control = np.zeros((self._steps, len(plans), self.model.nu))
        for i, plan in enumerate(plans):
            control[: len(plan.control), i] = plan.control
            control[len(plan.control):, i] = plan.control[-1]
        batch.forward()
        width = {name: batch.field(field)[:, part].shape[1] for name, (field, part) in self._signals.items()}
        series = {name: np.empty((batch.nworld, self._steps + 1, width[name])) for name in self._signals}
        failed = np.zeros(batch.nworld, bool)
        for step in range(self._steps + 1):
            self._record(batch, series, step, before=True)
            if step < self._steps:
                batch.step(1, np.tile(control[step], (k, 1)))
                self._record(batch, series, step, before=False)
                failed |= batch.terminated
            else:
                batch.forward()
                self._record(batch, series, step, before=False)
        for found in series.values():
            found[failed] = np.nan
        shaped = {name: found.reshape(k, len(plans), *found.shape[1:]) for name, found in series.items()}
        return [{name: shaped[name][:, i] for name in plan.measured} for i, plan in enumerate(plans)]

    def _record(self, batch, series, step, before):
        """States are those at the beginning of a step; sensors show the same state, but only after it."""
        for name, (field, part) in self._signals.items():
            if (field != "sensordata") == before:
                series[name][:, step] = batch.field(field)[:, part]

    def _batch(self, count):
        if count not in self._batches:
            if len(self._batches) > 3:
                self._batches.pop(next(iter(self._batches)))
            self._batches[count] = Batch(self.model, count, device="cpu", threads=self.threads)
        return self._batches[count]

    def _place(self, batch, k):
        batch.reset()
        for name in _STATES:
            for i, plan in enumerate(self._plans):
                start = getattr(plan.recording, name)
                if start is not None:
                    batch.field(name)[i :: len(self._plans)] = start

    # ---- residuals ----

    def residuals(self, values):
        """(k, number of measurements) under each row of values; infinite where a simulation failed."""
        parts = []
        for plan, found in zip(self._plans, self.simulate(values)):
            for name, measured in plan.measured.items():
                when = plan.when - (plan.lag if name.startswith("sensor:") else 0)
                there = _between(found[name], np.minimum(when, len(plan.control)))
                measured = measured.reshape(len(measured), -1)
                if measured.shape[1] != there.shape[2]:
                    raise ValueError(f"{name!r} should have {there.shape[2]} columns, has {measured.shape[1]}")
                difference = np.where(np.isnan(there), np.inf, there) - measured
                parts.append(difference[:, ~np.isnan(measured)] * self.weights.get(name, 1.0))
        return np.concatenate(parts, axis=1)

    def jacobian(self, values, eps=1e-6):
        """Derivatives of the residuals by the parameters, (number of measurements, size): central differences with steps of
        eps of the distance between the bounds, inside of them; zero where a trial fails."""
        steps = eps * (self.upper - self.lower)
        up, down = np.minimum(values + steps, self.upper), np.maximum(values - steps, self.lower)
        size = len(values)
        trials = np.tile(values, (2 * size, 1))
        trials[np.arange(size), np.arange(size)] = up
        trials[size + np.arange(size), np.arange(size)] = down
        found = self.residuals(trials)
        with np.errstate(invalid="ignore"):
            change = (found[:size] - found[size:]) / (up - down)[:, None]
        return np.where(np.isfinite(change), change, 0).T


class Result:
    """What was found: values by the labels of `parameters`, residuals, Jacobian, and what they say of the errors."""

    def __init__(self, problem, values, log):
        self.problem, self.values, self.log = problem, values, log
        self.labels = problem.parameters.labels
        self.residuals, self.jacobian = problem.residuals(values)[0], problem.jacobian(values)
        self.rms = float(np.sqrt(np.mean(np.square(self.residuals))))
        self.at_bounds = np.isclose(values, problem.lower, rtol=1e-9, atol=0) | np.isclose(values, problem.upper, rtol=1e-9, atol=0)
        self.covariance, self.errors = self._errors()

    def _errors(self):
        """Covariance s^2 (J'J)^-1 with the variance of the residuals, and standard errors; infinite where the residuals
        hardly depend on a combination of parameters."""
        width = self.problem.upper - self.problem.lower
        _, sizes, axes = np.linalg.svd(self.jacobian * width, full_matrices=False)
        known = sizes > 1e-9 * max(sizes[0] if sizes.size else 0, 1e-300)
        freedom = max(1, len(self.residuals) - known.sum())
        scaled = (axes[known].T / sizes[known] ** 2) @ axes[known]
        covariance = scaled * np.outer(width, width) * (self.residuals @ self.residuals / freedom)
        errors = np.sqrt(np.diag(covariance))
        errors[(np.square(axes[~known]).sum(axis=0) > 1e-6)] = np.inf
        return covariance, errors

    def __getitem__(self, label):
        return self.values[self.labels.index(label)]

    def write(self, model):
        """Put the values into a model."""
        self.problem.parameters.write(model, self.values)

    def __str__(self):
        rows = [f"{label:<32} {value:12.6g} ± {error:<10.3g}{' at a bound' if bound else ''}"
                for label, value, error, bound in zip(self.labels, self.values, self.errors, self.at_bounds)]
        return "\n".join([*rows, f"root mean square of {len(self.residuals)} residuals: {self.rms:.4g}"])


def fit(model, recordings, parameters, *, weights=None, max_iter=50, verbose=minimize.Verbosity.SILENT, threads=0):
    """Parameters in their bounds that make simulations most like the recordings, as a Result."""
    problem = Problem(model, recordings, parameters, weights=weights, threads=threads)
    width = problem.upper - problem.lower

    def values(x):
        return problem.lower + np.clip(x.reshape(len(width), -1).T, 0, 1) * width

    def residual(x):
        return np.ascontiguousarray(problem.residuals(values(x)).T)

    def jacobian(x, r):
        return problem.jacobian(values(x)[0]) * width

    start = (np.clip(problem.start, problem.lower, problem.upper) - problem.lower) / width
    if not np.isfinite(problem.residuals(values(start))).all():
        raise ValueError("the simulation fails with the parameters at the start: choose others")
    x, log = minimize.least_squares(start, residual, bounds=[np.zeros(len(width)), np.ones(len(width))], jacobian=jacobian,
                                    max_iter=max_iter, verbose=verbose)
    return Result(problem, values(x)[0], log)
