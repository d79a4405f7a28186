/* `certified` and `exact` as their callers see them: against contacts made by construction, against the exact oracle,
   and by the properties that any right answer has. */
#include "check.h"

#include "narrow/certified.h"
#include "pair/motion.h"

static graze_options with_method(graze_method method) {
    graze_options options = graze_default_options();
    options.method = method;
    return options;
}

static graze_result answer(graze_method method, graze_kind kind, const graze_query *query, double separation,
                           double t_max) {
    graze_options options = with_method(method);
    options.min_separation = separation;
    options.t_max = t_max;
    graze_result result;
    CHECK_QUERY(graze_ccd(kind, query, &options, &result) == GRAZE_OK, kind, query);
    return result;
}

static bool same_bits(const graze_result *a, const graze_result *b) { return memcmp(a, b, sizeof *a) == 0; }

static const graze_method ours[2] = {GRAZE_METHOD_CERTIFIED, GRAZE_METHOD_EXACT};

/* ---- queries ---- */

/* Coordinates of one query are alike: smooth, on a small lattice (ties, coplanar motion, contact on edges and at the
   ends of the step), flat, far from the origin, tiny, or a near miss. */
static void random_query(test_random *random, graze_query *query) {
    int style = (int)test_random_below(random, 8);
    double unit = style == 4 ? 0x1p-30 : style == 5 ? 0x1p-540 : style == 6 ? 0x1p150 : 1;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            double a = test_random_between(random, -1, 1), b = test_random_between(random, -1, 1);
            if (style == 1 || style == 2) {
                a = (double)test_random_below(random, 7) - 3;
                b = (double)test_random_below(random, 7) - 3;
                if (style == 2 && c == 2) a = b = 0;
            }
            if (style == 3) a = 1000 + a, b = 1000 + b;
            if (style == 7) b = a + b * 0x1p-12; /* hardly moves */
            query->x0[i][c] = a * unit;
            query->x1[i][c] = b * unit;
        }
    /* a third start nearly in contact: the first point close to the second one's primitive */
    if (test_random_below(random, 3) == 0)
        for (int c = 0; c < 3; c++) {
            double gap = ldexp(test_random_between(random, -1, 1), -(int)test_random_below(random, 60)) * unit;
            query->x0[0][c] = 0.5 * (query->x0[2][c] + query->x0[3][c]) + gap;
        }
}

static graze_kind random_kind(test_random *random) { return (graze_kind)test_random_below(random, 4); }

static double random_separation(test_random *random, const graze_query *query) {
    if (test_random_below(random, 2)) return 0;
    double size = fabs(query->x0[1][0] - query->x0[0][0]) + fabs(query->x1[1][1] - query->x1[0][1]);
    return size * ldexp(test_random_unit(random), -(int)test_random_below(random, 20));
}

/* ---- against the oracle ---- */

TEST(certified_never_misses_and_its_bracket_holds_the_exact_root) {
    test_random random = {11};
    size_t hits = 0, clear = 0, proven = 0, alarms = 0;
    for (int i = 0; i < 12000; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = random_kind(&random);
        double separation = random_separation(&random, &query);
        double t_max = test_random_below(&random, 3) ? 1 : 1 - test_random_unit(&random);
        graze_result truth = answer(GRAZE_METHOD_ORACLE, kind, &query, separation, t_max);
        graze_result result = answer(GRAZE_METHOD_CERTIFIED, kind, &query, separation, t_max);
        CHECK_QUERY(truth.verdict != GRAZE_UNRESOLVED, kind, &query);
        CHECK_QUERY(result.toi >= 0 && result.toi <= t_max, kind, &query);
        if (truth.verdict == GRAZE_HIT) {
            hits++;
            CHECK_QUERY(result.verdict != GRAZE_CLEAR, kind, &query);
            CHECK_QUERY(result.toi <= truth.toi, kind, &query); /* both are doubles: so it is at most the root */
            if (truth.toi > 0) CHECK_QUERY(result.toi > 0, kind, &query);
            CHECK_QUERY(!result.proven || result.toi_upper >= truth.toi_upper, kind, &query);
            proven += result.proven != 0;
        } else {
            clear++;
            CHECK_QUERY(!result.proven, kind, &query);
            alarms += result.verdict != GRAZE_CLEAR;
            CHECK_QUERY(result.toi > 0, kind, &query);
        }
        if (result.verdict == GRAZE_HIT) {
            CHECK_QUERY(result.proven == (result.toi_upper < INFINITY), kind, &query);
            CHECK_QUERY(result.toi_upper >= result.toi, kind, &query);
            double length = hypot(result.normal[0], hypot(result.normal[1], result.normal[2]));
            CHECK_QUERY(fabs(length - 1) < 1e-12, kind, &query);
            CHECK_QUERY(result.u >= 0 && result.u <= 1 && result.v >= 0 && result.v <= 1, kind, &query);
        } else {
            CHECK_QUERY(result.toi_upper == INFINITY && isnan(result.u) && isnan(result.normal[0]), kind, &query);
        }
    }
    CHECK_MSG(hits > 2000 && clear > 2000 && proven * 2 > hits && alarms * 50 < clear,
              "%zu hits, %zu of them proven, %zu clear, %zu false alarms", hits, proven, clear, alarms);
}

