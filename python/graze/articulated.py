"""Articulated and rigid models: links of triangles on joints that turn and slide between two poses."""

import ctypes
import functools
from dataclasses import dataclass, field, replace
from typing import Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _c, _text
from ._arrays import doubles, indices, output, rows, with_shape
from ._c import library
from ._context import Context, Error, context, kind_name, kind_number, reason_name, verdict_name, whole_number
from ._owner import Owner
from .files import Path
from .robot import Robot, load as load_robot

JOINTS = ("fixed", "revolute", "prismatic", "spherical", "planar", "free")
MODES = ("earliest", "any", "all")
VERDICTS = ("unresolved", "clear", "hit")
ARTICULATED_RESULT = np.dtype(_c.ArticulatedResult)
MOTION = np.dtype(_c.Motion)
Side = Union[int, Tuple[int, Union[int, str]]]  # a model, or a link of one by number or name
Skip = Sequence[Tuple[Side, Side]]


def _vector(name, values, length):
    """As C takes a few numbers: ctypes would fill up what is missing with zeros."""
    return (ctypes.c_double * length)(*rows(name, values, (length,)))


@dataclass(frozen=True)
class Frame:
    """A position, and a rotation as a quaternion w, x, y, z of any length but 0."""

    position: Sequence[float] = (0.0, 0.0, 0.0)
    rotation: Sequence[float] = (1.0, 0.0, 0.0, 0.0)

    @classmethod
    def of_angles(cls, position, angles) -> "Frame":
        """Makes a frame from roll, pitch and yaw about fixed x, y and z, as in URDF; same bits on every machine.

        >>> import graze
        >>> graze.Frame.of_angles([1, 0, 0], [0, 0, 0])
        Frame(position=(1.0, 0.0, 0.0), rotation=(1.0, 0.0, 0.0, 0.0))
        """
        made = library.graze_frame_of_angles(_vector("position", position, 3), _vector("angles", angles, 3))
        return cls(tuple(made.position), tuple(made.rotation))

    def _struct(self):
        return _c.Frame(_vector("position", self.position, 3), _vector("rotation", self.rotation, 4))


@dataclass(frozen=True, eq=False)
class LinkMesh:
    """Triangles of a link: vertices (n, 3), faces (m, 3), their place in the link's frame, and a scale, which is applied
    first. `radius` grows them, in addition to the link's padding."""

    vertices: np.ndarray
    faces: np.ndarray
    origin: Frame = Frame()
    scale: Sequence[float] = (1.0, 1.0, 1.0)
    radius: float = 0.0


@dataclass(frozen=True, eq=False)
class Link:
    """A link and the joint that carries it: `parent` is the number or name of a link before it, or None for the world.
    Joints: "fixed", "revolute", "prismatic", "spherical", "planar", "free"; `axis` is for the second and third."""

    meshes: Sequence[LinkMesh] = ()
    parent: Union[None, int, str] = None
    joint: str = "fixed"
    origin: Frame = Frame()
    axis: Sequence[float] = (0.0, 0.0, 1.0)
    padding: float = 0.0
    name: str = ""


class _Structs:
    """Links as C has them, and the arrays that they point to."""

    def __init__(self, links, names):
        self.kept = []
        self.links = (_c.Link * max(len(links), 1))(*(self.link(link, names) for link in links))

    def link(self, link, names):
        if link.joint not in JOINTS:
            raise ValueError(f"there is no joint {link.joint!r}")
        meshes = (_c.LinkMesh * max(len(link.meshes), 1))(*map(self.mesh, link.meshes))
        self.kept.append(meshes)
        return _c.Link(ctypes.sizeof(_c.Link), -1 if link.parent is None else _number_of(names, link.parent),
                       JOINTS.index(link.joint), link.origin._struct(), _vector("axis", link.axis, 3), meshes,
                       len(link.meshes), link.padding)

    def mesh(self, mesh):
        vertices, faces = rows("vertices", mesh.vertices, (None, 3)), indices("faces", mesh.faces, (None, 3))
        self.kept += [vertices, faces]
        return _c.LinkMesh(ctypes.sizeof(_c.LinkMesh), len(vertices), len(faces), vertices.ctypes.data,
                           faces.ctypes.data, mesh.origin._struct(), _vector("scale", mesh.scale, 3), mesh.radius)


