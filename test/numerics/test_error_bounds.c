/* Every bound that a proof in `certified` rests on, against exact rationals: random pairs, and pairs made to hurt
   (large offsets, wide ranges of exponents, subnormals, the largest coordinates, cancellation). */
#include "check.h"
#include "rational.h"
#include "scaled_pairs.h"

#include "numerics/double_double.h"
#include "pair/thick.h"
#include "pair/volume.h"

static double any_sign(test_random *random, double x) { return test_random_bits(random) & 1 ? -x : x; }

/* One of several kinds of coordinates; `style` is the same for a whole query. */
static double coordinate(test_random *random, int style) {
    double x = test_random_between(random, -1, 1);
    switch (style) {
    case 0: return x;
    case 1: return 1e7 + x * 1e-3;
    case 2: return x * 0x1p160;
    case 3: return x * 0x1p-1060; /* subnormal */
    case 4: return ldexp(x, (int)test_random_below(random, 400) - 260);
    case 5: return (double)(int)test_random_below(random, 5) - 2; /* many exact zeros and ties */
    case 6:
        return ldexp(1 + any_sign(random, 0x1p-52) * (double)test_random_below(random, 3),
                     (int)test_random_below(random, 3));
    case 7: return x * 0x1p-540; /* squares underflow */
    default: return ldexp(x, -(int)test_random_below(random, 1070));
    }
}
#define STYLES 9

static void random_query(test_random *random, graze_query *query) {
    if (test_random_below(random, 3) == 0) {
        scaled_pair pair;
        scaled_draw(random, (graze_kind)test_random_below(random, 2), scaled_doubles, &pair);
        *query = pair.query;
        return;
    }
    int style = (int)test_random_below(random, STYLES);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            query->x0[i][c] = coordinate(random, style);
            query->x1[i][c] = test_random_below(random, 4) ? coordinate(random, style) : query->x0[i][c];
        }
    /* now and then a nearly degenerate one: two points a hair apart */
    if (test_random_below(random, 4) == 0)
        for (int c = 0; c < 3; c++) query->x0[2][c] = query->x0[0][c] * (1 + any_sign(random, 0x1p-50));
}

static graze_kind random_kind(test_random *random) { return (graze_kind)test_random_below(random, 4); }

TEST(a_dot_product_with_a_difference_errs_by_less_than_its_slack) {
    test_random random = {1};
    rational_vector a, b, n, w;
    mpq_t exact, computed;
    rational_init(&a), rational_init(&b), rational_init(&n), rational_init(&w);
    mpq_inits(exact, computed, NULL);
    for (int i = 0; i < 40000; i++) {
        double xa[3], xb[3], xn[3];
        int style = (int)test_random_below(&random, STYLES), style_n = (int)test_random_below(&random, STYLES);
        for (int c = 0; c < 3; c++) {
            xa[c] = coordinate(&random, style);
            xb[c] = coordinate(&random, style);
            xn[c] = coordinate(&random, style_n);
        }
        /* an n that is nearly perpendicular: everything cancels */
        if (i & 1) xn[0] = xb[1] - xa[1], xn[1] = -(xb[0] - xa[0]);
        v_vec dw = {xb[0] - xa[0], xb[1] - xa[1], xb[2] - xa[2]}, dn = {xn[0], xn[1], xn[2]};
        double dot = vec_dot(dn, dw), slack = vec_dot(vec_abs(dn), vec_abs(dw)) * GZ_DOT_SLACK + GZ_DOT_TINY;
        rational_set(&a, xa), rational_set(&b, xb), rational_set(&n, xn);
        rational_sub(&w, &b, &a);
        rational_dot(exact, &n, &w);
        mpq_set_d(computed, dot);
        mpq_sub(exact, exact, computed);
        mpq_abs(exact, exact);
        /* half of it: the rest covers adding the slack to the threshold */
        CHECK_MSG(rational_compare_double(exact, slack * 0.75) <= 0, "off by %g, slack %g", mpq_get_d(exact), slack);
    }
    rational_clear(&a), rational_clear(&b), rational_clear(&n), rational_clear(&w);
    mpq_clears(exact, computed, NULL);
}

