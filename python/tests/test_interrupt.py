"""Ctrl-C ends a long call, and nothing is left of the watching."""

import os
import signal
import subprocess
import sys
import textwrap
import time

import numpy as np
import pytest

import graze
from graze import _native
from shapes import queries

pytestmark = pytest.mark.skipif(_native.native is None, reason="libgraze_python.so is not here")

# minutes of work, unless it is ended: the slowest method on a great number of queries
LONG = """
    import signal, sys, time
    import numpy as np
    import graze
    x = np.random.default_rng(1).uniform(-1, 1, (2, 200_000, 4, 3))
    results = np.zeros(200_000, dtype=graze.RESULT)
    def work():
        graze.ccd_batch("ee", x[0], x[1], method="irf", out=results)
"""


def interrupted(program, wait=1.0):
    """Output of a program that is sent SIGINT some time after it says that it begins, and how long it then took."""
    run = subprocess.Popen([sys.executable, "-c", textwrap.dedent(LONG) + textwrap.dedent(program)],
                           stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert run.stdout.readline() == "begin\n"
    time.sleep(wait)
    sent = time.monotonic()
    run.send_signal(signal.SIGINT)
    out, err = run.communicate(timeout=300)
    return out, err, time.monotonic() - sent


def test_ctrl_c_ends_a_long_step():
    out, err, took = interrupted("""
        middle = np.random.default_rng(2).uniform(-.05, .05, (2, 400, 1, 3))
        corners = np.random.default_rng(3).uniform(-.2, .2, (400, 3, 3))
        x0, x1 = (middle + corners).reshape(2, -1, 3)
        mesh = graze.Mesh.from_faces(1200, np.arange(1200).reshape(-1, 3))
        print("begin", flush=True)
        try:
            print(graze.step(x0, x1, mesh, mode="all", method="irf"))
        except KeyboardInterrupt:
            print("interrupted")
    """)
    assert (out, err) == ("interrupted\n", "") and took < 20


def test_ctrl_c_ends_a_long_call():
    out, err, took = interrupted("""
        print("begin", flush=True)
        try:
            work()
        except KeyboardInterrupt:
            print("interrupted", np.count_nonzero(results["verdict"]) < 200_000)
        assert graze.ccd("pp", [[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [2, 0, 0]]).verdict == "clear"
    """)
    assert (out, err) == ("interrupted True\n", "") and took < 20


def test_a_handler_of_the_users_is_called_and_the_call_says_cancelled():
    out, err, _ = interrupted("""
        signal.signal(signal.SIGINT, lambda *_: print("mine", flush=True))
        print("begin", flush=True)
        work()
        unresolved = results["verdict"] == graze.UNRESOLVED
        print(unresolved.any(), graze.Result.of(results[unresolved][0]).reason)
    """)
    assert (out, err) == ("mine\nTrue cancelled\n", "")


def test_an_ignored_signal_stays_ignored():
    out, err, _ = interrupted("""
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        x, results = x[:, :200], results[:200]
        print("begin", flush=True)
        end = time.monotonic() + 1.5
        while time.monotonic() < end:
            work()
        print((results["verdict"] != graze.UNRESOLVED).all())
    """, wait=0.5)
    assert (out, err) == ("True\n", "")


def test_the_handler_that_was_there_is_back_after_a_call():
    seen = []
    before = signal.signal(signal.SIGINT, lambda *_: seen.append(1))
    try:
        graze.ccd_batch("vf", *queries(50))
        os.kill(os.getpid(), signal.SIGINT)
        assert seen == [1] and not _native.native.gzpy_interrupted(None)
    finally:
        signal.signal(signal.SIGINT, before)


def test_an_interrupt_of_the_past_ends_no_call():
    x0, x1 = queries(2000)
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        _native.native.gzpy_watch()
        os.kill(os.getpid(), signal.SIGINT)
        assert _native.native.gzpy_interrupted(None)
        assert np.array_equal(graze.ccd_batch("vf", x0, x1)["verdict"] != graze.UNRESOLVED, np.ones(2000, dtype=bool))
    finally:
        signal.signal(signal.SIGINT, before)
