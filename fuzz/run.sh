#!/bin/sh
# Builds every fuzz/fuzz_*.c with clang's libFuzzer and the sanitizers, and runs each for its share of the time.
# usage: run.sh SECONDS
set -eu
seconds=$1
cd "$(dirname "$0")/.."
cmake -S . -B build-fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo -DGRAZE_TESTS=OFF \
    -DGRAZE_FUZZ=ON -DGRAZE_SANITIZE=address,undefined >/dev/null
# shellcheck disable=SC2046
cmake --build build-fuzz -j 2 --target $(basename -s .c fuzz/fuzz_*.c) >build-fuzz/log 2>&1 || { cat build-fuzz/log; exit 2; }
count=$(ls fuzz/fuzz_*.c | wc -l)
share=$((seconds / count))
[ "$share" -gt 0 ] || share=1
found=0
for source in fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    corpus=build-fuzz/corpus/$name
    log=build-fuzz/$name.log
    seeds=fuzz/seeds/${name#fuzz_}
    [ -d "$seeds" ] || seeds=
    mkdir -p "$corpus"
    echo "fuzz: $name for $share s"
    status=0
    build-fuzz/fuzz/"$name" -max_total_time="$share" -timeout=120 -rss_limit_mb=4096 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix="build-fuzz/$name-" "$corpus" $seeds >"$log" 2>&1 || status=$?
    grep -E 'stat::number_of_executed_units|ERROR|SUMMARY|Test unit' "$log" || true
    if ls build-fuzz | grep -qE "^$name-(crash|leak|timeout|oom)-"; then
        echo "fuzz: $name found an input: build-fuzz/$name-*" >&2
        found=1
    elif [ $status != 0 ] || ! grep -q 'stat::number_of_executed_units: *[1-9]' "$log"; then
        echo "fuzz: $name ended with status $status: see $log" >&2
        found=1
    fi
done
[ $found = 0 ] || exit 1
echo "fuzz: nothing found"
