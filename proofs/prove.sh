#!/bin/sh
# Traces the library's code, proves the bounds of src/numerics/error_bounds.h that are listed as proven, and writes the
# table of all constants. usage: prove.sh SOURCE_DIR WORK_DIR [GOAL…]   a goal is a file of proofs/ without its .v
# A proof that fails is named, and the script ends with 1.
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
shift 2
all="ProbeDouble ProbeFloat VolumeCoefficients VolumeNormal MotionRoundings TaylorProduct RotvecRest StraightPath"
all="$all Times Exact Windows Kept CurvePart Crossing Prism"
all="$all StillTree FarPlaces FarLook Narrowed PointSum Shift Beside"
all="$all PlanTime Splines KeptDistance Controls Falling Joints"
goals=${*:-$all}
theory="Rounding Given Size Probe Volume Normal Directed DirectedChecks Taylor RotvecSeries"
theory="$theory Positive Cover Beyond Means"
axioms="ClassicalDedekindReals.sig_forall_dec ClassicalDedekindReals.sig_not_dec
FunctionalExtensionality.functional_extensionality_dep Classical_Prop.classic"

fail() { echo "prove: $*" >&2; exit 1; }

if grep -nE '\b(Admitted|admit|Axiom|Parameter|Conjecture)\b' "$source"/proofs/*.v; then fail "a proof is left open"; fi

compile() { # name: only where the file, or something before it, is new
    if ! cmp -s "$source/proofs/$1.v" "$work/$1.v" || [ ! -e "$work/$1.vo" ] || [ "$stale" = yes ]; then
        cp "$source/proofs/$1.v" "$work/$1.v"
        rm -f "$work/$1.vo"
        stale=yes
        (cd "$work" && coqc -q "$1.v") >"$work/$1.log" 2>&1 || return 1
    fi
}

stale=no
for name in $theory; do compile "$name" || { cat "$work/$name.log" >&2; fail "the theory $name does not hold"; }; done

sh "$source/proofs/trace.sh" "$source" "$work" || fail "the library's code is no longer what the proofs look at"
for name in Traces TracesRooms TracesMotion TracesSteps TracesLinks TracesLooks TracesModels; do
    (cd "$work" && coqc -q $name.v) >"$work/$name.log" 2>&1 || { cat "$work/$name.log" >&2; fail "$name has no trees"; }
done

stale=yes
proven=
prove() { # a goal, after those that it rests on
    for need in $(sed -n 's/^Require Import \(.*\)\.$/\1/p' "$source/proofs/$1.v"); do
        case " $all " in *" $need "*) prove "$need" ;; esac
    done
    case " $proven " in *" $1 "*) return ;; esac
    compile "$1" || { cat "$work/$1.log" >&2; fail "$1 is not proven"; }
    proven="$proven $1"
    echo "prove: $1 is proven"
}
for name in $goals; do prove "$name"; done
[ $# -eq 0 ] || exit 0

compile Assumptions || { cat "$work/Assumptions.log" >&2; fail "the assumptions cannot be listed"; }
assumed=$(sed -n 's/^\([A-Za-z_][A-Za-z0-9_.]*\) *:.*/\1/p; s/^\([A-Za-z_][A-Za-z0-9_.]*\)$/\1/p' "$work/Assumptions.log" | grep -v '^Axioms$' | sort -u)
[ -n "$assumed" ] || fail "no assumptions were listed"
for name in $assumed; do
    case " $(echo $axioms) " in *" $name "*) ;; *) fail "a theorem assumes $name" ;; esac
done
echo "prove: nothing is assumed but the axioms of the real numbers"

compile Least || { cat "$work/Least.log" >&2; fail "the least bounds cannot be computed"; }
for name in LeastRooms LeastMotion LeastSteps LeastLooks LeastModels; do
    compile $name || { cat "$work/$name.log" >&2; fail "the least bounds of $name cannot be computed"; }
    cat "$work/$name.log" >>"$work/Least.log"
done
sh "$source/proofs/table.sh" "$source" "$work/Least.log" >"$work/table.md" || fail "the table could not be made"
grep '| Coq' "$work/table.md"
echo "prove: $work/table.md has every constant"
