"""Every array of every public function: wrong ones are exceptions in words, and what lies otherwise is read as it is."""

import inspect
import pathlib
import tempfile
import types

import numpy as np
import pytest

import graze
from shapes import FACES, queries, two_triangles

X0, X1 = two_triangles()
MESH = graze.Mesh.from_faces(6, FACES)
PAIRS = graze.candidates(X0, X1, MESH)
Q0, Q1 = queries(7)
TRIANGLE = np.array([[-1.0, -1, 0], [1, -1, 0], [0, 1, 0]])
BODY, POST = graze.Model.rigid(TRIANGLE, [[0, 1, 2]]), graze.Model.obstacle(TRIANGLE, [[0, 1, 2]])
ABOVE, BELOW = np.array([0, 0, 1, 0, 0, 0.25]), np.array([0, 0, -1.0, 0.5, 0, 0])
ARM = graze.Model([graze.Link([graze.LinkMesh(TRIANGLE + [0, 0, 1], [[0, 1, 2]])], joint="prismatic")])
LINK = graze.LinkMesh


def model_of(vertices):
    """Answer for a model of these vertices: its distance from POST shows what it is made of."""
    made = graze.Model([graze.Link([LINK(vertices, [[0, 1, 2]])], joint="free")])
    return graze.articulated_distance([made, POST], [ABOVE, None])


def written(function, name, *arrays):
    """The bytes of the file that a function writes."""
    with tempfile.TemporaryDirectory() as folder:
        function(folder + name, *arrays)
        return pathlib.Path(folder + name).read_bytes()


# name: the call, and its arrays of numbers
STATES, STATE = {"x0": X0, "x1": X1}, {"x": X0}
CALLS = {
    "ccd": (lambda x0, x1: graze.ccd("ee", x0, x1), {"x0": Q0[0], "x1": Q1[0]}),
    "ccd_batch": (lambda x0, x1: graze.ccd_batch("ee", x0, x1), {"x0": Q0, "x1": Q1}),
    "ccd_curve": (lambda x: graze.ccd_curve("vf", x), {"x": np.stack([Q0, Q1, Q0, Q1], axis=2)}),
    "truth": (lambda x0, x1: graze.truth("vf", x0, x1), {"x0": Q0[1], "x1": Q1[1]}),
    "distance": (lambda x: graze.distance("vf", x), {"x": Q0[2]}),
    "certificate": (lambda x0, x1: graze.certificate("vf", x0, x1), {"x0": Q0[3], "x1": Q1[3]}),
    "certificate.radii": (lambda radii: graze.certificate("vf", Q0[3], Q1[3], radii=radii), {"radii": np.full(4, 0.25)}),
    "step": (lambda x0, x1: graze.step(x0, x1, MESH, mode="all").pairs, STATES),
    "step_to": (lambda x0, x1: graze.step_to(x0, x1, MESH)[0], STATES),
    "candidates": (lambda x0, x1: graze.candidates(x0, x1, MESH), STATES),
    "active_set": (lambda x0, x1: graze.active_set(x0, x1, MESH), STATES),
    "earliest_of_pairs": (lambda x0, x1: graze.earliest_of_pairs(x0, x1, MESH, PAIRS).toi, STATES),
    "ccd_pairs": (lambda x0, x1: graze.ccd_pairs(x0, x1, MESH, PAIRS), STATES),
    "line_search": (lambda x0, x1: graze.line_search(x0, x1, MESH)[0], STATES),
    "step_certificates": (lambda x0, x1: graze.step_certificates(x0, x1, MESH), STATES),
    "distances": (lambda x: graze.distances(x, MESH, PAIRS), STATE),
    "proximity": (lambda x: graze.proximity(x, MESH, 2.0), STATE),
    "potential": (lambda x, rest: graze.potential(x, MESH, 2.0, rest=rest).gradient, {"x": X0, "rest": X0}),
    "start_violations": (lambda x: graze.start_violations(x, MESH, separation=2.0), STATE),
    "static_intersections": (lambda x: graze.static_intersections(x, MESH), STATE),
    "Mesh.thickness": (lambda thickness: graze.step(X0, X1, graze.Mesh.from_faces(6, FACES, thickness=thickness)).toi,
                       {"thickness": np.full(6, 0.125)}),
    "articulated_step": (lambda start, end: graze.articulated_step([BODY, POST], [(start, end), None]),
                         {"start": ABOVE, "end": BELOW}),
    "articulated_batch": (lambda starts, ends: graze.articulated_batch([BODY, POST], [starts, None], [ends, None]),
                          {"starts": np.tile(ABOVE, (3, 1)), "ends": np.tile(BELOW, (3, 1))}),
    "articulated_certificate": (
        lambda start, end: written(graze.articulated_certificate, "/p.json", [BODY, POST], [(start, end), None]),
        {"start": ABOVE, "end": ABOVE + 1}),
    "articulated_distance": (lambda start: graze.articulated_distance([BODY, POST], [start, None]), {"start": ABOVE}),
    "model_swept": (lambda start, end: graze.model_swept(BODY, 0, [(start, end)], size=0.5),
                    {"start": ABOVE, "end": BELOW}),
    "Motion.cubic": (lambda cubic: graze.articulated_step([ARM, POST], [graze.Motion(cubic=cubic), None]),
                     {"cubic": np.array([[0.0, -1, -2, -3]])}),
    "write_mesh": (lambda positions: written(graze.write_mesh, "/a.ply", positions), {"positions": X0}),
    "write_queries": (lambda x0, x1: written(graze.write_queries, "/vf.csv", x0, x1), {"x0": Q0, "x1": Q1}),
    "Model": (model_of, {"vertices": TRIANGLE}),
}
# what has no arrays of numbers, or those of the table in another place
OTHERS = {"articulated_range", "broad_phases", "has_cuda", "methods", "plan_certificate", "read_certificates",
          "read_frames", "read_mesh", "read_mesh_pair", "read_queries", "stencil", "verify", "write_certificates"}
