#!/usr/bin/env python3
"""Draws the pictures of docs/robots.md from what the program says: python3 demo/motions.py build/graze docs. A page named behind it
gets the plan of one of them, to be played: python3 demo/motions.py build/graze docs plan.html"""

import json
import math
import pathlib
import struct
import subprocess
import sys
import tempfile
import zipfile

BOX = [(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
FACES = [(1, 3, 4, 2), (5, 6, 8, 7), (1, 2, 6, 5), (3, 7, 8, 4), (1, 5, 7, 3), (2, 4, 8, 6)]


def write_box(path, half, middle=(0, 0, 0)):
    lines = ["v %g %g %g" % tuple(m + h * s for m, h, s in zip(middle, half, corner)) for corner in BOX]
    path.write_text("\n".join(lines + ["f %d %d %d %d" % face for face in FACES]) + "\n")


def ask(program, folder, model, *words):
    (folder / "m.json").write_text(json.dumps(model))
    done = subprocess.run([program, "articulate", "m.json", "--json", *words], cwd=folder, text=True, check=True,
                          stdout=subprocess.PIPE)
    return json.loads(done.stdout)


def picture(path, width, height, parts):
    path.write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">'
                    '<rect width="100%%" height="100%%" fill="#fff"/>\n%s\n</svg>\n' % (width, height, "\n".join(parts)))


def line(points, color, width=1.5, dash=""):
    text = " ".join("%.1f,%.1f" % p for p in points)
    more = ' stroke-dasharray="%s"' % dash if dash else ""
    return '<polyline points="%s" fill="none" stroke="%s" stroke-width="%g"%s/>' % (text, color, width, more)


def words(x, y, text, color="#333"):
    return '<text x="%.1f" y="%.1f" fill="%s">%s</text>' % (x, y, color, text)


def turned(r, x):
    """exp(r) applied to x."""
    angle = math.sqrt(sum(c * c for c in r))
    if angle == 0:
        return x
    u = [c / angle for c in r]
    cross = [u[1] * x[2] - u[2] * x[1], u[2] * x[0] - u[0] * x[2], u[0] * x[1] - u[1] * x[0]]
    along = sum(a * b for a, b in zip(u, x)) * (1 - math.cos(angle))
    return [math.cos(angle) * a + math.sin(angle) * b + along * c for a, b, c in zip(x, cross, u)]


def draw_rotvec(program, folder, path):
    """The tip of a rod from one rotation to another: the shorter turn, and the straight rotation vector. A post that one
    of them meets is met by the program, too."""
    first, last = (0, 0, 2.2), (1.8, 0.6, -1.6)
    write_box(folder / "rod.obj", (0.45, 0.03, 0.03), (0.55, 0, 0))
    verdicts = []
    for straight in (False, True):
        motion = {"rod": {"from": list(first), "to": list(last), "rotvec": straight}}
        half = [a + 0.5 * (b - a) for a, b in zip(first, last)]
        write_box(folder / "post.obj", (0.04, 0.04, 0.04), turned(half, [0.9, 0, 0]))
        model = {"models": [{"name": "rod", "links": [{"name": "rod", "joint": {"kind": "spherical"}, "mesh": "rod.obj"}]},
                            {"name": "post", "mesh": "post.obj"}], "motion": motion}
        verdicts.append(ask(program, folder, model)["verdict"])
    paths = [[], []]
    turn = shorter_turn(first, last)
    for k in range(101):
        t = k / 100
        paths[0].append(turned([t * c for c in turn], turned(first, [1, 0, 0])))
        paths[1].append(turned([a + t * (b - a) for a, b in zip(first, last)], [1, 0, 0]))
    place = lambda p: (230 + 150 * (p[0] - 0.35 * p[1]), 170 - 150 * (p[2] + 0.25 * p[1]) - 55 * p[1])
    parts = [line([place((0, 0, 0)), place(p[0])], "#999", 4) for p in paths[:1]]
    parts += [line([place(p) for p in paths[0]], "#3a6ea5", 2), line([place(p) for p in paths[1]], "#c0392b", 2)]
    x, y = place(turned([a + 0.5 * (b - a) for a, b in zip(first, last)], [0.9, 0, 0]))
    parts += ['<rect x="%.1f" y="%.1f" width="12" height="12" fill="#555"/>' % (x - 6, y - 6), words(x + 10, y + 4, "post")]
    parts += [words(16, 24, "constant angular velocity: " + verdicts[0], "#3a6ea5"),
              words(16, 44, "straight rotation vector: " + verdicts[1], "#c0392b")]
    picture(path, 460, 400, parts)


def quaternion(r):
    angle = math.sqrt(sum(c * c for c in r))
    s = math.sin(angle / 2) / angle if angle else 0.5
    return [math.cos(angle / 2)] + [s * c for c in r]


def shorter_turn(first, last):
    a, b = quaternion(last), quaternion(first)
    w = sum(x * y for x, y in zip(a, b))
    v = [b[0] * a[1] - a[0] * b[1] - (a[2] * b[3] - a[3] * b[2]), b[0] * a[2] - a[0] * b[2] - (a[3] * b[1] - a[1] * b[3]),
         b[0] * a[3] - a[0] * b[3] - (a[1] * b[2] - a[2] * b[1])]
    sine, sign = math.sqrt(sum(c * c for c in v)), -1 if w < 0 else 1
    angle = 2 * math.atan2(sine, abs(w))
    return [sign * angle * c / sine for c in v]


def arm(first, last):
    joint = lambda name: {"kind": "revolute", "name": name}
    links = [{"name": "upper", "joint": joint("shoulder"), "mesh": "upper.obj"},
             {"name": "lower", "parent": "upper", "joint": joint("elbow"), "origin": {"position": [1, 0, 0]}, "mesh": "lower.obj"}]
    return {"models": [{"name": "arm", "links": links}, {"name": "post", "mesh": "post.obj"}],
            "motion": {"arm": {"from": first, "to": last}}}


def write_arm(folder):
    write_box(folder / "upper.obj", (0.45, 0.06, 0.06), (0.5, 0, 0))
    write_box(folder / "lower.obj", (0.4, 0.05, 0.05), (0.45, 0, 0))
    write_box(folder / "post.obj", (0.1, 0.1, 0.3), (1.65, 1.35, 0))


def draw_clearance(program, folder, path):
    """Distances at 200 times, and the bracket that the program proves for all of them."""
    first, last = [-0.2, 0.3], [1.7, 0.9]
    samples = []
    for k in range(201):
        pose = [a + k / 200 * (b - a) for a, b in zip(first, last)]
        pairs = ask(program, folder, arm(pose, pose), "--distance", "--most", "0")["pairs"]
        samples += [[p["upper"] for p in pairs if {"lower", "post"} == {x["link"] for x in p["links"]}][0]]
    found = ask(program, folder, arm(first, last), "--clearance")["pairs"][0]
    x, y = lambda t: 50 + 380 * t, lambda d: 220 - 180 * d / max(samples)
    assert found["lower"] <= min(samples) and found["upper"] <= min(samples) + 1e-6
    parts = [line([(50, 30), (50, 220), (430, 220)], "#999", 1), words(380, 240, "time"), words(8, 24, "distance of lower arm and post")]
    parts += [line([(x(k / 200), y(d)) for k, d in enumerate(samples)], "#3a6ea5", 2)]
    parts += [line([(50, y(found["lower"])), (430, y(found["lower"]))], "#c0392b", 1, "5 4")]
    parts += ['<circle cx="%.1f" cy="%.1f" r="4" fill="#c0392b"/>' % (x(found["time"]), y(found["upper"]))]
    parts += [words(150, y(found["lower"]) + 18, "never below %.7f: proven" % found["lower"], "#c0392b")]
    picture(path, 460, 260, parts)


def numbers(archive, name, kind, size):
    data = archive.read(name)[128:]
    return [v[0] for v in struct.iter_unpack("<" + kind, data)]


def draw_swept(program, folder, path):
    """The cells at the height of the arm, from the NPZ."""
    ask(program, folder, arm([-0.2, 0.3], [1.7, 0.9]), "--swept", "s.npz", "--link", "lower", "--size", "0.07")
    with zipfile.ZipFile(folder / "s.npz") as archive:
        centers, sides = numbers(archive, "center.npy", "d", 8), numbers(archive, "side.npy", "d", 8)
        states = archive.read("state.npy")[128:]
    parts, colors = [], {1: "#d8533f", 2: "#f0c84b"}
    for i, side in enumerate(sides):
        x, y, z = centers[3 * i:3 * i + 3]
        if states[i] and z - side / 2 <= 0.001 < z + side / 2 and -2.6 < x < 2.6 and -1.4 < y < 2.6:
            box = (250 + 110 * (x - side / 2), 260 - 110 * (y + side / 2), 110 * side)
            parts.append('<rect x="%.1f" y="%.1f" width="%.2f" height="%.2f" fill="%s" stroke="#fff" stroke-width=".4"/>'
                         % (box[0], box[1], box[2], box[2], colors[states[i]]))
    parts += [words(16, 24, "touched", colors[1]), words(16, 44, "undecided", "#a88410"), words(16, 64, "all else: outside", "#778")]
    picture(path, 500, 400, parts)


def draw_map(program, folder, path):
    """What the program draws itself, of both joints."""
    write_arm(folder)
    write_box(folder / "post.obj", (0.1, 0.1, 0.3), (1.1, 0.8, 0))
    model = dict(arm([0, 0], [0, 0]), limits={"arm": {"shoulder": [-1, 2], "elbow": [-2.8, 2.8]}})
    shares = ask(program, folder, model, "--range", "--map", str(path.resolve()), "--joints", "shoulder,elbow")
    assert shares["free"] > 0.5 and shares["touching"] > 0.05 and shares["undecided"] < 0.01


def quintic(p, u):
    """From 0 to 1 in u from 0 to 1, at rest at both ends, as velocities and accelerations of 0 define it."""
    return p[0] + (p[1] - p[0]) * (10 * u**3 - 15 * u**4 + 6 * u**5)


def tip(pose):
    elbow = (math.cos(pose[0]), math.sin(pose[0]))
    return elbow, (elbow[0] + 0.85 * math.cos(pose[0] + pose[1]), elbow[1] + 0.85 * math.sin(pose[0] + pose[1]))


def draw_plan(program, folder, path):
    """A quintic plan past a thin post: each of its poses 0.05 rad apart is free, and the plan is proven to collide."""
    write_box(folder / "upper.obj", (0.45, 0.005, 0.005), (0.5, 0, 0))
    write_box(folder / "lower.obj", (0.4, 0.005, 0.005), (0.45, 0, 0))
    first, last = [0.0, 0.2], [1.4, 0.6]
    count = math.ceil(1.875 * max(abs(b - a) for a, b in zip(first, last)) / 0.05)  # 1.875: the steepest slope
    pose_at = lambda u: [quintic(ends, u) for ends in zip(first, last)]
    middle = tip(pose_at((count // 2 + 0.5) / count))
    post = [0.3 * a + 0.7 * b for a, b in zip(*middle)]
    write_box(folder / "post.obj", (0.006, 0.006, 0.3), (*post, 0))
    samples = [pose_at(k / count) for k in range(count + 1)]
    for pose in samples:
        assert ask(program, folder, arm(pose, pose))["verdict"] == "clear"
    rests = [[0, 0], [0, 0]]
    plan = {"joints": ["shoulder", "elbow"], "times": [0, 2], "positions": [first, last], "velocities": rests, "accelerations": rests}
    (folder / "plan.json").write_text(json.dumps(plan))
    found = ask(program, folder, arm(first, first), "--plan", "plan.json")
    assert found["verdict"] == "hit" and found["time_upper"] is not None
    place = lambda x, y: (40 + 200 * x, 400 - 200 * y)
    draw = lambda pose, color, width: line([place(0, 0), *(place(*p) for p in tip(pose))], color, width)
    parts = [draw(pose, "#b9cbe0", 1.5) for pose in samples] + [draw(pose_at(found["time"] / 2), "#c0392b", 2.5)]
    x, y = place(*post)
    parts += ['<rect x="%.1f" y="%.1f" width="6" height="6" fill="#333"/>' % (x - 3, y - 3), words(x + 8, y + 4, "post")]
    parts += [words(16, 24, "%d poses, at most 0.05 rad apart: all free" % len(samples), "#3a6ea5"),
              words(16, 44, "the plan: they touch at %.6f s, proven" % found["time"], "#c0392b")]
    picture(path, 460, 420, parts)
    for name in sys.argv[3:]:  # to look at it
        subprocess.run([program, "view", "m.json", "--plan", "plan.json", "--out", str(pathlib.Path(name).resolve())], cwd=folder, check=True)


def main():
    program, out = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write_arm(folder)
        draw_clearance(program, folder, out / "clearance.svg")
        draw_swept(program, folder, out / "swept.svg")
        draw_plan(program, folder, out / "plan.svg")
        draw_map(program, folder, out / "range-map.svg")
        draw_rotvec(program, folder, out / "rotvec.svg")


if __name__ == "__main__":
    main()
