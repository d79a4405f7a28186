"""Clearance: how close two links of a world come to each other while it moves, and when."""

import ctypes
from dataclasses import dataclass
from typing import List, Optional, Tuple

import numpy as np

from . import _c, _text
from ._c import library
from ._context import context, whole_number
from .world_distance import Gradient, by_body


@dataclass(frozen=True, eq=False)
class LinkClearance:
    """Two links and their least distance, which lies in [lower, upper]. At `time`, a part of `segment`, it is at most `upper`.

    links      ((body, link), (body, link))
    faces      their closest triangles at that time
    points     where these are closest, in the world
    normal     from the second link towards the first; NaN where links cross
    gradient   derivatives with respect to the joint values at that time, if requested; NaN where one is not unique
    """

    lower: float
    upper: float
    segment: int
    time: float
    links: Tuple[Tuple[int, int], Tuple[int, int]]
    faces: Tuple[int, int]
    points: Tuple[np.ndarray, np.ndarray]
    normal: np.ndarray
    gradient: Optional[Gradient] = None

    def __repr__(self):
        return _text.line("LinkClearance", f"in [{self.lower:.9g}, {self.upper:.9g}]",
                          "links {} and {}".format(*self.links), f"at {self.time:.6g} of segment {self.segment}")


@dataclass(frozen=True, eq=False)
class Clearance:
    """The pairs of links that come closest, sorted by `upper`. All other pairs stay at least `lower` apart. `segments` is the
    number of segments of a plan."""

    lower: float
    pairs: List[LinkClearance]
    segments: int
    checks: int

    def __repr__(self):
        return _text.line("Clearance", f"{len(self.pairs)} pairs", f"others beyond {self.lower:.9g}",
                          f"{self.checks} checks")


def _pair_of(made, gradient):
    return LinkClearance(made.lower, made.upper, made.segment, made.time,
                         ((made.body_a, made.link_a), (made.body_b, made.link_b)), (made.face_a, made.face_b),
                         (np.array(made.point_a), np.array(made.point_b)), np.array(made.normal), gradient)


def _clearance_of(made, counts):
    pairs = _c.elements(_c.LinkClearance, made.pairs, made.pair_count, made.pair_size)
    gradients = [None] * len(pairs)
    if counts is not None:
        table = np.zeros((len(pairs), 0))
        if made.gradients:
            table = np.ctypeslib.as_array(made.gradients, (len(pairs), made.value_count))
        gradients = [by_body(row, counts) for row in table]
    return Clearance(made.lower, [_pair_of(pair, gradient) for pair, gradient in zip(pairs, gradients)], made.segments,
                     made.checks)


def asked_clearance(function, arguments, most, within, separation, tolerance, max_checks, counts) -> Clearance:
    """Calls a C function with these arguments; `counts` are the joint values of each body where gradients are asked for."""
    asked = _c.default(_c.ClearanceOptions, library.graze_init_clearance_options)
    asked.most = 0 if most is None else whole_number("most", most, 2**64)
    if most == 0:
        raise ValueError("most is 0: None asks for all pairs")
    asked.distance, asked.min_separation, asked.tolerance = within, separation, tolerance
    asked.max_checks, asked.gradients = whole_number("max_checks", max_checks, 2**64), counts is not None
    made, here = _c.default(_c.ClearanceResult, library.graze_init_clearance_result), context()
    try:
        here.call(function, *arguments, asked, ctypes.byref(made))
        return _clearance_of(made, counts)
    finally:
        library.graze_clearance_release(here.handle, ctypes.byref(made))
