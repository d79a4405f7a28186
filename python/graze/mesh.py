"""Mesh that moves in a step: triangles, edges and points over one array of vertices, and which pairs may touch."""

from __future__ import annotations  # help() shows types by their names

import functools
from typing import Callable, Optional

import numpy as np
from numpy.typing import ArrayLike

from . import _c
from ._arrays import indices, rows
from ._c import library
from ._callbacks import Callbacks
from ._context import Context, whole_number
from ._owner import Owner


class Mesh(Owner):
    """Topology, made by `from_faces` or `from_parts`. It copies its arguments and never changes; several threads may use
    it at once, and it can be pickled.

    groups            a group for each vertex
    skip_same_group   True: pairs within one group are skipped
    group_pairs       a symmetric table: 0 where the pairs of two groups are skipped
    thickness         a radius for each vertex
    filter            filter(kind, a, b) returns False for a pair to skip. It is called from any thread, under the GIL,
                      for every pair whose boxes meet, which is slow: prefer groups. A step raises what it raises
    """

    def __init__(self, vertex_count, faces, edges, points, groups=None, skip_same_group=False, group_pairs=None,
                 thickness=None, filter=None):
        self._arguments = (vertex_count, faces, edges, points, groups, skip_same_group, group_pairs, thickness, filter)
        self._context = Context()  # of its own: that of a thread may end before the mesh
        self._c = _c.default(_c.Mesh, library.graze_init_mesh)
        where = None if points is None else points.ctypes.data
        self.release_by(functools.partial(library.graze_mesh_release, self._context.handle, self._c))
        self._context.call(library.graze_mesh_from_parts, vertex_count, faces.ctypes.data, len(faces),
                           edges.ctypes.data, len(edges), where, 0 if points is None else len(points), self._c)
        if groups is not None:
            self._c.groups = groups.ctypes.data
            self._c.group_count = len(group_pairs) if group_pairs is not None else int(groups.max(initial=0)) + 1
            self._c.skip_same_group = bool(skip_same_group)
            self._c.group_pairs = None if group_pairs is None else group_pairs.ctypes.data
        self._c.thickness = None if thickness is None else thickness.ctypes.data
        self._filter = filter

    def call(self, here, function, *arguments, callbacks=None):
        """A call on this mesh; an exception of the filter, or of the caller's callbacks, is that of the call."""
        made = self._c
        if self._filter is not None:
            callbacks = callbacks or Callbacks()
            made = _c.Mesh.from_buffer_copy(self._c)  # calls of other threads have filters of their own
            made.filter, made.filter_user = callbacks.filter(self._filter)
        here.call(function, made, *arguments, callbacks=callbacks)

    @classmethod
    def from_faces(cls, vertex_count: int, faces: ArrayLike, *, groups: Optional[ArrayLike] = None,
                   skip_same_group: bool = False, group_pairs: Optional[ArrayLike] = None,
                   thickness: Optional[ArrayLike] = None,
                   filter: Optional[Callable[[str, int, int], bool]] = None) -> "Mesh":
        """Makes a triangle mesh; faces is (m, 3). A vertex without a face is tested only against faces.

        >>> import graze
        >>> graze.Mesh.from_faces(4, [[0, 1, 2], [1, 2, 3]]).edges.tolist()
        [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]
        """
        return cls.from_parts(vertex_count, faces, points=[], groups=groups, skip_same_group=skip_same_group,
                              group_pairs=group_pairs, thickness=thickness, filter=filter)

    @classmethod
    def from_parts(cls, vertex_count: int, faces: ArrayLike = (), edges: ArrayLike = (),
                   points: Optional[ArrayLike] = None, *, groups: Optional[ArrayLike] = None,
                   skip_same_group: bool = False, group_pairs: Optional[ArrayLike] = None,
                   thickness: Optional[ArrayLike] = None,
                   filter: Optional[Callable[[str, int, int], bool]] = None) -> "Mesh":
        """Makes a mesh of faces (m, 3), free edges (k, 2) and free points. Without `points`, every vertex without an edge
        is a free point."""
        count = whole_number("vertex_count", vertex_count, 2**32)
        if groups is None and (skip_same_group or group_pairs is not None):
            raise ValueError("skip_same_group and group_pairs need groups")
        return cls(count, indices("faces", faces, (None, 3)), indices("edges", edges, (None, 2)),
                   None if points is None else indices("points", points, (None,)),
                   None if groups is None else indices("groups", groups, (count,)), skip_same_group,
                   None if group_pairs is None else _table(group_pairs),
                   None if thickness is None else rows("thickness", thickness, (count,)).copy(), filter)

    def __repr__(self):
        more = [name for name, value in (("groups", self._arguments[4]), ("thickness", self._arguments[7]),
                                         ("filter", self._filter)) if value is not None]
        return f"<graze.Mesh: {self.vertex_count} vertices, {self._c.edge_count} edges, {self._c.face_count} faces" \
            f"{', with ' + ', '.join(more) if more else ''}>"

    @property
    def vertex_count(self) -> int:
        return self._c.vertex_count

    @property
    def faces(self) -> np.ndarray:
        return self._arguments[1].copy()

    @property
    def edges(self) -> np.ndarray:
        """All edges, sides of faces included: unique pairs i < j, sorted by j, then by i. Pairs "ee" name their rows."""
        if not self._c.edge_count:
            return np.empty((0, 2), dtype=np.uint32)
        return np.ctypeslib.as_array(self._c.edges, shape=(self._c.edge_count, 2)).copy()

    @property
    def thickness(self) -> Optional[np.ndarray]:
        return None if self._arguments[7] is None else self._arguments[7].copy()

    def __reduce__(self):
        return Mesh, self._arguments


def _table(group_pairs):
    table = np.array(group_pairs, dtype=bool).astype(np.uint8, order="C")
    if table.ndim != 2 or table.shape[0] != table.shape[1]:
        raise ValueError(f"group_pairs must be square, and has shape {table.shape}")
    return table
