"""One pair of primitives: does it touch, when and where; exactly; and how far apart is it at rest?"""

from __future__ import annotations  # help() shows types by their names

import ctypes
from dataclasses import dataclass
from typing import Dict, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _c, _plot, _text
from ._arrays import doubles, output, rows, with_shape
from ._c import library
from ._context import context, kind_number, narrow_options, reason_name, status_error, verdict_name

RESULT = np.dtype(_c.Result)
ROWS = {"vf": 4, "ee": 4, "pe": 3, "pp": 2}
NORMS = {"euclidean": 0, "max": 1}


@dataclass(frozen=True, eq=False)
class Result:
    """Result for a pair: the fields of graze_result, verdict and reason by name."""

    verdict: str
    reason: str
    proven: bool
    toi: float
    toi_upper: float
    u: float
    v: float
    point: np.ndarray
    normal: np.ndarray
    checks: int

    def __repr__(self):
        touches = self.verdict == "hit"
        return _text.line("Result", _text.bracket(self.verdict, self.reason, self.toi, self.toi_upper),
                          f"point {_text.triple(self.point)}" if touches else "",
                          f"normal {_text.triple(self.normal)}" if touches else "", f"{self.checks} checks")

    def plot(self, kind: str, x0: ArrayLike, x1: ArrayLike, ax=None):
        """Draws the query of this result: the pair at the start in gray, at toi or the end, and the contact in red.
        Returns the matplotlib axes: `ax`, or new ones."""
        x0, x1, ax = _one("x0", kind, x0), _one("x1", kind, x1), _plot.axes(ax)
        _plot.draw_pair(ax, kind, x0, color="lightgray")
        _plot.draw_pair(ax, kind, _plot.between(x0, x1, self.toi if self.verdict != "clear" else 1.0), color="black")
        if self.verdict == "hit":
            _plot.draw_contact(ax, self)
        return ax

    @classmethod
    def of(cls, record: np.void) -> "Result":
        """From an element of what `ccd_batch` returns."""
        return cls(verdict_name(int(record["verdict"])), reason_name(int(record["reason"])), bool(record["proven"]),
                   float(record["toi"]), float(record["toi_upper"]), float(record["u"]), float(record["v"]),
                   record["point"].copy(), record["normal"].copy(), int(record["checks"]))


def _batch_array(name, kind, x):
    array = with_shape(name, doubles(name, x), (None, (ROWS[kind], 4), 3))
    # strides of {0, 0, 0} mean to the library that there are none
    return array if any(array.strides) else array.copy()


def ccd_batch(kind: str, x0: ArrayLike, x1: ArrayLike, *, method: str = "certified", separation: float = 0.0,
              t_max: float = 1.0, tolerance: float = 0.0, max_checks: int = 0, inside_tolerance: float = 0.0,
              out: Optional[np.ndarray] = None) -> np.ndarray:
    """Answers n queries of one kind on all threads: a structured array with the fields of graze_result.

    x0 and x1 are (n, 4, 3). Rows: "vf" vertex, face corners; "ee" a0, a1, b0, b1; "pe" point, edge ends (3 rows or 4); "pp" two points
    (2 rows or 4).
    float64 arrays are read in place, with any strides; float32 and integers are copied. `verdict` is 0 for unresolved, 1
    for clear, 2 for hit.

    method             one of `methods()`
    separation         distance that counts as contact
    t_max              end of the time interval, in [0, 1]
    tolerance          gap at which an unproven hit is reported; 0: the method's default
    max_checks         work allowed to one query; 0: the method's default
    inside_tolerance   slack of the inside test, for methods that have one; 0: the method's default
    out                receives the results

    >>> import numpy as np, graze
    >>> x0 = np.array([[[0, 0, 1], [-1, -1, 0], [2, -1, 0], [-1, 2, 0]]], dtype=float)
    >>> x1 = x0.copy()
    >>> x1[0, 0, 2] = -1
    >>> int(graze.ccd_batch("vf", x0, x1)["verdict"][0]) == graze.HIT
    True
    """
    number = kind_number(kind)
    x0, x1 = _batch_array("x0", kind, x0), _batch_array("x1", kind, x1)
    if x0.shape[0] != x1.shape[0]:
        raise ValueError(f"x0 has {x0.shape[0]} queries, x1 {x1.shape[0]}")
    options = narrow_options(method, separation, t_max, tolerance, max_checks, inside_tolerance)
    results = output("out", out, RESULT, (x0.shape[0],))
    arrays = _c.default(_c.QueryArrays, library.graze_init_query_arrays)
    arrays.x0, arrays.x1 = x0.ctypes.data, x1.ctypes.data
    arrays.strides0[:], arrays.strides1[:] = x0.strides, x1.strides
    context().call(library.graze_ccd_batch_strided, number, arrays, len(results), options, results.ctypes.data,
                   RESULT.itemsize)
    return results


