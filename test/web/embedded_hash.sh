#!/bin/sh
# Hashes of embedded texts are those of sha256sum, for lengths that end in every way.   usage: embedded_hash.sh SOURCE_FOLDER
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for text in '' 'a' 'body{color:red}' "$(cat "$1/cli/plain_page.css")"; do
    printf '%s' "$text" >"$work/text"
    cmake -DOUTPUT="$work/text.c" -DHEADER=none.h -DTEXTS="text=$work/text" -DHASHED=ON -P "$1/cmake/embed.cmake"
    digits=$(sha256sum <"$work/text" | cut -c1-64 | sed 's/../\\x&/g')
    wanted=sha256-$(env printf "$digits" | base64)
    grep -qF "text_hash[] = \"$wanted\"" "$work/text.c" || { echo "not $wanted: $(cat "$work/text.c")"; exit 1; }
done
echo "4 passed, 0 failed"
