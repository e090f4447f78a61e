"""Arrays of batches on a GPU without copies: DLPack, the CUDA array interface, streams, and libraries that share the memory
(device_cases.py says where these cases run).
"""

import ctypes
import gc

import numpy as np
import pytest

import sinew

from device_helpers import FAKE, INTEGRATION, device_taken, model, needs_gpu, random_states  # noqa: F401

pytestmark = needs_gpu


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int), ("device_id", ctypes.c_int),
                ("ndim", ctypes.c_int), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64)]


def capsule_pointer(capsule):
    get_pointer = ctypes.pythonapi.PyCapsule_GetPointer
    get_pointer.restype, get_pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    return get_pointer(capsule, b"dltensor")


def device_read(address, count, dtype):
    """Bytes of the device as a consumer reads them: through the driver."""
    values = np.empty(count, dtype)
    driver = ctypes.CDLL("libcuda.so.1")
    code = driver.cuMemcpyDtoH_v2(ctypes.c_void_p(values.ctypes.data), ctypes.c_uint64(address),
                                  ctypes.c_size_t(values.nbytes))
    assert code == 0
    return values


@pytest.mark.parametrize("precision", ["double", "single"])
def test_dlpack_as_a_consumer_reads_it(model, precision):
    batch = sinew.Batch(model, 3, device="gpu", precision=precision)
    dtype, bits = (np.float64, 64) if precision == "double" else (np.float32, 32)
    batch.qvel[:] = np.arange(3 * model.nv).reshape(3, model.nv)
    array = batch.qvel
    assert array.__dlpack_device__() == (2, 0)
    capsule = array.__dlpack__()
    tensor = DLTensor.from_address(capsule_pointer(capsule))
    assert (tensor.device_type, tensor.code, tensor.bits, tensor.lanes, tensor.ndim) == (2, 2, bits, 1, 2)
    assert [tensor.shape[0], tensor.shape[1]] == [3, model.nv]
    assert tensor.strides[1] == 1 and tensor.strides[0] * bits // 8 == array.strides[0]
    for world in range(3):
        row = device_read(tensor.data + tensor.byte_offset + bits // 8 * world * tensor.strides[0], model.nv, dtype)
        assert np.array_equal(row, batch.qvel[world])


def test_cuda_array_interface(model):
    batch = sinew.Batch(model, 3, device="gpu")
    batch.qvel[:] = 0.5
    for name, typestr, ndim in (("qvel", "<f8", 2), ("xmat", "<f8", 3), ("ncon", "<i4", 1)):
        interface = batch.field(name).__cuda_array_interface__
        assert interface["typestr"] == typestr and len(interface["shape"]) == ndim
        assert interface["version"] == 3 and interface["shape"][0] == 3
    interface = batch.qvel.__cuda_array_interface__
    row = device_read(interface["data"][0] + 2 * interface["strides"][0], model.nv, np.float64)
    assert np.array_equal(row, np.full(model.nv, 0.5))
    with pytest.raises(ValueError):
        np.array(batch.qvel, copy=False)
    with pytest.raises(AttributeError):
        batch.qvel.__array_interface__


def test_controls_on_the_device(model):
    """Controls and fields that already lie on the device, as packed arrays of another library would."""
    random = np.random.default_rng(4)
    ctrl = random.uniform(-1, 1, (6, 5, model.nu))
    store = sinew.Batch(model, 6 * 5, device="gpu")  # device memory with known contents
    store.ctrl[:] = ctrl.reshape(30, model.nu)
    packed = store.ctrl.packed()
    assert packed.strides == (8 * model.nu, 8) and np.array_equal(packed[:], ctrl.reshape(30, -1))

    class Horizon:
        __cuda_array_interface__ = dict(packed.__cuda_array_interface__, shape=(6, 5, model.nu), strides=None)

    class Held:
        __cuda_array_interface__ = dict(packed.__cuda_array_interface__, shape=(5, model.nu), strides=None)

    states = random_states(model, 5)
    ours, theirs = (sinew.Batch(model, 5, device="gpu") for _ in range(2))
    for batch in (ours, theirs):
        batch.set_state(states, INTEGRATION)
    ours.step(6, Horizon())
    theirs.step(6, ctrl)
    ours.step(3, Held())
    theirs.step(3, ctrl[0])
    assert np.array_equal(ours.get_state(INTEGRATION), theirs.get_state(INTEGRATION))
    for wrong in (lambda: ours.step(5, Horizon()), lambda: ours.qpos.__setitem__(slice(None), Held()),
                  lambda: ours.ctrl.__setitem__(0, Held())):
        with pytest.raises(ValueError):
            wrong()
    ours.qvel[:] = theirs.qpos.packed()[:, : model.nv]  # by the host
    theirs.qpos[:] = ours.qpos.packed()
    assert np.array_equal(theirs.qpos[:], ours.qpos[:])
    del ours, theirs
    assert np.array_equal(packed[:], ctrl.reshape(30, -1))


def on_device(values, model, dtype):
    """A packed array of the device, as another library would have one."""
    store = sinew.Batch(model, len(values), device="gpu")
    store.ctrl[:] = values
    packed = store.ctrl.packed()

    class Given:
        keep = packed
        __cuda_array_interface__ = dict(packed.__cuda_array_interface__, typestr=np.dtype(dtype).str)

    return Given()


def test_steps_in_a_stream(model):
    """They give the states of steps that are waited for, a failed world included, whose bits its status has."""
    ctrl = np.random.default_rng(4).uniform(-1, 1, (5, model.nu))
    held, states = on_device(ctrl, model, np.float64), random_states(model, 5)
    states[3, 2] = np.nan
    ours, theirs = (sinew.Batch(model, 5, device="gpu") for _ in range(2))
    for batch in (ours, theirs):
        batch.step(30)  # arenas have grown
        batch.set_state(states, INTEGRATION)
    stream = type("Stream", (), {"cuda_stream": 0})()
    ours.step(1, held, stream=stream)
    theirs.step(1, ctrl)
    assert np.array_equal(ours.field("status")[:], theirs.status) and theirs.status[3]
    for _ in range(4):
        ours.step(1, held, stream=stream)
        theirs.step(1, ctrl)
    ours.forward(stream=0)
    ours.rne_post_constraint(stream=0)
    theirs.forward()
    theirs.rne_post_constraint()
    assert np.array_equal(ours.get_state(INTEGRATION), theirs.get_state(INTEGRATION))
    assert np.array_equal(ours.cfrc_ext[:], theirs.cfrc_ext[:])
    ours.reset(stream=0)
    theirs.reset()
    assert np.array_equal(ours.get_state(INTEGRATION), theirs.get_state(INTEGRATION))


def test_what_a_stream_cannot_do_is_refused(model):
    batch = sinew.Batch(model, 3, device="gpu")
    with pytest.raises(TypeError, match="lie on the GPU"):
        batch.step(1, np.zeros((3, model.nu)), stream=0)
    with pytest.raises(TypeError, match="lies on the GPU"):
        batch.reset(np.ones(3, bool), stream=0)
    with pytest.raises(ValueError, match="shape"):
        batch.step(2, on_device(np.zeros((3, model.nu)), model, np.float64), stream=0)
    with pytest.raises(ValueError, match="not perturbed"):
        batch.reset(seed=1, stream=0)
    with pytest.raises(ValueError, match="all worlds"):
        batch.forward([1], stream=0)
    with pytest.raises(RuntimeError, match="on the CPU"):
        sinew.Batch(model, 3, device="cpu").step(1, stream=0)


def test_dlpack_refuses_what_it_cannot(model):
    array = sinew.Batch(model, 2, device="gpu").qvel
    assert array.__dlpack__(stream=2, max_version=(1, 0), dl_device=(2, 0), copy=False)
    for wrong in ({"dl_device": (1, 0)}, {"copy": True}):
        with pytest.raises(BufferError):
            array.__dlpack__(**wrong)


@pytest.mark.parametrize("keep", [lambda array: array, lambda array: array.__dlpack__(), lambda array: array.packed(),
                                  lambda array: array.packed().__dlpack__()])
def test_memory_lives_as_long_as_its_users(model, keep):
    """Arrays and capsules that nobody has consumed keep the worlds' memory, and give it back at the end."""
    gc.collect()
    before = device_taken()
    batch = sinew.Batch(model, 3, device="gpu")
    batch.qvel[:] = np.arange(3 * model.nv).reshape(3, -1)
    array = batch.qvel
    address, stride = array.__cuda_array_interface__["data"][0], array.strides[0]
    kept = keep(array)
    if hasattr(kept, "__cuda_array_interface__"):
        address, stride = kept.__cuda_array_interface__["data"][0], kept.strides[0]
    elif DLTensor.from_address(capsule_pointer(kept)).data != address:
        address, stride = DLTensor.from_address(capsule_pointer(kept)).data, 8 * model.nv
    del batch, array
    gc.collect()
    assert np.array_equal(device_read(address + 2 * stride, model.nv, np.float64), np.arange(model.nv) + 2 * model.nv)
    del kept
    gc.collect()
    if FAKE:
        assert device_taken() == before


# ---- the libraries themselves ----


class Torch:
    """How a library takes arrays, and what it says of them."""

    def __init__(self):
        self.module = pytest.importorskip("torch")
        if not self.module.cuda.is_available():
            pytest.skip("this PyTorch has no CUDA")
        self.takers = (self.module.from_dlpack, lambda array: self.module.as_tensor(array, device="cuda"))

    def describe(self, array):
        return array.data_ptr(), str(array.dtype)[6:], tuple(s * array.element_size() for s in array.stride())

    def wait(self):
        self.module.cuda.synchronize()

    def host(self, array):
        return array.cpu().numpy()

    def device(self, values):
        return self.module.tensor(values, device="cuda")


class Cupy:
    def __init__(self):
        self.module = pytest.importorskip("cupy")
        self.takers = (self.module.from_dlpack, self.module.asarray)

    def describe(self, array):
        return array.data.ptr, str(array.dtype), tuple(array.strides)

    def wait(self):
        self.module.cuda.Device().synchronize()

    def host(self, array):
        return array.get()

    def device(self, values):
        return self.module.asarray(values)


@pytest.mark.skipif(FAKE, reason="needs a GPU")
def test_steps_are_recorded_into_a_graph(model):
    """A CUDA graph of PyTorch with a policy and a step: played again, it gives the states of steps that are waited for."""
    torch = Torch().module
    ours, theirs = (sinew.Batch(model, 64, device="gpu", precision="single") for _ in range(2))
    for batch in (ours, theirs):
        batch.step(50)
    side = torch.cuda.Stream()
    ctrl = torch.zeros((64, model.nu), device="cuda")

    def act():
        ctrl.copy_(0.1 * torch.tanh(torch.from_dlpack(ours.qvel)[:, :1]).expand_as(ctrl))
        ours.step(1, ctrl, stream=torch.cuda.current_stream())

    with torch.cuda.stream(side):
        act()  # takes memory, which a graph cannot
    side.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=side):
        act()
    for _ in range(20):
        graph.replay()
    for _ in range(21):
        theirs.step(1, 0.1 * torch.tanh(torch.from_dlpack(theirs.qvel)[:, :1]).expand(64, model.nu).contiguous())
    assert np.array_equal(ours.get_state(INTEGRATION), theirs.get_state(INTEGRATION))


