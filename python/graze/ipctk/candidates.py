"""Lists of pairs that may touch, by the toolkit's names."""

import numpy as np

from .. import steps
from .._arrays import doubles, with_shape
from ..mesh import Mesh
from ..query import distance
from ._missing import lacks
from . import broad_phase as broad_phases
from .ccd import ANSWERS, DEFAULT, _three, is_own, rescaling_of, safe_stepsize
from .mesh import CollisionMesh, Filter

PART = 2**16  # pairs that are asked about at once
UNIT = 2.0**-47  # of the size of a mesh: more than distances are off by


@lacks("compute_distance_gradient", "compute_distance_hessian", "compute_coefficients", "print_ccd_query",
       "known_dtype")
class CollisionStencil:
    """A pair by two ids."""

    _names = ()

    def __init__(self, first, second=None):
        first, second = first if second is None else (first, second)
        setattr(self, self._names[0], int(first))
        setattr(self, self._names[1], int(second))

    def _ids(self):
        return tuple(getattr(self, name) for name in self._names)

    def __repr__(self):
        return "{}({}, {})".format(type(self).__name__, *self._ids())

    def __str__(self):
        return "[{}, {}]".format(*self._ids())

    def __eq__(self, other):
        return type(self) is type(other) and self._key() == other._key()

    def __lt__(self, other):
        return self._key() < other._key()

    def __hash__(self):
        return hash((type(self), self._key()))

    def _key(self):
        return self._ids()

    def num_vertices(self) -> int:
        return self._count

    def dim(self, ndof: int) -> int:
        return ndof // self._count

    def vertex_ids(self, edges, faces) -> list:
        """Four ids, -1 after those that it has."""
        ids = [int(i) for i in self._vertices(edges, faces)]
        return ids + [-1] * (4 - len(ids))

    def vertices(self, vertices, edges, faces) -> list:
        """Their positions; NaN after those that it has."""
        array = np.asarray(vertices, dtype=np.float64)
        return [array[i] if i >= 0 else np.full(array.shape[1], np.nan) for i in self.vertex_ids(edges, faces)]

    def dof(self, X, edges, faces) -> np.ndarray:
        return np.asarray(X, dtype=np.float64)[self.vertex_ids(edges, faces)[:self._count]].ravel()

    def compute_distance(self, positions, edges=None, faces=None) -> float:
        """Squared, as the toolkit has it: of the mesh's vertices with edges and faces, or of the stencil's own."""
        own = positions if edges is None else self.dof(positions, edges, faces)
        return distance(self._kind, _three(np.reshape(own, (self._count, -1)))).value ** 2

    def ccd(self, vertices_t0, vertices_t1, min_distance: float = 0.0, tmax: float = 1.0, narrow_phase_ccd=DEFAULT):
        rows = [np.reshape(x, (self._count, -1)) for x in (vertices_t0, vertices_t1)]
        return getattr(narrow_phase_ccd, ANSWERS[self._kind])(*rows[0], *rows[1], min_distance, tmax)


class VertexVertexCandidate(CollisionStencil):
    _names, _kind, _count = ("vertex0_id", "vertex1_id"), "pp", 2

    def _key(self):
        return tuple(sorted(self._ids()))

    def _vertices(self, edges, faces):
        return self._ids()


class EdgeVertexCandidate(CollisionStencil):
    _names, _kind, _count = ("edge_id", "vertex_id"), "pe", 3

    def _vertices(self, edges, faces):
        return [self.vertex_id, *np.asarray(edges)[self.edge_id]]


class EdgeEdgeCandidate(CollisionStencil):
    _names, _kind, _count = ("edge0_id", "edge1_id"), "ee", 4

    def _key(self):
        return tuple(sorted(self._ids()))

    def _vertices(self, edges, faces):
        return [*np.asarray(edges)[self.edge0_id], *np.asarray(edges)[self.edge1_id]]


