"""Streams and CUDA graphs on a card, by PyTorch and CuPy: calls that are put into a stream give the states of calls that are
waited for, and the host never waits for the device. What surrounds them is tested without a GPU in device_array_cases.py
and test_gpu_batch.c.
"""

import time

import numpy as np
import pytest

import sinew

from device_helpers import FAKE, INTEGRATION, ROOT, load, model, needs_gpu, random_states  # noqa: F401

pytestmark = [needs_gpu, pytest.mark.skipif(FAKE, reason="needs a GPU")]

WORLDS = 64


@pytest.fixture
def torch():
    module = pytest.importorskip("torch")
    if not module.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    return module


def batches(model, count=2, warm=50, precision="single", nworld=WORLDS):
    """Batches in the same states, with arenas that have grown."""
    made = [sinew.Batch(model, nworld, device="gpu", precision=precision) for _ in range(count)]
    for batch in made:
        batch.reset(seed=3, scale=0.05)
        batch.step(warm)
    return made


class Loop:
    """What a learning loop does in each step: a policy, a step, and a reset of the worlds that are done, all on the device."""

    def __init__(self, torch, batch):
        self.torch, self.batch = torch, batch
        self.qpos, self.qvel = torch.from_dlpack(batch.qpos), torch.from_dlpack(batch.qvel)
        self.ctrl = torch.zeros((batch.nworld, batch.model.nu), device="cuda", dtype=self.qpos.dtype)
        self.mask = torch.zeros(batch.nworld, device="cuda", dtype=torch.bool)
        self.total = torch.zeros(batch.nworld, device="cuda", dtype=self.qpos.dtype)

    def think(self):
        self.ctrl.copy_(0.1 * self.torch.tanh(self.qvel[:, :1]).expand_as(self.ctrl))

    def judge(self):
        self.mask.copy_(self.qpos[:, 2] < 0.16)
        self.total.add_(self.qvel[:, 2])

    def queued(self):
        stream = self.torch.cuda.current_stream()
        self.think()
        self.batch.step(1, self.ctrl, stream=stream)
        self.judge()
        self.batch.reset(self.mask, stream=stream)

    def waited(self):
        self.think()
        self.batch.step(1, self.ctrl)
        self.judge()
        self.batch.reset(self.mask.cpu().numpy())


def assert_same(ours, theirs):
    assert ours.torch.equal(ours.total, theirs.total)
    assert np.array_equal(ours.batch.get_state(INTEGRATION), theirs.batch.get_state(INTEGRATION))


@pytest.mark.parametrize("precision", ["single", "double"])
def test_loop_in_a_stream(torch, model, precision):
    """A stream of its own: the states of calls that wait."""
    ours, theirs = (Loop(torch, batch) for batch in batches(model, precision=precision))
    stream = torch.cuda.Stream()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        for _ in range(60):
            ours.queued()
    for _ in range(60):
        theirs.waited()
    stream.synchronize()
    assert_same(ours, theirs)


def test_loop_in_a_graph(torch, model):
    """Recorded once and played again, resets and all: the states of calls that wait."""
    ours, theirs = (Loop(torch, batch) for batch in batches(model))
    stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    with torch.cuda.stream(stream):
        ours.queued()  # takes memory, which a graph cannot
    stream.synchronize()
    with torch.cuda.graph(graph, stream=stream):
        ours.queued()
    for _ in range(59):
        graph.replay()
    torch.cuda.synchronize()
    for _ in range(60):
        theirs.waited()
    assert_same(ours, theirs)


def test_graph_of_several_steps(torch, model):
    """A horizon of controls, forward dynamics and forces of bodies in one graph."""
    ours, theirs = batches(model)
    ctrl = torch.rand((5, WORLDS, model.nu), device="cuda", dtype=torch.float32)
    stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    torch.cuda.synchronize()

    def call():
        ours.step(5, ctrl, stream=torch.cuda.current_stream())
        ours.forward(stream=torch.cuda.current_stream())
        ours.rne_post_constraint(stream=torch.cuda.current_stream())

    with torch.cuda.stream(stream):
        call()
    stream.synchronize()
    with torch.cuda.graph(graph, stream=stream):
        call()
    graph.replay()
    torch.cuda.synchronize()
    for _ in range(2):
        theirs.step(5, ctrl)
        theirs.forward()
        theirs.rne_post_constraint()
    assert np.array_equal(ours.get_state(INTEGRATION), theirs.get_state(INTEGRATION))
    assert np.array_equal(ours.cfrc_ext[:], theirs.cfrc_ext[:])


