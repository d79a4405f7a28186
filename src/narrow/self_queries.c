/* Queries whose answers are known, asked of `certified`. test/narrow/test_self_test.c holds the answers against exact
   arithmetic, and writes self_answers.h anew where they change for a reason. */
#include "narrow/self_queries.h"

#include "base/self_test.h"
#include "narrow/certified.h"
#include "narrow/first_alone.h"

#include "narrow/self_answers.h"

/* Seeds with hits and with pairs that take several rounds, in lanes that are full and in some that are not. */
const gz_self_group gz_self_groups[GZ_SELF_GROUPS] = {
    {GRAZE_VF, 0, 62, 24, 0}, {GRAZE_EE, 0, 8, 24, 24}, {GRAZE_PE, 0.25, 9, 10, 48}, {GRAZE_PP, 0.25, 10, 10, 58}};

/* splitmix64 */
static uint64_t next_bits(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

/* In [-1, 1): 40 bits, so that products round. */
static double next_coordinate(uint64_t *state) { return (double)(int64_t)(next_bits(state) >> 23) * 0x1p-40 - 1; }

void gz_self_queries(const gz_self_group *group, graze_query *queries) {
    uint64_t state = group->seed;
    for (size_t i = 0; i < group->count; i++)
        for (int k = 0; k < 24; k++)
            (k < 12 ? queries[i].x0 : queries[i].x1)[k % 12 / 3][k % 3] = next_coordinate(&state);
}

void gz_self_answer_group(const gz_self_group *group, graze_isa isa, graze_result *results) {
    graze_query queries[GZ_SELF_MOST];
    gz_counts counts = {0};
    gz_narrow_call call = {.kind = group->kind,
                           .question.separation = group->separation,
                           .question.t_max = 1,
                           .question.max_checks = GZ_CERTIFIED_MAX_CHECKS,
                           .kernels = gz_kernels_of(isa),
                           .counts = &counts};
    gz_self_queries(group, queries);
    gz_certified_queries(&call, queries, group->count, results);
}

static bool is_known(const graze_result *result, const gz_self_answer *answer) {
    graze_verdict verdict = answer->toi == 1 ? GRAZE_CLEAR : GRAZE_HIT;
    return result->verdict == verdict && memcmp(&result->toi, &answer->toi, sizeof answer->toi) == 0 &&
           memcmp(&result->toi_upper, &answer->toi_upper, sizeof answer->toi_upper) == 0 && result->checks < 1000;
}

/* True if every pair that the look at one pair alone settles is known to be clear. */
static bool looks_are_known(const gz_self_group *group) {
    graze_query queries[GZ_SELF_MOST];
    bool known = true;
    gz_self_queries(group, queries);
    for (size_t i = 0; i < group->count; i++)
        if (gz_first_alone(group->kind, &queries[i], (float)group->separation))
            known &= gz_self_answers[group->first + i].toi == 1;
    return known;
}

static bool answers_are_known(const gz_self_group *group, graze_isa isa) {
    graze_result results[GZ_SELF_MOST];
    gz_self_answer_group(group, isa, results);
    bool known = looks_are_known(group);
    for (size_t i = 0; i < group->count; i++) known &= is_known(&results[i], &gz_self_answers[group->first + i]);
    return known;
}

static bool arithmetic_is_ieee(const gz_kernels *kernels) {
    return kernels->ieee() && (!kernels->half || kernels->half->ieee()) && gz_kernels_scalar.ieee();
}

bool gz_self_test_run(graze_isa isa) {
    bool sound = arithmetic_is_ieee(gz_kernels_of(isa));
    for (int g = 0; g < GZ_SELF_GROUPS && sound; g++) sound = answers_are_known(&gz_self_groups[g], isa);
    return sound;
}
