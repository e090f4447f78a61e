"""A `gymnasium.vector.VectorEnv` for any MJCF model, over a Batch.

    def reward(batch):                 # one number per world
        return batch.qvel[:, 0]

    env = sinew.vector_env.VectorEnv("hopper.xml", 1024, frame_skip=4, reward=reward)
    observations, infos = env.reset(seed=0)
    observations, rewards, terminated, truncated, infos = env.step(env.action_space.sample())

Actions are the controls. Observations are qpos and qvel, or what `observation(batch)` gives. A world
that fails ends its episode as if `terminated` had said so. Importing this module registers the
environment: `gymnasium.make_vec("Sinew-v0", num_envs=1024, model="hopper.xml")`.
"""

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from sinew import _core
from sinew.batch import Batch


def _default_observation(batch):
    return np.hstack([batch.qpos, batch.qvel])


def _default_reset(batch, mask, seeds):
    """Reset the masked worlds, with a little noise."""
    batch.reset(mask)
    if mask.any():
        batch.perturb(seeds, 0.005, mask)


def _rows(values, mask):
    """The masked rows, one object each, as Gymnasium wants them."""
    rows = np.full(len(values), None, object)
    for i in np.flatnonzero(mask):
        rows[i] = values[i].copy()
    return rows


class VectorEnv(gymnasium.vector.VectorEnv):
    """Worlds of one model as a vector environment.

    model: an MjModel or the path of a file. reward(batch) and terminated(batch) give one value per
    world, observation(batch) one row per world. reset(batch, mask, seeds) starts new episodes in the
    worlds with a true mask; seeds, (num_envs,) uint64, are new for every episode and depend on the
    world's own seed alone. autoreset: when worlds whose episode ended start again: in the next step
    (which ignores their action), in the same step (the last observations are in
    infos["final_obs"]), or when the user resets them with options={"reset_mask": mask}. device,
    precision and threads are those of the Batch.
    """

    def __init__(self, model, num_envs, *, frame_skip=1, max_episode_steps=1000, reward=None, terminated=None,
                 observation=None, reset=None, autoreset=AutoresetMode.NEXT_STEP, device="auto", precision=None,
                 threads=0):
        if not isinstance(model, _core.MjModel):
            model = _core.MjModel.from_xml_path(str(model))
        self.batch = Batch(model, num_envs, device=device, precision=precision, threads=threads)
        self.model, self.num_envs, self.frame_skip = model, num_envs, frame_skip
        self.max_episode_steps = max_episode_steps
        self._reward = reward or (lambda batch: np.zeros(num_envs))
        self._terminated = terminated or (lambda batch: np.zeros(num_envs, bool))
        self._observation = observation or _default_observation
        self._reset = reset or _default_reset
        self.autoreset = AutoresetMode(autoreset)
        self.metadata = {"autoreset_mode": self.autoreset, "render_modes": []}
        self.single_action_space = self._control_space()
        shape = np.asarray(self._observation(self.batch)).shape
        if shape[:1] != (num_envs,):
            raise ValueError(f"observation(batch) must give one row per world, got the shape {shape}")
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape[1:], np.float64)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._steps = np.zeros(num_envs, int)
        self._ended = np.zeros(num_envs, bool)
        self._seeds = np.random.default_rng().integers(1 << 63, size=num_envs, dtype=np.uint64)
        self._episodes = np.zeros(num_envs, np.uint64)

    def _control_space(self):
        limited = self.model.actuator_ctrllimited.astype(bool)
        low, high = np.where(limited[:, None], self.model.actuator_ctrlrange, [-np.inf, np.inf]).T
        return gymnasium.spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)

    def reset(self, *, seed=None, options=None):
        """Start new episodes in all worlds, or in those of options["reset_mask"].

        seed: one per world, or a number from which the worlds count up.
        """
        super().reset(seed=seed if np.ndim(seed) == 0 else None)
        mask = np.ones(self.num_envs, bool)
        if options and "reset_mask" in options:
            mask = np.asarray(options["reset_mask"], bool)
            if mask.shape != (self.num_envs,):
                raise ValueError(f"reset_mask must have the shape ({self.num_envs},)")
        if seed is not None:
            self._reseed(seed, mask)
        self._start(mask)
        return self._observe(), {}

    def _reseed(self, seed, mask):
        seeds = [seed + i for i in range(self.num_envs)] if np.ndim(seed) == 0 else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"there should be {self.num_envs} seeds, got {len(seeds)}")
        for i, value in enumerate(seeds):
            if mask[i] and value is not None:
                self._seeds[i], self._episodes[i] = value, 0

    def _start(self, mask):
        seeds = self._seeds * np.uint64(0x9E3779B97F4A7C15) ^ self._episodes * np.uint64(0xD1342543DE82EF95)
        self._reset(self.batch, mask, seeds)
        self._episodes[mask] += np.uint64(1)
        self._steps[mask] = 0
        self._ended[mask] = False

    def _observe(self):
        return np.array(self._observation(self.batch), np.float64)

    def step(self, actions):
        """Step all worlds by frame_skip steps of physics."""
        actions = np.asarray(actions, np.float64)
        if actions.shape != (self.num_envs, self.model.nu):
            raise ValueError(f"actions must have the shape {(self.num_envs, self.model.nu)}, got {actions.shape}")
        if self.autoreset == AutoresetMode.DISABLED and self._ended.any():
            raise ValueError("worlds whose episode has ended must be reset before the next step")
        again = self._ended.copy()
        active = ~again
        failed = self._advance(actions, active)
        self._start(again)

        rewards = np.where(active & ~failed, self._reward(self.batch), 0.0)
        terminated = active & (failed | np.asarray(self._terminated(self.batch), bool))
        self._steps[active] += 1
        truncated = active & (self._steps >= self.max_episode_steps)
        self._ended = terminated | truncated
        observations, infos = self._observe(), {}
        if self.autoreset == AutoresetMode.SAME_STEP and self._ended.any():
            infos = {"final_obs": _rows(observations, self._ended), "_final_obs": self._ended.copy(),
                     "final_info": {}, "_final_info": self._ended.copy()}
            self._start(self._ended.copy())
            observations = self._observe()
        return observations, rewards, terminated, truncated, infos

    def _advance(self, actions, active):
        """Step the active worlds; the mask of those that failed on the way."""
        if active.all():
            self.batch.ctrl = actions
        else:
            ctrl = self.batch.ctrl
            ctrl[active] = actions[active]
        failed = np.zeros(self.num_envs, bool)
        for _ in range(self.frame_skip):
            worlds = np.flatnonzero(active & ~failed)
            if worlds.size:
                self.batch.step_subset(worlds)
                failed[worlds] |= self.batch.terminated[worlds]
        return failed


def _make(num_envs=1, model=None, **options):
    return VectorEnv(model, num_envs, **options)


if "Sinew-v0" not in gymnasium.registry:
    gymnasium.register("Sinew-v0", vector_entry_point=_make)
