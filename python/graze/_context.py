"""A context for each thread, errors as exceptions, and names as the library spells them."""

import ctypes
import difflib
import itertools
import os
import threading

from . import _c
from ._c import library
from ._native import native
from ._owner import Handle, Owner

NO_INDEX = 2**64 - 1


class Error(Exception):
    """A call that did not work: the context's message, its `status` by name, and the `index` at fault or None."""

    def __init__(self, message, status="", index=None):
        super().__init__(message, status, index)
        self.status, self.index = status, index

    def __str__(self):
        return self.args[0]


def status_error(status, message="", index=NO_INDEX):
    name = library.graze_status_name(status).decode()
    return Error(message or name, name, None if index == NO_INDEX else index)


_watching = False  # a call of the main thread waits for Ctrl-C: one from its callbacks leaves that to it


def _in_main_thread():
    return threading.get_ident() == threading.main_thread().ident


class Context(Owner):
    """Owns a graze_context. In a process forked from its own it is left alone: another thread may have been in it.

    Calls of the main thread end soon after Ctrl-C, where libgraze_python.so is there to see it.
    """

    def __init__(self):
        self.busy = False
        self.handle = ctypes.c_void_p()
        self.threads = _threads
        options = _c.default(_c.ContextOptions, library.graze_init_context_options)
        options.threads = _threads
        self.watched = native is not None and _in_main_thread()
        if self.watched:
            options.cancel = ctypes.cast(native.gzpy_interrupted, ctypes.c_void_p)
        status = library.graze_context_create(options, ctypes.byref(self.handle))
        if status:
            raise status_error(status)
        self.held = Handle(self.handle.value)
        self.release_by(int)  # that does

    def _run(self, function, arguments):
        global _watching
        if not self.watched or _watching or not _in_main_thread():
            return function(self.handle, *arguments)
        try:
            _watching = True
            native.gzpy_watch()
            return function(self.handle, *arguments)
        finally:
            _watching = False
            if native.gzpy_unwatch():
                ctypes.pythonapi.PyErr_CheckSignals()  # KeyboardInterrupt, or what a handler of the user's raises

    def call(self, function, *arguments, callbacks=None):
        """`callbacks` are a `Callbacks` whose functions are among the arguments."""
        self.busy = True
        try:
            status = callbacks.during(self._run, function, arguments) if callbacks else self._run(function, arguments)
        finally:
            self.busy = False
        if status:
            error = _c.Error()
            library.graze_context_last_error(self.handle, ctypes.byref(error))
            raise status_error(status, error.message.decode(), error.index)


_of_thread = threading.local()
_threads = 0  # 0: GRAZE_NUM_THREADS, or all cores


def set_num_threads(nthreads: int) -> None:
    """Sets the number of threads that calls use from now on, in all threads of the program.

    0 or less: as many as there are cores."""
    global _threads
    _threads = min(max(int(nthreads), 0), os.cpu_count() or 1)


def get_num_threads() -> int:
    return _threads or os.cpu_count() or 1


def context():
    """That of this thread, made when first asked for; in a callback, when it is at work, a new one."""
    here = getattr(_of_thread, "context", None)
    if here is None or (here.threads != _threads and not here.busy):
        here = _of_thread.context = Context()
    return Context() if here.busy else here


def _begin_anew():
    global _of_thread
    _of_thread = threading.local()


os.register_at_fork(after_in_child=_begin_anew)


def _unknown(what, name, names):
    """The error for a name that is none of `names`, the nearest of them first."""
    near = difflib.get_close_matches(str(name), names, 1)
    return ValueError(f"there is no {what} {name!r}{f' (did you mean {near[0]!r}?)' if near else ''}; there are: {', '.join(names)}")


def _number(what, find, name_of, name):
    value = ctypes.c_int()
    if not isinstance(name, str) or not find(name.encode(), ctypes.byref(value)):
        raise _unknown(what, name, [known.decode() for known in itertools.takewhile(bool, map(name_of, itertools.count()))])
    return value.value


def kind_number(name):
    return _number("kind", library.graze_kind_find, library.graze_kind_name, name)


def mode_number(name):
    return _number("mode", library.graze_step_mode_find, library.graze_step_mode_name, name)


def broad_number(name):
    return _number("broad phase", library.graze_broad_find, library.graze_broad_name, name)


def backend_number(name):
    return _number("back end", library.graze_backend_find, library.graze_backend_name, name)


def method_number(name):
    info = library.graze_method_find(name.encode()) if isinstance(name, str) else None
    if not info:
        known = itertools.takewhile(bool, map(library.graze_method_get, itertools.count(1)))
        raise _unknown("method", name, [other.contents.name.decode() for other in known])
    return info.contents.method


def verdict_name(value):
    return library.graze_verdict_name(value).decode()


def reason_name(value):
    return library.graze_reason_name(value).decode()


def kind_name(value):
    return library.graze_kind_name(value).decode()


def narrow_options(method, separation, t_max, tolerance, max_checks, inside_tolerance=0.0):
    options = _c.default(_c.Options, library.graze_init_options)
    options.method = method_number(method)
    options.min_separation, options.t_max, options.tolerance = separation, t_max, tolerance
    options.max_checks, options.inside_tolerance = whole_number("max_checks", max_checks, 2**64), inside_tolerance
    return options


def whole_number(name, value, limit):
    """ctypes would take any integer modulo the size of its type."""
    if int(value) != value or not 0 <= value < limit:
        raise ValueError(f"{name} is {value}: not a whole number in [0, {limit})")
    return int(value)
