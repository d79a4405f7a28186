"""libgraze_python.so, which lies in the package or beside the library: Ctrl-C, and files as the program reads them."""

import ctypes
import pathlib
from ctypes import POINTER, Structure, c_char, c_char_p, c_double, c_int, c_size_t, c_uint64, c_void_p

from ._c import library

NAME = "libgraze_python.so"


class Source(Structure):
    c_name = "io_source"
    _fields_ = [("name", c_char_p), ("bytes", c_char_p), ("size", c_size_t)]


class Mesh(Structure):
    c_name = "io_mesh"
    _fields_ = [
        ("positions", c_void_p),
        ("faces", c_void_p),
        ("edges", c_void_p),
        ("vertex_count", c_size_t),
        ("face_count", c_size_t),
        ("edge_count", c_size_t),
        ("fanned", c_size_t),
        ("largest", c_double),
        ("largest_line", c_size_t),
        ("largest_byte", c_size_t),
        ("up", c_char),
    ]


class Queries(Structure):
    c_name = "io_queries"
    _fields_ = [("queries", c_void_p), ("count", c_size_t), ("truth", c_void_p)]


class Frame(Structure):
    c_name = "io_frame"
    _fields_ = [("path", c_char_p), ("step", c_uint64)]


class Frames(Structure):
    c_name = "io_frames"
    _fields_ = [("frames", POINTER(Frame)), ("count", c_size_t)]


class Error(Structure):
    c_name = "io_error"
    _fields_ = [("message", c_char * 600)]


STRUCTS = [Source, Mesh, Queries, Frame, Frames, Error]

FUNCTIONS = {
    "gzpy_watch": (None, []),
    "gzpy_unwatch": (c_int, []),
    "gzpy_interrupted": (c_int, [c_void_p]),
    "gzpy_parse_mesh": (c_int, [POINTER(Source), POINTER(Mesh), POINTER(Error)]),
    "gzpy_parse_mesh_pair": (c_int, [POINTER(Source), POINTER(Source), POINTER(Mesh), POINTER(Mesh), POINTER(Error)]),
    "gzpy_free_mesh": (None, [POINTER(Mesh)]),
    "gzpy_parse_queries": (c_int, [POINTER(Source), POINTER(Queries), POINTER(Error)]),
    "gzpy_free_queries": (None, [POINTER(Queries)]),
    "gzpy_query_kind_of": (c_int, [c_char_p]),
    "gzpy_list_frames": (c_int, [c_char_p, POINTER(Frames), POINTER(Error)]),
    "gzpy_free_frames": (None, [POINTER(Frames)]),
    "gzpy_print_ply": (c_void_p, [c_void_p, c_size_t, c_void_p, c_size_t, c_void_p, c_size_t, POINTER(c_size_t)]),
    "gzpy_free": (None, [c_void_p]),
}


def _open():
    """None where it is not: then files cannot be read, and Ctrl-C takes effect when a call ends."""
    for folder in (pathlib.Path(__file__).parent, pathlib.Path(library._name).parent):
        if (folder / NAME).exists():
            opened = ctypes.CDLL(str(folder / NAME))
            for name, (returns, takes) in FUNCTIONS.items():
                function = getattr(opened, name)
                function.restype, function.argtypes = returns, takes
            return opened
    return None


native = _open()
