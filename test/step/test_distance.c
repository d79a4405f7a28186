/* Distances and closest points of pairs at rest, against exact rationals. */
#include "bound_queries.h"
#include "exact_reference.h"

#define PROMISED 0x1p-48 /* include/graze/distance.h */

static const graze_kind kinds[4] = {GRAZE_VF, GRAZE_EE, GRAZE_PE, GRAZE_PP};

static double size_of(graze_kind kind, const double (*x)[3]) {
    double size = 0;
    for (int i = 0; i < reference_rows(kind); i++)
        for (int j = 0; j < i; j++)
            for (int c = 0; c < 3; c++) size = fmax(size, fabs(x[i][c] - x[j][c]));
    return size;
}

/* (value ± (part · size + 2⁻¹⁰⁷²))² encloses the exact squared distance. */
static bool within(const reference *r, double value, double part, double size) {
    mpq_t bound, slack, factor;
    mpq_inits(bound, slack, factor, NULL);
    mpq_set_d(slack, size);
    mpq_set_d(factor, part);
    mpq_mul(slack, slack, factor);
    mpq_set_d(factor, 0x1p-1072);
    mpq_add(slack, slack, factor);
    mpq_set_d(bound, value);
    mpq_add(bound, bound, slack);
    mpq_mul(bound, bound, bound);
    bool inside = mpq_cmp(bound, r->best) >= 0;
    mpq_set_d(bound, value);
    mpq_sub(bound, bound, slack);
    if (mpq_sgn(bound) > 0) {
        mpq_mul(bound, bound, bound);
        inside = inside && mpq_cmp(bound, r->best) <= 0;
    }
    mpq_clears(bound, slack, factor, NULL);
    return inside;
}

/* Checks all that is promised; returns the error in units of 2⁻⁵³ of the size, a power of two above it. */
static double check_pair(graze_kind kind, const graze_query *query) {
    graze_distance_result d;
    const double(*x)[3] = query->x0;
    CHECK_QUERY(graze_distance(kind, x, &d) == GRAZE_OK, kind, query);
    reference r;
    mpq_t zero;
    mpq_init(zero);
    reference_begin(&r);
    reference_move(&r, kind, query, zero);
    reference_distance(&r, kind);
    double size = size_of(kind, x), units = 0x1p-20;
    CHECK_QUERY(within(&r, d.value, PROMISED, size), kind, query);
    CHECK_QUERY(within(&r, hypot(hypot(d.vector[0], d.vector[1]), d.vector[2]), PROMISED, size), kind, query);
    while (!within(&r, d.value, units * 0x1p-53, size)) units *= 1.125;
    reference_end(&r);
    mpq_clear(zero);
    return units;
}

/* x1 − x0 of a segment is nearly that of another, a corner nearly on the opposite side, … by 2^-k. */
static void some_thin_pair(test_random *random, graze_kind kind, graze_query *query) {
    double thin = ldexp(1, -(int)test_random_below(random, 60)), gap = ldexp(1, -(int)test_random_below(random, 60));
    double e[3], far = test_random_below(random, 3) ? 0 : 1000 * some_unit(random);
    for (int c = 0; c < 3; c++) e[c] = some_unit(random);
    int base = kind == GRAZE_EE ? 0 : 1;
    double(*x)[3] = query->x0, along = test_random_between(random, -1, 2),
    part = test_random_between(random, -0.5, 1.5);
    for (int c = 0; c < 3; c++) {
        x[base][c] = some_unit(random) + far;
        x[base + 1][c] = x[base][c] + e[c];
    }
    for (int c = 0; c < 3; c++) {
        if (kind == GRAZE_EE) {
            x[2][c] = x[0][c] + part * e[c] + gap * some_unit(random);
            x[3][c] = x[2][c] + along * e[c] + thin * some_unit(random);
        } else {
            if (kind == GRAZE_VF) x[3][c] = x[1][c] + along * e[c] + thin * some_unit(random);
            x[0][c] = x[1][c] + part * e[c] + gap * some_unit(random);
        }
    }
    if (test_random_below(random, 20) == 0) memcpy(x[base + 1], x[base], sizeof x[base]); /* a point */
    if (test_random_below(random, 20) == 0 && kind <= GRAZE_EE) memcpy(x[3], x[2], sizeof x[2]);
    memcpy(query->x1, query->x0, sizeof query->x0);
}

TEST(a_distance_errs_by_no_more_than_is_promised) {
    test_random random = {71};
    for (int k = 0; k < 4; k++) {
        double worst = 0;
        for (int i = 0; i < 4000; i++) {
            graze_query query;
            if (i % 2)
                some_query(&random, &query);
            else
                some_thin_pair(&random, kinds[k], &query);
            worst = fmax(worst, check_pair(kinds[k], &query));
        }
        printf("      %s: largest error %.2f of 32 units\n", test_kind_name(kinds[k]), worst);
    }
}

