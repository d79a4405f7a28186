"""Swept volumes: an octree around what a link passes through during a motion."""

import ctypes
from dataclasses import dataclass
from typing import List, Sequence, Union

import numpy as np

from . import _c, _text
from ._c import library
from ._context import context, whole_number
from .articulated import Model, _motion_row, _number_of

OUTSIDE, TOUCHED, UNDECIDED = 0, 1, 2


@dataclass(frozen=True, eq=False)
class SweptVolume:
    """Cells that fill a cube, each with its `center`, `side` and `state`.

    State 0 is proven outside: no point of the link is ever in the cell. State 1 is proven touched. State 2 is undecided.
    `whole`: only the smallest cells are undecided."""

    center: np.ndarray
    side: np.ndarray
    state: np.ndarray
    whole: bool

    def __repr__(self):
        counts = np.bincount(self.state, minlength=3)
        return _text.line("SweptVolume", "{} outside, {} touched, {} undecided".format(*counts),
                          "" if self.whole else "not whole")


def model_swept(model: Model, link: Union[int, str], motions: Sequence, *, size: float, max_cells: int = 0) -> SweptVolume:
    """Makes an octree of what a link of a model sweeps, its padding included. The smallest cells have the largest power of
    two that is at most `size`. `motions` lists the segments in order, each a `Motion` or a pair (start, end).

    >>> import graze
    >>> plate = graze.LinkMesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> lift = graze.Model([graze.Link([plate], joint="prismatic", name="plate")])
    >>> volume = graze.model_swept(lift, "plate", [([0.0], [1.0])], size=0.5)
    >>> volume.center[volume.state == 1].max() <= 1.25
    True
    """
    kept: List = []
    rows = np.array([_motion_row(model, motion, kept) for motion in motions], dtype=np.dtype(_c.Motion))
    asked = _c.default(_c.SweptOptions, library.graze_init_swept_options)
    asked.size, asked.max_cells = size, whole_number("max_cells", max_cells, 2**64)
    made, here = _c.default(_c.SweptResult, library.graze_init_swept_result), context()
    try:
        here.call(library.graze_model_swept, model._handle, _number_of(model._names(), link), rows.ctypes.data, len(rows),
                  asked, ctypes.byref(made))
        kind = np.dtype({"names": ["center", "half", "state"], "formats": ["3f8", "f8", "i4"], "offsets": [0, 24, 32],
                         "itemsize": made.cell_size or 40})
        cells = np.frombuffer(ctypes.string_at(made.cells, made.cell_count * made.cell_size), dtype=kind)
        return SweptVolume(cells["center"].copy(), 2 * cells["half"], cells["state"].copy(), bool(made.whole))
    finally:
        library.graze_swept_release(here.handle, ctypes.byref(made))
