/* Single pairs: in space, in the plane, with balls, and as cubics. */
#include "agreement/judge.h"

static void count_verdict(judge *j, const graze_result *result) {
    j->found.hits += result->verdict == GRAZE_HIT;
    j->found.clear += result->verdict == GRAZE_CLEAR;
    j->found.unresolved += result->verdict == GRAZE_UNRESOLVED;
}

static bool answered(judge *j, const drawn *d, const char *name, graze_status status) {
    if (status != GRAZE_OK) judge_fails(j, &j->found.refused, d, "%s: %s", name, graze_status_name(status));
    return status == GRAZE_OK;
}

static graze_kind draw_kind(test_random *random) { /* those with a volume twice as often */
    static const graze_kind kinds[] = {GRAZE_VF, GRAZE_VF, GRAZE_EE, GRAZE_EE, GRAZE_PE, GRAZE_PP};
    return kinds[test_random_below(random, 6)];
}

/* Both methods, and the certificate where it is asked for. */
static void judge_methods(judge *j, const drawn *d, const graze_result *truth, bool certificate) {
    graze_result certified, exact;
    if (!answered(j, d, "certified", judge_ask(d, GRAZE_METHOD_CERTIFIED, &certified))) return;
    if (!answered(j, d, "exact", judge_ask(d, GRAZE_METHOD_EXACT, &exact))) return;
    count_verdict(j, &certified);
    judge_answer(j, d, "certified", &certified, truth);
    judge_exact(j, d, &exact, truth);
    if (certificate) judge_certificate(j, d, &certified);
}

void judge_pair(judge *j, test_random *random) {
    drawn d;
    graze_result truth;
    draw_pair(random, draw_kind(random), draw_exponent(random), &d);
    if (judge_truth(j, &d, &truth)) judge_methods(j, &d, &truth, true);
}

/* ---- the same pair in other orders ---- */

/* Rows of A, and rows of B, in another order; edges may change places. */
static void draw_rows_in_order(test_random *random, graze_kind kind, int order[4]) {
    static const int of_face[6][3] = {{1, 2, 3}, {2, 3, 1}, {3, 1, 2}, {1, 3, 2}, {3, 2, 1}, {2, 1, 3}};
    static const int of_edges[8][4] = {{0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 3, 2}, {1, 0, 3, 2},
                                       {2, 3, 0, 1}, {3, 2, 0, 1}, {2, 3, 1, 0}, {3, 2, 1, 0}};
    for (int i = 0; i < 4; i++) order[i] = i;
    bool swap = test_random_below(random, 2);
    if (kind == GRAZE_VF) memcpy(order + 1, of_face[test_random_below(random, 6)], sizeof of_face[0]);
    if (kind == GRAZE_EE) memcpy(order, of_edges[test_random_below(random, 8)], sizeof of_edges[0]);
    if (kind == GRAZE_PE && swap) order[1] = 2, order[2] = 1;
    if (kind == GRAZE_PP && swap) order[0] = 1, order[1] = 0;
}

/* Axes change places and directions, and rows their order. Nothing is rounded: the pair touches when it did before, but
   other roundings lead to the answer. */
