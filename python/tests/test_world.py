import gc
import math
import os
import subprocess
import sys
import threading

import numpy as np
import pytest

import graze
from shapes import same_bits
from test_articulated import ROD, WALL, arm

BOX = (np.array([[x, y, z] for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]),
       [[0, 2, 3], [0, 3, 1], [4, 5, 7], [4, 7, 6], [0, 1, 5], [0, 5, 4], [2, 6, 7], [2, 7, 3], [0, 4, 6], [0, 6, 2],
        [1, 3, 7], [1, 7, 5]])
HALF = {0: ([0.0], [math.pi])}


def static(origin=graze.Frame(), **more):
    return graze.Static([graze.LinkMesh(*WALL)], origin, **more)


def world(**more):
    return graze.World([arm(), static()], **more)


def two_rods():
    rod = graze.LinkMesh(*ROD)
    return graze.Model([graze.Link([rod], joint="revolute", name="upper"),
                        graze.Link([rod], parent="upper", joint="revolute", origin=graze.Frame([1.1, 0, 0]), name="lower")])


def same(one, other):
    return (one.verdict, one.toi, one.toi_upper, one.checks, one.pairs) == \
        (other.verdict, other.toi, other.toi_upper, other.checks, other.pairs)


def test_a_world_steps_with_the_bits_of_its_models():
    model = two_rods()
    made = graze.World([model, static()])
    models = [model, graze.Model.obstacle(*WALL)]
    assert (len(made), made.links(0), made.values(0), made.links(1), made.values(1)) == (2, 2, 2, 1, 0)
    random = np.random.default_rng(2)
    starts, ends = random.uniform(-3, 3, (2, 60, 2))
    verdicts = set()
    for start, end in zip(starts, ends):
        for mode in ("earliest", "any", "all"):
            found = made.step({0: (start, end)}, mode=mode)
            assert same(found, graze.articulated_step(models, [(start, end), None], mode=mode))
            assert (found.contacts is None) == (mode != "all")
        verdicts.add(found.verdict)
    assert verdicts == {"hit", "clear"}
    batch = made.batch({0: starts}, {0: ends})
    assert same_bits(batch, graze.articulated_batch(models, [starts, None], [ends, None]))
    out = np.zeros(60, dtype=graze.ARTICULATED_RESULT)
    assert made.batch({0: starts}, {0: ends}, out=out) is out and same_bits(out, batch)
    assert made.batch({0: np.zeros(2)}, {0: ends})["verdict"].shape == (60,)


def test_a_pose_is_valid_where_nothing_touches_or_is_inside():
    made = world()
    assert made.valid({}).verdict == made.valid({0: [0.0]}).verdict == made.valid({0: None}).verdict == "clear"
    assert made.valid({0: [math.pi / 2]}).verdict == "hit"
    assert len(made.valid({0: [math.pi / 2]}, mode="all").contacts) == 1
    assert made.valid({0: [0.0]}, separation=1).verdict == "hit"
    small = graze.Model.rigid(BOX[0] / 4, BOX[1])
    solid = graze.World([small, graze.Static([graze.LinkMesh(*BOX)])])
    pose = {0: [0.1, 0, 0, 0, 0, 0]}
    inside = solid.valid(pose)
    assert inside.verdict == "hit" and inside.contact.inside
    assert solid.valid(pose, inside=False).verdict == "clear" == solid.step({0: (pose[0], pose[0])}).verdict


def test_versions_leave_the_world_that_they_are_made_of():
    made = world()
    away = made.place(1, 0, graze.Frame([0, 5, 0]))
    assert (made.step(HALF).verdict, away.step(HALF).verdict) == ("hit", "clear")
    assert away.pad(1, 0, 4.8).step(HALF).verdict == "hit"
    held = graze.Link([graze.LinkMesh(*ROD, scale=(7, 1, 1))], parent="rod", name="bar")
    holding = away.attach(0, held)
    assert holding.links(0) == 2 and holding.step(HALF).verdict == "hit"
    assert holding.update([("skip", (0, "bar"), 1)]).step(HALF).verdict == "clear"
    assert holding.update([("skip", (0, "bar"), 1), ("test", (0, "bar"), (1, 0))]).step(HALF).verdict == "hit"
    assert holding.detach(0).links(0) == 1 and holding.detach(0).step(HALF).verdict == "clear"
    both = made.update([("place", 1, 0, graze.Frame([0, 5, 0])), ("attach", 0, held), ("pad", 0, "bar", 0.1), ("detach", 0)])
    assert both.step(HALF).verdict == "clear"
    assert made.update([("apart", 0, 1, 0.6)]).valid({}).verdict == "hit"


