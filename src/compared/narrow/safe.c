/* Methods `safe`, the failure-proof cubic test, and `provot`, the basic test that it improves on. */
#include "compared/narrow/safe.h"

#include "narrow/method.h"
#include "pair/contact.h"

static const gz_safe_setup safe_setup = {.plane_cull = true, .edge_cull = true};
static const gz_safe_setup basic_setup = {.plane_cull = true, .basic = true};

/* `query` is where to look for the point of contact. */
static void finish(const gz_narrow_call *call, const graze_query *query, bool basic, gz_safe_answer answer,
                   const gz_safe_counts *counts, graze_result *result) {
    result->checks = 1 + counts->edge_run;
    call->counts->checks += result->checks;
    if (!answer.positive) {
        gz_result_clear(result, call->question.t_max);
        return;
    }
    result->verdict = GRAZE_HIT;
    /* the basic test proves nothing, and says when it believes to have seen a contact */
    result->toi = basic ? answer.time : answer.toi;
    gz_contact_find(call->kind, query, result);
}

static void solve(const gz_narrow_call *call, const graze_query *query, gz_safe_setup setup, graze_result *result) {
    gz_safe_counts counts = {0};
    setup.t_max = call->question.t_max;
    gz_safe_answer answer = gz_safe_test_f64(call->kind, query, &setup, &counts);
    finish(call, query, setup.basic, answer, &counts, result);
}

static void solve_safe(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    solve(call, query, safe_setup, result);
}

static void solve_basic(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    solve(call, query, basic_setup, result);
}

void gz_safe_solve_f32(const gz_narrow_call *call, const graze_query_f32 *query, graze_result *result) {
    gz_safe_counts counts = {0};
    gz_safe_setup setup = safe_setup;
    setup.t_max = call->question.t_max;
    gz_safe_answer answer = gz_safe_test_f32(call->kind, query, &setup, &counts);
    graze_query wide = gz_widened(query);
    finish(call, &wide, false, answer, &counts, result);
}

static size_t solve_floats(const gz_narrow_call *call, const graze_query_f32 *queries, size_t count,
                           graze_result *results) {
    size_t touching = 0;
    for (size_t i = 0; i < count; i++) {
        gz_result_unresolved(&results[i], GRAZE_REASON_NONE);
        gz_safe_solve_f32(call, &queries[i], &results[i]);
        touching += results[i].verdict != GRAZE_CLEAR;
    }
    return touching;
}

const gz_method gz_method_safe = {
    .info = {.method = GRAZE_METHOD_SAFE,
             .name = "safe",
             .summary = "failure-proof cubic",
             .available = 1,
             .conservative = 1,
             .gives_toi = 1,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE | 1u << GRAZE_PE | 1u << GRAZE_PP},
    .solve = solve_safe,
    .solve_f32 = solve_floats,
    .no_separation = 1,
};

const gz_method gz_method_provot = {
    .info = {.method = GRAZE_METHOD_PROVOT,
             .name = "provot",
             .summary = "the basic cubic test; misses contacts",
             .available = 1,
             .gives_toi = 1,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE},
    .solve = solve_basic,
    .no_separation = 1,
};
