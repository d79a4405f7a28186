/* The bounds that narrow a bracket to adjacent doubles (docs/numerics.md, 4.7) one by one, against exact rationals. The
   source is included for its static functions. */
#include "pair/adjacent.c"

#include "bound_queries.h"
#include "scaled_pairs.h"

static void unit_query(test_random *random, graze_query *query) {
    for (int k = 0; k < 12; k++)
        query->x0[k / 3][k % 3] = some_unit(random), query->x1[k / 3][k % 3] = some_unit(random);
}

static void set_dd(mpq_t q, gz_dd a) {
    mpq_t low;
    mpq_init(low);
    mpq_set_d(q, a.hi), mpq_set_d(low, a.lo);
    mpq_add(q, q, low);
    mpq_clear(low);
}

static gz_volume volume_of(const gz_motion *pair) {
    gz_volume volume;
    gz_volume_make(&volume, pair);
    return volume;
}

/* ---- GZ_VOLUME_SLACK_DD ---- */

static double volume_share(graze_kind kind, const graze_query *query, double t) {
    gz_motion pair;
    gz_motion_make(&pair, kind, query, 0);
    gz_volume volume = volume_of(&pair);
    cubic f;
    cubic_make(&f, &pair, query);
    rational_vector x[3], n;
    mpq_t time, exact, got, slack;
    mpq_inits(time, exact, got, slack, NULL);
    rational_init(&n);
    for (int i = 0; i < 3; i++) rational_init(&x[i]);
    mpq_set_d(time, t);
    exact_vectors(x, kind, query, pair.scale, time);
    rational_cross(&n, &x[0], &x[1]);
    rational_dot(exact, &n, &x[2]);
    set_dd(got, cubic_at(&f, t));
    mpq_set_d(slack, volume.size * GZ_VOLUME_SLACK_DD + GZ_VOLUME_TINY);
    double share = rational_share(exact, got, slack);
    rational_clear(&n);
    for (int i = 0; i < 3; i++) rational_clear(&x[i]);
    mpq_clears(time, exact, got, slack, NULL);
    return share;
}

TEST(the_volume_in_double_double_errs_within_its_slack) {
    test_random random = {301};
    graze_query query;
    double worst = 0;
    for (int i = 0; i < 4000; i++) {
        some_query(&random, &query);
        CHECK_QUERY(volume_share(i & 1, &query, test_random_unit(&random)) <= 1, i & 1, &query);
    }
    for (int i = 0; i < 10; i++) {
        unit_query(&random, &query);
        double share = 0;
        for (int step = 0; step < 400; step++) {
            graze_query next = query;
            change_query(&random, &next);
            double more = volume_share(i & 1, &next, 1 - 0x1p-53 * (double)(2 * i + 1));
            CHECK_QUERY(more <= 1, i & 1, &next);
            if (more >= share) query = next, share = more;
        }
        worst = fmax(worst, share);
    }
    for (int i = 0; i < 6000; i++) {
        scaled_pair pair;
        scaled_draw(&random, i & 1, scaled_doubles, &pair);
        CHECK_QUERY(volume_share(i & 1, &pair.query, test_random_unit(&random)) <= 1, i & 1, &pair.query);
    }
    test_bound_used("GZ_VOLUME_SLACK_DD", worst);
    CHECK(worst > 0x1p-18 && worst < 0x1p-3); /* 2^-3 is proven */
}

/* ---- GZ_VOLUME_CURVE and the slope's slack ---- */

/* N, N', N'' and f', f'' at t, of the scaled pair */
typedef struct derivatives {
    rational_vector n[3];
    mpq_t f1, f2;
} derivatives;

static void derivatives_init(derivatives *d) {
    for (int i = 0; i < 3; i++) rational_init(&d->n[i]);
    mpq_inits(d->f1, d->f2, NULL);
}
static void derivatives_clear(derivatives *d) {
    for (int i = 0; i < 3; i++) rational_clear(&d->n[i]);
    mpq_clears(d->f1, d->f2, NULL);
}

static void add_cross(rational_vector *sum, const rational_vector *a, const rational_vector *b, unsigned times) {
    rational_vector n;
    mpq_t factor;
    rational_init(&n);
    mpq_init(factor);
    mpq_set_ui(factor, times, 1);
    rational_cross(&n, a, b);
    for (int c = 0; c < 3; c++) {
        mpq_mul(n.x[c], n.x[c], factor);
        mpq_add(sum->x[c], sum->x[c], n.x[c]);
    }
    rational_clear(&n);
    mpq_clear(factor);
}

