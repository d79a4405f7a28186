"""Whole meshes between two states: the first contact, safe steps, and what touches at the start."""

from __future__ import annotations  # help() shows types by their names

import ctypes
import math
from dataclasses import dataclass
from typing import Callable, Optional, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike

from . import _c, _plot, _text
from ._arrays import copied, on_the_host, output, rows, with_shape
from ._c import library
from ._callbacks import KINDS, Callbacks
from ._context import (backend_number, broad_number, context, kind_name, kind_number, mode_number, narrow_options,
                       reason_name, status_error, verdict_name, whole_number)
from ._device import common_stream, device_rows
from .mesh import Mesh
from .query import RESULT, Result

PAIR = np.dtype(_c.Pair)
PAIR_RESULT = np.dtype(_c.PairResult)
DISTANCE = np.dtype(_c.DistanceResult)
PROXIMITY = np.dtype(_c.ProximityPair)
DOUBLE = np.dtype(np.float64)
NOT_COUNTED = 2**64 - 1


@dataclass(frozen=True, eq=False)
class Contact:
    """A pair of primitives, by kind and ids (vertex and face; edges a < b; …), with its result."""

    kind: str
    a: int
    b: int
    result: Result

    def __repr__(self):
        return _text.line("Contact", f"{self.kind} {self.a} {self.b}", repr(self.result))


@dataclass(frozen=True, eq=False)
class StepResult:
    """Result of a step. Nothing touches before `toi`.

    `pair` limits the step (None: nothing does). Mode "all" fills `pairs`, a structured array with fields `pair` and
    `result`; mode "vertices" fills `vertex_toi`, and `step_to` fills `alpha`. Counts that the mode does not make are None.
    """

    verdict: str
    reason: str
    toi: float
    toi_upper: float
    pair: Optional[Contact]
    pairs: Optional[np.ndarray]
    vertex_toi: Optional[np.ndarray]
    alpha: Optional[float]
    candidates: dict
    hits: dict
    time_ms: dict
    backend: str

    def __repr__(self):
        return _text.line("StepResult", _text.bracket(self.verdict, self.reason, self.toi, self.toi_upper),
                          f"{self.pair.kind} {self.pair.a} {self.pair.b}" if self.pair else "",
                          "" if self.alpha is None else f"alpha {self.alpha:.9g}",
                          "" if self.pairs is None else f"{len(self.pairs)} pairs",
                          f"{self.time_ms['total']:.3g} ms on {self.backend}")

    def plot(self, x0: ArrayLike, x1: ArrayLike, mesh: Mesh, ax=None):
        """Draws the mesh at toi in gray (at the end if nothing limits the step), and the limiting pair in red.

        Returns the matplotlib axes: `ax`, or new ones.
        """
        x0, x1, ax = _positions("x0", x0, mesh), _positions("x1", x1, mesh), _plot.axes(ax)
        x = _plot.between(x0, x1, 1.0 if self.pair is None else self.toi)
        _plot.draw_edges(ax, x, mesh.edges.tolist(), color="lightgray")
        if self.pair is not None:
            vertices, _ = stencil(mesh, self.pair.kind, self.pair.a, self.pair.b)
            _plot.draw_pair(ax, self.pair.kind, x[vertices], color="red")
        return ax


def _contact(limiting):
    record = np.frombuffer(limiting, dtype=PAIR_RESULT)[0]
    pair = record["pair"]
    return Contact(kind_name(int(pair["kind"])), int(pair["a"]), int(pair["b"]), Result.of(record["result"]))


def _counts(values):
    return {kind: None if count == NOT_COUNTED else count for kind, count in zip(KINDS, values)}


def _result(made, mode, vertex_toi=None, alpha=None, out=None):
    return StepResult(
        verdict_name(made.verdict), reason_name(made.reason), made.toi, made.toi_upper,
        _contact(made.limiting) if made.has_pair else None,
        copied(PAIR_RESULT, made.pairs, made.pair_count, out) if mode == "all" else None, vertex_toi, alpha,
        _counts(made.candidates), _counts(made.hits),
        {"boxes": made.ms_boxes, "broad": made.ms_broad, "narrow": made.ms_narrow, "total": made.ms_total},
        library.graze_backend_name(made.backend).decode())


def _mask(kinds):
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise ValueError(f"there is no kind {unknown[0]!r}")
    return sum(1 << KINDS.index(kind) for kind in set(kinds))


