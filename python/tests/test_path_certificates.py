import json
import math
import os
import random
import subprocess

import numpy as np
import pytest

import graze
from graze import _path_proof
from test_articulated import PLATE, ROD, arm, rod_and_wall

BOX = (np.array([[x, y, z] for x in (-.2, .2) for y in (-.1, .1) for z in (-.15, .15)]),
       [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1], [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4],
        [1, 5, 7], [1, 7, 3]])


def judged(path):
    """Verdicts of both checkers: accepted, rejected or not a certificate."""
    if "GRAZE_PROGRAM" not in os.environ:
        pytest.skip("GRAZE_PROGRAM does not name the program")
    status = subprocess.run([os.environ["GRAZE_PROGRAM"], "verify", path], capture_output=True).returncode
    try:
        ours = 0 if graze.verify(path).accepted else 1
    except graze.Error:
        ours = 2
    return ours, status


def chain(kinds, seed):
    """Links on joints of these kinds, each on the one before it, and values at both ends."""
    here = np.random.default_rng(seed)
    links = [graze.Link([graze.LinkMesh(*BOX)], parent=i - 1 if i else None, joint=kind, axis=here.uniform(-1, 1, 3),
                        origin=graze.Frame(here.uniform(-1, 1, 3) + [0, 0, 0.5], here.uniform(-1, 1, 4)), padding=0.01 * i)
             for i, kind in enumerate(kinds)]
    model = graze.Model(links)
    start = here.uniform(-1, 1, model.values)
    return model, start, start + here.uniform(-0.5, 0.5, model.values)


@pytest.mark.parametrize("kinds", [("revolute", "prismatic"), ("spherical", "revolute"), ("planar", "fixed", "free"),
                                   ("free", "planar")])
def test_free_paths_of_every_kind_are_accepted_by_both(tmp_path, kinds):
    path, free = tmp_path / "proof.json", 0
    for seed in range(6):
        model, start, end = chain(kinds, seed)
        screws = [kind in ("planar", "free") and seed % 2 for kind in kinds]
        motion = graze.Motion(start, end, screws=screws)
        wall = graze.Model.obstacle(*PLATE, origin=graze.Frame([0, 0, -0.4]))
        if graze.articulated_certificate(path, [model, wall], [motion, None], separation=0.01 * seed).verdict != "clear":
            continue
        free += 1
        said = graze.verify(path)
        assert said.accepted and said.paths == 1 and said.rejected == 0, said
        assert judged(path) == (0, 0)
    assert free > 0


def test_cubics_and_turns_are_accepted_by_both(tmp_path):
    path = tmp_path / "proof.json"
    cubic = graze.Motion(cubic=[[0, 0.3, 1, 1.4]])
    assert graze.articulated_certificate(path, rod_and_wall(), [cubic, None], t_max=0.8).verdict == "clear"
    assert judged(path) == (0, 0)
    models = [graze.Model.rigid(*PLATE), graze.Model.obstacle(*PLATE)]
    turn = graze.Motion([0, 0, 2, 0, 0, 1], [1, 0, 3, 0, 0, 0], turns=[[0.3, -4, 0.2]])
    assert graze.articulated_certificate(path, models, [turn, None]).verdict == "clear"
    assert judged(path) == (0, 0)


def test_what_is_not_free_has_no_file(tmp_path):
    path = tmp_path / "proof.json"
    found = graze.articulated_certificate(path, rod_and_wall(), [([0.0], [math.pi]), None])
    assert found.verdict == "hit" and not path.exists()
    with pytest.raises(TypeError, match="inside"):  # a start inside is not certified
        graze.articulated_certificate(path, rod_and_wall(), [([0.0], [1.5]), None], inside=True)


EDITS = [("[1.5]", "[3]", 1), ('"separation":0.0', '"separation":0.5', 1), ('"skip":[]', '"skip":[[0,1]]', 2),
         ('"t_max":1', '"t_max":2', 2), ('"proof":"', '"proof":"t', 1), ('"proof":"', '"proof":"(0,0,0)', 1),
         ('"proof":"', '"proof":"k', 1), ('"links":[0,1]', '"links":[1,0]', 2), ('"padding":0', '"padding":-1', 2),
         ('"revolute"', '"screw"', 2), ('"to":[1.5]', '"to":[1.5],"screws":[1]', 1), ("[1.5]", "[1e7]", 1),
         ('"axis":[0,0,1]', '"axis":[0,0,0]', 1), ('"parent":-1', '"parent":0', 2), ("[1.5]", "[1.5,1]", 2),
         ('"faces":[[', '"faces":[[7,0,1],[', 2), ('"skip"', '"paths"', 2), ('"to":', '"from":', 2)]


