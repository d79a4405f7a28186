"""Squared distances by the toolkit's names, and which parts are closest."""

import enum

import numpy as np

from ..query import distance
from .ccd import _three


class PointEdgeDistanceType(enum.Enum):
    P_E0, P_E1, P_E, AUTO = range(4)


class PointTriangleDistanceType(enum.Enum):
    P_T0, P_T1, P_T2, P_E0, P_E1, P_E2, P_T, AUTO = range(8)


class EdgeEdgeDistanceType(enum.Enum):
    EA0_EB0, EA0_EB1, EA1_EB0, EA1_EB1, EA_EB0, EA_EB1, EA0_EB, EA1_EB, EA_EB, AUTO = range(10)


# By the corners that the closest point lies between, as bits
_OF_EDGE = {1: "0", 2: "1", 3: ""}
_OF_TRIANGLE = {1: "P_T0", 2: "P_T1", 4: "P_T2", 3: "P_E0", 6: "P_E1", 5: "P_E2", 7: "P_T"}


def _found(kind, *points):
    return distance(kind, _three(points))


def point_point_distance(p0, p1) -> float:
    return _found("pp", p0, p1).value ** 2


def point_line_distance(p, e0, e1) -> float:
    p, e0, e1 = _three([p, e0, e1])
    return float(np.sum(np.cross(e0 - p, e1 - p) ** 2) / np.sum((e1 - e0) ** 2))


def point_plane_distance(p, t0, t1, t2) -> float:
    p, t0, t1, t2 = _three([p, t0, t1, t2])
    normal = np.cross(t1 - t0, t2 - t0)
    return float(((p - t0) @ normal) ** 2 / (normal @ normal))


def line_line_distance(ea0, ea1, eb0, eb1) -> float:
    ea0, ea1, eb0, eb1 = _three([ea0, ea1, eb0, eb1])
    normal = np.cross(ea1 - ea0, eb1 - eb0)
    return float(((eb0 - ea0) @ normal) ** 2 / (normal @ normal))


def point_edge_distance_type(p, e0, e1) -> PointEdgeDistanceType:
    """
    >>> import graze.ipctk as ipctk
    >>> ipctk.point_edge_distance_type([0, 1], [-1, 0], [1, 0]).name
    'P_E'
    """
    return PointEdgeDistanceType["P_E" + _OF_EDGE[_found("pe", p, e0, e1).features[1]]]


def point_triangle_distance_type(p, t0, t1, t2) -> PointTriangleDistanceType:
    return PointTriangleDistanceType[_OF_TRIANGLE[_found("vf", p, t0, t1, t2).features[1]]]


def edge_edge_distance_type(ea0, ea1, eb0, eb1) -> EdgeEdgeDistanceType:
    first, second = _found("ee", ea0, ea1, eb0, eb1).features
    return EdgeEdgeDistanceType[f"EA{_OF_EDGE[first]}_EB{_OF_EDGE[second]}"]


def point_edge_distance(p, e0, e1, dtype=PointEdgeDistanceType.AUTO) -> float:
    """
    >>> import graze.ipctk as ipctk
    >>> ipctk.point_edge_distance([0, 2], [-1, 0], [1, 0])
    4.0
    """
    if dtype.name == "AUTO":
        return _found("pe", p, e0, e1).value ** 2
    return point_line_distance(p, e0, e1) if dtype.name == "P_E" else point_point_distance(p, (e0, e1)[int(dtype.name[-1])])


def point_triangle_distance(p, t0, t1, t2, dtype=PointTriangleDistanceType.AUTO) -> float:
    corners, name = (t0, t1, t2), dtype.name
    if name == "AUTO":
        return _found("vf", p, t0, t1, t2).value ** 2
    if name == "P_T":
        return point_plane_distance(p, t0, t1, t2)
    i = int(name[-1])
    return point_point_distance(p, corners[i]) if name[2] == "T" else point_line_distance(p, corners[i], corners[(i + 1) % 3])


def edge_edge_distance(ea0, ea1, eb0, eb1, dtype=EdgeEdgeDistanceType.AUTO) -> float:
    if dtype.name == "AUTO":
        return _found("ee", ea0, ea1, eb0, eb1).value ** 2
    a, b = (part[2:] for part in dtype.name.split("_"))
    if not a and not b:
        return line_line_distance(ea0, ea1, eb0, eb1)
    if not a:
        return point_line_distance((eb0, eb1)[int(b)], ea0, ea1)
    if not b:
        return point_line_distance((ea0, ea1)[int(a)], eb0, eb1)
    return point_point_distance((ea0, ea1)[int(a)], (eb0, eb1)[int(b)])