def _number_of(names, link):
    if isinstance(link, str):
        if names.count(link) != 1 or not link:
            raise ValueError(f"there is no link {link!r}, or more than one")
        return names.index(link)
    return whole_number("link", link, 2**31)


class Model(Owner):
    """A tree of links, which it copies. Several threads may use it while none changes it; it can be pickled.

    >>> import graze
    >>> square = [[0, -.1, -.1], [1, -.1, .1], [1, .1, 0]], [[0, 1, 2]]
    >>> arm = graze.Model([graze.Link([graze.LinkMesh(*square)], joint="revolute", name="arm")])
    >>> len(arm), arm.values
    (1, 1)
    """

    #: of a model from a file: joints by name, limits, pairs to skip
    robot: Optional[Robot] = None

    def __init__(self, links: Sequence[Link]):
        self._all = list(links)  # and, where a link could not be attached, one more
        self._context, self._handle = Context(), ctypes.c_void_p()
        self.release_by(functools.partial(library.graze_model_destroy, self._context.handle, self._handle))
        structs = _Structs(self._all, [link.name for link in self._all])
        self._context.call(library.graze_model_create, structs.links, len(self._all), ctypes.byref(self._handle))

    @classmethod
    def obstacle(cls, vertices, faces, origin: Frame = Frame(), padding: float = 0.0) -> "Model":
        """A static obstacle: one link on a fixed joint."""
        return cls([Link([LinkMesh(vertices, faces)], origin=origin, padding=padding)])

    @classmethod
    def rigid(cls, vertices, faces, padding: float = 0.0) -> "Model":
        """A rigid body: one link on a free joint, with a translation and a rotation vector as its values."""
        return cls([Link([LinkMesh(vertices, faces)], joint="free", padding=padding)])

    @classmethod
    def from_urdf(cls, path: Path, srdf: Optional[Path] = None,
                  packages: Optional[Mapping[str, Path]] = None) -> "Model":
        """Reads a robot from a URDF file. `srdf` names a file of link pairs to skip, `packages` = {name: folder} says where
        package:// leads. `robot` has the other data of the files: `model.robot.pose({"joint": 1.5})` makes a pose. A
        ValueError names file, line and reason."""
        return _from_file(*load_robot(path, srdf, packages, _link_of))

    def __reduce__(self):
        return _from_file, (self._links, self.robot)

    def __len__(self):
        return library.graze_model_links(self._handle)

    def __repr__(self):
        return _text.line("Model", self.robot.name if self.robot else "", f"{len(self)} links", f"{self.values} values")

    @property
    def _links(self):
        """A signal may raise when the library has attached or detached a link: how many there are, it says."""
        return self._all[:len(self)]

    def _names(self):
        return [link.name for link in self._links]

    @property
    def values(self) -> int:
        """Number of joint values in a pose."""
        return library.graze_model_values(self._handle)

    def attach(self, link: Link) -> None:
        """Adds a link after all others, for example an object that a hand holds."""
        structs = _Structs([link], self._names())
        self._all = [*self._links, link]
        self._context.call(library.graze_model_attach, self._handle, structs.links)

    def detach(self) -> None:
        """Removes the last link."""
        self._context.call(library.graze_model_detach, self._handle)

    def place(self, link, origin: Frame) -> None:
        """Moves the origin of a link's joint. For an obstacle's only link this moves the obstacle."""
        self._change(link, library.graze_model_place, origin._struct(), origin=origin)

    def pad(self, link, padding: float) -> None:
        """Changes the padding of a link."""
        self._change(link, library.graze_model_pad, padding, padding=padding)

    def _change(self, link, function, argument, **changed):
        number = _number_of(self._names(), link)
        after = replace(self._links[number], **changed) if number < len(self) else None
        try:
            self._context.call(function, self._handle, number, argument)
        except Error:
            raise
        except BaseException:  # of a signal, before or after the change: now it is made
            function(self._context.handle, self._handle, number, argument)
            self._all[number] = after
            raise
        self._all[number] = after