@pytest.mark.parametrize("old, new, status", EDITS)
def test_changed_files_are_judged_alike(tmp_path, old, new, status):
    path = tmp_path / "proof.json"
    graze.articulated_certificate(path, rod_and_wall(), [([0.0], [1.5]), None])
    text = path.read_text().replace('"separation":0,', '"separation":0.0,')
    assert old in text
    path.write_text(text.replace(old, new, 1))
    assert judged(path) == (status, status)


def test_random_changes_are_judged_alike(tmp_path):
    path, here, seen = tmp_path / "proof.json", random.Random(5), set()
    model, start, end = chain(("revolute", "free"), 3)
    wall = graze.Model.obstacle(*PLATE, origin=graze.Frame([0, 0, -3]))
    assert graze.articulated_certificate(path, [model, wall], [(start, end), None]).verdict == "clear"
    text = path.read_text()
    for _ in range(60):
        at = here.randrange(text.index('"padding"') if here.random() < 0.3 else text.index('"paths"'), len(text))
        path.write_text(text[:at] + here.choice("0123456789abtxyzXYZ,[]{}-") + text[at + 1:])
        ours, status = judged(path)
        assert ours == status, path.read_text()
        seen.add(status)
    assert seen == {0, 1, 2}


def test_sine_and_cosine_enclose_those_of_the_c_library():
    for x in (0.0, 1e-30, 0.5, -2.0, 7.0, 1e5, -1048576.0):
        for (c, r), value in zip(_path_proof.sine(_path_proof.number(x)), (math.sin(x), math.cos(x))):
            assert r < 2**12 and abs(c[0] / _path_proof.ONE - value) < 1e-15


def test_the_checker_of_paths_calls_nothing_of_the_library():
    names = set(vars(_path_proof))
    assert not names & {"library", "_c", "ctypes", "np"}


PLAN_MODEL = """{"models":[{"name":"car","links":[{"name":"body","joint":{"kind":"prismatic","axis":[1,0,0]},"mesh":"cube.obj"},
{"name":"arm","parent":"body","joint":{"kind":"revolute","axis":[1,1,0]},"origin":{"position":[0,0,1.6]},"mesh":"cube.obj"}]},
{"name":"wall","mesh":"cube.obj","origin":{"position":[0,0.3,0.2]}}]}"""
PLAN_EDITS = [("", "", 0), ("[-1.8,-1]", "[-0.2,-1]", 1), ("0,0.7,", "0,0.75,", 0), ("1.5,1.5", "1.5,1.6", 2),
              ('"degree":7', '"degree":6', 2), ('"degree":7', '"degree":8', 2), ("[-1.8,-1]", "[-1.8,2e6]", 1),
              ("[-1.8,-1]", "[-1.8]", 2), (",null]", "]", 2), ('"separation":0', '"separation":0.9', 1),
              ("0,0.7,", "0,1e999,", 2), ("0,0.7,", "0,2.7,", 2)]


def test_plans_are_judged_alike_by_both(tmp_path):
    if "GRAZE_PROGRAM" not in os.environ:
        pytest.skip("GRAZE_PROGRAM does not name the program")
    vertices, faces = BOX
    rows = [f"v {x * 2.5} {y * 5} {z * 3}" for x, y, z in vertices] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in faces]
    (tmp_path / "cube.obj").write_text("\n".join(rows) + "\n")
    (tmp_path / "m.json").write_text(PLAN_MODEL)
    (tmp_path / "p.json").write_text(json.dumps({
        "degree": 7, "knots": [0] * 8 + [0.7, 1.5, 1.5] + [3] * 8,
        "control": [[-3, 0], [-2, 1], [-4, .2], [-1.8, -1], [-2, 2], [-3, .3], [-2.5, .7], [-3, 1], [-2, .4], [-3, -2],
                    [-2, 0]]}))
    subprocess.run([os.environ["GRAZE_PROGRAM"], "articulate", "m.json", "--plan", "p.json", "--certificate", "c.json"],
                   cwd=tmp_path, check=True, capture_output=True)
    text = (tmp_path / "c.json").read_text()
    for old, new, status in PLAN_EDITS:
        assert old in text
        (tmp_path / "e.json").write_text(text.replace(old, new, 1))
        assert judged(tmp_path / "e.json") == (status, status), (old, new)
