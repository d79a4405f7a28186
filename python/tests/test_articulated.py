import json
import math
import os
import pickle
import subprocess

import numpy as np
import pytest

import graze
from shapes import same_bits

ROD = np.array([[0, 0, -0.1], [1, 0, -0.1], [1, 0, 0.1]]), [[0, 1, 2]]  # turns in the plane z = 0 about z
WALL = np.array([[0, 0.5, -0.05], [-1, 0.7, -0.5], [-1, 0.7, 0.5]]), [[0, 1, 2]]  # its tip is met after 90 degrees
PLATE = np.array([[-1, -1, 0], [1, -1, 0], [0, 1, 0]]), [[0, 1, 2]]


def arm(**more):
    return graze.Model([graze.Link([graze.LinkMesh(*ROD)], joint="revolute", name="rod", **more)])


def rod_and_wall():
    return [arm(), graze.Model.obstacle(*WALL)]


def test_a_rod_meets_a_wall_when_it_has_turned_there():
    found = graze.articulated_step(rod_and_wall(), [([0.0], [math.pi]), None])
    assert found.verdict == "hit" and found.contact.proven and found.contact.links == ((1, 0), (0, 0))
    assert 0.5 - 1e-6 < found.toi <= 0.5 <= found.toi_upper < 0.5 + 1e-6
    assert np.allclose(found.contact.point, WALL[0][0], atol=1e-6) and found.contact.pair == ("vf", 0, 0)
    assert graze.articulated_step(rod_and_wall(), [([0.0], [1.57]), None]).verdict == "clear"
    assert graze.articulated_step(rod_and_wall(), [([0.0], [1.57]), None], separation=0.01).verdict == "hit"
    assert graze.articulated_step(rod_and_wall(), [([0.0], [math.pi]), None], t_max=0.49).toi == 0.49


def test_modes_and_pairs_that_are_skipped():
    models = [arm(), graze.Model.obstacle(*WALL), graze.Model.obstacle(WALL[0] * [1, -1, 1], WALL[1])]
    motion = [([0.0], [2 * math.pi]), None, None]
    everything = graze.articulated_step(models, motion, mode="all")
    assert [{model for model, _ in contact.links} for contact in everything.contacts] == [{0, 1}, {0, 2}]
    assert graze.articulated_step(models, motion, mode="any").verdict == "hit"
    for skip in ([((0, 0), (1, 0))], [((0, "rod"), (1, 0))], [(1, 0)]):
        found = graze.articulated_step(models, motion, skip=skip)
        assert set(found.contact.links) == {(0, 0), (2, 0)} and 0.5 < found.toi <= 0.75
    assert graze.articulated_step(models, motion, skip=[(0, 1), (0, 2)]).verdict == "clear"


def test_a_held_bar_is_tested_against_the_forearm():
    hand = graze.Link([], parent=0, joint="revolute", origin=graze.Frame([1.1, 0, 0]))
    bar = graze.Link([graze.LinkMesh(*WALL)], parent=1, joint="fixed")  # its tip is 0.5 from the flange, to the left
    model = graze.Model([graze.Link([graze.LinkMesh(*ROD)], joint="revolute"), hand, bar])
    motion = [([0.0, 0.0], [0.0, 1.6])]
    found = graze.articulated_step([model], motion)
    assert found.verdict == "hit" and set(found.contact.links) == {(0, 0), (0, 2)}
    assert 0 < 1.6 * found.toi <= math.pi / 2
    assert graze.articulated_step([model], motion, skip=[((0, 0), (0, 2))]).verdict == "clear"


def test_a_batch_has_the_bits_of_single_steps():
    random = np.random.default_rng(4)
    starts, ends = random.uniform(-2, 2, (2, 200, 6))
    starts[:, 2] += 3
    models = [graze.Model.rigid(*PLATE), graze.Model.obstacle(*PLATE)]
    found = graze.articulated_batch(models, [starts, None], [ends, None])
    hits = 0
    for i in range(200):
        one, single = graze.ArticulatedResult.of(found[i]), graze.articulated_step(models, [(starts[i], ends[i]), None])
        assert (one.verdict, one.toi, one.toi_upper, one.checks) == (single.verdict, single.toi, single.toi_upper, single.checks)
        hits += one.verdict == "hit"
    assert 10 < hits < 190
    out = np.zeros(200, dtype=graze.ARTICULATED_RESULT)
    assert graze.articulated_batch(models, [starts, None], [np.asfortranarray(ends), None], out=out) is out
    assert same_bits(out, found)


