#!/bin/sh
# Builds every fuzz/fuzz_*.c with clang's libFuzzer and the sanitizers, and runs each for its share of the time: first on
# fuzz/corpus/NAME, which keeps every input that ever failed. One that is found is copied there, to be committed with its mending.
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
keep() { # name: the inputs it found go to its folder in the repository
    for input in build-fuzz/"$1"-crash-* build-fuzz/"$1"-leak-* build-fuzz/"$1"-timeout-* build-fuzz/"$1"-oom-*; do
        [ -e "$input" ] || continue
        mkdir -p "fuzz/corpus/${1#fuzz_}"
        kept=fuzz/corpus/${1#fuzz_}/${input#build-fuzz/"$1"-}
        mv "$input" "$kept"
        echo "fuzz: $1 found an input: $kept" >&2
        found_here=yes
    done
}

for source in fuzz/fuzz_*.c; do
    name=$(basename "$source" .c)
    corpus=build-fuzz/corpus/$name
    log=build-fuzz/$name.log
    seeds=fuzz/seeds/${name#fuzz_}
    [ -d "$seeds" ] || seeds=
    kept=fuzz/corpus/${name#fuzz_}
    found_here=no
    mkdir -p "$corpus"
    if [ -d "$kept" ]; then
        echo "fuzz: $name again on $(ls "$kept" | wc -l) kept inputs"
        if ! build-fuzz/fuzz/"$name" -timeout=120 -rss_limit_mb=4096 -artifact_prefix="build-fuzz/again-$name-" "$kept"/* >"$log" 2>&1; then
            grep -E 'ERROR|SUMMARY|Running' "$log" | tail -n 3 || true
            echo "fuzz: $name fails on a kept input: see $log" >&2
            found=1
            continue # it would end at once
        fi
        seeds="$seeds $kept"
    fi
    echo "fuzz: $name for $share s"
    status=0
    build-fuzz/fuzz/"$name" -max_total_time="$share" -timeout=120 -rss_limit_mb=4096 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix="build-fuzz/$name-" "$corpus" $seeds >"$log" 2>&1 || status=$?
    grep -E 'stat::number_of_executed_units|ERROR|SUMMARY|Test unit' "$log" || true
    keep "$name"
    if [ $found_here = yes ]; then
        found=1
    elif [ $status != 0 ] || ! grep -q 'stat::number_of_executed_units: *[1-9]' "$log"; then
        echo "fuzz: $name ended with status $status: see $log" >&2
        found=1
    fi
done
[ $found = 0 ] || exit 1
echo "fuzz: nothing found"
