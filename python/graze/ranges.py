"""Ranges of motion: which links can touch while every joint takes any value within its limits."""

import ctypes
import pathlib
from dataclasses import dataclass
from typing import List, Optional, Sequence, Tuple, Union

import numpy as np

from . import _c, _text
from ._c import library
from ._callbacks import Callbacks
from ._context import context, reason_name, verdict_name, whole_number
from .articulated import Model, Skip, _mask, _models
from .files import Path


@dataclass(frozen=True)
class Follows:
    """A joint value that follows another one of its model: multiplier times that value, plus offset."""

    value: int
    multiplier: float = 1.0
    offset: float = 0.0


Range = Union[float, Tuple[float, float], Follows]


@dataclass(frozen=True, eq=False)
class RangePair:
    """Two links, ((model, link), (model, link)), and a verdict: "clear" for all values, "hit" at `pose`, or "unresolved".

    `unresolved` is the share of the range that is left; its largest part goes from `lower` to `upper`. Poses have the
    values of all models."""

    links: tuple
    verdict: str
    reason: str
    unresolved: float
    cells: int
    pose: np.ndarray
    lower: Optional[np.ndarray]
    upper: Optional[np.ndarray]

    def __repr__(self):
        return _text.line("RangePair", self.verdict, "links {} and {}".format(*self.links),
                          f"{self.unresolved:.3g} left" if self.unresolved else "", f"{self.cells} cells")


def _ranges(models, ranges):
    made, base = [], 0
    if len(ranges) != len(models):
        raise ValueError(f"{len(ranges)} lists of ranges for {len(models)} models")
    for i, (model, given) in enumerate(zip(models, ranges)):
        given = [] if given is None else list(given)
        if len(given) != model.values:
            raise ValueError(f"model {i} has {model.values} values, and {len(given)} ranges")
        made += [_range(base, one) for one in given]
        base += model.values
    return (_c.JointRange * max(len(made), 1))(*made)


def _range(base, given):
    one = _c.default(_c.JointRange, library.graze_init_joint_range)
    if isinstance(given, Follows):
        one.follows, one.multiplier, one.offset = base + given.value, given.multiplier, given.offset
    else:
        one.lower, one.upper = (given, given) if np.ndim(given) == 0 else given
    return one


def _copied(pointer, count):
    return np.array(pointer[:count]) if pointer else None


def _pair_of(made, values):
    return RangePair(((made.model_a, made.link_a), (made.model_b, made.link_b)), verdict_name(made.verdict),
                     reason_name(made.reason), made.unresolved, made.cells, _copied(made.pose, values),
                     _copied(made.lower, values), _copied(made.upper, values))


def articulated_range(models: Sequence[Model], ranges: Sequence[Optional[Sequence[Range]]], *, separation: float = 0.0,
                      skip: Skip = (), max_cells: int = 0, least_share: float = 0.0, samples: int = 1000,
                      certificate: Optional[Path] = None) -> List[RangePair]:
    """Tests every pair of links while all joints take any values in their ranges: a `RangePair` each.

    `ranges` has an entry for each model, with one item for each joint value: (lower, upper), a number where it stands
    still, or `Follows`. `skip` and `separation` as in `articulated_step`; `max_cells`, `least_share` and `samples` limit
    the search. `certificate` names a file to write, which `graze.verify` and `graze verify` check.

    >>> import graze
    >>> plate = graze.LinkMesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> models = [graze.Model([graze.Link([plate], joint="prismatic")]), graze.Model([graze.Link([plate])])]
    >>> [pair.verdict for pair in graze.articulated_range(models, [[(0.5, 2.0)], None])]
    ['clear']
    """
    handles, given, here = _models(models), _ranges(models, ranges), context()
    options = _c.default(_c.RangeOptions, library.graze_init_range_options)
    options.min_separation, options.least_share = separation, least_share
    options.max_cells = whole_number("max_cells", max_cells, 2**64)
    options.samples = whole_number("samples", samples, 2**32)
    mask = _mask(models, skip)
    if mask is not None:
        options.link_pairs = mask.ctypes.data
    made = _c.default(_c.RangeResult, library.graze_init_range_result)
    parts: List[bytes] = []
    callbacks = Callbacks()
    try:
        if certificate is None:
            here.call(library.graze_articulated_range, handles, len(models), given, options, ctypes.byref(made))
        else:
            here.call(library.graze_range_certificate, handles, len(models), given, options,
                      *callbacks.write(parts.append), ctypes.byref(made), callbacks=callbacks)
        found = [_pair_of(made.pairs[i], made.values) for i in range(made.pair_count)]
    finally:
        library.graze_range_release(here.handle, ctypes.byref(made))
    if certificate is not None:
        pathlib.Path(certificate).write_bytes(b"".join(parts))
    return found
