"""One pair, by the toolkit's classes: does it touch, and how far may it go?"""

import math

import numpy as np

from ..query import ccd

HALVINGS = 1100  # more than a double has


def safe_stepsize(toi, rescaling, is_free):
    """`rescaling` of toi, or less: the first that `is_free` of."""
    alpha = rescaling * toi
    for _ in range(HALVINGS):
        if alpha == 0 or is_free(alpha):
            return alpha
        alpha /= 2
    return 0.0


def check_initial_distance(initial_distance: float, min_distance: float):
    """True if a pair touches before it moves, and 0 as its time, else infinity."""
    return (True, 0.0) if initial_distance <= min_distance else (False, math.inf)


def _three(points):
    """As rows of x, y, z; the plane is where z is 0."""
    array = np.array([np.asarray(point, dtype=np.float64).ravel() for point in points])
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(f"points must have 2 or 3 coordinates, and have shape {array.shape[1:]}")
    return np.hstack([array, np.zeros((len(array), 3 - array.shape[1]))])


class NarrowPhaseCCD:
    """Base of the classes that answer queries. Use TightInclusionCCD or AdditiveCCD.

    Each returns whether there is a collision and a time that may be taken, infinity without one."""

    DEFAULT_CONSERVATIVE_RESCALING = 0.8

    def _rescaling(self):
        value = float(getattr(self, "conservative_rescaling", NarrowPhaseCCD.DEFAULT_CONSERVATIVE_RESCALING))
        if not 0 < value <= 1:
            raise ValueError(f"conservative_rescaling is {value}: not in (0, 1]")
        return value

    def _answer(self, kind, x0, x1, min_distance, tmax):
        """True if a pair touches, and a time that may be taken."""
        x0, x1 = _three(x0), _three(x1)
        found = ccd(kind, x0, x1, separation=min_distance, t_max=tmax)
        if found.verdict == "clear":
            return False, math.inf

        def is_free(alpha):
            return ccd(kind, x0, x0 + alpha * (x1 - x0), separation=min_distance).verdict == "clear"
        return True, safe_stepsize(found.toi, self._rescaling(), is_free)

    def point_point_ccd(self, p0_t0, p1_t0, p0_t1, p1_t1, min_distance: float = 0.0, tmax: float = 1.0):
        """
        >>> import graze.ipctk as ipctk
        >>> hit, toi = ipctk.TightInclusionCCD().point_point_ccd([0, 0, 0], [1, 0, 0], [0, 0, 0], [-1, 0, 0])
        >>> hit, 0.399 < toi <= 0.4
        (True, True)
        """
        return self._answer("pp", [p0_t0, p1_t0], [p0_t1, p1_t1], min_distance, tmax)

    def point_edge_ccd(self, p_t0, e0_t0, e1_t0, p_t1, e0_t1, e1_t1, min_distance: float = 0.0, tmax: float = 1.0):
        return self._answer("pe", [p_t0, e0_t0, e1_t0], [p_t1, e0_t1, e1_t1], min_distance, tmax)

    def point_triangle_ccd(self, p_t0, t0_t0, t1_t0, t2_t0, p_t1, t0_t1, t1_t1, t2_t1, min_distance: float = 0.0,
                           tmax: float = 1.0):
        return self._answer("vf", [p_t0, t0_t0, t1_t0, t2_t0], [p_t1, t0_t1, t1_t1, t2_t1], min_distance, tmax)

    def edge_edge_ccd(self, ea0_t0, ea1_t0, eb0_t0, eb1_t0, ea0_t1, ea1_t1, eb0_t1, eb1_t1, min_distance: float = 0.0,
                      tmax: float = 1.0):
        return self._answer("ee", [ea0_t0, ea1_t0, eb0_t0, eb1_t0], [ea0_t1, ea1_t1, eb0_t1, eb1_t1], min_distance,
                            tmax)


class TightInclusionCCD(NarrowPhaseCCD):
    DEFAULT_TOLERANCE = 1e-6
    DEFAULT_MAX_ITERATIONS = 10_000_000
    SMALL_TOI = 1e-6

    def __init__(self, tolerance: float = DEFAULT_TOLERANCE, max_iterations: int = DEFAULT_MAX_ITERATIONS,
                 conservative_rescaling: float = NarrowPhaseCCD.DEFAULT_CONSERVATIVE_RESCALING):
        self.tolerance, self.max_iterations = tolerance, max_iterations
        self.conservative_rescaling = conservative_rescaling


class AdditiveCCD(NarrowPhaseCCD):
    DEFAULT_MAX_ITERATIONS = 10_000_000
    DEFAULT_CONSERVATIVE_RESCALING = 0.9

    def __init__(self, max_iterations: int = DEFAULT_MAX_ITERATIONS,
                 conservative_rescaling: float = DEFAULT_CONSERVATIVE_RESCALING):
        self.max_iterations, self.conservative_rescaling = max_iterations, conservative_rescaling


DEFAULT = TightInclusionCCD()
ANSWERS = {"pp": "point_point_ccd", "pe": "point_edge_ccd", "vf": "point_triangle_ccd", "ee": "edge_edge_ccd"}


def is_own(narrow_phase_ccd) -> bool:
    """True if graze answers: for its own classes, and for the two of the toolkit, whose rescaling is taken. Others, and
    classes that override a query, are called in Python for each pair, and nothing is proven of what they say."""
    kind = type(narrow_phase_ccd)
    if isinstance(narrow_phase_ccd, NarrowPhaseCCD):
        return all(getattr(kind, name) is getattr(NarrowPhaseCCD, name) for name in ANSWERS.values())
    if kind.__module__.split(".")[0] == "ipctk" and kind.__name__ in ("TightInclusionCCD", "AdditiveCCD"):
        return True
    if not all(callable(getattr(kind, name, None)) for name in ANSWERS.values()):
        raise TypeError(f"narrow_phase_ccd must be a NarrowPhaseCCD, not {kind.__name__}")
    return False


def rescaling_of(narrow_phase_ccd):
    return NarrowPhaseCCD._rescaling(narrow_phase_ccd)
