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


def fixed_reset(batch, mask, seeds):
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
    a, b = make(), make(threads=2)
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
    assert infos["_final_obs"].all() and all(row[0] > 0 for row in infos["final_obs"])


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


# ---- Gymnasium's own vector environment is the referee ----


class Cart(gymnasium.Env):
    """The same task as a single environment."""

    def __init__(self, limit=6):
        self.m = sinew.MjModel.from_xml_string(CART)
        self.d = sinew.MjData(self.m)
        self.limit = limit
        self.observation_space = gymnasium.spaces.Box(-np.inf, np.inf, (4,), np.float64)
        self.action_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)

    def _observe(self):
        return np.concatenate([self.d.qpos, self.d.qvel])

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        sinew.mj_resetData(self.m, self.d)
        self.steps = 0
        return self._observe(), {}

    def step(self, action):
        self.d.ctrl[:] = action
        sinew.mj_step(self.m, self.d)
        self.steps += 1
        return self._observe(), -abs(self.d.qpos[0]), bool(self.d.qpos[0] > 0.003), self.steps >= self.limit, {}


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_equals_gymnasiums_vector_env(mode):
    """Observations, rewards, ends and final observations are those of SyncVectorEnv, step for step."""
    theirs = gymnasium.vector.SyncVectorEnv([Cart] * 5, autoreset_mode=mode)
    ours = make(5, max_episode_steps=6, autoreset=mode, reset=fixed_reset, reward=lambda b: -np.abs(b.qpos[:, 0]),
                terminated=lambda b: b.qpos[:, 0] > 0.003)
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    assert ours.single_action_space == theirs.single_action_space
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.action_space == theirs.action_space and ours.observation_space == theirs.observation_space
    random = np.random.default_rng(0)
    assert np.array_equal(ours.reset(seed=1)[0], theirs.reset(seed=1)[0])
    ends = 0
    for _ in range(40):
        actions = random.uniform(-1, 1, (5, 1)).astype(np.float32)
        a, b = ours.step(actions), theirs.step(actions)
        for i in range(4):
            assert np.array_equal(a[i], b[i]) and a[i].dtype == b[i].dtype
        ended = a[2] | a[3]
        ends += ended.sum()
        assert ("final_obs" in a[4]) == ("final_obs" in b[4]) == (mode == AutoresetMode.SAME_STEP and ended.any())
        if "final_obs" in a[4]:
            assert a[4].keys() == b[4].keys() and a[4]["final_info"] == b[4]["final_info"]
            assert np.array_equal(a[4]["_final_obs"], b[4]["_final_obs"])
            assert np.array_equal(a[4]["_final_info"], b[4]["_final_info"])
            for x, y in zip(a[4]["final_obs"], b[4]["final_obs"]):
                assert (x is None) == (y is None) and (x is None or np.array_equal(x, y))
        if mode == AutoresetMode.DISABLED and ended.any():
            a, b = (env.reset(options={"reset_mask": ended.copy()})[0] for env in (ours, theirs))
            assert np.array_equal(a, b)
    assert ends > 10


def test_seeds_belong_to_worlds():
    """A world's noise depends on its own seed and episode, not on its place or the number of worlds."""
    three, five = make(3), make(5)
    a, _ = three.reset(seed=[7, 8, 9])
    b, _ = five.reset(seed=[1, 9, 2, 7, None])
    assert np.array_equal(a[2], b[1]) and np.array_equal(a[0], b[3]) and not np.array_equal(a[0], a[1])
    assert np.array_equal(three.reset(seed=7)[0], a)
    again, _ = three.reset()
    assert not np.array_equal(again, a)
    with pytest.raises(ValueError):
        three.reset(seed=[1, 2])


def test_gymnasiums_wrappers_and_registry():
    from gymnasium.wrappers.vector import RecordEpisodeStatistics

    env = gymnasium.make_vec("Sinew-v0", num_envs=3, model=sinew.MjModel.from_xml_string(CART), max_episode_steps=4,
                             reward=lambda b: np.ones(3))
    env = RecordEpisodeStatistics(env)
    env.reset(seed=0)
    for _ in range(4):
        *_, infos = env.step(env.action_space.sample())
    assert infos["episode"]["l"].tolist() == [4, 4, 4] and infos["episode"]["r"].tolist() == [4, 4, 4]
    env.close()


@pytest.mark.parametrize("options, words", [
    ({"reward": lambda batch: 1.0}, r"reward\(batch\) must give one value per world, \(4,\), got the shape \(\)"),
    ({"reward": lambda batch: np.zeros(3)}, r"got the shape \(3,\)"),
    ({"terminated": lambda batch: np.zeros((4, 1))}, r"terminated\(batch\) must give one value per world"),
    ({"frame_skip": 0}, "frame_skip should be at least 1, got 0"),
    ({"autoreset": "samestep"}, "autoreset is 'samestep', expected one of NextStep, SameStep, Disabled"),
])
def test_functions_and_options_that_do_not_fit_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        make(**options).step(np.zeros((4, 1)))


def test_tasks_that_do_not_exist_are_answered_with_the_nearest():
    from sinew.envs import SuiteEnv

    with pytest.raises(ValueError, match="Did you mean 'Hopper'?"):
        SuiteEnv("Hopper-v5", 2)
