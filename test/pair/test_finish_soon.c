/* The volume polynomial settles queries at once as the whole finish does, bit for bit. */
#include "batch_queries.h"

#include "pair/pair.h"

/* The number of queries of a kind that it settled, by verdict. */
typedef struct settled {
    size_t clear, hit, left;
} settled;

static graze_result begun(uint64_t checks) {
    graze_result result;
    gz_result_unresolved(&result, GRAZE_REASON_NONE);
    result.checks = checks;
    return result;
}

static void compare(const gz_certified_call *call, const graze_query *query, double t, settled *counts) {
    graze_result whole = begun(3), soon = begun(3);
    bool answered = gz_certified_finish(call, query, NULL, t, call->t_max, &whole);
    if (!gz_certified_finish_soon(call, query, t, call->t_max, &soon)) {
        counts->left++;
        return;
    }
    CHECK(answered && same_result(&soon, &whole));
    counts->clear += soon.verdict == GRAZE_CLEAR;
    counts->hit += soon.verdict == GRAZE_HIT;
}

static settled compare_many(const gz_certified_call *call) {
    test_random random = {(uint64_t)call->kind + 7};
    settled counts = {0, 0, 0};
    for (size_t i = 0; i < 40000; i++) {
        graze_query query;
        batch_query(&random, call->kind, i, &query);
        compare(call, &query, 0, &counts);
    }
    return counts;
}

TEST(what_is_finished_soon_has_the_bits_of_the_whole_finish) {
    for (int kind = GRAZE_VF; kind <= GRAZE_EE; kind++)
        for (int how = 0; how < 4; how++) {
            gz_certified_call call = {.kind = (graze_kind)kind, .t_max = how == 1 ? 0.6 : 1, .max_checks = 4096};
            call.exact = how == 2;
            if (how == 3) call.max_checks = 4;
            settled counts = compare_many(&call);
            CHECK(counts.clear > 1000 && counts.left > 1000);
            CHECK(call.exact ? counts.hit == 0 : counts.hit > 1000); /* brackets of `exact` are narrowed first */
        }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
