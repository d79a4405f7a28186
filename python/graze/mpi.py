"""One step of a mesh that is spread over the ranks of an mpi4py communicator.

The communicator is passed by its Fortran handle, `comm.py2f()`, so mpi4py is not imported here. libgraze_mpi has to be the one for
the MPI that mpi4py is built on: Debian's is built on Open MPI. Another one is refused, and the error names both.
"""

from __future__ import annotations  # help() shows types by their names

from ctypes import POINTER, Structure, c_double, c_int, c_int32, c_size_t, c_uint32, c_uint64, c_void_p
from dataclasses import dataclass
from typing import Optional, Tuple

import numpy as np
from numpy.typing import ArrayLike

from . import _c
from ._arrays import copied, output, rows, with_shape
from ._c import library
from ._context import context, kind_name, reason_name, verdict_name
from .query import Result
from .steps import DOUBLE, Contact, _counts, _options


class Part(Structure):
    c_name = "graze_mpi_part"
    _fields_ = [("struct_size", c_size_t), ("vertex_count", c_size_t), ("face_count", c_size_t), ("edge_count", c_size_t),
                ("point_count", c_size_t), ("vertex_ids", c_void_p), ("faces", c_void_p), ("face_ids", c_void_p),
                ("edges", c_void_p), ("points", c_void_p), ("groups", c_void_p), ("group_count", c_uint32),
                ("skip_same_group", c_int), ("group_pairs", c_void_p), ("thickness", c_void_p)]


class Pair(Structure):
    c_name = "graze_mpi_pair"
    _fields_ = [("kind", c_int), ("a", c_uint64), ("b", c_uint64)]


class PairResult(Structure):
    c_name = "graze_mpi_pair_result"
    _fields_ = [("pair", Pair), ("vertices", c_uint64 * 4), ("result", _c.Result)]


class Made(Structure):
    c_name = "graze_mpi_result"
    _fields_ = [("struct_size", c_size_t), ("verdict", c_int), ("reason", c_int), ("toi", c_double),
                ("toi_upper", c_double), ("has_pair", c_int32), ("limiting", PairResult), ("candidates", c_uint64 * 4),
                ("hits", c_uint64 * 4), ("pairs", POINTER(PairResult)), ("pair_count", c_size_t),
                ("pair_first", c_uint64), ("pair_total", c_uint64), ("rank", c_uint32), ("ranks", c_uint32),
                ("vertex_total", c_uint64), ("edge_total", c_uint64), ("face_total", c_uint64),
                ("codim_edge_total", c_uint64), ("point_total", c_uint64), ("messages", c_uint64), ("bytes", c_uint64),
                ("collectives", c_uint64), ("gathered", c_uint64), ("crossing", c_uint64), ("imbalance", c_double),
                ("ms_deal", c_double), ("ms_search", c_double), ("ms_exchange", c_double), ("ms_total", c_double)]


STRUCTS = [Part, Pair, PairResult, Made]
PAIR_RESULT = np.dtype(PairResult)

library.graze_init_mpi_part.argtypes, library.graze_init_mpi_part.restype = [POINTER(Part), c_size_t], None
library.graze_init_mpi_result.argtypes, library.graze_init_mpi_result.restype = [POINTER(Made), c_size_t], None
library.graze_mpi_step.argtypes = [c_void_p, c_int32, POINTER(Part), c_void_p, c_void_p, POINTER(_c.StepOptions),
                                   POINTER(Made)]
library.graze_mpi_step_release.argtypes, library.graze_mpi_step_release.restype = [c_void_p, POINTER(Made)], None


@dataclass(frozen=True, eq=False)
class StepResult:
    """Result of all ranks together. Nothing touches before `toi`. Ids are global.

    `pairs` is of mode "all": this rank's range of the sorted list, which begins at `pair_first` of `pair_total`. `vertex_toi` is of
    mode "vertices", for the rows of this rank.
    """

    verdict: str
    reason: str
    toi: float
    toi_upper: float
    pair: Optional[Contact]
    vertices: Optional[Tuple[int, ...]]  #: of `pair`, in the order of a query's rows
    pairs: Optional[np.ndarray]
    pair_first: int
    pair_total: int
    vertex_toi: Optional[np.ndarray]
    candidates: dict
    hits: dict
    ranks: int


def _ids(name, values, *width):
    array = np.asarray(values if np.size(values) else np.zeros((0, *width), np.uint64))
    if array.dtype.kind not in "iu" or (array.size and array.min() < 0):
        raise ValueError(f"{name}: ids are whole numbers from 0 on")
    return np.ascontiguousarray(with_shape(name, array, (None, *width)), dtype=np.uint64)


def _contact(made):
    limit = made.limiting
    record = np.frombuffer(limit, dtype=PAIR_RESULT)[0]
    return Contact(kind_name(limit.pair.kind), limit.pair.a, limit.pair.b, Result.of(record["result"]))


def step(comm, vertex_ids: ArrayLike, x0: ArrayLike, x1: ArrayLike, *, faces: ArrayLike = (), face_ids: Optional[ArrayLike] = None,
         edges: ArrayLike = (), points: ArrayLike = (), mode: str = "earliest", method: str = "certified", separation: float = 0.0,
         t_max: float = 1.0, tolerance: float = 0.0, max_checks: int = 0) -> StepResult:
    """`graze.step` on the mesh that the parts of all ranks are together; every rank of `comm` calls it.

    Rows of x0 and x1, both (n, 3), are the vertices `vertex_ids`. Faces, edges and points name vertices of any rank by id. The answer
    has the bits of one process.
    """
    ids, corners, ends, alone = _ids("vertex_ids", vertex_ids), _ids("faces", faces, 3), _ids("edges", edges, 2), _ids("points", points)
    numbers = None if face_ids is None else _ids("face_ids", face_ids)
    if numbers is not None and len(numbers) != len(corners):
        raise ValueError(f"face_ids has {len(numbers)} ids, and there are {len(corners)} faces")
    x0, x1 = rows("x0", x0, (len(ids), 3)), rows("x1", x1, (len(ids), 3))
    part = _c.default(Part, library.graze_init_mpi_part)
    part.vertex_count, part.face_count, part.edge_count, part.point_count = len(ids), len(corners), len(ends), len(alone)
    part.vertex_ids, part.faces, part.edges, part.points = (a.ctypes.data for a in (ids, corners, ends, alone))
    part.face_ids = None if numbers is None else numbers.ctypes.data
    asked = _options(mode=mode, method=method, separation=separation, t_max=t_max, tolerance=tolerance, max_checks=max_checks)
    times = output("out", None, DOUBLE, (len(ids),)) if mode == "vertices" else None
    asked.vertex_toi = None if times is None else times.ctypes.data
    made, here = _c.default(Made, library.graze_init_mpi_result), context()
    try:
        here.call(library.graze_mpi_step, comm.py2f(), part, x0.ctypes.data, x1.ctypes.data, asked, made)
        return StepResult(verdict_name(made.verdict), reason_name(made.reason), made.toi, made.toi_upper,
                          _contact(made) if made.has_pair else None,
                          tuple(made.limiting.vertices) if made.has_pair else None,
                          copied(PAIR_RESULT, made.pairs, made.pair_count) if mode == "all" else None, made.pair_first,
                          made.pair_total, times, _counts(made.candidates), _counts(made.hits), made.ranks)
    finally:
        library.graze_mpi_step_release(here.handle, made)
