#!/bin/sh
# The programs of the tutorial print what it says they print, and the time that they find is safe and close: the two meet at 1/2.
# usage: tutorial.sh SOURCE_DIR C_PROGRAM LIBRARY
set -eu
examples=$1/examples/tutorial
"$2" | diff "$examples/first_contact.c.txt" - || { echo "the C program prints something else than the tutorial shows"; exit 1; }
for output in "$examples"/first_contact.*.txt; do
    awk '/nothing before/ {
        t = substr($0, index($0, "t = ") + 4) + 0
        if (t > 0.5 || (!/at most 12 / && t < 0.5 - 0.015625)) { print FILENAME ": " $0; wrong = 1 }
        lines++
    } END { exit wrong || lines != 4 }' "$output" || { echo "$output: not safe, or not close"; exit 1; }
done
if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    echo "skipped: no /usr/bin/python3 with NumPy (Debian: python3-numpy)"
    exit 77
fi
GRAZE_LIBRARY=$3 PYTHONPATH=$1/python PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 "$examples/first_contact.py" |
    diff "$examples/first_contact.py.txt" - || { echo "the Python program prints something else than the tutorial shows"; exit 1; }
