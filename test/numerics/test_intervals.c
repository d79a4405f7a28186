/* Arithmetic that holds the exact result, against GMP's rationals: intervals, Bernstein polynomials with interval
   coefficients, expansions. */
#include "check.h"

#include "compared/numerics/bernstein.h"
#include "compared/numerics/expansions.h"
#include "compared/numerics/polynomial.h"

#include <gmp.h>

/* A double of a random size and sign, often 0, a power of two, or next to one. */
static double any_double(test_random *random, int exponents) {
    int exponent = (int)test_random_below(random, (uint64_t)(2 * exponents + 1)) - exponents;
    double x = ldexp(test_random_between(random, -1, 1), exponent);
    switch (test_random_below(random, 8)) {
    case 0: return 0;
    case 1: return ldexp(1, exponent);
    case 2: return nextafter(ldexp(-1, exponent), 0);
    default: return x;
    }
}

/* In an interval of random width, at one of its ends or inside. */
static gz_interval any_interval(test_random *random, int exponents, double *inside) {
    double a = any_double(random, exponents), b = test_random_below(random, 3) ? any_double(random, exponents) : a;
    gz_interval x = {fmin(a, b), fmax(a, b)};
    double s = test_random_unit(random);
    *inside = test_random_below(random, 2) ? (test_random_below(random, 2) ? x.lo : x.hi) : (1 - s) * x.lo + s * x.hi;
    if (*inside < x.lo || *inside > x.hi) *inside = x.lo;
    return x;
}

static bool holds(gz_interval x, mpq_t exact) {
    mpq_t end;
    mpq_init(end);
    mpq_set_d(end, x.lo);
    bool inside = mpq_cmp(end, exact) <= 0;
    mpq_set_d(end, x.hi);
    inside = inside && mpq_cmp(exact, end) <= 0;
    mpq_clear(end);
    return inside;
}

TEST(next_up_is_the_next_double) {
    test_random random = {1};
    const double special[] = {0, -0.0, 0x1p-1074, -0x1p-1074, 1, -1, 0x1p1000, -0x1p1000, DBL_MIN, -DBL_MIN};
    for (size_t i = 0; i < 10 + 10000; i++) {
        double x = i < 10 ? special[i] : any_double(&random, 900);
        CHECK_MSG(gz_next_up(x) == nextafter(x, INFINITY), "x = %a", x);
        CHECK_MSG(gz_next_down(x) == nextafter(x, -INFINITY), "x = %a", x);
    }
}

TEST(interval_operations_hold_the_exact_result) {
    test_random random = {2};
    mpq_t a, b, exact;
    mpq_inits(a, b, exact, NULL);
    for (int i = 0; i < 100000; i++) {
        int exponents = i % 2 ? 20 : 500; /* the large range underflows, too */
        double pa, pb;
        gz_interval x = any_interval(&random, exponents, &pa), y = any_interval(&random, exponents, &pb);
        mpq_set_d(a, pa);
        mpq_set_d(b, pb);
        mpq_add(exact, a, b);
        CHECK(holds(gz_interval_add(x, y), exact));
        mpq_sub(exact, a, b);
        CHECK(holds(gz_interval_sub(x, y), exact));
        mpq_mul(exact, a, b);
        CHECK(holds(gz_interval_mul(x, y), exact));
        if (y.lo >= 0) CHECK(holds(gz_interval_scale(x, y), exact));
        mpq_mul(exact, a, a);
        CHECK(holds(gz_interval_square(x), exact));
        CHECK(gz_interval_square(x).lo >= 0);
        mpq_abs(exact, a);
        CHECK(holds(gz_interval_abs(x), exact));
        if (gz_interval_sign(x)) CHECK(gz_interval_sign(x) == mpq_sgn(a));
    }
    mpq_clears(a, b, exact, NULL);
}

