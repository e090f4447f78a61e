"""Gymnasium's MuJoCo suite in many worlds: random actions, and how many steps a second that gives.

    python gymnasium_suite.py [--task Hopper] [--worlds 64] [--steps 200]
"""

import argparse
import time

import gymnasium
import sinew.envs  # noqa: F401  registers the tasks

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--task", default="Hopper")
parser.add_argument("--worlds", type=int, default=64)
parser.add_argument("--steps", type=int, default=200)
options = parser.parse_args()

env = gymnasium.make_vec(f"sinew/{options.task}-v5", num_envs=options.worlds)
env.action_space.seed(0)
env.reset(seed=0)
episodes, total = 0, 0.0
start = time.perf_counter()
for _ in range(options.steps):
    observations, rewards, terminated, truncated, infos = env.step(env.action_space.sample())
    episodes += (terminated | truncated).sum()
    total += rewards.sum()
seconds = time.perf_counter() - start
print(f"{options.task}: {options.worlds * options.steps / seconds:.0f} steps/s, {episodes} episodes ended, "
      f"reward {total / options.worlds / options.steps:.3f} a step")
