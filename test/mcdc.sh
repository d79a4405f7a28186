#!/bin/sh
# Which conditions of decisions the tests show to matter (MC/DC): each condition of a decision with && or || has two runs that
# differ in it, and in the outcome. Of src/pair, src/numerics and verify/, by clang-19. A condition that no test shows is listed;
# test/mcdc_reasons.txt says why it cannot be, or why it need not, and one without a reason is an error.
# usage: mcdc.sh SOURCE_DIR FOLDER [--again]     --again: with the counts of the last run
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
folder=$(cd "$2" && pwd)
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
for tool in clang-19 llvm-cov-19 llvm-profdata-19 python3; do
    command -v $tool >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 77; }
done

# Tests that ask these rooms, and take seconds.
tests="readers reader_faults range_poses step_list verify enclosures path_certificates plan_certificates range_certificates forgeries
certified near_miss thick curve exact_tiny finish_soon result api ti float32 step far parting relative step_tools step_thick proximity
least_distance probe_bounds probe_bounds_f32 volume_bounds adjacent_bounds step_bounds error_bounds first_probe kept_reach
articulated handcraft broad faults certificate
cli_certificate cli_path_certificate cli_plan cli_range" # those start the program
if [ "${3:-}" != --again ]; then
    flags='-O1 -g -w -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc'
    cmake -S "$source" -B "$folder" -DCMAKE_C_COMPILER=clang-19 -DCMAKE_BUILD_TYPE=None "-DCMAKE_C_FLAGS=$flags" -DGRAZE_SIMD=OFF \
        >"$folder/log" 2>&1 || { tail -n 20 "$folder/log"; exit 1; }
    targets=$(for test in $tests; do echo "test_$test"; done)
    # shellcheck disable=SC2086
    cmake --build "$folder" -j "$jobs" --target $targets graze_program test_agreement drive_ccd drive_curve >>"$folder/log" 2>&1 ||
        { tail -n 40 "$folder/log"; exit 1; }
    rm -rf "$folder/counts" && mkdir "$folder/counts"
    run() { # name, command…: a test that fails still counts what it did
        name=$1
        shift
        LLVM_PROFILE_FILE=$folder/counts/$name-%p.profraw timeout 600 "$@" >"$folder/counts/$name.log" 2>&1 || echo "mcdc: $name ends with an error" >&2
    }
    for test in $tests; do run "$test" "$folder/test/test_$test"; done
    run agreement "$folder/test/test_agreement" --count 4000 --threads "$jobs"
    run kept_ccd "$folder/test/drive_ccd" "$source"/fuzz/corpus/ccd/*
    run drive_ccd "$folder/test/drive_ccd" --count 2000 --seed 1 --keep "$folder/counts"
    run drive_curve "$folder/test/drive_curve" --count 2000 --seed 1 --keep "$folder/counts"
    rm -f "$folder/counts.profdata"
    llvm-profdata-19 merge -o "$folder/counts.profdata" "$folder"/counts/*.profraw
fi
objects='' # the first one stands alone: what comes without -object is a program first, and then sources
for test in $tests agreement; do objects="$objects${objects:+ -object }$folder/test/test_$test"; done
objects="$objects -object $folder/graze"
# shellcheck disable=SC2086
llvm-cov-19 export $objects -instr-profile "$folder/counts.profdata" -skip-expansions -sources "$source/src/pair" "$source/src/numerics" "$source/verify" \
    >"$folder/mcdc.json"
python3 "$source/test/mcdc.py" "$source" "$folder/mcdc.json" "$source/test/mcdc_reasons.txt"
