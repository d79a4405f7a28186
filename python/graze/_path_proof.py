"""Checks the proof of a free path in whole numbers, as docs/certificates.md says, by code that shares nothing with what
wrote it: Python's integers, and no call of the library.

A number is an integer in units of 2^-BITS. A function of s in [-1, 1] is enclosed by (coefficients, bound): no value is
farther than the bound from the polynomial.
"""

import math
import re
from fractions import Fraction

BITS = 160
ONE = 1 << BITS
DEGREE = 5
MOST_ANGLE = 2.0**20
MOST_HALVINGS = 60
KINDS = {"fixed": 0, "revolute": 1, "prismatic": 1, "spherical": 3, "planar": 3, "free": 6}  # and their values
IDENTITY = [[int(i == j) for j in range(3)] for i in range(3)]


class Rejected(Exception):
    """A claim that is not proven, and why."""


# ---- enclosures ----


def up(x, bits=BITS):
    return -(-x >> bits)


def whole(n):
    return [n * ONE], 0


def number(x, exponent=0):
    """A double, divided by 2^exponent."""
    exact = Fraction(x) * ONE / Fraction(2) ** exponent
    floor = math.floor(exact)
    return [floor], int(exact != floor)


def most(a):
    return sum(map(abs, a[0])) + a[1]


def add(*terms):
    length = max(len(c) for c, _ in terms)
    return [sum(c[k] for c, _ in terms if k < len(c)) for k in range(length)], sum(r for _, r in terms)


def times(a, n):
    return [n * c for c in a[0]], abs(n) * a[1]


def minus(a):
    return times(a, -1)


def sub(a, b):
    return add(a, minus(b))


def mul(a, b):
    exact = [0] * (len(a[0]) + len(b[0]) - 1)
    for i, x in enumerate(a[0]):
        for j, y in enumerate(b[0]):
            exact[i + j] += x * y
    rest = most(a) * b[1] + (most(b) - b[1]) * a[1] + sum(map(abs, exact[DEGREE + 1:]))
    kept = [c >> BITS for c in exact[:DEGREE + 1]]
    bound = up(rest) + len(kept)
    while len(kept) > 1 and not kept[-1]:
        kept.pop()
    return kept, bound


