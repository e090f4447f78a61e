"""Batches: the same bits as single worlds, whatever the threads, the number and the place."""

import gc
import os
import pathlib
import sys

import numpy as np
import pytest

import sinew
from balls import balls, watched

HUMANOID = pathlib.Path(__file__).parents[2] / "models" / "humanoid.xml"


@pytest.fixture(scope="module")
def model():
    return balls()


def states(model, count, seed=0):
    """Starting states and controls, one row per world."""
    random = np.random.default_rng(seed)
    d = sinew.MjData(model)
    start = np.tile(np.concatenate([d.qpos, d.qvel]), (count, 1))
    start[:, model.nq:] += random.uniform(-1, 1, (count, model.nv))
    return start, random.uniform(-0.2, 0.2, (count, model.nu))


def run(model, start, ctrl, nthread=1, steps=100):
    batch = sinew.Batch(model, len(start), nthread=nthread)
    batch.qpos[:], batch.qvel[:] = start[:, : model.nq], start[:, model.nq :]
    batch.step(steps, ctrl)
    return batch


def run_single(model, row, ctrl, steps=100):
    d = sinew.MjData(model)
    d.qpos[:], d.qvel[:], d.ctrl[:] = row[: model.nq], row[model.nq :], ctrl
    sinew.mj_step(model, d, steps)
    return d


def test_equals_single_worlds(model):
    """Every field of every world has the bits of mj_step called in sequence (spec 004-10: 1)."""
    start, ctrl = states(model, 7)
    batch = run(model, start, ctrl, nthread=2)
    for i in range(7):
        d = run_single(model, start[i], ctrl[i])
        assert d.ncon == batch.ncon[i] and d.time == batch.time[i]
        for name in ("qpos", "qvel", "qacc", "xpos", "xmat", "cvel", "qfrc_constraint", "actuator_force", "sensordata"):
            assert np.array_equal(getattr(d, name), batch.field(name)[i]), name
    assert batch.ncon.max() > 0


def test_stable_layout(model):
    """A field is one strided array, at the same place after every step (spec 004-10: 2)."""
    batch = sinew.Batch(model, 5)
    before = batch.qpos
    assert before.shape == (5, model.nq) and before.base is not None
    assert batch.xmat.shape == (5, model.nbody, 9) and batch.time.shape == (5,)
    batch.step(20)
    after = batch.qpos
    assert batch.generation == 0
    assert after.__array_interface__["data"] == before.__array_interface__["data"]
    assert after.strides == before.strides
    state = batch.get_state(sinew.mjtState.mjSTATE_QPOS | sinew.mjtState.mjSTATE_QVEL)
    assert np.array_equal(state, np.hstack([batch.qpos, batch.qvel]))


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e200])
def test_failed_worlds_are_isolated(model, bad):
    """A bad world is flagged and reset at its next step; the others have the bits they would have had.

    Spec 004-10: 3.
    """
    start, ctrl = states(model, 6)
    healthy = run(model, start, ctrl, steps=40)
    batch = sinew.Batch(model, 6, nthread=2)
    batch.qpos[:], batch.qvel[:] = start[:, : model.nq], start[:, model.nq :]
    batch.step(20, ctrl)
    batch.qvel[2, 0] = bad
    batch.step(1, ctrl)
    assert batch.terminated.tolist() == [i == 2 for i in range(6)]
    assert batch.status[2] != 0 and not batch.status[[0, 1, 3, 4, 5]].any()
    batch.step(19, ctrl)
    others = [0, 1, 3, 4, 5]
    assert np.array_equal(batch.qpos[others], healthy.qpos[others])
    assert not batch.terminated.any() and np.all(np.isfinite(batch.qpos))
    assert batch.time[2] == pytest.approx(19 * model.opt.timestep)


NOT_POSITIVE, SINGULAR = 1 << 16, 1 << 17
SLIDES = """<mujoco><option timestep="0.01" gravity="0 0 0" integrator="{}"/><worldbody>
  <body><joint name="x" type="slide" axis="1 0 0" damping="1"/><geom size=".1" mass="1"/>
    <body><joint name="y" type="slide" axis="0 1 0" damping="1"/><geom size=".1" mass="1"/></body></body>
  </worldbody></mujoco>"""


@pytest.mark.parametrize("integrator, damping, bit", [("Euler", -1000, NOT_POSITIVE), ("implicitfast", -1000, NOT_POSITIVE),
                                                      ("implicit", -100, SINGULAR)])
