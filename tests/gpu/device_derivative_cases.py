"""Derivatives of a step of all worlds, by differences on the device (device_cases.py says where these cases run)."""

import gc

import numpy as np
import pytest

import sinew

from device_helpers import FAKE, INTEGRATION, ROOT, balls, device_taken, load, model, needs_gpu, pair, random_states, same  # noqa: F401

pytestmark = needs_gpu

MODELS = ROOT / "tests" / "models"
ACTUATION = MODELS / "actuation"


def put(batches, states):
    for batch in batches:
        batch.set_state(states, INTEGRATION)


def by_whole_steps(model, states, eps=1e-6, centered=True):
    """A and B of one state from perturbed worlds of the CPU, each in a full step."""
    nv, na, nu = int(model.nv), int(model.na), int(model.nu)
    ndx = 2 * nv + na

    def after(moves):
        batch = sinew.Batch(model, len(moves), device="cpu")
        batch.set_state(np.repeat(states[None], len(moves), 0), INTEGRATION)
        for world, (column, sign) in enumerate(moves):
            if column < nv:
                unit = np.zeros(nv)
                unit[column] = 1
                qpos = batch.qpos[world].copy()
                sinew.mj_integratePos(model, qpos, unit, sign * eps)
                batch.qpos[world] = qpos
            elif column < 2 * nv:
                batch.qvel[world, column - nv] += sign * eps
            elif column < ndx:
                batch.act[world, column - 2 * nv] += sign * eps
            else:
                batch.ctrl[world, column - ndx] += sign * eps
        batch.step(1)
        return batch

    other = -1 if centered else 0
    plus, minus = (after([(column, sign) for column in range(ndx + nu)]) for sign in (1, other))
    h = (2 if centered else 1) * eps
    result = np.empty((ndx, ndx + nu))
    for column in range(ndx + nu):
        turn = np.empty(nv)
        sinew.mj_differentiatePos(model, turn, h, minus.qpos[column], plus.qpos[column])
        result[:nv, column] = turn
        result[nv:2 * nv, column] = (plus.qvel[column] - minus.qvel[column]) / h
        result[2 * nv:, column] = (plus.act[column] - minus.act[column]) / h
    return result[:, :ndx], result[:, ndx:]


def worst(ours, theirs):
    """Largest difference relative to the largest entry of the same world."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs)
    scale = np.maximum(1, np.abs(theirs).max(axis=(1, 2), initial=0))
    return float((np.abs(ours - theirs).max(axis=(1, 2), initial=0) / scale).max(initial=0))


# integrators that keep a factor where the CPU's differences do, as MuJoCo's: see test_factor_of_implicit_integrators
SAME = [ROOT / "models" / "humanoid.xml", ACTUATION / "tendons.xml", ACTUATION / "actuators.xml", ACTUATION / "fluid.xml",
        ACTUATION / "sleep.xml", MODELS / "flex_motion" / "rope.xml", MODELS / "deform" / "drape.xml"]


@pytest.mark.parametrize("centered", [True, False])
@pytest.mark.parametrize("path", SAME, ids=lambda path: path.stem)
def test_differences_of_the_cpu(path, centered):
    """The same numbers: bit for bit where kernels are the CPU's own functions, else within 1e-6 of the largest entry."""
    model = load(path)
    count = 4 if FAKE else 60
    gpu, cpu = batches = pair(model, count)
    put(batches, random_states(model, count + 2)[:count])
    before = gpu.get_state(INTEGRATION)
    ours, theirs = (batch.transition("differences", centered=centered) for batch in batches)
    for a, b, width in zip(ours, theirs, (2 * model.nv + model.na, model.nu)):
        assert a.shape == b.shape == (count, 2 * model.nv + model.na, width)
        # a step of 1e-6 turns a difference of 1e-13 in the states into 1e-7
        assert np.array_equal(a, b) if FAKE else worst(a, b) < 1e-6
    errors = [f"{worst(a, b):.0e}" for a, b in zip(ours, theirs)]
    print(f"\n  {path.stem}, {'centred' if centered else 'one-sided'}: A {errors[0]}, B {errors[1]}")
    assert np.array_equal(gpu.get_state(INTEGRATION), before)
    assert not gpu.transition_status.any() and not cpu.transition_status.any()


