"""The C interface: its structs and functions, each written once, and the library that has them.

Layouts follow the headers of include/graze; tests/test_layout.py compares every offset with a C compiler's.
"""

import ctypes
import os
import pathlib
import sys
from ctypes import (CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint,
                    c_uint32, c_uint64, c_void_p)

ABI = "0.3"  # structs without a struct_size do not change within it


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


class ContextOptions(Structure):
    c_name = "graze_context_options"
    _fields_ = [
        ("struct_size", c_size_t),
        ("allocator", c_void_p * 3),
        ("parallel_for", c_void_p),
        ("parallel_user", c_void_p),
        ("threads", c_uint32),
        ("isa", c_int),
        ("log", c_void_p),
        ("log_user", c_void_p),
        ("cancel", c_void_p),
        ("cancel_user", c_void_p),
        ("deadline_seconds", c_double),
        ("memory_limit", c_size_t),
        ("backend", c_int),
        ("device", c_int32),
    ]


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


MEMORY_DEVICE = 1  # GRAZE_MEMORY_DEVICE


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
        ("positions_in", c_int),
        ("pairs_in", c_int),
        ("stream", c_void_p),
    ]


class StepResult(Structure):
    c_name = "graze_step_result"
    _fields_ = [
        ("struct_size", c_size_t),
        ("verdict", c_int),
        ("reason", c_int),
        ("toi", c_double),
        ("toi_upper", c_double),
        ("has_pair", c_int32),
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
        ("device_pairs", c_void_p),
    ]


class LineSearchOptions(Structure):
    c_name = "graze_line_search_options"
    _fields_ = [
        ("struct_size", c_size_t),
        ("step", POINTER(StepOptions)),
        ("separation_fraction", c_double),
        ("tolerance", c_double),
        ("shrink", c_double),
        ("max_steps", c_uint32),
        ("x", c_void_p),
    ]


class LineSearchResult(Structure):
    c_name = "graze_line_search_result"
    _fields_ = [
        ("struct_size", c_size_t),
        ("alpha", c_double),
        ("alpha_free", c_double),
        ("energy", c_double),
        ("energy_calls", c_uint32),
        ("limiting", Pair),
        ("has_pair", c_int32),
        ("distance", c_double),
    ]


class Stencil(Structure):
    c_name = "graze_stencil"
    _fields_ = [("count", c_uint32), ("vertices", c_uint32 * 4), ("weights", c_double * 4)]


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


class ProximityPair(Structure):
    c_name = "graze_proximity_pair"
    _fields_ = [
        ("pair", Pair),
        ("type", c_int),
        ("vertices", c_uint32 * 4),
        ("distance", DistanceResult),
        ("offset", c_double),
    ]


class PotentialContact(Structure):
    c_name = "graze_contact"
    _fields_ = [
        ("kind", c_int),
        ("vertices", c_uint32 * 4),
        ("multiplicity", c_uint32),
        ("offset", c_double),
        ("parallel", c_double),
    ]


class ContactList(Structure):
    c_name = "graze_contact_list"
    _fields_ = [
        ("struct_size", c_size_t),
        ("contacts", POINTER(PotentialContact)),
        ("count", c_size_t),
    ]


class PotentialOptions(Structure):
    c_name = "graze_potential_options"
    _fields_ = [
        ("struct_size", c_size_t),
        ("barrier", c_int),
        ("distance", c_double),
        ("stiffness", c_double),
        ("slip", c_double),
        ("stride", c_size_t),
    ]


class Csr(Structure):
    c_name = "graze_csr"
    _fields_ = [
        ("struct_size", c_size_t),
        ("rows", c_size_t),
        ("row_start", c_void_p),
        ("columns", c_void_p),
        ("values", c_void_p),
        ("count", c_size_t),
    ]


class PotentialSums(Structure):
    c_name = "graze_potential_sums"
    _fields_ = [
        ("struct_size", c_size_t),
        ("add", c_int32),
        ("projected", c_int32),
        ("value", c_double),
        ("gradient", c_void_p),
        ("vector", c_void_p),
        ("product", c_void_p),
        ("hessian", POINTER(Csr)),
    ]