ARRAYS = [(name, array) for name, (_, arrays) in CALLS.items() for array in arrays]


def test_every_function_is_here():
    functions = {name for name in graze.__all__ if isinstance(getattr(graze, name), types.FunctionType)}
    here = {name for name in CALLS if "." not in name and name != "Model"} | OTHERS
    assert functions == here, "add the call and its arrays to CALLS, or to OTHERS where it has none"


def call_with(name, **changed):
    function, arrays = CALLS[name]
    return function(**{**arrays, **changed})


class OnADevice:
    __cuda_array_interface__ = {"shape": (6, 3), "typestr": "<f8", "data": (0, False), "version": 3}


@pytest.mark.parametrize("name, array", ARRAYS)
def test_wrong_shapes_are_value_errors_that_name_the_array(name, array):
    right = CALLS[name][1][array]
    for wrong in (right[..., :-1], right[None, None], right.reshape(-1)[0], np.zeros((*right.shape, 1)),
                  np.concatenate([right, right], axis=-1)):
        with pytest.raises(ValueError) as caught:
            call_with(name, **{array: wrong})
        assert len(str(caught.value)) > 10 and "\n" not in str(caught.value)


@pytest.mark.parametrize("name, array", ARRAYS)
def test_wrong_dtypes_are_type_errors_that_name_the_array(name, array):
    right = CALLS[name][1][array]
    for wrong in (right.astype(complex), right.astype(object), right.astype(str), right.astype(bool),
                  right.astype(np.longdouble), right.astype("datetime64[s]")):
        with pytest.raises(TypeError, match=array):
            call_with(name, **{array: wrong})
    with pytest.raises(ValueError, match="beyond 2"):
        call_with(name, **{array: np.full(right.shape, 2**53 + 1)})
    with pytest.raises((TypeError, ValueError)):
        call_with(name, **{array: OnADevice()})


@pytest.mark.parametrize("name, array", [entry for entry in ARRAYS if entry[0] != "write_mesh"])  # it writes any bits
def test_numbers_that_are_none_are_errors(name, array):
    for number in (np.nan, np.inf, -np.inf):
        wrong = CALLS[name][1][array].copy()
        wrong.reshape(-1)[-1] = number
        with pytest.raises((graze.Error, ValueError)) as caught:
            call_with(name, **{array: wrong})
        assert name == "write_queries" or caught.value.status
        assert "\n" not in str(caught.value)


def layouts(right):
    """Other layouts of the same numbers."""
    yield "Fortran order", np.asfortranarray(right)
    wide = np.full((*right.shape[:-1], 2 * right.shape[-1]), np.nan)
    wide[..., ::2] = right
    yield "every second", wide[..., ::2]
    yield "backwards", np.ascontiguousarray(right[::-1, ...])[::-1, ...]
    yield "other bytes", right.astype(">f8")
    unaligned = np.zeros(right.nbytes + 1, dtype=np.uint8)[1:].view(np.float64).reshape(right.shape)
    unaligned[...] = right
    yield "unaligned", unaligned
    fixed = right.copy()
    fixed.flags.writeable = False
    yield "read-only", fixed
    yield "a list", right.tolist()


def text_of(answer):
    return repr(answer) if not isinstance(answer, np.ndarray) else repr(answer.tolist())


@pytest.mark.parametrize("name, array", ARRAYS)
def test_other_layouts_have_the_same_answer(name, array):
    expected = text_of(call_with(name))
    for layout, same in layouts(CALLS[name][1][array]):
        assert text_of(call_with(name, **{array: same})) == expected, layout


