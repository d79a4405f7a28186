"""Whole steps, by the toolkit's names."""

import numpy as np

from .. import steps
from . import broad_phase as broad_phases
from .candidates import Candidates, moved, positions
from .ccd import DEFAULT, is_own, rescaling_of, safe_stepsize
from .mesh import CollisionMesh


def _listed(mesh, vertices_t0, vertices_t1, min_distance, broad_phase, narrow_phase_ccd):
    """In the plane, and where a broad or narrow phase of the caller's takes part: the candidates, else None."""
    if broad_phases.is_own(broad_phase) and is_own(narrow_phase_ccd) and CollisionMesh._of(mesh).dim == 3:
        return None
    candidates = Candidates()
    candidates.build(mesh, vertices_t0, vertices_t1, min_distance / 2, broad_phase)
    return candidates


def is_step_collision_free(mesh, vertices_t0, vertices_t1, min_distance: float = 0.0, broad_phase=None,
                           narrow_phase_ccd=DEFAULT) -> bool:
    """True if nothing comes within min_distance on the way from vertices_t0 to vertices_t1."""
    listed = _listed(mesh, vertices_t0, vertices_t1, min_distance, broad_phase, narrow_phase_ccd)
    if listed is not None:
        return listed.is_step_collision_free(mesh, vertices_t0, vertices_t1, min_distance, narrow_phase_ccd)
    rescaling_of(narrow_phase_ccd)
    mesh, x0, x1 = positions(mesh, vertices_t0, vertices_t1)
    return steps.step(x0, x1, mesh._filtered, mode="any", separation=min_distance,
                      broad=broad_phases.broad_name(broad_phase)).verdict == "clear"


def compute_collision_free_stepsize(mesh, vertices_t0, vertices_t1, min_distance: float = 0.0, broad_phase=None,
                                    narrow_phase_ccd=DEFAULT) -> float:
    """Part of the way that all vertices may go: 1 for all of it, 0 where something touches at the start.

    The motion from vertices_t0 to vertices_t0 + alpha (vertices_t1 - vertices_t0), as NumPy rounds it, is proven free
    of contact, its end included.

    >>> import numpy as np, graze.ipctk as ipctk
    >>> x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [.2, .2, 1], [1.2, .2, 1.5], [.2, 1.2, 1.5]])
    >>> x1 = np.vstack([x0[:3], x0[3:] - [0, 0, 2]])
    >>> faces = [[0, 1, 2], [3, 4, 5]]
    >>> mesh = ipctk.CollisionMesh(x0, ipctk.edges(faces), faces)
    >>> alpha = ipctk.compute_collision_free_stepsize(mesh, x0, x1)
    >>> 0.399 < alpha <= 0.4, ipctk.is_step_collision_free(mesh, x0, x0 + alpha * (x1 - x0))
    (True, True)
    """
    listed = _listed(mesh, vertices_t0, vertices_t1, min_distance, broad_phase, narrow_phase_ccd)
    if listed is not None:
        return listed.compute_collision_free_stepsize(mesh, vertices_t0, vertices_t1, min_distance, narrow_phase_ccd)
    rescaling, broad = rescaling_of(narrow_phase_ccd), broad_phases.broad_name(broad_phase)
    mesh, x0, x1 = positions(mesh, vertices_t0, vertices_t1)

    def to(x, mode):
        return steps.step(x0, x, mesh._filtered, mode=mode, separation=min_distance, broad=broad)
    found = to(x1, "earliest")
    clear = found.verdict == "clear"

    def is_free(alpha):
        x = moved(x0, x1, alpha)
        return (clear and np.array_equal(x, x1)) or to(x, "any").verdict == "clear"
    return safe_stepsize(found.toi, 1.0 if clear else rescaling, is_free)
