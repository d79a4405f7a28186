"""Distances of a world: gaps of links, their points and derivatives."""

import ctypes
from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

import numpy as np

from . import _c, _text

Gradient = Dict[int, np.ndarray]  # by body, a derivative for each of its joint values


@dataclass(frozen=True, eq=False)
class LinkGap:
    """Two links and their distance, which lies in [lower, upper].

    links      ((body, link), (body, link))
    faces      their closest triangles
    points     where these are closest, in the world
    normal     from the second link towards the first; NaN where links cross or are too close to tell
    gradient   derivatives of the distance, if requested; NaN where one is not unique"""

    lower: float
    upper: float
    links: Tuple[Tuple[int, int], Tuple[int, int]]
    faces: Tuple[int, int]
    points: Tuple[np.ndarray, np.ndarray]
    normal: np.ndarray
    gradient: Optional[Gradient] = None

    def __repr__(self):
        return _text.line("LinkGap", f"in [{self.lower:.9g}, {self.upper:.9g}]", "links {} and {}".format(*self.links))


@dataclass(frozen=True, eq=False)
class WorldDistance:
    """The closest pairs of links, sorted by `upper`. All pairs that are not in `gaps` are at least `lower` apart."""

    lower: float
    gaps: List[LinkGap]

    def __repr__(self):
        return _text.line("WorldDistance", f"{len(self.gaps)} gaps", f"others beyond {self.lower:.9g}")


def by_body(values: np.ndarray, counts: List[int]) -> Gradient:
    """Derivatives of all joint values of a world, for each body that has some."""
    ends = np.cumsum(counts, dtype=np.intp)
    return {body: values[end - count:end].copy() for body, (count, end) in enumerate(zip(counts, ends)) if count}


def _gap_of(made, gradient):
    return LinkGap(made.lower, made.upper, ((made.body_a, made.link_a), (made.body_b, made.link_b)),
                   (made.face_a, made.face_b), (np.array(made.point_a), np.array(made.point_b)), np.array(made.normal),
                   gradient)


def distance_of(made: _c.WorldDistanceResult, counts: Optional[List[int]]) -> WorldDistance:
    """From the struct; `counts` are the joint values of each body where gradients were asked for."""
    gaps = _c.elements(_c.LinkGap, made.gaps, made.gap_count, made.gap_size)
    if counts is None:
        return WorldDistance(made.lower, [_gap_of(gap, None) for gap in gaps])
    table = np.zeros((len(gaps), 0))
    if made.gradients:
        table = np.ctypeslib.as_array(ctypes.cast(made.gradients, ctypes.POINTER(ctypes.c_double)),
                                      (len(gaps), made.value_count))
    return WorldDistance(made.lower, [_gap_of(gap, by_body(row, counts)) for gap, row in zip(gaps, table)])
