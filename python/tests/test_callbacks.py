"""Answers and exceptions of callbacks reach the call, whatever signals and other threads do."""

import gc
import os
import pathlib
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import graze
from graze import _c, _callbacks, _native
from interrupts import Run, calls
from shapes import FACES, two_triangles

HERE = pathlib.Path(__file__).resolve().parent
needs_timers = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="timers of POSIX are needed")


def nothing_is_left():
    return not _callbacks._calls and not _callbacks._caught and sys.unraisablehook != _callbacks._catch


@needs_timers
@pytest.mark.parametrize("number", [signal.SIGALRM, signal.SIGINT], ids=["SIGALRM", "SIGINT"])
def test_an_interrupted_call_raises_what_the_handler_raised(number):
    ends = Run(number, seed=1).make(400)
    assert (ends["false"], ends["lost"]) == ([], []) and ends["raised"] == 400 and nothing_is_left()


@needs_timers
def test_an_interrupted_call_raises_without_the_native_library(tmp_path):
    """Beside a copy of the library there is no libgraze_python.so."""
    (tmp_path / "libgraze.so").write_bytes(pathlib.Path(_c.library._name).read_bytes())
    if (pathlib.Path(_native.__file__).parent / _native.NAME).exists():
        pytest.skip("it lies in the package")
    run = subprocess.run([sys.executable, HERE / "interrupts.py", "400"], capture_output=True, text=True,
                         env={**os.environ, "GRAZE_LIBRARY": str(tmp_path / "libgraze.so")})
    assert run.returncode == 0, run.stdout + run.stderr


@needs_timers
def test_every_call_with_callbacks_is_interrupted():
    for name, _, _ in calls():
        ends = Run(signal.SIGALRM, seed=2).make(3, [name])
        assert (ends["false"], ends["lost"]) == ([], []), name


def step_with(filter):
    x0, x1 = two_triangles()
    return graze.step(x0, x1, graze.Mesh.from_faces(6, FACES, filter=filter))


class _Odd:
    def __bool__(self):
        raise ZeroDivisionError


@pytest.mark.parametrize("answer, error", [(lambda: 1 / 0, ZeroDivisionError), (_Odd, ZeroDivisionError),
                                           (lambda: sys.exit(3), SystemExit),
                                           (lambda: np.array([1, 2]), ValueError)])
def test_what_a_filter_raises_the_call_raises(answer, error):
    with pytest.raises(error):
        step_with(lambda kind, a, b: answer())
    assert nothing_is_left()


def test_an_answer_that_is_not_written_is_an_error(monkeypatch):
    """As if the hook had been lost, too: nothing says what was raised."""
    monkeypatch.setattr(_callbacks, "bool", lambda _: None, raising=False)  # answer[0] = None raises TypeError
    monkeypatch.setattr(_callbacks.Callbacks, "raised", property(lambda self: Forgetful(), lambda self, _: None),
                        raising=False)
    with pytest.raises(graze.Error, match="neither 0 nor 1") as caught:
        step_with(lambda kind, a, b: True)
    assert caught.value.status == "callback"


class Forgetful(list):
    def append(self, _):
        pass


def test_an_interrupt_goes_before_an_error():
    answers = iter([ValueError, KeyboardInterrupt])
    callbacks = _callbacks.Callbacks()
    callbacks.raised += [next(answers)(), next(answers)()]
    with pytest.raises(KeyboardInterrupt):
        callbacks.during(lambda: 0)


def test_an_energy_of_minus_infinity_is_an_error():
    x0, x1 = two_triangles()
    with pytest.raises(graze.Error, match="could not be computed"):
        graze.line_search(x0, x1, graze.Mesh.from_faces(6, FACES), energy=lambda x: -np.inf)


class Unraisable:
    def __del__(self):
        raise ArithmeticError("not graze's")


def test_what_others_cannot_raise_goes_to_the_hook_that_was_there(monkeypatch):
    seen = []
    monkeypatch.setattr(sys, "unraisablehook", lambda caught: seen.append(caught.exc_type))

    def filter(kind, a, b):
        Unraisable()
        thread = threading.Thread(target=Unraisable)
        thread.start()
        thread.join()
        return True
    assert step_with(filter).verdict == "hit"
    assert len(seen) >= 2 and set(seen) == {ArithmeticError} and nothing_is_left()


def test_a_hook_that_raises_does_not_end_a_call(monkeypatch, capsys):
    monkeypatch.setattr(sys, "unraisablehook", lambda caught: 1 / 0)

    def filter(kind, a, b):
        Unraisable()
        return True
    assert step_with(filter).verdict == "hit" and "not graze's" in capsys.readouterr().err


def test_a_call_inside_a_callback_raises_there_and_not_outside():
    def inner(kind, a, b):
        raise LookupError

    def outer(kind, a, b):
        with pytest.raises(LookupError):
            step_with(inner)
        return step_with(lambda *_: True).verdict == "hit"
    assert step_with(outer).verdict == "hit" and nothing_is_left()


def test_each_thread_gets_what_its_own_callback_raised():
    x0, x1 = two_triangles()
    both = threading.Barrier(2)

    def filter(kind, a, b):
        if threading.current_thread().name == "bad":
            raise LookupError
        return True
    mesh, ends = graze.Mesh.from_faces(6, FACES, filter=filter), []

    def work():
        for _ in range(50):
            both.wait()
            try:
                ends.append((threading.current_thread().name, graze.step(x0, x1, mesh).verdict))
            except LookupError:
                ends.append((threading.current_thread().name, "raised"))
    threads = [threading.Thread(target=work, name=name) for name in ("good", "bad")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(ends) == {("good", "hit"), ("bad", "raised")} and len(ends) == 100 and nothing_is_left()


def test_nothing_is_kept_of_a_call_that_raised():
    class Kept:
        pass

    def raising():
        mine = Kept()

        def filter(kind, a, b):
            mine
            raise LookupError
        with pytest.raises(LookupError):
            step_with(filter)
    before = sum(isinstance(thing, _callbacks.Callbacks) for thing in gc.get_objects())
    for _ in range(20):
        raising()
    gc.collect()
    assert not [thing for thing in gc.get_objects() if isinstance(thing, Kept)]
    assert sum(isinstance(thing, _callbacks.Callbacks) for thing in gc.get_objects()) <= before


@needs_timers
def test_a_model_that_was_interrupted_is_the_one_it_says():
    """Links are taken on and off under signals: the library and the package have the same number of them."""
    triangle = graze.LinkMesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    model = graze.Model([graze.Link([triangle], joint="revolute")])

    def change():
        model.attach(graze.Link([triangle], parent=0))
        model.detach()
    run = Run(signal.SIGALRM, seed=3)
    before = signal.signal(signal.SIGALRM, run.handler)
    try:
        for _ in range(300):
            run.interrupt("attach", change, lambda _: True, 2e-4)
            assert len(model) == _c.library.graze_model_links(model._handle)
            if len(model) > 1:
                model.detach()
    finally:
        signal.signal(signal.SIGALRM, before)
        run.timer.close()
    assert not run.ends["lost"]
