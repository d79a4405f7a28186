"""A planner's edges: an arm of two links, and a wall with a gap. Which straight motions between random poses are free?

All edges are asked about in one call; each answer holds for the whole motion, not for samples of it.
"""

import numpy as np

import graze


def box(low, high):
    """A closed box: vertices and triangles."""
    corners = np.array([[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    return corners, [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]


upper = graze.Link([graze.LinkMesh(*box((0, -0.05, -0.05), (1, 0.05, 0.05)))], joint="revolute", name="upper")
lower = graze.Link([graze.LinkMesh(*box((0.1, -0.04, -0.04), (0.9, 0.04, 0.04)))], parent="upper", joint="revolute",
                   origin=graze.Frame((1, 0, 0)), name="lower")
wall = graze.Model([graze.Link([graze.LinkMesh(*box((1.2, -3, -1), (1.3, -0.3, 1))),
                                graze.LinkMesh(*box((1.2, 0.3, -1), (1.3, 3, 1)))], name="wall")])
models = [graze.Model([upper, lower]), wall]

random = np.random.default_rng(7)
poses = np.column_stack([random.uniform(-np.pi, np.pi, 400), random.uniform(-2.5, 2.5, 400)])
stands = graze.articulated_batch(models, [poses, None], [poses, None], mode="any")["verdict"] == graze.CLEAR
poses = poses[stands]
near = np.argsort(np.linalg.norm(poses[:, None] - poses[None], axis=2), axis=1)[:, 1:7]
start, end = np.repeat(np.arange(len(poses)), 6), near.ravel()

found = graze.articulated_batch(models, [poses[start], None], [poses[end], None], separation=0.01)
free = found["verdict"] == graze.CLEAR
print(f"{stands.sum()} of {len(stands)} poses are free, {free.sum()} of {len(free)} edges between them")

blocked = graze.ArticulatedResult.of(found[~free][0])
print(f"the first edge that is not: {blocked.verdict} at {blocked.toi:.4f}, links {blocked.contact.links}")

# sampling at 10 poses an edge calls some edges free that are not
steps = np.linspace(0, 1, 10)[:, None, None]
samples = ((1 - steps) * poses[start] + steps * poses[end]).reshape(-1, 2)
sampled = graze.articulated_batch(models, [samples, None], [samples, None], mode="any", separation=0.01)["verdict"]
looks_free = (sampled.reshape(10, -1) == graze.CLEAR).all(axis=0)
print(f"sampling calls {np.count_nonzero(looks_free & ~free)} edges free that are not")
assert 0 < free.sum() < len(free) and not np.any(free & ~looks_free)
