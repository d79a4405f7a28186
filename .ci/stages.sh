#!/bin/sh
# The stages of continuous integration. Each says its name and how long it took; after one that failed the others still run,
# and the run fails. Seconds are those of the clock, and of processors. `./dev ci` installs what a stage wants; one whose tools are not there is skipped, and says so.
# usage: stages.sh [STAGE…]     all without names; --list prints them
set -eu
cd "$(dirname "$0")/.."
stages="rules tests clang native sanitizers neon wasm product docs fuzz"
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

# Sets used: seconds of processors, of all that this shell has waited for. `times` says them on its second line, "1m2.5s 0m0.3s".
take_times() {
    times >"$said"
    used=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, part, "m"); sum += 60 * part[1] + part[2] } printf "%d", sum }' "$said")
}

has() { for tool in "$@"; do command -v "$tool" >/dev/null 2>&1 || { echo "skipped: there is no $tool"; exit 77; }; done; }

# Tests that the stage `tests` has run, and that another compiler does not change.
once='product|walk|installed_package|exported_symbols|gpu_test_says|pair_on_device|oldest_device_.*|wasm_bits|viewer_build|web_.*'
once="$once|format|rooms|places|links|lengths|no_dead_code|words|dev_commands|nightly|constants_are_documented|promises_have_tests|flint"

# Under sanitizers: tests of every room that walk through memory, errors and failing allocations, and take seconds. `./dev sanitize`
# runs all tests.
sanitized="base sizes overlap parallel mesh exact_decide exact_tiny api certified result ask step_tools stencil parting relative
kept_pairs earliest_of_pairs potential potential_sums step_options step_between reuse step_start step_thick adjacency articulated articulated_sizes
world world_distance wide plan range shapes backend batch_backend certificate float32"

# build_in FOLDER "target target" CMAKE_OPTION…: targets of the library and its tests; all without names
build_in() {
    folder=$1 targets=$2
    shift 2
    mkdir -p "$folder"
    # shellcheck disable=SC2086
    { cmake -S . -B "$folder" -DGRAZE_PROGRAM=OFF -DGRAZE_WERROR=ON "$@" && cmake --build "$folder" -j "$jobs" ${targets:+--target $targets}; } \
        >"$folder/log" 2>&1 || { tail -n 40 "$folder/log"; return 1; }
}

stage_rules() {
    status=0
    for rule in format rooms places links no_dead_code words constants_are_documented promises_have_tests dev_commands lengths; do
        said=0
        sh "test/$rule.sh" . || said=$?
        [ $said = 0 ] || [ $said = 77 ] || status=1
    done
    return $status
}
stage_tests() { ./dev test -E '^(product|wasm_bits)$'; } # those are stages
stage_clang() {
    has clang clang++
    build_in build-clang '' -DCMAKE_C_COMPILER=clang -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_BUILD_TYPE=Release -DGRAZE_SOFTWARE_CUDA=OFF &&
        (cd build-clang && ctest --output-on-failure -j "$jobs" -E "^($once)\$")
}
stage_native() { sh test/builds.sh . build-builds native; }
stage_sanitizers() {
    # shellcheck disable=SC2086
    build_in build-sanitizers "$(printf 'test_%s ' $sanitized)" -DCMAKE_BUILD_TYPE=RelWithDebInfo '-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g' \
        -DGRAZE_SANITIZE=address,undefined &&
        (cd build-sanitizers && ctest --output-on-failure -j "$jobs" -R "^($(echo $sanitized | tr ' ' '|'))\$")
}
stage_neon() { has aarch64-linux-gnu-gcc qemu-aarch64; sh test/port.sh . build-aarch64 aarch64; }
stage_wasm() {
    has emcc node
    mkdir -p build
    { cmake --preset release && cmake --build --preset release --target test_bits -j "$jobs"; } >build/test_bits.log 2>&1 ||
        { tail -n 40 build/test_bits.log; return 1; }
    sh test/web/wasm_bits.sh . build-wasm build/test/test_bits
}
stage_product() { sh test/compared/product.sh . build-product "${CC:-cc}"; }
stage_docs() {
    has npm node
    [ -d web/node_modules/marked ] || (cd web && timeout 300 npm ci --ignore-scripts --no-audit --no-fund --loglevel=error) ||
        { echo "skipped: npm could not install what renders the documents"; exit 77; }
    ./dev docs
}
stage_fuzz() { has clang; sh fuzz/run.sh $((10 * $(ls fuzz/fuzz_*.c | wc -l))); }

if [ "${1:-}" = --list ]; then
    echo "$stages" | tr ' ' '\n'
    exit 0
fi
# shellcheck disable=SC2086
[ $# -gt 0 ] || set -- $stages
summary='' failed=0
said=$(mktemp)
trap 'rm -f "$said"' EXIT
for stage in "$@"; do
    case " $stages " in *" $stage "*) ;; *) echo "there is no stage '$stage'; there are: $stages"; exit 2 ;; esac
    echo "== $stage"
    take_times
    begin=$(date +%s) before=$used status=0
    ("stage_$stage") || status=$?
    case $status in
    0) result=passed ;;
    77) result=skipped ;;
    *) result=FAILED failed=$((failed + 1)) ;;
    esac
    take_times
    line=$(printf '== %-10s %-7s %5d s, %5d s of processors' "$stage" "$result" $(($(date +%s) - begin)) $((used - before)))
    echo "$line"
    summary="$summary$line
"
done
printf '\n%s' "$summary"
[ $failed = 0 ] || { echo "$failed stages failed"; exit 1; }
