#!/bin/sh
# A soak adds a line for each round of each program to its ledger, never takes a seed twice, and fails where a program disagrees
# or ends badly. What a fuzzer keeps comes into the corpus.
# usage: soak_says.sh SOURCE_DIR FOLDER_OF_PROGRAMS
set -eu
source=$1 programs=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*: $(cat "$work/said")"; exit 1; }
soak() { GRAZE_SOAK_CORPUS="$work/corpus" GRAZE_SOAK_COUNT=1500 sh "$source/.ci/soak.sh" 0 "$1" "$work/ledger" >"$work/said" 2>&1; }
cd "$source" # the ledger says which bits answers have

mkdir "$work/some"
for name in test_agreement drive_ccd drive_step; do ln -s "$programs/$name" "$work/some/$name"; done
soak "$work/some" || fail "a round"
soak "$work/some" || fail "a second round"
[ "$(wc -l <"$work/ledger")" = 12 ] || fail "the ledger has not twelve lines"
[ "$(grep -o '"seed":[0-9]*' "$work/ledger" | sort -u | wc -l)" = 2 ] || fail "a seed was taken twice, or not by all"
[ "$(grep -c '"program":"agreement".*"cases":1500,"disagreements":0,' "$work/ledger")" = 2 ] || fail "the ledger says $(cat "$work/ledger")"
[ "$(grep -c '"program":"ccd".*"cases":3000,"disagreements":0,' "$work/ledger")" = 2 ] || fail "the ledger says $(cat "$work/ledger")"

sh .ci/soak.sh 0 "$work/some" "$work/chosen" scenes step >"$work/said" 2>&1 || fail "subjects that are chosen"
[ "$(grep -oE '"program":"[a-z]+"' "$work/chosen" | sort -u | wc -l)" = 2 ] || fail "others run than those chosen: $(cat "$work/chosen")"
grep -q '"program":"scenes".*"cases":[1-9][0-9]*,"disagreements":0,"pairs":[1-9]' "$work/chosen" || fail "the ledger says $(cat "$work/chosen")"
! sh .ci/soak.sh 0 "$work/some" "$work/chosen" scenes orbits >"$work/said" 2>&1 || fail "a subject that nothing asks passes"

# What is counted: pairs too, and only lines of the bits that answers have now.
grep -q '"program":"ordinary".*"cases":151,"disagreements":0,"pairs":38656,"bits":[1-9]' "$work/ledger" || fail "the ledger says $(cat "$work/ledger")"
echo '{"commit":"old","program":"ordinary","seed":1,"cases":5,"disagreements":7,"pairs":9,"bits":12}' >"$work/old"
(cd "$source" && sh .ci/soak.sh sum "$work/ledger" "$work/old") >"$work/said" || fail "no sum"
grep -qE '^ordinary +2 runs +302 cases +77312 pairs 0 disagree$' "$work/said" || fail "two rounds are not summed"
grep -qx '1 lines are of other bits' "$work/said" || fail "lines of other bits are counted"

stand_in() { # folder, what test_agreement does, what a fuzzer does
    mkdir "$work/$1"
    printf '#!/bin/sh\n%s\n' "$2" >"$work/$1/test_agreement"
    printf '#!/bin/sh\n%s\n' "$3" >"$work/$1/drive_step"
    chmod +x "$work/$1"/*
}
well='echo "{\"cases\":1500,\"disagreements\":0}"'
stand_in wrong 'echo "{\"cases\":1500,\"missed\":2,\"late\":1}"; exit 1' "$well"
stand_in killed 'kill -9 $$' "$well"
stand_in kept "$well" 'mkdir -p "$6"; echo x >"$6/$4-7"; echo "FAILED: $6/$4-7"; echo "{\"cases\":76,\"disagreements\":1}"; exit 1'
! soak "$work/wrong" || fail "a program that misses passes"
tail -n 5 "$work/ledger" | grep -q '"program":"agreement".*"disagreements":3,' || fail "the ledger says $(tail -n 5 "$work/ledger")"
grep -q 'test_agreement --count 1500 --seed' "$work/said" || fail "nothing says how to run it again"
! soak "$work/killed" || fail "a program that was killed passes"
! soak "$work/kept" || fail "a fuzzer that disagrees passes"
tail -n 1 "$work/ledger" | grep -q '"program":"step".*"cases":76,"disagreements":1,' || fail "the ledger says $(tail -n 1 "$work/ledger")"
[ "$(ls "$work/corpus/step" | wc -l)" = 1 ] || fail "the input is not kept"
grep -q 'FAILED: .*corpus/step/' "$work/said" || fail "the input is not named"
