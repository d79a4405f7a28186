#!/usr/bin/env python3
"""How far a block slides, beside Coulomb's law: friction_table.py build/graze

A block of a metre on slopes and on a floor, at the scenes' default tolerance, for frictions, time steps and materials
beyond those of the tests. Prints a row each; exits 1 where a distance is off by more than 2 %, or a block that sticks
creeps faster than the speed of sticking."""
import json
import math
import struct
import subprocess
import sys
import tempfile

G, REACH = 9.81, 1e-3 * math.sqrt(3)
FRICTIONS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6]


def scene(friction, slope, speed, step, young, cells):
    angle = math.atan(slope)
    block = {"shape": {"kind": "box", "cells": [cells] * 3}, "position": [0, 0.5 + 0.81 * REACH, 0],
             "velocity": [speed, 0, 0], "young": young}
    plane = {"shape": {"kind": "sheet", "size": [90, 90], "cells": [2, 2]}, "position": [30.3, 0, 10.7],
             "obstacle": True}
    return {"name": "s", "friction": friction, "time_step": step, "bodies": [block, plane],
            "gravity": [G * math.sin(angle), -G * math.cos(angle), 0]}


def mean_x(path):
    """Of the vertices near the block; the plane's are far away."""
    data = open(path, "rb").read()
    start = data.index(b"end_header\n") + 11
    count = int(data[:start].split(b"element vertex ")[1].split()[0])
    points = [struct.unpack_from("<3d", data, start + 48 * i) for i in range(count)]
    block = [p[0] for p in points if abs(p[2]) < 1 and p[1] > 1e-6]
    return sum(block) / len(block)


def simulate(graze, folder, text, steps):
    with open(folder + "/s.json", "w") as file:
        json.dump(text, file)
    run = subprocess.run([graze, "sim", folder + "/s.json", "--out", folder, "--frames", str(steps + 1), "--json",
                          "--threads", "1"], capture_output=True, text=True, check=True)
    at = [mean_x(f"{folder}/frames/s_{k}.ply") for k in (0, steps // 2, steps)]
    return at, json.loads(run.stdout)["newton_iterations"] / steps


def coulomb(friction, slope, speed, step, steps):
    angle, x = math.atan(slope), 0
    for _ in range(steps):
        speed = max(0, speed + step * G * (math.sin(angle) - friction * math.cos(angle)))
        x += step * speed
    return x


def row(graze, friction, slope, speed, step, steps, young, cells):
    with tempfile.TemporaryDirectory() as folder:
        text = scene(friction, slope, speed, step, young, cells)
        (start, half, end), iterations = simulate(graze, folder, text, steps)
    expected = coulomb(friction, slope, speed, step, steps)
    if abs(friction - slope) < 0.049:
        good = True  # the least of errors decides whether it slides
    elif expected > 0:
        good = abs(end - start - expected) < 0.02 * expected
    else:
        good = abs(end - half) < REACH * step * steps / 2  # the speed of sticking is 1e-3 of the size too
    print(f"{friction:8.2f} {slope:6.2f} {speed:6.1f} {step:6.3f} {young:8.0e} {cells:5d} {end - start:10.5f} "
          f"{expected:10.5f} {iterations:10.2f}  {'' if good else 'OFF'}", flush=True)
    return good


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print("friction  slope  speed   step    young cells   distance    Coulomb iterations")
    good = [row(sys.argv[1], f, 0.5, 0, 0.025, 100, young, 1) for young in (1e7, 1e9) for f in FRICTIONS]
    good += [row(sys.argv[1], f, 0.3, 0, 0.01, 120, 1e9, 2) for f in FRICTIONS]
    good += [row(sys.argv[1], f, 0, 3, 0.01, 100, 1e7, 1) for f in FRICTIONS]
    sys.exit(0 if all(good) else 1)


main()
