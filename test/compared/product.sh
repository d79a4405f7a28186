#!/bin/sh
# Builds the library without the methods that are kept for comparison, and asks it for each of them by name.
# usage: product.sh SOURCE_DIR WORK_DIR CC
set -eu
source=$1
work=$2
most=1640000 # bytes of code and constants
mkdir -p "$work"
if ! { cmake -S "$source" -B "$work" -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$3" -DGRAZE_COMPARED=OFF -DGRAZE_PROGRAM=OFF \
    -DGRAZE_TESTS=OFF -DGRAZE_WERROR=ON && cmake --build "$work" -j 2; } >"$work/log" 2>&1; then
    cat "$work/log"
    exit 1
fi
"$3" -std=c11 -Wall -Werror -I "$source/include" "$source/test/compared/product.c" -o "$work/product" -L "$work" -lgraze "-Wl,-rpath,$work"
"$work/product"
text=$(size "$work/libgraze.so" | awk 'NR == 2 { print $1 }')
echo "libgraze.so has $text bytes of code and constants"
[ "$text" -le $most ] || { echo "more than $most"; exit 1; }
