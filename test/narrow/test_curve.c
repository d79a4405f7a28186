/* Pairs on cubic curves: against graze_ccd where the curves are straight, against exact rationals where they are not.
 */
#include "check.h"
#include "rational_curves.h"
#include "scaled_pairs.h"

#include "narrow/curve_contact.h"
#include "narrow/curve_pair.h"

static const graze_kind kinds[] = {GRAZE_VF, GRAZE_EE, GRAZE_PE, GRAZE_PP};

static int rows_of(graze_kind kind) { return kind == GRAZE_PP ? 2 : kind == GRAZE_PE ? 3 : 4; }

static void random_curves(test_random *random, graze_curve_query *query) {
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int c = 0; c < 3; c++) query->x[i][j][c] = test_random_unit(random);
}

/* Control points whose edges, offsets and motions have a size each. Returns a separation of any size, too. */
static double scaled_curves(test_random *random, graze_kind kind, graze_curve_query *query) {
    scaled_pair ends, between;
    scaled_draw(random, kind, scaled_doubles, &ends);
    int exponent = ilogb(ends.size);
    scaled_draw(random, kind, (scaled_range){exponent, exponent, scaled_doubles.spread}, &between);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query->x[i][0][c] = ends.query.x0[i][c], query->x[i][3][c] = ends.query.x1[i][c];
            query->x[i][1][c] = between.query.x0[i][c], query->x[i][2][c] = between.query.x1[i][c];
        }
    return ends.separation;
}

static graze_result answer(graze_kind kind, const graze_curve_query *query, double separation) {
    graze_options options = graze_default_options();
    graze_result result;
    options.min_separation = separation;
    CHECK(graze_ccd_curve(kind, query, &options, &result) == GRAZE_OK);
    return result;
}

static void position(const graze_curve_query *query, int i, double t, double x[3]) {
    for (int c = 0; c < 3; c++) {
        double p[4];
        for (int j = 0; j < 4; j++) p[j] = query->x[i][j][c];
        for (int n = 3; n > 0; n--)
            for (int j = 0; j < n; j++) p[j] = (1 - t) * p[j] + t * p[j + 1];
        x[c] = p[0];
    }
}

static double distance_at(graze_kind kind, const graze_curve_query *query, double t) {
    double x[4][3] = {{0}};
    graze_distance_result result;
    for (int i = 0; i < rows_of(kind); i++) position(query, i, t, x[i]);
    CHECK(graze_distance(kind, (const double(*)[3])x, &result) == GRAZE_OK);
    return result.value;
}

/* ---- straight curves ---- */

/* A straight motion whose control points are doubles: coordinates are multiples of 3. */
static void straight(test_random *random, graze_query *line, graze_curve_query *query) {
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            double a = line->x0[i][c] = 3 * (double)(int64_t)test_random_below(random, 1 << 28);
            double b = line->x1[i][c] = 3 * (double)(int64_t)test_random_below(random, 1 << 28);
            query->x[i][0][c] = a;
            query->x[i][1][c] = a + (b - a) / 3;
            query->x[i][2][c] = b - (b - a) / 3;
            query->x[i][3][c] = b;
        }
}

TEST(straight_curves_are_never_late_and_their_brackets_hold_the_exact_contact) {
    test_random random = {1};
    graze_options exact = graze_default_options();
    exact.method = GRAZE_METHOD_EXACT;
    size_t hits = 0, proven = 0;
    for (int n = 0; n < 20000; n++) {
        graze_query line;
        graze_curve_query query;
        graze_kind kind = kinds[n % 4];
        graze_result truth;
        exact.min_separation = n % 3 == 0 ? 0 : ldexp(test_random_unit(&random), 26);
        straight(&random, &line, &query);
        CHECK(graze_ccd(kind, &line, &exact, &truth) == GRAZE_OK);
        graze_result found = answer(kind, &query, exact.min_separation);
        if (truth.verdict == GRAZE_CLEAR) {
            CHECK_QUERY(found.verdict == GRAZE_CLEAR, kind, &line);
            continue;
        }
        hits++;
        proven += found.proven;
        CHECK_QUERY(found.verdict == GRAZE_HIT && found.toi <= truth.toi_upper, kind, &line);
        CHECK_QUERY(found.toi > truth.toi - 1e-9, kind, &line);
        CHECK_QUERY(!found.proven || (found.toi_upper >= truth.toi && found.toi_upper < truth.toi + 1e-8), kind, &line);
    }
    CHECK_MSG(hits > 2000 && proven > hits - 10, "%zu hits, %zu proven", hits, proven);
}

