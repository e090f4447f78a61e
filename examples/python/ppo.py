"""Proximal policy optimisation in one file, in PyTorch, on the tasks of sinew.envs.

The small version learns InvertedPendulum on two processors in a minute; for the large tasks take many worlds:

    python ppo.py
    python ppo.py --task HalfCheetah --worlds 2048 --steps 100000000 --device cuda
"""

import argparse
import time

import numpy as np
import torch
from sinew.envs import SuiteEnv
from torch import nn

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--task", default="InvertedPendulum")
parser.add_argument("--worlds", type=int, default=64)
parser.add_argument("--steps", type=int, default=200_000, help="of all worlds together")
parser.add_argument("--horizon", type=int, default=32)
parser.add_argument("--device", default="cpu", help="of the networks")
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--until", type=float, help="stop when episodes are worth as much, on average")
parser.add_argument("--curve", help="a file for steps, seconds and returns, one line for ten updates")
options = parser.parse_args()
torch.manual_seed(options.seed)
if options.device == "cpu":
    torch.set_num_threads(1)  # small networks are slower on more

env = SuiteEnv(options.task, options.worlds, autoreset="SameStep")
nobs, nact = env.single_observation_space.shape[0], env.single_action_space.shape[0]
scale = torch.as_tensor(env.single_action_space.high, device=options.device)


class Agent(nn.Module):
    """A policy and a value, from observations with a mean of 0 and a spread of 1."""

    def __init__(self, width=64):
        super().__init__()

        def net(size, gain):
            layers = [nn.Linear(nobs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, size)]
            for layer, g in zip(layers[::2], (2**0.5, 2**0.5, gain)):
                nn.init.orthogonal_(layer.weight, g)
                nn.init.zeros_(layer.bias)
            return nn.Sequential(*layers)

        self.mean, self.value, self.spread = net(nact, 0.01), net(1, 1.0), nn.Parameter(torch.zeros(nact))
        self.register_buffer("middle", torch.zeros(nobs))
        self.register_buffer("variance", torch.ones(nobs))
        self.register_buffer("count", torch.tensor(1e-4))

    def see(self, x):
        """Update the running mean and variance."""
        n, mean, variance = len(x), x.mean(0), x.var(0, correction=0)
        total, delta = self.count + n, mean - self.middle
        self.variance = (self.variance * self.count + variance * n + delta**2 * self.count * n / total) / total
        self.middle, self.count = self.middle + delta * n / total, total

    def forward(self, x):
        x = ((x - self.middle) / (self.variance + 1e-8).sqrt()).clip(-10, 10)
        return torch.distributions.Normal(self.mean(x), self.spread.exp()), self.value(x).squeeze(-1)


agent = Agent().to(options.device)
optimiser = torch.optim.Adam(agent.parameters(), lr=1e-3, eps=1e-5)


def tensor(array):
    return torch.as_tensor(array, dtype=torch.float32, device=options.device)


def collect(observation):
    """A horizon of experience in all worlds, with advantages by GAE."""
    T, N = options.horizon, options.worlds
    X, U = torch.empty(T, N, nobs, device=options.device), torch.empty(T, N, nact, device=options.device)
    logp, value, reward, keep = (torch.empty(T, N, device=options.device) for _ in range(4))
    with torch.no_grad():
        for t in range(T):
            X[t] = observation
            agent.see(observation)
            policy, value[t] = agent(observation)
            U[t] = policy.sample()
            logp[t] = policy.log_prob(U[t]).sum(-1)
            seen, gained, terminated, truncated, infos = env.step((U[t].clip(-1, 1) * scale).cpu().numpy())
            reward[t], ended = tensor(gained) * 0.1, terminated | truncated
            track(gained, ended)
            if truncated.any():  # a cut is no end: what would have come counts
                last = tensor(np.stack([row for row in infos["final_obs"][truncated]]))
                reward[t, torch.as_tensor(truncated)] += 0.99 * agent(last)[1]
            keep[t] = tensor(~ended)
            observation = tensor(seen)
        following, advantage = agent(observation)[1], torch.zeros(N, device=options.device)
        advantages = torch.empty_like(reward)
        for t in reversed(range(T)):
            advantage = reward[t] + 0.99 * keep[t] * following - value[t] + 0.99 * 0.95 * keep[t] * advantage
            advantages[t], following = advantage, value[t]
    flat = [part.flatten(0, 1) for part in (X, U, logp, advantages, advantages + value)]
    return observation, flat


running, finished = np.zeros(options.worlds), []


def track(gained, ended):
    """Returns of episodes."""
    running[:] += gained
    finished.extend(running[ended])
    running[ended] = 0


def learn(X, U, logp, advantage, target, epochs=5, minibatches=4):
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    for _ in range(epochs):
        for rows in torch.randperm(len(X), device=X.device).chunk(minibatches):
            policy, value = agent(X[rows])
            ratio = (policy.log_prob(U[rows]).sum(-1) - logp[rows]).exp()
            gain = torch.minimum(ratio * advantage[rows], ratio.clip(0.8, 1.2) * advantage[rows]).mean()
            loss = -gain + 0.5 * (value - target[rows]).square().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()


def report():
    """How it goes, for the reader and for a plot."""
    seconds, value = time.perf_counter() - start, np.mean(finished[-100:])
    print(f"{done:>10} steps  {done / seconds:>8.0f}/s  return {value:8.1f}", flush=True)
    if options.curve:
        with open(options.curve, "a") as file:
            file.write(f"{done},{seconds:.1f},{value:.2f}\n")


observation, start, done = tensor(env.reset(seed=options.seed)[0]), time.perf_counter(), 0
while done < options.steps:
    observation, experience = collect(observation)
    learn(*experience)
    done += options.horizon * options.worlds
    recent = finished[-100:]
    if done // (options.horizon * options.worlds) % 10 == 0 and recent:
        report()
    if options.until and len(recent) >= 20 and np.mean(recent) >= options.until:
        break
print(f"return of the last episodes: {np.mean(finished[-100:]):.1f} after {done} steps, "
      f"{time.perf_counter() - start:.0f} s")
if options.until:
    assert np.mean(finished[-100:]) >= options.until, "it has not learned"