@pytest.mark.parametrize("name, array", ARRAYS)
def test_empty_arrays_are_empty_answers_or_errors(name, array):
    right = CALLS[name][1][array]
    nothing = {each: np.zeros((0, *value.shape[1:])) for each, value in CALLS[name][1].items()}
    if name in ("ccd_batch", "ccd_curve", "articulated_batch", "write_queries"):
        assert len(call_with(name, **nothing)) == 0
        return
    if name == "write_mesh":
        assert b"element vertex 0" in call_with(name, **nothing)
        return
    with pytest.raises((ValueError, graze.Error)):
        call_with(name, **{array: np.zeros((0, *right.shape[1:]))})


@pytest.mark.parametrize("faces, error", [
    ([[0, 1]], ValueError), ([0, 1, 2], ValueError), ([[0, 1, 6]], graze.Error), ([[0, 1, -1]], ValueError),
    ([[0, 1, 2**32]], ValueError), ([[0.0, 1, 2]], TypeError), ([["a", "b", "c"]], TypeError),
])
def test_wrong_indices_are_errors(faces, error, tmp_path):
    with pytest.raises(error):
        graze.Mesh.from_faces(6, faces)
    with pytest.raises((error, ValueError)):
        graze.Model.obstacle(X0, faces)
    with pytest.raises((error, ValueError)):
        graze.write_mesh(tmp_path / "a.ply", X0, faces)


@pytest.mark.parametrize("position, rotation", [([0, 0], [1, 0, 0, 0]), ([0] * 4, [1, 0, 0, 0]), ([0] * 3, [1, 0, 0]),
                                                ([0] * 3, [1, 0, 0, 0, 0]), (["a", 0, 0], [1, 0, 0, 0])])
def test_frames_have_three_and_four_numbers(position, rotation):
    with pytest.raises((TypeError, ValueError)):
        graze.Model.obstacle(TRIANGLE, [[0, 1, 2]], origin=graze.Frame(position, rotation))


@pytest.mark.parametrize("numbers", [[1, 1], [1] * 4, [[1, 1, 1]], ["a", 1, 1], None])
def test_axes_scales_and_angles_have_three_numbers(numbers):
    mesh = LINK(TRIANGLE, [[0, 1, 2]])
    for make in (lambda: graze.Model([graze.Link([mesh], joint="revolute", axis=numbers)]),
                 lambda: graze.Model([graze.Link([LINK(TRIANGLE, [[0, 1, 2]], scale=numbers)])]),
                 lambda: graze.Frame.of_angles([0, 0, 0], numbers), lambda: graze.Frame.of_angles(numbers, [0, 0, 0])):
        with pytest.raises((TypeError, ValueError)):
            make()


@pytest.mark.parametrize("out", [np.zeros(3), np.zeros((7, 1), dtype=graze.RESULT), np.zeros(14, dtype=graze.RESULT)[::2],
                                 np.zeros(7, dtype=np.float64), [0] * 7])
def test_results_are_written_only_where_they_fit(out):
    for call in (lambda: graze.ccd_batch("ee", Q0, Q1, out=out), lambda: graze.ccd_curve("vf", np.zeros((7, 4, 4, 3)), out=out),
                 lambda: graze.ccd_pairs(X0, X1, MESH, np.resize(PAIRS, 7), out=out)):
        with pytest.raises((TypeError, ValueError)):
            call()


def test_parameters_of_every_function_are_documented():
    for name in CALLS:
        if "." not in name:
            assert inspect.getdoc(getattr(graze, name))


def test_a_masked_array_is_refused():
    x0, x1 = two_triangles()
    mesh, masked = graze.Mesh.from_faces(6, FACES), np.ma.masked_array(x0, mask=np.zeros_like(x0, dtype=bool))
    for call in (lambda: graze.step(masked, x1, mesh), lambda: graze.step(x0, masked, mesh),
                 lambda: graze.ccd_batch("vf", np.ma.zeros((1, 4, 3)), np.zeros((1, 4, 3))),
                 lambda: graze.Mesh.from_faces(6, np.ma.masked_array(FACES)),
                 lambda: graze.step_to(x0, x1, mesh, out=np.ma.zeros((6, 3)))):
        with pytest.raises(TypeError, match="must be|masked array"):
            call()


@pytest.mark.parametrize("out, words", [([], "out must be a NumPy array, not list"), (np.zeros(2), "graze.RESULT, not float64"),
                                        (np.zeros(2, dtype=graze.PAIR), "graze.RESULT, not graze.PAIR"),
                                        (np.zeros(2, dtype="i4,f8"), "graze.RESULT, not another struct")])
def test_a_wrong_out_is_a_sentence(out, words):
    with pytest.raises(TypeError, match=words) as caught:
        graze.ccd_batch("vf", np.zeros((2, 4, 3)), np.zeros((2, 4, 3)), out=out)
    assert len(str(caught.value)) < 100


def test_a_mesh_says_what_it_is():
    mesh = graze.Mesh.from_faces(6, FACES, filter=lambda *_: True, groups=[0] * 6)
    assert repr(mesh) == "<graze.Mesh: 6 vertices, 6 edges, 2 faces, with groups, filter>"
