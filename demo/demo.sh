#!/bin/sh
# The main job on data that it generates itself: a cloth-on-ball step, every method against exact truth, an HTML page.
# usage: demo.sh PROGRAM [FOLDER]     prints the page's path last
set -eu
graze=${1:?usage: demo.sh PROGRAM [FOLDER]}
folder=${2:-report}
step=7  # by then the cloth folds over the ball
limit=8 # seconds for each method on each set of queries: some of the compared methods take minutes

say() { printf '%s\n' "$*"; }

# within SECONDS COMMAND…: ends a command that takes longer, where `timeout` is there to do it
within() {
    seconds=$1
    shift
    if command -v timeout >/dev/null 2>&1; then timeout "$seconds" "$@"; else "$@"; fi
}

rm -rf "$folder/cloth-ball" "$folder/step" "$folder/hand"
rm -f "$folder"/*.json "$folder"/*.err "$folder/index.html"
mkdir -p "$folder/step/frames"

say "A sheet falls on a ball:"
"$graze" scene cloth-ball --out "$folder/cloth-ball" --frames $((step + 2)) --size 32
from=$folder/cloth-ball/frames/cloth-ball_$step.ply
to=$folder/cloth-ball/frames/cloth-ball_$((step + 1)).ply

say ""
say "Does anything touch between frames $step and $((step + 1))?"
"$graze" step "$from" "$to"
"$graze" step "$from" "$to" --mode all --pairs-out "$folder/pairs.json" --json >"$folder/step.json"

say ""
say "Exact truth for every candidate of that step, and for degenerate queries made by hand:"
cp "$from" "$to" "$folder/step/frames/"
"$graze" dataset "$folder/step" --make
"$graze" handcraft --out "$folder/hand" --count 16 | tail -n 1

say ""
say "Every method on both:"
methods=$("$graze" info | sed -n '/^methods/,$p' | sed -e 1d -e '/not in this build/d' | awk '{ print $1 }')
for method in $methods; do
    printf ' %s' "$method"
    # a method that takes too long, or refuses a query, has no entry in the table
    within $limit "$graze" query "$folder/step/queries" --method "$method" --json >"$folder/scene-$method.json" \
        2>"$folder/scene-$method.err" || true
    within $limit "$graze" query "$folder/hand" --method "$method" --json >"$folder/hand-$method.json" \
        2>"$folder/hand-$method.err" || true
done
say ""
"$graze" demo "$folder" "$from" "$to"
say "$(cd "$folder" && pwd)/index.html"