static void derivatives_at(derivatives *d, graze_kind kind, const graze_query *query, double scale, double t) {
    rational_vector at[3], end[3], start[3];
    mpq_t time, dot;
    mpq_inits(time, dot, NULL);
    for (int i = 0; i < 3; i++) rational_init(&at[i]), rational_init(&end[i]), rational_init(&start[i]);
    exact_vectors(start, kind, query, scale, time);
    mpq_set_ui(time, 1, 1);
    exact_vectors(end, kind, query, scale, time);
    mpq_set_d(time, t);
    exact_vectors(at, kind, query, scale, time);
    for (int i = 0; i < 3; i++) rational_sub(&end[i], &end[i], &start[i]); /* the rates */
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) mpq_set_ui(d->n[i].x[c], 0, 1);
    add_cross(&d->n[0], &at[0], &at[1], 1);
    add_cross(&d->n[1], &end[0], &at[1], 1), add_cross(&d->n[1], &at[0], &end[1], 1);
    add_cross(&d->n[2], &end[0], &end[1], 2);
    rational_dot(d->f1, &d->n[1], &at[2]), rational_dot(dot, &d->n[0], &end[2]);
    mpq_add(d->f1, d->f1, dot);
    rational_dot(d->f2, &d->n[2], &at[2]), rational_dot(dot, &d->n[1], &end[2]);
    mpq_add(d->f2, d->f2, dot), mpq_add(d->f2, d->f2, dot);
    for (int i = 0; i < 3; i++) rational_clear(&at[i]), rational_clear(&end[i]), rational_clear(&start[i]);
    mpq_clears(time, dot, NULL);
}

TEST(the_volume_curves_no_more_than_its_bound) {
    test_random random = {302};
    derivatives d;
    derivatives_init(&d);
    double worst = 0;
    for (int i = 0; i < 16; i++) {
        graze_query query;
        unit_query(&random, &query);
        double most = 0;
        for (int step = 0; step < 400; step++) {
            graze_query next = query;
            change_query(&random, &next);
            gz_motion pair;
            gz_motion_make(&pair, i & 1, &next, 0);
            double curve = 0;
            for (int end = 0; end < 2; end++) { /* f'' is linear */
                derivatives_at(&d, i & 1, &next, pair.scale, end);
                curve = fmax(curve, fabs(mpq_get_d(d.f2)) / volume_of(&pair).size);
            }
            CHECK_QUERY(curve <= 96.0001 && curve <= GZ_VOLUME_CURVE, i & 1, &next);
            if (curve >= most) query = next, most = curve;
        }
        worst = fmax(worst, most);
    }
    test_bound_used("GZ_VOLUME_CURVE", worst / GZ_VOLUME_CURVE); /* 96 is proven */
    CHECK(worst > 40);
    derivatives_clear(&d);
}

/* A time in (0, 1) at which g changes sign, up to a few roundings; false when it has one sign at both ends. */
typedef double function(const gz_volume *volume, double t);
static bool find_zero(function *g, const gz_volume *volume, double *t) {
    double low = 0, high = 1, at_low = g(volume, 0), at_high = g(volume, 1);
    if (!(at_low * at_high < 0)) return false;
    for (int i = 0; i < 80; i++) {
        double middle = low + (high - low) / 2;
        if (g(volume, middle) * at_low > 0)
            low = middle;
        else
            high = middle;
    }
    *t = low;
    return true;
}

TEST(a_volume_said_to_fall_at_a_time_does) {
    test_random random = {303};
    derivatives d;
    derivatives_init(&d);
    size_t near = 0, said = 0;
    for (int i = 0; i < 1500; i++) {
        graze_query query;
        unit_query(&random, &query);
        gz_motion pair;
        gz_motion_make(&pair, i & 1, &query, 0);
        gz_volume volume = volume_of(&pair);
        double t;
        if (!find_zero(volume_slope, &volume, &t)) continue;
        for (int k = 0; k < 8; k++) { /* some units around the zero of the slope */
            double time = t + ldexp(test_random_between(&random, -1, 1), -53 + 2 * k);
            if (!(time >= 0 && time <= 1)) continue;
            near++;
            for (int sign = -1; sign <= 1; sign += 2) {
                if (!distance_falls(&volume, sign, time, 0)) continue;
                said++;
                derivatives_at(&d, i & 1, &query, pair.scale, time);
                CHECK_QUERY(mpq_sgn(d.f1) == -sign, i & 1, &query);
            }
        }
    }
    CHECK_MSG(near > 1000 && said > 200, "%zu of %zu", said, near);
    derivatives_clear(&d);
}

/* ---- GZ_TURN_SLACK and GZ_TURN_CURVE ---- */

/* The pair with f taken away, so that only separation·|N| is left; it falls where |N| grows. */
static gz_volume normal_only(graze_kind kind, const graze_query *query, gz_motion *pair) {
    gz_motion_make(pair, kind, query, 0);
    gz_motion_make(pair, kind, query, 1 / pair->scale);
    gz_volume volume = volume_of(pair);
    for (int i = 0; i < 4; i++) volume.c[i] = 0;
    volume.slack = volume.size = 0;
    return volume;
}

