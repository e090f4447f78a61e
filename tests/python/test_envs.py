"""The tasks of sinew.envs beside Gymnasium's own environments, which run MuJoCo: the same, step for step."""

import copy
import pickle

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv

import sinew
import sinew.envs
from sinew.envs.columns import Columns, Part
from sinew.envs.suite import SuiteEnv

COUNT, STEPS = 3, 12


def theirs(name, mode=AutoresetMode.NEXT_STEP, **options):
    return SyncVectorEnv([lambda: gymnasium.make(f"{name}-v5", **options)] * COUNT, autoreset_mode=mode)


def ours(name, mode=AutoresetMode.NEXT_STEP, **options):
    return gymnasium.make_vec(f"sinew/{name}-v5", num_envs=COUNT, autoreset=mode, threads=1, **options)


def assert_infos_alike(a, b):
    """The same keys, shapes and types, and numbers up to what the engines differ by in a few steps."""
    assert set(a) == set(b), set(a) ^ set(b)
    for key in a:
        if key == "final_info":
            assert_infos_alike(a[key], b[key])
        elif key == "final_obs":
            assert [x is None for x in a[key]] == [x is None for x in b[key]]
            assert all(x is None or np.allclose(x, y, rtol=0, atol=1e-6) for x, y in zip(a[key], b[key]))
        else:
            assert a[key].dtype == b[key].dtype and a[key].shape == b[key].shape, key
            assert np.allclose(a[key], b[key], rtol=0, atol=1e-6), (key, a[key], b[key])


def play(name, mode, steps=STEPS, **options):
    """Both step for step; the number of episodes that ended."""
    a, b = theirs(name, mode, **options), ours(name, mode, **options)
    assert a.single_action_space == b.single_action_space and a.action_space == b.action_space
    assert a.single_observation_space == b.single_observation_space and a.observation_space == b.observation_space
    (x, p), (y, q) = a.reset(seed=3), b.reset(seed=3)
    assert np.array_equal(x, y)  # the same draws in the same order
    assert_infos_alike(p, q)
    a.action_space.seed(1)
    ends = 0
    for _ in range(steps):
        actions = a.action_space.sample()
        left, right = a.step(actions), b.step(actions)
        assert np.allclose(left[0], right[0], rtol=0, atol=1e-6)
        assert np.allclose(left[1], right[1], rtol=0, atol=1e-6)
        assert np.array_equal(left[2], right[2]) and np.array_equal(left[3], right[3])
        assert [part.dtype for part in left[:4]] == [part.dtype for part in right[:4]]
        assert_infos_alike(left[4], right[4])
        ends += (left[2] | left[3]).sum()
    return ends


@pytest.mark.parametrize("name", sinew.envs.NAMES)
def test_equals_gymnasium_step_for_step(name):
    """Observations, rewards, ends and infos, through episodes that end and start again, seed for seed."""
    ends = play(name, AutoresetMode.NEXT_STEP, max_episode_steps=5)
    assert ends >= COUNT * 2
    play(name, AutoresetMode.SAME_STEP, max_episode_steps=5)


@pytest.mark.full
@pytest.mark.parametrize("name", sinew.envs.NAMES)
@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_equals_gymnasium_until_chaos_parts_them(name, mode):
    """The same over 40 steps; later the engines' last bits have grown."""
    play(name, mode, steps=40)


