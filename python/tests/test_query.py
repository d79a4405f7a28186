import json
import math
import os
import subprocess

import numpy as np
import pytest

import graze
from graze import _c
from graze._arrays import doubles
from shapes import queries, same_bits


def by_single_c_calls(kind, x0, x1, method=b"certified"):
    options = _c.default(_c.Options, _c.library.graze_init_options)
    options.method = _c.library.graze_method_find(method).contents.method
    results = np.zeros(len(x0), dtype=graze.RESULT)
    for i in range(len(x0)):
        query, result = _c.Query(), _c.Result.from_buffer(results[i:i + 1])
        query.x0[:], query.x1[:] = x0[i].ravel().tolist(), x1[i].ravel().tolist()
        assert _c.library.graze_ccd(kind, query, options, result) == 0
    return results


@pytest.mark.parametrize("kind, number", [("vf", 0), ("ee", 1), ("pe", 2), ("pp", 3)])
@pytest.mark.parametrize("method", ["certified", "exact"])
def test_batch_has_the_bits_of_single_c_calls(kind, number, method):
    x0, x1 = queries(4000)
    found = graze.ccd_batch(kind, x0, x1, method=method)
    assert same_bits(found, by_single_c_calls(number, x0, x1, method.encode()))
    if kind in ("vf", "ee"):
        assert 100 < np.count_nonzero(found["verdict"] == graze.HIT) < 3900


@pytest.mark.skipif("GRAZE_PROGRAM" not in os.environ, reason="GRAZE_PROGRAM does not name the program")
def test_batch_has_the_bits_that_the_program_writes(tmp_path):
    x0, x1 = queries(500, seed=9)
    with open(tmp_path / "q.csv", "w") as file:
        for row in np.concatenate([x0, x1], axis=1).reshape(-1, 3):
            numbers = [part for value in row for part in value.as_integer_ratio()]
            file.write(",".join(map(str, numbers)) + ",0\n")
    lines = tmp_path / "out.jsonl"
    subprocess.run([os.environ["GRAZE_PROGRAM"], "query", tmp_path / "q.csv", "--kind", "ee", "--out", lines],
                   check=True, stdout=subprocess.DEVNULL)
    written = [json.loads(line) for line in lines.read_text().splitlines()]
    found = graze.ccd_batch("ee", x0, x1)
    assert len(written) == len(found)
    for line, result in zip(written, found):
        assert line["verdict"] == graze.Result.of(result).verdict and line["toi"] == result["toi"]


def test_arrays_are_read_as_they_lie():
    x0, x1 = queries(300)
    plain = graze.ccd_batch("vf", x0, x1)
    whole = np.concatenate([x0, x1], axis=1)
    for a, b in [(whole[:, :4], whole[:, 4:]), (np.asfortranarray(x0), np.asfortranarray(x1)),
                 (x0[::-1].copy()[::-1], x1), (x0.astype(">f8"), x1.tolist())]:
        assert same_bits(graze.ccd_batch("vf", a, b), plain)


def test_constant_arrays_are_not_taken_for_contiguous_ones():
    same = np.broadcast_to(0.5, (3, 4, 3))
    assert same.strides == (0, 0, 0)
    found = graze.ccd_batch("vf", same, same)
    assert (found["verdict"] == graze.HIT).all() and (found["toi"] == 0).all()


def test_unaligned_arrays_are_copied():
    x0, x1 = queries(10)
    shifted = np.frombuffer(b"\0" + x0.tobytes(), dtype=np.uint8)[1:].view(np.float64).reshape(x0.shape)
    assert not shifted.flags.aligned and doubles("x0", shifted).flags.aligned
    assert same_bits(graze.ccd_batch("vf", shifted, x1), graze.ccd_batch("vf", x0, x1))


def test_kinds_with_fewer_rows_take_arrays_with_fewer_rows():
    x0, x1 = queries(100)
    for kind, rows in (("pe", 3), ("pp", 2)):
        assert same_bits(graze.ccd_batch(kind, x0[:, :rows], x1[:, :rows]), graze.ccd_batch(kind, x0, x1))


def test_out_is_written_and_returned():
    x0, x1 = queries(50)
    out = np.zeros(50, dtype=graze.RESULT)
    assert graze.ccd_batch("ee", x0, x1, out=out) is out
    assert same_bits(out, graze.ccd_batch("ee", x0, x1))


def test_arrays_that_are_read_only_are_read():
    x0, x1 = queries(50)
    plain = graze.ccd_batch("vf", x0, x1)
    x0.flags.writeable = x1.flags.writeable = False
    assert same_bits(graze.ccd_batch("vf", x0, x1), plain)


def test_no_queries_are_no_results():
    assert graze.ccd_batch("vf", np.empty((0, 4, 3)), np.empty((0, 4, 3))).shape == (0,)