class ProximityOptions(Structure):
    c_name = "graze_proximity_options"
    _fields_ = [
        ("struct_size", c_size_t),
        ("stride", c_size_t),
        ("kinds", c_uint),
        ("backend", c_int),
        ("positions_in", c_int),
        ("pairs_in", c_int),
        ("stream", c_void_p),
        ("vertex_distance", c_void_p),
    ]


class ProximityResult(Structure):
    c_name = "graze_proximity_result"
    _fields_ = [
        ("struct_size", c_size_t),
        ("pairs", POINTER(ProximityPair)),
        ("pair_count", c_size_t),
        ("ms_total", c_double),
        ("backend", c_int),
        ("device_pairs", POINTER(ProximityPair)),
    ]


class TruthOptions(Structure):
    c_name = "graze_truth_options"
    _fields_ = [("struct_size", c_size_t), ("min_separation", c_double), ("norm", c_int), ("t_max", c_double)]


class CertificateEntry(Structure):
    c_name = "graze_certificate_entry"
    _fields_ = [("direction", c_double * 3), ("t0", c_double), ("t1", c_double)]


class Frame(Structure):
    c_name = "graze_frame"
    _fields_ = [("position", c_double * 3), ("rotation", c_double * 4)]


class LinkMesh(Structure):
    c_name = "graze_link_mesh"
    _fields_ = [
        ("struct_size", c_size_t),
        ("vertex_count", c_uint32),
        ("face_count", c_uint32),
        ("vertices", c_void_p),
        ("faces", c_void_p),
        ("origin", Frame),
        ("scale", c_double * 3),
        ("radius", c_double),
    ]


class Link(Structure):
    c_name = "graze_link"
    _fields_ = [
        ("struct_size", c_size_t),
        ("parent", c_int32),
        ("joint", c_int),
        ("origin", Frame),
        ("axis", c_double * 3),
        ("meshes", POINTER(LinkMesh)),
        ("mesh_count", c_size_t),
        ("padding", c_double),
    ]


class Motion(Structure):
    c_name = "graze_motion"
    _fields_ = [("struct_size", c_size_t), ("from", c_void_p), ("to", c_void_p), ("turns", c_void_p),
                ("cubic", c_void_p), ("screws", c_void_p), ("bezier", c_void_p), ("bezier_error", c_void_p),
                ("degree", c_uint32), ("rotvecs", c_void_p)]


class ArticulatedOptions(Structure):
    c_name = "graze_articulated_options"
    _fields_ = [
        ("struct_size", c_size_t),
        ("mode", c_int),
        ("min_separation", c_double),
        ("t_max", c_double),
        ("tolerance", c_double),
        ("max_checks", c_uint64),
        ("link_pairs", c_void_p),
        ("interval_arithmetic", c_int32),
        ("check_inside", c_int32),
    ]


class LinkContact(Structure):
    c_name = "graze_link_contact"
    _fields_ = [
        ("verdict", c_int),
        ("reason", c_int),
        ("proven", c_int32),
        ("toi", c_double),
        ("toi_upper", c_double),
        ("model_a", c_uint32),
        ("link_a", c_uint32),
        ("model_b", c_uint32),
        ("link_b", c_uint32),
        ("has_pair", c_int32),
        ("inside", c_int32),
        ("pair", Pair),
        ("point", c_double * 3),
        ("normal", c_double * 3),
        ("u", c_double),
        ("v", c_double),
        ("reserved", c_double * 6),
    ]


class ArticulatedResult(Structure):
    c_name = "graze_articulated_result"
    _fields_ = [
        ("struct_size", c_size_t),
        ("verdict", c_int),
        ("reason", c_int),
        ("toi", c_double),
        ("toi_upper", c_double),
        ("has_contact", c_int32),
        ("contact", LinkContact),
        ("contacts", c_void_p),
        ("contact_count", c_size_t),
        ("contact_size", c_size_t),
        ("checks", c_uint64),
        ("pairs_tested", c_uint64),
        ("pairs_near", c_uint64),
        ("pairs_close", c_uint64),
    ]


class JointRange(Structure):
    c_name = "graze_joint_range"
    _fields_ = [("struct_size", c_size_t), ("lower", c_double), ("upper", c_double), ("follows", c_int32),
                ("multiplier", c_double), ("offset", c_double)]


