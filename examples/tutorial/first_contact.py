"""First contact of a moving point and a moving segment in the plane: boxes that are thrown away or split.

It takes no library. The last lines ask graze about the same motion.
"""

import heapq


def at(path, t):
    """A point that moves on a straight line."""
    return [(1 - t) * x0 + t * x1 for x0, x1 in zip(*path)]


def gap(point, wall, t, s):
    """F(t, s): from the place s on the wall to the point."""
    p, a, b = at(point, t), at(wall[0], t), at(wall[1], t)
    return [x - (y + s * (z - y)) for x, y, z in zip(p, a, b)]


def may_touch(point, wall, box, distance=0.0):
    """False is a proof: F is linear in t and in s, and stays inside of the box around its corner values."""
    t0, t1, s0, s1 = box
    values = [gap(point, wall, t, s) for t in (t0, t1) for s in (s0, s1)]
    largest = max(abs(x) for path in (point, *wall) for end in path for x in end)
    grown = distance + 2**-48 * largest  # more than all roundings above can be
    return all(min(v) <= grown and max(v) >= -grown for v in zip(*values))


def first_contact(point, wall, delta=2**-14, most=100000, distance=0.0):
    """(verdict, time before which nothing touches, boxes looked at)"""
    heap = [(0.0, 1.0, 0.0, 1.0)]  # the earliest box first
    for checks in range(most):
        if not heap:
            return "clear", 1.0, checks
        t0, t1, s0, s1 = box = heapq.heappop(heap)
        if not may_touch(point, wall, box, distance):
            continue
        if max(t1 - t0, s1 - s0) < delta:
            return "hit", t0, checks + 1
        if t1 - t0 >= s1 - s0:
            halves = (t0, (t0 + t1) / 2, s0, s1), ((t0 + t1) / 2, t1, s0, s1)
        else:
            halves = (t0, t1, s0, (s0 + s1) / 2), (t0, t1, (s0 + s1) / 2, s1)
        for half in halves:
            heapq.heappush(heap, half)
    return "unresolved", heap[0][0] if heap else 1.0, most  # still safe: what was thrown away is free


bullet = (1, 3), (9, 4)
wall = ((6, 1), (4, 1)), ((6, 6), (4, 6))  # both ends move left

for delta, most in ((2**-6, 100000), (2**-14, 100000), (2**-14, 12)):
    verdict, t, checks = first_contact(bullet, wall, delta, most)
    print(f"delta {delta:.6f}, at most {most} checks: {verdict}, nothing before t = {t:.5f}, {checks} checks")

import graze

flat = [(*bullet[end], 0) for end in (0, 1)], [[(*side[end], 0) for side in wall] for end in (0, 1)]
found = graze.ccd("pe", [flat[0][0], *flat[1][0]], [flat[0][1], *flat[1][1]])
print(f"graze: {found.verdict}, nothing before t = {found.toi:.5f}")
