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

TEST(a_method_answers_the_kinds_that_it_names_or_says_that_it_is_not_built_in) {
    for (int i = 1; i <= GRAZE_METHOD_PROVOT; i++) {
        const graze_method_info *info = graze_method_get((graze_method)i);
        graze_options options = graze_default_options();
        options.method = (graze_method)i;
        for (int kind = GRAZE_VF; kind <= GRAZE_PP; kind++) {
            graze_result result;
            bool answers = info->available && info->kinds >> kind & 1u;
            graze_status status = graze_ccd((graze_kind)kind, &some_query, &options, &result);
            CHECK_MSG(status == (answers ? GRAZE_OK : GRAZE_ERR_UNSUPPORTED), "%s: %d", info->name, (int)status);
            CHECK_MSG(answers || closed(&result), "%s", info->name);
        }
    }
    static const graze_method ours[] = {GRAZE_METHOD_CERTIFIED, GRAZE_METHOD_EXACT, GRAZE_METHOD_ORACLE};
    for (int i = 0; i < 3; i++) CHECK(graze_method_get(ours[i])->available);
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

TEST(kinds_are_found_by_their_names) {
    for (graze_kind kind = GRAZE_VF; kind <= GRAZE_PP; kind++) {
        graze_kind found = (graze_kind)9;
        CHECK(graze_kind_find(graze_kind_name(kind), &found) == 1 && found == kind);
        CHECK(graze_kind_find(graze_kind_name(kind), NULL) == 0);
        CHECK(graze_kind_find("fv", &found) == 0 && graze_kind_find(NULL, &found) == 0 && found == kind);
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
    REFUSED(t_max, -0.5);
    REFUSED(t_max, 1.0000000000000002);
    REFUSED(t_max, NAN);
    REFUSED(tolerance, -1e-6);
    REFUSED(tolerance, NAN);
    REFUSED(inside_tolerance, NAN);
    REFUSED(struct_size, 0);
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

/* Coordinates in arrays of any layout; what lies between the results stays as it is. */
TEST(a_strided_batch_has_the_bits_of_a_batch) {
    enum { COUNT = 700 };
    static graze_query queries[COUNT];
    static graze_result expected[COUNT];
    static double x0[COUNT][4][3], x1[3][4][COUNT]; /* as NumPy has it, and Fortran's way */
    static struct {
        graze_result result;
        double own;
    } rows[COUNT];
    for (int k = 0; k < 4; k++) {
        graze_kind kind = (graze_kind)k;
        test_random random = {(uint64_t)k + 90};
        for (int i = 0; i < COUNT; i++)
            for (int r = 0; r < 4; r++)
                for (int c = 0; c < 3; c++) {
                    double *a = &queries[i].x0[r][c], *b = &queries[i].x1[r][c];
                    *a = test_random_between(&random, -1, 1), *b = test_random_between(&random, -1, 1);
                    bool read = r < (kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4);
                    x0[COUNT - 1 - i][r][c] = read ? *a : NAN; /* from the last to the first */
                    x1[c][r][i] = read ? *b : NAN;
                }
        graze_query_arrays arrays = graze_default_query_arrays();
        arrays.x0 = &x0[COUNT - 1][0][0];
        arrays.x1 = &x1[0][0][0];
        arrays.strides0[0] = -(ptrdiff_t)sizeof x0[0];
        arrays.strides0[1] = sizeof x0[0][0];
        arrays.strides0[2] = sizeof x0[0][0][0];
        arrays.strides1[0] = sizeof x1[0][0][0];
        arrays.strides1[1] = sizeof x1[0][0];
        arrays.strides1[2] = sizeof x1[0];
        for (int i = 0; i < COUNT; i++) rows[i].own = i;
        graze_context *context = test_context(3, GRAZE_ISA_AUTO);
        CHECK(graze_ccd_batch(context, kind, queries, COUNT, NULL, expected) == GRAZE_OK);
        CHECK(graze_ccd_batch_strided(context, kind, &arrays, COUNT, NULL, &rows[0].result, sizeof rows[0]) ==
              GRAZE_OK);
        for (int i = 0; i < COUNT; i++)
            CHECK_QUERY(memcmp(&expected[i].toi, &rows[i].result.toi, sizeof(double[2])) == 0 && rows[i].own == i &&
                            expected[i].verdict == rows[i].result.verdict &&
                            expected[i].checks == rows[i].result.checks,
                        kind, &queries[i]);
        graze_context_destroy(context);
    }
}

TEST(a_strided_batch_takes_packed_arrays_and_one_query_for_all) {
    static const double x0[2][4][3] = {{{0, 0, 1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}},
                                       {{0, 0, 3}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}};
    static const double x1[1][4][3] = {{{0, 0, -1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}};
    graze_query_arrays arrays = graze_default_query_arrays();
    graze_result results[2];
    arrays.x0 = &x0[0][0][0];
    arrays.x1 = &x1[0][0][0];
    arrays.strides1[1] = sizeof x1[0][0]; /* the same end for both */
    arrays.strides1[2] = sizeof x1[0][0][0];
    CHECK(graze_ccd_batch_strided(NULL, GRAZE_VF, &arrays, 2, NULL, results, 0) == GRAZE_OK);
    CHECK(results[0].verdict == GRAZE_HIT && fabs(results[0].toi - 0.5) < 1e-6);
    CHECK(results[1].verdict == GRAZE_HIT && fabs(results[1].toi - 0.75) < 1e-6);
}

TEST(a_strided_batch_names_its_first_bad_query_and_gives_no_verdict) {
    static double x[3][4][3] = {{{0, 0, 1}, {-1, -1, 0}, {1, -1, 0}, {0, 1, 0}}};
    graze_query_arrays arrays = graze_default_query_arrays();
    graze_result results[3] = {{.verdict = GRAZE_CLEAR}, {.verdict = GRAZE_CLEAR}, {.verdict = GRAZE_CLEAR}};
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_error error;
    arrays.x0 = arrays.x1 = &x[0][0][0];
    x[1][2][1] = NAN;
    CHECK(graze_ccd_batch_strided(context, GRAZE_VF, &arrays, 3, NULL, results, 0) == GRAZE_ERR_NOT_FINITE);
    CHECK(graze_context_last_error(context, &error) == GRAZE_OK && error.index == 1);
    for (int i = 0; i < 3; i++) CHECK(results[i].verdict == GRAZE_UNRESOLVED && results[i].toi == 0);
    CHECK(graze_ccd_batch_strided(context, GRAZE_VF, &arrays, 1, NULL, results, 8) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_ccd_batch_strided(context, GRAZE_VF, NULL, 1, NULL, results, 0) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_ccd_batch_strided(context, GRAZE_VF, &arrays, 1, NULL, NULL, 0) == GRAZE_ERR_INVALID_ARGUMENT);
    arrays.x1 = NULL;
    CHECK(graze_ccd_batch_strided(context, GRAZE_VF, &arrays, 1, NULL, results, 0) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_ccd_batch_strided(context, GRAZE_VF, &arrays, 0, NULL, NULL, 0) == GRAZE_OK);
    graze_context_destroy(context);
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

TEST(a_batch_counts_each_unresolved_query_once) {
    static const graze_method methods[] = {GRAZE_METHOD_CERTIFIED, GRAZE_METHOD_TI};
    static graze_query queries[400];
    static graze_query_f32 floats[400];
    static graze_result results[400];
    test_random random = {7};
    for (int i = 0; i < 400; i++)
        for (int k = 0; k < 12; k++) {
            floats[i].x0[k / 3][k % 3] =
                (float)(queries[i].x0[k / 3][k % 3] = (float)test_random_between(&random, -1, 1));
            floats[i].x1[k / 3][k % 3] =
                (float)(queries[i].x1[k / 3][k % 3] = (float)test_random_between(&random, -1, 1));
        }
    for (int k = 0; k < 4; k++) {
        graze_context *context = test_context(2, GRAZE_ISA_AUTO);
        graze_options options = graze_default_options();
        options.method = methods[k / 2];
        options.max_checks = 1;
        graze_status status = k % 2 ? graze_ccd_batch_f32(context, GRAZE_VF, floats, 400, &options, results)
                                    : graze_ccd_batch(context, GRAZE_VF, queries, 400, &options, results);
        CHECK(status == GRAZE_OK);
        uint64_t unresolved = 0;
        for (int i = 0; i < 400; i++) unresolved += results[i].verdict == GRAZE_UNRESOLVED;
        graze_stats stats = {.struct_size = sizeof stats};
        CHECK(graze_context_stats(context, &stats) == GRAZE_OK);
        CHECK_MSG(unresolved > 10 && stats.unresolved == unresolved, "%llu of %llu",
                  (unsigned long long)stats.unresolved, (unsigned long long)unresolved);
        CHECK(stats.queries == 400 && stats.checks >= 400);
        graze_context_destroy(context);
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
