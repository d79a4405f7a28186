"""Checks what a certificate says of ranges of joint values, as docs/certificates.md says: Python's integers, and no call
of the library.

A form is (coefficients, bound): c0 + c1·ξ1 + … with every ξ in [-1, 1], no value farther from it than the bound. An
interval is (low, high). All are integers in units of 2^-BITS.
"""

import math
import re
from collections import Counter
from fractions import Fraction

from ._path_proof import (BITS, IDENTITY, KINDS, ONE, Joint, Rejected, add, apply, constant, direction, minus, most, mul,
                          number, product, quaternion_matrix, sine, skew, sub, times, up, whole)

MOST_VALUES, MOST_HALVINGS, MOST_DEPTH, PLACES = 16, 60, 900, 8

# ---- forms: those of _path_proof.py are added and measured in the same way ----


def f_mul(a, b):
    length = max(len(a[0]), len(b[0]))
    x, y = (list(c) + [0] * (length - len(c)) for c in (a[0], b[0]))
    exact = [x[0] * y[0]] + [x[0] * y[k] + x[k] * y[0] for k in range(1, length)]
    rest = sum(map(abs, x[1:])) * sum(map(abs, y[1:])) + most(a) * b[1] + sum(map(abs, y)) * a[1]
    return [c >> BITS for c in exact], up(rest) + length


def f_dot(a, b):
    return add(*(f_mul(x, y) for x, y in zip(a, b)))


def f_number(a):
    return [a[0][0]], a[1]


def f_value(middle, half, variable):
    return [middle[0][0]] + [0] * (variable - 1) + [half[0][0]], middle[1] + half[1]


