"""Callbacks of one call. Their answers go through memory that C has set to "neither", and what they raise, the call raises.

A handler of signals may raise in the first bytecode of a callback, before any `try`. Python cannot pass that through C and
hands it to sys.unraisablehook. So for the time of a call with callbacks the hook is the `append` of a queue: it is written
in C, so no handler can run within it. When the call ends it takes what is its own, and the rest goes to the hook that was
there before.
"""

import collections
import ctypes
import sys

import numpy as np

from . import _c
from ._c import library

KINDS = ("vf", "ee", "pe", "pp")

_caught = collections.deque()
_catch = _caught.append
_calls = {}  # those under way, in any thread
_before = sys.unraisablehook


def _hand_on(ended):
    calls = [ended, *_calls.values()]
    for caught in list(_caught):
        owner = next((call for call in calls if call.owns(caught)), None)
        if owner:
            owner.raised.append(caught.exc_value or caught.exc_type())
        else:
            _report(caught)
        try:
            _caught.remove(caught)
        except ValueError:
            pass  # another thread handed it on, too


def _report(caught):
    try:
        _before(caught)
    except Exception:
        sys.__unraisablehook__(caught)


class Callbacks:
    """Made for one call; `filter` and the others give a function of the library and what it takes as `user`."""

    def __init__(self):
        self.raised = []
        self._asks, self._kept = [], []
        self._key = id(self)

    def filter(self, function):
        raised = self.raised

        def ask(_, kind, a, b, answer):
            try:
                if not raised:
                    answer[0] = bool(function(KINDS[kind], a, b))
            except BaseException as error:
                raised.append(error)
        return self._asked(_c.AskedFilter, library.graze_ask_filter, ask)

    def energy(self, function, shape):
        raised = self.raised

        def ask(_, pointer, answer):
            try:
                if not raised:
                    positions = np.ctypeslib.as_array(pointer, shape=shape)
                    positions.flags.writeable = False
                    answer[0] = float(function(positions))
            except BaseException as error:
                raised.append(error)
        return self._asked(_c.AskedEnergy, library.graze_ask_energy, ask)

    def write(self, take):
        """`take(text)` is given bytes."""
        raised = self.raised

        def ask(_, text, size, answer):
            try:
                if not raised:
                    take(ctypes.string_at(text, size))
                    answer[0] = 0
            except BaseException as error:
                raised.append(error)
        return self._asked(_c.AskedWrite, library.graze_ask_write, ask)

    def world_filter(self, function, asked):
        """`asked` is the struct that the world keeps: for this call it asks `function`."""
        raised = self.raised

        def ask(_, body_a, link_a, body_b, link_b, separation, answer):
            try:
                if not raised:
                    rule = function((body_a, link_a), (body_b, link_b))
                    if isinstance(rule, (bool, np.bool_)):
                        answer[0] = int(rule)
                    else:
                        separation[0] = float(rule)
                        answer[0] = 2
            except BaseException as error:
                raised.append(error)
        asked.ask = dict(asked._fields_)["ask"](ask)
        self._asks.append(ask)

    def _asked(self, struct, function, ask):
        asked = struct(dict(struct._fields_)["ask"](ask), None)
        self._asks.append(ask)
        self._kept.append(asked)
        return ctypes.cast(function, ctypes.c_void_p), ctypes.addressof(asked)

    def owns(self, caught):
        """True if one of its callbacks raised it; Python 3.13 names them in the message alone."""
        return any(caught.object is ask or repr(ask) in (caught.err_msg or "") for ask in self._asks)

    def during(self, call, *arguments):
        """Returns the status of the call; raises what a callback raised, whatever the call made of it."""
        global _before
        try:
            _calls[self._key] = self
            if sys.unraisablehook is not _catch:
                _before = sys.unraisablehook
                sys.unraisablehook = _catch
            status = call(*arguments)
        finally:
            # Statements without a call come first: handlers of signals run after calls.
            if self._key in _calls:
                del _calls[self._key]
            if not _calls and sys.unraisablehook is _catch:
                sys.unraisablehook = _before
                if _calls:  # another thread has begun a call
                    sys.unraisablehook = _catch
            _hand_on(self)
        if self.raised:
            raise min(self.raised, key=lambda error: isinstance(error, Exception))  # KeyboardInterrupt before errors
        return status
