"""Certificates of ranges of joint values: what a checker says of them."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Optional

from . import _path_proof, _range_proof
from ._strict import expect, fields_in_order, numbers, parse
from .path_certificates import _list, _read_models, _whole

FORMAT = "graze range certificate 1"


@dataclass(frozen=True)
class VerifiedRanges:
    """Verdict of a checker on a file of ranges: `clear` pairs are proven apart for all values, `touch` do at a given
    pose, `open` are proven but for a share, `skipped` the file leaves out; `first` is the first that does not hold."""

    accepted: bool
    pairs: int
    skipped: int
    clear: int
    touch: int
    open: int
    rejected: int
    first: Optional[int] = None
    reason: str = ""


def is_range_certificate(data: bytes) -> bool:
    """True if a file begins as one does."""
    return b"".join(data[:200].split()).startswith(b'{"format":"' + FORMAT.replace(" ", "").encode() + b'"')


def _check_range(given, count):
    if isinstance(given, dict):
        fields_in_order(given, "a range", ("follows", "multiplier", "offset"))
        _whole(given["follows"], "follows", 0, count - 1)
        numbers([given["multiplier"], given["offset"]], "a range", 2)
        return
    lower, upper = numbers(given, "ranges", 2)
    expect(lower <= upper, "ranges: a lower limit above the upper one")


def _check_ranges(ranges, scene):
    count = sum(values for _, _, values in scene.models)
    expect(len(_list(ranges, "ranges")) == count, f"ranges: {count} are expected")
    for given in ranges:
        _check_range(given, count)
    for given in ranges:
        expect(not isinstance(given, dict) or not isinstance(ranges[int(given["follows"])], dict),
               "ranges: a value that follows a follower")
    base = 0
    for first, links, values in scene.models:
        for i in range(first, first + links):
            _check_joint(scene.links[i]["joint"], ranges, base + scene.firsts[i])
        base += values


def _check_joint(kind, ranges, value):
    count = _path_proof.KINDS[kind]
    if count > 1:
        expect(all(not isinstance(r, dict) and r[0] == r[1] for r in ranges[value:value + count]),
               "ranges: a joint of several values that does not stand")
    if kind == "revolute":
        given = ranges[value]
        follows = isinstance(given, dict)
        ends = ranges[int(given["follows"])] if follows else given
        factor, offset = (given["multiplier"], given["offset"]) if follows else (1.0, 0.0)
        expect(abs(factor) * max(map(abs, ends)) + abs(offset) <= _path_proof.MOST_ANGLE,
               "ranges: an angle beyond 2^20")


def _check_touch(claim, ranges, scene, links):
    may = ("inside",) if "inside" in claim else ("faces", "at") if "at" in claim else ("faces",)
    fields_in_order(claim, "a pair", ("links", "touch") + may)
    expect(len(_list(claim["touch"], "touch")) == len(ranges), "touch: a value for every range is expected")
    for value, given in zip(claim["touch"], ranges):
        if isinstance(given, dict):
            expect(value is None, "touch: a value that follows another is null")
        else:
            expect(isinstance(value, float) and given[0] <= value <= given[1], "touch: a value beyond its limits")
    if isinstance(claim.get("inside"), list):
        side, face = numbers(claim["inside"], "inside", 2)
        _whole(side, "inside", 0, 1)
        _whole(face, "inside", 0, len(scene.links[int(links[int(side)])]["faces"]) - 1)
        return
    if "inside" in claim:
        expect(claim["inside"] is True, "inside: true is expected")
        return
    for face, link in zip(numbers(claim["faces"], "faces", 2), links):
        _whole(face, "faces", 0, len(scene.links[int(link)]["faces"]) - 1)
    if "at" in claim:
        at = numbers(claim["at"], "at", 4)
        expect(min(at) >= 0 and all(Fraction(u) + Fraction(v) <= 1 for u, v in (at[:2], at[2:])),
               "at: a point beyond its triangle")


def _check_claim(claim, pair, ranges, scene):
    expect(isinstance(claim, dict) and claim.get("links") == pair, "pairs: all of them are expected, in order")
    if "touch" in claim:
        _check_touch(claim, ranges, scene, pair)
    elif "open" in claim:
        fields_in_order(claim, "a pair", ("links", "open"), ("rest",))
        expect(isinstance(claim["open"], float) and 0 <= claim["open"] <= 1, "open: a share is expected")
        expect("rest" in claim or claim["open"] == 1, "open: the proof of the rest is missing")
    else:
        fields_in_order(claim, "a pair", ("links", "clear"))
    expect(isinstance(claim.get("clear", claim.get("rest", "")), str), "a proof: a text is expected")


def _reason(ranges, claim):
    try:
        _range_proof.check(ranges, *map(int, claim["links"]), claim)
    except _path_proof.Rejected as error:
        return str(error)
    return None


def verify_ranges(data: bytes) -> VerifiedRanges:
    whole = fields_in_order(parse(data), "a certificate",
                            ("format", "separation", "models", "skip", "ranges", "pairs"))
    whole["t_max"] = 1.0
    scene, pairs, skipped = _read_models(whole)
    _check_ranges(whole["ranges"], scene)
    claims = _list(whole["pairs"], "pairs")
    expect(len(claims) == len(pairs), "pairs: all of them are expected, in order")
    for claim, pair in zip(claims, pairs):
        _check_claim(claim, pair, whole["ranges"], scene)
    try:
        ranges = _range_proof.Ranges(scene, whole["ranges"])
        reasons = [_reason(ranges, claim) for claim in claims]
    except _path_proof.Rejected as error:
        reasons = [str(error)] * len(claims)
    bad = [(i, reason) for i, reason in enumerate(reasons) if reason is not None]
    first, reason = bad[0] if bad else (None, "")
    counts = [sum(kind in claim for claim in claims) for kind in ("clear", "touch", "open")]
    return VerifiedRanges(not bad, len(pairs), skipped, *counts, len(bad), first, reason)
