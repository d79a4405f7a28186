import pickle

import numpy as np
import pytest

import graze
from graze import _c
from shapes import FACES, same_bits, soup, two_triangles


def by_c(mesh, x0, x1):
    context, result = _c.c_void_p(), _c.default(_c.StepResult, _c.library.graze_init_step_result)
    assert _c.library.graze_context_create(None, _c.ctypes.byref(context)) == 0
    assert _c.library.graze_step(context, mesh._c, x0.ctypes.data, x1.ctypes.data, None, result) == 0
    _c.library.graze_context_destroy(context)
    return result


def test_a_triangle_that_falls_on_another_stops_at_it():
    x0, x1 = two_triangles()
    found = graze.step(x0, x1, graze.Mesh.from_faces(6, FACES))
    assert (found.verdict, found.pair.kind, found.pair.a, found.pair.b) == ("hit", "vf", 3, 0)
    assert 0.499 < found.toi <= 0.5 <= found.toi_upper and found.pairs is None and found.vertex_toi is None
    assert found.pair.result.toi == found.toi


def test_step_has_the_bits_of_the_c_call():
    x0, x1, faces = soup(300)
    mesh = graze.Mesh.from_faces(len(x0), faces)
    found, c = graze.step(x0, x1, mesh), by_c(mesh, x0, x1)
    assert found.verdict == "hit"
    assert (found.toi, found.toi_upper, found.pair.a, found.pair.b) == \
        (c.toi, c.toi_upper, c.limiting.pair.a, c.limiting.pair.b)


def test_all_pairs_begin_with_the_earliest_and_are_candidates():
    x0, x1, faces = soup(200)
    mesh = graze.Mesh.from_faces(len(x0), faces)
    every = graze.step(x0, x1, mesh, mode="all")
    assert len(every.pairs) == sum(every.hits.values()) > 5
    assert every.pairs["result"]["toi"].min() == every.toi == graze.step(x0, x1, mesh).toi
    near = graze.candidates(x0, x1, mesh)
    assert set(every.pairs["pair"].tolist()) < set(near.tolist())
    assert same_bits(near, graze.candidates(x0, x1, mesh, broad="brute"))


def test_vertices_have_times_of_their_own():
    x0, x1 = two_triangles()
    found = graze.step(x0, x1, graze.Mesh.from_faces(6, FACES), mode="vertices")
    assert found.vertex_toi.shape == (6,) and found.vertex_toi.min() == found.toi < 0.5


def test_step_to_is_free_and_starts_free():
    x0, x1 = two_triangles()
    mesh, out = graze.Mesh.from_faces(6, FACES), np.empty((6, 3))
    x, found = graze.step_to(x0, x1, mesh, out=out)
    assert x is out and 0.49 < found.alpha < 0.5
    assert graze.step(x0, x, mesh).verdict == "clear" and len(graze.start_violations(x, mesh)) == 0
    with pytest.raises(ValueError, match="shares memory"):
        graze.step_to(x0, x1, mesh, out=x0)


def test_start_is_looked_at():
    x0, x1 = two_triangles()
    mesh = graze.Mesh.from_faces(6, FACES)
    assert len(graze.static_intersections(x0, mesh)) == 0
    through = (x0 + x1) / 2
    through[3:, 2] -= 0.1
    assert graze.static_intersections(through, mesh)[["a", "b"]].tolist() == [(0, 1)]
    assert {tuple(pair) for pair in graze.start_violations(x0, mesh, separation=1.0).tolist()} >= {(0, 3, 0)}


def test_separation_kinds_and_groups_are_kept():
    x0, x1 = two_triangles()
    mesh = graze.Mesh.from_faces(6, FACES)
    assert graze.step(x0, x1, mesh, separation=0.5).toi < 0.26
    assert graze.step(x0, x1, mesh, kinds=["pp"]).verdict == "clear"
    groups = dict(groups=[0, 0, 0, 1, 1, 1])
    apart = graze.Mesh.from_faces(6, FACES, group_pairs=[[1, 0], [0, 1]], **groups)
    assert graze.step(x0, x1, apart).verdict == "clear"
    assert graze.step(x0, x1, graze.Mesh.from_faces(6, FACES, skip_same_group=True, **groups)).verdict == "hit"
    thick = graze.Mesh.from_faces(6, FACES, thickness=np.full(6, 0.25))
    assert graze.step(x0, x1, thick).toi < 0.26


