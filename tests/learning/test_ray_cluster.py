"""Work on a Ray cluster on this machine: bits, lost workers, stores that are gone on with, RLlib."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

ray = pytest.importorskip("ray")

import shard_work as work  # noqa: E402
import sinew  # noqa: E402
import sinew.ray  # noqa: E402
from sinew import planning, shards, stores, studies  # noqa: E402

HELPERS = str(pathlib.Path(work.__file__).parent)


@pytest.fixture(scope="module", autouse=True)
def cluster():
    """Four logical processors, however many there are."""
    path = os.pathsep.join(str(pathlib.Path(entry).resolve()) for entry in [HELPERS, *sys.path] if entry)
    ray.init(num_cpus=4, include_dashboard=False, log_to_driver=False, logging_level="ERROR",
             runtime_env={"env_vars": {"PYTHONPATH": path}})
    yield
    ray.shutdown()


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_any_number_of_workers_gives_the_same_bits(workers):
    executor = sinew.ray.Cluster(workers)
    work.same(shards.run(work.draw, 40, size=6, executor=executor), shards.run(work.draw, 40, size=6))
    model = sinew.MjModel.from_xml_string(work.PENDULUM)
    random = np.random.default_rng(0)
    states, controls = random.normal(size=(9, 3)), random.uniform(-1, 1, (9, 12, 1))
    work.same(sinew.ray.rollout(model, states, controls, size=2, executor=executor), studies.rollout(model, states, controls))
    balls = sinew.MjModel.from_xml_string(work.BALLS)
    values = {"mass[ball]": np.linspace(0.5, 2, 10)}
    a, b = (f(balls, values, nstep=100, measure=work.height, seed=4, size=3, **options)
            for f, options in ((sinew.ray.sweep, {"executor": executor}), (studies.sweep, {})))
    work.same(a, b)
    data = sinew.MjData(model)
    for kind in ("CEM", "MPPI"):
        options = dict(horizon=20, samples=32, iterations=2, size=8)
        far = getattr(sinew.ray, kind)(model, work.reach, executor=executor, **options).plan(data)
        assert far.tobytes() == getattr(planning, kind)(model, work.reach, **options).plan(data).tobytes()


def test_a_killed_worker_costs_its_shard_a_retry_and_nothing_else(tmp_path):
    job = work.Traced(tmp_path, victim=9)
    work.same(sinew.ray.run(job, 20, size=4), shards.run(work.draw, 20, size=4))
    assert job.calls() == [0, 4, 8, 8, 12, 16]
    with pytest.raises(RuntimeError, match="items 8 to 11 lost their worker 2 times"):
        sinew.ray.run(work.Traced(tmp_path, victim=9, deaths=9), 20, size=4, retries=1)


def test_exceptions_come_through():
    with pytest.raises(ZeroDivisionError, match="item 0 cannot"):
        sinew.ray.run(work.fail, 3)


# ---- stores ----


def contents(folder):
    """Every file of a folder."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(pathlib.Path(folder).rglob("*")) if path.is_file()}


@pytest.mark.parametrize("kind", ["parquet", "zarr"])
def test_stores_give_back_what_went_in(kind, tmp_path):
    pytest.importorskip("pyarrow" if kind == "parquet" else "zarr")
    store = sinew.ray.run(work.draw, 25, size=4, store=tmp_path / f"a.{kind}")
    assert store.complete
    work.same(stores.open_store(tmp_path / f"a.{kind}").load(), shards.run(work.draw, 25))
    with pytest.raises(ValueError, match="another job: its size is 4, not 5"):
        shards.run(work.draw, 25, size=5, store=tmp_path / f"a.{kind}")


