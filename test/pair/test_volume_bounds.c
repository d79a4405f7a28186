/* The bounds of the volume polynomial (docs/numerics.md, 4.4 and 4.5) one by one, against exact rationals. The source
   is included for its static functions; where one slack would hide another, the other is set to 0 by hand. */
#include "pair/volume.c"

#include "bound_queries.h"
#include "scaled_pairs.h"

/* ---- GZ_VOLUME_SLACK and GZ_VOLUME_TINY ---- */

/* The largest error of the four coefficients on [t, t + part (1 − t)] over the slack. */
static double volume_share(graze_kind kind, const graze_query *query, double t, double part) {
    gz_motion pair;
    gz_volume volume;
    gz_motion_make(&pair, kind, query, 0);
    gz_volume_make(&volume, &pair);
    double b[4], low[4], worst = 0;
    restrict_to(&volume, t, b);
    for (int i = 0; i < 4; i++) low[i] = b[i];
    if (part < 1) keep_left(low, 3, part);
    rational_vector at[2][3], n;
    mpq_t time, step, f, sum, slack;
    mpq_inits(time, step, f, sum, slack, NULL);
    rational_init(&n);
    mpq_set_d(slack, volume.slack);
    mpq_set_d(time, t);
    mpq_set_ui(step, 1, 1);
    mpq_sub(step, step, time);
    mpq_set_d(f, part);
    mpq_mul(step, step, f);
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i < 3; i++) rational_init(&at[end][i]);
        exact_vectors(at[end], kind, query, pair.scale, time);
        mpq_add(time, time, step);
    }
    for (int i = 0; i < 4;
         i++) { /* coefficient i: the mean over all ways of taking i of the three vectors at the end */
        mpq_set_ui(sum, 0, 1);
        unsigned ways = 0;
        for (int mask = 0; mask < 8; mask++) {
            if ((mask & 1) + (mask >> 1 & 1) + (mask >> 2) != i) continue;
            rational_cross(&n, &at[mask & 1][0], &at[mask >> 1 & 1][1]);
            rational_dot(f, &n, &at[mask >> 2][2]);
            mpq_add(sum, sum, f);
            ways++;
        }
        mpq_set_ui(f, 1, ways);
        mpq_mul(sum, sum, f);
        mpq_set_d(f, low[i]);
        worst = fmax(worst, rational_share(sum, f, slack));
    }
    for (int end = 0; end < 2; end++)
        for (int i = 0; i < 3; i++) rational_clear(&at[end][i]);
    rational_clear(&n);
    mpq_clears(time, step, f, sum, slack, NULL);
    return worst;
}

TEST(coefficients_of_the_volume_on_any_part_of_the_step_err_within_their_slack) {
    test_random random = {201};
    graze_query query;
    double worst = 0;
    for (int i = 0; i < 3000; i++) {
        some_query(&random, &query);
        double share = volume_share(i & 1, &query, test_random_unit(&random), i % 3 ? test_random_unit(&random) : 1);
        CHECK_QUERY(share <= 1, i & 1, &query);
    }
    for (int i = 0; i < 12; i++) {
        for (int k = 0; k < 12; k++)
            query.x0[k / 3][k % 3] = some_unit(&random), query.x1[k / 3][k % 3] = some_unit(&random);
        double t = 0.5 * test_random_unit(&random), part = test_random_unit(&random), share = 0;
        for (int step = 0; step < 400; step++) {
            graze_query next = query;
            change_query(&random, &next);
            double more = volume_share(i & 1, &next, t, part);
            CHECK_QUERY(more <= 1, i & 1, &next);
            if (more >= share) query = next, share = more;
        }
        worst = fmax(worst, share);
    }
    test_bound_used("GZ_VOLUME_SLACK", worst);
    CHECK(worst > 0.01 && worst < 0.71); /* 180/256 is proven */
}