class RangeOptions(Structure):
    c_name = "graze_range_options"
    _fields_ = [("struct_size", c_size_t), ("min_separation", c_double), ("link_pairs", c_void_p),
                ("max_cells", c_uint64), ("least_share", c_double), ("samples", c_uint32)]


class RangePair(Structure):
    c_name = "graze_range_pair"
    _fields_ = [
        ("model_a", c_uint32),
        ("link_a", c_uint32),
        ("model_b", c_uint32),
        ("link_b", c_uint32),
        ("verdict", c_int),
        ("reason", c_int),
        ("unresolved", c_double),
        ("cells", c_uint64),
        ("pose", POINTER(c_double)),
        ("lower", POINTER(c_double)),
        ("upper", POINTER(c_double)),
        ("reserved", c_double * 2),
    ]


class RangeResult(Structure):
    c_name = "graze_range_result"
    _fields_ = [("struct_size", c_size_t), ("pairs", POINTER(RangePair)), ("pair_count", c_size_t), ("cells", c_uint64),
                ("poses", c_void_p), ("values", c_size_t)]


class PlanPath(Structure):
    c_name = "graze_path"
    _fields_ = [("struct_size", c_size_t), ("body", c_uint32), ("degree", c_uint32), ("count", c_size_t),
                ("knots", c_void_p), ("control", c_void_p)]


class PlanResult(Structure):
    c_name = "graze_plan_result"
    _fields_ = [
        ("struct_size", c_size_t),
        ("verdict", c_int),
        ("reason", c_int),
        ("time", c_double),
        ("time_upper", c_double),
        ("segment", c_size_t),
        ("segments", c_size_t),
        ("toi", c_double),
        ("checks", c_uint64),
        ("has_contact", c_int32),
        ("contact", LinkContact),
    ]


class LinkDistance(Structure):
    c_name = "graze_link_distance"
    _fields_ = [
        ("struct_size", c_size_t),
        ("lower", c_double),
        ("upper", c_double),
        ("model_a", c_uint32),
        ("link_a", c_uint32),
        ("model_b", c_uint32),
        ("link_b", c_uint32),
        ("point_a", c_double * 3),
        ("point_b", c_double * 3),
    ]


class AskedFilter(Structure):
    c_name = "graze_asked_filter"
    _fields_ = [("ask", CFUNCTYPE(None, c_void_p, c_int, c_uint32, c_uint32, POINTER(c_int32))), ("user", c_void_p)]


class AskedEnergy(Structure):
    c_name = "graze_asked_energy"
    _fields_ = [("ask", CFUNCTYPE(None, c_void_p, POINTER(c_double), POINTER(c_double))), ("user", c_void_p)]


class AskedWrite(Structure):
    c_name = "graze_asked_write"
    _fields_ = [("ask", CFUNCTYPE(None, c_void_p, c_void_p, c_size_t, POINTER(c_int32))), ("user", c_void_p)]


class Shape(Structure):
    c_name = "graze_shape"
    _fields_ = [("struct_size", c_size_t), ("radius", c_double), ("mesh", LinkMesh)]


class HeightMap(Structure):
    c_name = "graze_height_map"
    _fields_ = [("struct_size", c_size_t), ("rows", c_size_t), ("columns", c_size_t), ("heights", c_void_p),
                ("cell", c_double * 2), ("floor", c_double)]


class AskedWorldFilter(Structure):
    c_name = "graze_asked_world_filter"
    _fields_ = [("ask", CFUNCTYPE(None, c_void_p, c_uint32, c_uint32, c_uint32, c_uint32, POINTER(c_double),
                                  POINTER(c_int32))), ("user", c_void_p)]


class Body(Structure):
    c_name = "graze_body"
    _fields_ = [("struct_size", c_size_t), ("kind", c_int), ("model", c_void_p), ("meshes", POINTER(LinkMesh)),
                ("mesh_count", c_size_t), ("origin", Frame), ("padding", c_double), ("mesh", POINTER(Mesh)),
                ("rest", c_void_p)]


