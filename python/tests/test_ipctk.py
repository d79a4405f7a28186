"""graze.ipctk: the names and the order of arguments of IPC Toolkit 1.5.0, and answers that never land on contact."""

import doctest
import importlib
import inspect
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

import graze
import graze.ipctk as ipctk
from shapes import FACES, queries, soup, two_triangles

PAIR_ARGUMENTS = {"point_point_ccd": "p0_t0 p1_t0 p0_t1 p1_t1", "point_edge_ccd": "p_t0 e0_t0 e1_t0 p_t1 e0_t1 e1_t1",
                  "point_triangle_ccd": "p_t0 t0_t0 t1_t0 t2_t0 p_t1 t0_t1 t1_t1 t2_t1",
                  "edge_edge_ccd": "ea0_t0 ea1_t0 eb0_t0 eb1_t0 ea0_t1 ea1_t1 eb0_t1 eb1_t1"}


def parameters(function):
    return [name for name in inspect.signature(function).parameters if name != "self"]


def test_arguments_have_the_names_and_the_order_of_the_toolkit():
    step = "mesh vertices_t0 vertices_t1 min_distance"
    expected = {
        ipctk.is_step_collision_free: step + " broad_phase narrow_phase_ccd",
        ipctk.compute_collision_free_stepsize: step + " broad_phase narrow_phase_ccd",
        ipctk.has_intersections: "mesh vertices broad_phase",
        ipctk.edges: "F",
        ipctk.check_initial_distance: "initial_distance min_distance",
        ipctk.Candidates.is_step_collision_free: step + " narrow_phase_ccd",
        ipctk.Candidates.compute_collision_free_stepsize: step + " narrow_phase_ccd",
        ipctk.Candidates.compute_per_vertex_safe_distances: "mesh vertices inflation_radius min_distance",
        ipctk.CollisionMesh.build_from_full_mesh: "full_rest_positions edges faces",
        ipctk.CollisionMesh.construct_is_on_surface: "num_vertices edges codim_vertices",
        ipctk.CollisionMesh.construct_faces_to_edges: "faces edges",
        ipctk.TightInclusionCCD: "tolerance max_iterations conservative_rescaling",
        ipctk.AdditiveCCD: "max_iterations conservative_rescaling",
        ipctk.SparseCanCollide: "explicit_values default_value",
        ipctk.VertexPatchesCanCollide: "vertex_patches",
        ipctk.CollisionStencil.vertex_ids: "edges faces",
        ipctk.CollisionStencil.ccd: "vertices_t0 vertices_t1 min_distance tmax narrow_phase_ccd",
        **{getattr(ipctk.NarrowPhaseCCD, name): words + " min_distance tmax" for name, words in PAIR_ARGUMENTS.items()},
    }
    for function, words in expected.items():
        assert parameters(function) == words.split(), function
    assert (ipctk.TightInclusionCCD().conservative_rescaling, ipctk.AdditiveCCD().conservative_rescaling) == (0.8, 0.9)


def shuffled_edges(faces, seed=3):
    """Edges in an order and in directions of their own."""
    random, edges = np.random.default_rng(seed), ipctk.edges(faces)
    edges = edges[random.permutation(len(edges))]
    return np.where(random.random((len(edges), 1)) < 0.5, edges, edges[:, ::-1])


def soup_mesh(count=60, spread=0.4, seed=2):
    x0, x1, faces = soup(count, seed, spread)
    return x0, x1, ipctk.CollisionMesh(x0, shuffled_edges(faces), faces)


def boxes_meet(x0, x1, a, b, radius):
    low, high = [np.minimum(x0[p].min(0), x1[p].min(0)) - radius for p in (a, b)], \
        [np.maximum(x0[p].max(0), x1[p].max(0)) + radius for p in (a, b)]
    return (low[0] <= high[1]).all() and (low[1] <= high[0]).all()


def edges_that_meet(x0, x1, mesh, radius):
    edges = mesh.edges
    return {(i, j) for i, j in itertools.combinations(range(len(edges)), 2)
            if not set(edges[i]) & set(edges[j]) and boxes_meet(x0, x1, edges[i], edges[j], radius)}


def faces_that_meet(x0, x1, mesh, radius):
    return {(f, v) for f, face in enumerate(mesh.faces) for v in range(len(x0))
            if v not in face and boxes_meet(x0, x1, face, [v], radius)}