def test_edges_and_points_meet():
    x0 = np.array([[0, 0, 0], [1, 0, 0], [0.5, 0, 1]], dtype=float)
    x1 = x0 * [1, 1, -1]
    found = graze.step(x0, x1, graze.Mesh.from_parts(3, edges=[[1, 0]]))
    assert (found.verdict, found.pair.kind, found.pair.a, found.pair.b) == ("hit", "pe", 2, 0)


def test_meshes_can_be_pickled():
    x0, x1, faces = soup(50)
    mesh = graze.Mesh.from_faces(len(x0), faces, thickness=np.full(len(x0), 0.01))
    again = pickle.loads(pickle.dumps(mesh))
    assert same_bits(mesh.edges, again.edges) and same_bits(mesh.faces, again.faces)
    assert graze.step(x0, x1, mesh).toi == graze.step(x0, x1, again).toi != graze.step(
        x0, x1, graze.Mesh.from_faces(len(x0), faces)).toi


def test_a_mesh_keeps_what_it_was_given():
    x0, x1 = two_triangles()
    faces = np.array(FACES, dtype=np.uint32)
    mesh = graze.Mesh.from_faces(6, faces)
    faces[:] = 0
    assert graze.step(x0, x1, mesh).verdict == "hit"


def test_an_empty_mesh_is_clear():
    assert graze.step(np.empty((0, 3)), np.empty((0, 3)), graze.Mesh.from_faces(0, [])).verdict == "clear"


@pytest.mark.parametrize("arguments, error, words", [
    (dict(faces=[[0, 1, 9]]), graze.Error, "face 0: there is no vertex 9, of 6"),
    (dict(faces=[[0, 1, -1]]), ValueError, "faces has values outside"),
    (dict(faces=[[0.5, 1, 2]]), TypeError, "faces must be integers, not float64"),
    (dict(faces=[[0, 1]]), ValueError, r"faces must have shape \(n, 3\), not \(1, 2\)"),
    (dict(vertex_count=-1), ValueError, "vertex_count"),
    (dict(groups=[0, 1]), ValueError, r"groups must have shape \(6\), not \(2,\)"),
    (dict(skip_same_group=True), ValueError, "need groups"),
    (dict(thickness=[1.0]), ValueError, "thickness must have shape"),
])
def test_bad_meshes_are_named(arguments, error, words):
    with pytest.raises(error, match=words):
        graze.Mesh.from_faces(**{**dict(vertex_count=6, faces=FACES), **arguments})


def test_bad_steps_are_named():
    x0, x1 = two_triangles()
    mesh = graze.Mesh.from_faces(6, FACES)
    with pytest.raises(ValueError, match=r"x1 must have shape \(6, 3\), not \(5, 3\)"):
        graze.step(x0, x1[:5], mesh)
    with pytest.raises(TypeError, match="mesh must be a graze.Mesh"):
        graze.step(x0, x1, FACES)
    with pytest.raises(ValueError, match="there is no mode 'first'"):
        graze.step(x0, x1, mesh, mode="first")
    x1[4, 0] = np.inf
    with pytest.raises(graze.Error) as caught:
        graze.step(x0, x1, mesh)
    assert (caught.value.status, caught.value.index) == ("not finite", 4)


def test_each_pair_keeps_a_part_of_its_distance():
    x0, x1 = two_triangles()  # from 1 apart down through the face: contact at 1/2
    mesh = graze.Mesh.from_faces(6, FACES)
    found = graze.step(x0, x1, mesh, relative_separation=0.25)
    assert abs(found.toi - 0.375) < 1e-9  # of the computed distance, less its error
    with pytest.raises(graze.Error, match="relative_separation"):
        graze.step(x0, x1, mesh, relative_separation=1.5)
