/* Pairs that the lanes leave: they touch, nearly touch, or pass each other closely. One at a time, in double, on the
   pair scaled to size 1; every step is a proof, docs/numerics.md, section 4. */
#include "pair/adjacent.h"
#include "pair/careful.h"
#include "pair/finish_state.h"
#include "pair/look_ahead.h"

#include "exact/decide.h"

static GZ_PAIR_FN bool decide_exactly(finish_state *s);

static GZ_PAIR_FN void finish_unresolved(finish_state *s, graze_reason reason) {
    if (!settle_toi(s)) s->result->reason = reason;
}

static GZ_PAIR_FN void set_hit(finish_state *s, double upper, double u, double v) {
    set_verdict(s, upper);
    gz_contact_fill(&s->pair, s->query, u, v, s->result);
}

/* The pair is proven to be within separation + tolerance at time t. Only then may a hit be told that is not proven, or
   a bracket be left wider than adjacent doubles: t_max may cut it. */
static GZ_PAIR_FN bool is_near(const finish_state *s, double t) {
    double u, v;
    return gz_motion_within(&s->pair, t, s->tolerance, &u, &v);
}

/* Memory never changes an answer: without enough of it there is none. */
static GZ_PAIR_FN void finish_exactly(finish_state *s) {
    if (!decide_exactly(s)) finish_unresolved(s, GRAZE_REASON_MEMORY);
}

/* A contact at or before `upper` is proven; INFINITY when none is. */
static GZ_PAIR_FN void finish_closest(finish_state *s, double upper) {
    if (settle_toi(s)) return;
    double u, v;
    gz_motion_closest(&s->pair, s->t, &u, &v);
    set_hit(s, upper, u, v);
}

/* A contact in (t, upper] is proven. False when the bracket is too wide to be told and double-double does not narrow
   it: `certified` then goes on to where the pair is near. */
static GZ_PAIR_FN bool finish_bracket(finish_state *s, double upper) {
    bool wide = !s->radii && (s->call->exact || !is_near(s, s->t));
    if (!wide || gz_adjacent_distance(&s->pair, s->query, &s->volume, &s->t, &upper))
        finish_closest(s, upper);
    else if (s->call->exact)
        finish_exactly(s);
    else
        return false;
    return true;
}

/* A contact in (t, found->upper] is proven by the volume polynomial. */
static GZ_PAIR_FN void finish_volume_hit(finish_state *s, volume_contact *found) {
    if (is_wide(s, found) && !gz_adjacent_volume(&s->pair, s->query, &s->volume, found->sign, &s->t, &found->upper))
        finish_exactly(s);
    else
        tell_volume_hit(s, found);
}

/* Exact arithmetic takes one separation, so with radii a contact at the largest of them is only a lower bound. A
   contact at t_max leaves everything before it free, but is not clear. */
static GZ_PAIR_FN void finish_lower_bound(finish_state *s, double lower) {
    double free = lower < s->call->t_max ? lower : nextafter(s->call->t_max, 0.0);
    s->t = v_max(s->t, free);
    finish_unresolved(s, GRAZE_REASON_PRECISION);
}

/* Exact arithmetic has the last word. False when it has none. Where it is not at hand the pair is left as it is. */
static GZ_PAIR_FN bool decide_exactly(finish_state *s) {
    const gz_certified_call *call = s->call;
    gz_exact_answer answer;
    if (!call->ask) {
        s->asks = true;
        return true;
    }
    if (!call->ask(call->ask_state, s->query, s->most, &answer)) return false;
    if (!answer.hit) {
        finish_clear(s);
        return true;
    }
    if (s->radii) {
        finish_lower_bound(s, answer.lower);
        return true;
    }
    s->t = answer.lower; /* may be t_max, and the contact */
    double u, v;
    gz_motion_closest(&s->pair, s->t, &u, &v);
    if (answer.u[0] <= answer.u[1]) u = answer.u[0] + 0.5 * (answer.u[1] - answer.u[0]);
    if (answer.v[0] <= answer.v[1]) v = answer.v[0] + 0.5 * (answer.v[1] - answer.v[0]);
    set_hit(s, answer.upper, u, v);
    return true;
}

/* Two ends at the same place: by the coordinates as given, since scaling may lose the smallest differences. */
static GZ_PAIR_FN bool coincide_at_start(graze_kind kind, const graze_query *query) {
    int rows = gz_kind_rows(kind), of_a = gz_kind_rows_of_a(kind);
    for (int i = 0; i < of_a; i++)
        for (int j = of_a; j < rows; j++) {
            const double *a = query->x0[i], *b = query->x0[j];
            if (a[0] == b[0] && a[1] == b[1] && a[2] == b[2]) return true;
        }
    return false;
}

/* Proves that the distance soon after t is at most the separation. */
static GZ_PAIR_FN bool prove_separation_hit(finish_state *s, v_vec n, double gap) {
    const gz_motion *pair = &s->pair;
    double u, v, t = s->t;
    if (t == 0) return false; /* toi = 0 only where they are that close at the start, and that was tried */
    double length = sqrt(vec_dot(n, n)), speed = 0;
    for (int k = 0; k < pair->count; k++) speed = v_max(speed, -vec_dot(n, vec_sub(pair->w1[k], pair->w0[k])));
    if (!(speed > 0 && length > 0)) return false;
    double step = (v_max(gap, 0) + 0x1p-43) * length / speed * 1.0625;
    for (int i = 0; i < 6 && t + step <= 1; i++, step *= 4)
        if (gz_motion_within(pair, t + step, 0, &u, &v)) return finish_bracket(s, t + step);
    return false;
}