/* ---- one direction ---- */

/* A lower bound of |n|, off by less than 2⁻²⁰⁰ of it. */
static void length_below(const double n[3], mpq_t length) {
    mpq_t square, s;
    mpz_t root;
    mpq_inits(square, s, NULL);
    mpz_init(root);
    for (int c = 0; c < 3; c++) {
        mpq_set_d(s, n[c]);
        mpq_mul(s, s, s);
        mpq_add(square, square, s);
    }
    mpq_mul_2exp(square, square, 2400);
    mpz_tdiv_q(root, mpq_numref(square), mpq_denref(square));
    mpz_sqrt(root, root);
    mpq_set_z(length, root);
    mpq_div_2exp(length, length, 1200);
    mpq_clears(square, s, NULL);
    mpz_clear(root);
}

/* ⟨n, w_k⟩ > separation · |n| on all of [from, to], for every difference. */
static bool apart_along(graze_kind kind, const graze_curve_query *query, double separation, const double n[3],
                        double from, double to) {
    int rows = rows_of(kind), of_a = kind == GRAZE_EE ? 2 : 1;
    polynomial3 w;
    polynomial g, part;
    mpq_t least, d, t0, t1;
    mpq_inits(least, d, t0, t1, NULL);
    polynomial3_init(&w, 3);
    polynomial_init(&g, 3);
    polynomial_init(&part, 3);
    length_below(n, least);
    mpq_set_d(d, separation);
    mpq_mul(least, least, d);
    mpq_set_d(t0, from);
    mpq_set_d(t1, to);
    bool apart = true;
    for (int i = 0; i < of_a; i++)
        for (int j = of_a; j < rows && apart; j++) {
            polynomial3_difference(&w, query, j, i);
            polynomial3_along(&g, &w, n);
            for (int k = 0; k < 4; k++) mpq_sub(g.c[k], g.c[k], least);
            polynomial_part(&g, t0, t1, &part);
            apart = polynomial_positive(&part);
        }
    polynomial3_clear(&w);
    polynomial_clear(&g);
    polynomial_clear(&part);
    mpq_clears(least, d, t0, t1, NULL);
    return apart;
}

/* Along n from `from`: what is claimed is true. Returns whether anything is. */
static bool claims_truth(graze_kind kind, const graze_curve_query *query, double separation, v_vec n, double from) {
    gz_curve curve;
    gz_curve_make(&curve, kind, query, separation);
    gz_curve_probe probe = gz_curve_try(&curve, n, from, 1);
    CHECK_MSG(probe.reached >= from && probe.reached <= 1, "from %a to %a", from, probe.reached);
    if (!(probe.reached > from)) return false;
    double direction[3] = {n.x, n.y, n.z};
    CHECK_MSG(apart_along(kind, query, separation, direction, from, probe.reached), "%s along %a %a %a from %a to %a",
              test_kind_name(kind), n.x, n.y, n.z, from, probe.reached);
    return true;
}

TEST(a_direction_never_claims_time_that_it_does_not_prove) {
    test_random random = {2};
    size_t claims = 0;
    for (int i = 0; i < 4000; i++) {
        graze_curve_query query;
        graze_kind kind = kinds[i % 4];
        random_curves(&random, &query);
        double separation = i & 4 ? 0.125 * test_random_unit(&random) : 0, from = 0.75 * test_random_unit(&random);
        graze_query still;
        gz_motion rest;
        gz_curve curve;
        gz_curve_make(&curve, kind, &query, separation);
        gz_curve_still(&curve, from, &still);
        gz_motion_make(&rest, kind, &still, 0);
        claims += claims_truth(kind, &query, separation, gz_motion_direction(&rest, 0), from);
    }
    CHECK(claims > 2000);
}

TEST(a_direction_of_parts_of_any_size_claims_only_what_it_proves) {
    test_random random = {10};
    size_t claims = 0;
    for (int i = 0; i < 6000; i++) {
        graze_curve_query query;
        graze_kind kind = kinds[i % 4];
        double separation = scaled_curves(&random, kind, &query) * (i & 4 ? 1 : 0);
        double from = i & 8 ? 0 : scaled_size(&random, -1, 60) * test_random_unit(&random);
        graze_query still;
        gz_motion rest;
        gz_curve curve;
        gz_curve_make(&curve, kind, &query, separation);
        gz_curve_still(&curve, from, &still);
        gz_motion_make(&rest, kind, &still, 0);
        v_vec n = vec_scale(gz_motion_direction(&rest, 0), scaled_size(&random, 0, 500));
        claims += claims_truth(kind, &query, separation, n, from);
    }
    CHECK_MSG(claims > 1000, "%zu", claims);
}

