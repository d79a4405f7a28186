#!/bin/sh
# Worlds of straight bodies take no more than 3 % more instructions than graze_step of the mesh that joins them, from some
# hundred triangles on, and give its bits. Counted by callgrind; skipped without it.
# usage: straight_cost.sh PROGRAM WORK_DIR [CELLS…]
set -eu
program=$1 work=$2
mkdir -p "$work"
shift 2
command -v valgrind >/dev/null 2>&1 || { echo "skipped: there is no valgrind"; exit 77; }

# count CELLS world|step FUNCTION: instructions in the function, then what the program printed
count() {
    GRAZE_ISA=avx2 valgrind --tool=callgrind "--toggle-collect=$3" "--callgrind-out-file=$work/$1.$2" \
        "$program" "$1" "$2" >"$work/said" 2>"$work/log" || { cat "$work/log"; exit 1; }
    sed -n 's/.*Collected : \([0-9]*\).*/\1/p' "$work/log"
    cat "$work/said"
}

for cells in "${@:-12}"; do
    # shellcheck disable=SC2046
    set -- $(count "$cells" step graze_step) $(count "$cells" world graze_world_step)
    echo "$((4 * cells * cells)) triangles: $1 instructions as a mesh, $3 as a world, toi $2 and $4"
    [ "$1" -gt 0 ] && [ "$2" = "$4" ] || { echo "not the same bits, or nothing counted"; exit 1; }
    [ "$((100 * $3))" -le "$((103 * $1))" ] || { echo "more than 3 % more"; exit 1; }
done
