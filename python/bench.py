"""Cost of calling from Python over calling from C: ./dev python bench

The same calls, in turns, from a program in C (tests/c_calls.c) and from here, on one thread; CPU time, least of all
turns. Exits 1 where a ratio is above its limit: 1.05 for a batch of 10^6 queries with out=, 1.03 for a step of
cloth-ball. The bits of both are compared in the same run. What conversions cost is shown below, without a limit.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

os.environ["GRAZE_NUM_THREADS"] = "1"
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "tests"))

import numpy as np  # noqa: E402

import against_c  # noqa: E402
import graze  # noqa: E402
from shapes import queries, same_bits  # noqa: E402

QUERIES, TURNS = 1_000_000, 15


def seconds(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


def in_turns(from_c, call):
    """Least CPU time in C and here. The garbage of one turn is not the next one's."""
    call()
    turns = [(from_c.seconds(), seconds(call)) for _ in range(TURNS)]
    return tuple(map(min, zip(*turns)))


def cloth_ball(folder):
    """Two frames: of GRAZE_DATA, else made by the program."""
    frames = pathlib.Path(os.environ.get("GRAZE_DATA", "none")) / "scenes" / "cloth-ball" / "frames"
    if not frames.exists():
        frames = pathlib.Path(folder) / "scene"
        subprocess.run([os.environ["GRAZE_PROGRAM"], "scene", "cloth-ball", "--out", frames, "--frames", "12", "--size",
                        "120"], check=True, stdout=subprocess.DEVNULL)
    listed = graze.read_frames(frames)
    return graze.read_mesh_pair(listed[-2][1], listed[-1][1])


def report(name, c, python, limit=None):
    ratio = python / c
    over = limit is not None and ratio > limit
    print(f"{name:44}{1e3 * c:10.2f}{1e3 * python:10.2f}{ratio:9.4f}" + (f"  over {limit}" if over else ""))
    return over


def bench_batch(folder):
    x0, x1 = queries(QUERIES)
    out = np.zeros(QUERIES, dtype=graze.RESULT)
    with against_c.batch(folder, "vf", x0, x1) as from_c:
        c, python = in_turns(from_c, lambda: graze.ccd_batch("vf", x0, x1, out=out))
        assert same_bits(out, from_c.results), "the bits differ"
    over = report(f"{QUERIES} queries, out=", c, python, limit=1.05)
    floats = x0.astype(np.float32), x1.astype(np.float32)
    fortran = np.asfortranarray(x0), np.asfortranarray(x1)
    for name, call in [("  results in a new array", lambda: graze.ccd_batch("vf", x0, x1)),
                       ("  float32, copied", lambda: graze.ccd_batch("vf", *floats, out=out)),
                       ("  Fortran order, read as it lies", lambda: graze.ccd_batch("vf", *fortran, out=out))]:
        report(name, c, min(seconds(call) for _ in range(5)))
    return over


def bench_step(folder):
    a, b = cloth_ball(folder)
    mesh = graze.Mesh.from_faces(len(a.positions), a.faces)
    with against_c.step(folder, a.positions, b.positions, a.faces) as from_c:
        c, python = in_turns(from_c, lambda: graze.step(a.positions, b.positions, mesh))
        found = graze.step(a.positions, b.positions, mesh)
        assert (found.toi, found.toi_upper) == (from_c.results.toi, from_c.results.toi_upper), "the bits differ"
    over = report(f"a step of cloth-ball, {len(a.faces)} faces", c, python, limit=1.03)
    fortran = np.asfortranarray(a.positions), np.asfortranarray(b.positions)
    report("  Fortran order, copied", c, min(seconds(lambda: graze.step(*fortran, mesh)) for _ in range(5)))
    return over


def main():
    print(f"{'':44}{'C, ms':>10}{'Python, ms':>10}{'ratio':>9}")
    with tempfile.TemporaryDirectory() as folder:
        return 1 if sum([bench_batch(folder), bench_step(folder)]) else 0


if __name__ == "__main__":
    sys.exit(main())
