"""graze.ipctk beside the toolkit itself: its meshes, names that it forwards, and phases of the caller's.

The toolkit is not needed: a stand-in has its attributes in the same shapes.
"""

import itertools
import math
import sys
import types
import warnings
from fractions import Fraction

import numpy as np
import pytest

import graze
import graze.ipctk as ipctk
from shapes import FACES, soup, two_triangles


class TheirMesh:
    """As the toolkit's CollisionMesh: properties, `vertices` as a method, int32 in Fortran order."""

    def __init__(self, positions, edges, faces=np.empty((0, 3))):
        self._parts, self._filter = (positions, edges, faces), lambda i, j: True

    rest_positions = property(lambda self: np.asfortranarray(self._parts[0]))
    edges = property(lambda self: np.asfortranarray(self._parts[1], dtype=np.int32))
    faces = property(lambda self: np.asfortranarray(self._parts[2], dtype=np.int32))
    can_collide = property(lambda self: lambda i, j: self._filter(i, j), lambda self, value: setattr(self, "_filter", value))

    def vertices(self, full_positions):
        return full_positions


@pytest.fixture
def toolkit(monkeypatch):
    module = types.ModuleType("ipctk")
    module.CollisionMesh = TheirMesh
    module.BarrierPotential = type("BarrierPotential", (), {})
    module.TightInclusionCCD = type("TightInclusionCCD", (), {"__module__": "ipctk", "conservative_rescaling": 0.5})
    module.HashGrid = type("HashGrid", (), {"__module__": "ipctk"})
    monkeypatch.setitem(sys.modules, "ipctk", module)
    return module


def test_a_mesh_of_the_toolkit_is_taken_as_it_is(toolkit):
    x0, x1, faces = soup(60)
    theirs, ours = toolkit.CollisionMesh(x0, ipctk.edges(faces), faces), ipctk.CollisionMesh(x0, ipctk.edges(faces), faces)
    for call in (lambda mesh: ipctk.compute_collision_free_stepsize(mesh, x0, x1), lambda mesh: ipctk.has_intersections(mesh, x1),
                 lambda mesh: ipctk.is_step_collision_free(mesh, x0, x1),
                 lambda mesh: ipctk.compute_collision_free_stepsize(mesh, x0, x1, 0.0, toolkit.HashGrid())):
        assert call(theirs) == call(ours)
    lists = []
    for mesh in (theirs, ours):
        candidates = ipctk.Candidates()
        candidates.build(mesh, x0, x1)
        lists.append((candidates.ee_candidates, candidates.fv_candidates))
        assert candidates.is_step_collision_free(mesh, x0, x1) == ipctk.is_step_collision_free(mesh, x0, x1)
    assert lists[0] == lists[1] and lists[0][1]


def test_can_collide_of_a_mesh_of_the_toolkit_is_asked_in_every_call(toolkit):
    x0, x1 = two_triangles()
    mesh = toolkit.CollisionMesh(x0, ipctk.edges(FACES), FACES)
    assert not ipctk.is_step_collision_free(mesh, x0, x1)
    mesh.can_collide = lambda i, j: False
    assert ipctk.is_step_collision_free(mesh, x0, x1)
    mesh.can_collide = lambda i, j: True
    assert not ipctk.is_step_collision_free(mesh, x0, x1)
    mesh._parts = x0, ipctk.edges(FACES[:1]), FACES[:1]  # a mesh that changes is read again
    assert ipctk.is_step_collision_free(mesh, x0[[0, 1, 2, 3, 4, 5]], x0)


def test_the_rescaling_of_the_toolkits_class_is_taken(toolkit):
    x0, x1 = two_triangles()
    mesh = ipctk.CollisionMesh(x0, ipctk.edges(FACES), FACES)
    alpha = ipctk.compute_collision_free_stepsize(mesh, x0, x1, narrow_phase_ccd=toolkit.TightInclusionCCD())
    assert 0.249 < alpha <= 0.25


def test_names_that_are_not_here_are_the_toolkits_and_a_warning_says_so_once(toolkit, monkeypatch):
    monkeypatch.setattr(ipctk, "_warned", set())
    with pytest.warns(UserWarning, match="graze.ipctk has no BarrierPotential: that of ipctk is taken"):
        assert ipctk.BarrierPotential is toolkit.BarrierPotential
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ipctk.BarrierPotential is toolkit.BarrierPotential
    with pytest.raises(AttributeError, match="graze.ipctk has no Nothing"):
        ipctk.Nothing
    monkeypatch.setitem(sys.modules, "ipctk", ipctk)  # a program that took this package for the toolkit
    with pytest.raises(AttributeError, match="graze.ipctk has no BarrierPotential"):
        ipctk.BarrierPotential


class Always(ipctk.NarrowPhaseCCD):
    def edge_edge_ccd(self, *points_and_limits):
        assert len(points_and_limits) == 10
        return True, 0.25

    point_triangle_ccd = edge_edge_ccd


