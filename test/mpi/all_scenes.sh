#!/bin/sh
# The matrix of steps over ranks: every scene that is here, 1 to 8 ranks, both MPIs.
# usage: all_scenes.sh PROGRAM
set -eu
program=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
set --
for scene in $("$program" scene --list | cut -d ' ' -f 1); do
    "$program" scene "$scene" --out "$folder/$scene" --frames 6 >/dev/null
    frames=$(find "$folder/$scene" -name '*.ply' | sort)
    # shellcheck disable=SC2086
    set -- "$@" $(echo $frames | cut -d ' ' -f 4) $(echo $frames | cut -d ' ' -f 6)
done
for frames in "${GRAZE_DATA:-/nowhere}"/scenes/*/frames; do
    [ -d "$frames" ] || continue
    set -- "$@" "$(find "$frames" -name '*.ply' | sort | head -n 1)" "$(find "$frames" -name '*.ply' | sort | sed -n 2p)"
done
here=$(dirname "$0")
for mpi in openmpi mpich; do sh "$here/one_rank_fails.sh" "$program" $mpi || [ $? = 77 ]; done
sh "$here/matrix.sh" "$program" "openmpi mpich" "1 2 3 4 8"
sh "$here/matrix.sh" "$program" "openmpi mpich" "1 2 3 4 8" "$@"
