"""Rollouts, parameter sweeps, planning and vector environments on a Ray cluster (`pip install sinew-physics[ray]`).

    import sinew.ray

    cluster = sinew.ray.Cluster()                           # the cluster that Ray finds, or one on this machine
    sinew.ray.rollout(model, states, controls, executor=cluster, store="runs.zarr", progress=True)
    sinew.ray.sweep(model, {"mass[torso]": masses}, nstep=500, store="masses.parquet")
    sinew.ray.CEM(model, cost, horizon=50, samples=4096).act(data)
    env = sinew.ray.VectorEnv("Humanoid", 4096, size=512)

Results are the same bits for any number of workers, and those of a single process (sinew.shards). A worker that dies costs
its shard another try: a shard of rollouts is done again, a shard of an environment is restored and takes its last steps again.
All nodes need this package, for the same kind of processor if bits matter.
"""

import functools

import gymnasium
import numpy as np
import ray
from gymnasium.vector.utils import batch_space

from sinew import planning, shards, studies

_LOST = (ray.exceptions.WorkerCrashedError, ray.exceptions.RayActorError, ray.exceptions.NodeDiedError,
         ray.exceptions.ObjectLostError, ray.exceptions.OutOfMemoryError)


def _start(**options):
    """Join the cluster of RAY_ADDRESS, or start one on this machine, unless there is one."""
    if not ray.is_initialized():
        ray.init(**{"include_dashboard": False, "log_to_driver": False, **options})


@ray.remote(max_retries=0)
def _task(function, index, parts):
    return function(index, **parts)


