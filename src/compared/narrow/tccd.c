/* TightCCD: Bernstein sign classification in floating point with error bounds. A sign that rounding leaves open counts
   as a possible collision, so nothing is missed; how many false alarms that makes is not under control, and a pair that
   moves in one plane always is one (Wang, Tang, Manocha and Tong 2015). */
#include "compared/numerics/bernstein.h"
#include "narrow/method.h"

/* A pair over time: q, e1, e2 as in uirf, n = e1 × e2. */
typedef struct shape {
    gz_bernstein3 line[3], n;
} shape;

/* From one difference of two doubles to another, each rounded once. */
static gz_bernstein line_between(double start, double end) {
    double size = fabs(start) > fabs(end) ? fabs(start) : fabs(end);
    return (gz_bernstein){.degree = 1, .error = gz_next_up(0x1p-53 * size), .c = {start, end}};
}

static void shape_of(const gz_narrow_call *call, const graze_query *query, shape *s) {
    const int rows[2][3][2] = {{{1, 0}, {1, 2}, {1, 3}}, {{0, 2}, {0, 1}, {2, 3}}};
    gz_interval_motion motion;
    gz_interval t = gz_interval_point(call->question.t_max);
    if (call->question.t_max < 1) gz_interval_motion_of(query->x0, query->x1, &motion);
    for (int k = 0; k < 3; k++) {
        int a = rows[call->kind == GRAZE_EE][k][0], b = rows[call->kind == GRAZE_EE][k][1];
        for (int c = 0; c < 3; c++)
            s->line[k].c[c] = line_between(query->x0[b][c] - query->x0[a][c], query->x1[b][c] - query->x1[a][c]);
        if (call->question.t_max == 1) continue;
        gz_interval3 start = gz_interval3_sub(&motion.start[b], &motion.start[a]);
        gz_interval3 end_a = gz_interval_at(&motion, a, t), end_b = gz_interval_at(&motion, b, t);
        gz_interval3 end = gz_interval3_sub(&end_b, &end_a);
        for (int c = 0; c < 3; c++) s->line[k].c[c] = gz_bernstein_line(start.c[c], end.c[c]);
    }
    s->n = gz_bernstein3_cross(&s->line[1], &s->line[2]);
}

/* The weights of the contact, each times |n|², and how many. VF: of f1, f2, f0. EE: u, 1 − u, v, 1 − v. */
static int inside_of(graze_kind kind, const shape *s, gz_bernstein inside[4]) {
    const gz_bernstein3 *q = &s->line[0], *e1 = &s->line[1], *e2 = &s->line[2], *n = &s->n;
    gz_bernstein3 across = gz_bernstein3_cross(q, e2);
    gz_bernstein n2 = gz_bernstein3_dot(n, n);
    inside[0] = gz_bernstein3_dot(n, &across);
    if (kind == GRAZE_VF) {
        gz_bernstein3 along = gz_bernstein3_cross(e1, q);
        inside[1] = gz_bernstein3_dot(n, &along);
        inside[2] = gz_bernstein_sub(&n2, &inside[0]);
        inside[2] = gz_bernstein_sub(&inside[2], &inside[1]);
        return 3;
    }
    gz_bernstein3 along = gz_bernstein3_cross(q, e1);
    inside[1] = gz_bernstein_sub(&n2, &inside[0]);
    inside[2] = gz_bernstein3_dot(n, &along);
    inside[3] = gz_bernstein_sub(&n2, &inside[2]);
    return 4;
}

/* Coefficients of 1, t, t², … about the middle of p; degree at most 4. */
static void to_powers(const gz_bernstein *p, double power[5]) {
    double d[5];
    for (int i = 0; i <= p->degree; i++) d[i] = p->c[i];
    double factor = 1;
    for (int k = 0; k <= p->degree; k++) {
        power[k] = factor * d[0];
        for (int i = 0; i + 1 <= p->degree - k; i++) d[i] = d[i + 1] - d[i];
        factor = factor * (p->degree - k) / (k + 1);
    }
}

static gz_bernstein line_of(double at_zero, double slope) {
    return (gz_bernstein){.degree = 1, .c = {at_zero, at_zero + slope}};
}

/* With coordinates up to 2^160 and such lines no product overflows. */
static bool is_tame(const gz_bernstein *line) { return fabs(line->c[0]) < 0x1p180 && fabs(line->c[1]) < 0x1p180; }

/* Place of the only root of f: the sign of f at 0 and at 1, and an interval of time. */
typedef struct only_root {
    bool known; /* the coefficients of f change their sign once, and no sign is open: f has one root */
    int start;
    double low, high;
} only_root;

static only_root find_only_root(const gz_bernstein *f) {
    only_root root = {.known = true, .start = gz_bernstein_sign_of(f, 0), .low = 0, .high = 1};
    int changes = 0;
    for (int i = 0; i <= f->degree; i++) {
        int sign = gz_bernstein_sign_of(f, i);
        if (sign == 0)
            root.known = false;
        else if (i > 0 && sign != gz_bernstein_sign_of(f, i - 1))
            changes++;
    }
    root.known = root.known && changes == 1;
    return root;
}

