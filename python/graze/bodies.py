"""Bodies of a world that have a mesh of their own, and how they move."""

import ctypes
from dataclasses import dataclass
from typing import Optional, Sequence, Tuple

import numpy as np
from numpy.typing import ArrayLike

from . import _c
from ._arrays import rows
from ._c import library
from .articulated import MOTION, Frame, Motion, _motion_row, _vector
from .mesh import Mesh

KINDS = ("model", "static", "straight", "affine", "rigid", "cubic")
PATHS = ("turn", "screw", "rotvec")
BODY_MOTION = np.dtype(_c.BodyMotion)


@dataclass(frozen=True, eq=False)
class Body:
    """A body with a mesh of its own, grown by `padding`. `kind` says how it moves and what its motion is:

    "static"     none: it stands at `rest`
    "straight"   (x0, x1): positions at both ends
    "affine"     (m0, m1): 3 × 4 matrices, applied to `rest`
    "rigid"      (Frame, Frame), or `Poses`
    "cubic"      four control positions

    "static", "affine" and "rigid" need `rest` (vertices, 3)."""

    kind: str
    mesh: Mesh
    rest: Optional[ArrayLike] = None
    padding: float = 0.0

    def _struct(self, number, kept):
        if self.kind not in KINDS[1:]:
            raise ValueError(f"body {number}: there is no kind {self.kind!r}")
        made = _c.default(_c.Body, library.graze_init_body)
        made.kind, made.mesh, made.padding = KINDS.index(self.kind), ctypes.pointer(self.mesh._c), self.padding
        has_rest = self.kind in ("static", "affine", "rigid")
        if has_rest != (self.rest is not None):
            raise ValueError(f"body {number}: a body that is {self.kind} {'needs' if has_rest else 'takes no'} rest positions")
        if has_rest:
            rest = rows("rest", self.rest, (self.mesh.vertex_count, 3))
            made.rest = rest.ctypes.data
            kept.append(rest)
        return made


@dataclass(frozen=True, eq=False)
class Poses:
    """Motion of a rigid body between two frames. `path` is one of

    "turn"     the shorter way, at constant angular velocity, while the origin moves straight
    "screw"    about one axis
    "rotvec"   the rotation vector moves straight: `rotvecs` = (r0, r1) replace the rotations of the frames"""

    start: Frame
    end: Frame
    path: str = "turn"
    rotvecs: Tuple[Sequence[float], Sequence[float]] = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


class _BodySize:
    """As much of a model as a motion of it has to fit."""

    def __init__(self, values, links):
        self.values, self._links = values, links

    def __len__(self):
        return self._links


def body_motions(world, moves, kept):
    """Rows of graze_body_motion for motions by body."""
    empty = np.frombuffer(bytes(_c.default(_c.BodyMotion, library.graze_init_body_motion)), dtype=BODY_MOTION)
    made = np.repeat(empty, max(len(moves), 1))
    for i, (body, motion) in enumerate(moves.items()):
        number = made["body"][i] = world._body(body)
        _SETTERS[world._kinds[number]](made[i:i + 1], world, number, motion, kept)
    kept.append(made)
    return made


def _set_joints(row, world, body, motion, kept):
    joints = np.array([_motion_row(_BodySize(world.values(body), world.links(body)), motion, kept)], dtype=MOTION)
    kept.append(joints)
    row["joints"] = joints.ctypes.data


def _no_motion(row, world, body, motion, kept):
    if motion is not None:
        raise ValueError(f"body {body} is static: it has no motion")


def _positions(world, body, motion, count, kept):
    if not isinstance(motion, (tuple, list, np.ndarray)) or len(motion) != count:
        raise ValueError(f"body {body} takes {count} arrays of positions")
    made = [rows(f"positions {k} of body {body}", x, (world._vertices[body], 3)) for k, x in enumerate(motion)]
    kept += made
    return [x.ctypes.data for x in made]


def _set_straight(row, world, body, motion, kept):
    row["x0"], row["x1"] = _positions(world, body, motion, 2, kept)


def _set_cubic(row, world, body, motion, kept):
    row["control"] = [_positions(world, body, motion, 4, kept)]


def _set_affine(row, world, body, motion, kept):
    if motion is not None:
        row["matrix0"], row["matrix1"] = (rows(f"a matrix of body {body}", m, (3, 4)) for m in motion)


def _set_rigid(row, world, body, motion, kept):
    if motion is None:
        return
    poses = motion if isinstance(motion, Poses) else Poses(*motion)
    if poses.path not in PATHS:
        raise ValueError(f"body {body}: there is no path {poses.path!r}")
    for name, frame in (("pose0", poses.start), ("pose1", poses.end)):
        row[name] = np.frombuffer(bytes(frame._struct()), dtype=np.dtype(_c.Frame))
    row["path"] = PATHS.index(poses.path)
    for name, vector in zip(("rotvec0", "rotvec1"), poses.rotvecs):
        row[name] = np.array(_vector(name, vector, 3))


_SETTERS = dict(zip(KINDS, (_set_joints, _no_motion, _set_straight, _set_affine, _set_rigid, _set_cubic)))


def _array(address, *shape):
    if not address:
        return None
    if hasattr(address, "value"):
        address = address.value
    return np.ctypeslib.as_array(ctypes.cast(address, ctypes.POINTER(ctypes.c_double)), shape).copy()


def moved_motions(world, moves, moved):
    """What graze_world_step_to wrote, in the form in which it was given."""
    listed = ctypes.cast(moved.motions, ctypes.POINTER(_c.BodyMotion))
    return {body: _GETTERS[world._kinds[body]](world, body, motion, listed[i])
            for i, (body, motion) in enumerate(moves.items())}


def _get_joints(world, body, motion, made):
    if motion is None:
        return None
    joints = ctypes.cast(made.joints, ctypes.POINTER(_c.Motion))[0]
    values, given = world.values(body), motion if isinstance(motion, Motion) else Motion(*motion)
    cubic = _array(joints.cubic, values, 4)
    return Motion(None if cubic is not None else given.start, None if cubic is not None else _array(joints.to, values),
                  cubic=cubic, screws=given.screws, rotvecs=given.rotvecs)


def _get_nothing(world, body, motion, made):
    return None


def _get_straight(world, body, motion, made):
    return tuple(_array(x, world._vertices[body], 3) for x in (made.x0, made.x1))


def _get_cubic(world, body, motion, made):
    return tuple(_array(x, world._vertices[body], 3) for x in made.control)


def _get_affine(world, body, motion, made):
    return tuple(np.array([list(row) for row in m]) for m in (made.matrix0, made.matrix1))


def _get_rigid(world, body, motion, made):
    frames = [Frame(tuple(f.position), tuple(f.rotation)) for f in (made.pose0, made.pose1)]
    return Poses(*frames, PATHS[made.path], (tuple(made.rotvec0), tuple(made.rotvec1)))


_GETTERS = dict(zip(KINDS, (_get_joints, _get_nothing, _get_straight, _get_affine, _get_rigid, _get_cubic)))
