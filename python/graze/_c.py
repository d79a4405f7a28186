"""The C interface: its structs and functions, each written once, and the library that has them.

Layouts follow the headers of include/graze; tests/test_layout.py compares every offset with a C compiler's.
"""

import ctypes
import os
import pathlib
from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p

ABI = "0.2"  # structs without a struct_size do not change within it


class Options(Structure):
    c_name = "graze_options"
    _fields_ = [
        ("struct_size", c_size_t),
        ("method", c_int),
        ("min_separation", c_double),
        ("t_max", c_double),
        ("tolerance", c_double),
        ("max_checks", c_uint64),
        ("inside_tolerance", c_double),
        ("result_stride", c_size_t),
    ]


class Result(Structure):
    c_name = "graze_result"
    _fields_ = [
        ("verdict", c_int),
        ("reason", c_int),
        ("proven", c_int),
        ("toi", c_double),
        ("toi_upper", c_double),
        ("u", c_double),
        ("v", c_double),
        ("point", c_double * 3),
        ("normal", c_double * 3),
        ("checks", c_uint64),
    ]


class Query(Structure):
    c_name = "graze_query"
    _fields_ = [("x0", c_double * 12), ("x1", c_double * 12)]


class QueryArrays(Structure):
    c_name = "graze_query_arrays"
    _fields_ = [
        ("struct_size", c_size_t),
        ("x0", c_void_p),
        ("x1", c_void_p),
        ("strides0", ctypes.c_ssize_t * 3),
        ("strides1", ctypes.c_ssize_t * 3),
    ]


class MethodInfo(Structure):
    c_name = "graze_method_info"
    _fields_ = [
        ("method", c_int),
        ("name", c_char_p),
        ("summary", c_char_p),
        ("available", c_int),
        ("conservative", c_int),
        ("exact", c_int),
        ("gives_toi", c_int),
        ("default_tolerance", c_double),
        ("default_max_checks", c_uint64),
        ("kinds", c_uint),
    ]


class Error(Structure):
    c_name = "graze_error"
    _fields_ = [("status", c_int), ("index", c_uint64), ("message", c_char * 200)]


class Mesh(Structure):
    c_name = "graze_mesh"
    _fields_ = [
        ("struct_size", c_size_t),
        ("vertex_count", c_uint32),
        ("edge_count", c_uint32),
        ("face_count", c_uint32),
        ("edges", POINTER(c_uint32)),
        ("faces", c_void_p),
        ("codim_edge_count", c_uint32),
        ("codim_point_count", c_uint32),
        ("codim_edges", c_void_p),
        ("codim_points", c_void_p),
        ("groups", c_void_p),
        ("group_count", c_uint32),
        ("skip_same_group", c_int),
        ("group_pairs", c_void_p),
        ("filter", c_void_p),
        ("filter_user", c_void_p),
        ("thickness", c_void_p),
        ("owned", c_void_p),
    ]


class Pair(Structure):
    c_name = "graze_pair"
    _fields_ = [("kind", c_int), ("a", c_uint32), ("b", c_uint32)]


class PairResult(Structure):
    c_name = "graze_pair_result"
    _fields_ = [("pair", Pair), ("result", Result)]


class StepOptions(Structure):
    c_name = "graze_step_options"
    _fields_ = [
        ("struct_size", c_size_t),
        ("narrow", POINTER(Options)),
        ("mode", c_int),
        ("broad", c_int),
        ("backend", c_int),
        ("stride", c_size_t),
        ("memory_limit", c_size_t),
        ("vertex_toi", c_void_p),
        ("kinds", c_uint),
        ("relative_separation", c_double),
    ]


class StepResult(Structure):
    c_name = "graze_step_result"
    _fields_ = [
        ("struct_size", c_size_t),
        ("verdict", c_int),
        ("reason", c_int),
        ("toi", c_double),
        ("toi_upper", c_double),
        ("has_pair", ctypes.c_int32),
        ("limiting", PairResult),
        ("candidates", c_uint64 * 4),
        ("hits", c_uint64 * 4),
        ("pairs", POINTER(PairResult)),
        ("pair_count", c_size_t),
        ("ms_boxes", c_double),
        ("ms_broad", c_double),
        ("ms_narrow", c_double),
        ("ms_total", c_double),
        ("alpha", c_double),
        ("backend", c_int),
    ]


class DistanceResult(Structure):
    c_name = "graze_distance_result"
    _fields_ = [
        ("value", c_double),
        ("u", c_double),
        ("v", c_double),
        ("weights", c_double * 4),
        ("vector", c_double * 3),
        ("feature", c_int * 2),
    ]


class TruthOptions(Structure):
    c_name = "graze_truth_options"
    _fields_ = [("struct_size", c_size_t), ("min_separation", c_double), ("norm", c_int), ("t_max", c_double)]


STRUCTS = [Options, Result, Query, QueryArrays, MethodInfo, Error, Mesh, Pair, PairResult, StepOptions, StepResult,
           DistanceResult, TruthOptions]

