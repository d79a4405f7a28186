#!/bin/sh
# The C code of a page compiles as it stands: docs_compile.sh SOURCE_FOLDER COMPILER PAGE
set -eu
file=$(mktemp /tmp/graze-docs-XXXXXX.c)
trap 'rm -f "$file"' EXIT
awk '/^```c$/ {on = 1; next} /^```/ {on = 0} on' "$1/$3" >"$file"
[ -s "$file" ] || { echo "no code in $3"; exit 1; }
"$2" -std=c11 -Wall -Wextra -Wpedantic -Werror -Wno-unused-function -fsyntax-only -I "$1/include" "$file"
