"""Whole meshes between two states: the first contact, a step that may be taken, and what touches at the start."""

import ctypes
from dataclasses import dataclass
from typing import Optional

import numpy as np

from . import _c
from ._arrays import copied, output, rows
from ._c import library
from ._context import (backend_number, broad_number, context, kind_name, mode_number, narrow_options, reason_name,
                       verdict_name, whole_number)
from .mesh import Mesh
from .query import Result

PAIR = np.dtype(_c.Pair)
PAIR_RESULT = np.dtype(_c.PairResult)
KINDS = ("vf", "ee", "pe", "pp")
NOT_COUNTED = 2**64 - 1


@dataclass(frozen=True, eq=False)
class Contact:
    """A pair of primitives by kind and ids (vertex and face; edges a < b; …), and what is known of it."""

    kind: str
    a: int
    b: int
    result: Result


@dataclass(frozen=True, eq=False)
class StepResult:
    """What a step found. Nothing touches before `toi`.

    `pair` limits the step (None: nothing does). `pairs` is of mode "all": a structured array with fields `pair` and
    `result`. `vertex_toi` is of mode "vertices", `alpha` of `step_to`. Counts that the mode does not make are None.
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


def _contact(limiting):
    record = np.frombuffer(limiting, dtype=PAIR_RESULT)[0]
    pair = record["pair"]
    return Contact(kind_name(int(pair["kind"])), int(pair["a"]), int(pair["b"]), Result.of(record["result"]))


def _counts(values):
    return {kind: None if count == NOT_COUNTED else count for kind, count in zip(KINDS, values)}


def _result(made, mode, vertex_toi=None, alpha=None):
    return StepResult(
        verdict_name(made.verdict), reason_name(made.reason), made.toi, made.toi_upper,
        _contact(made.limiting) if made.has_pair else None,
        copied(PAIR_RESULT, made.pairs, made.pair_count) if mode == "all" else None, vertex_toi, alpha,
        _counts(made.candidates), _counts(made.hits),
        {"boxes": made.ms_boxes, "broad": made.ms_broad, "narrow": made.ms_narrow, "total": made.ms_total},
        library.graze_backend_name(made.backend).decode())


def _mask(kinds):
    unknown = [kind for kind in kinds if kind not in KINDS]
    if unknown:
        raise ValueError(f"there is no kind {unknown[0]!r}")
    return sum(1 << KINDS.index(kind) for kind in set(kinds))


def _options(method="certified", separation=0.0, t_max=1.0, tolerance=0.0, max_checks=0, mode="earliest", broad="auto",
             backend="auto", kinds=(), memory_limit=0, relative_separation=0.0):
    options = _c.default(_c.StepOptions, library.graze_init_step_options)
    options.narrow = ctypes.pointer(narrow_options(method, separation, t_max, tolerance, max_checks))
    options.mode, options.broad, options.backend = mode_number(mode), broad_number(broad), backend_number(backend)
    options.kinds = _mask(kinds)
    options.relative_separation = relative_separation
    options.memory_limit = whole_number("memory_limit", memory_limit, 2**64)
    return options


def _positions(name, x, mesh):
    if not isinstance(mesh, Mesh):
        raise TypeError(f"mesh is {type(mesh).__name__}: a graze.Mesh is asked for")
    return rows(name, x, (mesh.vertex_count, 3))


def step(x0, x1, mesh: Mesh, mode: str = "earliest", separation: float = 0.0, **options) -> StepResult:
    """Finds the first contact of a mesh whose vertices move on straight lines from x0 to x1, both (vertex_count, 3).

    Modes: "earliest", "any", "vertices", "all". Options: method, t_max, tolerance, max_checks, broad, backend, kinds,
    memory_limit, relative_separation. "clear" presupposes that nothing passes through anything else at x0: `static_intersections` looks.

    >>> import numpy as np, graze
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [1.2, .2, 1.5], [.2, 1.2, 1.5]])
    >>> x1 = np.vstack([x0[:3], x0[3:] - [0, 0, 2]])
    >>> found = graze.step(x0, x1, graze.Mesh.from_faces(6, [[0, 1, 2], [3, 4, 5]]))
    >>> found.verdict, found.pair.kind, found.pair.a, found.pair.b
    ('hit', 'vf', 3, 0)
    """
    x0, x1 = _positions("x0", x0, mesh), _positions("x1", x1, mesh)
    made = _c.default(_c.StepResult, library.graze_init_step_result)
    asked = _options(mode=mode, separation=separation, **options)
    vertex_toi = np.empty(mesh.vertex_count) if mode == "vertices" else None
    asked.vertex_toi = None if vertex_toi is None else vertex_toi.ctypes.data
    here = context()
    try:
        here.call(library.graze_step, mesh._c, x0.ctypes.data, x1.ctypes.data, asked, made)
        return _result(made, mode, vertex_toi)
    finally:
        library.graze_step_release(here.handle, made)


def step_to(x0, x1, mesh: Mesh, separation: float = 0.0, out: Optional[np.ndarray] = None, **options):
    """A step that may be taken: positions x on the way, and the result of the step with `alpha`. The straight motion
    from x0 to x, in the doubles that x holds, is proven free of contact."""
    x0, x1 = _positions("x0", x0, mesh), _positions("x1", x1, mesh)
    x = output("out", out, np.dtype(np.float64), x0.shape)
    if np.may_share_memory(x, x0) or np.may_share_memory(x, x1):
        raise ValueError("out shares memory with x0 or x1")
    made = _c.default(_c.StepResult, library.graze_init_step_result)
    asked = _options(separation=separation, **options)
    here = context()
    try:
        here.call(library.graze_step_to, mesh._c, x0.ctypes.data, x1.ctypes.data, asked, x.ctypes.data, made)
        return x, _result(made, "earliest", alpha=made.alpha)
    finally:
        library.graze_step_release(here.handle, made)


def _pairs(function, mesh, positions, options):
    pairs, count, here = ctypes.POINTER(_c.Pair)(), ctypes.c_size_t(), context()
    here.call(function, mesh._c, *(x.ctypes.data for x in positions), _options(**options), ctypes.byref(pairs),
              ctypes.byref(count))
    try:
        return copied(PAIR, pairs, count.value)
    finally:
        library.graze_pairs_release(here.handle, pairs, count.value)


def candidates(x0, x1, mesh: Mesh, separation: float = 0.0, t_max: float = 1.0, broad: str = "auto") -> np.ndarray:
    """The pairs whose swept boxes meet, sorted by kind, a, b: a structured array with the fields of graze_pair."""
    return _pairs(library.graze_candidates, mesh, [_positions("x0", x0, mesh), _positions("x1", x1, mesh)],
                  dict(separation=separation, t_max=t_max, broad=broad))


def start_violations(x, mesh: Mesh, separation: float = 0.0) -> np.ndarray:
    """The pairs that are within the separation at x, before any motion."""
    return _pairs(library.graze_start_violations, mesh, [_positions("x", x, mesh)], dict(separation=separation))


def static_intersections(x, mesh: Mesh) -> np.ndarray:
    """The pairs of faces (a < b; `kind` says nothing) that intersect at x, touching included, decided exactly."""
    return _pairs(library.graze_static_intersections, mesh, [_positions("x", x, mesh)], {})
