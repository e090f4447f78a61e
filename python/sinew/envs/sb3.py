"""Vector environments for stable-baselines3.

    env = SB3Env(SuiteEnv("HalfCheetah", 64, autoreset="SameStep"))
    model = stable_baselines3.PPO("MlpPolicy", VecMonitor(env)).learn(1_000_000)
"""

import numpy as np
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from sinew.vector_env import VectorEnv


class SB3Env(VecEnv):
    """A VectorEnv of Sinew that starts ended episodes again in the same step, as stable-baselines3 expects.

    The infos of a world are empty but in the last step of an episode, when they have its last observation, whether it was
    cut off, and what the task said.
    """

    def __init__(self, env):
        if not isinstance(env, VectorEnv):
            raise TypeError('a VectorEnv of Sinew is expected, such as SuiteEnv("Hopper", 64, autoreset="SameStep"), '
                            f"got {type(env).__name__}")
        if env.autoreset != AutoresetMode.SAME_STEP:
            raise ValueError('stable-baselines3 needs an environment made with autoreset="SameStep"')
        self.env = env
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)
        self.render_mode = "rgb_array"

    def reset(self):
        """Start new episodes in all worlds."""
        observations, _ = self.env.reset(seed=self._seeds[0])
        self._reset_seeds()
        return observations

    def step_async(self, actions):
        """Remember the actions."""
        self._actions = actions

    def step_wait(self):
        """Step all worlds."""
        observations, rewards, terminated, truncated, said = self.env.step(self._actions)
        ended = terminated | truncated
        infos = [{} for _ in range(self.num_envs)]
        for i in np.flatnonzero(ended):
            final = {key: values[i] for key, values in said["final_info"].items()
                     if not key.startswith("_") and said["final_info"]["_" + key][i]}
            infos[i] = {**final, "terminal_observation": said["final_obs"][i],
                        "TimeLimit.truncated": bool(truncated[i] and not terminated[i])}
        for key in ("bad_action", "failed"):
            for i in np.flatnonzero(said.get(key, ())):
                infos[i][key] = True
        return observations, rewards.astype(np.float32), ended, infos

    def close(self):
        """Nothing to release."""
        self.env.close()

    def _worlds(self, indices):
        return list(self._get_indices(indices))

    def get_attr(self, attr_name, indices=None):
        """The same attribute for every world."""
        return [getattr(self.env, attr_name)] * len(self._worlds(indices))

    def set_attr(self, attr_name, value, indices=None):
        """Set an attribute, which all worlds share."""
        setattr(self.env, attr_name, value)

    def env_method(self, method_name, *arguments, indices=None, **options):
        """Call a method once, for all worlds."""
        return [getattr(self.env, method_name)(*arguments, **options)] * len(self._worlds(indices))

    def env_is_wrapped(self, wrapper_class, indices=None):
        """No world is wrapped on its own."""
        return [False] * len(self._worlds(indices))

    def get_images(self):
        """Images of all worlds."""
        return list(self.env.render())