CYCLE = """
import gc, graze
gc.disable()
box = graze.LinkMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 2], [0, 1, 3], [0, 2, 3], [1, 2, 3]])
model = graze.Model([graze.Link([box], joint="revolute")])
world = graze.World([model, graze.Static([box], graze.Frame([9, 0, 0]))])
cycle = [model, world, world.place(1, 0, graze.Frame([8, 0, 0])), graze.Mesh.from_faces(3, [[0, 1, 2]]),
         graze.Worlds([model, graze.Static([box])], [0, -1])]
cycle.append(cycle)
assert world.step({0: ([0], [1])}).verdict == "clear"
del model, world, cycle
gc.collect()
"""


def test_worlds_models_and_meshes_of_a_cycle_go_before_their_contexts():
    """The collector calls finalizers in any order; the end of a program whose functions know a world is a cycle, too."""
    env = {**os.environ, "MALLOC_PERTURB_": "165"}  # glibc: nobody reads what was freed
    run = subprocess.run([sys.executable, "-c", CYCLE], env=env, capture_output=True, text=True)
    assert (run.returncode, run.stderr) == (0, "")


def test_rules_and_robots_skip_pairs(tmp_path):
    assert world(skip=[(0, 1)]).step(HALF).verdict == world(skip=[((0, "rod"), (1, 0))]).step(HALF).verdict == "clear"
    assert world(apart=[(0, 1, 0.6)]).valid({}).verdict == "hit"
    model = two_rods()
    fold = {0: ([0.0, 0.0], [0.0, math.pi])}
    tool = graze.Link([graze.LinkMesh(*ROD, scale=(2, 1, 1))], parent="lower", name="tool")
    model.attach(tool)
    assert graze.World([model]).step(fold).verdict == "hit"
    assert graze.World([model], skip=[((0, "upper"), (0, "tool"))]).step(fold).verdict == "clear"
    box = "<collision><geometry><box size='{}'/></geometry></collision>"
    (tmp_path / "a.urdf").write_text(
        "<robot name='a'><link name='base'>" + box.format(".2 .2 .2") + "</link><link name='mid'/><link name='tip'>"
        + box.format(".1 .1 .1") + "</link><joint name='one' type='prismatic'><parent link='base'/><child link='mid'/>"
        "<axis xyz='1 0 0'/><limit lower='0' upper='1' effort='1' velocity='1'/></joint><joint name='two' type='fixed'>"
        "<parent link='mid'/><child link='tip'/></joint></robot>")
    (tmp_path / "a.srdf").write_text("<robot name='a'><disable_collisions link1='base' link2='tip'/></robot>")
    for srdf, verdict in ((None, "hit"), (tmp_path / "a.srdf", "clear")):
        robot = graze.Model.from_urdf(tmp_path / "a.urdf", srdf=srdf)
        assert graze.World([robot]).valid({0: [0.0]}).verdict == verdict


def test_a_filter_is_asked_once_for_a_pair_and_for_every_version():
    asked = []

    def keep(one, other):
        asked.append((one, other))
        return False
    made = world(filter=keep)
    assert [set(pair) for pair in asked] == [{(0, 0), (1, 0)}] and made.step(HALF).verdict == "clear"
    again = made.place(1, 0, graze.Frame([0, 0.1, 0]))
    assert len(asked) == 2 and again.step(HALF).verdict == "clear"
    assert world(filter=lambda one, other: True).step(HALF).verdict == "hit"
    assert world(filter=lambda one, other: 0.6).valid({}).verdict == "hit"
    assert world(filter=lambda one, other: np.bool_(False)).valid({}, separation=1).verdict == "clear"
    assert world(filter=keep, apart=[(0, 1, 0.6)]).valid({}).verdict == "hit"  # rules come after it


@pytest.mark.parametrize("answer", [None, "no", -1.0, float("nan"), ZeroDivisionError])
def test_what_a_filter_raises_the_call_raises(answer):
    broken = []

    def ask(_one, _other):
        if broken and isinstance(answer, type):
            raise answer()
        return answer if broken else True
    made = world(filter=ask)
    broken.append(1)
    expected = answer if isinstance(answer, type) else (TypeError, ValueError, graze.Error)
    for call in (lambda: world(filter=ask), lambda: made.pad(0, 0, 0.1)):
        with pytest.raises(expected):
            call()
    broken.clear()
    assert made.pad(0, 0, 0.1).step(HALF).verdict == "hit"


