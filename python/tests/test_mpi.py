"""Steps over the ranks of mpi4py communicators, which are passed by their Fortran handles."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest

SCRIPT = pathlib.Path(__file__).with_name("mpi_ranks.py")
QUIET = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
         "OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}


def launcher():
    """mpirun of the MPI that mpi4py is built on, and where the library for it is; skips where something is missing."""
    asked = subprocess.run([sys.executable, "-c", "from mpi4py import MPI; print(MPI.Get_library_version())"],
                           capture_output=True, text=True, env={**os.environ, **QUIET})
    if asked.returncode:
        pytest.skip("no mpi4py (Debian: python3-mpi4py)")
    name = "openmpi" if "Open MPI" in asked.stdout else "mpich"
    if not os.environ.get("GRAZE_LIBRARY"):
        pytest.skip("a wheel has no library for an MPI")
    library = pathlib.Path(os.environ["GRAZE_LIBRARY"]).with_name(f"libgraze_mpi_{name}.so")
    mpirun = shutil.which(f"mpirun.{name}")
    if not mpirun or not library.exists():
        pytest.skip(f"no mpirun.{name}, or no {library.name} beside libgraze")
    if subprocess.run([mpirun, "-n", "2", "true"], env={**os.environ, **QUIET}, capture_output=True).returncode:
        pytest.skip(f"mpirun.{name} cannot start two processes here")
    return mpirun, library


@pytest.mark.parametrize("ranks", [1, 3])
def test_ranks_of_mpi4py_have_the_bits_of_one_process(ranks):
    mpirun, library = launcher()
    done = subprocess.run([mpirun, "-n", str(ranks), sys.executable, str(SCRIPT)], capture_output=True, text=True, timeout=170,
                          env={**os.environ, **QUIET, "GRAZE_MPI_LIBRARY": str(library), "GRAZE_NUM_THREADS": "1"})
    assert done.returncode == 0, done.stderr[-2000:]
    assert f"{ranks} ranks of " in done.stdout


def test_a_library_for_another_mpi_is_refused():
    mpirun, library = launcher()
    other = library.with_name("libgraze_mpi_mpich.so" if "openmpi" in library.name else "libgraze_mpi_openmpi.so")
    if not other.exists():
        pytest.skip(f"no {other.name}")
    text = ("from mpi4py import MPI; import graze, numpy; from graze import mpi\nx = numpy.zeros((1, 3))\n"
            "try: mpi.step(MPI.COMM_WORLD, [0], x, x)\nexcept graze.Error as error: print(error)\n")
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=100,
                          env={**os.environ, **QUIET, "GRAZE_MPI_LIBRARY": str(other)})
    assert "MPI" in done.stdout and ("MPICH" in done.stdout or "Open MPI" in done.stdout), done.stdout + done.stderr
