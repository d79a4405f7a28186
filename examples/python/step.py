"""A whole step: two triangles approach each other. How far may they go, and what stops them?"""

import numpy as np

import graze

x0 = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [1.2, 0.2, 1.5], [0.2, 1.2, 1.5]])
x1 = x0.copy()
x1[3:, 2] -= 2
mesh = graze.Mesh.from_faces(len(x0), [[0, 1, 2], [3, 4, 5]])

found = graze.step(x0, x1, mesh)
print(f"{found.verdict}: nothing touches before t = {found.toi:g}")
print(f"limited by {found.pair.kind} {found.pair.a} and {found.pair.b} at {found.pair.result.point}")

x, taken = graze.step_to(x0, x1, mesh)
print(f"a step that may be taken: {taken.alpha} of the way, the tip at height {x[3, 2]:g}")
assert found.verdict == "hit" and 0.49 < taken.alpha < 0.5 and x[3, 2] > 0
