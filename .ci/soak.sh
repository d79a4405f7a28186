#!/bin/sh
# Asks new questions for some minutes: seeds that were never used, against exact arithmetic and the checker. Every round adds
# a line to the ledger, with the commit, the seed, the number of cases and how many disagree; a round that disagrees says how
# to run it again, and the soak fails.
# usage: soak.sh MINUTES PROGRAM [LEDGER]     PROGRAM: build/test/test_agreement
set -eu
minutes=$1 program=$2 ledger=${3:-build/soak.jsonl}
case $minutes in '' | *[!0-9]*) echo "usage: soak.sh MINUTES PROGRAM [LEDGER]" >&2; exit 2 ;; esac
jobs=$(getconf _NPROCESSORS_ONLN 2>/dev/null || echo 2)
commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
[ -z "$(git status --porcelain 2>/dev/null)" ] || commit=$commit+
count=${GRAZE_SOAK_COUNT:-20000}
mkdir -p "$(dirname "$ledger")"
number() {
    found=$(printf '%s\n' "$said" | sed -n "s/.*\"$1\":\([0-9]*\).*/\1/p")
    echo "${found:-0}"
}

end=$(($(date +%s) + 60 * minutes)) seed=$(date +%s) rounds=0 cases=0 bad=0
while [ "$rounds" = 0 ] || [ "$(date +%s)" -lt "$end" ]; do
    while [ -e "$ledger" ] && grep -q "\"seed\":$seed," "$ledger"; do seed=$((seed + 1)); done
    status=0
    said=$("$program" --count "$count" --seed "$seed" --threads "$jobs" 2>"$ledger.errors") || status=$?
    wrong=0
    for kind in missed late wrong_proofs disagreements rejected; do wrong=$((wrong + $(number $kind))); done
    [ $status = 0 ] || [ $wrong -gt 0 ] || wrong=1
    printf '{"commit":"%s","seed":%d,"cases":%d,"disagreements":%d}\n' "$commit" "$seed" "$(number cases)" "$wrong" >>"$ledger"
    if [ $wrong -gt 0 ]; then
        cat "$ledger.errors"
        echo "soak: $program --count $count --seed $seed: status $status, $wrong disagree"
        bad=$((bad + wrong))
    fi
    rounds=$((rounds + 1)) cases=$((cases + $(number cases)))
done
rm -f "$ledger.errors"
echo "soak: $rounds rounds, $cases cases, $bad disagree; $ledger has $(wc -l <"$ledger") rounds"
[ $bad = 0 ]