def test_a_narrow_phase_of_the_callers_is_asked():
    x0, x1 = two_triangles()
    mesh = ipctk.CollisionMesh(x0, ipctk.edges(FACES), FACES)
    assert ipctk.compute_collision_free_stepsize(mesh, x0, x1, narrow_phase_ccd=Always()) == 0.25
    assert not ipctk.is_step_collision_free(mesh, x0, x1, narrow_phase_ccd=Always())
    far = x1 + np.repeat([[0.0], [100.0]], 3, axis=0)
    assert ipctk.is_step_collision_free(mesh, x0 + (far - x1), far, narrow_phase_ccd=Always())


class Listed(ipctk.BroadPhase):
    def __init__(self, pairs):
        self.pairs, self.built = pairs, None

    def build(self, *arguments):
        self.built = arguments

    def detect_vertex_vertex_candidates(self):
        return []

    detect_edge_vertex_candidates = detect_edge_edge_candidates = detect_edge_face_candidates = detect_vertex_vertex_candidates

    def detect_face_vertex_candidates(self):
        return self.pairs


def test_a_broad_phase_of_the_callers_is_asked():
    x0, x1 = two_triangles()
    mesh = ipctk.CollisionMesh(x0, ipctk.edges(FACES), FACES)
    for pairs, free in (([], True), ([(0, 3)], False), ([ipctk.FaceVertexCandidate(0, 3)], False)):
        phase = Listed(pairs)
        assert ipctk.is_step_collision_free(mesh, x0, x1, broad_phase=phase) == free and len(phase.built) == 5
        assert (ipctk.compute_collision_free_stepsize(mesh, x0, x1, broad_phase=phase) == 1) == free
    assert not ipctk.has_intersections(mesh, (x0 + x1) / 2 - [0, 0, 0.1], broad_phase=Listed([]))
    with pytest.raises(ValueError, match="names an element"):
        ipctk.is_step_collision_free(mesh, x0, x1, broad_phase=Listed([(7, 3)]))


# ---- in the plane ----


def orientation(a, b, c):
    a, b, c = ([Fraction(v) for v in p] for p in (a, b, c))
    value = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    return (value > 0) - (value < 0)


def segments_meet(a, b, c, d):
    """In rationals."""
    o = orientation(a, b, c), orientation(a, b, d), orientation(c, d, a), orientation(c, d, b)
    if o[0] * o[1] < 0 and o[2] * o[3] < 0:
        return True
    def on(p, q, r, side):
        return side == 0 and all(min(p[k], q[k]) <= r[k] <= max(p[k], q[k]) for k in range(2))
    return on(a, b, c, o[0]) or on(a, b, d, o[1]) or on(c, d, a, o[2]) or on(c, d, b, o[3])


@pytest.mark.parametrize("seed", range(40))
def test_intersections_in_the_plane_are_decided_exactly(seed):
    random = np.random.default_rng(seed)
    x = random.integers(-4, 5, (8, 2)).astype(float) if seed % 2 else random.uniform(-1, 1, (8, 2))
    edges = np.arange(8).reshape(4, 2)
    edges = edges[[not np.array_equal(x[i], x[j]) for i, j in edges]][:2 + seed % 3]
    expected = any(segments_meet(*x[a], *x[b]) for a, b in itertools.combinations(edges, 2))
    assert ipctk.has_intersections(ipctk.CollisionMesh(x, edges), x) == expected
    if len(edges) > 1:
        assert ipctk.segment_segment_intersect(*x[edges[0]], *x[edges[1]]) == segments_meet(*x[edges[0]], *x[edges[1]])


def test_steps_in_the_plane_stop_before_contact():
    found = 0
    for seed in range(60):
        random = np.random.default_rng(seed)
        x0, x1 = random.uniform(-1, 1, (2, 8, 2))
        edges = np.arange(8).reshape(4, 2)
        mesh = ipctk.CollisionMesh(x0, edges)
        if ipctk.has_intersections(mesh, x0):
            continue
        assert mesh.dim == 2 and mesh.ndof == 16
        alpha = ipctk.compute_collision_free_stepsize(mesh, x0, x1)
        state = x0 + alpha * (x1 - x0)
        assert ipctk.is_step_collision_free(mesh, x0, state)
        for t in np.linspace(0, alpha, 20):
            assert not any(segments_meet(*x[a], *x[b]) for x in [x0 + t * (x1 - x0)]
                           for a, b in itertools.combinations(edges, 2))
        past = x0 + min(1.0, alpha * 1.26 + 1e-6) * (x1 - x0)  # 1 / 0.8 of it is the contact
        assert alpha == 1 or not ipctk.is_step_collision_free(mesh, x0, past)
        found += alpha < 1
    assert found > 5


def test_points_and_edges_in_the_plane():
    x0 = np.array([[0, 1], [-1, 0], [1, 0], [5, 5]], dtype=float)
    x1 = np.array([[0, -1], [-1, 0], [1, 0], [0, 1]], dtype=float)
    mesh = ipctk.CollisionMesh(x0, [[1, 2]])
    assert not ipctk.is_step_collision_free(mesh, x0, x1)
    assert 0.39 < ipctk.compute_collision_free_stepsize(mesh, x0, x1) <= 0.4
    candidates = ipctk.Candidates()
    candidates.build(mesh, x0, x1)
    assert ipctk.EdgeVertexCandidate(0, 0) in candidates.ev_candidates
    assert candidates.compute_collision_free_stepsize(mesh, x0, x1) == ipctk.compute_collision_free_stepsize(mesh, x0, x1)
    assert candidates.ev_candidates[0].compute_distance(x0, mesh.edges, mesh.faces) == 1.0
    mesh.can_collide = ipctk.make_static_obstacle_filter(0)
    assert ipctk.is_step_collision_free(mesh, x0, x1)


