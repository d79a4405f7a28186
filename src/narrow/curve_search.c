/* Directions move a proven time on, as in finish.c; where none does any more, a contact just after it is looked for. */
#include "narrow/curve_search.h"

#include "exact/decide.h"
#include "narrow/curve_contact.h"
#include "numerics/intervals.h"
#include "pair/careful.h"
#include "pair/contact.h"
#include "pair/look_ahead.h"

/* An automatic tolerance, as a part of the pair's size. */
#define AUTOMATIC_TOLERANCE 0x1p-40
/* A bracket wider than this says too little. */
#define MOST_BRACKET 0x1p-8

typedef struct search {
    const gz_narrow_call *call;
    const graze_curve_query *query;
    graze_result *result;
    gz_curve curve;
    double t;          /* proven free: [0, t) */
    double span;       /* time that the next direction is tried on */
    double enough;     /* scaled: a gap below it ends the search; 0: none does */
    double near;       /* unscaled: what an unproven hit has to be within */
    gz_curve_probe at; /* the last plain probe */
    gz_look_ahead look;
} search;

/* ---- directions ---- */

static v_vec direction_at(const gz_curve *curve, double t) {
    graze_query still;
    gz_motion rest;
    gz_curve_still(curve, t, &still);
    gz_motion_make(&rest, curve->kind, &still, curve->separation);
    return gz_motion_direction(&rest, 0);
}

/* Tries n from the time reached, and moves that on. */
static gz_curve_probe try_on(search *s, v_vec n) {
    double end = s->call->question.t_max, to = s->t + s->span;
    if (!(to < gz_next_down(end))) to = end; /* no rest of a single rounding */
    gz_curve_probe probe = gz_curve_try(&s->curve, n, s->t, to);
    bool all = probe.reached >= to;
    if (probe.reached > s->t) s->span = all ? 4 * s->span : 4 * (probe.reached - s->t);
    if (probe.reached > s->t) s->t = probe.reached;
    return probe;
}

/* Directions that rounding turns less, from where the others are stuck. */
static bool move_carefully(search *s) {
    graze_query still;
    gz_motion rest;
    v_vec n[5];
    double from = s->t;
    gz_curve_still(&s->curve, from, &still);
    gz_motion_make(&rest, s->curve.kind, &still, s->curve.separation);
    int count = gz_careful_directions(&rest, &still, 0, n);
    for (int i = 0; i < count; i++) {
        gz_curve_probe probe = try_on(s, n[i]);
        if (probe.gap > s->at.gap) s->at = probe;
    }
    return s->t > from;
}

/* ---- contact ---- */

/* Position and velocity of the rows at toi as a straight motion that is there at its end, or at toi 0 at its start. */
static void tangent(const graze_curve_query *query, graze_kind kind, double toi, bool seen_from_first,
                    graze_query *line) {
    for (int i = 0; i < gz_kind_rows(kind); i++)
        for (int c = 0; c < 3; c++) {
            double p[4];
            for (int j = 0; j < 4; j++) p[j] = query->x[i][j][c] - (seen_from_first ? query->x[0][j][c] : 0);
            for (int n = 3; n > 1; n--)
                for (int j = 0; j < n; j++) p[j] = (1 - toi) * p[j] + toi * p[j + 1];
            double x = (1 - toi) * p[0] + toi * p[1], velocity = 3 * (p[1] - p[0]);
            line->x0[i][c] = toi > 0 ? x - velocity : x;
            line->x1[i][c] = toi > 0 ? x : x + velocity;
        }
}

static void fill_contact(const search *s) {
    graze_result *result = s->result, local = *result;
    graze_query line, seen;
    gz_motion pair;
    double u, v;
    tangent(s->query, s->call->kind, s->t, false, &line);
    tangent(s->query, s->call->kind, s->t, true, &seen);
    gz_motion_make(&pair, s->call->kind, &seen, 0);
    local.toi = s->t > 0;
    gz_motion_closest(&pair, local.toi, &u, &v);
    gz_contact_fill(&pair, &line, u, v, &local);
    local.toi = result->toi;
    *result = local;
}

static void set_hit(const search *s, double upper) {
    s->result->verdict = GRAZE_HIT;
    s->result->toi = s->t;
    s->result->proven = upper <= 1;
    s->result->toi_upper = upper;
    fill_contact(s);
}

