"""Objects that release something of the library when they go."""

import operator
import os
import weakref

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


def _leave_alone():
    """In a forked process: another thread of the parent may have been in the library."""
    for reference in list(_owners.values()):
        owner = reference()
        if owner is not None:
            owner._release = int


os.register_at_fork(after_in_child=_leave_alone)