TEST(climbing_uphill_finds_no_larger_error) {
    test_random random = {72};
    for (int k = 0; k < 4; k++) {
        double worst = 0;
        for (int start = 0; start < 15; start++) {
            graze_query query;
            some_thin_pair(&random, kinds[k], &query);
            double units = check_pair(kinds[k], &query);
            for (int step = 0; step < 150; step++) {
                graze_query next = query;
                change_query(&random, &next);
                double more = check_pair(kinds[k], &next);
                if (more < units) continue;
                units = more;
                query = next;
            }
            worst = fmax(worst, units);
        }
        printf("      %s: %.2f of 32 units\n", test_kind_name(kinds[k]), worst);
    }
}

/* Weights are of the primitives, u and v of the weights, the vector of both, and the feature of what is not 0. */
TEST(weights_vector_and_feature_say_the_same) {
    test_random random = {73};
    for (int i = 0; i < 40000; i++) {
        graze_kind kind = kinds[i % 4];
        graze_query query;
        graze_distance_result d;
        some_thin_pair(&random, kind, &query);
        const double(*x)[3] = (const double(*)[3])query.x0;
        CHECK(graze_distance(kind, x, &d) == GRAZE_OK);
        int rows = reference_rows(kind), in_a = kind == GRAZE_EE ? 2 : 1;
        double sum[2] = {0, 0}, vector[3] = {0}, size = size_of(kind, x);
        unsigned features[2] = {0, 0};
        for (int r = 0; r < rows; r++) {
            bool of_b = r >= in_a;
            CHECK_QUERY(of_b ? d.weights[r] <= 0 : d.weights[r] >= 0, kind, &query);
            sum[of_b] += d.weights[r];
            if (d.weights[r] != 0) features[of_b] |= 1u << (of_b ? r - in_a : r);
            for (int c = 0; c < 3; c++) vector[c] += d.weights[r] * (x[r][c] - x[0][c]);
        }
        for (int r = rows; r < 4; r++) CHECK(d.weights[r] == 0);
        CHECK_QUERY(fabs(sum[0] - 1) <= 0x1p-51 && fabs(sum[1] + 1) <= 0x1p-51, kind, &query);
        for (int c = 0; c < 3; c++) CHECK_QUERY(fabs(vector[c] - d.vector[c]) <= 0x1p-48 * size, kind, &query);
        CHECK_QUERY(features[0] == (unsigned)d.feature[0] && features[1] == (unsigned)d.feature[1], kind, &query);
        double u = kind == GRAZE_EE ? d.weights[1] : kind == GRAZE_PP ? 0 : -d.weights[2];
        double v = kind == GRAZE_VF || kind == GRAZE_EE ? -d.weights[3] : 0;
        CHECK(d.u == u && d.v == v);
    }
}

