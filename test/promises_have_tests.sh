#!/bin/sh
# Every row of the tables of test/promises.md names a test that exists, as `ctest` or `ctest: the_sentence_of_a_TEST`.
# usage: promises_have_tests.sh SOURCE_DIR
set -eu
cd "$1"
document=test/promises.md
status=0
complain() { echo "$document: $1"; status=1; }

# the last column of every row, without heads and rules
rows=$(sed -n 's/^|.*| *\([^|]*\) *|$/\1/p' $document | grep -v -e '^-*$' -e '^test *$')
[ "$(echo "$rows" | wc -l)" -gt 100 ] || { echo "hardly any promises in $document"; exit 1; }
bare=$(echo "$rows" | grep -v '`' || true)
[ -z "$bare" ] || complain "a row without a test: $bare"

is_ctest() {
    grep -qE "(graze_test|graze_program_test|graze_cpp_test|graze_cuda_test)\([a-z./]*/$1[ )]" test/CMakeLists.txt ||
        [ -e "examples/${1#example_}.c" ] || ls src/cuda/"${1#oldest_device_}.cu" src/cuda/*/"${1#oldest_device_}.cu" 2>/dev/null | grep -q . ||
        grep -qE "(add_test\(NAME|graze_web_test\() ?$1 " test/CMakeLists.txt test/web/CMakeLists.txt
}

named=$(echo "$rows" | grep -o '`[^`]*`' | tr -d '`' | sort -u)
echo "$named" | sed 's/:.*//' | sort -u | { # in a shell of its own, so it says by its status whether all are there
    while read -r name; do
        is_ctest "$name" || complain "there is no test $name"
    done
    exit $status
} || status=1
echo "$named" | sed -n 's/: /|/p' | {
    while IFS='|' read -r name sentence; do
        grep -qsF "TEST($sentence)" test/*/"test_$name.c" test/*/"test_$name.cpp" "test/test_$name.c" ||
            grep -qsF "def $sentence(" "$name"/tests/test_*.py || complain "$name has no test $sentence"
    done
    exit $status
} || status=1
exit $status
