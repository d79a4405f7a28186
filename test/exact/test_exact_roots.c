/* Roots that lie close together, and what is known of values from their first bits, against GMP. */
#include "arena_mpz.h"
#include "check.h"

#include "exact/roots.h"

/* b·t − a for the root a / b */
static gz_poly factor(gz_arena *arena, const mpq_t root) {
    gz_poly p = {.degree = 1, .c = {from_mpz(arena, mpq_numref(root)), from_mpz(arena, mpq_denref(root))}};
    p.c[0] = gz_int_negative(p.c[0]);
    return p;
}

static void multiply(gz_arena *arena, gz_poly *p, const gz_poly *by) {
    gz_poly product;
    gz_poly_sum_of_products(arena, &(gz_poly_product){p, by, false}, 1, &product);
    *p = product;
}

/* n / d + k·2^-s */
static void place(mpq_t root, long n, unsigned long d, long k, unsigned s) {
    mpq_t step;
    mpq_init(step);
    mpq_set_si(root, n, d);
    mpq_set_si(step, k, 1);
    mpq_div_2exp(step, step, s);
    mpq_add(root, root, step);
    mpq_clear(step);
}

/* All of these, in order and in (0, 1), and with nothing else, each on its side of every other. */
static void check_roots(gz_arena *arena, const gz_poly *p, mpq_t *wanted, int count, const char *what, unsigned s) {
    gz_root roots[GZ_DEGREE];
    int found = gz_roots_isolate(arena, p, roots);
    CHECK_MSG(found == count, "%s, 2^-%u: %d roots instead of %d", what, s, found, count);
    if (found != count) return;
    mpq_t end;
    mpq_init(end);
    for (int i = 0; i < count; i++) {
        CHECK_MSG(gz_root_sign(arena, &roots[i], p) == 0, "%s, 2^-%u, root %d", what, s, i);
        for (int j = 0; j < count; j++) {
            gz_poly line = factor(arena, wanted[j]);
            CHECK_MSG(gz_root_sign(arena, &roots[i], &line) == (i > j) - (i < j), "%s, 2^-%u, %d %d", what, s, i, j);
            CHECK(gz_root_compare(arena, &roots[i], &roots[j]) == (i > j) - (i < j));
        }
        gz_root_bracket(arena, &roots[i]);
        mpq_set_d(end, roots[i].below);
        int below = mpq_cmp(wanted[i], end);
        mpq_set_d(end, roots[i].above);
        int above = mpq_cmp(wanted[i], end);
        bool adjacent = roots[i].above == nextafter(roots[i].below, 2);
        CHECK_MSG(roots[i].below == roots[i].above ? below == 0 : below > 0 && above < 0 && adjacent, "%s, 2^-%u", what,
                  s);
    }
    mpq_clear(end);
}

/* A base and multiples of 2^-s beside it; of the roots, `inside` lie in (0, 1), the first ones. */
typedef struct crowd {
    const char *what;
    long n;
    unsigned long d;
    int count, inside;
    long steps[4];
} crowd;

static const crowd crowds[] = {
    {"beside 0", 0, 1, 2, 2, {1, 3}},
    {"on both sides of 0", 0, 1, 3, 2, {1, 2, -1}},
    {"beside 1", 1, 1, 2, 2, {-3, -1}},
    {"on both sides of 1", 1, 1, 3, 1, {-1, 1, 2}},
    {"beside a dyadic number", 3, 8, 3, 3, {0, 1, 2}},
    {"around a dyadic number", 1, 2, 2, 2, {-1, 1}},
    {"around a third", 1, 3, 4, 4, {-2, -1, 1, 5}},
    {"around nine tenths", 9, 10, 2, 2, {-1, 1}},
};

static const unsigned scales[] = {4, 30, 54, 100, 340, 1074, 2100};

