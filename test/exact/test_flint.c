/* The library's exact answers against a second oracle that shares no arithmetic with them. */
#include "check.h"

#include "flint_oracle.h"

/* The number of queries that each test takes; the argument of GRAZE_FLINT_COUNT for a long run. */
static size_t wanted_count(void) {
    const char *text = getenv("GRAZE_FLINT_COUNT");
    long count = text ? atol(text) : 0;
    return count > 0 ? (size_t)count : 1000;
}

static void compare(graze_kind kind, const graze_query *query, double separation, double t_max) {
    graze_truth_options options = graze_default_truth_options();
    options.min_separation = separation;
    options.t_max = t_max;
    graze_truth *truth;
    graze_status status = graze_truth_find(NULL, kind, query, &options, &truth);
    CHECK_MSG(status == GRAZE_OK, "%s", graze_status_name(status));
    if (status != GRAZE_OK) return;
    flint_answer answer;
    flint_answer_init(&answer);
    flint_decide(kind, query, separation, t_max, &answer);
    CHECK_QUERY(graze_truth_hit(truth) == answer.hit, kind, query);
    double lower, upper;
    graze_truth_bracket(truth, &lower, &upper);
    if (answer.hit && graze_truth_hit(truth)) {
        CHECK_QUERY(flint_compare(lower, &answer) <= 0 && flint_compare(upper, &answer) >= 0, kind, query);
        if (flint_compare(lower, &answer) == 0 || flint_compare(upper, &answer) == 0)
            CHECK_QUERY(lower == upper, kind, query);
        else
            CHECK_QUERY(upper == nextafter(lower, 2), kind, query);
        double probes[] = {lower, upper, 0, t_max, nextafter(lower, -1), nextafter(upper, 2), 0.5 * lower};
        for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
            CHECK_QUERY(graze_truth_compare(truth, probes[i]) == flint_compare(probes[i], &answer), kind, query);
        int degree = graze_truth_degree(truth);
        CHECK_QUERY(degree >= 1 && degree <= 12, kind, query);
        char *coefficients[13] = {0};
        for (int k = 0; k <= degree && k < 13; k++) {
            size_t length = graze_truth_coefficient(truth, k, NULL, 0);
            coefficients[k] = malloc(length + 1);
            graze_truth_coefficient(truth, k, coefficients[k], length + 1);
        }
        if (degree >= 1 && degree <= 12) CHECK_QUERY(flint_polynomial_fits(coefficients, degree, &answer), kind, query);
        for (int k = 0; k < 13; k++) free(coefficients[k]);
    } else {
        CHECK(isnan(lower) && isnan(upper));
        CHECK(graze_truth_degree(truth) == -1 || graze_truth_hit(truth));
    }
    flint_answer_clear(&answer);
    graze_truth_destroy(NULL, truth);
}

static const graze_kind all_kinds[] = {GRAZE_VF, GRAZE_EE, GRAZE_PE, GRAZE_PP};

/* Small integers: they fall on lines, planes and each other all the time. */
static void lattice_query(test_random *random, int size, graze_query *query) {
    double *x = &query->x0[0][0];
    for (int i = 0; i < 24; i++) x[i] = (double)(int64_t)test_random_below(random, (uint64_t)size) - size / 2;
    if (test_random_below(random, 3) == 0) { /* a point that stands still */
        size_t i = test_random_below(random, 4);
        memcpy(query->x1[i], query->x0[i], sizeof query->x1[i]);
    }
    if (test_random_below(random, 3) == 0) { /* all in one plane */
        for (int i = 0; i < 4; i++) query->x0[i][2] = query->x1[i][2] = 0;
    }
    if (test_random_below(random, 6) == 0) { /* all on one line */
        for (int i = 0; i < 4; i++) query->x0[i][1] = query->x1[i][1] = 0;
    }
}

TEST(exact_agrees_with_flint_on_dyadic_lattices) {
    test_random random = {11};
    for (size_t n = 0; n < wanted_count(); n++)
        for (int k = 0; k < 4; k++) {
            graze_query query;
            lattice_query(&random, 3 + (int)(n % 5), &query);
            compare(all_kinds[k], &query, 0, n % 4 == 0 ? 0.5 : 1);
        }
}

TEST(exact_agrees_with_flint_on_random_queries) {
    test_random random = {12};
    for (size_t n = 0; n < wanted_count(); n++) {
        graze_query query;
        double *x = &query.x0[0][0];
        for (int i = 0; i < 24; i++) x[i] = test_random_between(&random, -1, 1);
        if (n % 3 == 0)
            for (int i = 0; i < 24; i++) x[i] = ldexp(x[i], (int)test_random_below(&random, 40) - 20);
        if (n % 5 == 0)
            for (int i = 0; i < 24; i++) x[i] += 1e7;
        compare(all_kinds[n % 2], &query, 0, 1);
    }
}

TEST(exact_agrees_with_flint_with_a_separation) {
    test_random random = {13};
    for (size_t n = 0; n < wanted_count() / 4; n++)
        for (int k = 0; k < 4; k++) {
            graze_query query;
            lattice_query(&random, 3 + (int)(n % 6), &query);
            static const double separations[] = {1, 0.5, 0.125, 1e-3, 2};
            compare(all_kinds[k], &query, separations[n % 5], 1);
        }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