@pytest.mark.skipif(FAKE, reason="needs a GPU")
@pytest.mark.parametrize("precision", ["double", "single"])
@pytest.mark.parametrize("library", [Torch, Cupy])
def test_libraries_share_the_memory(model, library, precision):
    """By DLPack and by __cuda_array_interface__: the same bytes, types and strides; both see what either
    writes, in any stream; the memory outlives the batch."""
    library = library()
    batch = sinew.Batch(model, 4, device="gpu", precision=precision)
    for take in library.takers:
        for name in ("ctrl", "xmat", "ncon", "time"):
            ours, theirs = batch.field(name), take(batch.field(name))
            assert tuple(theirs.shape) == ours.shape
            assert library.describe(theirs) == (ours.__cuda_array_interface__["data"][0], str(ours.dtype), ours.strides)
        array = take(batch.ctrl)
        array[:] = 0.25
        assert np.array_equal(batch.ctrl[:], np.full((4, model.nu), 0.25))  # the batch waits, not we
        batch.ctrl[:] = 0.5
        assert np.array_equal(library.host(array), np.full((4, model.nu), 0.5))
    expected = sinew.Batch(model, 4, device="gpu", precision=precision)
    values = np.random.default_rng(0).uniform(-1, 1, (6, 4, model.nu)).astype(batch.ctrl.dtype)
    batch.step(6, library.device(values))
    expected.step(6, values)
    assert np.array_equal(batch.get_state(INTEGRATION), expected.get_state(INTEGRATION))
    velocities, kept = batch.qvel[:], [take(batch.qvel) for take in library.takers]
    del batch, array, theirs, ours
    gc.collect()
    assert all(np.array_equal(library.host(array), velocities) for array in kept)


