/* Pairs of hulls of balls: every proof is checked in exact rationals, and no contact that a search finds is before toi.
 */
#include "check.h"

#include "narrow/method.h"
#include "pair/thick.h"
#include "scaled_pairs.h"
#include "thick_reference.h"
#include "verify/verify.h"

/* ---- random pairs ---- */

/* Points in a cube, B a little aside, radii of many sizes, mostly different; some scaled, some far from the origin. */
static void random_pair(test_random *random, graze_kind kind, graze_query *query, double radii[4]) {
    if (test_random_below(random, 4) == 0) { /* parts and radii of any size */
        scaled_pair pair;
        scaled_draw(random, kind, scaled_doubles, &pair);
        *query = pair.query;
        memcpy(radii, pair.radii, sizeof pair.radii);
        return;
    }
    double scale = test_random_below(random, 4) ? 1 : ldexp(1, (int)test_random_below(random, 200) - 100);
    double offset = test_random_below(random, 4) ? 0 : test_random_between(random, -1000, 1000);
    bool same = test_random_below(random, 8) == 0;
    for (int i = 0; i < 4; i++) {
        for (int c = 0; c < 3; c++) {
            query->x0[i][c] = test_random_unit(random) + (c == 0 && i >= rows_of_a(kind) ? 1 : 0);
            query->x1[i][c] = test_random_unit(random) + (c == 0 && i >= rows_of_a(kind) ? 0.25 : 0);
            query->x0[i][c] = (query->x0[i][c] + offset) * scale;
            query->x1[i][c] = (query->x1[i][c] + offset) * scale;
        }
        double unit = test_random_unit(random);
        radii[i] = 0.5 * unit * unit * unit * scale;
        if (test_random_below(random, 6) == 0) radii[i] = 0;
        if (same && i != 0 && i != rows_of_a(kind)) radii[i] = radii[i < rows_of_a(kind) ? 0 : rows_of_a(kind)];
    }
}

static graze_kind random_kind(test_random *random) { return (graze_kind)test_random_below(random, 4); }

/* ---- directions ---- */

TEST(the_reach_of_two_vertices_is_never_below_the_sum) {
    test_random random = {1};
    mpq_t sum, s;
    mpq_inits(sum, s, NULL);
    for (int i = 0; i < 100000; i++) {
        double part[3], reach;
        mpq_set_ui(sum, 0, 1);
        for (int k = 0; k < 3; k++) {
            part[k] = ldexp(test_random_unit(&random), (int)test_random_below(&random, i & 1 ? 4 : 120) - 60);
            mpq_set_d(s, part[k]);
            mpq_add(sum, sum, s);
        }
        reach = gz_reach_of(part[0], part[1], part[2]);
        CHECK(rational_compare_double(sum, reach) <= 0);
        CHECK(rational_compare_double(sum, reach * (1 - 0x1p-49)) >= 0);
    }
    mpq_clears(sum, s, NULL);
}

/* In directions good and bad, from where the last probe ended. */
TEST(a_thick_probe_never_claims_time_that_its_direction_does_not_prove) {
    test_random random = {2};
    size_t advanced = 0, partly = 0;
    for (int i = 0; i < 20000; i++) {
        graze_query query;
        double radii[4], separation, t = 0;
        graze_kind kind = random_kind(&random);
        random_pair(&random, kind, &query, radii);
        separation = i & 1 ? radii[0] * test_random_unit(&random) : 0;
        gz_motion pair;
        gz_motion_make_thick(&pair, kind, &query, separation, radii);
        for (int step = 0; step < 4 && t < 1; step++) {
            v_vec n = gz_motion_direction(&pair, t);
            if (test_random_below(&random, 3) == 0) n.y *= test_random_unit(&random);
            double next = gz_motion_advance(&pair, n, t), direction[3] = {n.x, n.y, n.z};
            CHECK(next >= t);
            if (next == t) continue;
            advanced++;
            partly += next < 1;
            CHECK_QUERY(rational_apart_along(kind, &query, radii, separation, direction, t), kind, &query);
            CHECK_QUERY(rational_apart_along(kind, &query, radii, separation, direction, next), kind, &query);
            t = next;
        }
    }
    CHECK(advanced > 10000 && partly > 3000);
}