static v_vec normal_at(const gz_volume *volume, double t) {
    const v_vec *n = volume->n;
    double s = 1 - t;
    return vec_add(vec_scale(vec_add(vec_scale(n[0], s), vec_scale(n[1], t)), s),
                   vec_scale(vec_add(vec_scale(n[1], s), vec_scale(n[2], t)), t));
}

static double growth_at(const gz_volume *volume, double t) {
    const v_vec *n = volume->n;
    v_vec turning = vec_add(vec_scale(vec_sub(n[1], n[0]), 1 - t), vec_scale(vec_sub(n[2], n[1]), t));
    return vec_dot(normal_at(volume, t), turning);
}

/* | computed |N|' − exact | over GZ_TURN_SLACK·a (1 + 16 x), where it is used. */
static double growth_share(graze_kind kind, const graze_query *query, double t) {
    gz_motion pair;
    gz_volume volume = normal_only(kind, query, &pair);
    double length, growth = normal_growth(&volume, t, &length), thin = volume.area / length;
    if (!(length > GZ_NORMAL_LEAST && thin < GZ_THIN_MAX)) return 0;
    derivatives d;
    mpq_t square, product;
    mpf_t exact, norm, part;
    derivatives_init(&d);
    mpq_inits(square, product, NULL);
    mpf_init2(exact, 400), mpf_init2(norm, 400), mpf_init2(part, 400);
    derivatives_at(&d, kind, query, pair.scale, t);
    rational_dot(square, &d.n[0], &d.n[0]), rational_dot(product, &d.n[0], &d.n[1]);
    mpf_set_q(norm, square), mpf_set_q(exact, product);
    mpf_sqrt(norm, norm);
    mpf_div(exact, exact, norm);
    mpf_set_d(part, growth);
    mpf_sub(exact, exact, part);
    mpf_set_d(part, volume.area * (1 + 16 * thin) * GZ_TURN_SLACK);
    mpf_div(exact, exact, part);
    double share = fabs(mpf_get_d(exact));
    derivatives_clear(&d);
    mpq_clears(square, product, NULL);
    mpf_clears(exact, norm, part, NULL);
    return share;
}

/* Edges of 2^-first and 2^-second of the pair's size. */
static void query_of_edges(test_random *random, graze_kind kind, int first, int second, graze_query *query) {
    for (int end = 0; end < 2; end++)
        for (int c = 0; c < 3; c++) {
            double(*x)[3] = end ? query->x1 : query->x0;
            bool edges = kind == GRAZE_EE;
            x[edges ? 2 : 1][c] = 0, x[0][c] = edges ? 0 : some_unit(random);
            x[edges ? 1 : 2][c] = ldexp(some_unit(random), -first);
            x[3][c] = ldexp(some_unit(random), -second);
        }
}

TEST(the_growth_of_a_normal_errs_within_its_slack_also_where_its_squares_underflow) {
    test_random random = {311};
    double worst = 0;
    size_t longer = 0;
    for (int i = 0; i < 12000; i++) {
        graze_query query;
        graze_kind kind = i & 1 ? GRAZE_EE : GRAZE_VF;
        int first = (int)test_random_below(&random, 491);
        query_of_edges(&random, kind, first, 490 + (int)test_random_below(&random, 60) - first, &query);
        double share = growth_share(kind, &query, test_random_unit(&random));
        CHECK_QUERY(share <= 1, kind, &query);
        longer += share > 0;
    }
    CHECK_MSG(longer > 1000, "%zu", longer);
    for (int i = 0; i < 20; i++) {
        graze_query query;
        unit_query(&random, &query);
        double t = test_random_unit(&random), share = 0;
        for (int step = 0; step < 400; step++) {
            graze_query next = query;
            change_query(&random, &next);
            double more = growth_share(i & 1, &next, t);
            CHECK_QUERY(more <= 1, i & 1, &next);
            if (more >= share) query = next, share = more;
        }
        worst = fmax(worst, share);
    }
    test_bound_used("GZ_TURN_SLACK", worst);
    CHECK(worst > 0.001 && worst < 0.5);
}