TEST(the_vector_goes_from_b_to_a_and_the_feature_is_the_closest_one) {
    graze_distance_result d;
    const double above[4][3] = {{0.25, 0.25, 2}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    CHECK(graze_distance(GRAZE_VF, above, &d) == GRAZE_OK);
    CHECK(d.value == 2 && d.vector[0] == 0 && d.vector[1] == 0 && d.vector[2] == 2);
    CHECK(d.feature[0] == GRAZE_FEATURE_VERTEX_0 && d.feature[1] == GRAZE_FEATURE_FACE && d.u == 0.25 && d.v == 0.25);
    const double beside[4][3] = {{2, 2, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    CHECK(graze_distance(GRAZE_VF, beside, &d) == GRAZE_OK);
    CHECK(d.feature[1] == GRAZE_FEATURE_EDGE_12 && d.weights[1] == 0 && d.u == 0.5 && d.v == 0.5);
    CHECK(d.vector[0] == 1.5 && d.vector[1] == 1.5 && fabs(d.value - sqrt(4.5)) < 1e-15);
    const double corner[4][3] = {{0, 3, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    CHECK(graze_distance(GRAZE_VF, corner, &d) == GRAZE_OK && d.feature[1] == GRAZE_FEATURE_VERTEX_2 && d.value == 2);
    const double crossing[4][3] = {{-1, 0, 1}, {1, 0, 1}, {0, -1, 0}, {0, 1, 0}};
    CHECK(graze_distance(GRAZE_EE, crossing, &d) == GRAZE_OK);
    CHECK(d.value == 1 && d.vector[2] == 1 && d.u == 0.5 && d.v == 0.5);
    CHECK(d.feature[0] == GRAZE_FEATURE_EDGE_01 && d.feature[1] == GRAZE_FEATURE_EDGE_01);
    const double end[4][3] = {{3, 0, 0}, {5, 0, 0}, {0, -1, 0}, {0, 1, 0}};
    CHECK(graze_distance(GRAZE_EE, end, &d) == GRAZE_OK && d.value == 3);
    CHECK(d.feature[0] == GRAZE_FEATURE_VERTEX_0 && d.feature[1] == GRAZE_FEATURE_EDGE_01);
    const double point[3][3] = {{4, 3, 0}, {0, 0, 0}, {1, 0, 0}};
    CHECK(graze_distance(GRAZE_PE, point, &d) == GRAZE_OK && d.feature[1] == GRAZE_FEATURE_VERTEX_1 && d.u == 1);
    CHECK(graze_distance(GRAZE_PP, point, &d) == GRAZE_OK && d.value == 5 && d.vector[0] == 4 && d.vector[1] == 3);
}

TEST(bad_rows_leave_a_closed_result) {
    graze_distance_result d;
    double x[4][3] = {{0}};
    const double(*rows)[3] = (const double(*)[3])x;
    CHECK(graze_distance(GRAZE_VF, rows, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    d.value = 1;
    CHECK(graze_distance(GRAZE_VF, NULL, &d) == GRAZE_ERR_INVALID_ARGUMENT && d.value == 0 && isnan(d.u));
    CHECK(graze_distance((graze_kind)4, rows, &d) == GRAZE_ERR_INVALID_ARGUMENT);
    x[3][2] = NAN;
    CHECK(graze_distance(GRAZE_EE, rows, &d) == GRAZE_ERR_NOT_FINITE && d.feature[0] == GRAZE_FEATURE_NONE);
    CHECK(graze_distance(GRAZE_PE, rows, &d) == GRAZE_OK); /* the fourth row is not read */
    x[3][2] = 2 * GRAZE_MAX_COORDINATE;
    CHECK(graze_distance(GRAZE_EE, rows, &d) == GRAZE_ERR_OUT_OF_RANGE);
    CHECK(d.value == 0 && isnan(d.vector[0]) && isnan(d.weights[0]));
}

TEST(a_list_has_the_bits_of_single_calls_on_any_number_of_threads) {
    enum { VERTICES = 60, PAIRS = 5000 };
    static double x[VERTICES][4];
    static uint32_t faces[VERTICES / 3][3];
    static graze_pair pairs[PAIRS];
    static graze_distance_result results[PAIRS];
    test_random random = {74};
    for (int v = 0; v < VERTICES; v++)
        for (int c = 0; c < 3; c++) x[v][c] = some_unit(&random), faces[v / 3][v % 3] = (uint32_t)v;
    for (uint32_t threads = 1; threads <= 4; threads += 3) {
        graze_context *context = test_context(threads, GRAZE_ISA_AUTO);
        graze_mesh mesh = graze_default_mesh();
        CHECK(graze_mesh_from_faces(context, VERTICES, (const uint32_t(*)[3])faces, VERTICES / 3, &mesh) == GRAZE_OK);
        for (int i = 0; i < PAIRS; i++) {
            graze_kind kind = pairs[i].kind = kinds[test_random_below(&random, 4)];
            pairs[i].a = (uint32_t)test_random_below(&random, kind == GRAZE_EE ? mesh.edge_count : VERTICES);
            pairs[i].b = (uint32_t)test_random_below(&random, kind == GRAZE_VF   ? mesh.face_count
                                                              : kind == GRAZE_PP ? VERTICES
                                                                                 : mesh.edge_count);
        }
        graze_step_options options = graze_default_step_options();
        options.stride = sizeof x[0];
        CHECK(graze_distances(context, &mesh, (const double(*)[3])x, pairs, PAIRS, &options, results) == GRAZE_OK);
        for (int i = 0; i < PAIRS; i++) {
            graze_kind kind = pairs[i].kind;
            uint32_t ids[4] = {pairs[i].a, pairs[i].b, 0, 0};
            if (kind == GRAZE_VF) memcpy(ids + 1, mesh.faces[pairs[i].b], sizeof mesh.faces[0]);
            if (kind == GRAZE_PE) memcpy(ids + 1, mesh.edges[pairs[i].b], sizeof mesh.edges[0]);
            if (kind == GRAZE_EE) memcpy(ids, mesh.edges[pairs[i].a], sizeof mesh.edges[0]);
            if (kind == GRAZE_EE) memcpy(ids + 2, mesh.edges[pairs[i].b], sizeof mesh.edges[0]);
            double rows[4][3];
            for (int r = 0; r < 4; r++) memcpy(rows[r], x[ids[r]], sizeof rows[r]);
            graze_distance_result one;
            CHECK(graze_distance(kind, (const double(*)[3])rows, &one) == GRAZE_OK);
            CHECK(one.value == results[i].value && one.u == results[i].u && one.v == results[i].v);
            CHECK(memcmp(one.weights, results[i].weights, sizeof one.weights) == 0);
            CHECK(memcmp(one.vector, results[i].vector, sizeof one.vector) == 0);
            CHECK(one.feature[0] == results[i].feature[0] && one.feature[1] == results[i].feature[1]);
        }
        pairs[17].b = UINT32_MAX;
        graze_error error;
        CHECK(graze_distances(context, &mesh, (const double(*)[3])x, pairs, PAIRS, &options, results) ==
              GRAZE_ERR_BAD_INDEX);
        CHECK(graze_context_last_error(context, &error) == GRAZE_OK && error.index == 17);
        CHECK(results[0].value == 0 && results[PAIRS - 1].feature[0] == GRAZE_FEATURE_NONE);
        graze_mesh_release(context, &mesh);
        graze_context_destroy(context);
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