def test_worlds_without_a_factor_fail(integrator, damping, bit):
    """A matrix of the step that is singular or not positive definite: flagged, counted, terminated, reset."""
    model = sinew.MjModel.from_xml_string(SLIDES.format(integrator))
    batch, healthy = sinew.Batch(model, 5, nthread=2), sinew.Batch(model, 5, nthread=2)
    for b in (batch, healthy):
        b.qvel[:] = [[1, 2]] * 5
        b.step(3)
    before = batch.get_state(sinew.mjtState.mjSTATE_INTEGRATION)
    batch.model_field("dof_damping")[2, 1] = damping  # (1 kg + 0.01 s d): -9 kg, 0 kg
    for failures in (1, 2):
        batch.step(1)
        healthy.step(1)
        assert batch.terminated.tolist() == [i == 2 for i in range(5)]
        assert batch.status[2] == bit and not batch.status[[0, 1, 3, 4]].any()
        assert batch.failures.tolist() == [0, 0, failures, 0, 0]
        if failures == 1:
            assert np.array_equal(batch.get_state(sinew.mjtState.mjSTATE_INTEGRATION)[2], before[2])
    assert batch.time[2] == 0 and batch.qpos[2].tolist() == [0, 0]  # reset, and failed once more
    batch.model_field("dof_damping")[2, 1] = 1
    batch.step(2)
    healthy.step(2)
    assert not batch.terminated.any() and batch.failures.tolist() == [0, 0, 2, 0, 0]
    assert batch.time[2] == pytest.approx(0.02)
    others = [0, 1, 3, 4]
    assert np.array_equal(batch.qpos[others], healthy.qpos[others])


def test_views_are_no_copies(model):
    """Views share the memory of the worlds: writing to one world is seen by it, and reading copies nothing.

    Spec 004-10: 5.
    """
    batch = sinew.Batch(model, 3)
    view = batch.qvel
    batch.qvel[1, 4] = 0.25
    assert view[1, 4] == 0.25 and np.shares_memory(view, batch.qvel)
    assert batch.copy_world(1).qvel[4] == 0.25
    assert np.array_equal(np.from_dlpack(batch.qvel), batch.qvel)
    assert np.shares_memory(np.from_dlpack(batch.qvel), batch.qvel)


def test_reset_touches_only_the_masked(model):
    """Spec 004-10: 6."""
    start, ctrl = states(model, 5)
    batch = run(model, start, ctrl)
    before = {name: batch.field(name).copy() for name in ("qpos", "qvel", "qacc_warmstart", "ctrl", "time", "xpos")}
    mask = np.array([False, True, False, True, False])
    batch.reset(mask)
    fresh = sinew.MjData(model)
    for name, values in before.items():
        assert np.array_equal(batch.field(name)[~mask], values[~mask]), name
    assert np.array_equal(batch.qpos[mask], np.tile(fresh.qpos, (2, 1)))
    assert not batch.time[mask].any() and not batch.ctrl[mask].any()


# ---- determinism ----


@pytest.mark.parametrize("nthread", [2, 16])
def test_threads_give_the_same_bits(model, nthread):
    """How throughput grows with them is printed by `make bench` (spec 004-10: 4)."""
    start, ctrl = states(model, 33)
    one, many = (run(model, start, ctrl, nthread=n) for n in (1, nthread))
    for name in ("qpos", "qvel", "qacc", "xpos", "qfrc_constraint"):
        assert np.array_equal(one.field(name), many.field(name)), name


def test_place_in_the_batch_does_not_matter(model):
    start, ctrl = states(model, 1)
    single = run(model, start, ctrl)
    many_start, many_ctrl = states(model, 12, seed=5)
    for place in (0, 5, 11):
        many_start[place], many_ctrl[place] = start[0], ctrl[0]
    many = run(model, many_start, many_ctrl, nthread=2)
    for place in (0, 5, 11):
        assert np.array_equal(many.qpos[place], single.qpos[0])


