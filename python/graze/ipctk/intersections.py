"""Does an edge meet a face, or in the plane an edge another? Decided exactly, touching included."""

import functools

import numpy as np

from .. import steps
from ..mesh import Mesh
from ..query import ccd_batch
from . import broad_phase as broad_phases
from .candidates import positions
from .ccd import _three

PART = 2**18  # pairs that are asked about at once


def _along(kind, edges, others):
    """Which edges meet the others, (n, 2, 3) and (n, rows, 3): where a point that runs along the edge hits."""
    x0, x1 = (np.concatenate([edges[:, end:end + 1], others], axis=1) for end in (0, 1))
    met = ccd_batch(kind, x0, x1)["verdict"] != 1
    met[met] = ccd_batch(kind, x0[met], x1[met], method="exact")["verdict"] != 1
    return met


def is_edge_intersecting_triangle(e0, e1, t0, t1, t2) -> bool:
    """
    >>> import graze.ipctk as ipctk
    >>> ipctk.is_edge_intersecting_triangle([0, 0, 1], [0, 0, -1], [-1, -1, 0], [2, -1, 0], [-1, 2, 0])
    True
    """
    x = _three([e0, e1, t0, t1, t2])
    return bool(_along("vf", x[None, :2], x[None, 2:])[0])


def segment_segment_intersect(A, B, C, D) -> bool:
    """Of two segments in the plane.

    >>> import graze.ipctk as ipctk
    >>> ipctk.segment_segment_intersect([-1, 0], [1, 0], [0, -1], [0, 1])
    True
    """
    x = _three([A, B, C, D])
    return bool(_along("pe", x[None, :2], x[None, 2:])[0])


def _apart(edges, others):
    """Pairs that share no vertex."""
    return ~(edges[:, :, None] == others[:, None, :]).any(axis=(1, 2))


def _boxes(x, rows):
    parts = [x[column] for column in rows.T]
    return functools.reduce(np.minimum, parts), functools.reduce(np.maximum, parts)


def _near(first, second, a, b):
    """The rows of pairs whose boxes meet; a and b are their rows among the first and the second."""
    rows = np.arange(len(a))
    for axis in range(3):
        (low, high), (other_low, other_high) = ([bound[:, axis] for bound in box] for box in (first, second))
        i, j = a[rows], b[rows]
        rows = rows[(low[i] <= other_high[j]) & (other_low[j] <= high[i])]
    return rows


def _collide(mesh, edges, others):
    """True if some pair may: one vertex of each side that can collide is enough."""
    if mesh._filtered is mesh._plain:
        return len(edges) > 0
    return any(mesh.can_collide(i, j) for e, f in zip(edges.tolist(), others.tolist()) for i in e for j in f)


def _any_meets(mesh, x, edges, others):
    """Of pairs of an edge and another element, by their vertices."""
    kind = "vf" if mesh.dim == 3 else "pe"
    for begin in range(0, len(edges), PART):
        e, f = edges[begin:begin + PART], others[begin:begin + PART]
        apart = _apart(e, f)
        e, f = e[apart], f[apart]
        met = _along(kind, x[e], x[f])
        if _collide(mesh, e[met], f[met]):
            return True
    return False


def _sides(faces):
    return np.stack([faces, np.roll(faces, -1, axis=1)], axis=2)


def _of_faces(mesh, x):
    """The pairs of faces without a common vertex that intersect, as edges of the one and the other."""
    pairs = steps.static_intersections(x, mesh._plain)
    a, b = mesh._faces[pairs["a"]], mesh._faces[pairs["b"]]
    sides = np.concatenate([_sides(a).reshape(-1, 2), _sides(b).reshape(-1, 2)])
    return sides, np.concatenate([np.repeat(b, 3, axis=0), np.repeat(a, 3, axis=0)])


def _fans(faces, vertex_count):
    """Faces with one common vertex: sides that lie across from a corner, of which pairs name rows, and the faces."""
    corner = faces.ravel()
    order = np.argsort(corner, kind="stable")
    count = np.bincount(corner, minlength=vertex_count)
    first = np.concatenate([[0], np.cumsum(count)])[corner]  # where the faces of each corner's vertex begin
    around = count[corner]
    side = np.repeat(np.arange(len(corner)), around)
    within = np.arange(around.sum()) - np.repeat(np.cumsum(around) - around, around)
    face = order[first[side] + within] // 3
    sides = np.stack([np.roll(faces, -1, axis=1).ravel(), np.roll(faces, -2, axis=1).ravel()], axis=1)
    apart = _apart(sides[side], faces[face])
    return sides, side[apart], face[apart]


def _around_vertices(mesh, x):
    """Of faces with one common vertex: the side of the first that lies across from it, and the second, where their
    boxes meet."""
    if mesh._fans is None:
        mesh._fans = _fans(mesh._faces, mesh.num_vertices)
    sides, side, face = mesh._fans
    near = _near(_boxes(x, sides), _boxes(x, mesh._faces), side, face)
    return sides[side[near]], mesh._faces[face[near]]


def _of_free_edges(mesh, x, edges):
    """Of edges that belong to no face, or in the plane of all: those whose boxes meet that of a face, or of an edge."""
    x0, x1 = (np.concatenate([x, x[edges[:, end]]]) for end in (0, 1))
    if mesh.dim == 3:
        runners, kind, others = Mesh.from_faces(len(x0), mesh._faces), 0, mesh._faces
    else:
        points = np.arange(len(x), len(x0))
        runners, kind = Mesh.from_parts(len(x0), (), mesh._edges, points), 2
        others = runners.edges.astype(np.int64)
    pairs = steps.candidates(x0, x1, runners, kinds=("vf" if kind == 0 else "pe",))
    pairs = pairs[pairs["a"] >= len(x)]
    return edges[pairs["a"] - len(x)], others[pairs["b"]]


def _listed(mesh, broad_phase, vertices):
    """Pairs that a broad phase of the caller's lists."""
    broad_phases.build_of(broad_phase, vertices, mesh.edges, mesh.faces, 0.0)
    name = "detect_edge_face_candidates" if mesh.dim == 3 else "detect_edge_edge_candidates"
    keys = ("edge_id", "face_id") if mesh.dim == 3 else ("edge0_id", "edge1_id")
    ids = [[getattr(value, key) for key in keys] if hasattr(value, keys[0]) else list(value)
           for value in getattr(broad_phase, name)()]
    ids = np.array(ids, dtype=np.int64).reshape(-1, 2)
    return mesh._edges[ids[:, 0]], (mesh._faces if mesh.dim == 3 else mesh._edges)[ids[:, 1]]


def has_intersections(mesh, vertices, broad_phase=None) -> bool:
    """True if an edge meets a face, in the plane another edge, touching included, decided exactly; those that share a
    vertex are not asked."""
    theirs, (mesh, x) = not broad_phases.is_own(broad_phase), positions(mesh, vertices)
    if theirs:
        return _any_meets(mesh, x, *_listed(mesh, broad_phase, vertices))
    if mesh.dim == 2:
        return _any_meets(mesh, x, *_of_free_edges(mesh, x, mesh._edges))
    of_faces = _of_faces(mesh, x)
    if len(of_faces[0]) and (mesh._filtered is mesh._plain or _any_meets(mesh, x, *of_faces)):
        return True
    free = mesh._edges[mesh._free_edges]
    return _any_meets(mesh, x, *_around_vertices(mesh, x)) or \
        (len(free) > 0 and _any_meets(mesh, x, *_of_free_edges(mesh, x, free)))
