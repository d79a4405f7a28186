"""Certificates of free paths and plans: written where a motion is clear, and checked."""

import ctypes
import pathlib
from dataclasses import dataclass
from typing import Optional, Sequence

from . import _c, _path_proof
from ._c import library
from ._callbacks import Callbacks
from ._context import context
from ._strict import expect, fields_in_order, numbers, parse
from .articulated import ArticulatedResult, Model, Skip, _models, _motions, _options
from .files import Path

FORMAT, PLAN = "graze path certificate 1", "graze plan certificate 1"
MOST_DEGREE = 7
LINK = ("parent", "joint", "position", "rotation", "axis", "padding", "vertices", "faces")


@dataclass(frozen=True)
class VerifiedPaths:
    """Verdict of a checker on a file of paths.

    `pairs` of links are proven apart on each, `skipped` the file leaves out;
    `first` is the first proof that does not hold, counted path after path, and `reason` why."""

    accepted: bool
    paths: int
    pairs: int
    skipped: int
    rejected: int
    first: Optional[int] = None
    reason: str = ""


def articulated_certificate(path: Path, models: Sequence[Model], motions: Sequence, *, separation: float = 0.0,
                            t_max: float = 1.0, max_checks: int = 0, skip: Skip = ()) -> ArticulatedResult:
    """`articulated_step` in mode "any"; where that is clear, `path` is written: a certificate that `graze.verify` and
    `graze verify` check, without trust in what wrote it. Options as in `articulated_step`.

    >>> import graze, os, tempfile
    >>> plate = [[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]]
    >>> models = [graze.Model.rigid(*plate), graze.Model.obstacle(*plate)]
    >>> path = os.path.join(tempfile.mkdtemp(), "proof.json")
    >>> found = graze.articulated_certificate(path, models, [([0, 0, 1, 0, 0, 0], [0, 0, 0.5, 0.1, 0, 0]), None])
    >>> found.verdict, graze.verify(path).accepted
    ('clear', True)
    """
    kept, parts, handles = [], [], _models(models)
    moved = _motions(models, motions, kept)
    asked = _options(models, kept, "any", separation, t_max, max_checks=max_checks, skip=skip)
    made = _c.default(_c.ArticulatedResult, library.graze_init_articulated_result)
    callbacks = Callbacks()
    context().call(library.graze_articulated_certificate, handles, len(models), moved.ctypes.data, 1, asked,
                   *callbacks.write(parts.append), ctypes.addressof(made), callbacks=callbacks)
    found = ArticulatedResult.of(made)
    if found.verdict == "clear":
        pathlib.Path(path).write_bytes(b"".join(parts))
    return found


# ---- reading ----


def is_path_certificate(data: bytes) -> bool:
    """True if a file begins as one does."""
    begin = b"".join(data[:200].split())
    return any(begin.startswith(b'{"format":"' + name.replace(" ", "").encode() + b'"') for name in (FORMAT, PLAN))


def _list(value, what):
    expect(isinstance(value, list), f"{what}: a list is expected")
    return value


def _whole(value, what, low, high):
    expect(isinstance(value, float) and value == int(value) and low <= value <= high,
           f"{what}: a whole number in its range is expected")
    return int(value)


def _check_link(link, index):
    fields_in_order(link, "a link", LINK)
    _whole(link["parent"], "parent", -1, index - 1)
    expect(link["joint"] in _path_proof.KINDS, "joint: there is no such kind")
    for name, count in (("position", 3), ("rotation", 4), ("axis", 3)):
        numbers(link[name], name, count)
    expect(isinstance(link["padding"], float) and link["padding"] >= 0, "padding: a number ≥ 0 is expected")
    for vertex in _list(link["vertices"], "vertices"):
        numbers(vertex, "vertices", 3)
    for face in _list(link["faces"], "faces"):
        for corner in numbers(face, "faces", 3):
            _whole(corner, "faces", 0, len(link["vertices"]) - 1)


def _check_motion(motion, links, values):
    expect(isinstance(motion, dict), "a motion: an object is expected")
    if "cubic" in motion:
        fields_in_order(motion, "a motion", ("cubic",))
        expect(len(_list(motion["cubic"], "cubic")) == values, f"cubic: {values} values are expected")
        for points in motion["cubic"]:
            numbers(points, "cubic", 4)
        return
    fields_in_order(motion, "a motion", ("from", "to"), ("turns", "screws"))
    numbers(motion["from"], "from", values)
    numbers(motion["to"], "to", values)
    for name in ("turns", "screws"):
        expect(len(_list(motion.get(name, [0.0] * links), name)) == links, f"{name}: one for each link is expected")
    for turn in motion.get("turns", ()):
        expect(turn is None or numbers(turn, "turns", 3), "turns")
    for screw in motion.get("screws", ()):
        _whole(screw, "screws", 0, 1)


def _check_pairs(listed, pairs):
    for pair in _list(listed, "pairs"):
        fields_in_order(pair, "a pair", ("links", "proof"))
        expect(isinstance(pair["proof"], str), "proof: a text is expected")
    expect([pair["links"] for pair in listed] == pairs, "pairs: all of them are expected, in order")