class WorldPair(Structure):
    c_name = "graze_world_pair"
    _fields_ = [("struct_size", c_size_t), ("body_a", c_uint32), ("link_a", c_uint32), ("body_b", c_uint32),
                ("link_b", c_uint32), ("rule", c_int), ("separation", c_double)]


class WorldOptions(Structure):
    c_name = "graze_world_options"
    _fields_ = [("struct_size", c_size_t), ("pairs", POINTER(WorldPair)), ("pair_count", c_size_t),
                ("filter", c_void_p), ("filter_user", c_void_p)]


class WorldChange(Structure):
    c_name = "graze_world_change"
    _fields_ = [("struct_size", c_size_t), ("kind", c_int), ("body", c_uint32), ("link", c_uint32), ("origin", Frame),
                ("padding", c_double), ("attached", POINTER(Link)), ("pair", POINTER(WorldPair))]


class BodyMotion(Structure):
    c_name = "graze_body_motion"
    _fields_ = [("struct_size", c_size_t), ("body", c_uint32), ("joints", c_void_p), ("x0", c_void_p),
                ("x1", c_void_p), ("control", c_void_p * 4), ("stride", c_size_t), ("matrix0", c_double * 4 * 3),
                ("matrix1", c_double * 4 * 3), ("pose0", Frame), ("pose1", Frame), ("path", c_int),
                ("rotvec0", c_double * 3), ("rotvec1", c_double * 3)]


class WorldMoved(Structure):
    c_name = "graze_world_moved"
    _fields_ = [("struct_size", c_size_t), ("alpha", c_double), ("motions", c_void_p), ("count", c_size_t),
                ("owned", c_void_p)]


class WorldDistanceOptions(Structure):
    c_name = "graze_world_distance_options"
    _fields_ = [("struct_size", c_size_t), ("most", c_size_t), ("distance", c_double), ("min_separation", c_double),
                ("gradients", c_int32)]


class LinkGap(Structure):
    c_name = "graze_link_gap"
    _fields_ = [("lower", c_double), ("upper", c_double), ("body_a", c_uint32), ("link_a", c_uint32),
                ("body_b", c_uint32), ("link_b", c_uint32), ("face_a", c_uint32), ("face_b", c_uint32),
                ("point_a", c_double * 3), ("point_b", c_double * 3), ("normal", c_double * 3),
                ("reserved", c_double * 8)]


class WorldDistanceResult(Structure):
    c_name = "graze_world_distance_result"
    _fields_ = [("struct_size", c_size_t), ("lower", c_double), ("gaps", c_void_p), ("gap_count", c_size_t),
                ("gap_size", c_size_t), ("gradients", POINTER(c_double)), ("value_count", c_size_t),
                ("pairs_tested", c_uint64)]


class ClearanceOptions(Structure):
    c_name = "graze_clearance_options"
    _fields_ = [("struct_size", c_size_t), ("most", c_size_t), ("distance", c_double), ("min_separation", c_double),
                ("tolerance", c_double), ("max_checks", c_uint64), ("gradients", c_int32)]


class LinkClearance(Structure):
    c_name = "graze_link_clearance"
    _fields_ = [("lower", c_double), ("upper", c_double), ("time", c_double), ("segment", c_uint64),
                ("body_a", c_uint32), ("link_a", c_uint32), ("body_b", c_uint32), ("link_b", c_uint32),
                ("face_a", c_uint32), ("face_b", c_uint32), ("point_a", c_double * 3), ("point_b", c_double * 3),
                ("normal", c_double * 3), ("reserved", c_double * 8)]


class ClearanceResult(Structure):
    c_name = "graze_clearance_result"
    _fields_ = [("struct_size", c_size_t), ("lower", c_double), ("pairs", c_void_p), ("pair_count", c_size_t),
                ("pair_size", c_size_t), ("gradients", POINTER(c_double)), ("value_count", c_size_t),
                ("segments", c_size_t), ("pairs_tested", c_uint64), ("checks", c_uint64)]


class SweptOptions(Structure):
    c_name = "graze_swept_options"
    _fields_ = [("struct_size", c_size_t), ("size", c_double), ("max_cells", c_uint64)]


