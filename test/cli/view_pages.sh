#!/bin/sh
# Pages for the eye: with the viewer inside they hold the data, without it they say so; names with markup stay text.
# usage: view_pages.sh PROGRAM
set -eu
graze=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
fail() { echo "FAILED: $*"; exit 1; }

name='<img src=x onerror=alert(1)>_'
printf 'v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 1\nv 1 1 3\nv 2 1 3\nf 1 2 3\nf 4 5 6\n' >"${name}0.obj"
printf 'v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1 1 1\nv 2 1 1\nf 1 2 3\nf 4 5 6\n' >"${name}1.obj"

status=0
"$graze" view "${name}0.obj" "${name}1.obj" --out view.html >out 2>err || status=$?
if [ $status = 0 ]; then
    viewer=yes
    grep -q 'id="graze-data"' view.html || fail "the page has no data"
else
    viewer=no
    [ $status = 2 ] || fail "view: status $status"
    [ "$(wc -l <err)" = 1 ] && grep -q 'not in this program' err || fail "view says: $(cat err)"
    [ ! -e view.html ] || fail "view left a file"
fi

"$graze" step "${name}0.obj" "${name}1.obj" --html step.html --json >out 2>err || fail "step: $(cat err)"
"$graze" sequence "${name}0.obj" "${name}1.obj" --html sequence.html --json >out 2>err || fail "sequence: $(cat err)"
for page in step.html sequence.html; do
    head -c 15 $page | grep -q '<!doctype html>' || fail "$page is no page"
    tail -c 8 $page | grep -q '</html>' || fail "$page has no end"
    grep -q "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; " $page || fail "$page has no policy"
    ! grep -q '<img' $page || fail "markup of a file name is markup in $page"
    ! grep -Eq '(src|href)="(https?:)?//' $page || fail "$page loads something from outside"
    if [ $viewer = yes ]; then
        grep -q 'u003cimg src=x' $page || fail "$page does not name the file"
        grep -q '"verdict":"hit"' $page || fail "$page does not say that it touches"
    else
        grep -q 'hit' $page || fail "$page does not say that it touches"
        grep -q 'is a plain' err || fail "nothing says that the page is plain"
    fi
done

"$graze" view >out 2>err && fail "view of nothing" || [ "$(wc -l <err)" = 1 ] || fail "view of nothing: $(cat err)"
if [ $viewer = yes ]; then
    printf '{"format":"graze certificate 1","separation":0,"pairs":[{"kind":"vf","a":1,"b":"</script><b>"}]}' >c.json
    "$graze" view c.json --out c.html >out || fail "a certificate"
    ! grep -q '</script><b>' c.html || fail "markup of a certificate is markup"
    printf '{}' >not.json
    echo '{"format":"graze path certificate 1","models":[]}' >paths.json
    ! "$graze" view paths.json --out n.html >out 2>err && grep -q 'cannot be shown' err || fail "a certificate of paths"
    ! "$graze" view not.json --out n.html >out 2>err || fail "any JSON file is viewed"
    [ ! -e n.html ] || fail "a refused file leaves a page"
fi

# Options of a step are those of `graze step`. Without the viewer it is seen only that they are read.
printf 'v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 1\nv 1 1 3\nv 2 1 3\nf 1 2 3\nf 4 5 6\n' >a0.obj
printf 'v 0 0 0\nv 4 0 0\nv 0 4 0\nv 1 1 -1\nv 1 1 1\nv 2 1 1\nf 1 2 3\nf 4 5 6\n' >a1.obj
page() { # "words that the page has" view options…
    words=$1 status=0
    shift
    rm -f o.html
    "$graze" "$@" a0.obj a1.obj --out o.html >out 2>err || status=$?
    if [ $viewer = yes ]; then
        [ $status = 0 ] || fail "$*: $(cat err)"
        grep -q "$words" o.html || fail "$*: the page has no $words"
    else
        [ $status = 2 ] && grep -q 'not in this program' err || fail "$*: $(cat err)"
    fi
}
page '"verdict":"hit"' view --json
[ $viewer = no ] || grep -q '"page":"o.html"' out || fail "view --json says $(cat out)"
page '"toi":0.2' view --separation 0.5
page '"verdict":"clear"' view --t-max 0.25
page '"verdict":"unresolved"' view --method ti --max-checks 1
page '"toi":0\.\(3[789]\|4[0-8]\)' view --method ti --tolerance 0.25 # an eighth of the way, at most, before 1/2
page '"verdict":"hit"' view --broad brute --device 0 --memory-limit 4K --repeat 2 --no-start-check --threads 2
page '"verdict":"hit"' view -v --backend cpu
[ $viewer = no ] || grep -q 'back end cpu' err || fail "view -v says $(cat err)"