def test_bad_worlds_and_motions_are_errors():
    made = world()
    held = graze.Link([graze.LinkMesh(*ROD)], parent=0)
    nan = float("nan")
    for call, error in [
            (lambda: graze.World([1]), TypeError), (lambda: graze.World([graze.Static([graze.LinkMesh([[1, 2]], [[0, 0, 0]])])]), ValueError),
            (lambda: graze.World([graze.Static([graze.LinkMesh(*WALL)], padding=-1)]), graze.Error),
            (lambda: world(skip=[(0, 2)]), ValueError), (lambda: world(skip=[((0, "arm"), 1)]), ValueError),
            (lambda: world(skip=[((0, 1), 1)]), ValueError), (lambda: world(apart=[(0, 1, -1)]), graze.Error),
            (lambda: world(apart=[(0, 1, nan)]), graze.Error), (lambda: made.place(2, 0, graze.Frame()), ValueError),
            (lambda: made.place(1, 1, graze.Frame()), ValueError), (lambda: made.pad(0, "rod", -1), graze.Error),
            (lambda: made.pad(0, "arm", 1), ValueError), (lambda: made.detach(1), graze.Error),
            (lambda: made.attach(0, graze.Link([], parent="none")), ValueError), (lambda: made.attach(5, held), ValueError),
            (lambda: made.update([("fly", 0)]), ValueError), (lambda: made.update([("skip", 0, 3)]), ValueError),
            (lambda: made.update([("rule", 0, 1)]), ValueError),
            (lambda: made.step({2: None}), ValueError), (lambda: made.step({-1: None}), ValueError), (lambda: made.step({"arm": None}), ValueError),
            (lambda: made.step({0: ([0.0, 1.0], [0.0])}), ValueError), (lambda: made.step({0: ([nan], [0.0])}), graze.Error),
            (lambda: made.step({1: ([1.0], None)}), ValueError), (lambda: made.step(HALF, mode="first"), ValueError),
            (lambda: made.step(HALF, t_max=0), graze.Error), (lambda: made.valid({0: [nan]}), graze.Error),
            (lambda: made.valid({0: [1, 2]}), ValueError), (lambda: made.batch({}, {}), ValueError),
            (lambda: made.batch({0: np.zeros((2, 1))}, {0: np.zeros((3, 1))}), ValueError),
            (lambda: made.batch({0: np.zeros((2, 2))}, {}), ValueError), (lambda: made.batch({7: np.zeros((2, 1))}, {}), ValueError),
            (lambda: made.batch({0: np.zeros((2, 1))}, {}, mode="all"), graze.Error),
            (lambda: made.batch({0: np.zeros((2, 1))}, {}, out=np.zeros(3, dtype=graze.ARTICULATED_RESULT)), ValueError)]:
        with pytest.raises(error) as raised:
            call()
        assert str(raised.value) and "\n" not in str(raised.value)
    assert made.step(HALF).verdict == "hit"


