#!/bin/sh
# Prints how long functions and files are in src and everywhere; fails where hardly any were found.
# usage: lengths.sh SOURCE_DIR
set -eu
cd "$1"
# functions FILE…: a line "length file:line" for each function, as clang-format writes them: from its first line to its brace
functions() {
    awk '
    FNR == 1 { inside = begin = 0 }
    inside && /^}/ { if ($0 == "}") print FNR - begin + 1, FILENAME ":" begin; inside = begin = 0; next }
    inside { next }
    !begin && /^[A-Za-z_].*\(/ && !/^(typedef|struct|enum|union|extern|namespace)/ { begin = FNR }
    !begin { next }
    /^#|;$/ && !/{/ { begin = 0; next }
    /{.*}$/ { print FNR - begin + 1, FILENAME ":" begin; begin = 0; next }
    /{$/ { inside = 1 }' "$@"
}
# spread: median, nine in ten, and longest of the lines "length place", and the place of the longest
spread() {
    sort -n | awk '{ length_of[NR] = $1; place = $2 }
        END {
            if (NR < 50) exit 1
            print "median " length_of[int((NR + 1) / 2)] ", 90 % within " length_of[int(NR * 0.9)] ", longest " length_of[NR] " (" place "), of " NR
        }'
}
c_files() { git ls-files "$@" | grep -E '\.(c|h|cu|cuh)$'; }
git ls-files >/dev/null 2>&1 || { echo "skipped: not a checkout of git"; exit 77; }
for room in src .; do
    label=$([ $room = . ] && echo "everywhere" || echo "in $room")
    # shellcheck disable=SC2046
    of_functions=$(functions $(c_files $room) | spread) && of_files=$(wc -l $(c_files $room) | grep -v ' total$' | spread) ||
        { echo "hardly anything was found $label"; exit 1; }
    echo "lines of functions $label: $of_functions"
    echo "lines of files $label: $of_files"
done