def test_host_never_waits(torch, model):
    """The stream first sleeps for a second or so; a loop of calls comes back while it still sleeps. Any wait for the device
    would have outlasted that sleep."""
    loop = Loop(torch, batches(model, 1)[0])
    stream, awake = torch.cuda.Stream(), torch.cuda.Event()
    with torch.cuda.stream(stream):
        loop.queued()
        stream.synchronize()
        torch.cuda._sleep(1 << 31)
        awake.record(stream)
        for _ in range(50):
            loop.queued()
        assert not awake.query()
    stream.synchronize()
    assert awake.query() and np.all(np.isfinite(loop.batch.get_state(INTEGRATION)))


def test_failed_world_in_a_graph(torch, model):
    """The device puts it back and resets it, as calls that wait do."""
    ours, theirs = batches(model)
    stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    torch.cuda.synchronize()
    with torch.cuda.stream(stream):
        ours.step(1, stream=stream)
    stream.synchronize()
    with torch.cuda.graph(graph, stream=stream):
        ours.step(1, stream=torch.cuda.current_stream())
    theirs.step(1)
    for batch in (ours, theirs):
        batch.qvel[7, 0] = np.nan
    graph.replay()
    torch.cuda.synchronize()
    theirs.step(1)
    assert np.flatnonzero(ours.field("status")[:]).tolist() == [7] == np.flatnonzero(theirs.status).tolist()
    for _ in range(3):
        graph.replay()
        theirs.step(1)
    torch.cuda.synchronize()
    assert np.array_equal(ours.get_state(INTEGRATION), theirs.get_state(INTEGRATION))


def test_stream_of_cupy(model):
    cupy = pytest.importorskip("cupy")
    ours, theirs = batches(model)
    qvel = cupy.asarray(ours.qvel)
    stream = cupy.cuda.Stream(non_blocking=True)
    ctrl = cupy.zeros((WORLDS, model.nu), cupy.float32)
    cupy.cuda.Device().synchronize()
    with stream:
        for _ in range(30):
            ctrl[:] = 0.1 * cupy.tanh(qvel[:, :1])
            ours.step(1, ctrl, stream=stream)
    stream.synchronize()
    qvel = cupy.asarray(theirs.qvel)
    for _ in range(30):
        theirs.step(1, cupy.ascontiguousarray(cupy.broadcast_to(0.1 * cupy.tanh(qvel[:, :1]), ctrl.shape)))
    assert np.array_equal(ours.get_state(INTEGRATION), theirs.get_state(INTEGRATION))


# ---- what a call costs beside its steps: printed, never asserted ----


def microseconds(call, wait, repeat):
    """(until the host may go on, until the device is done) for each of so many calls."""
    start = time.perf_counter()
    for _ in range(repeat):
        call()
    handed = time.perf_counter()
    wait()
    return tuple(1e6 * (stop - start) / repeat for stop in (handed, time.perf_counter()))


@pytest.mark.parametrize("nworld", [1, 512, 8192])
def test_cost_of_a_call(torch, nworld):
    """Steps in calls of 100, of one that waits, of one in a stream, and in a graph that is played again."""
    model = load(ROOT / "models" / "humanoid.xml")
    batch = batches(model, 1, 200, nworld=nworld)[0]
    start = batch.get_state(INTEGRATION)
    ctrl = torch.zeros((nworld, model.nu), device="cuda")
    stream, graph = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    wait, figures = torch.cuda.synchronize, {}

    def measure(name, call, repeat=100, steps=1):
        batch.set_state(start, INTEGRATION)  # all take the same 100 steps
        handed, done = microseconds(call, wait, repeat)
        figures[name] = (handed / steps, done / steps)

    def one():
        batch.step(1, ctrl, stream=stream)

    one()  # takes memory, and wakes the device up
    batch.step(100)
    measure("100 steps a call", lambda: batch.step(100), 1, 100)
    measure("a call a step", lambda: batch.step(1))
    measure("the same with controls on the device", lambda: batch.step(1, ctrl))
    measure("in a stream", one)
    with torch.cuda.graph(graph, stream=stream):
        one()
    measure("in a graph", graph.replay)
    least = figures["100 steps a call"][1]
    print(f"\n  {nworld} humanoids, us a step until the host goes on, until it is done, beside calls of 100 steps:")
    for name, (handed, done) in figures.items():
        print(f"    {name:40} {handed:9.1f} {done:9.1f} {done - least:+8.1f}")
    assert np.all(np.isfinite(batch.get_state(INTEGRATION)))