/* Two points on a line, one of which leaves the other behind: what is left after the separation, and how fast. */
TEST(a_direction_tells_the_gap_and_how_fast_it_closes) {
    test_random random = {11};
    for (int i = 0; i < 2000; i++) {
        graze_curve_query query = {0};
        double start = 1 + test_random_unit(&random), way = test_random_unit(&random), from = test_random_unit(&random),
               to = from + (1 - from) * test_random_between(&random, 0.25, 1),
               separation = 0.5 * test_random_unit(&random);
        for (int j = 0; j < 4; j++) query.x[1][j][0] = start - way * j / 3;
        gz_curve curve;
        gz_curve_make(&curve, GRAZE_PP, &query, separation);
        gz_curve_probe probe = gz_curve_try(&curve, (v_vec){scaled_size(&random, 0, 60), 0, 0}, from, to);
        double gap = (start - way * from - separation) * curve.scale, falls = way * curve.scale;
        CHECK_MSG(fabs(probe.gap - gap) < 1e-12, "%g, %g", probe.gap, gap);
        CHECK_MSG(fabs(probe.falls - falls) < 1e-12, "%g, %g", probe.falls, falls);
    }
}

/* Two points seen across their vector: what is left along n is rounding alone, and proves nothing. */
TEST(a_direction_across_the_gap_proves_nothing) {
    test_random random = {3};
    size_t claims = 0;
    for (int i = 0; i < 20000; i++) {
        graze_curve_query query;
        random_curves(&random, &query);
        double x[2][3], from = i & 1 ? test_random_unit(&random) : 0;
        for (int k = 0; k < 2; k++) position(&query, k, from, x[k]);
        v_vec w = {x[1][0] - x[0][0], x[1][1] - x[0][1], x[1][2] - x[0][2]};
        v_vec other = {test_random_unit(&random), test_random_unit(&random), test_random_unit(&random)};
        claims += claims_truth(GRAZE_PP, &query, 0, vec_cross(w, other), from);
    }
    CHECK_MSG(claims == 0, "%zu claims", claims);
}

/* Beyond the separation by no more than a few roundings. */
TEST(a_direction_sees_the_separation_as_it_is) {
    test_random random = {4};
    size_t claims = 0;
    for (int i = 0; i < 20000; i++) {
        graze_curve_query query;
        random_curves(&random, &query);
        v_vec n = {query.x[1][0][0] - query.x[0][0][0], query.x[1][0][1] - query.x[0][0][1],
                   query.x[1][0][2] - query.x[0][0][2]};
        double length = sqrt(vec_dot(n, n)),
               separation = length * (1 + ((double)test_random_below(&random, 65) - 48) * 0x1p-53);
        claims += claims_truth(GRAZE_PP, &query, separation, n, 0);
    }
    CHECK(claims > 500);
}

/* The gap that is left at the start closes so fast that the time it lasts is lost in the sum with that of the start. */
TEST(a_direction_never_ends_before_its_start) {
    test_random random = {13};
    size_t open = 0;
    for (int i = 0; i < 4000; i++) {
        graze_curve_query query = {0};
        const double from = 0.5, way = 1024;
        for (int j = 0; j < 4; j++) query.x[1][j][0] = 1 + way * (0.5 - j / 3.0);
        /* the slack of a size of 513, and that of the length of n */
        double separation = 1 - (16 * (1 + way / 2) + 8 + (double)test_random_below(&random, 129) - 64) * 0x1p-53;
        gz_curve curve;
        gz_curve_make(&curve, GRAZE_PP, &query, separation);
        gz_curve_probe probe = gz_curve_try(&curve, (v_vec){1, 0, 0}, from, 1);
        CHECK_MSG(probe.reached >= from, "separation %a: to %a", separation, probe.reached);
        open += probe.gap > 0 && probe.reached == from;
    }
    CHECK_MSG(open > 20, "%zu", open);
}

/* ---- bent curves against rationals ---- */

typedef struct truth {
    bool known; /* every root was told apart */
    bool hit;   /* a first contact lies in [lower, upper] */
    double lower, upper;
} truth;

