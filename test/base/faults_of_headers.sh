#!/bin/sh
# Every function of the headers stands in test_faults.c: with a case that fails each of its allocations, or among those that
# allocate nothing.   usage: faults_of_headers.sh SOURCE_DIR
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cat include/graze/*.h | sed 's|//.*||' | tr '\n' ' ' | grep -oE 'GRAZE_API [^;{]*\(' | grep -oE 'graze_[a-z0-9_]+ *\(' | tr -d ' (' | sort -u >"$work/headers"
grep -oE '"graze_[a-z0-9_]+"' test/base/test_faults.c | tr -d '"' | sort -u >"$work/test"
[ "$(wc -l <"$work/headers")" -gt 140 ] || { echo "FAILED: hardly any functions"; exit 1; }
diff "$work/headers" "$work/test" || { echo "FAILED: the headers (<) and test_faults.c (>) differ"; exit 1; }
echo "$(wc -l <"$work/headers") functions"