class FaceVertexCandidate(CollisionStencil):
    _names, _kind, _count = ("face_id", "vertex_id"), "vf", 4

    def _vertices(self, edges, faces):
        return [self.vertex_id, *np.asarray(faces)[self.face_id]]


# In the order of the toolkit's ids: the list, its class, graze's kind, and whether the toolkit's first id is graze's b
LISTS = {"vv_candidates": (VertexVertexCandidate, 3, False), "ev_candidates": (EdgeVertexCandidate, 2, True),
         "ee_candidates": (EdgeEdgeCandidate, 1, False), "fv_candidates": (FaceVertexCandidate, 0, True)}


def positions(mesh, *arrays):
    """Ours of that mesh, and the arrays as rows of x, y, z: in the plane z is 0."""
    mesh = CollisionMesh._of(mesh)
    checked = [with_shape(name, doubles(name, x), (mesh.num_vertices, mesh.dim))
               for name, x in zip(("vertices_t0", "vertices_t1"), arrays)]
    return [mesh, *(np.hstack([x, np.zeros((len(x), 3 - mesh.dim))]) if mesh.dim == 2 else x for x in checked)]


def moved(x0, x1, alpha):
    """Positions at alpha, as users of the toolkit compute them."""
    return x0 + alpha * (x1 - x0)


def _in_space(mesh, x0, x1, separation, broad):
    return steps.candidates(x0, x1, mesh._filtered, separation=separation, broad=broad)


def _in_the_plane(mesh, x0, x1, separation, broad):
    """Vertices and edges, and points that belong to no edge. Each vertex is there a second time, as a point: steps in
    space test edges with edges, whose ends they leave out."""
    n, edges = mesh.num_vertices, mesh._plain.edges.astype(np.int64)
    doubled = Mesh.from_parts(2 * n, (), edges, np.arange(n, 2 * n))
    pairs = steps.candidates(np.vstack([x0, x0]), np.vstack([x1, x1]), doubled, separation=separation, broad=broad,
                             kinds=("pe", "pp"))
    is_edge, in_edge = pairs["kind"] == 2, np.isin(np.arange(n), edges)
    a, b = pairs["a"].astype(np.int64) - n, pairs["b"].astype(np.int64) - np.where(is_edge, 0, n)
    keep = ~in_edge[a] & ~in_edge[np.where(is_edge, 0, b)]
    keep[is_edge] = (edges[b[is_edge]] != a[is_edge, None]).all(axis=1)
    pairs["a"], pairs["b"] = a, b
    pairs = pairs[keep]
    if mesh._filtered is mesh._plain:
        return pairs
    may_touch = Filter(mesh.can_collide, mesh._plain, mesh._faces)
    return pairs[[may_touch(steps.KINDS[kind], a, b) for kind, a, b in pairs.tolist()]] if len(pairs) else pairs


def _list(name):
    def get(self):
        return [LISTS[name][0](a, b) for a, b in self._ids[name].tolist()]

    def put(self, values):
        names = LISTS[name][0]._names
        pairs = [[getattr(value, key) for key in names] if hasattr(value, names[0]) else list(value) for value in values]
        self._ids[name] = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    return property(get, put)


@lacks("compute_noncandidate_conservative_stepsize", "compute_cfl_stepsize", "edge_vertex_to_vertex_vertex",
       "face_vertex_to_vertex_vertex", "face_vertex_to_edge_vertex", "edge_edge_to_edge_vertex", "save_obj")