# A plan of a model file: its pieces as Bézier values, and the seconds where they meet.
cat >arm.json <<'TEXT'
{"models": [{"name": "arm", "links": [{"name": "tip", "joint": {"kind": "revolute", "name": "turn"}, "mesh": "a0.obj"}]},
            {"name": "wall", "mesh": "a1.obj", "origin": {"position": [9, 0, 0]}}]}
TEXT
cat >plan.json <<'TEXT'
{"joints": ["turn"], "times": [2, 3, 5], "positions": [[0], [1], [0.5]], "velocities": [[0], [0], [0]], "accelerations": [[0], [0], [0]]}
TEXT
status=0
"$graze" view arm.json --plan plan.json --out plan.html >out 2>err || status=$?
if [ $viewer = yes ]; then
    [ $status = 0 ] || fail "view --plan: $(cat err)"
    grep -q '"times":\[2,3,5\]' plan.html || fail "the page does not say when segments begin"
    grep -q '"bezier":\[\[0,0,0,1,1,1\]\]' plan.html || fail "the page has no quintic pieces"
    ! "$graze" view arm.json --plan arm.json --out n.html >out 2>err || fail "a model file is no plan"
    [ ! -e n.html ] || fail "a refused plan leaves a page"
else
    [ $status = 2 ] || fail "view --plan: status $status"
fi

# A world: its bodies by name at times that follow each other, and what touches between them.
cat >world.json <<'TEXT'
{"bodies": [{"name": "floor", "mesh": "a0.obj"},
            {"name": "<b>", "mesh": "a1.obj", "motion": {"kind": "rigid",
             "from": {"position": [0, 0, 2], "rotation": [1, 0, 0, 0]}, "to": {"position": [0, 0, -4], "rotation": [1, 0.1, 0, 0]}}},
            {"name": "crane", "model": "arm.json"}]}
TEXT
cat >arm.json <<'TEXT'
{"models": [{"name": "arm", "links": [{"name": "tip", "joint": {"kind": "revolute", "name": "turn"}, "origin": {"position": [20, 0, 0]},
             "mesh": "a0.obj"}]}], "motion": {"arm": {"from": [0], "to": [1]}}}
TEXT
status=0
"$graze" view world.json --out world.html >out 2>err || status=$?
if [ $viewer = yes ]; then
    [ $status = 0 ] || fail "view of a world: $(cat err)"
    grep -q '"names":\["floor","\\u003cb>","crane / tip"\]' world.html || fail "the page does not name the bodies"
    grep -q '"verdict":"hit"' world.html || fail "the page does not say that bodies touch"
    grep -q '"name":"t = 0.5"' world.html || fail "the page has no frame at half of the time"
    sed 's/"floor"/"flor", "mess": 1/' world.json >bad.json
    ! "$graze" view bad.json --out n.html >out 2>err && [ "$(wc -l <err)" = 1 ] || fail "a bad world: $(cat err)"
    [ ! -e n.html ] || fail "a refused world leaves a page"
else
    [ $status = 2 ] && grep -q 'not in this program' err || fail "view of a world: status $status"
fi
! "$graze" view a0.obj --plan plan.json --out n.html >out 2>err || fail "a plan of a mesh"
[ $viewer = no ] || grep -q -- '--plan is for the model file' err || fail "view MESH --plan says $(cat err)"
echo "viewer inside: $viewer"
