/* Every exact answer agrees with distances at rational times and does not depend on how the pair is written down. More
   separation is never later. On lattices, where degenerate pairs abound, and on random pairs. */
#include "check.h"

#include "exact_reference.h"

typedef struct found {
    int hit, count, boundary, degree;
    double lower, upper, u[2], v[2];
} found;

/* Also checks what can be said of the polynomial: it changes sign in the bracket, or vanishes there. */
static found find(graze_kind kind, const graze_query *query, double separation, graze_norm norm, double t_max) {
    graze_truth_options options = graze_default_truth_options();
    options.min_separation = separation;
    options.norm = norm;
    options.t_max = t_max;
    graze_truth *truth;
    found f = {0};
    CHECK(graze_truth_find(NULL, kind, query, &options, &truth) == GRAZE_OK);
    if (!truth) return f;
    f.hit = graze_truth_hit(truth);
    f.count = graze_truth_contact_count(truth);
    f.boundary = graze_truth_on_boundary(truth);
    f.degree = graze_truth_degree(truth);
    graze_truth_bracket(truth, &f.lower, &f.upper);
    graze_truth_parameters(truth, f.u, f.v);
    if (!f.hit) {
        CHECK_QUERY(f.degree == -1 && isnan(f.lower) && isnan(f.upper) && isnan(f.u[0]) && isnan(f.v[1]), kind, query);
        CHECK_QUERY(f.count == 0 && f.boundary == 0, kind, query);
        graze_truth_destroy(NULL, truth);
        return f;
    }
    CHECK_QUERY(f.lower == f.upper || f.upper == nextafter(f.lower, 2), kind, query);
    CHECK_QUERY(f.u[0] >= 0 && f.u[0] <= f.u[1] && f.u[1] <= 1, kind, query);
    CHECK_QUERY(f.v[0] >= 0 && f.v[0] <= f.v[1] && f.v[1] <= 1, kind, query);
    if (separation > 0 && norm == GRAZE_NORM_MAX) CHECK(f.u[0] == 0 && f.u[1] == 1 && f.v[0] == 0 && f.v[1] == 1);
    CHECK(graze_truth_compare(truth, f.upper) == (f.lower < f.upper) && graze_truth_compare(truth, 2) == 1);
    CHECK(graze_truth_compare(truth, f.lower) == -(f.lower < f.upper) && graze_truth_compare(truth, -1) == -1);
    mpq_t value[2], t, c;
    mpz_t content;
    mpz_init(content);
    mpq_inits(value[0], value[1], t, c, NULL);
    for (int k = f.degree; k >= 0; k--) {
        char digits[4000];
        CHECK(graze_truth_coefficient(truth, k, digits, sizeof digits) == strlen(digits));
        CHECK(mpq_set_str(c, digits, 10) == 0);
        CHECK_QUERY(k < f.degree || mpq_sgn(c) > 0, kind, query);
        mpz_gcd(content, content, mpq_numref(c));
        for (int end = 0; end < 2; end++) {
            mpq_set_d(t, end ? f.upper : f.lower);
            mpq_mul(value[end], value[end], t);
            mpq_add(value[end], value[end], c);
        }
    }
    CHECK_QUERY(mpz_cmp_ui(content, 1) == 0, kind, query);
    if (f.lower == f.upper)
        CHECK_QUERY(mpq_sgn(value[0]) == 0, kind, query);
    else if (separation == 0 || separation > 0x1p-40) /* else two roots may lie between the same doubles */
        CHECK_QUERY(mpq_sgn(value[0]) * mpq_sgn(value[1]) < 0, kind, query);
    mpq_clears(value[0], value[1], t, c, NULL);
    mpz_clear(content);
    graze_truth_destroy(NULL, truth);
    return f;
}

/* The distance between the contact's own points at the bracket's lower end, in doubles. */
static double distance_at(graze_kind kind, const graze_query *query, double t, double u, double v) {
    double sum = 0;
    for (int c = 0; c < 3; c++) {
        double x[4] = {0};
        for (int i = 0; i < reference_rows(kind); i++) x[i] = (1 - t) * query->x0[i][c] + t * query->x1[i][c];
        double a = x[0], b = x[1];
        if (kind == GRAZE_VF) b = x[1] + u * (x[2] - x[1]) + v * (x[3] - x[1]);
        if (kind == GRAZE_EE) a = x[0] + u * (x[1] - x[0]), b = x[2] + v * (x[3] - x[2]);
        if (kind == GRAZE_PE) b = x[1] + u * (x[2] - x[1]);
        sum += (a - b) * (a - b);
    }
    return sqrt(sum);
}