def _options(method="certified", separation=0.0, t_max=1.0, tolerance=0.0, max_checks=0, mode="earliest", broad="auto",
             backend="auto", kinds=(), memory_limit=0, relative_separation=0.0, inside_tolerance=0.0):
    options = _c.default(_c.StepOptions, library.graze_init_step_options)
    options.narrow = ctypes.pointer(narrow_options(method, separation, t_max, tolerance, max_checks, inside_tolerance))
    options.mode, options.broad, options.backend = mode_number(mode), broad_number(broad), backend_number(backend)
    options.kinds = _mask(kinds)
    options.relative_separation = relative_separation
    options.memory_limit = whole_number("memory_limit", memory_limit, 2**64)
    return options


def _new_positions(out, x0, x1):
    x = output("out", out, DOUBLE, x0.shape)
    if np.may_share_memory(x, x0) or np.may_share_memory(x, x1):
        raise ValueError("out shares memory with x0 or x1")
    return x


def _is_mesh(mesh):
    if not isinstance(mesh, Mesh):
        raise TypeError(f"mesh must be a graze.Mesh, not {type(mesh).__name__}")


def _positions(name, x, mesh):
    _is_mesh(mesh)
    return rows(name, x, (mesh.vertex_count, 3))


def _on_device(x0, x1, mesh, options):
    """Addresses of positions on a device, which the options then say, or None."""
    there = [device_rows(name, x, mesh.vertex_count) for name, x in (("x0", x0), ("x1", x1))]
    if there == [None, None]:
        return None
    if None in there:
        raise TypeError("one of x0 and x1 lies in the memory of a device and the other does not")
    if there[0].stride != there[1].stride:
        raise ValueError("x0 and x1 lie on the device in different strides")
    options.positions_in, options.stride = _c.MEMORY_DEVICE, there[0].stride
    options.stream = common_stream(*there)
    return there


def _states(x0, x1, mesh, options):
    """Arrays that have to live during a call, and the addresses of both states."""
    _is_mesh(mesh)
    there = _on_device(x0, x1, mesh, options)
    if there:
        return there, [x.pointer for x in there]
    here = [_positions("x0", x0, mesh), _positions("x1", x1, mesh)]
    return here, [x.ctypes.data for x in here]


def step(x0: ArrayLike, x1: ArrayLike, mesh: Mesh, *, mode: str = "earliest", method: str = "certified", separation: float = 0.0, t_max: float = 1.0,
         tolerance: float = 0.0, max_checks: int = 0, inside_tolerance: float = 0.0, broad: str = "auto",
         backend: str = "auto", kinds: Sequence[str] = (), memory_limit: int = 0, relative_separation: float = 0.0,
         out: Optional[np.ndarray] = None) -> StepResult:
    """Finds the first contact of a mesh whose vertices move on straight lines from x0 to x1, both (vertex_count, 3).

    "clear" is a proof, provided the mesh does not intersect itself at x0; `static_intersections` tests that.

    mode                  "earliest", "any", "vertices" or "all"
    broad                 one of `broad_phases()`
    backend               "auto", "cpu" or "cuda"
    kinds                 kinds of pairs to test; none: all
    memory_limit          bytes for candidates; 0: the context's limit
    relative_separation   the part of its start distance that each pair must keep
    out                   receives the times of mode "vertices", or, as an array of dtype PAIR_RESULT, the pairs of
                          mode "all"; `pairs` is then the beginning of it

    The other options are those of `ccd_batch`. x0 and x1 may both lie in the memory of a CUDA device, as float64
    (__cuda_array_interface__ or DLPack: CuPy, PyTorch, Warp, Numba, JAX): the step runs there, without a copy.

    >>> import numpy as np, graze
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [1.2, .2, 1.5], [.2, 1.2, 1.5]])
    >>> x1 = np.vstack([x0[:3], x0[3:] - [0, 0, 2]])
    >>> found = graze.step(x0, x1, graze.Mesh.from_faces(6, [[0, 1, 2], [3, 4, 5]]))
    >>> found.verdict, found.pair.kind, found.pair.a, found.pair.b
    ('hit', 'vf', 3, 0)
    """
    if out is not None and mode not in ("vertices", "all"):
        raise ValueError(f"mode {mode!r} has nothing to write into out")
    made = _c.default(_c.StepResult, library.graze_init_step_result)
    asked = _options(mode=mode, method=method, separation=separation, t_max=t_max, tolerance=tolerance,
                     max_checks=max_checks, inside_tolerance=inside_tolerance, broad=broad, backend=backend,
                     kinds=kinds, memory_limit=memory_limit, relative_separation=relative_separation)
    kept, addresses = _states(x0, x1, mesh, asked)
    vertex_toi = output("out", out, DOUBLE, (mesh.vertex_count,)) if mode == "vertices" else None
    asked.vertex_toi = None if vertex_toi is None else vertex_toi.ctypes.data
    here = context()
    try:
        mesh.call(here, library.graze_step, *addresses, asked, made)
        return _result(made, mode, vertex_toi, out=out)
    finally:
        library.graze_step_release(here.handle, made)
        del kept


