"""Proximal policy optimisation in one file, in PyTorch, on the tasks of sinew.envs.

The small version learns InvertedPendulum on two processors in a minute. With --device cuda worlds, observations, rewards and
networks all stay on the GPU, and the host only starts two recorded CUDA graphs, again and again:

    python ppo.py
    python ppo.py --task HalfCheetah --steps 10000000
    python ppo.py --task Humanoid --solver Newton --device cuda --worlds 4096 --horizon 16 --epochs 4 --width 256 --spread 0.5 \\
        --steps 1000000000 --seconds 300

Humanoid asks for the solver PGS, which a GPU runs on one lane of 32; Newton's minimises the same cost.
"""

import argparse
import time

import sinew
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
parser.add_argument("--discount", type=float, default=0.99)
parser.add_argument("--trace", type=float, default=0.95, help="lambda of advantages")
parser.add_argument("--entropy", type=float, default=0.0, help="what the entropy of the policy is worth")
parser.add_argument("--spread", type=float, default=1.0, help="standard deviation of actions at first")
parser.add_argument("--width", type=int, default=64, help="of the hidden layers")
parser.add_argument("--layers", type=int, default=2, help="hidden ones")
parser.add_argument("--solver", choices=("PGS", "CG", "Newton"), help="of contacts, instead of the task's own")
parser.add_argument("--device", default="cpu", help="of worlds and networks: cpu or cuda")
parser.add_argument("--seed", type=int, default=0)
parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
parser.add_argument("--until", type=float, help="stop when episodes are worth as much, on average")
parser.add_argument("--curve", help="a file for steps, seconds and returns, a line for each report")
parser.add_argument("--every", type=int, default=10, help="updates between reports")
parser.add_argument("--save", help="a file for the policy")
options = parser.parse_args()
start = time.perf_counter()
T, N, GAMMA, LAMBDA = options.horizon, options.worlds, options.discount, options.trace
torch.manual_seed(options.seed)
on_gpu = options.device != "cpu"
model = SuiteEnv(options.task, device="cpu").model
if options.solver:
    model.opt.solver = getattr(sinew.mjtSolver, f"mjSOL_{options.solver.upper()}")
if on_gpu:
    env = ResidentEnv(SuiteEnv(options.task, N, model=model, device="gpu", precision="single"))
    torch.set_float32_matmul_precision("high")  # networks need no more
else:
    torch.set_num_threads(1)  # small networks are slower on more
    env = TensorEnv(SuiteEnv(options.task, N, model=model, autoreset="SameStep", device="cpu"), dtype=torch.float32)
nobs, nact = env.single_observation_space.shape[0], env.single_action_space.shape[0]
scale = torch.as_tensor(env.single_action_space.high, device=options.device)


def zeros(*shape):
    """Numbers where the networks are, which are changed in place: a recorded graph finds them where they were."""
    return torch.zeros(shape, device=options.device)


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
        self.variance.copy_((self.variance * self.count + variance * n + delta**2 * self.count * n / total) / total)
        self.mean.add_(delta * n / total)
        self.count.copy_(total)

    def scale(self):
        return (self.variance + 1e-8).sqrt()


class Agent(nn.Module):
    """A policy and a value, from observations with a mean of 0 and a spread of 1."""

    def __init__(self, width):
        super().__init__()

        def net(size, gain):
            sizes = [nobs] + [width] * options.layers
            layers = [nn.Linear(a, b) for a, b in zip(sizes, sizes[1:])] + [nn.Linear(width, size)]
            for layer, g in zip(layers, [2**0.5] * options.layers + [gain]):
                nn.init.orthogonal_(layer.weight, g)
                nn.init.zeros_(layer.bias)
            return nn.Sequential(*[part for layer in layers for part in (layer, nn.Tanh())][:-1])

        self.mean, self.critic = net(nact, 0.01), net(1, 1.0)
        self.logspread = nn.Parameter(torch.full((nact,), options.spread).log())
        self.seen = Spread(nobs)

    def look(self, x):
        return ((x - self.seen.mean) / self.seen.scale()).clip(-10, 10)

    def value(self, x):
        return self.critic(self.look(x)).squeeze(-1)

    def log_likelihood(self, x, u):
        """Of actions u where x is observed, but for a constant."""
        return (-0.5 * ((u - self.mean(self.look(x))) / self.logspread.exp()).square() - self.logspread).sum(-1)


agent = Agent(options.width).to(options.device)
rate = torch.tensor(options.rate, device=options.device)
optimiser = torch.optim.Adam(agent.parameters(), lr=rate, eps=1e-5, fused=True, capturable=on_gpu)
worth = Spread(1).to(options.device)  # of discounted returns, by whose spread rewards are divided
running, discounted, finished = zeros(N), zeros(N), zeros(2)  # returns of present episodes; sum and number of ended ones
X, U = zeros(T, N, nobs), zeros(T, N, nact)
logp, value, reward, keep, advantage = (zeros(T, N) for _ in range(5))
observation, moved = zeros(N, nobs), zeros(2)  # divergence of the policy in an update: sum and number of estimates


