"""Objects that release something of the library when they go."""

import ctypes
import functools
import operator
import os
import weakref

from ._c import library

_owners = {}  # by id, which a later object may take over; a WeakSet would run Python when one goes


class Owner:
    """Calls `_release` when it goes. Property and attrgetter are written in C, and so is a ctypes function: no handler of
    signals can run in between and raise, which Python would print and forget, as it does in every `__del__`."""

    __del__ = property(operator.attrgetter("_release"))
    _release = int  # nothing yet

    def release_by(self, release):
        """`release` takes no arguments and is written in C."""
        self._release = release
        _owners[id(self)] = weakref.ref(self)


class Handle(int):
    """Destroys a graze_context when nothing refers to it any more. The collector calls the finalizers of a cycle in any
    order, but is not told of this: what needs the context, and so refers to it, is released before."""

    __slots__ = ()
    __del__ = property(functools.partial(functools.partial, library.graze_context_destroy))

    def __init__(self, _):
        ctypes.pythonapi.PyObject_GC_UnTrack(ctypes.py_object(self))


def _leave_alone():
    """In a forked process: another thread of the parent may have been in the library."""
    for reference in list(_owners.values()):
        owner = reference()
        if owner is not None:
            owner._release = int
            if hasattr(owner, "held"):
                ctypes.pythonapi.Py_IncRef(ctypes.py_object(owner.held))  # for good


os.register_at_fork(after_in_child=_leave_alone)