static drawn draw_order(test_random *random, const drawn *d) {
    static const int axes[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const int *axis = axes[test_random_below(random, 6)];
    uint64_t mirrored = test_random_below(random, 8);
    int order[4];
    drawn other = *d;
    draw_rows_in_order(random, d->kind, order);
    for (int i = 0; i < draw_rows(d->kind); i++)
        for (int c = 0; c < 3; c++) {
            double sign = mirrored >> c & 1 ? -1 : 1;
            other.query.x0[i][c] = sign * d->query.x0[order[i]][axis[c]];
            other.query.x1[i][c] = sign * d->query.x1[order[i]][axis[c]];
        }
    return other;
}

/* Exact arithmetic takes most of the time: it is asked once, and its answer holds for eight orders of the pair. */
void judge_scales(judge *j, test_random *random) {
    enum { ORDERS = 8 };
    drawn d;
    graze_result truth, certified;
    draw_pair(random, draw_kind(random), draw_exponent(random), &d);
    if (!judge_truth(j, &d, &truth)) return;
    judge_methods(j, &d, &truth, j->index % 64 == 0);
    for (int i = 1; i < ORDERS; i++) {
        drawn other = draw_order(random, &d);
        if (!answered(j, &other, "certified", judge_ask(&other, GRAZE_METHOD_CERTIFIED, &certified))) continue;
        j->found.pairs++;
        count_verdict(j, &certified);
        judge_answer(j, &other, "certified", &certified, &truth);
    }
}

/* ---- in the plane ---- */

static graze_status ask_in_plane(const drawn *d, graze_method method, graze_result *result) {
    graze_query_2d query;
    for (int i = 0; i < 3; i++) {
        memcpy(query.x0[i], d->query.x0[i], sizeof query.x0[i]);
        memcpy(query.x1[i], d->query.x1[i], sizeof query.x1[i]);
    }
    graze_options options = graze_default_options();
    options.method = method;
    options.min_separation = d->separation;
    options.t_max = d->t_max;
    return graze_ccd_2d(d->kind, &query, &options, result);
}

void judge_plane(judge *j, test_random *random) {
    drawn d;
    graze_result truth, certified, exact;
    draw_pair(random, test_random_below(random, 3) ? GRAZE_PE : GRAZE_PP, draw_exponent(random), &d);
    draw_flat(&d);
    if (!judge_truth(j, &d, &truth)) return;
    if (!answered(j, &d, "certified", ask_in_plane(&d, GRAZE_METHOD_CERTIFIED, &certified))) return;
    if (!answered(j, &d, "exact", ask_in_plane(&d, GRAZE_METHOD_EXACT, &exact))) return;
    count_verdict(j, &certified);
    judge_answer(j, &d, "certified", &certified, &truth);
    judge_exact(j, &d, &exact, &truth);
}

/* ---- balls ---- */

static double least_of(const double *radii, int count) {
    double least = radii[0];
    for (int i = 1; i < count; i++) least = fmin(least, radii[i]);
    return least;
}

static double largest_of(const double *radii, int count) {
    double largest = radii[0];
    for (int i = 1; i < count; i++) largest = fmax(largest, radii[i]);
    return largest;
}

/* The pair without radii whose separation is `whole`. */
static drawn thin_of(const drawn *d, double whole) {
    drawn thin = *d;
    thin.thick = false;
    thin.separation = whole;
    memset(thin.radii, 0, sizeof thin.radii);
    return thin;
}

/* a + b + c, rounded down unless it is exact. */
static double sum_below(double a, double b, double c, bool *is_exact) {
    double sum = a + b, of_b = sum - a, whole = sum + c, of_c = whole - sum;
    *is_exact = (a - (sum - of_b)) + (b - of_b) == 0 && (sum - (whole - of_c)) + (c - of_c) == 0;
    return *is_exact ? whole : whole * (1 - 0x1p-50);
}

/* The balls touch at the latest when the smallest of each primitive do; the checker judges the rest. */
void judge_thick(judge *j, test_random *random) {
    drawn d;
    graze_result truth, certified, exact;
    draw_pair(random, draw_kind(random), draw_exponent(random), &d);
    draw_radii(random, test_random_below(random, 2), &d);
    int rows = draw_rows(d.kind), in_a = draw_rows_of_a(d.kind);
    const double *a = d.radii, *b = d.radii + in_a;
    bool is_exact,
        uniform = least_of(a, in_a) == largest_of(a, in_a) && least_of(b, rows - in_a) == largest_of(b, rows - in_a);
    drawn thin = thin_of(&d, sum_below(d.separation, least_of(a, in_a), least_of(b, rows - in_a), &is_exact));
    if (!judge_truth(j, &thin, &truth)) return;
    if (!answered(j, &d, "certified", judge_ask(&d, GRAZE_METHOD_CERTIFIED, &certified))) return;
    if (!answered(j, &d, "exact", judge_ask(&d, GRAZE_METHOD_EXACT, &exact))) return;
    count_verdict(j, &certified);
    graze_result unproven = certified;
    if (!(uniform && is_exact)) unproven.proven = 0; /* larger balls touch where these do not */
    judge_answer(j, &d, "certified", &unproven, &truth);
    if (uniform && is_exact) judge_exact(j, &d, &exact, &truth);
    judge_certificate(j, &d, &certified);
}

/* ---- cubics ---- */

void judge_curve(judge *j, test_random *random) {
    drawn d;
    graze_curve_query curve;
    graze_result truth, result;
    draw_pair(random, draw_kind(random), draw_exponent(random), &d);
    draw_raised(random, &d, &curve);
    if (!judge_truth(j, &d, &truth)) return;
    graze_options options = graze_default_options();
    options.min_separation = d.separation;
    options.t_max = d.t_max;
    if (!answered(j, &d, "curve", graze_ccd_curve(d.kind, &curve, &options, &result))) return;
    count_verdict(j, &result);
    judge_answer(j, &d, "curve", &result, &truth);
}