TEST(roots_that_lie_close_together_are_found_and_told_apart) {
    mpq_t wanted[5];
    for (int i = 0; i < 5; i++) mpq_init(wanted[i]);
    for (size_t c = 0; c < sizeof crowds / sizeof *crowds; c++)
        for (size_t k = 0; k < sizeof scales / sizeof *scales; k++)
            for (int far = 0; far < 2; far++) {
                gz_arena arena = new_arena();
                const crowd *at = &crowds[c];
                if (scales[k] < 30 && at->count > 3) continue; /* not so far from its base */
                gz_poly p = {.degree = 0, .c = {gz_int_from(&arena, -1)}}, line;
                for (int i = 0; i < at->count; i++) {
                    place(wanted[i], at->n, at->d, at->steps[i], scales[k]);
                    line = factor(&arena, wanted[i]);
                    multiply(&arena, &p, &line);
                }
                int count = at->inside;
                if (far) { /* another root elsewhere */
                    mpq_set_si(wanted[4], 5, 7);
                    line = factor(&arena, wanted[4]);
                    multiply(&arena, &p, &line);
                    int i = count;
                    for (; i > 0 && mpq_cmp(wanted[i - 1], wanted[4]) > 0; i--) mpq_set(wanted[i], wanted[i - 1]);
                    mpq_set_si(wanted[i], 5, 7);
                    count++;
                }
                check_roots(&arena, &p, wanted, count, at->what, scales[k]);
            }
    for (int i = 0; i < 5; i++) mpq_clear(wanted[i]);
}

TEST(pairs_of_complex_roots_near_the_axis_are_no_roots) {
    mpq_t wanted[1], center;
    mpq_inits(wanted[0], center, NULL);
    const long centers[][2] = {{1, 3}, {1, 2}, {0, 1}, {1, 1}, {1, 1000}};
    for (size_t c = 0; c < sizeof centers / sizeof *centers; c++)
        for (size_t k = 0; k < sizeof scales / sizeof *scales; k++)
            for (int times = 1; times <= 2; times++) {
                gz_arena arena = new_arena();
                /* ((d·t − n)² + 4^-s)·(7·t − 5), its first factor once or twice */
                mpq_set_si(center, centers[c][0], (unsigned long)centers[c][1]);
                gz_poly line = factor(&arena, center), pair = line, p = {.degree = 0, .c = {gz_int_from(&arena, 1)}};
                multiply(&arena, &pair, &line);
                gz_poly_scale(&arena, &pair, gz_int_shift_up(&arena, gz_int_from(&arena, 1), 2 * scales[k]), &pair);
                pair.c[0] = gz_int_add(&arena, pair.c[0], gz_int_from(&arena, 1));
                for (int i = 0; i < times; i++) multiply(&arena, &p, &pair);
                gz_root roots[GZ_DEGREE];
                CHECK_MSG(gz_roots_isolate(&arena, &p, roots) == 0, "2^-%u", scales[k]);
                mpq_set_si(wanted[0], 5, 7);
                line = factor(&arena, wanted[0]);
                multiply(&arena, &p, &line);
                check_roots(&arena, &p, wanted, 1, "complex pair", scales[k]);
            }
    mpq_clears(wanted[0], center, NULL);
}

