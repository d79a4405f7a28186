#!/bin/sh
# Functions and structs of a C file, as text: for trace_rooms.cpp, of files that are not C++ as a whole.
# usage: cut.sh FILE NAME…   ends with 1 where one is not found
set -eu
file=$1
shift
for name; do
    awk -v name="$name" '
    !on && /^[a-z]/ && !/;$/ && (index($0, " " name "(") || index($0, "*" name "(") || $0 == "typedef struct " name " {") { on = found = 1 }
    on { print; if (/^}/ || (/}$/ && /^[a-z].*{ /)) { print ""; exit } }
    END { exit !found }' "$file" || { echo "cut: $file has no $name" >&2; exit 1; }
done