OPTIONS = {
    "HalfCheetah": dict(exclude_current_positions_from_observation=False, forward_reward_weight=2.0, frame_skip=2),
    "Hopper": dict(healthy_z_range=(1.2, 2.0), healthy_reward=3.0, exclude_current_positions_from_observation=False),
    "Walker2d": dict(terminate_when_unhealthy=False, healthy_angle_range=(-0.01, 0.01), ctrl_cost_weight=1.0),
    "Ant": dict(include_cfrc_ext_in_observation=False, contact_force_range=(-0.1, 0.2), main_body="aux_1"),
    "Humanoid": dict(include_cinert_in_observation=False, include_qfrc_actuator_in_observation=False,
                     contact_cost_weight=1.0, contact_cost_range=(-1.0, 2.0)),
    "HumanoidStandup": dict(include_cvel_in_observation=False, impact_cost_weight=0.1, ctrl_cost_weight=2.0),
    "Swimmer": dict(exclude_current_positions_from_observation=False, reset_noise_scale=0.5),
    "Reacher": dict(reward_dist_weight=2, reward_control_weight=0.3),
    "Pusher": dict(reward_near_weight=2, reward_dist_weight=3, reward_control_weight=4),
    "InvertedPendulum": dict(reset_noise_scale=0.1),
    "InvertedDoublePendulum": dict(healthy_reward=1.0, reset_noise_scale=0.01),
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options_mean_what_they_mean_there(name):
    play(name, AutoresetMode.NEXT_STEP, **OPTIONS[name])


def test_unknown_options_are_refused():
    with pytest.raises(TypeError, match="has no option 'speed'; it has: .*reset_noise_scale"):
        SuiteEnv("Ant", 1, speed=3)
    with pytest.raises(TypeError, match="Did you mean 'healthy_reward'"):
        SuiteEnv("Ant", 1, healty_reward=3)
    with pytest.raises(ValueError, match="no task 'Dog', expected one of HalfCheetah"):
        SuiteEnv("Dog", 1)


def test_images_are_asked_for_as_in_gymnasium():
    env = gymnasium.make_vec("sinew/Hopper-v5", num_envs=2, render_mode="rgb_array")
    env.reset(seed=0)
    assert env.render_mode == "rgb_array" and [image.shape for image in env.render()] == [(480, 480, 3)] * 2
    with pytest.raises(ValueError, match="viewer.launch_batch"):
        gymnasium.make_vec("sinew/Hopper-v5", num_envs=2, render_mode="human")


def test_states_of_other_environments_are_refused():
    env = SuiteEnv("Hopper", 2, threads=1)
    env.reset(seed=0)
    saved = env.save_state()
    for other in (SuiteEnv("Hopper", 3, threads=1), SuiteEnv("Swimmer", 2, threads=1)):
        with pytest.raises(ValueError, match="of another environment: it has 2 worlds"):
            other.load_state(saved)
    for wrong in (b"", b"junk", saved[:50], pickle.dumps([1, 2])):
        with pytest.raises(ValueError, match="what save_state gave"):
            env.load_state(wrong)
    for copied in (pickle.dumps, copy.deepcopy):
        with pytest.raises(TypeError, match="save_state"):
            copied(env)


def test_a_world_does_not_depend_on_the_others():
    """Seeds belong to worlds; threads and numbers of worlds change no bit, and ends of other episodes neither."""
    one, many = SuiteEnv("Hopper", 1, threads=1), SuiteEnv("Hopper", 40, threads=2)
    a, b = one.reset(seed=7)[0], many.reset(seed=[*range(100, 139), 7])[0]
    random = np.random.default_rng(0)
    ends = 0
    for _ in range(60):
        actions = random.uniform(-1, 1, (40, 3)).astype(np.float32)
        assert np.array_equal(a[0], b[39])
        a, *left, _ = one.step(actions[39:])
        b, *right, _ = many.step(actions)
        assert all(x[0] == y[39] for x, y in zip(left, right))
        ends += (right[1] | right[2]).sum()
    assert ends > 40


def test_bad_actions_are_reported_and_do_nothing():
    """Controls that are not finite are stepped as zeros, which is what a step makes of them, and named in infos."""
    a, b = SuiteEnv("Ant", 3, threads=1), SuiteEnv("Ant", 3, threads=1)
    a.reset(seed=1), b.reset(seed=1)
    actions = np.full((3, 8), 0.3, np.float32)
    bad = actions.copy()
    bad[1, 2] = np.nan
    actions[1] = 0
    x, y = a.step(actions), b.step(bad)
    assert "bad_action" not in x[4]
    assert y[4]["bad_action"].tolist() == y[4]["_bad_action"].tolist() == [False, True, False]
    assert np.array_equal(x[0], y[0]) and np.array_equal(x[1], y[1]) and np.all(np.isfinite(y[0]))


def test_failed_worlds_are_reported_and_end():
    env = SuiteEnv("HalfCheetah", 3, threads=1)
    env.reset(seed=1)
    env.batch.qvel[1, 0] = np.nan
    observations, rewards, terminated, _, infos = env.step(np.zeros((3, 6), np.float32))
    assert terminated.tolist() == infos["failed"].tolist() == [False, True, False]
    assert rewards[1] == 0 and np.all(np.isfinite(observations))
    observations, _, terminated, _, infos = env.step(np.zeros((3, 6), np.float32))
    assert not terminated.any() and "failed" not in infos and np.all(np.isfinite(observations))


def test_set_state_measures_anew():
    """Velocities are differences from the state that was set."""
    env = SuiteEnv("HalfCheetah", 2, threads=1)
    env.reset(seed=1)
    qpos = np.tile(env.task.start_qpos, (2, 1))
    qpos[:, 0] = 100
    env.set_state(qpos, np.zeros((2, 9)))
    assert np.all(np.abs(env.step(np.zeros((2, 6)))[4]["x_velocity"]) < 5)


def test_a_prefix_registers_the_tasks():
    """In a process that has not imported sinew."""
    import subprocess
    import sys

    code = "import gymnasium; print(gymnasium.make_vec('sinew.envs:sinew/Swimmer-v5', num_envs=2, threads=1).num_envs)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "2\n"


def test_plain_environment_is_gymnasiums():
    a, b = gymnasium.make("Walker2d-v5"), gymnasium.make("sinew/Walker2d-v5")
    (x, p), (y, q) = a.reset(seed=5), b.reset(seed=5)
    assert np.array_equal(x, y) and p.keys() == q.keys()
    a.action_space.seed(0)
    for _ in range(40):
        action = a.action_space.sample()
        left, right = a.step(action), b.step(action)
        assert np.allclose(left[0], right[0], rtol=0, atol=1e-6) and left[1] == pytest.approx(right[1], abs=1e-6)
        assert left[2:4] == right[2:4] and left[4].keys() == right[4].keys()
        if left[2]:
            break
    from gymnasium.utils.env_checker import check_env

    check_env(b.unwrapped, skip_render_check=True)


def test_columns_are_those_of_numpy():
    """Threads of the engine gather what NumPy does from the fields, by rows and by columns."""
    env = SuiteEnv("Humanoid", 5, threads=2)
    env.reset(seed=0)
    for _ in range(3):
        env.step(env.action_space.sample())
    weights = list(np.linspace(-1, 1, env.model.nbody))
    parts = [Part("qpos", 2), Part("qvel", 3, 4, "cos"), Part("qvel", 3, 4, "sin"),
             Part("cfrc_ext", 6, 30, "clip", (-0.5, 0.25)), Part("cvel", operation="squares", range=(-1, 2)),
             Part("xipos", 0, 2, "weighted", weights=weights), Part("xpos", 0, 3, "length", weights=weights),
             Part("qpos", 2, 1, "inside", (1.39, 1.405)), Part("qvel", 0, 3, "and_inside", (-0.2, 0.2))]
    for by_column in (False, True):
        chosen = parts[1:] if by_column else parts
        columns = Columns(env.batch, chosen, by_column)
        expected = np.empty((5, columns.width))
        columns.fill(expected)
        assert np.allclose(columns(), expected.T if by_column else expected, rtol=1e-12, atol=1e-12)
    with pytest.raises(AttributeError):
        Columns(env.batch, [Part("nothing")])
    with pytest.raises(IndexError):
        Columns(env.batch, [Part("qpos", 20, 10)])


def test_forces_of_bodies_are_those_of_single_worlds():
    """Batch.rne_post_constraint fills cacc, cfrc_int and cfrc_ext as mj_rnePostConstraint does."""
    model = SuiteEnv("Ant", 1, threads=1).model
    batch = sinew.Batch(model, 4, threads=2)
    batch.perturb(1, 0.1)
    batch.step(60)
    assert not batch.cfrc_ext.any()
    data = [batch.copy_world(i) for i in range(4)]
    batch.rne_post_constraint()
    for i, d in enumerate(data):
        sinew.mj_rnePostConstraint(model, d)
        for field in ("cacc", "cfrc_int", "cfrc_ext"):
            assert np.array_equal(batch.field(field)[i], getattr(d, field)), field
    assert batch.cfrc_ext.any(axis=(1, 2)).all()


def test_forward_of_some_worlds_leaves_the_others():
    batch = sinew.Batch(SuiteEnv("Hopper", 1, threads=1).model, 4, threads=1)
    batch.forward()
    batch.qpos[:, 1] += 1
    before = batch.xpos.copy()
    batch.forward([1, 3, 3])
    assert np.array_equal(batch.xpos[[0, 2]], before[[0, 2]]) and (batch.xpos[[1, 3], 1, 2] > before[[1, 3], 1, 2]).all()