TEST(what_is_said_to_fall_falls_for_pairs_with_parts_of_any_size) {
    test_random random = {312};
    derivatives d;
    mpq_t square, product;
    mpf_t fall, norm, part;
    derivatives_init(&d);
    mpq_inits(square, product, NULL);
    mpf_init2(fall, 3000), mpf_init2(norm, 3000), mpf_init2(part, 3000);
    size_t said = 0;
    for (int i = 0; i < 12000; i++) {
        scaled_pair drawn;
        graze_kind kind = i & 1 ? GRAZE_EE : GRAZE_VF;
        scaled_draw(&random, kind, scaled_doubles, &drawn);
        if (i % 3 == 0) {
            int first = (int)test_random_below(&random, 501);
            query_of_edges(&random, kind, first, 480 + (int)test_random_below(&random, 60) - first, &drawn.query);
            /* vertex and separation as near to the plane as each other, or both slopes are not of one size */
            int near = (int)test_random_below(&random, 300);
            for (int c = 0; c < 3 && kind == GRAZE_VF; c++) {
                drawn.query.x0[0][c] = ldexp(drawn.query.x0[0][c], -near);
                drawn.query.x1[0][c] = ldexp(drawn.query.x1[0][c], -near);
            }
            drawn.separation = ldexp(test_random_unit(&random), -near);
        }
        gz_motion pair;
        gz_motion_make(&pair, kind, &drawn.query, drawn.separation);
        gz_volume volume = volume_of(&pair);
        double t = test_random_unit(&random);
        int sign = i & 2 ? 1 : -1;
        if (!distance_falls(&volume, sign, t, 0)) continue;
        said++;
        derivatives_at(&d, kind, &drawn.query, pair.scale, t);
        rational_dot(square, &d.n[0], &d.n[0]), rational_dot(product, &d.n[0], &d.n[1]);
        mpf_set_q(norm, square), mpf_set_q(part, product);
        mpf_sqrt(norm, norm);
        mpf_div(part, part, norm);
        mpf_set_d(fall, pair.separation);
        mpf_mul(part, part, fall);
        mpf_set_q(fall, d.f1);
        if (sign < 0) mpf_neg(fall, fall);
        mpf_sub(fall, fall, part);
        CHECK_QUERY(mpf_sgn(fall) < 0, kind, &drawn.query);
    }
    CHECK_MSG(said > 500, "%zu", said);
    derivatives_clear(&d);
    mpq_clears(square, product, NULL);
    mpf_clears(fall, norm, part, NULL);
}

TEST(a_normal_said_to_grow_at_a_time_does) {
    test_random random = {304};
    derivatives d;
    mpq_t growth;
    derivatives_init(&d);
    mpq_init(growth);
    size_t near = 0, said = 0;
    for (int i = 0; i < 2500; i++) {
        graze_query query;
        unit_query(&random, &query);
        gz_motion pair;
        gz_volume volume = normal_only(i & 1, &query, &pair);
        double t;
        if (!find_zero(growth_at, &volume, &t)) continue;
        for (int k = 0; k < 8; k++) {
            double time = t + ldexp(test_random_between(&random, -1, 1), -54 + 2 * k);
            if (!(time >= 0 && time <= 1)) continue;
            near++;
            if (!distance_falls(&volume, 1, time, 0)) continue;
            said++;
            derivatives_at(&d, i & 1, &query, pair.scale, time);
            rational_dot(growth, &d.n[0], &d.n[1]);
            CHECK_QUERY(mpq_sgn(growth) > 0, i & 1, &query);
        }
    }
    CHECK_MSG(near > 2000 && said > 100, "%zu of %zu", said, near);
    derivatives_clear(&d);
    mpq_clear(growth);
}

TEST(a_normal_said_to_grow_over_a_span_does) {
    test_random random = {305};
    derivatives d;
    mpq_t growth;
    derivatives_init(&d);
    mpq_init(growth);
    size_t said = 0;
    for (int i = 0; i < 20000; i++) {
        graze_query query;
        unit_query(&random, &query);
        gz_motion pair;
        gz_volume volume = normal_only(i & 1, &query, &pair);
        double t;
        /* longest at t: it grows before and shrinks after */
        if (!find_zero(growth_at, &volume, &t) || !(growth_at(&volume, 0) > 0)) continue;
        double before = ldexp(test_random_unit(&random), -3 - (int)test_random_below(&random, 20)), start = t - before;
        double span = before * ldexp(1 + test_random_unit(&random), -(int)test_random_below(&random, 14));
        if (!(start >= 0 && start + span <= 1) || !distance_falls(&volume, 1, start, span)) continue;
        said++;
        for (int k = 0; k < 2; k++) {
            derivatives_at(&d, i & 1, &query, pair.scale, k ? start + span : start);
            rational_dot(growth, &d.n[0], &d.n[1]);
            CHECK_QUERY(mpq_sgn(growth) > 0, i & 1, &query);
        }
    }
    CHECK_MSG(said > 25, "%zu", said);
    derivatives_clear(&d);
    mpq_clear(growth);
}

