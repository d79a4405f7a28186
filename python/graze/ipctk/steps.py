"""Whole steps, by the toolkit's names."""

import numpy as np

from .. import steps
from ..mesh import Mesh
from .broad_phase import broad_name
from .candidates import checked_mesh, moved, positions
from .ccd import DEFAULT, rescaling_of, safe_stepsize


def is_step_collision_free(mesh, vertices_t0, vertices_t1, min_distance: float = 0.0, broad_phase=None,
                           narrow_phase_ccd=DEFAULT) -> bool:
    """Whether nothing comes within min_distance on the way from vertices_t0 to vertices_t1."""
    rescaling_of(narrow_phase_ccd)
    x0, x1 = positions(mesh, vertices_t0, vertices_t1)
    return steps.step(x0, x1, mesh._filtered, mode="any", separation=min_distance,
                      broad=broad_name(broad_phase)).verdict == "clear"


def compute_collision_free_stepsize(mesh, vertices_t0, vertices_t1, min_distance: float = 0.0, broad_phase=None,
                                    narrow_phase_ccd=DEFAULT) -> float:
    """How far all may go: 1 for all of the way, 0 where something touches at the start. The motion from vertices_t0 to
    vertices_t0 + alpha (vertices_t1 - vertices_t0), as NumPy rounds it, is proven free of contact, its end included.

    >>> import numpy as np, graze.ipctk as ipctk
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [1.2, .2, 1.5], [.2, 1.2, 1.5]])
    >>> x1 = np.vstack([x0[:3], x0[3:] - [0, 0, 2]])
    >>> faces = [[0, 1, 2], [3, 4, 5]]
    >>> mesh = ipctk.CollisionMesh(x0, ipctk.edges(faces), faces)
    >>> alpha = ipctk.compute_collision_free_stepsize(mesh, x0, x1)
    >>> 0.399 < alpha <= 0.4, ipctk.is_step_collision_free(mesh, x0, x0 + alpha * (x1 - x0))
    (True, True)
    """
    rescaling, broad = rescaling_of(narrow_phase_ccd), broad_name(broad_phase)
    x0, x1 = positions(mesh, vertices_t0, vertices_t1)

    def to(x, mode):
        return steps.step(x0, x, mesh._filtered, mode=mode, separation=min_distance, broad=broad)
    found = to(x1, "earliest")
    clear = found.verdict == "clear"

    def is_free(alpha):
        x = moved(x0, x1, alpha)
        return (clear and np.array_equal(x, x1)) or to(x, "any").verdict == "clear"
    return safe_stepsize(found.toi, 1.0 if clear else rescaling, is_free)


def has_intersections(mesh, vertices, broad_phase=None) -> bool:
    """Whether an edge meets a face, touching included, decided exactly; those that share a vertex are not asked.

    An edge meets a face where a vertex that runs along the edge hits it."""
    (x,) = positions(checked_mesh(mesh), vertices)
    faces, edges = mesh._faces, mesh._edges
    x0, x1 = (np.concatenate([x, x[edges[:, end]]]) for end in (0, 1))
    runners = Mesh.from_faces(len(x0), faces)
    pairs = steps.candidates(x0, x1, runners, broad=broad_name(broad_phase))
    pairs = pairs[(pairs["kind"] == 0) & (pairs["a"] >= len(x))]
    edge, face = edges[pairs["a"] - len(x)], faces[pairs["b"]]
    apart = ~(edge[:, :, None] == face[:, None, :]).any(axis=(1, 2))
    met = steps.ccd_pairs(x0, x1, runners, pairs[apart], method="exact")["verdict"] != 1
    return any(mesh.can_collide(i, j) for e, f in zip(edge[apart][met].tolist(), face[apart][met].tolist())
               for i in e for j in f)
