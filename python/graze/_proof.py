"""Checks the proof of one pair in whole numbers, as docs/certificates.md says, by code that shares nothing with what
wrote it: Python's integers, and no call of the library.

A polynomial in time is a list of integers, constant term first, without zeros at its end; a time is a Fraction.
"""

from fractions import Fraction
from math import gcd

ROWS_OF_A = {"vf": 1, "ee": 2, "pe": 1, "pp": 1}
ROWS = {"vf": 4, "ee": 4, "pe": 3, "pp": 2}
DEEPEST = 600  # roots closer than 2^-600 are not told apart: the file is rejected


class Rejected(Exception):
    """A claim that is not proven, and which."""


# ---- polynomials ----


def trimmed(p):
    while p and p[-1] == 0:
        p.pop()
    return p


def add(a, b, factor=1):
    """a + factor·b"""
    length = max(len(a), len(b))
    return trimmed([(a[i] if i < len(a) else 0) + (factor * b[i] if i < len(b) else 0) for i in range(length)])


def multiply(a, b):
    product = [0] * max(len(a) + len(b) - 1, 0)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            product[i + j] += x * y
    return trimmed(product)


def sign_at(p, t):
    value, power = 0, 1
    for coefficient in reversed(p):
        value = value * t.numerator + coefficient * power
        power *= t.denominator
    return (value > 0) - (value < 0)