def test_4096_worlds_give_the_bits_of_one():
    """Every index of a batch of 4096, on one and on 16 threads, has the bits of a batch of one."""
    m = balls(1)
    start, ctrl = states(m, 16)
    rows = np.random.default_rng(3).integers(16, size=4096)
    alone = [run(m, start[i : i + 1], ctrl[i : i + 1], steps=40) for i in range(16)]
    for name in ("qpos", "qvel", "qacc_warmstart", "xpos", "ncon"):
        assert len({batch.field(name)[0].tobytes() for batch in alone}) > (name != "ncon")
    for nthread in (1, 16):
        many = run(m, start[rows], ctrl[rows], nthread=nthread, steps=40)
        for name in ("qpos", "qvel", "qacc_warmstart", "xpos", "ncon"):
            expected = np.concatenate([batch.field(name) for batch in alone])
            assert np.array_equal(many.field(name), expected[rows]), name


def test_seeded_resets(model):
    """Noise depends on the seed and the world's number, or on the world's own seed alone."""
    batch, other = sinew.Batch(model, 3), sinew.Batch(model, 5)
    batch.reset(seed=[4, 5, 6], scale=0.1)
    other.reset(seed=[6, 0, 5, 1, 4], scale=0.1)
    assert np.array_equal(batch.qpos, other.qpos[[4, 2, 0]])
    assert np.array_equal(batch.qvel, other.qvel[[4, 2, 0]])
    other.reset(np.array([0, 1, 0, 0, 0]), seed=9)
    assert np.array_equal(other.qpos[0], batch.qpos[2])
    with pytest.raises(ValueError):
        batch.perturb([1, 2], 0.1)


def test_contacts(model):
    start, ctrl = states(model, 5)
    batch = run(model, start, ctrl)
    geoms, distances = batch.contacts()
    assert geoms.shape == (5, batch.ncon.max(), 2)
    for i in range(5):
        d = batch.copy_world(i)
        assert np.array_equal(geoms[i, : d.ncon], d.contact.geom) and np.all(geoms[i, d.ncon :] == -1)
        assert np.array_equal(distances[i, : d.ncon], d.contact.dist)


def test_python_callbacks_are_refused(model):
    sinew.set_mjcb_control(lambda m, d: None)
    try:
        with pytest.raises(ValueError, match="mjcb_control"):
            sinew.Batch(model, 2)
    finally:
        sinew.set_mjcb_control(None)


def test_arrays_are_shared_by_every_protocol(model):
    """DLPack, __array_interface__ and the buffer protocol show the memory of the worlds."""
    batch = sinew.Batch(model, 3, device="cpu")
    array = batch.qvel
    assert array.__dlpack_device__()[0] == 1
    interface = array.__array_interface__

    class Consumer:
        __array_interface__ = interface

    for view in (np.from_dlpack(array), np.asarray(Consumer()), np.asarray(memoryview(array))):
        batch.qvel[2, 1] += 1.0
        assert view[2, 1] == batch.qvel[2, 1] and np.shares_memory(view, array)
    view, expected = np.from_dlpack(array), array.copy()
    del batch, array, interface, Consumer
    gc.collect()
    assert np.array_equal(view, expected)  # the memory outlives the batch


def test_torch_shares_the_memory(model):
    torch = pytest.importorskip("torch")
    batch = sinew.Batch(model, 3, device="cpu")
    for tensor in (torch.from_dlpack(batch.qvel), torch.as_tensor(batch.qvel)):
        assert tensor.data_ptr() == batch.qvel.ctypes.data and tensor.dtype == torch.float64
        assert tuple(8 * s for s in tensor.stride()) == batch.qvel.strides
        tensor[1] += 4.0
        assert np.array_equal(tensor.numpy(), batch.qvel)
    expected = batch.qvel.copy()
    del batch
    gc.collect()
    assert np.array_equal(tensor.numpy(), expected)


def test_jax_shares_the_memory(model):
    """JAX takes arrays without gaps only: those of one world as they are, those of all after a copy."""
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    batch = sinew.Batch(model, 3, device="cpu")
    batch.qvel[:] = np.arange(3 * model.nv).reshape(3, -1)
    row, whole = batch.qvel[1], np.ascontiguousarray(batch.qvel)
    for array in (row, whole):
        taken = jax.dlpack.from_dlpack(array)
        assert taken.dtype == np.float64 and np.array_equal(taken, array)
        if array.ctypes.data % 64 == 0:  # others it copies
            assert taken.unsafe_buffer_pointer() == array.ctypes.data
    assert np.array_equal(jax.numpy.asarray(batch.qvel), batch.qvel)
    ctrl = jax.numpy.full((3, model.nu), 0.25)
    batch.step(1, ctrl)
    assert np.array_equal(batch.ctrl, ctrl)


