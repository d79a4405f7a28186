"""Certificates: proofs of answers, written to files, read from them, and checked."""

from __future__ import annotations  # help() shows types by their names

import ctypes
import json
import math
import pathlib
import re
from dataclasses import dataclass, field
from typing import Iterable, List, Optional, Union

from numpy.typing import ArrayLike

from . import _c, _proof, path_certificates, range_certificates, steps
from ._arrays import rows
from ._c import library
from ._context import Error, kind_number, narrow_options, status_error, verdict_name
from ._strict import Bad, expect, fields, numbers, parse
from .files import Path
from .mesh import Mesh
from .query import ROWS, query_struct

FORMATS = ("graze certificate 1", "graze certificate 2", "graze certificate 3")  # 2 is 1 with radii, 3 a whole step
NAMES = ("file", "index", "a", "b")
FIELDS = ("kind", "x0", "x1", "verdict", "toi", "toi_upper", "free", "hit")
ROOM = 64  # entries to begin with


@dataclass(frozen=True)
class Piece:
    """Shows that [t0, t1] is free. `proof` is "n" (along `direction` all of b is ahead of all of a), "volume", or "exact"
    (the checker decides by itself)."""

    proof: str
    t0: float
    t1: float
    direction: Optional[tuple] = None


@dataclass(frozen=True)
class Certificate:
    """One pair, its answer and its proof, as in docs/certificates.md. `hit` is "crossing", "touching", "exact", the
    parameters of two points, or None; `name` is the pair's name in a file."""

    kind: str
    x0: tuple
    x1: tuple
    separation: float
    t_max: float
    verdict: str
    toi: float
    toi_upper: Optional[float]
    free: tuple
    hit: Union[None, str, tuple]
    radii: Optional[tuple] = None
    name: dict = field(default_factory=dict)


@dataclass(frozen=True)
class Verified:
    """Verdict of a checker. `first` is the first pair that is not proven, and `reason` why."""

    accepted: bool
    pairs: int
    clear: int
    hits: int
    unresolved: int
    rejected: int
    first: Optional[int] = None
    reason: str = ""


# ---- making ----


def _entries(number, query, radii, options):
    room = ROOM
    while True:
        entries, count, result = (_c.CertificateEntry * room)(), ctypes.c_size_t(), _c.Result()
        status = library.graze_ccd_certificate_thick(number, query, radii, options, entries, room, ctypes.byref(count),
                                                     result)
        if not status:
            return entries[:count.value], result
        if count.value <= room:
            raise status_error(status)
        room = 2 * count.value


def _pieces(entries, toi):
    """Up to toi. What they leave was decided in exact arithmetic; the checker has to do the same."""
    reached = 0.0
    for entry in entries:
        direction = tuple(entry.direction)
        if reached >= toi or math.isnan(direction[0]):
            break
        end = min(entry.t1, toi)
        yield Piece("n", reached, end, direction) if any(direction) else Piece("volume", reached, end)
        reached = end
    if reached < toi:
        yield Piece("exact", reached, toi)


def _tuples(x):
    return tuple(map(tuple, x.tolist()))


def certificate(kind: str, x0: ArrayLike, x1: ArrayLike, *, separation: float = 0.0, t_max: float = 1.0,
                radii: Optional[ArrayLike] = None, tolerance: float = 0.0, max_checks: int = 0) -> Certificate:
    """Answers one query by `certified`, with the proof. `radii` makes the points balls; else options as in `ccd`.

    >>> import graze
    >>> triangle = [[-1, -1, 0], [2, -1, 0], [-1, 2, 0]]
    >>> proof = graze.certificate("vf", [[0, 0, 1]] + triangle, [[0, 0, 0.5]] + triangle)
    >>> proof.verdict, proof.free[0].proof, graze.verify(proof).accepted
    ('clear', 'n', True)
    """
    number, count = kind_number(kind), ROWS[kind]
    x0, x1 = (rows(name, x, ((count, 4), 3))[:count] for name, x in (("x0", x0), ("x1", x1)))
    balls = None if radii is None else rows("radii", radii, ((count, 4),))[:count]
    asked = narrow_options("certified", separation, t_max, tolerance, max_checks)
    c_radii = None if balls is None else (ctypes.c_double * 4)(*balls)
    entries, result = _entries(number, query_struct(x0, x1), c_radii, asked)
    bare = Certificate(kind, _tuples(x0), _tuples(x1), float(separation), float(t_max), verdict_name(result.verdict),
                       result.toi, result.toi_upper if result.verdict == 2 and result.proven else None,
                       tuple(_pieces(entries, result.toi)), None, None if balls is None else tuple(balls.tolist()))
    return _with_contact(bare, (result.u, result.v))