def f_turn(half, variable):
    """Sine and cosine of half·ξ: ξ³ is within 1/4 of 3/4 ξ, ξ² within 1/2 of 1/2, ξ⁴ too; series end at the fifth and
    sixth power."""
    h = abs(half[0][0]) + half[1]
    powers = [ONE]
    for _ in range(6):
        powers.append(up(powers[-1] * h))
    if h > 2 * ONE:
        return ([0], ONE), ([0], ONE)
    slope = sub(half, ([mul(half, mul(half, half))[0][0] // 8], mul(half, mul(half, half))[1] + 1))
    s = [0] * variable + [slope[0][0]], slope[1] + powers[3] // 24 + powers[5] // 120 + 2
    c = [ONE - powers[2] // 4 + powers[4] // 48], powers[2] // 4 + powers[4] // 48 + powers[6] // 720 + 8
    return s, c


# ---- joints ----


class RangeJoint:
    """Parts of a link's frame: fixed + cos·cosine + sin·sine, or a position along an axis."""

    def __init__(self, link, index, stand, exponent):
        self.kind = link["joint"]
        self.single = KINDS[self.kind] == 1
        if not self.single:
            self.still = Joint(link, {"from": stand, "to": stand}, 0, index, exponent).frame(whole(0))
            return
        origin = quaternion_matrix(link["rotation"])
        self.position = [f_number(number(x, exponent)) for x in link["position"]]
        found = direction(link["axis"])
        if found is None:
            raise Rejected("an axis that is zero")
        self.fixed = [[f_number(x) for x in row] for row in origin]
        if self.kind == "prismatic":
            # lengths are divided by 2^exponent, and so is the step that a value of 1 makes
            unit = number(1.0, exponent)
            self.along = [f_number(x) for x in apply(origin, [mul(unit, x) for x in found[0]])]
            return
        k = skew(found[0])
        k2 = product(k, k)
        self.sine = product(origin, k)
        self.cosine = [[minus(x) for x in row] for row in product(origin, k2)]
        self.fixed = [[f_number(sub(x, y)) for x, y in zip(*rows)] for rows in zip(origin, self.cosine)]

    def frame(self, middle, half, variable):
        if not self.single:
            return ([[f_number(x) for x in row] for row in self.still[0]], [f_number(x) for x in self.still[1]])
        if self.kind == "prismatic":
            value = f_value(middle, half, variable)
            return self.fixed, [add(p, f_mul(a, value)) for p, a in zip(self.position, self.along)]
        s, c = sine(middle)
        near_s, near_c = f_turn(half, variable)
        rows = []
        for fixed, cosine, sines in zip(self.fixed, self.cosine, self.sine):
            p = [f_number(add(mul(x, c), mul(y, s))) for x, y in zip(cosine, sines)]
            q = [f_number(sub(mul(y, c), mul(x, s))) for x, y in zip(cosine, sines)]
            rows.append([add(f, f_mul(x, near_c), f_mul(y, near_s)) for f, x, y in zip(fixed, p, q)])
        return rows, self.position


def f_compose(a, b):
    columns = list(zip(*b[0]))
    return ([[f_dot(row, column) for column in columns] for row in a[0]],
            [add(x, f_dot(row, b[1])) for x, row in zip(a[1], a[0])])


# ---- cells ----


class Ranges:
    """The ranges of all joint values, and the joints of all links."""

    def __init__(self, scene, ranges):
        self.scene, self.ranges, base = scene, ranges, 0
        self.first = []
        for first, count, values in scene.models:
            self.first += [base + scene.firsts[first + i] for i in range(count)]
            base += values
        self.joints = []
        for first, count, _ in scene.models:
            for i in range(count):
                link, value = scene.links[first + i], self.first[first + i]
                stand = [ranges[value + k][0] for k in range(KINDS[link["joint"]])] if KINDS[link["joint"]] > 1 else []
                self.joints.append(RangeJoint(link, i, stand, scene.exponent))

    def leader(self, value):
        given = self.ranges[value]
        return int(given["follows"]) if isinstance(given, dict) else value

    def above(self, link, ancestor):
        """Links from the ancestor down to this one."""
        found = []
        while link != ancestor:
            found.append(link)
            link = self.scene.parents[link]
        return found[::-1]

    def ancestor(self, a, b):
        while a != b:
            if a > b:
                a = self.scene.parents[a]
            else:
                b = self.scene.parents[b]
        return a

    def variables(self, pair):
        found = []
        for link in pair:
            for i in self.above(link, self.ancestor(*pair)):
                if self.joints[i].single and self.leader(self.first[i]) not in found:
                    found.append(self.leader(self.first[i]))
        if len(found) > MOST_VALUES:
            raise Rejected("too many values between them")
        return found

    def frames(self, pair, parts):
        """Of both links. `parts` has (low, high) of every value between them."""
        places = {value: k + 1 for k, value in enumerate(parts)}
        made = []
        for link in pair:
            frame = [[([ONE * x], 0) for x in row] for row in IDENTITY], [([0], 0)] * 3
            for i in self.above(link, self.ancestor(*pair)):
                middle, half, variable = whole(0), whole(0), 0
                if self.joints[i].single:
                    given, value = self.ranges[self.first[i]], self.leader(self.first[i])
                    low, high = parts[value]
                    middle, half, variable = (low + high) / 2, (high - low) / 2, places[value]
                    if isinstance(given, dict):
                        factor = Fraction(given["multiplier"])
                        middle, half = middle * factor + Fraction(given["offset"]), half * factor
                    middle, half = number(middle), number(half)
                frame = f_compose(frame, self.joints[i].frame(middle, half, variable))
            made.append(frame)
        return made


TOKEN = re.compile(r"[abcu]|<(\d{1,18})>|h?(?:[xyz0-7]|\((?:-?\d{1,18},){2}-?\d{1,18}\))")
LEADING_ZERO = re.compile(r"(?<!\d)0\d")
AXES = {"x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}


class RangeWalk:
    def __init__(self, ranges, a, b, text, share):
        self.ranges, self.scene, self.pair, self.text, self.at = ranges, ranges.scene, (a, b), text, 0
        self.contact, self.share, self.open = ranges.scene.contact(a, b), Fraction(share), Fraction(0)
        self.places, self.given, self.cells = {}, 0, 0

    def run(self):
        parts = {value: tuple(map(Fraction, self.ranges.ranges[value])) for value in self.ranges.variables(self.pair)}
        roots = tuple((0, len(self.scene.links[link]["faces"])) for link in self.pair)
        self.cell(parts, {value: 0 for value in parts}, [roots])
        if self.at != len(self.text):
            raise Rejected("it goes on after all is apart")
        if self.open > self.share:
            raise Rejected("more is given up than the file says")

    def token(self):
        found = TOKEN.match(self.text, self.at)
        if not found or LEADING_ZERO.search(found.group()):
            raise Rejected("it ends too early, or a letter means nothing")
        self.at = found.end()
        return found.group()

    def cell(self, parts, halvings, front):
        self.frames, left = None, []
        self.cells += 1
        for nodes in front:
            stack = [nodes]
            while stack:
                if not self.letter(parts, stack, left):
                    self.open += Fraction(1, 2 ** sum(halvings.values()))
                    return
        if not left:
            return
        token = self.token()
        if token == "u":
            self.open += Fraction(1, 2 ** sum(halvings.values()))
            return
        if token[0] != "<" or int(token[1:-1]) not in parts:
            raise Rejected("it does not say how to cut the cell")
        value = int(token[1:-1])
        if halvings[value] == MOST_HALVINGS or sum(halvings.values()) == MOST_DEPTH:
            raise Rejected("a cell is cut too often")
        low, high = parts[value]
        for half in ((low, (low + high) / 2), ((low + high) / 2, high)):
            self.cell({**parts, value: half}, {**halvings, value: halvings[value] + 1}, left)

    def letter(self, parts, stack, left):
        """False: the cell is given up."""
        nodes, token = stack.pop(), self.token()
        if token == "u":
            return False
        if token == "c":
            left.append(nodes)
        elif token in "ab":
            side = "ab".index(token)
            first, count = nodes[side]
            if count == 1:
                raise Rejected("a single triangle cannot be split")
            halves = (first, count // 2), (first + count // 2, count - count // 2)
            stack += [tuple(half if i == side else nodes[i] for i in range(2)) for half in reversed(halves)]
        elif token[0] == "<":
            raise Rejected("a cut where a letter is expected")
        elif not self.apart(parts, nodes, self.direction(token.lstrip("h")), token[0] == "h"):
            raise Rejected(f"not apart in cell {self.cells - 1}")
        return True

    def direction(self, token):
        if token in AXES:
            return AXES[token]
        if token[0] == "(":
            self.places[self.given % PLACES] = tuple(int(n) for n in token[1:-1].split(","))
            token, self.given = str(self.given % PLACES), self.given + 1
        n = self.places.get(int(token))
        if not n or not any(n):
            raise Rejected("a direction that is zero, or was not given before")
        return n

    def boxes(self, side, node, corners):
        """(low, high) of points, or of the box around all."""
        first, count = node
        if not corners or count == 1:
            return self.scene.corners(self.pair[side], first, count)
        faces = self.scene.links[self.pair[side]]["faces"][first:first + count]
        points = self.scene.points[self.pair[side]]
        return [(points[v], points[v]) for v in {int(v) for face in faces for v in face}]

    def apart(self, parts, nodes, n, corners):
        if self.frames is None:
            self.frames = self.ranges.frames(self.pair, parts)
        ends = []
        for side, (rotation, place) in enumerate(self.frames):
            axes = [add(*(times(rotation[i][j], n[i]) for i in range(3))) for j in range(3)]
            position = add(*(times(place[i], n[i]) for i in range(3)))
            swept = [sweep(axes, position, *box) for box in self.boxes(side, nodes[side], corners)]
            ends.append((min(low for low, _ in swept), max(high for _, high in swept)))
        gap = max(ends[0][0] - ends[1][1], ends[1][0] - ends[0][1])
        return gap > 0 and gap**2 > (self.contact * 2 << BITS) ** 2 * sum(x * x for x in n)


def sweep(axes, position, low, high):
    """Twice where points of the box are, in units of 2^(-2 BITS). Coordinates are in [low, high + 1]."""
    length = max(len(c) for c, _ in (*axes, position))
    twice = [(position[0][k] << BITS + 1 if k < len(position[0]) else 0)
             + sum(axes[j][0][k] * (low[j] + high[j] + 1) for j in range(3) if k < len(axes[j][0]))
             for k in range(length)]
    rest = (position[1] << BITS + 1) + sum(map(abs, twice[1:]))
    for j in range(3):
        rest += axes[j][1] * abs(low[j] + high[j] + 1) + most(axes[j]) * (high[j] - low[j] + 1)
    return twice[0] - rest, twice[0] + rest


# ---- poses ----


def i_sub(a, b):
    return a[0] - b[1], a[1] - b[0]


def i_mul(a, b):
    all_four = [x * y for x in a for y in b]
    return min(all_four), max(all_four)


def i_sign(a):
    return 1 if a[0] > 0 else -1 if a[1] < 0 else 0


def determinant(a, b, c):
    total = (0, 0)
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        term = i_mul(a[i], i_sub(i_mul(b[j], c[k]), i_mul(b[k], c[j])))
        total = total[0] + term[0], total[1] + term[1]
    return total


def vector(a, b):
    return [i_sub(x, y) for x, y in zip(b, a)]


RAYS = [(1013, 97, 61), (-43, 1009, 89), (67, -53, 991), (-1021, 71, -83), (29, -997, 103), (-79, 101, -1009)]


class Pose:
    """Both links at one pose, every coordinate an interval."""

    def __init__(self, ranges, pair, values):
        self.scene, self.pair = ranges.scene, pair
        parts = {value: (Fraction(values[value]),) * 2 for value in ranges.variables(pair)}
        self.points = []
        for link, (rotation, place) in zip(pair, ranges.frames(pair, parts)):
            self.points.append([[self._coordinate(row, p, x) for row, p in zip(rotation, place)]
                                for x in ranges.scene.points[link]])

    @staticmethod
    def _coordinate(row, p, x):
        middle = (p[0][0] << BITS) + sum(a[0][0] * c for a, c in zip(row, x))
        error = (p[1] << BITS) + sum(a[1] * abs(c) + most(a) for a, c in zip(row, x))
        return (middle - error) >> BITS, up(middle + error)

    def faces(self, side):
        return [[int(v) for v in face] for face in self.scene.links[self.pair[side]]["faces"]]

    def corners(self, side, face):
        return [self.points[side][v] for v in self.faces(side)[int(face)]]

    @staticmethod
    def line_pierces(x, d, corners):
        to = [vector(x, c) for c in corners]
        signs = [i_sign(determinant(d, to[k], to[(k + 1) % 3])) for k in range(3)]
        if 1 in signs and -1 in signs:
            return -1
        return 0 if 0 in signs else 1

    @staticmethod
    def side_of(corners, d):
        return i_sign(determinant(vector(corners[0], corners[1]), vector(corners[0], corners[2]), d))

    def crosses(self, faces):
        for side in range(2):
            one, other = self.corners(side, faces[side]), self.corners(1 - side, faces[1 - side])
            for k in range(3):
                x, y = one[k], one[(k + 1) % 3]
                sides = [self.side_of(other, vector(other[0], end)) for end in (x, y)]
                if sides[0] * sides[1] < 0 and self.line_pierces(x, vector(x, y), other) > 0:
                    return True
        return False

    def within(self, faces, at):
        """Two points, by u and v, no farther apart than the separation and both paddings."""
        points = []
        for side in range(2):
            u, v = Fraction(at[2 * side]), Fraction(at[2 * side + 1])
            weights = 1 - u - v, u, v
            points.append([tuple(sum(w * c[i][end] for w, c in zip(weights, self.corners(side, faces[side])))
                                 for end in range(2)) for i in range(3)])
        apart = sum(max(abs(low), abs(high))**2 for low, high in (i_sub(x, y) for x, y in zip(*points)))
        links = [self.scene.links[link] for link in self.pair]
        reach = sum(map(Fraction, (self.scene.separation, *(link["padding"] for link in links))))
        return apart <= (reach * ONE / Fraction(2) ** self.scene.exponent)**2

    def parts(self, side):
        """(faces, closed) of what vertices join."""
        joined, faces = {}, self.faces(side)

        def root(v):
            while joined.setdefault(v, v) != v:
                v = joined[v]
            return v
        for face in faces:
            for v in face[1:]:
                joined[root(v)] = root(face[0])
        groups = {}
        for face in faces:
            groups.setdefault(root(face[0]), []).append(face)
        for group in groups.values():
            edges = Counter(frozenset((face[k], face[(k + 1) % 3])) for face in group for k in range(3))
            yield group, all(len(edge) == 2 and count == 2 for edge, count in edges.items())

    def vertex_inside(self, x, closed, points):
        box = [(min(p[i][0] for p in points), max(p[i][1] for p in points)) for i in range(3)]
        if any(i_sign(i_sub(c, (high, high))) > 0 or i_sign(i_sub((low, low), c)) > 0 for c, (low, high) in zip(x, box)):
            return -1
        for ray in RAYS:
            answers = [self._odd(x, [(n, n) for n in ray], faces, points) for faces in closed]
            if None not in answers:
                return 1 if any(answers) else -1
        return 0

    def _odd(self, x, d, faces, points):
        passes = 0
        for face in faces:
            corners = [points[v] for v in face]
            pierces = self.line_pierces(x, d, corners)
            if pierces < 0:
                continue
            sides = self.side_of(corners, vector(x, corners[0])) * self.side_of(corners, d)
            if not pierces or not sides:
                return None
            passes += sides > 0
        return passes % 2 == 1

    def inside(self, side):
        """True if a part of one link is in a closed part of the other: 1 and -1 are certain."""
        closed = [faces for faces, is_closed in self.parts(1 - side) if is_closed]
        answers = [self.vertex_inside(self.points[side][faces[0][0]], closed, self.points[1 - side])
                   for faces, _ in self.parts(side)]
        return 1 if 1 in answers else 0 if 0 in answers else -1


    def middle_inside(self, side, face):
        """True if a point in the middle of a face is in a closed part of the other link."""
        third = Fraction(1, 3)
        x = [tuple(sum(third * c[i][end] for c in self.corners(side, face)) for end in range(2)) for i in range(3)]
        closed = [faces for faces, is_closed in self.parts(1 - side) if is_closed]
        return self.vertex_inside(x, closed, self.points[1 - side]) > 0


def check(ranges, a, b, claim):
    """Raises Rejected where the claim about links a and b is not proven."""
    if "touch" in claim:
        pose = Pose(ranges, (a, b), claim["touch"])
        if isinstance(claim.get("inside"), list):
            good = pose.middle_inside(*map(int, claim["inside"]))
        elif "inside" in claim:
            good = pose.inside(0) > 0 or pose.inside(1) > 0
        else:
            good = pose.crosses(claim["faces"]) or ("at" in claim and pose.within(claim["faces"], claim["at"]))
        if not good:
            raise Rejected("the links are not seen to touch at this pose")
        return
    text = claim.get("clear", claim.get("rest"))
    if text is not None:
        RangeWalk(ranges, a, b, text, claim.get("open", 0)).run()
    if "clear" in claim:
        middle = [None if isinstance(r, dict) else min(max(0.5 * r[0] + 0.5 * r[1], r[0]), r[1]) for r in ranges.ranges]
        pose = Pose(ranges, (a, b), middle)
        if pose.inside(0) >= 0 or pose.inside(1) >= 0:
            raise Rejected("one link may be inside the other")
