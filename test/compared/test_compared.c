/* The compared methods: what each finds, misses and reports without cause is what its mathematics says. Judged by the
   exact oracle on handcrafted families, on lattices, where degenerate pairs abound, and on the public queries. */
#include "check.h"

#include "compared/numerics/polynomial.h"
#include "io/query_csv.h"
#include "scenes/handcraft.h"

#include <float.h>
#include <glob.h>

static const graze_method compared[] = {
    GRAZE_METHOD_IRF, GRAZE_METHOD_UIRF, GRAZE_METHOD_FPRF, GRAZE_METHOD_MSRF, GRAZE_METHOD_RP,
    GRAZE_METHOD_RRP, GRAZE_METHOD_BSC,  GRAZE_METHOD_TCCD, GRAZE_METHOD_ACCD,
};
#define COMPARED_COUNT (sizeof compared / sizeof *compared)

typedef struct truth {
    bool hit, boundary;
    int count; /* of contact times with multiplicity, −1: infinitely many */
    double lower;
} truth;

static truth truth_of(graze_kind kind, const graze_query *query, double separation, double t_max) {
    graze_truth_options options = graze_default_truth_options();
    options.min_separation = separation;
    options.t_max = t_max;
    graze_truth *exact;
    truth t = {0};
    CHECK(graze_truth_find(NULL, kind, query, &options, &exact) == GRAZE_OK);
    if (!exact) return t;
    double upper;
    t.hit = graze_truth_hit(exact);
    t.boundary = graze_truth_on_boundary(exact);
    t.count = graze_truth_contact_count(exact);
    graze_truth_bracket(exact, &t.lower, &upper);
    graze_truth_destroy(NULL, exact);
    return t;
}

static graze_options options_for(graze_method method) {
    graze_options options = graze_default_options();
    options.method = method;
    /* fewer than by default, for the time that the tests take: what they leave is UNRESOLVED, which misses nothing */
    if (method == GRAZE_METHOD_IRF || method == GRAZE_METHOD_UIRF) options.max_checks = 2000;
    return options;
}

/* Asked with a context: the widest integers do not fit on the stack. */
static graze_result ask(graze_kind kind, const graze_query *query, const graze_options *options) {
    static graze_context *context;
    graze_result result = {0};
    if (!context) context = test_context(1, GRAZE_ISA_AUTO);
    CHECK(graze_ccd_batch(context, kind, query, 1, options, &result) == GRAZE_OK);
    return result;
}

static bool says_hit(graze_method method, graze_kind kind, const graze_query *query) {
    graze_options options = options_for(method);
    return ask(kind, query, &options).verdict != GRAZE_CLEAR;
}

/* True for hits that parity can see: roots on the boundary, and odd numbers of roots. */
static bool parity_sees(truth t) { return t.hit && (t.boundary || t.count < 0 || t.count % 2 == 1); }

static graze_query lattice_query(test_random *random, int range) {
    graze_query query;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query.x0[i][c] = (double)test_random_below(random, (uint64_t)(2 * range + 1)) - range;
            query.x1[i][c] = (double)test_random_below(random, (uint64_t)(2 * range + 1)) - range;
        }
    switch (test_random_below(random, 8)) {
    case 0: /* in a plane */
        for (int i = 0; i < 4; i++) query.x0[i][2] = query.x1[i][2] = 0;
        break;
    case 1: /* one point at rest */
        for (int c = 0; c < 3; c++) query.x1[0][c] = query.x0[0][c];
        break;
    }
    return query;
}

typedef void use_query(void *state, graze_kind kind, const graze_query *query);

/* Calls `use` with queries of every family and of lattices. */
static void for_each_query(int of_each, int of_lattices, use_query *use, void *state) {
    for (size_t f = 0; handcraft_get(f); f++)
        for (int i = 0; i < 2 * of_each; i++) {
            graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
            graze_query query;
            handcraft_make(handcraft_get(f), kind, 7, (uint64_t)(i / 2), &query);
            use(state, kind, &query);
        }
    test_random random = {11};
    for (int i = 0; i < of_lattices; i++) {
        graze_query query = lattice_query(&random, 1 + i % 4);
        use(state, i % 8 < 4 ? GRAZE_VF : GRAZE_EE, &query);
    }
}

/* The cubic of a lattice query, and |n|², exact in doubles: its numbers are small integers. */
static void lattice_polynomials(graze_kind kind, const graze_query *query, gz_polynomial *f, gz_polynomial *n2) {
    const int rows[2][3][2] = {{{1, 0}, {1, 2}, {1, 3}}, {{0, 2}, {0, 1}, {2, 3}}};
    gz_polynomial3 line[3];
    for (int k = 0; k < 3; k++)
        for (int c = 0; c < 3; c++) {
            int a = rows[kind == GRAZE_EE][k][0], b = rows[kind == GRAZE_EE][k][1];
            double start = query->x0[b][c] - query->x0[a][c], end = query->x1[b][c] - query->x1[a][c];
            line[k].c[c] = (gz_polynomial){.degree = 1, .c = {start, end - start}};
        }
    gz_polynomial3 n = gz_polynomial3_cross(&line[1], &line[2]);
    *f = gz_polynomial3_dot(&n, &line[0]);
    *n2 = gz_polynomial3_dot(&n, &n);
}