@pytest.mark.skipif(FAKE, reason="needs a GPU")
@pytest.mark.parametrize("precision", ["double", "single"])
def test_jax_shares_packed_memory(model, precision):
    """JAX takes arrays without gaps only; it never writes to them."""
    jax = pytest.importorskip("jax")
    if jax.default_backend() != "gpu":
        pytest.skip("this JAX has no CUDA")
    jax.config.update("jax_enable_x64", True)
    batch = sinew.Batch(model, 4, device="gpu", precision=precision)
    batch.qvel[:] = np.arange(4 * model.nv).reshape(4, -1)
    packed = batch.qvel.packed()
    array = jax.dlpack.from_dlpack(packed)
    assert array.dtype == packed.dtype and array.shape == packed.shape
    assert array.unsafe_buffer_pointer() == packed.__cuda_array_interface__["data"][0]
    values = np.random.default_rng(0).uniform(-1, 1, (6, 4, model.nu)).astype(packed.dtype)
    expected = sinew.Batch(model, 4, device="gpu", precision=precision)
    expected.qvel[:] = batch.qvel[:]
    batch.step(6, jax.numpy.asarray(values))  # which may still be on its way
    expected.step(6, values)
    assert np.array_equal(batch.get_state(INTEGRATION), expected.get_state(INTEGRATION))
    before = np.arange(4 * model.nv).reshape(4, -1)
    del batch, packed
    gc.collect()
    assert np.array_equal(np.asarray(array), before)
