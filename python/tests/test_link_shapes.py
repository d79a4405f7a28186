import math
from dataclasses import replace

import numpy as np
import pytest

import graze
from graze import shapes

NAN = float("nan")


def world(moving, still):
    link = graze.Link([moving.mesh], joint="free", padding=moving.radius)
    return graze.World([graze.Model([link]), graze.Static([still.mesh], padding=still.radius)])


def free(made, *place):
    return made.valid({0: [*place, 0, 0, 0]}).verdict == "clear"


def test_shapes_touch_where_closed_formulas_say():
    aside = math.sqrt(0.45**2 - 0.01)
    for still, reach, slack in ((shapes.sphere(0.25), aside, 0), (shapes.capsule(1, 0.25), aside, 0),
                                (shapes.points([[0, 0, 0], [0, 0, 3]], 0.25), aside, 0),
                                (shapes.cylinder(0.25, 1), aside, 0.25 * 2**-10 * 0.45 / aside),
                                (shapes.box([0.5, 0.5, 0.5], 0.05), 0.25 + 0.05 + 0.2, 0)):
        made = world(shapes.sphere(0.2), still)
        found = made.step({0: ([-2, 0.1, 0, 0, 0, 0], [2, 0.1, 0, 0, 0, 0])})
        exact = (2 - reach) / 4
        assert found.verdict == "hit" and exact - slack / 4 - 1e-7 < found.toi <= exact + 1e-15
        assert free(made, -reach - slack - 1e-4, 0.1, 0) and not free(made, -reach + 1e-4, 0.1, 0)


def test_ground_and_hulls_are_solid():
    random = np.random.default_rng(1)
    made = world(shapes.sphere(0.01), shapes.height_map([[0, 1], [0, 1]], -1, (2, 2)))
    assert free(made, 1, 1, 0.6) and not free(made, 1, 1, 0.3) and not free(made, 1, 1, -0.5) and free(made, 1, 1, -1.1)
    cloud = random.normal(size=(200, 3))
    hull = shapes.hull(cloud)
    assert len(hull.mesh.vertices) < 200 and len(hull.mesh.faces) == 2 * len(hull.mesh.vertices) - 4
    a, b, c = (hull.mesh.vertices[hull.mesh.faces[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    assert ((cloud[:, None] - a) * normals).sum(axis=2).max() < 1e-12
    made = world(shapes.sphere(0.001), hull)
    assert not free(made, *cloud.mean(axis=0)) and free(made, *(3 * np.abs(cloud).max(axis=0)))


def test_shapes_of_one_link_have_radii_of_their_own():
    """A large ball and a small one 2 beside it, above a box: tilted by a quarter turn about y, the small one is below."""
    link = graze.Link([shapes.sphere(0.5).at(), shapes.sphere(0.125).at(graze.Frame([2, 0, 0]))], joint="free")
    floor = graze.Static([shapes.box([8, 8, 1]).at()])
    for padding in (0, 0.25):
        made = graze.World([graze.Model([replace(link, padding=padding)]), floor])
        for tilt, height in ((0, 1.0), (math.pi / 2, 2.625)):
            for over in (1e-3, -1e-3):
                found = made.valid({0: [0, 0, height + padding + over, 0, tilt, 0]})
                assert found.verdict == ("clear" if over > 0 else "hit")
            gap = made.distance({0: [0, 0, height + padding + 0.5, 0, tilt, 0]}).gaps[0]
            assert gap.lower - 1e-12 <= 0.5 <= gap.upper + 1e-12
    with pytest.raises(graze.Error, match="radius"):
        graze.Model([graze.Link([replace(shapes.sphere(1).mesh, radius=-1)])])


def test_bad_shapes_are_errors():
    for call, error in [
            (lambda: shapes.sphere(-1), graze.Error), (lambda: shapes.sphere(NAN), graze.Error), (lambda: shapes.capsule(-1, 1), graze.Error),
            (lambda: shapes.box([1, 1]), ValueError), (lambda: shapes.box([1, 1, -1]), graze.Error), (lambda: shapes.cylinder(1, NAN), graze.Error),
            (lambda: shapes.hull([[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]), graze.Error), (lambda: shapes.hull([[0, 0]]), ValueError),
            (lambda: shapes.points(np.zeros((0, 3)), 1), graze.Error), (lambda: shapes.points([[NAN, 0, 0]], 1), graze.Error),
            (lambda: shapes.height_map([1, 2], 0), ValueError), (lambda: shapes.height_map([[1, 2]], 0), graze.Error),
            (lambda: shapes.height_map([[1, 2], [3, 0]], 0), graze.Error), (lambda: shapes.height_map([[1, 2], [3, 4]], 0, (1, 0)), graze.Error),
            (lambda: shapes.height_map([[1, 2], [3, 4]], 0, (1,)), ValueError)]:
        with pytest.raises(error) as raised:
            call()
        assert str(raised.value) and "\n" not in str(raised.value)