def test_controls_per_step(model):
    start, _ = states(model, 4)
    ctrl = np.random.default_rng(1).uniform(-1, 1, (30, 4, model.nu))
    together = run(model, start, ctrl, steps=30)
    apart = sinew.Batch(model, 4)
    apart.qpos[:], apart.qvel[:] = start[:, : model.nq], start[:, model.nq :]
    for t in range(30):
        apart.step(1, ctrl[t])
    assert np.array_equal(together.qpos, apart.qpos)


@pytest.mark.parametrize("options", [{}, {"energy": "enable"}, {"sleep": "enable"}, {"history": 'nsample="3" delay=".004"'}])
def test_steps_of_a_call_leave_the_results_of_the_last(options):
    """Sensors, energies, cameras and lights are those of the last of many steps, as if it had been taken alone."""
    m = watched(**options)
    together, apart = (sinew.Batch(m, 3) for _ in range(2))
    for batch in (together, apart):
        batch.qvel[:, 0] = 0.1, 0.5, 1
        batch.ctrl[:] = 0.05
    for nstep in (40, 7, 400):
        together.step(nstep)
        for _ in range(nstep):
            apart.step(1)
        for name in RESULTS:
            assert np.array_equal(together.field(name), apart.field(name), equal_nan=True), name
    assert np.abs(together.sensordata).max() > 0 and np.ptp(together.cam_xpos, axis=0).max() > 0


RESULTS = ["qpos", "qvel", "qacc", "sensordata", "cam_xpos", "cam_xmat", "light_xpos", "light_xdir", "energy", "xpos", "cvel", "time",
           "cacc", "cfrc_int", "cfrc_ext", "subtree_linvel", "subtree_angmom", "qfrc_constraint"]


def test_humanoid_equals_single():
    m = sinew.MjModel.from_xml_path(str(HUMANOID))
    start, ctrl = states(m, 3)
    batch = run(m, start, ctrl, nthread=2, steps=50)
    for i in range(3):
        assert np.array_equal(run_single(m, start[i], ctrl[i], 50).qpos, batch.qpos[i])


# ---- memory ----


def test_arenas_grow_without_loss():
    """Worlds with more contacts than their arena holds give the bits of worlds with a large arena."""
    small, large = balls(12, "30K", 0.02), balls(12, "8M", 0.02)
    start, ctrl = states(large, 2)
    a, b = run(small, start, ctrl, steps=30), run(large, start, ctrl, steps=30)
    assert a.generation > 0 and b.generation == 0
    assert b.ncon.max() > 10
    assert np.array_equal(a.qpos, b.qpos)
    assert np.array_equal(a.ncon, b.ncon)


def test_old_views_survive_growth():
    small = balls(12, "30K", 0.02)
    batch = sinew.Batch(small, 2)
    old = batch.qpos
    before = old.copy()
    batch.step(30)
    assert batch.generation > 0
    assert np.all(np.isfinite(old)) and not np.shares_memory(old, batch.qpos)
    del batch
    assert old.shape == before.shape and np.all(np.isfinite(old))


def test_views_outlive_the_batch(model):
    view = sinew.Batch(model, 3).qpos
    assert np.array_equal(view, np.tile(model.qpos0, (3, 1)))


# ---- fields per world, rewards, errors ----


def test_constants_with_many_threads(model):
    """Worlds of one batch do not disturb one another while their constants are computed."""
    results = []
    for _ in range(40):
        batch = sinew.Batch(model, 5, threads=16)
        batch.model_field("body_mass")[2:] *= 2
        batch.set_const()
        batch.step(20)
        results.append(np.array(batch.qpos))
    assert all(np.array_equal(results[0], result) for result in results)


def test_model_fields_per_world(model):
    batch = sinew.Batch(model, 3)
    gravity = batch.model_field("opt.gravity")
    assert gravity.shape == (3, 3)
    gravity[1] = [0, 0, 0]
    mass = batch.model_field("body_mass")
    mass[2] *= 2
    batch.set_const()
    batch.step(5)
    light = balls()
    light.opt.gravity[:] = 0
    d = sinew.MjData(light)
    sinew.mj_step(light, d, 5)
    assert np.array_equal(batch.qpos[1], d.qpos)
    heavy = balls()
    heavy.body_mass *= 2
    d = sinew.MjData(heavy)
    sinew.mj_setConst(heavy, d)
    sinew.mj_resetData(heavy, d)
    sinew.mj_step(heavy, d, 5)
    assert np.array_equal(batch.qpos[2], d.qpos)


