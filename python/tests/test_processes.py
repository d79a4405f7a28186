"""Threads, forks and what is left behind."""

import doctest
import gc
import importlib.util
import multiprocessing
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import threading
import time

import numpy as np
import pytest

import graze
import graze.articulated
import graze.certificates
import graze.files
import graze.mesh
import graze.query
import graze.steps
from graze import _context
from shapes import FACES, queries, soup, two_triangles

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "python"


def answer(seed):
    x0, x1 = queries(200, seed)
    return graze.ccd_batch("vf", x0, x1)["toi"].tobytes()


def test_a_hundred_threads_at_once():
    x0, x1, faces = soup(60)
    mesh = graze.Mesh.from_faces(len(x0), faces)
    expected, toi = answer(5), graze.step(x0, x1, mesh).toi
    start, good, contexts = threading.Barrier(100), [], []

    def work():
        contexts.append(_context.context())
        start.wait()
        good.extend(answer(5) == expected and graze.step(x0, x1, mesh).toi == toi for _ in range(5))

    threads = [threading.Thread(target=work) for _ in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert good == [True] * 500 and len({id(context) for context in contexts}) == 100


def test_other_threads_run_while_the_library_works():
    x0, x1 = queries(300)
    took, gap = [], 0.0

    def work():
        begin = time.monotonic()
        graze.ccd_batch("ee", x0, x1, method="irf")
        took.append(time.monotonic() - begin)
    thread, last = threading.Thread(target=work), time.monotonic()
    thread.start()
    while thread.is_alive():
        gap, last = max(gap, time.monotonic() - last), time.monotonic()
    assert gap < took[0] / 2  # with the lock held it would be all of it


def test_a_pool_of_forked_processes():
    expected = [answer(seed) for seed in range(8)]
    with multiprocessing.get_context("fork").Pool(3) as pool:
        assert pool.map_async(answer, range(8)).get(timeout=60) == expected


def step_of(mesh_and_positions):
    mesh, x0, x1 = mesh_and_positions
    return graze.step(x0, x1, mesh).toi


@pytest.mark.parametrize("way", ["fork", "spawn"])
def test_meshes_go_to_other_processes(way):
    x0, x1, faces = soup(60)
    task = (graze.Mesh.from_faces(len(x0), faces), x0, x1)
    with multiprocessing.get_context(way).Pool(2) as pool:
        assert pool.map_async(step_of, [task] * 4).get(timeout=60) == [step_of(task)] * 4


def test_a_child_does_not_use_the_context_of_its_parent():
    before = _context.context()
    child = os.fork()
    if child == 0:
        os._exit(0 if _context.context() is not before and before._release is int else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def crowd():
    """Triangles that fill the same place: thousands of pairs touch."""
    x0, x1, faces = soup(100, spread=0.02)
    return x0, x1, graze.Mesh.from_faces(len(x0), faces)


X0, X1, CROWD = crowd()
MANY = np.arange(60000).reshape(-1, 3)


def in_a_thread(work):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


ROD = graze.Model.rigid([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
POSES = [(pose, pose) for pose in np.random.default_rng(1).uniform(-0.4, 0.4, (40, 6)) * [1, 1, 1, 3, 3, 3]]


def write_and_read():
    with tempfile.TemporaryDirectory() as folder:
        graze.write_mesh(folder + "/a.ply", np.zeros((60000, 3)), MANY)
        graze.read_mesh(folder + "/a.ply")


@pytest.mark.parametrize("work, least", [
    (lambda: graze.Mesh.from_faces(60000, MANY), 400),
    (lambda: graze.step(X0, X1, CROWD, mode="all"), 400),
    (lambda: graze.candidates(X0, X1, CROWD), 200),
    (lambda: in_a_thread(lambda: graze.candidates(X0, X1, CROWD)), 200),
    (lambda: graze.active_set(X0, X1, CROWD), 400),
    (lambda: graze.Mesh.from_faces(60000, MANY, filter=lambda *_: True), 400),
    (lambda: graze.Model.obstacle(np.random.default_rng(1).uniform(-1, 1, (60000, 3)), MANY), 1000),
    (lambda: graze.articulated_step([ROD] * 40, POSES, mode="all"), 80),
    (write_and_read, 1000),
], ids=["mesh", "step", "pairs", "context", "active_set", "filter", "model", "articulated", "files"])
def test_memory_is_given_back(work, least):
    """`least`: KiB that each call would leave behind."""
    def peak(rounds):
        for _ in range(rounds):
            work()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    peaks = [peak(5)]
    for _ in range(3):  # what leaks does so every time; a thread or an allocator may take its room once more
        peaks.append(peak(40))
        if peaks[-1] - peaks[-2] < 20 * least:
            return
    assert False, peaks


def refused(call, *arguments):
    with pytest.raises((graze.Error, ValueError)):
        call(*arguments)


FEW0, FEW1, FEW = np.zeros((3, 3)), np.ones((3, 3)), graze.Mesh.from_faces(3, [[0, 1, 2]])
TWO, SMALL = two_triangles(), graze.Mesh.from_faces(6, FACES)
BAD = np.full((3, 3), np.nan)


@pytest.mark.parametrize("work", [
    lambda: graze.ccd("pp", FEW0[:2], FEW1[:2]), lambda: graze.truth("pp", FEW0[:2], FEW1[:2] * [[1], [-1]]),
    lambda: graze.distance("pp", FEW0[:2]), lambda: graze.step(*TWO, SMALL, mode="all"),
    lambda: graze.step_to(FEW0, FEW1, FEW),
    lambda: graze.Mesh.from_faces(3, [[0, 1, 2]]), lambda: graze.certificate("pp", FEW0[:2], FEW1[:2]),
    lambda: refused(graze.step, BAD, BAD, FEW), lambda: refused(graze.ccd, "pp", BAD[:2], BAD[:2]),
    lambda: graze.Model.obstacle(FEW0, [[0, 1, 2]]),
], ids=["ccd", "truth", "distance", "step", "step_to", "mesh", "certificate", "bad step", "bad pair", "model"])
def test_ten_thousand_calls_leave_nothing_behind(work):
    def resident(rounds):
        for _ in range(rounds):
            work()
        gc.collect()
        return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    def growth():
        settled = resident(1000)
        return resident(10000) - settled

    # 60 bytes a call; what leaks does so every time, while a page that the system had put aside comes back once
    assert any(growth() < 600_000 for _ in range(3))


@pytest.mark.parametrize("module", [graze.query, graze.mesh, graze.steps, graze.files, graze.articulated,
                                    graze.certificates])
def test_examples_of_the_docstrings(module):
    found = doctest.testmod(module)
    assert found.attempted > 1 and found.failed == 0


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.py")), ids=lambda path: path.stem)
def test_examples_do_what_they_say(path, tmp_path):
    subprocess.run([sys.executable, path], check=True, stdout=subprocess.DEVNULL, cwd=tmp_path)


@pytest.mark.skipif(not EXAMPLES.exists() or not importlib.util.find_spec("matplotlib"), reason="no matplotlib here")
def test_the_comparison_of_methods_draws_its_figure(tmp_path):
    subprocess.run([sys.executable, EXAMPLES / "methods.py", tmp_path / "methods.svg"], check=True,
                   stdout=subprocess.DEVNULL)
    drawn = (tmp_path / "methods.svg").read_text()
    assert "<svg" in drawn and drawn.rstrip().endswith("</svg>")


def test_a_missing_library_is_an_import_error():
    run = subprocess.run([sys.executable, "-c", "import graze"], env={**os.environ, "GRAZE_LIBRARY": "/nowhere.so"},
                         capture_output=True, text=True)
    assert run.returncode != 0 and "ImportError: graze: no library" in run.stderr
