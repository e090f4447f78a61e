"""Planning by sampling: the cross-entropy method (CEM) and model predictive path integral control (MPPI).

    def cost(states, controls):                       # (n, T, nstate) after each step, (n, T, nu): one number per sample
        return np.square(states[:, :, 1]).sum(axis=1)

    planner = MPPI(model, cost, horizon=50, samples=256)
    data.ctrl[:] = planner.act(data)                  # the first control of the plan, which is shifted for the next call

Samples are rolled out in shards, in this process or by any executor of `sinew.shards` or `sinew.ray`; costs are computed where
the rollouts are. The noise of a sample depends on the seed, the iteration and the sample's number, and sums are taken in the
order of the samples, so that plans are the same bits for any number of workers.
"""

import dataclasses

import numpy as np

from sinew import _core, rollout, shards
from sinew._enums import mjtState

_FULL = mjtState.mjSTATE_FULLPHYSICS.value


@dataclasses.dataclass
class _Trial:
    """Costs of some samples."""

    model: object
    cost: object
    state: object
    mean: object
    spread: object
    limits: object
    seed: int
    iteration: int
    key: str = "plan"

    def controls(self, index):
        """(n, T, nu); the first sample is the mean itself."""
        result = np.empty((len(index), *self.mean.shape))
        for row, i in zip(result, index):
            noise = shards.generator(self.seed, self.iteration, i).standard_normal(self.mean.shape) if i else 0.0
            row[:] = np.clip(self.mean + self.spread * noise, *self.limits)
        return result

    def __call__(self, index):
        controls = self.controls(index)
        states, _ = rollout.rollout(self.model, _core.MjData(self.model), self.state[None], controls)
        return {"cost": np.asarray(self.cost(states, controls), np.float64)}


class Planner:
    """What the two methods share. spread: standard deviation of the noise, of each control or one for all."""

    def __init__(self, model, cost, *, horizon, samples=256, iterations=1, spread=0.3, seed=0, size=64, executor=None):
        if samples < 2 or horizon < 1:
            raise ValueError("a plan needs two samples and one step at least")
        self.model, self.cost, self.samples, self.iterations = model, cost, samples, iterations
        self.seed, self.size, self.executor = seed, size, executor
        self.spread = np.broadcast_to(np.asarray(spread, np.float64), (horizon, model.nu)).copy()
        self.mean = np.zeros((horizon, model.nu))
        limited = model.actuator_ctrllimited.astype(bool)[:, None]
        self._limits = np.where(limited, model.actuator_ctrlrange, [-np.inf, np.inf]).T
        self._calls, self._wide = 0, self.spread

    def plan(self, data, progress=False):
        """Improve the controls (horizon, nu) from the state of data."""
        state = np.empty(_core.mj_stateSize(self.model, _FULL))
        _core.mj_getState(self.model, data, state, _FULL)
        self.spread = self._wide
        for _ in range(self.iterations):
            trial = _Trial(self.model, self.cost, state, self.mean, self.spread, self._limits, self.seed, self._calls)
            costs = shards.run(trial, self.samples, size=self.size, executor=self.executor, progress=progress)["cost"]
            self._improve(np.where(np.isfinite(costs), costs, np.inf), trial)
            self._calls += 1
        return self.mean

    def act(self, data):
        """The first control of a new plan; the rest of it is where the next one starts."""
        control = self.plan(data)[0].copy()
        self.mean = np.concatenate([self.mean[1:], self.mean[-1:]])
        return control


class CEM(Planner):
    """The mean and the spread of the best samples, again and again."""

    def __init__(self, model, cost, *, elites=0.1, iterations=4, smallest=0.01, **options):
        super().__init__(model, cost, iterations=iterations, **options)
        self.elites, self.smallest = max(2, round(elites * self.samples)), smallest

    def _improve(self, costs, trial):
        best = trial.controls(np.argsort(costs, kind="stable")[: self.elites])
        self.mean, self.spread = best.mean(axis=0), np.maximum(best.std(axis=0), self.smallest)


class MPPI(Planner):
    """The mean of all samples by weights exp(-cost / temperature); the temperature is relative to the spread of the costs."""

    def __init__(self, model, cost, *, temperature=0.1, **options):
        super().__init__(model, cost, **options)
        self.temperature = temperature

    def _improve(self, costs, trial):
        finite = costs[np.isfinite(costs)]
        if not finite.size:
            return
        scale = self.temperature * max(finite.std(), 1e-12)
        weights = np.exp(-(costs - finite.min()) / scale)
        weights /= weights.sum()
        useful = np.flatnonzero(weights > 1e-9)
        self.mean = np.einsum("n,ntu->tu", weights[useful], trial.controls(useful))