TEST(coefficients_of_pairs_with_parts_of_any_size_err_within_their_slack) {
    test_random random = {207};
    size_t degenerate = 0;
    double worst = 0;
    for (int i = 0; i < 6000; i++) {
        scaled_pair pair;
        scaled_draw(&random, i & 1, scaled_doubles, &pair);
        double part = i % 3 ? test_random_unit(&random) : 1;
        double share = volume_share(i & 1, &pair.query, test_random_unit(&random), part);
        CHECK_QUERY(share <= 1, i & 1, &pair.query);
        worst = fmax(worst, share);
        degenerate += pair.degenerate;
    }
    CHECK_MSG(degenerate < 3000, "%zu of 6000 have a part without a size", degenerate);
    CHECK(worst > 0.001);
}

/* Vectors so small that the products underflow while the pair is of size 1: only the absolute slack is left. */
TEST(a_volume_whose_products_underflow_errs_within_its_slack) {
    test_random random = {202};
    size_t lost = 0;
    double worst = 0;
    for (int i = 0; i < 4000; i++) {
        graze_query query;
        double small = ldexp(1, -505 - (int)test_random_below(&random, 30));
        for (int k = 0; k < 12; k++)
            query.x0[k / 3][k % 3] = small * some_unit(&random), query.x1[k / 3][k % 3] = small * some_unit(&random);
        /* the vertex, or the second edge, is far away: it sets the scale */
        for (int k = 0; k < 3; k++) query.x0[i & 1 ? 2 : 0][k] = some_unit(&random);
        if (i & 1) /* edges short, and far from each other */
            for (int k = 0; k < 3; k++) query.x0[3][k] = query.x0[2][k];
        double share = volume_share(i & 1, &query, test_random_unit(&random), 1);
        CHECK_QUERY(share <= 1, i & 1, &query);
        gz_motion pair;
        gz_volume volume;
        gz_motion_make(&pair, i & 1, &query, 0);
        gz_volume_make(&volume, &pair);
        if (!(volume.size * 0x1p-45 < 0x1p-1074)) continue;
        lost += share > 0;
        worst = fmax(worst, share);
    }
    test_bound_used("GZ_VOLUME_TINY", worst);
    CHECK_MSG(lost > 500, "%zu", lost);
}

/* ---- GZ_NORMAL_SLACK ---- */

/* separation·|N|, of the scaled pair: the four coefficients on [t, t + part (1 − t)] that its convexity gives. */
static void exact_normal_bound(mpf_t out[4], graze_kind kind, const graze_query *query, double separation, double scale,
                               double t, double part) {
    rational_vector at[2][3], n[2];
    mpq_t time, step, square, factor;
    mpf_t length[3];
    mpq_inits(time, step, square, factor, NULL);
    rational_init(&n[0]), rational_init(&n[1]);
    mpq_set_d(time, t);
    mpq_set_ui(step, 1, 1);
    mpq_sub(step, step, time);
    mpq_set_d(square, part);
    mpq_mul(step, step, square);
    mpq_set_d(factor, separation), mpq_set_d(square, scale);
    mpq_mul(factor, factor, square);
    mpq_mul(factor, factor, factor), mpq_div_2exp(factor, factor, 2);
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i < 3; i++) rational_init(&at[end][i]);
        exact_vectors(at[end], kind, query, scale, time);
        mpq_add(time, time, step);
    }
    for (int i = 0; i < 3; i++) { /* norms of the exact coefficients of N, times the separation */
        rational_cross(&n[0], &at[i > 0][0], &at[i > 1][1]);
        rational_cross(&n[1], &at[i > 1][0], &at[i > 0][1]);
        for (int c = 0; c < 3; c++) mpq_add(n[0].x[c], n[0].x[c], n[1].x[c]);
        rational_dot(square, &n[0], &n[0]);
        mpq_mul(square, square, factor);
        mpf_init2(length[i], 512);
        mpf_set_q(length[i], square);
        mpf_sqrt(length[i], length[i]);
    }
    for (int i = 0; i < 4; i++) { /* raised to degree 3 */
        mpf_set(out[i], length[i < 2 ? 0 : 2]);
        if (i == 0 || i == 3) continue;
        mpf_add(out[i], out[i], length[1]), mpf_add(out[i], out[i], length[1]);
        mpf_div_ui(out[i], out[i], 3);
    }
    for (int i = 0; i < 6; i++) rational_clear(&at[i / 3][i % 3]);
    for (int i = 0; i < 3; i++) mpf_clear(length[i]);
    rational_clear(&n[0]), rational_clear(&n[1]);
    mpq_clears(time, step, square, factor, NULL);
}