TEST(a_box_beyond_d_has_no_vector_within_d) {
    test_random random = {3};
    int beyond = 0;
    mpq_t sum, term, limit;
    mpq_inits(sum, term, limit, NULL);
    for (int i = 0; i < 50000; i++) {
        gz_interval3 box;
        double p[3], d = fabs(any_double(&random, 3));
        mpq_set_ui(sum, 0, 1);
        for (int c = 0; c < 3; c++) {
            box.c[c] = any_interval(&random, 3, &p[c]);
            mpq_set_d(term, p[c]);
            mpq_mul(term, term, term);
            mpq_add(sum, sum, term);
        }
        /* often exactly the length of a vector on an axis */
        if (i % 4 == 0) d = fabs(p[0]);
        mpq_set_d(limit, d);
        mpq_mul(limit, limit, limit);
        if (gz_interval3_beyond(&box, d)) {
            beyond++;
            CHECK(mpq_cmp(sum, limit) > 0);
        }
    }
    CHECK(beyond > 5000);
    mpq_clears(sum, term, limit, NULL);
}

/* Σ c_i·C(n, i)·t^i·(1 − t)^(n − i) by de Casteljau in rationals, with one number from each coefficient. */
static void bernstein_exact(int degree, const double *c, double t, mpq_t value) {
    mpq_t q[GZ_BERNSTEIN_DEGREE + 1], at, rest, left;
    mpq_inits(at, rest, left, NULL);
    mpq_set_d(at, t);
    mpq_set_ui(rest, 1, 1);
    mpq_sub(rest, rest, at);
    for (int i = 0; i <= degree; i++) {
        mpq_init(q[i]);
        mpq_set_d(q[i], c[i]);
    }
    for (int n = degree; n > 0; n--)
        for (int i = 0; i < n; i++) {
            mpq_mul(left, q[i], rest);
            mpq_mul(q[i], q[i + 1], at);
            mpq_add(q[i], q[i], left);
        }
    /* q[1] and on are overwritten from the left only after they were used */
    mpq_set(value, q[0]);
    for (int i = 0; i <= degree; i++) mpq_clear(q[i]);
    mpq_clears(at, rest, left, NULL);
}

/* One number from each coefficient, at most the error away from it. */
static gz_bernstein any_bernstein(test_random *random, int degree, int exponents, double *c) {
    gz_bernstein p = {.degree = degree};
    double scale = fabs(any_double(random, exponents));
    if (test_random_below(random, 2)) p.error = ldexp(scale, -(int)test_random_below(random, 60));
    for (int k = 0; k <= degree; k++) {
        p.c[k] = scale * any_double(random, 2);
        c[k] = p.c[k] + p.error * (1 - 0x1p-40) * test_random_between(random, -1, 1);
        if (fabs(c[k] - p.c[k]) > p.error) c[k] = p.c[k];
    }
    return p;
}

TEST(bernstein_operations_hold_the_exact_result) {
    test_random random = {4};
    mpq_t a, b, exact;
    mpq_inits(a, b, exact, NULL);
    int signs = 0;
    for (int i = 0; i < 40000; i++) {
        double pc[7], qc[7], t = i % 9 ? test_random_unit(&random) : i % 2;
        int exponents = i % 10 ? 30 : 250;
        gz_bernstein p = any_bernstein(&random, (int)test_random_below(&random, 4), exponents, pc);
        gz_bernstein q = any_bernstein(&random, (int)test_random_below(&random, 4), exponents, qc);
        bernstein_exact(p.degree, pc, t, a);
        bernstein_exact(q.degree, qc, t, b);
        CHECK(holds(gz_bernstein_at(&p, t), a));
        gz_bernstein product = gz_bernstein_mul(&p, &q), difference = gz_bernstein_sub(&p, &q);
        mpq_mul(exact, a, b);
        CHECK(holds(gz_bernstein_at(&product, t), exact));
        mpq_sub(exact, a, b);
        CHECK(holds(gz_bernstein_at(&difference, t), exact));
        if (gz_bernstein_sign(&p)) CHECK(gz_bernstein_sign(&p) == mpq_sgn(a));
        signs += gz_bernstein_sign(&p) != 0;
    }
    CHECK(signs > 1000);
    mpq_clears(a, b, exact, NULL);
}

