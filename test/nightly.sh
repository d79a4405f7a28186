#!/bin/sh
# A night in a checkout of its own whose `dev` writes down what it is asked: a failed command, one that leaves the tree changed and
# one that hangs fail the night; a night that was cut off goes on by --resume with what did not pass, and runs all again where
# more than documents differ; its page has a row for each command.
# usage: nightly.sh SOURCE_DIR
set -eu
source=$(cd "$1" && pwd)
command -v git >/dev/null 2>&1 || { echo "skipped: there is no git"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/.ci" "$work/fuzz" "$work/test" "$work/verify" "$work/docs"
cp "$source/.ci/nightly.sh" "$work/.ci"
cd "$work"
touch fuzz/fuzz_one.c verify/check.c docs/page.md code.c
echo 'echo "lines of functions: 1"' >test/lengths.sh
echo '/build/' >.gitignore
cat >dev <<'DEV'
#!/bin/sh
echo "$*" >>build/asked
[ ! -e "build/breaks/$1" ] || . "build/breaks/$1"
echo "$1 | is done"
DEV
chmod +x dev
git init -q .
commit() { git add -A && git -c user.name=n -c user.email=n@n commit -q --no-gpg-sign -m "$1"; }
commit first
mkdir -p build/breaks

fail() { echo "$*"; cat build/said build/nightly.md; exit 1; }
# night EXPECTED_STATUS OPTIONS…: build/asked has what it ran
night() {
    expected=$1 said=0
    shift
    : >build/asked
    sh .ci/nightly.sh "$@" >build/said 2>&1 || said=$?
    [ $said = "$expected" ] || fail "nightly $*: status $said, expected $expected"
}
asked() { wc -l <build/asked | tr -d ' '; }
rows() { grep -c '^| `' build/nightly.md; }
has() { grep -qF "$1" build/nightly.md || fail "the page lacks: $1"; }

all=$(sh .ci/nightly.sh --short --list | wc -l | tr -d ' ')
ran=$all # gpu-test is not asked where there is no GPU
command -v nvidia-smi >/dev/null 2>&1 || ran=$((all - 1))

# a command that fails, one that leaves the tree changed, one that adds a file
echo 'exit 3' >build/breaks/bits
echo 'echo more >>code.c' >build/breaks/format
night 1 --short bits
[ "$(asked)" = 1 ] || fail "one name ran $(asked) commands"
has '1 commands: 0 passed, 1 failed, 0 skipped, 0 not run yet; 0:00:0'
night 1 --short format
has 'it left the tree changed'
git checkout -q code.c
echo 'touch added.c' >build/breaks/format
night 1 --short format
grep -q added.c build/nightly/format*.log || fail "the log does not name the file that was added"
rm -f added.c build/breaks/format

# a whole night, one command failed; then what did not pass is run again, and nothing else
night 1 --short
[ "$(asked)" = "$ran" ] || fail "a night ran $(asked) of $all commands"
[ "$(rows)" = "$all" ] || fail "the page has $(rows) rows of $all"
has '| `bits` | **failed** |'
has 'test -R ^(base\|bits\|'
grep -q 'failed: bits$' build/said || fail "the failed command is not named at the end"
rm build/breaks/bits
night 0 --short --resume
[ "$(cat build/asked)" = bits ] || fail "a resumed night ran more than what had failed: $(cat build/asked)"
[ "$(rows)" = "$all" ] || fail "the page of a resumed night has $(rows) rows of $all"

# other documents: what reads them is run again; other code: all; a tree with changes: all, and never kept
echo word >>docs/page.md
commit document
night 0 --short --resume
grep -q '^docs' build/asked || fail "documents changed, and docs was not run again"
! grep -qE '^(bits|threads|soak|build)' build/asked || fail "documents changed, and code was run again: $(cat build/asked)"
has "passed on $(git rev-parse --short HEAD~1)"
echo word >>code.c
night 0 --short --resume bits
[ "$(cat build/asked)" = bits ] || fail "a tree with changes was not run again"
[ "$(rows)" = "$all" ] || fail "a resumed command alone does not show all"
night 0 --short --resume bits
[ "$(cat build/asked)" = bits ] || fail "what passed with changes was kept"
git checkout -q code.c
night 0 --short --resume bits
[ "$(cat build/asked)" = bits ] || fail "what passed with changes was kept for the tree without"
echo word >>code.c
commit code
night 0 --short --resume
[ "$(asked)" = "$ran" ] || fail "code changed, and only $(asked) of $all commands were run"

# cut off in the middle: the command that ran ends, too, the page stands, and the night goes on
echo 'kill -TERM "$(cat build/night)"; sleep 3; touch build/outlived' >build/breaks/neon
: >build/asked
sh -c 'echo $$ >build/night; exec sh .ci/nightly.sh --short' >build/said 2>&1 && fail "a night that was cut off passed"
has '| `neon` | not run |'
has '| `build` | passed |'
rm build/breaks/neon
: >build/asked
sh .ci/nightly.sh --short --resume >build/said 2>&1 || fail "a night that was cut off did not go on"
! grep -qx build build/asked || fail "what passed before the cut was run again"
grep -qx neon build/asked || fail "what was cut off was not run again"
has "$all commands: $ran passed, 0 failed"
sleep 3
[ ! -e build/outlived ] || fail "the command outlived its night"

# a command that hangs is stopped, and what it started with it
mkdir build/tools
printf '#!/bin/sh\nshift 3\nexec %s -k 1 1s "$@"\n' "$(command -v timeout)" >build/tools/timeout
chmod +x build/tools/timeout
echo 'sleep 4; touch build/outlived' >build/breaks/neon
said=0
PATH=$PWD/build/tools:$PATH sh .ci/nightly.sh --short neon >build/said 2>&1 || said=$?
[ $said = 1 ] || fail "a command that hangs: status $said"
has 'stopped after 2 hours'
sleep 4
[ ! -e build/outlived ] || fail "the command that hung went on"

# what tests say at their end is their count, not their time; that of node is in several parts
echo 'printf "# pass 3\n# fail 0\n# todo 0\n# pass 4\n# fail 1\n# duration_ms 12.5\n"; exit 0' >build/breaks/web
printf '100%% tests passed, 0 tests failed out of 6\n\nTotal Test time (real) = 3 sec\n' >build/summary
echo 'cat build/summary; exit 0' >build/breaks/test
night 0 --short web test
has '| 7 passed, 1 failed |'
has '| 100% tests passed, 0 tests failed out of 6 |'
has '`./dev test`: 0 of 6 tests failed'

# unknown options
! sh .ci/nightly.sh --sort >build/said 2>&1 || fail "--sort was taken"
echo "a night: $all commands"