/* The share of GZ_NORMAL_SLACK·separation·area and `tiny` that the roundings take. The bound of separation·|N| is an
   upper one, so only what is too low counts. Fails when a coefficient is too low with both. */
static double normal_share(graze_kind kind, const graze_query *query, double separation, double t, double part,
                           double tiny) {
    gz_motion pair;
    gz_volume volume;
    gz_motion_make(&pair, kind, query, separation);
    gz_volume_make(&volume, &pair);
    volume.slack = tiny;
    double b[4] = {0, 0, 0, 0}, low[4], worst = 0;
    lower_bound(&volume, t, part, b, 1, low);
    mpf_t exact[4], bound, value;
    for (int i = 0; i < 4; i++) mpf_init2(exact[i], 512);
    mpf_init2(bound, 512), mpf_init2(value, 512);
    exact_normal_bound(exact, kind, query, separation, pair.scale, t, part);
    mpf_set_d(bound, volume.normal_slack), mpf_set_d(value, tiny);
    mpf_add(bound, bound, value);
    for (int i = 0; i < 4; i++) {
        mpf_set_d(value, low[i]);
        mpf_add(exact[i], exact[i], value); /* how much −low is too low; minus the bound when nothing was rounded */
        CHECK_QUERY(mpf_sgn(exact[i]) <= 0, kind, query);
        if (mpf_sgn(bound) == 0) continue;
        mpf_div(exact[i], exact[i], bound);
        worst = fmax(worst, mpf_get_d(exact[i]) + 1);
    }
    for (int i = 0; i < 4; i++) mpf_clear(exact[i]);
    mpf_clears(bound, value, NULL);
    return worst;
}

/* A separation that is as large as the pair. */
static double wide_separation(graze_kind kind, const graze_query *query) {
    gz_motion pair;
    gz_motion_make(&pair, kind, query, 0);
    return 1 / pair.scale;
}

/* Edges whose parallelogram has an area of 2^-480 to 2^-560 of the pair's size squared: the norm of N underflows. */
TEST(the_bound_of_a_normals_length_that_underflows_is_never_below_it) {
    test_random random = {208};
    for (int i = 0; i < 6000; i++) {
        graze_query query = {{{0}}, {{0}}};
        graze_kind kind = i & 1 ? GRAZE_EE : GRAZE_VF;
        int first = (int)test_random_below(&random, 481), second = 480 + (int)test_random_below(&random, 80) - first;
        for (int end = 0; end < 2; end++)
            for (int c = 0; c < 3; c++) {
                double(*x)[3] = end ? query.x1 : query.x0, one = ldexp(some_unit(&random), -first);
                x[0][c] = kind == GRAZE_EE ? 0 : some_unit(&random);
                x[kind == GRAZE_EE ? 1 : 2][c] = one;
                x[3][c] = ldexp(some_unit(&random), -second);
            }
        double separation = ldexp(test_random_unit(&random), -(int)test_random_below(&random, i % 3 ? 4 : 500));
        normal_share(kind, &query, separation, test_random_unit(&random), i % 5 ? 1 : 0.25, GZ_VOLUME_TINY);
    }
}

TEST(the_bound_of_the_normals_length_holds_for_pairs_with_parts_of_any_size) {
    test_random random = {209};
    for (int i = 0; i < 6000; i++) {
        scaled_pair pair;
        scaled_draw(&random, i & 1, scaled_doubles, &pair);
        double part = i % 3 ? test_random_unit(&random) : 1;
        normal_share(i & 1, &pair.query, pair.separation, test_random_unit(&random), part, GZ_VOLUME_TINY);
    }
}