static const graze_query hourglass = {
    .x0 = {{0.1, 0.1, 0.1}, {0, 0, 1}, {1, 0, 1}, {0, 1, 1}},
    .x1 = {{0.1, 0.1, 0.1}, {0, 0, 0}, {0, 1, 0}, {1, 0, 0}},
};
static const graze_query inflected = {
    .x0 = {{1, 1, 0}, {0, 0, 5}, {2, 0, 2}, {0, 1, 0}},
    .x1 = {{1, 1, 0}, {0, 0, -1}, {0, 0, -2}, {0, 7, 0}},
};
static const graze_query coplanar = {
    .x0 = {{1, 0.5, 1}, {0, 0.57, 1}, {1, 0.57, 1}, {1, 1.57, 1}},
    .x1 = {{1, 0.5, 1}, {0, 0.28, 1}, {1, 0.28, 1}, {1, 1.28, 1}},
};

/* Tight Inclusion's paper, appendix B: the published root parity misses this one. */
TEST(root_parity_finds_the_contact_in_the_hourglass) {
    truth t = truth_of(GRAZE_VF, &hourglass, 0, 1);
    CHECK(t.hit && t.count == 1 && !t.boundary);
    CHECK(says_hit(GRAZE_METHOD_RP, GRAZE_VF, &hourglass));
    CHECK(says_hit(GRAZE_METHOD_RRP, GRAZE_VF, &hourglass));
    for (size_t m = 0; m < COMPARED_COUNT; m++) /* an ordinary crossing for everyone else but msrf, which squares it */
        if (compared[m] != GRAZE_METHOD_MSRF) CHECK(says_hit(compared[m], GRAZE_VF, &hourglass));
}

/* Appendix C: the cubic −72t³ + 120t² − 44t + 3 has an inflection at 5/9. The pair does not touch: a false alarm, the
   price of not splitting the curve. */
TEST(bernstein_signs_report_a_collision_at_an_inflection) {
    gz_polynomial f, n2;
    lattice_polynomials(GRAZE_VF, &inflected, &f, &n2);
    CHECK(f.c[3] == -72 && f.c[2] == 120 && f.c[1] == -44 && f.c[0] == 3);
    CHECK(!truth_of(GRAZE_VF, &inflected, 0, 1).hit);
    CHECK(says_hit(GRAZE_METHOD_BSC, GRAZE_VF, &inflected));
    /* up to a time before the inflection the signs tell */
    graze_options options = options_for(GRAZE_METHOD_BSC);
    options.t_max = 0.5;
    CHECK(ask(GRAZE_VF, &inflected, &options).verdict == GRAZE_CLEAR);
}

/* Appendix C, the second query: the published Bernstein signs miss it, and nobody found out why. It is coplanar. */
TEST(bernstein_signs_find_the_coplanar_contact) {
    CHECK(truth_of(GRAZE_VF, &coplanar, 0, 1).hit);
    CHECK(says_hit(GRAZE_METHOD_BSC, GRAZE_VF, &coplanar));
}

typedef struct tally {
    int hits, wrong, even, unresolved;
} tally;

static void check_interval_methods(void *state, graze_kind kind, const graze_query *query) {
    tally *n = state;
    const graze_method methods[] = {GRAZE_METHOD_IRF, GRAZE_METHOD_UIRF};
    const double separations[] = {0, 0x1p-4};
    for (int s = 0; s < 2; s++) {
        truth t = truth_of(kind, query, separations[s], 1);
        n->hits += t.hit;
        for (int m = 0; m < 2; m++) {
            graze_options options = options_for(methods[m]);
            options.min_separation = separations[s];
            graze_result result = ask(kind, query, &options);
            CHECK_QUERY(!t.hit || result.verdict != GRAZE_CLEAR, kind, query);
            CHECK_QUERY(!t.hit || result.toi <= t.lower, kind, query);
            CHECK_QUERY(result.verdict != GRAZE_CLEAR || result.toi == 1, kind, query);
            n->unresolved += result.verdict == GRAZE_UNRESOLVED;
        }
    }
}

TEST(interval_root_finders_miss_nothing_and_are_never_late) {
    tally n = {0};
    for_each_query(12, 1500, check_interval_methods, &n);
    CHECK(n.hits > 1000);
}