TEST(exact_agrees_with_the_oracle_to_the_last_bit) {
    test_random random = {12};
    for (int i = 0; i < 12000; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = random_kind(&random);
        double separation = random_separation(&random, &query);
        double t_max = test_random_below(&random, 3) ? 1 : 1 - test_random_unit(&random);
        graze_result truth = answer(GRAZE_METHOD_ORACLE, kind, &query, separation, t_max);
        graze_result result = answer(GRAZE_METHOD_EXACT, kind, &query, separation, t_max);
        CHECK_QUERY(result.verdict == truth.verdict, kind, &query);
        CHECK_QUERY(result.toi == truth.toi, kind, &query);
        CHECK_QUERY(result.toi_upper == truth.toi_upper, kind, &query);
        CHECK_QUERY(result.proven == truth.proven, kind, &query);
    }
}

/* The first row is exactly 3k from a corner, an edge or a face of the rest at an eighth of the step: all are spanned by
   u = (1, 2, 2), which has the length 3, and vectors orthogonal to it. */
static graze_query distant_contact(test_random *random, graze_kind kind, double k, int eighth) {
    static const double u[3] = {1, 2, 2}, e[2][3] = {{2, -1, 0}, {0, 1, -1}};
    double at[4][3], m[3];
    for (int c = 0; c < 3; c++) m[c] = (double)test_random_below(random, 9) - 4;
    int span = (int)test_random_below(random, 3); /* the point of b below the first row: a corner, on an edge, inside */
    for (int c = 0; c < 3; c++) {
        double p = span > 0 ? e[0][c] : 0, q = span > 1 ? e[1][c] : 0,
               away = u[c] * -(double)test_random_below(random, 2);
        at[0][c] = u[c] * k;
        at[1][c] = kind == GRAZE_EE ? u[c] * (k + 1) + e[1][c] : -p - q;
        at[2][c] = kind == GRAZE_EE ? -p : 4 * e[0][c] - q + (span ? 0 : away);
        at[3][c] = kind == GRAZE_EE ? 3 * e[0][c] + (span ? 0 : away) : -p + 4 * e[1][c] + (span > 1 ? 0 : away);
    }
    graze_query query;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            double v = i == 0 || (kind == GRAZE_EE && i == 1) ? m[c] - 4 * u[c] : 0;
            query.x0[i][c] = at[i][c] - v * eighth / 8;
            query.x1[i][c] = at[i][c] + v * (8 - eighth) / 8;
        }
    return query;
}

TEST(exact_finds_contacts_at_a_separation_that_fall_on_a_double) {
    test_random random = {26};
    size_t doubles = 0;
    for (int i = 0; i < 4000; i++) {
        graze_kind kind = random_kind(&random);
        double k = (double)(1 + test_random_below(&random, 4));
        graze_query query = distant_contact(&random, kind, k, 1 + (int)test_random_below(&random, 7));
        graze_result truth = answer(GRAZE_METHOD_ORACLE, kind, &query, 3 * k, 1);
        graze_result result = answer(GRAZE_METHOD_EXACT, kind, &query, 3 * k, 1);
        CHECK_QUERY(result.verdict == truth.verdict && result.toi == truth.toi, kind, &query);
        CHECK_QUERY(result.toi_upper == truth.toi_upper, kind, &query);
        doubles += truth.toi > 0 && truth.toi == truth.toi_upper;
    }
    CHECK_MSG(doubles > 1000, "%zu", doubles);
}

