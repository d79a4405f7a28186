/* float32 queries: the bounds of the float probes against rationals, and the answers against the exact oracle. */
#include "pair/probe.h"

#include "numerics/as_float.h"

#include "check.h"
#include "rational.h"
#include "scaled_pairs.h"

static void widen(const graze_query_f32 *query, graze_query *wide) {
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) wide->x0[i][c] = query->x0[i][c], wide->x1[i][c] = query->x1[i][c];
}

/* Smooth, on a lattice, far from the origin, tiny down to subnormals, large up to overflow, or hardly moving. */
static void random_query(test_random *random, graze_query_f32 *query) {
    int style = (int)test_random_below(random, 8);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            double a = test_random_between(random, -1, 1), b = test_random_between(random, -1, 1);
            if (style == 1) a = (double)test_random_below(random, 7) - 3, b = (double)test_random_below(random, 7) - 3;
            if (style == 2) a = 1000 + a, b = 1000 + b;
            if (style == 3) a *= 0x1p-146, b *= 0x1p-146;
            if (style == 4) a *= 0x1p127, b *= 0x1p127;
            if (style == 5) b = a + b * 0x1p-10;
            if (style == 6) a = ldexp(a, -(int)test_random_below(random, 80)), b = ldexp(b, -40);
            query->x0[i][c] = (float)a;
            query->x1[i][c] = (float)b;
        }
    if (test_random_below(random, 3) == 0)
        for (int c = 0; c < 3; c++) {
            float middle = 0.5f * query->x0[2][c] + 0.5f * query->x0[3][c];
            query->x0[0][c] = middle * (1 + ldexpf(1, -(int)test_random_below(random, 24)));
        }
}

/* of any exponent that float has */
static float any_float(test_random *random) {
    return (float)ldexp(test_random_between(random, -1, 1), (int)test_random_below(random, 200) - 149);
}

TEST(a_float_dot_product_and_a_float_threshold_keep_within_their_slack) {
    test_random random = {40};
    rational_vector a, b, n, w;
    mpq_t exact, computed, d;
    rational_init(&a), rational_init(&b), rational_init(&n), rational_init(&w);
    mpq_inits(exact, computed, d, NULL);
    for (int i = 0; i < 30000; i++) {
        float xa[3], xb[3], xn[3], separation = fabsf(any_float(&random));
        int shift = (int)test_random_below(&random, 3) * 60;
        for (int c = 0; c < 3; c++) {
            xa[c] = ldexpf((float)test_random_between(&random, -1, 1), -shift);
            xb[c] = ldexpf((float)test_random_between(&random, -1, 1), -shift);
            xn[c] = any_float(&random);
        }
        if (i & 1) xn[0] = xb[1] - xa[1], xn[1] = -(xb[0] - xa[0]); /* nearly perpendicular */
        v_vec dw = {xb[0] - xa[0], xb[1] - xa[1], xb[2] - xa[2]}, dn = {xn[0], xn[1], xn[2]};
        float dot = vec_dot(dn, dw), slack = vec_dot(vec_abs(dn), vec_abs(dw)) * GZ_DOT_SLACK_F32 + GZ_DOT_TINY_F32;
        rational_set(&a, (double[3]){xa[0], xa[1], xa[2]}), rational_set(&b, (double[3]){xb[0], xb[1], xb[2]});
        rational_set(&n, (double[3]){xn[0], xn[1], xn[2]});
        rational_sub(&w, &b, &a);
        rational_dot(exact, &n, &w);
        mpq_set_d(computed, dot);
        mpq_sub(exact, exact, computed);
        mpq_abs(exact, exact);
        CHECK(rational_compare_double(exact, 0.75 * (double)slack) <= 0);

        float norm = sqrtf(vec_dot(dn, dn) + GZ_NORM_TINY_F32);
        float least = separation * norm * GZ_NORM_UP_F32 + GZ_DOT_TINY_F32;
        if (!(least < INFINITY)) continue;
        rational_dot(exact, &n, &n);
        mpq_set_d(d, separation);
        mpq_mul(exact, exact, d), mpq_mul(exact, exact, d);
        mpq_set_d(computed, least);
        mpq_mul(computed, computed, computed);
        CHECK(mpq_cmp(exact, computed) <= 0);
    }
    rational_clear(&a), rational_clear(&b), rational_clear(&n), rational_clear(&w);
    mpq_clears(exact, computed, d, NULL);
}