def test_worlds_outlive_what_they_are_made_of_and_threads_share_them():
    model = arm()
    made = graze.World([model, static()])
    model.pad(0, 0.6)  # a copy: the world does not see it
    versions = [made.pad(0, 0, 0.01)]
    for _ in range(3):
        versions.append(versions[-1].place(1, 0, graze.Frame([0, 0, 0.001])))
    last = versions[-1]
    del model, made, versions
    gc.collect()
    found = []
    threads = [threading.Thread(target=lambda: found.append(last.step(HALF).toi)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and len(set(found)) == 1 and 0 < found[0] < 0.5


# ---- distances ----


def rods_among_walls():
    return graze.World([two_rods(), static(graze.Frame([0, 3, 0])), static(graze.Frame([0, -4, 0]), padding=0.25)])


def all_gaps(made, pose, **more):
    return made.distance({0: pose}, most=None, **more)


def test_the_closest_pairs_are_the_first_of_all_pairs():
    made, random = rods_among_walls(), np.random.default_rng(5)
    for pose in random.uniform(-3, 3, (20, 2)):
        every = all_gaps(made, pose)
        assert len(every.gaps) == 4 and every.lower == math.inf  # two rods, two walls; a joint connects the rods
        assert [gap.upper for gap in every.gaps] == sorted(gap.upper for gap in every.gaps)
        closest = made.distance({0: pose})
        assert len(closest.gaps) == 1 and closest.gaps[0].links == every.gaps[0].links
        assert closest.lower <= every.gaps[1].upper
        limit = every.gaps[1].upper
        near = all_gaps(made, pose, within=limit)
        assert [gap.links for gap in near.gaps] == [gap.links for gap in every.gaps[:len(near.gaps)]] and len(near.gaps) >= 2
        assert near.lower >= limit * (1 - 1e-9)


def test_a_gap_has_points_that_far_apart_and_a_normal_between_them():
    made = rods_among_walls()
    for gap in all_gaps(made, [0.3, 0.4]).gaps:
        way = gap.points[0] - gap.points[1]
        padding = 0.25 if gap.links[1] == (2, 0) else 0
        assert gap.lower - 1e-9 <= np.linalg.norm(way) - padding <= gap.upper + 1e-9
        assert np.allclose(gap.normal, way / np.linalg.norm(way)) and gap.gradient is None
        assert "LinkGap" in repr(gap)
    assert math.isclose(all_gaps(made, [0.3, 0.4], separation=0.125).gaps[0].upper + 0.125,
                        all_gaps(made, [0.3, 0.4]).gaps[0].upper)


def test_gradients_of_distances_are_those_of_differences():
    made, random, step = rods_among_walls(), np.random.default_rng(6), 2.0**-20
    told = 0
    for pose in random.uniform(-2, 2, (30, 2)):
        for gap in all_gaps(made, pose, gradients=True).gaps:
            assert set(gap.gradient) == {0}
            for k in range(2):
                ends = []
                for side in (-step, step):
                    moved = pose.copy()
                    moved[k] += side
                    ends += [one.upper for one in all_gaps(made, moved).gaps if one.links == gap.links]
                if not math.isnan(gap.gradient[0][k]):
                    told += 1
                    assert math.isclose((ends[1] - ends[0]) / (2 * step), gap.gradient[0][k], abs_tol=1e-4)
    assert told > 200


def test_links_that_cross_have_distance_zero_and_no_gradient():
    box = graze.shapes.box([1, 1, 1])
    made = graze.World([graze.Model([graze.Link([box.mesh], joint="free")]), graze.Static([box.mesh])])
    gap = made.distance({0: [0.3, 0.2, 0.1, 0.4, 0, 0]}, gradients=True).gaps[0]
    assert gap.lower == 0 and gap.upper < 1e-11 and np.isnan(gap.gradient[0]).all() and np.isnan(gap.normal).all()


def test_gradients_of_toi_are_those_of_differences():
    made = graze.World([two_rods(), static(graze.Frame([0, 1, 0]))])
    start, end, step = np.array([0.2, 0.1]), np.array([1.9, 0.3]), 2.0**-16

    def toi(start, end):
        return made.step({0: (start, end)}).toi
    found = made.step({0: (start, end)})
    by_start, by_end = made.toi_gradient({0: (start, end)}, found.contact)
    assert found.verdict == "hit" and 0 < found.toi < 1
    for k in range(2):
        unit = step * np.eye(2)[k]
        assert math.isclose((toi(start + unit, end) - toi(start - unit, end)) / (2 * step), by_start[0][k], abs_tol=1e-3)
        assert math.isclose((toi(start, end + unit) - toi(start, end - unit)) / (2 * step), by_end[0][k], abs_tol=1e-3)
    clear = made.step({0: ([0.2, 0.1], [0.3, 0.1])})
    assert clear.contact is None
    with pytest.raises(graze.Error, match="links"):
        bad = graze.LinkContact("hit", "none", True, 0.5, 0.5, ((0, 9), (1, 0)), None, None, None)
        made.toi_gradient({0: (start, end)}, bad)


def test_bad_distances_are_one_line():
    made = rods_among_walls()
    with pytest.raises(graze.Error, match="distance is negative"):
        made.distance({0: [0, 0]}, within=-1)
    with pytest.raises(ValueError, match="None asks for all"):
        made.distance({0: [0, 0]}, most=0)
    with pytest.raises(ValueError, match="whole number"):
        made.distance({0: [0, 0]}, most=1.5)
    with pytest.raises(ValueError, match="no body"):
        made.distance({7: [0, 0]})
