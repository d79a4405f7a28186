"""Files as the program reads them: meshes (PLY, OBJ, STL, OFF, MSH), query CSV, folders of frames."""

from __future__ import annotations  # help() shows types by their names

import ctypes
import os
import pathlib
from dataclasses import dataclass
from typing import Callable, List, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike

from . import _native, _text
from ._arrays import doubles, indices, rows, with_shape
from ._context import Error
from ._native import native
from .mesh import Mesh

Path = Union[str, os.PathLike]


@dataclass(frozen=True, eq=False)
class MeshFile:
    """Contents of a mesh file: positions (n, 3), triangles (m, 3), lines (k, 2), and `fanned`, the number of larger faces
    that were cut into triangles."""

    positions: np.ndarray
    faces: np.ndarray
    edges: np.ndarray
    fanned: int = 0

    def __repr__(self):
        return _text.line("MeshFile", f"{len(self.positions)} vertices", f"{len(self.faces)} faces",
                          f"{len(self.edges)} edges" if len(self.edges) else "",
                          f"{self.fanned} larger faces cut" if self.fanned else "")

    def mesh(self, *, groups: Optional[ArrayLike] = None, skip_same_group: bool = False,
             group_pairs: Optional[ArrayLike] = None, thickness: Optional[ArrayLike] = None,
             filter: Optional[Callable[[str, int, int], bool]] = None) -> Mesh:
        """Makes its topology, as the program does. If the file has lines, vertices without a face or line are points;
        otherwise they are tested only against faces."""
        edges = self.edges[self.edges[:, 0] != self.edges[:, 1]]
        return Mesh.from_parts(len(self.positions), self.faces, edges, points=None if len(edges) else [],
                               groups=groups, skip_same_group=skip_same_group, group_pairs=group_pairs,
                               thickness=thickness, filter=filter)


@dataclass(frozen=True, eq=False)
class QueryFile:
    """Queries of a CSV file: x0 and x1 (n, 4, 3); `truth`, booleans or None; and `kind`, which comes from the path, or
    None."""

    x0: np.ndarray
    x1: np.ndarray
    truth: Optional[np.ndarray]
    kind: Optional[str]

    def __repr__(self):
        return _text.line("QueryFile", f"{len(self.x0)} queries", f"kind {self.kind}" if self.kind else "",
                          "" if self.truth is None else f"{int(self.truth.sum())} hits by its truth")


def _library():
    if native is None:
        raise Error(f"files are read by {_native.NAME}, which is neither in the package nor beside the library",
                    "unsupported")
    return native


def _check(good, error):
    if not good:
        raise Error(error.message.decode(errors="replace"), "bad file")


def _source(path):
    data = pathlib.Path(path).read_bytes()
    return _native.Source(os.fsencode(path), data, len(data))


def _copied(pointer, dtype, shape):
    made = np.empty(shape, dtype=dtype)
    if made.size:
        ctypes.memmove(made.ctypes.data, pointer, made.nbytes)
    return made


def _mesh_file(read):
    return MeshFile(_copied(read.positions, np.float64, (read.vertex_count, 3)),
                    _copied(read.faces, np.uint32, (read.face_count, 3)),
                    _copied(read.edges, np.uint32, (read.edge_count, 2)), read.fanned)


def read_mesh(path: Path) -> MeshFile:
    """Reads a mesh; coordinates keep every bit of the file. A bad file raises graze.Error with its name and line."""
    library, read, error = _library(), _native.Mesh(), _native.Error()
    _check(library.gzpy_parse_mesh(_source(path), read, error), error)
    try:
        return _mesh_file(read)
    finally:
        library.gzpy_free_mesh(read)


def read_mesh_pair(path_a: Path, path_b: Path) -> Tuple[MeshFile, MeshFile]:
    """Reads two frames of one mesh, which must have the same faces and edges. Vertices of an STL are joined where they are
    equal in both."""
    library, a, b, error = _library(), _native.Mesh(), _native.Mesh(), _native.Error()
    _check(library.gzpy_parse_mesh_pair(_source(path_a), _source(path_b), a, b, error), error)
    try:
        return _mesh_file(a), _mesh_file(b)
    finally:
        library.gzpy_free_mesh(a)
        library.gzpy_free_mesh(b)


