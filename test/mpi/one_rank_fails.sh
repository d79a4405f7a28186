#!/bin/sh
# Three ranks of a real MPI, of which one alone fails. Exits 77 where there is no such MPI.
# usage: one_rank_fails.sh PROGRAM openmpi|mpich
set -eu
build=$(cd "$(dirname "$1")" && pwd) launcher=mpirun.$2
command -v "$launcher" >/dev/null 2>&1 || { echo "skipped: there is no $launcher"; exit 77; }
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
OMPI_MCA_btl_vader_single_copy_mechanism=none GRAZE_MPI_LIBRARY=$build/libgraze_mpi_$2.so
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_mpi_yield_when_idle
export OMPI_MCA_btl_vader_single_copy_mechanism GRAZE_MPI_LIBRARY
timeout 60 "$launcher" -n 2 true >/dev/null 2>&1 || { echo "skipped: $launcher cannot start two processes here"; exit 77; }
[ -e "$GRAZE_MPI_LIBRARY" ] || { echo "skipped: the library for $2 was not built"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
timeout 1200 "$launcher" -n 3 "$build/test/test_one_rank_fails_$2"
