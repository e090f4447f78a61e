"""Plays tasks of dm_control's suite with seeded random actions and saves what they observe.

    dm_record.py OUT.npz STEPS sinew|mujoco DOMAIN/TASK...

With `sinew` it stands in for the `mujoco` module, through which dm_control reaches its physics.
"""

import os
import sys

import numpy as np


def play(task, steps):
    from dm_control import suite

    env = suite.load(*task.split("/"), task_kwargs={"random": 0})
    spec, random = env.action_spec(), np.random.RandomState(0)
    env.reset()
    found = []
    for _ in range(steps):
        step = env.step(random.uniform(spec.minimum, spec.maximum))
        found.append(np.concatenate([np.ravel(value) for value in step.observation.values()] + [[step.reward]]))
    return np.array(found)


def main():
    out, steps, engine = sys.argv[1:4]
    os.environ["MUJOCO_GL"] = "disabled"
    if engine == "sinew":
        from sinew import standin

        standin.install()
    np.savez(out, **{task.replace("/", "__"): play(task, int(steps)) for task in sys.argv[4:]})


main()