/* Coordinates whose exponents lie far apart, on axes of their own units: integers that may outgrow the stack. */
static void wide_query(test_random *random, graze_query *query) {
    double unit[3];
    for (int c = 0; c < 3; c++) unit[c] = ldexp(1, -(int)test_random_below(random, 60));
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            int spread = test_random_below(random, 3) ? 0 : (int)test_random_below(random, 500);
            query->x0[i][c] = ldexp(test_random_between(random, -1, 1), -spread) * unit[c];
            query->x1[i][c] = ldexp(test_random_between(random, -1, 1), -spread / 2) * unit[c];
        }
}

TEST(exact_without_memory_says_adjacent_doubles_or_unresolved) {
    test_random random = {24};
    size_t hits = 0, memory = 0;
    for (int i = 0; i < 20000; i++) {
        graze_query query;
        wide_query(&random, &query);
        graze_kind kind = random_kind(&random);
        graze_result result = answer(GRAZE_METHOD_EXACT, kind, &query, random_separation(&random, &query), 1);
        CHECK_QUERY(result.verdict != GRAZE_UNRESOLVED || result.reason == GRAZE_REASON_MEMORY, kind, &query);
        memory += result.verdict == GRAZE_UNRESOLVED;
        if (result.verdict != GRAZE_HIT) continue;
        CHECK_QUERY(result.proven && result.toi_upper <= nextafter(result.toi, 2), kind, &query);
        hits++;
    }
    CHECK_MSG(hits > 2000 && memory > 20, "%zu hits, %zu without memory", hits, memory);
}

/* A budget is none of `exact`, which then decides exactly: unresolved is for want of memory alone. */
TEST(exact_without_a_budget_is_unresolved_for_want_of_memory_alone) {
    test_random random = {26};
    size_t hits = 0, memory = 0;
    for (int i = 0; i < 20000; i++) {
        graze_query query;
        wide_query(&random, &query);
        graze_kind kind = random_kind(&random);
        graze_options options = with_method(GRAZE_METHOD_EXACT);
        options.min_separation = random_separation(&random, &query);
        options.max_checks = 1;
        graze_result result;
        CHECK(graze_ccd(kind, &query, &options, &result) == GRAZE_OK);
        CHECK_QUERY(result.verdict != GRAZE_UNRESOLVED || result.reason == GRAZE_REASON_MEMORY, kind, &query);
        hits += result.verdict == GRAZE_HIT;
        memory += result.verdict == GRAZE_UNRESOLVED;
    }
    CHECK_MSG(hits > 2000 && memory > 20, "%zu hits, %zu without memory", hits, memory);
}

TEST(exact_without_memory_says_so_in_the_plane_too) {
    test_random random = {25};
    size_t hits = 0;
    for (int i = 0; i < 8000; i++) {
        graze_query query;
        graze_query_2d flat;
        wide_query(&random, &query);
        for (int row = 0; row < 3; row++)
            for (int c = 0; c < 2; c++) flat.x0[row][c] = query.x0[row][c], flat.x1[row][c] = query.x1[row][c];
        graze_options options = with_method(GRAZE_METHOD_EXACT);
        options.min_separation = random_separation(&random, &query);
        graze_result result;
        CHECK(graze_ccd_2d(i & 1 ? GRAZE_PE : GRAZE_PP, &flat, &options, &result) == GRAZE_OK);
        CHECK(result.verdict != GRAZE_UNRESOLVED || result.reason == GRAZE_REASON_MEMORY);
        if (result.verdict != GRAZE_HIT) continue;
        CHECK_QUERY(result.proven && result.toi_upper <= nextafter(result.toi, 2), GRAZE_PE, &query);
        hits++;
    }
    CHECK(hits > 1000);
}

/* ---- contacts by construction ---- */

/* c + (s - t) m at time s, with everything a small integer times a power of two: contact at t exactly. */
static graze_query contact_query(test_random *random, graze_kind kind, double unit, double offset, int t) {
    graze_query query = {0};
    int u = (int)test_random_below(random, 5), v = (int)test_random_below(random, kind == GRAZE_VF ? 5 - u : 5);
    for (int c = 0; c < 3; c++) {
        double x[4], at = floor(offset / unit / 64) * 64;
        for (int i = 0; i < 4; i++) x[i] = at + 16 * ((double)test_random_below(random, 65536) - 32768);
        if (kind == GRAZE_VF)
            x[0] = x[1] + (x[2] - x[1]) / 4 * u + (x[3] - x[1]) / 4 * v;
        else /* x[3] so that a0 + u a = b0 + v b */
            x[2] = x[0] + (x[1] - x[0]) / 4 * u - x[3] / 4 * v, x[3] = x[2] + x[3];
        for (int i = 0; i < 4; i++) {
            double m = 8 * ((double)test_random_below(random, 16384) - 8192);
            query.x0[i][c] = (x[i] - m / 8 * t) * unit;
            query.x1[i][c] = (x[i] + m / 8 * (8 - t)) * unit;
        }
    }
    return query;
}

