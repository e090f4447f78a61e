"""Environments under PyTorch and stable-baselines3; skipped where these are not installed (`make test-learning` has them)."""

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium")

from sinew.envs import NAMES, SuiteEnv  # noqa: E402


def test_tensors_share_the_memory():
    torch = pytest.importorskip("torch")
    from sinew.envs.tensors import TensorEnv

    env, plain = TensorEnv(SuiteEnv("Hopper", 4, threads=1)), SuiteEnv("Hopper", 4, threads=1)
    observations, _ = env.reset(seed=1)
    expected, _ = plain.reset(seed=1)
    for _ in range(30):
        assert isinstance(observations, torch.Tensor) and np.array_equal(observations.numpy(), expected)
        actions = torch.rand(4, 3) * 2 - 1
        observations, rewards, terminated, truncated, _ = env.step(actions)
        expected, *more, _ = plain.step(actions.numpy())
        assert terminated.dtype == truncated.dtype == torch.bool
        assert all(np.array_equal(a.numpy(), b) for a, b in zip((rewards, terminated, truncated), more))
    array = np.arange(6.0).reshape(2, 3)
    assert env._tensor(array).data_ptr() == array.ctypes.data
    assert TensorEnv(plain, dtype=torch.float32).reset()[0].dtype == torch.float32


def test_final_observations_are_tensors_too():
    torch = pytest.importorskip("torch")
    from sinew.envs.tensors import TensorEnv

    env = TensorEnv(SuiteEnv("Hopper", 4, threads=1, autoreset="SameStep", max_episode_steps=3), dtype=torch.float32)
    plain = SuiteEnv("Hopper", 4, threads=1, autoreset="SameStep", max_episode_steps=3)
    env.reset(seed=0), plain.reset(seed=0)
    for _ in range(3):
        _, _, _, truncated, infos = env.step(torch.zeros(4, 3))
        expected = plain.step(np.zeros((4, 3)))[4]
    assert truncated.all() and infos["final_obs"].dtype == torch.float32
    assert np.allclose(infos["final_obs"].numpy(), np.stack(expected["final_obs"]))


# ---- tensors where the worlds are ----


@pytest.mark.parametrize("task", NAMES)
def test_resident_tensors_are_the_suites_numbers(task):
    """Observations, rewards and ends, computed by PyTorch from the fields, are those of SuiteEnv from the same states."""
    torch = pytest.importorskip("torch")
    from sinew.envs.tensors import ResidentEnv

    env = ResidentEnv(SuiteEnv(task, 5, threads=1, device="cpu"), starts=32)
    plain = SuiteEnv(task, 5, threads=1, device="cpu")
    observations, _ = env.reset(seed=3)
    plain.reset(seed=0)
    plain.set_state(np.array(env.batch.qpos), np.array(env.batch.qvel))
    assert np.allclose(observations.numpy(), plain._observe(), rtol=0, atol=1e-12)
    random, space = np.random.default_rng(0), env.single_action_space
    for _ in range(8):
        actions = random.uniform(space.low, space.high, (5, *space.shape))
        ours, theirs = env.step(torch.as_tensor(actions)), plain.step(actions)
        ended = bool((ours[2] | ours[3]).any())
        last = ours[4]["final_obs"] if ended else ours[0]
        assert np.allclose(last.numpy(), theirs[0], rtol=0, atol=1e-8)
        assert np.allclose(ours[1].numpy(), theirs[1], rtol=0, atol=1e-8)
        assert np.array_equal(ours[2].numpy(), theirs[2]) and np.array_equal(ours[3].numpy(), theirs[3])
        if ended:
            break


def test_resident_episodes_end_and_start_again():
    torch = pytest.importorskip("torch")
    from sinew.envs.tensors import ResidentEnv

    env = ResidentEnv(SuiteEnv("Hopper", 6, threads=1, device="cpu", max_episode_steps=7), starts=16)
    observations, _ = env.reset(seed=1)
    with pytest.raises(ValueError, match=r"shape \(6, 3\), got \(6, 2\)"):
        env.step(torch.zeros(6, 2))
    for _ in range(7):
        observations, _, terminated, truncated, infos = env.step(torch.zeros(6, 3))
    assert truncated.all() and not terminated.any() and infos["_final_obs"].all()
    assert all((env._starts[2] == row).all(1).any() for row in observations)
    again, _ = env.reset(seed=1)
    assert torch.equal(again, ResidentEnv(SuiteEnv("Hopper", 6, threads=1, device="cpu"), starts=16).reset(seed=1)[0])
    actions = torch.zeros(6, 3)
    actions[2, 1] = float("nan")
    assert env.step(actions)[4]["bad_action"].tolist() == [False, False, True, False, False, False]
    env.batch.qpos[4] = np.nan
    _, rewards, terminated, _, infos = env.step(torch.zeros(6, 3))
    assert infos["failed"].tolist() == [False] * 4 + [True, False] and terminated[4] and rewards[4] == 0


