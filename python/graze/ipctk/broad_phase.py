"""Broad phases by the toolkit's names. The candidates do not depend on which of them finds them."""

from ._missing import lacks


@lacks("build", "clear", "detect_vertex_vertex_candidates", "detect_edge_vertex_candidates",
       "detect_edge_edge_candidates", "detect_face_vertex_candidates", "detect_edge_face_candidates",
       "detect_face_face_candidates", "detect_collision_candidates")
class BroadPhase:
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


def broad_name(broad_phase):
    """graze's name of it; None stands for graze's own choice."""
    if broad_phase is None:
        return "auto"
    if not isinstance(broad_phase, BroadPhase) or "_graze" not in vars(type(broad_phase)):
        raise TypeError("broad_phase is not one of graze.ipctk: a broad phase of your own cannot be called from here")
    return broad_phase._graze
