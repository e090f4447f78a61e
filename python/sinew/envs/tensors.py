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
                self._weights[i] = values.new_tensor(part.weights)[:, None]
            values = (self._weights[i] * values[..., :part.count]).sum(1)  # no product of matrices: those may round more
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
    of the SuiteEnv, in the precision of its batch; infos["final_obs"] are the observations before new episodes start, and
    infos["_final_obs"] says where some do. Episodes start from states drawn beforehand, `starts` of them.

    On a GPU no step waits for the device. What an environment knows of its episodes is changed in place, so that steps may be
    recorded into a CUDA graph; memory for contacts, which cannot grow meanwhile, is found beforehand by
    `rehearsal` steps with random actions.
    """

    def __init__(self, env, starts=4096, rehearsal=100):
        if not isinstance(env, SuiteEnv):
            raise TypeError(f'a SuiteEnv is expected, such as SuiteEnv("Ant", 1024, device="gpu"), got {type(env).__name__}')
        self.env, self.batch, self.task, self.num_envs = env, env.batch, env.task, env.num_envs
        self.single_observation_space, self.single_action_space = env.single_observation_space, env.single_action_space
        self.max_episode_steps, self._count, self._rehearsal = env.max_episode_steps, starts, rehearsal
        self._observe = TensorColumns(self.batch, self.task.observe())
        measures = self.task.measure()
        self._groups = {name: parts if isinstance(parts, list) else [parts] for name, parts in measures.items()}
        self._measure = TensorColumns(self.batch, sum(self._groups.values(), []), by_column=True)
        self._places, self._named = env._find_places(list(self._groups.values())), collections.namedtuple("Measured", measures)
        self._like = self._field("qpos").new_empty(0)  # an empty one: a field would hold its memory when the batch grows
        self.device, self.dtype = self._like.device, self._like.dtype
        self._age, self._draws = (torch.zeros(self.num_envs, dtype=torch.int64, device=self.device) for _ in range(2))
        self._clock, self._now = self._like.new_zeros(self.num_envs), self._like.new_zeros(self._measure.shape)
        self._starts = None

    def _field(self, name):
        """A field as a tensor that shares its memory, until the batch grows."""
        return torch.from_dlpack(self.batch.field(name))

    def _name(self, measures):
        return self._named._make([measures[place] for place in self._places])

    def _stream(self):
        """What calls of the batch take besides: on a GPU they go where the calls of PyTorch go."""
        return {"stream": torch.cuda.current_stream(self.device)} if self.batch.on_gpu else {}

    # ---- starts ----

    def _rehearse(self):
        """Steps that are waited for: where contacts need more memory, the batch takes it."""
        low, high = (np.broadcast_to(end, self.single_action_space.shape) for end in
                     (self.single_action_space.low, self.single_action_space.high))
        random = np.random.default_rng(0)
        for _ in range(self._rehearsal):
            self._field("ctrl").copy_(torch.as_tensor(random.uniform(low, high, (self.num_envs, *low.shape))))
            self.batch.step(self.env.frame_skip)

    def _draw(self, seed):
        """States that episodes start from, with what is observed and measured there."""
        random = seeding.np_random(seed)[0]
        self._draws.copy_(torch.from_numpy(random.integers(1 << 31, size=self.num_envs)))
        qpos, qvel = (self._like.new_tensor(np.array(part)) for part in
                      zip(*[self.task.start(random) for _ in range(self._count)]))
        seen, measured = [], []
        for first in range(0, self._count, self.num_envs):
            count = min(self.num_envs, self._count - first)
            self.batch.reset()
            for name, states in (("qpos", qpos), ("qvel", qvel)):
                self._field(name)[:count] = states[first:first + count]
            self.batch.forward()
            seen.append(self._observe()[:count])
            measured.append(self._measure()[:, :count])
        self._starts = qpos, qvel, torch.cat(seen), torch.cat(measured, 1)

    def _start(self, mask, observations):
        """New episodes in the masked worlds; observations with theirs among them."""
        self.batch.reset(mask if self.batch.on_gpu else mask.numpy(), **self._stream())
        # a linear congruence (Knuth's MMIX) per world, of which the upper bits are used: the episodes of a world do not
        # depend on those of others
        torch.where(mask, self._draws * 6364136223846793005 + 1442695040888963407, self._draws, out=self._draws)
        rows = ((self._draws >> 33) & 0x3FFFFFFF) % self._count
        qpos, qvel, seen, measured = self._starts
        for name, states in (("qpos", qpos), ("qvel", qvel)):
            field = self._field(name)
            field.copy_(torch.where(mask[:, None], states[rows], field))
        self._age.masked_fill_(mask, 0)
        self._clock.masked_fill_(mask, 0)
        torch.where(mask, measured[:, rows], self._now, out=self._now)
        return torch.where(mask[:, None], seen[rows], observations)

    @torch.no_grad()
    def reset(self, *, seed=None, options=None):
        """Start new episodes in all worlds."""
        if self._starts is None and self.batch.on_gpu:
            self._rehearse()
        if seed is not None or self._starts is None:
            self._draw(seed)
        everywhere = torch.ones(self.num_envs, dtype=torch.bool, device=self.device)
        return self._start(everywhere, self._observe()), {}

    # ---- steps ----

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
        self.batch.step(self.env.frame_skip, **self._stream())
        if self.task.needs_forces:
            self.batch.rne_post_constraint(**self._stream())
        return self._conclude(actions, bad)

    def _failed(self):
        """Worlds that have failed in a step: they went back to the state before it, so that their time lags behind."""
        time, steps = self._field("time"), self.env.frame_skip - 0.5
        failed = time - self._clock < steps * self.task.model.opt.timestep
        self._clock.copy_(time)
        return failed

    def _conclude(self, actions, bad):
        failed, measures, observations = self._failed(), self._measure(), self._observe()
        rewards, healthy, infos = self.task.judge(self._name(self._now), self._name(measures), actions.square().sum(1))
        self._now.copy_(measures)
        self._age += 1
        terminated = failed if healthy is None else failed | (healthy == 0)
        truncated = self._age >= self.max_episode_steps
        ended = terminated | truncated
        infos = {**infos, "bad_action": bad, "failed": failed, "final_obs": observations, "_final_obs": ended}
        return self._start(ended, observations), rewards.masked_fill(failed, 0), terminated, truncated, infos

    @torch.no_grad()
    def set_state(self, qpos, qvel):
        """Put all worlds into given states, (num_envs, nq) and (num_envs, nv), in the middle of their episodes."""
        self.batch.reset()
        self._field("qpos").copy_(torch.as_tensor(qpos))
        self._field("qvel").copy_(torch.as_tensor(qvel))
        self.batch.forward()
        self._clock.zero_()
        self._now.copy_(self._measure())
        return self._observe()

    def settle(self):
        """Wait for all steps, and take memory where contacts lacked it; True: the worlds have moved, record graphs again."""
        before = self.batch.generation
        self.batch.status  # is asked of the device
        return self.batch.generation != before

    def close(self):
        """Nothing is open."""
