"""Rollouts and parameter sweeps in shards: in this process, in many, or on a cluster (sinew.shards, sinew.ray)."""

import dataclasses
import hashlib

import numpy as np

from sinew import _core, rollout as _rollout, shards
from sinew.batch import Batch
from sinew.parameters import Parameters


def _fingerprint(*parts):
    """A short name of a job: of models, arrays, names and functions."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, _core.MjModel):
            part = part._to_bytes()
        elif isinstance(part, np.ndarray):
            part = str((part.dtype, part.shape)).encode() + np.ascontiguousarray(part).tobytes()
        elif callable(part):
            part = part.__qualname__.encode() if hasattr(part, "__qualname__") else type(part).__qualname__.encode()
        else:
            part = repr(part).encode()
        digest.update(len(part).to_bytes(8, "little") + part)
    return digest.hexdigest()[:16]


@dataclasses.dataclass
class _Rollout:
    """Rollouts of some items."""

    model: object
    nstep: int
    threads: int
    key: str = "rollout"

    def __call__(self, index, initial_state, control=None):
        data = [_core.MjData(self.model) for _ in range(self.threads)]
        state, sensordata = _rollout.rollout(self.model, data, initial_state, control, nstep=self.nstep)
        return {"state": state, "sensordata": sensordata}


def rollout(model, initial_state, control=None, *, nstep=None, size=64, executor=None, store=None, progress=False, threads=1):
    """`sinew.rollout` in shards: trajectories from states (n, nstate) under controls (n, nstep, nu).

    A dict with state (n, nstep, nstate) and sensordata (n, nstep, nsensordata), or the store that has them. threads: of each
    worker.
    """
    items = {"initial_state": np.atleast_2d(np.asarray(initial_state, np.float64))}
    if control is not None:
        items["control"] = np.asarray(control, np.float64)
        if items["control"].ndim != 3:
            raise ValueError(f"control should be of shape (n, nstep, nu), got {items['control'].shape}")
        nstep = items["control"].shape[1]
        if len(items["initial_state"]) == 1:
            items["initial_state"] = np.repeat(items["initial_state"], len(items["control"]), axis=0)
    if nstep is None:
        raise ValueError("without controls the number of steps, nstep, is needed")
    work = _Rollout(model, nstep, threads)
    key = _fingerprint("rollout", model, nstep, *items.values())
    return shards.run(work, items, size=size, executor=executor, store=store, key=key, progress=progress)


@dataclasses.dataclass
class _Sweep:
    """Worlds with parameters of their own."""

    model: object
    names: list
    nstep: int
    measure: object
    control: object
    seed: object
    scale: float
    threads: int
    key: str = "sweep"

    def __call__(self, index, values):
        batch = Batch(self.model, len(index), device="cpu", threads=self.threads)
        Parameters(self.model, self.names).apply(batch, values)
        batch.reset()
        if self.seed is not None:
            batch.perturb(shards.seeds(self.seed, index), self.scale)
        if self.control is None:
            batch.step(self.nstep)
        else:
            batch.step(self.nstep, np.repeat(self.control[:, None], len(index), axis=1))
        result = {"qpos": np.array(batch.qpos), "qvel": np.array(batch.qvel)} if self.measure is None else self.measure(batch)
        return {"failed": batch.failures > 0, **result}


def sweep(model, parameters, *, nstep, measure=None, control=None, seed=None, scale=0.01, size=64, executor=None, store=None,
          progress=False, threads=1):
    """One world for each row of parameters, stepped nstep times, then measured.

    parameters: names of `sinew.parameters` and arrays, (n,), or (n, k) where a name stands for k numbers. measure(batch): a
    dict of arrays with one row per world; qpos and qvel if None. control: (nstep, nu) for all. seed: noise of size scale on
    the starts, from the seed and the number of the row alone. failed says in which worlds a step failed.
    """
    names = list(parameters)
    columns = [np.asarray(values, np.float64) for values in parameters.values()]
    values = np.concatenate([column.reshape(len(column), -1) for column in columns], axis=1)
    chosen = Parameters(model, names)
    if values.shape[1] != chosen.size:
        raise ValueError(f"there should be {chosen.size} columns of parameters ({', '.join(chosen.labels)}), got {values.shape[1]}")
    if control is not None:
        control = np.asarray(control, np.float64)
        if control.shape != (nstep, model.nu):
            raise ValueError(f"control should be of shape {(nstep, model.nu)}, got {control.shape}")
    work = _Sweep(model, names, nstep, measure, control, seed, scale, threads)
    key = _fingerprint("sweep", model, names, values, nstep, control, seed, scale, measure)
    return shards.run(work, {"values": values}, size=size, executor=executor, store=store, key=key, progress=progress)
