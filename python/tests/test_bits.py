"""Answers have the bits that a program in C gets from the same library."""

import os
import pathlib

import numpy as np
import pytest

import against_c
import graze
from shapes import queries, same_bits

pytestmark = pytest.mark.skipif(not against_c.POSSIBLE, reason="no C compiler, or no headers")
SCENES = sorted((pathlib.Path(os.environ.get("GRAZE_DATA", "none")) / "scenes").glob("*/frames"))


@pytest.mark.parametrize("kind", ["vf", "ee"])
def test_a_hundred_thousand_queries_have_the_bits_of_c(tmp_path, kind):
    x0, x1 = queries(100_000, seed=6)
    with against_c.batch(tmp_path, kind, x0, x1) as from_c:
        found = graze.ccd_batch(kind, x0, x1)
        assert same_bits(found, from_c.results) and 1000 < np.count_nonzero(found["verdict"] == graze.HIT) < 99_000


@pytest.mark.skipif(not SCENES, reason="GRAZE_DATA does not name reference data")
@pytest.mark.parametrize("folder", SCENES, ids=[path.parent.name for path in SCENES])
def test_a_step_of_every_scene_has_the_bits_of_c(tmp_path, folder):
    (_, first), (_, second) = graze.read_frames(folder)[:2]
    a, b = graze.read_mesh_pair(first, second)
    found = graze.step(a.positions, b.positions, graze.Mesh.from_faces(len(a.positions), a.faces))
    with against_c.step(tmp_path, a.positions, b.positions, a.faces) as from_c:
        c = from_c.results
        assert (found.toi, found.toi_upper, found.pair is not None) == (c.toi, c.toi_upper, bool(c.has_pair))
        if found.pair:
            assert (found.pair.a, found.pair.b, found.pair.result.u) == \
                (c.limiting.pair.a, c.limiting.pair.b, c.limiting.result.u)
