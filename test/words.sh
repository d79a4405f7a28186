#!/bin/sh
# Comments say their subject first. Those that begin with "The same", or with What, Where, Whether or How, make a reader wait for
# it: few are left, and their number may not grow. Prose and comments have American spelling; code between backquotes keeps its names.
# No document waits for something to be filled in.
# usage: words.sh SOURCE_DIR [--list]     --list prints them with their places
set -eu
cd "$1"
git rev-parse --git-dir >/dev/null 2>&1 || { echo "skipped: this is no git repository"; exit 77; }
list=${2:-}
most_same=10 most_asking=60
git ls-files '*.c' '*.h' '*.cpp' '*.hpp' '*.cu' '*.cuh' '*.ts' '*.mjs' '*.py' '*.sh' '*.cmake' '*CMakeLists.txt' dev | xargs awk '
FNR == 1 { inside = 0 }
{
    begins = 0
    if (FILENAME ~ /\.(py|sh|cmake)$|CMakeLists\.txt$|^dev$/) {
        if ($0 ~ /^[ \t]*#/) { begins = !inside; inside = 1; text = $0; sub(/^[ \t]*#+!?[ \t]*/, "", text) } else inside = 0
        if (FILENAME ~ /\.py$/ && $0 ~ /^[ \t]*"""/) { begins = 1; text = $0; sub(/^[ \t]*"""/, "", text) }
    } else if (match($0, /\/\*\**[ \t]*|\/\/[\/<]*[ \t]*/)) {
        own = substr($0, 1, RSTART - 1) ~ /^[ \t]*$/
        line = substr($0, RSTART, 2) == "//"
        begins = !(line && own && inside)
        inside = line && own
        text = substr($0, RSTART + RLENGTH)
    } else inside = 0
    if (!begins) next
    if (text ~ /^The same/) print "same " FILENAME ":" FNR ": " text
    if (text ~ /^(What|Where|Whether|How)[^a-z]/) print "asking " FILENAME ":" FNR ": " text
}' | sort >"${TMPDIR:-/tmp}/words.$$"
trap 'rm -f "${TMPDIR:-/tmp}/words.$$"' EXIT
same=$(grep -c '^same' "${TMPDIR:-/tmp}/words.$$" || true)
asking=$(grep -c '^asking' "${TMPDIR:-/tmp}/words.$$" || true)
[ -z "$list" ] || cat "${TMPDIR:-/tmp}/words.$$"
echo "comments that begin with \"The same\": $same of at most $most_same; with What, Where, Whether or How: $asking of at most $most_asking"
british=$(git ls-files '*.md' include man dev | xargs awk '
FNR == 1 { fenced = 0 }
/^ *```/ { fenced = !fenced; next }
fenced { next }
{
    text = tolower($0)
    gsub(/`[^`]*`/, "", text)
    if (text ~ /colour|behaviour|licence|normalis|initialis|optimis|minimis|recognis|neighbour|[^a-z_]grey|[^a-z]metres?[^a-z]|[^a-z_]centre/) print FILENAME ":" FNR ": " $0
}')
british=$british$(git ls-files '*.c' '*.h' '*.cpp' '*.hpp' '*.cu' '*.cuh' | xargs awk '
FNR == 1 { inside = 0 }
{
    text = tolower($0)
    if (inside) ends = index(text, "*/")
    else if (match(text, /\/\*|\/\//)) { inside = substr(text, RSTART, 2) == "/*"; text = substr(text, RSTART + 2); ends = index(text, "*/") }
    else next
    if (ends) { text = substr(text, 1, ends - 1); inside = 0 }
    if (FILENAME !~ /\.[ch]pp$/ && $0 !~ /\/\*/ && $0 ~ /\/\//) inside = 0
    gsub(/`[^`]*`/, "", text)
    gsub(/[a-z_.]*(colour|neighbour|centre|normalise)[a-z_]*[[(]/, "", text) # names of the code
    if (text ~ /colour|behaviour|licence|normalis|initialis|optimis|minimis|recognis|neighbour|[^a-z_]grey|[^a-z]metres?[^a-z]|[^a-z_]centre/) print FILENAME ":" FNR ": " $0
}')
blanks=$(git ls-files '*.md' | xargs grep -nE '@@|TODO|FIXME' || true)
[ -z "$blanks" ] || { echo "something is still to be filled in:"; echo "$blanks"; }
[ -z "$british" ] || { echo "British spelling in prose or comments:"; echo "$british"; }
[ "$same" -le $most_same ] && [ "$asking" -le $most_asking ] && [ -z "$british$blanks" ]
