"""Many worlds in one call."""

import ctypes
import functools
from typing import List, Sequence, Union

import numpy as np

from . import _c, _text
from ._arrays import on_the_host
from ._c import library
from ._context import Context, Error, context
from ._owner import Owner
from .articulated import ArticulatedResult, Model, _options
from .bodies import Body, body_motions
from .world import Apart, Moves, Skip, Static, _describe, _Named, _rules


class Worlds(Owner, _Named):
    """Many worlds in one. `world_of` gives each body the number of its world, or −1 for all worlds. Bodies of different worlds
    are never tested; shapes are shared.

    >>> import graze
    >>> mesh, rest = graze.Mesh.from_faces(3, [[0, 1, 2]]), [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    >>> floor, stone = graze.Body("static", mesh, rest), graze.Body("rigid", mesh, rest)
    >>> worlds = graze.Worlds([floor, stone, stone], [-1, 0, 1])
    >>> fall, rise = [(graze.Frame([0, 0, 1]), graze.Frame([0, 0, z])) for z in (-1, 2)]
    >>> [result.verdict for result in worlds.step({1: fall, 2: rise})]
    ['hit', 'clear']
    """

    def __init__(self, bodies: Sequence[Union[Model, Static, Body]], world_of: Sequence[int], *, skip: Skip = (),
                 apart: Apart = ()):
        numbers = np.ascontiguousarray(on_the_host("world_of", world_of))
        if numbers.dtype.kind not in "iu" or numbers.shape != (len(bodies),):
            raise ValueError("world_of must have a whole number for each body")
        if numbers.size and (numbers.min() < -1 or numbers.max() >= 2**31):
            raise ValueError("world_of must have numbers from 0, or −1 for all worlds")
        numbers = numbers.astype(np.int32)
        kept: List = []
        made = _describe(self, bodies, kept)
        options = _rules(self, bodies, skip, apart, kept)
        here = Context()
        self._contexts = [*(body._context for body in bodies if isinstance(body, Model)), here]
        self._handle = ctypes.c_void_p()
        self.release_by(functools.partial(library.graze_worlds_release, self._handle))
        here.call(library.graze_worlds_create, made, numbers.ctypes.data, len(bodies), options, ctypes.byref(self._handle))
        self._sizes = [(body.values, len(body)) if isinstance(body, Model) else (0, 1) for body in bodies]

    def __len__(self):
        return library.graze_worlds_count(self._handle)

    def __repr__(self):
        return _text.line("Worlds", "", f"{len(self)} worlds", f"{len(self._names)} bodies")

    def values(self, body: int) -> int:
        """Number of joint values of a pose of a body."""
        return self._sizes[self._body(body)][0]

    def links(self, body: int) -> int:
        """Number of links of a body."""
        return self._sizes[self._body(body)][1]

    def step(self, motions: Moves, *, mode: str = "earliest", separation: float = 0.0, t_max: float = 1.0,
             tolerance: float = 0.0, max_checks: int = 0, inside: bool = False,
             interval_arithmetic: bool = False) -> List[Union[ArticulatedResult, Error]]:
        """`World.step` of each world, on all threads, with the same bits. Bodies are numbered across all worlds. A world
        that fails does not stop the others: its entry is an `Error`, which is not raised. Not for mode "all"."""
        kept: List = []
        asked = _options((), kept, mode, separation, t_max, tolerance, max_checks, (), inside, interval_arithmetic)
        moved, here, count = body_motions(self, motions, kept), context(), len(self)
        results = (_c.ArticulatedResult * count)()
        results[0] = _c.default(_c.ArticulatedResult, library.graze_init_articulated_result)
        statuses = (ctypes.c_int * count)()
        here.call(library.graze_worlds_step, self._handle, moved.ctypes.data, len(motions), asked, results, statuses)
        first = _c.Error()
        library.graze_context_last_error(here.handle, ctypes.byref(first))
        return [self._answer(w, result, status, first) for w, (result, status) in enumerate(zip(results, statuses))]

    @staticmethod
    def _answer(world, result, status, first):
        if not status:
            return ArticulatedResult.of(result)
        name = library.graze_status_name(status).decode()
        return Error(first.message.decode() if first.index == world else f"world {world}: {name}", name, world)