TEST(a_threshold_is_never_below_separation_times_length) {
    test_random random = {2};
    mpq_t exact, d, computed, tiny;
    rational_vector n;
    rational_init(&n);
    mpq_inits(exact, d, computed, tiny, NULL);
    for (int i = 0; i < 20000; i++) {
        double x[3], separation = fabs(coordinate(&random, (int)test_random_below(&random, STYLES)));
        int style = (int)test_random_below(&random, STYLES);
        for (int c = 0; c < 3; c++) x[c] = coordinate(&random, style);
        v_vec dn = {x[0], x[1], x[2]};
        double norm = sqrt(vec_dot(dn, dn) + GZ_NORM_TINY);
        double least = separation * norm * GZ_NORM_UP + GZ_DOT_TINY;
        rational_set(&n, x);
        rational_dot(exact, &n, &n);
        mpq_set_d(d, separation);
        mpq_mul(exact, exact, d);
        mpq_mul(exact, exact, d);
        mpq_set_d(computed, least);
        mpq_mul(computed, computed, computed);
        CHECK(mpq_cmp(exact, computed) <= 0);
    }
    rational_clear(&n);
    mpq_clears(exact, d, computed, tiny, NULL);
}

/* Probes from where the last one ended, in directions good and bad; unscaled, as the lanes do it, and scaled. */
TEST(a_probe_never_claims_time_that_its_direction_does_not_prove) {
    test_random random = {3};
    size_t advanced = 0;
    for (int i = 0; i < 12000; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = random_kind(&random);
        double separation = 0;
        if (i & 1) separation = fabs(query.x0[1][0] - query.x0[0][0]) * test_random_unit(&random);
        gz_motion scaled, raw;
        gz_motion_make(&scaled, kind, &query, separation);
        raw = scaled;
        for (int k = 0; k < raw.count; k++) {
            int a = kind == GRAZE_EE ? k >> 1 : 0, b = kind == GRAZE_EE ? 2 + (k & 1) : k + 1;
            const double *x0a = query.x0[a], *x0b = query.x0[b], *x1a = query.x1[a], *x1b = query.x1[b];
            raw.w0[k] = (v_vec){x0b[0] - x0a[0], x0b[1] - x0a[1], x0b[2] - x0a[2]};
            raw.w1[k] = (v_vec){x1b[0] - x1a[0], x1b[1] - x1a[1], x1b[2] - x1a[2]};
        }
        raw.size = probe_size(raw.w0, raw.w1, raw.count);
        raw.separation = separation;
        double t = 0;
        for (int step = 0; step < 4; step++) {
            const gz_motion *pair = step & 1 ? &scaled : &raw;
            v_vec w[4], n;
            probe_at(pair->w0, pair->w1, pair->count, t, w);
            n = probe_direction(w, pair->count);
            if (test_random_below(&random, 3) == 0) n.x = any_sign(&random, n.x), n.y *= test_random_unit(&random);
            double next = probe_advance(pair->w0, pair->w1, pair->count, pair->size, n, t, pair->separation);
            CHECK(next >= t);
            if (next == t) continue;
            advanced++;
            CHECK_QUERY(rational_apart_along(kind, &query, NULL, separation, (double[3]){n.x, n.y, n.z}, t), kind,
                        &query);
            CHECK_QUERY(rational_apart_along(kind, &query, NULL, separation, (double[3]){n.x, n.y, n.z}, next), kind,
                        &query);
            t = next;
            if (t >= 1) break;
        }
    }
    CHECK(advanced > 5000);
}

/* exact f at t, of the scaled pair: scale^3 <e1 x e2, q> */
static void exact_volume(mpq_t f, graze_kind kind, const graze_query *query, double scale, const mpq_t t,
                         rational_vector out[3]) {
    static const int ends[2][3][2] = {{{1, 2}, {1, 3}, {1, 0}}, {{0, 1}, {2, 3}, {0, 2}}};
    rational_vector x[4], n;
    rational_init(&n);
    for (int i = 0; i < 4; i++) {
        rational_init(&x[i]);
        rational_row(&x[i], query, i, t);
    }
    mpq_t s;
    mpq_init(s);
    mpq_set_d(s, scale);
    for (int i = 0; i < 3; i++) {
        rational_sub(&out[i], &x[ends[kind][i][1]], &x[ends[kind][i][0]]);
        for (int c = 0; c < 3; c++) mpq_mul(out[i].x[c], out[i].x[c], s);
    }
    rational_cross(&n, &out[0], &out[1]);
    rational_dot(f, &n, &out[2]);
    for (int i = 0; i < 4; i++) rational_clear(&x[i]);
    rational_clear(&n);
    mpq_clear(s);
}

