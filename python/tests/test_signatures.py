"""Every option of the C structs is a keyword of the functions that read it, with its type and default."""

import inspect
import operator

import pytest

import graze
from graze import _c

# Fields by the names that Python gives them
NAMES = {"min_separation": "separation", "check_inside": "inside", "link_pairs": "skip", "distance": "within"}
OF_LINE_SEARCH = {"tolerance": "least_separation", "x": "out"}
# Fields that are no options: what the package itself sets from the arrays that it is given
SET_HERE = {"struct_size", "result_stride", "narrow", "step", "stride", "vertex_toi", "positions_in", "pairs_in", "stream"}
# Fields that a function does not read, as its header says
NOT_READ = {
    "ccd_curve": {"method", "inside_tolerance"}, "certificate": {"method", "inside_tolerance"},
    "step_to": {"mode"}, "active_set": {"mode"}, "line_search": {"mode", "relative_separation"},
    "candidates": {"mode", "tolerance", "max_checks", "inside_tolerance", "relative_separation"},
    "ccd_pairs": {"mode", "broad", "kinds", "memory_limit"},
    "earliest_of_pairs": {"mode", "broad", "kinds", "memory_limit"},
    "start_violations": {"mode", "method", "t_max", "tolerance", "max_checks", "inside_tolerance", "backend", "memory_limit",
                         "relative_separation"},
    "articulated_certificate": {"mode", "tolerance", "check_inside", "interval_arithmetic"},
    "World.step_to": {"link_pairs", "mode"}, "Worlds.step": {"link_pairs"},
    "World.step": {"link_pairs"}, "World.valid": {"link_pairs"}, "World.batch": {"link_pairs"}, "World.plan": {"link_pairs"},
    "plan_certificate": {"mode", "t_max", "tolerance", "check_inside", "interval_arithmetic"},
    "articulated_distance": {"mode", "t_max", "tolerance", "max_checks", "check_inside", "interval_arithmetic"},
}
NARROW, STEP = [_c.Options], [_c.Options, _c.StepOptions]
STRUCTS = {
    "ccd": NARROW, "ccd_batch": NARROW, "ccd_curve": NARROW, "certificate": NARROW, "truth": [_c.TruthOptions],
    "step": STEP, "step_to": STEP, "active_set": STEP, "candidates": STEP, "ccd_pairs": STEP, "earliest_of_pairs": STEP, "start_violations": STEP,
    "line_search": STEP, "articulated_step": [_c.ArticulatedOptions], "articulated_batch": [_c.ArticulatedOptions],
    "articulated_certificate": [_c.ArticulatedOptions], "articulated_distance": [_c.ArticulatedOptions],
    "World.step_to": [_c.ArticulatedOptions], "Worlds.step": [_c.ArticulatedOptions],
    "World.step": [_c.ArticulatedOptions], "World.valid": [_c.ArticulatedOptions], "World.batch": [_c.ArticulatedOptions],
    "World.plan": [_c.ArticulatedOptions], "plan_certificate": [_c.ArticulatedOptions], "articulated_range": [_c.RangeOptions],
    "World.clearance": [_c.ClearanceOptions], "World.plan_clearance": [_c.ClearanceOptions],
}
BESIDE = {"out", "radii", "certificate"}  # keywords that are of no struct


def options_of(name):
    fields = {field for struct in STRUCTS[name] for field, _ in struct._fields_} - SET_HERE - NOT_READ.get(name, set())
    named = {NAMES.get(field, field) for field in fields}
    if name == "line_search":
        own = {field for field, _ in _c.LineSearchOptions._fields_} - SET_HERE
        named |= {OF_LINE_SEARCH.get(field, field) for field in own}
    return named


@pytest.mark.parametrize("name", STRUCTS)
def test_every_option_is_a_keyword_with_a_type_and_a_default(name):
    keywords = {key: parameter for key, parameter in inspect.signature(operator.attrgetter(name)(graze)).parameters.items()
                if parameter.kind is inspect.Parameter.KEYWORD_ONLY}
    assert set(keywords) - BESIDE == options_of(name) - BESIDE
    for parameter in keywords.values():
        assert parameter.annotation is not inspect.Parameter.empty and parameter.default is not inspect.Parameter.empty


def public_functions():
    for name in graze.__all__:
        found = getattr(graze, name)
        if inspect.isfunction(found):
            yield name, found
        elif inspect.isclass(found):
            yield from ((f"{name}.{key}", part) for key, part in inspect.getmembers(found) if not key.startswith("_")
                        and (inspect.isfunction(part) or inspect.ismethod(part)) and part.__module__.startswith("graze"))


@pytest.mark.parametrize("name, function", public_functions())
def test_no_function_takes_options_without_naming_them(name, function):
    parameters = inspect.signature(function).parameters.values()
    assert not [p for p in parameters if p.kind is inspect.Parameter.VAR_KEYWORD]
    if name != "Mesh.call":
        assert function.__doc__, f"{name} has no docstring"


def test_signatures_name_types_in_a_line_that_people_read():
    for name, function in public_functions():
        for parameter in inspect.signature(function).parameters.values():
            assert len(inspect.formatannotation(parameter.annotation)) < 120, f"{name}: {parameter.name}"


def test_defaults_are_those_of_the_library():
    """An option that is left out is what graze_init_… sets."""
    narrow = _c.default(_c.Options, _c.library.graze_init_options)
    step = _c.default(_c.StepOptions, _c.library.graze_init_step_options)
    for name in ("ccd", "ccd_batch", "step", "step_to", "active_set"):
        parameters = inspect.signature(getattr(graze, name)).parameters
        for struct, keys in ((narrow, ("min_separation", "t_max", "tolerance", "max_checks", "inside_tolerance")),
                             (step, ("memory_limit", "relative_separation"))):
            for key in keys:
                keyword = NAMES.get(key, key)
                assert keyword not in parameters or parameters[keyword].default == getattr(struct, key)
        assert parameters["method"].default == next(iter(graze.methods()))


def test_an_option_that_is_not_there_is_a_type_error():
    for call in (lambda: graze.ccd("pp", [[0, 0, 0]] * 2, [[0, 0, 0]] * 2, speed=1),
                 lambda: graze.ccd_batch("pp", [], [], "exact")):
        with pytest.raises(TypeError):
            call()
