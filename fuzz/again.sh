#!/bin/sh
# Fuzzers of numbers by any compiler: each on every input that was kept in fuzz/corpus, and on COUNT of random bytes.
# usage: again.sh FOLDER_OF_PROGRAMS COUNT
set -eu
programs=$(cd "$1" && pwd) count=$2
fuzz=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failed=0 ran=0
for program in "$programs"/drive_*; do
    name=${program##*/drive_}
    case $name in *.*) continue ;; esac
    if [ -d "$fuzz/corpus/$name" ]; then "$program" "$fuzz/corpus/$name"/* || failed=1; fi
    "$program" --count "$count" --seed 20261118 --keep "$programs/kept_$name" || failed=1
    ran=$((ran + 1))
done
[ $ran -ge 4 ] || { echo "FAILED: $ran fuzzers"; exit 1; }
echo "1 passed, 0 failed, 0 skipped"
exit $failed
