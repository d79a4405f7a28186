"""Worlds: bodies that are prepared once, then tested for many motions by many threads."""

import ctypes
import functools
import math
import threading
from dataclasses import dataclass
from typing import Callable, Iterable, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from . import _c, _text
from ._arrays import output
from ._c import library
from ._callbacks import Callbacks
from ._context import Context, context, whole_number
from ._owner import Owner
from .articulated import (ARTICULATED_RESULT, MOTION, ArticulatedResult, Frame, Link, LinkContact, LinkMesh, Model, Motion,
                          Side, Skip, _motion_row, _number_of, _options, _paths_of, _Structs)
from .bodies import BODY_MOTION, KINDS, Body, Poses, _BodySize, body_motions, moved_motions
from .clearances import Clearance, asked_clearance
from .plans import PlanResult, Spline, _paths
from .world_distance import Gradient, WorldDistance, by_body, distance_of

EVERY_LINK = 2**32 - 1
RULES = ("skip", "test", "apart")
CHANGES = ("place", "pad", "attach", "detach", "rule")
LinkName = Union[int, str]
Apart = Sequence[Tuple[Side, Side, float]]
WorldFilter = Callable[[Tuple[int, int], Tuple[int, int]], Union[bool, float]]
Moves = Mapping[int, Union[None, Motion, Poses, Tuple]]


@dataclass(frozen=True, eq=False)
class Static:
    """A body that never moves: triangles, their place, and a padding."""

    meshes: Sequence[LinkMesh]
    origin: Frame = Frame()
    padding: float = 0.0


class _Filter:
    """A function that versions of one world are made with, and the struct that the library keeps of it."""

    def __init__(self, function):
        self.function, self.asked, self.lock = function, _c.AskedWorldFilter(), threading.Lock()

    def call(self, here, *arguments):
        with self.lock:
            callbacks = Callbacks()
            callbacks.world_filter(self.function, self.asked)
            here.call(*arguments, callbacks=callbacks)


class _Named:
    """What names bodies and links."""

    def _body(self, body):
        if not isinstance(body, (int, np.integer)) or not 0 <= body < len(self._names):
            raise ValueError(f"there is no body {body!r}: the world has {len(self._names)}")
        return int(body)

    def _link(self, body, link):
        number = _number_of(self._names[self._body(body)], link)
        if number >= len(self._names[body]):
            raise ValueError(f"body {body} has no link {number}")
        return number

    def _side(self, side):
        body, link = side if isinstance(side, tuple) else (side, None)
        return self._body(body), EVERY_LINK if link is None else self._link(body, link)

    def _pair(self, rule, one, other, separation=0.0):
        return _c.WorldPair(ctypes.sizeof(_c.WorldPair), *self._side(one), *self._side(other), RULES.index(rule),
                            separation)


def _describe(named, bodies, kept):
    """Structs of bodies; what their names, kinds and vertices are is kept in `named`."""
    named._names = [body._names() if isinstance(body, Model) else [""] for body in bodies]
    named._kinds = [KINDS[0] if isinstance(body, Model) else body.kind if isinstance(body, Body) else KINDS[1]
                    for body in bodies]
    named._vertices = [body.mesh.vertex_count if isinstance(body, Body) else 0 for body in bodies]
    return (_c.Body * max(len(bodies), 1))(*(_body_struct(i, body, kept) for i, body in enumerate(bodies)))


def _rules(named, bodies, skip, apart, kept):
    """The options of a world."""
    robots = [((i, a), (i, b)) for i, body in enumerate(bodies) if isinstance(body, Model) and body.robot
              for a, b in body.robot.skips]
    rules = [*(("skip", *two) for two in [*robots, *skip]), *(("apart", *three) for three in apart)]
    pairs = (_c.WorldPair * max(len(rules), 1))(*(named._pair(*rule) for rule in rules))
    kept.append(pairs)
    options = _c.default(_c.WorldOptions, library.graze_init_world_options)
    options.pairs, options.pair_count = pairs, len(rules)
    return options


