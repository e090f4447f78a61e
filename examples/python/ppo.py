"""Proximal policy optimisation in one file, in PyTorch, on the tasks of sinew.envs.

The small version learns InvertedPendulum on two processors in a minute. With --device cuda worlds, observations, rewards and
networks all stay on the GPU:

    python ppo.py
    python ppo.py --task HalfCheetah --steps 10000000
    python ppo.py --task Humanoid --device cuda --worlds 4096 --horizon 16 --steps 200000000 --minibatches 8
"""

import argparse
import time

import torch
from sinew.envs import SuiteEnv
from sinew.envs.tensors import ResidentEnv, TensorEnv
from torch import nn

parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
parser.add_argument("--task", default="InvertedPendulum")
parser.add_argument("--worlds", type=int, default=64)
parser.add_argument("--steps", type=int, default=200_000, help="of all worlds together")
parser.add_argument("--horizon", type=int, default=32, help="steps of a world between updates")
parser.add_argument("--epochs", type=int, default=5)
parser.add_argument("--minibatches", type=int, default=8)
parser.add_argument("--rate", type=float, default=1e-3, help="learning rate at first")
parser.add_argument("--kl", type=float, default=0.02, help="change of the policy per update that the rate is steered to")
parser.add_argument("--width", type=int, default=64, help="of the hidden layers")
parser.add_argument("--device", default="cpu", help="of worlds and networks: cpu or cuda")
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--until", type=float, help="stop when episodes are worth as much, on average")
parser.add_argument("--curve", help="a file for steps, seconds and returns, one line for ten updates")
parser.add_argument("--save", help="a file for the policy")
options = parser.parse_args()
T, N, GAMMA, LAMBDA = options.horizon, options.worlds, 0.99, 0.95
torch.manual_seed(options.seed)
if options.device == "cpu":
    torch.set_num_threads(1)  # small networks are slower on more
    env = TensorEnv(SuiteEnv(options.task, N, autoreset="SameStep", device="cpu"), dtype=torch.float32)
else:
    env = ResidentEnv(SuiteEnv(options.task, N, device="gpu", precision="single"))
nobs, nact = env.single_observation_space.shape[0], env.single_action_space.shape[0]
scale = torch.as_tensor(env.single_action_space.high, device=options.device)


class Spread(nn.Module):
    """Running mean and variance of the rows that it has seen."""

    def __init__(self, size):
        super().__init__()
        self.register_buffer("mean", torch.zeros(size))
        self.register_buffer("variance", torch.ones(size))
        self.register_buffer("count", torch.tensor(1e-4))

    def see(self, x):
        n, mean, variance = len(x), x.mean(0), x.var(0, correction=0)
        total, delta = self.count + n, mean - self.mean
        self.variance = (self.variance * self.count + variance * n + delta**2 * self.count * n / total) / total
        self.mean, self.count = self.mean + delta * n / total, total

    def scale(self):
        return (self.variance + 1e-8).sqrt()


class Agent(nn.Module):
    """A policy and a value, from observations with a mean of 0 and a spread of 1."""

    def __init__(self, width):
        super().__init__()

        def net(size, gain):
            layers = [nn.Linear(nobs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, size)]
            for layer, g in zip(layers[::2], (2**0.5, 2**0.5, gain)):
                nn.init.orthogonal_(layer.weight, g)
                nn.init.zeros_(layer.bias)
            return nn.Sequential(*layers)

        self.mean, self.value, self.spread = net(nact, 0.01), net(1, 1.0), nn.Parameter(torch.zeros(nact))
        self.seen = Spread(nobs)

    def forward(self, x):
        x = ((x - self.seen.mean) / self.seen.scale()).clip(-10, 10)
        return torch.distributions.Normal(self.mean(x), self.spread.exp()), self.value(x).squeeze(-1)


agent = Agent(options.width).to(options.device)
optimiser = torch.optim.Adam(agent.parameters(), lr=options.rate, eps=1e-5)
worth = Spread(1).to(options.device)  # of discounted returns, by whose spread rewards are divided
running, discounted = (torch.zeros(N, device=options.device) for _ in range(2))  # returns of the present episodes
finished = []  # returns of those that ended