/* | |N|'' | at t + span over a (1 + 25 x), x = a/|N(t)|; 0 where the span is too long for the bound */
static double normal_curve(graze_kind kind, const graze_query *query, double t, double span) {
    gz_motion pair;
    gz_volume volume = normal_only(kind, query, &pair);
    v_vec n = normal_at(&volume, t);
    double thin = volume.area / sqrt(vec_dot(n, n));
    if (!(span * thin < 0x1p-5)) return 0;
    derivatives d;
    mpq_t nn, n1, n2, n11;
    mpf_t length, curve, part;
    derivatives_init(&d);
    mpq_inits(nn, n1, n2, n11, NULL);
    mpf_init2(length, 300), mpf_init2(curve, 300), mpf_init2(part, 300);
    derivatives_at(&d, kind, query, pair.scale, t + span);
    rational_dot(nn, &d.n[0], &d.n[0]), rational_dot(n1, &d.n[0], &d.n[1]);
    rational_dot(n2, &d.n[0], &d.n[2]), rational_dot(n11, &d.n[1], &d.n[1]);
    /* (|N'|² + <N, N''>)/|N| − <N, N'>²/|N|³ */
    mpq_add(n11, n11, n2);
    mpq_mul(n1, n1, n1);
    mpq_div(n1, n1, nn);
    mpq_sub(n11, n11, n1);
    mpf_set_q(curve, n11), mpf_set_q(length, nn);
    mpf_sqrt(length, length);
    mpf_div(curve, curve, length);
    double value = fabs(mpf_get_d(curve)) / (volume.area * (1 + 25 * thin));
    derivatives_clear(&d);
    mpq_clears(nn, n1, n2, n11, NULL);
    mpf_clears(length, curve, part, NULL);
    return value;
}

TEST(the_length_of_the_normal_curves_no_more_than_its_bound) {
    test_random random = {306};
    double worst = 0;
    for (int i = 0; i < 30; i++) {
        graze_query query;
        unit_query(&random, &query);
        double most = 0, t = test_random_unit(&random) * 0.9;
        for (int step = 0; step < 300; step++) {
            graze_query next = query;
            change_query(&random, &next);
            double curve = normal_curve(i & 1, &next, t, i % 3 ? 0 : 0x1p-8);
            CHECK_QUERY(curve <= GZ_TURN_CURVE, i & 1, &next);
            if (curve >= most) query = next, most = curve;
        }
        worst = fmax(worst, most);
    }
    test_bound_used("GZ_TURN_CURVE", worst / GZ_TURN_CURVE);
    CHECK(worst > 0.8);
}

/* ---- GZ_DOT_SLACK_DD ---- */

/* n such that <n, w> is 0 but for the last bits of double-double; w.x is not 0 */
static gz_dd_vec nearly_perpendicular(test_random *random, gz_dd_vec w) {
    gz_dd_vec n = {{0, 0},
                   dd_quick_sum(some_unit(random), 0x1p-54 * some_unit(random)),
                   dd_quick_sum(some_unit(random), 0x1p-54 * some_unit(random))};
    gz_dd rest = dd_add(dd_mul(n.y, w.y), dd_mul(n.z, w.z));
    double first = -rest.hi / w.x.hi;
    rest = dd_add(rest, dd_scale(w.x, first));
    double second = -rest.hi / w.x.hi;
    rest = dd_add(rest, dd_scale(w.x, second));
    n.x = dd_quick_sum(first, second - rest.hi / w.x.hi);
    return n;
}

TEST(a_direction_in_double_double_said_to_separate_does) {
    test_random random = {307};
    rational_vector a, b, n;
    mpq_t time, exact, got, bound;
    rational_init(&a), rational_init(&b), rational_init(&n);
    mpq_inits(time, exact, got, bound, NULL);
    size_t hard = 0;
    double worst = 0;
    for (int i = 0; i < 20000; i++) {
        graze_query query;
        unit_query(&random, &query);
        /* points of different sizes: their difference has more bits than a double */
        for (int c = 0; c < 3; c++) query.x0[0][c] *= 0x1p-30, query.x1[1][c] *= 0x1p-25;
        gz_motion pair;
        differences d;
        gz_motion_make(&pair, GRAZE_PP, &query, 0);
        differences_make(&d, &pair, &query);
        double t = test_random_unit(&random);
        gz_dd_vec w = difference_at(&d, 0, t), direction = nearly_perpendicular(&random, w);
        double size = fabs(direction.x.hi) + fabs(direction.y.hi) + fabs(direction.z.hi);
        if (!(size < 100)) continue;
        mpq_set_d(time, t);
        rational_row(&a, &query, 0, time), rational_row(&b, &query, 1, time);
        rational_sub(&b, &b, &a);
        mpq_set_d(got, pair.scale);
        for (int c = 0; c < 3; c++) mpq_mul(b.x[c], b.x[c], got);
        set_dd(n.x[0], direction.x), set_dd(n.x[1], direction.y), set_dd(n.x[2], direction.z);
        rational_dot(exact, &n, &b);
        hard += mpq_sgn(exact) <= 0 && proves_free(&d, 1, direction, dd_two_product(0, 0), t, t, 0);
        if (proves_free(&d, 1, direction, dd_two_product(0, 0), t, t, 1))
            CHECK_QUERY(mpq_sgn(exact) > 0, GRAZE_PP, &query);
        gz_dd g = dd_add(dd_vec_dot(direction, d.w0[0]), dd_scale(dd_vec_dot(direction, d.rate[0]), t));
        set_dd(got, g);
        mpq_set_d(bound, size * GZ_DOT_SLACK_DD);
        double share = rational_share(exact, got, bound);
        CHECK_QUERY(share <= 1, GRAZE_PP, &query);
        worst = fmax(worst, share);
    }
    printf("    without it %zu claims would be wrong\n", hard);
    test_bound_used("GZ_DOT_SLACK_DD", worst);
    CHECK(hard > 1000 && worst > 0x1p-14);
    rational_clear(&a), rational_clear(&b), rational_clear(&n);
    mpq_clears(time, exact, got, bound, NULL);
}

