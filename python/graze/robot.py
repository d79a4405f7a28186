"""Robots from URDF files, by libgraze_robot, which lies in the package, beside libgraze, or where the system has it."""

import ctypes
import os
import pathlib
from ctypes import POINTER, Structure, byref, c_char, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint8, c_uint32
from dataclasses import dataclass
from typing import Mapping, Tuple

import numpy as np

from . import _c
from ._c import ABI, library

NAME = "libgraze_robot.so"


class Options(Structure):
    c_name = "graze_robot_options"
    _fields_ = [("struct_size", c_size_t), ("srdf", c_char_p), ("package_names", POINTER(c_char_p)),
                ("package_folders", POINTER(c_char_p)), ("package_count", c_size_t)]


class Error(Structure):
    c_name = "graze_robot_error"
    _fields_ = [("message", c_char * 600)]


class Loaded(Structure):
    c_name = "graze_robot"
    _fields_ = [("name", c_char_p), ("link_count", c_size_t), ("value_count", c_size_t), ("links", POINTER(_c.Link)),
                ("link_names", POINTER(c_char_p)), ("joint_names", POINTER(c_char_p)),
                ("first_values", POINTER(c_size_t)), ("limits", POINTER(c_double * 2)),
                ("soft_limits", POINTER(c_double * 2)), ("velocities", POINTER(c_double)),
                ("continuous", POINTER(c_uint8)), ("mimics", POINTER(c_int32)),
                ("mimic_lines", POINTER(c_double * 2)), ("skips", POINTER(c_uint32 * 2)), ("skip_count", c_size_t)]


STRUCTS = [Options, Error, Loaded]


@dataclass(frozen=True, eq=False)
class Robot:
    """Data of a robot's file beside its links. Each list has an entry for each link, about the joint that carries it."""

    name: str
    joint_names: Tuple[str, ...]  #: "" for a link that hangs on the world
    first_values: np.ndarray  #: where the values of each joint begin
    limits: np.ndarray  #: (links, 2) lower and upper, infinite where there are none
    soft_limits: np.ndarray
    velocities: np.ndarray
    continuous: np.ndarray
    mimics: np.ndarray  #: link whose joint this one follows; -1: none
    mimic_lines: np.ndarray  #: (links, 2) multiplier and offset
    skips: Tuple[Tuple[int, int], ...]  #: pairs of links that the SRDF leaves out
    value_count: int

    def pose(self, values: Mapping[str, float]) -> np.ndarray:
        """Values of all joints from those of some, by name; others are 0, and joints that mimic others follow."""
        pose = np.zeros(self.value_count)
        ends = np.append(self.first_values, self.value_count)
        for name, value in values.items():
            if name not in self.joint_names or not name:
                raise ValueError(f"there is no joint {name!r}")
            link = self.joint_names.index(name)
            if self.mimics[link] >= 0 or ends[link] == ends[link + 1]:
                raise ValueError(f"joint {name!r} takes no value")
            pose[ends[link]:ends[link + 1]] = np.reshape(value, ends[link + 1] - ends[link])
        for link in np.flatnonzero(self.mimics >= 0):
            factor, offset = self.mimic_lines[link]
            pose[ends[link]] = factor * pose[ends[self.mimics[link]]] + offset
        return pose


def _open():
    """The library inside the package, else beside libgraze, else that of the system."""
    folders = pathlib.Path(__file__).parent, pathlib.Path(library._name).parent
    beside = [str(folder / NAME) for folder in folders if (folder / NAME).exists()]
    try:
        opened = ctypes.CDLL(beside[0] if beside else f"{NAME}.{ABI}")
    except OSError as error:
        raise ImportError(f"graze: URDF is not read: {NAME} is not in {' or '.join(map(str, folders))}: {error}") from None
    opened.graze_robot_load.restype = c_int
    opened.graze_robot_load.argtypes = [c_char_p, POINTER(Options), POINTER(POINTER(Loaded)), POINTER(Error)]
    opened.graze_robot_free.restype = None
    opened.graze_robot_free.argtypes = [POINTER(Loaded)]
    return opened


def _texts(values):
    return (c_char_p * max(len(values), 1))(*map(os.fsencode, values))


def _array(pointer, count, kind, width=None):
    shape = (count,) if width is None else (count, width)
    if count == 0:
        return np.zeros(shape, dtype=kind)
    return np.array(np.ctypeslib.as_array(pointer, (count,)), dtype=kind).reshape(shape)


def _facts(loaded):
    n = loaded.link_count
    skips = _array(loaded.skips, loaded.skip_count, int, 2)
    return Robot(
        name=loaded.name.decode(), joint_names=tuple(loaded.joint_names[i].decode() for i in range(n)),
        first_values=_array(loaded.first_values, n, int), limits=_array(loaded.limits, n, float, 2),
        soft_limits=_array(loaded.soft_limits, n, float, 2), velocities=_array(loaded.velocities, n, float),
        continuous=_array(loaded.continuous, n, bool), mimics=_array(loaded.mimics, n, int),
        mimic_lines=_array(loaded.mimic_lines, n, float, 2), skips=tuple(map(tuple, skips.tolist())),
        value_count=loaded.value_count)


def load(path, srdf, packages, make_link):
    """Links, each by make_link(struct, name), and a Robot."""
    opened = _open()
    packages = dict(packages or {})
    options = Options(ctypes.sizeof(Options), None if srdf is None else os.fsencode(srdf), _texts(list(packages)),
                      _texts(list(packages.values())), len(packages))
    found, error = POINTER(Loaded)(), Error()
    if opened.graze_robot_load(os.fsencode(path), byref(options), byref(found), byref(error)):
        raise ValueError(error.message.decode(errors="replace"))
    try:
        loaded = found.contents
        structs = _c.elements(_c.Link, ctypes.addressof(loaded.links.contents), loaded.link_count)
        links = [make_link(link, loaded.link_names[i].decode()) for i, link in enumerate(structs)]
        return links, _facts(loaded)
    finally:
        opened.graze_robot_free(found)
