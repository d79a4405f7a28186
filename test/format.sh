#!/bin/sh
# Every C, C++ and CUDA file is as clang-format 14 writes it. The includes whose place has a meaning, as_float.h and
# as_double.h, stand alone between blank lines: clang-format sorts the lines of a block.
# usage: format.sh SOURCE_DIR
set -eu
cd "$1"
files=$(git ls-files '*.c' '*.h' '*.cpp' '*.hpp' '*.cu' '*.cuh' 2>/dev/null || true)
[ -n "$files" ] || { echo "skipped: not a checkout of git"; exit 77; }

# shellcheck disable=SC2086
awk '
    FNR == 1 { last = "" }
    /^#include/ && last ~ /^#include/ && ($0 last) ~ /numerics\/as_(float|double)\.h"/ {
        print FILENAME ":" FNR ": a blank line is missing beside as_float.h or as_double.h"
        bad = 1
    }
    { last = $0 }
    END { exit bad }' $files

formatter=
for name in clang-format-14 clang-format; do
    case $($name --version 2>/dev/null || true) in *'version 14.'*) formatter=$name; break ;; esac
done
[ -n "$formatter" ] || { echo "skipped: there is no clang-format 14"; exit 77; }
echo "$files" | xargs -P 2 -n 100 "$formatter" --dry-run --Werror || { echo "\`./dev format\` formats them"; exit 1; }
echo "$(echo "$files" | wc -l) files are formatted"