/* ---- GZ_SQUARE_SLACK_DD ---- */

/* <n, w_k(t)> > separation |n| without a rounding, n as the two doubles of each component are. */
static bool separates(const gz_dd_vec *direction, graze_kind kind, const graze_query *query, double separation,
                      double t) {
    rational_vector x[4], n, w;
    mpq_t time, dot, least;
    int rows = gz_kind_rows(kind), split = gz_kind_rows_of_a(kind);
    mpq_inits(time, dot, least, NULL);
    rational_init(&n), rational_init(&w);
    set_dd(n.x[0], direction->x), set_dd(n.x[1], direction->y), set_dd(n.x[2], direction->z);
    mpq_set_d(time, t);
    bool apart = true;
    for (int i = 0; i < 4; i++) rational_init(&x[i]), rational_row(&x[i], query, i, time);
    for (int i = 0; i < split; i++)
        for (int j = split; j < rows; j++) {
            rational_sub(&w, &x[j], &x[i]);
            rational_dot(dot, &n, &w);
            apart = apart && mpq_sgn(dot) > 0;
            mpq_mul(dot, dot, dot);
            rational_dot(least, &n, &n);
            mpq_set_d(time, separation);
            mpq_mul(least, least, time), mpq_mul(least, least, time);
            apart = apart && mpq_cmp(dot, least) > 0;
        }
    for (int i = 0; i < 4; i++) rational_clear(&x[i]);
    rational_clear(&n), rational_clear(&w);
    mpq_clears(time, dot, least, NULL);
    return apart;
}

TEST(a_direction_said_to_separate_parts_of_any_size_does) {
    test_random random = {313};
    size_t said = 0;
    for (int i = 0; i < 20000; i++) {
        graze_kind kind = (graze_kind)(i % 4);
        scaled_pair drawn;
        scaled_draw(&random, kind, scaled_doubles, &drawn);
        double t = test_random_unit(&random), u, v, shorter = scaled_size(&random, 0, 600);
        gz_motion pair;
        differences d;
        feature f = {0};
        gz_motion_make(&pair, kind, &drawn.query, 0);
        v_vec between = gz_motion_closest(&pair, t, &u, &v);
        /* half of them at a separation that the closest points have but for a rounding or two */
        double near = sqrt(vec_dot(between, between)) / pair.scale * (1 + 0x1p-52 * (double)(i % 16 - 8));
        double separation = i & 4 && near < GRAZE_MAX_COORDINATE ? near : drawn.separation;
        gz_motion_make(&pair, kind, &drawn.query, separation);
        differences_make(&d, &pair, &drawn.query);
        feature_find(&f, &pair, u, v);
        gz_dd_vec n =
            f.size ? feature_direction(&d, &f, t) : (gz_dd_vec){dd_of(between.x), dd_of(between.y), dd_of(between.z)};
        n = dd_vec_scale(n, shorter); /* no proof may depend on its length */
        if (!proves_free(&d, d.count, n, squared_separation(&pair), t, t, 1)) continue;
        said++;
        CHECK_QUERY(separates(&n, kind, &drawn.query, separation, t), kind, &drawn.query);
    }
    CHECK_MSG(said > 2000, "%zu", said);
}

