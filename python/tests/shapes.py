"""Queries and meshes for the tests."""

import numpy as np

FACES = [[0, 1, 2], [3, 4, 5]]


def queries(count, seed=1):
    """Random ones, a good part of which touch."""
    random = np.random.default_rng(seed)
    return random.uniform(-1, 1, (count, 4, 3)), random.uniform(-1, 1, (count, 4, 3))


def two_triangles():
    """One falls through the other: vertex 3 meets face 0 at t = 1/2."""
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1.2, 0.2, 1.5], [0.2, 1.2, 1.5]])
    x1 = x0.copy()
    x1[3:, 2] -= 2
    return x0, x1


def soup(count, seed=2, spread=1.0):
    """Small triangles that move about in a cube: positions at both ends, and faces."""
    random = np.random.default_rng(seed)
    middle = random.uniform(-spread, spread, (count, 1, 3))
    x0 = (middle + random.uniform(-0.05, 0.05, (count, 3, 3))).reshape(-1, 3)
    x1 = x0 + np.repeat(random.uniform(-0.3, 0.3, (count, 3)), 3, axis=0)
    return x0, x1, np.arange(3 * count).reshape(-1, 3)


def same_bits(a, b):
    """Of structs field by field: what lies between fields says nothing."""
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.names:
        return all(same_bits(a[name], b[name]) for name in a.dtype.names)
    return a.tobytes() == b.tobytes()