def test_rewards_and_ends(model):
    batch = sinew.Batch(model, 4, max_steps=3, reward=lambda b: b.qvel[:, 2] * 2,
                        terminated=lambda b: b.qpos[:, 0] > 0.5)
    batch.qpos[1, 0] = 1.0
    batch.step()
    assert np.array_equal(batch.rewards, 2 * batch.qvel[:, 2])
    assert batch.terminated.tolist() == [False, True, False, False]
    assert not batch.truncated.any()
    batch.step(2)
    assert batch.truncated.all()


def test_states_round_trip(model):
    start, ctrl = states(model, 4)
    batch = run(model, start, ctrl)
    sig = sinew.mjtState.mjSTATE_INTEGRATION
    saved = batch.get_state(sig)
    batch.step(10, ctrl)
    ahead = batch.qpos.copy()
    batch.set_state(saved, sig)
    batch.step(10, ctrl)
    assert np.array_equal(batch.qpos, ahead)


def test_subset_and_perturb(model):
    batch = sinew.Batch(model, 4)
    batch.step_subset([1, 3, 1, 1], 2)
    assert batch.time.tolist() == pytest.approx([0, 0.004, 0, 0.004])
    batch.reset()
    batch.perturb(3, 0.01)
    other = sinew.Batch(model, 9)
    other.perturb(3, 0.01)
    assert np.array_equal(other.qpos[:4], batch.qpos) and not np.array_equal(batch.qpos[0], batch.qpos[1])


def test_wrong_arguments(model):
    batch = sinew.Batch(model, 4)
    with pytest.raises(ValueError):
        sinew.Batch(model, 0)
    with pytest.raises(ValueError):
        batch.step(2, np.zeros((3, model.nu)))
    with pytest.raises(TypeError):
        batch.reset(np.ones(3, bool))
    with pytest.raises(IndexError):
        batch.step_subset([4])
    with pytest.raises(IndexError):
        batch.reset(keyframe=5)
    with pytest.raises(AttributeError):
        batch.field("nothing")
    with pytest.raises(AttributeError):
        batch.nothing
    with pytest.raises(TypeError):
        sinew.Batch(None, 3)
    with pytest.raises(ValueError, match="cpu, gpu or auto"):
        sinew.Batch(model, 3, device="tpu")
    with pytest.raises(ValueError, match="double or single"):
        sinew.Batch(model, 3, precision="half")
    with pytest.raises(RuntimeError, match="single precision"):
        sinew.Batch(model, 3, device="cpu", precision="single")
    assert sinew.Batch.bytes(model, 100) > 99 * sinew.Batch.bytes(model, 1) // 2


@pytest.mark.parametrize("method", ["analytic", "hybrid", "differences"])
def test_transitions_are_those_of_single_worlds(model, method):
    """A and B of every world are those of sinew.derivatives, for any threads; states stay, and steps go on from there."""
    from sinew import derivatives

    start, ctrl = states(model, 5)
    batch, other = run(model, start, ctrl, steps=30), run(model, start, ctrl, nthread=2, steps=30)
    before = batch.get_state(sinew.mjtState.mjSTATE_INTEGRATION)
    A, B = batch.transition(method)
    assert A.shape == (5, 2 * model.nv + model.na, 2 * model.nv + model.na) and B.shape == (*A.shape[:2], model.nu)
    C, D = other.transition(method)
    assert np.array_equal(A, C) and np.array_equal(B, D)
    for i in range(5):
        C, D = derivatives.transition(model, run_single(model, start[i], ctrl[i], 30), method)
        assert np.array_equal(A[i], C) and np.array_equal(B[i], D)
    assert np.array_equal(batch.get_state(sinew.mjtState.mjSTATE_INTEGRATION), before)
    batch.step(20)
    assert np.array_equal(batch.qpos, run(model, start, ctrl, steps=50).qpos)


def test_transitions_that_cannot_be(model):
    batch = sinew.Batch(model, 2)
    with pytest.raises(ValueError, match="expected one of analytic, hybrid, differences"):
        batch.transition("symbolic")
    with pytest.raises(ValueError, match="eps is not in"):
        batch.transition(eps=1.0)
