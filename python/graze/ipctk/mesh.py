"""CollisionMesh: topology, which vertices of a full mesh it has, and which of them may touch."""

import functools
import weakref

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


def _map_of(displacement_map, rows):
    """A matrix with a row for each vertex of the full mesh; None for none, and for an empty one."""
    if displacement_map is None or 0 in np.shape(displacement_map):
        return None
    sparse = hasattr(displacement_map, "tocsr")
    made = displacement_map.tocsr() if sparse else doubles("displacement_map", displacement_map)
    if made.ndim != 2 or made.shape[0] != rows:
        raise ValueError(f"displacement_map has shape {made.shape}, the mesh {rows} vertices")
    if not np.isfinite(made.data if sparse else made).all():
        raise ValueError("displacement_map has an entry that is not finite")
    return made


class CollisionFilter:
    """Says of two vertices whether they can collide: any function of two ids, all of them without one. `~`, `|` and `&`
    make others.

    >>> import graze.ipctk as ipctk
    >>> near = ipctk.CollisionFilter(lambda i, j: abs(i - j) < 3)
    >>> near(1, 2), (~near)(1, 2), (near & ipctk.make_vertex_patches_filter([0, 0, 0, 1]))(2, 3)
    (True, False, True)
    """

    def __init__(self, function=None):
        self._function = function

    def __call__(self, i: int, j: int) -> bool:
        return self._function is None or bool(self._function(i, j))

    def __invert__(self):
        return CollisionFilter(lambda i, j: not self(i, j))

    def __or__(self, other):
        return CollisionFilter(lambda i, j: self(i, j) or bool(other(i, j)))

    def __and__(self, other):
        return CollisionFilter(lambda i, j: self(i, j) and bool(other(i, j)))


class SparseCanCollide(CollisionFilter):
    """Looks pairs (i < j) up in a table, else takes the default."""

    def __init__(self, explicit_values: dict, default_value: bool):
        self._values, self._default = dict(explicit_values), bool(default_value)

    def __call__(self, i: int, j: int) -> bool:
        return bool(self._values.get((min(i, j), max(i, j)), self._default))


class VertexPatchesCanCollide(CollisionFilter):
    """Vertices of different patches can collide."""

    def __init__(self, vertex_patches):
        self._patches = np.unique(np.asarray(vertex_patches), return_inverse=True)[1].astype(np.uint32)

    def __call__(self, i: int, j: int) -> bool:
        return bool(self._patches[i] != self._patches[j])


def make_sparse_filter(explicit_values: dict, default_value: bool) -> CollisionFilter:
    return SparseCanCollide(explicit_values, default_value)


def make_vertex_patches_filter(vertex_patches) -> CollisionFilter:
    return VertexPatchesCanCollide(vertex_patches)


def make_static_obstacle_filter(num_dynamic_vertices: int) -> CollisionFilter:
    """Vertices from that number on are obstacles, which do not collide with each other."""
    return CollisionFilter(lambda i, j: i < num_dynamic_vertices or j < num_dynamic_vertices)


def make_connected_components_filter(faces) -> CollisionFilter:
    """Vertices of different components of the triangles can collide."""
    corners = indices("faces", faces, (None, 3)).astype(np.int64)
    component = np.arange(corners.max(initial=-1) + 1)
    while len(corners):
        before, least = component.copy(), component[corners].min(axis=1)
        np.minimum.at(component, corners.ravel(), np.repeat(least, 3))
        component = component[component]
        if np.array_equal(component, before):
            break
    return VertexPatchesCanCollide(component)


class Filter:
    """Asks of a pair's vertices: the pair may touch where one vertex of a can collide with one of b."""

    def __init__(self, can_collide, made, faces):
        self.can_collide, self.edges, self.faces = can_collide, made.edges.tolist(), faces.tolist()

    def __call__(self, kind, a, b):
        side_a = self.edges[a] if kind == "ee" else [a]
        side_b = self.faces[b] if kind == "vf" else [b] if kind == "pp" else self.edges[b]
        return any(self.can_collide(i, j) for i in side_a for j in side_b)