def primitive(p):
    common = gcd(*p) if p else 1
    return [c // common for c in p]


def remainder(a, b):
    """Of a divided by b, times something positive."""
    a, lead = list(a), b[-1]
    while len(a) >= len(b):
        top, shift = a[-1], len(a) - len(b)
        factor = top if lead > 0 else -top
        a = [c * abs(lead) for c in a]
        for i, c in enumerate(b):
            a[i + shift] -= factor * c
        trimmed(a)
    return primitive(a)


def quotient(a, b):
    """a / b, which has no remainder, but for a factor."""
    a, result = [Fraction(c) for c in a], []
    while len(a) >= len(b):
        factor = a[-1] / b[-1]
        result.append(factor)
        for i, c in enumerate(b):
            a[i + len(a) - len(b)] -= factor * c
        a.pop()
    scale = 1
    for c in result:
        scale = scale * c.denominator // gcd(scale, c.denominator)
    return primitive(trimmed([int(c * scale) for c in reversed(result)]))


def common_divisor(a, b):
    a, b = primitive(a), primitive(b)
    while b:
        a, b = b, remainder(a, b)
    return a


def derivative(p):
    return trimmed([i * c for i, c in enumerate(p)][1:])


def simple(p):
    """p with every root once."""
    return quotient(p, common_divisor(p, derivative(p))) if len(p) > 1 else primitive(p)


class Roots:
    """Sturm's sequence of a polynomial that is not zero and has no multiple roots."""

    def __init__(self, p):
        self.terms = [p, derivative(p)] if len(p) > 1 else [p]
        while len(self.terms) > 1 and len(self.terms[-1]) > 1:
            rest = remainder(self.terms[-2], self.terms[-1])
            if not rest:
                break
            self.terms.append([-c for c in rest])

    def _changes(self, t):
        signs = [sign for sign in (sign_at(p, t) for p in self.terms) if sign]
        return sum(a != b for a, b in zip(signs, signs[1:]))

    def count(self, a, b):
        """Roots in (a, b]."""
        return self._changes(a) - self._changes(b)


def has_root(p, a, b):
    return not p or Roots(simple(p)).count(a, b) > 0


# ---- the pair ----


def dot(a, b):
    total = []
    for x, y in zip(a, b):
        total = add(total, multiply(x, y))
    return total


def cross(a, b):
    return [add(multiply(a[i], b[j]), multiply(a[j], b[i]), -1) for i, j in ((1, 2), (2, 0), (0, 1))]


class Feature:
    """The pair is as close as this feature where `extent` > 0 and all of `inside` ≥ 0.

    The feature is within the separation where `excess` ≤ 0 (plain: = 0)."""

    def __init__(self, square, extent, inside, reach2, volume=None):
        self.extent, self.inside, self.plain = extent, inside, volume is not None and reach2 == 0
        self.excess = volume if self.plain else add(square, extent, -reach2)


class Whole:
    """The pair in integers: coordinates, separation and radii times the same power of two."""

    def __init__(self, pair):
        self.kind = pair.kind
        radii = pair.radii or [0.0] * ROWS[pair.kind]
        ratios = [value.as_integer_ratio() for row in (*pair.x0, *pair.x1, radii, [pair.separation]) for value in row]
        unit = max(below for _, below in ratios)
        numbers = iter([above * (unit // below) for above, below in ratios])
        self.x0, self.x1 = ([[next(numbers) for _ in range(3)] for _ in range(ROWS[self.kind])] for _ in range(2))
        self.radii = [next(numbers) for _ in range(ROWS[self.kind])]
        self.separation = next(numbers)
        of_a, of_b = self.radii[:ROWS_OF_A[self.kind]], self.radii[ROWS_OF_A[self.kind]:]
        self.uniform = len(set(of_a)) == len(set(of_b)) == 1
        self.reach2 = (self.separation + max(of_a) + max(of_b)) ** 2

    def between(self, a, b):
        """Row b minus row a, over time."""
        return [trimmed([q0 - p0, (q1 - p1) - (q0 - p0)])
                for p0, q0, p1, q1 in zip(self.x0[a], self.x0[b], self.x1[a], self.x1[b])]

    def points(self, a, b):
        q = self.between(a, b)
        return Feature(dot(q, q), [1], [], self.reach2)

    def point_line(self, p, a, b):
        q, e = self.between(a, p), self.between(a, b)
        n, extent, along = cross(q, e), dot(e, e), dot(q, e)
        return Feature(dot(n, n), extent, [along, add(extent, along, -1)], self.reach2)

    def volume(self):
        """The point and the plane of the face, or the lines of both edges."""
        face = self.kind == "vf"
        e1, e2 = (self.between(1, 2), self.between(1, 3)) if face else (self.between(0, 1), self.between(2, 3))
        q = self.between(1, 0) if face else self.between(0, 2)
        n = cross(e1, e2)
        volume, extent = dot(n, q), dot(n, n)
        first, second = dot(cross(q, e2), n), dot(cross(e1, q) if face else cross(q, e1), n)
        rest = [add(add(extent, first, -1), second, -1)] if face else [add(extent, first, -1), add(extent, second, -1)]
        return Feature(multiply(volume, volume), extent, [first, second, *rest], self.reach2, volume)

    def features(self):
        if self.kind == "vf":
            yield self.volume()
            for i in range(3):
                yield self.point_line(0, 1 + i, 1 + (i + 1) % 3)
                yield self.points(0, 1 + i)
        elif self.kind == "ee":
            yield self.volume()
            for i in range(2):
                yield self.point_line(i, 2, 3)
                yield self.point_line(2 + i, 0, 1)
                yield self.points(i, 2)
                yield self.points(i, 3)
        elif self.kind == "pe":
            yield self.point_line(0, 1, 2)
            yield self.points(0, 1)
            yield self.points(0, 2)
        else:
            yield self.points(0, 1)


# ---- deciding ----


def touches_at(whole, t):
    for feature in whole.features():
        excess = sign_at(feature.excess, t)
        if (excess != 0 if feature.plain else excess > 0) or sign_at(feature.extent, t) <= 0:
            continue
        if all(sign_at(p, t) >= 0 for p in feature.inside):
            return True
    return False


class Search:
    """True if a root of a feature's excess satisfies its conditions."""

    def __init__(self, roots, conditions):
        self.roots = Roots(roots)
        self.conditions = [(Roots(common_divisor(roots, p)), Roots(simple(p)), p) for p in conditions if p]

    def look(self, a, b, depth=0):
        count = self.roots.count(a, b)
        if count == 0:
            return False
        known = count == 1
        for shared, turns, p in self.conditions if known else ():
            if shared.count(a, b) > 0:
                continue
            if turns.count(a, b) > 0:
                known = False
                break
            if sign_at(p, b) < 0:
                return False
        if known:
            return True
        if depth == DEEPEST:
            raise Rejected(f"[{float(a)!r}, {float(b)!r}] is too hard to decide")
        middle = (a + b) / 2
        return self.look(a, middle, depth + 1) or self.look(middle, b, depth + 1)


def feature_touches(feature, a, b, closed):
    if not feature.excess or not feature.extent:
        return False
    roots = simple(feature.excess)
    roots = quotient(roots, common_divisor(roots, feature.extent))
    if not closed and sign_at(roots, b) == 0:
        roots = quotient(roots, [-b.numerator, b.denominator])
    return Roots(roots).count(a, b) > 0 and Search(roots, feature.inside).look(a, b)


def touches_in(whole, a, b, closed):
    return touches_at(whole, a) or any(feature_touches(feature, a, b, closed) for feature in whole.features())


# ---- the proof ----


def integers_along(direction):
    ratios = [value.as_integer_ratio() for value in direction]
    unit = max(below for _, below in ratios)
    return [above * (unit // below) for above, below in ratios]


def is_ahead(start, end, t, length2):
    value = start * (t.denominator - t.numerator) + end * t.numerator
    return value > 0 and value * value > length2 * t.denominator ** 2


def direction_separates(whole, direction, a, b):
    """The least of linear functions, above a bound at both ends, is above it in between."""
    n = integers_along(direction)
    square = sum(c * c for c in n)
    rows_a = ROWS_OF_A[whole.kind]
    for i in range(rows_a):
        for j in range(rows_a, ROWS[whole.kind]):
            length2 = (whole.separation + whole.radii[i] + whole.radii[j]) ** 2 * square
            start, end = (sum(c * (q - p) for c, p, q in zip(n, x[i], x[j])) for x in (whole.x0, whole.x1))
            if not (is_ahead(start, end, a, length2) and is_ahead(start, end, b, length2)):
                return False
    return True


def stays_apart(feature, a, b):
    start = sign_at(feature.excess, a)
    return (start != 0 if feature.plain else start > 0) and not has_root(feature.excess, a, b)


def check_piece(whole, k, piece, closed):
    a, b = Fraction(piece.t0), Fraction(piece.t1)
    where = f"piece {k}, [{piece.t0!r}, {piece.t1!r}]"
    if piece.proof == "n":
        if not direction_separates(whole, piece.direction, a, b):
            raise Rejected(f"{where}: its direction does not separate the pair")
    elif piece.proof == "volume":
        if whole.kind not in ("vf", "ee"):
            raise Rejected(f"{where}: a pair of this kind has no volume")
        if not stays_apart(whole.volume(), a, b):
            raise Rejected(f"{where}: the volume does not stay away from zero")
    elif touches_in(whole, a, b, closed):
        raise Rejected(f"{where}: the pair touches")


def check_free(whole, pair):
    reached = 0.0
    for k, piece in enumerate(pair.free):
        if piece.t0 != reached or not piece.t1 > piece.t0:
            raise Rejected(f"piece {k} goes from {piece.t0!r} to {piece.t1!r}; what is before it ends at {reached!r}")
        reached = piece.t1
        check_piece(whole, k, piece, pair.verdict == "clear" and k + 1 == len(pair.free))
    if reached != pair.toi:
        raise Rejected(f"the pieces end at {reached!r}, not at toi, {pair.toi!r}")


def crosses(feature, a, b):
    if not feature.plain or sign_at(feature.excess, a) * sign_at(feature.excess, b) >= 0:
        return False
    return all(sign_at(p, a) > 0 and not has_root(p, a, b) for p in (feature.extent, *feature.inside))


def weights_at(kind, at):
    u, v = map(Fraction, at)
    return {"vf": [Fraction(1), 1 - u - v, u, v], "ee": [1 - u, u, 1 - v, v], "pe": [Fraction(1), 1 - u, u],
            "pp": [Fraction(1), Fraction(1)]}[kind]


def is_witness(whole, at, t):
    """Two points of the primitives that are no farther apart than the separation and their radii."""
    weights = weights_at(whole.kind, at)
    if min(weights) < 0:
        return False
    reach = whole.separation + sum(w * r for w, r in zip(weights, whole.radii))
    signs = [-1 if i < ROWS_OF_A[whole.kind] else 1 for i in range(len(weights))]
    square = sum(sum(s * w * ((1 - t) * p[c] + t * q[c]) for s, w, p, q in zip(signs, weights, whole.x0, whole.x1)) ** 2
                 for c in range(3))
    return square <= reach ** 2


def contact_holds(whole, pair, hit):
    a, b = Fraction(pair.toi), Fraction(pair.toi_upper)
    if isinstance(hit, tuple):
        return is_witness(whole, hit, b)
    if not whole.uniform:
        return False  # the features are wider than the pair is
    if hit == "crossing":
        return whole.kind in ("vf", "ee") and crosses(whole.volume(), a, b)
    return touches_at(whole, b) if hit == "touching" else touches_in(whole, a, b, True)


def find_contact(pair, guess):
    """The simplest proof that there is of a contact in [toi, toi_upper], or None; `guess` has u and v."""
    whole = Whole(pair)
    for hit in ("crossing", "touching", "exact", guess):
        if contact_holds(whole, pair, hit):
            return hit
    return None


def check(pair):
    """Raises Rejected, and why, unless every claim of the pair is proven."""
    bounded, claims = pair.toi_upper is not None, pair.hit is not None
    if pair.verdict == "clear" and pair.toi != pair.t_max:
        raise Rejected(f"clear, but toi is {pair.toi!r} and t_max {pair.t_max!r}")
    if pair.verdict != "hit" and (bounded or claims):
        raise Rejected("a contact is claimed, but the verdict is not hit")
    if bounded != claims:
        raise Rejected("toi_upper needs a proof of the contact, and a proof toi_upper")
    if bounded and not pair.toi <= pair.toi_upper <= pair.t_max:
        raise Rejected(f"toi_upper is {pair.toi_upper!r}: not between toi, {pair.toi!r}, and t_max")
    if pair.verdict != "clear" and not bounded and not pair.toi < pair.t_max:
        raise Rejected("toi is t_max, and no contact is proven: the verdict must be clear")
    whole = Whole(pair)
    check_free(whole, pair)
    if claims and not contact_holds(whole, pair, pair.hit):
        raise Rejected(f"no contact is proven in [{pair.toi!r}, {pair.toi_upper!r}]")
