"""Vector environments whose arrays are PyTorch tensors.

    env = TensorEnv(gymnasium.make_vec("sinew/Ant-v5", num_envs=1024))
    observations, infos = env.reset(seed=0)
    observations, rewards, terminated, truncated, infos = env.step(policy(observations))

Tensors on the CPU share their memory with the arrays of the environment, in both directions: nothing is copied. With
`device` they are sent there.

    env = ResidentEnv(SuiteEnv("Ant", 8192, device="gpu", precision="single"))

keeps everything where the worlds are: actions, observations and rewards are tensors of the GPU, computed there from the
fields of the batch, which PyTorch sees without a copy.
"""

import collections

import gymnasium
import numpy as np
import torch
from gymnasium.utils import seeding

from sinew.envs.columns import Columns
from sinew.envs.suite import SuiteEnv


class TensorEnv(gymnasium.vector.VectorWrapper):
    """Takes tensors of actions and gives tensors; infos stay arrays but for final observations, which are zero where no
    episode ended."""

    def __init__(self, env, device="cpu", dtype=None):
        super().__init__(env)
        if dtype is not None and not (isinstance(dtype, torch.dtype) and dtype.is_floating_point):
            raise TypeError(f"dtype should be one of floating point numbers, such as torch.float32, got {dtype!r}")
        self.device, self.dtype = torch.device(device), dtype

    def _tensor(self, array):
        tensor = torch.from_numpy(np.ascontiguousarray(array))
        if self.dtype is not None and tensor.is_floating_point():
            return tensor.to(self.device, self.dtype)
        return tensor.to(self.device)

    def reset(self, *, seed=None, options=None):
        """As the environment."""
        observations, infos = self.env.reset(seed=seed, options=options)
        return self._tensor(observations), infos

    def step(self, actions):
        """As the environment."""
        *arrays, infos = self.env.step(torch.as_tensor(actions).detach().cpu().numpy())
        if "final_obs" in infos:
            rows = np.zeros_like(arrays[0])
            for i in np.flatnonzero(infos["_final_obs"]):
                rows[i] = infos["final_obs"][i]
            infos["final_obs"] = self._tensor(rows)
        return *map(self._tensor, arrays), infos


class TensorColumns(Columns):
    """Parts of fields as `Columns` has them, computed by PyTorch where the fields lie."""

    def __init__(self, batch, parts, by_column=False):
        super().__init__(batch, parts, by_column)
        self._weights = {}

    def __call__(self):
        """The numbers as they are now, (nworld, width) or (width, nworld), in a tensor of their own."""
        fields, found = {}, []
        for i, part in enumerate(self.parts):
            if part.field not in fields:
                fields[part.field] = torch.from_dlpack(self.batch.field(part.field))
            values = self._part(i, part, fields[part.field])
            if part.operation == "and_inside":
                found[-1] = found[-1] * values
            else:
                found.append(values)
        rows = torch.cat(found, 1)
        return rows.T.contiguous() if self.by_column else rows

    def _part(self, i, part, values):
        if part.weights:
            if i not in self._weights:
                self._weights[i] = values.new_tensor(part.weights)
            values = torch.einsum("r,nrc->nc", self._weights[i], values)[:, :part.count]
            return values if part.operation == "weighted" else values.norm(dim=1, keepdim=True)
        values = values.reshape(len(values), -1)[:, part.first:part.first + part.count]
        if part.operation in ("cos", "sin"):
            return getattr(values, part.operation)()
        if part.operation in ("inside", "and_inside"):
            low, high = part.range
            return ((values > low) & (values < high)).all(1, keepdim=True).to(values.dtype)
        if part.operation in ("clip", "squares"):
            values = values.clip(*part.range)
        return values.square().sum(1, keepdim=True) if part.operation == "squares" else values


