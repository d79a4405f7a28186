"""Lists of pairs, line search, filters, and arrays to write into."""

import math
import pickle

import numpy as np
import pytest

import graze
from shapes import FACES, same_bits, soup, two_triangles

X0, X1, MANY = soup(200, spread=0.5)
MESH = graze.Mesh.from_faces(len(X0), MANY)
TRIANGLES = graze.Mesh.from_faces(6, FACES)


def queries_of(pairs):
    """The rows of each pair, without the library."""
    edges = MESH.edges
    rows = [[p["a"], *MANY[p["b"]]] if p["kind"] == 0 else [*edges[p["a"]], *edges[p["b"]]] for p in pairs]
    return X0[np.array(rows)], X1[np.array(rows)]


def test_ccd_pairs_answers_each_pair_as_a_query():
    pairs = graze.candidates(X0, X1, MESH)[::-1]
    found = graze.ccd_pairs(X0, X1, MESH, pairs)
    x0, x1 = queries_of(pairs)
    for number, kind in enumerate(("vf", "ee")):
        of_kind = pairs["kind"] == number
        assert of_kind.any()
        expected = graze.ccd_batch(kind, x0[of_kind], x1[of_kind])
        for field in ("verdict", "toi", "toi_upper", "checks"):
            assert same_bits(found[field][of_kind], expected[field])


def test_the_earliest_of_a_list_is_that_of_its_pairs():
    pairs = graze.candidates(X0, X1, MESH)
    found, step = graze.earliest_of_pairs(X0, X1, MESH, pairs), graze.step(X0, X1, MESH)
    assert (found.toi, found.verdict, found.pair.kind, found.pair.a, found.pair.b) == (
        step.toi, step.verdict, step.pair.kind, step.pair.a, step.pair.b)
    half = pairs[::2]
    assert graze.earliest_of_pairs(X0, X1, MESH, half).toi == graze.ccd_pairs(X0, X1, MESH, half)["toi"].min()
    assert graze.earliest_of_pairs(X0, X1, MESH, pairs[:0]).verdict == "clear"
    shared = np.array([(1, 4, 4)], dtype=graze.PAIR)
    with pytest.raises(graze.Error, match="pair 0: .* share a vertex"):
        graze.earliest_of_pairs(X0, X1, MESH, shared)


def test_proximity_lists_the_pairs_within_the_distance():
    every = graze.candidates(X0, X0, MESH, separation=0.2)
    value = graze.distances(X0, MESH, every)["value"]
    near = graze.proximity(X0, MESH, 0.05)
    assert len(near) > 10 and same_bits(near["pair"], every[value <= 0.05])
    assert same_bits(near["distance"], graze.distances(X0, MESH, every[value <= 0.05]))
    assert set(near["type"]) <= {0, 1, 2, 3} and not near["offset"].any()
    out = np.zeros(len(near) + 3, dtype=graze.PROXIMITY)
    assert np.shares_memory(graze.proximity(X0, MESH, 0.05, out=out), out)
    assert (graze.proximity(X0, MESH, 0.05, kinds=["ee"])["pair"]["kind"] == 1).all()
    with pytest.raises(graze.Error, match="distance must lie"):
        graze.proximity(X0, MESH, -1)


def test_proximity_tells_the_least_distance_of_each_vertex():
    told, expected = np.full(len(X0), -1.0), np.full(len(X0), np.inf)
    near = graze.proximity(X0, MESH, 0.05, vertex_distance=told)
    for pair in near: # of faces: all have four vertices
        np.minimum.at(expected, pair["vertices"], pair["distance"]["value"])
    assert same_bits(told, expected) and np.isfinite(told).any() and np.isinf(told).any()
    with pytest.raises(ValueError, match="vertex_distance"):
        graze.proximity(X0, MESH, 0.05, vertex_distance=told[1:])


def dense(matrix, n):
    full = np.zeros((n, n))
    for row in range(n):
        part = slice(int(matrix.indptr[row]), int(matrix.indptr[row + 1]))
        full[row, matrix.indices[part]] = matrix.data[part]
    return full


def test_potentials_have_the_derivatives_of_their_value():
    x0, _, faces = soup(12, spread=0.5)
    mesh = graze.Mesh.from_faces(len(x0), faces)
    found = graze.potential(x0, mesh, 0.5, barrier="quadratic", projected=False)
    assert found.contacts["multiplicity"].sum() == len(graze.proximity(x0, mesh, 0.5)) > 20
    way = np.random.default_rng(1).uniform(-1, 1, x0.shape)
    beside = [graze.potential(x0 + sign * 1e-6 * way, mesh, 0.5, barrier="quadratic") for sign in (1, -1)]
    slope = (beside[0].value - beside[1].value) / 2e-6
    assert abs(slope - (found.gradient * way).sum()) < 1e-5 * abs(slope)
    hessian = dense(found.hessian, x0.size)
    assert np.array_equal(hessian, hessian.T) or np.abs(hessian - hessian.T).max() < 1e-12 * np.abs(hessian).max()
    curved = (beside[0].gradient - beside[1].gradient).ravel() / 2e-6
    assert np.abs(hessian @ way.ravel() - curved).max() < 1e-3 * np.abs(curved).max()
    projected = dense(graze.potential(x0, mesh, 0.5, barrier="quadratic").hessian, x0.size)
    assert np.linalg.eigvalsh(projected).min() > -1e-9 * np.abs(projected).max()
    assert graze.potential(x0, mesh, 0.5, hessian=False, stiffness=2).hessian is None
    with pytest.raises(ValueError, match="no barrier 'cubic': log and quadratic are known"):
        graze.potential(x0, mesh, 0.5, barrier="cubic")
    with pytest.raises(graze.Error, match="distance must lie"):
        graze.potential(x0, mesh, 0.0)