@pytest.mark.parametrize("radius", [0, 0.02])
def test_candidates_are_the_pairs_whose_boxes_meet_by_rows_of_the_edges_given(radius):
    x0, x1, mesh = soup_mesh(25)
    candidates = ipctk.Candidates()
    candidates.build(mesh, x0, x1, radius)
    edges, faces = mesh.edges, mesh.faces
    found = {tuple(sorted((c.edge0_id, c.edge1_id))) for c in candidates.ee_candidates}
    assert found and edges_that_meet(x0, x1, mesh, radius) <= found <= edges_that_meet(x0, x1, mesh, 1.001 * radius)
    found = {(c.face_id, c.vertex_id) for c in candidates.fv_candidates}
    assert found and faces_that_meet(x0, x1, mesh, radius) <= found <= faces_that_meet(x0, x1, mesh, 1.001 * radius)
    assert len(candidates) == len(candidates.ee_candidates) + len(candidates.fv_candidates) and not candidates.empty()
    assert candidates[0] == candidates.ee_candidates[0] and candidates[len(candidates) - 1] == candidates.fv_candidates[-1]
    ids = candidates[0].vertex_ids(edges, faces)
    assert ids == [*edges[candidates[0].edge0_id], *edges[candidates[0].edge1_id]]


def test_codimensional_candidates():
    x = np.array([[0, 0, 0], [1, 0, 0], [0.5, 0, 0.1], [0.5, 0, 0.15]])
    mesh = ipctk.CollisionMesh(x, [[1, 0]])
    assert (mesh.num_codim_vertices, mesh.codim_edges.tolist(), mesh.dim, mesh.ndof) == (2, [0], 3, 12)
    candidates = ipctk.Candidates()
    candidates.build(mesh, x, inflation_radius=0.1)
    assert candidates.ev_candidates == [ipctk.EdgeVertexCandidate(0, 2), ipctk.EdgeVertexCandidate(0, 3)]
    assert candidates.vv_candidates == [ipctk.VertexVertexCandidate(3, 2)]
    assert math.isclose(candidates.ev_candidates[0].compute_distance(x, mesh.edges, mesh.faces), 0.01)


@pytest.mark.parametrize("offset", [0.0, 1000.0])
@pytest.mark.parametrize("min_distance", [0.0, 1e-4])
def test_steps_never_land_on_contact(offset, min_distance):
    x, x1, mesh = soup_mesh()
    x, goal = x + offset, x1 + offset
    made = graze.Mesh.from_faces(len(x), mesh.faces)
    assert len(graze.start_violations(x, made, separation=min_distance)) == 0
    alphas = []
    for ccd in [ipctk.TightInclusionCCD(), ipctk.AdditiveCCD()] * 4 + [ipctk.TightInclusionCCD(conservative_rescaling=1.0)] * 4:
        alphas.append(ipctk.compute_collision_free_stepsize(mesh, x, goal, min_distance, None, ccd))
        then = x + alphas[-1] * (goal - x)
        assert ipctk.is_step_collision_free(mesh, x, then, min_distance)
        x = then
        assert len(graze.start_violations(x, made, separation=min_distance)) == 0
    assert 0 < alphas[0] < 1 and not ipctk.is_step_collision_free(mesh, x, goal, min_distance)


def test_candidates_answer_as_whole_steps_do():
    x0, x1, mesh = soup_mesh()
    candidates = ipctk.Candidates()
    candidates.build(mesh, x0, x1)
    alpha = candidates.compute_collision_free_stepsize(mesh, x0, x1)
    assert alpha == ipctk.compute_collision_free_stepsize(mesh, x0, x1) < 1
    assert not candidates.is_step_collision_free(mesh, x0, x1)
    assert candidates.is_step_collision_free(mesh, x0, x0 + alpha * (x1 - x0))
    candidates.clear()
    assert candidates.compute_collision_free_stepsize(mesh, x0, x1) == 1 and candidates.empty()
    candidates.ee_candidates = [(3, 1), ipctk.EdgeEdgeCandidate(0, 5)]
    assert len(candidates) == 2 and repr(candidates[0]) == "EdgeEdgeCandidate(3, 1)"


