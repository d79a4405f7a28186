#!/bin/sh
# Asks new questions for some minutes: seeds that were never used, against exact arithmetic, the checker, other instruction
# sets and brute force. Each round takes every program in turn, and adds a line to the ledger for each: the commit, the
# program, the seed, the number of cases and how many disagree. A fuzzer keeps the inputs that disagree in fuzz/corpus, where the test
# kept_inputs asks them again; test_agreement says how to run its case again. The soak fails then.
# usage: soak.sh MINUTES FOLDER [LEDGER]     FOLDER: has test_agreement, and drive_NAME for every fuzzer of numbers
set -eu
minutes=$1 folder=$2 ledger=${3:-build/soak.jsonl}
case $minutes in '' | *[!0-9]*) echo "usage: soak.sh MINUTES FOLDER [LEDGER]" >&2; exit 2 ;; esac
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
[ -z "$(git status --porcelain 2>/dev/null)" ] || commit=$commit+
count=${GRAZE_SOAK_COUNT:-20000}
corpus=${GRAZE_SOAK_CORPUS:-fuzz/corpus}
mkdir -p "$(dirname "$ledger")"
number() {
    found=$(printf '%s\n' "$said" | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" | tail -n 1)
    echo "${found:-0}"
}
# Cases of a fuzzer that take about as long as `count` of test_agreement.
share() {
    case $1 in
    ccd | curve) echo $((2 * count)) ;;
    *) echo $((count / 20 + 1)) ;;
    esac
}

end=$(($(date +%s) + 60 * minutes)) seed=$(date +%s) lines=0 cases=0 bad=0
note() { # program, status
    wrong=0
    for kind in missed late wrong_proofs disagreements rejected; do wrong=$((wrong + $(number $kind))); done
    [ "$2" = 0 ] || [ $wrong -gt 0 ] || wrong=1
    printf '{"commit":"%s","program":"%s","seed":%d,"cases":%d,"disagreements":%d}\n' "$commit" "$1" "$seed" "$(number cases)" "$wrong" >>"$ledger"
    lines=$((lines + 1)) cases=$((cases + $(number cases)))
    [ $wrong -gt 0 ] || return 0
    cat "$ledger.errors"
    printf '%s\n' "$said" | grep -v '^{' || true
    bad=$((bad + wrong))
}
while [ "$lines" = 0 ] || [ "$(date +%s)" -lt "$end" ]; do
    while [ -e "$ledger" ] && grep -q "\"seed\":$seed," "$ledger"; do seed=$((seed + 1)); done
    status=0 before=$bad
    said=$("$folder/test_agreement" --count "$count" --seed "$seed" --threads "$jobs" 2>"$ledger.errors") || status=$?
    note agreement $status
    [ "$bad" = "$before" ] || echo "soak: $folder/test_agreement --count $count --seed $seed: status $status, $wrong disagree"
    for program in "$folder"/drive_*; do
        [ -x "$program" ] || continue
        name=${program##*/drive_} status=0
        case $name in *.*) continue ;; esac
        said=$("$program" --count "$(share "$name")" --seed "$seed" --keep "$corpus/$name" 2>"$ledger.errors") || status=$?
        note "$name" $status
    done
done
rm -f "$ledger.errors"
echo "soak: $lines rounds, $cases cases, $bad disagree; $ledger has $(wc -l <"$ledger") rounds"
[ $bad = 0 ]