TEST(values_from_the_first_bits_are_within_their_error) {
    test_random random = {21};
    mpq_t t, value, c;
    mpq_inits(t, value, c, NULL);
    double largest = 0;
    for (int i = 0; i < 20000; i++) {
        gz_arena arena = new_arena();
        gz_poly p = {.degree = (int)test_random_below(&random, GZ_DEGREE + 1)};
        for (int k = 0; k <= p.degree; k++) {
            int64_t leading = (int64_t)(test_random_bits(&random) >> 2) | 1;
            if (i % 3 == 0) leading = (INT64_C(1) << 62) - 1; /* the worst: all alike and as long as can be */
            gz_int n = gz_int_shift_up(&arena, gz_int_from(&arena, leading), test_random_below(&random, 200));
            if (i % 3 == 0) n = gz_int_shift_up(&arena, gz_int_from(&arena, leading), 100);
            p.c[k] = test_random_below(&random, 2) ? n : gz_int_negative(n);
        }
        size_t exponent = 1 + test_random_below(&random, 62), bits = test_random_below(&random, 300);
        uint64_t n = test_random_bits(&random) >> (64 - exponent);
        if (i % 4 == 0) n = (UINT64_C(1) << exponent) - 1;
        gz_dyadic at = {gz_int_from(&arena, (int64_t)n), exponent};
        gz_int seen = gz_poly_short(&arena, &p, at, bits);
        for (int end = 0; end < 2; end++) {
            place(t, 0, 1, (long)n, (unsigned)exponent);
            if (end) { /* t + 2^-bits, or 1 */
                mpq_set_ui(c, 1, 1);
                mpq_div_2exp(c, c, bits);
                mpq_add(t, t, c);
                if (mpq_cmp_ui(t, 1, 1) > 0) mpq_set_ui(t, 1, 1);
            }
            mpq_set_ui(value, 0, 1);
            for (int k = p.degree; k >= 0; k--) {
                mpq_mul(value, value, t);
                mpz_set_ui(mpq_denref(c), 1);
                to_mpz(mpq_numref(c), p.c[k]);
                mpq_add(value, value, c);
            }
            mpq_mul_2exp(value, value, bits);
            mpq_div_2exp(value, value, gz_poly_bits(&p));
            mpz_set_ui(mpq_denref(c), 1);
            to_mpz(mpq_numref(c), seen);
            mpq_sub(value, value, c);
            double error = fabs(mpq_get_d(value));
            if (error > largest) largest = error;
            CHECK_MSG(error <= 1 << GZ_SHORT_ERROR_BITS, "off by %g", error);
        }
        if (p.degree == 0) CHECK(gz_poly_sign(&arena, &p, at) == gz_int_sign(p.c[0]));
    }
    CHECK_MSG(largest > 16, "the bound is never tried: %g", largest);
    mpq_clears(t, value, c, NULL);
}

TEST(signs_of_long_values_are_exact_also_at_and_beside_a_root) {
    mpq_t root;
    mpq_init(root);
    for (unsigned s = 10; s < 3000; s += 97)
        for (int beside = -1; beside <= 1; beside++) {
            gz_arena arena = new_arena();
            /* ((8·t − 3)·2^s)³ at 3/8 and 2^-2s beside it */
            place(root, 3, 8, 0, 0);
            gz_poly line = factor(&arena, root), p = line;
            multiply(&arena, &p, &line);
            multiply(&arena, &p, &line);
            gz_poly_scale(&arena, &p, gz_int_shift_up(&arena, gz_int_from(&arena, 1), 3 * s), &p);
            place(root, 3, 8, beside, 2 * s);
            gz_int n = gz_int_shift_up(&arena, gz_int_from(&arena, 3), 2 * s - 3);
            gz_dyadic at = {gz_int_add(&arena, n, gz_int_from(&arena, beside)), 2 * s};
            CHECK(gz_poly_sign(&arena, &p, at) == beside);
        }
    mpq_clear(root);
}

TEST(common_divisors_with_long_coefficients_are_found) {
    mpq_t roots[4];
    for (int i = 0; i < 4; i++) mpq_init(roots[i]);
    for (unsigned s = 8; s < 400; s += 7) { /* the first few are short: their way is another */
        gz_arena arena = new_arena();
        place(roots[0], 1, 3, 1, s);
        place(roots[1], 2, 5, -1, s);
        place(roots[2], 1, 2, 3, s);
        place(roots[3], 1, 7, 0, 0);
        gz_poly shared = factor(&arena, roots[0]), line = factor(&arena, roots[1]), a, b, gcd;
        multiply(&arena, &shared, &line);
        a = b = shared;
        line = factor(&arena, roots[2]);
        multiply(&arena, &a, &line);
        line = factor(&arena, roots[3]);
        multiply(&arena, &b, &line);
        gz_poly_gcd(&arena, &a, &b, &gcd);
        CHECK(gcd.degree == 2);
        for (int k = 0; k <= 2 && gcd.degree == 2; k++) CHECK(gz_int_compare(gcd.c[k], shared.c[k]) == 0);
    }
    for (int i = 0; i < 4; i++) mpq_clear(roots[i]);
}

int main(int argc, char **argv) {
    if (setjmp(full)) {
        puts("    FAILED: the arena is too small");
        return 1;
    }
    return RUN_TESTS(argc, argv);
}
