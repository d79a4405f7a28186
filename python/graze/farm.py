"""Many steps, queries or planner edges in several processes, each with one context and one thread.

`workers` is `processes(n)`, another executor of concurrent.futures, or a client of Dask whose workers have one thread each
(`dask worker --nthreads 1`). Work is cut into pieces of neighbors; answers come back in order, with the bits of one process.
Progress and retries are those of the workers: `map_options` go to their `map` (Dask: retries=3, priority=…).
"""

import concurrent.futures
import functools
import os
from typing import Callable, List, Optional, Sequence

import numpy as np

from .articulated import ARTICULATED_RESULT, articulated_batch
from .files import read_frames, read_mesh_pair
from .query import RESULT, ccd_batch
from .steps import StepResult, step

PIECES = 64  # enough for 16 workers to end at about the same time


def _use_one_thread():
    """Contexts look at this when they are made: a process that has one keeps its threads."""
    os.environ.setdefault("GRAZE_NUM_THREADS", "1")


def processes(count: Optional[int] = None) -> concurrent.futures.ProcessPoolExecutor:
    """Worker processes on this machine; without a count, as many as there are cores. Use it in `with`."""
    return concurrent.futures.ProcessPoolExecutor(count, initializer=_use_one_thread)


def _cut(items: int, pieces: int):
    """The bounds of `pieces` ranges, as `graze --shard` deals them; empty ones are left out."""
    if pieces < 1:
        raise ValueError(f"pieces is {pieces}: not a positive number")
    bounds = [items * i // pieces for i in range(pieces + 1)]
    return [(a, b) for a, b in zip(bounds, bounds[1:]) if a < b]


def _answers(workers, function, pieces, map_options):
    """Executors give answers, clients of Dask give futures."""
    mapped = workers.map(function, pieces, **(map_options or {}))
    return workers.gather(mapped) if hasattr(workers, "gather") else list(mapped)


def _joined(answers, dtype):
    return np.concatenate(answers) if answers else np.zeros(0, dtype=dtype)


# ---- queries ----

def _answer_queries(piece):
    _use_one_thread()
    kind, x0, x1, options = piece
    return ccd_batch(kind, x0, x1, **options)


def queries(workers, kind: str, x0, x1, pieces: int = PIECES, map_options: Optional[dict] = None, **options) -> np.ndarray:
    """Returns the answer of `ccd_batch` to the same arguments."""
    x0, x1 = np.asarray(x0), np.asarray(x1)
    if len(x0) != len(x1):
        raise ValueError(f"x0 has {len(x0)} queries, x1 {len(x1)}")
    work = [(kind, x0[a:b], x1[a:b], options) for a, b in _cut(len(x0), pieces)]
    return _joined(_answers(workers, _answer_queries, work, map_options), RESULT)


# ---- frames ----

def _step_frames(piece):
    _use_one_thread()
    paths, options = piece
    found = []
    for before, after in zip(paths, paths[1:]):
        a, b = read_mesh_pair(before, after)
        found.append(step(a.positions, b.positions, a.mesh(), **options))
    return found


def frames(workers, folder, pieces: int = PIECES, map_options: Optional[dict] = None, **options) -> List[StepResult]:
    """Returns the answers of `step` for each frame and the next.

    `folder` has the frames, or is a list of their files; workers must find them by the same names."""
    paths = [path for _, path in read_frames(folder)] if isinstance(folder, (str, os.PathLike)) else \
        [os.fspath(path) for path in folder]
    work = [(paths[a:b + 1], options) for a, b in _cut(max(len(paths) - 1, 0), pieces)]
    return [found for piece in _answers(workers, _step_frames, work, map_options) for found in piece]


# ---- edges ----

_models = functools.lru_cache(maxsize=1)(lambda make: make())  # of a process: made once


def _answer_edges(piece):
    _use_one_thread()
    make, starts, ends, options = piece
    return articulated_batch(_models(make), starts, ends, **options)


def _rows_of(array, a, b):
    """Some rows of an array (paths, values); one row for all paths, or None, stays."""
    return array if array is None or np.ndim(array) < 2 else np.asarray(array)[a:b]


def edges(workers, models: Callable[[], Sequence], starts, ends, pieces: int = PIECES, map_options: Optional[dict] = None,
          **options) -> np.ndarray:
    """Returns the answer of `articulated_batch`.

    `models` is a function that makes them, for example by reading a URDF. Every process calls it."""
    lengths = {len(array) for array in (*starts, *ends) if array is not None and np.ndim(array) == 2}
    if len(lengths) != 1:
        raise ValueError("starts and ends have different numbers of paths" if lengths else "no array says how many paths")
    work = [(models, [_rows_of(x, a, b) for x in starts], [_rows_of(x, a, b) for x in ends], options)
            for a, b in _cut(lengths.pop(), pieces)]
    return _joined(_answers(workers, _answer_edges, work, map_options), ARTICULATED_RESULT)
