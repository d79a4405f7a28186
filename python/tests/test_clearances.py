"""Clearances and swept volumes: what formulas say of a box that slides, and of an arm beside a wall."""

import math

import numpy as np
import pytest

import graze
from test_world import BOX, same_bits, static, two_rods, world


def slide(padding=0.0):
    """A cube of side 2 that slides along x from −5, beside one at the origin."""
    cube = graze.LinkMesh(*BOX)
    link = graze.Link([cube], joint="prismatic", axis=(1, 0, 0), origin=graze.Frame([-5, 0, 0.25]), padding=padding)
    return graze.Model([link]), graze.Static([cube])


def test_clearance_is_least_where_and_when_it_should_be():
    model, wall = slide(padding=0.125)
    made = graze.World([model, wall])
    segments = [{0: ([0.0], [2.0])}, {0: ([2.0], [2.5])}, {0: ([2.5], [1.0])}]
    found = made.clearance(segments, gradients=True)
    pair = found.pairs[0]
    assert pair.lower <= 0.375 <= pair.upper and pair.upper - pair.lower < 1e-4 and pair.links == ((0, 0), (1, 0))
    assert (pair.segment, pair.time) in ((1, 1.0), (2, 0.0)) or abs(pair.upper - 0.375) < 1e-4
    assert np.allclose(pair.gradient[0], [-1]) or np.isnan(pair.gradient[0]).all()
    assert found.lower == math.inf and found.segments == 3 and "LinkClearance" in repr(pair)
    assert pair.normal[0] == pytest.approx(-1) and pair.points[0][0] == pytest.approx(-1.5)
    one = made.clearance({0: ([0.0], [2.5])}, gradients=True, tolerance=1e-9).pairs[0]
    assert one.time > 1 - 1e-6 and one.upper - one.lower <= 1.001e-9 and np.allclose(one.gradient[0], [-1])
    assert made.clearance({0: ([0.0], [2.5])}, within=0.3).pairs == []
    assert made.clearance({0: ([0.0], [2.5])}, separation=0.375).pairs[0].lower == 0


def test_clearance_of_a_plan_is_that_of_its_pieces():
    made = world()
    segments = [{0: ([0.0], [0.2])}, {0: ([0.2], [0.1])}]
    spline = graze.Spline([0, 0, 1, 3, 3], [[0.0], [0.2], [0.1]])
    plan, moved = made.plan_clearance({0: spline}, most=None), made.clearance(segments, most=None)
    assert plan.segments == moved.segments == 2 and len(plan.pairs) == len(moved.pairs) == 1
    assert abs(plan.pairs[0].upper - moved.pairs[0].upper) < 1e-5
    least = min(made.distance({0: [turn]}).gaps[0].upper for turn in np.linspace(0, 0.2, 50))
    assert plan.pairs[0].lower <= least + 1e-12 and plan.pairs[0].upper <= least + 1e-5


def test_gradients_of_clearance_are_those_of_differences():
    made = graze.World([two_rods(), static()])
    motion, step = {0: ([0.1, 0.3], [0.3, 0.5])}, 1e-5
    pair = made.clearance(motion, gradients=True, tolerance=1e-12).pairs[0]
    for i in range(2):
        ends = []
        for sign in (-1, 1):
            start, end = np.array([0.1, 0.3]), np.array([0.3, 0.5])
            start[i] += sign * step
            end[i] += sign * step
            ends.append(made.clearance({0: (start, end)}, tolerance=1e-12).pairs[0].upper)
        assert math.isnan(pair.gradient[0][i]) or abs((ends[1] - ends[0]) / (2 * step) - pair.gradient[0][i]) < 1e-4


def test_bad_clearances_are_one_line():
    made, fits = world(), {0: ([0.0], [0.1])}
    for call in (lambda: made.clearance([]), lambda: made.clearance([fits, {}]), lambda: made.clearance(fits, most=0),
                 lambda: made.clearance({0: ([0.0, 1.0], [0.1])}), lambda: made.clearance(fits, within=-1),
                 lambda: made.clearance(fits, tolerance=math.nan), lambda: made.clearance(fits, max_checks=-1),
                 lambda: made.clearance({7: ([0.0], [0.1])}), lambda: made.clearance({0: ([math.nan], [0.1])}),
                 lambda: made.plan_clearance({0: graze.Spline([0, 1], [[0.0], [0.1]])}),
                 lambda: made.plan_clearance({0: graze.Spline([0, 0, 1, 1], [[0.0, 1], [0.1, 1]])}),
                 lambda: made.plan_clearance({0: graze.Spline([0, 1, 0, 1], [[0.0], [0.1]])})):
        with pytest.raises((graze.Error, ValueError)) as caught:
            call()
        assert "\n" not in str(caught.value) and len(str(caught.value)) > 10


def test_a_box_sweeps_the_cells_between_its_ends():
    model, _ = slide()
    swept = graze.model_swept(model, 0, [([0.0], [2.0]), ([2.0], [3.0])], size=0.6)
    assert swept.whole and set(swept.side[swept.state == 2]) <= {0.5} and "SweptVolume" in repr(swept)
    low, high = swept.center - swept.side[:, None] / 2, swept.center + swept.side[:, None] / 2
    box = np.array([[-6, -1, -0.75], [-1, 1, 1.25]])  # what it sweeps, closed
    apart = ((low > box[1]) | (high < box[0])).any(axis=1)
    assert not (swept.state[apart] == 1).any() and not (swept.state[~apart] == 0).any()
    inside = ((low > box[0]) & (high < box[1])).all(axis=1)
    assert inside.sum() > 30 and (swept.state[inside] == 1).all()
    assert np.isclose((swept.side**3).sum(), np.round(np.cbrt((swept.side**3).sum()))**3)  # they fill a cube
    few = graze.model_swept(model, 0, [([0.0], [3.0])], size=0.01, max_cells=500)
    assert not few.whole and same_bits(few.center[:1], few.center[:1])


def test_bad_swept_volumes_are_one_line():
    model, _ = slide()
    fits = [([0.0], [1.0])]
    for call in (lambda: graze.model_swept(model, 0, [], size=0.1), lambda: graze.model_swept(model, 1, fits, size=0.1),
                 lambda: graze.model_swept(model, "hand", fits, size=0.1), lambda: graze.model_swept(model, 0, fits, size=0),
                 lambda: graze.model_swept(model, 0, fits, size=math.nan),
                 lambda: graze.model_swept(model, 0, [([0.0, 1], [1.0])], size=0.1),
                 lambda: graze.model_swept(model, 0, fits, size=1e-15),
                 lambda: graze.model_swept(model, 0, fits, size=0.1, max_cells=-3)):
        with pytest.raises((graze.Error, ValueError)) as caught:
            call()
        assert "\n" not in str(caught.value) and len(str(caught.value)) > 10