def test_a_whole_step_is_one_and_a_touching_start_is_zero():
    x0, x1 = two_triangles()
    mesh = ipctk.CollisionMesh(x0, ipctk.edges(FACES), FACES)
    assert ipctk.compute_collision_free_stepsize(mesh, x0, x0 + 0.1) == 1
    x0[3, 2] = 0
    assert ipctk.compute_collision_free_stepsize(mesh, x0, x1) == 0


@pytest.mark.parametrize("kind, name, rows", [("pp", "point_point_ccd", 2), ("pe", "point_edge_ccd", 3),
                                              ("vf", "point_triangle_ccd", 4), ("ee", "edge_edge_ccd", 4)])
def test_ccd_classes_agree_with_the_truth_and_stay_before_it(kind, name, rows):
    x0, x1 = queries(150, seed=8)
    x1[0::3, 1:] = x0[0::3, 1:]  # some that do touch
    x1[0::3, 0] = x0[0::3, 1:rows].mean(axis=1) * 2 - x0[0::3, 0]
    hits = 0
    for a, b in zip(x0[:, :rows], x1[:, :rows]):
        truth = graze.truth(kind, a, b, separation=0.05)
        hit, toi = getattr(ipctk.TightInclusionCCD(conservative_rescaling=0.9), name)(*a, *b, 0.05)
        assert hit == truth.hit
        if hit and truth.toi_lower > 0:
            hits += 1
            assert 0.89 * truth.toi_lower < toi <= 0.9 * truth.toi_upper
            assert graze.truth(kind, a, a + toi * (b - a), separation=0.05).hit is False
        elif not hit:
            assert toi == math.inf
    assert hits > 5


def test_points_in_the_plane():
    hit, toi = ipctk.AdditiveCCD().point_edge_ccd([0, 1], [-1, 0], [1, 0], [0, -1], [-1, 0], [1, 0])
    assert hit and 0.44 < toi <= 0.45


class Slow:
    def __init__(self, patches):
        self.patches = patches

    def __call__(self, i, j):
        return self.patches[i] != self.patches[j]


def test_can_collide_by_patches_by_a_table_and_by_a_function():
    x0, x1, mesh = soup_mesh(40)
    patches = np.arange(40).repeat(3) % 4 * 7
    toi = {}
    table = {(i, j): False for i, j in itertools.combinations(range(len(x0)), 2) if patches[i] == patches[j]}
    for name, value in {"all": lambda i, j: True, "patches": ipctk.VertexPatchesCanCollide(patches),
                        "function": Slow(patches), "table": ipctk.SparseCanCollide(table, True)}.items():
        mesh.can_collide = value
        assert mesh.can_collide is value
        candidates = ipctk.Candidates()
        candidates.build(mesh, x0, x1)
        toi[name] = (len(candidates), ipctk.compute_collision_free_stepsize(mesh, x0, x1))
    assert toi["patches"] == toi["function"] == toi["table"] != toi["all"] and toi["patches"][0] < toi["all"][0]
    mesh.can_collide = ipctk.VertexPatchesCanCollide(np.arange(len(x0)) % 2)  # faces of two patches
    one_by_one = ipctk.Candidates()
    one_by_one.build(mesh, x0, x1)
    assert 0 < len(one_by_one) <= toi["all"][0]
    with pytest.raises(ValueError, match="vertex_patches has 3 vertices"):
        mesh.can_collide = ipctk.VertexPatchesCanCollide([0, 1, 2])
    with pytest.raises(ValueError, match="a function of two vertices"):
        mesh.can_collide = 7


def pierces(p, q, a, b, c):
    """True if a segment meets a triangle, in rationals; None where it lies in its plane."""
    def side(*points):
        (ax, ay, az), (bx, by, bz), (cx, cy, cz) = ([i - j for i, j in zip(r, points[3])] for r in points[:3])
        value = ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx)
        return (value > 0) - (value < 0)
    ends = side(a, b, c, p), side(a, b, c, q)
    if ends == (0, 0):
        return None
    turns = [side(p, q, a, b), side(p, q, b, c), side(p, q, c, a)]
    return ends[0] * ends[1] <= 0 and not min(turns) < 0 < max(turns)


