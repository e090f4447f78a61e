"""Plays a Gymnasium environment with seeded random actions and saves what it observes.

    gym_record.py ENVIRONMENT STEPS OUT.npz NOISE [sinew]

With the last argument Sinew stands in for the `mujoco` module; nothing else differs. NOISE is added
to the first velocities.
"""

import sys

import numpy as np


def play(name, steps, noise):
    import gymnasium

    env = gymnasium.make(name).unwrapped
    observation, _ = env.reset(seed=7)
    env.action_space.seed(11)
    env.data.qvel[:] += noise
    observations, rewards, states = [observation], [], [np.concatenate([env.data.qpos, env.data.qvel])]
    for _ in range(steps):
        observation, reward, terminated, _, _ = env.step(env.action_space.sample())
        observations.append(observation)
        rewards.append(reward)
        states.append(np.concatenate([env.data.qpos, env.data.qvel]))
        if terminated:
            env.reset()
    return {"observations": observations, "rewards": rewards, "states": states, "engine": type(env.data).__module__}


def main():
    name, steps, out, noise = sys.argv[1:5]
    if sys.argv[5:] == ["sinew"]:
        from sinew import standin

        standin.install()
    np.savez(out, **play(name, int(steps), float(noise)))


main()
