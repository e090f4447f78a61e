"""A `gymnasium.vector.VectorEnv` for any MJCF model, over a Batch.

    def reward(batch):                 # one number per world
        return batch.qvel[:, 0]

    env = sinew.vector_env.VectorEnv("hopper.xml", 1024, frame_skip=4, reward=reward)
    observations, infos = env.reset(seed=0)
    observations, rewards, terminated, truncated, infos = env.step(env.action_space.sample())

Actions are the controls. Observations are qpos and qvel, or what `observation(batch)` gives. A world
that fails ends its episode as if `terminated` had said so. Worlds whose action is not finite are stepped with
controls of zero, as MuJoCo does, and named by `infos["bad_action"]`; failed ones by `infos["failed"]`.
Importing this module registers the environment: `gymnasium.make_vec("Sinew-v0", num_envs=1024, model="hopper.xml")`.
`sinew.envs` has the tasks of Gymnasium's MuJoCo suite.
"""

import pickle

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from sinew import _core
from sinew._enums import mjtState
from sinew.batch import Batch

_STATE = int(mjtState.mjSTATE_INTEGRATION)


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


def _masked(infos, mask):
    """Infos of some worlds, zero for the others, with the mask of those worlds; empty when there are none."""
    result = {}
    if not mask.any():
        return result
    for key, values in infos.items():
        values = values.copy()
        values[~mask] = 0
        result[key], result["_" + key] = values, mask.copy()
    return result


def _mode(autoreset):
    modes = [mode.value for mode in AutoresetMode]
    if autoreset not in list(AutoresetMode) and autoreset not in modes:
        raise ValueError(f"autoreset is {autoreset!r}, expected one of {', '.join(modes)}")
    return AutoresetMode(autoreset)


