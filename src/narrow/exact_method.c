/* `exact`: what `certified` proves stands; its brackets are narrowed to adjacent doubles, and exact arithmetic decides
   the few pairs that are left. */
#include "narrow/certified.h"

static void solve(const gz_narrow_call *call, const graze_query *query, graze_result *result) {
    gz_certified_query(call, true, query, result);
}

static size_t solve_many(const gz_narrow_call *call, const graze_query *queries, size_t count, graze_result *results) {
    return gz_certified_queries(call, true, queries, count, results);
}

static size_t solve_pairs(const gz_narrow_call *call, const gz_positions *positions, const uint32_t (*ids)[4],
                          size_t count, graze_result *results) {
    return gz_certified_pairs(call, true, positions, ids, count, results);
}

const gz_method gz_method_exact = {
    .info = {.method = GRAZE_METHOD_EXACT,
             .name = "exact",
             .summary = "certificates, then exact arithmetic for the few left",
             .available = 1,
             .conservative = 1,
             .exact = 1,
             .gives_toi = 1,
             .default_max_checks = GZ_CERTIFIED_MAX_CHECKS,
             .kinds = 1u << GRAZE_VF | 1u << GRAZE_EE | 1u << GRAZE_PE | 1u << GRAZE_PP},
    .solve = solve,
    .solve_many = solve_many,
    .solve_pairs = solve_pairs,
    .windowed = 1,
    .thick = 1,
};
