"""Calls a function as XLA would (python/bindings/xla_call.h), on buffers that are given by their addresses."""

import ctypes

import numpy as np

P, I32, I64, SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_int64, ctypes.c_size_t
TYPES = {np.dtype(np.float32): 11, np.dtype(np.float64): 12, np.dtype(np.int32): 4}
EXECUTE = 3


class Buffer(ctypes.Structure):
    _fields_ = [("struct_size", SIZE), ("extensions", P), ("type", I32), ("data", P), ("rank", I64), ("dims", P)]


class Buffers(ctypes.Structure):
    _fields_ = [("struct_size", SIZE), ("extensions", P), ("count", I64), ("types", P), ("values", P)]


class Text(ctypes.Structure):
    _fields_ = [("data", ctypes.c_char_p), ("length", SIZE)]


class Scalar(ctypes.Structure):
    _fields_ = [("type", I32), ("value", P)]


class Attributes(ctypes.Structure):
    _fields_ = [("struct_size", SIZE), ("extensions", P), ("count", I64), ("types", P), ("names", P), ("values", P)]


class ErrorArguments(ctypes.Structure):
    _fields_ = [("struct_size", SIZE), ("extensions", P), ("message", ctypes.c_char_p), ("code", I32)]


MakeError = ctypes.CFUNCTYPE(P, ctypes.POINTER(ErrorArguments))


class Interface(ctypes.Structure):
    _fields_ = [("struct_size", SIZE), ("extensions", P), ("version", SIZE * 3), ("internal", P), ("makeError", MakeError)]


class Frame(ctypes.Structure):
    _fields_ = [("struct_size", SIZE), ("extensions", P), ("interface", P), ("context", P), ("stage", I32),
                ("arguments", Buffers), ("results", Buffers), ("attributes", Attributes)]


def _pointers(items):
    return (P * len(items))(*(ctypes.addressof(item) for item in items))


def _buffers(keep, arrays):
    items = []
    for address, dtype, shape in arrays:
        dims = (I64 * len(shape))(*shape)
        items.append(Buffer(ctypes.sizeof(Buffer), None, TYPES[np.dtype(dtype)], address, len(shape), ctypes.addressof(dims)))
        keep.append(dims)
    values = _pointers(items)
    keep += [items, values]
    return Buffers(ctypes.sizeof(Buffers), None, len(items), None, ctypes.addressof(values))


def _attributes(keep, numbers):
    cells = [I64(value) for value in numbers.values()]
    names = [Text(name.encode(), len(name)) for name in numbers]
    scalars = [Scalar(5, ctypes.addressof(cell)) for cell in cells]
    rows = _pointers(names), _pointers(scalars)
    keep += [cells, names, scalars, *rows]
    return Attributes(ctypes.sizeof(Attributes), None, len(names), None, *map(ctypes.addressof, rows))


def call(target, arguments, results, **numbers):
    """Call a target, a capsule, with arrays as (address, dtype, shape) and attributes. What it says of an error, or ""."""
    keep, said = [], []

    def make_error(given):
        said.append(given.contents.message.decode())
        return 1

    interface = Interface(ctypes.sizeof(Interface), None, (SIZE * 3)(), None, MakeError(make_error))
    frame = Frame(ctypes.sizeof(Frame), None, ctypes.addressof(interface), None, EXECUTE, _buffers(keep, arguments),
                  _buffers(keep, results), _attributes(keep, numbers))
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = P, [ctypes.py_object, ctypes.c_char_p]
    function = ctypes.CFUNCTYPE(P, P)(pointer(target, b"xla._CUSTOM_CALL_TARGET"))
    assert bool(function(ctypes.addressof(frame))) == bool(said)
    return "".join(said)
