#!/bin/sh
# Installs a wheel into a fresh environment, with the system's NumPy, and runs the tests there.
# usage: wheel.sh WHEEL SOURCE_DIR
set -eu
wheel=$(realpath "$1") source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

unset PYTHONPATH GRAZE_LIBRARY
if ! /usr/bin/python3 -m venv --system-site-packages "$work/venv" >"$work/log" 2>&1; then
    echo "left out: no environment could be made (Debian: python3-venv)"
    exit 0
fi
"$work/venv/bin/python" -m pip install --quiet --no-index --no-deps "$wheel"
cd "$work" # nothing but what is installed is found
"$work/venv/bin/python" -c 'import graze, sys; sys.exit(not graze.__file__.startswith(sys.prefix))'
GRAZE_PROGRAM=$source/build/graze PYTHONDONTWRITEBYTECODE=1 \
    "$work/venv/bin/python" -m pytest -q -p no:cacheprovider "$source/python/tests"
