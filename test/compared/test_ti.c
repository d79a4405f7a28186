/* Tight Inclusion: limits, t_max, separation, the same bits everywhere. */
#include "check.h"

#include "base/context.h"

#include <stdatomic.h>

#define COUNT 3000

static graze_options ti_options(void) {
    graze_options options = graze_default_options();
    options.method = GRAZE_METHOD_TI;
    return options;
}

/* Small primitives on paths that cross a unit cube: about a third of them touch. */
static graze_query random_query(test_random *random, graze_kind kind) {
    graze_query query;
    for (int c = 0; c < 3; c++) {
        double a0 = test_random_unit(random), a1 = test_random_unit(random), b0 = a0, b1 = a1;
        b0 += test_random_between(random, -0.4, 0.4);
        b1 += test_random_between(random, -0.4, 0.4);
        for (int i = 0; i < 4; i++) {
            bool of_a = kind == GRAZE_VF ? i == 0 : i < 2;
            query.x0[i][c] = (of_a ? a0 : b0) + test_random_between(random, -0.5, 0.5);
            query.x1[i][c] = (of_a ? a1 : b1) + test_random_between(random, -0.5, 0.5);
        }
    }
    return query;
}

static graze_query *random_queries(graze_kind kind, size_t count, uint64_t seed) {
    graze_query *queries = malloc(count * sizeof *queries);
    if (!queries) abort();
    test_random random = {.state = seed};
    for (size_t i = 0; i < count; i++) queries[i] = random_query(&random, kind);
    return queries;
}

static graze_result ccd(graze_kind kind, const graze_query *query, const graze_options *options) {
    graze_result result;
    CHECK(graze_ccd(kind, query, options, &result) == GRAZE_OK);
    return result;
}

/* Two parallel edges in the direction (1, 1, 1)/2, `gap` apart at t = 1/2 and closing at speed 1. At gap 0 they touch
   along their whole length at once: a level of boxes grows beyond any array. */
static graze_query parallel_edges(double gap) {
    graze_query query = {.x0 = {{0, 0, 0}, {1, 1, 1}, {0.5, -0.5, gap}, {1.5, 0.5, 1 + gap}},
                         .x1 = {{0, 0, 0}, {1, 1, 1}, {-0.5, 0.5, gap}, {0.5, 1.5, 1 + gap}}};
    return query;
}

static bool same_bits(double a, double b) { return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b)); }

static bool same_result(const graze_result *a, const graze_result *b) {
    bool same = a->verdict == b->verdict && a->reason == b->reason && a->proven == b->proven &&
                a->checks == b->checks && same_bits(a->toi, b->toi) && same_bits(a->toi_upper, b->toi_upper) &&
                same_bits(a->u, b->u) && same_bits(a->v, b->v);
    for (int c = 0; c < 3; c++)
        same = same && same_bits(a->point[c], b->point[c]) && same_bits(a->normal[c], b->normal[c]);
    return same;
}

/* ---- answers ---- */