TEST(contacts_by_construction_are_found_at_every_size_and_offset) {
    static const double sizes[] = {1e-6, 1e-3, 1, 100, 1e4, 1e7};
    test_random random = {13};
    for (int s = 0; s < 6; s++)
        for (int far = 0; far < 3; far++)
            for (int i = 0; i < 150; i++) {
                double unit = ldexp(1, ilogb(sizes[s]) - 20), offset = far == 0 ? 0 : far == 1 ? sizes[s] * 30 : 1e7;
                if (offset / unit > 0x1p45) continue; /* would not be exact */
                graze_kind kind = i & 1 ? GRAZE_EE : GRAZE_VF;
                int t = (int)test_random_below(&random, 9);
                graze_query query = contact_query(&random, kind, unit, offset, t);
                for (int m = 0; m < 2; m++) {
                    graze_result result = answer(ours[m], kind, &query, 0, 1);
                    CHECK_QUERY(result.verdict == GRAZE_HIT, kind, &query);
                    CHECK_QUERY(result.toi <= t / 8.0, kind, &query);
                    if (m == 1) CHECK_QUERY(result.proven && result.toi_upper <= t / 8.0, kind, &query);
                }
            }
}

TEST(points_that_coincide_at_the_start_touch_at_zero) {
    test_random random = {14};
    for (int i = 0; i < 500; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = random_kind(&random);
        int other = kind == GRAZE_EE ? 3 : 1;
        memcpy(query.x0[other], query.x0[0], sizeof query.x0[0]);
        for (int m = 0; m < 2; m++) {
            graze_result result = answer(ours[m], kind, &query, 0, 1);
            CHECK_QUERY(result.verdict == GRAZE_HIT && result.proven, kind, &query);
            CHECK_QUERY(result.toi == 0 && result.toi_upper == 0, kind, &query);
        }
    }
}

TEST(a_start_gap_below_every_rounding_leaves_a_positive_toi) {
    /* the vertex starts 2^-80 above a face of size 1 whose corners cannot be told from its plane by doubles */
    for (int i = 0; i < 4; i++) {
        double gap = ldexp(1, -60 - 100 * i);
        graze_query query = {
            .x0 = {{0.1, 0.1, gap}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}},
            .x1 = {{0.2, 0.1, -1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}},
        };
        for (int m = 0; m < 2; m++) {
            graze_result result = answer(ours[m], GRAZE_VF, &query, 0, 1);
            CHECK(result.verdict == GRAZE_HIT);
            CHECK(result.toi > 0 && result.toi <= gap);
        }
        /* and with a separation that it starts just outside of */
        graze_query apart = query;
        apart.x0[0][2] = 0.25 + 0x1p-52;
        for (int m = 0; m < 2; m++) {
            graze_result result = answer(ours[m], GRAZE_VF, &apart, 0.25, 1);
            CHECK(result.verdict == GRAZE_HIT && result.toi > 0 && result.toi <= 0x1p-52);
        }
    }
}

TEST(close_pairs_that_never_touch_end_clear) {
    /* a vertex slides over a face, an edge along an edge, at a gap of 1e-9, and tilted so that no axis helps */
    double r = 1e-9;
    graze_query vf = {
        .x0 = {{0.5, 0.1, 0.5 + r}, {0, 0, 0}, {1, 0, 1}, {0, 1, 0}},
        .x1 = {{0.1, 0.5, 0.1 + r}, {0, 0, 0}, {1, 0, 1}, {0, 1, 0}},
    };
    graze_query ee = {
        .x0 = {{-1, -1, 0}, {1, 1, 0}, {-1, 1, r}, {1, -1, r}},
        .x1 = {{-1, -1, 0}, {1, 1, 0}, {-0.5, 1, r}, {1.5, -1, r}},
    };
    for (int m = 0; m < 2; m++) {
        CHECK(answer(ours[m], GRAZE_VF, &vf, 0, 1).verdict == GRAZE_CLEAR);
        CHECK(answer(ours[m], GRAZE_EE, &ee, 0, 1).verdict == GRAZE_CLEAR);
        CHECK(answer(ours[m], GRAZE_VF, &vf, 1e-10, 1).verdict == GRAZE_CLEAR);
        CHECK(answer(ours[m], GRAZE_EE, &ee, 1e-10, 1).verdict == GRAZE_CLEAR);
    }
}

