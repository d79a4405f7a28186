"""Reads JSON strictly: nothing that two readers could take for different things."""

import json
import math
import re


class Bad(Exception):
    """Not a certificate, and why."""


def expect(good, why):
    if not good:
        raise Bad(why)


def only_once(pairs):
    expect(len({name for name, _ in pairs}) == len(pairs), "a name is there twice")
    return dict(pairs)


def finite(text):
    value = float(text)
    expect(math.isfinite(value), f"{text} is not a finite double")
    return value


def parse(data):
    """Strictly: nothing that two readers could take for different things. Escapes are for names of files alone."""
    expect(b"\0" not in data, "a byte 0 in the text")
    try:
        text = data.decode("utf-8")
        whole = json.loads(text, object_pairs_hook=only_once, parse_float=finite, parse_int=finite,
                           parse_constant=finite)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise Bad(str(error)) from None
    plain = re.sub(r'"file"\s*:\s*"(?:[^"\\]|\\.)*"', "", text)
    expect("\\" not in plain, "an escape where none is needed")
    return whole


def fields(value, what, must, may=()):
    expect(isinstance(value, dict), f"{what}: an object is expected")
    for name in must:
        expect(name in value, f"{what}: {name} is missing")
    for name in value:
        expect(name in must or name in may, f"{what}: there is no {name!r}")
    return value


def numbers(value, what, count):
    expect(isinstance(value, list) and len(value) == count and all(isinstance(x, float) for x in value),
           f"{what}: {count} numbers are expected")
    return tuple(value)


def fields_in_order(value, what, must, may=()):
    """All of `must`, then some of `may`, in this order."""
    fields(value, what, must, may)
    order = [name for name in must + may if name in value]
    expect(list(value) == order, f"{what}: its names are not in order")
    return value
