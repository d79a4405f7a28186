#!/bin/sh
# Weakens each constant that a proof rests on, one at a time, in a copy of the tree, and says which test notices: first
# to the value of the table, then, where a test prints how much of the bound it saw used ("bound NAME used SHARE"), to
# 0.9 of that share.
# usage: mutate_constants.sh SOURCE_DIR WORK_DIR [WORD…]   only constants whose name holds one of the words
# Ends with 1 when a weakened bound goes unnoticed, or when a choice that no proof rests on does not.
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
shift 2
. "$source/test/mutate_tree.sh"

# File, name, weakened value, what is expected, tests that look at it. The file is one of the two headers below, which
# must be listed in full, or a path. `caught`: some test must fail. `choice`: proofs hold for any value, and all pass.
table() {
    cat <<TABLE
bounds GZ_TI_FILTER_EE 0 caught ti_filter
bounds GZ_TI_FILTER_VF 0 caught ti_filter
bounds GZ_TI_FILTER_EE_SEPARATION 0 caught ti_filter
bounds GZ_TI_FILTER_VF_SEPARATION 0 caught ti_filter
bounds GZ_POINT_SLACK 0 caught broad
bounds GZ_POINT_TINY 0 caught broad
bounds GZ_EXACT_PRODUCT 0 caught broad
bounds GZ_WINDOW_SLACK 0 caught broad
bounds GZ_WINDOW_TINY 0 caught broad
bounds GZ_DOT_SLACK 0 caught step_bounds probe_bounds error_bounds
bounds GZ_DOT_TINY 0 caught step_bounds probe_bounds error_bounds
bounds GZ_NORM_UP 1.0 caught probe_bounds error_bounds
bounds GZ_NORM_TINY 0 caught probe_bounds error_bounds
bounds GZ_ROOT_DOWN 1.0 caught step_bounds probe_bounds error_bounds
bounds GZ_ROOT_UP 1.0 caught probe_bounds error_bounds
bounds GZ_ROOT_TINY 0 caught probe_bounds error_bounds
bounds GZ_CURVE_SLACK 0 caught curve
bounds GZ_LEAST_DIVISOR 0x1p-1022 choice probe_bounds error_bounds
bounds GZ_CLOSE_RATIO 0 choice probe_bounds error_bounds
bounds GZ_DOT_SLACK_F32 0 caught probe_bounds_f32 float32
bounds GZ_DOT_TINY_F32 0 caught probe_bounds_f32 float32
bounds GZ_NORM_UP_F32 1.0f caught probe_bounds_f32 float32
bounds GZ_NORM_TINY_F32 0 caught probe_bounds_f32 float32
bounds GZ_ROOT_DOWN_F32 1.0f caught probe_bounds_f32 float32
bounds GZ_ROOT_UP_F32 1.0f caught probe_bounds_f32 float32
bounds GZ_ROOT_TINY_F32 0 caught probe_bounds_f32 float32
bounds GZ_LEAST_DIVISOR_F32 0x1p-126f choice probe_bounds_f32 float32
bounds GZ_CLOSE_RATIO_F32 0 choice probe_bounds_f32 float32
bounds GZ_NARROW_TINY 0 caught first_probe
bounds GZ_FAR_SLACK 0 caught far
bounds GZ_FAR_OFFSET 0 caught far
bounds GZ_FAR_LARGEST INFINITY caught far
bounds GZ_BESIDE_WIDTH 0 caught far
bounds GZ_BESIDE_SLACK 0 caught far
bounds GZ_REACH_UP 1.0 caught thick
bounds GZ_REACH_SLACK 0 caught thick
bounds GZ_VOLUME_SLACK 0 caught volume_bounds error_bounds
bounds GZ_VOLUME_TINY 0 caught volume_bounds error_bounds
bounds GZ_NORMAL_SLACK 0 caught volume_bounds error_bounds
bounds GZ_CLIP_DOWN 1.0 caught volume_bounds error_bounds
bounds GZ_TIME_DOWN 1.0 caught volume_bounds
bounds GZ_INSIDE_SLACK 0 caught volume_bounds error_bounds
bounds GZ_INSIDE_RATE 0.0 caught volume_bounds error_bounds
bounds GZ_INSIDE_SPAN 1.0 choice volume_bounds error_bounds
bounds GZ_VOLUME_CURVE 0.0 caught adjacent_bounds
bounds GZ_TURN_SLACK 0 caught adjacent_bounds
bounds GZ_TURN_CURVE 0.0 caught adjacent_bounds
bounds GZ_NORMAL_LEAST 0 caught adjacent_bounds
bounds GZ_THIN_MAX 1e300 caught adjacent_bounds
bounds GZ_THIN_FACTOR 0.0 caught adjacent_bounds
bounds GZ_VOLUME_SLACK_DD 0 caught adjacent_bounds
bounds GZ_DOT_SLACK_DD 0 caught adjacent_bounds
bounds GZ_SQUARE_SLACK_DD 0 caught adjacent_bounds
bounds GZ_POLY_SLACK 0 caught exact_numbers
bounds GZ_POLY_TINY 0 caught exact_numbers exact_bounds
bounds GZ_LINE_SLACK 0 caught exact_bounds
bounds GZ_CARRIED_ROUND 0 caught exact_bounds
bounds GZ_CARRIED_UP 1.0 caught exact_bounds
bounds GZ_CARRIED_TINY 0 caught exact_bounds
bounds GZ_ENCLOSE_DOWN 1.0 caught exact_bounds
bounds GZ_ENCLOSE_UP 1.0 caught exact_bounds
bounds GZ_ENCLOSE_TINY 0 caught exact_bounds
bounds GZ_CUT_DOWN 1.0 caught exact_bounds
bounds GZ_CUT_UP 1.0 caught exact_bounds
bounds GZ_SIDE_SLACK 0 caught start_bounds
bounds GZ_SIDE_TINY 0 caught start_bounds
bounds GZ_CLOSEST_SLACK 0 caught relative
bounds GZ_CLOSEST_TINY 0 caught relative
bounds GZ_PLANES_SHARE 0x1p-30 choice step_bounds
bounds GZ_DISTANCE_SLACK 0 caught error_bounds
bounds GZ_SINE_ERROR 0 caught articulated_maths
bounds GZ_TAYLOR_SLACK 0 caught articulated_maths
bounds GZ_TAYLOR_UP 1.0 caught articulated_maths
bounds GZ_TAYLOR_TINY 0 caught articulated_maths
bounds GZ_PATH_ERROR 0 caught articulated_maths
bounds GZ_SPLINE_ERROR 0 caught spline
bounds GZ_PLAN_TIME 0 caught spline
bounds GZ_SHIFT_ERROR 0 caught articulated_maths
bounds GZ_JOINT_ERROR 0 caught articulated_maths
bounds GZ_TURN_ERROR 0 caught articulated_maths
bounds GZ_SINC_ERROR 0 caught articulated_maths
bounds GZ_SCREW_ERROR 0 caught articulated_maths
bounds GZ_PROJECTION_SLACK 0 caught articulated_maths
bounds GZ_CROSSING_SLACK 0.0 caught articulated_maths
bounds GZ_CROSSING_TINY 0 caught articulated_maths
bounds GZ_UNIT_UP 1.0 caught articulated_maths
bounds GZ_WAIT_DOWN 1.0 caught articulated_maths
bounds GZ_LENGTH_DOWN 1.0 caught articulated_maths
bounds GZ_LENGTH_TINY 0 caught articulated_maths
bounds GZ_REACH_DOWN 1.0 caught articulated_maths
bounds GZ_EXTENT_UP 1.0 caught articulated_maths
safe mu 0 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe beyond 0 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe tau 0 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe eta 0 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe radius 0 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe slope 0 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe rho 0 choice safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe psi 0 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe lambda2 0 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe squared 0 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
safe drift 0 caught safe_tolerances safe_numerics safe_tolerances_f32 safe_numerics_f32
src/compared/numerics/bernstein.c UNIT 0 caught intervals
src/compared/numerics/bernstein.c SLACK 1.0 caught intervals
src/compared/numerics/bernstein.c UNDERFLOW 0 caught intervals
src/compared/narrow/safe_real.h REAL_TINY 0 caught safe_tolerances safe_tolerances_f32
src/compared/narrow/safe_real.h TIME_TINY 0 caught safe_tolerances safe_tolerances_f32
TABLE
}

