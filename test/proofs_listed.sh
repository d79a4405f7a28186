#!/bin/sh
# proofs/constants.txt has every constant of error_bounds.h, once; what it calls proven is a theorem whose proof is
# closed; what it calls a choice is one for mutate_constants.sh, too.
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
[ "$choices" = "$(sed -n 's/^\(GZ_[A-Z0-9_]*\) [^ ]* choice$/\1/p' $list | sort)" ] || say "its choices are not those of mutate_constants.sh"

for theorem in $(sed -n 's/^GZ_[A-Z0-9_]* [^ ]* coq //p' $list | sort -u); do
    file=$(grep -l "^Theorem $theorem\b" proofs/*.v) || { say "no theorem $theorem"; continue; }
    goal=$(basename "$file" .v)
    grep -q "^all=.*\b$goal\b" proofs/prove.sh || say "prove.sh does not prove $goal"
    grep -q "^Print Assumptions $theorem\.$" proofs/Assumptions.v || say "the assumptions of $theorem are not looked at"
done
while read -r name section how rest; do
    case $name in '#'*) continue ;; esac
    case $how in coq | hand | compared | choice) ;; *) say "$name: '$how' is no way to know a bound" ;; esac
    grep -qE "^##? $section[. ]" docs/numerics/*.md || say "$name: docs/numerics has no section $section"
done <$list
# the documents count them
counted() { grep -c "^GZ_[A-Z0-9_]* [^ ]* $1\b" $list; }
coq=$(counted coq) hand=$(counted hand)
grep -q "$coq of $((coq + hand)) constants by Coq, $hand by hand" docs/trust.md || say "docs/trust.md does not say $coq by Coq and $hand by hand"
grep -q "the $((coq + hand)) constants .* $coq are proven by Coq and $hand by hand" docs/proofs.md || say "docs/proofs.md counts otherwise"
if grep -nE '\b(Admitted|admit|Axiom|Parameter|Conjecture)\b' proofs/*.v; then say "a proof is left open"; fi
exit $bad
