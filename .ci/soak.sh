#!/bin/sh
# Asks new questions for some minutes: seeds that were never used, against exact arithmetic, the checker, other instruction
# sets and brute force. Each round takes every program in turn, and adds a line to the ledger for each: the commit, the
# program, the seed, the number of cases and how many disagree. A fuzzer keeps the inputs that disagree in fuzz/corpus, where the test
# kept_inputs asks them again; test_agreement says how to run its case again. The soak fails then.
# usage: soak.sh MINUTES FOLDER [LEDGER [SUBJECT…]]
#            FOLDER: has test_agreement, and drive_NAME for every fuzzer of numbers
#            SUBJECT: agreement, ordinary, scales, scenes, or a fuzzer's name; all without
#            GRAZE_SOAK_THREADS: of test_agreement; as many as there are cores without
#        soak.sh sum [LEDGER…]
#            what the lines of ledgers say of the present bits: those with another sum of test/bits.txt are counted apart.
#            fuzz/ledger.jsonl keeps lines of long runs
set -eu
bits=$(cksum <test/bits.txt 2>/dev/null | cut -d ' ' -f 1) || bits=
if [ "${1:-}" = sum ]; then
    shift
    [ $# -gt 0 ] || set -- fuzz/ledger.jsonl build/soak.jsonl
    for ledger; do [ ! -e "$ledger" ] || cat "$ledger"; done | awk -v bits="${bits:-0}" '
        function number(name) { return match($0, "\"" name "\":[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : 0 }
        number("bits") != bits { older++; next }
        { match($0, /"program":"[a-z]+"/); program = substr($0, RSTART + 11, RLENGTH - 12)
          runs[program]++; cases[program] += number("cases"); pairs[program] += number("pairs"); bad[program] += number("disagreements") }
        END { for (p in runs) printf "%-10s %5d runs %12.0f cases %12.0f pairs %d disagree\n", p, runs[p], cases[p], pairs[p], bad[p] | "sort"
              close("sort")
              if (older) print older " lines are of other bits" }'
    exit 0
fi
minutes=$1 folder=$2 ledger=${3:-build/soak.jsonl}
case $minutes in '' | *[!0-9]*) echo "usage: soak.sh MINUTES FOLDER [LEDGER [SUBJECT…]]" >&2; exit 2 ;; esac
[ $# -lt 3 ] || shift
shift 2
judged="agreement ordinary scales scenes"
chosen=" $* "
for subject; do # one that nothing asks would end as a soak without a disagreement
    case " $judged " in *" $subject "*) continue ;; esac
    [ -x "$folder/drive_$subject" ] || { echo "soak: there is no subject '$subject'" >&2; exit 2; }
done
is_chosen() { case $chosen in "  " | *" $1 "*) return 0 ;; *) return 1 ;; esac; }
jobs=${GRAZE_SOAK_THREADS:-$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)}
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
[ -z "$(git status --porcelain 2>/dev/null)" ] || commit=$commit+
count=${GRAZE_SOAK_COUNT:-20000}
corpus=${GRAZE_SOAK_CORPUS:-fuzz/corpus}
mkdir -p "$(dirname "$ledger")"
number() {
    found=$(printf '%s\n' "$said" | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p" | tail -n 1)
    echo "${found:-0}"
}
# Cases that take seconds each; one of `ordinary` is 256 pairs.
share() {
    case $1 in
    agreement) echo "$count" ;;
    ordinary) echo $((count / 10 + 1)) ;;
    scales | ccd | curve) echo $((2 * count)) ;;
    *) echo $((count / 20 + 1)) ;;
    esac
}

end=$(($(date +%s) + 60 * minutes)) seed=$(date +%s) lines=0 cases=0 bad=0
note() { # program, status
    wrong=0
    for kind in missed late wrong_proofs disagreements rejected; do wrong=$((wrong + $(number $kind))); done
    [ "$2" = 0 ] || [ $wrong -gt 0 ] || wrong=1
    printf '{"commit":"%s","program":"%s","seed":%d,"cases":%d,"disagreements":%d,"pairs":%d,"bits":%d}\n' \
        "$commit" "$1" "$seed" "$(number cases)" "$wrong" "$(number pairs)" "${bits:-0}" >>"$ledger"
    lines=$((lines + 1)) cases=$((cases + $(number cases)))
    [ $wrong -gt 0 ] || return 0
    cat "$ledger.errors"
    printf '%s\n' "$said" | grep -v '^{' || true
    bad=$((bad + wrong))
}
while [ "$lines" = 0 ] || [ "$(date +%s)" -lt "$end" ]; do
    while cat "$ledger" fuzz/ledger.jsonl 2>/dev/null | grep -q "\"seed\":$seed,"; do seed=$((seed + 1)); done
    for subject in $judged; do
        is_chosen $subject || continue
        case $subject in agreement) only= ;; scenes) only="--only step" ;; *) only="--only $subject" ;; esac
        status=0 before=$bad
        # shellcheck disable=SC2086
        said=$("$folder/test_agreement" --count "$(share $subject)" --seed "$seed" --threads "$jobs" $only 2>"$ledger.errors") || status=$?
        note $subject $status
        [ "$bad" = "$before" ] || echo "soak: $folder/test_agreement --count $(share $subject) --seed $seed $only: status $status, $wrong disagree"
    done
    for program in "$folder"/drive_*; do
        [ -x "$program" ] || continue
        name=${program##*/drive_} status=0
        case $name in *.*) continue ;; esac
        is_chosen "$name" || continue
        said=$("$program" --count "$(share "$name")" --seed "$seed" --keep "$corpus/$name" 2>"$ledger.errors") || status=$?
        note "$name" $status
    done
done
rm -f "$ledger.errors"
echo "soak: $lines rounds, $cases cases, $bad disagree; $ledger has $(wc -l <"$ledger") rounds"
[ $bad = 0 ]
