#!/bin/sh
# A skipped test is never counted as passed: exit statuses of the harness, what CTest makes of them, what skips.sh says.
# usage: says.sh SOURCE_DIR CASES CTEST
set -eu
source=$1 cases=$2 ctest=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
complain() { echo "$*"; status=1; }
unset GRAZE_DATA

# expect STATUS LAST_LINE CASE…
expect() {
    wanted=$1 line=$2 code=0
    shift 2
    "$cases" "$@" >"$work/out" || code=$?
    [ $code = "$wanted" ] || complain "$*: exit $code, not $wanted"
    [ "$(tail -n 1 "$work/out")" = "$line" ] || complain "$*: $(tail -n 1 "$work/out")"
}
expect 0 "1 passed, 0 failed, 0 skipped" passes
expect 77 "0 passed, 0 failed, 1 skipped" skips
expect 0 "1 passed, 0 failed, 1 skipped" passes skips
expect 1 "0 passed, 1 failed, 0 skipped" checks_nothing
grep -q 'no check ran' "$work/out" || complain "a test without checks does not say so"
expect 1 "0 passed, 1 failed, 0 skipped" fails_after_a_skip
expect 1 "0 passed, 1 failed, 1 skipped" skips fails
expect 1 "0 passed, 0 failed, 0 skipped" no_such_test
expect 77 "0 passed, 0 failed, 1 skipped" asks_for_data
GRAZE_DATA=anywhere expect 0 "1 passed, 0 failed, 0 skipped" asks_for_data

# a folder of tests, as CTest sees it
long=$(printf '%2000s' '' | tr ' ' x) # a log of passing tests is not cut
cat >"$work/CTestTestfile.cmake" <<TEXT
add_test(whole "$cases" skips)
add_test(inside "sh" "-c" "echo $long; \"\$0\" passes asks_for_data" "$cases")
add_test(shell "sh" "-c" "echo skipped: no tool; exit 77")
add_test(pytest "echo" "SKIPPED [2] tests/test_a.py:7: no device")
add_test(node "echo" "ok 3 - a name of a test # SKIP no browser")
set_tests_properties(whole inside shell pytest node PROPERTIES SKIP_RETURN_CODE 77)
TEXT
(cd "$work" && "$ctest" --output-junit Testing/tests.xml >ctest.txt 2>&1) || complain "CTest fails where nothing failed"
for name in whole shell; do grep -q "$name .*\*\*\*Skipped" "$work/ctest.txt" || complain "CTest does not call $name skipped"; done
cat >"$work/wanted" <<TEXT
skipped: 2 tests as a whole, 6 cases in all
  whole: skips: for this reason
  inside: asks_for_data: GRAZE_DATA is not set
  shell: no tool
  pytest: tests/test_a.py:7: no device
  pytest: tests/test_a.py:7: no device
  node: a name of a test: no browser
TEXT
sh "$source/test/skips.sh" "$work" >"$work/said" || complain "skips.sh fails without GRAZE_DATA"
diff "$work/wanted" "$work/said" || complain "skips.sh says something else"
! GRAZE_DATA=anywhere sh "$source/test/skips.sh" "$work" >/dev/null || complain "data was there, a test was skipped for want of it, and nothing fails"

echo "add_test(passes \"$cases\" passes)" >"$work/CTestTestfile.cmake"
(cd "$work" && "$ctest" --output-junit Testing/tests.xml >ctest.txt 2>&1) || complain "a test that passes"
[ "$(GRAZE_DATA=anywhere sh "$source/test/skips.sh" "$work")" = "nothing was skipped" ] || complain "a run without skips"
exit $status
