#!/bin/sh
# Weakens each constant that a proof rests on, one at a time, in a copy of the tree, and says which test notices.
# usage: mutate_constants.sh SOURCE_DIR WORK_DIR [WORD…]   only constants whose name holds one of the words
# Ends with 1 when a weakened bound goes unnoticed, or when a choice that no proof rests on does not.
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
shift 2

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
bounds GZ_WINDOW_SLACK 0 caught broad
bounds GZ_WINDOW_TINY 0 caught broad
bounds GZ_DOT_SLACK 0 caught probe_bounds error_bounds
bounds GZ_DOT_TINY 0 caught probe_bounds error_bounds
bounds GZ_NORM_UP 1.0 caught probe_bounds error_bounds
bounds GZ_NORM_TINY 0 caught probe_bounds error_bounds
bounds GZ_ROOT_DOWN 1.0 caught probe_bounds error_bounds
bounds GZ_ROOT_UP 1.0 caught probe_bounds error_bounds
bounds GZ_ROOT_TINY 0 caught probe_bounds error_bounds
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
bounds GZ_REACH_UP 1.0 caught thick
bounds GZ_REACH_SLACK 0 caught thick
bounds GZ_VOLUME_SLACK 0 caught volume_bounds error_bounds
bounds GZ_VOLUME_TINY 0 caught volume_bounds error_bounds
bounds GZ_NORMAL_SLACK 0 caught volume_bounds error_bounds
bounds GZ_CLIP_DOWN 1.0 caught volume_bounds error_bounds
bounds GZ_INSIDE_SLACK 0 caught volume_bounds error_bounds
bounds GZ_INSIDE_RATE 0.0 caught volume_bounds error_bounds
bounds GZ_INSIDE_SPAN 1.0 choice volume_bounds error_bounds
bounds GZ_VOLUME_CURVE 0.0 caught adjacent_bounds
bounds GZ_TURN_SLACK 0 caught adjacent_bounds
bounds GZ_TURN_CURVE 0.0 caught adjacent_bounds
bounds GZ_THIN_MAX 1e300 caught adjacent_bounds
bounds GZ_THIN_FACTOR 0.0 caught adjacent_bounds
bounds GZ_VOLUME_SLACK_DD 0 caught adjacent_bounds
bounds GZ_DOT_SLACK_DD 0 caught adjacent_bounds
bounds GZ_SQUARE_SLACK_DD 0 caught adjacent_bounds
bounds GZ_DISTANCE_SLACK 0 caught error_bounds
bounds GZ_SINE_ERROR 0 caught articulated_maths
bounds GZ_TAYLOR_SLACK 0 caught articulated_maths
bounds GZ_TAYLOR_UP 1.0 caught articulated_maths
bounds GZ_TAYLOR_TINY 0 caught articulated_maths
bounds GZ_PATH_ERROR 0 caught articulated_maths
bounds GZ_SHIFT_ERROR 0 caught articulated_maths
bounds GZ_JOINT_ERROR 0 caught articulated_maths
bounds GZ_TURN_ERROR 0 caught articulated_maths
bounds GZ_PROJECTION_SLACK 0 caught articulated_maths
bounds GZ_CROSSING_SLACK 0.0 caught articulated_maths
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
src/step/vertices.c DOT_SLACK 0 caught step_bounds
src/step/vertices.c DOT_TINY 0 caught step_bounds
src/step/vertices.c ROOT_DOWN 1.0 caught step_bounds
src/numerics/bernstein.c UNIT 0 caught intervals
src/numerics/bernstein.c SLACK 1.0 caught intervals
src/numerics/bernstein.c UNDERFLOW 0 caught intervals
src/narrow/safe_real.h REAL_TINY 0 caught safe_tolerances safe_tolerances_f32
src/narrow/safe_real.h TIME_TINY 0 caught safe_tolerances safe_tolerances_f32
TABLE
}

bounds=src/numerics/error_bounds.h
safe=src/narrow/safe_tolerances.h

# every constant is in the table, and nothing else
defined=$(sed -n 's/^#define \(GZ_[A-Z0-9_]*\) .*/\1/p' "$source/$bounds" | sort)
defined="$defined $(sed -n 's/^    k\.\([a-z0-9]*\) = .*/\1/p' "$source/$safe" | grep -v '^bound$' | sort)"
listed="$(table | sed -n 's/^bounds \([^ ]*\).*/\1/p' | sort) $(table | sed -n 's/^safe \([^ ]*\).*/\1/p' | sort)"
# shellcheck disable=SC2086,SC2116
if [ "$(echo $defined)" != "$(echo $listed)" ]; then
    echo "mutate: the table of this script does not list the constants of $bounds and $safe" >&2
    exit 2
fi

wanted() { # name words…
    name=$1
    shift
    [ $# -eq 0 ] && return 0
    for word in "$@"; do
        case $name in *"$word"*) return 0 ;; esac
    done
    return 1
}

tree=$work/tree
mkdir -p "$tree"
(cd "$source" && git ls-files -co --exclude-standard | tar cf - -T -) | (cd "$tree" && tar xmf -)
cmake -S "$tree" -B "$work/build" -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_FLAGS_RELEASE=-O1" -DGRAZE_SIMD=OFF \
    >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 2; }

build_and_run() { # tests…: prints the first test that fails, or nothing
    targets=""
    for test in "$@"; do targets="$targets test_$test"; done
    # shellcheck disable=SC2086
    if ! cmake --build "$work/build" -j 2 --target $targets >"$work/log" 2>&1; then
        tail -20 "$work/log" >&2
        echo "mutate: the build failed" >&2
        exit 2
    fi
    for test in "$@"; do
        if ! timeout 120 "$work/build/test/test_$test" >"$work/output" 2>&1; then
            # the name of a test is the last line with two leading blanks before the first FAILED
            printf '%s: %s' "$test" "$(awk '/^  [a-z]/ {name = $1} /FAILED/ {print name; exit}' "$work/output")"
            return 0
        fi
    done
}

restore() {
    table | sed 's/ .*//' | sort -u | while read -r file; do
        case $file in bounds) file=$bounds ;; safe) file=$safe ;; esac
        # the time stamp of a file that was not changed stays, or all of it would be built again
        cmp -s "$source/$file" "$tree/$file" || cp "$source/$file" "$tree/$file"
    done
}

restore
# shellcheck disable=SC2046
found=$(build_and_run $(table | while read -r _ _ _ _ tests; do echo "$tests"; done | tr ' ' '\n' | sort -u))
[ -z "$found" ] || { echo "mutate: a test fails as it is: $found" >&2; exit 2; }

status=0
table >"$work/table"
while read -r file name value expected tests; do
    wanted "$name" "$@" || continue
    restore
    case $file in
    bounds) sed -i "s|^#define $name .*|#define $name $value|" "$tree/$bounds" ;;
    safe) sed -i "s|^    k\.$name = .*|    k.$name = $value;|" "$tree/$safe" ;;
    *) sed -i "s|^#define $name .*|#define $name $value|" "$tree/$file" ;;
    esac
    # shellcheck disable=SC2086
    found=$(build_and_run $tests)
    case $expected in
    caught) if [ -n "$found" ]; then verdict=caught; else verdict=MISSED status=1; fi ;;
    *) if [ -z "$found" ]; then verdict=choice; else verdict=NOTICED status=1; fi ;;
    esac
    printf '%-28s %-10s %-8s %s\n' "$name" "$value" "$verdict" "$found"
done <"$work/table"
exit $status
