"""The vector environment over a batch: Gymnasium's rules, and the physics of single worlds."""

import numpy as np
import pytest

import sinew

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.vector import AutoresetMode  # noqa: E402

from sinew.vector_env import VectorEnv  # noqa: E402

CART = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <body><joint name="slide" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/>
      <body><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .5" size=".03" mass=".2"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="slide" ctrlrange="-1 1" ctrllimited="true" gear="5"/></actuator>
</mujoco>
"""


def make(count=4, **options):
    return VectorEnv(sinew.MjModel.from_xml_string(CART), count, **options)


def fixed_reset(batch, mask, random):
    batch.reset(mask)


def test_spaces_and_shapes():
    env = make()
    observations, infos = env.reset(seed=1)
    assert env.observation_space.contains(observations) and observations.shape == (4, 4)
    assert env.action_space.shape == (4, 1)
    assert env.single_action_space.low == -1 and env.single_action_space.high == 1
    observations, rewards, terminated, truncated, infos = env.step(env.action_space.sample())
    assert env.observation_space.contains(observations)
    assert rewards.shape == terminated.shape == truncated.shape == (4,)
    assert terminated.dtype == truncated.dtype == bool


def test_physics_is_that_of_mj_step():
    env = make(3, frame_skip=2, reset=fixed_reset, reward=lambda b: -np.abs(b.qpos[:, 0]))
    env.reset()
    actions = np.array([[0.5], [-1.0], [0.1]])
    for _ in range(10):
        observations, rewards, *_ = env.step(actions)
    m = sinew.MjModel.from_xml_string(CART)
    for i in range(3):
        d = sinew.MjData(m)
        d.ctrl[:] = actions[i]
        sinew.mj_step(m, d, 20)
        assert np.array_equal(observations[i], np.concatenate([d.qpos, d.qvel]))
        assert rewards[i] == -abs(d.qpos[0])


def test_seeds_repeat():
    a, b = make(), make(nthread=2)
    first, _ = a.reset(seed=5)
    second, _ = b.reset(seed=5)
    assert np.array_equal(first, second)
    assert not np.array_equal(first, a.reset(seed=6)[0])
    assert np.ptp(first[:, 0]) > 0


def test_next_step_autoreset():
    env = make(2, max_episode_steps=3, reset=fixed_reset)
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    start, _ = env.reset()
    for _ in range(2):
        *_, truncated, _ = env.step(np.ones((2, 1)))
        assert not truncated.any()
    last, _, _, truncated, _ = env.step(np.ones((2, 1)))
    assert truncated.all() and not np.array_equal(last, start)
    again, rewards, terminated, truncated, _ = env.step(np.ones((2, 1)))
    assert np.array_equal(again, start) and not truncated.any() and not rewards.any()


def test_same_step_autoreset():
    env = make(2, max_episode_steps=2, reset=fixed_reset, autoreset=AutoresetMode.SAME_STEP)
    start, _ = env.reset()
    env.step(np.ones((2, 1)))
    observations, _, _, truncated, infos = env.step(np.ones((2, 1)))
    assert truncated.all() and np.array_equal(observations, start)
    assert infos["_final_obs"].all() and np.all(infos["final_obs"][:, 0] > 0)


def test_disabled_autoreset():
    env = make(2, reset=fixed_reset, autoreset=AutoresetMode.DISABLED, terminated=lambda b: b.qpos[:, 0] > 0.001)
    start, _ = env.reset()
    for _ in range(20):
        *_, terminated, _, _ = env.step(np.array([[1.0], [0.0]]))
        if terminated.any():
            break
    assert terminated.tolist() == [True, False]
    with pytest.raises(ValueError):
        env.step(np.zeros((2, 1)))
    observations, _ = env.reset(options={"reset_mask": terminated})
    assert np.array_equal(observations[0], start[0])
    env.step(np.zeros((2, 1)))


def test_failed_worlds_end_alone():
    env = make(3, reset=fixed_reset)
    env.reset()
    env.batch.qvel[1, 0] = np.nan
    observations, rewards, terminated, _, _ = env.step(np.zeros((3, 1)))
    assert terminated.tolist() == [False, True, False] and np.all(np.isfinite(rewards))
    observations, _, terminated, _, _ = env.step(np.zeros((3, 1)))
    assert not terminated.any() and np.all(np.isfinite(observations))


def test_wrong_arguments():
    env = make(2)
    env.reset()
    with pytest.raises(ValueError):
        env.step(np.zeros((3, 1)))
    with pytest.raises(ValueError):
        env.reset(options={"reset_mask": np.ones(3, bool)})
    with pytest.raises(ValueError):
        make(2, observation=lambda b: np.zeros(3))