@pytest.mark.skipif("GRAZE_PROGRAM" not in os.environ, reason="GRAZE_PROGRAM does not name the program")
def test_the_program_gives_the_same_bits(tmp_path):
    graze.write_mesh(tmp_path / "rod.ply", *ROD)
    graze.write_mesh(tmp_path / "wall.ply", *WALL)
    turned = [math.cos(0.2), 0, 0, math.sin(0.2)]
    (tmp_path / "m.json").write_text(json.dumps({
        "models": [{"name": "arm", "links": [
            {"name": "rod", "parent": None, "joint": {"kind": "revolute", "axis": [0, 0, 1]}, "mesh": "rod.ply"},
            {"name": "hand", "parent": "rod", "joint": {"kind": "prismatic", "axis": [1, 0, 0]}, "mesh": "rod.ply",
             "origin": {"position": [1.1, 0, 0], "rotation": turned}}]},
            {"name": "wall", "mesh": "wall.ply", "origin": {"position": [0.1, 1, 0]}}],
        "motion": {"arm": {"from": [0, 0], "to": [2, 0.5]}}}))
    said = json.loads(subprocess.check_output([os.environ["GRAZE_PROGRAM"], "articulate", tmp_path / "m.json", "--json"]))
    model = arm()
    model.attach(graze.Link([graze.LinkMesh(*ROD)], parent="rod", joint="prismatic", axis=(1, 0, 0), name="hand",
                            origin=graze.Frame((1.1, 0, 0), turned)))
    wall = graze.Model.obstacle(*WALL, origin=graze.Frame((0.1, 1, 0)))
    found = graze.articulated_step([model, wall], [([0, 0], [2, 0.5]), None])
    assert said["verdict"] == "hit" and (found.verdict, found.toi, found.toi_upper, found.checks) == \
        ("hit", said["toi"], said["toi_upper"], said["checks"])
    assert [found.contact.pair[1], found.contact.pair[2], *found.contact.point] == \
        [said["pair"]["a"], said["pair"]["b"], *said["point"]]


def test_models_are_changed_and_pickled_as_they_are():
    models = rod_and_wall()
    motion = [([0.0], [math.pi]), None]
    models[1].place(0, graze.Frame((0, 1, 0)))
    assert graze.articulated_step(models, motion).verdict == "clear"
    models[0].pad("rod", 0.6)
    touched = graze.articulated_step(models, motion)
    assert touched.verdict == "hit"
    again = pickle.loads(pickle.dumps(models))
    assert graze.articulated_step(again, motion).toi == touched.toi
    result = pickle.loads(pickle.dumps(touched))
    assert result.toi == touched.toi and result.contact.links == touched.contact.links
    models[0].pad(0, 0.0)
    models[0].attach(graze.Link([graze.LinkMesh(*ROD)], parent="rod", origin=graze.Frame((1, 0, 0))))
    assert len(models[0]) == 2 and graze.articulated_step(models, motion).verdict == "hit"
    models[0].detach()
    assert len(models[0]) == 1 and graze.articulated_step(models, motion).verdict == "clear"


def test_cubics_and_turns():
    still = graze.Motion(cubic=[[0.0, 0, 0, 0]])
    there = graze.Motion(cubic=[[0.0, 1, 2, 3]])  # the straight line to 3
    assert graze.articulated_step(rod_and_wall(), [still, None]).verdict == "clear"
    found = graze.articulated_step(rod_and_wall(), [there, None])
    assert abs(found.toi - math.pi / 6) < 1e-6
    body = [graze.Model.rigid(*ROD), graze.Model.obstacle(*WALL)]
    once_round = graze.Motion([0.0] * 6, [0.0] * 6, turns=[[0, 0, 2 * math.pi]])
    assert graze.articulated_step(body, [([0.0] * 6, [0.0] * 6), None]).verdict == "clear"
    assert 0.249 < graze.articulated_step(body, [once_round, None]).toi <= 0.25