def write_mesh(path: Path, positions: ArrayLike, faces: ArrayLike = (), edges: ArrayLike = ()) -> None:
    """Writes a binary PLY with double coordinates, which are read back to the same bits.

    >>> import graze, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     graze.write_mesh(folder + "/a.ply", [[0, 0, 0], [0.1, 0, 0], [0, 1, 0]], faces=[[0, 1, 2]])
    ...     read = graze.read_mesh(folder + "/a.ply")
    >>> read.positions[1, 0], read.faces.tolist(), read.mesh().edges.tolist()
    (0.1, [[0, 1, 2]], [[0, 1], [0, 2], [1, 2]])
    """
    x, faces, edges = rows("positions", positions, (None, 3)), indices("faces", faces, (None, 3)), \
        indices("edges", edges, (None, 2))
    if max(faces.max(initial=0), edges.max(initial=0)) >= max(len(x), 1):
        raise ValueError(f"a face or edge names a vertex beyond the {len(x)} there are")
    library, size = _library(), ctypes.c_size_t()
    printed = library.gzpy_print_ply(x.ctypes.data, len(x), faces.ctypes.data, len(faces), edges.ctypes.data,
                                     len(edges), ctypes.byref(size))
    if not printed:
        raise MemoryError
    try:
        pathlib.Path(path).write_bytes(ctypes.string_at(printed, size.value))
    finally:
        library.gzpy_free(printed)


def read_frames(folder: Path) -> List[tuple]:
    """Lists the frames of a moving mesh in a folder, or in its frames/: (step, path), in the order of the steps."""
    library, listed, error = _library(), _native.Frames(), _native.Error()
    _check(library.gzpy_list_frames(os.fsencode(folder), listed, error), error)
    try:
        return [(listed.frames[i].step, os.fsdecode(listed.frames[i].path)) for i in range(listed.count)]
    finally:
        library.gzpy_free_frames(listed)


def read_queries(path: Path) -> QueryFile:
    """Reads queries in the format of the public datasets: 8 rows a query, each coordinate a numerator and a denominator."""
    library, read, error = _library(), _native.Queries(), _native.Error()
    _check(library.gzpy_parse_queries(_source(path), read, error), error)
    try:
        x = _copied(read.queries, np.float64, (read.count, 2, 4, 3))
        truth = _copied(read.truth, np.uint8, (read.count,)).astype(bool) if read.truth else None
    finally:
        library.gzpy_free_queries(read)
    return QueryFile(x[:, 0], x[:, 1], truth, {0: "vf", 1: "ee"}.get(library.gzpy_query_kind_of(os.fsencode(path))))


def write_queries(path: Path, x0: ArrayLike, x1: ArrayLike, truth: Optional[ArrayLike] = None) -> None:
    """Writes queries, (n, 4, 3) each, in the same format, with the truth column where it is given.

    >>> import graze, numpy as np, tempfile
    >>> x = np.random.default_rng(1).uniform(-1, 1, (2, 5, 4, 3))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     graze.write_queries(folder + "/some-ee.csv", x[0], x[1], truth=[True] * 5)
    ...     read = graze.read_queries(folder + "/some-ee.csv")
    >>> read.kind, (read.x0 == x[0]).all(), (read.x1 == x[1]).all(), int(read.truth.sum())
    ('ee', True, True, 5)
    """
    x0, x1 = (with_shape(name, doubles(name, x), (None, 4, 3)) for name, x in (("x0", x0), ("x1", x1)))
    if x0.shape != x1.shape or (truth is not None and len(truth) != len(x0)):
        raise ValueError("x0, x1 and truth have different lengths")
    if not (np.isfinite(x0).all() and np.isfinite(x1).all()):
        raise ValueError("a coordinate is not finite, so it has no numerator and denominator")
    ends = [""] * len(x0) if truth is None else [f",{int(bool(hit))}" for hit in truth]
    with open(path, "w", encoding="ascii") as file:
        for query, end in zip(np.concatenate([x0, x1], axis=1).tolist(), ends):
            for row in query:
                file.write(",".join(str(part) for value in row for part in value.as_integer_ratio()) + end + "\n")
