"""graze by the names that users of IPC Toolkit's Python package (1.5.0) call: `import graze.ipctk as ipctk`.

It has the collision detection: CollisionMesh and filters, Candidates, is_step_collision_free,
compute_collision_free_stepsize, has_intersections, distances, and the CCD classes. Answers are those of graze: proven,
and never late. Barriers, potentials and friction are not here.

What differs from the toolkit:

- A step size is `conservative_rescaling` of the first contact and is then tried: the motion to x0 + alpha·(x1 − x0), as
  NumPy rounds it, is proven free of contact, or alpha is made smaller.
- `is_step_collision_free` asks for contact at min_distance, and for nothing more.
- `tolerance` and `max_iterations` of the CCD classes are kept and not needed; TightInclusionCCD and AdditiveCCD differ
  in their rescaling alone.
- In the plane vertices meet edges; faces of such a mesh say nothing.
- A broad or narrow phase of the caller's is called in Python, and nothing is proven of what it says.

Meshes may be those of the toolkit: any object with rest_positions, edges, faces and can_collide. Names that are not here are
those of the toolkit itself where it is installed; a warning says so, once for each.
"""

import importlib
import sys
import warnings

from .._context import get_num_threads, set_num_threads
from .candidates import (Candidates, CollisionStencil, EdgeEdgeCandidate, EdgeVertexCandidate, FaceVertexCandidate,
                         VertexVertexCandidate)
from .ccd import AdditiveCCD, NarrowPhaseCCD, TightInclusionCCD, check_initial_distance
from .broad_phase import BVH, LBVH, BroadPhase, BruteForce, HashGrid, SpatialHash, SweepAndPrune
from .distances import (EdgeEdgeDistanceType, PointEdgeDistanceType, PointTriangleDistanceType, edge_edge_distance,
                        edge_edge_distance_type, line_line_distance, point_edge_distance, point_edge_distance_type,
                        point_line_distance, point_plane_distance, point_point_distance, point_triangle_distance,
                        point_triangle_distance_type)
from .intersections import has_intersections, is_edge_intersecting_triangle, segment_segment_intersect
from .mesh import (CollisionFilter, CollisionMesh, SparseCanCollide, VertexPatchesCanCollide, edges,
                   make_connected_components_filter, make_sparse_filter, make_static_obstacle_filter,
                   make_vertex_patches_filter)
from .steps import compute_collision_free_stepsize, is_step_collision_free

__all__ = ["AdditiveCCD", "BVH", "BroadPhase", "BruteForce", "Candidates", "CollisionFilter", "CollisionMesh",
           "CollisionStencil", "EdgeEdgeCandidate", "EdgeEdgeDistanceType", "EdgeVertexCandidate", "FaceVertexCandidate",
           "HashGrid", "LBVH", "NarrowPhaseCCD", "PointEdgeDistanceType", "PointTriangleDistanceType", "SparseCanCollide",
           "SpatialHash", "SweepAndPrune", "TightInclusionCCD", "VertexPatchesCanCollide", "VertexVertexCandidate",
           "check_initial_distance", "compute_collision_free_stepsize", "edge_edge_distance", "edge_edge_distance_type",
           "edges", "get_num_threads", "has_intersections", "is_edge_intersecting_triangle", "is_step_collision_free",
           "line_line_distance", "make_connected_components_filter", "make_sparse_filter", "make_static_obstacle_filter",
           "make_vertex_patches_filter", "point_edge_distance", "point_edge_distance_type", "point_line_distance",
           "point_plane_distance", "point_point_distance", "point_triangle_distance", "point_triangle_distance_type",
           "segment_segment_intersect", "set_num_threads"]
_warned = set()


def _toolkit():
    """The toolkit's own package, or None: a program may have put this one in its place."""
    try:
        found = importlib.import_module("ipctk")
    except ImportError:
        return None
    return None if found is sys.modules[__name__] else found


def __getattr__(name):
    toolkit = None if name.startswith("__") else _toolkit()
    if toolkit is None or not hasattr(toolkit, name):
        raise AttributeError(f"graze.ipctk has no {name}: it is the collision detection of IPC Toolkit's package, without "
                             "its barriers, potentials and friction; docs/python.md lists what there is")
    if name not in _warned:
        _warned.add(name)
        warnings.warn(f"graze.ipctk has no {name}: that of ipctk is taken", stacklevel=2)
    return getattr(toolkit, name)
