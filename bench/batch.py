"""Many worlds: rollouts against MuJoCo's own with as many threads, scaling over threads, memory.

A ratio is that of the two engines' times for the same trajectories, taken in turns, median over the
turns. Both clocks are printed: the processor's, which other programs on the machine disturb little,
and the wall's, which counts on a quiet machine. Scaling is the time of one thread over twice the time
of two (wall), or the processor's time of one thread over that of two: 1 is ideal. Memory is what a
world may use at most, as sinew.Batch.bytes tells before any is taken, and what it took in 20 steps.
"""

import argparse
import hashlib
import json
import os
import pathlib
import time

import mujoco
import mujoco.rollout
import numpy as np
import scenes
import sinew
import sinew.rollout
from bench import load
from report import processor


def measure(work):
    """Processor and wall seconds of a call."""
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    return np.array([time.process_time() - cpu, time.perf_counter() - wall])


def resident():
    """Bytes of memory that this process really has."""
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


class Rollouts:
    """One engine's rollouts of one model, nbatch trajectories from its initial state."""

    def __init__(self, module, source, nthread, nbatch, nstep):
        self.module, self.nthread = module, nthread
        self.model = load(module, source)
        self.data = [module.MjData(self.model) for _ in range(nthread)]
        random = np.random.default_rng(0)
        d = self.data[0]
        limited = np.asarray(self.model.actuator_ctrllimited).astype(bool)
        low, high = np.where(limited[:, None], np.asarray(self.model.actuator_ctrlrange), [-1, 1]).T
        size = module.mj_stateSize(self.model, int(module.mjtState.mjSTATE_FULLPHYSICS))
        state = np.empty(size)
        module.mj_getState(self.model, d, state, int(module.mjtState.mjSTATE_FULLPHYSICS))
        self.start = np.tile(state, (nbatch, 1))
        self.start[:, 1 + self.model.nq : 1 + self.model.nq + self.model.nv] += 0.01 * random.standard_normal(
            (nbatch, self.model.nv))
        self.control = random.uniform(low, high, (nbatch, nstep, self.model.nu))
        self.pool = module.rollout.Rollout(nthread=nthread if nthread > 1 else None)

    def __call__(self):
        data = self.data if self.nthread > 1 else self.data[0]
        self.state, _ = self.pool.rollout(self.model, data, self.start, self.control, nstep=self.control.shape[1])


def compare(name, source, nthread, seconds, repeats):
    pilot = Rollouts(mujoco, source, 1, 1, 20)
    pilot()
    per_step = measure(pilot)[0] / 20
    nstep = int(np.clip(seconds / per_step / 8, 5, 200))
    nbatch = 4 * nthread * max(1, int(np.clip(seconds / per_step / nstep / 4, 1, 32)))
    ours, theirs = (Rollouts(module, source, nthread, nbatch, nstep) for module in (sinew, mujoco))
    ours(), theirs()
    pairs = [(measure(ours), measure(theirs)) for _ in range(repeats)]
    cpu, wall = np.median([b / a for a, b in pairs], axis=0)
    one = Rollouts(sinew, source, 1, nbatch, nstep)
    one()
    assert np.array_equal(one.state, ours.state), f"{name}: the number of threads changes the results"
    turns = [(measure(one), measure(ours)) for _ in range(repeats)]
    for rollouts in (ours, theirs, one):
        rollouts.pool.close()
    scaling = np.median([[a[0] / b[0], a[1] / (nthread * b[1])] for a, b in turns], axis=0)
    steps = nbatch * nstep
    worlds = 1000
    before = resident()
    batch = sinew.Batch(ours.model, 16, device="cpu")
    batch.step(20)
    taken = (resident() - before) / 16
    return {
        "model": name,
        "threads": nthread,
        "steps_per_second": float(steps / np.median([a[1] for a, _ in pairs])),
        "ratio_cpu": float(cpu),
        "ratio_wall": float(wall),
        "scaling_cpu": float(scaling[0]),
        "scaling_wall": float(scaling[1]),
        "kb_per_world": (sinew.Batch.bytes(ours.model, worlds) - sinew.Batch.bytes(ours.model, 1)) / (worlds - 1) / 1024,
        "kb_taken": taken / 1024,
        "hash": hashlib.sha256(ours.state.tobytes()).hexdigest()[:12],
    }


HEAD = (f"{'model':<18}{'threads':>8}{'steps/s':>11}{'ratio':>8}{'(wall)':>8}{'scaling':>9}{'(wall)':>8}"
        f"{'KB/world':>11}{'taken':>8}  hash")


def line(r):
    return (f"{r['model']:<18}{r['threads']:>8}{r['steps_per_second']:>11.0f}{r['ratio_cpu']:>8.2f}"
            f"{r['ratio_wall']:>8.2f}{r['scaling_cpu']:>9.2f}{r['scaling_wall']:>8.2f}{r['kb_per_world']:>11.0f}"
            f"{r['kb_taken']:>8.0f}  {r['hash']}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/bench"))
    parser.add_argument("--seconds", type=float, default=0.5, help="per engine, model and turn")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--threads", type=int, default=min(2, os.cpu_count() or 1))
    parser.add_argument("--only", default="", help="part of a model's name")
    options = parser.parse_args()
    print(f"rollouts against MuJoCo {mujoco.__version__}: {processor()}, {os.cpu_count()} processors, "
          f"load {os.getloadavg()[0]:.1f}")
    print(HEAD)
    rows = []
    for name, source in scenes.models().items():
        if options.only in name:
            rows.append(compare(name, source, options.threads, options.seconds, options.repeats))
            print(line(rows[-1]), flush=True)
    slow = [r["model"] for r in rows if r["ratio_cpu"] < 1]
    print("slower than MuJoCo's rollout: " + (", ".join(slow) or "none"))
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "batch.json").write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