def _with_contact(bare, guess):
    """With the simplest proof of its contact; where none is found it claims less than the method did."""
    if bare.toi_upper is None:
        return bare
    guess = tuple(0.0 if math.isnan(value) else value for value in guess)
    hit = _proof.find_contact(bare, guess)
    if isinstance(hit, tuple) and bare.radii is None:
        hit = None
    return Certificate(**{**vars(bare), "hit": hit, "toi_upper": None if hit is None else bare.toi_upper})


def step_certificates(x0: ArrayLike, x1: ArrayLike, mesh: Mesh, *, separation: float = 0.0,
                      t_max: float = 1.0) -> List[Certificate]:
    """Answers every candidate pair of a step, with its proof, as `graze step --certificate` writes them. That no other pair
    can touch follows from the broad phase, and is not part of these proofs."""
    x0, x1 = rows("x0", x0, (mesh.vertex_count, 3)), rows("x1", x1, (mesh.vertex_count, 3))
    made = []
    for number, a, b in steps.candidates(x0, x1, mesh, separation=separation, t_max=t_max).tolist():
        kind = steps.KINDS[number]
        vertices, _ = steps.stencil(mesh, kind, a, b)
        radii = None if mesh.thickness is None else mesh.thickness[vertices]
        one = certificate(kind, x0[vertices], x1[vertices], separation=separation, t_max=t_max, radii=radii)
        made.append(Certificate(**{**vars(one), "name": {"a": a, "b": b}}))
    return made


# ---- files ----


def _piece_json(piece):
    proof = {"n": piece.direction} if piece.proof == "n" else {piece.proof: True}
    return {**proof, "t0": piece.t0, "t1": piece.t1}


def _pair_json(pair, thick):
    radii = {"radii": pair.radii or (0.0,) * len(pair.x0)} if thick else {}
    hit = None if pair.hit is None else {"at": pair.hit} if isinstance(pair.hit, tuple) else {pair.hit: True}
    return {"kind": pair.kind, **pair.name, "x0": pair.x0, "x1": pair.x1, **radii, "verdict": pair.verdict,
            "toi": pair.toi, "toi_upper": pair.toi_upper, "hit": hit,
            "free": [_piece_json(piece) for piece in pair.free]}


def write_certificates(path: Path, pairs: Iterable[Certificate]) -> None:
    """Writes certificates to one file, which `graze verify` checks too. All must have the same separation and t_max."""
    pairs = list(pairs)
    asked = {(pair.separation, pair.t_max) for pair in pairs} or {(0.0, 1.0)}
    if len(asked) > 1:
        raise ValueError("the certificates of one file have one separation and one t_max")
    (separation, t_max), thick = asked.pop(), any(pair.radii is not None for pair in pairs)
    whole = {"format": FORMATS[thick], "separation": separation, "t_max": t_max,
             "pairs": [_pair_json(pair, thick) for pair in pairs]}
    pathlib.Path(path).write_text(json.dumps(whole, allow_nan=False), encoding="utf-8")


def _time(value, what):
    expect(isinstance(value, float) and 0 <= value <= 1, f"{what}: a time in [0, 1] is expected")
    return value


def _one_proof(value, what, names):
    proofs = [name for name in names if name in value]
    expect(len(proofs) == 1, f"{what}: one proof is expected")
    proof = proofs[0]
    expect(proof in ("n", "at") or value[proof] is True, f"{what}: {proof} is true where it is there")
    return proof


def _read_piece(value):
    names = ("n", "volume", "exact")
    fields(value, "free", ("t0", "t1"), names)
    proof = _one_proof(value, "free", names)
    return Piece(proof, _time(value["t0"], "t0"), _time(value["t1"], "t1"),
                 numbers(value["n"], "n", 3) if proof == "n" else None)


def _read_hit(value, thick):
    if value is None:
        return None
    names = ("crossing", "touching", "exact") + (("at",) if thick else ())
    fields(value, "hit", (), names)
    proof = _one_proof(value, "hit", names)
    return numbers(value["at"], "at", 2) if proof == "at" else proof


def _read_name(value):
    expect(isinstance(value.get("file", ""), str), "file: a text is expected")
    expect("\0" not in value.get("file", ""), "file: a byte 0 in the text")
    try:
        value.get("file", "").encode("utf-8")
    except UnicodeEncodeError:
        raise Bad("file: half of a surrogate pair") from None
    for name in NAMES[1:]:
        expect(isinstance(value.get(name, 0.0), float), f"{name}: a number is expected")
    return {name: value[name] for name in NAMES if name in value}


