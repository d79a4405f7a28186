#!/bin/sh
# fuzz/run.sh gives each fuzzer its share of the time, runs all of them, and fails where one found an input, could not start or ran
# nothing. An input that was found is kept in fuzz/corpus, and asked again at the beginning of every run. Stand-ins take the place of cmake and of the fuzzers.
# usage: fuzz_says.sh SOURCE_DIR
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*: $(cat "$work/said")"; exit 1; }
mkdir -p "$work/bin" "$work/fuzz" "$work/build-fuzz/fuzz"
cp "$source/fuzz/run.sh" "$work/fuzz"
printf '#!/bin/sh\n' >"$work/bin/cmake"
put() { # name, what it does
    : >"$work/fuzz/fuzz_$1.c"
    printf '#!/bin/sh\n%s\n' "$2" >"$work/build-fuzz/fuzz/fuzz_$1"
    chmod +x "$work/bin/cmake" "$work/build-fuzz/fuzz/fuzz_$1"
}
fuzz() { PATH="$work/bin:$PATH" sh "$work/fuzz/run.sh" 8 >"$work/said" 2>&1; }

sound='echo "stat::number_of_executed_units: 12"'
put first "$sound"
put second "$sound"
fuzz || fail "two that find nothing"
grep -q 'nothing found' "$work/said" || fail "two that find nothing"
[ "$(grep -c 'for 4 s' "$work/said")" = 2 ] || fail "a share is not half of 8 s"

put first 'exit 127'
! fuzz || fail "one that cannot start passes"
grep -q 'second for 4 s' "$work/said" || fail "one that cannot start keeps another from running"
rm "$work/build-fuzz/fuzz/fuzz_first"
! fuzz || fail "one that is not there passes"
put first 'echo "stat::number_of_executed_units: 0"'
! fuzz || fail "one that ran nothing passes"
put first "$sound; : >build-fuzz/fuzz_first-crash-1"
! fuzz || fail "one that found an input passes"
grep -q 'first found an input: fuzz/corpus/first/crash-1' "$work/said" || fail "the input is not named"
[ -e "$work/fuzz/corpus/first/crash-1" ] || fail "the input is not kept"
[ ! -e "$work/build-fuzz/fuzz_first-crash-1" ] || fail "the input would be found again"
put first "case \" \$* \" in *corpus/first/crash-1*) exit 1 ;; esac; $sound"
! fuzz || fail "one that fails on a kept input passes"
grep -q 'first fails on a kept input' "$work/said" || fail "the kept input is not named"
grep -q 'second for 4 s' "$work/said" || fail "a kept input keeps another from running"
put first "$sound"
fuzz || fail "one that was mended"
grep -q 'first again on 1 kept inputs' "$work/said" || fail "the kept input is not asked"