TEST(the_bound_of_the_normals_length_is_never_below_it) {
    test_random random = {203};
    double worst = 0;
    for (int i = 0; i < 12; i++) {
        graze_query query;
        for (int k = 0; k < 12; k++)
            query.x0[k / 3][k % 3] = some_unit(&random), query.x1[k / 3][k % 3] = some_unit(&random);
        double t = 0.5 * test_random_unit(&random), part = i % 3 ? test_random_unit(&random) : 1, share = 0;
        for (int step = 0; step < 400; step++) {
            graze_query next = query;
            change_query(&random, &next);
            double more = normal_share(i & 1, &next, wide_separation(i & 1, &next), t, part, 0);
            if (more >= share) query = next, share = more;
        }
        worst = fmax(worst, share);
    }
    test_bound_used("GZ_NORMAL_SLACK", worst);
    CHECK(worst > 0.02 && worst < 1);
}

/* ---- GZ_CLIP_DOWN, GZ_TIME_DOWN ---- */

TEST(a_later_time_is_not_after_the_sum) {
    test_random random = {205};
    mpq_t sum, part;
    mpq_inits(sum, part, NULL);
    for (int i = 0; i < 60000; i++) {
        double t = test_random_unit(&random), step = ldexp(1 - t, -(int)test_random_below(&random, 60));
        mpq_set_d(sum, t);
        mpq_set_d(part, step);
        mpq_add(sum, sum, part);
        CHECK_MSG(rational_compare_double(sum, later(t, step)) >= 0, "%a + %a", t, step);
    }
    mpq_clears(sum, part, NULL);
}

/* With t = 0, no slack and no separation the control points are exact, and so is the crossing that the step must not
   pass. Rising at first, so that Newton's guess is not tried. */
TEST(a_step_ends_before_the_hull_of_the_control_polygon_meets_zero) {
    test_random random = {204};
    double worst = 0;
    mpq_t crossing, best, a, b, third;
    mpq_inits(crossing, best, a, b, third, NULL);
    mpq_set_ui(third, 1, 3);
    size_t steps = 0;
    for (int i = 0; i < 60000; i++) {
        gz_volume volume = {.c = {test_random_unit(&random), 0, some_unit(&random), some_unit(&random)}};
        if (i % 4 == 0) volume.c[0] = ldexp(volume.c[0], -(int)test_random_below(&random, 60));
        volume.c[1] = volume.c[0] + test_random_unit(&random);
        double sign = i & 1 ? 1 : -1;
        for (int k = 0; k < 4; k++) volume.c[k] *= sign;
        double t = 0;
        uint64_t checks = 0;
        gz_volume_advance(&volume, &t, &checks, 1);
        if (t == 0 || t == 1) continue;
        steps++;
        mpq_set_ui(best, 2, 1);
        for (int k = 0; k < 3; k++)
            for (int j = k + 1; j < 4; j++) {
                if (!(volume.c[k] * sign > 0) || volume.c[j] * sign > 0) continue;
                mpq_set_d(a, volume.c[k]), mpq_set_d(b, volume.c[j]);
                mpq_sub(b, a, b);
                mpq_div(crossing, a, b);
                mpq_set_ui(a, (unsigned)(j - k), 1), mpq_set_ui(b, (unsigned)k, 1);
                mpq_mul(crossing, crossing, a);
                mpq_add(crossing, crossing, b);
                mpq_mul(crossing, crossing, third);
                if (mpq_cmp(crossing, best) < 0) mpq_set(best, crossing);
            }
        CHECK_MSG(rational_compare_double(best, t) > 0, "%a %a %a %a: to %a", volume.c[0], volume.c[1], volume.c[2],
                  volume.c[3], t);
        mpq_set_d(a, t);
        mpq_set_d(b, 0x1.1p-48); /* 32u, and 2u of the last factor */
        mpq_mul(b, b, best);
        worst = fmax(worst, 1 - rational_share(best, a, b));
    }
    CHECK_MSG(steps > 20000, "%zu", steps);
    test_bound_used("GZ_CLIP_DOWN", (34 * worst - 2) / 32); /* the last factor takes 2u of it */
    CHECK(worst > 0.08 && worst < 0.5);
    mpq_clears(crossing, best, a, b, third, NULL);
}