/* ⟨m, a × b⟩ as a polynomial over [t0, t1] has this sign throughout; 0: not known. */
static int area_sign(const graze_curve_query *query, const int a[2], const int b[2], const double m[3], const mpq_t t0,
                     const mpq_t t1) {
    polynomial3 x, y, cross;
    polynomial p, part;
    polynomial3_init(&x, 3), polynomial3_init(&y, 3), polynomial3_init(&cross, 6);
    polynomial_init(&p, 6), polynomial_init(&part, 6);
    polynomial3_difference(&x, query, a[1], a[0]);
    polynomial3_difference(&y, query, b[1], b[0]);
    polynomial3_add_cross(&cross, &x, &y);
    polynomial3_along(&p, &cross, m);
    polynomial_part(&p, t0, t1, &part);
    int sign = polynomial_sign(&part);
    polynomial3_clear(&x), polynomial3_clear(&y), polynomial3_clear(&cross);
    polynomial_clear(&p), polynomial_clear(&part);
    return sign;
}

/* At a time in [t0, t1] at which the four points lie in a plane: 1 they touch, −1 they do not, 0 not known. */
static int touch_in_plane(graze_kind kind, const graze_curve_query *query, const mpq_t t0, const mpq_t t1) {
    static const int vf[4][2][2] = {{{1, 2}, {1, 0}}, {{2, 3}, {2, 0}}, {{3, 1}, {3, 0}}};
    static const int ee[4][2][2] = {{{0, 1}, {0, 2}}, {{0, 1}, {0, 3}}, {{2, 3}, {2, 0}}, {{2, 3}, {2, 1}}};
    double x[4][3], t = mpq_get_d(t0), e[3], f[3], m[3];
    for (int i = 0; i < 4; i++) position(query, i, t, x[i]);
    for (int c = 0; c < 3; c++) {
        e[c] = kind == GRAZE_VF ? x[2][c] - x[1][c] : x[1][c] - x[0][c];
        f[c] = x[3][c] - (kind == GRAZE_VF ? x[1][c] : x[2][c]);
    }
    for (int c = 0; c < 3; c++) m[c] = e[(c + 1) % 3] * f[(c + 2) % 3] - e[(c + 2) % 3] * f[(c + 1) % 3];
    int sign[4];
    for (int k = 0; k < (kind == GRAZE_VF ? 3 : 4); k++)
        sign[k] = kind == GRAZE_VF ? area_sign(query, vf[k][0], vf[k][1], m, t0, t1)
                                   : area_sign(query, ee[k][0], ee[k][1], m, t0, t1);
    if (kind == GRAZE_VF) {
        if (sign[0] > 0 && sign[1] > 0 && sign[2] > 0) return 1;
        return sign[0] < 0 || sign[1] < 0 || sign[2] < 0 ? -1 : 0;
    }
    if (sign[0] * sign[1] < 0 && sign[2] * sign[3] < 0) return 1;
    return sign[0] * sign[1] > 0 || sign[2] * sign[3] > 0 ? -1 : 0;
}

/* The volume f on [t0, t1], whose length is 2^-depth. */
static void first_root(graze_kind kind, const graze_curve_query *query, const polynomial *f, const mpq_t t0, int depth,
                       truth *found) {
    int changes = polynomial_sign_changes(f);
    if (found->hit || changes == 0) return;
    mpq_t width, t1, half;
    mpq_inits(width, t1, half, NULL);
    mpq_set_ui(width, 1, 1);
    mpq_div_2exp(width, width, (mp_bitcnt_t)depth);
    mpq_add(t1, t0, width);
    if (depth == 56) {
        int touch = changes == 1 ? touch_in_plane(kind, query, t0, t1) : 0;
        found->known &= touch != 0;
        found->hit = touch > 0;
        found->lower = mpq_get_d(t0);
        found->upper = mpq_get_d(t1) + 0x1p-53;
    } else {
        polynomial left, right;
        polynomial_init(&left, f->degree), polynomial_init(&right, f->degree);
        mpq_set_ui(half, 1, 2);
        polynomial_split(f, half, &left, &right);
        first_root(kind, query, &left, t0, depth + 1, found);
        mpq_div_2exp(width, width, 1);
        mpq_add(half, t0, width);
        first_root(kind, query, &right, half, depth + 1, found);
        polynomial_clear(&left), polynomial_clear(&right);
    }
    mpq_clears(width, t1, half, NULL);
}

