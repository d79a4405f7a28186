#!/bin/sh
# The C or C++ code of a page compiles as it stands: docs_compile.sh SOURCE_FOLDER COMPILER PAGE [cpp [include folders…]]
set -eu
source=$1 compiler=$2 page=$3 language=${4:-c}
shift $(($# < 4 ? $# : 4))
case $language in c) standard=c11 ;; *) standard=c++17 ;; esac
file=$(mktemp "/tmp/graze-docs-XXXXXX.$language")
trap 'rm -f "$file"' EXIT
awk -v fence="\`\`\`$language" '$0 == fence {on = 1; next} /^```/ {on = 0} on' "$source/$page" >"$file"
[ -s "$file" ] || { echo "no code in $page"; exit 1; }
for folder; do set -- "$@" -isystem "$folder"; shift; done
"$compiler" -std=$standard "$@" -Wall -Wextra -Wpedantic -Werror -Wno-unused-function -fsyntax-only -I "$source/include" "$file"
