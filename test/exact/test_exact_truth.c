/* The public face of exact truth and method `oracle`: the door, memory, every finite double, the reference data. */
#include "check.h"

#include "base/context.h"
#include "exact/solve.h"
#include "exact_reference.h"
#include "io/mesh.h"
#include "io/pairs_json.h"
#include "io/query_csv.h"
#include "io/scene_folder.h"

#include <dirent.h>
#include <float.h>

static const graze_query falling = {
    .x0 = {{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
    .x1 = {{0.25, 0.25, -2}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
};

/* ---- the door ---- */

static graze_status find_with(graze_kind kind, const graze_query *query, graze_truth_options options) {
    graze_truth *truth = (graze_truth *)(uintptr_t)&falling; /* anything but NULL */
    graze_status status = graze_truth_find(NULL, kind, query, &options, &truth);
    CHECK((status == GRAZE_OK) == (truth != NULL));
    graze_truth_destroy(NULL, truth);
    return status;
}

TEST(bad_input_is_refused_and_gives_no_truth) {
    graze_truth_options options = graze_default_truth_options();
    CHECK(graze_truth_find(NULL, GRAZE_VF, &falling, &options, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(find_with(GRAZE_VF, NULL, options) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(find_with((graze_kind)4, &falling, options) == GRAZE_ERR_INVALID_ARGUMENT);
    options.struct_size = 3;
    CHECK(find_with(GRAZE_VF, &falling, options) == GRAZE_ERR_INVALID_ARGUMENT);
    static const double bad_separations[] = {-1, -0x1p-1074, INFINITY, NAN};
    for (int i = 0; i < 4; i++) {
        options = graze_default_truth_options();
        options.min_separation = bad_separations[i];
        CHECK(find_with(GRAZE_VF, &falling, options) == GRAZE_ERR_INVALID_ARGUMENT);
    }
    static const double bad_times[] = {0, -1, 1.5, NAN};
    for (int i = 0; i < 4; i++) {
        options = graze_default_truth_options();
        options.t_max = bad_times[i];
        CHECK(find_with(GRAZE_VF, &falling, options) == GRAZE_ERR_INVALID_ARGUMENT);
    }
    options = graze_default_truth_options();
    options.norm = (graze_norm)2;
    CHECK(find_with(GRAZE_VF, &falling, options) == GRAZE_ERR_INVALID_ARGUMENT);
    static const double not_finite[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        graze_query query = falling;
        query.x0[3][2] = not_finite[i];
        CHECK(find_with(GRAZE_VF, &query, graze_default_truth_options()) == GRAZE_ERR_NOT_FINITE);
        CHECK(find_with(GRAZE_PE, &query, graze_default_truth_options()) == GRAZE_OK); /* not read */
        query = falling;
        query.x1[0][0] = not_finite[i];
        CHECK(find_with(GRAZE_VF, &query, graze_default_truth_options()) == GRAZE_ERR_NOT_FINITE);
        CHECK(find_with(GRAZE_PP, &query, graze_default_truth_options()) == GRAZE_ERR_NOT_FINITE);
    }
    graze_truth_destroy(NULL, NULL);
}

TEST(a_context_in_use_is_refused) {
    graze_context *context;
    CHECK(graze_context_create(NULL, &context) == GRAZE_OK);
    gz_fp_environment env;
    CHECK(gz_context_enter(context, &env) == GRAZE_OK);
    graze_truth *truth;
    CHECK(graze_truth_find(context, GRAZE_VF, &falling, NULL, &truth) == GRAZE_ERR_BUSY && !truth);
    gz_context_leave(context, &env, GRAZE_OK);
    CHECK(graze_truth_find(context, GRAZE_VF, &falling, NULL, &truth) == GRAZE_OK && truth);
    graze_truth_destroy(context, truth);
    graze_context_destroy(context);
}

/* ---- what is said of a contact ---- */

TEST(truth_tells_polynomial_order_and_parameters) {
    graze_truth *truth;
    CHECK(graze_truth_find(NULL, GRAZE_VF, &falling, NULL, &truth) == GRAZE_OK);
    CHECK(graze_truth_hit(truth) == 1);
    /* 3t − 1 */
    CHECK(graze_truth_degree(truth) == 1);
    char digits[8];
    CHECK(graze_truth_coefficient(truth, 0, digits, sizeof digits) == 2 && strcmp(digits, "-1") == 0);
    CHECK(graze_truth_coefficient(truth, 1, digits, sizeof digits) == 1 && strcmp(digits, "3") == 0);
    CHECK(graze_truth_coefficient(truth, 0, digits, 2) == 2 && strcmp(digits, "-") == 0);
    CHECK(graze_truth_coefficient(truth, 0, digits, 1) == 2 && strcmp(digits, "") == 0);
    CHECK(graze_truth_coefficient(truth, 0, NULL, 0) == 2);
    CHECK(graze_truth_coefficient(truth, 2, digits, sizeof digits) == 0 && strcmp(digits, "") == 0);
    CHECK(graze_truth_coefficient(truth, -1, digits, sizeof digits) == 0 && strcmp(digits, "") == 0);
    double third = 1.0 / 3, u[2], v[2];
    CHECK(graze_truth_compare(truth, third) == -1 && graze_truth_compare(truth, nextafter(third, 1)) == 1);
    CHECK(graze_truth_compare(truth, -INFINITY) == -1 && graze_truth_compare(truth, INFINITY) == 1);
    graze_truth_parameters(truth, u, v);
    CHECK(u[0] <= 0.25 && 0.25 <= u[1] && u[1] - u[0] < 1e-12 && v[0] <= 0.25 && 0.25 <= v[1] && v[1] - v[0] < 1e-12);
    graze_truth_destroy(NULL, truth);

    graze_query query = falling;
    query.x0[0][2] = 0;
    CHECK(graze_truth_find(NULL, GRAZE_VF, &query, NULL, &truth) == GRAZE_OK);
    /* contact at t = 0: the polynomial t */
    CHECK(graze_truth_degree(truth) == 1);
    CHECK(graze_truth_coefficient(truth, 0, digits, sizeof digits) == 1 && strcmp(digits, "0") == 0);
    CHECK(graze_truth_coefficient(truth, 1, digits, sizeof digits) == 1 && strcmp(digits, "1") == 0);
    CHECK(graze_truth_compare(truth, 0) == 0 && graze_truth_compare(truth, 0x1p-1074) == 1);
    graze_truth_destroy(NULL, truth);

    query.x0[0][2] = query.x1[0][2] = 1;
    CHECK(graze_truth_find(NULL, GRAZE_VF, &query, NULL, &truth) == GRAZE_OK);
    CHECK(graze_truth_hit(truth) == 0 && graze_truth_degree(truth) == -1 && graze_truth_compare(truth, 0.5) == -1);
    CHECK(graze_truth_coefficient(truth, 0, digits, sizeof digits) == 0 && strcmp(digits, "") == 0);
    graze_truth_destroy(NULL, truth);
}

TEST(parameters_of_degenerate_contacts_name_a_contact) {
    /* a face that is a segment on the x axis from 0 to 2, met at 3/2: any u, v with u + 2v = 3/2 */
    graze_query query = {
        .x0 = {{1.5, 0, 1}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
        .x1 = {{1.5, 0, -1}, {0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
    };
    gz_exact_answer answer;
    CHECK(gz_exact_decide(NULL, 0, GRAZE_VF, &query, 0, 1, &answer) && answer.hit);
    CHECK(fabs(answer.u[0] + 2 * answer.v[0] - 1.5) < 1e-12 && fabs(answer.u[1] + 2 * answer.v[1] - 1.5) < 1e-12);
    CHECK(answer.u[1] + answer.v[1] <= 1 + 1e-12);
    /* parallel edges: a from 0 to 2, b from 1 to 4, on the x axis */
    query = (graze_query){
        .x0 = {{0, 0, 1}, {2, 0, 1}, {1, 0, 0}, {4, 0, 0}},
        .x1 = {{0, 0, -1}, {2, 0, -1}, {1, 0, 0}, {4, 0, 0}},
    };
    CHECK(gz_exact_decide(NULL, 0, GRAZE_EE, &query, 0, 1, &answer) && answer.hit);
    CHECK(fabs(2 * answer.u[0] - (1 + 3 * answer.v[0])) < 1e-12);
    CHECK(fabs(2 * answer.u[1] - (1 + 3 * answer.v[1])) < 1e-12);
}

/* ---- filters and integers ---- */

typedef struct answer_pair {
    gz_exact_answer answer;
} answer_pair;

static void keep_answer(void *state, gz_pair *pair, gz_root_search *search) {
    (void)pair;
    answer_pair *out = state;
    out->answer = (gz_exact_answer){.hit = search->hit};
    if (!search->hit) return;
    gz_root_bracket(search->arena, &search->first);
    out->answer.lower = search->first.below;
    out->answer.upper = search->first.above;
    gz_solution_parameters(search, out->answer.u, out->answer.v);
}

/* Far from degenerate, on a lattice, on a lattice far away, and on a lattice but for one ulp. */
static graze_query random_query(test_random *random, int round) {
    graze_query query;
    double shift = round % 4 == 2 ? 1000 : 0;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query.x0[i][c] = shift + test_random_between(random, -1, 1);
            query.x1[i][c] = shift + test_random_between(random, -1, 1);
            if (round % 4 == 0) continue;
            query.x0[i][c] = rint(4 * query.x0[i][c]) / 4;
            query.x1[i][c] = rint(4 * query.x1[i][c]) / 4;
        }
    int row = (int)test_random_below(random, 4), c = (int)test_random_below(random, 3);
    if (round % 4 == 3) query.x0[row][c] = nextafter(query.x0[row][c], test_random_below(random, 2) ? 9 : -9);
    return query;
}

TEST(filters_do_not_change_the_answer) {
    test_random random = {1};
    int hits = 0;
    for (int i = 0; i < 12000; i++) {
        graze_query query = random_query(&random, i);
        graze_kind kind = i / 4 % 2 ? GRAZE_EE : GRAZE_VF;
        double separation = i / 8 % 4 ? 0 : 0.01;
        answer_pair fast, plain;
        gz_exact_question question = {.kind = kind, .query = &query, .separation = separation, .t_max = 1};
        CHECK(gz_solve((gz_arena_home){.heap = true}, &question, keep_answer, &fast));
        question.integers_only = true;
        CHECK(gz_solve((gz_arena_home){.heap = true}, &question, keep_answer, &plain));
        CHECK_QUERY(fast.answer.hit == plain.answer.hit, kind, &query);
        if (!fast.answer.hit || !plain.answer.hit) continue;
        hits++;
        CHECK_QUERY(fast.answer.lower == plain.answer.lower && fast.answer.upper == plain.answer.upper, kind, &query);
        for (int end = 0; end < 2; end++) {
            /* both enclose the same number */
            CHECK_QUERY(fast.answer.u[0] <= plain.answer.u[1] && plain.answer.u[0] <= fast.answer.u[1], kind, &query);
            CHECK_QUERY(fast.answer.v[0] <= plain.answer.v[1] && plain.answer.v[0] <= fast.answer.v[1], kind, &query);
        }
    }
    CHECK(hits > 500);
}

/* ---- memory ---- */

typedef struct meter {
    size_t calls, fail_at, held, peak;
} meter;

static void *metered_allocate(void *user, size_t size, size_t alignment) {
    meter *m = user;
    if (++m->calls == m->fail_at) return NULL;
    m->held += size;
    if (m->held > m->peak) m->peak = m->held;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void metered_release(void *user, void *block, size_t size) {
    meter *m = user;
    m->held -= size;
    free(block);
}

static graze_context *metered_context(meter *m) {
    graze_context_options options = graze_default_context_options();
    options.allocator = (graze_allocator){metered_allocate, metered_release, m};
    options.threads = 1;
    graze_context *context = NULL;
    graze_context_create(&options, &context);
    return context;
}

/* A vertex through a face near the origin, with coordinates from the largest to the smallest double. */
static graze_query widest(void) {
    double big = DBL_MAX, tiny = 0x1p-1074;
    return (graze_query){
        .x0 = {{tiny, tiny, big}, {-big, -tiny, tiny}, {big, -1, 0}, {0, big, -tiny}},
        .x1 = {{tiny, 3 * tiny, -big / 3}, {-big, -2, 5 * tiny}, {big, -tiny, 0}, {tiny, big, tiny}},
    };
}

TEST(ordinary_queries_take_no_memory_but_the_truth_itself) {
    meter m = {0};
    graze_context *context = metered_context(&m);
    size_t before = m.calls;
    gz_exact_answer answer;
    CHECK(gz_exact_decide(context, 0, GRAZE_VF, &falling, 0, 1, &answer) && answer.hit);
    CHECK(m.calls == before);
    graze_truth *truth;
    CHECK(graze_truth_find(context, GRAZE_VF, &falling, NULL, &truth) == GRAZE_OK);
    CHECK(m.calls == before + 1);
    graze_truth_destroy(context, truth);
    graze_context_destroy(context);
    CHECK(m.held == 0);
}

TEST(failure_of_every_allocation_ends_in_a_status) {
    graze_query query = widest();
    bool failed = false, succeeded = false;
    for (size_t fail_at = 0; fail_at < 8; fail_at++) {
        meter m = {0};
        graze_context *context = metered_context(&m);
        m.calls = 0;
        m.fail_at = fail_at;
        graze_truth *truth;
        graze_truth_options options = graze_default_truth_options();
        options.min_separation = DBL_MAX / 4;
        graze_status status = graze_truth_find(context, GRAZE_VF, &query, &options, &truth);
        CHECK(status == GRAZE_OK || status == GRAZE_ERR_OUT_OF_MEMORY);
        CHECK((status == GRAZE_OK) == (truth != NULL));
        if (status == GRAZE_OK)
            succeeded = true;
        else
            failed = true;
        graze_truth_destroy(context, truth);
        graze_context_destroy(context);
        CHECK(m.held == 0);
    }
    CHECK(failed && succeeded);
}

TEST(a_memory_limit_ends_unresolved) {
    meter m = {0};
    graze_context *context = metered_context(&m);
    context->options.memory_limit = m.held + 1000;
    graze_query query = widest();
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_ORACLE;
    options.min_separation = 0x1p-1074;
    graze_result result;
    CHECK(graze_ccd_batch(context, GRAZE_VF, &query, 1, &options, &result) == GRAZE_OK);
    CHECK(result.verdict == GRAZE_UNRESOLVED && result.reason == GRAZE_REASON_MEMORY && result.toi == 0);
    context->options.memory_limit = 0;
    CHECK(graze_ccd_batch(context, GRAZE_VF, &query, 1, &options, &result) == GRAZE_OK);
    CHECK(result.verdict != GRAZE_UNRESOLVED);
    graze_context_destroy(context);
    CHECK(graze_ccd(GRAZE_VF, &query, &options, &result) == GRAZE_OK);
    CHECK(result.verdict == GRAZE_UNRESOLVED && result.reason == GRAZE_REASON_MEMORY);
}

/* ---- every finite double ---- */

TEST(the_smallest_and_the_largest_doubles_are_exact) {
    double tiny = 0x1p-1074, big = DBL_MAX;
    static const double sizes[] = {0x1p-1074, 0x1p-1022, 0x1p-500, 1, 0x1p500, 0x1p1020};
    for (int i = 0; i < 6; i++) {
        double s = sizes[i];
        graze_query query = {
            .x0 = {{s, s, 2 * s}, {0, 0, 0}, {4 * s, 0, 0}, {0, 4 * s, 0}},
            .x1 = {{s, s, -s}, {0, 0, 0}, {4 * s, 0, 0}, {0, 4 * s, 0}},
        };
        gz_exact_answer answer;
        CHECK(gz_exact_decide(NULL, 0, GRAZE_VF, &query, 0, 1, &answer) && answer.hit);
        double two_thirds = 2.0 / 3;
        CHECK(answer.lower == two_thirds && answer.upper == nextafter(two_thirds, 1));
        graze_options options = graze_default_options();
        options.method = GRAZE_METHOD_ORACLE;
        graze_result result;
        CHECK(graze_ccd(GRAZE_VF, &query, &options, &result) == GRAZE_OK && result.verdict == GRAZE_HIT);
        CHECK(fabs(result.normal[2] - 1) < 1e-12 && fabs(result.point[0] / s - 1) < 1e-9);
    }
    /* the vertex falls from DBL_MAX to −2^-1074: it touches just before t = 1 */
    graze_query query = {
        .x0 = {{1, 1, big}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
        .x1 = {{1, 1, -tiny}, {0, 0, 0}, {4, 0, 0}, {0, 4, 0}},
    };
    graze_truth *truth;
    double lower, upper;
    CHECK(graze_truth_find(NULL, GRAZE_VF, &query, NULL, &truth) == GRAZE_OK && graze_truth_hit(truth));
    graze_truth_bracket(truth, &lower, &upper);
    CHECK(lower == nextafter(1, 0) && upper == 1);
    graze_truth_destroy(NULL, truth);
    /* and from 2^-1074 to −DBL_MAX: just after 0 */
    query.x0[0][2] = tiny, query.x1[0][2] = -big;
    CHECK(graze_truth_find(NULL, GRAZE_VF, &query, NULL, &truth) == GRAZE_OK && graze_truth_hit(truth));
    graze_truth_bracket(truth, &lower, &upper);
    CHECK(lower == 0 && upper == tiny);
    CHECK(graze_truth_compare(truth, 0) == -1 && graze_truth_compare(truth, tiny) == 1);
    graze_truth_destroy(NULL, truth);
    query.x1[0][2] = tiny;
    CHECK(graze_truth_find(NULL, GRAZE_VF, &query, NULL, &truth) == GRAZE_OK && !graze_truth_hit(truth));
    graze_truth_destroy(NULL, truth);
}

TEST(exponents_that_differ_by_two_thousand_are_exact_in_bounded_memory) {
    test_random random = {2};
    reference r;
    reference_begin(&r);
    mpq_t t;
    mpq_init(t);
    int hits = 0;
    for (int i = 0; i < 120; i++) {
        graze_query query;
        bool cube = i % 6 == 0 && i < 60;
        for (int k = 0; k < 4; k++)
            for (int c = 0; c < 3; c++) {
                int e0 = (int)test_random_below(&random, 2000) - 1000,
                    e1 = (int)test_random_below(&random, 2000) - 1000;
                if (cube) e0 = e1 = test_random_below(&random, 2) ? 1000 : -1000;
                if (i % 2) e0 = c == 0 ? 1000 : c == 1 ? 0 : -1000, e1 = e0;
                query.x0[k][c] = ldexp(test_random_between(&random, -1, 1), e0);
                query.x1[k][c] = ldexp(test_random_between(&random, -1, 1), e1);
            }
        meter m = {0};
        graze_context *context = metered_context(&m);
        graze_kind kind = (graze_kind)(i % 4);
        graze_truth_options options = graze_default_truth_options();
        options.min_separation = i % 3 == 0 ? ldexp(1, (int)test_random_below(&random, 2000) - 1000) : 0;
        graze_truth *truth;
        if (cube) options.norm = GRAZE_NORM_MAX;
        CHECK(graze_truth_find(context, kind, &query, &options, &truth) == GRAZE_OK);
        double lower = 1, upper = 1;
        bool hit = graze_truth_hit(truth);
        if (hit) graze_truth_bracket(truth, &lower, &upper);
        hits += hit;
        for (int k = 0; k <= 4; k++) {
            mpq_set_ui(t, (unsigned long)k, 4);
            mpq_canonicalize(t);
            bool contact = reference_compare(&r, kind, &query, t, options.min_separation, options.norm) <= 0;
            if (contact) CHECK_QUERY(hit && lower <= k / 4.0, kind, &query);
        }
        if (hit) {
            mpq_set_d(t, lower);
            int at = reference_compare(&r, kind, &query, t, options.min_separation, options.norm);
            CHECK_QUERY(lower < upper ? at > 0 : at <= 0, kind, &query);
        }
        graze_truth_destroy(context, truth);
        CHECK(m.peak < 20 << 20);
        graze_context_destroy(context);
    }
    CHECK(hits > 10);
    mpq_clear(t);
    reference_end(&r);
}

/* ---- method oracle ---- */

static graze_result solve(graze_kind kind, const graze_query *query, double separation) {
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_ORACLE;
    options.min_separation = separation;
    graze_result result;
    CHECK(graze_ccd(kind, query, &options, &result) == GRAZE_OK);
    return result;
}

static void check_normal(graze_kind kind, const graze_query *query, double separation, double x, double y, double z) {
    graze_result result = solve(kind, query, separation);
    CHECK_QUERY(result.verdict == GRAZE_HIT && result.proven == 1, kind, query);
    CHECK_QUERY(fabs(result.normal[0] - x) + fabs(result.normal[1] - y) + fabs(result.normal[2] - z) < 1e-9, kind,
                query);
}

TEST(oracle_hits_are_proven_with_point_and_normal) {
    graze_result result = solve(GRAZE_VF, &falling, 0);
    CHECK(result.verdict == GRAZE_HIT && result.proven == 1 && result.checks == 1);
    CHECK(result.toi == 1.0 / 3 && result.toi_upper == nextafter(1.0 / 3, 1));
    CHECK(fabs(result.u - 0.25) < 1e-12 && fabs(result.v - 0.25) < 1e-12);
    CHECK(fabs(result.point[0] - 0.25) + fabs(result.point[1] - 0.25) + fabs(result.point[2]) < 1e-12);
    check_normal(GRAZE_VF, &falling, 0, 0, 0, 1);
    check_normal(GRAZE_VF, &falling, 0.125, 0, 0, 1);
    graze_query query = falling;
    query.x0[0][2] = -1, query.x1[0][2] = 2;
    check_normal(GRAZE_VF, &query, 0, 0, 0, -1);
    query.x0[0][2] = 0; /* in contact from the start, rising: it would have come from below */
    check_normal(GRAZE_VF, &query, 0, 0, 0, -1);
    query.x1[0][2] = 0; /* at rest in contact: some normal of the face */
    result = solve(GRAZE_VF, &query, 0);
    CHECK(result.toi == 0 && fabs(fabs(result.normal[2]) - 1) < 1e-12);
    /* in the plane, through the edge x = 0: from the face towards the vertex is −x */
    query.x0[0][0] = -1, query.x1[0][0] = 1;
    check_normal(GRAZE_VF, &query, 0, -1, 0, 0);
    /* all four points equal: any unit vector */
    query = (graze_query){0};
    result = solve(GRAZE_VF, &query, 0);
    CHECK(fabs(result.normal[0] * result.normal[0] + result.normal[1] * result.normal[1] +
               result.normal[2] * result.normal[2] - 1) < 1e-12);
    result = solve(GRAZE_VF, &query, 1);
    CHECK(result.verdict == GRAZE_HIT && result.toi == 0 && isfinite(result.normal[0]));
    /* edge a comes down on edge b */
    query = (graze_query){
        .x0 = {{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}},
        .x1 = {{-1, 0, -1}, {1, 0, -1}, {0, -1, 0}, {0, 1, 0}},
    };
    check_normal(GRAZE_EE, &query, 0, 0, 0, 1);
    check_normal(GRAZE_EE, &query, 0.25, 0, 0, 1);
    result = solve(GRAZE_EE, &query, 0);
    CHECK(result.toi == 0.5 && fabs(result.u - 0.5) < 1e-12 && fabs(result.v - 0.5) < 1e-12);
    query.x0[1][0] = query.x1[1][0] = -1; /* an edge that is a point, beside b */
    CHECK(solve(GRAZE_EE, &query, 0).verdict == GRAZE_CLEAR);
    query.x0[0][0] = query.x1[0][0] = query.x0[1][0] = query.x1[1][0] = 0; /* and on it */
    check_normal(GRAZE_EE, &query, 0, 0, 0, 1);
    for (int c = 0; c < 3; c++) query.x0[3][c] = query.x0[2][c], query.x1[3][c] = query.x1[2][c];
    query.x0[0][0] = query.x1[0][0] = -1; /* b is a point below the edge a */
    for (int i = 2; i < 4; i++) query.x0[i][1] = query.x1[i][1] = 0, query.x0[i][0] = query.x1[i][0] = -0.5;
    check_normal(GRAZE_EE, &query, 0, 0, 0, 1);
    check_normal(GRAZE_PE, &(graze_query){.x0 = {{0.5, 1, 0}, {0, 0, 0}, {1, 0, 0}}, .x1 = {{0.5, -1, 0}, {0}, {1}}}, 0,
                 0, 1, 0);
    check_normal(GRAZE_PP, &(graze_query){.x0 = {{2, 0, 0}, {0}}, .x1 = {{-2, 0, 0}, {0}}}, 0, 1, 0, 0);
    result = solve(GRAZE_PP, &(graze_query){.x0 = {{2, 0, 0}, {0}}, .x1 = {{1, 0, 0}, {0}}}, 0);
    CHECK(result.verdict == GRAZE_CLEAR && result.toi == 1 && isinf(result.toi_upper) && isnan(result.u));
    check_normal(GRAZE_PP, &(graze_query){.x0 = {{2, 0, 0}, {0}}, .x1 = {{1, 0, 0}, {0}}}, 1.5, 1, 0, 0);
}

/* ---- reference data ---- */

static size_t check_csv(const char *path, graze_kind kind, size_t *wrong) {
    io_queries queries;
    io_error error;
    if (!io_read_query_csv(path, &queries, &error)) {
        CHECK_MSG(false, "cannot read %s", path);
        return 0;
    }
    size_t count = queries.truth ? queries.count : 0;
    for (size_t i = 0; i < count; i++) {
        gz_exact_answer answer;
        bool known = gz_exact_decide(NULL, 0, kind, &queries.queries[i], 0, 1, &answer);
        if (known && answer.hit == queries.truth[i]) continue;
        ++*wrong;
        CHECK_QUERY(false, kind, &queries.queries[i]);
    }
    io_free_queries(&queries);
    return count;
}

TEST(answers_agree_with_the_truth_of_the_reference_queries) {
    const char *data = test_data_folder();
    if (!data) return;
    static const char *const scenes[] = {"erleben-spikes",           "erleben-wedges",     "erleben-sliding-spike",
                                         "erleben-cube-cliff-edges", "erleben-spike-hole", "unit-tests"};
    size_t count = 0, wrong = 0;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++)
        for (int kind = 0; kind < 2; kind++) {
            char folder[1000], path[2000];
            snprintf(folder, sizeof folder, "%s/queries/%s/%s", data, scenes[i], kind ? "edge-edge" : "vertex-face");
            DIR *open = opendir(folder);
            if (!open) continue;
            for (struct dirent *entry; (entry = readdir(open));) {
                size_t length = strlen(entry->d_name);
                if (length < 4 || strcmp(entry->d_name + length - 4, ".csv") != 0) continue;
                snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
                count += check_csv(path, kind ? GRAZE_EE : GRAZE_VF, &wrong);
            }
            closedir(open);
        }
    CHECK_MSG(count > 0 && wrong == 0, "%zu of %zu wrong", wrong, count);
}

/* The rows of a pair of box ids: vertices first, then edges, then faces. */
static bool gather(const graze_mesh *mesh, const io_mesh frames[2], const uint32_t ids[2], int kind,
                   graze_query *query) {
    uint32_t rows[4], v = mesh->vertex_count, e = mesh->edge_count, a = ids[0], b = ids[1];
    if (kind == GRAZE_VF) {
        if (a > b) a = ids[1], b = ids[0];
        if (a >= v || b < v + e || b - v - e >= mesh->face_count) return false;
        rows[0] = a;
        memcpy(rows + 1, mesh->faces[b - v - e], 3 * sizeof *rows);
    } else {
        if (a < v || b < v || a >= v + e || b >= v + e) return false;
        memcpy(rows, mesh->edges[a - v], 2 * sizeof *rows);
        memcpy(rows + 2, mesh->edges[b - v], 2 * sizeof *rows);
    }
    for (int i = 0; i < 4; i++) {
        memcpy(query->x0[i], frames[0].positions[rows[i]], sizeof query->x0[i]);
        memcpy(query->x1[i], frames[1].positions[rows[i]], sizeof query->x1[i]);
    }
    return true;
}

static void check_step(const io_scene_step *step, size_t *count, size_t *wrong) {
    io_mesh frames[2];
    io_error error;
    graze_mesh mesh = graze_default_mesh();
    if (!io_read_mesh_pair(step->frame_a, step->frame_b, &frames[0], &frames[1], &error)) {
        CHECK_MSG(false, "cannot read %s", step->frame_a);
        return;
    }
    CHECK(graze_mesh_from_faces(NULL, (uint32_t)frames[0].vertex_count, (const uint32_t(*)[3])frames[0].faces,
                                (uint32_t)frames[0].face_count, &mesh) == GRAZE_OK);
    for (int kind = 0; kind < 2; kind++) {
        io_id_pairs pairs = {0};
        io_booleans truth = {0};
        if (!step->boxes[kind]) continue;
        CHECK(io_read_id_pairs(step->boxes[kind], &pairs, &error) &&
              io_read_booleans(step->truth[kind], &truth, &error) && pairs.count == truth.count);
        for (size_t i = 0; i < pairs.count; i++) {
            graze_query query;
            gz_exact_answer answer;
            ++*count;
            if (gather(&mesh, frames, pairs.pairs[i], kind, &query) &&
                gz_exact_decide(NULL, 0, (graze_kind)kind, &query, 0, 1, &answer) && answer.hit == truth.values[i])
                continue;
            ++*wrong;
            CHECK_QUERY(false, (graze_kind)kind, &query);
        }
        io_free_id_pairs(&pairs);
        io_free_booleans(&truth);
    }
    graze_mesh_release(NULL, &mesh);
    io_free_mesh(&frames[0]);
    io_free_mesh(&frames[1]);
}

TEST(answers_agree_with_the_truth_of_every_pair_of_the_reference_scenes) {
    const char *data = test_data_folder();
    if (!data) return;
    static const char *const scenes[] = {"armadillo-rollers", "cloth-ball", "cloth-funnel"};
    size_t count = 0, wrong = 0;
    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        char folder[1000];
        io_scene scene;
        io_error error;
        snprintf(folder, sizeof folder, "%s/scenes/%s", data, scenes[i]);
        if (!io_open_scene(folder, &scene, &error)) continue;
        for (size_t k = 0; k < scene.step_count; k++) check_step(&scene.steps[k], &count, &wrong);
        io_free_scene(&scene);
    }
    CHECK_MSG(count > 0 && wrong == 0, "%zu of %zu wrong", wrong, count);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
