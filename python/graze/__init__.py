"""graze: continuous collision detection that never misses a contact.

Calls keep one context a thread, release the interpreter's lock while they work, and work after a fork.
"""

from ._c import library as _library
from ._context import Error
from .files import (MeshFile, QueryFile, read_frames, read_mesh, read_mesh_pair, read_queries, write_mesh,
                    write_queries)
from .mesh import Mesh
from .query import RESULT, Distance, Result, Truth, ccd, ccd_batch, distance, truth
from .steps import (DISTANCE, PAIR, PAIR_RESULT, Contact, LineSearchResult, StepResult, active_set, candidates,
                    ccd_pairs, distances, line_search, start_violations, static_intersections, stencil, step, step_to)

UNRESOLVED, CLEAR, HIT = 0, 1, 2
__version__ = _library.graze_version().decode()
__all__ = ["CLEAR", "Contact", "DISTANCE", "Distance", "Error", "HIT", "LineSearchResult", "Mesh", "MeshFile", "PAIR",
           "PAIR_RESULT", "QueryFile", "RESULT", "Result", "StepResult", "Truth", "UNRESOLVED", "active_set", "candidates",
           "ccd", "ccd_batch", "ccd_pairs", "distance", "distances", "line_search", "read_frames", "read_mesh",
           "read_mesh_pair", "read_queries", "start_violations", "static_intersections", "stencil", "step", "step_to",
           "truth", "write_mesh", "write_queries"]
