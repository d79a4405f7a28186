"""Calls with callbacks that signals interrupt at random moments: each has to end as it would have, or raise what the handler
raised.

As a script: interrupts.py COUNT [SEED] makes COUNT interrupted calls and says how they ended. It exits 1 where an answer is
false or an exception was lost.
"""

import ctypes
import os
import random
import signal
import sys
import tempfile
import time

import numpy as np

import graze
import graze.ipctk as ipctk


class Interrupt(Exception):
    """Of the handler."""


class _At(ctypes.Structure):
    _fields_ = [("interval", ctypes.c_long * 2), ("value", ctypes.c_long * 2)]


class Timer:
    """Sends one signal to the process after a time: setitimer has SIGALRM alone."""

    def __init__(self, number):
        self.libc, self.timer = ctypes.CDLL(None), ctypes.c_void_p()
        event = (ctypes.c_int32 * 16)(0, 0, number, 0)  # struct sigevent: value, signal, SIGEV_SIGNAL
        assert self.libc.timer_create(1, event, ctypes.byref(self.timer)) == 0

    def set(self, seconds):
        at = _At((0, 0), (int(seconds), int(seconds % 1 * 1e9)))
        assert self.libc.timer_settime(self.timer, 0, ctypes.byref(at), None) == 0

    def close(self):
        self.libc.timer_delete(self.timer)


def sheets(side, gap=1.0, drop=2.0):
    """Two square sheets, of which the upper one falls through the lower one at half of the way."""
    across = np.arange(side) / (side - 1.0)
    grid = np.array([[x, y, 0.0] for y in across for x in across])
    cells = [(i, i + 1, i + side, i + side + 1) for r in range(side - 1) for i in range(r * side, r * side + side - 1)]
    faces = np.array([t for a, b, c, d in cells for t in ((a, b, c), (b, d, c))])
    x0 = np.vstack([grid, grid * 0.9 + [0.04, 0.03, gap]])
    x1 = x0.copy()
    x1[len(grid):, 2] -= drop
    return x0, x1, np.vstack([faces, faces + len(grid)])


def calls():
    """Name, a call with callbacks, and whether what it returns is right."""
    x0, x1, faces = sheets(4)
    half = len(x0) // 2

    def apart(kind, a, b):
        return True
    mesh = graze.Mesh.from_faces(len(x0), faces, filter=apart)
    large = sheets(9)
    large_mesh = graze.Mesh.from_faces(len(large[0]), large[2], filter=apart)
    plain = graze.Mesh.from_faces(len(x0), faces)
    collision = ipctk.CollisionMesh(x0, ipctk.edges(faces), faces)
    collision.can_collide = lambda i, j: (i < half) != (j < half)
    plate = [[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]]
    models = [graze.Model.rigid(*plate), graze.Model.obstacle(*plate)]
    away = [([0, 0, 1, 0, 0, 0], [0, 0, 0.5, 0.1, 0, 0]), None]
    path = os.path.join(tempfile.mkdtemp(), "proof.json")
    listed, touching = len(graze.candidates(x0, x1, plain)), len(graze.active_set(x0, x1, plain))

    def hits(found):
        return found.verdict == "hit" and abs(found.toi - 0.5) < 1e-6

    def height(x):
        return float(x[half:, 2].sum())
    return [
        ("step", lambda: graze.step(x0, x1, mesh), hits),
        ("step on threads", lambda: graze.step(large[0], large[1], large_mesh), hits),
        ("step, all", lambda: graze.step(x0, x1, mesh, mode="all"), lambda found: len(found.pairs) == touching),
        ("step_to", lambda: graze.step_to(x0, x1, mesh), lambda found: 0.49 < found[1].alpha <= 0.5),
        ("candidates", lambda: graze.candidates(x0, x1, mesh), lambda found: len(found) == listed),
        ("active_set", lambda: graze.active_set(x0, x1, mesh), lambda found: len(found) == touching),
        ("line_search, filter", lambda: graze.line_search(x0, x1, mesh), lambda found: 0.3 < found[1].alpha < 0.5),
        ("line_search, energy", lambda: graze.line_search(x0, x1, plain, energy=height),
         lambda found: 0.3 < found[1].alpha < 0.5 and found[1].energy == height(found[0])),
        ("certificate", lambda: graze.articulated_certificate(path, models, away), lambda found: found.verdict == "clear"),
        ("ipctk", lambda: ipctk.compute_collision_free_stepsize(collision, x0, x1), lambda found: 0.3 < found < 0.5),
    ]


class Run:
    """Interrupts calls, and counts how they end."""

    def __init__(self, number, seed):
        self.random, self.timer, self.number = random.Random(seed), Timer(number), number
        self.seen = 0
        self.ends = {"answered": 0, "raised": 0, "false": [], "lost": []}

    def handler(self, *_):
        self.seen += 1
        raise Interrupt

    def interrupt(self, name, call, is_right, longest):
        before, found, raised = self.seen, None, None
        try:
            self.timer.set(max(self.random.uniform(0, longest), 1e-6))
            found = call()
            self.timer.set(0)
        except Interrupt:
            raised = "Interrupt"
        except BaseException as error:
            raised = repr(error)
        try:
            self.timer.set(0)
        except Interrupt:
            raised = "Interrupt"
        self._count(name, found, raised, self.seen > before, is_right)

    def _count(self, name, found, raised, came, is_right):
        if found is not None and not is_right(found):
            self.ends["false"].append(f"{name}: {found}")
        elif came and raised != "Interrupt" or raised not in (None, "Interrupt"):
            self.ends["lost"].append(f"{name}: {raised}")
        else:
            self.ends["raised" if raised else "answered"] += 1

    def make(self, count, names=None):
        """`count` calls that were interrupted, or answered just before."""
        chosen = [entry for entry in calls() if names is None or entry[0] in names]
        longest = {}
        for name, call, is_right in chosen:
            times = []
            for _ in range(5):
                begin = time.perf_counter()
                assert is_right(call()), name
                times.append(time.perf_counter() - begin)
            longest[name] = 1.1 * sorted(times)[2]
        before = signal.signal(self.number, self.handler)
        try:
            while self.ends["raised"] + len(self.ends["false"]) + len(self.ends["lost"]) < count:
                name, call, is_right = self.random.choice(chosen)
                self.interrupt(name, call, is_right, longest[name])
        finally:
            signal.signal(self.number, before)
            self.timer.close()
        return self.ends


def main(count, seed=1):
    failed = False
    for number in (signal.SIGALRM, signal.SIGINT):
        ends = Run(number, seed).make(count // 2)
        for kind in ("false", "lost"):
            print(*sorted({line[:150] for line in ends[kind]})[:5], sep="\n")
        print(f"{number.name}: {ends['raised']} raised, {ends['answered']} answered before, {len(ends['false'])} false answers, "
              f"{len(ends['lost'])} lost", flush=True)
        failed = failed or ends["false"] or ends["lost"]
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
