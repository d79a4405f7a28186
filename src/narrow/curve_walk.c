/* Directions move a proven time on, as in finish.c. */
#include "narrow/curve_walk.h"

#include "numerics/intervals.h"
#include "pair/careful.h"
#include "pair/contact.h"

/* ---- the pair at one time ---- */

static void rest_at(const gz_curve *curve, double t, double separation, graze_query *still, gz_motion *rest) {
    gz_curve_still(curve, t, still);
    gz_motion_make(rest, curve->kind, still, separation);
}

static v_vec direction_at(const gz_curve *curve, double t) {
    graze_query still;
    gz_motion rest;
    rest_at(curve, t, curve->separation, &still, &rest);
    return gz_motion_direction(&rest, 0);
}

void gz_curve_closest(const gz_curve *curve, double t, double *u, double *v) {
    graze_query still;
    gz_motion rest;
    rest_at(curve, t, curve->separation, &still, &rest);
    gz_motion_closest(&rest, 0, u, v);
}

v_vec gz_curve_normal(const gz_curve *curve, double t) {
    graze_query still;
    gz_motion rest;
    rest_at(curve, t, 0, &still, &rest);
    return vec_cross(rest.e1[0], rest.e2[0]);
}

/* ---- directions ---- */

/* Tries n from the time reached, and moves that on. */
static gz_curve_probe try_on(gz_curve_walk *walk, v_vec n) {
    double to = walk->t + walk->span;
    if (!(to < gz_next_down(walk->end))) to = walk->end; /* no rest of a single rounding */
    gz_curve_probe probe = gz_curve_try(&walk->curve, n, walk->t, to);
    bool all = probe.reached >= to;
    if (probe.reached > walk->t) walk->span = all ? 4 * walk->span : 4 * (probe.reached - walk->t);
    if (probe.reached > walk->t) walk->t = probe.reached;
    return probe;
}

/* Directions that rounding turns less, from where the others are stuck. */
static bool move_carefully(gz_curve_walk *walk) {
    graze_query still;
    gz_motion rest;
    v_vec n[5];
    double from = walk->t;
    rest_at(&walk->curve, from, walk->curve.separation, &still, &rest);
    int count = gz_careful_directions(&rest, &still, 0, n);
    for (int i = 0; i < count; i++) {
        gz_curve_probe probe = try_on(walk, n[i]);
        if (probe.gap > walk->at.gap) walk->at = probe;
    }
    return walk->t > from;
}

/* One direction. False when the walk has come to its end. */
static bool step_on(gz_curve_walk *walk) {
    double from = walk->t, at = v_min(walk->t + walk->look.ahead, walk->end);
    bool plain = walk->look.ahead == 0;
    gz_curve_probe probe = try_on(walk, direction_at(&walk->curve, at));
    if (plain) walk->at = probe;
    gz_look_on(&walk->look, walk->t - from);
    if (!plain) return true;
    return walk->t > from ? probe.gap >= walk->enough : move_carefully(walk);
}

void gz_curve_walk_open(gz_curve_walk *walk, graze_kind kind, const graze_curve_query *query, double separation,
                        double begin, double end) {
    *walk = (gz_curve_walk){.t = begin, .end = end, .span = end - begin, .max_checks = UINT64_MAX};
    gz_curve_make(&walk->curve, kind, query, separation);
    walk->look.ahead = 0.5 * (end - begin); /* nine pairs in ten are clear along the direction of half-way */
}

graze_reason gz_curve_walk_on(gz_curve_walk *walk) {
    for (;;) {
        if (walk->checks >= walk->max_checks) return GRAZE_REASON_BUDGET;
        walk->checks++;
        bool more = step_on(walk);
        if (walk->t >= walk->end) return GRAZE_REASON_NONE;
        if (!more) return GRAZE_REASON_PRECISION;
    }
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

void gz_curve_fill(graze_kind kind, const graze_curve_query *query, double t, graze_result *result) {
    graze_result local = *result;
    graze_query line, seen;
    gz_motion pair;
    double u, v;
    tangent(query, kind, t, false, &line);
    tangent(query, kind, t, true, &seen);
    gz_motion_make(&pair, kind, &seen, 0);
    local.toi = t > 0;
    gz_motion_closest(&pair, local.toi, &u, &v);
    gz_contact_fill(&pair, &line, u, v, &local);
    local.toi = result->toi;
    *result = local;
}
