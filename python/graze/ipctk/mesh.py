"""CollisionMesh: topology, which vertices of a full mesh it has, and which of them may touch."""

import numpy as np

from .._arrays import doubles, indices, with_shape
from ..mesh import Mesh
from ._missing import lacks


def _as_int(array):
    return array.astype(np.int32)


def edges(F) -> np.ndarray:
    """The unique edges of triangles.

    >>> import graze.ipctk as ipctk
    >>> ipctk.edges([[0, 1, 2], [2, 1, 3]]).tolist()
    [[0, 1], [0, 2], [1, 2], [1, 3], [2, 3]]
    """
    faces = indices("F", F, (None, 3))
    return _as_int(Mesh.from_faces(int(faces.max()) + 1 if len(faces) else 0, faces).edges)


def _rows_of(pairs, edges):
    """For each pair of vertices the first row of `edges` that has it, in either direction."""
    if not len(pairs):
        return np.empty(0, dtype=np.int64)
    keys, wanted = (np.sort(part, axis=1) @ [2**32, 1] for part in (edges.reshape(-1, 2), pairs))
    order = np.argsort(keys, kind="stable")
    at = np.searchsorted(keys, wanted, sorter=order)
    there = at < len(keys)
    there[there] = keys[order[at[there]]] == wanted[there]
    if not there.all():
        raise ValueError(f"a face has the side {tuple(pairs[~there][0].tolist())}, which is not among the edges")
    return order[at]


class SparseCanCollide:
    """What a table of pairs (i < j) says, else the default."""

    def __init__(self, explicit_values: dict, default_value: bool):
        self._values, self._default = dict(explicit_values), bool(default_value)

    def __call__(self, i: int, j: int) -> bool:
        return bool(self._values.get((min(i, j), max(i, j)), self._default))


class VertexPatchesCanCollide:
    """Vertices of different patches can collide."""

    def __init__(self, vertex_patches):
        self._patches = np.unique(np.asarray(vertex_patches), return_inverse=True)[1].astype(np.uint32)

    def __call__(self, i: int, j: int) -> bool:
        return bool(self._patches[i] != self._patches[j])


class _AllCanCollide:
    def __call__(self, i, j):
        return True


class _Filter:
    """Asks of a pair's vertices: the pair may touch where one vertex of a can collide with one of b."""

    def __init__(self, can_collide, made, faces):
        self.can_collide, self.edges, self.faces = can_collide, made.edges.tolist(), faces.tolist()

    def __call__(self, kind, a, b):
        side_a = self.edges[a] if kind == "ee" else [a]
        side_b = self.faces[b] if kind == "vf" else [b] if kind == "pp" else self.edges[b]
        return any(self.can_collide(i, j) for i in side_a for j in side_b)


@lacks("init_adjacencies", "init_area_jacobians", "vertex_area", "vertex_area_gradient", "edge_area", "edge_areas",
       "edge_area_gradient", "is_vertex_on_boundary", "are_adjacencies_initialized", "are_area_jacobians_initialized")
