"""Wheels load on other machines."""

import email
import importlib.util
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
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
    assert {"graze/__init__.py", "graze/py.typed", "graze/libgraze.so", "graze/libgraze_python.so"} <= names
    tag = wheel.stem.split("-")[-1]
    major, minor, machine = tag.removeprefix("manylinux_").split("_", 2)
    assert (int(major), int(minor)) <= (2, 34) and machine == platform.machine()
    for library in LIBRARIES:
        asked = subprocess.check_output(["readelf", "-d", library], text=True)
        assert "NEEDED" in asked and "gomp" not in asked


ROBOT = BUILT / "python" / "libgraze_robot.so"


@pytest.mark.skipif(not ROBOT.exists(), reason="no libgraze_robot.so with Expat inside")
def test_the_wheel_reads_urdf_without_expat(tmp_path):
    """It asks for libgraze and glibc alone, and what a build folder has for a wheel names it."""
    sys.path.insert(0, str(MAKE.parent))
    import graze_backend
    assert graze_backend.libraries_in(BUILT) == [*LIBRARIES, ROBOT]
    maker().main(tmp_path, *LIBRARIES, ROBOT)
    (wheel,) = tmp_path.iterdir()
    assert "graze/libgraze_robot.so" in zipfile.ZipFile(wheel).namelist()
    asked = subprocess.check_output(["readelf", "-d", ROBOT], text=True)
    assert "libgraze.so" in asked and "expat" not in asked and "RUNPATH" not in asked


@pytest.mark.parametrize("listed, words", [
    ("  NEEDED   libc.so.6\n 0x0 0x00 02 GLIBC_2.38\n", "a symbol of glibc 2.38"),
    ("  NEEDED   libc.so.6\n  NEEDED   libgomp.so.1\n GLIBC_2.17\n", "needs libgomp.so.1"),
    ("  NEEDED   libgraze.so.0.2\n  NEEDED   libexpat.so.1\n GLIBC_2.17\n", "needs libexpat.so.1"),
])
def test_what_would_not_load_elsewhere_is_refused(monkeypatch, listed, words):
    make = maker()
    monkeypatch.setattr(make.subprocess, "check_output", lambda *_, **__: listed)
    with pytest.raises(SystemExit, match=words):
        make.platform_tag(["libgraze.so"], make.NEWEST_GLIBC)


@pytest.mark.skipif(not shutil.which("musl-gcc"), reason="no musl-gcc")
def test_a_library_of_musl_makes_a_wheel_for_this_machine(tmp_path):
    (tmp_path / "a.c").write_text("#include <stdlib.h>\nint a(void) { return abs(-1); }\n")
    subprocess.check_call(["musl-gcc", "-shared", "-fPIC", "-o", tmp_path / "libgraze.so", tmp_path / "a.c"])
    assert maker().platform_tag([tmp_path / "libgraze.so"]) == f"linux_{platform.machine()}"


def test_an_editable_wheel_leaves_the_package_in_the_clone_and_finds_its_libraries(tmp_path):
    wheel = maker().write_wheel(tmp_path, LIBRARIES, editable=True)
    zipfile.ZipFile(wheel).extractall(tmp_path / "site")
    assert (tmp_path / "site" / "graze_ccd.pth").read_text() == f"{MAKE.parent}\n" and not (tmp_path / "site" / "graze").exists()
    run = ("import os, site, sys; sys.path = [path for path in sys.path if not os.path.isdir(os.path.join(path, 'graze'))]; "  # an installed one
           "site.addsitedir(sys.argv[1]); import graze; print(graze.__file__, graze._c.library._name, graze._native.native._name)")
    said = subprocess.check_output([sys.executable, "-c", run, tmp_path / "site"], text=True, cwd=tmp_path,
                                   env={name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "GRAZE_LIBRARY")})
    libraries = tmp_path / "site" / "graze_ccd_libraries"
    assert said.split() == [str(MAKE.parent / "graze" / "__init__.py"), *(str(libraries / path.name) for path in LIBRARIES)]


def test_metadata_names_the_distribution_its_license_and_what_it_needs():
    facts = email.message_from_bytes(maker().metadata())
    assert facts["Name"] == "graze-ccd" and facts["License"] == "MIT" and facts["Requires-Dist"].startswith("numpy>=1.")
    assert facts["Description-Content-Type"] == "text/markdown" and facts.get_payload().startswith("# graze")
    assert len(facts.get_all("Classifier")) > 3


def test_a_source_distribution_has_what_the_build_reads(tmp_path):
    sys.path.insert(0, str(MAKE.parent))
    import graze_backend
    name = graze_backend.build_sdist(tmp_path)
    names = tarfile.open(tmp_path / name).getnames()
    top = name.removesuffix(".tar.gz")
    assert {f"{top}/PKG-INFO", f"{top}/pyproject.toml", f"{top}/CMakeLists.txt", f"{top}/src/CMakeLists.txt",
            f"{top}/python/graze/__init__.py", f"{top}/python/graze_backend.py"} <= set(names)
    assert not [name for name in names if "__pycache__" in name or name.endswith(".so")]


def test_without_cmake_one_line_says_so(tmp_path):
    run = subprocess.run([sys.executable, "-c", "import graze_backend; graze_backend.build_wheel('.')"], cwd=tmp_path, text=True,
                         capture_output=True, env={"PATH": str(tmp_path), "PYTHONPATH": str(MAKE.parent)})
    assert run.returncode == 1 and run.stderr.startswith("graze: cmake is not here") and run.stderr.count("\n") == 1


def test_without_numpy_one_line_says_so(tmp_path):
    (tmp_path / "numpy.py").write_text("raise ImportError('none')")
    run = subprocess.run([sys.executable, "-c", "import graze"], capture_output=True, text=True,
                         env={**os.environ, "PYTHONPATH": f"{tmp_path}:{MAKE.parent}"})
    assert run.stderr.splitlines()[-1].startswith("ImportError: graze: NumPy is not here")
