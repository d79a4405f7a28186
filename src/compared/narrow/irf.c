/* Interval root finder: F(t, u, v), the vector from one primitive to the other, is evaluated over boxes of the domain
   by its natural interval extension; boxes whose image keeps away from the origin are dropped, the others are cut until
   they are small (Snyder 1992). */
#include "narrow/method.h"
#include "numerics/intervals.h"
#include "pair/contact.h"

/* No axis is cut finer than this, so the depth of the search is bounded. */
#define FINEST 0x1p-190
#define STACK_BOXES (3 * 192)

typedef struct box {
    gz_interval x[3]; /* t, u, v */
} box;

static double largest_difference(const double a[3], const double b[3]) {
    double largest = 0;
    for (int c = 0; c < 3; c++) largest = fmax(largest, fabs(a[c] - b[c]));
    return largest;
}

/* Widths of a box at which its image is about `delta` long. */
static void smallest_widths(graze_kind kind, const graze_query *query, double delta, double width[3]) {
    double speed = 0, length[2] = {0, 0};
    const int ends[2][2][2] = {{{1, 2}, {1, 3}}, {{0, 1}, {2, 3}}}; /* rows at the ends of the u and the v axis */
    for (int i = 0; i < 4; i++) speed = fmax(speed, largest_difference(query->x0[i], query->x1[i]));
    for (int k = 0; k < 2; k++) {
        int a = ends[kind == GRAZE_EE][k][0], b = ends[kind == GRAZE_EE][k][1];
        length[k] =
            fmax(largest_difference(query->x0[a], query->x0[b]), largest_difference(query->x1[a], query->x1[b]));
    }
    width[0] = fmax(FINEST, delta / (3 * speed)); /* without motion: infinity, never cut */
    width[1] = fmax(FINEST, delta / (3 * length[0]));
    width[2] = fmax(FINEST, delta / (3 * length[1]));
}

static gz_interval3 image(graze_kind kind, const gz_interval_motion *motion, const box *b) {
    gz_interval3 p[4], f;
    for (int i = 0; i < 4; i++) p[i] = gz_interval_at(motion, i, b->x[0]);
    for (int c = 0; c < 3; c++) {
        gz_interval first = p[0].c[c], second;
        if (kind == GRAZE_VF) {
            gz_interval u = gz_interval_scale(gz_interval_sub(p[2].c[c], p[1].c[c]), b->x[1]);
            gz_interval v = gz_interval_scale(gz_interval_sub(p[3].c[c], p[1].c[c]), b->x[2]);
            second = gz_interval_add(gz_interval_add(p[1].c[c], u), v);
        } else {
            first = gz_interval_add(first, gz_interval_scale(gz_interval_sub(p[1].c[c], first), b->x[1]));
            second = gz_interval_sub(p[3].c[c], p[2].c[c]);
            second = gz_interval_add(p[2].c[c], gz_interval_scale(second, b->x[2]));
        }
        f.c[c] = gz_interval_sub(first, second);
    }
    return f;
}

/* The axis to cut, or −1 when the box is small enough or doubles cannot halve it. */
static int widest_axis(const box *b, const double smallest[3]) {
    int axis = -1;
    double widest = 1;
    for (int k = 0; k < 3; k++) {
        double ratio = (b->x[k].hi - b->x[k].lo) / smallest[k];
        double middle = 0.5 * (b->x[k].lo + b->x[k].hi);
        if (ratio > widest && middle > b->x[k].lo && middle < b->x[k].hi) widest = ratio, axis = k;
    }
    return axis;
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    gz_interval_motion motion;
    gz_interval_motion_of(query->x0, query->x1, &motion);
    double smallest[3];
    smallest_widths(call->kind, query, call->question.tolerance, smallest);

    /* Depth first, earlier half first: memory stays small, and once a hit is known only what begins before it counts.
     */
    box stack[STACK_BOXES];
    stack[0] = (box){.x = {{0, call->question.t_max}, {0, 1}, {0, 1}}};
    int count = 1;
    double first = INFINITY;
    graze_reason reason = GRAZE_REASON_NONE;
    while (count > 0) {
        if (result->checks >= call->question.max_checks) reason = GRAZE_REASON_BUDGET;
        if ((result->checks & 4095) == 4095 && gz_cancelled(call->context)) reason = GRAZE_REASON_CANCELLED;
        if (reason != GRAZE_REASON_NONE) break;
        box b = stack[--count];
        if (b.x[0].lo >= first) continue;
        if (call->kind == GRAZE_VF && gz_next_down(b.x[1].lo + b.x[2].lo) > 1) continue; /* beyond the triangle */
        result->checks++;
        gz_interval3 f = image(call->kind, &motion, &b);
        if (gz_interval3_beyond(&f, call->question.separation)) continue;
        int axis = widest_axis(&b, smallest);
        if (axis < 0) {
            first = b.x[0].lo;
            continue;
        }
        call->counts->splits++;
        double middle = 0.5 * (b.x[axis].lo + b.x[axis].hi);
        stack[count] = stack[count + 1] = b;
        stack[count].x[axis].lo = middle;
        stack[count + 1].x[axis].hi = middle;
        count += 2;
    }
    call->counts->checks += result->checks;

    double toi = first; /* nothing before it, but for what is still on the stack */
    for (int i = 0; i < count; i++) toi = fmin(toi, stack[i].x[0].lo);
    if (first < INFINITY) {
        result->verdict = GRAZE_HIT;
        result->toi = toi;
        gz_contact_find(call->kind, query, result);
    } else if (count > 0) {
        result->reason = reason;
        result->toi = toi;
    } else {
        gz_result_clear(result, call->question.t_max);
    }
}

const gz_method gz_method_irf = {
    .info = {.method = GRAZE_METHOD_IRF,
             .name = "irf",
             .summary = "multivariate interval root finder",
             .available = 1,
             .conservative = 1,
             .gives_toi = 1,
             .default_tolerance = 1e-6,
             .default_max_checks = 1000000,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE},
    .solve = solve,
};