def test_the_active_set_is_what_ccd_pairs_finds():
    pairs = graze.candidates(X0, X1, MESH)
    touching = pairs[graze.ccd_pairs(X0, X1, MESH, pairs)["verdict"] != graze.CLEAR]
    active = graze.active_set(X0, X1, MESH)
    assert 0 < len(active) < len(pairs) and same_bits(active["pair"], touching)
    assert active["result"]["toi"].min() == graze.step(X0, X1, MESH).toi


def test_distances_are_those_of_single_pairs():
    pairs = graze.candidates(X0, X1, MESH)[::50]
    found, (x0, _) = graze.distances(X0, MESH, pairs), queries_of(pairs)
    for pair, record, x in zip(pairs, found, x0):
        assert record["value"] == graze.distance(["vf", "ee"][pair["kind"]], x).value


@pytest.mark.parametrize("make", [
    lambda out=None: graze.candidates(X0, X1, MESH, out=out),
    lambda out=None: graze.active_set(X0, X1, MESH, out=out),
    lambda out=None: graze.step(X0, X1, MESH, mode="all", out=out).pairs,
    lambda out=None: graze.start_violations(X0, MESH, separation=0.1, out=out),
    lambda out=None: graze.static_intersections((X0 + X1) / 2 * 0.1, MESH, out=out),
], ids=["candidates", "active_set", "step", "start_violations", "static_intersections"])
def test_lists_are_written_at_the_beginning_of_out(make):
    plain = make()
    assert len(plain) > 0
    room = np.zeros(len(plain) + 3, dtype=plain.dtype)
    found = make(out=room)
    assert same_bits(found, plain) and found.ctypes.data == room.ctypes.data
    assert not room[len(plain):].tobytes().strip(b"\0")
    with pytest.raises(ValueError, match=f"room for {len(plain) - 1}: there are {len(plain)}"):
        make(out=room[:len(plain) - 1])
    with pytest.raises(TypeError, match="dtype"):
        make(out=np.zeros(len(plain)))


def test_out_of_each_pair_and_each_vertex():
    pairs = graze.candidates(X0, X1, MESH)
    for make, dtype, count in [(lambda out: graze.ccd_pairs(X0, X1, MESH, pairs, out=out), graze.RESULT, len(pairs)),
                               (lambda out: graze.distances(X0, MESH, pairs, out=out), graze.DISTANCE, len(pairs)),
                               (lambda out: graze.step(X0, X1, MESH, mode="vertices", out=out).vertex_toi, float, len(X0))]:
        out = np.zeros(count, dtype=dtype)
        assert make(out) is out and out.tobytes().strip(b"\0")
        with pytest.raises(ValueError, match="out must have shape"):
            make(np.zeros(count + 1, dtype=dtype))
    with pytest.raises(ValueError, match="nothing to write into out"):
        graze.step(X0, X1, MESH, out=np.zeros(3))


def test_a_line_search_stops_before_contact_and_lowers_the_energy():
    x0, x1 = two_triangles()
    seen = []

    def energy(x):
        assert x.shape == (6, 3) and not x.flags.writeable
        seen.append(x[3, 2])
        return abs(x[3, 2] - 0.75)  # least a quarter of the way down

    x, found = graze.line_search(x0, x1, TRIANGLES, energy)
    assert 0 < found.alpha < found.alpha_free < 0.5 and found.energy == energy(x_read_only(x)) < 0.25
    assert found.energy_calls + 1 == len(seen) and found.pair == ("vf", 3, 0) and found.distance == 1.0
    assert np.array_equal(x, x0 + found.alpha * (x1 - x0))
    assert graze.step(x0, x, TRIANGLES).verdict == "clear"
    out = np.zeros((6, 3))
    assert graze.line_search(x0, x1, TRIANGLES, energy, out=out)[0] is out and same_bits(out, x)


def x_read_only(x):
    view = x[:]
    view.flags.writeable = False
    return view