TEST(the_bullet_meets_the_wall_at_one_half_exactly) {
    graze_query_2d query = {.x0 = {{0.5, 3.5}, {5, 1}, {5, 6}}, .x1 = {{9.5, 3.5}, {5, 1}, {5, 6}}};
    graze_options options = with_method(GRAZE_METHOD_EXACT);
    graze_result result;
    CHECK(graze_ccd_2d(GRAZE_PE, &query, &options, &result) == GRAZE_OK);
    CHECK(result.verdict == GRAZE_HIT && result.proven);
    CHECK(result.toi == 0.5 && result.toi_upper == 0.5);
    CHECK(fabs(result.u - 0.5) < 1e-12 && result.point[0] == 5 && fabs(result.point[1] - 3.5) < 1e-12);
    CHECK(result.normal[0] == -1 && result.normal[1] == 0 && result.normal[2] == 0);
    options.method = GRAZE_METHOD_CERTIFIED;
    CHECK(graze_ccd_2d(GRAZE_PE, &query, &options, &result) == GRAZE_OK);
    CHECK(result.verdict == GRAZE_HIT && result.toi <= 0.5 && result.toi > 0.5 - 1e-9);
    /* with a separation of 1 it stops one unit earlier; two points in the plane */
    options.min_separation = 1;
    CHECK(graze_ccd_2d(GRAZE_PE, &query, &options, &result) == GRAZE_OK);
    CHECK(result.verdict == GRAZE_HIT && result.toi <= 3.5 / 9 && result.toi > 3.5 / 9 - 1e-9);
    CHECK(graze_ccd_2d(GRAZE_PP, &query, &options, &result) == GRAZE_OK && result.verdict == GRAZE_CLEAR);
    CHECK(graze_ccd_2d(GRAZE_VF, &query, &options, &result) == GRAZE_ERR_INVALID_ARGUMENT);
    query.x1[1][1] = NAN;
    CHECK(graze_ccd_2d(GRAZE_PE, &query, &options, &result) == GRAZE_ERR_NOT_FINITE);
}

TEST(normals_in_the_plane_stay_in_it) {
    static const graze_query_2d together = {.x0 = {{1, 2}, {1, 2}, {1, 2}}, .x1 = {{3, 1}, {3, 1}, {3, 1}}};
    static const graze_query_2d along = {.x0 = {{1, 2}, {0, 2}, {4, 2}}, .x1 = {{3, 2}, {0, 2}, {4, 2}}};
    static const graze_query_2d *const queries[] = {&together, &along};
    static const graze_method methods[] = {GRAZE_METHOD_CERTIFIED, GRAZE_METHOD_EXACT, GRAZE_METHOD_ORACLE};
    for (int i = 0; i < 12; i++) {
        graze_options options = with_method(methods[i % 3]);
        graze_kind kind = i & 1 && i / 6 == 0 ? GRAZE_PP : GRAZE_PE;
        graze_result result;
        CHECK(graze_ccd_2d(kind, queries[i / 6], &options, &result) == GRAZE_OK);
        CHECK_MSG(result.verdict == GRAZE_HIT && result.normal[2] == 0, "%d: normal[2] = %g", i, result.normal[2]);
        CHECK(fabs(result.normal[0] * result.normal[0] + result.normal[1] * result.normal[1] - 1) < 1e-12);
    }
}

/* ---- symmetries of the exact answer ---- */

static void swap_rows(graze_query *query, int i, int j) {
    double x[3];
    memcpy(x, query->x0[i], sizeof x), memcpy(query->x0[i], query->x0[j], sizeof x), memcpy(query->x0[j], x, sizeof x);
    memcpy(x, query->x1[i], sizeof x), memcpy(query->x1[i], query->x1[j], sizeof x), memcpy(query->x1[j], x, sizeof x);
}

TEST(naming_the_same_primitives_in_another_order_keeps_the_exact_toi) {
    test_random random = {15};
    for (int i = 0; i < 3000; i++) {
        graze_query query, other;
        random_query(&random, &query);
        other = query;
        graze_kind kind = i & 1 ? GRAZE_EE : GRAZE_VF;
        if (kind == GRAZE_EE)
            swap_rows(&other, 0, 2), swap_rows(&other, 1, 3), swap_rows(&other, 0, 1);
        else
            swap_rows(&other, 1, 2), swap_rows(&other, 2, 3);
        double separation = random_separation(&random, &query);
        graze_result a = answer(GRAZE_METHOD_EXACT, kind, &query, separation, 1);
        graze_result b = answer(GRAZE_METHOD_EXACT, kind, &other, separation, 1);
        CHECK_QUERY(a.verdict == b.verdict && a.toi == b.toi && a.toi_upper == b.toi_upper, kind, &query);
    }
}