/* (1, 2, 2) has the length 3: two points exactly at the separation, which is contact. */
TEST(a_direction_does_not_separate_what_is_exactly_at_the_separation) {
    test_random random = {12};
    for (int i = 0; i < 2000; i++) {
        double s = floor(test_random_between(&random, 0x1p40, 0x1p50)) * ldexp(1, -(int)test_random_below(&random, 60));
        graze_query query = {.x0 = {{0, 0, 0}, {s, 2 * s, 2 * s}}, .x1 = {{s, 0, 0}, {2 * s, 2 * s, 2 * s}}};
        gz_motion pair;
        gz_motion_make(&pair, GRAZE_PP, &query, 3 * s);
        differences d;
        differences_make(&d, &pair, &query);
        double t = test_random_unit(&random);
        CHECK_QUERY(!proves_free(&d, 1, difference_at(&d, 0, t), squared_separation(&pair), 0, t, 1), GRAZE_PP, &query);
    }
}

TEST(a_squared_distance_in_double_double_errs_within_its_slack) {
    test_random random = {308};
    rational_vector x[4], p, q;
    mpq_t time, mu, mv, exact, got, bound;
    for (int i = 0; i < 4; i++) rational_init(&x[i]);
    rational_init(&p), rational_init(&q);
    mpq_inits(time, mu, mv, exact, got, bound, NULL);
    double worst = 0;
    for (int i = 0; i < 12000; i++) {
        graze_query query;
        some_query(&random, &query);
        graze_kind kind = (graze_kind)(i % 4);
        gz_motion pair;
        differences d;
        feature f = {0};
        scaled_pair drawn;
        scaled_draw(&random, kind, scaled_doubles, &drawn);
        if (i % 3 == 0) query = drawn.query;
        gz_motion_make(&pair, kind, &query, 0);
        gz_motion_make(&pair, kind, &query, i % 3 ? test_random_unit(&random) / pair.scale : drawn.separation);
        differences_make(&d, &pair, &query);
        double u = test_random_unit(&random), v = test_random_unit(&random), t = test_random_unit(&random), rate;
        if (kind == GRAZE_VF && u + v > 1) u = 1 - u, v = 1 - v;
        if (kind == GRAZE_VF && i % 8 == 0) u = 1 - v;
        if (kind == GRAZE_VF && i % 8 == 4) v = 0;
        feature_find(&f, &pair, u, v);
        set_dd(got, excess_at(&d, &f, dd_two_product(pair.separation, pair.separation), t, &rate));
        mpq_set_d(time, t), mpq_set_d(mu, u), mpq_set_d(mv, v);
        for (int k = 0; k < 4; k++) rational_row(&x[k], &query, k, time);
        if (kind == GRAZE_EE) {
            rational_lerp(&p, &x[0], &x[1], mu), rational_lerp(&q, &x[2], &x[3], mv);
        } else {
            rational_lerp(&q, &x[1], &x[2], mu);
            if (kind == GRAZE_VF) {
                if (u == 1 - v) rational_lerp(&q, &x[2], &x[3], mv); /* on that edge, by v alone */
                rational_sub(&p, &x[3], &x[1]);
                for (int c = 0; c < 3 && u != 1 - v; c++) {
                    mpq_mul(p.x[c], p.x[c], mv);
                    mpq_add(q.x[c], q.x[c], p.x[c]);
                }
            }
            if (kind == GRAZE_PP) rational_lerp(&q, &x[1], &x[1], mu);
            rational_lerp(&p, &x[0], &x[0], mu);
        }
        rational_sub(&q, &q, &p);
        rational_dot(exact, &q, &q);
        mpq_set_d(bound, pair.scale);
        mpq_mul(exact, exact, bound), mpq_mul(exact, exact, bound);
        mpq_set_d(bound, pair.separation);
        mpq_mul(bound, bound, bound);
        mpq_sub(exact, exact, bound);
        mpq_set_d(bound, GZ_SQUARE_SLACK_DD);
        double share = rational_share(exact, got, bound);
        CHECK_QUERY(share <= 1, kind, &query);
        worst = fmax(worst, share);
    }
    test_bound_used("GZ_SQUARE_SLACK_DD", worst);
    CHECK(worst > 0x1p-17);
    for (int i = 0; i < 4; i++) rational_clear(&x[i]);
    rational_clear(&p), rational_clear(&q);
    mpq_clears(time, mu, mv, exact, got, bound, NULL);
}

/* ---- GZ_THIN_MAX and GZ_THIN_FACTOR ---- */

/* A point of the plane with the normal (2, 3, 6), whose length is 7; i and j are cut so that this is exact. */
static void in_plane(double i, double j, double grid, double x[3]) {
    i = nearbyint(i / grid) * grid, j = nearbyint(j / grid) * grid;
    x[0] = 3 * i, x[1] = 2 * (j - i), x[2] = -j;
}

/* A face that moves within that plane, and a vertex that at t is exactly `separation` away from it. The face's normal
   is thin, about 2^-thinness of the product of its edges, and what it is made of has more bits than double-double. */