/* separation and radii at the points with these parameters, times scale */
static void exact_reach(mpq_t sum, graze_kind kind, const double *radii, double separation, double u, double v,
                        double scale) {
    mpq_t weight[4], one, s;
    mpq_inits(weight[0], weight[1], weight[2], weight[3], one, s, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set_d(weight[kind == GRAZE_EE ? 1 : 2], u);
    mpq_set_d(weight[3], v);
    mpq_sub(weight[0], one, weight[1]);
    if (kind == GRAZE_EE) {
        mpq_sub(weight[2], one, weight[3]);
    } else {
        mpq_sub(weight[1], one, weight[2]);
        mpq_sub(weight[1], weight[1], weight[3]);
        mpq_set(weight[0], one);
    }
    mpq_set_d(sum, separation);
    for (int i = 0; i < rows_of(kind); i++) {
        mpq_set_d(s, radii[i]);
        mpq_mul(s, s, weight[i]);
        mpq_add(sum, sum, s);
    }
    mpq_set_d(s, scale);
    mpq_mul(sum, sum, s);
    mpq_clears(weight[0], weight[1], weight[2], weight[3], one, s, NULL);
}

TEST(the_reach_between_two_vertices_is_never_above_the_interpolated_sum) {
    test_random random = {7};
    double closest = 1;
    mpq_t sum, computed;
    mpq_inits(sum, computed, NULL);
    for (int i = 0; i < 40000; i++) {
        graze_query query;
        double radii[4], u = test_random_unit(&random), v = test_random_unit(&random);
        graze_kind kind = random_kind(&random);
        random_pair(&random, kind, &query, radii);
        double separation = test_random_below(&random, 2) ? 0 : radii[0] * test_random_unit(&random);
        bring_inside(kind, &u, &v);
        gz_motion pair;
        gz_motion_make_thick(&pair, kind, &query, separation, radii);
        if (!pair.thick) continue;
        exact_reach(sum, kind, radii, separation, u, v, pair.scale);
        mpq_set_d(computed, gz_thick_reach(&pair, u, v));
        CHECK_QUERY(mpq_cmp(computed, sum) <= 0, kind, &query);
        mpq_sub(sum, sum, computed);
        closest = fmin(closest, mpq_get_d(sum));
    }
    CHECK_MSG(closest < 0x1p-46, "a slack of %g would do, which is more than half of it", closest);
    mpq_clears(sum, computed, NULL);
}

/* The separation is brought, by bisection, to where the test just passes. */
TEST(two_points_that_are_called_close_enough_are) {
    test_random random = {3};
    size_t close = 0;
    for (int i = 0; i < 3000; i++) {
        graze_query query;
        double radii[4], u, v, t = test_random_unit(&random);
        graze_kind kind = random_kind(&random);
        random_pair(&random, kind, &query, radii);
        gz_motion pair;
        double low = 0, high = 16 * (fabs(query.x0[0][0] - query.x0[1][0]) + fabs(query.x1[0][0] - query.x1[1][0]));
        for (int step = 0; step < 60; step++) {
            double middle = 0.5 * (low + high);
            gz_motion_make_thick(&pair, kind, &query, middle, radii);
            if (!gz_motion_within(&pair, t, 0, &u, &v)) {
                low = middle;
                continue;
            }
            high = middle;
            if (step < 40) continue;
            bring_inside(kind, &u, &v);
            CHECK_QUERY(touches_exactly(kind, &query, radii, middle, t, u, v), kind, &query);
            close++;
        }
    }
    CHECK(close > 3000);
}

/* ---- whole answers ---- */

TEST(no_contact_that_a_search_finds_is_before_toi) {
    test_random random = {4};
    size_t hits = 0, found = 0, tight = 0;
    for (int i = 0; i < 800; i++) {
        graze_query query;
        double radii[4];
        graze_kind kind = random_kind(&random);
        random_pair(&random, kind, &query, radii);
        graze_options options = graze_default_options();
        options.method = i & 1 ? GRAZE_METHOD_CERTIFIED : GRAZE_METHOD_EXACT;
        options.min_separation = i % 3 ? 0 : 0.125 * radii[0];
        graze_result result;
        CHECK(graze_ccd_thick(kind, &query, radii, &options, &result) == GRAZE_OK);
        hits += result.verdict != GRAZE_CLEAR;
        double before = 0, first = INFINITY;
        for (int m = 0; m <= 32; before = m++ / 32.0)
            if (search_finds_contact(kind, &query, radii, options.min_separation, m / 32.0)) {
                first = m / 32.0;
                break;
            }
        if (first > 1) continue;
        found++;
        CHECK_QUERY(result.verdict != GRAZE_CLEAR, kind, &query);
        for (int step = 0; step < 40 && first > 0; step++) {
            double middle = 0.5 * (before + first);
            if (search_finds_contact(kind, &query, radii, options.min_separation, middle))
                first = middle;
            else
                before = middle;
        }
        CHECK_QUERY(result.toi <= first, kind, &query);
        tight += result.toi >= first - 1e-7; /* a search may miss a contact that ends before its next time */
    }
    CHECK_MSG(hits > 200 && found > 200 && tight > 0.95 * (double)found, "%zu hits, %zu found, %zu tight", hits, found,
              tight);
}

/* True if the checker accepts what the program writes into a certificate. */
static bool checker_accepts(graze_kind kind, const graze_query *query, const double *radii,
                            const graze_options *options, const graze_result *result, size_t *witnesses) {
    static graze_certificate_entry entries[4096];
    static verify_piece pieces[4096];
    static const verify_kind kinds[] = {VERIFY_VF, VERIFY_EE, VERIFY_PE, VERIFY_PP};
    size_t count;
    graze_result ignored;
    graze_status status = graze_ccd_certificate_thick(kind, query, radii, options, entries, 4095, &count, &ignored);
    CHECK_QUERY(status == GRAZE_OK, kind, query);
    verify_pair pair = {.kind = kinds[kind],
                        .separation = options->min_separation,
                        .t_max = options->t_max,
                        .toi = result->toi,
                        .toi_upper = INFINITY,
                        .free = pieces};
    memcpy(pair.x0, query->x0, sizeof pair.x0);
    memcpy(pair.x1, query->x1, sizeof pair.x1);
    memcpy(pair.radii, radii, sizeof pair.radii);
    pair.verdict = result->verdict == GRAZE_CLEAR ? VERIFY_CLEAR
                   : result->verdict == GRAZE_HIT ? VERIFY_HIT
                                                  : VERIFY_UNRESOLVED;
    for (size_t i = 0; i < count; i++) {
        const double *n = entries[i].direction;
        verify_piece *piece = &pieces[pair.free_count++];
        piece->proof = isnan(n[0])                           ? VERIFY_DECIDED
                       : n[0] == 0 && n[1] == 0 && n[2] == 0 ? VERIFY_VOLUME
                                                             : VERIFY_DIRECTION;
        memcpy(piece->n, n, sizeof piece->n);
        piece->t0 = entries[i].t0;
        piece->t1 = entries[i].t1;
        if (piece->proof == VERIFY_DIRECTION)
            CHECK_QUERY(rational_apart_along(kind, query, radii, options->min_separation, n, piece->t0) &&
                            rational_apart_along(kind, query, radii, options->min_separation, n, piece->t1),
                        kind, query);
    }
    if (result->verdict == GRAZE_HIT && result->proven) {
        pair.toi_upper = result->toi_upper;
        pair.contact = verify_find_contact(&pair);
        *witnesses += pair.contact == VERIFY_WITNESS;
        if (pair.contact == VERIFY_WITNESS)
            CHECK_QUERY(
                touches_exactly(kind, query, radii, options->min_separation, pair.toi_upper, pair.at[0], pair.at[1]),
                kind, query);
    }
    char reason[VERIFY_TEXT] = "";
    bool accepted = verify_check(&pair, reason);
    CHECK_MSG(accepted, "%s", reason);
    return accepted;
}

TEST(the_checker_accepts_every_verdict_and_every_bracket) {
    test_random random = {5};
    size_t clear = 0, hits = 0, proven = 0, witnesses = 0;
    for (int i = 0; i < 4000; i++) {
        graze_query query;
        double radii[4];
        graze_kind kind = random_kind(&random);
        random_pair(&random, kind, &query, radii);
        graze_options options = graze_default_options();
        options.method = GRAZE_METHOD_CERTIFIED;
        options.min_separation = i % 3 ? 0 : 0.125 * radii[0];
        options.t_max = i % 5 ? 1 : 0.75;
        graze_result result;
        CHECK(graze_ccd_thick(kind, &query, radii, &options, &result) == GRAZE_OK);
        clear += result.verdict == GRAZE_CLEAR;
        hits += result.verdict == GRAZE_HIT;
        proven += result.verdict == GRAZE_HIT && result.proven;
        CHECK_QUERY(result.verdict != GRAZE_HIT || !result.proven || result.toi <= result.toi_upper, kind, &query);
        CHECK_QUERY(checker_accepts(kind, &query, radii, &options, &result, &witnesses), kind, &query);
    }
    CHECK_MSG(clear > 1000 && hits > 500 && proven > 0.9 * (double)hits && witnesses > 300,
              "%zu clear, %zu hits, %zu proven, %zu by two points", clear, hits, proven, witnesses);
}

/* A point falls beside a cone: a ball at one end of the edge, nothing at the other. */
TEST(a_cone_is_met_on_its_side_and_not_on_the_largest_ball) {
    graze_query query = {.x0 = {{0.75, 1, 0}, {0, 0, 0}, {1, 0, 0}}, .x1 = {{0.75, -1, 0}, {0, 0, 0}, {1, 0, 0}}};
    const double radii[4] = {0, 0.5, 0, 0};
    graze_options options = graze_default_options();
    graze_result result;
    CHECK(graze_ccd_thick(GRAZE_PE, &query, radii, &options, &result) == GRAZE_OK);
    double height = 0.25 * tan(asin(0.5)), when = 0.5 * (1 - height);
    CHECK(result.verdict == GRAZE_HIT && result.proven);
    CHECK_MSG(result.toi <= when + 1e-15 && result.toi > when - 1e-10, "%.17g, not %.17g", result.toi, when);
    CHECK(result.toi_upper >= when - 1e-15 && result.toi_upper < when + 1e-10);
    /* the normal leans as the side of the cone does */
    CHECK(fabs(result.normal[0] - 0.5) < 1e-6 && fabs(result.normal[1] - sqrt(0.75)) < 1e-6);
    /* a ball that swallows the other end: the edge is that ball */
    const double swallowed[4] = {0, 0.125, 1.5, 0};
    query.x0[0][1] = 3, query.x1[0][1] = -3;
    CHECK(graze_ccd_thick(GRAZE_PE, &query, swallowed, &options, &result) == GRAZE_OK);
    when = (3 - sqrt(1.5 * 1.5 - 0.25 * 0.25)) / 6;
    CHECK_MSG(fabs(result.toi - when) < 1e-10 && result.u == 1, "%.17g, not %.17g", result.toi, when);
}

/* A vertex falls on a face whose corners have different radii: the upper side is a plane that leans. */
TEST(a_face_with_different_radii_is_met_on_its_leaning_side) {
    graze_query query = {.x0 = {{0.25, 0.25, 1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                         .x1 = {{0.25, 0.25, -1}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}}};
    const double radii[4] = {0, 0.125, 0.25, 0.125};
    graze_result result;
    CHECK(graze_ccd_thick(GRAZE_VF, &query, radii, NULL, &result) == GRAZE_OK);
    /* the radius grows by 1/8 along x: the side is z sqrt(1 - 1/64) = 1/8 + x/8 */
    double height = (0.125 + 0.125 * 0.25) / sqrt(1 - 1.0 / 64), when = 0.5 * (1 - height);
    CHECK_MSG(result.toi <= when + 1e-15 && result.toi > when - 1e-10, "%.17g, not %.17g", result.toi, when);
    CHECK(result.proven && result.toi_upper >= when - 1e-15 && result.toi_upper < when + 1e-10);
}

TEST(exact_is_exact_for_equal_radii) {
    test_random random = {6};
    size_t hits = 0;
    for (int i = 0; i < 2000; i++) {
        graze_query query;
        double radii[4],
            r[2] = {ldexp(floor(64 * test_random_unit(&random)), -8), ldexp(floor(64 * test_random_unit(&random)), -8)};
        graze_kind kind = random_kind(&random);
        random_pair(&random, kind, &query, radii);
        for (int k = 0; k < 4; k++) radii[k] = r[k >= rows_of_a(kind)];
        graze_options options = graze_default_options(), thin;
        options.method = GRAZE_METHOD_EXACT;
        options.min_separation = 0.125;
        thin = options;
        thin.min_separation = 0.125 + r[0] + r[1]; /* exact: multiples of 2^-8 */
        graze_result thick, truth;
        CHECK(graze_ccd_thick(kind, &query, radii, &options, &thick) == GRAZE_OK);
        CHECK(graze_ccd(kind, &query, &thin, &truth) == GRAZE_OK);
        CHECK_QUERY(thick.verdict == truth.verdict && thick.toi == truth.toi && thick.toi_upper == truth.toi_upper,
                    kind, &query);
        hits += truth.verdict == GRAZE_HIT;
    }
    CHECK(hits > 400);
}

/* Radii whose sum is no double: the checker decides the bracket in integers, with the sum as it is. */
TEST(exact_is_exact_where_the_sum_of_radii_is_rounded) {
    static const verify_kind kinds[] = {VERIFY_VF, VERIFY_EE, VERIFY_PE, VERIFY_PP};
    test_random random = {8};
    size_t hits = 0, wrong_when_rounded = 0;
    for (int i = 0; i < 400; i++) {
        graze_query query;
        double radii[4], r[2] = {0.2 * test_random_unit(&random), 0.2 * test_random_unit(&random)};
        graze_kind kind = random_kind(&random);
        random_pair(&random, kind, &query, radii);
        for (int k = 0; k < 4; k++) radii[k] = r[k >= rows_of_a(kind)];
        graze_options options = graze_default_options();
        options.method = GRAZE_METHOD_EXACT;
        options.min_separation = 0.05 * test_random_unit(&random);
        graze_result result, rounded;
        CHECK(graze_ccd_thick(kind, &query, radii, &options, &result) == GRAZE_OK);
        verify_piece piece = {.proof = VERIFY_DECIDED, .t1 = result.toi};
        verify_pair pair = {.kind = kinds[kind],
                            .separation = options.min_separation,
                            .t_max = 1,
                            .toi = result.toi,
                            .toi_upper = result.toi_upper,
                            .verdict = result.verdict == GRAZE_CLEAR ? VERIFY_CLEAR : VERIFY_HIT,
                            .contact = result.verdict == GRAZE_HIT ? VERIFY_CONTACT_DECIDED : VERIFY_NO_CONTACT,
                            .free = &piece,
                            .free_count = result.toi > 0};
        memcpy(pair.x0, query.x0, sizeof pair.x0);
        memcpy(pair.x1, query.x1, sizeof pair.x1);
        memcpy(pair.radii, radii, sizeof pair.radii);
        char reason[VERIFY_TEXT] = "";
        CHECK_QUERY(result.verdict != GRAZE_UNRESOLVED, kind, &query);
        CHECK_MSG(verify_check(&pair, reason), "%s", reason);
        if (result.verdict != GRAZE_HIT) continue;
        hits++;
        CHECK_QUERY(result.proven && result.toi_upper <= nextafter(result.toi, 2), kind, &query);
        /* the test sees the difference: the next larger separation mostly has another bracket */
        options.min_separation = nextafter(options.min_separation + r[0] + r[1], 1);
        CHECK(graze_ccd(kind, &query, &options, &rounded) == GRAZE_OK);
        pair.toi = piece.t1 = rounded.toi;
        pair.toi_upper = rounded.toi_upper;
        wrong_when_rounded += rounded.verdict == GRAZE_HIT && !verify_check(&pair, reason);
    }
    CHECK_MSG(hits > 80 && wrong_when_rounded > 5, "%zu hits, %zu others", hits, wrong_when_rounded);
}

/* A point glides past the largest ball of the other primitive and touches it exactly at t_max, and at no other time. */
static void glancing_pair(test_random *random, graze_kind kind, double t_max, graze_query *query, double radii[4],
                          double *separation) {
    int of_a = rows_of_a(kind), rows = gz_kind_rows(kind);
    double scale = ldexp(1, (int)test_random_below(random, 1100) - 1000);
    double parts[3] = {(double)test_random_below(random, 9), (double)test_random_below(random, 9),
                       1 + (double)test_random_below(random, 9)};
    double height = parts[0] + parts[1] + parts[2], aside = ldexp(height, -(int)test_random_below(random, 70));
    memset(query, 0, sizeof *query);
    for (int i = 0; i < rows; i++) {
        double behind = i == 0 || i == of_a ? 0 : i < of_a ? 20 * height : -20 * height;
        double z = (i < of_a ? height : 0) + behind, x = i < of_a ? aside : 0;
        query->x0[i][0] = x * scale;
        query->x1[i][0] = (x - x / t_max) * scale; /* 0 at t_max */
        query->x0[i][1] = query->x1[i][1] = i == 3 ? height * scale : 0;
        query->x0[i][2] = query->x1[i][2] = z * scale;
        radii[i] = i == 0 ? parts[1] * scale : i == of_a ? parts[2] * scale : 0;
    }
    *separation = parts[0] * scale;
}

TEST(a_contact_at_the_end_of_the_time_is_never_clear) {
    test_random random = {77};
    int told = 0;
    for (int i = 0; i < 8000; i++) {
        graze_kind kind = random_kind(&random);
        graze_query query;
        graze_result result;
        double radii[4] = {0}, t_max = ldexp(1, -(int)test_random_below(&random, 3)), separation;
        glancing_pair(&random, kind, t_max, &query, radii, &separation);
        graze_options options = graze_default_options();
        options.min_separation = separation;
        options.t_max = t_max;
        options.method = i & 1 ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
        CHECK(graze_ccd_thick(kind, &query, radii, &options, &result) == GRAZE_OK);
        CHECK_QUERY(result.verdict != GRAZE_CLEAR && result.toi <= t_max, kind, &query);
        told += result.verdict == GRAZE_HIT;
    }
    CHECK_MSG(told > 1000, "%d hits", told);
}

TEST(larger_radii_are_never_later) {
    test_random random = {7};
    for (int i = 0; i < 4000; i++) {
        graze_query query;
        double radii[4], most = 0;
        graze_kind kind = random_kind(&random);
        random_pair(&random, kind, &query, radii);
        graze_options options = graze_default_options();
        options.method = GRAZE_METHOD_CERTIFIED;
        graze_result result, larger, thin;
        CHECK(graze_ccd_thick(kind, &query, radii, &options, &result) == GRAZE_OK);
        CHECK(graze_ccd(kind, &query, &options, &thin) == GRAZE_OK);
        if (thin.proven) CHECK_QUERY(result.toi <= thin.toi_upper, kind, &query);
        for (int k = 0; k < rows_of(kind); k++) most = fmax(most, radii[k]);
        for (int k = 0; k < 4; k++) radii[k] = most;
        CHECK(graze_ccd_thick(kind, &query, radii, &options, &larger) == GRAZE_OK);
        if (result.proven) CHECK_QUERY(larger.toi <= result.toi_upper, kind, &query);
    }
}

/* `exact` has no exact decision for radii that differ: a budget that is used up is a budget, and never memory. */
TEST(a_budget_that_is_used_up_is_said_to_be_so_with_radii) {
    test_random random = {23};
    int unresolved = 0;
    for (int i = 0; i < 2000; i++) {
        graze_query query;
        graze_kind kind = (graze_kind)(i % 4);
        double radii[4];
        for (int k = 0; k < 4; k++) {
            radii[k] = test_random_between(&random, 0, 0.3);
            for (int c = 0; c < 3; c++) {
                query.x0[k][c] = test_random_between(&random, -1, 1);
                query.x1[k][c] = test_random_between(&random, -1, 1);
            }
        }
        graze_options options = graze_default_options();
        options.method = i & 4 ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
        options.max_checks = 1 + (uint64_t)i % 3;
        graze_result result;
        CHECK(graze_ccd_thick(kind, &query, radii, &options, &result) == GRAZE_OK);
        if (result.verdict != GRAZE_UNRESOLVED) continue;
        CHECK_QUERY(result.reason == GRAZE_REASON_BUDGET, kind, &query);
        unresolved++;
    }
    CHECK_MSG(unresolved > 50, "%d", unresolved);
}

TEST(bad_radii_are_refused) {
    graze_query query = {.x0 = {{0, 0, 0}, {1, 0, 0}}, .x1 = {{1, 0, 0}, {1, 0, 0}}};
    const double bad[] = {-1, NAN, INFINITY, 0x1p160};
    graze_options options = graze_default_options();
    graze_result result;
    for (int i = 0; i < 4; i++) {
        const double radii[4] = {0, bad[i], -7, NAN}; /* what the kind does not read may be anything */
        CHECK(graze_ccd_thick(GRAZE_PP, &query, radii, NULL, &result) == GRAZE_ERR_INVALID_ARGUMENT);
        CHECK(result.verdict == GRAZE_UNRESOLVED && result.toi == 0);
    }
    const double good[4] = {0.25, 0.25, -7, NAN};
    CHECK(graze_ccd_thick(GRAZE_PP, &query, good, NULL, &result) == GRAZE_OK && result.verdict == GRAZE_HIT);
    CHECK(fabs(result.toi - 0.5) < 1e-12);
    options.method = GRAZE_METHOD_TI;
    CHECK(graze_ccd_thick(GRAZE_PP, &query, good, &options, &result) == GRAZE_ERR_UNSUPPORTED);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