/* A pair on a small lattice; often flat, often partly at rest, often with equal points. */
static graze_query lattice_query(test_random *random) {
    graze_query query;
    int span = 1 + (int)test_random_below(random, 3);
    double step = test_random_below(random, 2) ? 1 : 0.25;
    uint64_t flat = test_random_below(random, 8);
    for (int i = 0; i < 4; i++) {
        bool rest = test_random_below(random, 4) == 0;
        for (int c = 0; c < 3; c++) {
            query.x0[i][c] = step * ((double)test_random_below(random, (uint64_t)(2 * span + 1)) - span);
            query.x1[i][c] = step * ((double)test_random_below(random, (uint64_t)(2 * span + 1)) - span);
            if (rest) query.x1[i][c] = query.x0[i][c];
            if ((flat == 0 && c == 2) || (flat == 1 && c >= 1)) query.x0[i][c] = query.x1[i][c] = 0;
        }
        if (i > 0 && test_random_below(random, 12) == 0) {
            memcpy(query.x0[i], query.x0[i - 1], sizeof query.x0[i]);
            if (test_random_below(random, 2)) memcpy(query.x1[i], query.x1[i - 1], sizeof query.x1[i]);
        }
    }
    return query;
}

static void check_against_reference(graze_kind kind, const graze_query *query, double separation, graze_norm norm,
                                    reference *r) {
    found f = find(kind, query, separation, norm, 1);
    mpq_t t, end;
    mpq_inits(t, end, NULL);
    for (unsigned k = 0; k <= 16; k++) {
        mpq_set_ui(t, k, 16);
        mpq_canonicalize(t);
        bool contact = reference_compare(r, kind, query, t, separation, norm) <= 0;
        if (contact) CHECK_QUERY(f.hit && f.lower <= k / 16.0, kind, query);
    }
    if (f.hit) {
        mpq_set_d(t, f.lower);
        int at = reference_compare(r, kind, query, t, separation, norm);
        if (f.lower == f.upper)
            CHECK_QUERY(f.lower == 0 ? at <= 0 : at == 0, kind, query);
        else
            CHECK_QUERY(at > 0, kind, query);
        /* nothing on the way there */
        for (unsigned k = 0; k < 8 && f.lower > 0; k++) {
            mpq_set_ui(end, k, 8);
            mpq_mul(end, end, t);
            CHECK_QUERY(reference_compare(r, kind, query, end, separation, norm) > 0, kind, query);
        }
        if (norm == GRAZE_NORM_EUCLIDEAN) {
            double gap = distance_at(kind, query, f.lower, 0.5 * (f.u[0] + f.u[1]), 0.5 * (f.v[0] + f.v[1]));
            double size = 0;
            for (int i = 0; i < 12; i++)
                size = fmax(size, fmax(fabs(query->x0[i / 3][i % 3]), fabs(query->x1[i / 3][i % 3])));
            CHECK_QUERY(gap <= separation + 1e-9 * size, kind, query);
            CHECK_QUERY(f.lower == 0 || gap >= separation - 1e-9 * size, kind, query);
        }
    }
    mpq_clears(t, end, NULL);
}

TEST(answers_agree_with_distances_at_rational_times) {
    test_random random = {1};
    reference r;
    reference_begin(&r);
    for (int i = 0; i < 4000; i++) {
        graze_query query = lattice_query(&random);
        check_against_reference((graze_kind)(i % 4), &query, 0, GRAZE_NORM_EUCLIDEAN, &r);
    }
    reference_end(&r);
}

TEST(answers_with_a_separation_agree_with_distances_at_rational_times) {
    test_random random = {2};
    reference r;
    reference_begin(&r);
    for (int i = 0; i < 3000; i++) {
        graze_query query = lattice_query(&random);
        double separation = 0.125 * (double)(1 + test_random_below(&random, 12));
        check_against_reference((graze_kind)(i % 4), &query, separation, GRAZE_NORM_EUCLIDEAN, &r);
    }
    reference_end(&r);
}

TEST(answers_in_the_largest_norm_agree_with_distances_at_rational_times) {
    test_random random = {3};
    reference r;
    reference_begin(&r);
    for (int i = 0; i < 600; i++) {
        graze_query query = lattice_query(&random);
        double separation = 0.125 * (double)(1 + test_random_below(&random, 12));
        check_against_reference((graze_kind)(i % 4), &query, separation, GRAZE_NORM_MAX, &r);
    }
    reference_end(&r);
}

/* ---- symmetry ---- */

static void swap_rows(graze_query *query, int i, int k) {
    for (int c = 0; c < 3; c++) {
        double x0 = query->x0[i][c], x1 = query->x1[i][c];
        query->x0[i][c] = query->x0[k][c], query->x1[i][c] = query->x1[k][c];
        query->x0[k][c] = x0, query->x1[k][c] = x1;
    }
}