def test_options_of_a_line_search_reach_the_library():
    x0, x1 = two_triangles()
    assert graze.line_search(x0, x1, TRIANGLES, lambda x: -1.0 if x is None else 0.0, max_steps=3)[1].energy_calls <= 5
    near = graze.line_search(x0, x1, TRIANGLES, separation_fraction=0.01)[1].alpha
    far = graze.line_search(x0, x1, TRIANGLES, separation_fraction=0.5)[1].alpha
    assert 0.49 < near < 0.5 and 0.24 < far < 0.26


@pytest.mark.parametrize("change, error, words", [
    (dict(shrink=2.0), graze.Error, "a fraction is not in"),
    (dict(max_steps=-1), ValueError, "max_steps is -1"),
    (dict(energy=lambda x: 1 / 0), ZeroDivisionError, "division"),
    (dict(energy=lambda x: x.__setitem__(0, 1)), ValueError, "read-only"),
])
def test_line_searches_that_do_not_work(change, error, words):
    x0, x1 = two_triangles()
    with pytest.raises(error, match=words):
        graze.line_search(x0, x1, TRIANGLES, **change)


def test_an_energy_may_call_the_package():
    x0, x1 = two_triangles()
    x, found = graze.line_search(x0, x1, TRIANGLES, lambda x: float(graze.step(x, x1, TRIANGLES).toi))
    assert math.isfinite(found.energy) and found.energy == graze.step(x, x1, TRIANGLES).toi


def test_a_filter_is_asked_of_each_pair():
    def apart(kind, a, b):
        return kind == "ee"
    mesh = graze.Mesh.from_faces(len(X0), MANY, filter=apart)
    all_pairs, kept = graze.candidates(X0, X1, MESH), graze.candidates(X0, X1, mesh)
    assert same_bits(kept, all_pairs[all_pairs["kind"] == 1])
    asked = set()
    graze.candidates(X0, X1, graze.Mesh.from_faces(len(X0), MANY, filter=lambda *pair: asked.add(pair) or True))
    assert asked == {(["vf", "ee"][k], a, b) for k, a, b in all_pairs.tolist()}


def test_what_a_filter_raises_the_step_raises():
    def broken(kind, a, b):
        raise KeyError("broken")
    mesh = graze.Mesh.from_faces(len(X0), MANY, filter=broken)
    for _ in range(2):
        with pytest.raises(KeyError, match="broken"):
            graze.step(X0, X1, mesh)
    assert graze.step(X0, X0, graze.Mesh.from_faces(len(X0), MANY)).verdict == "clear"
    assert graze.step(X0 * 0 + np.arange(len(X0))[:, None], X0 * 0 + np.arange(len(X0))[:, None], mesh, kinds=["pp"]).verdict \
        == "clear"  # nothing of the past is raised where the filter is not asked


def never(kind, a, b):
    return False


def test_a_mesh_with_a_filter_can_be_pickled():
    mesh = pickle.loads(pickle.dumps(graze.Mesh.from_faces(len(X0), MANY, filter=never)))
    assert graze.step(X0, X1, mesh).verdict == "clear"


def test_results_can_be_pickled():
    x0, x1 = two_triangles()
    for result in [graze.step(x0, x1, TRIANGLES, mode="all"), graze.truth("vf", x0[[3, 0, 1, 2]], x1[[3, 0, 1, 2]]),
                   graze.ccd("vf", x0[[3, 0, 1, 2]], x1[[3, 0, 1, 2]]), graze.distance("pp", x0[:2]),
                   graze.line_search(x0, x1, TRIANGLES)[1]]:
        again = pickle.loads(pickle.dumps(result))
        assert type(again) is type(result) and repr(again) == repr(result)


def test_bad_pairs_are_named():
    with pytest.raises(TypeError, match="pairs must have dtype graze.PAIR"):
        graze.ccd_pairs(X0, X1, MESH, [[0, 1, 2]])
    with pytest.raises(graze.Error) as caught:
        graze.ccd_pairs(X0, X1, MESH, np.array([(0, 3, 0), (0, 3, 10**6)], dtype=graze.PAIR))
    assert caught.value.index == 1
    with pytest.raises(graze.Error, match="no pair vf 3 1000000"):
        graze.stencil(MESH, "vf", 3, 10**6)


class ByDlpack:
    def __init__(self, array, device):
        self.array, self.device = array, device

    def __dlpack_device__(self):
        return self.device, 0

    def __dlpack__(self, **more):
        return self.array.__dlpack__(**more)


def test_arrays_of_the_host_come_by_dlpack():
    x0, x1 = two_triangles()
    assert graze.step(ByDlpack(x0, 1), x1, TRIANGLES).toi == graze.step(x0, x1, TRIANGLES).toi


def test_float32_and_fortran_order_give_the_same_bits():
    x0, x1 = X0.astype(np.float32), X1.astype(np.float32)
    expected = graze.step(x0.astype(np.float64), x1.astype(np.float64), MESH)
    for a, b in [(x0, x1), (np.asfortranarray(x0), np.asfortranarray(x1.astype(np.float64)))]:
        found = graze.step(a, b, MESH)
        assert (found.toi, found.pair.a, found.pair.b) == (expected.toi, expected.pair.a, expected.pair.b)
