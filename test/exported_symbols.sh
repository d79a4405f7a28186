#!/bin/sh
# A shared library exports what its headers declare, and nothing else; robot.h is of libgraze_robot, all others of libgraze.
# usage: exported_symbols.sh SOURCE_DIR LIBRARY
set -eu
source=$1 library=$2
case $library in
*graze_robot*) headers=$source/include/graze/robot.h ;;
*) headers=$(ls "$source"/include/graze/*.h | grep -v /robot.h) ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nm -D --defined-only "$library" | awk '$2 ~ /[A-Z]/ {print $3}' | sed 's/@.*//' | grep -v -E '^(_init|_fini|__bss_start|_edata|_end)$' | sort >"$work/exported"
sed -n -e '/GRAZE_API/s/^[^(]*[ *]\(graze_[a-z0-9_]*\)(.*/\1/p' -e 's/^GRAZE_DEFAULTS(.* \(graze_init_[a-z0-9_]*\))$/\1/p' $headers | sort >"$work/declared"
if ! diff "$work/declared" "$work/exported" >"$work/diff"; then
    echo "declared in the headers (<) against exported by the library (>):"
    cat "$work/diff"
    exit 1
fi
if readelf -d "$library" 2>/dev/null | grep NEEDED | grep -E 'gomp|libomp'; then
    echo "the library needs OpenMP"
    exit 1
fi
echo "$(wc -l <"$work/declared") symbols"
echo "1 passed, 0 failed"