/* ---- GZ_INSIDE_SLACK and GZ_INSIDE_RATE ---- */

typedef struct conditions {
    mpq_t det, u, v;
} conditions;

/* The numerators of the inside test at time t, exactly. */
static void exact_conditions(conditions *n, graze_kind kind, const graze_query *query, double scale, const mpq_t t) {
    rational_vector x[3];
    mpq_t a11, a12, a22, c1, c2, product;
    mpq_inits(a11, a12, a22, c1, c2, product, NULL);
    for (int i = 0; i < 3; i++) rational_init(&x[i]);
    exact_vectors(x, kind, query, scale, t);
    rational_dot(a11, &x[0], &x[0]), rational_dot(a12, &x[0], &x[1]), rational_dot(a22, &x[1], &x[1]);
    rational_dot(c1, &x[0], &x[2]), rational_dot(c2, &x[1], &x[2]);
    mpq_mul(n->det, a11, a22), mpq_mul(product, a12, a12), mpq_sub(n->det, n->det, product);
    mpq_mul(n->u, c1, a22), mpq_mul(product, c2, a12), mpq_sub(n->u, n->u, product);
    mpq_mul(n->v, c2, a11), mpq_mul(product, c1, a12), mpq_sub(n->v, n->v, product);
    if (kind == GRAZE_EE) mpq_neg(n->v, n->v);
    for (int i = 0; i < 3; i++) rational_clear(&x[i]);
    mpq_clears(a11, a12, a22, c1, c2, product, NULL);
}

static bool is_inside(graze_kind kind, const conditions *n) {
    mpq_t sum;
    mpq_init(sum);
    mpq_add(sum, n->u, n->v);
    bool inside = mpq_sgn(n->det) > 0 && mpq_sgn(n->u) > 0 && mpq_sgn(n->v) > 0 && mpq_cmp(n->u, n->det) < 0 &&
                  mpq_cmp(n->v, n->det) < 0 && (kind == GRAZE_EE || mpq_cmp(sum, n->det) < 0);
    mpq_clear(sum);
    return inside;
}

/* The largest error of the three terms over what they may be off by. */
static double inside_share(graze_kind kind, const graze_query *query, double t) {
    gz_motion pair;
    v_vec x[3];
    gz_motion_make(&pair, kind, query, 0);
    vectors_at(&pair, t, x);
    inside_terms at = inside_of(kind, x), off = inside_errors(&pair, GZ_INSIDE_SLACK);
    conditions n;
    mpq_t time, got, bound;
    mpq_inits(n.det, n.u, n.v, time, got, bound, NULL);
    mpq_set_d(time, t);
    exact_conditions(&n, kind, query, pair.scale, time);
    mpq_t *exact[3] = {&n.det, &n.u, &n.v};
    const double computed[3] = {at.det, at.u, at.v}, bounds[3] = {off.det, off.u, off.v};
    double worst = 0;
    for (int i = 0; i < 3; i++) {
        mpq_set_d(got, computed[i]), mpq_set_d(bound, bounds[i]);
        worst = fmax(worst, rational_share(*exact[i], got, bound));
    }
    mpq_clears(n.det, n.u, n.v, time, got, bound, NULL);
    return worst;
}

TEST(the_terms_of_an_inside_test_err_within_their_slack) {
    test_random random = {210};
    double worst = 0;
    for (int i = 0; i < 6000; i++) {
        scaled_pair pair;
        scaled_draw(&random, i & 1, scaled_doubles, &pair);
        CHECK_QUERY(inside_share(i & 1, &pair.query, test_random_unit(&random)) <= 1, i & 1, &pair.query);
    }
    for (int i = 0; i < 12; i++) {
        graze_query query;
        for (int k = 0; k < 12; k++)
            query.x0[k / 3][k % 3] = some_unit(&random), query.x1[k / 3][k % 3] = some_unit(&random);
        double t = test_random_unit(&random), share = 0;
        for (int step = 0; step < 400; step++) {
            graze_query next = query;
            change_query(&random, &next);
            double more = inside_share(i & 1, &next, t);
            CHECK_QUERY(more <= 1, i & 1, &next);
            if (more >= share) query = next, share = more;
        }
        worst = fmax(worst, share);
    }
    test_bound_used("GZ_INSIDE_SLACK", worst);
    CHECK(worst > 0.003 && worst < 0.36); /* 722/2048 is proven */
}

