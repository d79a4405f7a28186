/* Tiny separations, decided between none and a larger one: held against the integers of the separation itself. */
#include "check.h"

#include "exact/tiny.h"

#include <float.h>

enum { RANDOM, LATTICE, HALVES, AT_START, NEAR_MISS, FLAT, STYLES };

static double coordinate(test_random *random, int style) {
    double x = test_random_between(random, -1, 1);
    if (style == RANDOM) return x;
    return floor(3 * x); /* on a lattice many pairs meet on an edge, at a corner or not at all */
}

static graze_query some_query(test_random *random, int style) {
    graze_query query;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query.x0[i][c] = coordinate(random, style);
            query.x1[i][c] = coordinate(random, style);
            if (style == AT_START && i == 0) query.x0[0][c] = query.x0[2][c];
            if (style == FLAT && c == 2) query.x0[i][c] = query.x1[i][c] = 0;
        }
    if (style == HALVES) /* the first point is where others are half-way */
        for (int c = 0; c < 3; c++) query.x1[0][c] = query.x0[2][c] + query.x1[2][c] - query.x0[0][c];
    if (style == NEAR_MISS) query.x0[0][0] += ldexp(1, -40 - (int)test_random_below(random, 20));
    return query;
}

static bool overlap(const double a[2], const double b[2]) { return a[0] <= b[1] && b[0] <= a[1]; }

/* Returns whether the quick way decided. */
static bool compare(graze_kind kind, const graze_query *query, double separation, double t_max, long *hits) {
    gz_exact_question question = {.kind = kind, .query = query, .separation = separation, .t_max = t_max};
    gz_exact_answer answer;
    if (!gz_decide_tiny((gz_arena_home){.heap = true}, &question, &answer)) return false;
    graze_truth_options options = graze_default_truth_options();
    options.min_separation = separation;
    options.t_max = t_max;
    graze_truth *truth;
    double lower, upper, u[2], v[2];
    CHECK(graze_truth_find(NULL, kind, query, &options, &truth) == GRAZE_OK);
    graze_truth_bracket(truth, &lower, &upper);
    graze_truth_parameters(truth, u, v);
    CHECK_QUERY(answer.hit == graze_truth_hit(truth), kind, query);
    if (answer.hit) {
        CHECK_QUERY(answer.lower == lower && answer.upper == upper, kind, query);
        CHECK_QUERY(upper == 0 || (overlap(answer.u, u) && overlap(answer.v, v)), kind, query);
        CHECK_QUERY(answer.u[0] >= 0 && answer.u[1] <= 1 && answer.u[1] - answer.u[0] <= 0x1p-40, kind, query);
    } else {
        CHECK(isnan(answer.lower) && isnan(answer.upper) && isnan(answer.u[0]) && isnan(answer.v[1]));
    }
    *hits += answer.hit;
    graze_truth_destroy(NULL, truth);
    return true;
}

TEST(tiny_separations_are_decided_as_their_own_integers_decide) {
    static const double separations[] = {0x1p-1074, 0x1.8p-1060, 0x1p-700, 0x1.23456789p-300, 0x1p-260};
    test_random random = {17};
    for (int style = 0; style < STYLES; style++) {
        long quick = 0, all = 0, hits = 0;
        for (int i = 0; i < 240; i++) {
            graze_query query = some_query(&random, style);
            graze_kind kind = (graze_kind)(i % 4);
            double t_max = i % 3 ? 1 : 0.5;
            quick += compare(kind, &query, separations[i % 5], t_max, &hits);
            all++;
        }
        CHECK_MSG(10 * quick > 7 * all && hits > 0, "style %d: %ld of %ld, %ld hits", style, quick, all, hits);
    }
}

/* The quick way leaves it open, or agrees with the integers of the separation. */
static void check_open(graze_kind kind, const graze_query *query, double separation, bool hit) {
    gz_exact_question question = {.kind = kind, .query = query, .separation = separation, .t_max = 1};
    gz_exact_answer answer;
    long hits = 0;
    CHECK(!gz_decide_tiny((gz_arena_home){.heap = true}, &question, &answer));
    compare(kind, query, separation, 1, &hits);
    CHECK(gz_exact_decide(NULL, 0, kind, query, separation, 1, &answer) && answer.hit == hit);
}

TEST(where_touching_and_the_larger_separation_differ_nothing_is_concluded) {
    /* a vertex goes by an edge of integers at 2^-85: neither does it touch, nor does it keep the larger separation */
    graze_query passing = {{{1671544918495, 2299871959188, 2668188509655},
                            {0, 0, 0},
                            {4210769007273, 790939583323, 0},
                            {790939583323, -4210769007273, 0}},
                           {{3136918051519, -4132597244507, -6344109790919},
                            {0, 0, 0},
                            {4210769007273, 790939583323, 0},
                            {790939583323, -4210769007273, 0}}};
    check_open(GRAZE_VF, &passing, 0x1.0000000000001p-80, true);
    check_open(GRAZE_VF, &passing, 0x1p-500, false);
    /* contact at a double root: a little separation brings it forward by much */
    graze_query grazing = {{{0.375, 0.25, -0.25}, {0, 0, 0}, {1, 0, -1}, {0, 1, 0}},
                           {{0.125, 0.25, 0.25}, {0, 0, 0}, {1, 0, 1}, {0, 1, 0}}};
    check_open(GRAZE_VF, &grazing, 0x1.0000000000001p-86, true);
}

TEST(a_pair_that_only_the_separation_brings_together_is_left_to_its_own_integers) {
    /* a vertex passes an edge of the triangle at 2^-200, which is less than the larger separation */
    graze_query query = {{{0.5, -0x1p-52, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                         {{0.5, -0x1p-52, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    gz_exact_answer answer;
    long hits = 0;
    CHECK(compare(GRAZE_VF, &query, 0x1p-1074, 1, &hits) && hits == 0);
    query.x0[0][1] = query.x1[0][1] = 0;
    query.x0[0][2] = query.x1[0][2] = 0x1p-1000; /* above the edge, at rest */
    gz_exact_question question = {.kind = GRAZE_VF, .query = &query, .separation = 0x1p-1000, .t_max = 1};
    CHECK(!gz_decide_tiny((gz_arena_home){.heap = true}, &question, &answer)); /* not tiny beside such coordinates */
    CHECK(gz_exact_decide(NULL, 0, GRAZE_VF, &query, 0x1p-1000, 1, &answer) && answer.hit && answer.upper == 0);
    CHECK(gz_exact_decide(NULL, 0, GRAZE_VF, &query, 0x1p-1001, 1, &answer) && !answer.hit);
}

TEST(ordinary_separations_are_not_tiny) {
    test_random random = {3};
    graze_query query = some_query(&random, RANDOM);
    gz_exact_answer answer;
    static const double separations[] = {0, 1e-3, 0x1p-60, 0x1p-100, 1e-300};
    for (int i = 0; i < 5; i++) {
        gz_exact_question question = {.kind = GRAZE_EE, .query = &query, .separation = separations[i], .t_max = 1};
        CHECK(gz_decide_tiny((gz_arena_home){.heap = true}, &question, &answer) == (i == 4));
        question.separation = 1e-300;
        question.radii[0] = 0.1;
        CHECK(!gz_decide_tiny((gz_arena_home){.heap = true}, &question, &answer));
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