static graze_query changed(const graze_query *query, double factor, const int axis[3], const double offset[3]) {
    graze_query out = *query;
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) {
            out.x0[i][c] = factor * query->x0[i][axis[c]] + offset[c];
            out.x1[i][c] = factor * query->x1[i][axis[c]] + offset[c];
        }
    return out;
}

static void check_same(graze_kind kind, const graze_query *query, double separation, graze_norm norm, const found *a) {
    found b = find(kind, query, separation, norm, 1);
    CHECK_QUERY(a->hit == b.hit && a->count == b.count && a->boundary == b.boundary, kind, query);
    if (a->hit && b.hit) CHECK_QUERY(a->lower == b.lower && a->upper == b.upper, kind, query);
}

static void check_symmetry(graze_kind kind, const graze_query *query, double separation, graze_norm norm) {
    found here = find(kind, query, separation, norm, 1);
    static const int keep[3] = {0, 1, 2}, turn[3] = {1, 2, 0}, flip[3] = {1, 0, 2};
    static const double none[3] = {0, 0, 0}, far[3] = {1024, -4096, 0.25};
    graze_query other = changed(query, 1, turn, none);
    check_same(kind, &other, separation, norm, &here);
    other = changed(query, -1, flip, none);
    check_same(kind, &other, separation, norm, &here);
    other = changed(query, 1, keep, far);
    check_same(kind, &other, separation, norm, &here);
    other = changed(query, 0x1p-300, keep, none);
    check_same(kind, &other, separation * 0x1p-300, norm, &here);
    other = changed(query, 0x1p200, keep, none);
    check_same(kind, &other, separation * 0x1p200, norm, &here);
    if (kind == GRAZE_VF) {
        other = *query;
        swap_rows(&other, 1, 2);
        check_same(kind, &other, separation, norm, &here);
        swap_rows(&other, 2, 3);
        check_same(kind, &other, separation, norm, &here);
    }
    if (kind == GRAZE_EE) {
        other = *query;
        swap_rows(&other, 0, 1);
        check_same(kind, &other, separation, norm, &here);
        swap_rows(&other, 2, 3);
        check_same(kind, &other, separation, norm, &here);
        swap_rows(&other, 0, 2);
        swap_rows(&other, 1, 3);
        check_same(kind, &other, separation, norm, &here);
    }
    if (kind == GRAZE_PE) {
        other = *query;
        swap_rows(&other, 1, 2);
        check_same(kind, &other, separation, norm, &here);
    }
    if (kind == GRAZE_PP) {
        other = *query;
        swap_rows(&other, 0, 1);
        check_same(kind, &other, separation, norm, &here);
    }
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 3; c++) other.x0[i][c] = query->x1[i][c], other.x1[i][c] = query->x0[i][c];
    found back = find(kind, &other, separation, norm, 1);
    CHECK_QUERY(back.hit == here.hit && back.count == here.count && back.boundary == here.boundary, kind, query);
}

TEST(answers_do_not_depend_on_how_the_pair_is_written_down) {
    test_random random = {4};
    for (int i = 0; i < 3000; i++) {
        graze_query query = lattice_query(&random);
        check_symmetry((graze_kind)(i % 4), &query, 0, GRAZE_NORM_EUCLIDEAN);
    }
    for (int i = 0; i < 600; i++) {
        graze_query query = lattice_query(&random);
        check_symmetry((graze_kind)(i % 4), &query, 0.375, i % 12 < 4 ? GRAZE_NORM_MAX : GRAZE_NORM_EUCLIDEAN);
    }
}

TEST(more_separation_is_never_later) {
    test_random random = {5};
    for (int i = 0; i < 400; i++) {
        graze_query query = lattice_query(&random);
        graze_kind kind = (graze_kind)(i % 4);
        found last = find(kind, &query, 0, GRAZE_NORM_EUCLIDEAN, 1);
        for (double d = 0x1p-60; d < 4; d *= d < 0.1 ? 256 : 1.5) {
            found next = find(kind, &query, d, GRAZE_NORM_EUCLIDEAN, 1);
            CHECK_QUERY(next.hit >= last.hit && !(next.hit && last.hit && next.lower > last.lower), kind, &query);
            last = next;
        }
    }
}