class Cluster:
    """An executor of `sinew.shards` whose workers are tasks of Ray.

    workers: how many shards are worked on at once, as many as there are processors if None. cpus: of each, as Ray counts them.
    Further options are those of ray.init.
    """

    def __init__(self, workers=None, cpus=1, **options):
        _start(**options)
        self.room = workers or 2 * max(1, int(ray.cluster_resources().get("CPU", 1) // max(cpus, 1)))
        self._task = _task.options(num_cpus=cpus)
        self._function = None

    def begin(self, function):
        self._function = ray.put(function)  # models and the like go to the cluster once

    def submit(self, index, parts):
        return self._task.remote(self._function, index, parts)

    def wait(self, tickets):
        return ray.wait(tickets)[0]

    def result(self, ticket):
        try:
            return ray.get(ticket)
        except ray.exceptions.RayTaskError as error:  # the function's own exception
            raise error.as_instanceof_cause() from None
        except _LOST as lost:
            raise shards.WorkerLost(str(lost).splitlines()[0]) from lost

    def cancel(self, tickets):
        for ticket in tickets:
            ray.cancel(ticket, force=True)

    def close(self):
        self._function = None


def _on_cluster(function):
    """The same function, on a cluster unless another executor is given."""

    @functools.wraps(function)
    def call(*arguments, executor=None, **options):
        return function(*arguments, executor=executor or Cluster(), **options)

    return call


run = _on_cluster(shards.run)
rollout = _on_cluster(studies.rollout)
sweep = _on_cluster(studies.sweep)
CEM = _on_cluster(planning.CEM)
MPPI = _on_cluster(planning.MPPI)


# ---- environments ----


@ray.remote(max_restarts=0)
class _Worlds:
    """Some worlds of an environment."""

    def __init__(self, task, count, options):
        from sinew.envs import SuiteEnv
        from sinew.vector_env import VectorEnv as Plain

        self.env = SuiteEnv(task, count, **options) if isinstance(task, str) else Plain(task, count, **options)

    def spaces(self):
        return self.env.single_observation_space, self.env.single_action_space, self.env.metadata

    def work(self, name, options, save):
        saved = self.env.save_state() if save else None
        return getattr(self.env, name)(**options), saved

    def resume(self, saved, log):
        """Where the worlds were: a saved state, and the calls since."""
        if saved is not None:
            self.env.load_state(saved)
        for name, options in log:
            getattr(self.env, name)(**options)


class _Shard:
    """An actor with some of the worlds, and what it takes to make another like it: a state and the calls since."""

    EVERY = 32  # calls between saved states

    def __init__(self, make):
        self._make, self.actor = make, make()
        self._saved, self._log = None, []

    def call(self, name, **options):
        """Ask for something; `answer` fetches it."""
        self._asked = name, options
        self._ticket = self.actor.work.remote(name, options, len(self._log) >= self.EVERY)

    def answer(self, retries=3):
        while True:
            try:
                result, saved = ray.get(self._ticket)
                break
            except ray.exceptions.RayTaskError as error:  # the environment's own exception
                raise error.as_instanceof_cause() from None
            except _LOST:
                if retries == 0:
                    raise
                retries -= 1
            self.actor = self._make()
            self.actor.resume.remote(self._saved, self._log)  # an actor works in the order in which it is asked
            self.call(*self._asked[:1], **self._asked[1])
        if saved is not None:
            self._saved, self._log = saved, []
        self._log.append(self._asked)
        return result


def _merge(infos, counts):
    """Infos of shards side by side; zeros where a shard says nothing."""
    merged = {}
    for key in dict.fromkeys(key for info in infos for key in info):
        first = next(info[key] for info in infos if key in info)
        if isinstance(first, dict):
            merged[key] = _merge([info.get(key, {}) for info in infos], counts)
            continue
        empty = None if first.dtype == object else 0
        parts = [info[key] if key in info else np.full((count, *first.shape[1:]), empty, first.dtype)
                 for info, count in zip(infos, counts)]
        merged[key] = np.concatenate(parts)
    return merged


class VectorEnv(gymnasium.vector.VectorEnv):
    """A task of `sinew.envs`, or a model for `sinew.vector_env`, with its worlds on a cluster.

    size: worlds of one worker; options are those of the environment. Observations, rewards, ends and infos are those of the
    environment in one process, world for world.
    """

    def __init__(self, task, num_envs, *, size=64, cpus=1, **options):
        _start()
        options = {"device": "cpu", "threads": max(1, int(cpus)), **options}
        firsts = range(0, num_envs, size)
        self._parts = [slice(first, min(first + size, num_envs)) for first in firsts]
        self._counts = [part.stop - part.start for part in self._parts]
        task = ray.put(task)
        worlds = _Worlds.options(num_cpus=cpus)
        self._shards = [_Shard(functools.partial(worlds.remote, task, count, options)) for count in self._counts]
        found = ray.get(self._shards[0].actor.spaces.remote())
        self.single_observation_space, self.single_action_space, self.metadata = found
        self.num_envs, self._seeded = num_envs, False
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed=None, options=None):
        """Start new episodes: see `sinew.vector_env.VectorEnv.reset`."""
        if seed is None and not self._seeded:  # drawn here, so that a worker that is lost can be given it again
            seed = int(np.random.SeedSequence().generate_state(1)[0])
        self._seeded = True
        seeds = [seed + i for i in range(self.num_envs)] if np.ndim(seed) == 0 and seed is not None else seed
        mask = (options or {}).get("reset_mask")
        for shard, part in zip(self._shards, self._parts):
            shard.call("reset", seed=None if seeds is None else seeds[part],
                       options=None if mask is None else {"reset_mask": np.asarray(mask, bool)[part]})
        observations, infos = zip(*(shard.answer() for shard in self._shards))
        return np.concatenate(observations), _merge(infos, self._counts)

    def step(self, actions):
        """Step all worlds."""
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(f"actions must have the shape {self.action_space.shape}, got {actions.shape}")
        for shard, part in zip(self._shards, self._parts):
            shard.call("step", actions=actions[part])
        *arrays, infos = zip(*(shard.answer() for shard in self._shards))
        return *(np.concatenate(array) for array in arrays), _merge(infos, self._counts)

    def close_extras(self, **options):
        """End the workers."""
        for shard in self._shards:
            ray.kill(shard.actor)