/* The distance left along n at time t; approximate. */
static GZ_PAIR_FN double gap_at(const gz_motion *pair, v_vec n, double t) {
    v_vec w[4];
    probe_at(pair->w0, pair->w1, pair->count, t, w);
    double length = sqrt(vec_dot(n, n)), least = INFINITY;
    if (!(length > 0)) return 0;
    if (pair->thick) {
        for (int k = 0; k < pair->count; k++) least = v_min(least, vec_dot(n, w[k]) / length - pair->reach[k]);
        return least;
    }
    for (int k = 0; k < pair->count; k++) least = v_min(least, vec_dot(n, w[k]));
    return least / length - pair->separation;
}

/* The closest points are so near that rounding turns the direction between them. Part of the check that was stuck. */
static GZ_PAIR_FN bool move_carefully(finish_state *s) {
    v_vec n[5], best = {0, 0, 0};
    double from = s->t;
    int count = gz_careful_directions(&s->pair, s->query, from, n);
    for (int i = 0; i < count; i++) {
        double next = gz_motion_advance(&s->pair, n[i], from);
        if (next > s->t) s->t = next, best = n[i];
    }
    record(s, best, from, s->t);
    return s->t > from;
}

/* They are near, or no direction moves t on; and no hit is proven. */
static GZ_PAIR_FN void finish_stuck(finish_state *s, bool near) {
    if (s->separation == 0 && coincide_at_start(s->call->kind, s->query)) {
        s->t = 0;
        finish_closest(s, 0);
    } else if (s->t > 0 && s->radii) {
        if (near)
            finish_closest(s, INFINITY);
        else
            finish_unresolved(s, GRAZE_REASON_PRECISION);
    } else if (s->t > 0 && !s->call->exact && (near || gz_careful_within(&s->pair, s->query, s->t, s->tolerance))) {
        finish_closest(s, INFINITY);
    } else {
        finish_exactly(s);
    }
}

static GZ_PAIR_FN void finish_budget(finish_state *s) {
    bool exact = s->call->exact && !s->radii;
    if (!exact || !decide_exactly(s)) finish_unresolved(s, exact ? GRAZE_REASON_MEMORY : GRAZE_REASON_BUDGET);
}

/* Radii that are equal on each primitive become a separation. */
static GZ_PAIR_FN void make_pair(finish_state *s, const double *radii) {
    const gz_certified_call *call = s->call;
    double surplus = 0;
    bool equal = !radii || gz_largest_radii(call->kind, radii, s->most);
    s->separation = radii ? gz_reach_up(call->separation, s->most, &surplus) : call->separation;
    if (equal) {
        gz_motion_make(&s->pair, call->kind, s->query, s->separation);
        s->pair.surplus = surplus * s->pair.scale;
    } else {
        s->radii = radii;
        gz_motion_make_thick(&s->pair, call->kind, s->query, call->separation, radii);
    }
}

GZ_PAIR_FN bool gz_certified_finish(const gz_certified_call *call, const graze_query *query, const double *radii,
                                    double t, double enough, graze_result *result) {
    finish_state s = {0};
    s.call = call, s.query = query, s.result = result, s.t = t, s.enough = enough;
    make_pair(&s, radii);
    set_tolerance(&s);
    bool has_volume = call->kind == GRAZE_VF || call->kind == GRAZE_EE;
    if (has_volume) gz_volume_make(&s.volume, &s.pair);
    uint64_t before = result->checks;
    double u, v;
    if (s.separation > 0 && t == 0 && gz_motion_within(&s.pair, 0, 0, &u, &v)) {
        set_hit(&s, 0, u, v);
        return true;
    }
    gz_look_ahead look = {0, 0, 0, 0};
    bool may_ask = !s.radii; /* the answer for the largest of them decides little */

    for (;;) {
        if (has_volume) {
            uint64_t slow = before + GZ_SLOW_CHECKS;
            volume_contact found;
            volume_outcome outcome =
                advance_by_volume(&s, may_ask && slow < call->max_checks ? slow : call->max_checks, &found);
            if (outcome == VOLUME_HIT) finish_volume_hit(&s, &found);
            if (outcome != VOLUME_OPEN) break;
        }
        if (may_ask && result->checks >= before + GZ_SLOW_CHECKS) {
            finish_exactly(&s);
            break;
        }
        if (result->checks >= call->max_checks) {
            finish_budget(&s);
            break;
        }
        result->checks++;
        v_vec n = gz_motion_direction(&s.pair, v_min(s.t + look.ahead, 1));
        double from = s.t;
        s.t = gz_motion_advance(&s.pair, n, s.t);
        record(&s, n, from, s.t);
        if (s.t >= s.enough) {
            finish_clear(&s);
            break;
        }
        bool plain = look.ahead == 0;
        gz_look_on(&look, s.t - from);
        if (!plain) continue;
        if (s.t > from && gap_at(&s.pair, n, from) >= s.tolerance) continue;
        if (s.separation > 0 && prove_separation_hit(&s, n, gap_at(&s.pair, n, s.t))) break;
        bool near = is_near(&s, from);
        if (!near && (s.t > from || move_carefully(&s))) continue;
        finish_stuck(&s, near);
        break;
    }
    return !s.asks;
}