def step_to(x0: ArrayLike, x1: ArrayLike, mesh: Mesh, *, method: str = "certified", separation: float = 0.0, t_max: float = 1.0,
            tolerance: float = 0.0, max_checks: int = 0, inside_tolerance: float = 0.0, broad: str = "auto",
            backend: str = "auto", kinds: Sequence[str] = (), memory_limit: int = 0, relative_separation: float = 0.0,
            out: Optional[np.ndarray] = None) -> Tuple[np.ndarray, StepResult]:
    """A step that is safe to take: returns rounded positions x on the way to x1, and the result with `alpha`.

    The straight motion from x0 to x is proven free of contact. Options as in `step`; `out` receives x.

    >>> import numpy as np, graze
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [1.2, .2, 1.5], [.2, 1.2, 1.5]])
    >>> x1 = np.vstack([x0[:3], x0[3:] - [0, 0, 2]])
    >>> mesh = graze.Mesh.from_faces(6, [[0, 1, 2], [3, 4, 5]])
    >>> x, taken = graze.step_to(x0, x1, mesh)
    >>> 0.49 < taken.alpha < 0.5, graze.step(x0, x, mesh).verdict
    (True, 'clear')
    """
    x0, x1 = _positions("x0", x0, mesh), _positions("x1", x1, mesh)
    x = _new_positions(out, x0, x1)
    made = _c.default(_c.StepResult, library.graze_init_step_result)
    asked = _options(method=method, separation=separation, t_max=t_max, tolerance=tolerance,
                     max_checks=max_checks, inside_tolerance=inside_tolerance, broad=broad, backend=backend,
                     kinds=kinds, memory_limit=memory_limit, relative_separation=relative_separation)
    here = context()
    try:
        mesh.call(here, library.graze_step_to, x0.ctypes.data, x1.ctypes.data, asked, x.ctypes.data, made)
        return x, _result(made, "earliest", alpha=made.alpha)
    finally:
        library.graze_step_release(here.handle, made)


def _pairs(function, mesh, addresses, asked, out):
    pairs, count, here = ctypes.POINTER(_c.Pair)(), ctypes.c_size_t(), context()
    try:
        mesh.call(here, function, *addresses, asked, ctypes.byref(pairs), ctypes.byref(count))
        return copied(PAIR, pairs, count.value, out)
    finally:
        library.graze_pairs_release(here.handle, pairs, count.value)


def candidates(x0: ArrayLike, x1: ArrayLike, mesh: Mesh, *, method: str = "certified", separation: float = 0.0,
               t_max: float = 1.0, broad: str = "auto", backend: str = "auto", kinds: Sequence[str] = (),
               memory_limit: int = 0, out: Optional[np.ndarray] = None) -> np.ndarray:
    """Lists the pairs whose swept boxes meet, sorted by kind, a, b: a structured array with the fields of graze_pair.

    `out` is an array of dtype PAIR with enough room; its beginning is returned. Arrays on a CUDA device are read
    there, as by `step`.

    >>> import numpy as np, graze
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1.]])
    >>> mesh = graze.Mesh.from_parts(4, faces=[[0, 1, 2]])
    >>> graze.candidates(x, x * [1, 1, -1], mesh).tolist()
    [(0, 3, 0)]
    """
    asked = _options(method=method, separation=separation, t_max=t_max, broad=broad, backend=backend, kinds=kinds,
                     memory_limit=memory_limit)
    kept, addresses = _states(x0, x1, mesh, asked)
    try:
        return _pairs(library.graze_candidates, mesh, addresses, asked, out)
    finally:
        del kept


