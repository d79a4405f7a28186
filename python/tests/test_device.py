"""Arrays on a device. There is none here: the back end of test/step/fake_backend.c takes the host's memory for a device's."""

import ctypes
import os
import pathlib
import subprocess
import sys

import numpy as np
import pytest

import graze
from graze._device import _Tensor, device_rows
from shapes import FACES, soup, two_triangles

FAKE = pathlib.Path(os.environ.get("GRAZE_PROGRAM", "none")).parent / "test" / "libgraze_fake_backend.so"
needs_fake = pytest.mark.skipif(not FAKE.exists(), reason="no back end that stands in for a device")


class Interface:
    """Interface of an array on a device, as CuPy, PyTorch, Numba and Warp show it."""

    def __init__(self, array, stream=None, **others):
        self.array = array
        self.__cuda_array_interface__ = dict(
            {"shape": array.shape, "typestr": array.dtype.str, "data": (array.ctypes.data, False), "version": 3,
             "strides": None if array.flags.c_contiguous else array.strides, "stream": stream}, **others)


class DLPack:
    """An array of DLPack that says it is on a device: NumPy's own capsule, with another number in it."""

    def __init__(self, array, code=None):
        self.array, self.code, self.asked = array, code, []

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, stream=None):
        self.asked.append(stream)
        capsule = self.array.__dlpack__()
        pointer = ctypes.pythonapi.PyCapsule_GetPointer(capsule, b"dltensor")
        tensor = _Tensor.from_address(pointer)
        tensor.device_type = 2
        tensor.data, tensor.byte_offset = tensor.data - 64, tensor.byte_offset + 64  # the sum is what counts
        if self.code is not None:
            tensor.code = self.code
        return capsule


def on_fake_device(code, library=FAKE):
    """Runs a program where that library is the back end of CUDA."""
    env = dict(os.environ, GRAZE_CUDA_LIBRARY=str(library), GRAZE_FAKE="ask",
               PYTHONPATH=os.pathsep.join([str(pathlib.Path(__file__).parent), *sys.path]))
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)


BOTH = """
import numpy as np, graze
from shapes import soup
from test_device import Interface, DLPack
x0, x1, faces = soup(60, spread=0.4)
mesh = graze.Mesh.from_faces(len(x0), faces)
apart0, apart1 = np.full((2, len(x0), 5), np.nan)
apart0[:, :3], apart1[:, :3] = x0, x1
states = [(Interface(x0), Interface(x1)), (DLPack(x0), DLPack(x1)), (Interface(x0, stream=1), DLPack(x1)),
          (Interface(apart0[:, :3]), Interface(apart1[:, :3])), (DLPack(apart0[:, :3]), DLPack(apart1[:, :3]))]
for mode in ("earliest", "any", "all"):
    here = graze.step(x0, x1, mesh, mode=mode, backend="cpu")
    for a, b in states:
        there = graze.step(a, b, mesh, mode=mode)
        assert there.backend == "cuda" and here.backend == "cpu"
        assert (there.verdict, there.toi) == (here.verdict, here.toi) and here.verdict == "hit"
        assert mode != "all" or ((there.pairs == here.pairs).all() and len(here.pairs) > 5)
for a, b in states:
    here, there = graze.candidates(x0, x1, mesh), graze.candidates(a, b, mesh)
    assert (here == there).all() and len(here) > 5
print("the same")
"""


@needs_fake
def test_positions_on_a_device_have_the_answer_of_the_host():
    done = on_fake_device(BOTH)
    assert done.stdout == "the same\n", done.stderr


def test_without_a_device_they_are_an_error_that_says_why():
    done = on_fake_device(BOTH, "/nowhere/libgraze_cuda.so")
    assert "graze._context.Error" in done.stderr or "graze.Error" in done.stderr
    assert "/nowhere/libgraze_cuda.so" in done.stderr and not done.stdout


@needs_fake
def test_what_the_device_refuses_is_an_exception():
    wrong = BOTH.split("for mode")[0] + "bad = x0.copy(); bad[3, 1] = np.nan\ngraze.step(Interface(bad), Interface(x1), mesh)"
    assert "vertex 3" in on_fake_device(wrong).stderr
    other = BOTH.split("for mode")[0] + "graze.step(*states[0], mesh, method='ti')"
    assert "the methods certified and exact only" in on_fake_device(other).stderr


@pytest.mark.parametrize("make, error, words", [
    (lambda x: (Interface(x.astype(np.float32)), Interface(x)), TypeError, "x0 must be float64 on a device, .*<f4"),
    (lambda x: (Interface(x), Interface(x[:5])), ValueError, r"x1 must have shape \(6, 3\), not \(5, 3\)"),
    (lambda x: (Interface(x), Interface(np.asfortranarray(x))), ValueError, "x1 must be rows of three float64 on the device"),
    (lambda x: (Interface(x), x), TypeError, "the other does not"),
    (lambda x: (x, DLPack(x)), TypeError, "the other does not"),
    (lambda x: (Interface(x, mask=Interface(x)), Interface(x)), TypeError, "x0 has a mask"),
    (lambda x: (Interface(x, stream=5), Interface(x, stream=7)), ValueError, "different streams"),
    (lambda x: (Interface(x), Interface(np.zeros((6, 4))[:, :3])), ValueError, "different strides"),
    (lambda x: (DLPack(x.astype(np.float32)), DLPack(x)), TypeError, "x0 is not float64"),
    (lambda x: (DLPack(x, code=0), DLPack(x)), TypeError, "x0 is not float64"),
    (lambda x: (DLPack(x[:, :2]), DLPack(x)), ValueError, r"x0 must have shape .*, not \(6, 2\)"),
])
def test_arrays_on_a_device_that_do_not_fit(make, error, words):
    with pytest.raises(error, match=words):
        graze.step(*make(two_triangles()[0]), graze.Mesh.from_faces(6, FACES))


def test_streams_are_handed_on():
    x = two_triangles()[0]
    assert device_rows("x", Interface(x, stream=1234), 6).stream == 1234
    packed = DLPack(x[::2])
    rows = device_rows("x", packed, 3)
    assert packed.asked == [1] and rows.stream == 1 and (rows.pointer, rows.stride) == (x.ctypes.data, 48)
    assert device_rows("x", x, 6) is None


def test_an_interface_without_streams_gives_way_to_dlpack():
    x = two_triangles()[0]
    assert device_rows("x", Interface(x, version=2), 6).stream == 1  # the stream that waits for others
    both = DLPack(x)
    both.__cuda_array_interface__ = Interface(x, version=2).__cuda_array_interface__
    device_rows("x", both, 6)
    assert both.asked == [1]
    both.__cuda_array_interface__["version"] = 3
    assert device_rows("x", both, 6).stream is None and both.asked == [1]


def test_other_calls_say_who_reads_a_device():
    x0, x1 = two_triangles()
    mesh = graze.Mesh.from_faces(6, FACES)
    for call in (graze.step_to, graze.active_set):
        with pytest.raises(TypeError, match="x0 lies in the memory of a device, where only step and candidates read"):
            call(Interface(x0), x1, mesh)
