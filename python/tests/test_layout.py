"""Structs are laid out as a C compiler lays out those of the headers."""

import ctypes
import pathlib
import shutil
import subprocess

import pytest

from graze import _c, _native, mpi, robot

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = ROOT / "include"
STRUCTS = _c.STRUCTS + _native.STRUCTS + robot.STRUCTS + mpi.STRUCTS


def expected():
    for struct in STRUCTS:
        yield f"{struct.c_name} {ctypes.sizeof(struct)}"
        for name, kind in struct._fields_:
            yield f"{struct.c_name}.{name} {getattr(struct, name).offset} {ctypes.sizeof(kind)}"


def test_every_struct_is_compared():
    kinds = [kind for kind in vars(_c).values() if isinstance(kind, type) and hasattr(kind, "c_name")]
    assert len(kinds) > 50 and set(kinds) == set(_c.STRUCTS)


CONSTANTS = {"GRAZE_MEMORY_DEVICE": _c.MEMORY_DEVICE}


def program():
    yield '#include <graze/graze.h>\n#include <graze/robot.h>\n#include <graze/mpi.h>\n#include "python/native/native.h"\n#include <stdio.h>\nint main(void) {'
    for struct in STRUCTS:
        c = struct.c_name
        yield f'printf("{c} %zu\\n", sizeof({c}));'
        for name, _ in struct._fields_:
            yield f'printf("{c}.{name} %zu %zu\\n", offsetof({c}, {name}), sizeof((({c} *)0)->{name}));'
    for name in CONSTANTS:
        yield f'printf("{name} %d\\n", (int){name});'
    yield "return 0; }"


@pytest.mark.skipif(not shutil.which("cc") or not INCLUDE.exists(), reason="no C compiler, or no headers")
def test_every_field_lies_where_c_has_it(tmp_path):
    source, binary = tmp_path / "layout.c", tmp_path / "layout"
    source.write_text("\n".join(program()))
    # the inline graze_default_… are not called: the archive is not needed when they are optimised away
    subprocess.run(["cc", "-O1", "-I", INCLUDE, "-I", ROOT, "-o", binary, source], check=True)
    constants = [f"{name} {value}" for name, value in CONSTANTS.items()]
    assert subprocess.check_output([binary], text=True).splitlines() == [*expected(), *constants]