TEST(interval_root_finders_are_safe_when_the_budget_ends) {
    test_random random = {21};
    int unresolved = 0;
    for (int i = 0; i < 600; i++) {
        graze_query query = lattice_query(&random, 3);
        graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
        truth t = truth_of(kind, &query, 0, 1);
        for (int m = 0; m < 2; m++) {
            graze_options options = options_for(m ? GRAZE_METHOD_UIRF : GRAZE_METHOD_IRF);
            options.max_checks = 1 + test_random_below(&random, 60);
            graze_result result = ask(kind, &query, &options);
            unresolved += result.verdict == GRAZE_UNRESOLVED;
            CHECK_QUERY(result.verdict != GRAZE_UNRESOLVED || result.reason == GRAZE_REASON_BUDGET, kind, &query);
            CHECK_QUERY(!t.hit || (result.verdict != GRAZE_CLEAR && result.toi <= t.lower), kind, &query);
            CHECK(result.checks <= options.max_checks);
        }
    }
    CHECK(unresolved > 100);
}

/* A smaller δ drops more false alarms: the vertex leaves over the long side, and is 1e-3 beyond it when it goes through
   the plane. */
TEST(delta_is_a_length) {
    graze_query query = {
        .x0 = {{-0.499, -0.499, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        .x1 = {{1.501, 1.501, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
    };
    for (int m = 0; m < 2; m++) {
        graze_options options = graze_default_options();
        options.method = m ? GRAZE_METHOD_UIRF : GRAZE_METHOD_IRF;
        options.tolerance = 1e-1;
        CHECK(ask(GRAZE_VF, &query, &options).verdict == GRAZE_HIT);
        options.tolerance = 1e-5;
        CHECK(ask(GRAZE_VF, &query, &options).verdict == GRAZE_CLEAR);
    }
}

static void check_parity(void *state, graze_kind kind, const graze_query *query) {
    tally *n = state;
    truth t = truth_of(kind, query, 0, 1);
    n->hits += t.hit;
    n->even += t.hit && !parity_sees(t);
    CHECK_QUERY(says_hit(GRAZE_METHOD_RP, kind, query) == parity_sees(t), kind, query);
    CHECK_QUERY(says_hit(GRAZE_METHOD_RRP, kind, query) == parity_sees(t), kind, query);
}

TEST(root_parity_misses_exactly_the_even_counts_off_the_boundary) {
    tally n = {0};
    for_each_query(40, 10000, check_parity, &n);
    CHECK(n.hits > 3000);
    CHECK(n.even > 200);
}

TEST(root_parity_keeps_to_the_time_it_is_given) {
    test_random random = {31};
    const double ends[] = {0.5, 0.3, 0x1p-30, 1 - 0x1p-53};
    for (int i = 0; i < 2000; i++) {
        graze_query query = lattice_query(&random, 3);
        graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
        graze_options rp = options_for(GRAZE_METHOD_RP), rrp = options_for(GRAZE_METHOD_RRP);
        rp.t_max = rrp.t_max = ends[i % 4];
        bool expected = parity_sees(truth_of(kind, &query, 0, ends[i % 4]));
        CHECK_QUERY((ask(kind, &query, &rp).verdict == GRAZE_HIT) == expected, kind, &query);
        CHECK_QUERY((ask(kind, &query, &rrp).verdict == GRAZE_HIT) == expected, kind, &query);
    }
}

/* Some signs come from doubles and some from integers: both speak of the same ray, whatever the unit of each axis. */
TEST(root_parity_does_not_depend_on_the_units_of_the_axes) {
    test_random random = {32};
    const double ends[] = {1, 0.75, 0.3, 1};
    size_t hits = 0;
    for (int i = 0; i < 4000; i++) {
        graze_query query = lattice_query(&random, 3);
        graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
        graze_options rp = options_for(GRAZE_METHOD_RP), rrp = options_for(GRAZE_METHOD_RRP);
        rp.t_max = rrp.t_max = ends[i / 2 % 4];
        for (int c = 0; c < 3; c++) {
            int exponent = test_random_below(&random, 2) ? -(int)test_random_below(&random, 200) : 0;
            for (int row = 0; row < 4; row++) {
                query.x0[row][c] = ldexp(query.x0[row][c], exponent);
                query.x1[row][c] = ldexp(query.x1[row][c], exponent);
            }
        }
        /* one coordinate that is finer than its axis, as in ordinary data */
        if (i % 3 == 0) query.x0[test_random_below(&random, 4)][test_random_below(&random, 3)] += 0x1p-46;
        bool expected = parity_sees(truth_of(kind, &query, 0, rp.t_max));
        CHECK_QUERY((ask(kind, &query, &rp).verdict == GRAZE_HIT) == expected, kind, &query);
        CHECK_QUERY((ask(kind, &query, &rrp).verdict == GRAZE_HIT) == expected, kind, &query);
        hits += expected;
    }
    CHECK(hits > 200);
    const double s = 0x1p-200;
    graze_query edges = {.x0 = {{-.125, -1, 0}, {.375, 3, s}, {.125, 1, 0}, {-.125, -1, -s}},
                         .x1 = {{0, -1, 2 * s}, {.375, -1, -s}, {.25, 1, -3 * s}, {-.125, -3, s}}};
    CHECK(!says_hit(GRAZE_METHOD_RP, GRAZE_EE, &edges));
    CHECK(!says_hit(GRAZE_METHOD_RRP, GRAZE_EE, &edges));
    graze_query shrinking = {.x0 = {{-1, 0, 4}, {3, 4, -2}, {0x1p-46, 1, -3}, {5, -5, 1}}};
    graze_options part = options_for(GRAZE_METHOD_RP);
    part.t_max = 0.75;
    CHECK(ask(GRAZE_EE, &shrinking, &part).verdict == GRAZE_CLEAR);
}

static bool vanishes_somewhere(const gz_polynomial *p) {
    double turns[GZ_POLYNOMIAL_DEGREE + 2];
    int count = gz_polynomial_turns(p, 1, turns);
    double least = fmin(gz_polynomial_value(p, 0), gz_polynomial_value(p, 1));
    for (int i = 0; i < count; i++) least = fmin(least, gz_polynomial_value(p, turns[i]));
    return least < 1e-9;
}

static void check_no_miss(void *state, graze_kind kind, const graze_query *query) {
    tally *n = state;
    truth t = truth_of(kind, query, 0, 1);
    n->hits += t.hit;
    CHECK_QUERY(!t.hit || says_hit(GRAZE_METHOD_BSC, kind, query), kind, query);
    CHECK_QUERY(!t.hit || says_hit(GRAZE_METHOD_TCCD, kind, query), kind, query);
}

TEST(bernstein_signs_miss_nothing) {
    tally n = {0};
    for_each_query(40, 10000, check_no_miss, &n);
    CHECK(n.hits > 3000);
}

TEST(bernstein_signs_are_wrong_only_at_inflections_and_where_a_normal_vanishes) {
    test_random random = {41};
    int inflections = 0, flat = 0, crossings = 0;
    for (int i = 0; i < 10000; i++) {
        graze_query query = lattice_query(&random, 1 + i % 4);
        graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
        bool hit = truth_of(kind, &query, 0, 1).hit, said = says_hit(GRAZE_METHOD_BSC, kind, &query);
        gz_polynomial f, n2;
        lattice_polynomials(kind, &query, &f, &n2);
        bool inflection = f.c[2] * (f.c[2] + 3 * f.c[3]) < 0, degenerate = vanishes_somewhere(&n2);
        crossings += hit && said && !inflection;
        if (said == hit) continue;
        inflections += inflection;
        flat += !inflection;
        CHECK_QUERY(inflection || degenerate, kind, &query);
    }
    CHECK(inflections > 500 && crossings > 500);
    CHECK(flat > 0);
}

TEST(tightccd_reports_every_coplanar_motion) {
    test_random random = {51};
    int clear = 0;
    for (int i = 0; i < 4000; i++) {
        graze_query query;
        graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
        if (i < 2000) {
            handcraft_make(handcraft_find("coplanar"), kind, 3, (uint64_t)i, &query);
        } else {
            /* in the plane x + y + z = 1, anywhere */
            for (int k = 0; k < 4; k++)
                for (int end = 0; end < 2; end++) {
                    double *x = end ? query.x1[k] : query.x0[k];
                    x[0] = ldexp((double)test_random_below(&random, 1 << 20), -10);
                    x[1] = ldexp((double)test_random_below(&random, 1 << 20), -10);
                    x[2] = 1 - x[0] - x[1];
                }
        }
        clear += !truth_of(kind, &query, 0, 1).hit;
        CHECK_QUERY(says_hit(GRAZE_METHOD_TCCD, kind, &query), kind, &query);
    }
    CHECK(clear > 1000);
}

TEST(tightccd_uses_its_inside_constraints) {
    test_random random = {52};
    int passed_by = 0, cleared = 0;
    for (int i = 0; i < 2000; i++) {
        /* the vertex goes through the plane of the face, well beside it */
        graze_query query = {.x0 = {{0, 0, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                             .x1 = {{0, 0, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
        for (int k = 0; k < 4; k++)
            for (int c = 0; c < 3; c++) {
                query.x0[k][c] += test_random_between(&random, -0.1, 0.1);
                query.x1[k][c] += test_random_between(&random, -0.1, 0.1);
            }
        double side = test_random_between(&random, 2, 5);
        query.x0[0][0] += side, query.x1[0][0] += side;
        passed_by++;
        cleared += !says_hit(GRAZE_METHOD_TCCD, GRAZE_VF, &query);
    }
    CHECK_MSG(cleared > passed_by / 2, "%d of %d", cleared, passed_by);
}

/* An ordinary contact: the vertex goes through the middle of a face that turns a little. */
static graze_query crossing_query(test_random *random) {
    graze_query query = {.x0 = {{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                         .x1 = {{0.25, 0.25, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    for (int k = 0; k < 4; k++)
        for (int c = 0; c < 3; c++) {
            query.x0[k][c] += test_random_between(random, -0.1, 0.1);
            query.x1[k][c] += test_random_between(random, -0.1, 0.1);
        }
    return query;
}

TEST(the_floating_point_cubic_finds_ordinary_contacts_at_their_time) {
    test_random random = {61};
    for (int i = 0; i < 2000; i++) {
        graze_query query = crossing_query(&random);
        truth t = truth_of(GRAZE_VF, &query, 0, 1);
        CHECK_QUERY(t.hit, GRAZE_VF, &query);
        graze_options options = options_for(GRAZE_METHOD_FPRF);
        graze_result result = ask(GRAZE_VF, &query, &options);
        CHECK_QUERY(result.verdict == GRAZE_HIT && fabs(result.toi - t.lower) < 1e-12, GRAZE_VF, &query);
        CHECK_QUERY(result.u >= 0 && result.v >= 0 && result.u + result.v <= 1 + 1e-12, GRAZE_VF, &query);
    }
}

TEST(the_floating_point_cubic_misses_a_contact_in_coplanar_motion) {
    CHECK(truth_of(GRAZE_VF, &coplanar, 0, 1).hit);
    CHECK(!says_hit(GRAZE_METHOD_FPRF, GRAZE_VF, &coplanar));
}

/* Crossed edges that become parallel at the one time at which they are coplanar, one end on the other edge. */
TEST(the_floating_point_cubic_handles_parallel_edges) {
    const graze_query query = {
        .x0 = {{0, 0, 0}, {1, 0, 0}, {0.5, 0, 1}, {1.5, 0, 1}},
        .x1 = {{0, 0, 0}, {1, 0, 0}, {0.5, 1, -1}, {1.5, -1, -1}},
    };
    truth t = truth_of(GRAZE_EE, &query, 0, 1);
    graze_options options = options_for(GRAZE_METHOD_FPRF);
    graze_result result = ask(GRAZE_EE, &query, &options);
    CHECK(t.hit == (result.verdict == GRAZE_HIT));
}

TEST(eta_widens_the_inside_test_of_the_floating_point_cubic) {
    /* through the plane, 1e-3 beside the edge y = 0 */
    const graze_query query = {
        .x0 = {{0.3, -1e-3, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        .x1 = {{0.3, -1e-3, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
    };
    graze_options options = options_for(GRAZE_METHOD_FPRF);
    CHECK(ask(GRAZE_VF, &query, &options).verdict == GRAZE_CLEAR);
    options.inside_tolerance = 1e-4;
    CHECK(ask(GRAZE_VF, &query, &options).verdict == GRAZE_CLEAR);
    options.inside_tolerance = 1e-2;
    CHECK(ask(GRAZE_VF, &query, &options).verdict == GRAZE_HIT);
}

TEST(eta_sees_pairs_that_come_near_without_being_coplanar) {
    /* heights of the vertex above the face at both ends, and the least between them */
    const double heights[4][3] = {{1e-3, 1, 1e-3}, {1, 1e-3, 1e-3}, {1, 1, 1}, {1e-3, 1e-3, 1e-3}};
    for (int i = 0; i < 4; i++) {
        const graze_query query = {
            .x0 = {{0.2, 0.2, heights[i][0]}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
            .x1 = {{0.2, 0.2, heights[i][1]}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        };
        graze_options options = options_for(GRAZE_METHOD_FPRF);
        options.inside_tolerance = 1e-2;
        graze_result result = ask(GRAZE_VF, &query, &options);
        CHECK((result.verdict == GRAZE_HIT) == (heights[i][2] < 1e-2));
        if (result.verdict == GRAZE_HIT) CHECK(result.toi == (heights[i][0] < 1e-2 ? 0 : 1));
        options.inside_tolerance = 0;
        CHECK(ask(GRAZE_VF, &query, &options).verdict == GRAZE_CLEAR);
    }
    /* nearest in the middle: the face turns towards the vertex and away again */
    graze_query near_graze;
    int found = 0, alone = 0;
    for (uint64_t i = 0; i < 200; i++) {
        handcraft_make(handcraft_find("near-graze"), GRAZE_VF, 3, i, &near_graze);
        graze_options options = options_for(GRAZE_METHOD_FPRF);
        alone += ask(GRAZE_VF, &near_graze, &options).verdict == GRAZE_HIT;
        options.inside_tolerance = 1e-6;
        found += ask(GRAZE_VF, &near_graze, &options).verdict == GRAZE_HIT;
    }
    CHECK_MSG(found == 200 && alone < 200, "%d, %d", found, alone);
}

TEST(the_separation_root_finder_agrees_with_the_oracle_where_it_is_well_posed) {
    test_random random = {71};
    int hits = 0;
    for (int i = 0; i < 2000; i++) {
        graze_query query = crossing_query(&random);
        double d = test_random_between(&random, 0.01, 0.3);
        double side = i % 2 ? test_random_between(&random, 0.5, 1.5) : 0; /* past an edge or a corner */
        query.x0[0][0] += side, query.x1[0][0] += side;
        truth t = truth_of(GRAZE_VF, &query, d, 1);
        graze_options options = options_for(GRAZE_METHOD_MSRF);
        options.min_separation = d;
        graze_result result = ask(GRAZE_VF, &query, &options);
        hits += t.hit;
        CHECK_QUERY(t.hit == (result.verdict == GRAZE_HIT), GRAZE_VF, &query);
        if (t.hit) CHECK_QUERY(fabs(result.toi - t.lower) < 1e-6, GRAZE_VF, &query);
    }
    CHECK(hits > 1000 && hits < 1990);
}

TEST(the_separation_root_finder_misses_contacts_as_the_separation_vanishes) {
    const double separations[] = {1e-3, 1e-100};
    int misses[2] = {0};
    test_random random = {72};
    for (int i = 0; i < 2000; i++) {
        graze_query query = crossing_query(&random);
        for (int s = 0; s < 2; s++) {
            graze_options options = options_for(GRAZE_METHOD_MSRF);
            options.min_separation = separations[s];
            misses[s] += ask(GRAZE_VF, &query, &options).verdict == GRAZE_CLEAR;
        }
    }
    CHECK_MSG(misses[0] == 0 && misses[1] > 50, "%d, %d", misses[0], misses[1]);
}

TEST(additive_advancement_stops_at_a_tenth_of_the_start_gap) {
    /* straight at the face, from 1 to the height h */
    const double heights[] = {0.5, 0.2, 0.05, 0, -1};
    for (int i = 0; i < 5; i++) {
        graze_query query = {.x0 = {{0.2, 0.2, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                             .x1 = {{0.2, 0.2, heights[i]}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
        graze_options options = options_for(GRAZE_METHOD_ACCD);
        graze_result result = ask(GRAZE_VF, &query, &options);
        CHECK_MSG((result.verdict == GRAZE_HIT) == (heights[i] < 0.1), "height %g", heights[i]);
        if (result.verdict == GRAZE_HIT) {
            double gap = 1 + result.toi * (heights[i] - 1);
            CHECK_MSG(gap >= 0.1 * 0.1 && gap <= 1, "height %g: stops at a gap of %g", heights[i], gap);
        }
    }
}

/* Contacts far from the origin in units of their size: distances lose their digits, and nothing accounts for it. */
TEST(additive_advancement_is_not_conservative) {
    int late = 0, missed = 0;
    for (uint64_t i = 0; i < 1000; i++) {
        graze_query query;
        graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
        handcraft_make(handcraft_find("rounded"), kind, 5, i, &query);
        truth t = truth_of(kind, &query, 0, 1);
        if (!t.hit) continue;
        graze_options options = options_for(GRAZE_METHOD_ACCD);
        graze_result result = ask(kind, &query, &options);
        missed += result.verdict == GRAZE_CLEAR;
        late += result.verdict == GRAZE_HIT && result.toi > t.lower;
    }
    CHECK_MSG(late > 0 && missed > 0, "late %d, missed %d", late, missed);
}

TEST(only_methods_that_take_a_separation_take_one) {
    for (size_t m = 0; m < COMPARED_COUNT; m++) {
        bool takes = compared[m] == GRAZE_METHOD_IRF || compared[m] == GRAZE_METHOD_UIRF ||
                     compared[m] == GRAZE_METHOD_MSRF || compared[m] == GRAZE_METHOD_ACCD;
        graze_options options = options_for(compared[m]);
        graze_result result;
        CHECK(graze_ccd(GRAZE_VF, &hourglass, &options, &result) == GRAZE_OK);
        options.min_separation = 0.01;
        graze_status status = graze_ccd(GRAZE_VF, &hourglass, &options, &result);
        CHECK(status == (takes ? GRAZE_OK : GRAZE_ERR_UNSUPPORTED));
        options.min_separation = 0;
        CHECK(graze_ccd(GRAZE_PP, &hourglass, &options, &result) == GRAZE_ERR_UNSUPPORTED);
        const graze_method_info *info = graze_method_get(compared[m]);
        CHECK(info->conservative == (compared[m] == GRAZE_METHOD_IRF || compared[m] == GRAZE_METHOD_UIRF));
    }
}

TEST(clear_and_hit_carry_the_documented_fields) {
    const graze_query apart = {
        .x0 = {{0, 0, 9}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
        .x1 = {{0, 0, 8}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
    };
    for (size_t m = 0; m < COMPARED_COUNT; m++) {
        graze_options options = options_for(compared[m]);
        options.t_max = 0.75;
        graze_result result = ask(GRAZE_VF, &apart, &options);
        CHECK(result.verdict == GRAZE_CLEAR && result.toi == 0.75 && result.toi_upper == INFINITY && isnan(result.u));
        options.t_max = 1;
        options.min_separation = compared[m] == GRAZE_METHOD_MSRF ? 0.001 : 0;
        result = ask(GRAZE_VF, &hourglass, &options);
        CHECK(result.verdict == GRAZE_HIT);
        CHECK(graze_method_get(compared[m])->gives_toi == (result.toi > 0));
        CHECK(isfinite(result.u) == (result.toi > 0));
        CHECK(result.proven == (result.toi_upper < INFINITY));
    }
}

/* Coordinates from the least subnormal to the largest that are taken: no overflow, no hang, no crash; and the
   conservative ones stay so. */
TEST(extreme_coordinates_are_survived) {
    test_random random = {81};
    int hits = 0, unresolved = 0;
    for (int i = 0; i < 400; i++) {
        graze_query query = lattice_query(&random, 2);
        for (int k = 0; k < 4; k++)
            for (int c = 0; c < 3; c++) {
                int exponent = i % 4 == 0 ? 158 : i % 4 == 1 ? -1074 : (int)test_random_below(&random, 1232) - 1074;
                query.x0[k][c] = ldexp(query.x0[k][c], exponent);
                query.x1[k][c] = ldexp(query.x1[k][c], exponent);
            }
        graze_kind kind = i % 2 ? GRAZE_EE : GRAZE_VF;
        truth t = truth_of(kind, &query, 0, 1);
        hits += t.hit;
        for (size_t m = 0; m < COMPARED_COUNT; m++) {
            graze_options options = options_for(compared[m]);
            if (!options.max_checks || options.max_checks > 2000) options.max_checks = 2000;
            graze_result result = ask(kind, &query, &options), alone;
            CHECK_QUERY(result.toi >= 0 && result.toi <= 1, kind, &query);
            if (compared[m] == GRAZE_METHOD_RP || compared[m] == GRAZE_METHOD_RRP)
                CHECK_QUERY((result.verdict == GRAZE_HIT) == parity_sees(t), kind, &query);
            if (m < 2 || compared[m] == GRAZE_METHOD_BSC || compared[m] == GRAZE_METHOD_TCCD)
                CHECK_QUERY(!t.hit || result.verdict != GRAZE_CLEAR, kind, &query);
            /* without a context: the same, or out of memory */
            CHECK(graze_ccd(kind, &query, &options, &alone) == GRAZE_OK);
            CHECK_QUERY(alone.verdict == result.verdict || alone.reason == GRAZE_REASON_MEMORY, kind, &query);
            unresolved += alone.reason == GRAZE_REASON_MEMORY;
        }
    }
    CHECK(hits > 50);
    CHECK(unresolved > 0);
}

/* Coordinates over the whole range of exponents: integers too wide for the stack. */
TEST(no_memory_is_unresolved) {
    test_random random = {82};
    graze_context_options limited = graze_default_context_options();
    limited.memory_limit = 128 << 10; /* the scratch of one worker, and no more */
    graze_context *context;
    CHECK(graze_context_create(&limited, &context) == GRAZE_OK);
    const graze_method methods[] = {GRAZE_METHOD_RP, GRAZE_METHOD_RRP, GRAZE_METHOD_BSC};
    int without[3] = {0};
    for (int i = 0; i < 100; i++) {
        graze_query query;
        for (int k = 0; k < 24; k++)
            (&query.x0[0][0])[k] = ldexp(test_random_between(&random, -1, 1), k % 5 ? 150 : -1000);
        if (i % 2) /* coplanar, which needs the widest */
            for (int k = 0; k < 4; k++) query.x0[k][2] = query.x1[k][2] = 0;
        for (int m = 0; m < 3 && context; m++) {
            graze_options options = options_for(methods[m]);
            graze_result result;
            CHECK(graze_ccd_batch(context, GRAZE_EE, &query, 1, &options, &result) == GRAZE_OK);
            CHECK(result.verdict != GRAZE_UNRESOLVED || result.reason == GRAZE_REASON_MEMORY);
            CHECK(result.verdict != GRAZE_UNRESOLVED || result.toi == 0);
            without[m] += result.verdict == GRAZE_UNRESOLVED;
            CHECK_QUERY(ask(GRAZE_EE, &query, &options).verdict != GRAZE_UNRESOLVED, GRAZE_EE, &query);
        }
    }
    CHECK_MSG(without[2] > 5, "%d %d %d", without[0], without[1], without[2]);
    graze_context_destroy(context);
}

static int cancel_at_third_call(void *user) { return ++*(int *)user > 2; }

/* A coplanar pair that does not touch: by nature the slowest case of uirf, here without a budget. */
TEST(a_long_search_is_cancelled) {
    graze_query query = coplanar;
    query.x0[0][0] = query.x1[0][0] = 1.25;
    CHECK(!truth_of(GRAZE_VF, &query, 0, 1).hit);
    int calls = 0;
    graze_context_options cancelling = graze_default_context_options();
    cancelling.cancel = cancel_at_third_call;
    cancelling.cancel_user = &calls;
    graze_context *context;
    CHECK(graze_context_create(&cancelling, &context) == GRAZE_OK);
    graze_options options = options_for(GRAZE_METHOD_UIRF);
    options.tolerance = 1e-12;
    options.max_checks = UINT64_MAX;
    graze_result result;
    CHECK(graze_ccd_batch(context, GRAZE_VF, &query, 1, &options, &result) == GRAZE_OK);
    CHECK(result.verdict == GRAZE_UNRESOLVED && result.reason == GRAZE_REASON_CANCELLED);
    CHECK(result.checks < 100000);
    graze_context_destroy(context);
}

#define BATCH 600

TEST(batch_bits_do_not_depend_on_thread_count) {
    static graze_query queries[BATCH];
    static graze_result one[BATCH], many[BATCH];
    test_random random = {91};
    for (int i = 0; i < BATCH; i++) queries[i] = lattice_query(&random, 3);
    for (size_t m = 0; m < COMPARED_COUNT; m++)
        for (int kind = GRAZE_VF; kind <= GRAZE_EE; kind++) {
            graze_options options = options_for(compared[m]);
            graze_context *alone = test_context(1, GRAZE_ISA_AUTO), *team = test_context(5, GRAZE_ISA_AUTO);
            CHECK(graze_ccd_batch(alone, (graze_kind)kind, queries, BATCH, &options, one) == GRAZE_OK);
            CHECK(graze_ccd_batch(team, (graze_kind)kind, queries, BATCH, &options, many) == GRAZE_OK);
            CHECK_MSG(memcmp(one, many, sizeof one) == 0, "method %s", graze_method_get(compared[m])->name);
            for (int i = 0; i < BATCH; i += 37) {
                graze_result single;
                CHECK(graze_ccd((graze_kind)kind, &queries[i], &options, &single) == GRAZE_OK);
                CHECK(memcmp(&single, &one[i], sizeof single) == 0);
            }
            graze_context_destroy(alone);
            graze_context_destroy(team);
        }
}

static void check_file(const char *path, graze_kind kind) {
    io_queries file;
    io_error error;
    bool read = io_read_query_csv(path, &file, &error);
    CHECK(read);
    if (!read) return;
    for (size_t i = 0; i < file.count; i++) {
        const graze_query *query = &file.queries[i];
        truth t = truth_of(kind, query, 0, 1);
        CHECK_QUERY(!file.truth || t.hit == file.truth[i], kind, query);
        CHECK_QUERY(says_hit(GRAZE_METHOD_RP, kind, query) == parity_sees(t), kind, query);
        CHECK_QUERY(says_hit(GRAZE_METHOD_RRP, kind, query) == parity_sees(t), kind, query);
        const graze_method sure[] = {GRAZE_METHOD_IRF, GRAZE_METHOD_UIRF, GRAZE_METHOD_BSC, GRAZE_METHOD_TCCD};
        for (int m = 0; m < 4; m++) CHECK_QUERY(!t.hit || says_hit(sure[m], kind, query), kind, query);
    }
    io_free_queries(&file);
}

TEST(public_queries_are_answered_as_the_mathematics_says) {
    if (!test_data_folder()) return;
    const char *folders[] = {"queries/*/vertex-face/*", "queries/*/edge-edge/*", "scenes/*/queries/*vf",
                             "scenes/*/queries/*ee"};
    size_t files = 0;
    for (int k = 0; k < 4; k++) {
        char pattern[4096];
        snprintf(pattern, sizeof pattern, "%s/%s.csv", test_data_folder(), folders[k]);
        glob_t found;
        if (glob(pattern, 0, NULL, &found) != 0) continue;
        for (size_t i = 0; i < found.gl_pathc; i++) check_file(found.gl_pathv[i], k % 2 ? GRAZE_EE : GRAZE_VF);
        files += found.gl_pathc;
        globfree(&found);
    }
    CHECK(files > 0);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
