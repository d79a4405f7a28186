"""Bodies with meshes of their own: steps of every kind of motion, steps that are taken, many worlds in one call."""

import numpy as np
import pytest

import graze

PLATE = np.array([[-1.0, -1, 0], [1, -1, 0], [0, 1, 0]])
FLOOR = 4 * PLATE
MESH = graze.Mesh.from_faces(3, [[0, 1, 2]])
UP, DOWN = graze.Frame([0, 0, 1]), graze.Frame([0, 0, -1])
TURNED = graze.Frame([0, 0, -1], [0.9, 0.3, 0, 0])
MATRIX = np.hstack([np.eye(3), [[0], [0], [1]]])
BELOW = np.hstack([np.eye(3), [[0], [0], [-1]]])


def at(height):
    return PLATE + [0, 0, height]


# kind, rest, a motion through the floor, one that stays above it, the time at which the first gets there
FALLS = {
    "straight": (None, (at(1), at(-1)), (at(1), at(0.5)), 0.5),
    "affine": (PLATE, (MATRIX, BELOW), (MATRIX, MATRIX), 0.5),
    "rigid": (PLATE, (UP, DOWN), (UP, UP), 0.5),
    "cubic": (None, (at(1), at(1), at(1), at(-1)), [at(1)] * 4, 0.5 ** (1 / 3)),
}


def world(kind):
    return graze.World([graze.Body("static", MESH, FLOOR), graze.Body(kind, MESH, FALLS[kind][0])])


@pytest.mark.parametrize("kind", FALLS)
def test_a_body_of_every_kind_meets_the_floor_when_it_should(kind):
    _, through, above, time = FALLS[kind]
    made = world(kind)
    found = made.step({1: through})
    assert found.verdict == "hit" and time - 1e-6 < found.toi <= time and sorted(found.contact.links) == [(0, 0), (1, 0)]
    assert made.step({1: above}).verdict == "clear"
    assert [one.verdict for one in made.step({1: through}, mode="all").contacts].count("hit") >= 3


@pytest.mark.parametrize("kind", FALLS)
def test_a_step_that_is_taken_ends_above_the_floor_and_is_proven(kind):
    _, through, above, time = FALLS[kind]
    made = world(kind)
    result, alpha, moved = made.step_to({1: through}, separation=1e-3)
    assert result.verdict == "hit" and time - 1e-3 < alpha <= result.toi < time
    assert made.step(moved, separation=1e-3).verdict == "clear"
    assert made.step_to(moved, separation=1e-3)[1] == 1.0
    whole, alpha, moved = made.step_to({1: above})
    assert (whole.verdict, alpha) == ("clear", 1.0)
    end = {"straight": lambda: moved[1][1], "cubic": lambda: moved[1][3], "affine": lambda: moved[1][1],
           "rigid": lambda: np.array(moved[1].end.position)}[kind]()
    wanted = {"straight": at(0.5), "cubic": at(1), "affine": MATRIX, "rigid": np.array(UP.position)}[kind]
    assert np.array_equal(end, wanted)


@pytest.mark.parametrize("path", ["turn", "screw", "rotvec"])
def test_rigid_bodies_take_every_path(path):
    made = world("rigid")
    poses = graze.Poses(UP, TURNED, path, ((0, 0, 0), (0.6, 0, 0)) if path == "rotvec" else ((0, 0, 0), (0, 0, 0)))
    found = made.step({1: poses})
    assert found.verdict == "hit" and 0.2 < found.toi < 0.5
    _, alpha, moved = made.step_to({1: poses}, separation=1e-3)
    assert moved[1].path == path and moved[1].start.position == (0, 0, 1) and 0.2 < alpha < found.toi
    assert made.step(moved, separation=1e-3).verdict == "clear"


def test_models_go_on_from_where_they_stopped():
    rod = graze.LinkMesh([[0, -0.1, 0], [2, 0, 0], [0, 0.1, 0]], [[0, 1, 2]])
    arm = graze.Model([graze.Link([rod], joint="revolute")])
    wall = graze.Body("static", MESH, [[0, 1, -1], [4, 1, -1], [0, 1, 3]])
    made = graze.World([arm, wall])
    for motion in (([0.0], [1.2]), graze.Motion(cubic=[[0.0, 0.3, 0.9, 1.2]])):
        _, alpha, moved = made.step_to({0: motion})
        assert 0 < alpha < 1 and made.step(moved).verdict == "clear"
        end = moved[0].end[0] if moved[0].cubic is None else moved[0].cubic[0, 3]
        assert np.arcsin(0.5) - 0.06 < end < np.arcsin(0.5)


def test_bodies_that_do_not_fit_are_one_line():
    made = world("straight")
    for motion, words in (({1: (at(0),)}, "takes 2 arrays"), ({1: (at(0), at(1)[:2])}, "shape"), ({0: (UP, DOWN)}, "static"),
                          ({2: None}, "there is no body 2")):
        with pytest.raises(ValueError, match=words):
            made.step(motion)
    for body, words in ((graze.Body("soft", MESH), "no kind 'soft'"), (graze.Body("rigid", MESH), "needs rest"),
                        (graze.Body("cubic", MESH, PLATE), "takes no rest")):
        with pytest.raises(ValueError, match=words):
            graze.World([body])
    with pytest.raises(ValueError, match="no path 'arc'"):
        world("rigid").step({1: graze.Poses(UP, DOWN, "arc")})
    with pytest.raises(graze.Error, match="no positions x0"):
        made.step({})


def test_many_worlds_answer_as_each_alone_and_fail_by_themselves():
    floor, stone = graze.Body("static", MESH, FLOOR), graze.Body("rigid", MESH, PLATE)
    made = graze.Worlds([floor, *[stone] * 20], [-1, *range(20)])
    ends = [graze.Frame([0, 0, z], [0.9, 0.1, 0.2, 0]) for z in np.linspace(-2, 2, 20)]
    moves = {1 + i: (UP, end) for i, end in enumerate(ends)}
    alone = graze.World([floor, stone])
    for result, end, number in zip(made.step(moves), ends, range(20)):
        own = alone.step({1: (UP, end)})
        assert (result.verdict, result.toi, result.checks) == (own.verdict, own.toi, own.checks)
        if own.contact:
            assert sorted(body for body, _ in result.contact.links) == [0, 1 + number]
    moves[4] = (UP, graze.Frame([0, 0, np.nan]))
    results = made.step(moves)
    assert isinstance(results[3], graze.Error) and results[3].index == 3 and "world 3" in str(results[3])
    assert sum(isinstance(result, graze.Error) for result in results) == 1 and results[4].verdict == "hit"
    assert len(made) == 20 and made.links(1) == 1 and made.values(1) == 0
    for numbers, words in (([-1], "whole number"), ([0.5] * 21, "whole number"), ([-2] * 21, "from 0")):
        with pytest.raises(ValueError, match=words):
            graze.Worlds([floor, *[stone] * 20], numbers)
    with pytest.raises(graze.Error, match="mode all is not possible"):
        made.step(moves, mode="all")