# ---- intersections, distances, filters, threads ----


def test_faces_with_a_common_vertex_may_intersect():
    """The side across from the common vertex pierces the other face."""
    x = np.array([[0, 0, 0], [1, 0.2, 0.5], [1, 0.2, -0.5], [2, -1, 0], [2, 1, 0.0]])
    faces = [[0, 1, 2], [0, 3, 4]]
    mesh = ipctk.CollisionMesh(x, ipctk.edges(faces), faces)
    assert len(graze.static_intersections(x, graze.Mesh.from_faces(5, faces))) == 0 and ipctk.has_intersections(mesh, x)
    x[1:3, 2] += 1
    assert not ipctk.has_intersections(mesh, x)
    x[1:3, 2] -= 1
    mesh.can_collide = ipctk.make_sparse_filter({}, False)
    assert not ipctk.has_intersections(mesh, x)


@pytest.mark.parametrize("seed", range(30))
def test_intersections_are_those_of_each_edge_and_face(seed):
    random = np.random.default_rng(seed)
    x = random.integers(-2, 3, (9, 3)) / 2.0 if seed % 2 else random.uniform(-1, 1, (9, 3))
    faces = np.array([random.choice(9, 3, replace=False) for _ in range(2 + seed % 3)])
    edges = ipctk.edges(faces)
    expected = any(not set(e) & set(f) and graze.truth("vf", x[[e[0], *f]], x[[e[1], *f]]).hit for e in edges for f in faces)
    assert ipctk.has_intersections(ipctk.CollisionMesh(x, edges, faces), x) == expected


def test_distances_by_type():
    p, triangle = [0.2, 0.2, 2.0], [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    types_ = ipctk.PointTriangleDistanceType
    assert ipctk.point_triangle_distance_type(p, *triangle) is types_.P_T
    assert ipctk.point_triangle_distance(p, *triangle) == ipctk.point_triangle_distance(p, *triangle, types_.P_T) == 4
    assert ipctk.point_triangle_distance(p, *triangle, types_.P_T1) == pytest.approx(0.64 + 0.04 + 4)
    for point, name in (([-1, -1, 0], "P_T0"), ([3, -1, 0], "P_T1"), ([-1, 3, 0], "P_T2"), ([0.5, -1, 0], "P_E0"),
                        ([1, 1, 0], "P_E1"), ([-1, 0.5, 0], "P_E2")):
        kind = ipctk.point_triangle_distance_type(point, *triangle)
        assert kind.name == name
        assert ipctk.point_triangle_distance(point, *triangle, kind) == pytest.approx(ipctk.point_triangle_distance(point, *triangle))
    assert ipctk.point_edge_distance_type([2, 1], [0, 0], [1, 0]).name == "P_E1"
    assert ipctk.point_edge_distance([2, 1], [0, 0], [1, 0], ipctk.PointEdgeDistanceType.P_E) == 1
    assert ipctk.point_point_distance([0, 0], [3, 4]) == 25


def test_distances_of_edges_agree_with_their_types():
    random, seen = np.random.default_rng(4), set()
    for _ in range(300):
        x = random.uniform(-1, 1, (4, 3))
        kind = ipctk.edge_edge_distance_type(*x)
        seen.add(kind.name)
        assert ipctk.edge_edge_distance(*x, kind) == pytest.approx(ipctk.edge_edge_distance(*x), rel=1e-9)
    assert len(seen) == 9


def test_filters_are_combined():
    patches = ipctk.make_connected_components_filter([[0, 1, 2], [3, 4, 5], [5, 6, 7]])
    assert patches(0, 3) and not patches(3, 7) and not patches(0, 2)
    still = ipctk.make_static_obstacle_filter(4)
    assert still(4, 1) and not still(4, 5)
    for i, j in itertools.product(range(8), repeat=2):
        assert (patches & still)(i, j) == (patches(i, j) and still(i, j))
        assert (patches | still)(i, j) == (patches(i, j) or still(i, j)) and (~patches)(i, j) != patches(i, j)


def test_the_number_of_threads_changes_no_answer():
    x0, x1, faces = soup(60)
    mesh, answers = ipctk.CollisionMesh(x0, ipctk.edges(faces), faces), set()
    try:
        for threads in (1, 2, 0):
            ipctk.set_num_threads(threads)
            assert ipctk.get_num_threads() >= 1 and graze._context.context().threads in (0, 1, 2)
            answers.add(ipctk.compute_collision_free_stepsize(mesh, x0, x1))
        assert len(answers) == 1 and math.isfinite(answers.pop())
    finally:
        ipctk.set_num_threads(0)
