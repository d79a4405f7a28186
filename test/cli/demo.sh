#!/bin/sh
# The demo shows what it says: a contact that snapshots miss, a cloth that a method which misses lets through and ours does not, an
# edge that samples call free, three rows, and the path of its page last. Nothing in it starts intersected.
# usage: demo.sh SOURCE_DIR PROGRAM
set -eu
source=$1 graze=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sh "$source/demo/demo.sh" "$graze" "$folder" >"$folder/out" || { cat "$folder/out"; exit 1; }
made=$folder/demo
fail() { cat "$folder/out"; echo "demo: $*"; exit 1; }
says() { grep -q "$1" "$folder/out" || fail "it does not say $1"; }
count() { grep -o '"intersections":[0-9]*' "$1" | cut -d: -f2; }
free() { "$graze" check "$1" --json >"$folder/check.json" && [ "$(count "$folder/check.json")" = 0 ] || fail "$1 starts intersected"; }

says 'a look before the step and one after it: nothing touches'
says 'graze: hit, first contact at t = 0\.49[0-9]*, decided exactly'
says '8 poses along it: 8 of them free'
says 'graze: hit, the arm touches the plate at t = 0\.4'
says '^   certified  *0  *0 .* 0 '
says ' seconds in all'
for frame in bullet_0.obj bullet_1.obj cloth-ball/frames/cloth-ball_0.ply; do free "$made/$frame"; done
page=$(tail -n 1 "$folder/out")
[ "$page" = "$made/index.html" ] && [ -s "$page" ] || fail "the last line is not the path of its page"
grep -q 'says nothing. graze looks at all of the time between' "$page" || fail "the page has no bullet"
grep -q 'free until t = 0\.4' "$page" || fail "the page has no arm"
[ "$(grep -c '<tr><td><code>' "$page")" = 3 ] || fail "the table has not three rows"
[ "$(grep -c '<tr><td><code>' "$made/methods.html")" -gt 10 ] || fail "not all methods are behind the link"
for text in "$folder/out" "$page" "$made/methods.html"; do # every star has its line
    [ "$(grep -c '[0-9]\*\(<\| \)' "$text")" = 0 ] || grep -q '\* with at most 4096 checks' "$text" || fail "a star without its line in $text"
done
! sed '1,/<h1>/d' "$page" | grep -Ewq -- '-?(nan|inf)' || fail "a number is missing on the page"
if "$graze" sim --list >/dev/null 2>&1; then
    for run in missed ours; do free "$made/cloth-$run/frames/thorns_0.ply"; done
    [ "$(count "$made/cloth-missed-last.json")" -gt 0 ] || fail "the method that misses misses nothing"
    [ "$(count "$made/cloth-ours.json")" = 0 ] || fail "ours has intersections"
    says 'with certified, ours:     0, checked exactly'
    # the page of the motion is not red: also the straight ways between its frames are free
    "$graze" sequence "$made/cloth-ours/frames" | grep -q '^0 of 3 steps touch' || fail "the straight ways between the frames of ours touch"
else
    says 'not shown: sim: the simulator is not in this build'
fi