class SweptCell(Structure):
    c_name = "graze_swept_cell"
    _fields_ = [("center", c_double * 3), ("half", c_double), ("state", c_int32), ("reserved", c_int32)]


class SweptResult(Structure):
    c_name = "graze_swept_result"
    _fields_ = [("struct_size", c_size_t), ("cells", c_void_p), ("cell_count", c_size_t), ("cell_size", c_size_t),
                ("counts", c_uint64 * 3), ("root_center", c_double * 3), ("root_half", c_double), ("whole", c_int32)]


STRUCTS = [Options, Result, Query, QueryArrays, MethodInfo, Error, ContextOptions, Mesh, Pair, PairResult, StepOptions,
           StepResult, LineSearchOptions, LineSearchResult, Stencil, DistanceResult, ProximityPair, ProximityOptions, ProximityResult,
           PotentialContact, ContactList, PotentialOptions, Csr, PotentialSums, TruthOptions,
           CertificateEntry, Frame, LinkMesh, Link, Motion, ArticulatedOptions, LinkContact, ArticulatedResult,
           LinkDistance, AskedFilter, AskedEnergy, AskedWrite, AskedWorldFilter, Body, WorldPair, WorldOptions,
           WorldChange, BodyMotion, WorldMoved, Shape, HeightMap, WorldDistanceOptions, LinkGap, WorldDistanceResult,
           JointRange, RangeOptions, RangePair, RangeResult, PlanPath, PlanResult, ClearanceOptions, LinkClearance,
           ClearanceResult, SweptOptions, SweptCell, SweptResult]

