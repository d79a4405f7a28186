#!/bin/sh
# proofs/try_to_break.sh counts a break only where the proof itself failed: not where the code could not be traced, another proof
# failed, or nothing was tried. A stand-in takes the place of prove.sh.
# usage: breaks_say.sh SOURCE_DIR
set -eu
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $*: $(cat "$work/said")"; exit 1; }
mkdir -p "$work/tree/include" "$work/proved"
cp -r "$source/src" "$work/tree"
cp -r "$source/proofs" "$work/tree"
echo '= ("GZ_DOT_SLACK", (9000, 8000)) ::' >"$work/proved/Least.log"
prove() { printf '#!/bin/sh\n%s\n' "$1" >"$work/tree/proofs/prove.sh"; }
try() { sh "$source/proofs/try_to_break.sh" "$work/tree" "$work/proved" "$@" >"$work/said" 2>&1; }

prove 'echo "prove: $3 is not proven" >&2; exit 1'
try 'sign of the cross' GZ_DOT_SLACK || fail "proofs that fail"
grep -qx 'try_to_break: all 2 break their proofs' "$work/said" || fail "not two were tried"
try || fail "every row finds its text"

prove "echo \"prove: the library's code cannot be traced\" >&2; exit 1"
! try 'sign of the cross' || fail "code that cannot be traced counts as a break"
grep -q 'was not asked: .*cannot be traced' "$work/said" || fail "why is not said"
prove 'echo "prove: ProbeDouble is not proven" >&2; exit 1'
! try 'sign of the cross' || fail "another proof's failure counts as a break"
prove 'exit 0'
! try 'sign of the cross' || fail "a proof that holds passes"
! try 'no row has these words' || fail "nothing tried passes"