def _check_path(path, scene, pairs):
    fields_in_order(path, "a path", ("motions", "pairs"))
    expect(len(_list(path["motions"], "motions")) == len(scene.models), "motions: one for each model is expected")
    for (_, links, values), motion in zip(scene.models, path["motions"]):
        _check_motion(motion, links, values)
    _check_pairs(path["pairs"], pairs)


def _check_spline(path, values):
    fields_in_order(path, "a path", ("degree", "knots", "control"))
    degree = _whole(path["degree"], "degree", 1, MOST_DEGREE)
    count = len(_list(path["control"], "control"))
    expect(values and count > degree, "paths: values, and more control points than the degree, are expected")
    for point in path["control"]:
        numbers(point, "control", values)
    knots = numbers(path["knots"], "knots", count + degree + 1)
    begin, end = knots[degree], knots[count]
    expect(begin < end and all(a <= b for a, b in zip(knots, knots[1:])), "paths: knots in order are expected")
    expect(all(knots.count(t) <= degree for t in set(knots) if begin < t < end), "paths: a spline that leaps")
    return begin, end


def _pieces(whole, scene, pairs):
    """Pieces of a plan as paths: between any two knots of any of its splines."""
    splines = _list(whole["paths"], "paths")
    expect(len(splines) == len(scene.models), "paths: one for each model is expected")
    ends = {_check_spline(path, values) for (_, _, values), path in zip(scene.models, splines) if path is not None}
    expect(len(ends) == 1, "paths: splines that begin and end together are expected")
    (begin, end), = ends
    times = sorted({t for path in splines if path is not None for t in path["knots"] if begin <= t <= end})
    pieces = _list(whole["pieces"], "pieces")
    expect(len(pieces) == len(times) - 1, f"pieces: {len(times) - 1} are expected, as the knots make them")
    for piece in pieces:
        fields_in_order(piece, "a piece", ("pairs",))
        _check_pairs(piece["pairs"], pairs)
    return [{"pairs": piece["pairs"], "motions": [
        {"from": [0.0] * values, "to": [0.0] * values} if path is None
        else {"piece": _path_proof.Piece(path, times[k], times[k + 1])}
        for (_, _, values), path in zip(scene.models, splines)]} for k, piece in enumerate(pieces)]


def _read_models(whole):
    """The scene, the pairs, and how many are left out."""
    expect(isinstance(whole["separation"], float) and whole["separation"] >= 0, "separation: a number ≥ 0 is expected")
    expect(isinstance(whole["t_max"], float) and 0 < whole["t_max"] <= 1, "t_max is not in (0, 1]")
    for model in _list(whole["models"], "models"):
        fields_in_order(model, "a model", ("links",))
        expect(_list(model["links"], "links"), "a model without links")
        for index, link in enumerate(model["links"]):
            _check_link(link, index)
    scene = _path_proof.Scene(whole)
    count = len(scene.links)
    everything = [[float(a), float(b)] for a in range(count) for b in range(a + 1, count) if scene.is_pair(a, b)]
    skip = _list(whole["skip"], "skip")
    expect(all(pair in everything for pair in skip) and all(a < b for a, b in zip(skip, skip[1:])),
           "skip: pairs in order are expected")
    pairs = [pair for pair in everything if pair not in skip]
    return scene, pairs, len(skip)


def _read(data):
    """The scene, the pairs and the paths."""
    whole = parse(data)
    of_plan = isinstance(whole, dict) and whole.get("format") == PLAN
    names = ("separation", "models", "skip", "paths", "pieces") if of_plan else ("separation", "t_max", "models",
                                                                                 "skip", "paths")
    fields_in_order(whole, "a certificate", ("format",) + names)
    expect(whole["format"] in (FORMAT, PLAN), "the format is unknown")
    if of_plan:
        whole["t_max"] = 1.0
    scene, pairs, skipped = _read_models(whole)
    if of_plan:
        return scene, pairs, skipped, _pieces(whole, scene, pairs)
    for path in _list(whole["paths"], "paths"):
        _check_path(path, scene, pairs)
    return scene, pairs, skipped, whole["paths"]


# ---- checking ----


def _reasons(scene, paths):
    """For every proof of every path why it does not hold, or None."""
    for path in paths:
        try:
            joints = scene.joints(path["motions"])
        except _path_proof.Rejected as error:
            yield from [str(error)] * len(path["pairs"])
            continue
        for pair in path["pairs"]:
            try:
                _path_proof.check(scene, joints, *map(int, pair["links"]), pair["proof"])
                yield None
            except _path_proof.Rejected as error:
                yield str(error)


def verify_paths(data: bytes) -> VerifiedPaths:
    scene, pairs, skipped, paths = _read(data)
    bad = [(i, reason) for i, reason in enumerate(_reasons(scene, paths)) if reason is not None]
    first, reason = bad[0] if bad else (None, "")
    return VerifiedPaths(not bad, len(paths), len(pairs), skipped, len(bad), first, reason)