TEST(scaling_by_a_power_of_two_keeps_every_time) {
    test_random random = {16};
    for (int i = 0; i < 3000; i++) {
        graze_query query;
        for (int end = 0; end < 2; end++)
            for (int k = 0; k < 12; k++)
                (end ? query.x1 : query.x0)[k / 3][k % 3] = test_random_between(&random, -1, 1);
        graze_kind kind = random_kind(&random);
        graze_query larger = query;
        for (int k = 0; k < 12; k++) {
            larger.x0[k / 3][k % 3] *= 0x1p37;
            larger.x1[k / 3][k % 3] *= 0x1p37;
        }
        for (int m = 0; m < 2; m++) {
            double separation = i & 2 ? 0.0625 : 0;
            graze_result a = answer(ours[m], kind, &query, separation, 1);
            graze_result b = answer(ours[m], kind, &larger, separation * 0x1p37, 1);
            CHECK_QUERY(a.verdict == b.verdict && a.toi == b.toi && a.toi_upper == b.toi_upper, kind, &query);
        }
    }
}

TEST(more_separation_is_never_later) {
    test_random random = {17};
    for (int i = 0; i < 2000; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = random_kind(&random);
        double size = fabs(query.x0[1][0] - query.x0[0][0]), before = 2;
        for (int k = 0; k < 4; k++) {
            graze_result result = answer(GRAZE_METHOD_EXACT, kind, &query, size * k * 0.0625, 1);
            double toi = result.verdict == GRAZE_CLEAR ? 2 : result.toi;
            CHECK_QUERY(toi <= before, kind, &query);
            before = toi;
        }
    }
}

/* ---- limits ---- */

TEST(toi_is_a_function_of_the_pair_and_t_max_only_stops_it) {
    test_random random = {18};
    size_t stopped = 0;
    for (int i = 0; i < 4000; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = random_kind(&random);
        double separation = random_separation(&random, &query), t_max = 1 - test_random_unit(&random);
        for (int m = 0; m < 2; m++) {
            graze_result whole = answer(ours[m], kind, &query, separation, 1);
            graze_result part = answer(ours[m], kind, &query, separation, t_max);
            if (whole.verdict == GRAZE_CLEAR || whole.toi >= t_max) {
                bool at_end = m == 1 && whole.toi == t_max && whole.toi_upper == t_max; /* contact at t_max itself */
                CHECK_QUERY((part.verdict == GRAZE_CLEAR) != at_end, kind, &query);
                stopped += whole.verdict != GRAZE_CLEAR;
            } else {
                CHECK_QUERY(part.verdict != GRAZE_CLEAR && part.toi == whole.toi, kind, &query);
            }
        }
    }
    CHECK(stopped > 100);
}

TEST(toi_is_never_before_the_axis_directions_prove) {
    test_random random = {19};
    for (int i = 0; i < 4000; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = random_kind(&random);
        double separation = random_separation(&random, &query);
        graze_options options = with_method(GRAZE_METHOD_CERTIFIED);
        options.min_separation = separation;
        options.max_checks = 1 + test_random_below(&random, 3);
        graze_result result;
        CHECK(graze_ccd(kind, &query, &options, &result) == GRAZE_OK);
        CHECK_QUERY(result.toi >= gz_axis_free_time(kind, &query, separation, NULL, NULL), kind, &query);
    }
}

TEST(a_small_budget_is_never_a_false_clear) {
    test_random random = {20};
    size_t unresolved = 0;
    for (int i = 0; i < 6000; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = random_kind(&random);
        double separation = random_separation(&random, &query);
        graze_options options = with_method(GRAZE_METHOD_CERTIFIED);
        options.min_separation = separation;
        options.max_checks = 1 + (uint64_t)i % 7;
        graze_result result, truth = answer(GRAZE_METHOD_ORACLE, kind, &query, separation, 1);
        CHECK(graze_ccd(kind, &query, &options, &result) == GRAZE_OK);
        CHECK_QUERY(result.checks <= options.max_checks, kind, &query);
        if (result.verdict == GRAZE_UNRESOLVED) {
            unresolved++;
            CHECK_QUERY(result.reason == GRAZE_REASON_BUDGET, kind, &query);
        }
        if (truth.verdict == GRAZE_HIT)
            CHECK_QUERY(result.verdict != GRAZE_CLEAR && result.toi <= truth.toi, kind, &query);
    }
    CHECK(unresolved > 500);
}