def _from_file(links, facts):
    model = Model(links)
    model.robot = facts
    return model


def _mesh_of(mesh):
    vertices = np.ctypeslib.as_array(ctypes.cast(mesh.vertices, ctypes.POINTER(ctypes.c_double)), (mesh.vertex_count, 3))
    faces = np.ctypeslib.as_array(ctypes.cast(mesh.faces, ctypes.POINTER(ctypes.c_uint32)), (mesh.face_count, 3))
    return LinkMesh(vertices.copy(), faces.copy(), _frame_of(mesh.origin), tuple(mesh.scale), mesh.radius)


def _frame_of(frame):
    return Frame(tuple(frame.position), tuple(frame.rotation))


def _link_of(link, name):
    """A Link from a struct of C."""
    meshes = _c.elements(_c.LinkMesh, ctypes.addressof(link.meshes.contents), link.mesh_count) if link.mesh_count else []
    return Link([_mesh_of(mesh) for mesh in meshes], None if link.parent < 0 else link.parent,
                JOINTS[link.joint], _frame_of(link.origin), tuple(link.axis), link.padding, name)


@dataclass(frozen=True, eq=False)
class Motion:
    """Motion of a model: values of all joints at both ends, in the order of the links; None: zeros.

    turns     (links, 3): rotation vectors by which spherical and free joints turn; NaN: the shorter way
    cubic     (values, 4): Bézier values in place of start and end
    screws    (links,): True where a planar or free joint moves by a screw
    rotvecs   (links,): True where the rotation vector of a spherical or free joint moves straight"""

    start: Optional[np.ndarray] = None
    end: Optional[np.ndarray] = None
    turns: Optional[np.ndarray] = None
    cubic: Optional[np.ndarray] = None
    screws: Optional[np.ndarray] = None
    rotvecs: Optional[np.ndarray] = None


def _models(models):
    for model in models:
        if not isinstance(model, Model):
            raise TypeError(f"models must be of graze.Model, not {type(model).__name__}")
    return (ctypes.c_void_p * max(len(models), 1))(*(model._handle for model in models))


def _flags(model, motion, name, kept):
    """The address of a byte for each link, or 0."""
    flags = getattr(motion, name)
    if flags is None:
        return 0
    flags = np.ascontiguousarray(with_shape(name, np.asarray(flags, dtype=bool), (len(model),)))
    kept.append(flags)
    return flags.ctypes.data


def _motion_row(model, motion, kept):
    """A graze_motion: its size and addresses."""
    if motion is None:
        motion = Motion()
    elif not isinstance(motion, Motion):
        motion = Motion(*motion)
    row = [MOTION.itemsize]
    for name, shape in (("start", (model.values,)), ("end", (model.values,)), ("turns", (len(model), 3)),
                        ("cubic", (model.values, 4))):
        array = getattr(motion, name)
        if array is not None:
            array = rows(name, array, shape)
            kept.append(array)
        row.append(0 if array is None else array.ctypes.data)
    screws, rotvecs = (_flags(model, motion, name, kept) for name in ("screws", "rotvecs"))
    return (*row, screws, 0, 0, 0, rotvecs)


def _motions(models, motions, kept):
    if len(models) != len(motions):
        raise ValueError(f"there are {len(models)} models and {len(motions)} motions")
    return np.array([_motion_row(model, motion, kept) for model, motion in zip(models, motions)], dtype=MOTION)


