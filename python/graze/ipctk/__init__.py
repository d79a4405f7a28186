"""graze by the names that users of IPC Toolkit's Python package (1.5.0) call: `import graze.ipctk as ipctk`.

It has the collision detection: CollisionMesh, Candidates, is_step_collision_free, compute_collision_free_stepsize,
has_intersections, edges, and the CCD classes. Answers are those of graze: proven, and never late. Barriers, potentials
and friction are not here; what is not here says so.

What differs from the toolkit:

- A step size is `conservative_rescaling` of the first contact and is then tried: the motion to x0 + alpha·(x1 − x0), as
  NumPy rounds it, is proven free of contact, or alpha is made smaller.
- `is_step_collision_free` asks for contact at min_distance, and for nothing more.
- `tolerance` and `max_iterations` of the CCD classes are kept and not needed; TightInclusionCCD and AdditiveCCD differ
  in their rescaling alone.
- Meshes are of three dimensions.
"""

from .candidates import (Candidates, CollisionStencil, EdgeEdgeCandidate, EdgeVertexCandidate, FaceVertexCandidate,
                         VertexVertexCandidate)
from .ccd import AdditiveCCD, NarrowPhaseCCD, TightInclusionCCD, check_initial_distance
from .mesh import CollisionMesh, SparseCanCollide, VertexPatchesCanCollide, edges
from .broad_phase import BVH, LBVH, BroadPhase, BruteForce, HashGrid, SpatialHash, SweepAndPrune
from .steps import compute_collision_free_stepsize, has_intersections, is_step_collision_free

__all__ = ["AdditiveCCD", "BVH", "BroadPhase", "BruteForce", "Candidates", "CollisionMesh", "CollisionStencil",
           "EdgeEdgeCandidate", "EdgeVertexCandidate", "FaceVertexCandidate", "HashGrid", "LBVH", "NarrowPhaseCCD",
           "SparseCanCollide", "SpatialHash", "SweepAndPrune", "TightInclusionCCD", "VertexPatchesCanCollide",
           "VertexVertexCandidate", "check_initial_distance", "compute_collision_free_stepsize", "edges",
           "has_intersections", "is_step_collision_free"]


def __getattr__(name):
    raise AttributeError(f"graze.ipctk has no {name}: it is the collision detection of IPC Toolkit's package, without "
                         "its barriers, potentials and friction; docs/python.md lists what there is")