_made = {}  # by id of another's mesh: a weak reference to it, and ours


def _remember(mesh, made):
    try:
        where = weakref.ref(mesh)
    except TypeError:  # then it is made in every call
        made.can_collide = lambda i, j: mesh.can_collide(i, j)
        return
    made.can_collide = lambda i, j: where().can_collide(i, j)
    if id(mesh) not in _made:
        weakref.finalize(mesh, _made.pop, id(mesh), None)
    _made[id(mesh)] = where, made


@lacks("init_adjacencies", "init_area_jacobians", "vertex_area", "vertex_area_gradient", "edge_area", "edge_areas",
       "edge_area_gradient", "is_vertex_on_boundary", "are_adjacencies_initialized", "are_area_jacobians_initialized")
class CollisionMesh:
    """CollisionMesh(rest_positions, edges, faces), or with the full mesh and which of its vertices are included:
    CollisionMesh(include_vertex, orient_vertex, full_rest_positions, edges, faces).

    Edges have to list those of the faces. Ids of edges are rows of what was given. `displacement_map`, dense or of
    scipy.sparse, makes displacements of these vertices of those of any other mesh.

    >>> import graze.ipctk as ipctk
    >>> mesh = ipctk.CollisionMesh([[0, 0], [1, 0], [2, 0]], [[0, 1], [1, 2]], displacement_map=[[1, 0], [0.5, 0.5], [0, 1]])
    >>> mesh.displace_vertices([[0, 0], [0, 2]]).tolist()
    [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]
    """

    def __init__(self, *arguments, **named):
        given = self._whole if "rest_positions" in named or (arguments and np.ndim(arguments[0]) == 2) else self._part
        include, positions, edges, faces, displacement_map = given(*arguments, **named)
        self._full = with_shape("rest_positions", doubles("rest_positions", positions), (None, (2, 3))).copy()
        self._to_full = np.flatnonzero(include)
        of_full = np.full(len(self._full), -1, dtype=np.int64)
        of_full[self._to_full] = np.arange(len(self._to_full))
        self._map = _map_of(displacement_map, len(self._full))
        if self._map is not None:
            self._map = self._map[self._to_full]
        self._edges = self._renumbered("edges", edges, 2, of_full)
        self._faces = self._renumbered("faces", faces, 3, of_full)
        self._plain = Mesh.from_parts(len(self._to_full), self._faces, self._edges)
        self._row_of_edge = _rows_of(self._plain.edges.astype(np.int64), self._edges)
        self._can_collide, self._filtered = CollisionFilter(), self._plain
        self._fans = None  # of has_intersections

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
        try:
            rows = _rows_of(sides, indices("edges", edges, (None, 2)).astype(np.int64))
        except ValueError as error:  # the toolkit's own words, which programs compare
            raise RuntimeError("Unable to find edge!") from error
        return _as_int(rows.reshape(-1, 3))

    # ---- what it has ----

    num_vertices = property(lambda self: len(self._to_full))
    num_edges = property(lambda self: len(self._edges))
    num_faces = property(lambda self: len(self._faces))
    num_codim_vertices = property(lambda self: len(self.codim_vertices))
    num_codim_edges = property(lambda self: len(self.codim_edges))
    dim = property(lambda self: self._full.shape[1])
    ndof = property(lambda self: self.dim * self.num_vertices)
    full_num_vertices = property(lambda self: len(self._full))
    full_ndof = property(lambda self: self.dim * self.full_num_vertices)
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

    _free_edges = functools.cached_property(lambda self: self.codim_edges)

    def vertices(self, full_positions) -> np.ndarray:
        full = with_shape("full_positions", doubles("full_positions", full_positions), (self.full_num_vertices, self.dim))
        return full[self._to_full] if self._map is None else self.displace_vertices(full - self._full)

    def map_displacements(self, full_displacements) -> np.ndarray:
        full = with_shape("full_displacements", doubles("full_displacements", full_displacements),
                          (len(self._full) if self._map is None else self._map.shape[1], self.dim))
        return full[self._to_full] if self._map is None else self._map @ full

    def displace_vertices(self, full_displacements) -> np.ndarray:
        return self.rest_positions + self.map_displacements(full_displacements)

    def to_full_vertex_id(self, id=None):
        return _as_int(self._to_full) if id is None else int(self._to_full[id])

    def to_full_dof(self, x):
        """Of a gradient, or of a Hessian of scipy.sparse."""
        if hasattr(x, "tocsr"):
            return self._hessian_to_full(x.tocsr())
        if self._map is not None:
            return (self._map.T @ with_shape("x", doubles("x", x), (self.ndof,)).reshape(-1, self.dim)).ravel()
        full = np.zeros((self.full_num_vertices, self.dim))
        full[self._to_full] = with_shape("x", doubles("x", x), (self.ndof,)).reshape(-1, self.dim)
        return full.ravel()

    def _hessian_to_full(self, hessian):
        from scipy import sparse  # whoever has such a matrix has it

        if hessian.shape != (self.ndof, self.ndof):
            raise ValueError(f"x must have shape {(self.ndof, self.ndof)}, not {hessian.shape}")
        chosen = (np.ones(self.num_vertices), (np.arange(self.num_vertices), self._to_full))
        whole = sparse.csr_matrix(chosen, (self.num_vertices, self.full_num_vertices)) if self._map is None else self._map
        by_dof = sparse.kron(whole, sparse.identity(self.dim), format="csr")
        return (by_dof.T @ hessian @ by_dof).tocsc()

    @classmethod
    def _of(cls, mesh):
        """Itself, or one made of an object with the attributes of the toolkit's, and kept while that lives. Its
        can_collide, which may change, is asked in every call."""
        if isinstance(mesh, cls):
            return mesh
        lacking = [name for name in ("rest_positions", "edges", "faces", "can_collide") if not hasattr(mesh, name)]
        if lacking:
            raise TypeError(f"mesh must be a CollisionMesh: {type(mesh).__name__} has no {', '.join(lacking)}")
        edges, faces = np.reshape(mesh.edges, (-1, 2)), np.reshape(mesh.faces, (-1, 3))
        where, made = _made.get(id(mesh), (None, None))
        if made is None or where() is not mesh or not (np.array_equal(made.edges, edges) and np.array_equal(made.faces, faces)):
            made = cls(mesh.rest_positions, edges, faces)
            _remember(mesh, made)
        return made

    # ---- which pairs ----

    @property
    def can_collide(self):
        """Says of two vertices whether they, and what they are part of, can collide. VertexPatchesCanCollide costs
        nothing where every edge and face lies in one patch; all else is asked in Python, in a step of every pair that
        comes close."""
        return self._can_collide

    @can_collide.setter
    def can_collide(self, value):
        if isinstance(value, CollisionFilter) and type(value) is CollisionFilter and value._function is None:
            self._can_collide, self._filtered = value, self._plain
            return
        if not callable(value):
            raise ValueError("can_collide has to be a SparseCanCollide, a VertexPatchesCanCollide or a function of two "
                             "vertices")
        groups = self._groups(value) if isinstance(value, VertexPatchesCanCollide) else None
        more = dict(groups=groups, skip_same_group=True) if groups is not None else \
            dict(filter=Filter(value, self._plain, self._faces))
        self._can_collide = value
        self._filtered = Mesh.from_parts(self.num_vertices, self._faces, self._edges, **more)

    def _groups(self, value):
        if len(value._patches) != self.num_vertices:
            raise ValueError(f"vertex_patches has {len(value._patches)} vertices, the mesh {self.num_vertices}")
        patches = value._patches
        whole = all((patches[part] == patches[part][:, :1]).all() for part in (self._edges, self._faces))
        return patches if whole else None