static truth first_contact(graze_kind kind, const graze_curve_query *query) {
    polynomial3 x[4], cross;
    polynomial f;
    mpq_t zero;
    truth found = {.known = true};
    mpq_init(zero);
    polynomial3_init(&cross, 6), polynomial_init(&f, 9);
    for (int i = 1; i < 4; i++) {
        polynomial3_init(&x[i], 3);
        polynomial3_difference(&x[i], query, i, 0);
    }
    polynomial3_add_cross(&cross, &x[2], &x[3]);
    for (int c = 0; c < 3; c++) polynomial_add_product(&f, &x[1].c[c], &cross.c[c], 1);
    first_root(kind, query, &f, zero, 0, &found);
    for (int i = 1; i < 4; i++) polynomial3_clear(&x[i]);
    polynomial3_clear(&cross), polynomial_clear(&f);
    mpq_clear(zero);
    return found;
}

TEST(bent_curves_are_never_late_and_their_brackets_hold_the_exact_contact) {
    test_random random = {5};
    const char *wish = getenv("GRAZE_CURVES");
    int count = wish ? atoi(wish) : 600;
    size_t hits = 0, clear = 0, unknown = 0;
    for (int n = 0; n < count; n++) {
        graze_curve_query query;
        graze_kind kind = n & 1 ? GRAZE_EE : GRAZE_VF;
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                for (int c = 0; c < 3; c++) query.x[i][j][c] = ldexp((double)test_random_below(&random, 1 << 20), -20);
        truth exact = first_contact(kind, &query);
        graze_result found = answer(kind, &query, 0);
        unknown += !exact.known;
        if (!exact.known) continue;
        if (!exact.hit) {
            clear++;
            CHECK_MSG(found.verdict == GRAZE_CLEAR, "case %d", n);
            continue;
        }
        hits++;
        CHECK_MSG(found.verdict == GRAZE_HIT && found.toi <= exact.upper, "case %d: %.17g > %.17g", n, found.toi,
                  exact.upper);
        CHECK_MSG(found.toi > exact.lower - 1e-9, "case %d: %.17g << %.17g", n, found.toi, exact.lower);
        CHECK_MSG(found.proven && found.toi_upper >= exact.lower && found.toi_upper < exact.upper + 1e-8, "case %d", n);
    }
    CHECK(hits > 100 && clear > 100 && unknown < 5);
}

/* x[i][3], or x[i][0] for a late time, such that row i is at p at time t = 1/2, 1/4 or 3/4, without a rounding where
   everything lies on a coarse grid. */
static void pass_through(graze_curve_query *query, int i, double t, const double p[3]) {
    int solved = t > 0.5 ? 0 : 3;
    for (int c = 0; c < 3; c++) {
        double weights[4] = {(1 - t) * (1 - t) * (1 - t), 3 * (1 - t) * (1 - t) * t, 3 * (1 - t) * t * t, t * t * t},
               sum = p[c];
        for (int j = 0; j < 4; j++)
            if (j != solved) sum -= weights[j] * query->x[i][j][c];
        query->x[i][solved][c] = sum / weights[solved];
    }
}

TEST(contacts_by_construction_are_never_missed) {
    static const double times[] = {0.25, 0.5, 0.75}, weights[] = {0, 0.25, 0.5, 1};
    test_random random = {6};
    for (int n = 0; n < 20000; n++) {
        graze_curve_query query;
        graze_kind kind = kinds[n % 4];
        double t = times[test_random_below(&random, 3)], u = weights[test_random_below(&random, 4)];
        double v = kind == GRAZE_VF ? (1 - u) * 0.5 : weights[test_random_below(&random, 4)], x[4][3], p[3] = {0, 0, 0};
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                for (int c = 0; c < 3; c++) query.x[i][j][c] = (double)test_random_below(&random, 64);
        for (int i = 0; i < 4; i++) position(&query, i, t, x[i]);
        for (int c = 0; c < 3; c++) {
            if (kind == GRAZE_VF) p[c] = x[1][c] + u * (x[2][c] - x[1][c]) + v * (x[3][c] - x[1][c]);
            if (kind == GRAZE_EE) p[c] = x[2][c] + v * (x[3][c] - x[2][c]);
            if (kind == GRAZE_PE) p[c] = x[1][c] + u * (x[2][c] - x[1][c]);
            if (kind == GRAZE_PP) p[c] = x[1][c];
        }
        if (kind == GRAZE_EE && u > 0) { /* a1 = a0 + (p − a0)/u */
            for (int c = 0; c < 3; c++) p[c] = x[0][c] + (p[c] - x[0][c]) / u;
            pass_through(&query, 1, t, p);
        } else {
            pass_through(&query, 0, t, p);
        }
        graze_result found = answer(kind, &query, 0);
        CHECK_MSG(found.verdict != GRAZE_CLEAR && found.toi <= t, "case %d, %s: %s %.17g, contact at %g", n,
                  test_kind_name(kind), graze_verdict_name(found.verdict), found.toi, t);
        CHECK_MSG(!found.proven || found.toi_upper >= found.toi, "case %d", n);
    }
}

