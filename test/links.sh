#!/bin/sh
# Every link of a document leads to a file that is there, and to a heading of it; every section of docs/numerics.md that
# something names is a heading of its pages, and the index has it. Links that lead out are all in docs/links.md.
# usage: links.sh SOURCE_DIR
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git ls-files >"$work/files" 2>/dev/null && [ -s "$work/files" ] || { echo "skipped: this is no checkout"; exit 77; }
grep '\.md$' "$work/files" >"$work/pages"

# heading of a page as a link names it: small letters, no punctuation, "-" for a space
# shellcheck disable=SC2046
LC_ALL=C awk '
    /^```/ { code = !code }
    !code && /^#+ / {
        name = tolower(substr($0, index($0, " ") + 1))
        gsub(/[!-,.\/:-@\[-^`{-~]|\342\200[\223\224]/, "", name)
        gsub(/ /, "-", name)
        print FILENAME "#" name
    }' $(cat "$work/pages") >"$work/headings"
# shellcheck disable=SC2046
awk -v out="$work/out" '
    FNR == 1 { folder = FILENAME; if (!sub(/\/[^\/]*$/, "", folder)) folder = "." }
    /^```/ { code = !code }
    {
        while (!code && match($0, /\]\([^ )]+\)/)) {
            link = substr($0, RSTART + 2, RLENGTH - 3)
            $0 = substr($0, RSTART + RLENGTH)
            if (link !~ /^[a-z]+:/) print FILENAME, folder, link
            else if (FILENAME != "docs/links.md") print FILENAME ": " link " belongs into docs/links.md" >out
        }
    }' $(cat "$work/pages") >"$work/links"
status=0
[ ! -s "$work/out" ] || { cat "$work/out"; status=1; }
while read -r page folder link; do
    path=${link%%#*}
    if [ -z "$path" ]; then whole=$page; else whole=$(realpath -m --relative-to . "$folder/$path"); fi
    [ -e "$whole" ] || { echo "$page: there is no $link"; status=1; }
    case $link in *.md#* | '#'*) grep -qxF "$whole#${link#*#}" "$work/headings" || { echo "$page: $link is no heading"; status=1; } ;; esac
done <"$work/links"
[ "$(wc -l <"$work/links")" -gt 100 ] || { echo "hardly any links"; status=1; }

# sections by number: "numerics.md, section 4.4", "numerics.md, sections 4.4 and 4.5", "numerics.md, 4.4"; also over the
# end of a line of a comment
xargs grep -hsA 1 'numerics\.md' <"$work/files" | sed -E 's/^[^0-9a-z]+//' | tr '\n' ' ' |
    grep -oE 'numerics\.md\)?, (sections? )?[0-9]+(\.[0-9]+)?(,? (and|to) [0-9]+\.[0-9]+)?' | grep -oE '[0-9]+(\.[0-9]+)?' |
    sort -u >"$work/named"
[ "$(wc -l <"$work/named")" -gt 15 ] || { echo "hardly any sections are named"; status=1; }
while read -r section; do
    grep -qE "^##? $section[. ]" docs/numerics/*.md || { echo "docs/numerics has no section $section"; status=1; }
done <"$work/named"
sed -nE 's/^##? ([0-9.]*[0-9])[. ].*/\1/p' docs/numerics/*.md | sort >"$work/sections"
sed -nE 's/^ *- \[([0-9.]*[0-9]) .*/\1/p' docs/numerics.md | sort | diff "$work/sections" - ||
    { echo "docs/numerics.md (>) does not list the sections of its pages (<)"; status=1; }
exit $status