# 1 + 2u is the first number above 1, and more than was used of these: 0.9 of it is 1, which the table tries.
coarse="GZ_NORM_UP GZ_NORM_UP_F32"

bounds=src/numerics/error_bounds.h
safe=src/compared/narrow/safe_tolerances.h

# every constant is in the table, and nothing else
defined=$(sed -n 's/^#define \(GZ_[A-Z0-9_]*\) .*/\1/p' "$source/$bounds" | sort)
defined="$defined $(sed -n 's/^    k\.\([a-z0-9]*\) = .*/\1/p' "$source/$safe" | grep -v '^bound$' | sort)"
listed="$(table | sed -n 's/^bounds \([^ ]*\).*/\1/p' | sort) $(table | sed -n 's/^safe \([^ ]*\).*/\1/p' | sort)"
# shellcheck disable=SC2086,SC2116
if [ "$(echo $defined)" != "$(echo $listed)" ]; then
    echo "mutate: the table of this script does not list the constants of $bounds and $safe" >&2
    exit 2
fi

prepare_tree
restore() {
    # shellcheck disable=SC2046
    restore_files $(table | sed "s|^bounds |$bounds |; s|^safe |$safe |; s/ .*//" | sort -u)
}

table | while read -r file name rest; do
    if wanted "$name" "$@"; then echo "$file $name $rest"; fi
