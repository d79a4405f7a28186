#!/bin/sh
# One step over ranks against one process, byte for byte but for times: verdict, pair and counts, the list of all pairs in its
# file, and the time of every vertex. Exits 77 where there is no such MPI.
# usage: matrix.sh PROGRAM "openmpi mpich" "2 3" FRAMES_A FRAMES_B [FRAMES_A FRAMES_B…]; without frames: small generated scenes
set -eu
program=$1 mpis=$2 ranks=$3
shift 3
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1
OMPI_MCA_btl_vader_single_copy_mechanism=none # containers often forbid the other one
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe OMPI_MCA_mpi_yield_when_idle
export OMPI_MCA_btl_vader_single_copy_mechanism
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if [ $# = 0 ]; then
    "$program" scene cloth-ball --out "$folder/ball" --size 24 --frames 4 >/dev/null
    "$program" scene n-body --out "$folder/bodies" --size 6 --frames 4 >/dev/null
    # a file that ranks cannot share: text, with lines and points
    {
        printf 'ply\nformat ascii 1.0\nelement vertex 8\nproperty double x\nproperty double y\nproperty double z\n'
        printf 'element face 1\nproperty list uchar int vertex_indices\nelement edge 2\nproperty int vertex1\nproperty int vertex2\nend_header\n'
    } >"$folder/head"
    tail='3 0 1 2\n3 4\n5 6\n'
    { cat "$folder/head"; printf '0 0 0\n1 0 0\n0 1 0\n0.2 0.2 1\n0.4 0.2 1\n0.3 0.1 -2\n0.3 0.3 2\n0.25 0.25 3\n'"$tail"; } >"$folder/text_a.ply"
    { cat "$folder/head"; printf '0 0 0\n1 0 0\n0 1 0\n0.2 0.2 0.5\n0.4 0.2 0.5\n0.3 0.1 -1\n0.3 0.3 -1\n0.25 0.25 -2\n'"$tail"; } >"$folder/text_b.ply"
    set -- "$folder/text_a.ply" "$folder/text_b.ply"
    for scene in ball bodies; do
        frames=$(find "$folder/$scene" -name '*.ply' | sort)
        # shellcheck disable=SC2086
        set -- "$@" $(echo $frames | cut -d ' ' -f 2) $(echo $frames | cut -d ' ' -f 4)
    done
fi
plain() { sed 's/"time_ms":{[^}]*},//; s/,"ranks":[0-9]*//'; }
compared=0 found='' touched=no
for mpi in $mpis; do
    command -v "mpirun.$mpi" >/dev/null 2>&1 && [ -e "$(dirname "$program")/libgraze_mpi_$mpi.so" ] &&
        timeout 60 "mpirun.$mpi" -n 2 true >/dev/null 2>&1 && found="$found $mpi"
done
[ -n "$found" ] || { echo "skipped: there is none of these, or it cannot start two processes here: $mpis"; exit 77; }
while [ $# -gt 1 ]; do
    for mode in earliest all vertices; do
        out=''
        [ $mode = all ] && out="--pairs-out $folder/one.pairs"
        # shellcheck disable=SC2086
        "$program" step "$1" "$2" --mode $mode $out --json --threads 1 --separation 1e-3 2>/dev/null | plain >"$folder/one"
        [ $mode = all ] && [ "$(wc -c <"$folder/one.pairs")" -gt 4 ] && touched=yes
        for mpi in $found; do
            for n in $ranks; do
                [ $mode = all ] && out="--pairs-out $folder/many.pairs"
                # shellcheck disable=SC2086
                "mpirun.$mpi" -n "$n" "$program" step "$1" "$2" --mode $mode $out --mpi --json --threads 1 --separation 1e-3 2>"$folder/said" >"$folder/printed" ||
                    { cat "$folder/said"; echo "$mpi, $n ranks, $mode, $1: failed"; exit 1; }
                grep -q "\"ranks\":$n" "$folder/printed" || { echo "$mpi: $n ranks are not $n ranks"; exit 1; }
                plain <"$folder/printed" >"$folder/many"
                cmp "$folder/one" "$folder/many" || { echo "$mpi, $n ranks, $mode, $1: another answer"; exit 1; }
                [ $mode != all ] || cmp "$folder/one.pairs" "$folder/many.pairs" || { echo "$mpi, $n ranks, $1: another list"; exit 1; }
                compared=$((compared + 1))
            done
        done
    done
    shift 2
done
[ $touched = yes ] || { echo "nothing touches in these scenes"; exit 1; }
echo "$compared steps over ranks of$found have the bytes of one process"
