#!/bin/sh
# The main job on data that it generates itself: a cloth-on-ball step, every method against exact truth, an HTML page.
# usage: demo.sh PROGRAM [FOLDER]     works in FOLDER/demo (report/demo) and prints the page's path last
set -eu
graze=${1:?usage: demo.sh PROGRAM [FOLDER]}
folder=${2:-report}/demo
step=7  # by then the cloth folds over the ball
limit=4 # seconds for each method on each set of queries: some of the compared methods take minutes

say() { printf '%s\n' "$*"; }

# within SECONDS COMMAND…: ends a command that takes longer, where `timeout` is there to do it
within() {
    seconds=$1
    shift
    if command -v timeout >/dev/null 2>&1; then timeout "$seconds" "$@"; else "$@"; fi
}

# Files of an earlier demo are removed one by one, as it listed them, and nothing else. A folder without such a list is
# not ours.
made=$folder/.made-by-demo
if [ -e "$folder" ] && [ ! -f "$made" ]; then
    say "demo: $folder is there already and not from an earlier demo; give another folder" >&2
    exit 2
fi
if [ -f "$made" ]; then
    while IFS= read -r name; do
        case $name in /* | *..*) ;; *) rm -f -- "$folder/$name" ;; esac
    done <"$made"
fi
mkdir -p "$folder/step/frames"
others=$(cd "$folder" && find . -type f)
list_made() {
    (cd "$folder" && find . -type f) | while IFS= read -r name; do
        printf '%s\n' "$others" | grep -Fxq -- "$name" || printf '%s\n' "${name#./}"
    done >"$made.new"
    mv -- "$made.new" "$made"
}
: >"$made"
trap list_made EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

say "A sheet falls on a ball:"
"$graze" scene cloth-ball --out "$folder/cloth-ball" --frames $((step + 2)) --size 32
from=$folder/cloth-ball/frames/cloth-ball_$step.ply
to=$folder/cloth-ball/frames/cloth-ball_$((step + 1)).ply

say ""
say "Does anything touch between frames $step and $((step + 1))?"
"$graze" step "$from" "$to" --repeat 5
"$graze" step "$from" "$to" --repeat 5 --mode all --pairs-out "$folder/pairs.json" --json >"$folder/step.json"

say ""
say "Exact truth for every candidate of that step, and for degenerate queries made by hand:"
cp "$from" "$to" "$folder/step/frames/"
rm -f "$folder/step/sample.json"
"$graze" dataset "$folder/step" --make
"$graze" handcraft --out "$folder/hand" --count 16 | tail -n 1

say ""
say "Every method on both (some of the published ones take their time; each has $limit s for each set):"
methods=$("$graze" info | sed -n '/^methods/,$p' | sed -e 1d -e '/not in this build/d' | awk '{ print $1 }')
# score SET QUERIES METHOD: one that does not finish in time has a second try with few checks, and is marked
score() {
    name=$folder/$1-$3
    within $limit "$graze" query "$2" --method "$3" --json >"$name.json" 2>"$name.err" && return
    : >"$name.limited"
    within $limit "$graze" query "$2" --method "$3" --max-checks 4096 --json >"$name.json" 2>"$name.err" || true
}
for method in $methods; do
    printf ' %s' "$method"
    score scene "$folder/step/queries" "$method"
    score hand "$folder/hand" "$method"
done
say ""
"$graze" demo "$folder" "$from" "$to"
say "This step, in pictures: $(cd "$folder" && pwd)/index.html"
say "More of it: $graze bench narrow --quick   (every method on larger sets, with figures)"
say ""
say "$(cd "$folder" && pwd)/index.html"