def over(a, n):
    return [c // n for c in a[0]], -(-a[1] // n) + len(a[0])


def least(a):
    """Of a number."""
    if a[0][0] <= a[1]:
        raise Rejected("a length or an angle that cannot be told from zero")
    return a[0][0] - a[1]


def quotient(a, b):
    """Of numbers, the second positive."""
    q = (a[0][0] << BITS) // b[0][0]
    return [q], -(-((a[1] << BITS) + (abs(q) + 1) * b[1]) // least(b)) + 1


def root(a):
    low, high = math.isqrt(least(a) << BITS), math.isqrt((a[0][0] + a[1]) << BITS)
    return [low], high - low + 1


# ---- sine and cosine ----

GUARD = 64
FINE = BITS + GUARD


def _arc_tangent_of_inverse(n):
    total, term, k = 0, (1 << FINE) // n, 0
    while term:
        total += (-1) ** k * (term // (2 * k + 1))
        term //= n * n
        k += 1
    return total


# Machin: each sum has fewer than 200 terms, each off by less than 2
HALF_PI = 8 * _arc_tangent_of_inverse(5) - 2 * _arc_tangent_of_inverse(239)
HALF_PI_ERROR = 4000


def _series(y, k):
    """y^k/k! - y^(k+2)/(k+2)! + … for k = 0, 1 and |y| < 1, to within 300."""
    total, term = 0, y if k else 1 << FINE
    while abs(term) > 1:
        total += term
        term = -((term * y >> FINE) * y >> FINE) // ((k + 1) * (k + 2))
        k += 2
    return total


def _sine_of_middle(x):
    fine = x << GUARD
    k = (2 * fine + HALF_PI) // (2 * HALF_PI)
    y = fine - k * HALF_PI
    s, c = _series(y, 1), _series(y, 0)
    error = up(300 + (abs(k) + 1) * HALF_PI_ERROR, GUARD) + 1
    s, c = ((s, c), (c, -s), (-s, -c), (-c, s))[k % 4]
    return ([s >> GUARD], error), ([c >> GUARD], error)


def sine(a):
    """Sine and cosine, by those of the middle m and of what is left: sin(m + u), cos(m + u)."""
    u = ([0] + list(a[0][1:]), a[1])
    size = most(u)
    if size >= 4 * ONE:
        return ([0], ONE), ([0], ONE)
    square = mul(u, u)
    cube, fourth = mul(square, u), mul(square, square)
    near_s = add(u, minus(over(cube, 6)), over(mul(fourth, u), 120))
    near_c = add(whole(1), minus(over(square, 2)), over(fourth, 24))
    near_s = near_s[0], near_s[1] + up(size**7, 6 * BITS) // 5040 + 1
    near_c = near_c[0], near_c[1] + up(size**6, 5 * BITS) // 720 + 1
    s, c = _sine_of_middle(a[0][0])
    return add(mul(s, near_c), mul(c, near_s)), sub(mul(c, near_c), mul(s, near_s))


# ---- vectors and matrices ----


def dot(a, b):
    return add(*(mul(x, y) for x, y in zip(a, b)))


def cross(a, b):
    return [sub(mul(a[(k + 1) % 3], b[(k + 2) % 3]), mul(a[(k + 2) % 3], b[(k + 1) % 3])) for k in range(3)]


def apply(m, v):
    return [dot(row, v) for row in m]


def product(a, b):
    columns = list(zip(*b))
    return [[dot(row, column) for column in columns] for row in a]


def constant(m):
    return [[whole(x) for x in row] for row in m]


def skew(u):
    zero = whole(0)
    return [[zero, minus(u[2]), u[1]], [u[2], zero, minus(u[0])], [minus(u[1]), u[0], zero]]


def turned(u, s, c):
    """The rotation about the unit vector u: I + sin [u]× + (1 - cos) [u]×²."""
    k = skew(u)
    k2, rest = product(k, k), sub(whole(1), c)
    return [[add(whole(IDENTITY[i][j]), mul(s, k[i][j]), mul(rest, k2[i][j])) for j in range(3)] for i in range(3)]


def exponent_of(values):
    return math.frexp(max(map(abs, values)))[1]


def scaled_back(a, bits):
    return ([c << bits for c in a[0]], a[1] << bits) if bits >= 0 else ([c >> -bits for c in a[0]],
                                                                       up(a[1], -bits) + len(a[0]))


def direction(v):
    """A vector of doubles as unit vector and length; None for zero."""
    if not any(v):
        return None
    exponent = exponent_of(v)
    w = [number(x, exponent) for x in v]
    length = root(dot(w, w))
    return [quotient(x, length) for x in w], scaled_back(length, exponent)


def quaternion_matrix(q):
    if not any(q):
        raise Rejected("a rotation that is zero")
    exponent = exponent_of(q)
    w, *v = (number(x, exponent) for x in q)
    k, n = skew(v), add(mul(w, w), dot(v, v))
    k2 = product(k, k)
    return [[add(whole(IDENTITY[i][j]), quotient(times(add(mul(w, k[i][j]), k2[i][j]), 2), n)) for j in range(3)]
            for i in range(3)]


def vector_matrix(v):
    found = direction(v)
    return constant(IDENTITY) if found is None else turned(found[0], *sine(found[1]))


def quaternion(v):
    found = direction(v)
    if found is None:
        return [whole(1), whole(0), whole(0), whole(0)]
    unit, length = found
    s, c = sine(over(length, 2))
    return [c] + [mul(s, x) for x in unit]


def angle_of(s, c):
    """In [0, π/2]: a guess, mended; the sine of what is missing then bounds it."""
    x = number(math.atan2(max(s[0][0] / ONE, 0), max(c[0][0] / ONE, 0)))[0][0]
    for _ in range(3):
        at_s, at_c = sine(([x], 0))
        missing = sub(mul(s, at_c), mul(c, at_s))
        reached, x = x, x + missing[0][0]
    bound = 2 * most(missing)
    if bound > ONE // 4 or not -ONE // 10 < reached < 16 * ONE // 10:
        raise Rejected("a turn whose angle is not found")
    return [reached], bound


def shorter_turn(start, end):
    """Unit vector and angle from one rotation vector to another; None where they are less than 2^-100 apart."""
    a, b = quaternion(end), quaternion(start)
    w = add(mul(a[0], b[0]), dot(a[1:], b[1:]))
    around = cross(a[1:], b[1:])
    v = [sub(sub(mul(b[0], a[1 + i]), mul(a[0], b[1 + i])), around[i]) for i in range(3)]
    if abs(w[0][0]) <= w[1]:
        raise Rejected("half a circle has no shorter way")
    if w[0][0] < 0:
        w, v = minus(w), [minus(x) for x in v]
    size = max(map(most, v))
    if size >> (BITS - 102) == 0:
        return None
    bits = BITS - size.bit_length()
    near_one = [scaled_back(x, bits) for x in v]
    length = root(dot(near_one, near_one))
    return [quotient(x, length) for x in near_one], times(angle_of(scaled_back(length, -bits), w), 2)


# ---- splines ----


class Piece:
    """A B-spline of joint values, by its degree, knots and control points, from `begin` to `end`, which has no knot
    inside."""

    def __init__(self, path, begin, end):
        self.degree, self.knots = int(path["degree"]), [Fraction(x) for x in path["knots"]]
        self.begin, self.end = Fraction(begin), Fraction(end)
        count = len(path["control"])
        span = max(i for i in range(self.degree, count) if path["knots"][i] <= begin)
        self.first, self.points = span - self.degree, path["control"][span - self.degree:span + 1]

    def values(self, value):
        """The control values that it depends on."""
        return [point[value] for point in self.points]

    def polynomial(self, value):
        """Its coefficients in powers of a time from 0 to 1, exactly: de Boor's algorithm on polynomials."""
        d = [[Fraction(x)] for x in self.values(value)]
        for level in range(1, self.degree + 1):
            for j in range(self.degree, level - 1, -1):
                low, high = self.knots[self.first + j], self.knots[self.first + j + self.degree + 1 - level]
                start, slope = (self.begin - low) / (high - low), (self.end - self.begin) / (high - low)
                a, b = d[j - 1], d[j]
                apart = [y - x for x, y in zip(a, b)]
                d[j] = [(a[k] if k < len(a) else 0) + start * (apart[k] if k < len(apart) else 0)
                        + slope * (apart[k - 1] if k else 0) for k in range(len(a) + 1)]
        return d[self.degree]


# ---- joints ----


def _fits(values):
    if not all(abs(x) <= MOST_ANGLE for x in values):
        raise Rejected("an angle beyond 2^20")


class Joint:
    """A link's motion in its parent's frame."""

    def __init__(self, link, motion, first, index, exponent):
        self.kind, self.motion, self.first, self.exponent = link["joint"], motion, first, exponent
        self.origin = quaternion_matrix(link["rotation"])
        self.position = [number(x, exponent) for x in link["position"]]
        self.axis, self.start, self.slack = [whole(0), whole(0), whole(1)], constant(IDENTITY), 0
        self.turn = None  # coefficients of the angle
        if ("cubic" in motion or "piece" in motion) and self.kind in ("spherical", "free"):
            raise Rejected("a curved path of a joint that is not scalar")
        if self.kind in ("revolute", "prismatic"):
            found = direction(link["axis"])
            if found is None:
                raise Rejected("an axis that is zero")
            self.axis = found[0]
        if self.kind in ("revolute", "planar"):
            self.turn = self._path(2 if self.kind == "planar" else 0, 0, _fits)
        if self.kind in ("spherical", "free"):
            self._set_ball(3 if self.kind == "free" else 0, index)
        self._set_way(bool(motion.get("screws", {index: 0})[index]))

    def _path(self, value, exponent, check=None):
        """The polynomial of a value of this joint, in powers of t."""
        i = self.first + value
        if "piece" in self.motion:
            if check:
                check(self.motion["piece"].values(i))
            return [number(x, exponent) for x in self.motion["piece"].polynomial(i)]
        points = self.motion["cubic"][i] if "cubic" in self.motion else (self.motion["from"][i], self.motion["to"][i])
        if check:
            check(points)
        b = [number(x, exponent) for x in points]
        if len(b) == 2:
            return [b[0], sub(b[1], b[0])]
        return [b[0], times(sub(b[1], b[0]), 3), times(add(b[0], times(b[1], -2), b[2]), 3),
                add(b[3], times(b[2], -3), times(b[1], 3), minus(b[0]))]

    def _set_ball(self, value, index):
        start, end = (self.motion[name][self.first + value:self.first + value + 3] for name in ("from", "to"))
        given = self.motion["turns"][index] if "turns" in self.motion else None
        for vector in (start, end, given or ()):
            _fits(vector)
        self.start = vector_matrix(start)
        if given:
            found = direction(given)
        elif list(start) == list(end):
            found = None
        else:
            found = shorter_turn(start, end)
            self.slack = 0 if found else ONE >> 97  # less than 2^-99 of a turn is left
        if found:
            self.axis, self.turn = found[0], [whole(0), found[1]]

    def _set_way(self, screw):
        count = {"planar": 2, "free": 3}.get(self.kind, 0)
        if screw and not count:
            raise Rejected("a screw of a joint that is neither planar nor free")
        zero = [whole(0), whole(0)]
        if self.kind == "prismatic":
            along = self._path(0, self.exponent)
            paths = [[mul(x, c) for c in along] for x in self.axis]
        else:
            paths = [self._path(k, self.exponent) if k < count else zero for k in range(3)]
        self.screw, self.paths = None, paths
        size = sum(most(path[1]) for path in paths)
        self.bend = up(size, 95) + 1 if screw and self.slack else 0
        if not screw or self.turn is None or not most(self.turn[1]):
            return
        angle, way = self.turn[1], [path[1] for path in paths]
        if most(angle) >> (BITS - 40) == 0:  # hardly bent: by no more than the angle
            self.bend = up(size * 2, 40) + 1
            return
        s, c = sine(over(angle, 2))
        sign = -1 if s[0][0] < 0 else 1
        cotangent = quotient(times(c, sign), times(s, sign))
        along, around = dot(self.axis, way), cross(self.axis, way)
        slide = [mul(along, x) for x in self.axis]
        center = [over(minus(add(sub(way[k], slide[k]), mul(cotangent, around[k]))), 2) for k in range(3)]
        self.screw, self.paths = center, [[path[0], slide[k]] for k, path in enumerate(paths)]

    def frame(self, time):
        """Rotation and position at the times that `time` encloses."""
        rotation = constant(IDENTITY)
        if self.turn:
            rotation = turned(self.axis, *sine(self._at(self.turn, time)))
        place = [self._at(path, time) for path in self.paths]
        if self.screw:  # about a point of the axis: R(t)p - p
            about = turned(self.axis, *sine(mul(self.turn[1], time)))
            place = [add(x, y, minus(p)) for x, y, p in zip(place, apply(about, self.screw), self.screw)]
        place = [(c, r + self.bend) for c, r in place]
        rotation = product(self.origin, product(rotation, self.start))
        rotation = [[(c, r + self.slack) for c, r in row] for row in rotation]
        return rotation, [add(x, y) for x, y in zip(self.position, apply(self.origin, place))]

    @staticmethod
    def _at(path, time):
        value = path[-1]
        for c in reversed(path[:-1]):
            value = add(mul(value, time), c)
        return value


def compose(a, b):
    return product(a[0], b[0]), [add(x, y) for x, y in zip(a[1], apply(a[0], b[1]))]


def seen_from(a, b):
    back = list(zip(*b[0]))
    return product(back, a[0]), apply(back, [sub(x, y) for x, y in zip(a[1], b[1])])


# ---- links and pairs ----


class Scene:
    """Links of a file, with all that follows from what it says of them."""

    def __init__(self, whole_file):
        self.separation, self.t_max = whole_file["separation"], whole_file["t_max"]
        self.links, self.parents, self.bodies, self.firsts, self.models = [], [], [], [], []
        for model in whole_file["models"]:
            base, values = len(self.links), 0
            for link in model["links"]:
                parent = int(link["parent"])
                self.parents.append(-1 if parent < 0 else base + parent)
                held = link["joint"] == "fixed" and parent >= 0
                self.bodies.append(self.bodies[base + parent] if held else len(self.links))
                self.firsts.append(values)
                self.links.append(link)
                values += KINDS[link["joint"]]
            self.models.append((base, len(model["links"]), values))
        self.exponent = exponent_of([self.separation] + [x for link in self.links for row in
                                    (link["position"], (link["padding"],), *link["vertices"]) for x in row])
        self.points = [[[math.floor(Fraction(x) * ONE / Fraction(2) ** self.exponent) for x in v]
                        for v in link["vertices"]] for link in self.links]
        self.boxes = {}

    def is_pair(self, a, b):
        x, y = self.bodies[a], self.bodies[b]
        stand = self.links[x]["joint"] == self.links[y]["joint"] == "fixed"
        return bool(self.links[a]["faces"] and self.links[b]["faces"] and x != y and not stand
                    and self.parents[a] != b and self.parents[b] != a)

    def joints(self, motions):
        return [Joint(self.links[base + i], motion, self.firsts[base + i], i, self.exponent)
                for (base, count, _), motion in zip(self.models, motions) for i in range(count)]

    def contact(self, a, b):
        parts = (self.separation, self.links[a]["padding"], self.links[b]["padding"])
        return math.ceil(sum(map(Fraction, parts)) * ONE / Fraction(2) ** self.exponent)

    def corners(self, link, first, count):
        """Of one face its corners as (low, high), else the corners of the box around all."""
        if (link, first, count) not in self.boxes:
            faces = self.links[link]["faces"][first:first + count]
            points = [self.points[link][int(v)] for face in faces for v in face]
            self.boxes[link, first, count] = ([(p, p) for p in points] if count == 1 else
                                              [([min(x) for x in zip(*points)], [max(x) for x in zip(*points)])])
        return self.boxes[link, first, count]


# ---- following a proof ----

TOKEN = re.compile(r"[abtxyzkXYZK]|(\((?:-?\d{1,18},){2}-?\d{1,18}\))|(\[(?:-?\d{1,18},){2}-?\d{1,18}\])")
LEADING_ZERO = re.compile(r"(?<!\d)0\d")
AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


class Walk:
    def __init__(self, scene, joints, a, b, text):
        self.scene, self.joints, self.pair, self.text, self.at = scene, joints, (a, b), text, 0
        self.contact, self.guides = scene.contact(a, b), [None, None]

    def run(self):
        roots = tuple((0, len(self.scene.links[link]["faces"])) for link in self.pair)
        self.window(0, 0, [roots])
        if self.at != len(self.text):
            raise Rejected("it goes on after all is apart")

    def token(self):
        found = TOKEN.match(self.text, self.at)
        if not found or LEADING_ZERO.search(found.group()):
            raise Rejected("it ends too early, or a letter means nothing")
        self.at = found.end()
        return found.group()

    def window(self, halvings, place, front):
        if halvings > MOST_HALVINGS:
            raise Rejected("time is halved too often")
        self.frames, self.place = None, (halvings, place)
        left = []
        for nodes in front:
            stack = [nodes]
            while stack:
                self.letter(stack, left)
        if left:
            self.window(halvings + 1, 2 * place, left)
            self.window(halvings + 1, 2 * place + 1, left)

    def letter(self, stack, left):
        nodes, token = stack.pop(), self.token()
        if token == "t":
            left.append(nodes)
        elif token in "ab":
            side = "ab".index(token)
            first, count = nodes[side]
            if count == 1:
                raise Rejected("a single triangle cannot be split")
            halves = (first, count // 2), (first + count // 2, count - count // 2)
            stack += [tuple(half if i == side else nodes[i] for i in range(2)) for half in reversed(halves)]
        else:
            which = int(token[0] in "XYZK[")  # whose frame: 0 that of b
            if token[0] in "([":
                self.guides[which] = tuple(int(n) for n in token[1:-1].split(","))
            n = self.guides[which] if token[0] in "([kK" else AXES[token.lower()]
            if not n or not any(n):
                raise Rejected("a direction that is zero, or was not given before")
            if not self.apart(nodes, which, n):
                raise Rejected(f"not apart in window {self.place[1]} of 2^{self.place[0]}")

    def chain(self, link, ancestor, time):
        frame = constant(IDENTITY), [whole(0)] * 3
        while link != ancestor:
            frame = compose(self.joints[link].frame(time), frame)
            link = self.scene.parents[link]
        return frame

    def ancestor(self):
        a, b = self.pair
        while a != b:
            if a > b:
                a = self.scene.parents[a]
            else:
                b = self.scene.parents[b]
        return a

    def seen(self, which):
        """The link that moves, 0: a, as the other one sees it in this window."""
        if self.frames is None:
            halvings, place = self.place
            part = Fraction(self.scene.t_max) * ONE / 2 ** (halvings + 1)
            time = [math.floor(part * (2 * place + 1)), math.floor(part)], 2
            chains = [self.chain(link, self.ancestor(), time) for link in self.pair]
            self.frames = [seen_from(*chains), seen_from(*reversed(chains))]
        return self.frames[which]


    def corners(self, side, nodes):
        return self.scene.corners(self.pair[side], *nodes[side])

    def apart(self, nodes, which, n):
        rotation, place = self.seen(which)
        axes = [add(*(times(rotation[i][j], n[i]) for i in range(3))) for j in range(3)]
        position = add(*(times(place[i], n[i]) for i in range(3)))
        moving = [self.sweep(axes, position, *box) for box in self.corners(which, nodes)]
        standing = [self.stand(n, *box) for box in self.corners(1 - which, nodes)]
        gap = max(min(low for low, _ in moving) - max(high for _, high in standing),
                  min(low for low, _ in standing) - max(high for _, high in moving))
        return gap > 0 and gap**2 > (self.contact * 2 << BITS) ** 2 * sum(x * x for x in n)

    @staticmethod
    def sweep(axes, position, low, high):
        """Twice where points of the box are along the direction, in units of 2^(-2 BITS). Coordinates are in
        [low, high + 1]."""
        length = max(len(c) for c, _ in (*axes, position))
        twice = [(position[0][k] << BITS + 1 if k < len(position[0]) else 0)
                 + sum(axes[j][0][k] * (low[j] + high[j] + 1) for j in range(3) if k < len(axes[j][0]))
                 for k in range(length)]
        rest = position[1] << BITS + 1
        for j in range(3):
            rest += axes[j][1] * abs(low[j] + high[j] + 1) + most(axes[j]) * (high[j] - low[j] + 1)
        ends = [twice[0], twice[0]]
        for k in range(1, length):  # even powers of s are in [0, 1], odd ones in [-1, 1]
            bounds = (0, twice[k]) if k % 2 == 0 else (-twice[k], twice[k])
            ends = [ends[0] + min(bounds), ends[1] + max(bounds)]
        return ends[0] - rest, ends[1] + rest

    @staticmethod
    def stand(n, low, high):
        ends = [sorted((n[j] * low[j], n[j] * (high[j] + 1))) for j in range(3)]
        return sum(e[0] for e in ends) << BITS + 1, sum(e[1] for e in ends) << BITS + 1


def check(scene, joints, a, b, text):
    """Raises Rejected where the text does not prove links a and b apart on this path."""
    Walk(scene, joints, a, b, text).run()
