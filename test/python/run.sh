#!/bin/sh
# Runs the tests of the Python package with a library and a program of this build, where Python, NumPy and pytest are.
# usage: run.sh SOURCE_DIR LIBRARY [PROGRAM]
set -eu
source=$1
GRAZE_LIBRARY=$2
PYTHONPATH=$source/python
PYTHONDONTWRITEBYTECODE=1
export GRAZE_LIBRARY PYTHONPATH PYTHONDONTWRITEBYTECODE
[ -z "${3:-}" ] || { GRAZE_PROGRAM=$3; export GRAZE_PROGRAM; }
if ! /usr/bin/python3 -c 'import numpy, pytest' 2>/dev/null; then
    echo "skipped: no /usr/bin/python3 with NumPy and pytest (Debian: python3-numpy python3-pytest)"
    exit 77
fi
exec /usr/bin/python3 -m pytest -q -rs -p no:cacheprovider "$source/python/tests"