TEST(a_float_probe_never_claims_time_that_its_direction_does_not_prove) {
    test_random random = {41};
    size_t advanced = 0;
    for (int i = 0; i < 20000; i++) {
        graze_query_f32 query;
        graze_query wide;
        random_query(&random, &query);
        widen(&query, &wide);
        graze_kind kind = (graze_kind)test_random_below(&random, 4);
        int count = gz_difference_count(kind);
        float separation = i & 1 ? fabsf(query.x0[1][0] - query.x0[0][0]) * (float)test_random_unit(&random) : 0;
        if (!(separation < FLT_MAX)) continue;
        v_vec w0[4], w1[4], w[4];
        for (int k = 0; k < count; k++) {
            int a = kind == GRAZE_EE ? k >> 1 : 0, b = kind == GRAZE_EE ? 2 + (k & 1) : k + 1;
            const float *a0 = query.x0[a], *b0 = query.x0[b], *a1 = query.x1[a], *b1 = query.x1[b];
            w0[k] = (v_vec){b0[0] - a0[0], b0[1] - a0[1], b0[2] - a0[2]};
            w1[k] = (v_vec){b1[0] - a1[0], b1[1] - a1[1], b1[2] - a1[2]};
        }
        v_vec size = probe_size(w0, w1, count);
        float t = 0;
        for (int step = 0; step < 4; step++) {
            probe_at(w0, w1, count, t + (step & 1 ? 0 : 0.3f * (1 - t)), w);
            v_vec n = probe_direction(w, count);
            float next = probe_advance(w0, w1, count, size, n, t, separation);
            CHECK(next >= t && next <= 1);
            if (next == t) continue;
            advanced++;
            CHECK_QUERY(rational_apart_along(kind, &wide, NULL, separation, (double[3]){n.x, n.y, n.z}, t), kind,
                        &wide);
            CHECK_QUERY(rational_apart_along(kind, &wide, NULL, separation, (double[3]){n.x, n.y, n.z}, next), kind,
                        &wide);
            t = next;
            if (t >= 1) break;
        }
    }
    CHECK_MSG(advanced > 5000, "%zu", advanced);
}

typedef struct answers {
    size_t hits, clear, alarms;
} answers;

/* The largest |component| of a difference of two rows. */
static double size_of(graze_kind kind, const graze_query *query) {
    double size = 0;
    for (int k = 0; k < gz_difference_count(kind); k++)
        for (int c = 0; c < 3; c++) {
            int a = gz_difference_from(kind, k), b = gz_difference_to(kind, k);
            size = fmax(size, fmax(fabs(query->x0[b][c] - query->x0[a][c]), fabs(query->x1[b][c] - query->x1[a][c])));
        }
    return size;
}

/* A false hit comes within the automatic tolerance. */
static bool comes_near(graze_kind kind, const graze_query *query, graze_options options) {
    graze_result result;
    options.method = GRAZE_METHOD_ORACLE;
    options.min_separation = nextafter(options.min_separation + 0x1p-40 * size_of(kind, query), INFINITY);
    CHECK(graze_ccd(kind, query, &options, &result) == GRAZE_OK);
    return result.verdict == GRAZE_HIT;
}

/* `certified` is never late, and `exact` has the answer of exact arithmetic on the same numbers as doubles. */
static void check_answers(graze_kind kind, const graze_query_f32 *query, graze_options options, answers *seen) {
    graze_query wide;
    graze_result truth, result, exact;
    widen(query, &wide);
    options.method = GRAZE_METHOD_ORACLE;
    CHECK(graze_ccd(kind, &wide, &options, &truth) == GRAZE_OK);
    options.method = GRAZE_METHOD_CERTIFIED;
    CHECK(graze_ccd_f32(kind, query, &options, &result) == GRAZE_OK);
    options.method = GRAZE_METHOD_EXACT;
    CHECK(graze_ccd_f32(kind, query, &options, &exact) == GRAZE_OK);
    CHECK_QUERY(exact.verdict == truth.verdict && exact.toi == truth.toi && exact.toi_upper == truth.toi_upper, kind,
                &wide);
    if (truth.verdict == GRAZE_HIT) {
        seen->hits++;
        CHECK_QUERY(result.verdict != GRAZE_CLEAR && result.toi <= truth.toi, kind, &wide);
        if (truth.toi > 0) CHECK_QUERY(result.toi > 0, kind, &wide);
        if (result.proven) CHECK_QUERY(result.toi_upper >= truth.toi_upper, kind, &wide);
    } else {
        seen->clear++;
        seen->alarms += result.verdict != GRAZE_CLEAR;
        CHECK_QUERY(result.verdict == GRAZE_CLEAR || comes_near(kind, &wide, options), kind, &wide);
    }
}

