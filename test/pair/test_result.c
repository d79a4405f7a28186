/* Results before anything is proven, compiled with the flags of the widest kernels. */
#include "check.h"

/* in a unit of its own, result_unit.c */
void make_nothing(graze_result *result, graze_reason reason);
bool made_for_this_machine(void);

static bool is_nothing(const graze_result *r) {
    bool unset = isnan(r->u) && isnan(r->v);
    for (int c = 0; c < 3; c++) unset = unset && isnan(r->point[c]) && isnan(r->normal[c]);
    return unset && r->verdict == GRAZE_UNRESOLVED && !r->proven && r->toi == 0 && isinf(r->toi_upper) &&
           r->checks == 0;
}

static bool can_run_here(void) {
    if (!made_for_this_machine()) test_skip("this machine has no AVX-512");
    return made_for_this_machine();
}

TEST(every_field_of_a_result_is_set_until_something_is_proven) {
    if (!can_run_here()) return;
    graze_result result;
    memset(&result, 0x5a, sizeof result);
    make_nothing(&result, GRAZE_REASON_PRECISION);
    CHECK(is_nothing(&result));
    CHECK(result.reason == GRAZE_REASON_PRECISION);
}

TEST(results_of_nothing_are_equal_as_bytes) {
    if (!can_run_here()) return;
    graze_result a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0xff, sizeof b);
    make_nothing(&a, GRAZE_REASON_NONE);
    make_nothing(&b, GRAZE_REASON_NONE);
    CHECK(memcmp(&a, &b, sizeof a) == 0);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