/* Looks at f at a chosen point, and keeps the side that the root is on. */
static void look_at(only_root *root, const gz_bernstein *f, double t) {
    if (!root->known || !(t > root->low && t < root->high)) return;
    int sign = gz_interval_sign(gz_bernstein_at(f, t));
    if (sign == root->start)
        root->low = t;
    else if (sign)
        root->high = t;
}

/* Sign of a line at every root of f, or 0 when it is open: it is looked at between the bounds of the only root, where
   that is known. */
static int line_sign_at_roots(const gz_bernstein *line, const only_root *root) {
    if (!root->known) return gz_bernstein_sign(line);
    gz_bernstein part = gz_bernstein_line(gz_bernstein_at(line, root->low), gz_bernstein_at(line, root->high));
    return gz_bernstein_sign(&part);
}

/* True if g is negative at every root of f. At a root g = h, where h = g − (a + b·t)·f for any a and b: those that make
   h a quadratic, but for rounding. And f = L·h + K with L linear: at a root L·h = −K, so h is negative there when L and
   K have the same sign. */
static bool negative_at_roots(const gz_bernstein *f, const gz_bernstein *g, only_root root) {
    if (gz_bernstein_sign(g) < 0) return true;
    double fp[5] = {0}, gp[5] = {0}, hp[5] = {0};
    to_powers(f, fp);
    to_powers(g, gp);
    double slope = gp[4] / fp[3], level = (gp[3] - slope * fp[2]) / fp[3];
    gz_bernstein factor = line_of(level, slope);
    if (!is_tame(&factor)) return false;
    gz_bernstein multiple = gz_bernstein_mul(&factor, f), h = gz_bernstein_sub(g, &multiple);
    if (gz_bernstein_sign(&h) < 0) return true;

    to_powers(&h, hp);
    slope = fp[3] / hp[2], level = (fp[2] - slope * hp[1]) / hp[2];
    gz_bernstein line = line_of(level, slope);
    if (!is_tame(&line)) return false;
    multiple = gz_bernstein_mul(&line, &h);
    gz_bernstein rest = gz_bernstein_sub(f, &multiple);
    /* the chosen points: where L is 0, and where K, nearly linear, is */
    look_at(&root, f, -level / slope);
    double k0 = rest.c[0], k1 = rest.c[rest.degree];
    look_at(&root, f, k0 / (k0 - k1));
    int line_sign = line_sign_at_roots(&line, &root), rest_sign = gz_bernstein_sign(&rest);
    if (rest_sign == 0 && root.known) {
        /* K on the part of time that holds the root: its ends, and how far K is from a line */
        gz_interval low = gz_bernstein_at(&rest, root.low), high = gz_bernstein_at(&rest, root.high);
        double bend = 0;
        for (int i = 1; i < rest.degree; i++)
            bend = fmax(bend, fabs((rest.c[i + 1] - rest.c[i]) - (rest.c[i] - rest.c[i - 1])));
        bend += 16 * rest.error; /* 4 for the coefficients, 8 for rounding these differences */
        /* |K''| ≤ n(n−1)·bend, and a chord over [0, 1] is off by an eighth of that at most */
        bend = gz_next_up(gz_next_up((double)(rest.degree * (rest.degree - 1)) * bend) / 8);
        gz_interval least = gz_interval_sub(low, (gz_interval){-bend, bend});
        gz_interval most = gz_interval_sub(high, (gz_interval){-bend, bend});
        if (gz_interval_sign(least) == gz_interval_sign(most)) rest_sign = gz_interval_sign(least);
    }
    return line_sign != 0 && line_sign == rest_sign;
}

static bool may_collide(const gz_narrow_call *call, const graze_query *query) {
    shape s;
    shape_of(call, query, &s);
    gz_bernstein f = gz_bernstein3_dot(&s.n, &s.line[0]), inside[4];
    if (gz_bernstein_sign(&f) != 0) return false;
    bool coplanar = true;
    for (int i = 0; i <= f.degree; i++) coplanar = coplanar && gz_bernstein_sign_of(&f, i) == 0;
    if (coplanar) return true;
    only_root root = find_only_root(&f);
    int count = inside_of(call->kind, &s, inside);
    for (int i = 0; i < count; i++)
        if (negative_at_roots(&f, &inside[i], root)) return false;
    return true;
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    result->checks = 1;
    call->counts->checks++;
    if (may_collide(call, query))
        result->verdict = GRAZE_HIT;
    else
        gz_result_clear(result, call->question.t_max);
}

const gz_method gz_method_tccd = {
    .info = {.method = GRAZE_METHOD_TCCD,
             .name = "tccd",
             .summary = "TightCCD: fast, many false alarms",
             .available = 1,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE},
    .solve = solve,
    .no_separation = 1,
};
