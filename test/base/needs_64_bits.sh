#!/bin/sh
# A compiler for 32 bits is told what is missing, in one line.   usage: needs_64_bits.sh SOURCE_DIR CC
set -eu
said=$("$2" -m32 -E -x c "$1/src/base/platform.h" 2>&1 >/dev/null || true)
case $said in
*"graze needs 128-bit integers"*) ;;
*-m32* | *"fatal error"*) echo "skipped: this compiler knows no -m32"; exit 77 ;;
*) echo "unexpected: $said"; exit 1 ;;
esac