class Recorded:
    """A function that takes and returns nothing; on a GPU it becomes one CUDA graph in its second call."""

    def __init__(self, function):
        self.function, self.calls, self.side = function, 0, torch.cuda.Stream() if on_gpu else None

    def __call__(self):
        if not on_gpu:
            self.function()
            return
        self.calls += 1
        if self.calls == 1:  # memory that a graph cannot take
            self.side.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(self.side):
                self.function()
            torch.cuda.current_stream().wait_stream(self.side)
            return
        if self.calls == 2:
            self.graph = torch.cuda.CUDAGraph()
            with torch.cuda.graph(self.graph, stream=self.side):
                self.function()
        self.graph.replay()


def track(gained, ended):
    """Returns of episodes, and the scale of rewards."""
    running.add_(gained)
    discounted.mul_(GAMMA).add_(gained)
    worth.see(discounted[:, None])
    finished.add_(torch.stack([(running * ended).sum(), ended.sum()]))
    running.masked_fill_(ended, 0)
    discounted.masked_fill_(ended, 0)


@torch.no_grad()
def collect():
    """A horizon of experience in all worlds, with advantages by GAE (Schulman et al. 2016)."""
    for t in range(T):
        X[t] = observation
        mean = agent.mean(agent.look(observation))
        U[t] = mean + agent.logspread.exp() * torch.randn_like(mean)
        logp[t], value[t] = agent.log_likelihood(observation, U[t]), agent.value(observation)
        following, gained, terminated, truncated, infos = env.step(U[t].clip(-1, 1) * scale)
        ended, cut = terminated | truncated, truncated & ~terminated
        keep[t] = ~ended
        track(gained.float(), ended)
        reward[t] = gained / worth.scale()
        if "final_obs" in infos:  # a cut is no end: what would have come counts
            reward[t] += GAMMA * cut * agent.value(infos["final_obs"])
        observation.copy_(following)
    expected, ahead = agent.value(observation), zeros(N)
    for t in reversed(range(T)):
        ahead = reward[t] + GAMMA * keep[t] * expected - value[t] + GAMMA * LAMBDA * keep[t] * ahead
        advantage[t], expected = ahead, value[t]


def learn():
    """Improve the policy on the experience, once through."""
    with torch.no_grad():
        x, u, old, gain, target = (part.flatten(0, 1) for part in (X, U, logp, advantage, advantage + value))
        gain = (gain - gain.mean()) / (gain.std() + 1e-8)
    for rows in torch.rand(T * N, device=options.device).argsort().chunk(options.minibatches):
        change = agent.log_likelihood(x[rows], u[rows]) - old[rows]
        ratio = change.exp()
        gained = torch.minimum(ratio * gain[rows], ratio.clip(0.8, 1.2) * gain[rows]).mean()
        lost = (agent.value(x[rows]) - target[rows]).square().mean()
        optimiser.zero_grad()
        (0.5 * lost - gained - options.entropy * agent.logspread.sum()).backward()
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        optimiser.step()
        with torch.no_grad():  # an estimate of the divergence, never negative
            moved.add_(torch.stack([(ratio - 1 - change).mean(), torch.ones_like(lost)]))


@torch.no_grad()
def steer(share):
    """A rate that moves the policy by about options.kl; the bound falls with the share of steps that is left."""
    distance = moved[0] / moved[1]
    factor = 1 + 0.2 * (distance < options.kl / 1.5).float() - (1 - 1 / 1.2) * (distance > options.kl * 1.5).float()
    rate.copy_((rate * factor).clip(1e-5, max(options.rate * share, 1e-5)))
    moved.zero_()


def report():
    """How it goes, for the reader and for a plot: returns of the episodes that ended since the last time."""
    total, count = finished.tolist()  # waits for the GPU
    finished.zero_()
    seconds, mean = time.perf_counter() - start, total / max(count, 1)
    if count:
        print(f"{done:>10} steps  {seconds:>6.1f} s  {done / seconds:>8.0f}/s  return {mean:8.1f} of {count:.0f} episodes",
              flush=True)
        if options.curve:
            with open(options.curve, "a") as file:
                file.write(f"{done},{seconds:.1f},{mean:.2f}\n")
    return mean, count


observation.copy_(env.reset(seed=options.seed)[0])
done, updates, left, recent = 0, 0, 1.0, (0.0, 0)
collect()  # to know the spread of observations and rewards before learning
agent.seen.see(X.flatten(0, 1))
gather, improve = Recorded(collect), Recorded(learn)
while left > 0:
    gather()
    for _ in range(options.epochs):
        improve()
    steer(left)
    agent.seen.see(X.flatten(0, 1))  # after learning: during an update it stays the one that actions were chosen with
    done, updates = done + T * N, updates + 1
    left = 1 - max(done / options.steps, (time.perf_counter() - start) / options.seconds)
    if updates % options.every == 0:
        now = report()
        recent = now if now[1] >= 20 else recent
        if on_gpu and env.settle():
            gather = Recorded(collect)
        if options.until and recent[1] and recent[0] >= options.until:
            break
if options.save:
    torch.save(agent.state_dict(), options.save)
print(f"return of the last episodes: {recent[0]:.1f} after {done} steps, {time.perf_counter() - start:.0f} s")
if options.until:
    assert recent[0] >= options.until, "it has not learned"