def _one(name, kind, x):
    kind_number(kind)
    return with_shape(name, doubles(name, x), ((ROWS[kind], 4), 3))


def query_struct(x0, x1):
    query = _c.Query()
    for x, where in ((x0, query.x0), (x1, query.x1)):
        where[:x.size] = x.ravel().tolist()
    return query


def ccd(kind: str, x0: ArrayLike, x1: ArrayLike, *, method: str = "certified", separation: float = 0.0,
        t_max: float = 1.0, tolerance: float = 0.0, max_checks: int = 0, inside_tolerance: float = 0.0) -> Result:
    """Answers one query; x0 and x1 are (4, 3). Options and bits are those of `ccd_batch`.

    >>> import graze
    >>> triangle = [[-1, -1, 0], [2, -1, 0], [-1, 2, 0]]
    >>> hit = graze.ccd("vf", [[0, 0, 1]] + triangle, [[0, 0, -1]] + triangle)
    >>> hit.verdict, 0.499 < hit.toi <= 0.5
    ('hit', True)
    """
    return Result.of(ccd_batch(kind, _one("x0", kind, x0)[None], _one("x1", kind, x1)[None], method=method,
                               separation=separation, t_max=t_max, tolerance=tolerance, max_checks=max_checks,
                               inside_tolerance=inside_tolerance)[0])


def ccd_curve(kind: str, x: ArrayLike, *, separation: float = 0.0, t_max: float = 1.0, tolerance: float = 0.0,
              max_checks: int = 0, out: Optional[np.ndarray] = None) -> np.ndarray:
    """Answers n queries whose points move on cubic Bézier curves, on all threads. Results have the form of `ccd_batch`.

    x is (n, 4, 4, 3): query, row, control point, coordinate. Rows as in `ccd_batch`; all four must be there.

    >>> import numpy as np, graze
    >>> x = np.zeros((1, 4, 4, 3))
    >>> x[0, 1:] = np.array([[-1, -1, 0], [2, -1, 0], [-1, 2, 0]])[:, None]
    >>> x[0, 0, :, 2] = 1, 3, 1, -3                            # thrown upwards, and down
    >>> hit = graze.Result.of(graze.ccd_curve("vf", x)[0])
    >>> hit.verdict, 0.70 < hit.toi <= hit.toi_upper < 0.71
    ('hit', True)
    """
    number = kind_number(kind)
    x = np.ascontiguousarray(with_shape("x", doubles("x", x), (None, 4, 4, 3)))
    options = narrow_options("certified", separation, t_max, tolerance, max_checks)
    options.result_stride = RESULT.itemsize
    results = output("out", out, RESULT, (x.shape[0],))
    context().call(library.graze_ccd_curve_batch, number, x.ctypes.data, len(results), options, results.ctypes.data)
    return results


@dataclass(frozen=True)
class Truth:
    """The exact first contact τ. It lies between the adjacent doubles toi_lower and toi_upper, and is a root of the
    integer `polynomial` (constant term first). Without a hit the times are NaN and the polynomial is empty."""

    hit: bool
    toi_lower: float
    toi_upper: float
    polynomial: tuple
    contact_count: int


def _coefficient(handle, k):
    length = library.graze_truth_coefficient(handle, k, None, 0)
    text = ctypes.create_string_buffer(length + 1)
    library.graze_truth_coefficient(handle, k, text, length + 1)
    return int(text.value)