def start_violations(x: ArrayLike, mesh: Mesh, *, separation: float = 0.0, broad: str = "auto",
                     kinds: Sequence[str] = (), out: Optional[np.ndarray] = None) -> np.ndarray:
    """Lists the pairs within the separation at x, before any motion; options and `out` as in `candidates`."""
    x = _positions("x", x, mesh)
    asked = _options(separation=separation, broad=broad, kinds=kinds)
    return _pairs(library.graze_start_violations, mesh, [x.ctypes.data], asked, out)


def static_intersections(x: ArrayLike, mesh: Mesh, *, out: Optional[np.ndarray] = None) -> np.ndarray:
    """Lists the pairs of faces (a < b; ignore `kind`) that intersect or touch at x, decided exactly; `out` as in
    `candidates`."""
    x = _positions("x", x, mesh)
    return _pairs(library.graze_static_intersections, mesh, [x.ctypes.data], _options(), out)


def _pair_list(pairs):
    array = on_the_host("pairs", pairs)
    if array.dtype != PAIR:
        raise TypeError(f"pairs must have dtype graze.PAIR, not {array.dtype}")
    return np.ascontiguousarray(with_shape("pairs", array, (None,)))


def ccd_pairs(x0: ArrayLike, x1: ArrayLike, mesh: Mesh, pairs: np.ndarray, *, method: str = "certified",
              separation: float = 0.0, t_max: float = 1.0, tolerance: float = 0.0, max_checks: int = 0,
              inside_tolerance: float = 0.0, backend: str = "auto", relative_separation: float = 0.0,
              out: Optional[np.ndarray] = None) -> np.ndarray:
    """Answers a list of pairs of a mesh, for example that of `candidates`. Results have its order and the form of
    `ccd_batch`; options as in `step`.

    >>> import numpy as np, graze
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.25, .25, 1.]])
    >>> mesh = graze.Mesh.from_parts(4, faces=[[0, 1, 2]])
    >>> pairs = np.array([(0, 3, 0)], dtype=graze.PAIR)
    >>> graze.ccd_pairs(x, x * [1, 1, -1], mesh, pairs, method="exact")["toi"].tolist()
    [0.5]
    """
    x0, x1, pairs = _positions("x0", x0, mesh), _positions("x1", x1, mesh), _pair_list(pairs)
    results = output("out", out, RESULT, (len(pairs),))
    asked = _options(method=method, separation=separation, t_max=t_max, tolerance=tolerance, max_checks=max_checks,
                     inside_tolerance=inside_tolerance, backend=backend, relative_separation=relative_separation)
    mesh.call(context(), library.graze_ccd_pairs, x0.ctypes.data, x1.ctypes.data, pairs.ctypes.data, len(pairs), asked,
              results.ctypes.data)
    return results


def earliest_of_pairs(x0: ArrayLike, x1: ArrayLike, mesh: Mesh, pairs: np.ndarray, *, method: str = "certified",
                      separation: float = 0.0, t_max: float = 1.0, tolerance: float = 0.0, max_checks: int = 0,
                      inside_tolerance: float = 0.0, backend: str = "auto",
                      relative_separation: float = 0.0) -> StepResult:
    """Finds the first contact of a list of pairs: `step` in mode "earliest", restricted to the list.

    Groups and filters do not apply. Options as in `step`.

    >>> import numpy as np, graze
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.25, .25, 1.]])
    >>> mesh = graze.Mesh.from_parts(4, faces=[[0, 1, 2]])
    >>> pairs = np.array([(0, 3, 0)], dtype=graze.PAIR)
    >>> graze.earliest_of_pairs(x, x * [1, 1, -1], mesh, pairs, method="exact").toi
    0.5
    """
    x0, x1, pairs = _positions("x0", x0, mesh), _positions("x1", x1, mesh), _pair_list(pairs)
    made = _c.default(_c.StepResult, library.graze_init_step_result)
    asked = _options(method=method, separation=separation, t_max=t_max, tolerance=tolerance, max_checks=max_checks,
                     inside_tolerance=inside_tolerance, backend=backend, relative_separation=relative_separation)
    mesh.call(context(), library.graze_earliest_of_pairs, x0.ctypes.data, x1.ctypes.data, pairs.ctypes.data, len(pairs),
              asked, made)
    return _result(made, "earliest")


