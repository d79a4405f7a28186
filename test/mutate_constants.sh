#!/bin/sh
# Weakens each constant that a proof rests on, one at a time, and says which test notices. A copy of the tree is built once,
# with each constant (or its slack, as in 1 + slack) times a share that the environment names: GRAZE_WEAKEN="ROW SHARE". The
# table has a share for each that tests notice (0x1p-3: an eighth), about the largest. Where a test prints how much of the bound
# it saw used ("bound NAME used SHARE") the row says `used`, and the share is 0.9 of that.
# usage: mutate_constants.sh SOURCE_DIR WORK_DIR [--check | --least] [WORD…]   only constants whose name holds one of the words
#   --check  only sees to it that the table is whole
#   --least  says, for each constant without `used`, the nearest power of two that a test notices: what the table should have
# Ends with 1 when a weakened bound goes unnoticed, or when a choice that no proof rests on does not.
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
shift 2
what=try
case ${1:-} in --check | --least) what=${1#--}; shift ;; esac
. "$source/test/mutate_tree.sh"

# File, name, share, what is expected, tests that look at it. The file is one of the two headers below, which must be listed in
# full, or a path. `caught`: some test must fail. `choice`: proofs hold for any value, and all pass; the row says why.
table() {
    cat <<TABLE
bounds GZ_TI_FILTER_EE 0x1p-3 caught ti_filter
bounds GZ_TI_FILTER_VF 0x1p-3 caught ti_filter
bounds GZ_TI_FILTER_EE_SEPARATION 0x1p-1 caught ti_filter
bounds GZ_TI_FILTER_VF_SEPARATION 0x1p-1 caught ti_filter
bounds GZ_POINT_SLACK 0x1p-8 caught broad
bounds GZ_POINT_TINY 0x1p-15 caught broad
bounds GZ_EXACT_PRODUCT 0x1p-122 caught broad
bounds GZ_WINDOW_SLACK 0x1p-3 caught broad
bounds GZ_WINDOW_TINY 0x1p-5 caught broad
bounds GZ_DOT_SLACK used caught step_bounds probe_bounds error_bounds
bounds GZ_DOT_TINY 0x1p-14 caught step_bounds probe_bounds error_bounds
bounds GZ_NORM_UP 0x1p-2 caught probe_bounds error_bounds
bounds GZ_NORM_TINY 0x1p-15 caught probe_bounds error_bounds
bounds GZ_ROOT_DOWN used caught step_bounds probe_bounds error_bounds
bounds GZ_ROOT_UP used caught probe_bounds error_bounds
bounds GZ_ROOT_TINY 0x1p-75 caught probe_bounds error_bounds
bounds GZ_CURVE_SLACK 0x1p-1 caught curve
bounds GZ_LEAST_DIVISOR 0x1p-22 choice probe_bounds error_bounds ~ keeps quotients of directions finite; any direction is proven before it is used
bounds GZ_CLOSE_RATIO 0 choice probe_bounds error_bounds ~ chooses between two directions, each proven before it is used
bounds GZ_DOT_SLACK_F32 used caught probe_bounds_f32 float32
bounds GZ_DOT_TINY_F32 0x1p-8 caught probe_bounds_f32 float32
bounds GZ_NORM_UP_F32 0x1p-2 caught probe_bounds_f32 float32
bounds GZ_NORM_TINY_F32 0x1p-9 caught probe_bounds_f32 float32
bounds GZ_ROOT_DOWN_F32 used caught probe_bounds_f32 float32
bounds GZ_ROOT_UP_F32 used caught probe_bounds_f32 float32
bounds GZ_ROOT_TINY_F32 0x1p-50 caught probe_bounds_f32 float32
bounds GZ_LEAST_DIVISOR_F32 0x1p-26 choice probe_bounds_f32 float32 ~ as in double
bounds GZ_CLOSE_RATIO_F32 0 choice probe_bounds_f32 float32 ~ as in double
bounds GZ_NARROW_TINY 0x1p-30 caught first_probe
bounds GZ_FAR_SLACK 0x1p-9 caught far
bounds GZ_FAR_OFFSET 0x1p-16 caught far
bounds GZ_FAR_LARGEST 0x1p30 caught far
bounds GZ_BESIDE_WIDTH 0x1p-2 caught far
bounds GZ_BESIDE_SLACK 0x1p-7 caught far
bounds GZ_REACH_UP 0x1p-2 caught thick
bounds GZ_REACH_SLACK 0x1p-5 caught thick
bounds GZ_VOLUME_SLACK used caught volume_bounds error_bounds
bounds GZ_VOLUME_TINY used caught volume_bounds error_bounds
bounds GZ_NORMAL_SLACK used caught volume_bounds error_bounds
bounds GZ_CLIP_DOWN used caught volume_bounds error_bounds
bounds GZ_TIME_DOWN 0x1p-2 caught volume_bounds
bounds GZ_INSIDE_SLACK used caught volume_bounds error_bounds
bounds GZ_INSIDE_RATE used caught volume_bounds error_bounds
bounds GZ_INSIDE_SPAN 4096 choice volume_bounds error_bounds ~ a wider bracket costs a proof that fails, or is proven
bounds GZ_VOLUME_CURVE used caught adjacent_bounds
bounds GZ_TURN_SLACK used caught adjacent_bounds
bounds GZ_TURN_CURVE used caught adjacent_bounds
bounds GZ_NORMAL_LEAST 0x1p-17 caught adjacent_bounds
bounds GZ_THIN_MAX 0x1p16 caught adjacent_bounds
bounds GZ_THIN_FACTOR 0x1p-16 caught adjacent_bounds
bounds GZ_VOLUME_SLACK_DD used caught adjacent_bounds
bounds GZ_DOT_SLACK_DD used caught adjacent_bounds
bounds GZ_SQUARE_SLACK_DD used caught adjacent_bounds
bounds GZ_POLY_SLACK 0x1p-6 caught exact_numbers
bounds GZ_POLY_TINY 0x1p-12 caught exact_numbers exact_bounds
bounds GZ_LINE_SLACK 0x1p-1 caught exact_bounds
bounds GZ_CARRIED_ROUND 0x1p-2 caught exact_bounds
bounds GZ_CARRIED_UP 0x1p-3 caught exact_bounds
bounds GZ_CARRIED_TINY 0x1p-15 caught exact_bounds
bounds GZ_ENCLOSE_DOWN 0x1p-2 caught exact_bounds
bounds GZ_ENCLOSE_UP 0x1p-2 caught exact_bounds
bounds GZ_ENCLOSE_TINY 0x1p-1 caught exact_bounds
bounds GZ_CUT_DOWN 0x1p-3 caught exact_bounds
bounds GZ_CUT_UP 0x1p-3 caught exact_bounds
bounds GZ_SIDE_SLACK 0x1p-5 caught start_bounds
bounds GZ_SIDE_TINY 0x1p-175 caught start_bounds
bounds GZ_CLOSEST_SLACK 0x1p-5 caught relative
bounds GZ_CLOSEST_TINY 0x1p-3 caught relative
bounds GZ_KEPT_DIAGONAL 0x1p-1 caught kept_reach
bounds GZ_KEPT_TOLERANCE 0x1p-2 caught kept_reach
bounds GZ_KEPT_UP 0x1p-14 caught kept_reach
bounds GZ_KEPT_TINY 0x1p-7 caught kept_reach
bounds GZ_NEAR_MOVES 0x1p-1 caught proximity
bounds GZ_PLANES_SHARE 1024 choice step_bounds ~ planes anywhere in the gap part the vertices
bounds GZ_DISTANCE_SLACK 0x1p-8 caught error_bounds
bounds GZ_SINE_ERROR 0x1p-3 caught articulated_maths
bounds GZ_TAYLOR_SLACK 0x1p-5 caught articulated_maths
bounds GZ_TAYLOR_UP 0x1p-5 caught articulated_maths
bounds GZ_TAYLOR_TINY 0x1p-73 caught articulated_maths
bounds GZ_PATH_ERROR 0x1p-6 caught articulated_maths
bounds GZ_SPLINE_ERROR 0x1p-5 caught spline
bounds GZ_PLAN_TIME 0x1p-2 caught spline
bounds GZ_SHIFT_ERROR 0x1p-7 caught articulated_maths
bounds GZ_JOINT_ERROR 0x1p-8 caught articulated_maths
bounds GZ_TURN_ERROR 0x1p-13 caught articulated_maths
bounds GZ_SINC_ERROR 0x1p-5 caught articulated_maths
bounds GZ_SCREW_ERROR 0x1p-10 caught articulated_maths
bounds GZ_ROTVEC_ERROR used caught rotvec
bounds GZ_ROTVEC_COSINE 0x1p-1 caught rotvec
bounds GZ_ROTVEC_SINE 0x1p-1 caught rotvec
bounds GZ_ROTVEC_REST 0x1p-1 caught rotvec
bounds GZ_ROTVEC_FAR_COSINE 0x1p-1 caught rotvec
bounds GZ_ROTVEC_FAR_SINE 0x1p-1 caught rotvec
bounds GZ_CONTROL_SLACK used caught controls
bounds GZ_PROJECTION_SLACK 0x1p-8 caught articulated_maths
bounds GZ_CROSSING_SLACK 0x1p-5 caught articulated_maths
bounds GZ_CROSSING_TINY 0x1p-75 caught articulated_maths
bounds GZ_UNIT_UP 0x1p-12 caught articulated_maths
bounds GZ_WAIT_DOWN 0x1p-8 caught articulated_maths
bounds GZ_LENGTH_DOWN 0x1p-4 caught articulated_maths
bounds GZ_LENGTH_TINY 0x1p-9 caught articulated_maths
bounds GZ_REACH_DOWN 0x1p-4 caught articulated_maths
bounds GZ_TILTED_SLACK 0x1p-10 caught tilted
bounds GZ_EXTENT_UP 0x1p-13 caught articulated_maths
bounds GZ_PRISM_UP 0x1p-12 caught shapes
bounds GZ_PRISM_LEAST 0x1p-160 caught shapes
bounds GZ_STILL_SLACK 0x1p-6 caught world_bounds
safe mu 0x1p-26 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe beyond 0x1p-13 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe tau 0x1p-1 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe eta 0x1p-1 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe radius 0x1p-1 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe slope 0x1p-1 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe rho 0 choice safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32 ~ drops coefficients that psi covers
safe psi 0x1p-3 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe lambda2 0x1p-2 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe squared 0x1p-3 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe drift 0x1p-13 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
include/graze/compat/ipc_toolkit/steps.hpp GRAZE_ROUNDED_STATE 0x1p-12 caught compat_steps
src/compared/numerics/bernstein.c UNIT 0x1p-3 caught intervals
src/compared/numerics/bernstein.c SLACK 0x1p-14 caught intervals
src/compared/numerics/bernstein.c UNDERFLOW 0x1p-25 caught intervals
src/compared/narrow/safe_real.h REAL_TINY 0x1p-15 caught safe_tolerances safe_tolerances_f32
src/compared/narrow/safe_real.h TIME_TINY 0x1p-45 caught safe_tolerances safe_tolerances_f32
TABLE
}

bounds=src/numerics/error_bounds.h
safe=src/compared/narrow/safe_tolerances.h

path_of() { case $1 in bounds) echo $bounds ;; safe) echo $safe ;; *) echo "$1" ;; esac; }

