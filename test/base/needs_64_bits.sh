#!/bin/sh
# A compiler for 32 bits is told what is missing, in one line.   usage: needs_64_bits.sh SOURCE_DIR CC
set -eu
said=$("$2" -m32 -E -x c "$1/src/base/platform.h" 2>&1 >/dev/null || true)
case $said in
*"graze needs 128-bit integers"*) echo "1 passed, 0 failed" ;;
*-m32* | *"fatal error"*) echo "this compiler knows no -m32: left out"; echo "0 passed, 0 failed" ;;
*) echo "unexpected: $said"; exit 1 ;;
esac