def distances(x: ArrayLike, mesh: Mesh, pairs: np.ndarray, *, out: Optional[np.ndarray] = None) -> np.ndarray:
    """Distance and closest points of pairs of a mesh at rest: a structured array with the fields of
    graze_distance_result. Thickness is not subtracted.

    >>> import numpy as np, graze
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.25, .25, 2.]])
    >>> mesh = graze.Mesh.from_parts(4, faces=[[0, 1, 2]])
    >>> graze.distances(x, mesh, np.array([(0, 3, 0)], dtype=graze.PAIR))["value"].tolist()
    [2.0]
    """
    x, pairs = _positions("x", x, mesh), _pair_list(pairs)
    results = output("out", out, DISTANCE, (len(pairs),))
    mesh.call(context(), library.graze_distances, x.ctypes.data, pairs.ctypes.data, len(pairs), None,
              results.ctypes.data)
    return results


def proximity(x: ArrayLike, mesh: Mesh, distance: float, *, kinds: Sequence[str] = (), backend: str = "auto",
              vertex_distance: Optional[np.ndarray] = None, out: Optional[np.ndarray] = None) -> np.ndarray:
    """Lists the pairs whose exact distance at x is at most `distance`, sorted by kind, a, b: a structured array with
    the fields of graze_proximity_pair.

    `type` says where the closest points lie: 0 two vertices, 1 a vertex and an edge, 2 a vertex and a face, 3 two
    edges. `backend` as in `step`. `vertex_distance` is an array with a number for each vertex, which receives the least
    distance of its pairs, infinity where it has none. `out` is an array of dtype PROXIMITY with enough room; its
    beginning is returned.

    >>> import numpy as np, graze
    >>> x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.25, .25, 2.]])
    >>> mesh = graze.Mesh.from_parts(4, faces=[[0, 1, 2]])
    >>> near = graze.proximity(x, mesh, 2)
    >>> near["pair"].tolist(), near["distance"]["value"].tolist(), len(graze.proximity(x, mesh, 1.9))
    ([(0, 3, 0)], [2.0], 0)
    """
    x = _positions("x", x, mesh)
    options = _c.default(_c.ProximityOptions, library.graze_init_proximity_options)
    options.kinds, options.backend = _mask(kinds), backend_number(backend)
    if vertex_distance is not None:
        options.vertex_distance = output("vertex_distance", vertex_distance, np.float64, (len(x),)).ctypes.data
    made, here = _c.default(_c.ProximityResult, library.graze_init_proximity_result), context()
    try:
        mesh.call(here, library.graze_proximity, x.ctypes.data, distance, options, made)
        return copied(PROXIMITY, made.pairs, made.pair_count, out)
    finally:
        library.graze_proximity_release(here.handle, made)


def stencil(mesh: Mesh, kind: str, a: int, b: int, u: float = math.nan,
            v: float = math.nan) -> Tuple[np.ndarray, np.ndarray]:
    """Gives the vertices of a pair, in the order of a query's rows, and their weights in the gap at u and v: two arrays
    of 2 to 4 entries.

    >>> import graze
    >>> mesh = graze.Mesh.from_parts(4, faces=[[0, 1, 2]])
    >>> [part.tolist() for part in graze.stencil(mesh, "vf", 3, 0, u=0.25, v=0.25)]
    [[3, 0, 1, 2], [1.0, -0.5, -0.25, -0.25]]
    """
    made = _c.Stencil()
    pair = _c.Pair(kind_number(kind), whole_number("a", a, 2**32), whole_number("b", b, 2**32))
    status = library.graze_pair_stencil(mesh._c, pair, u, v, made)
    if status:
        raise status_error(status, f"the mesh has no pair {kind} {a} {b}")
    return np.array(made.vertices[:made.count], dtype=np.uint32), np.array(made.weights[:made.count])


