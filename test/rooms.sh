#!/bin/sh
# The include graph is that of the table in docs/architecture.md: every #include "…" leads to the file's own room, or to a
# room or file that the room's row names. No room has more than 40 files in one folder.
# usage: rooms.sh SOURCE_DIR
set -eu
cd "$1"
table=docs/architecture.md
files=$(find include src io scenes verify app sim bench cli web python robot proofs -name node_modules -prune -o -type f -print 2>/dev/null |
    grep -E '\.(c|h|cpp|hpp|cu|cuh)$' | sort)
# shellcheck disable=SC2086
grep -nE '^[[:space:]]*#[[:space:]]*include[[:space:]]+["<]' $files | awk -v table=$table -v files="$files" '
function room(file, parts) {
    split(file, parts, "/")
    return parts[1] == "src" ? "src/" parts[2] : parts[1]
}
function found(from, name, folder) { # the file that an include leads to; "" for one that is not ours
    folder = from
    sub(/[^\/]*$/, "", folder)
    if ((folder name) in is_file) return folder name
    if (name in is_file) return name
    if (("include/" name) in is_file) return "include/" name
    if (("src/" name) in is_file) return "src/" name
    return ("src/cuda/" name) in is_file ? "src/cuda/" name : ""
}
BEGIN {
    count = split(files, list, /[ \n]+/)
    for (i = 1; i <= count; i++) is_file[list[i]] = 1
    while ((getline line < table) > 0)
        if (split(line, cell, "|") == 5 && cell[2] ~ /^ `[a-z\/]+` $/) {
            name = cell[2]
            gsub(/[ `]/, "", name)
            rooms[name] = 1
            gsub(/[` ]+/, " ", cell[4])
            split(cell[4], allowed, " ")
            for (i in allowed) may[name, allowed[i]] = 1
        }
    for (i = 1; i <= count; i++) if (!(room(list[i]) in rooms)) lost[room(list[i])] = 1
    for (name in lost) { print table ": no row for the room " name; bad = 1 }
}
{
    split($0, place, ":")
    match($0, /["<][^">]*[">]/)
    to = found(place[1], substr($0, RSTART + 1, RLENGTH - 2))
    if (to == "") next
    seen++
    here = room(place[1]); there = room(to)
    kernel = to ~ /_kernel\.h$/ && ((here, "*_kernel.h") in may)
    if (here == there || ((here, there) in may) || ((here, to) in may) || kernel) next
    print place[1] ":" place[2] ": " here " may not include " to
    bad = 1
}
END {
    if (seen < 500) { print "hardly any includes were read"; bad = 1 }
    exit bad
}'
crowded=$(git ls-files 2>/dev/null | grep -E '\.(c|h|cpp|hpp|cu|cuh)$' | grep -v -E '^(test|examples)/' | sed 's,/[^/]*$,,' | sort | uniq -c | awk '$1 > 40 { print $2 " has " $1 " files" }')
[ -z "$crowded" ] || { echo "$crowded"; exit 1; }