class ResidentEnv:
    """A task of the suite whose tensors lie where its worlds are; episodes that end start again in the same step.

    env: a SuiteEnv, of which this takes the worlds. Observations, rewards, ends and what `infos` says of a step are those
    of the SuiteEnv, in the precision of its batch; infos["final_obs"] has the last observations of episodes that ended.
    Episodes start from states drawn beforehand, `starts` of them: drawing them one by one would take longer than steps do.
    """

    def __init__(self, env, starts=4096):
        if not isinstance(env, SuiteEnv):
            raise TypeError(f'a SuiteEnv is expected, such as SuiteEnv("Ant", 1024, device="gpu"), got {type(env).__name__}')
        self.env, self.batch, self.task, self.num_envs = env, env.batch, env.task, env.num_envs
        self.single_observation_space, self.single_action_space = env.single_observation_space, env.single_action_space
        self.max_episode_steps, self._count = env.max_episode_steps, starts
        self._observe = TensorColumns(self.batch, self.task.observe())
        measures = self.task.measure()
        self._groups = {name: parts if isinstance(parts, list) else [parts] for name, parts in measures.items()}
        self._measures = TensorColumns(self.batch, sum(self._groups.values(), []), by_column=True)
        self._places, self._named = env._find_places(list(self._groups.values())), collections.namedtuple("Measured", measures)
        self._like = self._field("qpos").new_empty(0)  # an empty one: a field would hold its memory when the batch grows
        self.device, self.dtype = self._like.device, self._like.dtype
        self._age = torch.zeros(self.num_envs, dtype=torch.int64, device=self.device)
        self._starts = None

    def _field(self, name):
        """A field as a tensor that shares its memory, until the batch grows."""
        return torch.from_dlpack(self.batch.field(name))

    def _measure(self):
        values = self._measures()
        return self._named._make([values[place] for place in self._places])

    def _draw(self, seed):
        random, self._random = seeding.np_random(seed)[0], torch.Generator(self.device)
        self._random.manual_seed(int(random.integers(1 << 62)))
        states = [self.task.start(random) for _ in range(self._count)]
        self._starts = [self._like.new_tensor(np.array(part)) for part in zip(*states)]

    def _start(self, mask):
        """New episodes in the masked worlds."""
        self.batch.reset(mask.cpu().numpy())
        worlds = mask.nonzero().squeeze(1)
        rows = torch.randint(self._count, worlds.shape, generator=self._random, device=self.device)
        for name, states in zip(("qpos", "qvel"), self._starts):
            self._field(name)[worlds] = states[rows]
        self._age[worlds] = 0
        self.batch.forward(worlds.cpu().numpy())
        self._now = self._measure()

    @torch.no_grad()
    def reset(self, *, seed=None, options=None):
        """Start new episodes in all worlds."""
        if seed is not None or self._starts is None:
            self._draw(seed)
        self._start(torch.ones(self.num_envs, dtype=torch.bool, device=self.device))
        return self._observe(), {}

    @torch.no_grad()
    def step(self, actions):
        """Step all worlds by frame_skip steps of physics."""
        if self._starts is None:
            raise RuntimeError("reset comes before the first step")
        actions = torch.as_tensor(actions).to(self.device, self.dtype)
        if actions.shape != (self.num_envs, *self.single_action_space.shape):
            raise ValueError(f"actions must have the shape {(self.num_envs, *self.single_action_space.shape)}, got "
                             f"{tuple(actions.shape)}")
        bad = ~actions.isfinite().all(1)
        actions = actions.masked_fill(bad[:, None], 0)
        self._field("ctrl").copy_(actions)
        failures = self.batch.failures.copy()
        self.batch.step(self.env.frame_skip)
        if self.task.needs_forces:
            self.batch.rne_post_constraint()
        failed = torch.from_numpy(self.batch.failures != failures).to(self.device)
        return self._conclude(actions, bad, failed)

    def _conclude(self, actions, bad, failed):
        before, self._now = self._now, self._measure()
        rewards, healthy, infos = self.task.judge(before, self._now, actions.square().sum(1))
        observations, self._age = self._observe(), self._age + 1
        terminated = failed if healthy is None else failed | (healthy == 0)
        truncated = self._age >= self.max_episode_steps
        ended = terminated | truncated
        infos = {**infos, "bad_action": bad, "failed": failed}
        if ended.any():
            infos["final_obs"], infos["_final_obs"] = observations, ended
            self._start(ended)
            observations = self._observe()
        return observations, rewards.masked_fill(failed, 0), terminated, truncated, infos

    @torch.no_grad()
    def set_state(self, qpos, qvel):
        """Put all worlds into given states, (num_envs, nq) and (num_envs, nv), in the middle of their episodes."""
        self.batch.reset()
        self._field("qpos").copy_(torch.as_tensor(qpos))
        self._field("qvel").copy_(torch.as_tensor(qvel))
        self.batch.forward()
        self._now = self._measure()
        return self._observe()

    def close(self):
        """Nothing is open."""