def active_set(x0: ArrayLike, x1: ArrayLike, mesh: Mesh, *, method: str = "certified", separation: float = 0.0, t_max: float = 1.0,
               tolerance: float = 0.0, max_checks: int = 0, inside_tolerance: float = 0.0, broad: str = "auto",
               backend: str = "auto", kinds: Sequence[str] = (), memory_limit: int = 0, relative_separation: float = 0.0,
               out: Optional[np.ndarray] = None) -> np.ndarray:
    """Lists the pairs that touch in a step, with their times: a structured array with fields `pair` and `result`.

    The list is always complete: a call that is cut short raises. Options as in `step`, `out` as in `candidates`.

    >>> import numpy as np, graze
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [1.2, .2, 1.5], [.2, 1.2, 1.5]])
    >>> x1 = np.vstack([x0[:3], x0[3:] - [0, 0, 1.2]])
    >>> graze.active_set(x0, x1, graze.Mesh.from_faces(6, [[0, 1, 2], [3, 4, 5]]))["pair"].tolist()
    [(0, 3, 0)]
    """
    x0, x1 = _positions("x0", x0, mesh), _positions("x1", x1, mesh)
    pairs, count, here = ctypes.POINTER(_c.PairResult)(), ctypes.c_size_t(), context()
    asked = _options(method=method, separation=separation, t_max=t_max, tolerance=tolerance,
                     max_checks=max_checks, inside_tolerance=inside_tolerance, broad=broad, backend=backend,
                     kinds=kinds, memory_limit=memory_limit, relative_separation=relative_separation)
    try:
        mesh.call(here, library.graze_active_set, x0.ctypes.data, x1.ctypes.data, asked, ctypes.byref(pairs),
                  ctypes.byref(count))
        return copied(PAIR_RESULT, pairs, count.value, out)
    finally:
        library.graze_active_set_release(here.handle, pairs, count.value)


@dataclass(frozen=True)
class LineSearchResult:
    """Result of a line search: `alpha` of the way, where CCD allowed `alpha_free`. `pair` limits it, as (kind, a, b)
    or None; `distance` is the least start distance of the candidates."""

    alpha: float
    alpha_free: float
    energy: float
    energy_calls: int
    pair: Optional[tuple]
    distance: float


def line_search(x0: ArrayLike, x1: ArrayLike, mesh: Mesh, energy: Optional[Callable[[np.ndarray], float]] = None, *,
                separation_fraction: Optional[float] = None, least_separation: Optional[float] = None,
                shrink: Optional[float] = None, max_steps: Optional[int] = None, method: str = "certified", separation: float = 0.0, t_max: float = 1.0,
                tolerance: float = 0.0, max_checks: int = 0, inside_tolerance: float = 0.0, broad: str = "auto",
                backend: str = "auto", kinds: Sequence[str] = (), memory_limit: int = 0,
                out: Optional[np.ndarray] = None) -> Tuple[np.ndarray, LineSearchResult]:
    """A step along x1 - x0 that is free of contact and lowers the energy: positions and a LineSearchResult.

    `energy(x)` is of positions (vertex_count, 3), which it must not keep; what it raises, the call raises. NaN and
    infinity reject a step; -infinity is an error. Without an energy the step is what CCD allows. The motion from x0 to
    the positions is proven free, as by `step_to`. None stands for the defaults of graze_line_search_options;
    `least_separation` is its tolerance. Options as in `step`.

    >>> import numpy as np, graze
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [1.2, .2, 1.5], [.2, 1.2, 1.5]])
    >>> x1 = np.vstack([x0[:3], x0[3:] - [0, 0, 2]])
    >>> mesh = graze.Mesh.from_faces(6, [[0, 1, 2], [3, 4, 5]])
    >>> x, found = graze.line_search(x0, x1, mesh, energy=lambda x: x[3:, 2].sum())
    >>> 0.3 < found.alpha < 0.5, found.pair
    (True, ('vf', 3, 0))
    """
    x0, x1 = _positions("x0", x0, mesh), _positions("x1", x1, mesh)
    x = _new_positions(out, x0, x1)
    asked = _c.default(_c.LineSearchOptions, library.graze_init_line_search_options)
    asked.step = ctypes.pointer(_options(
        method=method, separation=separation, t_max=t_max, tolerance=tolerance,
        max_checks=max_checks, inside_tolerance=inside_tolerance, broad=broad, backend=backend,
        kinds=kinds, memory_limit=memory_limit))
    for name, value in (("separation_fraction", separation_fraction), ("tolerance", least_separation),
                        ("shrink", shrink), ("max_steps", max_steps)):
        if value is not None:
            setattr(asked, name, whole_number(name, value, 2**32) if name == "max_steps" else value)
    asked.x = x.ctypes.data
    made, callbacks = _c.default(_c.LineSearchResult, library.graze_init_line_search_result), Callbacks()
    asked_energy = callbacks.energy(energy, x0.shape) if energy else (None, None)
    mesh.call(context(), library.graze_line_search, x0.ctypes.data, x1.ctypes.data, *asked_energy, asked, made,
              callbacks=callbacks)
    pair = (kind_name(made.limiting.kind), made.limiting.a, made.limiting.b) if made.has_pair else None
    return x, LineSearchResult(made.alpha, made.alpha_free, made.energy, made.energy_calls, pair, made.distance)
