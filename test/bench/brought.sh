#!/bin/sh
# Methods that a user brings to `graze bench`: a plugin that is graze itself has graze's answers, those that miss or alarm
# are told so, answers of a file are scored as the method that gave them, and what is wrong is one clear line.
# usage: brought.sh PROGRAM PLUGINS
set -eu
graze=$1 plugins=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
status=0
complain() { echo "$*"; status=1; }

"$graze" handcraft --out data/queries --count 2 >/dev/null
"$graze" scene cloth-ball --out data/scenes/cloth --size 8 --frames 6 >/dev/null
rm data/scenes/cloth/frames/cloth-ball_[0-3].ply
bench() { suite=$1; shift; "$graze" bench "$suite" --data data --quick --time-budget 2 --repeat 1 --out report "$@" >out 2>err; }

# cell FILE KEY COLUMN: of the row that has KEY in column `method`; tables have no commas before what is asked for here
cell() {
    awk -F, -v key="$2" -v column="$3" 'NR == 1 {for (i = 1; i <= NF; i++) {if ($i == column) c = i; if ($i == "method") m = i}}
        NR > 1 && $m == key {print $c; exit}' "report/bench-$1.csv"
}
same() { # what, expected, got
    [ -n "$2" ] && [ "$2" = "$3" ] || complain "$1: '$2' is expected, '$3' came"
}

# ---- plugins beside the methods of the build ----
"$graze" query data/queries --method exact --out exact.jsonl >/dev/null
bench narrow --methods certified,exact --answers mine=exact.jsonl --plugin "$plugins/twin.so" --plugin "$plugins/never.so" \
    --plugin "$plugins/always.so" --plugin "$plugins/late.so" --plugin "$plugins/alarms.so" \
    --plugin "$plugins/only_vf.so" || { cat err; exit 1; }
for set in handcrafted-vf handcrafted-ee simulation-vf; do
    same "$set: hash of the twin" "$(cell "narrow-$set" certified hash)" "$(cell "narrow-$set" twin hash)"
done
same "scene: hash of the twin" "$(cell narrow-scenes certified hash)" "$(cell narrow-scenes twin hash)"
same "times of the twin" "$(cell narrow-toi-error certified largest_error)" "$(cell narrow-toi-error twin largest_error)"
[ "$(cell narrow-handcrafted-vf never false_negatives)" -gt 0 ] || complain "never: misses nothing"
[ "$(cell narrow-handcrafted-vf always false_positives)" -gt 0 ] || complain "always: no alarms"
[ "$(cell narrow-scenes never false_negatives)" -gt 0 ] || complain "never misses nothing in the scene"
same "the twin's promise" yes "$(cell narrow-brought twin kept)"
same "the promise of always, which has no misses" yes "$(cell narrow-brought always kept)"
same "the promise of never, which has them" no "$(cell narrow-brought never kept)"
same "the promise of late, which is after the contact" no "$(cell narrow-brought late kept)"
same "the promise of alarms, which has them" no "$(cell narrow-brought alarms kept)"
same "misses of late" 0 "$(cell narrow-brought late missed)"
same "vertex-face by what answers no other kind" "$(cell narrow-handcrafted-vf certified hash)" "$(cell narrow-handcrafted-vf only-vf hash)"
[ -z "$(cell narrow-handcrafted-ee only-vf hash)" ] || complain "what answers vertex-face alone was asked about edges"
grep -q '"twin"' report/bench-narrow.json && grep -q 'twin' report/bench-narrow.html || complain "the twin is not in the report"

# ---- answers of a file: those of exact, and no times ----
for set in handcrafted-vf handcrafted-ee; do
    same "$set: hash of the answers" "$(cell "narrow-$set" exact hash)" "$(cell "narrow-$set" mine hash)"
    same "$set: queries of the answers" "$(cell "narrow-$set" exact covered)" "$(cell "narrow-$set" mine covered)"
    [ -z "$(cell "narrow-$set" mine mean_us)" ] || complain "answers of a file have a time"
done

# ---- other suites ----
cp "$plugins/twin.so" here.so # a bare name is a file of this folder
bench separation --methods certified --plugin here.so --plugin "$plugins/always.so" || { cat err; exit 1; }
[ -z "$(cell separation-separation-handcrafted-vf always hash)" ] || complain "what takes no separation was asked for one"
same "separation: hash of the twin" "$(cell separation-separation-handcrafted-vf certified hash)" \
    "$(cell separation-separation-handcrafted-vf twin hash)"
