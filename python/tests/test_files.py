"""Files are read as the program reads them."""

import json
import os
import pathlib
import pickle
import shutil
import subprocess
import sys

import numpy as np
import pytest

import graze
from graze import _c, _native
from shapes import FACES, queries, same_bits, two_triangles

pytestmark = pytest.mark.skipif(_native.native is None, reason="libgraze_python.so is not here")
PROGRAM = pytest.mark.skipif("GRAZE_PROGRAM" not in os.environ, reason="GRAZE_PROGRAM does not name the program")
DATA = pytest.mark.skipif("GRAZE_DATA" not in os.environ, reason="GRAZE_DATA does not name reference data")


def test_what_is_written_reads_back_to_the_same_bits(tmp_path):
    x, _ = two_triangles()
    x[1, 0] = 0.1 + 0.2
    graze.write_mesh(tmp_path / "a.ply", x, FACES, edges=[[0, 5]])
    read = graze.read_mesh(tmp_path / "a.ply")
    assert same_bits(read.positions, x) and read.faces.tolist() == FACES and read.edges.tolist() == [[0, 5]]
    assert pickle.loads(pickle.dumps(read)).faces.tolist() == FACES


@pytest.mark.parametrize("name, text", [
    ("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.1\nf 1 2 3 4\nl 1 3\n"),
    ("a.off", "OFF\n4 1 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0.1\n4 0 1 2 3\n"),
])
def test_other_formats_are_told_by_their_names(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    read = graze.read_mesh(tmp_path / name)
    assert read.positions[3].tolist() == [0, 1, 0.1] and read.faces.tolist() == [[0, 1, 2], [0, 2, 3]] and read.fanned == 1
    assert read.mesh().vertex_count == 4


def test_errors_are_one_line_with_the_file_and_its_line(tmp_path):
    (tmp_path / "a.obj").write_text("v 0 0 0\nv 1 0 x\n")
    with pytest.raises(graze.Error, match=r"^.*a\.obj:2: [^\n]*$"):
        graze.read_mesh(tmp_path / "a.obj")
    (tmp_path / "b.csv").write_text("1,1,2\n")
    with pytest.raises(graze.Error, match=r"b\.csv:1: "):
        graze.read_queries(tmp_path / "b.csv")
    with pytest.raises(FileNotFoundError):
        graze.read_mesh(tmp_path / "none.ply")
    with pytest.raises(ValueError, match="names a vertex beyond"):
        graze.write_mesh(tmp_path / "c.ply", np.zeros((2, 3)), [[0, 1, 2]])


@PROGRAM
def test_a_step_of_files_is_that_of_the_program(tmp_path):
    x0, x1 = two_triangles()
    for name, x in (("f1.ply", x0), ("f2.ply", x1), ("f10.ply", x0)):
        graze.write_mesh(tmp_path / name, x, FACES)
    frames = graze.read_frames(tmp_path)
    assert [(step, pathlib.Path(path).name) for step, path in frames] == [(1, "f1.ply"), (2, "f2.ply"), (10, "f10.ply")]
    a, b = graze.read_mesh_pair(frames[0][1], frames[1][1])
    said = json.loads(subprocess.check_output([os.environ["GRAZE_PROGRAM"], "step", frames[0][1], frames[1][1], "--json"]))
    found = graze.step(a.positions, b.positions, a.mesh())
    assert (found.verdict, found.toi, found.pair.a) == (said["verdict"], said["toi"], said["pair"]["a"])


@PROGRAM
def test_queries_written_are_those_that_the_program_reads(tmp_path):
    x0, x1 = queries(60, seed=4)
    truth = [graze.truth("vf", a, b).hit for a, b in zip(x0, x1)]
    graze.write_queries(tmp_path / "some-vf.csv", x0, x1, truth)
    read = graze.read_queries(tmp_path / "some-vf.csv")
    assert read.kind == "vf" and same_bits(read.x0.copy(), x0) and same_bits(read.x1.copy(), x1)
    assert read.truth.tolist() == truth and 0 < sum(truth) < 60
    said = json.loads(subprocess.check_output([os.environ["GRAZE_PROGRAM"], "query", tmp_path / "some-vf.csv",
                                               "--method", "exact", "--json"]))["total"]
    assert (said["truth"], said["false_positives"], said["false_negatives"]) == (sum(truth), 0, 0)


@DATA
def test_no_reference_query_is_missed():
    files = sorted(pathlib.Path(os.environ["GRAZE_DATA"]).rglob("vertex-face/*.csv"))[:3]
    assert files
    for path in files:
        read = graze.read_queries(path)
        assert read.kind == "vf" and read.truth is not None
        found = graze.ccd_batch(read.kind, read.x0, read.x1)
        assert (found["verdict"][read.truth] != graze.CLEAR).all()


@pytest.mark.skipif(pathlib.Path(_native.__file__).with_name(_native.NAME).exists(), reason="the package has it inside")
def test_without_the_native_library_all_but_files_works(tmp_path):
    shutil.copy(_c.library._name, tmp_path / "libgraze.so")
    program = """
import graze
print(graze.ccd("pp", [[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [2, 0, 0]]).verdict)
try:
    graze.read_mesh("a.ply")
except graze.Error as error:
    print(error)
"""
    said = subprocess.check_output([sys.executable, "-c", program], text=True,
                                   env={**os.environ, "GRAZE_LIBRARY": str(tmp_path / "libgraze.so")})
    assert said.splitlines() == ["clear", "files are read by libgraze_python.so, which is neither in the package nor beside "
                                 "the library"]
