"""Environments of PyTorch whose worlds are on a GPU (device_cases.py says where these cases run; here they also need a
PyTorch with CUDA, and Gymnasium)."""

import numpy as np
import pytest

from device_helpers import FAKE, needs_gpu

torch = pytest.importorskip("torch")
pytest.importorskip("gymnasium")

from sinew.envs import NAMES, SuiteEnv  # noqa: E402
from sinew.envs.tensors import ResidentEnv  # noqa: E402

pytestmark = [needs_gpu, pytest.mark.skipif(FAKE or not torch.cuda.is_available(), reason="this PyTorch has no GPU")]


def resident(task, count, precision="double", **options):
    return ResidentEnv(SuiteEnv(task, count, device="gpu", precision=precision, **options), starts=32, rehearsal=20)


@pytest.mark.parametrize("task", NAMES)
def test_numbers_are_those_of_the_cpu(task):
    """Observations, rewards and ends over eight steps from the same states."""
    env, plain = resident(task, 5), SuiteEnv(task, 5, threads=1, device="cpu")
    observations, _ = env.reset(seed=3)
    plain.reset(seed=0)
    plain.set_state(env.batch.qpos[:], env.batch.qvel[:])
    assert observations.is_cuda and np.allclose(observations.cpu(), plain._observe(), rtol=0, atol=1e-10)
    random, space = np.random.default_rng(0), env.single_action_space
    for _ in range(8):
        actions = random.uniform(space.low, space.high, (5, *space.shape))
        _, rewards, terminated, truncated, infos = env.step(torch.as_tensor(actions))
        theirs = plain.step(actions)
        scale = max(1.0, np.abs(theirs[0]).max())
        assert np.allclose(infos["final_obs"].cpu(), theirs[0], rtol=0, atol=1e-6 * scale)
        assert np.allclose(rewards.cpu(), theirs[1], rtol=0, atol=1e-6 * scale)
        assert np.array_equal(terminated.cpu(), theirs[2]) and np.array_equal(truncated.cpu(), theirs[3])
        if infos["_final_obs"].any():
            break


def test_episodes_end_and_start_again():
    """Where one ends a state drawn beforehand is observed; bad actions and failures are named."""
    env = resident("Hopper", 6, max_episode_steps=7)
    env.reset(seed=1)
    for _ in range(7):
        observations, _, terminated, truncated, infos = env.step(torch.zeros(6, 3))
    assert truncated.all() and not terminated.any() and infos["_final_obs"].all()
    assert all((env._starts[2] == row).all(1).any() for row in observations)
    assert torch.equal(env.reset(seed=1)[0], resident("Hopper", 6).reset(seed=1)[0])
    actions = torch.zeros(6, 3)
    actions[2, 1] = float("nan")
    assert env.step(actions)[4]["bad_action"].tolist() == [False, False, True, False, False, False]
    qpos = env.batch.qpos[:]
    qpos[4] = np.nan
    env.batch.qpos[:] = qpos
    _, rewards, terminated, _, infos = env.step(torch.zeros(6, 3))
    assert infos["failed"].tolist() == [False] * 4 + [True, False] and terminated[4] and rewards[4] == 0
    observations, _, _, _, infos = env.step(torch.zeros(6, 3))
    assert not infos["failed"].any() and observations.isfinite().all()


@pytest.mark.parametrize("task", ["HalfCheetah", "Humanoid"])
def test_steps_never_wait_and_can_be_recorded(task):
    """PyTorch raises an error where a step of the environment waits for the device; and a graph of steps, in which episodes
    end and start, gives the bits of the steps themselves."""
    ours, theirs = (resident(task, 64, "single", max_episode_steps=9) for _ in range(2))
    space, device = ours.single_action_space, ours.device
    torch.manual_seed(0)
    actions = torch.rand(24, 64, *space.shape, device=device) * 2 - 1
    given = torch.zeros_like(actions[0])
    for env in (ours, theirs):
        env.reset(seed=5)
    torch.cuda.set_sync_debug_mode("error")
    try:
        expected = [theirs.step(row)[:4] for row in actions]
    finally:
        torch.cuda.set_sync_debug_mode("default")
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        found = [[part.clone() for part in ours.step(actions[0])[:4]]]
    side.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):
        results = ours.step(given)[:4]
    for row in actions[1:]:
        given.copy_(row)
        graph.replay()
        found.append([part.clone() for part in results])
    assert not ours.settle() and not theirs.settle()
    assert sum(int((step[2] | step[3]).sum()) for step in found) >= 128
    for t, (a, b) in enumerate(zip(found, expected)):
        assert all(torch.equal(x, y) for x, y in zip(a, b)), t