def _read_truth(handle):
    lower, upper = ctypes.c_double(), ctypes.c_double()
    library.graze_truth_bracket(handle, ctypes.byref(lower), ctypes.byref(upper))
    degree = library.graze_truth_degree(handle)
    return Truth(bool(library.graze_truth_hit(handle)), lower.value, upper.value,
                 tuple(_coefficient(handle, k) for k in range(degree + 1)),
                 library.graze_truth_contact_count(handle))


def truth(kind: str, x0: ArrayLike, x1: ArrayLike, *, separation: float = 0.0, norm: str = "euclidean",
          t_max: float = 1.0) -> Truth:
    """Decides a query exactly, in integer arithmetic; `norm` is "euclidean" or "max".

    >>> import graze
    >>> triangle = [[-1, -1, 0], [2, -1, 0], [-1, 2, 0]]
    >>> graze.truth("vf", [[0, 0, 1]] + triangle, [[0, 0, -1]] + triangle).polynomial
    (-1, 2)
    """
    if norm not in NORMS:
        raise ValueError(f"there is no norm {norm!r}")
    query = query_struct(_one("x0", kind, x0), _one("x1", kind, x1))
    options = _c.default(_c.TruthOptions, library.graze_init_truth_options)
    options.min_separation, options.norm, options.t_max = separation, NORMS[norm], t_max
    handle, here = ctypes.c_void_p(), context()
    try:
        here.call(library.graze_truth_find, kind_number(kind), query, options, ctypes.byref(handle))
        return _read_truth(handle)
    finally:
        library.graze_truth_destroy(here.handle, handle)


@dataclass(frozen=True)
class Method:
    """Facts about a method: is it in this build, does it never miss, is it free of false alarms, does it give a time?"""

    summary: str
    available: bool
    conservative: bool
    exact: bool
    gives_toi: bool
    kinds: tuple


def methods() -> Dict[str, Method]:
    """All methods by name, the default first.

    >>> import graze
    >>> next(iter(graze.methods())), graze.methods()["exact"].conservative, graze.methods()["provot"].conservative
    ('certified', True, False)
    """
    found, number = {}, 1
    while library.graze_method_get(number):
        info = library.graze_method_get(number).contents
        kinds = tuple(kind for k, kind in enumerate(ROWS) if info.kinds >> k & 1)
        found[info.name.decode()] = Method(info.summary.decode(), bool(info.available), bool(info.conservative),
                                           bool(info.exact), bool(info.gives_toi), kinds)
        number += 1
    return found


def broad_phases() -> Dict[str, bool]:
    """All broad phases by name, and whether this build has them on the CPU.

    >>> import graze
    >>> graze.broad_phases()["brute"]
    True
    """
    found, number = {}, 0
    while library.graze_broad_name(number):
        found[library.graze_broad_name(number).decode()] = bool(library.graze_broad_available(number))
        number += 1
    return found


def has_cuda() -> bool:
    """True if backend="cuda" works here. Each call loads its library and looks for a device."""
    return bool(library.graze_backend_available(2))


@dataclass(frozen=True, eq=False)
class Distance:
    """Distance of a pair at rest: the fields of graze_distance_result. `features` are bit masks of corners."""

    value: float
    u: float
    v: float
    weights: np.ndarray
    vector: np.ndarray
    features: tuple

    def __repr__(self):
        return _text.line("Distance", f"{self.value:.9g}", f"vector {_text.triple(self.vector)}",
                          f"weights {_text.triple(self.weights)}")


def distance(kind: str, x: ArrayLike) -> Distance:
    """Distance and closest points of one pair at rest; x is (4, 3).

    >>> import graze
    >>> graze.distance("pp", [[0, 0, 0], [3, 4, 0]]).value
    5.0
    """
    result = _c.DistanceResult()
    status = library.graze_distance(kind_number(kind), rows("x", x, ((ROWS[kind], 4), 3)).ctypes.data, result)
    if status:
        raise status_error(status)
    return Distance(result.value, result.u, result.v, np.array(result.weights), np.array(result.vector),
                    tuple(result.feature))
