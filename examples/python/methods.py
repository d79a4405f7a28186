"""A comparison of methods on the same queries, with exact truth: misses, false alarms, time.   methods.py [FIGURE]

The figure needs matplotlib; without it, or without a name for the file, there is the table alone.
"""

import sys
import time

import numpy as np

import graze

random = np.random.default_rng(11)
x0 = random.uniform(-1, 1, (400, 4, 3))
x1 = random.uniform(-1, 1, (400, 4, 3))
x1[::4, 1:] = x0[::4, 1:]  # a quarter of the faces stand still, and the vertex goes to a corner, or just past it
x1[::4, 0] = x0[::4, 1] + random.choice([0, 1e-9], (100, 1)) * random.normal(size=(100, 3))
truth = np.array([graze.truth("vf", a, b).hit for a, b in zip(x0, x1)])

rows = []
for name, info in graze.methods().items():
    if not info.available or "vf" not in info.kinds:
        continue
    begin = time.perf_counter()
    alarm = graze.ccd_batch("vf", x0, x1, method=name)["verdict"] != graze.CLEAR
    spent = 1e6 * (time.perf_counter() - begin) / len(x0)
    rows.append((name, np.count_nonzero(truth & ~alarm), np.count_nonzero(alarm & ~truth), spent, info.conservative))
    print("{:10} {:4} missed {:4} false alarms {:9.2f} us a query".format(*rows[-1][:4]),
          "conservative" if info.conservative else "")
assert all(missed == 0 for _, missed, _, _, conservative in rows if conservative)

if len(sys.argv) > 1:
    try:
        import matplotlib
    except ImportError:
        sys.exit("methods.py: no figure without matplotlib (Debian: python3-matplotlib)")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 4), sharey=True, layout="constrained")
    names, missed, alarms, spent, _ = zip(*rows)
    left.barh(names, missed, label="missed")
    left.barh(names, alarms, left=missed, label="false alarms")
    left.set_xlabel(f"of {len(x0)} queries")
    left.legend()
    right.barh(names, spent)
    right.set_xscale("log")
    right.set_xlabel("µs a query")
    left.invert_yaxis()
    figure.savefig(sys.argv[1])
    print(sys.argv[1])
