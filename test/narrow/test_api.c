/* The door: bad input is a status, results stay closed; what this build does not have says so. */
#include "check.h"

static const graze_query some_query = {
    .x0 = {{0, 0, 1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
    .x1 = {{0, 0, -1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
};

static bool closed(const graze_result *result) { return result->verdict == GRAZE_UNRESOLVED && result->toi == 0; }

TEST(methods_are_found_by_name) {
    for (int i = 1; i <= GRAZE_METHOD_PROVOT; i++) {
        const graze_method_info *info = graze_method_get((graze_method)i);
        CHECK(info != NULL);
        if (!info) continue;
        CHECK((int)info->method == i);
        CHECK(graze_method_find(info->name) == info);
    }
    CHECK(graze_method_get((graze_method)99) == NULL);
    CHECK(graze_method_find("none such") == NULL);
    CHECK(graze_method_find(NULL) == NULL);
    CHECK(graze_method_get(GRAZE_METHOD_DEFAULT) != NULL);
}

TEST(a_method_that_is_not_built_in_says_so) {
    for (int i = 1; i <= GRAZE_METHOD_PROVOT; i++) {
        if (graze_method_get((graze_method)i)->available) continue;
        graze_options options = graze_default_options();
        options.method = (graze_method)i;
        graze_result result;
        CHECK(graze_ccd(GRAZE_VF, &some_query, &options, &result) == GRAZE_ERR_UNSUPPORTED);
        CHECK(closed(&result));
    }
}

TEST(an_unknown_kind_is_refused) {
    graze_result result;
    CHECK(graze_ccd((graze_kind)7, &some_query, NULL, &result) == GRAZE_ERR_INVALID_ARGUMENT && closed(&result));
}

/* Every coordinate in turn, at both ends, for every method: an error, and a result that keeps the caller in place. */
TEST(bad_coordinates_are_refused_by_every_method) {
    static const struct {
        double value;
        graze_status status;
    } bad[] = {{NAN, GRAZE_ERR_NOT_FINITE},
               {INFINITY, GRAZE_ERR_NOT_FINITE},
               {-INFINITY, GRAZE_ERR_NOT_FINITE},
               {1e308, GRAZE_ERR_OUT_OF_RANGE},
               {-0x1.0000000000001p160, GRAZE_ERR_OUT_OF_RANGE}};
    for (int m = 1; m <= GRAZE_METHOD_PROVOT; m++) {
        const graze_method_info *info = graze_method_get((graze_method)m);
        if (!info->available) continue;
        graze_options options = graze_default_options();
        options.method = (graze_method)m;
        for (size_t b = 0; b < sizeof bad / sizeof *bad; b++)
            for (int k = 0; k < 24; k++) {
                graze_query query = some_query;
                (k < 12 ? query.x0 : query.x1)[k % 12 / 3][k % 3] = bad[b].value;
                graze_result result;
                graze_status status = graze_ccd(GRAZE_VF, &query, &options, &result);
                bool oracle_takes_it = m == GRAZE_METHOD_ORACLE && bad[b].status == GRAZE_ERR_OUT_OF_RANGE;
                CHECK_MSG(status == (oracle_takes_it ? GRAZE_OK : bad[b].status), "%s: %s", info->name,
                          graze_status_name(status));
                if (!oracle_takes_it) CHECK(closed(&result));
            }
    }
}

TEST(coordinates_of_the_largest_size_are_answered) {
    graze_query query = some_query;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query.x0[i][c] *= GRAZE_MAX_COORDINATE;
            query.x1[i][c] *= GRAZE_MAX_COORDINATE;
        }
    for (int m = 1; m <= GRAZE_METHOD_PROVOT; m++) {
        const graze_method_info *info = graze_method_get((graze_method)m);
        if (!info->available || !info->conservative) continue;
        graze_options options = graze_default_options();
        options.method = (graze_method)m;
        graze_result result;
        CHECK_MSG(graze_ccd(GRAZE_VF, &query, &options, &result) == GRAZE_OK, "%s", info->name);
        CHECK_MSG(result.verdict != GRAZE_CLEAR && result.toi <= 0.5, "%s", info->name);
    }
}

TEST(bad_options_are_refused) {
    graze_result result;
    graze_options options;
#define REFUSED(field, value)                                                                                          \
    do {                                                                                                               \
        options = graze_default_options();                                                                             \
        options.field = value;                                                                                         \
        CHECK(graze_ccd(GRAZE_VF, &some_query, &options, &result) == GRAZE_ERR_INVALID_ARGUMENT);                      \
        CHECK(closed(&result));                                                                                        \
    } while (0)
    REFUSED(min_separation, -1);
    REFUSED(min_separation, NAN);
    REFUSED(min_separation, INFINITY);
    REFUSED(t_max, 0);
    REFUSED(t_max, -0.5);
    REFUSED(t_max, 1.0000000000000002);
    REFUSED(t_max, NAN);
    REFUSED(tolerance, -1e-6);
    REFUSED(tolerance, NAN);
    REFUSED(inside_tolerance, NAN);
    REFUSED(struct_size, 0);
    REFUSED(struct_size, sizeof options + 8);
    REFUSED(method, (graze_method)99);
#undef REFUSED
    CHECK(graze_ccd(GRAZE_VF, NULL, NULL, &result) == GRAZE_ERR_INVALID_ARGUMENT && closed(&result));
    CHECK(graze_ccd(GRAZE_VF, &some_query, NULL, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
}

TEST(a_batch_names_its_first_bad_query_and_gives_no_verdict) {
    graze_query queries[5] = {some_query, some_query, some_query, some_query, some_query};
    queries[2].x1[3][1] = NAN;
    queries[4].x0[0][0] = INFINITY;
    graze_result results[5];
    graze_context *context = test_context(2, GRAZE_ISA_AUTO);
    CHECK(graze_ccd_batch(context, GRAZE_VF, queries, 5, NULL, results) == GRAZE_ERR_NOT_FINITE);
    graze_error error;
    CHECK(graze_context_last_error(context, &error) == GRAZE_OK);
    CHECK(error.status == GRAZE_ERR_NOT_FINITE && error.index == 2);
    CHECK_MSG(strstr(error.message, "query 2") != NULL, "%s", error.message);
    for (int i = 0; i < 5; i++) CHECK(closed(&results[i]));
    CHECK(graze_ccd_batch(context, GRAZE_VF, NULL, 5, NULL, results) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_ccd_batch(context, GRAZE_VF, queries, 0, NULL, NULL) == GRAZE_OK);
    graze_context_destroy(context);
}

static int reenter(void *user) {
    graze_result result;
    graze_context **context = user;
    CHECK(graze_ccd_batch(*context, GRAZE_VF, &some_query, 1, NULL, &result) == GRAZE_ERR_BUSY);
    CHECK(closed(&result));
    return 0;
}

TEST(a_context_in_use_is_busy) {
    graze_context *context = NULL;
    graze_context_options options = graze_default_context_options();
    options.threads = 1;
    options.cancel = reenter;
    options.cancel_user = &context;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    graze_result result;
    CHECK(graze_ccd_batch(context, GRAZE_VF, &some_query, 1, NULL, &result) == GRAZE_OK);
    CHECK(result.verdict == GRAZE_HIT && result.toi <= 0.5);
    graze_context_destroy(context);
}

TEST(cancelling_a_batch_leaves_safe_results) {
    graze_context_options options = graze_default_context_options();
    options.deadline_seconds = 1e-9;
    graze_context *context;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    graze_result result;
    CHECK(graze_ccd_batch(context, GRAZE_VF, &some_query, 1, NULL, &result) == GRAZE_OK);
    CHECK(closed(&result) && result.reason == GRAZE_REASON_CANCELLED);
    graze_context_destroy(context);
}

#if defined(__x86_64__)
#include <xmmintrin.h>
TEST(the_callers_rounding_mode_changes_no_bit) {
    graze_result plain, odd;
    CHECK(graze_ccd(GRAZE_VF, &some_query, NULL, &plain) == GRAZE_OK);
    unsigned before = _mm_getcsr();
    for (unsigned mode = 0; mode < 4; mode++) {
        _mm_setcsr(before | 0x8040u | mode << 13);
        CHECK(graze_ccd(GRAZE_VF, &some_query, NULL, &odd) == GRAZE_OK);
        CHECK((_mm_getcsr() & 0xE040u) == (0x8040u | mode << 13));
        _mm_setcsr(before);
        CHECK(memcmp(&plain, &odd, sizeof plain) == 0);
    }
}
#endif

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