def test_one_query_is_a_batch_of_one():
    x0, x1 = queries(40)
    batch = graze.ccd_batch("vf", x0, x1, separation=0.1, t_max=0.75)
    for i in range(40):
        one = graze.ccd("vf", x0[i], x1[i], separation=0.1, t_max=0.75)
        assert (one.toi, one.checks) == (batch["toi"][i], batch["checks"][i])


def test_truth_is_within_what_certified_proves():
    x0, x1 = queries(300)
    found = graze.ccd_batch("ee", x0, x1)
    hits = 0
    for i in range(300):
        truth = graze.truth("ee", x0[i], x1[i])
        if found["verdict"][i] == graze.CLEAR:
            assert not truth.hit and math.isnan(truth.toi_lower) and truth.polynomial == ()
        elif truth.hit:
            hits += 1
            assert found["toi"][i] <= truth.toi_upper
            assert truth.toi_upper in (truth.toi_lower, np.nextafter(truth.toi_lower, 2))
    assert hits > 10


def test_distance_of_a_vertex_above_a_face():
    found = graze.distance("vf", [[0.25, 0.25, 2], [0, 0, 0], [1, 0, 0], [0, 1, 0]])
    assert (found.value, found.features) == (2.0, (1, 7)) and found.vector.tolist() == [0, 0, 2]


X0, X1 = queries(5)
NAN = X0.copy()
NAN[3, 1, 2] = np.nan


@pytest.mark.parametrize("change, error, words", [
    (dict(x0=X0[:, :3]), ValueError, r"x0 must have shape \(n, 4, 3\), not \(5, 3, 3\)"),
    (dict(x0=X0[0]), ValueError, r"x0 must have shape .*, not \(4, 3\)"),
    (dict(x1=X1[:4]), ValueError, "x0 has 5 queries, x1 4"),
    (dict(x1=X1.astype(complex)), TypeError, "x1 must be float64, float32 or integers, not complex128"),
    (dict(x1=X1.astype(np.longdouble)), TypeError, "x1 must be float64, float32 or integers"),
    (dict(x1=X1.astype(object)), TypeError, "x1 must be .*, not object"),
    (dict(x1=np.full((5, 4, 3), 2**60)), ValueError, "beyond 2\\*\\*53"),
    (dict(x0=NAN), graze.Error, "query 3: a coordinate is not finite"),
    (dict(kind="ve"), ValueError, "there is no kind 've'"),
    (dict(method="certfied"), ValueError, r"no method 'certfied' \(did you mean 'certified'\?\); there are"),
    (dict(method="magic"), ValueError, "there is no method 'magic'; there are: certified, exact"),
    (dict(separation=-1.0), graze.Error, "separation"),
    (dict(max_checks=-1), ValueError, "max_checks is -1"),
    (dict(out=np.zeros(5)), TypeError, "out must have dtype graze.RESULT, not float64"),
    (dict(out=np.zeros(4, dtype=graze.RESULT)), ValueError, r"out must have shape \(5\), not \(4,\)"),
    (dict(out=np.zeros(10, dtype=graze.RESULT)[::2]), ValueError, "out has to be writeable"),
])
def test_bad_arguments_are_named(change, error, words):
    with pytest.raises(error, match=words):
        graze.ccd_batch(**{**dict(kind="vf", x0=X0, x1=X1), **change})


def test_out_that_is_read_only_is_refused():
    out = np.zeros(5, dtype=graze.RESULT)
    out.flags.writeable = False
    with pytest.raises(ValueError, match="writeable"):
        graze.ccd_batch("vf", X0, X1, out=out)


def test_errors_say_status_and_index():
    with pytest.raises(graze.Error) as caught:
        graze.ccd_batch("vf", NAN, X1)
    assert (caught.value.status, caught.value.index) == ("not finite", 3)


@pytest.mark.parametrize("kind", ["vf", "ee", "pe", "pp"])
def test_straight_curves_touch_when_straight_motions_do(kind):
    x0, x1 = queries(400)
    x = np.stack([x0, x0 + (x1 - x0) / 3, x1 - (x1 - x0) / 3, x1], axis=2)
    found, straight = graze.ccd_curve(kind, x, separation=0.05), graze.ccd_batch(kind, x0, x1, separation=0.05)
    assert np.array_equal(found["verdict"], straight["verdict"])
    assert np.allclose(found["toi"], straight["toi"], atol=1e-9)
    assert same_bits(graze.ccd_curve(kind, x.tolist(), separation=0.05, out=found.copy()), found)


def test_curves_need_four_control_points_of_four_rows():
    with pytest.raises(ValueError, match="x"):
        graze.ccd_curve("vf", np.zeros((2, 4, 3, 3)))
    with pytest.raises(graze.Error, match="query 1"):
        graze.ccd_curve("vf", np.stack([np.zeros((4, 4, 3)), np.full((4, 4, 3), math.nan)]))