# every constant is in the table, and nothing else
defined=$(sed -n 's/^#define \(GZ_[A-Z0-9_]*\) .*/\1/p' "$source/$bounds" | sort)
defined="$defined $(sed -n 's/^    k\.\([a-z0-9]*\) = .*/\1/p' "$source/$safe" | grep -v '^bound$' | sort)"
listed="$(table | sed -n 's/^bounds \([^ ]*\).*/\1/p' | sort) $(table | sed -n 's/^safe \([^ ]*\).*/\1/p' | sort)"
# shellcheck disable=SC2086,SC2116
if [ "$(echo $defined)" != "$(echo $listed)" ]; then
    echo "mutate: the table of this script does not list the constants of $bounds and $safe" >&2
    exit 2
fi

# Multiplies the number of each definition of the table by its share.
weaken() { # file name: changes the file of the tree
    changed=$tree/$(path_of "$1") share="GZ_SHARE($(row_of "$2"))"
    cp "$changed" "$work/before"
    if [ "$1" = safe ]; then
        sed -i -E "s|^    k\.$2 = (.*);|    k.$2 = (\1) * (real)$share;|" "$changed"
    else
        sed -i -E "/^#define $2 /{s/(0x[0-9a-f.]+p-?[0-9]+)f/(\1f * (float)$share)/;t;s/(0x[0-9a-f.]+p-?[0-9]+)/(\1 * $share)/;t;s/ ([0-9.]+)\$/ (\1 * $share)/}" "$changed"
    fi
    ! cmp -s "$changed" "$work/before" || { echo "mutate: $1 has no number $2 that can be weakened" >&2; exit 2; }
}