done >"$work/table"

restore
: >"$work/said"
# shellcheck disable=SC2046
found=$(build_and_run $(while read -r _ _ _ _ tests; do echo "$tests"; done <"$work/table" | tr ' ' '\n' | sort -u))
[ -z "$found" ] || { echo "mutate: a test fails as it is: $found" >&2; exit 2; }
cp "$work/said" "$work/as_it_is"

share_used() { # name: the largest share that a test printed, or nothing
    case " $coarse " in *" $1 "*) return 0 ;; esac
    awk -v name="$1" '$1 == "bound" && $2 == name && $4 > most {most = $4} END {if (most) printf "%.9e", 0.9 * most}' \
        "$work/as_it_is"
}

weaker() { # name share: its definition with only that share of the bound
    sed -n "s|^#define $1 ||p" "$source/$bounds" |
        sed -E "s/(0x[0-9a-f.]+p-?[0-9]+)(f?)/(\1\2 * $2\2)/; t; s/^[0-9.]+\$/(& * $2)/"
}

try() { # what is printed, value, for the row at hand
    restore
    case $file in
    bounds) sed -i "s|^#define $name .*|#define $name $2|" "$tree/$bounds" ;;
    safe) sed -i "s|^    k\.$name = .*|    k.$name = $2;|" "$tree/$safe" ;;
    *) sed -i "s|^#define $name .*|#define $name $2|" "$tree/$file" ;;
    esac
    # shellcheck disable=SC2086
    found=$(build_and_run $tests)
    judge "$expected" "$found"
    printf '%-28s %-16s %-8s %s\n' "$name" "$1" "$verdict" "$found"
}

while read -r file name value expected tests; do
    try "$value" "$value"
    share=$(share_used "$name")
    if [ -n "$share" ]; then try "times $(printf %.3g "$share")" "$(weaker "$name" "$share")"; fi
done <"$work/table"
exit $status