/* ---- the same bits everywhere ---- */

#define MANY 1500

TEST(bits_do_not_depend_on_instructions_batch_mesh_or_threads) {
    static graze_query queries[MANY];
    static graze_result single[MANY], many[MANY];
    static double x0[4 * MANY][3], x1[4 * MANY][3];
    static uint32_t ids[MANY][4];
    test_random random = {21};
    for (int kind = 0; kind < 4; kind++)
        for (int m = 0; m < 2; m++) {
            graze_options options = with_method(ours[m]);
            options.min_separation = kind & 1 ? 0.01 : 0;
            for (int i = 0; i < MANY; i++) {
                random_query(&random, &queries[i]);
                for (int k = 0; k < 4; k++) {
                    ids[i][k] = (uint32_t)(4 * i + (k * 3 + 1) % 4);
                    memcpy(x0[ids[i][k]], queries[i].x0[k], sizeof x0[0]);
                    memcpy(x1[ids[i][k]], queries[i].x1[k], sizeof x1[0]);
                }
                CHECK(graze_ccd((graze_kind)kind, &queries[i], &options, &single[i]) == GRAZE_OK);
            }
            for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++) {
                if (!graze_isa_available((graze_isa)isa)) continue;
                for (uint32_t threads = 1; threads <= 3; threads += 2) {
                    graze_context_options setup = graze_default_context_options();
                    setup.isa = (graze_isa)isa;
                    setup.threads = threads;
                    graze_context *context;
                    CHECK(graze_context_create(&setup, &context) == GRAZE_OK);
                    memset(many, 0xff, sizeof many);
                    CHECK(graze_ccd_batch(context, (graze_kind)kind, queries, MANY, &options, many) == GRAZE_OK);
                    for (int i = 0; i < MANY; i++)
                        CHECK_QUERY(same_bits(&single[i], &many[i]), (graze_kind)kind, &queries[i]);
                    gz_narrow_call call = {0};
                    const gz_method *method;
                    CHECK(gz_narrow_prepare(context, (graze_kind)kind, &options, &call, &method) == GRAZE_OK);
                    gz_positions positions = {(const char *)x0, (const char *)x1, sizeof x0[0]};
                    memset(many, 0xff, sizeof many);
                    gz_counts counts = {0};
                    call.counts = &counts;
                    size_t touching = 0, unresolved = 0;
                    for (int i = 0; i < MANY; i++) {
                        touching += single[i].verdict != GRAZE_CLEAR;
                        unresolved += single[i].verdict == GRAZE_UNRESOLVED;
                    }
                    CHECK(method->solve_pairs(&call, &positions, (const uint32_t(*)[4])ids, MANY, many) == touching);
                    CHECK(counts.unresolved == unresolved);
                    for (int i = 0; i < MANY; i++)
                        CHECK_QUERY(same_bits(&single[i], &many[i]), (graze_kind)kind, &queries[i]);
                    graze_context_destroy(context);
                }
            }
        }
}

TEST(a_bad_query_in_a_batch_is_named_and_no_result_is_left_open) {
    graze_query queries[20];
    graze_result results[20];
    test_random random = {22};
    for (int i = 0; i < 20; i++) random_query(&random, &queries[i]);
    queries[13].x1[2][1] = NAN;
    graze_context *context;
    CHECK(graze_context_create(NULL, &context) == GRAZE_OK);
    graze_options options = with_method(GRAZE_METHOD_CERTIFIED);
    CHECK(graze_ccd_batch(context, GRAZE_EE, queries, 20, &options, results) == GRAZE_ERR_NOT_FINITE);
    graze_error error;
    CHECK(graze_context_last_error(context, &error) == GRAZE_OK && error.index == 13);
    for (int i = 0; i < 20; i++) CHECK(results[i].verdict == GRAZE_UNRESOLVED && results[i].toi == 0);
    graze_context_destroy(context);
}