def test_intersections_of_edges_and_faces_are_decided_exactly():
    random, found = np.random.default_rng(5), []
    faces = [[0, 1, 2], [0, 3, 4]]  # they share a vertex
    edges = np.vstack([ipctk.edges(faces), [[5, 6]]])
    for k in range(400):
        x = random.integers(-3, 4, (7, 3)).astype(float) if k % 2 else random.uniform(-1, 1, (7, 3))
        exact = [[Fraction(v) for v in row] for row in x.tolist()]
        asked = [pierces(*(exact[i] for i in (*e, *f))) for f in faces for e in edges if not set(e) & set(f)]
        if None in asked:
            continue
        found.append(any(asked))
        assert ipctk.has_intersections(ipctk.CollisionMesh(x, edges, faces), x) == any(asked), x.tolist()
    assert 30 < sum(found) < len(found) - 30


def test_intersections_keep_can_collide():
    x = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, 1], [0.2, 0.2, -1]])
    mesh = ipctk.CollisionMesh(x, np.vstack([ipctk.edges([[0, 1, 2]]), [[3, 4]]]), [[0, 1, 2]])
    assert ipctk.has_intersections(mesh, x)
    mesh.can_collide = lambda i, j: False
    assert not ipctk.has_intersections(mesh, x)


def test_safe_distances_are_at_most_the_distance_to_each_candidate():
    x, _, mesh = soup_mesh(50)
    candidates = ipctk.Candidates()
    candidates.build(mesh, x, 0.05)
    safe = candidates.compute_per_vertex_safe_distances(mesh, x, 0.05, 0.001)
    expected = np.full(len(x), 0.05 - 0.001)
    for i in range(len(candidates)):
        d = math.sqrt(candidates[i].compute_distance(x, mesh.edges, mesh.faces)) - 0.001
        for v in candidates[i].vertex_ids(mesh.edges, mesh.faces):
            expected[v] = min(expected[v], d)
    expected = np.maximum(expected, 0)
    assert (safe <= expected).all() and np.allclose(safe, expected, atol=1e-12) and (safe < 0.049).any() and len(candidates) > 20


def test_a_part_of_a_full_mesh():
    full = np.random.default_rng(1).uniform(-1, 1, (6, 3))
    faces = [[1, 3, 4], [4, 3, 5]]
    mesh = ipctk.CollisionMesh.build_from_full_mesh(full, ipctk.edges(faces), faces)
    assert (mesh.num_vertices, mesh.full_num_vertices, mesh.to_full_vertex_id().tolist()) == (4, 6, [1, 3, 4, 5])
    assert mesh.faces.tolist() == [[0, 1, 2], [2, 1, 3]] and np.array_equal(mesh.rest_positions, full[[1, 3, 4, 5]])
    assert np.array_equal(mesh.vertices(2 * full), 2 * full[[1, 3, 4, 5]])
    assert np.array_equal(mesh.displace_vertices(full), 2 * full[[1, 3, 4, 5]])
    assert np.array_equal(mesh.to_full_dof(np.ones(12)).reshape(6, 3)[:, 0], [0, 1, 0, 1, 1, 1])
    sides = mesh.edges[mesh.faces_to_edges[0]]
    assert [set(side) for side in sides.tolist()] == [{0, 1}, {1, 2}, {2, 0}] and mesh.num_codim_edges == 0
    again = ipctk.CollisionMesh([False, True, False, True, True, True], [False] * 6, full, ipctk.edges(faces), faces)
    assert again.faces.tolist() == mesh.faces.tolist()


@pytest.mark.parametrize("sparse", [False, True])
def test_a_displacement_map_moves_vertices_and_takes_gradients_and_hessians_back(sparse):
    matrices = pytest.importorskip("scipy.sparse") if sparse else None
    square = [[0, 0], [1, 0], [0, 1], [1, 1]]
    dense = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]], dtype=float)
    mesh = ipctk.CollisionMesh(square, [[0, 1], [1, 3], [3, 2], [2, 0]],
                               displacement_map=matrices.lil_matrix(dense) if sparse else dense)
    moved = np.array([[1, 2], [3, 5], [7, 11]], dtype=float)
    assert np.array_equal(mesh.map_displacements(moved), [[1, 2], [3, 5], [7, 11], [10, 16]])
    assert np.array_equal(mesh.displace_vertices(moved), square + mesh.map_displacements(moved))
    gradient, by_dof = np.arange(8.0) ** 2, np.kron(dense, np.eye(2))
    assert np.array_equal(mesh.to_full_dof(gradient), by_dof.T @ gradient)
    if sparse:
        hessian = np.outer(gradient, gradient) + np.eye(8)
        assert np.array_equal(mesh.to_full_dof(matrices.csc_matrix(hessian)).toarray(), by_dof.T @ hessian @ by_dof)
        part = ipctk.CollisionMesh([True, False, True], [False] * 3, square[:3], [[0, 2]])
        chosen = part.to_full_dof(matrices.csr_matrix(np.diag([1.0, 2, 3, 4]))).toarray()
        assert np.array_equal(chosen, np.diag([1.0, 2, 0, 0, 3, 4]))


