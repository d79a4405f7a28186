#!/bin/sh
# Lists the files of the library that a query, a step, a motion and a frame walk through, from callgrind's profiles of the
# examples, and who calls whom. A call from a room to one that it may not include (docs/architecture.md) goes back, through
# a pointer to a function; those below are known, any other fails, and so does a walk through more files than the table of
# docs/architecture.md has. The motion is example_screw, the frame example_cloth.
# usage: walk.sh SOURCE_DIR WORK_DIR [--list]     --list prints the files, too
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
list=${3:-}
command -v valgrind >/dev/null 2>&1 || { echo "skipped: there is no valgrind"; exit 77; }

# files, room, why
known="
src/base/parallel.c src/mesh threads run the body of a loop
src/base/parallel.c src/step threads run the body of a loop
src/base/parallel.c src/broad threads run the body of a loop
src/base/parallel.c src/articulated threads run the body of a loop
src/base/parallel.c src/narrow threads run the body of a loop
src/base/context.c src/step a context gives back what is kept in it
src/base/context.c src/articulated a context gives back what is kept in it
src/base/ src/kernels a context holds the table of its instruction set
src/base/self_test.c src/narrow the first call asks what is known
src/pair/ src/narrow exact arithmetic is asked for what a pair cannot decide
src/broad/ src/step pairs that were found go to the step
"

examples="query step screw cloth"
targets=$(printf 'example_%s ' $examples)
# shellcheck disable=SC2086
if ! { cmake -S "$source" -B "$work" -DCMAKE_BUILD_TYPE=None '-DCMAKE_C_FLAGS=-O0 -g' -DGRAZE_PROGRAM=OFF &&
    cmake --build "$work" -j "$(getconf _NPROCESSORS_ONLN)" --target $targets; } >"$work/log" 2>&1; then
    tail -n 40 "$work/log"
    exit 1
fi

# calls PROFILE: "caller callee" for every call between files of the library, and "file -" for every file entered
calls() {
    awk '
    function ours(name) { return name ~ /^\/.*\/src\/[a-z]+\// && sub(/.*\/src\//, "src/", name) ? name : "" }
    function named(text, id) { # "(3) name" says it first, "(3)" again
        id = text
        sub(/\).*/, ")", id)
        if (text ~ /\) /) { sub(/^\([0-9]*\) /, "", text); name_of[id] = text }
        return name_of[id]
    }
    /^(fl|fi|fe)=/ { here = named(substr($0, 4)); called = here; if (ours(here) != "") seen[ours(here) " -"] = 1 }
    /^fn=/ { called = here }
    /^(cfi|cfl)=/ { called = named(substr($0, 5)) }
    /^calls=/ {
        if (ours(here) != "" && ours(called) != "" && here != called) seen[ours(here) " " ours(called)] = 1
        called = here
    }
    END { for (edge in seen) print edge }' "$1"
}

: >"$work/calls"
longer=0
for example in $examples; do
    rm -f "$work/$example".out*
    GRAZE_ISA=scalar valgrind --tool=callgrind --dump-after=gz_self_test --callgrind-out-file="$work/$example.out" \
        "$work/test/example_$example" >/dev/null 2>"$work/log" || { cat "$work/log"; echo "example_$example failed"; exit 1; }
    # the first profile ends with the self-test: what is walked through only once in a process
    find "$work" -name "$example.out*" ! -name "$example.out.1" -exec cat {} + >"$work/all"
    calls "$work/all" | sort >"$work/$example.calls"
    cat "$work/$example".out* >"$work/all"
    calls "$work/all" >>"$work/calls"
    files=$(sed -n 's/ -$//p' "$work/$example.calls")
    count=$(echo "$files" | wc -l)
    most=$(sed -n "s/^| [a-z ]* | .$example. | [0-9]* | \([0-9]*\) |\$/\1/p" "$source/docs/architecture.md")
    echo "$example: $count files in $(echo "$files" | cut -d / -f 1,2 | sort -u | wc -l) rooms, at most ${most:-unknown}"
    [ "$count" -le "${most:-0}" ] || { echo "$example: the walk is longer than docs/architecture.md says; --list names its files"; longer=1; }
    [ -z "$list" ] || echo "$files" | sed 's/^/  /'
done

grep -v ' -$' "$work/calls" | sort -u | awk -v table="$source/docs/architecture.md" -v known="$known" '
function room(file, parts) { split(file, parts, "/"); return parts[1] "/" parts[2] }
BEGIN {
    while ((getline line < table) > 0)
        if (split(line, cell, "|") == 5 && cell[2] ~ /^ `[a-z\/]+` $/) {
            name = cell[2]
            gsub(/[ `]/, "", name)
            gsub(/[` ]+/, " ", cell[4])
            split(cell[4], allowed, " ")
            for (i in allowed) may[name, room(allowed[i])] = 1
        }
    count = split(known, lines, "\n")
    for (i = 1; i <= count; i++)
        if (match(lines[i], /^[^ ]+ [^ ]+ /)) { split(lines[i], word, " "); file[++ways] = word[1]; back_to[ways] = word[2]; why[ways] = substr(lines[i], RLENGTH + 1) }
}
{
    from = room($1); to = room($2)
    calls++
    if (from == to || ((from, to) in may)) next
    for (i = 1; i <= ways; i++)
        if (index($1, file[i]) == 1 && to == back_to[i]) { goes_back[from " back to " to ": " why[i]] = 1; next }
    print $1 " calls " $2 ": from " from " back to " to
    bad = 1
}
END {
    for (edge in goes_back) print edge
    if (calls < 20) { print "hardly any calls were seen"; bad = 1 }
    exit bad
}' || longer=1
exit $longer
