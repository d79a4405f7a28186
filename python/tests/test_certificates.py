"""Certificates from Python, and a checker that agrees with the program's."""

import copy
import dataclasses
import json
import os
import pickle
import subprocess

import numpy as np
import pytest

import graze
from graze import _proof
from shapes import FACES, queries, two_triangles

PROGRAM = pytest.mark.skipif("GRAZE_PROGRAM" not in os.environ, reason="GRAZE_PROGRAM does not name the program")


def by_program(path):
    """True, False, or None where it is not a certificate."""
    run = subprocess.run([os.environ["GRAZE_PROGRAM"], "verify", path], capture_output=True)
    return {0: True, 1: False, 2: None}[run.returncode]


def by_package(path):
    try:
        return graze.verify(path).accepted
    except graze.Error:
        return None


def lattice(count, rows, seed):
    """Points on a small lattice: flat, parallel, touching at corners, moving along each other."""
    random = np.random.default_rng(seed)
    return random.integers(-2, 3, (2, count, rows, 3)).astype(float)


@pytest.mark.parametrize("kind, rows", [("vf", 4), ("ee", 4), ("pe", 3), ("pp", 2)])
@pytest.mark.parametrize("separation", [0.0, 0.25])
def test_every_answer_has_a_proof(tmp_path, kind, rows, separation):
    made = [graze.certificate(kind, a, b, separation=separation) for x in (queries(120, seed=2), lattice(120, 4, 3))
            for a, b in zip(x[0][:, :rows], x[1][:, :rows])]
    found = graze.verify(made)
    assert found.accepted and found.pairs == 240 and (found.hits > 0 or kind == "pp") and found.clear > 20
    graze.write_certificates(tmp_path / "c.json", made)
    again = graze.read_certificates(tmp_path / "c.json")
    assert again == [dataclasses.replace(one, name={}) for one in made]
    if "GRAZE_PROGRAM" in os.environ:
        assert by_program(tmp_path / "c.json") is True


@pytest.mark.parametrize("kind, rows", [("vf", 4), ("ee", 4), ("pe", 3)])
@pytest.mark.parametrize("separation", [0.0, 0.5])
def test_deciding_without_a_proof_agrees_with_the_truth(kind, rows, separation):
    """The whole time as one piece that the checker has to decide: `truth` is other code."""
    touching = 0
    for a, b in zip(*lattice(150, rows, 7)):
        pair = graze.Certificate(kind, tuple(map(tuple, a.tolist())), tuple(map(tuple, b.tolist())), separation, 1.0, "clear",
                                 1.0, None, (graze.Piece("exact", 0.0, 1.0),), None)
        hit = graze.truth(kind, a, b, separation=separation).hit
        touching += hit
        assert graze.verify(pair).accepted == (not hit), (a, b)
    assert 5 < touching < 149


def test_free_time_ends_before_the_contact_and_clear_time_does_not():
    triangle = ((-1.0, -1.0, 0.0), (2.0, -1.0, 0.0), (-1.0, 2.0, 0.0))
    half = graze.Piece("exact", 0.0, 0.5)
    hit = graze.Certificate("vf", ((0.0, 0.0, 1.0), *triangle), ((0.0, 0.0, -1.0), *triangle), 0.0, 1.0, "hit", 0.5, 0.5,
                            (half,), "touching")
    assert graze.verify(hit).accepted
    clear = dataclasses.replace(hit, t_max=0.5, verdict="clear", toi_upper=None, hit=None)
    assert "touches" in graze.verify(clear).reason
    before = float(np.nextafter(0.5, 0))
    assert graze.verify(dataclasses.replace(clear, t_max=before, toi=before, free=(graze.Piece("exact", 0.0, before),))).accepted


def test_certificates_with_radii(tmp_path):
    random = np.random.default_rng(5)
    made = []
    for a, b in zip(*queries(60, seed=9)):
        for radii in (np.full(4, 0.1), random.uniform(0, 0.3, 4)):
            made += [graze.certificate(kind, a[:n], b[:n], radii=radii[:n]) for kind, n in (("vf", 4), ("ee", 4), ("pe", 3))]
    found = graze.verify(made)
    assert found.accepted and found.hits > 20 and any(isinstance(one.hit, tuple) for one in made)
    graze.write_certificates(tmp_path / "c.json", made)
    assert graze.read_certificates(tmp_path / "c.json") == made
    if "GRAZE_PROGRAM" in os.environ:
        assert by_program(tmp_path / "c.json") is True


def test_a_step_is_certified_pair_by_pair(tmp_path):
    x0, x1 = two_triangles()
    mesh = graze.Mesh.from_faces(6, FACES)
    made = graze.step_certificates(x0, x1, mesh)
    assert len(made) == len(graze.candidates(x0, x1, mesh)) and graze.verify(made).accepted
    assert min(one.toi for one in made if one.verdict == "hit") == graze.step(x0, x1, mesh).toi
    thick = graze.step_certificates(x0, x1, graze.Mesh.from_faces(6, FACES, thickness=np.full(6, 0.1)))
    assert graze.verify(thick).accepted and thick[0].radii == (0.1,) * 4
    graze.write_certificates(tmp_path / "c.json", thick)
    assert [one.name for one in graze.read_certificates(tmp_path / "c.json")] == [one.name for one in thick]