def track(gained, ended):
    """Returns of episodes, and the scale of rewards."""
    global running, discounted
    running, discounted = running + gained, GAMMA * discounted + gained
    worth.see(discounted[:, None])
    if ended.any():
        finished.extend(running[ended].tolist())
        running, discounted = running.masked_fill(ended, 0), discounted.masked_fill(ended, 0)


@torch.no_grad()
def collect(observation):
    """A horizon of experience in all worlds, with advantages by GAE (Schulman et al. 2016)."""
    X, U = torch.empty(T, N, nobs, device=options.device), torch.empty(T, N, nact, device=options.device)
    logp, value, reward, keep = (torch.empty(T, N, device=options.device) for _ in range(4))
    for t in range(T):
        policy, value[t] = agent(observation)
        X[t], U[t] = observation, policy.sample()
        logp[t] = policy.log_prob(U[t]).sum(-1)
        observation, gained, terminated, truncated, infos = env.step(U[t].clip(-1, 1) * scale)
        ended, keep[t] = terminated | truncated, (~(terminated | truncated)).float()
        track(gained.float(), ended)
        reward[t] = gained / worth.scale()
        cut = truncated & ~terminated
        if cut.any():  # a cut is no end: what would have come counts
            reward[t, cut] += GAMMA * agent(infos["final_obs"][cut])[1]
    following, advantage = agent(observation)[1], torch.zeros(N, device=options.device)
    advantages = torch.empty_like(reward)
    for t in reversed(range(T)):
        advantage = reward[t] + GAMMA * keep[t] * following - value[t] + GAMMA * LAMBDA * keep[t] * advantage
        advantages[t], following = advantage, value[t]
    return observation, [part.flatten(0, 1) for part in (X, U, logp, advantages, advantages + value)]


def learn(X, U, logp, advantage, target):
    """Improve the policy on the experience; the learning rate follows how far the policy moves."""
    advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
    for _ in range(options.epochs):
        moved = []
        for rows in torch.randperm(len(X), device=X.device).chunk(options.minibatches):
            policy, value = agent(X[rows])
            change = policy.log_prob(U[rows]).sum(-1) - logp[rows]
            ratio = change.exp()
            gain = torch.minimum(ratio * advantage[rows], ratio.clip(0.8, 1.2) * advantage[rows]).mean()
            loss = -gain + 0.5 * (value - target[rows]).square().mean()
            optimiser.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimiser.step()
            moved.append((ratio - 1 - change).mean().detach())  # an estimate of the divergence, never negative
    return torch.stack(moved).mean().item()


def steer(moved, share):
    """A rate that moves the policy by about options.kl; the bound falls with the share of steps that is left."""
    group = optimiser.param_groups[0]
    factor = 1.2 if moved < options.kl / 1.5 else 1 / 1.2 if moved > options.kl * 1.5 else 1
    group["lr"] = min(max(group["lr"] * factor, 1e-5), max(options.rate * share, 1e-5))


def report():
    """How it goes, for the reader and for a plot."""
    seconds, value = time.perf_counter() - start, sum(finished[-100:]) / len(finished[-100:])
    print(f"{done:>10} steps  {done / seconds:>8.0f}/s  return {value:8.1f}", flush=True)
    if options.curve:
        with open(options.curve, "a") as file:
            file.write(f"{done},{seconds:.1f},{value:.2f}\n")


observation, start, done = env.reset(seed=options.seed)[0].float(), time.perf_counter(), 0
observation, experience = collect(observation)  # to know the spread of observations and rewards before learning
agent.seen.see(experience[0])
while done < options.steps:
    observation, experience = collect(observation)
    steer(learn(*experience), 1 - done / options.steps)
    agent.seen.see(experience[0])  # after learning: during an update it stays the one that actions were chosen with
    done += T * N
    recent = finished[-100:]
    if done // (T * N) % 10 == 0 and recent:
        report()
    if options.until and len(recent) >= 20 and sum(recent) / len(recent) >= options.until:
        break
if options.save:
    torch.save(agent.state_dict(), options.save)
recent = sum(finished[-100:]) / max(len(finished[-100:]), 1)
print(f"return of the last episodes: {recent:.1f} after {done} steps, {time.perf_counter() - start:.0f} s")
if options.until:
    assert recent >= options.until, "it has not learned"
