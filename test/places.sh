#!/bin/sh
# Every row of "Where things are" of docs/architecture.md names a file that exists and has the word; every other file that the
# page names exists, too.
# usage: places.sh SOURCE_DIR
set -eu
cd "$1"
page=docs/architecture.md
rows=$(sed -n 's/^|[^|]*| `\([^`|]*\)` | `\([^`|]*\)` |$/\1 \2/p' $page)
[ "$(echo "$rows" | wc -l)" -ge 30 ] || { echo "hardly any rows in $page"; exit 1; }
status=0
echo "$rows" | {
    while read -r file word; do
        grep -qsFe "$word" "$file" || { echo "$page: $file has no $word"; status=1; }
    done
    exit $status
} || status=1
# a file of src may be named by its room alone: pair/pair_unit.h
for file in $(grep -oE '`[a-z_]+/[a-z_/]*[a-z_0-9]+\.(c|h|cu|sh|cmake|py|txt)`' $page | tr -d '\`' | sort -u); do
    [ -e "$file" ] || [ -e "src/$file" ] || { echo "$page: there is no $file"; status=1; }
done
exit $status