static double touching_query(test_random *random, int thinness, double t, graze_query *query) {
    double near = ldexp(1, -41), speed = 0x1p-4, part = test_random_unit(random), delta = ldexp(1, -thinness);
    for (int end = 0; end < 2; end++) {
        double(*x)[3] = end ? query->x1 : query->x0, height = near + speed * (end ? t - 1 : t);
        x[0][0] = 2 * height, x[0][1] = 3 * height, x[0][2] = 6 * height;
        double i = 0.25 * some_unit(random), j = 0.25 * some_unit(random);
        in_plane(i, j, 0x1p-50, x[1]);
        in_plane(0x1p-30 * some_unit(random), 0x1p-30 * some_unit(random), 0x1p-80, x[2]);
        in_plane((1 - part) * i + delta * some_unit(random) / 4, (1 - part) * j + delta * some_unit(random) / 4,
                 0x1p-50, x[3]);
    }
    return 7 * near;
}

TEST(a_plane_of_a_thin_face_does_not_separate_what_touches) {
    static const int thinness[] = {0, 1, 2, 3, 4, 18, 20, 22, 24, 27};
    test_random random = {309};
    size_t falling = 0, hard = 0;
    for (int i = 0; i < 20000; i++) {
        graze_query query;
        double t = 0.25 + 0x1p-46 * (double)(test_random_below(&random, (uint64_t)1 << 45) | 1);
        int thin = thinness[i % (int)(sizeof thinness / sizeof *thinness)], side;
        double separation = touching_query(&random, thin, t, &query);
        gz_motion pair;
        differences d;
        gz_motion_make(&pair, GRAZE_VF, &query, separation);
        gz_volume volume = volume_of(&pair);
        differences_make(&d, &pair, &query);
        gz_dd_vec n = plane_direction(&pair, &query, &d, t, &side);
        if (!distance_falls(&volume, -side, t, 0)) continue;
        falling++;
        hard += proves_free(&d, 1, n, dd_two_product(pair.separation, pair.separation), t, t, 0);
        CHECK_QUERY(!proves_free(&d, 1, n, dd_two_product(pair.separation, pair.separation), t, t, GZ_THIN_FACTOR),
                    GRAZE_VF, &query);
    }
    printf("    %zu planes; without slacks %zu would seem to separate\n", falling, hard);
    CHECK(falling > 2000 && hard > 200);
}

/* The premise of the factor: components of N in double-double are off by 2^-98 of the area at most. */
TEST(a_normal_in_double_double_errs_by_little_of_its_area) {
    test_random random = {310};
    rational_vector x[3], exact;
    mpq_t time, got, bound;
    for (int i = 0; i < 3; i++) rational_init(&x[i]);
    rational_init(&exact);
    mpq_inits(time, got, bound, NULL);
    double worst = 0;
    for (int i = 0; i < 6000; i++) {
        graze_query query;
        graze_kind kind = i & 1 ? GRAZE_EE : GRAZE_VF;
        double t = test_random_unit(&random);
        unit_query(&random, &query);
        for (int c = 0; c < 3; c++) query.x0[0][c] *= 0x1p-30, query.x1[2][c] *= 0x1p-25;
        double small = ldexp(1, -(int)test_random_below(&random, 40)); /* edges much shorter than the way they go */
        for (int c = 0; c < 3 && i % 3; c++) {
            int from = kind == GRAZE_EE ? 2 : 1, to = kind == GRAZE_EE ? 3 : 2;
            query.x0[to][c] = query.x0[from][c] + small * some_unit(&random);
            query.x1[to][c] = query.x1[from][c] + small * some_unit(&random);
        }
        gz_motion pair;
        differences d;
        gz_motion_make(&pair, kind, &query, 0);
        differences_make(&d, &pair, &query);
        int side;
        gz_dd_vec n = plane_direction(&pair, &query, &d, t, &side);
        mpq_set_d(time, t);
        exact_vectors(x, kind, &query, pair.scale, time);
        rational_cross(&exact, &x[0], &x[1]);
        mpq_set_d(bound, volume_of(&pair).area * 0x1p-98);
        const gz_dd parts[3] = {n.x, n.y, n.z};
        for (int c = 0; c < 3; c++) {
            set_dd(got, parts[c]);
            if (side < 0) mpq_neg(got, got);
            double share = rational_share(exact.x[c], got, bound);
            CHECK_QUERY(share <= 1, kind, &query);
            worst = fmax(worst, share);
        }
    }
    printf("    at most %.4f of it\n", worst);
    CHECK(worst > 0.002);
    for (int i = 0; i < 3; i++) rational_clear(&x[i]);
    rational_clear(&exact);
    mpq_clears(time, got, bound, NULL);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