share_header() {
    cat <<'TEXT'
/* GZ_SHARE(row): 1, or what GRAZE_WEAKEN says of this row. */
#ifndef GZ_SHARE
#include <stdlib.h>
static long gz_weakened_row;
static double gz_weakened_share;
__attribute__((constructor)) static void gz_weaken(void) {
    char *said = getenv("GRAZE_WEAKEN");
    if (!said) return;
    gz_weakened_row = strtol(said, &said, 10);
    gz_weakened_share = strtod(said, 0);
}
#define GZ_SHARE(row) (gz_weakened_row == (row) ? gz_weakened_share : 1.0)
#endif
TEXT
}

row_of() { table | awk -v name="$1" '$2 == name {print NR}'; }

table | while read -r file name rest; do
    if wanted "$name" "$@"; then echo "$file $name $rest"; fi
done >"$work/table"
[ -s "$work/table" ] || { echo "mutate: no constant has a name with $*" >&2; exit 2; }

# of the whole tree, or of the files alone
if [ $what = check ]; then
    for file in $(table | sed 's/ .*//' | sort -u); do
        mkdir -p "$(dirname "$tree/$(path_of "$file")")" "$tree/src"
        cp "$source/$(path_of "$file")" "$tree/$(path_of "$file")"
    done
else
    copy_tree
