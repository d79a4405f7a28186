#!/bin/sh
# Four things that two snapshots do not show, on data that it makes itself, and a page of them. What is not in this build is
# said in a line. usage: demo.sh PROGRAM [FOLDER]     works in FOLDER/demo (report/demo) and prints the page's path last
set -eu
graze=${1:?usage: demo.sh PROGRAM [FOLDER]}
folder=${2:-report}/demo
began=${GRAZE_BEGAN:-$(date +%s)}
limit=2 # seconds for each method on each set of queries: some of the compared methods take minutes

say() { printf '%s\n' "$*"; }

# within SECONDS COMMAND…: ends a command that takes longer, where `timeout` is there to do it
within() {
    seconds=$1
    shift
    if command -v timeout >/dev/null 2>&1; then timeout "$seconds" "$@"; else "$@"; fi
}

# of NAME FILE: the first value of that name in a file of JSON
of() { sed -n "s/.*\"$1\": *\"\{0,1\}\([^,}\"]*\).*/\1/p" "$2" | head -n 1; }

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

# ---- 1 ----

# bullet X: a bullet of radius 0.05 at X, and a wall at 0
bullet() {
    awk -v x="$1" 'BEGIN {
        printf "v %g 0.3 0\nv %g 0.3 0\n", x - 0.05, x + 0.05
        printf "v %g 0.35 0\nv %g 0.25 0\nv %g 0.3 0.05\nv %g 0.3 -0.05\n", x, x, x, x
        print "v 0 -1 -1\nv 0 1 -1\nv 0 1 1\nv 0 -1 1"
        for (side = 1; side <= 2; side++) { print "f", side, 3, 5; print "f", side, 5, 4; print "f", side, 4, 6; print "f", side, 6, 3 }
        print "f 7 8 9\nf 7 9 10"
    }'
}

say "1. A bullet and a wall"
bullet -4 >"$folder/bullet_0.obj"
bullet 4 >"$folder/bullet_1.obj"
for end in 0 1; do
    "$graze" check "$folder/bullet_$end.obj" --json >"$folder/bullet-$end.json"
    [ "$(of intersections "$folder/bullet-$end.json")" = 0 ] || { say "demo: the bullet is in the wall" >&2; exit 1; }
done
"$graze" step "$folder/bullet_0.obj" "$folder/bullet_1.obj" --method exact --json >"$folder/bullet.json"
say "   a look before the step and one after it: nothing touches"
say "   graze: $(of verdict "$folder/bullet.json"), first contact at t = $(of toi "$folder/bullet.json"), decided exactly"

# ---- 2 ----

say ""
say "2. The same cloth, dropped twice"
drop() { # NAME METHOD
    "$graze" sim "$(dirname "$0")/thorns.json" --method "$2" --out "$folder/cloth-$1" --json >"$folder/cloth-$1.json" 2>"$folder/cloth.err" || return
    cp "$folder/cloth-$1/frames/thorns_3.ply" "$folder/cloth-$1/last.ply"
    "$graze" check "$folder/cloth-$1/last.ply" --json >"$folder/cloth-$1-last.json"
    "$graze" view "$folder/cloth-$1/frames" --out "$folder/cloth-$1.html" >/dev/null 2>"$folder/view.err" || no_viewer=yes
}
no_viewer=no
if drop missed fprf && drop ours certified; then
    say "   with fprf, which misses:  $(of intersections "$folder/cloth-missed-last.json") intersections"
    say "   with certified, ours:     $(of intersections "$folder/cloth-ours-last.json"), checked exactly"
else
    rm -f "$folder/cloth-missed-last.json" "$folder/cloth-ours-last.json"
    say "   not shown: $(sed 's/^graze: //' "$folder/cloth.err" | head -n 1)"
fi

# ---- 3 ----