/* Coefficients of a product in rationals: its bound holds for each, not only for the values. */
TEST(the_bound_of_a_bernstein_product_holds_for_its_coefficients) {
    test_random random = {14};
    const double binomial[7][7] = {
        {1}, {1, 1}, {1, 2, 1}, {1, 3, 3, 1}, {1, 4, 6, 4, 1}, {1, 5, 10, 10, 5, 1}, {1, 6, 15, 20, 15, 6, 1}};
    mpq_t sum, term, factor;
    mpq_inits(sum, term, factor, NULL);
    for (int i = 0; i < 20000; i++) {
        double ac[7], bc[7];
        gz_bernstein a = any_bernstein(&random, (int)test_random_below(&random, 4), 10, ac);
        gz_bernstein b = any_bernstein(&random, (int)test_random_below(&random, 4), 10, bc);
        gz_bernstein p = gz_bernstein_mul(&a, &b);
        for (int k = 0; k <= p.degree; k++) {
            mpq_set_ui(sum, 0, 1);
            for (int m = 0; m <= a.degree; m++) {
                if (k - m < 0 || k - m > b.degree) continue;
                mpq_set_d(term, ac[m]);
                mpq_set_d(factor, bc[k - m]);
                mpq_mul(term, term, factor);
                mpq_set_d(factor, binomial[a.degree][m] * binomial[b.degree][k - m]);
                mpq_mul(term, term, factor);
                mpq_add(sum, sum, term);
            }
            mpq_set_d(factor, binomial[p.degree][k]);
            mpq_div(sum, sum, factor);
            mpq_set_d(term, p.c[k]);
            mpq_sub(sum, sum, term);
            mpq_abs(sum, sum);
            mpq_set_d(term, p.error);
            CHECK(mpq_cmp(sum, term) <= 0);
        }
    }
    mpq_clears(sum, term, factor, NULL);
}

/* The bound is rounded, too. A line that is 0 give or take e has no coefficient whose 8u would hide that. */
TEST(the_bound_of_a_product_of_bounds_is_not_rounded_below_it) {
    test_random random = {23};
    mpq_t exact, factor;
    mpq_inits(exact, factor, NULL);
    size_t rounded = 0;
    for (int i = 0; i < 20000; i++) {
        double e = test_random_between(&random, 1, 2), plain = e;
        gz_bernstein p = gz_bernstein_line((gz_interval){-e, e}, (gz_interval){-e, e});
        mpq_set_d(exact, e);
        for (int k = 0; k < 5; k++) {
            double b = test_random_between(&random, 1, 2);
            gz_bernstein line = {.degree = 1, .c = {b, b}};
            p = gz_bernstein_mul(&p, &line);
            plain *= b;
            mpq_set_d(factor, b);
            mpq_mul(exact, exact, factor);
        }
        mpq_set_d(factor, p.error);
        CHECK(mpq_cmp(exact, factor) <= 0);
        mpq_set_d(factor, plain);
        rounded += mpq_cmp(exact, factor) > 0;
    }
    CHECK_MSG(rounded > 5000, "%zu", rounded);
    mpq_clears(exact, factor, NULL);
}

TEST(the_bound_of_a_bernstein_product_covers_underflow) {
    test_random random = {29};
    mpq_t exact, part;
    mpq_inits(exact, part, NULL);
    for (int i = 0; i < 5000; i++) {
        double a = ldexp(test_random_between(&random, 1, 2), -540), b = ldexp(test_random_between(&random, 1, 2), -535);
        gz_bernstein first = {.degree = 1, .c = {a, a}}, second = {.degree = 1, .c = {b, b}};
        gz_bernstein p = gz_bernstein_mul(&first, &second);
        for (int k = 0; k <= p.degree; k++) {
            mpq_set_d(exact, a), mpq_set_d(part, b);
            mpq_mul(exact, exact, part);
            mpq_set_d(part, p.c[k]);
            mpq_sub(exact, exact, part);
            mpq_abs(exact, exact);
            mpq_set_d(part, p.error);
            CHECK_MSG(mpq_cmp(exact, part) <= 0, "%a times %a", a, b);
        }
    }
    mpq_clears(exact, part, NULL);
}

