"""Vector environments: the tasks of sinew.envs against Gymnasium's own, and what an environment costs over its Batch.

Throughput: the same tasks, numbers of worlds, seeds and actions through sinew.envs, SyncVectorEnv and AsyncVectorEnv of
Gymnasium, which run MuJoCo, and EnvPool, which runs a MuJoCo of its own in C++ with as many threads as we have; steps of
worlds per second by the wall clock, taken in turns, medians. Overhead: the processor's time of env.step at one world over that
of Batch.step of the same steps of physics from the same states, the least of several turns.
"""

import argparse
import json
import os
import pathlib
import statistics
import time

import gymnasium
import numpy as np
import sinew.envs
from gymnasium.vector import AsyncVectorEnv, SyncVectorEnv
from report import processor
from sinew.envs import SuiteEnv

try:
    import envpool
except ImportError:
    envpool = None


class Pool:
    """EnvPool's tasks, called like the others."""

    def __init__(self, name, worlds):
        self.num_envs = worlds
        self.env = envpool.make(f"{name}-v5", env_type="gymnasium", num_envs=worlds, num_threads=os.cpu_count(), seed=0)

    def reset(self, seed):
        self.env.reset()

    def step(self, actions):
        self.env.step(actions.astype(np.float64))

    def close(self):
        self.env.close()


def throughput(env, steps, actions):
    env.reset(seed=0)
    env.step(actions[0])
    start = time.perf_counter()
    for k in range(steps):
        env.step(actions[k % len(actions)])
    return steps * env.num_envs / (time.perf_counter() - start)


def compare(name, worlds, steps, repeats):
    """Steps per second of the three, taken in turns."""
    make = [lambda: gymnasium.make(f"{name}-v5")] * worlds
    envs = {"sinew": SuiteEnv(name, worlds, device="cpu"), "sync": SyncVectorEnv(make), "async": AsyncVectorEnv(make)}
    if envpool:
        envs["pool"] = Pool(name, worlds)
    random = np.random.default_rng(0)
    space = envs["sinew"].single_action_space
    actions = random.uniform(space.low, space.high, (8, worlds, *space.shape)).astype(np.float32)
    turns = [{key: throughput(env, steps, actions) for key, env in envs.items()} for _ in range(repeats)]
    for env in envs.values():
        env.close()
    return {key: statistics.median(turn[key] for turn in turns) for key in envs}


def overhead(name, steps=300, repeats=7):
    """Processor seconds of a step at one world: of the environment, and of its batch."""
    options = {"terminate_when_unhealthy": False} if name in ("Hopper", "Walker2d", "Ant", "Humanoid") else {}
    env = SuiteEnv(name, 1, threads=1, device="cpu", max_episode_steps=1 << 40, **options)
    action = np.full((1, env.model.nu), 0.05, np.float32)

    def lap(step):
        env.reset(seed=0)
        start = time.process_time()
        for _ in range(steps):
            step()
        return (time.process_time() - start) / steps

    pairs = [(lap(lambda: env.step(action)), lap(lambda: env.batch.step(env.frame_skip, action))) for _ in range(repeats)]
    return [min(times) for times in zip(*pairs)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/bench"))
    parser.add_argument("--worlds", type=int, default=32)
    parser.add_argument("--steps", type=int, default=100)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--only", default="", help="part of a task's name")
    options = parser.parse_args()
    print(f"vector environments, {options.worlds} worlds: {processor()}, {os.cpu_count()} processors, "
          f"load {os.getloadavg()[0]:.1f}")
    print(f"{'task':<24}{'steps/s':>10}{'Sync':>10}{'Async':>10}{'EnvPool':>10}{'ratios':>21}{'us at one':>11}{'overhead':>10}")
    rows = []
    for name in sinew.envs.NAMES:
        if options.only not in name:
            continue
        speed = compare(name, options.worlds, options.steps, options.repeats)
        env, batch = overhead(name)
        rows.append({"task": name, **speed, "us_env": env * 1e6, "us_batch": batch * 1e6})
        others = [speed.get(key, np.nan) for key in ("sync", "async", "pool")]
        print(f"{name:<24}{speed['sinew']:>10.0f}" + "".join(f"{other:>10.0f}" for other in others)
              + "".join(f"{speed['sinew'] / other:>7.2f}" for other in others)
              + f"{env * 1e6:>11.1f}{100 * (env / batch - 1):>9.0f}%", flush=True)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "envs.json").write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