_context = c_void_p
_positions = c_void_p
_motions = c_void_p
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
    "graze_broad_name": (c_char_p, [c_int]),
    "graze_step_mode_name": (c_char_p, [c_int]),
    "graze_broad_available": (c_int, [c_int]),
    "graze_backend_available": (c_int, [c_int]),
    "graze_method_get": (POINTER(MethodInfo), [c_int]),
    "graze_method_find": (POINTER(MethodInfo), [c_char_p]),
    # callbacks: their addresses are asked for, they are not called from here
    "graze_ask_filter": (c_int, [c_void_p, c_int, c_uint32, c_uint32]),
    "graze_ask_energy": (c_double, [c_void_p, c_void_p]),
    "graze_ask_write": (c_int, [c_void_p, c_void_p, c_size_t]),
    "graze_ask_world_filter": (c_int, [c_void_p, c_uint32, c_uint32, c_uint32, c_uint32, c_void_p]),
    "graze_init_context_options": (None, [POINTER(ContextOptions), c_size_t]),
    "graze_context_create": (c_int, [POINTER(ContextOptions), POINTER(_context)]),
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
    "graze_ccd_curve_batch": (c_int, [_context, c_int, c_void_p, c_size_t, POINTER(Options), c_void_p]),
    "graze_mesh_from_parts": (c_int, [_context, c_uint32, c_void_p, c_uint32, c_void_p, c_uint32, c_void_p, c_uint32,
                                      POINTER(Mesh)]),
    "graze_mesh_release": (None, [_context, POINTER(Mesh)]),
    "graze_step": (c_int, [_context, POINTER(Mesh), _positions, _positions, POINTER(StepOptions), POINTER(StepResult)]),
    "graze_step_to": (c_int, [_context, POINTER(Mesh), _positions, _positions, POINTER(StepOptions), _positions,
                              POINTER(StepResult)]),
    "graze_step_release": (None, [_context, POINTER(StepResult)]),
    "graze_candidates": (c_int, [_context, POINTER(Mesh), _positions, _positions, POINTER(StepOptions), *_pairs_out]),
    "graze_ccd_pairs": (c_int, [_context, POINTER(Mesh), _positions, _positions, c_void_p, c_size_t,
                                POINTER(StepOptions), c_void_p]),
    "graze_earliest_of_pairs": (c_int, [_context, POINTER(Mesh), _positions, _positions, c_void_p, c_size_t,
                                        POINTER(StepOptions), POINTER(StepResult)]),
    "graze_distances": (c_int, [_context, POINTER(Mesh), _positions, c_void_p, c_size_t, POINTER(StepOptions),
                                c_void_p]),
    "graze_init_proximity_options": (None, [POINTER(ProximityOptions), c_size_t]),
    "graze_init_proximity_result": (None, [POINTER(ProximityResult), c_size_t]),
    "graze_proximity": (c_int, [_context, POINTER(Mesh), _positions, c_double, POINTER(ProximityOptions),
                                POINTER(ProximityResult)]),
    "graze_proximity_release": (None, [_context, POINTER(ProximityResult)]),
    "graze_init_contact_list": (None, [POINTER(ContactList), c_size_t]),
    "graze_init_potential_options": (None, [POINTER(PotentialOptions), c_size_t]),
    "graze_init_csr": (None, [POINTER(Csr), c_size_t]),
    "graze_init_potential_sums": (None, [POINTER(PotentialSums), c_size_t]),
    "graze_contacts_make": (c_int, [_context, c_void_p, c_size_t, _positions, _positions, c_uint32, c_size_t,
                                    POINTER(ContactList)]),
    "graze_contacts_release": (None, [_context, POINTER(ContactList)]),
    "graze_csr_make": (c_int, [_context, c_void_p, c_size_t, c_uint32, POINTER(Csr)]),
    "graze_csr_release": (None, [_context, POINTER(Csr)]),
    "graze_contact_sums": (c_int, [_context, c_void_p, c_size_t, _positions, c_uint32, POINTER(PotentialOptions),
                                   POINTER(PotentialSums)]),
    "graze_pair_stencil": (c_int, [POINTER(Mesh), Pair, c_double, c_double, POINTER(Stencil)]),
    "graze_active_set": (c_int, [_context, POINTER(Mesh), _positions, _positions, POINTER(StepOptions),
                                 POINTER(POINTER(PairResult)), POINTER(c_size_t)]),
    "graze_active_set_release": (None, [_context, POINTER(PairResult), c_size_t]),
    "graze_init_line_search_options": (None, [POINTER(LineSearchOptions), c_size_t]),
    "graze_init_line_search_result": (None, [POINTER(LineSearchResult), c_size_t]),
    "graze_line_search": (c_int, [_context, POINTER(Mesh), _positions, _positions, c_void_p, c_void_p,
                                  POINTER(LineSearchOptions), POINTER(LineSearchResult)]),
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
    "graze_ccd_certificate_thick": (c_int, [c_int, POINTER(Query), POINTER(c_double), POINTER(Options),
                                            POINTER(CertificateEntry), c_size_t, POINTER(c_size_t), POINTER(Result)]),
    "graze_frame_of_angles": (Frame, [c_double * 3, c_double * 3]),
    "graze_model_create": (c_int, [_context, POINTER(Link), c_size_t, POINTER(c_void_p)]),
    "graze_model_destroy": (None, [_context, c_void_p]),
    "graze_model_links": (c_size_t, [c_void_p]),
    "graze_model_values": (c_size_t, [c_void_p]),
    "graze_model_attach": (c_int, [_context, c_void_p, POINTER(Link)]),
    "graze_model_detach": (c_int, [_context, c_void_p]),
    "graze_model_place": (c_int, [_context, c_void_p, c_uint32, POINTER(Frame)]),
    "graze_model_pad": (c_int, [_context, c_void_p, c_uint32, c_double]),
    "graze_init_articulated_options": (None, [POINTER(ArticulatedOptions), c_size_t]),
    "graze_init_articulated_result": (None, [POINTER(ArticulatedResult), c_size_t]),
    "graze_init_link_distance": (None, [POINTER(LinkDistance), c_size_t]),
    "graze_articulated_step": (c_int, [_context, POINTER(c_void_p), c_size_t, _motions, POINTER(ArticulatedOptions),
                                       POINTER(ArticulatedResult)]),
    "graze_articulated_batch": (c_int, [_context, POINTER(c_void_p), c_size_t, _motions, c_size_t,
                                        POINTER(ArticulatedOptions), c_void_p]),
    "graze_articulated_certificate": (c_int, [_context, POINTER(c_void_p), c_size_t, _motions, c_size_t,
                                              POINTER(ArticulatedOptions), c_void_p, c_void_p, c_void_p]),
    "graze_articulated_release": (None, [_context, POINTER(ArticulatedResult)]),
    "graze_articulated_distance": (c_int, [_context, POINTER(c_void_p), c_size_t, _motions, POINTER(ArticulatedOptions),
                                           POINTER(LinkDistance)]),
    "graze_init_shape": (None, [POINTER(Shape), c_size_t]),
    "graze_init_height_map": (None, [POINTER(HeightMap), c_size_t]),
    "graze_shape_sphere": (c_int, [_context, c_double, POINTER(Shape)]),
    "graze_shape_capsule": (c_int, [_context, c_double, c_double, POINTER(Shape)]),
    "graze_shape_box": (c_int, [_context, c_void_p, c_double, POINTER(Shape)]),
    "graze_shape_cylinder": (c_int, [_context, c_double, c_double, c_double, POINTER(Shape)]),
    "graze_shape_hull": (c_int, [_context, c_void_p, c_size_t, c_double, POINTER(Shape)]),
    "graze_shape_points": (c_int, [_context, c_void_p, c_size_t, c_double, POINTER(Shape)]),
    "graze_shape_height_map": (c_int, [_context, POINTER(HeightMap), c_double, POINTER(Shape)]),
    "graze_shape_release": (None, [_context, POINTER(Shape)]),
    "graze_init_body": (None, [POINTER(Body), c_size_t]),
    "graze_init_world_pair": (None, [POINTER(WorldPair), c_size_t]),
    "graze_init_world_options": (None, [POINTER(WorldOptions), c_size_t]),
    "graze_init_world_change": (None, [POINTER(WorldChange), c_size_t]),
    "graze_world_create": (c_int, [_context, POINTER(Body), c_size_t, POINTER(WorldOptions), POINTER(c_void_p)]),
    "graze_world_update": (c_int, [_context, c_void_p, POINTER(WorldChange), c_size_t, POINTER(c_void_p)]),
    "graze_world_release": (None, [c_void_p]),
    "graze_world_bodies": (c_size_t, [c_void_p]),
    "graze_world_links": (c_size_t, [c_void_p, c_uint32]),
    "graze_world_values": (c_size_t, [c_void_p, c_uint32]),
    "graze_world_step": (c_int, [_context, c_void_p, c_void_p, c_size_t, POINTER(ArticulatedOptions),
                                 POINTER(ArticulatedResult)]),
    "graze_world_valid": (c_int, [_context, c_void_p, c_void_p, c_size_t, POINTER(ArticulatedOptions),
                                  POINTER(ArticulatedResult)]),
    "graze_world_batch": (c_int, [_context, c_void_p, c_void_p, c_size_t, c_size_t, POINTER(ArticulatedOptions),
                                  c_void_p]),
    "graze_init_body_motion": (None, [POINTER(BodyMotion), c_size_t]),
    "graze_init_world_moved": (None, [POINTER(WorldMoved), c_size_t]),
    "graze_world_step_to": (c_int, [_context, c_void_p, c_void_p, c_size_t, POINTER(ArticulatedOptions),
                                    POINTER(WorldMoved), POINTER(ArticulatedResult)]),
    "graze_world_moved_release": (None, [_context, POINTER(WorldMoved)]),
    "graze_worlds_create": (c_int, [_context, POINTER(Body), c_void_p, c_size_t, POINTER(WorldOptions),
                                    POINTER(c_void_p)]),
    "graze_worlds_release": (None, [c_void_p]),
    "graze_worlds_count": (c_size_t, [c_void_p]),
    "graze_worlds_step": (c_int, [_context, c_void_p, c_void_p, c_size_t, POINTER(ArticulatedOptions),
                                  POINTER(ArticulatedResult), c_void_p]),
    "graze_worlds_step_on_device": (c_int, [_context, c_void_p, c_void_p, c_size_t, POINTER(ArticulatedOptions), c_void_p,
                                            POINTER(ArticulatedResult), c_void_p]),
    "graze_init_joint_range": (None, [POINTER(JointRange), c_size_t]),
    "graze_init_range_options": (None, [POINTER(RangeOptions), c_size_t]),
    "graze_init_range_result": (None, [POINTER(RangeResult), c_size_t]),
    "graze_articulated_range": (c_int, [_context, POINTER(c_void_p), c_size_t, POINTER(JointRange), POINTER(RangeOptions),
                                        POINTER(RangeResult)]),
    "graze_range_certificate": (c_int, [_context, POINTER(c_void_p), c_size_t, POINTER(JointRange), POINTER(RangeOptions),
                                        c_void_p, c_void_p, POINTER(RangeResult)]),
    "graze_range_release": (None, [_context, POINTER(RangeResult)]),
    "graze_init_path": (None, [POINTER(PlanPath), c_size_t]),
    "graze_init_plan_result": (None, [POINTER(PlanResult), c_size_t]),
    "graze_world_plan": (c_int, [_context, c_void_p, POINTER(PlanPath), c_size_t, POINTER(ArticulatedOptions),
                                 POINTER(PlanResult)]),
    "graze_plan_certificate": (c_int, [_context, POINTER(c_void_p), c_size_t, POINTER(PlanPath), c_size_t,
                                       POINTER(ArticulatedOptions), c_void_p, c_void_p, POINTER(PlanResult)]),
    "graze_init_clearance_options": (None, [POINTER(ClearanceOptions), c_size_t]),
    "graze_init_clearance_result": (None, [POINTER(ClearanceResult), c_size_t]),
    "graze_world_clearance": (c_int, [_context, c_void_p, c_void_p, c_size_t, c_size_t, POINTER(ClearanceOptions),
                                      POINTER(ClearanceResult)]),
    "graze_world_plan_clearance": (c_int, [_context, c_void_p, POINTER(PlanPath), c_size_t, POINTER(ClearanceOptions),
                                           POINTER(ClearanceResult)]),
    "graze_clearance_release": (None, [_context, POINTER(ClearanceResult)]),
    "graze_init_swept_options": (None, [POINTER(SweptOptions), c_size_t]),
    "graze_init_swept_result": (None, [POINTER(SweptResult), c_size_t]),
    "graze_model_swept": (c_int, [_context, c_void_p, c_uint32, c_void_p, c_size_t, POINTER(SweptOptions),
                                  POINTER(SweptResult)]),
    "graze_swept_release": (None, [_context, POINTER(SweptResult)]),
    "graze_init_world_distance_options": (None, [POINTER(WorldDistanceOptions), c_size_t]),
    "graze_init_world_distance_result": (None, [POINTER(WorldDistanceResult), c_size_t]),
    "graze_world_distance": (c_int, [_context, c_void_p, c_void_p, c_size_t, POINTER(WorldDistanceOptions),
                                     POINTER(WorldDistanceResult)]),
    "graze_world_toi_gradient": (c_int, [_context, c_void_p, c_void_p, c_size_t, POINTER(ArticulatedOptions),
                                         POINTER(LinkContact), c_void_p, c_void_p]),
    "graze_world_distance_release": (None, [_context, POINTER(WorldDistanceResult)]),
}


def _open():
    """Opens the library that GRAZE_LIBRARY names, else the one inside the package, else that of an editable installation, else
    that of the system."""
    named = os.environ.get("GRAZE_LIBRARY")
    folders = pathlib.Path(__file__).parent, *(pathlib.Path(folder, "graze_ccd_libraries") for folder in sys.path)
    found = [str(folder / "libgraze.so") for folder in folders if (folder / "libgraze.so").exists()]
    path = named or (found[0] if found else f"libgraze.so.{ABI}")
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"graze: no library: {error}; GRAZE_LIBRARY may name one") from None


def _load():
    try:
        import numpy  # noqa: F401
    except ImportError:
        raise ImportError("graze: NumPy is not here: pip install numpy, or Debian's python3-numpy") from None
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


def elements(struct, address, count, stride=None):
    """Elements of an array of C; without a stride it is the struct_size of the first."""
    if count and stride is None:
        stride = struct.from_address(address).struct_size
    return [struct.from_address(address + i * stride) for i in range(count)]


def default(struct, init):
    """A struct with its size and its defaults set, by its graze_init_…"""
    value = struct()
    init(ctypes.byref(value), ctypes.sizeof(value))
    return value