/* A pair whose contact, as seen along the normal, is on the boundary at time t but for rounding: u = 0, v = 0, or at
   the other end. q = u e1 ± v e2 + height·N at both ends, with N of time t. */
static void query_on_the_boundary(test_random *random, graze_kind kind, double t, graze_query *query) {
    double e1[2][3], e2[2][3], now[2][3], n[3], u = test_random_unit(random), v = test_random_unit(random);
    if (kind == GRAZE_VF && u + v > 1) u = 1 - u, v = 1 - v;
    switch (test_random_below(random, 4)) {
    case 0: u = 0; break;
    case 1: v = 0; break;
    case 2: u = kind == GRAZE_VF ? 1 - v : 1; break;
    default: v = kind == GRAZE_VF ? 1 - u : 1; break;
    }
    if (kind == GRAZE_EE) v = -v;
    double(*x[2])[3] = {query->x0, query->x1};
    int base = kind == GRAZE_VF ? 1 : 0;
    for (int end = 0; end < 2; end++)
        for (int c = 0; c < 3; c++) {
            e1[end][c] = some_unit(random), e2[end][c] = some_unit(random);
            x[end][base][c] = test_random_below(random, 2) ? 0 : some_unit(random);
        }
    for (int c = 0; c < 3; c++) {
        now[0][c] = (1 - t) * e1[0][c] + t * e1[1][c];
        now[1][c] = (1 - t) * e2[0][c] + t * e2[1][c];
    }
    for (int c = 0; c < 3; c++) {
        int i = (c + 1) % 3, j = (c + 2) % 3;
        n[c] = 0.3 * (now[0][i] * now[1][j] - now[0][j] * now[1][i]);
    }
    for (int end = 0; end < 2; end++)
        for (int c = 0; c < 3; c++) {
            double q = u * e1[end][c] + v * e2[end][c] + n[c];
            if (kind == GRAZE_VF) {
                x[end][0][c] = x[end][1][c] + q;
                x[end][2][c] = x[end][1][c] + e1[end][c];
                x[end][3][c] = x[end][1][c] + e2[end][c];
            } else {
                x[end][1][c] = x[end][0][c] + e1[end][c];
                x[end][2][c] = x[end][0][c] + q;
                x[end][3][c] = x[end][2][c] + e2[end][c];
            }
        }
}

/* The test as the kernel makes it, from t to t + span, for whichever sign f has at the end. */
static bool kernel_says_inside(const gz_motion *pair, double t, double upper) {
    gz_volume volume;
    gz_contact contact;
    gz_volume_make(&volume, pair);
    int sign = gz_volume_at(&volume, upper) > 0 ? -1 : 1;
    return gz_volume_hit_by(pair, &volume, t, sign, upper, &contact);
}

TEST(a_contact_said_to_be_inside_is_at_that_time) {
    test_random random = {205};
    conditions n;
    mpq_t time;
    mpq_inits(n.det, n.u, n.v, time, NULL);
    size_t said = 0, outside = 0;
    for (int i = 0; i < 12000; i++) {
        graze_query query;
        graze_kind kind = i & 1 ? GRAZE_EE : GRAZE_VF;
        double t = i % 3 ? test_random_unit(&random) : 0;
        query_on_the_boundary(&random, kind, t, &query);
        if (i & 2)
            query.x0[0][0] *= 1 + ldexp(test_random_between(&random, -1, 1), -30 - (int)test_random_below(&random, 20));
        gz_motion pair;
        gz_motion_make(&pair, kind, &query, 0);
        mpq_set_d(time, t);
        exact_conditions(&n, kind, &query, pair.scale, time);
        bool inside = is_inside(kind, &n);
        outside += !inside;
        if (!kernel_says_inside(&pair, t, t)) continue; /* a span of 0: only the slack counts */
        said++;
        CHECK_QUERY(inside, kind, &query);
    }
    CHECK_MSG(said > 500 && outside > 3000, "%zu said, %zu outside", said, outside);
    mpq_clears(n.det, n.u, n.v, time, NULL);
}