def falsified(pair, how, random):
    """A certificate as JSON, changed in one place so that mostly it is no longer true."""
    pair = copy.deepcopy(pair)
    free = pair["free"]
    if how == "toi" and free:
        free[-1]["t1"] = pair["toi"] = min(pair["toi"] * 1.001, 1.0)
    elif how == "clear" and pair["verdict"] == "hit":
        pair.update(verdict="clear", toi=1.0, toi_upper=None, hit=None)
        if free:
            free[-1]["t1"] = 1.0
    elif how == "gap" and len(free) > 1:
        del free[int(random.integers(len(free)))]
    elif how == "direction":
        for piece in free:
            if "n" in piece:
                piece["n"] = [-x for x in piece["n"]]
    elif how == "exact":
        pair["free"] = [{"exact": True, "t0": 0.0, "t1": pair["toi"]}] if pair["toi"] else []
    elif how == "volume":
        pair["free"] = [{"volume": True, "t0": 0.0, "t1": pair["toi"]}] if pair["toi"] else []
    elif how == "point":
        pair["x1"][0][2] += float(random.uniform(-2, 2))
    elif how == "upper" and pair["toi_upper"] is not None:
        pair["toi_upper"] = pair["toi"]
    elif how == "contact" and pair["hit"]:
        pair["hit"] = {str(random.choice(["crossing", "touching", "exact"])): True}
    return pair


HOW = ["separation", "toi", "clear", "gap", "direction", "exact", "volume", "point", "upper", "contact"]


@PROGRAM
@pytest.mark.parametrize("separation", [0.0, 0.125])
@pytest.mark.parametrize("how", HOW)
def test_forgeries_are_judged_as_the_program_judges_them(tmp_path, how, separation):
    random, judged = np.random.default_rng(HOW.index(how)), []
    made = [graze.certificate(kind, a[:n], b[:n], separation=separation) for a, b in [*zip(*queries(200, seed=12)), *zip(*lattice(60, 4, 4))]
            for kind, n in (("vf", 4), ("ee", 4), ("pe", 3))]
    hits = [one for one in made if one.verdict == "hit"][:9] + [one for one in made if one.verdict == "clear"][:4]
    graze.write_certificates(tmp_path / "good.json", hits)
    whole = json.loads((tmp_path / "good.json").read_text())
    for pair in whole["pairs"]:
        path = tmp_path / "bad.json"
        more = 0.3 if how == "separation" else 0.0
        path.write_text(json.dumps({**whole, "separation": separation + more, "pairs": [falsified(pair, how, random)]}))
        judged.append(by_package(path))
        assert judged[-1] == by_program(path) is not None, path.read_text()
    assert False in judged or how == "exact"


def text_of(tmp_path):
    made = (graze.certificate("vf", a, b) for a, b in zip(*queries(200, seed=12)))
    graze.write_certificates(tmp_path / "good.json", [next(one for one in made if one.hit == "crossing")])
    return (tmp_path / "good.json").read_text()


@PROGRAM
@pytest.mark.parametrize("before, after", [
    ('"kind": "vf"', '"kind": "vf", "kind": "vf"'),
    ('"kind": "vf"', '"k\\u0069nd": "vf"'),
    ('"kind": "vf"', '"kind": "v\\u0066"'),
    ('"kind": "vf"', '"kind": "ve"'),
    ('"kind": "vf"', '"kind": "vf", "more": 1'),
    ('"kind": "vf"', '"kind": "vf", "radii": [0, 0, 0, 0]'),
    ('"kind": "vf"', '"kind": "vf", "file": "a\\u0000b"'),
    ('"kind": "vf"', '"kind": "vf", "file": "a\\ud800b"'),
    ('"kind": "vf"', '"kind": "vf", "file": 7'),
    ('"separation": 0.0', '"separation": NaN'),
    ('"separation": 0.0', '"separation": -1'),
    ('"separation": 0.0', '"separation": 1e999'),
    ('"separation": 0.0', '"separation": true'),
    ('"separation": 0.0', '"separation": 00'),
    ('"t_max": 1.0', '"t_max": 0'),
    ('"t_max": 1.0', '"t_max": 1.5'),
    ('"toi_upper"', '"toi_lower"'),
    ('"hit": {', '"hit": {"at": [0.1, 0.1], '),
    ('"crossing": true', '"crossing": false'),
    ('"crossing": true', '"crossing": true, "touching": true'),
    ('certificate 1', 'certificate 3'),
    ('{"format"', '\ufeff{"format"'),
    ('{"format"', '[{"format"'),
    ('{"format"', '{} {"format"'),
])
def test_what_is_not_a_certificate_is_refused_by_both(tmp_path, before, after):
    text, path = text_of(tmp_path), tmp_path / "bad.json"
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    assert by_program(path) is None
    with pytest.raises(graze.Error, match="bad.json: "):
        graze.verify(path)


def test_both_take_a_name_with_escapes(tmp_path):
    path = tmp_path / "named.json"
    path.write_text(text_of(tmp_path).replace('"kind"', '"file": "a\\"\\u00e9\\\\.csv", "index": 3, "kind"', 1))
    assert graze.verify(path).accepted and graze.read_certificates(path)[0].name["file"] == 'a"\u00e9\\.csv'
    assert "GRAZE_PROGRAM" not in os.environ or by_program(path) is True


def test_the_checker_calls_nothing_of_the_library():
    names = set(vars(_proof))
    assert not names & {"library", "_c", "np", "ctypes"}


def test_certificates_can_be_pickled_and_asked_for_once():
    x0, x1 = two_triangles()
    one = graze.certificate("vf", x0[[3, 0, 1, 2]], x1[[3, 0, 1, 2]])
    assert pickle.loads(pickle.dumps(one)) == one
    with pytest.raises(ValueError, match="one separation"):
        graze.write_certificates("/dev/null", [one, dataclasses.replace(one, separation=1.0)])
    with pytest.raises(TypeError, match="unexpected keyword argument 'speed'"):
        graze.certificate("vf", x0[[3, 0, 1, 2]], x1[[3, 0, 1, 2]], speed=1)
