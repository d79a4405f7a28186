/* Numbers that carry their error (docs/numerics.md, section 5) one by one, against exact rationals. The source is
   included for its static functions. */
#include "exact/touch_filter.c"

#include "arena_mpz.h"
#include "bound_queries.h"

/* |exact − value| ≤ error */
static bool is_within(const mpq_t exact, double value, double error) {
    mpq_t off, bound;
    mpq_inits(off, bound, NULL);
    mpq_set_d(bound, value);
    mpq_sub(off, exact, bound);
    mpq_abs(off, off);
    mpq_set_d(bound, error);
    bool within = mpq_cmp(off, bound) <= 0;
    mpq_clears(off, bound, NULL);
    return within;
}

static near_number some_number(test_random *random, int i) {
    int low = i % 3 == 2 ? -540 : 0;
    near_number a = {ldexp(some_unit(random), low), 0};
    if (i % 2) a.error = ldexp(test_random_unit(random), low - (int)test_random_below(random, 60));
    if (i % 5 == 0) a.value = 0;
    return a;
}

/* One end of what it stands for. */
static void end_of(mpq_t end, near_number a, int sign) {
    mpq_t error;
    mpq_init(error);
    mpq_set_d(end, a.value);
    mpq_set_d(error, sign * a.error);
    mpq_add(end, end, error);
    mpq_clear(error);
}

TEST(sums_and_products_carry_their_error) {
    test_random random = {31};
    mpq_t a, b, exact;
    mpq_inits(a, b, exact, NULL);
    for (int i = 0; i < 30000; i++) {
        near_number x = some_number(&random, i), y = some_number(&random, i / 2);
        near_number product = multiply(x, y), sum = add(x, y, i & 1 ? 1 : -1);
        for (int ends = 0; ends < 4; ends++) {
            end_of(a, x, ends & 1 ? 1 : -1);
            end_of(b, y, ends & 2 ? 1 : -1);
            mpq_mul(exact, a, b);
            CHECK_MSG(is_within(exact, product.value, product.error), "%a ± %a times %a ± %a", x.value, x.error,
                      y.value, y.error);
            if (i & 1)
                mpq_add(exact, a, b);
            else
                mpq_sub(exact, a, b);
            CHECK_MSG(is_within(exact, sum.value, sum.error), "%a ± %a and %a ± %a", x.value, x.error, y.value,
                      y.error);
        }
    }
    mpq_clears(a, b, exact, NULL);
}

static void some_integer(test_random *random, mpz_t z, unsigned words) {
    mpz_set_ui(z, 0);
    for (unsigned k = 0; k < words; k++) {
        mpz_mul_2exp(z, z, 60);
        mpz_add_ui(z, z, test_random_bits(random) >> 4);
    }
    if (test_random_bits(random) & 1) mpz_neg(z, z);
}

TEST(a_line_at_a_root_is_within_its_error) {
    test_random random = {32};
    mpz_t z[2];
    mpq_t at, exact;
    mpz_inits(z[0], z[1], NULL);
    mpq_inits(at, exact, NULL);
    for (int i = 0; i < 10000; i++) {
        gz_arena arena = new_arena();
        gz_vector line = {0};
        unsigned words = 1 + (unsigned)test_random_below(&random, 3);
        some_integer(&random, z[0], words), some_integer(&random, z[1], i % 3 ? words : words + 20);
        double below = test_random_unit(&random);
        if (i % 2 && mpz_sgn(z[1])) { /* near its root, where all cancels */
            double root = -mpz_get_d(z[0]) / mpz_get_d(z[1]);
            if (root > 0 && root < 1) below = root;
        }
        for (int c = 0; c < 3; c++) {
            line.c[c].degree = 1;
            for (int k = 0; k < 2; k++) line.c[c].c[k] = from_mpz(&arena, z[k]);
        }
        size_t bits = longest(&line, 0);
        near_number found = at_root(&line, below, bits).c[0];
        for (int end = 0; end < 2; end++) {
            mpq_set_d(at, end ? nextafter(below, 1) : below);
            mpq_set_z(exact, z[1]);
            mpq_mul(exact, exact, at);
            mpq_set_z(at, z[0]);
            mpq_add(exact, exact, at);
            mpq_div_2exp(exact, exact, (mp_bitcnt_t)bits);
            CHECK_MSG(is_within(exact, found.value, found.error), "case %d", i);
        }
    }
    mpz_clears(z[0], z[1], NULL);
    mpq_clears(at, exact, NULL);
}

