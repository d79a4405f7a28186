"""The build back end of pyproject.toml (PEP 517, 660): `pip install .`, `pip install -e .`, `pip wheel .` and source
distributions, without an index.

It compiles the library by cmake in a temporary folder, or takes it from the build folder that GRAZE_COMPILED names;
make_wheel.py says what a wheel holds.
"""

import io
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import make_wheel

ROOT = pathlib.Path(__file__).resolve().parent.parent
OPTIONS = ["-DCMAKE_BUILD_TYPE=Release", "-DGRAZE_PROGRAM=OFF", "-DGRAZE_TESTS=OFF", "-DGRAZE_INSTALL=OFF",
           "-DGRAZE_PYTHON_PACKAGE=ON", "-DGRAZE_ROBOT=ON"]
TARGETS = ["graze_shared", "graze_python"]
# Files and folders that the build of the package reads.
SOURCES = ["CMakeLists.txt", "CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml", "cmake", "include", "io", "python", "robot", "src"]


def _run(command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{done.stdout}\ngraze: the library could not be compiled: {' '.join(command)}")


def libraries_in(folder):
    """Of a build folder; the reader of URDF is left out where Expat was not there to be part of it."""
    robot = pathlib.Path(folder) / "python" / "libgraze_robot.so"
    return [*(pathlib.Path(folder) / name for name in ("libgraze.so", "libgraze_python.so")), *([robot] if robot.exists() else [])]


def _compiled(folder):
    """The libraries, compiled into a folder."""
    there = os.environ.get("GRAZE_COMPILED")
    if there:
        return libraries_in(there)
    if not shutil.which("cmake"):
        sys.exit("graze: cmake is not here: the package is compiled from C, by cmake 3.21 or later and a C compiler")
    _run(["cmake", "-S", str(ROOT), "-B", folder, *OPTIONS])
    _run(["cmake", "--build", folder, "-j", str(os.cpu_count() or 1), "--target", *TARGETS])
    return libraries_in(folder)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as folder:
        return make_wheel.write_wheel(wheel_directory, _compiled(folder)).name


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """The Python files stay in the clone; the libraries are those of the day of the installation."""
    with tempfile.TemporaryDirectory() as folder:
        return make_wheel.write_wheel(wheel_directory, _compiled(folder), editable=True).name


def prepare_metadata_for_build_wheel(metadata_directory, config_settings=None):
    folder = pathlib.Path(metadata_directory) / make_wheel.facts_folder()
    folder.mkdir()
    (folder / "METADATA").write_bytes(make_wheel.metadata())
    (folder / "WHEEL").write_bytes(make_wheel.wheel_facts("py3-none-any"))
    return folder.name


prepare_metadata_for_build_editable = prepare_metadata_for_build_wheel


def _is_source(info):
    return None if "__pycache__" in info.name or info.name.endswith((".pyc", ".so")) else info


def build_sdist(sdist_directory, config_settings=None):
    name = f"{make_wheel.NAME}-{make_wheel.version()}"
    with tarfile.open(pathlib.Path(sdist_directory) / f"{name}.tar.gz", "w:gz", format=tarfile.PAX_FORMAT) as archive:
        for source in SOURCES:
            archive.add(ROOT / source, f"{name}/{source}", filter=_is_source)
        facts = tarfile.TarInfo(f"{name}/PKG-INFO")
        facts.size = len(make_wheel.metadata())
        archive.addfile(facts, io.BytesIO(make_wheel.metadata()))
    return f"{name}.tar.gz"
