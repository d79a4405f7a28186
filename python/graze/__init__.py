"""graze: continuous collision detection that never misses a contact.

Calls keep one context a thread, release the interpreter's lock while they work, and work after a fork.
"""

from ._c import library as _library
from ._context import Error
from .mesh import Mesh
from .query import RESULT, Distance, Result, Truth, ccd, ccd_batch, distance, truth
from .steps import (PAIR, PAIR_RESULT, Contact, StepResult, candidates, start_violations, static_intersections, step,
                    step_to)

UNRESOLVED, CLEAR, HIT = 0, 1, 2
__version__ = _library.graze_version().decode()
__all__ = ["CLEAR", "Contact", "Distance", "Error", "HIT", "Mesh", "PAIR", "PAIR_RESULT", "RESULT", "Result",
           "StepResult", "Truth", "UNRESOLVED", "candidates", "ccd", "ccd_batch", "distance", "start_violations",
           "static_intersections", "step", "step_to", "truth"]
