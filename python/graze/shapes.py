"""Shapes for links and static bodies: triangles, and a radius that grows them.

>>> import graze
>>> ball, bar = graze.shapes.sphere(0.2), graze.shapes.box([1, 0.1, 0.1])
>>> link = graze.Link([ball.at(graze.Frame([0.5, 0, 0])), bar.at()], joint="free")

Boxes, cylinders, hulls and height maps are closed, so with `inside` they are solid; spheres, capsules and points are solid by
their radius.
"""

from __future__ import annotations  # help() shows types by their names

from dataclasses import dataclass, replace
from typing import Sequence

from numpy.typing import ArrayLike

from . import _c
from ._arrays import rows
from ._c import library
from ._context import context
from .articulated import Frame, LinkMesh, _mesh_of


@dataclass(frozen=True, eq=False)
class Shape:
    """Triangles, and a radius that grows them; `at` gives a mesh with this radius."""

    mesh: LinkMesh
    radius: float

    def at(self, origin: Frame = Frame()) -> LinkMesh:
        """A mesh for a link or a static body, with the radius, at a place in its frame."""
        return replace(self.mesh, origin=origin, radius=self.radius)


def _make(function, *arguments):
    here, made = context(), _c.default(_c.Shape, library.graze_init_shape)
    try:
        here.call(function, *arguments, made)
        return Shape(_mesh_of(made.mesh), made.radius)
    finally:
        library.graze_shape_release(here.handle, made)


def sphere(radius: float) -> Shape:
    """Exact: a point with a radius."""
    return _make(library.graze_shape_sphere, radius)


def capsule(length: float, radius: float) -> Shape:
    """Exact: a segment along z with a radius; `length` is the distance between the centers of its ends."""
    return _make(library.graze_shape_capsule, length, radius)


def box(size: Sequence[float], radius: float = 0.0) -> Shape:
    """Centered at the origin, with edges along the axes, rounded by `radius`."""
    array = rows("size", size, (3,))
    return _make(library.graze_shape_box, array.ctypes.data, radius)


def cylinder(across: float, length: float, radius: float = 0.0) -> Shape:
    """A prism around a cylinder of radius `across` along z: never inside it, and at most 2⁻¹⁰ of `across` outside it."""
    return _make(library.graze_shape_cylinder, across, length, radius)


def hull(points: ArrayLike, radius: float = 0.0) -> Shape:
    """The exact convex hull of points (n, 3). Points in one plane are an error."""
    array = rows("points", points, (None, 3))
    return _make(library.graze_shape_hull, array.ctypes.data, len(array), radius)


def points(positions: ArrayLike, radius: float) -> Shape:
    """Exact: a ball around each point of (n, 3)."""
    array = rows("points", positions, (None, 3))
    return _make(library.graze_shape_points, array.ctypes.data, len(array), radius)


def height_map(heights: ArrayLike, floor: float, cell: Sequence[float] = (1.0, 1.0), radius: float = 0.0) -> Shape:
    """Ground, solid from its surface down to `floor`. heights[i, j] is z at x = j·cell[0], y = i·cell[1]. The two triangles
    of a cell meet on the diagonal from its first corner to its last."""
    array = rows("heights", heights, (None, None))
    struct = _c.default(_c.HeightMap, library.graze_init_height_map)
    struct.rows, struct.columns = array.shape
    struct.heights, struct.floor = array.ctypes.data, floor
    struct.cell[:] = rows("cell", cell, (2,))
    return _make(library.graze_shape_height_map, struct, radius)


__all__ = ["Shape", "box", "capsule", "cylinder", "height_map", "hull", "points", "sphere"]
