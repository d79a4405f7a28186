#!/bin/sh
# Writes the symbols files from the headers, or says where they differ. A function gets the version that first has it, which
# stays: lines that are there already are kept.
# usage: symbols.sh [check]      in the source folder
set -eu
cd "$(dirname "$0")/.."
version=$(sed -n 's/.*define GRAZE_VERSION_\(MAJOR\|MINOR\|PATCH\) \([0-9]*\).*/\2/p' include/graze/base.h | paste -sd .)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declared() { sed -n -e '/GRAZE_API/s/^[^(]*[ *]\(graze_[a-z0-9_]*\)(.*/\1/p' -e 's/^GRAZE_DEFAULTS(.* \(graze_init_[a-z0-9_]*\))$/\1/p' "$@" | LC_ALL=C sort; }
symbols() { # LIBRARY PACKAGE HEADERS…
    library=$1 package=$2 old=debian/$2.symbols
    shift 2
    echo "$library $package #MINVER#"
    declared "$@" | while read -r name; do
        grep "^ $name@Base " "$old" 2>/dev/null || echo " $name@Base $version"
    done
}
abi=${version%.*} status=0
symbols libgraze.so."$abi" libgraze"$abi" $(ls include/graze/*.h | grep -v /robot.h) >"$work/libgraze$abi"
symbols libgraze_robot.so."$abi" libgraze-robot"$abi" include/graze/robot.h >"$work/libgraze-robot$abi"
for package in libgraze"$abi" libgraze-robot"$abi"; do
    if [ "${1:-}" = check ]; then
        diff "debian/$package.symbols" "$work/$package" || { echo "debian/$package.symbols (<) and the headers (>) differ: debian/symbols.sh writes it"; status=1; }
    else
        cp "$work/$package" "debian/$package.symbols"
    fi
done
exit $status
