"""Broad phases by the toolkit's names. The candidates do not depend on which of them finds them."""

from ._missing import lacks


@lacks("build", "clear", "detect_vertex_vertex_candidates", "detect_edge_vertex_candidates",
       "detect_edge_edge_candidates", "detect_face_vertex_candidates", "detect_edge_face_candidates",
       "detect_face_face_candidates", "detect_collision_candidates")
class BroadPhase:
    """Derive from it for a broad phase of your own: the methods detect_… return lists of candidates or of pairs of ids,
    build(vertices_t0, vertices_t1, edges, faces, inflation_radius) is called before."""

    _graze = "auto"

    def name(self) -> str:
        return type(self).__name__


class BruteForce(BroadPhase):
    _graze = "brute"


class BVH(BroadPhase):
    _graze = "bvh"


class LBVH(BroadPhase):
    _graze = "bvh"


class HashGrid(BroadPhase):
    _graze = "grid"


class SpatialHash(BroadPhase):
    _graze = "hash"


class SweepAndPrune(BroadPhase):
    _graze = "sap"


LISTS = {"vv_candidates": "detect_vertex_vertex_candidates", "ev_candidates": "detect_edge_vertex_candidates",
         "ee_candidates": "detect_edge_edge_candidates", "fv_candidates": "detect_face_vertex_candidates"}


def is_own(broad_phase) -> bool:
    """True if graze finds the candidates: for None, its own classes, and those of the toolkit by their names. Another
    that has the methods of BroadPhase is asked for them."""
    kind = type(broad_phase)
    if broad_phase is None or kind in BY_NAME.values():
        return True
    if kind.__module__.split(".")[0] == "ipctk" and kind.__name__ in BY_NAME:
        return True
    overridden = [name for name in LISTS.values() if getattr(kind, name, None) not in (None, getattr(BroadPhase, name))]
    if not overridden:
        raise TypeError(f"broad_phase must be a BroadPhase with methods detect_…, not {kind.__name__}")
    return False


def broad_name(broad_phase):
    """graze's name of one of its own; None stands for graze's own choice."""
    return "auto" if broad_phase is None else BY_NAME[type(broad_phase).__name__]._graze


def build_of(broad_phase, *arguments):
    """Lets another's broad phase read the mesh, where it has a method for that."""
    if getattr(type(broad_phase), "build", None) not in (None, BroadPhase.build):
        broad_phase.build(*arguments)


BY_NAME = {kind.__name__: kind for kind in (BruteForce, BVH, LBVH, HashGrid, SpatialHash, SweepAndPrune)}
