"""Arrays in the memory of a GPU.

A DeviceArray is handed on without a copy by DLPack (`torch.from_dlpack`, `jax.dlpack.from_dlpack`) and
by `__cuda_array_interface__` (`cupy.asarray`, `torch.as_tensor`, Numba). For scripts that know NumPy
alone it also acts like an array: reading copies it to the host, assigning to a part writes it back.
Assigning an array of the device to the whole copies there. Worlds lie apart in memory; `packed()` is a
copy without gaps, for consumers that want one (JAX).
"""

import numpy as np

_TYPES = {"d": "<f8", "f": "<f4", "i": "<i4", "B": "|u1", "b": "|i1", "q": "<i8", "Q": "<u8"}

_CUDA = 2  # DLPack's number


class DeviceArray:
    """A field of all worlds on a GPU; the first axis is the world."""

    def __init__(self, view):
        self._view = view
        self.shape, self.strides = view.shape, view.strides
        self.dtype = np.dtype(_TYPES[view.type])
        self.ndim, self.size = len(self.shape), int(np.prod(self.shape))

    @property
    def __cuda_array_interface__(self):
        return {"shape": self.shape, "strides": self.strides, "typestr": self.dtype.str,
                "data": (self._view.address, False), "version": 3, "stream": None}

    def __dlpack__(self, **options):
        if options.get("copy"):
            raise BufferError("the array is shared, not copied")
        if options.get("dl_device") not in (None, self.__dlpack_device__()):
            raise BufferError("the array lies on a GPU: elsewhere it needs a copy")
        return self._view.dlpack()  # calls wait for the device, or are in a stream that the caller knows

    def __dlpack_device__(self):
        return (_CUDA, 0)

    def packed(self):
        """A copy on the device, without gaps."""
        return DeviceArray(self._view.packed())

    # ---- as NumPy sees it ----

    def numpy(self):
        """A copy on the host."""
        values = np.empty(self.shape, self.dtype)
        self._view.read(values)
        return values

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError("the array lies on a GPU: reading it on the host needs a copy")
        return self.numpy() if dtype is None else self.numpy().astype(dtype)

    def __getitem__(self, key):
        return self.numpy()[key]

    def __setitem__(self, key, value):
        whole = key is Ellipsis or (isinstance(key, slice) and key == slice(None))
        if hasattr(value, "__cuda_array_interface__"):
            if not whole:
                raise ValueError("an array of the GPU can be assigned to the whole field only")
            address, strides = device_rows(value, self.shape, self.dtype)
            self._view.write_at(address, strides[0])
            return
        values = np.empty(self.shape, self.dtype) if whole else self.numpy()
        values[key] = value
        self._view.write(values)

    def __len__(self):
        return self.shape[0]

    def __repr__(self):
        return f"DeviceArray(shape={self.shape}, dtype={self.dtype})"


def packed_strides(shape, dtype):
    """Bytes from one entry to the next along each axis of an array without gaps."""
    return tuple(int(np.prod(shape[i + 1:])) * dtype.itemsize for i in range(len(shape)))


def device_rows(value, shape, dtype):
    """Address and strides of an array of the device; its rows must have no gaps."""
    interface = value.__cuda_array_interface__
    given = tuple(interface["shape"])
    if given != tuple(shape) or np.dtype(interface["typestr"]) != dtype:
        raise ValueError(f"expected an array of shape {tuple(shape)} and type {dtype}, got {given} of "
                         f"{interface['typestr']}")
    packed = packed_strides(given, dtype)
    strides = interface.get("strides") or packed
    if any(a != b for a, b, n in list(zip(strides, packed, given))[1:] if n > 1):
        raise ValueError("the rows of the array have gaps")
    return interface["data"][0], strides