TEST(a_bernstein_line_holds_its_intervals) {
    test_random random = {15};
    for (int i = 0; i < 20000; i++) {
        double pa, pb;
        gz_interval a = any_interval(&random, 30, &pa), b = any_interval(&random, 30, &pb);
        gz_bernstein line = gz_bernstein_line(a, b);
        CHECK(line.c[0] - line.error <= a.lo && line.c[0] + line.error >= a.hi);
        CHECK(line.c[1] - line.error <= b.lo && line.c[1] + line.error >= b.hi);
    }
}

static void expansion_value(const double *e, int count, mpq_t value) {
    mpq_t term;
    mpq_init(term);
    mpq_set_ui(value, 0, 1);
    for (int i = 0; i < count; i++) {
        mpq_set_d(term, e[i]);
        mpq_add(value, value, term);
    }
    mpq_clear(term);
}

TEST(expansions_are_exact_and_their_last_component_has_the_sign) {
    test_random random = {5};
    mpq_t a, b, exact, value;
    mpq_inits(a, b, exact, value, NULL);
    int cancelled = 0;
    for (int i = 0; i < 20000; i++) {
        /* products of two differences, as the corners of a surface have them */
        double e[2][8], h[64], scaled[16], scratch[64];
        int count[2];
        for (int k = 0; k < 2; k++) {
            double x[4], first[2], second[2], s[4], r[8];
            for (int m = 0; m < 4; m++) x[m] = any_double(&random, i % 3 ? 2 : 60);
            if (i % 5 == 0) x[1] = x[0];
            gz_dd one = dd_two_sum(x[0], -x[1]), two = dd_two_sum(x[2], -x[3]);
            first[0] = one.lo, first[1] = one.hi, second[0] = two.lo, second[1] = two.hi;
            int n = first[0] == 0 ? 1 : 2, m = second[0] == 0 ? 1 : 2;
            count[k] = gz_expansion_mul(first + 2 - n, n, second + 2 - m, m, s, r, e[k]);
        }
        if (i % 7 == 0) memcpy(e[1], e[0], sizeof e[0]), count[1] = count[0];
        expansion_value(e[0], count[0], a);
        expansion_value(e[1], count[1], b);
        double sign = i % 2 ? 1 : -1;
        int n = gz_expansion_add(e[0], count[0], sign, e[1], count[1], h);
        expansion_value(h, n, value);
        if (sign > 0)
            mpq_add(exact, a, b);
        else
            mpq_sub(exact, a, b);
        CHECK(mpq_equal(value, exact) && gz_expansion_sign(h, n) == mpq_sgn(exact));
        cancelled += mpq_sgn(exact) == 0;
        n = gz_expansion_mul(e[0], count[0], e[1], count[1], scaled, scratch, h);
        expansion_value(h, n, value);
        mpq_mul(exact, a, b);
        CHECK(mpq_equal(value, exact) && gz_expansion_sign(h, n) == mpq_sgn(exact));
    }
    CHECK(cancelled > 500);
    mpq_clears(a, b, exact, value, NULL);
}

TEST(roots_of_a_product_of_lines_are_found) {
    test_random random = {6};
    for (int i = 0; i < 5000; i++) {
        int degree = 1 + (int)test_random_below(&random, 6);
        double zero[6];
        gz_polynomial p = {.degree = 0, .c = {1}};
        for (int k = 0; k < degree; k++) {
            /* apart from each other, so that rounding cannot join two */
            zero[k] = (k + 0.25 + 0.5 * test_random_unit(&random)) / degree;
            gz_polynomial line = {.degree = 1, .c = {-zero[k], 1}};
            p = gz_polynomial_mul(&p, &line);
        }
        double roots[GZ_POLYNOMIAL_DEGREE + 2];
        int count = gz_polynomial_roots(&p, 1, roots);
        CHECK_MSG(count == degree, "%d of %d", count, degree);
        for (int k = 0; k < count && count == degree; k++)
            CHECK_MSG(fabs(roots[k] - zero[k]) < 1e-7, "%.17g for %.17g", roots[k], zero[k]);
        count = gz_polynomial_roots(&p, 0.5, roots);
        for (int k = 0; k < count; k++) CHECK(roots[k] <= 0.5);
    }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