TEST(a_separation_is_kept_until_toi_and_met_at_toi_upper) {
    test_random random = {7};
    size_t hits = 0;
    for (int n = 0; n < 2000; n++) {
        graze_curve_query query;
        graze_kind kind = kinds[n % 4];
        double separation = 0.25 * test_random_unit(&random);
        random_curves(&random, &query);
        graze_result found = answer(kind, &query, separation);
        double until = found.verdict == GRAZE_CLEAR ? 1 : found.toi;
        for (int k = 0; k < 200 && until > 0; k++)
            CHECK_MSG(distance_at(kind, &query, until * k / 200) > separation * (1 - 1e-14), "case %d at %g", n,
                      until * k / 200);
        if (found.verdict != GRAZE_HIT) continue;
        hits++;
        CHECK_MSG(found.proven && distance_at(kind, &query, found.toi_upper) <= separation * (1 + 1e-14), "case %d", n);
        CHECK_MSG(found.toi == 0 || fabs(distance_at(kind, &query, found.toi) - separation) < 1e-9, "case %d", n);
    }
    CHECK(hits > 500);
}

/* The weights of the rows after the first in the vector from the point of a to the point of b. */
static void row_weights(graze_kind kind, double u, double v, mpq_t weight[4]) {
    mpq_t one, p, q;
    mpq_inits(one, p, q, NULL);
    mpq_set_ui(one, 1, 1);
    mpq_set_d(p, u), mpq_set_d(q, v);
    if (kind == GRAZE_EE) {
        mpq_neg(weight[1], p);
        mpq_sub(weight[2], one, q), mpq_set(weight[3], q);
    } else {
        if (kind == GRAZE_PP) mpq_set_ui(p, 0, 1);
        if (kind != GRAZE_VF) mpq_set_ui(q, 0, 1);
        mpq_sub(weight[1], one, p), mpq_sub(weight[1], weight[1], q);
        mpq_set(weight[2], p), mpq_set(weight[3], q);
    }
    mpq_clears(one, p, q, NULL);
}

/* The exact squared distance of the points with parameters u, v at a time. */
static void exact_square(graze_kind kind, const graze_curve_query *query, double time, double u, double v,
                         mpq_t square) {
    mpq_t t, sum, term, weight[4];
    polynomial3 w[4];
    polynomial part;
    mpq_inits(t, sum, term, weight[0], weight[1], weight[2], weight[3], NULL);
    polynomial_init(&part, 3);
    row_weights(kind, u, v, weight);
    mpq_set_d(t, time);
    mpq_set_ui(square, 0, 1);
    for (int k = 1; k < rows_of(kind); k++) {
        polynomial3_init(&w[k], 3);
        polynomial3_difference(&w[k], query, k, 0);
    }
    for (int c = 0; c < 3; c++) {
        mpq_set_ui(sum, 0, 1);
        for (int k = 1; k < rows_of(kind); k++) {
            polynomial_part(&w[k].c[c], t, t, &part);
            mpq_mul(term, part.c[0], weight[k]);
            mpq_add(sum, sum, term);
        }
        mpq_mul(sum, sum, sum);
        mpq_add(square, square, sum);
    }
    for (int k = 1; k < rows_of(kind); k++) polynomial3_clear(&w[k]);
    polynomial_clear(&part);
    mpq_clears(t, sum, term, weight[0], weight[1], weight[2], weight[3], NULL);
}

