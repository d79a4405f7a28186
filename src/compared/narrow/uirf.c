/* Univariate interval root finder: the cubic f(t) = ⟨n(t), q(t)⟩, zero when the four points are coplanar, is evaluated
   over intervals of time; those that may hold a root are cut until they are small, and then the primitives are tested
   over that interval (Redon et al. 2002 for straight paths). */
#include "narrow/method.h"
#include "numerics/intervals.h"
#include "numerics/vec3.h"
#include "pair/contact.h"

/* Time is not cut finer than this, so the depth of the search is bounded. */
#define FINEST 0x1p-190
#define STACK_INTERVALS 192

/* Shape of a pair over an interval of time. VF: q from f0 to the vertex, e1 and e2 along the face. EE: q from a0 to b0,
   e1 along a, e2 along b. */
typedef struct shape {
    gz_interval3 x[4], q, e1, e2, n;
} shape;

static void shape_at(graze_kind kind, const gz_interval_motion *motion, gz_interval t, shape *s) {
    for (int i = 0; i < 4; i++) s->x[i] = gz_interval_at(motion, i, t);
    if (kind == GRAZE_VF) {
        s->q = gz_interval3_sub(&s->x[0], &s->x[1]);
        s->e1 = gz_interval3_sub(&s->x[2], &s->x[1]);
        s->e2 = gz_interval3_sub(&s->x[3], &s->x[1]);
    } else {
        s->q = gz_interval3_sub(&s->x[2], &s->x[0]);
        s->e1 = gz_interval3_sub(&s->x[1], &s->x[0]);
        s->e2 = gz_interval3_sub(&s->x[3], &s->x[2]);
    }
    s->n = gz_interval3_cross(&s->e1, &s->e2);
}

/* Within d of each other the primitives are within d of the other's plane (line): |f| ≤ d·|n|. */
static bool may_be_coplanar(const shape *s, double d) {
    gz_interval f = gz_interval3_dot(&s->n, &s->q);
    if (gz_interval_has_zero(f)) return true;
    if (d == 0) return false;
    gz_interval n2 = gz_interval_square(s->n.c[0]);
    for (int c = 1; c < 3; c++) n2 = gz_interval_add(n2, gz_interval_square(s->n.c[c]));
    return gz_interval_square(f).lo <= gz_next_up(gz_next_up(d * d) * n2.hi);
}

static gz_vec3 middle(const gz_interval3 *v) {
    gz_vec3 m;
    for (int c = 0; c < 3; c++) m.c[c] = 0.5 * (v->c[c].lo + v->c[c].hi);
    return m;
}

/* True if along m the one primitive is more than d ahead of the other for the whole interval. Any m will do: if it is a
   bad one nothing is proven. */
static bool apart_along(graze_kind kind, const shape *s, gz_vec3 m, double d) {
    double largest = fmax(fabs(m.c[0]), fmax(fabs(m.c[1]), fabs(m.c[2])));
    if (!(largest > 0x1p-500 && largest < INFINITY)) return false;
    int exponent;
    (void)frexp(largest, &exponent);
    gz_interval3 along;
    gz_interval length2 = {0, 0};
    for (int c = 0; c < 3; c++) {
        along.c[c] = gz_interval_point(ldexp(m.c[c], -exponent));
        length2 = gz_interval_add(length2, gz_interval_square(along.c[c]));
    }
    double clear = gz_next_up(d * gz_next_up(sqrt(length2.hi)));
    int last_a = kind == GRAZE_VF ? 0 : 1;
    gz_interval a = gz_interval3_dot(&along, &s->x[0]), b = gz_interval3_dot(&along, &s->x[last_a + 1]);
    for (int i = 1; i <= last_a; i++) {
        gz_interval p = gz_interval3_dot(&along, &s->x[i]);
        a = (gz_interval){fmin(a.lo, p.lo), fmax(a.hi, p.hi)};
    }
    for (int i = last_a + 2; i < 4; i++) {
        gz_interval p = gz_interval3_dot(&along, &s->x[i]);
        b = (gz_interval){fmin(b.lo, p.lo), fmax(b.hi, p.hi)};
    }
    return gz_next_down(a.lo - b.hi) > clear || gz_next_down(b.lo - a.hi) > clear;
}

/* The inside test: directions that separate the primitives within their common plane, along their edges, or (where they
   are parallel or flat) across. False when one of them does. */
static bool may_touch(graze_kind kind, const shape *s, double d) {
    gz_vec3 e1 = middle(&s->e1), e2 = middle(&s->e2), q = middle(&s->q), n = gz_vec3_cross(e1, e2);
    gz_vec3 e3 = gz_vec3_sub(e2, e1);
    const gz_vec3 directions[] = {{{1, 0, 0}},
                                  {{0, 1, 0}},
                                  {{0, 0, 1}},
                                  e1,
                                  e2,
                                  gz_vec3_cross(n, e1),
                                  gz_vec3_cross(n, e2),
                                  gz_vec3_cross(e1, gz_vec3_cross(q, e1)),
                                  gz_vec3_cross(e2, gz_vec3_cross(q, e2)),
                                  e3,
                                  gz_vec3_cross(n, e3)};
    int count = kind == GRAZE_VF ? 11 : 9; /* the third side is the triangle's */
    for (int i = 0; i < count; i++)
        if (apart_along(kind, s, directions[i], d)) return false;
    return true;
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    gz_interval_motion motion;
    gz_interval_motion_of(query->x0, query->x1, &motion);
    double speed = 0;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) speed = fmax(speed, fabs(query->x1[i][c] - query->x0[i][c]));
    double smallest = fmax(FINEST, call->question.tolerance / speed); /* without motion: infinity, never cut */

    /* Depth first, earlier half first: intervals come in the order of time. */
    gz_interval stack[STACK_INTERVALS];
    stack[0] = (gz_interval){0, call->question.t_max};
    int count = 1;
    while (count > 0) {
        gz_interval t = stack[--count];
        result->toi = t.lo;
        bool out = result->checks >= call->question.max_checks;
        if (out || ((result->checks & 4095) == 4095 && gz_cancelled(call->context))) {
            result->reason = out ? GRAZE_REASON_BUDGET : GRAZE_REASON_CANCELLED;
            call->counts->checks += result->checks;
            return;
        }
        result->checks++;
        shape s;
        shape_at(call->kind, &motion, t, &s);
        if (!may_be_coplanar(&s, call->question.separation)) continue;
        double half = 0.5 * (t.lo + t.hi);
        if (t.hi - t.lo > smallest && half > t.lo && half < t.hi) {
            call->counts->splits++;
            stack[count++] = (gz_interval){half, t.hi};
            stack[count++] = (gz_interval){t.lo, half};
        } else if (may_touch(call->kind, &s, call->question.separation)) {
            call->counts->checks += result->checks;
            result->verdict = GRAZE_HIT;
            gz_contact_find(call->kind, query, result);
            return;
        }
    }
    call->counts->checks += result->checks;
    gz_result_clear(result, call->question.t_max);
}

const gz_method gz_method_uirf = {
    .info = {.method = GRAZE_METHOD_UIRF,
             .name = "uirf",
             .summary = "univariate interval root finder",
             .available = 1,
             .conservative = 1,
             .gives_toi = 1,
             .default_tolerance = 1e-6,
             .default_max_checks = 1000000,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE},
    .solve = solve,
};
