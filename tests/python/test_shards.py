"""Work in shards: the same bits whoever does it, and lost workers cost one shard another try."""

import numpy as np
import pytest
import shard_work as work
import sinew
from sinew import planning, shards, studies


@pytest.fixture(scope="module")
def processes():
    with shards.Processes(2) as executor:
        yield executor


def test_processes_give_the_bits_of_one(processes):
    scale = np.linspace(0, 1, 23)
    alone = shards.run(work.draw, {"scale": scale}, size=5)
    assert alone["values"].shape == (23, 2, 3) and np.array_equal(alone["item"], np.arange(23))
    work.same(alone, shards.run(work.draw, {"scale": scale}, size=5, executor=processes))
    work.same(alone, shards.run(work.draw, {"scale": scale}, size=23))  # items know nothing of shards


def test_a_killed_worker_costs_its_shard_a_retry_and_nothing_else(processes, tmp_path):
    job = work.Traced(tmp_path, victim=9)
    found = shards.run(job, 20, size=4, executor=processes)
    work.same(found, shards.run(work.draw, 20, size=4))
    assert job.calls() == [0, 4, 8, 8, 12, 16]


def test_a_shard_that_kills_every_worker_ends_the_run(processes, tmp_path):
    with pytest.raises(RuntimeError, match="items 8 to 11 lost their worker 3 times"):
        shards.run(work.Traced(tmp_path, victim=9, deaths=9), 20, size=4, executor=processes, retries=2)


def test_exceptions_come_through(processes):
    for executor in (None, processes):
        with pytest.raises(ZeroDivisionError, match="item 0 cannot"):
            shards.run(work.fail, 3, executor=executor)


def test_what_cannot_be_sent_is_said(processes):
    with pytest.raises(TypeError, match="cannot be sent"):
        shards.run(work.unsendable, 3, executor=processes)
    with pytest.raises((AttributeError, TypeError)):  # a function without a name in a module
        shards.run(lambda index: {"item": index}, 3, executor=processes)
    assert np.array_equal(shards.run(work.draw, 3, executor=processes)["item"], [0, 1, 2])


def test_a_function_that_changed_is_sent_again(processes):
    job = work.Scale()
    first = shards.run(job, 4, executor=processes)
    job.factor = 3.0
    assert np.array_equal(shards.run(job, 4, executor=processes)["x"], 3 * first["x"])


def test_progress_counts_items():
    told = []
    shards.run(work.draw, 10, size=4, progress=lambda done, total: told.append((done, total)))
    assert told == [(0, 10), (4, 10), (8, 10), (10, 10)]


def test_wrong_arguments_are_named():
    with pytest.raises(ValueError, match="one row for each"):
        shards.run(work.draw, {"a": np.zeros(3), "b": np.zeros(4)})
    with pytest.raises(TypeError, match="should give a dict"):
        shards.run(lambda index: index, 3)
    with pytest.raises(ValueError, match="should have 3 rows"):
        shards.run(lambda index: {"x": np.zeros(2)}, 3)
    with pytest.raises(ValueError, match="should end in .parquet or .zarr"):
        shards.run(work.draw, 3, store="results.csv")


def test_rollouts_are_those_of_sinew_rollout(processes):
    model = sinew.MjModel.from_xml_string(work.PENDULUM)
    random = np.random.default_rng(0)
    states, controls = random.normal(size=(9, 3)), random.uniform(-1, 1, (9, 12, 1))
    found = studies.rollout(model, states, controls, size=4, executor=processes)
    state, sensordata = sinew.rollout.rollout(model, sinew.MjData(model), states, controls)
    work.same(found, {"state": state, "sensordata": sensordata})


def test_sweeps_are_single_worlds(processes):
    model = sinew.MjModel.from_xml_string(work.BALLS)
    values = {"mass[ball]": np.linspace(0.5, 2, 10), "opt.gravity[2]": np.linspace(-12, -3, 10)}
    found = studies.sweep(model, values, nstep=150, measure=work.height, seed=4, size=3, executor=processes)
    work.same(found, studies.sweep(model, values, nstep=150, measure=work.height, seed=4, size=10))
    assert not found["failed"].any() and found["height"].std() > 0.001
    model.opt.gravity[2] = values["opt.gravity[2]"][3]
    model.body_mass[1] *= values["mass[ball]"][3]
    model.body_inertia[1] *= values["mass[ball]"][3]
    data = sinew.MjData(model)
    sinew.mj_setConst(model, data)
    batch = sinew.Batch(model, 1, device="cpu")
    batch.reset(seed=shards.seeds(4, [3]))
    batch.step(150)
    assert batch.qpos[0, 2] == found["height"][3]


@pytest.mark.parametrize("kind, options", [("CEM", {"iterations": 8}), ("MPPI", {"iterations": 6})])
def test_plans_swing_a_pendulum_up_with_the_same_bits(kind, options, processes):
    model = sinew.MjModel.from_xml_string(work.PENDULUM)
    data = sinew.MjData(model)
    plans = []
    for executor, size in ((None, 96), (processes, 20)):
        planner = getattr(planning, kind)(model, work.reach, horizon=40, samples=96, spread=0.8, size=size, executor=executor,
                                          **options)
        plans.append(planner.plan(data))
    assert plans[0].tobytes() == plans[1].tobytes()
    for control in plans[0]:
        data.ctrl[:] = control
        sinew.mj_step(model, data)
    assert abs(data.qpos[0] - np.pi) < 1.0  # from hanging, in less than a second


def test_environments_go_back_to_a_saved_state():
    pytest.importorskip("gymnasium")
    from sinew.envs import SuiteEnv

    env, other = SuiteEnv("Hopper", 3, threads=1), SuiteEnv("Hopper", 3, threads=1)
    env.reset(seed=1)
    actions = np.random.default_rng(0).uniform(-1, 1, (80, 3, 3))
    for k in range(30):
        env.step(actions[k])
    other.load_state(env.save_state())
    for k in range(30, 80):
        a, b = env.step(actions[k]), other.step(actions[k])
        assert all(x.tobytes() == y.tobytes() for x, y in zip(a[:4], b[:4]))
        work.same(a[4], b[4])