TEST(a_head_on_vf_contact_has_its_time_place_and_normal) {
    const graze_query query = {.x0 = {{0.25, 0.5, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                               .x1 = {{0.25, 0.5, -3}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    graze_result result = ccd(GRAZE_VF, &query, NULL);
    CHECK(result.verdict == GRAZE_HIT && !result.proven && result.toi_upper == INFINITY);
    CHECK(result.toi <= 0.25 && result.toi > 0.25 - 1e-5);
    CHECK(fabs(result.u - 0.25) < 1e-9 && fabs(result.v - 0.5) < 1e-9);
    CHECK(fabs(result.point[0] - 0.25) < 1e-9 && fabs(result.point[1] - 0.5) < 1e-9 && result.point[2] == 0);
    CHECK(result.normal[0] == 0 && result.normal[1] == 0 && result.normal[2] == 1);
}

TEST(a_head_on_ee_contact_has_its_time_place_and_normal) {
    const graze_query query = {.x0 = {{-1, 0, -1}, {3, 0, -1}, {0, -1, 0}, {0, 1, 0}},
                               .x1 = {{-1, 0, 1}, {3, 0, 1}, {0, -1, 0}, {0, 1, 0}}};
    graze_result result = ccd(GRAZE_EE, &query, NULL);
    CHECK(result.verdict == GRAZE_HIT && result.toi <= 0.5 && result.toi > 0.5 - 1e-5);
    CHECK(fabs(result.u - 0.25) < 1e-9 && fabs(result.v - 0.5) < 1e-9);
    CHECK(result.normal[2] == -1); /* edge a comes from below */
}

TEST(a_contact_at_the_start_takes_its_normal_from_the_motion) {
    const graze_query query = {.x0 = {{0.25, 0.25, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                               .x1 = {{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    graze_result result = ccd(GRAZE_VF, &query, NULL);
    CHECK(result.verdict == GRAZE_HIT && result.toi == 0);
    CHECK(result.normal[2] == -1);
}

TEST(normals_of_random_hits_are_unit_vectors_towards_a) {
    for (int k = 0; k < 2; k++) {
        graze_kind kind = k ? GRAZE_EE : GRAZE_VF;
        graze_query *queries = random_queries(kind, COUNT, 7);
        size_t hits = 0;
        for (size_t i = 0; i < COUNT; i++) {
            graze_result r = ccd(kind, &queries[i], NULL);
            if (r.verdict != GRAZE_HIT) continue;
            hits++;
            double length = sqrt(r.normal[0] * r.normal[0] + r.normal[1] * r.normal[1] + r.normal[2] * r.normal[2]);
            CHECK_QUERY(fabs(length - 1) < 1e-12, kind, &queries[i]);
            CHECK_QUERY(r.u >= 0 && r.v >= 0 && r.u <= 1 && r.v <= 1, kind, &queries[i]);
            if (kind == GRAZE_VF) CHECK_QUERY(r.u + r.v <= 1 + 1e-12, kind, &queries[i]);
            /* the two primitives are as near at toi as the tolerance and the speed allow, at the place it names */
            double gap = 0;
            for (int c = 0; c < 3; c++) {
                double x[4];
                for (int n = 0; n < 4; n++)
                    x[n] = queries[i].x0[n][c] + r.toi * (queries[i].x1[n][c] - queries[i].x0[n][c]);
                double a = kind == GRAZE_VF ? x[0] : x[0] + r.u * (x[1] - x[0]);
                double b =
                    kind == GRAZE_VF ? x[1] + r.u * (x[2] - x[1]) + r.v * (x[3] - x[1]) : x[2] + r.v * (x[3] - x[2]);
                CHECK_QUERY(fabs(b - r.point[c]) < 1e-12, kind, &queries[i]);
                gap = fmax(gap, fabs(a - b));
            }
            CHECK_QUERY(gap <= 2e-6, kind, &queries[i]);
        }
        CHECK(hits > COUNT / 20 && hits < COUNT);
        free(queries);
    }
}

TEST(far_apart_pairs_are_clear) {
    test_random random = {.state = 3};
    for (int n = 0; n < COUNT; n++) {
        graze_kind kind = n % 2 ? GRAZE_EE : GRAZE_VF;
        graze_query query = random_query(&random, kind);
        int axis = n % 3, of_a = kind == GRAZE_VF ? 1 : 2;
        for (int i = 0; i < of_a; i++) query.x0[i][axis] += 5, query.x1[i][axis] += 5;
        graze_result result = ccd(kind, &query, NULL);
        CHECK_QUERY(result.verdict == GRAZE_CLEAR && result.toi == 1, kind, &query);
    }
}

TEST(swapping_edges_and_turning_the_face_keep_the_verdict) {
    static const int orders[2][4] = {{0, 2, 3, 1}, {2, 3, 0, 1}};
    for (int k = 0; k < 2; k++) {
        graze_kind kind = k ? GRAZE_EE : GRAZE_VF;
        graze_query *queries = random_queries(kind, COUNT, 21);
        for (size_t i = 0; i < COUNT; i++) {
            graze_query turned;
            for (int row = 0; row < 4; row++) {
                memcpy(turned.x0[row], queries[i].x0[orders[k][row]], sizeof turned.x0[row]);
                memcpy(turned.x1[row], queries[i].x1[orders[k][row]], sizeof turned.x1[row]);
            }
            graze_result a = ccd(kind, &queries[i], NULL), b = ccd(kind, &turned, NULL);
            CHECK_QUERY(a.verdict == b.verdict && fabs(a.toi - b.toi) < 1e-4, kind, &queries[i]);
        }
        free(queries);
    }
}

TEST(a_contact_along_a_whole_edge_is_found_or_closely_approached) {
    graze_query query = parallel_edges(0);
    graze_options options = ti_options();
    graze_result result = ccd(GRAZE_EE, &query, &options);
    CHECK(result.verdict != GRAZE_CLEAR && result.toi <= 0.5 && result.toi > 0.5 - 1e-4);
    CHECK(result.checks > 100000); /* else this pair is not as hard as the tests below need it */
    options.max_checks = 100000000;
    result = ccd(GRAZE_EE, &query, &options);
    CHECK(result.verdict == GRAZE_HIT && result.toi <= 0.5 && result.toi > 0.5 - 2e-6);
    /* just apart: no such contact, and nothing before t = 1/2 may be called one either */
    query = parallel_edges(1e-3);
    CHECK(ccd(GRAZE_EE, &query, NULL).verdict == GRAZE_CLEAR);
}

TEST(toi_is_never_after_the_exact_contact) {
    static const double separations[] = {0, 1e-9, 1e-3, 0.1};
    for (int k = 0; k < 2; k++) {
        graze_kind kind = k ? GRAZE_EE : GRAZE_VF;
        graze_query *queries = random_queries(kind, COUNT, 71);
        size_t hits = 0;
        for (size_t i = 0; i < COUNT; i++) {
            graze_options options = ti_options();
            graze_truth_options exactly = graze_default_truth_options();
            options.min_separation = exactly.min_separation = separations[i % 4];
            graze_truth *truth;
            if (graze_truth_find(NULL, kind, &queries[i], &exactly, &truth) != GRAZE_OK) continue;
            graze_result result = ccd(kind, &queries[i], &options);
            if (graze_truth_hit(truth)) {
                hits++;
                CHECK_QUERY(result.verdict != GRAZE_CLEAR, kind, &queries[i]);
                CHECK_QUERY(graze_truth_compare(truth, result.toi) <= 0, kind, &queries[i]);
            }
            graze_truth_destroy(NULL, truth);
        }
        CHECK(hits > COUNT / 10);
        free(queries);
    }
}

/* ---- t_max, separation ---- */

TEST(t_max_only_cuts_off_the_answer) {
    for (int k = 0; k < 2; k++) {
        graze_kind kind = k ? GRAZE_EE : GRAZE_VF;
        graze_query *queries = random_queries(kind, COUNT, 31);
        test_random random = {.state = 1};
        for (size_t i = 0; i < COUNT; i++) {
            graze_options options = ti_options();
            graze_result whole = ccd(kind, &queries[i], &options);
            double times[] = {test_random_unit(&random) + 0x1p-60, whole.toi > 0 ? whole.toi : 1,
                              whole.toi > 0 ? nextafter(whole.toi, 0) : 1};
            for (int n = 0; n < 3; n++) {
                options.t_max = times[n];
                graze_result part = ccd(kind, &queries[i], &options);
                bool before = whole.verdict == GRAZE_HIT && whole.toi <= options.t_max;
                CHECK_QUERY(part.verdict == (before ? GRAZE_HIT : GRAZE_CLEAR), kind, &queries[i]);
                CHECK_QUERY(part.toi == (before ? whole.toi : options.t_max), kind, &queries[i]);
            }
        }
        free(queries);
    }
}

TEST(more_separation_is_never_later) {
    static const double separations[] = {0, 1e-12, 1e-6, 1e-3, 0.05, 0.5, 3};
    for (int k = 0; k < 2; k++) {
        graze_kind kind = k ? GRAZE_EE : GRAZE_VF;
        graze_query *queries = random_queries(kind, 500, 41);
        for (size_t i = 0; i < 500; i++) {
            double last = 1;
            bool hit = false;
            for (size_t s = 0; s < sizeof separations / sizeof *separations; s++) {
                graze_options options = ti_options();
                options.min_separation = separations[s];
                graze_result result = ccd(kind, &queries[i], &options);
                CHECK_QUERY(result.toi <= last, kind, &queries[i]);
                CHECK_QUERY(!hit || result.verdict != GRAZE_CLEAR, kind, &queries[i]);
                hit = result.verdict != GRAZE_CLEAR;
                last = result.toi;
            }
        }
        free(queries);
    }
}

TEST(a_vertex_that_stops_at_the_separation_is_a_hit) {
    /* 1.5 above the face at t = 0, exactly `separation` above it at t = 1 */
    static const double separations[] = {0x1p-40, 0.001, 0.1, 1};
    for (size_t s = 0; s < sizeof separations / sizeof *separations; s++) {
        double d = separations[s];
        const graze_query query = {.x0 = {{0.25, 0.25, 1.5}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                   .x1 = {{0.25, 0.25, d}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
        graze_options options = ti_options();
        options.min_separation = d;
        graze_result result = ccd(GRAZE_VF, &query, &options);
        CHECK(result.verdict == GRAZE_HIT && result.toi <= 1);
        options.min_separation = d / 2;
        options.tolerance = d / 8;
        CHECK(ccd(GRAZE_VF, &query, &options).verdict == GRAZE_CLEAR);
    }
}

TEST(the_largest_coordinates_and_separations_give_an_answer) {
    const graze_query query = {.x0 = {{0x1p160, -0x1p160, 0x1p160}, {-0x1p160, 0, 1}, {1, 0, 0}, {0, 0x1p160, 0}},
                               .x1 = {{-0x1p160, 0x1p160, -0x1p160}, {0x1p-1074, 0, 1}, {1, 3, 0}, {0, 1, 0x1p160}}};
    for (int k = 0; k < 2; k++)
        for (int n = 0; n < 2; n++) {
            graze_options options = ti_options();
            options.min_separation = n ? GRAZE_MAX_COORDINATE : 0;
            options.tolerance = n ? 0x1p-1074 : GRAZE_MAX_COORDINATE;
            graze_result result = ccd(k ? GRAZE_EE : GRAZE_VF, &query, &options);
            CHECK(result.toi >= 0 && result.toi <= 1);
            CHECK(result.verdict == GRAZE_HIT); /* the filter is far larger than anything here */
        }
}

TEST(a_tolerance_below_all_rounding_ends_at_the_finest_boxes) {
    const graze_query query = {.x0 = {{0.3, 0.3, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                               .x1 = {{0.3, 0.3, -1.7}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    graze_options options = ti_options();
    options.tolerance = 0x1p-1074;
    graze_result result = ccd(GRAZE_VF, &query, &options);
    CHECK(result.verdict == GRAZE_HIT && result.toi <= 1 / 2.7 && result.toi > 1 / 2.7 - 1e-12);
}

/* ---- limits ---- */

TEST(few_checks_end_unresolved_and_early_never_clear) {
    for (int k = 0; k < 2; k++) {
        graze_kind kind = k ? GRAZE_EE : GRAZE_VF;
        graze_query *queries = random_queries(kind, 1000, 51);
        for (size_t i = 0; i < 1000; i++) {
            graze_options options = ti_options();
            graze_result whole = ccd(kind, &queries[i], &options);
            double last = 0;
            for (options.max_checks = 1; options.max_checks < 2000; options.max_checks += 1 + options.max_checks / 3) {
                graze_result result = ccd(kind, &queries[i], &options);
                CHECK_QUERY(result.checks <= options.max_checks, kind, &queries[i]);
                CHECK_QUERY(result.toi <= whole.toi && result.toi >= last, kind, &queries[i]);
                if (whole.checks <= options.max_checks) {
                    CHECK_QUERY(same_result(&result, &whole), kind, &queries[i]);
                    break;
                }
                /* the boxes of a chunk that come after the first small one need not have been looked at */
                if (result.verdict == GRAZE_HIT) {
                    CHECK_QUERY(whole.verdict == GRAZE_HIT && result.toi == whole.toi, kind, &queries[i]);
                    CHECK_QUERY(result.checks + 8 > whole.checks, kind, &queries[i]);
                    continue;
                }
                CHECK_QUERY(result.verdict == GRAZE_UNRESOLVED && result.reason == GRAZE_REASON_BUDGET, kind,
                            &queries[i]);
                CHECK_QUERY(result.toi_upper == INFINITY && isnan(result.u), kind, &queries[i]);
                last = result.toi;
            }
        }
        free(queries);
    }
}

TEST(a_hard_pair_gets_better_with_more_checks) {
    graze_query query = parallel_edges(0);
    graze_options options = ti_options();
    uint64_t needed = ccd(GRAZE_EE, &query, &options).checks;
    double last = 0;
    for (options.max_checks = 1; options.max_checks < needed; options.max_checks *= 2) {
        graze_result result = ccd(GRAZE_EE, &query, &options);
        CHECK(result.verdict == GRAZE_UNRESOLVED && result.reason == GRAZE_REASON_BUDGET);
        CHECK(result.toi >= last && result.toi <= 0.5);
        last = result.toi;
    }
    CHECK(last > 0.4);
}

static int cancel_after_the_first_look(void *user) { return (*(int *)user)++ > 0; }

TEST(cancelling_ends_a_hard_pair_with_a_safe_time) {
    int looks = 0;
    graze_context_options with = graze_default_context_options();
    with.cancel = cancel_after_the_first_look;
    with.cancel_user = &looks;
    with.threads = 1;
    graze_context *context;
    CHECK(graze_context_create(&with, &context) == GRAZE_OK);
    graze_query query = parallel_edges(0);
    graze_options options = ti_options();
    graze_result result;
    CHECK(graze_ccd_batch(context, GRAZE_EE, &query, 1, &options, &result) == GRAZE_OK);
    CHECK(result.verdict == GRAZE_UNRESOLVED && result.reason == GRAZE_REASON_CANCELLED);
    CHECK(result.toi <= 0.5 && looks > 1);
    graze_context_destroy(context);
}

typedef struct stingy {
    atomic_long left; /* allocations that still succeed */
} stingy;

static void *stingy_allocate(void *user, size_t size, size_t alignment) {
    stingy *s = user;
    if (s->left-- <= 0) return NULL;
    return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

static void stingy_release(void *user, void *block, size_t size) {
    (void)user;
    (void)size;
    free(block);
}

TEST(a_failing_allocator_or_a_small_memory_limit_changes_no_answer) {
    graze_query hard[2] = {parallel_edges(0), parallel_edges(1e-3)};
    graze_options options = ti_options();
    for (int limited = 0; limited < 2; limited++) {
        stingy s = {.left = 1000};
        graze_context_options with = graze_default_context_options();
        with.allocator = (graze_allocator){stingy_allocate, stingy_release, &s};
        with.threads = 2;
        if (limited) with.memory_limit = 2 * GZ_SCRATCH_ALWAYS + 8192; /* what a context has always, and little more */
        graze_context *context;
        CHECK(graze_context_create(&with, &context) == GRAZE_OK);
        if (!limited) s.left = 0;
        graze_result results[2];
        CHECK(graze_ccd_batch(context, GRAZE_EE, hard, 2, &options, results) == GRAZE_OK);
        for (int i = 0; i < 2; i++) {
            graze_result alone = ccd(GRAZE_EE, &hard[i], &options);
            CHECK(same_result(&results[i], &alone));
        }
        graze_context_destroy(context);
    }
}

/* ---- the same bits ---- */

TEST(bits_do_not_depend_on_instruction_set_threads_or_batching) {
    for (int k = 0; k < 2; k++) {
        graze_kind kind = k ? GRAZE_EE : GRAZE_VF;
        graze_query *queries = random_queries(kind, COUNT, 61);
        queries[0] = parallel_edges(0);
        queries[1] = parallel_edges(1e-4);
        graze_result *alone = calloc(COUNT, sizeof *alone), *batch = calloc(COUNT, sizeof *batch);
        if (!alone || !batch) abort();
        graze_options options = ti_options();
        for (int n = 0; n < 3; n++) {
            options.min_separation = n == 1 ? 1e-2 : 0;
            options.max_checks = n == 2 ? 77 : 0;
            for (size_t i = 0; i < COUNT; i++) alone[i] = ccd(kind, &queries[i], &options);
            for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++) {
                if (!graze_isa_available((graze_isa)isa)) continue;
                for (uint32_t threads = 1; threads <= 8; threads += threads < 3 ? 1 : 5) {
                    graze_context_options with = graze_default_context_options();
                    with.isa = (graze_isa)isa;
                    with.threads = threads;
                    graze_context *context;
                    CHECK(graze_context_create(&with, &context) == GRAZE_OK);
                    memset(batch, 0xff, COUNT * sizeof *batch);
                    CHECK(graze_ccd_batch(context, kind, queries, COUNT, &options, batch) == GRAZE_OK);
                    for (size_t i = 0; i < COUNT; i++)
                        CHECK_QUERY(same_result(&alone[i], &batch[i]), kind, &queries[i]);
                    graze_context_destroy(context);
                }
            }
        }
        free(alone);
        free(batch);
        free(queries);
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
