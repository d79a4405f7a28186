/* Floating-point root finder: the times at which the four points are coplanar are the roots of a cubic; at each, does
   the vertex lie in the triangle (do the edges cross)? All in rounding arithmetic (Provot 1997). Misses contacts. */
#include "compared/narrow/cubic.h"
#include "compared/narrow/plain_distance.h"
#include "narrow/method.h"
#include "pair/contact.h"

static bool near(const gz_narrow_call *call, const gz_moving_pair *pair, double t) {
    gz_vec3 x[4];
    gz_moving_pair_at(pair, t, x);
    return sqrt(gz_squared_distance(call->kind, x)) <= call->inside_tolerance;
}

/* At a root: inside, or within η. Flat triangles and parallel edges have no inside: their distance decides. */
static bool hit_at_root(const gz_narrow_call *call, const gz_moving_pair *pair, double t) {
    int inside = gz_moving_pair_inside(call->kind, pair, t);
    return inside == 1 || ((inside == -1 || call->inside_tolerance > 0) && near(call, pair, t));
}

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    gz_moving_pair pair;
    gz_moving_pair_of(call->kind, query, &pair);

    /* With η > 0 a pair counts that comes that near without being coplanar: looked at where |f| is least. */
    double roots[GZ_POLYNOMIAL_DEGREE + 2], turns[GZ_POLYNOMIAL_DEGREE + 4];
    int root_count = gz_polynomial_roots(&pair.f, call->question.t_max, roots), turn_count = 0;
    bool always_coplanar = gz_polynomial_is_zero(&pair.f);
    if (call->inside_tolerance > 0) turn_count = gz_polynomial_turns(&pair.f, call->question.t_max, turns);

    double first = INFINITY;
    for (int i = 0; i < root_count && first == INFINITY; i++)
        if (hit_at_root(call, &pair, roots[i])) first = roots[i];
    for (int i = 0; i < turn_count; i++)
        if (turns[i] < first && near(call, &pair, turns[i])) first = turns[i];
    if (always_coplanar && hit_at_root(call, &pair, 0)) first = 0;
    if (call->inside_tolerance > 0) {
        if (first > 0 && near(call, &pair, 0)) first = 0;
        if (first > call->question.t_max && near(call, &pair, call->question.t_max)) first = call->question.t_max;
    }

    result->checks = (uint64_t)(root_count + turn_count) + 1;
    call->counts->checks += result->checks;
    if (first == INFINITY) {
        gz_result_clear(result, call->question.t_max);
        return;
    }
    result->verdict = GRAZE_HIT;
    result->toi = first;
    gz_contact_find(call->kind, query, result);
}

const gz_method gz_method_fprf = {
    .info = {.method = GRAZE_METHOD_FPRF,
             .name = "fprf",
             .summary = "floating-point cubic root finder; misses contacts",
             .available = 1,
             .gives_toi = 1,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE},
    .solve = solve,
    .no_separation = 1,
};