def test_closed_forms():
    """Within what differences leave of them, away from switching contacts."""
    model = load(ROOT / "models" / "humanoid.xml")
    gpu, cpu = batches = pair(model, 6)
    put(batches, random_states(model, 6))
    A, B = gpu.transition("differences")
    for ours, theirs in zip((A, B), cpu.transition("analytic")):
        error = np.abs(np.asarray(ours) - theirs) / np.maximum(1, np.abs(theirs).max(axis=(1, 2), keepdims=True))
        assert np.median(error.max(axis=(1, 2))) < 1e-4


@pytest.mark.parametrize("path", [ROOT / "models" / "arm.xml", ACTUATION / "muscles.xml"], ids=lambda path: path.stem)
def test_factor_of_implicit_integrators(path):
    """A device steps in full, so that its derivatives hold how the factor of an implicit integrator changes with
    activations and controls; those of the CPU keep that of the nominal step, as MuJoCo's do."""
    model = load(path)
    gpu, cpu = batches = pair(model, 3)
    states = random_states(model, 6)[3:]
    put(batches, states)
    ours, theirs = (batch.transition("differences") for batch in batches)
    for world, state in enumerate(states):
        for a, b in zip(ours, by_whole_steps(model, state)):
            inside = slice(None) if a is ours[0] else model.actuator_ctrllimited == 0
            assert same(a[world][:, inside], b[:, inside], 1e-6)
    rest = slice(0, 2 * model.nv)
    assert same(ours[0][:, :, rest], theirs[0][:, :, rest], 1e-6)


LIMITED = """<mujoco><worldbody><body><joint name="j" damping="1"/><geom size=".1" pos=".2 0 0"/></body></worldbody>
  <actuator><motor joint="j" ctrlrange="-1 1" ctrllimited="true" gear="3"/><motor joint="j"/></actuator></mujoco>"""


@pytest.mark.parametrize("centered", [True, False])
def test_controls_at_their_limits(centered):
    """One-sided at a limit, zero beyond it."""
    model = sinew.MjModel.from_xml_string(LIMITED)
    batches = pair(model, 5)
    for batch in batches:
        batch.ctrl[:, 0] = [-2, -1, 0.3, 1, 1.5]
    ours, theirs = (np.asarray(batch.transition("differences", centered=centered)[1]) for batch in batches)
    assert same(ours, theirs, 1e-6)
    assert (np.abs(ours[:, 1, 0]) > 1e-3).tolist() == [False, True, True, True, False] and np.all(ours[:, 1, 1] > 0)


# Rounding of 1e-7 over steps of 1e-4: thousandths of the largest entry, more where contacts come or go within the step.
ROUGH = [(ACTUATION / "tendons.xml", 1e-2), (ACTUATION / "actuators.xml", 1e-2), (ROOT / "models" / "humanoid.xml", 0.3)]


@pytest.mark.parametrize("centered", [True, False])
@pytest.mark.parametrize("path, bound", ROUGH, ids=[path.stem for path, _ in ROUGH])
def test_single_precision(path, bound, centered):
    model = load(path)
    count = 6 if FAKE else 60
    gpu = sinew.Batch(model, count, device="gpu", precision="single")
    cpu = sinew.Batch(model, count, device="cpu")
    put((gpu, cpu), random_states(model, count).astype(np.float32).astype(float))
    for ours, theirs in zip(gpu.transition("differences", centered=centered), cpu.transition("analytic")):
        ours = np.asarray(ours)
        assert ours.dtype == np.float32 and np.all(np.isfinite(ours))
        error = np.abs(ours - theirs).max(axis=(1, 2), initial=0) / np.maximum(1, np.abs(theirs).max(axis=(1, 2), initial=0))
        print(f"\n  {'centred' if centered else 'one-sided'}: median {np.median(error):.0e}, worst {error.max():.0e}")
        assert np.median(error) < bound


def test_fields_of_the_model_per_world(model):
    """A trial has the model of its world; fields may be made after trials were."""
    batches = pair(model, 5)
    states = random_states(model, 5)
    put(batches, states)
    for batch in batches:
        batch.transition("differences")
        batch.model_field("body_mass")[:] *= np.linspace(1, 2, 5)[:, None]
        batch.model_field("opt.gravity")[3] = [1, 0, -2]
        batch.set_const()
        batch.set_state(states, INTEGRATION)
    ours, theirs = (batch.transition("differences") for batch in batches)
    for a, b in zip(ours, theirs):
        assert same(a, b, 1e-6)
    assert not np.array_equal(ours[1][0], ours[1][4])


