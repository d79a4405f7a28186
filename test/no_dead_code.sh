#!/bin/sh
# Every function that an internal header declares is named a third time: somebody calls it. Every macro of a source file is
# used in it.
# usage: no_dead_code.sh SOURCE_DIR
set -eu
cd "$1"
files=$(find include src io scenes verify app sim bench cli web python test fuzz examples robot proofs -name node_modules -prune -o -type f -print 2>/dev/null |
    grep -E '\.(c|h|cpp|hpp|cu|cuh)$' | sort)
# shellcheck disable=SC2086
awk '
FNR == 1 { comment = 0 }
{
    line = $0
    if (FILENAME ~ /\.h$/ && FILENAME !~ /^include\// && line ~ /^[a-z_].*[ *][a-z0-9_]+\(/ && line !~ /^(static|typedef|return|#)|alignas\(/) {
        name = line
        sub(/\(.*/, "", name)
        sub(/.*[ *]/, "", name)
        declared[name] = FILENAME ":" FNR
    }
    if (FILENAME ~ /\.(c|cu)$/ && FILENAME !~ /^test\// && match(line, /^#define [A-Z0-9_]+/)) {
        name = substr(line, 9, RLENGTH - 8)
        macro[FILENAME, name] = FILENAME ":" FNR
    }
    if (line !~ /^[[:space:]]*#/) gsub(/"([^"\\]|\\.)*"/, "", line) # a text may hold what begins a comment
    gsub(/\/\*.*\*\//, "", line)
    sub(/\/\/.*/, "", line)
    if (comment) { if (!sub(/^.*\*\//, "", line)) next; comment = 0 }
    if (sub(/\/\*.*/, "", line)) comment = 1
    count = split(line, word, /[^A-Za-z0-9_]+/)
    for (i = 1; i <= count; i++) { times[word[i]]++; here[FILENAME, word[i]]++ }
}
END {
    for (name in declared) {
        functions++
        if (times[name] <= 2) { print declared[name] ": nobody calls " name; bad = 1 }
    }
    for (key in macro) {
        split(key, part, SUBSEP)
        name = part[2]
        # a macro before the includes speaks to them
        if (here[key] == 1 && times[name] == 1 && name !~ /_SOURCE$|^GZ_SIMD_/) { print macro[key] ": nobody uses " name; bad = 1 }
    }
    if (functions < 500) { print "hardly any functions: " functions; bad = 1 }
    if (!bad) print functions " functions are called"
    exit bad
}' $files
