#!/bin/sh
# Builds every fuzz/fuzz_*.c with clang's libFuzzer and the sanitizers, and runs each for its share of the time, as many at once as
# there are cores: first on fuzz/corpus/NAME, which keeps every input that ever failed. One that is found is copied there, to be
# committed with its mending.
# usage: run.sh SECONDS
set -eu
seconds=$1
cd "$(dirname "$0")/.."
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)

keep() { # name: the inputs it found go to its folder in the repository
    for input in build-fuzz/"$1"-crash-* build-fuzz/"$1"-leak-* build-fuzz/"$1"-timeout-* build-fuzz/"$1"-oom-*; do
        [ -e "$input" ] || continue
        mkdir -p "fuzz/corpus/${1#fuzz_}"
        kept=fuzz/corpus/${1#fuzz_}/${input#build-fuzz/"$1"-}
        mv "$input" "$kept"
        echo "fuzz: $1 found an input: $kept"
        found=1
    done
}

# run_one NAME SECONDS: fails where it found an input, could not start or ran nothing
run_one() {
    name=$1 corpus=build-fuzz/corpus/$1 log=build-fuzz/$1.log seeds=fuzz/seeds/${1#fuzz_} known=fuzz/corpus/${1#fuzz_} found=0 status=0
    [ -d "$seeds" ] || seeds=
    mkdir -p "$corpus"
    if [ -d "$known" ]; then
        echo "fuzz: $name again on $(ls "$known" | wc -l) kept inputs"
        if ! build-fuzz/fuzz/"$name" -timeout=120 -rss_limit_mb=4096 -artifact_prefix="build-fuzz/again-$name-" "$known"/* >"$log" 2>&1; then
            grep -E 'ERROR|SUMMARY|Running' "$log" | tail -n 3 || true
            echo "fuzz: $name fails on a kept input: see $log"
            return 1 # it would end at once
        fi
        seeds="$seeds $known"
    fi
    echo "fuzz: $name for $2 s"
    # shellcheck disable=SC2086
    build-fuzz/fuzz/"$name" -max_total_time="$2" -timeout=120 -rss_limit_mb=4096 -verbosity=0 -print_final_stats=1 \
        -artifact_prefix="build-fuzz/$name-" "$corpus" $seeds >"$log" 2>&1 || status=$?
    grep -E 'stat::number_of_executed_units|ERROR|SUMMARY|Test unit' "$log" || true
    keep "$name"
    [ $found = 0 ] || return 1
    if [ $status != 0 ] || ! grep -q 'stat::number_of_executed_units: *[1-9]' "$log"; then
        echo "fuzz: $name ended with status $status: see $log"
        return 1
    fi
}

if [ "$seconds" = --one ]; then # name, seconds: what it says comes in one piece
    said=build-fuzz/$2.said status=0
    run_one "$2" "$3" >"$said" || status=1
    cat "$said"
    exit $status
fi

cmake -S . -B build-fuzz -DCMAKE_C_COMPILER=clang -DCMAKE_BUILD_TYPE=RelWithDebInfo -DGRAZE_TESTS=OFF \
    -DGRAZE_FUZZ=ON -DGRAZE_SANITIZE=address,undefined >/dev/null
# shellcheck disable=SC2046
cmake --build build-fuzz -j "$jobs" --target $(basename -s .c fuzz/fuzz_*.c) >build-fuzz/log 2>&1 || { cat build-fuzz/log; exit 2; }
count=$(ls fuzz/fuzz_*.c | wc -l)
share=$((seconds / count))
[ "$share" -gt 0 ] || share=1
basename -s .c fuzz/fuzz_*.c | xargs -P "$jobs" -I NAME sh fuzz/run.sh --one NAME "$share" || exit 1
echo "fuzz: nothing found"
