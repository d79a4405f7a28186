"""Calls from C, to compare: tests/c_calls.c, compiled against the library that the package uses."""

import pathlib
import shutil
import subprocess

import numpy as np

from graze import _c

ROOT = pathlib.Path(__file__).resolve().parents[2]
POSSIBLE = bool(shutil.which("cc")) and (ROOT / "include").exists()


class FromC:
    """A program that has its input, has made the call once, and makes it again when asked."""

    def __init__(self, folder, words, arrays, read):
        folder = pathlib.Path(folder)
        binary, data, made = folder / "c_calls", folder / "in", folder / "out"
        library = str(pathlib.Path(_c.library._name).resolve())
        if not binary.exists():
            subprocess.run(["cc", "-O2", "-I", ROOT / "include", "-o", binary, ROOT / "python" / "tests" / "c_calls.c",
                            library, f"-Wl,-rpath,{pathlib.Path(library).parent}"], check=True)
        with open(data, "wb") as file:
            for array in arrays:
                file.write(np.ascontiguousarray(array).tobytes())
        link = pathlib.Path(library).parent / f"libgraze.so.{_c.ABI}"
        environment = None if link.exists() else {"LD_PRELOAD": library}  # a library under a name that is not its own
        self.run = subprocess.Popen([binary, *map(str, words), data, made], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                    text=True, env=environment)
        self.seconds()  # it has made the first call, and written
        self.results = read(made.read_bytes())

    def seconds(self):
        """CPU time of one more call."""
        self.run.stdin.write("\n")
        self.run.stdin.flush()
        return float(self.run.stdout.readline())

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.run.stdin.close()
        self.run.stdout.close()
        assert self.run.wait() == 0


def batch(folder, kind, x0, x1):
    return FromC(folder, ["batch", kind, len(x0)], [x0, x1], lambda made: np.frombuffer(made, dtype=_c.Result))


def step(folder, x0, x1, faces):
    return FromC(folder, ["step", len(x0), len(faces)], [x0, x1, faces.astype(np.uint32)], _c.StepResult.from_buffer_copy)