def _mask(models, skip):
    """Links by links, 0 where a pair is not tested; None without such pairs."""
    skip = [*skip, *(((i, a), (i, b)) for i, model in enumerate(models) if model.robot for a, b in model.robot.skips)]
    if not skip:
        return None
    first = np.concatenate([[0], np.cumsum([len(model) for model in models])])

    def slice_of(side):
        model, link = side if isinstance(side, tuple) else (side, None)
        if not 0 <= model < len(models):
            raise ValueError(f"skip names model {model} of {len(models)}")
        if link is None:
            return slice(first[model], first[model + 1])
        number = _number_of(models[model]._names(), link)
        if number >= len(models[model]):
            raise ValueError(f"skip names link {number} of {len(models[model])}")
        return slice(first[model] + number, first[model] + number + 1)
    mask = np.ones((first[-1], first[-1]), dtype=np.uint8)
    for a, b in skip:
        mask[slice_of(a), slice_of(b)] = mask[slice_of(b), slice_of(a)] = 0
    return mask


def _options(models, kept, mode="earliest", separation=0.0, t_max=1.0, tolerance=0.0, max_checks=0, skip=(),
             inside=False, interval_arithmetic=False):
    if mode not in MODES:
        raise ValueError(f"there is no mode {mode!r}")
    options = _c.default(_c.ArticulatedOptions, library.graze_init_articulated_options)
    options.mode, options.min_separation = MODES.index(mode), separation
    options.t_max, options.tolerance, options.check_inside = t_max, tolerance, bool(inside)
    options.interval_arithmetic = bool(interval_arithmetic)
    options.max_checks = whole_number("max_checks", max_checks, 2**64)
    mask = _mask(models, skip)
    if mask is not None:
        kept.append(mask)
        options.link_pairs = mask.ctypes.data
    return options


@dataclass(frozen=True, eq=False)
class LinkContact:
    """Two links that touch: `links` as ((model, link), (model, link)). The first link has primitive a of the `pair`
    (kind, a, b), the second has b. `inside`: one link is inside the other, and there is no pair."""

    verdict: str
    reason: str
    proven: bool
    toi: float
    toi_upper: float
    links: tuple
    pair: Optional[tuple]
    point: Optional[np.ndarray]
    normal: Optional[np.ndarray]
    inside: bool = False

    def __repr__(self):
        return _text.line("LinkContact", _text.bracket(self.verdict, self.reason, self.toi, self.toi_upper),
                          "links {} and {}".format(*self.links), "inside" if self.inside else "",
                          "" if self.pair is None else "{} {} {}".format(*self.pair),
                          "" if self.point is None else f"point {_text.triple(self.point)}")

    @classmethod
    def of(cls, made: _c.LinkContact) -> "LinkContact":
        """From the struct."""
        pair = (kind_name(made.pair.kind), made.pair.a, made.pair.b) if made.has_pair else None
        return cls(verdict_name(made.verdict), reason_name(made.reason), bool(made.proven), made.toi, made.toi_upper,
                   ((made.model_a, made.link_a), (made.model_b, made.link_b)), pair,
                   np.array(made.point) if made.has_pair else None, np.array(made.normal) if made.has_pair else None,
                   bool(made.inside))

    def _struct(self):
        made = _c.LinkContact(verdict=VERDICTS.index(self.verdict), proven=self.proven, toi=self.toi, toi_upper=self.toi_upper,
                              inside=self.inside)
        (made.model_a, made.link_a), (made.model_b, made.link_b) = self.links
        if self.pair is not None:
            made.has_pair, made.pair.kind, made.pair.a, made.pair.b = 1, kind_number(self.pair[0]), *self.pair[1:]
            made.point[:], made.normal[:] = self.point, self.normal
        return made