TEST(the_volume_errs_by_less_than_its_slack_and_no_root_is_stepped_over) {
    test_random random = {4};
    mpq_t f, t, computed, step;
    mpq_inits(f, t, computed, step, NULL);
    rational_vector v[3];
    for (int i = 0; i < 3; i++) rational_init(&v[i]);
    size_t advanced = 0;
    for (int i = 0; i < 6000; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = i & 1 ? GRAZE_EE : GRAZE_VF;
        gz_motion pair;
        gz_volume volume;
        gz_motion_make(&pair, kind, &query, 0);
        gz_volume_make(&volume, &pair);
        for (int j = 0; j < 3; j++) {
            double time = j == 0 ? 0 : j == 1 ? 1 : test_random_unit(&random);
            mpq_set_d(t, time);
            exact_volume(f, kind, &query, pair.scale, t, v);
            mpq_set_d(computed, gz_volume_at(&volume, time));
            mpq_sub(computed, computed, f);
            mpq_abs(computed, computed);
            CHECK_QUERY(rational_compare_double(computed, volume.slack) <= 0, kind, &query);
        }
        double from = 0;
        uint64_t checks = 0;
        int sign = gz_volume_advance(&volume, &from, &checks, 100);
        if (!sign) continue;
        advanced++;
        for (int j = 0; j <= 8; j++) { /* a root stepped over would show as another sign */
            mpq_set_d(t, from);
            mpq_set_ui(step, (unsigned)j, 8);
            mpq_canonicalize(step);
            mpq_mul(t, t, step);
            exact_volume(f, kind, &query, pair.scale, t, v);
            CHECK_QUERY(mpq_sgn(f) == sign, kind, &query);
        }
    }
    CHECK(advanced > 2000);
    for (int i = 0; i < 3; i++) rational_clear(&v[i]);
    mpq_clears(f, t, computed, step, NULL);
}

/* sign·f > separation·|N| at nine times up to where the volume polynomial proves that. Returns that time. */
static double check_plane(graze_kind kind, const graze_query *query, double separation) {
    gz_motion pair;
    gz_volume volume;
    gz_motion_make(&pair, kind, query, separation);
    gz_volume_make(&volume, &pair);
    double from = 0;
    uint64_t checks = 0;
    int sign = gz_volume_advance(&volume, &from, &checks, 100);
    if (!sign || from == 0) return 0;
    mpq_t f, t, d, step, least;
    mpq_inits(f, t, d, step, least, NULL);
    rational_vector v[3], n;
    for (int i = 0; i < 3; i++) rational_init(&v[i]);
    rational_init(&n);
    for (unsigned j = 0; j <= 8; j++) {
        mpq_set_d(t, from);
        mpq_set_ui(step, j, 8);
        mpq_canonicalize(step);
        mpq_mul(t, t, step);
        exact_volume(f, kind, query, 1, t, v);
        CHECK_QUERY(mpq_sgn(f) == sign, kind, query);
        rational_cross(&n, &v[0], &v[1]);
        rational_dot(least, &n, &n);
        mpq_set_d(d, separation);
        mpq_mul(least, least, d), mpq_mul(least, least, d);
        mpq_mul(f, f, f);
        CHECK_QUERY(mpq_cmp(f, least) > 0, kind, query);
    }
    for (int i = 0; i < 3; i++) rational_clear(&v[i]);
    rational_clear(&n);
    mpq_clears(f, t, d, step, least, NULL);
    return from;
}