class VectorEnv(gymnasium.vector.VectorEnv):
    """Worlds of one model as a vector environment.

    model: an MjModel or the path of a file. reward(batch) and terminated(batch) give one value per
    world, observation(batch) one row per world. reset(batch, mask, seeds) starts new episodes in the
    worlds with a true mask; seeds, (num_envs,) uint64, are new for every episode and depend on the
    world's own seed alone. autoreset: when worlds whose episode ended start again: in the next step
    (which ignores their action), in the same step (the last observations are in
    infos["final_obs"]), or when the user resets them with options={"reset_mask": mask}. device,
    precision and threads are those of the Batch. render_mode: "rgb_array", in which render() draws in any case.
    """

    def __init__(self, model, num_envs, *, frame_skip=1, max_episode_steps=1000, reward=None, terminated=None,
                 observation=None, reset=None, autoreset=AutoresetMode.NEXT_STEP, device="auto", precision=None,
                 threads=0, render_mode=None):
        if not isinstance(model, _core.MjModel):
            model = _core.MjModel.from_xml_path(str(model))
        if frame_skip < 1:
            raise ValueError(f"frame_skip should be at least 1, got {frame_skip}")
        self.batch = Batch(model, num_envs, device=device, precision=precision, threads=threads)
        self.model, self.num_envs, self.frame_skip = model, num_envs, frame_skip
        self.max_episode_steps = max_episode_steps
        self._reward, self._terminated = reward, terminated
        self._observation = observation or _default_observation
        self._reset = reset or _default_reset
        self.autoreset = _mode(autoreset)
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f'render_mode of many worlds is "rgb_array", got {render_mode!r}; viewer.launch_batch(env.batch) '
                             "shows them in a browser")
        self.render_mode = render_mode
        self.metadata = {"autoreset_mode": self.autoreset, "render_modes": ["rgb_array"]}
        self.single_action_space = self._control_space()
        shape = self._observe().shape
        if shape[:1] != (num_envs,):
            raise ValueError(f"observation(batch) must give one row per world, got the shape {shape}")
        self.single_observation_space = gymnasium.spaces.Box(-np.inf, np.inf, shape[1:], np.float64)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self._clock, self._oldest = 0, 0
        self._born = np.zeros(num_envs, int)  # the clock at the start of each episode
        self._ended = np.zeros(num_envs, bool)
        self._any_ended = False
        self._action_shape = (num_envs, int(model.nu))
        self._on_gpu, self._address = self.batch.on_gpu, self.batch._worlds.address
        self._flags = np.zeros((2, num_envs), np.uint8)
        self._all, self._none = np.ones(num_envs, bool), np.zeros(num_envs, bool)
        self._all.flags.writeable = False
        self._seeds = np.random.default_rng().integers(1 << 63, size=num_envs, dtype=np.uint64)
        self._episodes = np.zeros(num_envs, np.uint64)

    def _control_space(self):
        limited = self.model.actuator_ctrllimited.astype(bool)
        low, high = np.where(limited[:, None], self.model.actuator_ctrlrange, [-np.inf, np.inf]).T
        return gymnasium.spaces.Box(low.astype(np.float32), high.astype(np.float32), dtype=np.float32)

    # ---- episodes ----

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
        return self._observe(), _masked(self._describe(), mask)

    def _reseed(self, seed, mask):
        seeds = [seed + i for i in range(self.num_envs)] if np.ndim(seed) == 0 else list(seed)
        if len(seeds) != self.num_envs:
            raise ValueError(f"there should be {self.num_envs} seeds, got {len(seeds)}")
        for i, value in enumerate(seeds):
            if mask[i] and value is not None:
                self._seed_world(i, value)

    def _seed_world(self, i, seed):
        self._seeds[i], self._episodes[i] = seed, 0

    def _start(self, mask):
        """New episodes in the masked worlds."""
        self._place(mask)
        self._born[mask] = self._clock
        self._oldest = int(self._born.min())
        self._ended = self._ended & ~mask
        self._any_ended = bool(self._ended.any())

    def _place(self, mask):
        """Set the masked worlds to the state in which episodes start."""
        seeds = self._seeds * np.uint64(0x9E3779B97F4A7C15) ^ self._episodes * np.uint64(0xD1342543DE82EF95)
        self._reset(self.batch, mask, seeds)
        self._episodes[mask] += np.uint64(1)

    # ---- what a subclass may know better ----

    def _observe(self):
        return np.array(self._observation(self.batch), np.float64)

    def _judge(self, observations, effort):
        """Rewards, ends (or None) and infos of the last step; effort: sums of squares of the actions."""
        rewards = np.zeros(self.num_envs) if self._reward is None else self._values("reward", self._reward, np.float64)
        return rewards, None if self._terminated is None else self._values("terminated", self._terminated, bool), {}

    def _values(self, name, function, dtype):
        """What a function of the user says, one value per world."""
        values = np.array(function(self.batch), dtype)
        if values.shape != (self.num_envs,):
            raise ValueError(f"{name}(batch) must give one value per world, ({self.num_envs},), got the shape {values.shape}")
        return values

    def _describe(self):
        """Infos of the states as they are now."""
        return {}

    # ---- steps ----

    def step(self, actions):
        """Step all worlds by frame_skip steps of physics."""
        actions = self._accept(actions)
        again = self._ended if self._any_ended else None
        if again is not None and self.autoreset == AutoresetMode.DISABLED:
            raise ValueError("worlds whose episode has ended must be reset before the next step")
        effort = np.zeros(self.num_envs, actions.dtype)
        flagged = self._advance(actions, again, effort)
        observations = self._observe()
        rewards, terminated, infos = self._judge(observations, effort)
        return self._conclude(observations, rewards, terminated, infos, again, flagged)

    def _conclude(self, observations, rewards, terminated, infos, again, flagged):
        """Ends episodes, and starts the next ones as the autoreset mode says."""
        self._clock += 1
        unending = terminated is None and not flagged
        if terminated is None:
            terminated = self._none.copy()
        if flagged:
            failed = self._flags[1].view(bool)
            rewards[failed], terminated[failed] = 0, True
        limit = self._clock - self.max_episode_steps
        truncated = self._none.copy() if self._oldest > limit else self._born <= limit
        if again is not None:
            rewards[again] = terminated[again] = truncated[again] = 0
            self._start(again)
            observations = self._observe()
        if unending and self._oldest > limit:
            self._ended, self._any_ended = self._none, False
        else:
            self._ended = terminated | truncated
            self._any_ended = bool(self._ended.any())
        if again is None:
            infos = self._whole(infos, observations)
        else:
            infos = {**_masked(self._describe(), self._all), **_masked(infos, ~again)}
        if flagged:
            self._report(infos)
        if self._any_ended and self.autoreset == AutoresetMode.SAME_STEP:
            observations, infos = self._start_again(observations, infos)
        return observations, rewards, terminated, truncated, infos

    def _whole(self, infos, observations):
        """Infos that hold for all worlds."""
        result = {}
        for found in (self._describe(), infos):
            for key, values in found.items():
                result[key], result["_" + key] = values, self._all
        return result

    def _report(self, infos):
        for key, mask in zip(("bad_action", "failed"), self._flags.view(bool)):
            if mask.any():
                infos[key], infos["_" + key] = mask.copy(), mask.copy()

    def _start_again(self, observations, infos):
        """Episodes that ended start again in the same step."""
        ended = self._ended.copy()
        said = {key: values for key, values in infos.items() if not key.startswith("_")}
        final = {}
        for key, values in _masked(said, ended).items():
            if not key.startswith("_") or (values & infos[key]).any():
                final[key] = values
        result = {"final_obs": _rows(observations, ended), "_final_obs": ended.copy(), "final_info": final,
                  "_final_info": ended.copy()}
        self._start(ended)
        described = self._describe()
        for key, values in said.items():
            if key not in described and not ended.all():
                result.update(_masked({key: values}, ~ended & infos["_" + key]))
        result.update(_masked(described, self._all))
        return self._observe(), result

    def _accept(self, actions):
        actions = np.ascontiguousarray(actions)
        if actions.dtype.char not in "fd":
            actions = actions.astype(np.float64)
        if actions.shape != self._action_shape:
            raise ValueError(f"actions must have the shape {self._action_shape}, got {actions.shape}")
        return actions

    def _advance(self, actions, again, effort):
        """Step the worlds that are not masked. Returns whether _flags must be read; effort gets sums of squared actions."""
        worlds = None if again is None else np.flatnonzero(~again).astype(np.int32)
        if not self._on_gpu:
            return _core._act(self._address, actions, self.frame_skip, worlds, self._flags, effort)
        bad = ~np.isfinite(actions).all(axis=1)
        effort[:] = np.where(bad, 0, np.sum(np.square(actions), axis=1))
        before, ctrl = self.batch.failures.copy(), self.batch.ctrl[:]
        worlds = np.arange(self.num_envs, dtype=np.int32) if worlds is None else worlds
        ctrl[worlds] = np.where(bad[:, None], 0, actions)[worlds]
        self.batch.ctrl = ctrl
        self.batch._worlds.step_subset(worlds, self.frame_skip)
        self._flags[:] = bad, self.batch.failures != before
        return bool(self._flags.any())

    # ---- memory ----

    _MEMORY = ("_clock", "_oldest", "_born", "_ended", "_any_ended", "_seeds", "_episodes")

    def save_state(self):
        """All that the next steps depend on, as bytes: states, episodes, random numbers."""
        memory = {name: getattr(self, name) for name in self._MEMORY}
        return pickle.dumps({"physics": self.batch.get_state(_STATE), **memory})

    def load_state(self, saved):
        """Go back to a saved state, of this environment or of another like it, perhaps on another machine.

        Only the state is there at first: what is computed from it follows with the next step. The bytes are a pickle:
        load those that you trust.
        """
        try:
            memory = dict(pickle.loads(saved))
            physics = memory.pop("physics")
        except (pickle.UnpicklingError, EOFError, KeyError, TypeError, ValueError) as error:
            raise ValueError("load_state takes what save_state gave") from error
        shape = (self.num_envs, _core.mj_stateSize(self.model, _STATE))
        if physics.shape != shape or set(memory) != set(self._MEMORY):
            raise ValueError(f"the state is of another environment: it has {physics.shape[0]} worlds with states of "
                             f"{physics.shape[1]} numbers, this one {shape[0]} with {shape[1]}")
        self.batch.reset()
        self.batch.set_state(physics, _STATE)
        for name, value in memory.items():
            setattr(self, name, value)

    def __reduce_ex__(self, protocol):
        raise TypeError("worlds cannot be pickled or copied: make another environment, and give it the state by "
                        "save_state() and load_state()")

    def render(self):
        """Images of all worlds, one array each."""
        return tuple(self.batch.render(width=480, height=480))


def _make(num_envs=1, model=None, **options):
    return VectorEnv(model, num_envs, **options)


if "Sinew-v0" not in gymnasium.registry:
    gymnasium.register("Sinew-v0", vector_entry_point=_make)
