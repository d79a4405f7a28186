/* Minimum-separation root finder: the times at which two features are at distance d are roots of ⟨n, q⟩² − d²|n|²
   (degree 6) for the planes or lines, |q × e|² − d²|e|² for a point and an edge, |q|² − d² for two points; each counts
   where the nearest points lie on the features. All in rounding arithmetic (Harmon et al. 2011). Misses contacts. */
#include "compared/narrow/cubic.h"
#include "compared/narrow/plain_distance.h"
#include "narrow/method.h"
#include "pair/contact.h"

typedef struct search {
    const gz_narrow_call *call;
    const gz_moving_pair *pair;
    double d2, first;
    uint64_t checks;
} search;

/* p − d²·scale = 0 */
static int roots_at_distance(search *s, const gz_polynomial *p, const gz_polynomial *scale, double *roots) {
    gz_polynomial difference = gz_polynomial_add(p, -s->d2, scale);
    s->checks++;
    return gz_polynomial_roots(&difference, s->call->question.t_max, roots);
}

static gz_polynomial3 between(const gz_moving_pair *pair, int a, int b) {
    return gz_polynomial3_line(gz_vec3_sub(pair->start[b], pair->start[a]),
                               gz_vec3_sub(pair->motion[b], pair->motion[a]));
}

static void plane(search *s) {
    gz_polynomial f2 = gz_polynomial_mul(&s->pair->f, &s->pair->f), n2 = gz_polynomial3_dot(&s->pair->n, &s->pair->n);
    double roots[GZ_POLYNOMIAL_DEGREE + 2];
    int count = roots_at_distance(s, &f2, &n2, roots);
    for (int i = 0; i < count; i++)
        if (roots[i] < s->first && gz_moving_pair_inside(s->call->kind, s->pair, roots[i]) == 1) s->first = roots[i];
}

static void point_edge(search *s, int point, int a, int b) {
    gz_polynomial3 q = between(s->pair, a, point), e = between(s->pair, a, b), cross = gz_polynomial3_cross(&q, &e);
    gz_polynomial c2 = gz_polynomial3_dot(&cross, &cross), e2 = gz_polynomial3_dot(&e, &e);
    double roots[GZ_POLYNOMIAL_DEGREE + 2];
    int count = roots_at_distance(s, &c2, &e2, roots);
    for (int i = 0; i < count; i++) {
        gz_vec3 at_e = gz_polynomial3_value(&e, roots[i]), at_q = gz_polynomial3_value(&q, roots[i]);
        double along = gz_vec3_dot(at_q, at_e), length2 = gz_vec3_dot(at_e, at_e);
        if (roots[i] < s->first && length2 > 0 && along >= 0 && along <= length2) s->first = roots[i];
    }
}

static void point_point(search *s, int a, int b) {
    gz_polynomial3 q = between(s->pair, a, b);
    gz_polynomial q2 = gz_polynomial3_dot(&q, &q), one = {.degree = 0, .c = {1}};
    double roots[GZ_POLYNOMIAL_DEGREE + 2];
    if (roots_at_distance(s, &q2, &one, roots) > 0 && roots[0] < s->first) s->first = roots[0];
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    gz_moving_pair pair;
    gz_moving_pair_of(call->kind, query, &pair);
    double d = call->question.separation;
    search s = {.call = call, .pair = &pair, .d2 = d * d, .first = INFINITY};
    if (sqrt(gz_squared_distance(call->kind, pair.start)) <= d) {
        s.first = 0;
    } else {
        plane(&s);
        if (call->kind == GRAZE_VF) {
            for (int i = 1; i < 4; i++) point_edge(&s, 0, i, i % 3 + 1);
            for (int i = 1; i < 4; i++) point_point(&s, 0, i);
        } else {
            for (int i = 0; i < 2; i++) point_edge(&s, i, 2, 3);
            for (int i = 2; i < 4; i++) point_edge(&s, i, 0, 1);
            for (int i = 0; i < 4; i++) point_point(&s, i % 2, 2 + i / 2);
        }
    }
    result->checks = s.checks + 1;
    call->counts->checks += result->checks;
    if (s.first == INFINITY) {
        gz_result_clear(result, call->question.t_max);
        return;
    }
    result->verdict = GRAZE_HIT;
    result->toi = s.first;
    gz_contact_find(call->kind, query, result);
}

const gz_method gz_method_msrf = {
    .info = {.method = GRAZE_METHOD_MSRF,
             .name = "msrf",
             .summary = "minimum-separation root finder; misses contacts",
             .available = 1,
             .gives_toi = 1,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE},
    .solve = solve,
};
