#!/bin/sh
# proofs/constants.txt has every constant of error_bounds.h, once; what it calls proven is a theorem whose proof is
# closed; what it calls a choice is one for mutate_constants.sh, too; the function that it names uses the constant.
# usage: proofs_listed.sh SOURCE_DIR
set -eu
cd "$1"
list=proofs/constants.txt
bad=0
say() { echo "$list: $*"; bad=1; }

defined=$(sed -n 's/^#define \(GZ_[A-Z0-9_]*\) .*/\1/p' src/numerics/error_bounds.h | sort)
listed=$(sed -n 's/^\(GZ_[A-Z0-9_]*\) .*/\1/p' $list | sort)
[ "$(echo "$defined" | wc -l)" -gt 50 ] || say "hardly any constants were read"
[ "$defined" = "$listed" ] || { say "is not the list of constants of the header:"; printf '%s\n' "$defined" >"${TMPDIR:-/tmp}/defined.$$"; printf '%s\n' "$listed" | diff "${TMPDIR:-/tmp}/defined.$$" - || true; rm -f "${TMPDIR:-/tmp}/defined.$$"; }

choices=$(sed -n 's/^bounds \(GZ_[A-Z0-9_]*\) [^ ]* choice .*/\1/p' test/mutate_constants.sh | sort)
[ "$choices" = "$(sed -n 's/^\(GZ_[A-Z0-9_]*\) [^ ]* - choice$/\1/p' $list | sort)" ] || say "its choices are not those of mutate_constants.sh"

for theorem in $(sed -n 's/^GZ_[A-Z0-9_]* [^ ]* [^ ]* coq //p' $list | sort -u); do
    file=$(grep -l "^Theorem $theorem\b" proofs/*.v) || { say "no theorem $theorem"; continue; }
    goal=$(basename "$file" .v)
    grep -q "^all=.*\b$goal\b" proofs/prove.sh || say "prove.sh does not prove $goal"
    grep -q "^Print Assumptions $theorem\.$" proofs/Assumptions.v || say "the assumptions of $theorem are not looked at"
done
# "constant function" for each function whose body uses a constant
uses=$(find src -name '*.c' -o -name '*.h' | xargs awk '
    FNR == 1 { head = "" }
    /^[A-Za-z].*\(/ && !/;$/ && !/^(typedef|#)/ { head = $0; sub(/\(.*/, "", head); sub(/.*[ *]/, "", head) }
    { rest = $0; while (match(rest, /GZ_[A-Z0-9_]+/)) { print substr(rest, RSTART, RLENGTH), head; rest = substr(rest, RSTART + RLENGTH) } }' | sort -u)
used_by() { printf '%s\n' "$uses" | grep -x "$1 $2" >/dev/null; } # of float, lanes write the name of the double
while read -r name section kind how rest; do
    case $name in '#'*) continue ;; esac
    case $how:$kind in
    compared:- | choice:-) ;;
    coq:*:* | hand:*:*)
        case $kind in clear:* | toi:* | hit:* | near:* | start:*) ;; *) say "$name: '$kind' is no kind of use" ;; esac
        used_by "$name" "${kind#*:}" || used_by "${name%_F32}" "${kind#*:}" || say "$name: src has no function ${kind#*:} that uses it" ;;
    *) say "$name: '$kind' says nothing of what rests on it" ;;
    esac
    case $how in coq | hand | compared | choice) ;; *) say "$name: '$how' is no way to know a bound" ;; esac
    grep -qE "^##? $section[. ]" docs/numerics/*.md || say "$name: docs/numerics has no section $section"
done <$list
# the documents count them
counted() { grep -c "^GZ_[A-Z0-9_]* [^ ]* [^ ]* $1\b" $list; }
coq=$(counted coq) hand=$(counted hand)
grep -q "$coq of $((coq + hand)) constants by Coq, $hand by hand" docs/trust.md || say "docs/trust.md does not say $coq by Coq and $hand by hand"
grep -q "the $((coq + hand)) constants .* $coq are proven by Coq and $hand by hand" docs/proofs.md || say "docs/proofs.md counts otherwise"
ways=$(grep -cE '^GZ_[^ ]* [^ ]* (clear|toi):' $list) proven=$(grep -cE '^GZ_[^ ]* [^ ]* (clear|toi):[^ ]* coq' $list)
grep -q "Of the $ways on a way .* $proven are proven by Coq" docs/proofs.md || say "docs/proofs.md does not say that of $ways on a way to clear $proven are proven"
if grep -nE '\b(Admitted|admit|Axiom|Parameter|Conjecture)\b' proofs/*.v; then say "a proof is left open"; fi
exit $bad