class World(Owner, _Named):
    """Bodies, their trees and the pairs to test. Bodies are `Model`, `Static` or `Body` objects, and are copied.

    A world never changes. `update`, `attach`, `detach`, `place` and `pad` return new versions that share what stayed.

    skip     pairs of bodies, or of (body, link), to skip; those that a robot's SRDF leaves out are skipped too
    apart    (one, other, separation) for pairs with a separation of their own
    filter   called for every two links (body, link) that may be tested, when a world or a version is made. It returns
             False to skip them, True to test them, or a separation. `skip` and `apart` override it

    >>> import graze
    >>> plate = graze.LinkMesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
    >>> lift = graze.Model([graze.Link([plate], joint="prismatic")])
    >>> world = graze.World([lift, graze.Static([plate], graze.Frame([0, 0, 2]))])
    >>> world.valid({0: [1.0]}).verdict, world.step({0: ([0.0], [3.0])}).verdict
    ('clear', 'hit')
    >>> world.place(1, 0, graze.Frame([0, 0, 9])).step({0: ([0.0], [3.0])}).verdict
    'clear'
    """

    def __init__(self, bodies: Sequence[Union[Model, Static, Body]], *, skip: Skip = (), apart: Apart = (),
                 filter: Optional[WorldFilter] = None):
        kept: List = []
        made = _describe(self, bodies, kept)
        options = _rules(self, bodies, skip, apart, kept)
        self._filter = None if filter is None else _Filter(filter)
        if self._filter:
            options.filter = ctypes.cast(library.graze_ask_world_filter, ctypes.c_void_p)
            options.filter_user = ctypes.addressof(self._filter.asked)
        # triangles are shared with the models, and freed by the contexts of these
        self._contexts = [body._context for body in bodies if isinstance(body, Model)]
        self._make(library.graze_world_create, made, len(bodies), options)

    def _make(self, function, *arguments):
        """A version frees its own memory by the context that made it: contexts of earlier versions stay, too."""
        here = Context()
        self._contexts = [*self._contexts, here]
        self._handle = ctypes.c_void_p()
        self.release_by(functools.partial(library.graze_world_release, self._handle))
        call = self._filter.call if self._filter else lambda here, *rest: here.call(*rest)
        call(here, function, *arguments, ctypes.byref(self._handle))

    def __len__(self):
        return library.graze_world_bodies(self._handle)

    def __repr__(self):
        links = sum(map(self.links, range(len(self))))
        return _text.line("World", "", f"{len(self)} bodies", f"{links} links")

    def links(self, body: int) -> int:
        """Number of links of a body."""
        return library.graze_world_links(self._handle, self._body(body))

    def values(self, body: int) -> int:
        """Number of joint values in a pose of a body."""
        return library.graze_world_values(self._handle, self._body(body))

    # ---- versions ----

    def update(self, changes: Iterable[Tuple]) -> "World":
        """Returns a version with these changes, applied in order; this world stays as it is.

        ("place", body, link, Frame), ("pad", body, link, padding), ("attach", body, Link), ("detach", body),
        ("skip", side, side), ("test", side, side), ("apart", side, side, separation): a side is a body or (body, link)."""
        made = World.__new__(World)
        made._names, made._filter, made._contexts = [list(names) for names in self._names], self._filter, self._contexts
        made._kinds, made._vertices = self._kinds, self._vertices
        kept: List = []
        structs = [made._change(kept, *change) for change in changes]
        array = (_c.WorldChange * max(len(structs), 1))(*structs)
        made._make(library.graze_world_update, self._handle, array, len(structs))
        return made

    def attach(self, body: int, link: Link) -> "World":
        """Returns a version in which the body has one more link, after its others, for example an object that a hand
        holds."""
        return self.update([("attach", body, link)])

    def detach(self, body: int) -> "World":
        """Returns a version without the last link of the body."""
        return self.update([("detach", body)])

    def place(self, body: int, link: LinkName, origin: Frame) -> "World":
        """Returns a version with another origin of a link's joint. For link 0 of a static body this moves the body."""
        return self.update([("place", body, link, origin)])

    def pad(self, body: int, link: LinkName, padding: float) -> "World":
        """Returns a version with another padding of a link."""
        return self.update([("pad", body, link, padding)])

    def _change(self, kept, kind, *what):
        made = _c.default(_c.WorldChange, library.graze_init_world_change)
        if kind in RULES:
            pair = self._pair(kind, *what)
            kept.append(pair)
            made.kind, made.pair = CHANGES.index("rule"), ctypes.pointer(pair)
            return made
        if kind not in CHANGES[:4]:
            raise ValueError(f"there is no change {kind!r}")
        made.kind, made.body = CHANGES.index(kind), self._body(what[0])
        getattr(self, "_to_" + kind)(made, kept, *what)
        return made

    def _to_place(self, made, _, body, link, origin):
        made.link, made.origin = self._link(body, link), origin._struct()

    def _to_pad(self, made, _, body, link, padding):
        made.link, made.padding = self._link(body, link), padding

    def _to_attach(self, made, kept, body, link):
        structs = _Structs([link], self._names[body])
        kept.append(structs)
        made.attached = structs.links
        self._names[body].append(link.name)

    def _to_detach(self, _made, _kept, body):
        if self._names[body]:  # the library refuses to take the last one
            self._names[body].pop()

    # ---- asking ----

    def _ask(self, function, moves, kept, asked, mode):
        rows, here = body_motions(self, moves, kept), context()
        made = _c.default(_c.ArticulatedResult, library.graze_init_articulated_result)
        try:
            here.call(function, self._handle, rows.ctypes.data, len(moves), asked, made)
            listed = _c.elements(_c.LinkContact, made.contacts, made.contact_count, made.contact_size)
            return ArticulatedResult.of(made, [LinkContact.of(one) for one in listed] if mode == "all" else None)
        finally:
            library.graze_articulated_release(here.handle, made)

    def step(self, motions: Moves, *, mode: str = "earliest", separation: float = 0.0, t_max: float = 1.0,
             tolerance: float = 0.0, max_checks: int = 0, inside: bool = False,
             interval_arithmetic: bool = False) -> ArticulatedResult:
        """Finds the first contact between and within the bodies.

        `motions` is {body number: motion}; bodies without one stand at zeros. The motion of a model is a `Motion` or a
        pair (start, end); `Body` lists those of other bodies. Options as in `articulated_step`; for models and static
        bodies the bits are the same, too."""
        kept: List = []
        asked = _options((), kept, mode, separation, t_max, tolerance, max_checks, (), inside, interval_arithmetic)
        return self._ask(library.graze_world_step, motions, kept, asked, mode)

    def step_to(self, motions: Moves, *, separation: float = 0.0, t_max: float = 1.0, tolerance: float = 0.0,
                max_checks: int = 0, inside: bool = False,
                interval_arithmetic: bool = False) -> Tuple[ArticulatedResult, float, Moves]:
        """Makes a step that is safe to take: returns (result, alpha, moved).

        `moved` has a motion for each body of `motions`: the part `alpha` of the way, rounded, and proven free as
        rounded. Its end is the next start.

        >>> import graze
        >>> mesh, rest = graze.Mesh.from_faces(3, [[0, 1, 2]]), [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
        >>> world = graze.World([graze.Body("static", mesh, rest), graze.Body("rigid", mesh, rest)])
        >>> result, alpha, moved = world.step_to({1: (graze.Frame([0, 0, 1]), graze.Frame([0, 0, -1]))}, separation=0.01)
        >>> 0.49 < alpha <= result.toi, world.step(moved, separation=0.01).verdict
        (True, 'clear')
        """
        kept: List = []
        asked = _options((), kept, "earliest", separation, t_max, tolerance, max_checks, (), inside, interval_arithmetic)
        rows, here = body_motions(self, motions, kept), context()
        made = _c.default(_c.ArticulatedResult, library.graze_init_articulated_result)
        moved = _c.default(_c.WorldMoved, library.graze_init_world_moved)
        try:
            here.call(library.graze_world_step_to, self._handle, rows.ctypes.data, len(motions), asked, moved, made)
            return ArticulatedResult.of(made), moved.alpha, moved_motions(self, motions, moved)
        finally:
            library.graze_world_moved_release(here.handle, moved)
            library.graze_articulated_release(here.handle, made)

    def valid(self, poses: Mapping[int, Sequence[float]], *, mode: str = "earliest", separation: float = 0.0,
              t_max: float = 1.0, tolerance: float = 0.0, max_checks: int = 0, inside: bool = True,
              interval_arithmetic: bool = False) -> ArticulatedResult:
        """Tests one pose: {body number: joint values}; other bodies stand at zeros. "clear" proves that no two links
        touch and, with `inside`, that none is inside another. Mode "all" lists every contact."""
        kept: List = []
        asked = _options((), kept, mode, separation, t_max, tolerance, max_checks, (), inside, interval_arithmetic)
        moves = {body: None if pose is None else (pose, None) for body, pose in poses.items()}
        return self._ask(library.graze_world_valid, moves, kept, asked, mode)

    def plan(self, paths: Mapping[int, Spline], *, mode: str = "earliest", separation: float = 0.0, t_max: float = 1.0,
             tolerance: float = 0.0, max_checks: int = 0, inside: bool = False,
             interval_arithmetic: bool = False) -> PlanResult:
        """Finds the first contact along a whole plan: {body number: Spline}; other bodies stand at zeros. Mode "all" is
        not possible, and `t_max` is 1."""
        kept: List = []
        asked = _options((), kept, mode, separation, t_max, tolerance, max_checks, (), inside, interval_arithmetic)
        made = _paths(paths, self.values, kept)
        result = _c.default(_c.PlanResult, library.graze_init_plan_result)
        context().call(library.graze_world_plan, self._handle, made, len(paths), asked, ctypes.byref(result))
        return PlanResult.of(result)

    def distance(self, poses: Mapping[int, Sequence[float]], *, most: Optional[int] = 1, within: float = math.inf,
                 separation: float = 0.0, gradients: bool = False) -> WorldDistance:
        """Finds the closest pairs of links at one pose: at most `most` (None: no limit), none farther than `within`.

        Distances are minus paddings and separation. Depth is not measured: links that overlap have distance 0.

        >>> import graze
        >>> plate = graze.LinkMesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> lift = graze.Model([graze.Link([plate], joint="prismatic")])
        >>> world = graze.World([lift, graze.Static([plate], graze.Frame([0, 0, 2]))])
        >>> gap = world.distance({0: [0.5]}, gradients=True).gaps[0]
        >>> gap.lower <= 1.5 <= gap.upper, gap.links, gap.gradient
        (True, ((0, 0), (1, 0)), {0: array([-1.])})
        """
        kept: List = []
        asked = _c.default(_c.WorldDistanceOptions, library.graze_init_world_distance_options)
        asked.most = 0 if most is None else whole_number("most", most, 2**64)
        if most == 0:
            raise ValueError("most is 0: None asks for all pairs")
        asked.distance, asked.min_separation, asked.gradients = within, separation, bool(gradients)
        moves = {body: None if pose is None else (pose, None) for body, pose in poses.items()}
        rows, here = body_motions(self, moves, kept), context()
        made = _c.default(_c.WorldDistanceResult, library.graze_init_world_distance_result)
        try:
            here.call(library.graze_world_distance, self._handle, rows.ctypes.data, len(moves), asked, made)
            return distance_of(made, self._value_counts() if gradients else None)
        finally:
            library.graze_world_distance_release(here.handle, made)

    def clearance(self, motions: Union[Mapping, Sequence[Mapping]], *, most: Optional[int] = 1, within: float = math.inf,
                  separation: float = 0.0, tolerance: float = 0.0, max_checks: int = 0,
                  gradients: bool = False) -> Clearance:
        """Finds the pairs of links that come closest while the bodies move, and when.

        `motions` as in `step`, or a list of such, one for each segment. At most `most` pairs (None: no limit), none that
        stays farther apart than `within`. `lower` is proven for every time; `tolerance` is the width of the brackets
        (0: 2^-20 of the links' size).

        >>> import graze
        >>> plate = graze.LinkMesh([[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 1, 2]])
        >>> lift = graze.Model([graze.Link([plate], joint="prismatic")])
        >>> world = graze.World([lift, graze.Static([plate], graze.Frame([0, 0, 2]))])
        >>> pair = world.clearance([{0: ([0.0], [1.5])}, {0: ([1.5], [1.0])}], gradients=True).pairs[0]
        >>> pair.lower <= 0.5 <= pair.upper, pair.segment in (0, 1)
        (True, True)
        """
        segments = [motions] if isinstance(motions, Mapping) else list(motions)
        if len({len(moves) for moves in segments}) > 1 or not segments:
            raise ValueError("every segment must move the same number of bodies")
        kept: List = []
        rows = np.concatenate([body_motions(self, moves, kept)[:len(moves)] for moves in segments])
        return asked_clearance(library.graze_world_clearance, (self._handle, rows.ctypes.data, len(segments[0]),
                                                               len(segments)),
                               most, within, separation, tolerance, max_checks, self._value_counts() if gradients else None)

    def plan_clearance(self, paths: Mapping[int, Spline], *, most: Optional[int] = 1, within: float = math.inf,
                       separation: float = 0.0, tolerance: float = 0.0, max_checks: int = 0,
                       gradients: bool = False) -> Clearance:
        """As `clearance`, along a plan as in `plan`. Segments are its pieces between two different knots."""
        kept: List = []
        made = _paths(paths, self.values, kept)
        return asked_clearance(library.graze_world_plan_clearance, (self._handle, made, len(paths)), most, within, separation,
                               tolerance, max_checks, self._value_counts() if gradients else None)

    def toi_gradient(self, motions: Moves, contact: LinkContact, *, separation: float = 0.0, t_max: float = 1.0,
                     tolerance: float = 0.0, inside: bool = False) -> Tuple[Gradient, Gradient]:
        """Derivatives of the time of a contact that `step` found with these motions and options, with respect to the joint
        values at the start and at the end, for each body. NaN if one is not unique, or if the contact only grazes."""
        kept: List = []
        asked = _options((), kept, "earliest", separation, t_max, tolerance, 0, (), inside, False)
        counts, rows = self._value_counts(), body_motions(self, motions, kept)
        start, end = np.zeros((2, max(sum(counts), 1)))
        context().call(library.graze_world_toi_gradient, self._handle, rows.ctypes.data, len(motions), asked,
                       contact._struct(), start.ctypes.data, end.ctypes.data)
        return by_body(start, counts), by_body(end, counts)

    def _value_counts(self):
        return [self.values(body) for body in range(len(self))]

    def batch(self, starts: Mapping[int, np.ndarray], ends: Mapping[int, np.ndarray], *, mode: str = "earliest",
              separation: float = 0.0, t_max: float = 1.0, tolerance: float = 0.0, max_checks: int = 0,
              inside: bool = False, interval_arithmetic: bool = False, out: Optional[np.ndarray] = None) -> np.ndarray:
        """Answers many motions on all threads. `starts` and `ends` are {body number: array}, with an array (paths, values)
        or one row of values for all paths; other bodies stand at zeros. Returns a structured array as
        `articulated_batch` does. Not for mode "all"."""
        bodies = list(dict.fromkeys([*starts, *ends]))
        given = [array for array in (*starts.values(), *ends.values()) if array is not None]
        lengths = {len(array) for array in given if np.ndim(array) == 2}
        if len(lengths) != 1:
            raise ValueError("starts and ends have different numbers of paths" if lengths
                             else "no array says how many paths")
        paths, kept = lengths.pop(), []
        joints = np.zeros((paths, len(bodies)), dtype=MOTION)
        joints["struct_size"] = MOTION.itemsize
        rows = np.zeros((paths, len(bodies)), dtype=BODY_MOTION)
        rows["struct_size"] = BODY_MOTION.itemsize
        for i, body in enumerate(bodies):
            rows["body"][:, i] = self._body(body)
            for name, c_name, values in (("starts", "from", starts.get(body)), ("ends", "to", ends.get(body))):
                array = _paths_of(name, _BodySize(self.values(body), self.links(body)), values, paths)
                if array is not None:
                    kept.append(array)
                    joints[c_name][:, i] = array.ctypes.data + array.strides[0] * np.arange(paths, dtype=np.uint64)
        rows["joints"] = joints.ctypes.data + MOTION.itemsize * np.arange(joints.size, dtype=np.uint64).reshape(joints.shape)
        asked = _options((), kept, mode, separation, t_max, tolerance, max_checks, (), inside, interval_arithmetic)
        results = output("out", out, ARTICULATED_RESULT, (paths,))
        if paths:
            results["struct_size"][0] = ARTICULATED_RESULT.itemsize
        context().call(library.graze_world_batch, self._handle, rows.ctypes.data, len(bodies), paths, asked,
                       results.ctypes.data)
        return results


def _body_struct(number, body, kept):
    made = _c.default(_c.Body, library.graze_init_body)
    if isinstance(body, Model):
        made.kind, made.model = 0, body._handle
        return made
    if isinstance(body, Body):
        return body._struct(number, kept)
    if not isinstance(body, Static):
        raise TypeError(f"body {number} must be a graze.Model, graze.Static or graze.Body, not {type(body).__name__}")
    structs = _Structs([Link(body.meshes)], [])
    kept.append(structs)
    made.kind, made.meshes, made.mesh_count = 1, structs.links[0].meshes, structs.links[0].mesh_count
    made.origin, made.padding = body.origin._struct(), body.padding
    return made