TEST(points_within_a_reach_are_proven_only_where_they_are) {
    test_random random = {8};
    mpq_t least, square;
    mpq_inits(least, square, NULL);
    size_t proven = 0;
    for (int n = 0; n < 8000; n++) {
        graze_curve_query query;
        graze_kind kind = kinds[n % 4];
        double time = test_random_unit(&random), u = 0.5 * test_random_unit(&random),
               v = 0.5 * test_random_unit(&random);
        random_curves(&random, &query);
        if (n % 8 < 4) scaled_curves(&random, kind, &query);
        exact_square(kind, &query, time, u, v, square);
        double reach = sqrt(mpq_get_d(square)) * (1 + ((double)test_random_below(&random, 128) - 64) * 0x1p-53);
        if (!(reach < INFINITY) || !gz_curve_within(kind, &query, time, u, v, reach)) continue;
        proven++;
        mpq_set_d(least, reach);
        mpq_mul(least, least, least);
        CHECK_MSG(mpq_cmp(square, least) <= 0, "case %d", n);
    }
    CHECK_MSG(proven > 1000, "%zu", proven);
    mpq_clears(least, square, NULL);
}

/* At times before toi the points that seem closest are, exactly, farther from each other than the separation. */
TEST(a_separation_of_parts_of_any_size_is_kept_until_toi) {
    test_random random = {12};
    mpq_t square, least;
    mpq_inits(square, least, NULL);
    size_t hits = 0, clear = 0;
    for (int n = 0; n < 3000; n++) {
        graze_curve_query query;
        graze_kind kind = kinds[n % 4];
        double separation = scaled_curves(&random, kind, &query);
        graze_result found = answer(kind, &query, separation);
        double until = found.verdict == GRAZE_CLEAR ? 1 : found.toi;
        hits += found.verdict == GRAZE_HIT && until > 0;
        clear += found.verdict == GRAZE_CLEAR;
        gz_curve curve;
        gz_curve_make(&curve, kind, &query, separation);
        mpq_set_d(least, separation);
        mpq_mul(least, least, least);
        for (int k = 0; k < 12 && until > 0; k++) {
            double t = k < 11 ? until * k / 11 : until * (1 - 0x1p-50), u, v;
            graze_query still;
            gz_motion rest;
            gz_curve_still(&curve, t, &still);
            gz_motion_make(&rest, kind, &still, 0);
            gz_motion_closest(&rest, 0, &u, &v);
            exact_square(kind, &query, t, u, v, square);
            CHECK_MSG(mpq_cmp(square, least) > 0, "case %d, %s: within the separation at %a, toi %a", n,
                      test_kind_name(kind), t, until);
        }
    }
    CHECK_MSG(hits > 100 && clear > 100, "%zu, %zu", hits, clear);
    mpq_clears(square, least, NULL);
}

/* ---- the interface ---- */

/* A vertex is thrown over a plate, and falls on it: at t = 3/4, height (1−t)² · something. */
static graze_curve_query thrown(void) {
    graze_curve_query query = {{{{0.25, 0.25, 1}, {0.25, 0.25, 3}, {0.25, 0.25, 1}, {0.25, 0.25, -3}}}};
    for (int j = 0; j < 4; j++) query.x[2][j][0] = query.x[3][j][1] = 1;
    return query;
}

TEST(a_hit_carries_point_parameters_and_normal) {
    graze_curve_query query = thrown();
    graze_result found = answer(GRAZE_VF, &query, 0);
    CHECK(found.verdict == GRAZE_HIT && found.proven && found.toi > 0.5 && found.toi_upper < 1);
    CHECK(fabs(found.u - 0.25) < 1e-12 && fabs(found.v - 0.25) < 1e-12);
    CHECK(fabs(found.point[0] - 0.25) < 1e-12 && fabs(found.point[2]) < 1e-12);
    CHECK(found.normal[2] == 1 && found.normal[0] == 0);
    CHECK(answer(GRAZE_VF, &query, 0.5).toi < found.toi);
}

TEST(t_max_and_a_budget_end_the_search_safely) {
    graze_curve_query query = thrown();
    graze_options options = graze_default_options();
    graze_result found, whole = answer(GRAZE_VF, &query, 0);
    options.t_max = whole.toi - 1e-6;
    CHECK(graze_ccd_curve(GRAZE_VF, &query, &options, &found) == GRAZE_OK);
    CHECK(found.verdict == GRAZE_CLEAR && found.toi == options.t_max && isinf(found.toi_upper));
    options = graze_default_options();
    for (options.max_checks = 1; options.max_checks < whole.checks; options.max_checks++) {
        CHECK(graze_ccd_curve(GRAZE_VF, &query, &options, &found) == GRAZE_OK);
        CHECK(found.verdict != GRAZE_CLEAR && found.toi <= whole.toi_upper && found.checks <= options.max_checks);
        if (options.max_checks == 1) CHECK(found.verdict == GRAZE_UNRESOLVED && found.reason == GRAZE_REASON_BUDGET);
    }
    options.max_checks = 0;
    options.tolerance = 0.125; /* ends early, at a gap of about that */
    CHECK(graze_ccd_curve(GRAZE_VF, &query, &options, &found) == GRAZE_OK);
    CHECK(found.verdict == GRAZE_HIT && found.toi < whole.toi && distance_at(GRAZE_VF, &query, found.toi) < 0.25);
}