TEST(with_a_separation_the_plane_stays_farther_than_it_all_the_way) {
    test_random random = {8};
    size_t advanced = 0;
    for (int i = 0; i < 6000; i++) {
        graze_query query;
        random_query(&random, &query);
        double separation = fabs(query.x0[1][0] - query.x0[0][0]) * ldexp(1, -(int)test_random_below(&random, 12));
        advanced += check_plane(i & 1 ? GRAZE_EE : GRAZE_VF, &query, separation) > 0;
    }
    CHECK_MSG(advanced > 500, "%zu", advanced);
}

/* A vertex that comes as near to the plane as the separation, and a face with one edge that is shorter than all else by
   hundreds of powers of two: its normal is so short that its squares underflow. */
TEST(a_plane_with_parts_of_any_size_stays_farther_than_the_separation_all_the_way) {
    test_random random = {10};
    size_t advanced = 0;
    for (int i = 0; i < 12000; i++) {
        graze_kind kind = i & 1 ? GRAZE_EE : GRAZE_VF;
        scaled_pair pair;
        scaled_draw(&random, kind, scaled_doubles, &pair);
        double separation = pair.separation;
        if (i % 3 == 0) {
            double size = scaled_size(&random, 0, 500), other = scaled_size(&random, 0, 500);
            pair.query = (graze_query){{{0}}, {{0}}};
            for (int end = 0; end < 2; end++) {
                double(*x)[3] = end ? pair.query.x1 : pair.query.x0, from = end ? 2 : -2;
                x[0][0] = from, x[3][2] = other;
                if (kind == GRAZE_EE) x[1][0] = from;
                x[kind == GRAZE_EE ? 1 : 2][1] = size;
            }
            separation = test_random_unit(&random);
        }
        advanced += check_plane(kind, &pair.query, separation) > 0;
    }
    CHECK_MSG(advanced > 1000, "%zu", advanced);
}

static void set_dd(mpq_t q, gz_dd a) {
    mpq_t low;
    mpq_init(low);
    mpq_set_d(q, a.hi), mpq_set_d(low, a.lo);
    mpq_add(q, q, low);
    mpq_clear(low);
}

TEST(double_double_keeps_104_bits_of_sums_and_102_of_products) {
    test_random random = {9};
    mpq_t a, b, exact, got;
    mpq_inits(a, b, exact, got, NULL);
    for (int i = 0; i < 40000; i++) {
        double parts[4];
        for (int k = 0; k < 4; k++)
            parts[k] = ldexp(test_random_between(&random, -1, 1), -(int)test_random_below(&random, 8));
        gz_dd x = dd_quick_sum(parts[0], parts[1] * 0x1p-54), y = dd_quick_sum(parts[2], parts[3] * 0x1p-54);
        if (i % 4 == 0) y = dd_quick_sum(-x.hi, x.lo * (1 + parts[2])); /* the leading parts cancel */
        set_dd(a, x), set_dd(b, y);
        for (int product = 0; product < 2; product++) {
            if (product)
                mpq_mul(exact, a, b), set_dd(got, dd_mul(x, y));
            else
                mpq_add(exact, a, b), set_dd(got, dd_add(x, y));
            mpq_sub(got, got, exact);
            mpq_abs(got, got), mpq_abs(exact, exact);
            mpq_mul_2exp(got, got, product ? 102 : 104);
            CHECK(mpq_cmp(got, exact) <= 0);
        }
    }
    mpq_clears(a, b, exact, got, NULL);
}

