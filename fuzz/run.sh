#!/bin/sh
# Builds every fuzz/fuzz_*.c with clang's libFuzzer and the sanitizers, and runs each for its share of the time.
# usage: run.sh SECONDS
set -eu
seconds=$1
cd "$(dirname "$0")/.."
cmake -S . -B build-fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo -DGRAZE_TESTS=OFF \
    -DGRAZE_FUZZ=ON -DGRAZE_SANITIZE=address,undefined >/dev/null
cmake --build build-fuzz -j 2 >build-fuzz/log 2>&1 || { cat build-fuzz/log; exit 2; }
count=$(ls fuzz/fuzz_*.c | wc -l)
share=$((seconds / count))
[ "$share" -gt 0 ] || share=1
for source in fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    corpus=build-fuzz/corpus/$name
    seeds=fuzz/seeds/${name#fuzz_}
    [ -d "$seeds" ] || seeds=
    mkdir -p "$corpus"
    echo "fuzz: $name for $share s"
    build-fuzz/fuzz/"$name" -max_total_time="$share" -timeout=120 -rss_limit_mb=4096 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix="build-fuzz/$name-" "$corpus" $seeds 2>&1 | grep -E 'stat::number_of_executed_units|ERROR|SUMMARY|Test unit' || true
    if ls build-fuzz/"$name"-crash-* build-fuzz/"$name"-leak-* build-fuzz/"$name"-timeout-* build-fuzz/"$name"-oom-* >/dev/null 2>&1; then
        echo "fuzz: $name found an input: build-fuzz/$name-*" >&2
        exit 1
    fi
done
echo "fuzz: nothing found"
