#!/bin/sh
# Turns comparisons, connectives and terms of the files that decide, one at a time, in a copy of the tree, and says which test
# notices.
# usage: mutate_comparisons.sh SOURCE_DIR WORK_DIR [--check] [WORD…]   only files whose name holds one of the words
#   --check  only sees to it that every row finds its text
# Ends with 1 when a change goes unnoticed that should not, or one is noticed that cannot matter.
set -eu
source=$(cd "$1" && pwd)
mkdir -p "$2"
work=$(cd "$2" && pwd)
shift 2
check=no
case ${1:-} in --check) check=yes; shift ;; esac
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
src/pair/volume.c ~ if (!(low[i] * sign > volume->slack)) return false; ~ if (!(low[i] * sign > -volume->slack)) return false; ~ same ~ volume_bounds error_bounds ~ the guess is three slacks before the first root, and falling Newton steps from t pass none
src/pair/finish.c ~ gz_motion_within(&s->pair, t, s->tolerance, ~ gz_motion_within(&s->pair, t, 1.5 * s->tolerance, ~ caught ~ near_miss
src/pair/finish.c ~ (s->call->exact || !is_near(s, s->t)) ~ s->call->exact ~ caught ~ near_miss
src/compared/narrow/parity_exact.c ~ (size_t)(largest - unit[c]) ~ 0 ~ caught ~ compared
src/pair/volume.c ~ at.det > off.det && at.u > off.u && at.v > off.v ~ at.det > off.det && at.v > off.v ~ caught ~ volume_bounds certified
src/pair/volume.c ~ at.u > off.u && at.v > off.v ~ at.u > off.u ~ caught ~ volume_bounds certified
src/pair/volume.c ~ at.det - at.u - at.v > off.det + off.u + off.v ~ at.det - at.u > off.det + off.u ~ caught ~ volume_bounds certified
src/pair/finish_state.h ~ height < half * sqrt ~ height < 4 * half * sqrt ~ caught ~ near_miss
src/pair/finish_state.h ~ + s->volume.slack, half ~ , half ~ same ~ near_miss ~ |f| is beyond its slack where the polynomial stops, so that the sum is below twice |f|, and only half of the tolerance is asked for
src/pair/finish_state.h ~ return s->call->exact || !is_near_plane( ~ return !is_near_plane( ~ caught ~ certified
src/pair/finish_state.h ~ result->proven = upper <= s->call->t_max ~ result->proven = upper < INFINITY ~ caught ~ near_miss
src/pair/curve_first_kernel.h ~ v_sub(vec_dot(n, w[j][k]), least) ~ v_sub(vec_dot(n, w[j][k]), v_mul(zero, least)) ~ caught ~ curve
src/pair/curve_first_kernel.h ~ apart = m_and(apart, v_lt(zero, ~ apart = m_and(j == 2 ? v_eq(zero, zero) : apart, v_lt(zero, ~ caught ~ curve
src/articulated/inside.c ~ > root->half[c] + error) return true; ~ > root->half[c]) return true; ~ caught ~ world_bounds
src/articulated/world/still_tree.c ~ node->half[c] + grow + GZ_STILL_SLACK * size ~ node->half[c] + GZ_STILL_SLACK * size ~ caught ~ world_bounds
src/world/world_pair.c ~ (s->contact + w->off) * GZ_TAYLOR_UP, into ~ s->contact, into ~ caught ~ world_sizes world_step rigid_pairs
src/world/controls.c ~ gz_add_up(grow, off), c ~ gz_add_up(grow, 0 * off), c ~ caught ~ controls
src/world/near.c ~ bool whole = job->listed <= job->most; ~ bool whole = true; ~ caught ~ heaps
src/world/near.c ~ job->nearness[i] != GZ_SPAN_APART) ~ job->nearness[i] == GZ_SPAN_COARSE) ~ caught ~ heaps
src/articulated/wide/children_kernel.h ~ d_add(d_add(d_add(half, width), d_set1(v->margin[d])), d_set1(v->reach[d])) ~ d_add(d_add(half, width), d_set1(v->reach[d])) ~ caught ~ wide
src/narrow/curve_pair.c ~ g[j] -= least; ~ g[j] -= 0 * least; ~ caught ~ curve
src/narrow/curve_pair.c ~ if (!(g[0] > 0)) return probe; ~  ~ caught ~ curve
src/narrow/curve_pair.c ~ if (part < GZ_ROOT_TINY) return probe; ~  ~ same ~ curve ~ what the slack leaves of a gap is 0 or at least a rounding of the slack: no part is below 2^-110
src/narrow/curve_pair.c ~ part < 1 ? gz_next_down(from + part * (to - from)) : to ~ part < 1 ? from + part * (to - from) : to ~ same ~ curve ~ GZ_CURVE_SLACK moves the root by more than the roundings of a time
src/narrow/curve_pair.c ~ part < 1 ? gz_next_down ~ part < 0.99 ? gz_next_down ~ caught ~ curve
src/narrow/curve_pair.c ~ if (probe.reached < from) probe.reached = from; ~  ~ caught ~ curve
src/narrow/curve_pair.c ~ low[j] = v_min(low[j], part[j]); ~ low[j] = part[j]; ~ caught ~ curve
src/narrow/curve_pair.c ~ .gap = g[0] / length ~ .gap = g[0] ~ caught ~ curve
src/narrow/curve_pair.c ~ / (to - from) / length ~ / length ~ caught ~ curve
src/articulated/distance/link_gap.c ~ larger(0, proven - contact) ~ larger(0, proven) ~ caught ~ link_distance articulated_distance
src/articulated/distance/link_gap.c ~ larger(0, distance + d->margin - own.contact_low) ~ larger(0, distance - d->pair->contact_low) ~ caught ~ link_distance articulated_distance
src/articulated/distance/link_gap.c ~ larger(0, along * unit - d->pair->contact) ~ larger(0, along * unit) ~ caught ~ link_distance articulated_distance
src/articulated/distance/link_gap.c ~ return larger(0, length - d->pair->contact); ~ return larger(0, length); ~ caught ~ link_distance articulated_distance
src/articulated/distance/link_gap.c ~ d->down = GZ_LENGTH_DOWN / (1 + off); ~ d->down = 1.25; ~ caught ~ link_distance articulated_distance
src/articulated/range/forms.c ~ r += p->spread[i][l] * fabs(q->c1[l][j]); ~ r += 0.25 * p->spread[i][l] * fabs(q->c1[l][j]); ~ caught ~ articulated_maths
src/articulated/range/forms.c ~ wide += line->size[j] * half[j]; ~ wide += fabs(line->c0[j]) * half[j]; ~ caught ~ articulated_maths
verify/check.c ~ bool ahead = mpz_sgn(value) > 0; ~ bool ahead = mpz_sgn(value) >= 0; ~ caught ~ verify forgeries
verify/check.c ~ ahead = mpz_cmp(value, rest) > 0; ~ ahead = mpz_cmp(value, rest) >= 0; ~ caught ~ verify forgeries
verify/check.c ~ if (ahead && mpz_sgn(length2) != 0) { ~ if (false) { ~ caught ~ verify forgeries
verify/check.c ~ if (piece->t0 != reached) ~ if (piece->t0 < reached) ~ caught ~ verify forgeries
verify/check.c ~ if (good && reached != pair->toi) ~ if (good && reached > pair->toi) ~ caught ~ verify forgeries
verify/check.c ~ clear && k + 1 == pair->free_count, &a ~ false, &a ~ caught ~ verify forgeries
verify/check.c ~ if (pair->verdict == VERIFY_CLEAR && pair->toi != pair->t_max) ~ if (false) ~ caught ~ verify forgeries
verify/decide.c ~ if (f->plain ? excess != 0 : excess > 0) continue; ~ if (f->plain ? excess != 0 : excess >= 0) continue; ~ caught ~ verify forgeries
verify/decide.c ~ inside = poly_sign_at(&f->inside[i], t) >= 0; ~ inside = poly_sign_at(&f->inside[i], t) > 0; ~ caught ~ verify forgeries
verify/decide.c ~ else if (poly_sign_at(s->of[i], b) < 0) ~ else if (poly_sign_at(s->of[i], b) <= 0) ~ same ~ verify forgeries ~ a condition without a root in (a, b] is not zero at b
verify/decide.c ~ if (f->plain ? start == 0 : start <= 0) return false; ~ if (f->plain ? start == 0 : start < 0) return false; ~ same ~ verify forgeries ~ only the volume is looked at so, and it is plain
verify/decide.c ~ if (one == UNDECIDED) answer = one; ~  ~ caught ~ verify forgeries
verify/step.c ~ bool behind = mpq_cmp(low, separation) > 0; ~ bool behind = mpq_cmp(low, separation) >= 0; ~ caught ~ verify forgeries
verify/step.c ~ if (!same_point(pair->x0[row], s->mesh.x0[v]) || ~ if ( ~ caught ~ verify forgeries
verify/path_walk.c ~ if (mpz_sgn(w->term) <= 0) return false; ~  ~ caught ~ path_certificates
verify/path_walk.c ~ mpz_mul(w->sum, w->contact, w->contact); ~ mpz_set_ui(w->sum, 0); ~ caught ~ path_certificates
verify/path_walk.c ~ return mpz_cmp(w->term, w->sum) > 0; ~ return mpz_cmp(w->term, w->sum) >= 0; ~ caught ~ path_certificates
verify/path_walk.c ~ mpz_add(w->half, w->half, w->sum); ~  ~ caught ~ path_certificates
verify/ranges/range_walk.c ~ return mpz_cmp(w->open, w->term) <= 0 || ~ return true || ~ caught ~ range_certificates
src/base/pool.c ~ fetch_sub(&l->left, 1) == 1) ~ fetch_sub(&l->left, 1) == 2) ~ caught ~ pool_orders
src/base/pool.c ~ !atomic_exchange(&l->used, true) ~ (atomic_store(&l->used, true), true) ~ caught ~ pool_orders
src/base/pool.c ~ if (!atomic_load(&pool.sleeping)) return; ~ return; ~ caught ~ pool_orders
src/base/pool.c ~ atomic_store(&l->awaited, true); ~  ~ caught ~ pool_orders
src/base/pool.c ~ while (!is_finished(l)) pthread ~ if (!is_finished(l)) pthread ~ caught ~ pool_orders
src/base/pool.c ~ while (!atomic_load(&pool.open)) pthread ~ if (!atomic_load(&pool.open)) pthread ~ same ~ pool_orders ~ a thread that is woken up for nothing looks for work and lies down again
src/base/pool.c ~ atomic_store(&l->awaited, false); ~  ~ same ~ pool_orders ~ somebody is told the end who does not wait for it
src/articulated/range/view.c ~ return low - high > contact_along(view, line) ~ return high - low > contact_along(view, line) ~ caught ~ range
TABLE
}

field() { printf '%s\n' "$line" | awk -F ' ~ ' -v n="$1" '{ print $n }'; }
table >"$work/table"

# every row finds its text
while IFS= read -r line; do
    grep -qF -e "$(field 2)" "$source/$(field 1)" || { echo "mutate: $(field 1) has no \"$(field 2)\"" >&2; status=2; }
done <"$work/table"
[ $status = 0 ] || exit $status
[ $check = no ] || exit 0

copy_tree
configure_plain
# shellcheck disable=SC2046
restore() { restore_files $(table | sed 's/ ~ .*//' | sort -u); }

while IFS= read -r line; do
    wanted "$(field 1)" "$@" || continue
    restore
    change "$(field 1)" "$(field 2)" "$(field 3)"
    # shellcheck disable=SC2046
    build_tests $(field 5)
    # shellcheck disable=SC2046
    found=$(run_tests $(field 5))
    judge "$(field 4)" "$found"
    becomes=$(field 3)
    printf '%-26s %-52s %-8s %s\n' "$(field 1)" "${becomes:-without $(field 2)}" "$verdict" "$found"
done <"$work/table"
restore
exit $status
