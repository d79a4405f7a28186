#!/bin/sh
# Says what the last run of ctest in a build folder skipped, and why: whole tests, and tests inside of programs that passed.
# Fails where a test was skipped for want of reference data although GRAZE_DATA is set.
# usage: skips.sh BUILD_FOLDER     after ctest --output-junit Testing/tests.xml
set -eu
log=$1/Testing/Temporary/LastTest.log counts=$1/Testing/tests.xml
for file in "$log" "$counts"; do [ -f "$file" ] || { echo "skips: there is no $file"; exit 2; }; done

# "test: case: reason" for each; a reason is a line "skipped: …" of ours, or pytest's or node's own
list=$(awk '
    /^[0-9]+\/[0-9]+ Testing: / { test = $3; inside = 0 }
    /^Output:$/                 { inside = 1; what = ""; next }
    /^<end of output>$/         { inside = 0 }
    !inside                     { next }
    /^  [a-z]/ && NF == 1       { what = ": " $1; next }
    sub(/^ *skipped: /, "")     { print test what ": " $0; next }
    /^SKIPPED \[[0-9]+\] / {
        count = substr($2, 2) + 0
        sub(/^SKIPPED \[[0-9]+\] /, "")
        for (; count > 0; count--) print test ": " $0
        next
    }
    / # SKIP/ { sub(/^[^A-Za-z]*(ok [0-9]+ - )?/, ""); sub(/ \([0-9.]+ms\)/, ""); sub(/ # SKIP */, ": "); print test ": " $0 }
' "$log")
tests=$(sed -n 's/.*skipped="\([0-9]*\)".*/\1/p' "$counts" | head -n 1)

if [ -z "$list" ] && [ "$tests" = 0 ]; then
    echo "nothing was skipped"
    exit 0
fi
echo "skipped: $tests tests as a whole, $(printf '%s\n' "$list" | grep -c . || true) cases in all"
[ -z "$list" ] || printf '%s\n' "$list" | sed 's/^/  /'
if [ -n "${GRAZE_DATA:-}" ] && printf '%s\n' "$list" | grep -q GRAZE_DATA; then
    echo "GRAZE_DATA is set: no test may be skipped for want of it"
    exit 1
fi
