"""Whole plans: joints that follow splines over seconds."""

import ctypes
import pathlib
from dataclasses import dataclass
from typing import List, Mapping, Optional, Sequence

import numpy as np

from . import _c, _text
from ._c import library
from ._callbacks import Callbacks
from ._context import context, reason_name, verdict_name
from .articulated import LinkContact, Model, Skip, _models, _options
from .files import Path


@dataclass(frozen=True, eq=False)
class Spline:
    """A B-spline of degree 1 to 7 for every joint value of a body. `control` has a row for each control point; `knots` has
    len(control) + degree + 1 times. The motion begins at knots[degree] and ends at knots[len(control)]."""

    knots: Sequence[float]
    control: np.ndarray
    degree: int = 1


@dataclass(frozen=True, eq=False)
class PlanResult:
    """Result of a plan. Nothing touches before `time`, in seconds: that is the part `toi` of piece `segment`, of
    `segments` pieces between knots."""

    verdict: str
    reason: str
    time: float
    time_upper: float
    segment: int
    segments: int
    toi: float
    checks: int
    contact: Optional[LinkContact]

    def __repr__(self):
        return _text.line("PlanResult", _text.bracket(self.verdict, self.reason, self.time, self.time_upper),
                          f"segment {self.segment} of {self.segments}", f"{self.checks} checks")

    @classmethod
    def of(cls, made: _c.PlanResult) -> "PlanResult":
        """From the struct."""
        return cls(verdict_name(made.verdict), reason_name(made.reason), made.time, made.time_upper, made.segment,
                   made.segments, made.toi, made.checks, LinkContact.of(made.contact) if made.has_contact else None)


def _paths(paths: Mapping[int, Spline], values, kept):
    """The structs of a plan; `values(body)` says how many a pose of it has."""
    made = (_c.PlanPath * max(len(paths), 1))()
    for one, (body, spline) in zip(made, paths.items()):
        control = np.ascontiguousarray(spline.control, dtype=np.float64)
        knots = np.ascontiguousarray(spline.knots, dtype=np.float64)
        if control.ndim != 2 or control.shape[1] != values(body):
            raise ValueError(f"body {body}: control points have {values(body)} values each")
        if knots.shape != (len(control) + spline.degree + 1,):
            raise ValueError(f"body {body}: {len(control)} control points of degree {spline.degree} have "
                             f"{len(control) + spline.degree + 1} knots")
        kept += [control, knots]
        one.struct_size, one.body, one.degree, one.count = ctypes.sizeof(one), body, spline.degree, len(control)
        one.knots, one.control = knots.ctypes.data, control.ctypes.data
    return made


def plan_certificate(path: Path, models: Sequence[Model], paths: Mapping[int, Spline], *, separation: float = 0.0,
                     max_checks: int = 0, skip: Skip = ()) -> PlanResult:
    """Writes the proof that a plan is clear, as a file that `graze.verify` and `graze verify` check.

    It does not look for contacts: ask `World.plan` first. If the result is not "clear", links come too close for a proof,
    and no file is written."""
    kept: List = []
    parts: List[bytes] = []
    handles, made = _models(models), _paths(paths, lambda body: models[body].values, kept)
    asked = _options(models, kept, "any", separation, max_checks=max_checks, skip=skip)
    result = _c.default(_c.PlanResult, library.graze_init_plan_result)
    callbacks = Callbacks()
    context().call(library.graze_plan_certificate, handles, len(models), made, len(paths), asked,
                   *callbacks.write(parts.append), ctypes.byref(result), callbacks=callbacks)
    found = PlanResult.of(result)
    if found.verdict == "clear":
        pathlib.Path(path).write_bytes(b"".join(parts))
    return found