/* A proven hit: f has opposite signs at both ends and the contact is inside at times between. */
TEST(a_volume_hit_is_one_in_exact_arithmetic) {
    test_random random = {5};
    mpq_t f, t, n[6], part;
    mpq_inits(f, t, n[0], n[1], n[2], n[3], n[4], n[5], part, NULL);
    rational_vector v[3];
    for (int i = 0; i < 3; i++) rational_init(&v[i]);
    size_t hits = 0;
    for (int i = 0; i < 30000; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = i & 1 ? GRAZE_EE : GRAZE_VF;
        gz_motion pair;
        gz_volume volume;
        gz_motion_make(&pair, kind, &query, 0);
        gz_volume_make(&volume, &pair);
        double from = 0, upper;
        uint64_t checks = 0;
        gz_contact contact;
        int sign = gz_volume_advance(&volume, &from, &checks, 100);
        if (!sign || from == 1 || !gz_volume_hit(&pair, &volume, from, sign, &upper, &contact)) continue;
        hits++;
        for (int j = 0; j < 3; j++) {
            mpq_set_d(t, upper);
            mpq_set_d(part, from);
            if (j == 0) mpq_set(t, part);
            if (j == 1) mpq_add(t, t, part), mpq_div_2exp(t, t, 1);
            exact_volume(f, kind, &query, pair.scale, t, v);
            if (j == 0) CHECK_QUERY(mpq_sgn(f) == sign, kind, &query);
            if (j == 2) CHECK_QUERY(mpq_sgn(f) == -sign, kind, &query);
            rational_dot(n[0], &v[0], &v[0]);
            rational_dot(n[1], &v[0], &v[1]);
            rational_dot(n[2], &v[1], &v[1]);
            rational_dot(n[3], &v[0], &v[2]);
            rational_dot(n[4], &v[1], &v[2]);
            mpq_t det, u, w, x;
            mpq_inits(det, u, w, x, NULL);
            mpq_mul(det, n[0], n[2]), mpq_mul(x, n[1], n[1]), mpq_sub(det, det, x);
            mpq_mul(u, n[3], n[2]), mpq_mul(x, n[4], n[1]), mpq_sub(u, u, x);
            mpq_mul(w, n[4], n[0]), mpq_mul(x, n[3], n[1]), mpq_sub(w, w, x);
            if (kind == GRAZE_EE) mpq_neg(w, w);
            CHECK_QUERY(mpq_sgn(det) > 0 && mpq_sgn(u) > 0 && mpq_sgn(w) > 0, kind, &query);
            CHECK_QUERY(mpq_cmp(u, det) < 0 && mpq_cmp(w, det) < 0, kind, &query);
            mpq_add(x, u, w);
            if (kind == GRAZE_VF) CHECK_QUERY(mpq_cmp(x, det) < 0, kind, &query);
            mpq_clears(det, u, w, x, NULL);
        }
    }
    CHECK_MSG(hits > 300, "%zu hits", hits);
    for (int i = 0; i < 3; i++) rational_clear(&v[i]);
    mpq_clears(f, t, n[0], n[1], n[2], n[3], n[4], n[5], part, NULL);
}

/* Closest parameters of a pair that is said to be within the separation: the exact distance of those two points, moved
   into the primitive where rounding left them a hair outside, is. */
TEST(a_distance_said_to_be_within_the_separation_is) {
    test_random random = {6};
    mpq_t t, part, d, length;
    mpq_inits(t, part, d, length, NULL);
    rational_vector x[4], p, q;
    for (int i = 0; i < 4; i++) rational_init(&x[i]);
    rational_init(&p), rational_init(&q);
    size_t touching = 0, close = 0;
    for (int i = 0; i < 8000; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = random_kind(&random);
        double time = test_random_below(&random, 3) ? test_random_unit(&random) : 0, u, v;
        gz_motion pair;
        gz_motion_make(&pair, kind, &query, 0);
        v_vec between = gz_motion_closest(&pair, time, &u, &v);
        /* a separation within a few units of the slack of the distance */
        double near = sqrt(vec_dot(between, between));
        near = (near + (test_random_unit(&random) * 4 - 1) * GZ_DISTANCE_SLACK) / pair.scale;
        if (!(near > 0 && near < GRAZE_MAX_COORDINATE)) continue;
        close++;
        double part_of = test_random_below(&random, 2) ? near : test_random_unit(&random) * near, more = near - part_of;
        gz_motion_make(&pair, kind, &query, part_of);
        if (!gz_motion_within(&pair, time, more * pair.scale, &u, &v)) continue;
        touching++;
        mpq_set_d(t, time);
        for (int j = 0; j < 4; j++) rational_row(&x[j], &query, j, t);
        mpq_t mu, mv;
        mpq_inits(mu, mv, NULL);
        mpq_set_d(mu, u), mpq_set_d(mv, v);
        CHECK(u >= 0 && u <= 1 && v >= 0 && v <= 1);
        if (kind == GRAZE_VF) {
            mpq_set_ui(part, 1, 1);
            mpq_sub(part, part, mu);
            if (mpq_cmp(mv, part) > 0) mpq_set(mv, part);
            rational_lerp(&p, &x[1], &x[2], mu);
            rational_sub(&q, &x[3], &x[1]);
            for (int c = 0; c < 3; c++) {
                mpq_mul(q.x[c], q.x[c], mv);
                mpq_add(p.x[c], p.x[c], q.x[c]);
            }
            rational_sub(&q, &p, &x[0]);
        } else if (kind == GRAZE_EE) {
            rational_lerp(&p, &x[0], &x[1], mu);
            rational_lerp(&q, &x[2], &x[3], mv);
            rational_sub(&q, &q, &p);
        } else if (kind == GRAZE_PE) {
            rational_lerp(&p, &x[1], &x[2], mu);
            rational_sub(&q, &p, &x[0]);
        } else {
            rational_sub(&q, &x[1], &x[0]);
        }
        rational_dot(length, &q, &q);
        mpq_set_d(d, part_of);
        mpq_set_d(part, more);
        mpq_add(d, d, part);
        mpq_mul(d, d, d);
        CHECK_QUERY(mpq_cmp(length, d) <= 0, kind, &query);
        mpq_clears(mu, mv, NULL);
    }
    CHECK_MSG(touching > 500 && touching < close, "%zu of %zu", touching, close);
    for (int i = 0; i < 4; i++) rational_clear(&x[i]);
    rational_clear(&p), rational_clear(&q);
    mpq_clears(t, part, d, length, NULL);
}