class Candidates:
    """Pairs whose boxes meet.

    >>> import numpy as np, graze.ipctk as ipctk
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [1.2, .2, 1.5], [.2, 1.2, 1.5]])
    >>> x1 = np.vstack([x0[:3], x0[3:] - [0, 0, 1.2]])
    >>> faces = [[0, 1, 2], [3, 4, 5]]
    >>> mesh = ipctk.CollisionMesh(x0, ipctk.edges(faces), faces)
    >>> candidates = ipctk.Candidates()
    >>> candidates.build(mesh, x0, x1)
    >>> candidates.fv_candidates[0], candidates.is_step_collision_free(mesh, x0, x1)
    (FaceVertexCandidate(0, 3), False)
    """

    def __init__(self):
        self.clear()

    vv_candidates, ev_candidates, ee_candidates, fv_candidates = map(_list, LISTS)

    def clear(self) -> None:
        self._ids = {name: np.empty((0, 2), dtype=np.int64) for name in LISTS}

    def empty(self) -> bool:
        return len(self) == 0

    def __len__(self):
        return sum(map(len, self._ids.values()))

    def __getitem__(self, i):
        for name, ids in self._ids.items():
            if 0 <= i < len(ids):
                return LISTS[name][0](*ids[i])
            i -= len(ids)
        raise IndexError("candidate index is out of range")

    def build(self, mesh, *arguments, **named) -> None:
        """build(mesh, vertices, inflation_radius=0, broad_phase=None), or with a motion
        build(mesh, vertices_t0, vertices_t1, inflation_radius=0, broad_phase=None)."""
        moves = "vertices_t1" in named or (len(arguments) > 1 and np.ndim(arguments[1]) == 2)
        (self._build_motion if moves else self._build_rest)(mesh, *arguments, **named)

    def _build_rest(self, mesh, vertices, inflation_radius=0, broad_phase=None):
        self._build_motion(mesh, vertices, vertices, inflation_radius, broad_phase)

    def _build_motion(self, mesh, vertices_t0, vertices_t1, inflation_radius=0, broad_phase=None):
        mesh, x0, x1 = positions(mesh, vertices_t0, vertices_t1)
        if not broad_phases.is_own(broad_phase):
            return self._build_by(broad_phase, mesh, vertices_t0, vertices_t1, inflation_radius)
        find = _in_the_plane if mesh.dim == 2 else _in_space
        pairs = find(mesh, x0, x1, 2 * inflation_radius, broad_phases.broad_name(broad_phase))
        for name, (_, kind, swapped) in LISTS.items():
            of_kind = pairs[pairs["kind"] == kind]
            a, b = of_kind["a"].astype(np.int64), of_kind["b"].astype(np.int64)
            if kind == 1:
                a = mesh._row_of_edge[a]
            if kind in (1, 2):
                b = mesh._row_of_edge[b]
            self._ids[name] = np.stack([b, a] if swapped else [a, b], axis=1)

    def _build_by(self, broad_phase, mesh, vertices_t0, vertices_t1, inflation_radius):
        broad_phases.build_of(broad_phase, vertices_t0, vertices_t1, mesh.edges, mesh.faces, inflation_radius)
        for name, method in broad_phases.LISTS.items():
            setattr(self, name, getattr(broad_phase, method)())
            bounds = {"v": mesh.num_vertices, "e": mesh.num_edges, "f": mesh.num_faces}
            if (self._ids[name] >= [bounds[name[0]], bounds[name[1]]]).any() or (self._ids[name] < 0).any():
                raise ValueError(f"{method} names an element that the mesh does not have")

    def _pairs(self, mesh):
        """As graze has them, in the order of the lists."""
        edge_of_row = np.full(mesh.num_edges, -1, dtype=np.int64)
        edge_of_row[mesh._row_of_edge] = np.arange(len(mesh._row_of_edge))
        made = []
        for name, (_, kind, swapped) in LISTS.items():
            a, b = self._ids[name][:, ::-1].T if swapped else self._ids[name].T
            a = edge_of_row[a] if kind == 1 else a
            b = edge_of_row[b] if kind in (1, 2) else b
            pairs = np.empty(len(a), dtype=steps.PAIR)
            pairs["kind"], pairs["a"], pairs["b"] = kind, np.minimum(a, b) if kind == 1 else a, \
                np.maximum(a, b) if kind == 1 else b
            made.append(pairs)
        return np.concatenate(made)

    def _vertices(self, mesh):
        """The vertices of each pair, list by list."""
        edges, faces = mesh._edges, mesh._faces
        vv, ev, ee, fv = self._ids.values()
        return (vv, np.column_stack([ev[:, 1], edges[ev[:, 0]]]), np.column_stack([edges[ee[:, 0]], edges[ee[:, 1]]]),
                np.column_stack([fv[:, 1], faces[fv[:, 0]]]))

    def _are_free(self, mesh, x0, x1, min_distance):
        found = steps.ccd_pairs(x0, x1, mesh._plain, self._pairs(mesh), separation=min_distance)
        return bool((found["verdict"] == 1).all())

    def is_step_collision_free(self, mesh, vertices_t0, vertices_t1, min_distance: float = 0.0,
                               narrow_phase_ccd=DEFAULT) -> bool:
        """True if none of these pairs comes within min_distance."""
        mesh, x0, x1 = positions(mesh, vertices_t0, vertices_t1)
        if not is_own(narrow_phase_ccd):
            return self._earliest_by(narrow_phase_ccd, mesh, vertices_t0, vertices_t1, min_distance) is None
        rescaling_of(narrow_phase_ccd)
        return self._are_free(mesh, x0, x1, min_distance)

    def compute_collision_free_stepsize(self, mesh, vertices_t0, vertices_t1, min_distance: float = 0.0,
                                        narrow_phase_ccd=DEFAULT) -> float:
        """Part of the way that these pairs may go: 1 for all of it.

        The state there, as NumPy rounds it, is proven free."""
        mesh, x0, x1 = positions(mesh, vertices_t0, vertices_t1)
        if not is_own(narrow_phase_ccd):
            toi = self._earliest_by(narrow_phase_ccd, mesh, vertices_t0, vertices_t1, min_distance)
            return 1.0 if toi is None else toi
        rescaling, toi = rescaling_of(narrow_phase_ccd), self._earliest(mesh, x0, x1, min_distance)
        return safe_stepsize(1.0 if toi is None else toi, 1.0 if toi is None else rescaling,
                             lambda alpha: self._are_free(mesh, x0, moved(x0, x1, alpha), min_distance))

    def _earliest_by(self, narrow_phase_ccd, mesh, vertices_t0, vertices_t1, min_distance):
        """The least time that another's narrow phase gives, None without one."""
        toi, (x0, x1) = None, (np.asarray(x, dtype=np.float64) for x in (vertices_t0, vertices_t1))
        for (kind, _, _), rows in zip(LISTS.values(), self._vertices(mesh)):
            answer = getattr(narrow_phase_ccd, ANSWERS[kind._kind])
            for ids in rows:
                hit, t = answer(*x0[ids], *x1[ids], min_distance, 1.0 if toi is None else toi)
                toi = min(t, 1.0 if toi is None else toi) if hit else toi
        return toi

    def _earliest(self, mesh, x0, x1, min_distance):
        """The least time of impact, None without one: each part looks no farther than what is known."""
        pairs, toi = self._pairs(mesh), None
        for begin in range(0, len(pairs), PART):
            found = steps.ccd_pairs(x0, x1, mesh._plain, pairs[begin:begin + PART], separation=min_distance,
                                    t_max=1.0 if toi is None else toi)
            touching = found["toi"][found["verdict"] != 1]
            toi = float(touching.min()) if len(touching) else toi
        return toi

    def compute_per_vertex_safe_distances(self, mesh, vertices, inflation_radius: float,
                                          min_distance: float = 0.0) -> np.ndarray:
        """Distance of each vertex from its candidates, less min_distance; at most the inflation radius less
        min_distance, at least 0. Rounding makes it smaller, never larger."""
        mesh, x = positions(mesh, vertices)
        pairs = self._pairs(mesh)
        least = np.full(mesh.num_vertices, float(inflation_radius))
        found = steps.distances(x, mesh._plain, pairs)["value"]
        slack = UNIT * float(np.ptp(x, axis=0).max(initial=0)) if len(x) else 0.0
        for ids in self._vertices(mesh):
            for column in ids.T:
                np.minimum.at(least, column, found[:len(ids)] - slack)
            found = found[len(ids):]
        return np.maximum(least - min_distance, 0)
