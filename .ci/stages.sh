#!/bin/sh
# The stages of continuous integration. Each says its name and how long it took; after one that failed the others still run,
# and the run fails. `./dev ci` installs what a stage wants; one whose tools are not there is skipped, and says so.
# usage: stages.sh [STAGE…]     all without names; --list prints them
set -eu
cd "$(dirname "$0")/.."
stages="rules tests clang native sanitizers neon wasm docs fuzz"
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

has() { for tool in "$@"; do command -v "$tool" >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 77; }; done; }

# Tests that the stage `tests` has run, and that another compiler does not change.
once='product|walk|installed_package|exported_symbols|gpu_test_says|pair_on_device|oldest_device_.*|wasm_bits|viewer_build|web_.*'
once="$once|format|rooms|places|links|lengths|no_dead_code|dev_commands|constants_are_documented|promises_have_tests|flint"

# library_tests FOLDER "test|test" CMAKE_OPTION…: the library and its tests, but for those named
library_tests() {
    folder=$1 but=$2
    shift 2
    mkdir -p "$folder"
    { cmake -S . -B "$folder" -DGRAZE_PROGRAM=OFF -DGRAZE_WERROR=ON "$@" && cmake --build "$folder" -j "$jobs"; } >"$folder/log" 2>&1 ||
        { tail -n 40 "$folder/log"; return 1; }
    (cd "$folder" && ctest --output-on-failure -j "$jobs" -E "^($once|$but)\$")
}

stage_rules() {
    status=0
    for rule in format rooms places links no_dead_code constants_are_documented promises_have_tests dev_commands lengths; do
        said=0
        sh "test/$rule.sh" . || said=$?
        [ $said = 0 ] || [ $said = 77 ] || status=1
    done
    return $status
}
stage_tests() { ./dev test; }
# pressure: clang 14 makes larger frames, 140 KiB where gcc needs less than 64
stage_clang() {
    has clang clang++
    library_tests build-clang pressure -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Release
}
stage_native() { sh test/builds.sh . build-builds native; }
stage_sanitizers() {
    library_tests build-sanitizers none -DCMAKE_BUILD_TYPE=RelWithDebInfo '-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g' \
        -DGRAZE_SANITIZE=address,undefined
}
stage_neon() { has aarch64-linux-gnu-gcc qemu-aarch64; sh test/port.sh . build-aarch64 aarch64; }
stage_wasm() { has emcc node; sh test/web/wasm_bits.sh . build-wasm build/test/test_bits; }
stage_docs() { has npm node; ./dev docs; }
stage_fuzz() { has clang; sh fuzz/run.sh $((10 * $(ls fuzz/fuzz_*.c | wc -l))); }

if [ "${1:-}" = --list ]; then
    echo "$stages" | tr ' ' '\n'
    exit 0
fi
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $stages
summary='' failed=0
for stage in "$@"; do
    case " $stages " in *" $stage "*) ;; *) echo "there is no stage '$stage'; there are: $stages"; exit 2 ;; esac
    echo "== $stage"
    begin=$(date +%s) status=0
    ("stage_$stage") || status=$?
    case $status in
    0) result=passed ;;
    77) result=skipped ;;
    *) result=FAILED failed=$((failed + 1)) ;;
    esac
    line=$(printf '== %-10s %-7s %5d s' "$stage" "$result" $(($(date +%s) - begin)))
    echo "$line"
    summary="$summary$line
"
done
printf '\n%s' "$summary"
[ $failed = 0 ] || { echo "$failed stages failed"; exit 1; }
