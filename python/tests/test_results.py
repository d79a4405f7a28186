"""Results read well when they are printed, and can be drawn."""

import re

import numpy as np
import pytest

import graze
from shapes import FACES, two_triangles

TRIANGLE = [[-1, -1, 0], [2, -1, 0], [-1, 2, 0]]
DOWN = [[0, 0, 1]] + TRIANGLE, [[0, 0, -1]] + TRIANGLE


class Axes:
    """Notes what is drawn, as matplotlib's axes would."""

    def __init__(self):
        self.drawn = []

    def __getattr__(self, name):
        return lambda *values, **style: self.drawn.append((name, values, style))


def results():
    x0, x1 = two_triangles()
    mesh = graze.Mesh.from_faces(6, FACES)
    body = graze.Model.rigid(*[TRIANGLE, [[0, 1, 2]]])
    models, motions = [body, graze.Model.obstacle(TRIANGLE, [[0, 1, 2]])], [([0, 0, 1, 0, 0, 0], [0, 0, -1, 0, 0, 0]), None]
    yield graze.ccd("vf", *DOWN), r"Result: hit at 0\.5, not proven, point \(.*\), normal \(0, 0, 1\), \d+ checks"
    yield graze.ccd("vf", *DOWN, method="exact"), r"Result: hit at 0\.5, point \(.*\), normal \(0, 0, 1\), \d+ checks"
    yield graze.ccd("vf", DOWN[0], DOWN[0]), r"Result: clear, \d+ checks"
    yield graze.step(x0, x1, mesh), r"StepResult: hit (in|at) .*, vf 3 0, .* ms on cpu"
    yield graze.step(x0, x1, mesh, mode="all"), r"StepResult: .*, \d+ pairs, .* ms on cpu"
    yield graze.step(x0, x1, mesh).pair, r"Contact: vf 3 0, <graze\.Result: hit .*>"
    yield graze.distance("pp", [[0, 0, 0], [3, 4, 0]]), r"Distance: 5, vector .*"
    yield body, r"Model: 1 links, 6 values"
    yield graze.articulated_step(models, motions), r"ArticulatedResult: hit .*, links \(., 0\) and \(., 0\), \d+ checks"
    yield graze.articulated_step(models, motions).contact, r"LinkContact: hit .*, links \(., 0\) and \(., 0\), .*"
    yield graze.articulated_distance(models, [[0, 0, 2, 0, 0, 0], None]), r"LinkDistance: in \[.*\], links .*"


@pytest.mark.parametrize("result, words", results())
def test_a_result_is_one_line_that_reads_well(result, words):
    assert re.fullmatch(f"<graze.{words}>", repr(result)), repr(result)


def test_a_pair_is_drawn_at_the_start_and_at_contact():
    ax, found = Axes(), graze.ccd("vf", *DOWN)
    assert found.plot("vf", *DOWN, ax=ax) is ax
    assert [name for name, _, _ in ax.drawn] == ["plot"] * 3 + ["scatter"] + ["plot"] * 3 + ["scatter", "scatter", "quiver"]
    start, at_contact, contact = (values for name, values, _ in ax.drawn if name == "scatter")
    assert start == (0, 0, 1) and abs(at_contact[2]) < 1e-6 and np.allclose(contact, found.point)
    ax = Axes()
    graze.ccd("vf", DOWN[0], DOWN[0]).plot("vf", DOWN[0], DOWN[0], ax=ax)
    assert "quiver" not in [name for name, _, _ in ax.drawn]


def test_a_step_is_drawn_with_the_pair_that_limits_it():
    (x0, x1), mesh, ax = two_triangles(), graze.Mesh.from_faces(6, FACES), Axes()
    found = graze.step(x0, x1, mesh)
    found.plot(x0, x1, mesh, ax=ax)
    red = [values for _, values, style in ax.drawn if style["color"] == "red"]
    assert len(ax.drawn) - len(red) == len(mesh.edges) and len(red) == 4
    assert np.allclose(red[-1], (1 - found.toi) * x0[3] + found.toi * x1[3])


def test_a_picture_by_matplotlib(tmp_path):
    matplotlib = pytest.importorskip("matplotlib", reason="no matplotlib (Debian: python3-matplotlib)")
    matplotlib.use("Agg")
    ax = graze.ccd("vf", *DOWN).plot("vf", *DOWN)
    ax.figure.savefig(tmp_path / "pair.png")
    assert (tmp_path / "pair.png").stat().st_size > 1000


def test_without_matplotlib_a_line_says_so(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.pyplot", None)
    with pytest.raises(ImportError, match="matplotlib is not here"):
        graze.ccd("vf", *DOWN).plot("vf", *DOWN)