fi
share_header >"$tree/src/share.h"
table | while read -r file name _; do weaken "$file" "$name"; done
for file in $(table | sed 's/ .*//' | sort -u); do
    sed -i '1i #include "share.h"' "$tree/$(path_of "$file")"
done
[ $what != check ] || exit 0
configure_plain

tests_of() { printf '%s\n' "${1% ~ *}"; }

: >"$work/said"
# shellcheck disable=SC2046
set -- $(while read -r _ _ _ _ tests; do tests_of "$tests"; done <"$work/table" | tr ' ' '\n' | sort -u)
build_tests "$@"
found=$(run_tests "$@")
[ -z "$found" ] || { echo "mutate: a test fails as it is: $found" >&2; exit 2; }
cp "$work/said" "$work/as_it_is"

share_used() { # name: 0.9 of the largest share that a test printed
    awk -v name="$1" '$1 == "bound" && $2 == name && $4 > most {most = $4} END {if (most) printf "%.9e", 0.9 * most}' \
        "$work/as_it_is"
}

noticed() { # share, for the row at hand
    # shellcheck disable=SC2046
    found=$(GRAZE_WEAKEN="$(row_of "$name") $1" run_tests $(tests_of "$tests"))
    [ -n "$found" ]
}

try() { # share, for the row at hand
    noticed "$1" || :
    judge "$expected" "$found"
    printf '%-28s %-16s %-8s %s\n' "$name" "times $(printf %.3g "$1")" "$verdict" "$found"
}

# The least number of halvings (doublings, where the table has a share above 1) that the first test to notice notices, up to 1,000.
least() {
    sign=- most=0
    case $share in inf | 0x1p[0-9]*) sign='' most=inf ;; esac
    noticed $most || { echo "$name unnoticed"; return; }
    test=${found%%:*} sentence=${found#*: } unseen=0 seen=1
    until notices "0x1p$sign$seen"; do
        unseen=$seen seen=$((2 * seen))
        [ $seen -le 1000 ] || break
    done
    while [ $((seen - unseen)) -gt 1 ]; do
        middle=$(((seen + unseen) / 2))
        if notices "0x1p$sign$middle"; then seen=$middle; else unseen=$middle; fi
    done
    echo "$name 0x1p$sign$seen"
}

notices() { # share: the test and sentence at hand
    ! GRAZE_WEAKEN="$(row_of "$name") $1" timeout 120 "$work/build/test/test_$test" "$sentence" >"$work/output" 2>&1
}

while read -r file name share expected tests; do
    if [ $what = least ]; then
        [ "$expected" = choice ] || [ "$share" = used ] || least
        continue
    fi
    [ "$share" != used ] || share=$(share_used "$name")
    [ -n "$share" ] || { echo "mutate: no test prints how much of $name is used" >&2; exit 2; }
    try "$share"
done <"$work/table"
exit $status