def test_other_programs_read_the_stores(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    zarr = pytest.importorskip("zarr")
    found = shards.run(work.draw, 10)
    for kind in ("parquet", "zarr"):
        shards.run(work.draw, 10, size=4, store=tmp_path / f"a.{kind}")
    table = parquet.read_table(tmp_path / "a.parquet")
    assert np.array_equal(table["item"].to_numpy(), np.arange(10))
    assert np.array_equal(np.stack([np.array(row).reshape(2, 3) for row in table["values"].to_pylist()]), found["values"])
    assert np.array_equal(zarr.open_group(str(tmp_path / "a.zarr"), mode="r")["values"][:], found["values"])


DRIVER = """
import sys
sys.path.insert(0, {helpers!r})
import shard_work, sinew.shards
executor = sinew.shards.Processes(2) if {processes} else None
sinew.shards.run(shard_work.Traced({folder!r}, pause={pause}), 60, size=4, store={store!r}, executor=executor)
if executor: executor.close()
"""


def finished(path):
    """First items of the shards that a store has."""
    if not (path / "_job.json").exists() or "fields" not in stores.open_store(path).job:
        return set()
    store = stores.open_store(path)
    return {first for first, last in store._shards() if store.has(first, last)}


@pytest.mark.parametrize("processes", [False, True], ids=["serial", "processes"])
@pytest.mark.parametrize("kind", ["parquet", "zarr"])
def test_a_killed_driver_is_gone_on_with(kind, processes, tmp_path):
    """Files are in the end those of a run that nobody stopped; what was done is not done again."""
    pytest.importorskip("pyarrow" if kind == "parquet" else "zarr")

    def drive(name, pause):
        (tmp_path / name).mkdir(exist_ok=True)
        text = DRIVER.format(helpers=HELPERS, folder=str(tmp_path / name), store=str(tmp_path / f"{name}.{kind}"), pause=pause,
                             processes=processes)
        path = os.pathsep.join(str(pathlib.Path(entry).resolve()) for entry in sys.path if entry)
        # __main__ of worker processes is imported again: it must be a file with nothing to do there
        script = tmp_path / "driver.py"
        script.write_text("if __name__ == '__main__':\n" + "".join(f"    {line}\n" for line in text.strip().splitlines()))
        return subprocess.Popen([sys.executable, str(script)], env=dict(os.environ, PYTHONPATH=path))

    assert drive("whole", 0).wait() == 0
    broken, store = drive("broken", 0.5), tmp_path / f"broken.{kind}"
    while len(finished(store)) < 3:
        assert broken.poll() is None
        time.sleep(0.05)
    os.kill(broken.pid, signal.SIGKILL)
    broken.wait()
    done = finished(store)
    assert 3 <= len(done) < 15
    before = work.Traced(tmp_path / "broken").calls()
    assert drive("broken", 0).wait() == 0
    assert contents(store) == contents(tmp_path / f"whole.{kind}")
    again = work.Traced(tmp_path / "broken").calls()
    for call in before:
        again.remove(call)
    assert not done & set(again) and done | set(again) == set(range(0, 60, 4))


# ---- environments ----


@pytest.mark.parametrize("size", [10, 5, 3], ids=["1 worker", "2 workers", "4 workers"])
def test_environments_are_those_of_one_process_even_if_workers_die(size):
    from sinew.envs import SuiteEnv

    far, near = sinew.ray.VectorEnv("Hopper", 10, size=size, cpus=0), SuiteEnv("Hopper", 10, threads=1)
    assert far.action_space == near.action_space and far.observation_space == near.observation_space
    (a, p), (b, q) = far.reset(seed=3), near.reset(seed=3)
    assert np.array_equal(a, b)
    work.same(p, q)
    random = np.random.default_rng(0)
    for k in range(60):
        if k in (10, 50):  # before and after a state has been saved
            ray.kill(far._shards[-1].actor)
        if k == 55:
            mask = random.random(10) < 0.5
            assert np.array_equal(far.reset(options={"reset_mask": mask})[0], near.reset(options={"reset_mask": mask})[0])
        actions = random.uniform(-1, 1, (10, 3)).astype(np.float32)
        x, y = far.step(actions), near.step(actions)
        assert all(u.dtype == v.dtype and u.tobytes() == v.tobytes() for u, v in zip(x[:4], y[:4]))
        work.same(x[4], y[4])
    far.close()


def test_models_become_environments():
    model = sinew.MjModel.from_xml_string(work.PENDULUM)
    env = sinew.ray.VectorEnv(model, 6, size=4, cpus=0, reward=lambda batch: -np.abs(batch.qpos[:, 0]))
    env.reset(seed=0)
    _, rewards, *_ = env.step(np.ones((6, 1), np.float32))
    assert rewards.shape == (6,) and (rewards < 0).all()
    with pytest.raises(ValueError, match="shape"):
        env.step(np.ones((5, 1), np.float32))
    env.close()


def test_rllib_trains_on_the_registered_tasks():
    pytest.importorskip("torch")
    ppo = pytest.importorskip("ray.rllib.algorithms.ppo")
    config = (ppo.PPOConfig().environment("sinew.envs:sinew/InvertedPendulum-v5")
              .env_runners(num_env_runners=1, num_envs_per_env_runner=2, rollout_fragment_length=64)
              .training(train_batch_size=128, minibatch_size=64, num_epochs=1))
    algorithm = config.build_algo()
    result = algorithm.train()
    algorithm.stop()
    assert result["env_runners"]["num_env_steps_sampled"] >= 128