TEST(largest_norm_and_euclidean_distance_bound_each_other) {
    test_random random = {6};
    for (int i = 0; i < 200; i++) {
        graze_query query = lattice_query(&random);
        graze_kind kind = (graze_kind)(i % 4);
        double d = test_random_between(&random, 0.01, 1);
        found small = find(kind, &query, d, GRAZE_NORM_EUCLIDEAN, 1);
        found cube = find(kind, &query, d, GRAZE_NORM_MAX, 1);
        found large = find(kind, &query, 1.7320508075688775 * d, GRAZE_NORM_EUCLIDEAN, 1); /* √3 rounded up */
        CHECK_QUERY(cube.hit >= small.hit && large.hit >= cube.hit, kind, &query);
        if (small.hit && cube.hit) CHECK_QUERY(cube.lower <= small.lower, kind, &query);
        if (cube.hit && large.hit) CHECK_QUERY(large.lower <= cube.lower, kind, &query);
    }
}

TEST(a_shorter_time_gives_the_same_contact_or_none) {
    test_random random = {7};
    for (int i = 0; i < 1000; i++) {
        graze_query query = lattice_query(&random);
        graze_kind kind = (graze_kind)(i % 4);
        double d = i % 8 < 4 ? 0 : 0.25, t_max = 0.0625 * (double)(1 + test_random_below(&random, 16));
        found all = find(kind, &query, d, GRAZE_NORM_EUCLIDEAN, 1), part;
        part = find(kind, &query, d, GRAZE_NORM_EUCLIDEAN, t_max);
        CHECK_QUERY(part.hit == (all.hit && all.upper <= t_max), kind, &query);
        if (part.hit) CHECK_QUERY(part.lower == all.lower && part.upper == all.upper, kind, &query);
        if (part.hit && all.count >= 0) CHECK_QUERY(part.count <= all.count, kind, &query);
        if (all.hit && all.lower > 0) {
            /* closed at its end: up to the bracket's upper end, not up to the double before the contact */
            part = find(kind, &query, d, GRAZE_NORM_EUCLIDEAN, all.upper);
            CHECK_QUERY(part.hit && part.lower == all.lower, kind, &query);
            part = find(kind, &query, d, GRAZE_NORM_EUCLIDEAN, nextafter(all.upper, 0));
            CHECK_QUERY(!part.hit, kind, &query);
        }
    }
}

/* ---- contacts by construction at every size ---- */

/* A contact at t with barycentric weights u, v, all dyadic, so that every coordinate is exact: the vertex is the face's
   point at time t, and its motion passes through there. */
TEST(contacts_exact_by_construction_are_found_and_a_nudge_of_one_ulp_is_seen) {
    test_random random = {8};
    int touched = 0;
    for (int i = 0; i < 3000; i++) {
        double size = ldexp(1, (int)test_random_below(&random, 40) - 20);
        graze_query query;
        for (int r = 1; r < 4; r++)
            for (int c = 0; c < 3; c++) {
                query.x0[r][c] = size * ((double)test_random_below(&random, 2048) - 1024) / 64;
                query.x1[r][c] = size * ((double)test_random_below(&random, 2048) - 1024) / 64;
            }
        double u = (double)test_random_below(&random, 9) / 8, v = (1 - u) * (double)test_random_below(&random, 5) / 4;
        for (int c = 0; c < 3; c++) {
            double m[4] = {0}, step = size * ((double)test_random_below(&random, 2048) - 1024) / 64;
            for (int r = 1; r < 4; r++) m[r] = 0.5 * query.x0[r][c] + 0.5 * query.x1[r][c];
            double at = m[1] + u * (m[2] - m[1]) + v * (m[3] - m[1]);
            query.x0[0][c] = at - step, query.x1[0][c] = at + step;
        }
        found f = find(GRAZE_VF, &query, 0, GRAZE_NORM_EUCLIDEAN, 1);
        CHECK_QUERY(f.hit && f.lower <= 0.5, GRAZE_VF, &query);
        if (!f.hit || f.lower < 0.5) continue;
        touched++;
        CHECK_QUERY(f.u[0] <= u && u <= f.u[1] && f.v[0] <= v && v <= f.v[1], GRAZE_VF, &query);
        bool edge = u == 0 || v == 0 || u + v == 1;
        CHECK_QUERY(f.boundary == edge || f.count != 1, GRAZE_VF, &query);
        /* nudge one coordinate: the answer is still right, as the reference sees it */
        graze_query nudged = query;
        int c = (int)test_random_below(&random, 3);
        nudged.x1[0][c] = nextafter(query.x1[0][c], INFINITY);
        if (i % 8 == 0) {
            reference r;
            reference_begin(&r);
            check_against_reference(GRAZE_VF, &nudged, 0, GRAZE_NORM_EUCLIDEAN, &r);
            reference_end(&r);
        }
    }
    CHECK(touched > 1000);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