@dataclass(frozen=True, eq=False)
class ArticulatedResult:
    """Result of a motion. Nothing touches before `toi`, and `contact` limits it. Mode "all" fills `contacts`."""

    verdict: str
    reason: str
    toi: float
    toi_upper: float
    contact: Optional[LinkContact]
    contacts: Optional[list]
    checks: int
    pairs: dict = field(default_factory=dict)

    def __repr__(self):
        return _text.line("ArticulatedResult", _text.bracket(self.verdict, self.reason, self.toi, self.toi_upper),
                          "links {} and {}".format(*self.contact.links) if self.contact else "",
                          "" if self.contacts is None else f"{len(self.contacts)} contacts", f"{self.checks} checks")

    @classmethod
    def of(cls, made, contacts=None):
        """From the struct, or from an element of what `articulated_batch` returns."""
        if not isinstance(made, _c.ArticulatedResult):
            made = _c.ArticulatedResult.from_buffer_copy(made.tobytes())
        return cls(verdict_name(made.verdict), reason_name(made.reason), made.toi, made.toi_upper,
                   LinkContact.of(made.contact) if made.has_contact else None, contacts, made.checks,
                   {"tested": made.pairs_tested, "near": made.pairs_near, "close": made.pairs_close})


def articulated_step(models: Sequence[Model], motions: Sequence, *, mode: str = "earliest", separation: float = 0.0,
                     t_max: float = 1.0, tolerance: float = 0.0, max_checks: int = 0, skip: Skip = (), inside: bool = False,
                     interval_arithmetic: bool = False) -> ArticulatedResult:
    """Finds the first contact between and within models. Each has a motion: a `Motion`, a pair (start, end), or None,
    which stands at zeros. Modes: "earliest", "any" (the verdict alone), "all".

    `separation`, `t_max`, `tolerance` and `max_checks` as in `ccd_batch`, with defaults of their own.

    skip                  pairs of (model, link) or of whole models that are not tested, by number or by link name
    inside                True: a link that starts inside a closed mesh is a contact
    interval_arithmetic   True: boxes of order 0, for comparison; answers stay the same

    >>> import graze
    >>> plate = [[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]]
    >>> models = [graze.Model.rigid(*plate), graze.Model.obstacle(*plate)]
    >>> found = graze.articulated_step(models, [([0, 0, 1, 0, 0, 0], [0, 0, -1, 0.1, 0, 0]), None])
    >>> found.verdict, 0.4 < found.toi < 0.5, found.contact.links
    ('hit', True, ((0, 0), (1, 0)))
    """
    kept, here, handles = [], context(), _models(models)
    moved = _motions(models, motions, kept)
    asked = _options(models, kept, mode, separation, t_max, tolerance, max_checks, skip, inside,
                     interval_arithmetic)
    made = _c.default(_c.ArticulatedResult, library.graze_init_articulated_result)
    try:
        here.call(library.graze_articulated_step, handles, len(models), moved.ctypes.data, asked, made)
        listed = _c.elements(_c.LinkContact, made.contacts, made.contact_count, made.contact_size)
        return ArticulatedResult.of(made, [LinkContact.of(one) for one in listed] if mode == "all" else None)
    finally:
        library.graze_articulated_release(here.handle, made)


def _paths_of(name, model, values, paths):
    """(paths, values) in C order, or None for zeros on every path; one row stands for all paths."""
    if values is None:
        return None
    array = doubles(name, values)
    if array.ndim == 1:
        array = np.broadcast_to(with_shape(name, array, (model.values,)), (paths, model.values))
    return np.ascontiguousarray(with_shape(name, array, (paths, model.values)))


