"""Arrays of CuPy, PyTorch and JAX on a real device, where there is one: the answers of the host, after what fills the arrays."""

import importlib
import os

os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # JAX takes most of the device's memory otherwise

import numpy as np
import pytest

import graze
from shapes import same_bits, soup, two_triangles


def _why_no_device():
    x0, x1 = two_triangles()
    try:
        graze.step(x0, x1, graze.Mesh.from_faces(6, [[0, 1, 2], [3, 4, 5]]), backend="cuda")
    except graze.Error as error:
        return str(error)
    return ""


WHY_NOT = _why_no_device()
pytestmark = pytest.mark.skipif(bool(WHY_NOT), reason=f"no device: {WHY_NOT}")
WAIT = 400_000_000  # cycles: a fifth of a second


class Cupy:
    module = "cupy"

    def __init__(self, cupy):
        self.cupy = cupy
        self.wait = cupy.RawKernel("""extern "C" __global__ void wait(long long cycles) {
            long long began = clock64(); while (clock64() - began < cycles) {} }""", "wait")

    def put(self, array):
        return self.cupy.asarray(array)

    def late(self, array):
        """The array, not yet there: what fills it waits in a stream of its own."""
        there = self.cupy.full(array.shape, 1e3) + self.cupy.arange(array.shape[0])[:, None] * 10
        given = self.cupy.asarray(array)
        self.cupy.cuda.Device().synchronize()
        self.stream = self.cupy.cuda.Stream(non_blocking=True)
        self.stream.use()
        self.wait((1,), (1,), (np.int64(WAIT),))
        there[...] = given
        return there

    def done(self):
        self.cupy.cuda.Stream.null.use()


class Torch:
    module = "torch"

    def __init__(self, torch):
        self.torch = torch

    def put(self, array):
        return self.torch.as_tensor(array).cuda()

    def late(self, array):
        there = self.torch.full(array.shape, 1e3, dtype=self.torch.float64, device="cuda")
        there += 10 * self.torch.arange(array.shape[0], device="cuda")[:, None]
        given = self.put(array)
        self.torch.cuda.synchronize()
        self.torch.cuda.set_stream(self.torch.cuda.Stream())
        self.torch.cuda._sleep(WAIT)
        there.copy_(given)
        return there

    def done(self):
        self.torch.cuda.set_stream(self.torch.cuda.default_stream())


class Jax:
    module = "jax"

    def __init__(self, jax):
        jax.config.update("jax_enable_x64", True)
        self.jax = jax

    def put(self, array):
        return self.jax.device_put(array, self.jax.devices("gpu")[0])

    def late(self, array):
        turn = lambda _, kept: (kept[0] @ kept[0] * 1e-4, kept[1])
        slow = self.jax.jit(lambda a, x: self.jax.lax.fori_loop(0, 50, turn, (a, x)))
        work = self.jax.numpy.full((4096, 4096), 1e-3)
        self.jax.block_until_ready(slow(work, self.put(array)))
        kept = slow(work, self.put(array))
        return kept[1]

    def done(self):
        pass


@pytest.fixture(params=[Cupy, Torch, Jax], ids=lambda kind: kind.module)
def arrays(request):
    """A library that has arrays on the device."""
    try:
        made = request.param(importlib.import_module(request.param.module))
        made.put(np.zeros(1))
    except Exception as error:
        pytest.skip(f"no {request.param.module} with a device: {error}")
    yield made
    made.done()


def _scene(count):
    x0, x1, faces = soup(count, spread=0.05 * count ** (1 / 3))
    return x0, x1, graze.Mesh.from_faces(len(x0), faces)


@pytest.mark.parametrize("mode", ["earliest", "any", "all"])
@pytest.mark.parametrize("count", [60, 20000])
def test_the_answers_of_the_host(arrays, mode, count):
    x0, x1, mesh = _scene(count)
    here = graze.step(x0, x1, mesh, mode=mode, backend="cpu")
    there = graze.step(arrays.put(x0), arrays.put(x1), mesh, mode=mode)
    assert (here.backend, there.backend) == ("cpu", "cuda")
    assert (there.verdict, there.toi) == (here.verdict, here.toi) and here.verdict == "hit"
    assert mode != "all" or (same_bits(np.asarray(there.pairs), np.asarray(here.pairs)) and len(here.pairs) > 5)


@pytest.mark.parametrize("count", [60, 20000])
def test_candidates_and_times_of_vertices_are_those_of_the_host(arrays, count):
    x0, x1, mesh = _scene(count)
    a, b = arrays.put(x0), arrays.put(x1)
    here, there = graze.candidates(x0, x1, mesh), graze.candidates(a, b, mesh)
    assert same_bits(here, there) and len(here) > 5
    here, there = graze.step(x0, x1, mesh, mode="vertices", backend="cpu"), graze.step(a, b, mesh, mode="vertices")
    assert there.backend == "cuda" and same_bits(here.vertex_toi, there.vertex_toi) and here.vertex_toi.min() < 1


def test_rows_that_lie_apart(arrays):
    x0, x1, mesh = _scene(500)
    here = graze.step(x0, x1, mesh, backend="cpu")
    wide = [np.hstack([x, np.full((len(x), 2), np.nan)]) for x in (x0, x1)]
    parts = [arrays.put(x)[:, :3] for x in wide]
    assert graze.step(*parts, mesh).toi == here.toi


def test_it_waits_for_what_fills_the_arrays(arrays):
    x0, x1, mesh = _scene(500)
    here = graze.step(x0, x1, mesh, backend="cpu")
    first = arrays.put(x0)
    graze.step(first, arrays.put(x1), mesh)  # what a first step takes would hide a step that does not wait
    there = graze.step(first, arrays.late(x1), mesh)
    assert (there.verdict, there.toi) == (here.verdict, here.toi) and here.verdict == "hit"


def test_what_does_not_fit(arrays):
    x0, x1, mesh = _scene(60)
    with pytest.raises(TypeError, match="float64|<f4"):
        graze.step(arrays.put(x0.astype(np.float32)), arrays.put(x1), mesh)
    with pytest.raises(ValueError, match="x1 must have shape"):
        graze.step(arrays.put(x0), arrays.put(x1[1:]), mesh)
    with pytest.raises(TypeError, match="the other does not"):
        graze.step(arrays.put(x0), x1, mesh)
    x1[3, 1] = np.nan
    with pytest.raises((graze.Error, ValueError), match="vertex 3"):
        graze.step(arrays.put(x0), arrays.put(x1), mesh)
    with pytest.raises(TypeError, match="only step and candidates read"):
        graze.step_to(arrays.put(x0), x1, mesh)


def test_nothing_leaks_and_the_device_stays_usable(arrays):
    x0, x1, mesh = _scene(60)
    here = graze.step(x0, x1, mesh, backend="cpu")
    a, b = arrays.put(x0), arrays.put(x1)
    assert {graze.step(a, b, mesh).toi for _ in range(300)} == {here.toi}
    assert np.array_equal(np.asarray(a.get() if hasattr(a, "get") else a.cpu() if hasattr(a, "cpu") else a), x0)