static void check_seen(answers seen) {
    CHECK_MSG(seen.hits > 1500 && seen.clear > 1500 && seen.alarms * 20 < seen.clear, "%zu hits, %zu clear, %zu alarms",
              seen.hits, seen.clear, seen.alarms);
}

TEST(float_queries_never_miss_and_exact_ones_agree_with_the_oracle) {
    test_random random = {42};
    answers seen = {0};
    for (int i = 0; i < 10000; i++) {
        graze_query_f32 query;
        random_query(&random, &query);
        graze_kind kind = (graze_kind)test_random_below(&random, 4);
        graze_options options = graze_default_options();
        if (i & 1)
            options.min_separation = fabs((double)query.x0[1][0] - query.x0[0][0]) * test_random_unit(&random) * 0.1;
        if (i % 3 == 0) options.t_max = 1 - test_random_unit(&random);
        check_answers(kind, &query, options, &seen);
    }
    check_seen(seen);
}

/* The separation is a double, and of any size, too. */
TEST(float_queries_with_parts_of_any_size_never_miss_and_exact_ones_agree_with_the_oracle) {
    test_random random = {44};
    answers seen = {0};
    for (int i = 0; i < 10000; i++) {
        graze_query_f32 query;
        scaled_pair pair;
        graze_kind kind = (graze_kind)(i % 4);
        scaled_draw(&random, kind, scaled_floats, &pair);
        for (int k = 0; k < 12; k++) {
            query.x0[k / 3][k % 3] = (float)pair.query.x0[k / 3][k % 3];
            query.x1[k / 3][k % 3] = (float)pair.query.x1[k / 3][k % 3];
        }
        graze_options options = graze_default_options();
        options.min_separation = i % 3 ? pair.separation : 0;
        if (i % 5 == 0) options.t_max = 1 - test_random_unit(&random);
        check_answers(kind, &query, options, &seen);
    }
    check_seen(seen);
}

#define MANY 700

TEST(float_bits_do_not_depend_on_instructions_or_threads) {
    static graze_query_f32 queries[MANY];
    static graze_result single[MANY], many[MANY];
    test_random random = {43};
    for (int kind = 0; kind < 4; kind++) {
        graze_options options = graze_default_options();
        options.method = kind & 1 ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
        for (int i = 0; i < MANY; i++) {
            random_query(&random, &queries[i]);
            CHECK(graze_ccd_f32((graze_kind)kind, &queries[i], &options, &single[i]) == GRAZE_OK);
        }
        for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++) {
            if (!graze_isa_available((graze_isa)isa)) continue;
            graze_context_options setup = graze_default_context_options();
            setup.isa = (graze_isa)isa;
            setup.threads = 1 + (uint32_t)isa % 3;
            graze_context *context;
            CHECK(graze_context_create(&setup, &context) == GRAZE_OK);
            memset(many, 0xff, sizeof many);
            CHECK(graze_ccd_batch_f32(context, (graze_kind)kind, queries, MANY, &options, many) == GRAZE_OK);
            for (int i = 0; i < MANY; i++) CHECK(memcmp(&single[i], &many[i], sizeof many[i]) == 0);
            graze_context_destroy(context);
        }
    }
}

TEST(bad_float_input_is_a_status_and_names_the_query) {
    graze_query_f32 queries[3] = {0};
    graze_result results[3];
    graze_context *context;
    CHECK(graze_context_create(NULL, &context) == GRAZE_OK);
    queries[1].x1[3][2] = NAN;
    CHECK(graze_ccd_f32(GRAZE_EE, &queries[1], NULL, &results[0]) == GRAZE_ERR_NOT_FINITE);
    CHECK(results[0].verdict == GRAZE_UNRESOLVED && results[0].toi == 0);
    CHECK(graze_ccd_batch_f32(context, GRAZE_VF, queries, 3, NULL, results) == GRAZE_ERR_NOT_FINITE);
    graze_error error;
    CHECK(graze_context_last_error(context, &error) == GRAZE_OK && error.index == 1);
    for (int i = 0; i < 3; i++) CHECK(results[i].verdict == GRAZE_UNRESOLVED && results[i].toi == 0);
    CHECK(graze_ccd_batch_f32(context, GRAZE_PP, queries, 3, NULL, results) == GRAZE_OK); /* that row is not read */
    CHECK(graze_ccd_f32(GRAZE_EE, NULL, NULL, &results[0]) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_context_destroy(context);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