TEST(contact_at_the_start_is_proven_and_t_max_0_asks_for_it_alone) {
    graze_curve_query query = thrown();
    graze_options options = graze_default_options();
    graze_result found;
    options.t_max = 0;
    CHECK(graze_ccd_curve(GRAZE_VF, &query, &options, &found) == GRAZE_OK);
    CHECK(found.verdict == GRAZE_CLEAR && found.toi == 0);
    query.x[0][0][2] = 0; /* on the plate */
    for (int k = 0; k < 2; k++) {
        options.t_max = k;
        CHECK(graze_ccd_curve(GRAZE_VF, &query, &options, &found) == GRAZE_OK);
        CHECK(found.verdict == GRAZE_HIT && found.proven && found.toi == 0 && found.toi_upper == 0);
    }
}

TEST(a_batch_has_the_bits_of_single_calls_on_any_threads_and_instruction_set) {
    enum { COUNT = 501 };
    static graze_curve_query queries[COUNT];
    static graze_result single[COUNT], many[COUNT];
    test_random random = {9};
    for (int k = 0; k < 4; k++) {
        for (int i = 0; i < COUNT; i++) {
            random_curves(&random, &queries[i]);
            single[i] = answer(kinds[k], &queries[i], 0);
        }
        for (graze_isa isa = GRAZE_ISA_AUTO; isa <= GRAZE_ISA_WASM; isa++)
            for (uint32_t threads = 1; threads <= 3; threads += 2) {
                if (isa != GRAZE_ISA_AUTO && !graze_isa_available(isa)) continue;
                graze_context *context = test_context(threads, isa);
                CHECK(graze_ccd_curve_batch(context, kinds[k], queries, COUNT, NULL, many) == GRAZE_OK);
                CHECK(memcmp(single, many, sizeof many) == 0);
                graze_context_destroy(context);
            }
        CHECK(graze_ccd_curve_batch(NULL, kinds[k], queries, COUNT, NULL, many) == GRAZE_OK);
        CHECK(memcmp(single, many, sizeof many) == 0);
    }
}

TEST(bad_input_is_refused_and_leaves_closed_results) {
    graze_curve_query queries[2] = {thrown(), thrown()};
    graze_options options = graze_default_options();
    graze_result results[2];
    graze_error error;
    CHECK(graze_ccd_curve(GRAZE_VF, NULL, NULL, results) == GRAZE_ERR_INVALID_ARGUMENT);
    CHECK(graze_ccd_curve((graze_kind)9, queries, NULL, results) == GRAZE_ERR_INVALID_ARGUMENT);
    options.method = GRAZE_METHOD_TI;
    CHECK(graze_ccd_curve(GRAZE_VF, queries, &options, results) == GRAZE_ERR_UNSUPPORTED);
    queries[1].x[2][3][1] = NAN;
    CHECK(graze_ccd_curve(GRAZE_VF, &queries[1], NULL, results) == GRAZE_ERR_NOT_FINITE);
    CHECK(results[0].verdict == GRAZE_UNRESOLVED && results[0].toi == 0);
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    CHECK(graze_ccd_curve_batch(context, GRAZE_VF, queries, 2, NULL, results) == GRAZE_ERR_NOT_FINITE);
    CHECK(results[0].verdict == GRAZE_UNRESOLVED && results[1].verdict == GRAZE_UNRESOLVED);
    CHECK(graze_context_last_error(context, &error) == GRAZE_OK && error.index == 1);
    graze_context_destroy(context);
    queries[1].x[2][3][1] = 2 * GRAZE_MAX_COORDINATE;
    CHECK(graze_ccd_curve(GRAZE_VF, &queries[1], NULL, results) == GRAZE_ERR_OUT_OF_RANGE);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
