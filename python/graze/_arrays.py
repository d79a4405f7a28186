"""Arrays at the door: right shape and type, or an exception that says what is wrong. NaN is the library's to refuse."""

import ctypes

import numpy as np

from . import _c

EXACT_INTEGERS = 2**53  # doubles hold every integer up to it


ON_THE_HOST = 1  # kDLCPU of DLPack


def on_the_host(name, values):
    """As an array of NumPy. Memory of a device is refused: `step` alone reads it there. So is a mask: what it hides would
    be read as if it counted."""
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array: fill or compress it")
    if isinstance(values, np.ndarray):
        return values
    on_device = hasattr(values, "__cuda_array_interface__")
    if hasattr(values, "__dlpack_device__"):
        on_device = values.__dlpack_device__()[0] != ON_THE_HOST
        values = values if on_device else np.from_dlpack(values)
    if on_device:
        raise TypeError(f"{name} lies in the memory of a device, where only step and candidates read: copy it to the host")
    return np.asarray(values)


def doubles(name, values):
    """As float64, without a copy where it is that already. What float64 cannot hold exactly is refused."""
    array = on_the_host(name, values)
    if array.dtype.kind == "f" and array.dtype.itemsize <= 8:
        pass
    elif array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be float64, float32 or integers, not {array.dtype}")
    elif array.size and (array.max() > EXACT_INTEGERS or array.min() < -EXACT_INTEGERS):
        raise ValueError(f"{name} has integers beyond 2**53, which float64 cannot hold")
    array = np.asarray(array, dtype=np.float64)
    return array if array.flags.aligned else array.copy()


def with_shape(name, array, shape):
    """Each of `shape` is a length, a tuple of lengths, or None for any."""
    fits = array.ndim == len(shape) and all(
        want is None or have in (want if isinstance(want, tuple) else (want,)) for have, want in zip(array.shape, shape))
    if not fits:
        asked = ", ".join("n" if want is None else " or ".join(map(str, sorted({*want}))) if isinstance(want, tuple)
                          else str(want) for want in shape)
        raise ValueError(f"{name} must have shape ({asked}), not {array.shape}")
    return array


def rows(name, values, shape):
    """Doubles of that shape in C order."""
    return np.ascontiguousarray(with_shape(name, doubles(name, values), shape))


def indices(name, values, shape):
    """A copy as uint32 in C order."""
    array = on_the_host(name, values)
    if array.size == 0:
        array = np.zeros((0, *shape[1:]) if array.ndim < len(shape) else array.shape, dtype=np.uint32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers, not {array.dtype}")
    with_shape(name, array, shape)
    if array.size and (array.min() < 0 or array.max() >= 2**32):
        raise ValueError(f"{name} has values outside [0, 2**32)")
    return np.array(array, dtype=np.uint32, order="C")


def _dtype_name(dtype):
    """Of a struct the name of its constant: its fields would take ten lines."""
    return _struct_names.get(dtype, "another struct" if dtype.names else str(dtype))


_struct_names = {np.dtype(getattr(_c, name)): f"graze.{constant}" for name, constant in (
    ("Result", "RESULT"), ("Pair", "PAIR"), ("PairResult", "PAIR_RESULT"), ("DistanceResult", "DISTANCE"),
    ("ArticulatedResult", "ARTICULATED_RESULT"))}


def output(name, out, dtype, shape):
    """The caller's array to write into, or a new one."""
    if out is None:
        return np.empty(shape, dtype=dtype)
    if not isinstance(out, np.ndarray) or isinstance(out, np.ma.MaskedArray):
        raise TypeError(f"{name} must be a NumPy array, not {type(out).__name__}")
    if out.dtype != dtype:
        raise TypeError(f"{name} must have dtype {_dtype_name(dtype)}, not {_dtype_name(out.dtype)}")
    with_shape(name, out, shape)
    if not (out.flags.c_contiguous and out.flags.aligned and out.flags.writeable):
        raise ValueError(f"{name} has to be writeable, aligned and in C order")
    return out


def beginning(name, out, dtype, count):
    """`count` elements to write into: a new array, or the beginning of the caller's."""
    if out is not None and isinstance(out, np.ndarray) and out.ndim == 1 and len(out) < count:
        raise ValueError(f"{name} has room for {len(out)}: there are {count}")
    return output(name, out, dtype, (count if out is None else None,))[:count]


def copied(dtype, pointer, count, out=None):
    """`count` structs at a C pointer, as an array of its own or at the beginning of `out`."""
    array = beginning("out", out, dtype, count)
    if count:
        ctypes.memmove(array.ctypes.data, pointer, count * dtype.itemsize)
    return array