def _read_pair(value, separation, t_max, thick):
    fields(value, "a pair", FIELDS + (("radii",) if thick else ()), NAMES)
    kind = value["kind"]
    expect(kind in ROWS, "kind: there is vf, ee, pe, pp")
    expect(value["verdict"] in ("clear", "hit", "unresolved"), "verdict: there is clear, hit, unresolved")
    for name in ("x0", "x1", "free"):
        expect(isinstance(value[name], list), f"{name}: a list is expected")
    for name in ("x0", "x1"):
        expect(len(value[name]) == ROWS[kind], f"{name}: a pair of kind {kind} has {ROWS[kind]} rows")
    x0, x1 = (tuple(numbers(row, name, 3) for row in value[name]) for name in ("x0", "x1"))
    radii = numbers(value["radii"], "radii", ROWS[kind]) if thick else None
    expect(radii is None or min(radii) >= 0, "radii: one is negative")
    upper = value["toi_upper"]
    return Certificate(kind, x0, x1, separation, t_max, value["verdict"], _time(value["toi"], "toi"),
                       None if upper is None else _time(upper, "toi_upper"), tuple(map(_read_piece, value["free"])),
                       _read_hit(value["hit"], thick), radii, _read_name(value))


def _check_step(whole):
    """The fields of format 3. That they are those of a mesh is checked by `graze verify --mesh`."""
    expect(isinstance(whole["mesh"], str) and re.fullmatch("[0-9a-f]{64}", whole["mesh"]), "mesh: 64 digits are expected")
    for name in ("groups", "radii"):
        values = whole[name]
        expect(values is None or isinstance(values, list) and values, f"{name}: a list or null is expected")
        expect(values is None or min(numbers(values, name, len(values))) >= 0, f"{name}: one is negative")
    expect(whole["candidates"] == len(whole["pairs"]), "candidates: as many as pairs are expected")
    for pair in whole["pairs"]:
        expect(isinstance(pair, dict) and "a" in pair and "b" in pair, "a pair of a step has a and b")


def _read(data):
    whole = parse(data)
    of_step = isinstance(whole, dict) and whole.get("format") == FORMATS[2]
    more = ("mesh", "groups", "radii", "candidates") if of_step else ()
    fields(whole, "a certificate", ("format", "separation", "t_max", "pairs") + more)
    expect(whole["format"] in FORMATS, "the format is unknown")
    expect(isinstance(whole["separation"], float) and whole["separation"] >= 0, "separation: a number ≥ 0 is expected")
    expect(_time(whole["t_max"], "t_max") > 0, "t_max is not in (0, 1]")
    expect(isinstance(whole["pairs"], list), "pairs: a list is expected")
    if of_step:
        _check_step(whole)
    thick = whole["format"] == FORMATS[1] or of_step and whole["radii"] is not None
    return [_read_pair(pair, whole["separation"], whole["t_max"], thick) for pair in whole["pairs"]]


def read_certificates(path: Path) -> List[Certificate]:
    """Reads a file strictly; what is not a certificate is a graze.Error. Reading proves nothing: `verify` checks."""
    return _in_file(path, _read, pathlib.Path(path).read_bytes())


def _in_file(path, read, data):
    try:
        return read(data)
    except Bad as error:
        raise Error(f"{path}: {error}", "bad file") from None


# ---- checking ----


def verify(what: Union[Path, Certificate, Iterable[Certificate]]) -> Union[
        Verified, path_certificates.VerifiedPaths, range_certificates.VerifiedRanges]:
    """Checks a certificate, several of them, or a file, in Python's integers, by code that shares nothing with the methods.
    A file may be of pairs, of paths or plans (`articulated_certificate`, `plan_certificate`), or of ranges
    (`articulated_range`).

    A pair takes some milliseconds; `graze verify` does the same faster. For both, "clear" holds only if nothing
    intersects at the start.
    """
    if isinstance(what, Certificate):
        what = [what]
    elif isinstance(what, (str, pathlib.PurePath)):
        data = pathlib.Path(what).read_bytes()
        if path_certificates.is_path_certificate(data):
            return _in_file(what, path_certificates.verify_paths, data)
        if range_certificates.is_range_certificate(data):
            return _in_file(what, range_certificates.verify_ranges, data)
        what = _in_file(what, _read, data)
    pairs, first, reason, rejected = list(what), None, "", 0
    for i, pair in enumerate(pairs):
        try:
            _proof.check(pair)
        except _proof.Rejected as error:
            rejected += 1
            first, reason = (i, str(error)) if first is None else (first, reason)
    verdicts = [pair.verdict for pair in pairs]
    return Verified(not rejected, len(pairs), verdicts.count("clear"), verdicts.count("hit"),
                    verdicts.count("unresolved"), rejected, first, reason)