def test_a_body_on_a_screw_turns_as_on_a_hinge():
    body = graze.Model.rigid(ROD[0] - [1, 0, 0], ROD[1])
    away, back = [1.0, 0, 0, 0, 0, 0], [-1.0, 0, 0, 0, 0, 0]
    models, turns = [body, graze.Model.obstacle(*WALL)], [[0, 0, math.pi]]
    found = graze.articulated_step(models, [graze.Motion(away, back, turns, screws=[True]), None])
    assert 0.5 - 1e-6 < found.toi <= 0.5 <= found.toi_upper < 0.5 + 1e-6
    straight = graze.articulated_step(models, [graze.Motion(away, back, turns, screws=[False]), None])
    assert straight.toi != found.toi and graze.articulated_step(models, [(away, back, turns), None]).toi == straight.toi


def test_a_straight_rotation_vector_takes_the_way_through_zero():
    models = [graze.Model.rigid(*ROD), graze.Model.obstacle(*WALL)]
    back, front = [0.0, 0, 0, 0, 0, -2], [0.0, 0, 0, 0, 0, 2]
    shorter = graze.articulated_step(models, [graze.Motion(back, front), None])
    straight = graze.articulated_step(models, [graze.Motion(back, front, rotvecs=[True]), None])
    assert straight.verdict == "hit" and abs(straight.toi - (2 + math.pi / 2) / 4) < 1e-6
    assert shorter.verdict == "hit" and abs(shorter.toi - straight.toi) > 0.01  # the wall's back, by way of -pi


def test_a_link_inside_another_is_found_where_that_is_asked_for():
    corners = np.array([[0, 0, 0], [3, 0, 0], [0, 3, 0], [0, 0, 3]]) - 0.5
    around = graze.Model.obstacle(corners, [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
    models, still = [graze.Model.rigid(0.1 * PLATE[0], PLATE[1]), around], [None, None]
    assert graze.articulated_step(models, still).verdict == "clear"
    found = graze.articulated_step(models, still, inside=True)
    assert (found.verdict, found.toi, found.contact.inside, found.contact.pair) == ("hit", 0, True, None)


def test_distance_of_a_pose():
    models = [graze.Model.rigid(*PLATE), graze.Model.obstacle(*PLATE)]
    found = graze.articulated_distance(models, [[0, 0, 2, 0, 0, 0], None], separation=0.5)
    assert found.lower <= 1.5 <= found.upper < 1.5 + 1e-9 and found.points[0][2] - found.points[1][2] == pytest.approx(2)
    assert graze.articulated_distance(models, [None, None], skip=[(0, 1)]).lower == math.inf


@pytest.mark.parametrize("call, error, words", [
    (lambda: graze.Model([graze.Link(joint="ball")]), ValueError, "there is no joint 'ball'"),
    (lambda: graze.Model([graze.Link(parent="x")]), ValueError, "there is no link 'x'"),
    (lambda: graze.Model([graze.Link(parent=3)]), graze.Error, "parent"),
    (lambda: graze.Model.obstacle(ROD[0], [[0, 1, 7]]), graze.Error, "vertex"),
    (lambda: graze.articulated_step(rod_and_wall(), [None]), ValueError, "2 models and 1 motions"),
    (lambda: graze.articulated_step(rod_and_wall(), [([0.0, 1.0], [0.0]), None]), ValueError, r"start must have shape .*, not \(2,\)"),
    (lambda: graze.articulated_step(rod_and_wall(), [([math.nan], [0.0]), None]), graze.Error, "finite"),
    (lambda: graze.articulated_step(rod_and_wall(), [None, None], mode="first"), ValueError, "there is no mode 'first'"),
    (lambda: graze.articulated_step(rod_and_wall(), [None, None], skip=[(0, 5)]), ValueError, "skip names model 5 of 2"),
    (lambda: graze.articulated_step([ROD], [None]), TypeError, "models must be of graze.Model, not"),
    (lambda: graze.articulated_batch(rod_and_wall(), [None, None], [None, None]), ValueError, "how many paths"),
    (lambda: graze.articulated_batch(rod_and_wall(), [np.zeros((2, 1)), None], [np.zeros((3, 1)), None]), ValueError,
     "different numbers of paths"),
    (lambda: graze.articulated_batch(rod_and_wall(), [np.zeros((2, 1)), None], [None, None], mode="all"), graze.Error, "all"),
])
def test_bad_models_and_motions_are_named(call, error, words):
    with pytest.raises(error, match=words):
        call()
