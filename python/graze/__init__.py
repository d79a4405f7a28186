"""graze: continuous collision detection that never misses a contact.

Calls keep one context for each thread, release the GIL while they work, and work after a fork.
"""

from ._c import library as _library
from ._context import Error
from .articulated import (ARTICULATED_RESULT, ArticulatedResult, Frame, Link, LinkContact, LinkDistance, LinkMesh,
                          Model, Motion, articulated_batch, articulated_distance, articulated_step)
from .certificates import (Certificate, Piece, Verified, certificate, read_certificates, step_certificates, verify,
                           write_certificates)
from .clearances import Clearance, LinkClearance
from .files import (MeshFile, QueryFile, read_frames, read_mesh, read_mesh_pair, read_queries, write_mesh,
                    write_queries)
from .mesh import Mesh
from .path_certificates import VerifiedPaths, articulated_certificate
from .plans import PlanResult, Spline, plan_certificate
from .range_certificates import VerifiedRanges
from .ranges import Follows, RangePair, articulated_range
from .potentials import CONTACT, Csr, Potential, potential
from .query import (RESULT, Distance, Method, Result, Truth, broad_phases, ccd, ccd_batch, ccd_curve, distance, has_cuda, methods,
                    truth)
from .steps import (DISTANCE, PAIR, PAIR_RESULT, PROXIMITY, Contact, LineSearchResult, StepResult, active_set,
                    candidates, ccd_pairs, distances, earliest_of_pairs, line_search, proximity, start_violations,
                    static_intersections, stencil, step, step_to)
from .swept import SweptVolume, model_swept
from . import shapes
from .shapes import Shape
from .world import Static, World
from .bodies import Body, Poses
from .world_distance import LinkGap, WorldDistance
from .worlds import Worlds

UNRESOLVED, CLEAR, HIT = 0, 1, 2
__version__ = _library.graze_version().decode()
__all__ = ["ARTICULATED_RESULT", "ArticulatedResult", "Body", "CLEAR", "CONTACT", "Certificate", "Clearance", "Contact", "Csr", "DISTANCE", "Distance",
           "Error", "Follows", "Frame", "HIT", "LineSearchResult", "Link", "LinkClearance", "LinkContact", "LinkDistance", "LinkGap", "LinkMesh", "Mesh",
           "MeshFile", "Method", "Model", "Motion", "PAIR", "PAIR_RESULT", "PROXIMITY", "Piece", "PlanResult", "Poses", "Potential", "QueryFile", "RESULT", "RangePair", "Result", "Shape", "Spline",
           "Static", "StepResult", "SweptVolume", "Truth", "UNRESOLVED", "Verified", "VerifiedPaths", "VerifiedRanges", "World", "WorldDistance", "Worlds", "active_set", "articulated_batch",
           "articulated_certificate", "articulated_distance", "articulated_range", "articulated_step", "broad_phases", "candidates", "ccd", "ccd_batch", "ccd_curve", "ccd_pairs", "certificate",
           "distance", "distances", "earliest_of_pairs", "has_cuda", "line_search", "methods", "model_swept", "plan_certificate", "potential", "proximity", "read_certificates", "read_frames",
           "read_mesh", "read_mesh_pair", "read_queries", "shapes", "start_violations", "static_intersections", "stencil",
           "step", "step_certificates", "step_to", "truth", "verify", "write_certificates", "write_mesh",
           "write_queries"]
