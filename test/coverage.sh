#!/bin/sh
# Lines and branches that the tests reached, for each room.   usage: coverage.sh BUILD_DIR
set -eu
build=$1
root=$(cd "$build/.." && pwd)
cd "$build"
find . -name '*.gcda' -path '*graze_objects*' | sort >gcda.list
[ -s gcda.list ] || { echo "coverage: no counts; run the tests first" >&2; exit 2; }
rm -rf gcov && mkdir gcov
while read -r file; do
    (cd gcov && gcov -b -r -s "$root" "../$file") 2>/dev/null
done <gcda.list | awk '
    /^File / {file = $2; gsub(/\x27/, "", file)}
    /^Lines executed/ {split($0, a, /[:%]| of /); lines[file] = a[2]; line_count[file] = a[4]}
    /^Branches executed/ {split($0, a, /[:%]| of /); branch_count[file] = a[4]}
    /^Taken at least once/ {split($0, a, /[:%]| of /); taken[file] = a[2]}
    END {for (f in lines) if (f ~ /^src\//) print f, lines[f], line_count[f], taken[f] + 0, branch_count[f] + 0}' |
    sort | awk '
    {n = split($1, p, "/"); room = p[1] "/" p[2]
     printf "%-40s lines %6.2f %% of %5d   branches %6.2f %% of %5d\n", $1, $2, $3, $4, $5
     l[room] += $2 * $3; ln[room] += $3; b[room] += $4 * $5; bn[room] += $5}
    END {print ""; for (r in ln) printf "%-40s lines %6.2f %% of %5d   branches %6.2f %% of %5d\n", r, l[r] / ln[r], ln[r], bn[r] ? b[r] / bn[r] : 100, bn[r]}'