bench step --methods certified --plugin "$plugins/twin.so" || { cat err; exit 1; }
grep -l '^[^,]*,twin,' report/bench-step-*.csv >/dev/null || complain "step: the twin is in no table"

# ---- what is wrong ----
refused() { # words of the line, then the arguments
    words=$1; shift
    code=0
    bench "${suite_of:-narrow}" --methods certified "$@" || code=$?
    [ $code = 2 ] && [ "$(wc -l <err)" = 1 ] && grep -q "$words" err || complain "$*: exit $code: $(cat err)"
}
refused "no graze_plugin" --plugin "$plugins/no_symbol.so"
refused "version 0; this program takes version 1" --plugin "$plugins/old.so"
refused "name is NULL" --plugin "$plugins/nameless.so"
refused "name is not one" --plugin "$plugins/odd_name.so"
refused "name is not one" --plugin "$plugins/long_name.so"
refused "a method exact already" --plugin "$plugins/taken_name.so"
refused "a method twin already" --plugin "$plugins/twin.so" --plugin "$plugins/twin.so"
refused "ccd is NULL" --plugin "$plugins/no_function.so"
refused "neither vertex-face nor edge-edge" --plugin "$plugins/no_kinds.so"
refused "bad-verdict: .*query .*a verdict that is none" --plugin "$plugins/bad_verdict.so"
refused "bad-toi: .*query .*toi is not in \[0, 1\]" --plugin "$plugins/bad_toi.so"
refused "twin: .*query .*unsupported" --plugin "$plugins/bad_status.so"
# code that does not come back: the bench ends in time, with a line, and without a report
refused "twin: vf queries: it did not return within" --plugin "$plugins/hangs.so" --time-budget 0.2
refused "twin: vf queries: it ended the process, with exit status 0" --plugin "$plugins/exits.so"
refused "twin: vf queries: signal 6 ended it" --plugin "$plugins/crashes.so"
suite_of=step
refused "twin: it ended the process, with exit status 0" --plugin "$plugins/exits.so"
refused "twin: it did not return within" --plugin "$plugins/hangs.so" --time-budget 0.2
suite_of=narrow
[ -z "$(ls -A report | grep '^\.graze-' || true)" ] || complain "a plugin that ended left temporary files"
# one signal ends the bench and the child
"$graze" bench narrow --data data --quick --methods certified --time-budget 600 --plugin "$plugins/hangs.so" --out stopped >out 2>err &
bench=$!
while kill -0 $bench 2>/dev/null; do
    child=$(ps -o pid= --ppid $bench 2>/dev/null | tr -d ' ')
    [ -z "$child" ] || break
    sleep 0.1
done
[ -n "$child" ] || complain "the plugin has no process of its own"
kill -TERM $bench
code=0
wait $bench || code=$?
[ $code = 143 ] || complain "one signal: status $code"
! kill -0 "$child" 2>/dev/null || complain "the child goes on"
suite_of=step
refused "unsupported" --plugin "$plugins/bad_status.so"
suite_of=narrow
refused "nowhere.so: .*" --plugin nowhere.so
echo "not a library" >text.so
refused "text.so: .*" --plugin text.so
refused "expected NAME=FILE.jsonl" --answers exact.jsonl
refused "none.jsonl" --answers mine=none.jsonl
: >empty.jsonl
refused "holds no answers" --answers mine=empty.jsonl
head -n 2 exact.jsonl >cut.jsonl && printf '{"file":"x","ind' >>cut.jsonl
refused "cut.jsonl:3: not a JSON object" --answers mine=cut.jsonl
echo '{"file":"a.csv","index":0,"verdict":"maybe","toi":0}' >maybe.jsonl
refused "maybe.jsonl:1: \"verdict\"" --answers mine=maybe.jsonl
echo '{"file":"a.csv","index":-1,"verdict":"hit","toi":0}' >minus.jsonl
refused "minus.jsonl:1: \"index\"" --answers mine=minus.jsonl
echo '{"file":"a.csv","index":0,"verdict":"hit","toi":2}' >late.jsonl
refused "late.jsonl:1: \"toi\"" --answers mine=late.jsonl
cat exact.jsonl exact.jsonl >twice.jsonl
refused "answered twice" --answers mine=twice.jsonl
echo '{"file":"elsewhere/vertex-face/a.csv","index":0,"verdict":"clear","toi":1}' >other.jsonl
refused "answers no query of data" --answers mine=other.jsonl
refused "a method exact already" --answers exact=exact.jsonl

[ $status = 0 ] && echo "1 passed, 0 failed"
exit $status