TEST(the_axis_time_is_proven_and_as_late_as_the_boxes_allow) {
    test_random random = {7};
    mpq_t t, a, z, d, root, best;
    mpq_inits(t, a, z, d, root, best, NULL);
    size_t partial = 0;
    for (int i = 0; i < 10000; i++) {
        graze_query query;
        random_query(&random, &query);
        graze_kind kind = random_kind(&random);
        double separation = i & 1 ? fabs(query.x0[1][0] - query.x0[0][0]) * (1 - 0x1p-50) : 0;
        double time = gz_axis_free_time(kind, &query, separation, NULL, NULL);
        mpq_set_ui(best, 0, 1); /* the exact time at which the last axis stops separating */
        bool past_end = false;
        for (int axis = 0; axis < 6; axis++) {
            mpq_set_ui(t, 2, 1);
            for (int k = 0; k < gz_difference_count(kind); k++) {
                int p = kind == GRAZE_EE ? k >> 1 : 0, q = kind == GRAZE_EE ? 2 + (k & 1) : k + 1, c = axis / 2;
                if (axis & 1) p ^= q, q ^= p, p ^= q;
                mpq_set_d(a, query.x0[q][c]), mpq_set_d(root, query.x0[p][c]), mpq_sub(a, a, root);
                mpq_set_d(z, query.x1[q][c]), mpq_set_d(root, query.x1[p][c]), mpq_sub(z, z, root);
                mpq_set_d(d, separation);
                mpq_sub(a, a, d), mpq_sub(z, z, d);
                if (mpq_sgn(a) <= 0)
                    mpq_set_ui(t, 0, 1);
                else if (mpq_sgn(z) <= 0) {
                    mpq_sub(z, a, z);
                    mpq_div(root, a, z);
                    if (mpq_cmp(root, t) < 0) mpq_set(t, root);
                }
            }
            if (mpq_cmp(t, best) > 0) mpq_set(best, t);
        }
        if (mpq_cmp_ui(best, 1, 1) > 0) past_end = true;
        if (past_end) {
            CHECK_QUERY(time == 1, kind, &query);
            continue;
        }
        partial += time > 0;
        CHECK_QUERY(time == 0 ? mpq_sgn(best) >= 0 : rational_compare_double(best, time) > 0, kind, &query);
        mpq_set_d(t, 1 - 0x1p-48);
        mpq_mul(t, t, best);
        mpq_set_d(a, 0x1p-999);
        mpq_sub(t, t, a);
        CHECK_QUERY(rational_compare_double(t, time) <= 0, kind, &query);
    }
    CHECK_MSG(partial > 500, "%zu", partial);
    mpq_clears(t, a, z, d, root, best, NULL);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
