"""One pair: a vertex falls through a triangle. When do they touch, to the last bit, and who can check that?"""

import graze

triangle = [[-1, -1, 0], [2, -1, 0], [-1, 2, 0]]
before, after = [[0.1, 0.2, 1]] + triangle, [[0.3, 0.1, -0.5]] + triangle

found = graze.ccd("vf", before, after)
print(f"certified: {found.verdict}, nothing touches before {found.toi!r}")

exact = graze.ccd("vf", before, after, method="exact")
print(f"exact: between {exact.toi!r} and {exact.toi_upper!r}, at {exact.point}, normal {exact.normal}")

truth = graze.truth("vf", before, after)
print("a root of", " + ".join(f"{c} t^{k}" for k, c in enumerate(truth.polynomial)))

proof = graze.certificate("vf", before, after)
print(f"{len(proof.free)} pieces of free time, and another program says: {graze.verify(proof)}")

assert found.verdict == exact.verdict == "hit" and found.toi <= exact.toi <= 2 / 3 <= exact.toi_upper
assert graze.verify(proof).accepted