_context = c_void_p
_positions = c_void_p
_pairs_out = [POINTER(POINTER(Pair)), POINTER(c_size_t)]
_find = [c_char_p, POINTER(c_int)]

# name: (what it returns, what it takes)
FUNCTIONS = {
    "graze_version": (c_char_p, []),
    "graze_status_name": (c_char_p, [c_int]),
    "graze_verdict_name": (c_char_p, [c_int]),
    "graze_reason_name": (c_char_p, [c_int]),
    "graze_kind_name": (c_char_p, [c_int]),
    "graze_backend_name": (c_char_p, [c_int]),
    "graze_kind_find": (c_int, _find),
    "graze_step_mode_find": (c_int, _find),
    "graze_broad_find": (c_int, _find),
    "graze_backend_find": (c_int, _find),
    "graze_method_find": (POINTER(MethodInfo), [c_char_p]),
    "graze_context_create": (c_int, [c_void_p, POINTER(_context)]),
    "graze_context_destroy": (None, [_context]),
    "graze_context_last_error": (c_int, [_context, POINTER(Error)]),
    "graze_init_options": (None, [POINTER(Options), c_size_t]),
    "graze_init_query_arrays": (None, [POINTER(QueryArrays), c_size_t]),
    "graze_init_mesh": (None, [POINTER(Mesh), c_size_t]),
    "graze_init_step_options": (None, [POINTER(StepOptions), c_size_t]),
    "graze_init_step_result": (None, [POINTER(StepResult), c_size_t]),
    "graze_init_truth_options": (None, [POINTER(TruthOptions), c_size_t]),
    "graze_ccd": (c_int, [c_int, POINTER(Query), POINTER(Options), POINTER(Result)]),
    "graze_ccd_batch_strided": (c_int, [_context, c_int, POINTER(QueryArrays), c_size_t, POINTER(Options), c_void_p,
                                        c_size_t]),
    "graze_mesh_from_parts": (c_int, [_context, c_uint32, c_void_p, c_uint32, c_void_p, c_uint32, c_void_p, c_uint32,
                                      POINTER(Mesh)]),
    "graze_mesh_release": (None, [_context, POINTER(Mesh)]),
    "graze_step": (c_int, [_context, POINTER(Mesh), _positions, _positions, POINTER(StepOptions), POINTER(StepResult)]),
    "graze_step_to": (c_int, [_context, POINTER(Mesh), _positions, _positions, POINTER(StepOptions), _positions,
                              POINTER(StepResult)]),
    "graze_step_release": (None, [_context, POINTER(StepResult)]),
    "graze_candidates": (c_int, [_context, POINTER(Mesh), _positions, _positions, POINTER(StepOptions), *_pairs_out]),
    "graze_start_violations": (c_int, [_context, POINTER(Mesh), _positions, POINTER(StepOptions), *_pairs_out]),
    "graze_static_intersections": (c_int, [_context, POINTER(Mesh), _positions, POINTER(StepOptions), *_pairs_out]),
    "graze_pairs_release": (None, [_context, POINTER(Pair), c_size_t]),
    "graze_distance": (c_int, [c_int, _positions, POINTER(DistanceResult)]),
    "graze_truth_find": (c_int, [_context, c_int, POINTER(Query), POINTER(TruthOptions), POINTER(c_void_p)]),
    "graze_truth_destroy": (None, [_context, c_void_p]),
    "graze_truth_hit": (c_int, [c_void_p]),
    "graze_truth_bracket": (None, [c_void_p, POINTER(c_double), POINTER(c_double)]),
    "graze_truth_degree": (c_int, [c_void_p]),
    "graze_truth_coefficient": (c_size_t, [c_void_p, c_int, c_char_p, c_size_t]),
    "graze_truth_contact_count": (c_int, [c_void_p]),
}


def _open():
    """What GRAZE_LIBRARY names, else the library inside the package, else that of the system."""
    named = os.environ.get("GRAZE_LIBRARY")
    inside = pathlib.Path(__file__).with_name("libgraze.so")
    path = named or (str(inside) if inside.exists() else f"libgraze.so.{ABI}")
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"graze: no library: {error}; GRAZE_LIBRARY may name one") from None


def _load():
    opened = _open()
    for name, (returns, takes) in FUNCTIONS.items():
        try:
            function = getattr(opened, name)
        except AttributeError:
            raise ImportError(f"graze: the library lacks {name}: it is not of version {ABI}") from None
        function.restype, function.argtypes = returns, takes
    version = opened.graze_version().decode()
    if not version.startswith(ABI + "."):
        raise ImportError(f"graze: the library is of version {version}, this package needs {ABI}")
    return opened


library = _load()


def default(struct, init):
    """A struct with its size and its defaults set, by its graze_init_…"""
    value = struct()
    init(ctypes.byref(value), ctypes.sizeof(value))
    return value
