#!/bin/sh
# A vertex falls through a triangle at t = 1/2: the program says so, or nothing is packaged.
# usage: built.sh PROGRAM
set -eu
program=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for z in 1 -1; do
    printf 'v 0 0 %s\nv 0.1 0 %s\nv 0 0.1 %s\nv -1 -1 0\nv 2 -1 0\nv -1 2 0\nf 1 2 3\nf 4 5 6\n' $z $z $z >"$work/$z.obj"
done
status=0
"$program" step "$work/1.obj" "$work/-1.obj" --json >"$work/answer" || status=$?
grep -q '"verdict":"hit"' "$work/answer" || { echo "graze step ended with $status and says:"; cat "$work/answer"; exit 1; }
echo "graze step finds the contact"