TEST(a_contact_said_to_be_inside_stays_so_to_the_end) {
    test_random random = {206};
    conditions n;
    mpq_t time;
    mpq_inits(n.det, n.u, n.v, time, NULL);
    size_t said = 0;
    for (int i = 0; i < 20000; i++) {
        graze_query query;
        graze_kind kind = i & 1 ? GRAZE_EE : GRAZE_VF;
        double span = ldexp(1, -12 - (int)test_random_below(&random, 20)), t = 0.9 * test_random_unit(&random);
        double upper = t + span;
        /* on the boundary at the end, or soon after it */
        query_on_the_boundary(&random, kind, upper + span * test_random_between(&random, -1, 30), &query);
        for (int k = 0; k < 3; k++) query.x1[0][k] += 0.1 * some_unit(&random);
        gz_motion pair;
        gz_motion_make(&pair, kind, &query, 0);
        if (!kernel_says_inside(&pair, t, upper)) continue;
        said++;
        for (int k = 0; k < 3; k++) {
            mpq_set_d(time, k == 0 ? t : k == 1 ? t + span / 2 : upper);
            exact_conditions(&n, kind, &query, pair.scale, time);
            CHECK_QUERY(is_inside(kind, &n), kind, &query);
        }
    }
    CHECK_MSG(said > 300, "%zu", said);
    mpq_clears(n.det, n.u, n.v, time, NULL);
}

/* The largest change of a condition from t to `upper`, over the product of the four sizes and the span. */
static double inside_rate(graze_kind kind, const graze_query *query, double t, double upper) {
    gz_motion pair;
    conditions n[2];
    mpq_t time;
    gz_motion_make(&pair, kind, query, 0);
    mpq_init(time);
    for (int end = 0; end < 2; end++) {
        mpq_inits(n[end].det, n[end].u, n[end].v, NULL);
        mpq_set_d(time, end ? upper : t);
        exact_conditions(&n[end], kind, query, pair.scale, time);
    }
    mpq_sub(n[0].det, n[0].det, n[1].det), mpq_sub(n[0].u, n[0].u, n[1].u), mpq_sub(n[0].v, n[0].v, n[1].v);
    double m1 = size_of(pair.e1), m2 = size_of(pair.e2), mq = size_of(pair.q);
    double rate =
        fmax(fabs(mpq_get_d(n[0].det)) / (m1 * m1 * m2 * m2),
             fmax(fabs(mpq_get_d(n[0].u)) / (m1 * m2 * m2 * mq), fabs(mpq_get_d(n[0].v)) / (m1 * m1 * m2 * mq)));
    for (int end = 0; end < 2; end++) mpq_clears(n[end].det, n[end].u, n[end].v, NULL);
    mpq_clear(time);
    return rate / (upper - t);
}

/* Over spans of any length: the bound of 72 needs no limit on them. */
TEST(inside_conditions_change_no_faster_than_their_rate) {
    test_random random = {207};
    double worst = 0;
    for (int i = 0; i < 30; i++) {
        graze_query query;
        for (int k = 0; k < 12; k++)
            query.x0[k / 3][k % 3] = some_unit(&random), query.x1[k / 3][k % 3] = some_unit(&random);
        double span = ldexp(1, -(int)test_random_below(&random, 20)), rate = 0;
        for (int step = 0; step < 300; step++) {
            graze_query next = query;
            change_query(&random, &next);
            double more = inside_rate(i & 1, &next, 1 - span, 1);
            CHECK_QUERY(more <= 72.0001 && more <= GZ_INSIDE_RATE, i & 1, &next);
            if (more >= rate) query = next, rate = more;
        }
        worst = fmax(worst, rate);
    }
    test_bound_used("GZ_INSIDE_RATE", worst / GZ_INSIDE_RATE); /* 72 is proven */
    CHECK(worst > 32);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