def test_resident_tensors_need_a_suite_and_a_reset():
    torch = pytest.importorskip("torch")
    from sinew.envs.tensors import ResidentEnv, TensorEnv

    with pytest.raises(TypeError, match="a SuiteEnv is expected, .*, got TensorEnv"):
        ResidentEnv(TensorEnv(SuiteEnv("Hopper", 2)))
    with pytest.raises(RuntimeError, match="reset comes before"):
        ResidentEnv(SuiteEnv("Hopper", 2)).step(torch.zeros(2, 3))


def test_fields_of_a_batch_are_tensors_without_a_copy():
    torch = pytest.importorskip("torch")
    import sinew

    batch = sinew.Batch(SuiteEnv("Hopper", 1, threads=1).model, 3, device="cpu")
    qpos = torch.from_dlpack(batch.qpos)
    qpos[1, 0] = 5
    assert batch.qpos[1, 0] == 5 and qpos.data_ptr() == batch.qpos.ctypes.data
    batch.step(1)
    assert qpos[0, 1] == batch.qpos[0, 1]


def make_sb3(count=4, **options):
    pytest.importorskip("stable_baselines3")
    from sinew.envs.sb3 import SB3Env

    return SB3Env(SuiteEnv("Hopper", count, autoreset="SameStep", threads=1, **options))


def test_sb3_sees_gymnasiums_episodes():
    """Rewards, ends, last observations and cuts are those of DummyVecEnv over Gymnasium's environments."""
    env = make_sb3(3, max_episode_steps=15)
    from stable_baselines3.common.vec_env import DummyVecEnv

    theirs = DummyVecEnv([lambda: gymnasium.make("Hopper-v5", max_episode_steps=15)] * 3)
    env.seed(5), theirs.seed(5)
    assert np.allclose(env.reset(), theirs.reset(), atol=1e-6)
    random, ends, cut = np.random.default_rng(0), 0, 0
    for _ in range(40):
        actions = random.uniform(-1, 1, (3, 3)).astype(np.float32)
        a, b = env.step(actions), theirs.step(actions)
        assert np.allclose(a[0], b[0], atol=1e-5) and np.allclose(a[1], b[1], atol=1e-5) and np.array_equal(a[2], b[2])
        assert a[1].dtype == b[1].dtype
        for ours, other in zip(a[3], b[3]):
            assert ("terminal_observation" in ours) == ("terminal_observation" in other)
            if "terminal_observation" in ours:
                ends += 1
                cut += ours["TimeLimit.truncated"]
                assert np.allclose(ours["terminal_observation"], other["terminal_observation"], atol=1e-5)
                assert ours["TimeLimit.truncated"] == other["TimeLimit.truncated"]
                assert ours["x_velocity"] == pytest.approx(other["x_velocity"], abs=1e-5)
    assert ends > 3 and cut > 0


def test_sb3_learns():
    """PPO of stable-baselines3 runs, and holds the pendulum up for longer than at first."""
    pytest.importorskip("stable_baselines3")
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.vec_env import VecMonitor

    from sinew.envs.sb3 import SB3Env

    torch.set_num_threads(1)  # networks this small are slower on more
    env = VecMonitor(SB3Env(SuiteEnv("InvertedPendulum", 16, autoreset="SameStep", threads=1)))
    model = PPO("MlpPolicy", env, n_steps=64, batch_size=256, learning_rate=1e-3, seed=0, device="cpu")
    model.learn(10240)
    lengths = [episode["l"] for episode in model.ep_info_buffer]
    assert np.mean(lengths[-20:]) > 50


def test_sb3_wants_episodes_to_start_again_at_once():
    pytest.importorskip("stable_baselines3")
    from sinew.envs.sb3 import SB3Env

    with pytest.raises(ValueError, match="SameStep"):
        SB3Env(SuiteEnv("Hopper", 2, threads=1))


def test_tensors_and_adapters_refuse_what_does_not_fit():
    torch = pytest.importorskip("torch")
    pytest.importorskip("stable_baselines3")
    from sinew.envs.sb3 import SB3Env
    from sinew.envs.tensors import TensorEnv

    for dtype in ("float32", torch.int32):
        with pytest.raises(TypeError, match="such as torch.float32, got"):
            TensorEnv(SuiteEnv("Hopper", 2), dtype=dtype)
    with pytest.raises(TypeError, match="a VectorEnv of Sinew is expected, .*, got str"):
        SB3Env("Hopper")
    env = TensorEnv(SuiteEnv("Hopper", 2))
    env.reset(seed=0)
    assert env.step([[0, 0, 0], [0, 0, 0]])[0].shape == (2, 11)  # lists are tensors too