def articulated_batch(models: Sequence[Model], starts: Sequence, ends: Sequence, *, mode: str = "earliest",
                      separation: float = 0.0,
                      t_max: float = 1.0, tolerance: float = 0.0, max_checks: int = 0, skip: Skip = (), inside: bool = False,
                      interval_arithmetic: bool = False, out: Optional[np.ndarray] = None) -> np.ndarray:
    """Answers many motions of the same models on all threads, for example a planner's edges.

    `starts` and `ends` have an entry for each model: an array (paths, values), one row of values for all paths, or None
    for zeros. Returns a structured array with the fields of graze_articulated_result; `ArticulatedResult.of` reads an
    element. Modes "earliest" and "any"; options as in `articulated_step`.

    >>> import graze, numpy as np
    >>> plate = [[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]]
    >>> models = [graze.Model.rigid(*plate), graze.Model.obstacle(*plate)]
    >>> ends = np.array([[0, 0, -1, 0.1, 0, 0], [0, 0, 2, 0, 0, 0]])
    >>> found = graze.articulated_batch(models, [[0, 0, 1, 0, 0, 0], None], [ends, None])
    >>> (found["verdict"] == graze.HIT).tolist()
    [True, False]
    """
    if not len(models) == len(starts) == len(ends):
        raise ValueError(f"there are {len(models)} models, {len(starts)} starts and {len(ends)} ends")
    lengths = {len(array) for array in (*starts, *ends) if array is not None and np.ndim(array) == 2}
    if len(lengths) != 1:
        raise ValueError("starts and ends have different numbers of paths" if lengths
                         else "no array says how many paths")
    paths, kept, handles = lengths.pop(), [], _models(models)
    motions = np.zeros((paths, max(len(models), 1)), dtype=MOTION)
    motions["struct_size"] = MOTION.itemsize
    for i, model in enumerate(models):
        for name, c_name, values in (("starts", "from", starts[i]), ("ends", "to", ends[i])):
            array = _paths_of(name, model, values, paths)
            if array is not None:
                kept.append(array)
                motions[c_name][:, i] = array.ctypes.data + array.strides[0] * np.arange(paths, dtype=np.uint64)
    asked = _options(models, kept, mode, separation, t_max, tolerance, max_checks, skip, inside,
                     interval_arithmetic)
    results = output("out", out, ARTICULATED_RESULT, (paths,))
    if paths:
        results["struct_size"][0] = ARTICULATED_RESULT.itemsize
    context().call(library.graze_articulated_batch, handles, len(models), motions.ctypes.data, paths, asked,
                   results.ctypes.data)
    return results


@dataclass(frozen=True, eq=False)
class LinkDistance:
    """The closest two links of a pose. The exact distance lies in [lower, upper]; it is infinite if no pair is tested."""

    lower: float
    upper: float
    links: tuple
    points: tuple

    def __repr__(self):
        return _text.line("LinkDistance", f"in [{self.lower:.9g}, {self.upper:.9g}]", "links {} and {}".format(*self.links))


def articulated_distance(models: Sequence[Model], poses: Sequence, *, separation: float = 0.0,
                         skip: Skip = ()) -> LinkDistance:
    """Distance between and within models at one pose, values or None for each, minus paddings and separation.

    >>> import graze
    >>> plate = [[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]]
    >>> models = [graze.Model.rigid(*plate), graze.Model.obstacle(*plate)]
    >>> found = graze.articulated_distance(models, [[0, 0, 2, 0, 0, 0], None])
    >>> found.lower <= 2 <= found.upper, found.links
    (True, ((0, 0), (1, 0)))
    """
    kept, handles = [], _models(models)
    motions = _motions(models, [None if pose is None else (pose, pose) for pose in poses], kept)
    made = _c.default(_c.LinkDistance, library.graze_init_link_distance)
    context().call(library.graze_articulated_distance, handles, len(models), motions.ctypes.data,
                   _options(models, kept, separation=separation, skip=skip), made)
    return LinkDistance(made.lower, made.upper, ((made.model_a, made.link_a), (made.model_b, made.link_b)),
                        (np.array(made.point_a), np.array(made.point_b)))