def test_failed_worlds_are_reported(model):
    """They say so, and leave the others alone."""
    batches = pair(model, 5)
    states = random_states(model, 5)
    put(batches, states)
    whole = np.asarray(batches[0].transition("differences")[0])
    for batch in batches:
        batch.qvel[2, 1] = np.nan
    A = np.asarray(batches[0].transition("differences")[0])
    batches[1].transition("differences")
    bits = batches[0].transition_status
    assert bits.tolist() == batches[1].transition_status.tolist() and np.flatnonzero(bits).tolist() == [2]
    others = [0, 1, 3, 4]
    assert np.array_equal(A[others], whole[others]) and np.all(np.isfinite(A))
    put(batches, states)
    batches[0].transition("differences")
    assert not batches[0].transition_status.any()


def test_full_arenas_of_trials_grow():
    """Worlds whose contacts do not fit the first arenas have the derivatives of worlds with large ones."""
    small, large = balls(14, "30K", 0.02), balls(14, "16M", 0.02)
    states = random_states(large, 4)
    results = []
    for model in (small, large):
        batch = sinew.Batch(model, 4, device="gpu")
        put((batch,), states)
        results.append([np.asarray(part) for part in batch.transition("differences")])
        assert np.array_equal(batch.get_state(INTEGRATION), states) and not batch.transition_status.any()
    for a, b in zip(*results):
        assert np.array_equal(a, b)


def test_portions(model):
    """The same bits whether columns go in one launch or in many."""
    states = random_states(model, 40)
    one, many = (sinew.Batch(model, count, device="gpu") for count in (1, 40))
    put((many,), states)
    A, B = (np.asarray(part) for part in many.transition("differences"))
    for world in (0, 17, 39):
        put((one,), states[world:world + 1])
        alone = one.transition("differences")
        assert np.array_equal(alone[0][0], A[world]) and np.array_equal(alone[1][0], B[world])


def test_memory_is_counted_and_given_back(model):
    gc.collect()
    before = device_taken()
    batch = sinew.Batch(model, 8, device="gpu")
    bytes_before = batch._worlds.gpu_bytes
    arrays = batch.transition("differences")
    assert batch._worlds.gpu_bytes > bytes_before
    if FAKE:
        assert device_taken() - before == batch._worlds.gpu_bytes + sum(8 * part.size for part in arrays)
        del batch, arrays
        gc.collect()
        assert device_taken() == before


def test_into_given_arrays(model):
    batch = sinew.Batch(model, 3, device="gpu")
    put((batch,), random_states(model, 3))
    A, B = batch.transition("differences")
    again = (A, B)
    batch.qvel[:] = 0
    assert batch.transition("differences", out=again)[0] is A
    hosts = np.zeros(A.shape), np.zeros(B.shape)
    assert batch.transition("differences", out=hosts)[1] is hosts[1]
    assert np.array_equal(hosts[0], A) and np.array_equal(hosts[1], B)
    ndx = 2 * model.nv + model.na

    class Gaps:
        __cuda_array_interface__ = dict(A.__cuda_array_interface__, strides=(8 * ndx * ndx + 8, 8 * ndx, 8))

    class Narrow:
        __cuda_array_interface__ = dict(A.__cuda_array_interface__, typestr="<f4")

    for wrong in (Gaps(), Narrow(), B):
        with pytest.raises(ValueError):
            batch.transition("differences", out=(wrong, B))


def test_libraries_take_them(model):
    torch = pytest.importorskip("torch")
    if FAKE or not torch.cuda.is_available():
        pytest.skip("this PyTorch has no CUDA")
    batch = sinew.Batch(model, 3, device="gpu")
    put((batch,), random_states(model, 3))
    A, B = batch.transition("differences")
    taken = torch.from_dlpack(A)
    assert taken.is_cuda and np.array_equal(taken.cpu().numpy(), A)
    given = torch.zeros(A.shape, device="cuda", dtype=torch.float64), torch.zeros(B.shape, device="cuda", dtype=torch.float64)
    batch.transition("differences", out=given)
    assert torch.equal(given[0], taken) and np.array_equal(given[1].cpu().numpy(), B)


def test_what_a_device_does_not_have(model):
    batch = sinew.Batch(model, 2, device="gpu")
    for method in ("analytic", "hybrid"):
        with pytest.raises(ValueError, match="ask for 'differences'"):
            batch.transition(method)
    with pytest.raises(ValueError, match="eps"):
        batch.transition("differences", eps=0.5)
    delays = load(ACTUATION / "delays.xml")
    with pytest.raises(ValueError, match="delays"):
        sinew.Batch(delays, 2, device="gpu").transition("differences")