class CollisionMesh:
    """CollisionMesh(rest_positions, edges, faces), or with the full mesh and which of its vertices are included:
    CollisionMesh(include_vertex, orient_vertex, full_rest_positions, edges, faces).

    Edges have to list those of the faces. Ids of edges are rows of what was given.
    """

    def __init__(self, *arguments, **named):
        given = self._whole if "rest_positions" in named or (arguments and np.ndim(arguments[0]) == 2) else self._part
        include, positions, edges, faces, displacement_map = given(*arguments, **named)
        if displacement_map is not None and np.size(displacement_map):
            raise NotImplementedError("graze.ipctk has no displacement_map: move the collision mesh's vertices yourself")
        self._full = doubles("rest_positions", positions).copy()
        if self._full.ndim == 2 and self._full.shape[1] == 2:
            raise NotImplementedError("graze.ipctk has meshes of three dimensions, and none in the plane")
        with_shape("rest_positions", self._full, (None, 3))
        self._to_full = np.flatnonzero(include)
        of_full = np.full(len(self._full), -1, dtype=np.int64)
        of_full[self._to_full] = np.arange(len(self._to_full))
        self._edges = self._renumbered("edges", edges, 2, of_full)
        self._faces = self._renumbered("faces", faces, 3, of_full)
        self._plain = Mesh.from_parts(len(self._to_full), self._faces, self._edges)
        self._row_of_edge = _rows_of(self._plain.edges.astype(np.int64), self._edges)
        self._can_collide, self._filtered = _AllCanCollide(), self._plain

    @staticmethod
    def _whole(rest_positions, edges=(), faces=(), displacement_map=None):
        return np.ones(len(rest_positions), dtype=bool), rest_positions, edges, faces, displacement_map

    @staticmethod
    def _part(include_vertex, orient_vertex, full_rest_positions, edges=(), faces=(), displacement_map=None):
        include = np.asarray(include_vertex, dtype=bool)
        if not len(include) == len(orient_vertex) == len(full_rest_positions):
            raise ValueError("include_vertex, orient_vertex and full_rest_positions have different lengths")
        return include, full_rest_positions, edges, faces, displacement_map

    @staticmethod
    def _renumbered(name, values, width, of_full):
        array = indices(name, values, (None, width)).astype(np.int64)
        if array.max(initial=-1) >= len(of_full) or (of_full[array] < 0).any():
            raise ValueError(f"{name} names a vertex that is not part of the collision mesh")
        return of_full[array]

    @classmethod
    def build_from_full_mesh(cls, full_rest_positions, edges, faces=()) -> "CollisionMesh":
        """The part of a full mesh that edges name.

        >>> import graze.ipctk as ipctk
        >>> faces = [[0, 1, 3]]
        >>> positions = [[0, 0, 0], [1, 0, 0], [9, 9, 9], [0, 1, 0]]
        >>> mesh = ipctk.CollisionMesh.build_from_full_mesh(positions, ipctk.edges(faces), faces)
        >>> mesh.num_vertices, mesh.faces.tolist(), mesh.to_full_vertex_id(2)
        (3, [[0, 1, 2]], 3)
        """
        include = cls.construct_is_on_surface(len(full_rest_positions), edges)
        return cls(include, [False] * len(include), full_rest_positions, edges, faces)

    @staticmethod
    def construct_is_on_surface(num_vertices: int, edges, codim_vertices=()) -> list:
        named = np.concatenate([indices("edges", edges, (None, 2)).ravel(),
                                indices("codim_vertices", codim_vertices, (None,))])
        if named.max(initial=0) >= max(num_vertices, 1):
            raise ValueError(f"edges name vertex {named.max()} of {num_vertices}")
        return np.isin(np.arange(num_vertices), named).tolist()

    @staticmethod
    def construct_faces_to_edges(faces, edges) -> np.ndarray:
        corners = indices("faces", faces, (None, 3)).astype(np.int64)
        sides = np.stack([corners, np.roll(corners, -1, axis=1)], axis=2).reshape(-1, 2)
        return _as_int(_rows_of(sides, indices("edges", edges, (None, 2)).astype(np.int64)).reshape(-1, 3))

    # ---- what it has ----

    num_vertices = property(lambda self: len(self._to_full))
    num_edges = property(lambda self: len(self._edges))
    num_faces = property(lambda self: len(self._faces))
    num_codim_vertices = property(lambda self: len(self.codim_vertices))
    num_codim_edges = property(lambda self: len(self.codim_edges))
    dim = property(lambda self: 3)
    ndof = property(lambda self: 3 * self.num_vertices)
    full_num_vertices = property(lambda self: len(self._full))
    full_ndof = property(lambda self: 3 * self.full_num_vertices)
    rest_positions = property(lambda self: self._full[self._to_full])
    edges = property(lambda self: _as_int(self._edges))
    faces = property(lambda self: _as_int(self._faces))
    faces_to_edges = property(lambda self: self.construct_faces_to_edges(self._faces, self._edges))

    @property
    def codim_vertices(self) -> np.ndarray:
        """Vertices in no edge."""
        return _as_int(np.setdiff1d(np.arange(self.num_vertices), self._edges))

    @property
    def codim_edges(self) -> np.ndarray:
        """Edges of no face."""
        return _as_int(np.setdiff1d(np.arange(self.num_edges), self.faces_to_edges))

    def vertices(self, full_positions) -> np.ndarray:
        return with_shape("full_positions", doubles("full_positions", full_positions),
                          (self.full_num_vertices, 3))[self._to_full]

    map_displacements = vertices

    def displace_vertices(self, full_displacements) -> np.ndarray:
        return self.rest_positions + self.map_displacements(full_displacements)

    def to_full_vertex_id(self, id=None):
        return _as_int(self._to_full) if id is None else int(self._to_full[id])

    def to_full_dof(self, x) -> np.ndarray:
        full = np.zeros((self.full_num_vertices, 3))
        full[self._to_full] = with_shape("x", doubles("x", x), (self.ndof,)).reshape(-1, 3)
        return full.ravel()

    # ---- which pairs ----

    @property
    def can_collide(self):
        """Says of two vertices whether they, and what they are part of, can collide. VertexPatchesCanCollide costs
        nothing where every edge and face lies in one patch; all else is asked in Python of every pair whose boxes
        meet."""
        return self._can_collide

    @can_collide.setter
    def can_collide(self, value):
        if not callable(value):
            raise ValueError("can_collide has to be a SparseCanCollide, a VertexPatchesCanCollide or a function of two "
                             "vertices")
        groups = self._groups(value) if isinstance(value, VertexPatchesCanCollide) else None
        more = dict(groups=groups, skip_same_group=True) if groups is not None else \
            dict(filter=_Filter(value, self._plain, self._faces))
        self._can_collide = value
        self._filtered = Mesh.from_parts(self.num_vertices, self._faces, self._edges, **more)

    def _groups(self, value):
        if len(value._patches) != self.num_vertices:
            raise ValueError(f"vertex_patches has {len(value._patches)} vertices, the mesh {self.num_vertices}")
        patches = value._patches
        whole = all((patches[part] == patches[part][:, :1]).all() for part in (self._edges, self._faces))
        return patches if whole else None
