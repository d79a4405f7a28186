"""What goes into a wheel loads on other machines."""

import importlib.util
import os
import pathlib
import platform
import shutil
import subprocess
import zipfile

import pytest

MAKE = pathlib.Path(__file__).resolve().parents[1] / "make_wheel.py"
BUILT = pathlib.Path(os.environ.get("GRAZE_PROGRAM", "none")).parent
LIBRARIES = [BUILT / "libgraze.so", BUILT / "libgraze_python.so"]
pytestmark = pytest.mark.skipif(not MAKE.exists() or not shutil.which("objdump") or not all(p.exists() for p in LIBRARIES),
                                reason="no libraries to make a wheel of, or no objdump")


def maker():
    spec = importlib.util.spec_from_file_location("make_wheel", MAKE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_wheel_holds_the_package_and_both_libraries_and_asks_for_an_old_glibc(tmp_path):
    maker().main(tmp_path, *LIBRARIES)
    (wheel,) = tmp_path.iterdir()
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"graze/__init__.py", "graze/libgraze.so", "graze/libgraze_python.so"} <= names
    tag = wheel.stem.split("-")[-1]
    major, minor, machine = tag.removeprefix("manylinux_").split("_", 2)
    assert (int(major), int(minor)) <= (2, 34) and machine == platform.machine()
    for library in LIBRARIES:
        asked = subprocess.check_output(["readelf", "-d", library], text=True)
        assert "NEEDED" in asked and "gomp" not in asked


@pytest.mark.parametrize("listed, words", [
    ("  NEEDED   libc.so.6\n 0x0 0x00 02 GLIBC_2.38\n", "a symbol of glibc 2.38"),
    ("  NEEDED   libc.so.6\n  NEEDED   libgomp.so.1\n GLIBC_2.17\n", "needs libgomp.so.1"),
])
def test_what_would_not_load_elsewhere_is_refused(monkeypatch, listed, words):
    make = maker()
    monkeypatch.setattr(make.subprocess, "check_output", lambda *_, **__: listed)
    with pytest.raises(SystemExit, match=words):
        make.platform_tag(["libgraze.so"])