@pytest.mark.parametrize("broad", ["BruteForce", "BVH", "LBVH", "HashGrid", "SpatialHash", "SweepAndPrune"])
def test_every_broad_phase_gives_the_same(broad):
    x0, x1, mesh = soup_mesh()
    phase = getattr(ipctk, broad)()
    assert phase.name() == broad
    assert ipctk.compute_collision_free_stepsize(mesh, x0, x1, 0.0, phase) == \
        ipctk.compute_collision_free_stepsize(mesh, x0, x1)


class OwnBroadPhase(ipctk.BroadPhase):
    pass


@pytest.mark.parametrize("call, error, words", [
    (lambda mesh, x: ipctk.BarrierPotential, AttributeError, "graze.ipctk has no BarrierPotential: it is the collision"),
    (lambda mesh, x: ipctk.Candidates().save_obj("a.obj", x, [], []), NotImplementedError, "no Candidates.save_obj"),
    (lambda mesh, x: mesh.vertex_area(0), NotImplementedError, "no CollisionMesh.vertex_area"),
    (lambda mesh, x: ipctk.BVH().detect_edge_edge_candidates(), NotImplementedError, "detect_edge_edge_candidates"),
    (lambda mesh, x: ipctk.CollisionMesh(x[:, :1], mesh.edges), ValueError, r"rest_positions must have shape .*, not \(6, 1\)"),
    (lambda mesh, x: ipctk.CollisionMesh.construct_faces_to_edges([[0, 1, 2]], [[0, 1], [1, 2], [0, 3]]), RuntimeError,
     "^Unable to find edge!$"),
    (lambda mesh, x: ipctk.CollisionMesh(x, mesh.edges, mesh.faces, np.eye(5)), ValueError,
     r"displacement_map has shape \(5, 5\), the mesh 6 vertices"),
    (lambda mesh, x: ipctk.CollisionMesh(x, mesh.edges, mesh.faces, np.full((6, 2), np.nan)), ValueError, "displacement_map"),
    (lambda mesh, x: ipctk.CollisionMesh(x, [[0, 1]], mesh.faces), ValueError, "a face has the side"),
    (lambda mesh, x: ipctk.CollisionMesh(x, mesh.edges + 3, mesh.faces), ValueError, "edges names a vertex"),
    (lambda mesh, x: ipctk.is_step_collision_free(mesh, x, x, 0, None, 7), TypeError, "must be a NarrowPhaseCCD, not int"),
    (lambda mesh, x: ipctk.is_step_collision_free(mesh, x, x, 0, OwnBroadPhase()), TypeError, "methods detect_"),
    (lambda mesh, x: ipctk.is_step_collision_free(FACES, x, x), TypeError, "mesh must be a CollisionMesh: list has no"),
    (lambda mesh, x: ipctk.is_step_collision_free(mesh, x[:5], x), ValueError, r"vertices_t0 must have shape .*, not \(5, 3\)"),
    (lambda mesh, x: ipctk.compute_collision_free_stepsize(mesh, x, x, 0, None, ipctk.TightInclusionCCD(1e-6, 10, 2.0)),
     ValueError, "conservative_rescaling is 2.0"),
])
def test_what_it_does_not_have_says_so(call, error, words):
    x, _ = two_triangles()
    with pytest.raises(error, match=words):
        call(ipctk.CollisionMesh(x, ipctk.edges(FACES), FACES), x)


@pytest.mark.parametrize("module", ["ccd", "mesh", "candidates", "steps", "intersections", "distances"])
def test_examples_of_the_docstrings(module):
    found = doctest.testmod(importlib.import_module(f"graze.ipctk.{module}"))
    assert found.attempted > 1 and found.failed == 0
