"""graze.farm: the answers of one process, from several."""

import os

import numpy as np
import pytest

import graze
from graze import farm
from shapes import queries

PLATE = [[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]]


def models():
    return [graze.Model.rigid(*PLATE), graze.Model.obstacle(*PLATE)]


class Futures:
    """A client as Dask has it: map gives futures, gather waits for them."""

    def __init__(self, executor):
        self.executor, self.asked = executor, []

    def map(self, function, pieces, **options):
        self.asked.append(options)
        return [self.executor.submit(function, piece) for piece in pieces]

    def gather(self, futures):
        return [future.result() for future in futures]


@pytest.fixture(scope="module")
def workers():
    with farm.processes(2) as pool:
        yield pool


def bits(results):
    """Of every field: what lies between them is not written."""
    return {name: results[name].tobytes() for name in results.dtype.names}


def told(found):
    pairs = found.pairs
    return found.verdict, found.toi, [pairs["pair"][name].tobytes() for name in ("a", "b")], pairs["result"]["toi"].tobytes()


def threads_of(_):
    return os.environ["GRAZE_NUM_THREADS"]


@pytest.mark.parametrize("pieces", [1, 2, 7, 64, 500])
def test_queries_have_the_bits_of_one_process(workers, pieces):
    x0, x1 = queries(300, 3)
    expected = graze.ccd_batch("vf", x0, x1, separation=0.01)
    assert bits(farm.queries(workers, "vf", x0, x1, pieces=pieces, separation=0.01)) == bits(expected)


def test_edges_have_the_bits_of_one_process_and_order(workers):
    random = np.random.default_rng(5)
    ends = random.uniform(-2, 2, (150, 6))
    start = [0, 0, 1, 0, 0, 0]
    expected = graze.articulated_batch(models(), [start, None], [ends, None], mode="any")
    assert 0 < (expected["verdict"] == graze.CLEAR).sum() < 150
    for pool in (workers, Futures(workers)):
        found = farm.edges(pool, models, [start, None], [ends, None], pieces=11, mode="any")
        for name in ("verdict", "toi", "toi_upper"):
            assert found[name].tobytes() == expected[name].tobytes()


def test_frames_are_stepped_in_order(workers, tmp_path):
    rest, falls, faces = np.array(PLATE[0], dtype=float), np.array([[0, 0, 0], [1, 0, 2], [0, 1, 2.0]]), [[0, 1, 2], [3, 4, 5]]
    states = [np.vstack([rest, falls + [0, 0, (-1) ** k * (1 + 0.1 * k)]]) for k in range(8)]
    states.append(states[-1] + [0, 0, 0.1])  # clear
    paths = [tmp_path / f"f_{k}.ply" for k in range(len(states))]
    for path, state in zip(paths, states):
        graze.write_mesh(path, state, faces)
    mesh = graze.Mesh.from_faces(6, faces)
    expected = [told(graze.step(a, b, mesh, mode="all")) for a, b in zip(states, states[1:])]
    assert len({repr(one) for one in expected}) == len(expected)
    for given in (tmp_path, paths):
        for pieces in (1, 3, 64):
            assert [told(found) for found in farm.frames(workers, given, pieces=pieces, mode="all")] == expected


def test_map_options_go_to_the_workers_and_a_worker_has_one_thread(workers):
    client = Futures(workers)
    x0, x1 = queries(20, 1)
    farm.queries(client, "vf", x0, x1, pieces=4, map_options={"retries": 3})
    assert client.asked == [{"retries": 3}]
    assert set(workers.map(threads_of, range(8))) == {"1"}


def test_nothing_is_nothing_and_what_does_not_fit_is_refused(workers):
    none = np.zeros((0, 4, 3))
    assert len(farm.queries(workers, "vf", none, none)) == 0
    with pytest.raises(ValueError, match="x0 has 1 queries, x1 0"):
        farm.queries(workers, "vf", np.zeros((1, 4, 3)), none)
    with pytest.raises(ValueError, match="pieces is 0"):
        farm.queries(workers, "vf", none, none, pieces=0)
    with pytest.raises(ValueError, match="no array"):
        farm.edges(workers, models, [None, None], [None, None])
    with pytest.raises(graze.Error):
        farm.queries(workers, "vf", np.full((5, 4, 3), np.nan), np.zeros((5, 4, 3)))


def test_dask_has_the_bits_of_one_process():
    distributed = pytest.importorskip("distributed")
    x0, x1 = queries(300, 3)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            found = farm.queries(client, "vf", x0, x1, pieces=7, map_options={"retries": 2})
    assert bits(found) == bits(graze.ccd_batch("vf", x0, x1))
