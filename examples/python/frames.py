"""A folder of frames: which steps touch, where, and what intersects already?   frames.py [FOLDER]

Without a folder it makes one: a sheet that falls on a pyramid, and at the end through it.
"""

import pathlib
import sys
import tempfile

import numpy as np

import graze


def make(folder, size=12):
    grid = np.stack(np.meshgrid(*[np.linspace(-1, 1, size)] * 2), axis=-1).reshape(-1, 2)
    corner = np.arange(size * size).reshape(size, size)
    a, b, c, d = (part.ravel() for part in (corner[:-1, :-1], corner[:-1, 1:], corner[1:, 1:], corner[1:, :-1]))
    sheet = np.vstack([np.stack([a, b, c], 1), np.stack([a, c, d], 1)])
    pyramid = np.array([[-0.5, -0.5, 0], [0.5, -0.5, 0], [0.5, 0.5, 0], [-0.5, 0.5, 0], [0.03, 0.02, 0.5]])
    sides = np.array([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]]) + len(grid)
    for step, height in enumerate([0.9, 0.7, 0.55, 0.45, 0.3]):
        x = np.vstack([np.column_stack([grid, np.full(len(grid), height)]), pyramid])
        graze.write_mesh(folder / f"fall_{step}.ply", x, np.vstack([sheet, sides]))


def report(folder):
    frames, verdicts = graze.read_frames(folder), []
    for (step, first), (_, second) in zip(frames, frames[1:]):
        a, b = graze.read_mesh_pair(first, second)
        mesh = a.mesh()
        crossed = len(graze.static_intersections(a.positions, mesh))
        found = graze.step(a.positions, b.positions, mesh)
        where = f"{found.pair.kind} {found.pair.a} {found.pair.b} at {found.pair.result.point}" if found.pair else ""
        print(f"step {step}: {found.verdict:10} toi {found.toi:8.6f}  {crossed} pairs of faces cross at first  {where}")
        verdicts.append((found.verdict, crossed > 0))
    return verdicts


if len(sys.argv) > 1:
    report(sys.argv[1])
else:
    with tempfile.TemporaryDirectory() as made:
        make(pathlib.Path(made))
        assert report(made) == [("clear", False), ("clear", False), ("hit", False), ("hit", True)]
