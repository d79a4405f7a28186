/* A proven time walks on from direction to direction; where none moves it any more, a contact just after it is looked
   for. */
#include "narrow/curve_search.h"

#include "exact/decide.h"
#include "narrow/curve_contact.h"
#include "narrow/curve_walk.h"
#include "numerics/intervals.h"

/* An automatic tolerance, as a part of the pair's size. */
#define AUTOMATIC_TOLERANCE 0x1p-40
/* A bracket wider than this says too little. */
#define MOST_BRACKET 0x1p-8

typedef struct search {
    const gz_narrow_call *call;
    const graze_curve_query *query;
    graze_result *result;
    gz_curve_walk walk;
    double near; /* unscaled: what an unproven hit has to be within */
} search;

/* ---- contact ---- */

static void set_hit(const search *s, double upper) {
    s->result->verdict = GRAZE_HIT;
    s->result->toi = s->walk.t;
    s->result->proven = upper <= 1;
    s->result->toi_upper = upper;
    gz_curve_fill(s->call->kind, s->query, s->walk.t, s->result);
}

/* The pair at time t: proven to be within `reach`. */
static bool within_at(const search *s, double t, double reach) {
    double u, v;
    gz_curve_closest(&s->walk.curve, t, &u, &v);
    return gz_curve_within(s->call->kind, s->query, t, u, v, reach);
}

static bool touches_by(const search *s, double t0, double t1) {
    graze_kind kind = s->call->kind;
    if (s->call->question.separation > 0) return within_at(s, t1, s->call->question.separation);
    if (kind != GRAZE_VF && kind != GRAZE_EE) return false;
    return gz_curve_crosses(kind, s->query, gz_curve_normal(&s->walk.curve, s->walk.t), 0, t0, t1);
}

/* A time by which a contact is proven; INFINITY where none is found. */
static double proven_upper(const search *s) {
    const gz_curve_probe *at = &s->walk.at;
    double t = s->walk.t, end = s->call->question.t_max, gap = v_max(at->gap, 0) + 0x1p-47;
    double step = at->falls > 0 ? 1.0625 * gap / at->falls + 0x1p-51 : 0x1p-50;
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
    double upper = s->walk.t == 0 && touches_at_start(s) ? 0 : proven_upper(s);
    if (upper <= 1 || within_at(s, s->walk.t, s->near)) {
        set_hit(s, upper);
    } else {
        s->result->toi = s->walk.t;
        s->result->reason = reason;
    }
}

void gz_curve_solve(const gz_narrow_call *call, const graze_curve_query *query, graze_result *result) {
    const gz_question *question = &call->question;
    search s = {.call = call, .query = query, .result = result};
    gz_curve_walk_open(&s.walk, call->kind, query, question->separation, 0, question->t_max);
    double automatic = s.walk.curve.largest * AUTOMATIC_TOLERANCE;
    s.walk.enough = question->tolerance * s.walk.curve.scale;
    s.walk.max_checks = question->max_checks;
    s.near =
        gz_next_down(question->separation + (s.walk.enough > 0 ? question->tolerance : automatic / s.walk.curve.scale));
    graze_reason reason = gz_curve_walk_on(&s.walk);
    result->checks += s.walk.checks;
    if (reason == GRAZE_REASON_NONE)
        gz_result_clear(result, question->t_max);
    else
        finish(&s, reason);
}
