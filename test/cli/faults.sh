#!/bin/sh
# faults.py, where there is Python.   usage: faults.sh FAULTS.py GRAZE FOLDER [ROUNDS [SEED]]
set -eu
command -v python3 >/dev/null 2>&1 || { echo "skipped: there is no python3"; exit 77; }
script=$1
shift
PYTHONDONTWRITEBYTECODE=1 exec python3 "$script" "$@"
