#!/bin/sh
# Turns comparisons and connectives of the files that decide, one at a time, in a copy of the tree, and says which test notices.
# usage: mutate_comparisons.sh SOURCE_DIR WORK_DIR [WORD…]   only files whose name holds one of the words
# Ends with 1 when a change goes unnoticed that should not, or one is noticed that cannot matter.
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
shift 2
. "$source/test/mutate_tree.sh"

# File ~ text ~ what it becomes (everywhere in the file) ~ caught or same ~ tests that look at it ~ for `same`: why it cannot matter.
table() {
    cat <<'TABLE'
src/pair/adjacent.c ~ before < t || after > *upper ~ before < t && after > *upper ~ same ~ certified adjacent_bounds ~ freedom at one end and contact at the other are each proven by themselves
src/pair/adjacent.c ~ cubic_at(&f, before).hi * sign > slack && ~ cubic_at(&f, before).hi * sign > slack || ~ caught ~ certified adjacent_bounds
src/pair/adjacent.c ~ if (!(over.hi > off)) return false; ~ if (!(over.hi > -off)) return false; ~ caught ~ certified adjacent_bounds
src/pair/thick.c ~ if (!(det > 0)) return false; ~ if (!(det >= 0)) return false; ~ same ~ thick ~ what is divided by 0 is not finite: `left` is not positive, or the direction not finite, and both return false
src/pair/probe_body.h ~ ends[k] = v_lt(zero, z[k]); ~ ends[k] = v_le(zero, z[k]); ~ same ~ probe_bounds error_bounds certified ~ the slack is more than the error (docs/numerics.md, 4.2), so that z = 0 is proven, too
src/pair/probe_body.h ~ starts[k] = v_lt(zero, a[k]); ~ starts[k] = v_le(zero, a[k]); ~ same ~ probe_bounds error_bounds certified ~ as for `ends`
src/narrow/certified.c ~ if (list->t[i] >= enough) { ~ if (list->t[i] > enough) { ~ same ~ certified step ~ the finish begins with the same question
src/pair/volume.c ~ if (!(det > off_det && u > off_u)) return false; ~ if (!(det > off_det || u > off_u)) return false; ~ caught ~ volume_bounds certified
src/pair/volume.c ~ if (!(low[i] * sign > volume->slack)) return false; ~ if (!(low[i] * sign > -volume->slack)) return false; ~ same ~ volume_bounds error_bounds ~ the guess is three slacks before the first root, and falling Newton steps from t pass none
src/pair/finish.c ~ gz_motion_within(&s->pair, t, s->tolerance, ~ gz_motion_within(&s->pair, t, 1.5 * s->tolerance, ~ caught ~ near_miss
src/pair/finish_state.h ~ height * height < half * half ~ height * height < 16 * half * half ~ caught ~ near_miss
src/pair/finish.c ~ (s->call->exact || !is_near(s, s->t)) ~ s->call->exact ~ caught ~ near_miss
src/pair/finish.c ~ if (!s->call->exact && upper <= s->call->t_max) ~ if (upper <= s->call->t_max) ~ caught ~ certified
src/pair/curve_first_kernel.h ~ v_sub(vec_dot(n, w[j][k]), least) ~ v_sub(vec_dot(n, w[j][k]), v_mul(zero, least)) ~ caught ~ curve
src/pair/curve_first_kernel.h ~ apart = m_and(apart, v_lt(zero, ~ apart = m_and(j == 2 ? v_eq(zero, zero) : apart, v_lt(zero, ~ caught ~ curve
src/articulated/range/forms.c ~ r += p->spread[i][l] * fabs(q->c1[l][j]); ~ r += 0.25 * p->spread[i][l] * fabs(q->c1[l][j]); ~ caught ~ articulated_maths
src/articulated/range/forms.c ~ wide += line->size[j] * half[j]; ~ wide += fabs(line->c0[j]) * half[j]; ~ caught ~ articulated_maths
src/articulated/range/cell.c ~ return low - high > contact + ~ return high - low > contact + ~ caught ~ range
src/compared/narrow/parity_exact.c ~ (size_t)(largest - unit[c]) ~ 0 ~ caught ~ compared
TABLE
}

prepare_tree
# shellcheck disable=SC2046
restore() { restore_files $(table | sed 's/ ~ .*//' | sort -u); }

table >"$work/table"
while IFS= read -r line; do
    field() { printf '%s\n' "$line" | awk -F ' ~ ' -v n="$1" '{ print $n }'; }
    file=$(field 1) expected=$(field 4)
    wanted "$file" "$@" || continue
    restore
    TEXT=$(field 2) BECOMES=$(field 3) awk '
        { for (out = ""; (at = index($0, ENVIRON["TEXT"])) > 0; found = 1) {
              out = out substr($0, 1, at - 1) ENVIRON["BECOMES"]
              $0 = substr($0, at + length(ENVIRON["TEXT"]))
          }
          print out $0 }
        END { exit !found }' "$source/$file" >"$tree/$file" ||
        { echo "mutate: $file has no \"$(field 2)\"" >&2; exit 2; }
    # shellcheck disable=SC2046
    found=$(build_and_run $(field 5))
    judge "$expected" "$found"
    printf '%-26s %-52s %-8s %s\n' "$file" "$(field 3)" "$verdict" "$found"
done <"$work/table"
restore
exit $status