/* Positions of a mesh are checked by whoever calls; should a NaN get through, it stays in its lane. */
TEST(a_nan_in_one_lane_leaves_the_others_alone) {
    double x0[32][3], x1[32][3];
    uint32_t ids[8][4];
    graze_result clean[8], spoilt[8];
    test_random random = {23};
    for (int isa = GRAZE_ISA_SCALAR; isa <= GRAZE_ISA_WASM; isa++) {
        if (!graze_isa_available((graze_isa)isa)) continue;
        for (int kind = 0; kind < 2; kind++)
            for (int round = 0; round < 50; round++) {
                for (uint32_t i = 0; i < 8; i++) {
                    graze_query query;
                    random_query(&random, &query);
                    for (uint32_t k = 0; k < 4; k++) {
                        ids[i][k] = 4 * i + k;
                        memcpy(x0[4 * i + k], query.x0[k], sizeof x0[0]);
                        memcpy(x1[4 * i + k], query.x1[k], sizeof x1[0]);
                    }
                }
                gz_counts counts = {0};
                gz_narrow_call call = {.counts = &counts};
                const gz_method *method;
                graze_options options = with_method(GRAZE_METHOD_CERTIFIED);
                CHECK(gz_narrow_prepare(NULL, (graze_kind)kind, &options, &call, &method) == GRAZE_OK);
                call.kernels = gz_kernels_of((graze_isa)isa);
                gz_positions positions = {(const char *)x0, (const char *)x1, sizeof x0[0]};
                for (int i = 0; i < 8; i++) gz_result_unresolved(&clean[i], GRAZE_REASON_NONE), spoilt[i] = clean[i];
                method->solve_pairs(&call, &positions, (const uint32_t(*)[4])ids, 8, clean);
                x1[4 * 5 + round % 4][round % 3] = NAN;
                method->solve_pairs(&call, &positions, (const uint32_t(*)[4])ids, 8, spoilt);
                for (int i = 0; i < 8; i++) CHECK(i == 5 || same_bits(&clean[i], &spoilt[i]));
            }
    }
}

/* ---- no memory is asked for ---- */

static size_t allocations;
static void *count_allocation(void *user, size_t size, size_t alignment) {
    (void)user, (void)alignment;
    allocations++;
    return malloc(size);
}
static void count_release(void *user, void *block, size_t size) {
    (void)user, (void)size;
    free(block);
}

TEST(queries_allocate_nothing) {
    static graze_query queries[MANY];
    static graze_result results[MANY];
    test_random random = {24};
    graze_context_options setup = graze_default_context_options();
    setup.allocator.allocate = count_allocation;
    setup.allocator.release = count_release;
    setup.threads = 1;
    graze_context *context;
    CHECK(graze_context_create(&setup, &context) == GRAZE_OK);
    for (int kind = 0; kind < 4; kind++)
        for (int m = 0; m < 2; m++) {
            /* ordinary ranges of exponents; beyond them the exact step may ask the context */
            for (int i = 0; i < MANY; i++) do
                    random_query(&random, &queries[i]);
                while (fabs(queries[i].x0[1][0]) < 0x1p-200 && queries[i].x0[1][0] != 0);
            graze_options options = with_method(ours[m]);
            allocations = 0;
            CHECK(graze_ccd_batch(context, (graze_kind)kind, queries, MANY, &options, results) == GRAZE_OK);
            CHECK_MSG(allocations == 0, "%zu allocations", allocations);
        }
    graze_context_destroy(context);
}

TEST(a_pair_without_exact_arithmetic_at_hand_asks_or_has_the_same_answer) {
    test_random random = {314};
    size_t asked = 0, answered = 0;
    for (int i = 0; i < 20000; i++) {
        graze_kind kind = (graze_kind)(i % 4);
        graze_query query;
        random_query(&random, &query);
        for (int exact = 0; exact < 2; exact++) {
            gz_counts counts = {0};
            gz_narrow_call call = {.counts = &counts};
            const gz_method *method;
            graze_options options = with_method(exact ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED);
            graze_result whole, alone;
            CHECK(gz_narrow_prepare(NULL, kind, &options, &call, &method) == GRAZE_OK);
            gz_certified_call plain = gz_certified_call_of(&call);
            plain.ask = NULL;
            gz_lane_source source = {.kind = kind, .queries = &query};
            bool done = gz_certified_pair(&plain, &source, 0, call.question.t_max, &alone);
            CHECK(graze_ccd(kind, &query, &options, &whole) == GRAZE_OK);
            if (done)
                CHECK_QUERY(same_bits(&alone, &whole), kind, &query);
            else
                CHECK_QUERY(alone.verdict == GRAZE_UNRESOLVED && alone.toi == 0, kind, &query);
            asked += !done;
            answered += done;
        }
    }
    CHECK_MSG(asked > 20 && answered > 20000, "%zu asked, %zu answered", asked, answered);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
