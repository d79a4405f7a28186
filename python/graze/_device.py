"""Arrays in the memory of a CUDA device: where their rows are. Nothing is copied, and no library of CUDA is asked."""

import ctypes
from dataclasses import dataclass
from typing import Optional

ON_A_DEVICE = (2, 13)  # kDLCUDA and kDLCUDAManaged of DLPack
LEGACY_STREAM = 1  # cudaStreamLegacy: the default stream
POINT = 24  # bytes of x, y, z
WITH_STREAMS = 3  # the version of __cuda_array_interface__ that says which stream its values come from


class _Tensor(ctypes.Structure):
    """DLTensor, which a capsule of DLPack begins with."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("ndim", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("byte_offset", ctypes.c_uint64)]


FLOAT = 2  # kDLFloat
_pointer_of = ctypes.pythonapi.PyCapsule_GetPointer
_pointer_of.restype, _pointer_of.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)


@dataclass(frozen=True)
class DeviceRows:
    """Positions on a device: the address of the first, bytes from one to the next, the stream that they come from (None:
    they are there), and what has to live as long."""

    pointer: int
    stride: int
    stream: Optional[int]
    kept: object


def _rows(name, count, pointer, shape, strides, stream, kept):
    """Strides are in bytes; None: C order."""
    if tuple(shape) != (count, 3):
        raise ValueError(f"{name} must have shape ({count}, 3), not {tuple(shape)}")
    down, across = strides or (POINT, 8)
    if count and (across != 8 or down < POINT or down % 8):
        raise ValueError(f"{name} must be rows of three float64 on the device, and has strides {down, across}")
    return DeviceRows(pointer or 0, down, stream, kept)


def _of_interface(name, values, count):
    given = values.__cuda_array_interface__
    if given["typestr"] not in ("<f8", "=f8"):
        raise TypeError(f"{name} must be float64 on a device, where nothing is converted, and has dtype {given['typestr']}")
    if given.get("mask") is not None:
        raise TypeError(f"{name} has a mask")
    stream = given.get("stream") if given["version"] >= WITH_STREAMS else LEGACY_STREAM
    return _rows(name, count, given["data"][0], given["shape"], given.get("strides"), stream, values)


def _of_dlpack(name, values, count):
    capsule = values.__dlpack__(stream=LEGACY_STREAM)  # what is written to it comes before what that stream does next
    tensor = _Tensor.from_address(_pointer_of(capsule, b"dltensor"))
    if (tensor.code, tensor.bits, tensor.lanes) != (FLOAT, 64, 1):
        raise TypeError(f"{name} is not float64 on a device, where nothing is converted")
    shape = tensor.shape[:tensor.ndim]
    strides = [8 * step for step in tensor.strides[:tensor.ndim]] if tensor.strides else None
    return _rows(name, count, (tensor.data or 0) + tensor.byte_offset, shape, strides, LEGACY_STREAM, capsule)


def device_rows(name, values, count):
    """The rows of an array on a device, or None for one that is on the host. An interface that does not speak of streams (as
    PyTorch's and JAX's) leaves open when the values are there, so that DLPack, which does, goes before it."""
    interface = getattr(values, "__cuda_array_interface__", None)
    if interface and interface["version"] >= WITH_STREAMS:
        return _of_interface(name, values, count)
    if hasattr(values, "__dlpack_device__") and values.__dlpack_device__()[0] in ON_A_DEVICE:
        return _of_dlpack(name, values, count)
    return _of_interface(name, values, count) if interface else None


def common_stream(x0, x1):
    """The one stream that both come from."""
    streams = {x.stream for x in (x0, x1) if x.stream is not None}
    if len(streams) > 1:
        raise ValueError("x0 and x1 come from different streams: synchronize one of them")
    return streams.pop() if streams else None
