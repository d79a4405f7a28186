#!/bin/sh
# What `graze step --mpi` says where something is wrong: one line, exit status 2 of every rank, and no file.
# usage: program.sh PROGRAM
set -eu
program=$1
command -v mpirun.openmpi >/dev/null 2>&1 || { echo "skipped: there is no mpirun.openmpi"; exit 77; }
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_mpi_yield_when_idle
timeout 60 mpirun.openmpi -n 2 true >/dev/null 2>&1 || { echo "skipped: mpirun.openmpi cannot start two processes here"; exit 77; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$program" scene cloth-ball --out "$folder/s" --size 8 --frames 2 >/dev/null
a=$(find "$folder/s" -name '*.ply' | sort | head -n 1) b=$(find "$folder/s" -name '*.ply' | sort | sed -n 2p)
status=0
# refused WORDS ARGUMENTS…
refused() {
    words=$1 said=0
    shift
    mpirun.openmpi -n 2 "$program" step "$@" --mpi >"$folder/out" 2>"$folder/err" || said=$?
    lines=$(grep -c '^graze: ' "$folder/err" || true)
    if [ $said != 2 ] || [ "$lines" != 1 ] || ! grep '^graze: ' "$folder/err" | grep -q -e "$words"; then
        echo "step $*: status $said, $lines lines, expected 2 and one with: $words"
        cat "$folder/err"
        status=1
    fi
}
refused "nowhere.ply" "$folder/nowhere.ply" "$b"
refused "method ti" "$a" "$b" --method ti
refused "not one of the inputs" "$a" "$b" --pairs-out "$a"
refused "one radius" "$a" "$b" --thickness "$a"
head -c 2000 "$a" >"$folder/cut.ply"
refused "cut.ply" "$folder/cut.ply" "$b"
# a vertex that is not there, and one that is no number, in the last rank's share
size=$(wc -c <"$b")
{ head -c $((size - 4)) "$b"; printf '\377\377\377\177'; } >"$folder/index.ply"
refused "there is no vertex 2147483647" "$folder/index.ply" "$folder/index.ply"
[ "$(find "$folder" -name '*part' | wc -l)" = 0 ] || { echo "a part of a file was left"; status=1; }
# --pairs-out: only a regular file is replaced, a link is followed, and a file of the user's own is left as it is
mkfifo "$folder/fifo"
refused "is no regular file" "$a" "$b" --mode all --pairs-out "$folder/fifo"
refused "is no regular file" "$a" "$b" --mode all --pairs-out "$folder/s"
refused "cannot write it" "$a" "$b" --mode all --pairs-out "$folder/nowhere/pairs.json"
[ -p "$folder/fifo" ] || { echo "a FIFO was replaced"; status=1; }
echo mine >"$folder/pairs.json.part"
echo old >"$folder/target.json"
ln -s target.json "$folder/pairs.json"
mpirun.openmpi -n 2 "$program" step "$a" "$b" --mode all --mpi --pairs-out "$folder/pairs.json" >/dev/null
[ -L "$folder/pairs.json" ] && [ "$(head -c 1 "$folder/target.json")" = '[' ] || { echo "a link was not followed"; status=1; }
[ "$(cat "$folder/pairs.json.part")" = mine ] || { echo "a file of the user's own was taken"; status=1; }
[ "$(find "$folder" -name '*.graze-part' | wc -l)" = 0 ] || { echo "a part of a file was left"; status=1; }
# ranks that see other files: two apart triangles, of which rank 1 cannot read its own
apart() {
    printf 'ply\nformat binary_little_endian 1.0\nelement vertex 6\nproperty double x\nproperty double y\nproperty double z\n'
    printf 'element face 2\nproperty list uchar int vertex_indices\nend_header\n'
    head -c 144 /dev/zero # all in one place
    printf '\003\000\000\000\000\001\000\000\000\002\000\000\000\003\003\000\000\000\004\000\000\000\005\000\000\000'
}
apart >"$folder/apart.ply"
mpirun.openmpi -n 2 "$program" step "$folder/apart.ply" "$folder/apart.ply" --mpi >"$folder/out" 2>"$folder/err" || { cat "$folder/err"; status=1; }
grep -q '^verdict *hit' "$folder/out" || { echo "triangles in one place do not touch"; status=1; }
said=0
mpirun.openmpi -n 1 "$program" step "$folder/apart.ply" "$folder/apart.ply" --mpi : \
    -n 1 "$program" step "$folder/none.ply" "$folder/none.ply" --mpi >"$folder/out" 2>"$folder/err" || said=$?
if [ $said != 2 ] || ! grep -q '6 vertices and 2 faces, and all ranks together read 3 and 1' "$folder/err" || grep -q verdict "$folder/out"; then
    echo "half of a mesh was taken for all of it: status $said"
    cat "$folder/out" "$folder/err"
    status=1
fi
# without a library for the MPI
if GRAZE_MPI_LIBRARY=$folder/none.so "$program" step "$a" "$b" --mpi 2>"$folder/err"; then status=1; fi
grep -q 'none.so' "$folder/err" || { echo "a missing library is not named"; cat "$folder/err"; status=1; }
# the launcher of another MPI: every process would be alone, and write the same files
said=0
PMI_SIZE=2 GRAZE_MPI_LIBRARY=$(dirname "$program")/libgraze_mpi_openmpi.so "$program" step "$a" "$b" --mpi >"$folder/out" 2>"$folder/err" || said=$?
if [ $said != 2 ] || ! grep -q 'started 2 processes' "$folder/err"; then
    echo "the launcher of another MPI is not noticed: status $said"
    status=1
fi
# one process without mpirun is one rank
"$program" step "$a" "$b" --mpi --json | grep -q '"ranks":1' || { echo "one process is not one rank"; status=1; }
[ $status = 0 ] && echo "failures have one line and status 2"
exit $status