# box CX CY ANGLE HALF-LENGTH HALF-WIDTH HALF-HEIGHT: turned about z
box() {
    awk -v cx="$1" -v cy="$2" -v a="$3" -v l="$4" -v w="$5" -v h="$6" 'BEGIN {
        for (i = 0; i < 8; i++) {
            x = i % 2 ? l : -l; y = int(i / 2) % 2 ? w : -w; z = i > 3 ? h : -h
            printf "v %.17g %.17g %g\n", cx + cos(a) * x - sin(a) * y, cy + sin(a) * x + cos(a) * y, z
        }
        print "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6"
    }'
}
# arm FROM TO: the shoulder turns, the elbow stays bent
arm() {
    printf '{"models":[{"name":"arm","links":[{"name":"upper","joint":{"kind":"revolute"},"mesh":"upper.obj"},'
    printf '{"name":"lower","parent":"upper","joint":{"kind":"revolute"},"origin":{"position":[1,0,0]},"mesh":"lower.obj"}]},'
    printf '{"name":"plate","mesh":"plate.obj"}],"motion":{"arm":{"from":[%s,0.4],"to":[%s,0.4]}}}\n' "$1" "$2"
}

say ""
say "3. A robot's edge"
box 0.5 0 0 0.45 0.05 0.05 >"$folder/upper.obj"
box 0.5 0 0 0.4 0.04 0.04 >"$folder/lower.obj"
box 1.568 0.0775 0.3 0.15 0.002 0.2 >"$folder/plate.obj"
free=0
for k in 0 1 2 3 4 5 6 7; do
    pose=$(awk -v k=$k 'BEGIN { printf "%.17g", -0.7 + 1.2 * k / 7 }')
    arm "$pose" "$pose" >"$folder/pose.json"
    "$graze" articulate "$folder/pose.json" --inside --json >"$folder/pose-answer.json"
    [ "$(of verdict "$folder/pose-answer.json")" != clear ] || free=$((free + 1))
done
arm -0.7 0.5 >"$folder/edge.json"
"$graze" articulate "$folder/edge.json" --inside --json >"$folder/robot.json"
say "   8 poses along it: $free of them free"
say "   graze: $(of verdict "$folder/robot.json"), the arm touches the plate at t = $(printf %.4f "$(of toi "$folder/robot.json")")"

# ---- 4 ----

say ""
say "4. Methods against exact truth"
"$graze" scene cloth-ball --out "$folder/cloth-ball" --frames 2 --size 32 >/dev/null
from=$folder/cloth-ball/frames/cloth-ball_0.ply
to=$folder/cloth-ball/frames/cloth-ball_1.ply
"$graze" step "$from" "$to" --repeat 5 --mode all --pairs-out "$folder/pairs.json" --json >"$folder/step.json"
cp "$from" "$to" "$folder/step/frames/"
rm -f "$folder/step/sample.json"
"$graze" dataset "$folder/step" --make >/dev/null
"$graze" handcraft --out "$folder/hand" --count 8 >/dev/null
# score SET QUERIES METHOD: one that does not finish in time has a second try with few checks, and is marked
score() {
    name=$folder/$1-$3
    within $limit "$graze" query "$2" --method "$3" --json >"$name.json" 2>"$name.err" && return
    : >"$name.limited"
    within $limit "$graze" query "$2" --method "$3" --max-checks 4096 --json >"$name.json" 2>"$name.err" || true
}
methods=$("$graze" info | sed -n '/^methods/,$p' | sed -e 1d -e '/not in this build/d' | awk '{ print $1 }')
for method in $methods; do
    score scene "$folder/step/queries" "$method"
    score hand "$folder/hand" "$method"
done
"$graze" demo "$folder" "$from" "$to"
say "   all $(printf '%s\n' "$methods" | wc -w) methods: $folder/methods.html"

say ""
[ $no_viewer = no ] || say "Not shown: the cloth in motion. $(sed 's/^graze: view: //;s/^graze: //' "$folder/view.err" | head -n 1)"
say "$(($(date +%s) - began)) seconds in all. The page:"
say "$(cd "$folder" && pwd)/index.html"