/* The pair at time t: proven to be within `reach`. */
static bool within_at(const search *s, double t, double reach) {
    graze_query still;
    gz_motion rest;
    double u, v;
    gz_curve_still(&s->curve, t, &still);
    gz_motion_make(&rest, s->curve.kind, &still, s->curve.separation);
    gz_motion_closest(&rest, 0, &u, &v);
    return gz_curve_within(s->call->kind, s->query, t, u, v, reach);
}

/* A normal of the face, or of both edges; approximate. */
static v_vec normal_at(const gz_curve *curve, double t) {
    graze_query still;
    gz_motion rest;
    gz_curve_still(curve, t, &still);
    gz_motion_make(&rest, curve->kind, &still, 0);
    return vec_cross(rest.e1[0], rest.e2[0]);
}

static bool touches_by(const search *s, double t0, double t1) {
    graze_kind kind = s->call->kind;
    if (s->call->question.separation > 0) return within_at(s, t1, s->call->question.separation);
    if (kind != GRAZE_VF && kind != GRAZE_EE) return false;
    return gz_curve_crosses(kind, s->query, normal_at(&s->curve, s->t), t0, t1);
}

/* A time by which a contact is proven; INFINITY where none is found. */
static double proven_upper(const search *s) {
    double t = s->t, end = s->call->question.t_max, gap = v_max(s->at.gap, 0) + 0x1p-47;
    double step = s->at.falls > 0 ? 1.0625 * gap / s->at.falls + 0x1p-51 : 0x1p-50;
    for (; step < MOST_BRACKET; step *= 4) {
        double t1 = v_min(t + step, end);
        if (touches_by(s, v_max(t - step, 0), t1)) return t1;
        if (t1 == end) break;
    }
    return INFINITY;
}

/* Exact arithmetic knows whether they touch at the start. */
static bool touches_at_start(const search *s) {
    graze_query rest;
    gz_exact_answer answer;
    for (int i = 0; i < 4; i++) {
        bool read = i < gz_kind_rows(s->call->kind);
        for (int c = 0; c < 3; c++) rest.x0[i][c] = rest.x1[i][c] = read ? s->query->x[i][0][c] : 0;
    }
    s->call->counts->oracle_calls++;
    return gz_exact_decide(s->call->context, s->call->worker, s->call->kind, &rest, s->call->question.separation, 1,
                           &answer) &&
           answer.hit;
}

/* ---- the search ---- */

static void finish(search *s, graze_reason reason) {
    double upper = s->t == 0 && touches_at_start(s) ? 0 : proven_upper(s);
    if (upper <= 1 || within_at(s, s->t, s->near)) {
        set_hit(s, upper);
    } else {
        s->result->toi = s->t;
        s->result->reason = reason;
    }
}

/* One direction. False when the search has come to its end. */
static bool step_on(search *s) {
    double from = s->t, at = v_min(s->t + s->look.ahead, s->call->question.t_max);
    bool plain = s->look.ahead == 0;
    gz_curve_probe probe = try_on(s, direction_at(&s->curve, at));
    if (plain) s->at = probe;
    gz_look_on(&s->look, s->t - from);
    if (!plain) return true;
    return s->t > from ? probe.gap >= s->enough : move_carefully(s);
}

void gz_curve_solve(const gz_narrow_call *call, const graze_curve_query *query, graze_result *result) {
    search s = {.call = call, .query = query, .result = result, .span = call->question.t_max};
    gz_curve_make(&s.curve, call->kind, query, call->question.separation);
    double automatic = s.curve.largest * AUTOMATIC_TOLERANCE;
    s.enough = call->question.tolerance * s.curve.scale;
    s.near =
        gz_next_down(call->question.separation + (s.enough > 0 ? call->question.tolerance : automatic / s.curve.scale));
    s.look.ahead = 0.5 * call->question.t_max; /* nine pairs in ten are clear along the direction of half-way */
    for (graze_reason reason = GRAZE_REASON_NONE; reason == GRAZE_REASON_NONE;) {
        if (result->checks >= call->question.max_checks)
            reason = GRAZE_REASON_BUDGET;
        else if (result->checks++, !step_on(&s))
            reason = GRAZE_REASON_PRECISION;
        if (s.t >= call->question.t_max) {
            gz_result_clear(result, call->question.t_max);
            return;
        }
        if (reason != GRAZE_REASON_NONE) finish(&s, reason);
    }
}
