#!/bin/sh
# A soak adds a line for each round to its ledger, never takes a seed twice, and fails where a program disagrees or ends badly.
# usage: soak_says.sh SOURCE_DIR TEST_AGREEMENT
set -eu
source=$1 program=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*"; exit 1; }
soak() { GRAZE_SOAK_COUNT=1500 sh "$source/.ci/soak.sh" 0 "$1" "$work/ledger" >"$work/said"; }

soak "$program" || fail "a round of $program: $(cat "$work/said")"
soak "$program" || fail "a second round"
[ "$(wc -l <"$work/ledger")" = 2 ] || fail "the ledger has not two lines"
[ "$(grep -o '"seed":[0-9]*' "$work/ledger" | sort -u | wc -l)" = 2 ] || fail "a seed was taken twice"
[ "$(grep -c '"cases":1500,"disagreements":0}' "$work/ledger")" = 2 ] || fail "the ledger says $(cat "$work/ledger")"

printf '#!/bin/sh\necho "{\\"cases\\":1500,\\"missed\\":2,\\"late\\":1}"\nexit 1\n' >"$work/wrong"
printf '#!/bin/sh\nkill -9 $$\n' >"$work/killed"
chmod +x "$work/wrong" "$work/killed"
! soak "$work/wrong" || fail "a program that misses passes"
tail -n 1 "$work/ledger" | grep -q '"disagreements":3}' || fail "the ledger says $(tail -n 1 "$work/ledger")"
grep -q 'wrong --count 1500 --seed' "$work/said" || fail "nothing says how to run it again"
! soak "$work/killed" || fail "a program that was killed passes"