TEST(a_quotient_lies_between_its_bounds) {
    test_random random = {33};
    mpq_t a, b, bound;
    mpq_inits(a, b, bound, NULL);
    size_t enclosed = 0;
    for (int i = 0; i < 20000; i++) {
        near_number under = {1 + test_random_unit(&random), 0}, over = {under.value * test_random_unit(&random), 0};
        double scale = 1, value[2];
        if (i % 2) over.error = 0x1p-45 * test_random_unit(&random), under.error = 0x1p-45 * test_random_unit(&random);
        if (i % 5 == 0) over.value = ldexp(over.value, -1070), over.error = 0;
        if (!gz_enclose_quotient(over.value, over.error, under.value, under.error, scale, value)) continue;
        enclosed++;
        for (int ends = 0; ends < 4; ends++) {
            end_of(a, over, ends & 1 ? 1 : -1);
            end_of(b, under, ends & 2 ? 1 : -1);
            mpq_div(a, a, b);
            mpq_set_d(bound, value[0]);
            CHECK(mpq_cmp(bound, a) <= 0 || mpq_sgn(a) < 0);
            mpq_set_d(bound, value[1]);
            CHECK(mpq_cmp(a, bound) <= 0 || value[1] == 1);
        }
    }
    CHECK(enclosed > 10000);
    mpq_clears(a, b, bound, NULL);
}

/* Numbers of many bits, whose 53 leading ones are not them. */
TEST(a_quotient_of_integers_lies_between_its_bounds) {
    test_random random = {34};
    mpz_t z[2];
    mpq_t exact, bound;
    mpz_inits(z[0], z[1], NULL);
    mpq_inits(exact, bound, NULL);
    double narrowest = 1;
    for (int i = 0; i < 20000; i++) {
        gz_arena arena = new_arena();
        for (int k = 0; k < 2; k++) {
            mpz_set_ui(z[k], test_random_bits(&random) | 1);
            mpz_mul_2exp(z[k], z[k], 64);
            mpz_add_ui(z[k], z[k], test_random_bits(&random));
        }
        if (mpz_cmp(z[0], z[1]) > 0) mpz_swap(z[0], z[1]);
        int less = i % 4 ? 0 : 1060 + (int)test_random_below(&random, 60); /* a quotient that underflows */
        gz_int over = from_mpz(&arena, z[0]), under = from_mpz(&arena, z[1]);
        const gz_int above[2] = {over, over}, below[2] = {under, under};
        double value[2];
        gz_enclose_integers(above, below, -less, value);
        mpq_set_num(exact, z[0]), mpq_set_den(exact, z[1]);
        mpq_canonicalize(exact);
        mpq_div_2exp(exact, exact, (mp_bitcnt_t)less);
        mpq_set_d(bound, value[0]);
        CHECK_MSG(mpq_cmp(bound, exact) <= 0, "case %d", i);
        mpq_set_d(bound, value[1]);
        CHECK_MSG(mpq_cmp(exact, bound) <= 0, "case %d", i);
        if (!less) narrowest = fmin(narrowest, (value[1] - value[0]) / value[1]);
    }
    CHECK(narrowest < 0x1p-47);
    mpz_clears(z[0], z[1], NULL);
    mpq_clears(exact, bound, NULL);
}

int main(int argc, char **argv) {
    if (setjmp(full)) return 2;
    return RUN_TESTS(argc, argv);
}
