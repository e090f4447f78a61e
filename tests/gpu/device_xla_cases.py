"""Rollouts of batches on a GPU as functions that XLA calls on its buffers, and JAX above them (device_cases.py says where these
cases run).
"""

import warnings

import numpy as np
import pytest

import sinew

from device_helpers import ROOT, needs_gpu

import xla_call

pytestmark = needs_gpu


def on_gpu(values, model, field, precision):
    """Values of a field as a packed array of the device: (address, type, shape) for XLA, and what keeps its memory."""
    flat = values.reshape(-1, values.shape[-1])
    store = sinew.Batch(model, len(flat), device="gpu", precision=precision)
    store.field(field)[:] = flat
    packed = store.field(field).packed()
    return (packed.__cuda_array_interface__["data"][0], packed.dtype, values.shape), packed


@pytest.mark.parametrize("precision", ["double", "single"])
def test_xla_calls_on_buffers_of_the_device(precision):
    """A rollout by the function that JAX calls on a GPU gives the states of single steps, after a failure too."""
    model = sinew.MjModel.from_xml_path(str(ROOT / "models" / "arm.xml"))
    worlds, times = 3, 5
    batch, other = (sinew.Batch(model, worlds, device="gpu", precision=precision) for _ in range(2))
    random, sizes = np.random.default_rng(0), {"qpos": model.nq, "qvel": model.nv, "act": model.na}
    start = {name: random.uniform(-0.3, 0.3, (worlds, int(n))) for name, n in sizes.items()}
    ctrl = random.uniform(0, 1, (times, worlds, int(model.nu)))
    given = [on_gpu(values, model, name, precision) for name, values in {**start, "ctrl": ctrl}.items()]
    made = [on_gpu(np.zeros((times, worlds, int(n))), model, name, precision) for name, n in sizes.items()]
    arguments, results = [part[0] for part in given], [part[0] for part in made]
    target = sinew._core._xla_gpu_targets()["sinew_rollout_gpu"]
    number = sinew._core._xla_admit(batch._worlds.address)
    batch.qpos[:] = np.nan
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        batch.step(2)
    assert xla_call.call(target, arguments, results, batch=number) == ""
    for name, values in start.items():
        other.field(name)[:] = values
    for t in range(times):
        other.step(1, ctrl[t])
        for name, (_, packed) in zip(sizes, made):
            assert np.array_equal(packed[:].reshape(times, worlds, -1)[t], other.field(name)[:]), (name, t)
    assert not other.failures.any()

    wrong = {"double": np.float32, "single": np.float64}[precision]
    address, _, shape = arguments[1]
    assert "should be of float" in xla_call.call(target, [arguments[0], (address, wrong, shape), *arguments[2:]], results,
                                                 batch=number)
    assert "should have" in xla_call.call(target, arguments, [results[2], *results[1:]], batch=number)
    on_cpu = sinew._core._xla_admit(sinew.Batch(model, worlds, device="cpu")._worlds.address)
    sinew._core._xla_forget(on_cpu)
    assert "has been deleted" in xla_call.call(target, arguments, results, batch=on_cpu)
    sinew._core._xla_forget(number)


@pytest.mark.parametrize("precision", ["double", "single"])
def test_jax_rolls_out_worlds_on_a_gpu(precision):
    """Inside of jit, with gradients, which are those of worlds on the CPU. JAX may be on the CPU or on the GPU itself."""
    jax = pytest.importorskip("jax")
    jax.config.update("jax_enable_x64", True)
    from sinew import jax as sinew_jax

    model = sinew.MjModel.from_xml_path(str(ROOT / "models" / "arm.xml"))
    worlds, times = 3, 4
    gpu = sinew.Batch(model, worlds, device="gpu", precision=precision)
    cpu = sinew.Batch(model, worlds, device="cpu")
    random = np.random.default_rng(0)
    qpos, qvel = (random.uniform(-0.3, 0.3, (worlds, int(n))) for n in (model.nq, model.nv))
    ctrl = random.uniform(0, 1, (times, worlds, int(model.nu)))
    tolerance = {"double": 1e-9, "single": 1e-4}[precision]

    def loss(batch, *arrays):
        return sum((part**2).sum() for part in sinew_jax.rollout(batch, *arrays))

    for batch in (gpu, cpu):
        found = jax.jit(lambda *arrays: sinew_jax.rollout(batch, *arrays))(qpos, qvel, ctrl)
        gradients = jax.jit(jax.grad(lambda *arrays: loss(batch, *arrays), argnums=(0, 1, 2)))(qpos, qvel, ctrl)
        if batch is gpu:
            first, slopes = found, gradients
    for ours, theirs in zip((*first, *slopes), (*found, *gradients)):
        assert ours.dtype == theirs.dtype == np.float64
        assert np.allclose(ours, theirs, rtol=tolerance, atol=tolerance * float(np.abs(theirs).max()))
    if precision == "double":
        jax.config.update("jax_enable_x64", False)
        with pytest.raises(ValueError, match="in double precision, and JAX in single"):
            sinew_jax.rollout(gpu, qpos, qvel, ctrl)
