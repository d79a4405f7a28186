#!/bin/sh
# Every option of every command is in a test: a line of a test names the command and, behind it, the option.
# usage: options_have_tests.sh SOURCE_DIR PROGRAM
set -eu
source=$1 program=$2
tests=$(find "$source/test" "$source/python/tests" "$source/web/test" "$source/web/package/test" -type f \
    ! -name manual.sh ! -name options_have_tests.sh)
pairs=$("$program" --complete | cut -f 1 | grep -v '^help$' | while read -r command; do
    "$program" "$command" --complete - 2>/dev/null | sed -n "s/^\(-[^	]*\)	.*/$command \1/p" | grep -v -e '--help$' || true
done)
[ "$(echo "$pairs" | wc -l)" -gt 100 ] || { echo "hardly any options"; exit 1; }
echo "$pairs" | {
    status=0
    while read -r command option; do
        # shellcheck disable=SC2086
        grep -qE -- "(^|[^a-z-])${command}[^a-z-](.*[^a-z-])?$option([^a-z-]|\$)" $tests && continue
        echo "no test runs graze $command $option"
        status=1
    done
    exit $status
}
echo "$(echo "$pairs" | wc -l) options of commands are in tests"
