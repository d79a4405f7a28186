/* Integers, polynomials and roots against GMP. */
#include "arena_mpz.h"
#include "check.h"

#include "exact/roots.h"

static bool same(gz_int a, const mpz_t z) {
    mpz_t mine;
    mpz_init(mine);
    to_mpz(mine, a);
    bool equal = mpz_cmp(mine, z) == 0 && (a.size == 0 || a.limb[abs(a.size) - 1] != 0);
    mpz_clear(mine);
    return equal;
}

/* Random limbs; often with runs of ones and zeros, where carries run far. */
static void random_mpz(test_random *random, mpz_t z, unsigned limbs) {
    unsigned n = (unsigned)test_random_below(random, limbs + 1);
    uint64_t style = test_random_below(random, 4);
    mpz_set_ui(z, 0);
    for (unsigned i = 0; i < n; i++) {
        uint64_t limb = test_random_bits(random);
        if (style == 1) limb = limb & 1 ? UINT64_MAX : 0;
        if (style == 2) limb = limb & 1 ? UINT64_C(1) << 63 : limb & 2 ? UINT64_MAX : 1;
        mpz_mul_2exp(z, z, 64);
        mpz_add_ui(z, z, limb);
    }
    if (style == 3) mpz_tdiv_q_2exp(z, z, test_random_below(random, 64));
    if (test_random_below(random, 2)) mpz_neg(z, z);
}

TEST(integers_agree_with_gmp) {
    test_random random = {1};
    mpz_t x, y, z, w;
    mpz_inits(x, y, z, w, NULL);
    for (int i = 0; i < 20000; i++) {
        gz_arena arena = new_arena();
        random_mpz(&random, x, i % 2 ? 4 : 20);
        random_mpz(&random, y, i % 3 ? 4 : 20);
        if (i % 50 == 0) mpz_set(y, x);
        gz_int a = from_mpz(&arena, x), b = from_mpz(&arena, y);
        mpz_add(z, x, y);
        CHECK(same(gz_int_add(&arena, a, b), z));
        mpz_sub(z, x, y);
        CHECK(same(gz_int_subtract(&arena, a, b), z));
        mpz_mul(z, x, y);
        CHECK(same(gz_int_multiply(&arena, a, b), z));
        int order = mpz_cmp(x, y);
        CHECK(gz_int_compare(a, b) == (order > 0) - (order < 0));
        CHECK(gz_int_sign(a) == mpz_sgn(x));
        CHECK(gz_int_bits(a) == (mpz_sgn(x) ? mpz_sizeinbase(x, 2) : 0));
        if (mpz_sgn(x)) CHECK(gz_int_twos(a) == mpz_scan1(x, 0));
        size_t bits = (size_t)test_random_below(&random, 300);
        if (i % 4 == 0) bits = bits / 64 * 64;
        mpz_mul_2exp(z, x, bits);
        CHECK(same(gz_int_shift_up(&arena, a, bits), z));
        mpz_tdiv_q_2exp(z, x, bits);
        CHECK(same(gz_int_shift_down(&arena, a, bits), z));
        if (mpz_sgn(y)) {
            mpz_tdiv_qr(z, w, x, y);
            CHECK(same(gz_int_divide(&arena, a, b), z));
            CHECK(same(gz_int_remainder(&arena, a, b), w));
        }
        mpz_gcd(z, x, y);
        CHECK(same(gz_int_gcd(&arena, a, b), z));
        mpz_set_str(w, "2305843009213693951", 10);
        mpz_mod(z, x, w);
        CHECK(gz_int_modulo_prime(a) == mpz_get_ui(z));
        char digits[1000];
        CHECK(gz_int_decimal(&arena, a, digits) == strlen(digits) && strlen(digits) < gz_int_decimal_size(a));
        char *expected = mpz_get_str(NULL, 10, x);
        CHECK(strcmp(digits, expected) == 0);
        free(expected);
        int64_t exponent;
        long reference;
        double lead = gz_int_leading(a, &exponent);
        CHECK(lead == mpz_get_d_2exp(&reference, x) && (lead == 0 || exponent == reference));
    }
    mpz_clears(x, y, z, w, NULL);
}

TEST(common_factors_of_integers_are_found) {
    test_random random = {2};
    mpz_t x, y, g;
    mpz_inits(x, y, g, NULL);
    for (int i = 0; i < 3000; i++) {
        gz_arena arena = new_arena();
        random_mpz(&random, x, 6);
        random_mpz(&random, y, 6);
        random_mpz(&random, g, 6);
        mpz_mul(x, x, g);
        mpz_mul(y, y, g);
        gz_int a = from_mpz(&arena, x), b = from_mpz(&arena, y);
        mpz_gcd(g, x, y);
        CHECK(same(gz_int_gcd(&arena, a, b), g));
    }
    mpz_clears(x, y, g, NULL);
}

TEST(division_corrects_its_guess) {
    /* the guessed digit is one too large even after the first correction: Knuth, algorithm D, step 6 */
    static const uint64_t divisor[3] = {UINT64_MAX, 0, UINT64_C(1) << 63};
    static const uint64_t number[4] = {0, 0, UINT64_C(1) << 63, (UINT64_C(1) << 63) - 1};
    static const uint64_t small_divisor[3] = {1, 0, UINT64_C(1) << 63}, small_number[3] = {0, 0, UINT64_C(1) << 63};
    gz_arena arena = new_arena();
    mpz_t x, y, q, r;
    mpz_inits(x, y, q, r, NULL);
    const gz_int pairs[2][2] = {{{number, 4}, {divisor, 3}}, {{small_number, 3}, {small_divisor, 3}}};
    for (int i = 0; i < 2; i++) {
        to_mpz(x, pairs[i][0]);
        to_mpz(y, pairs[i][1]);
        mpz_tdiv_qr(q, r, x, y);
        CHECK(same(gz_int_divide(&arena, pairs[i][0], pairs[i][1]), q));
        CHECK(same(gz_int_remainder(&arena, pairs[i][0], pairs[i][1]), r));
    }
    mpz_clears(x, y, q, r, NULL);
}

TEST(sums_of_products_agree_with_gmp) {
    test_random random = {3};
    mpz_t x, y, z, sum;
    mpz_inits(x, y, z, sum, NULL);
    for (int i = 0; i < 5000; i++) {
        gz_arena arena = new_arena();
        gz_product terms[12];
        size_t n = (size_t)test_random_below(&random, 13);
        mpz_set_ui(sum, 0);
        for (size_t k = 0; k < n; k++) {
            random_mpz(&random, x, 5);
            random_mpz(&random, y, 5);
            terms[k] = (gz_product){from_mpz(&arena, x), from_mpz(&arena, y), test_random_below(&random, 2)};
            if (k > 0 && i % 5 == 0) terms[k] = terms[k - 1], terms[k].negative = !terms[k].negative;
            to_mpz(x, terms[k].a);
            to_mpz(y, terms[k].b);
            mpz_mul(z, x, y);
            if (terms[k].negative)
                mpz_sub(sum, sum, z);
            else
                mpz_add(sum, sum, z);
        }
        CHECK(same(gz_int_sum_of_products(&arena, terms, n), sum));
    }
    mpz_clears(x, y, z, sum, NULL);
}

static bool multiplies_in(gz_arena *arena, gz_int a, gz_int b) {
    jmp_buf here;
    arena->full = &here;
    if (setjmp(here)) return false;
    gz_int_multiply(arena, a, b);
    return true;
}

TEST(an_arena_that_is_full_jumps_to_its_door) {
    uint64_t few[4];
    static const uint64_t limbs[3] = {1, 2, 3};
    gz_arena arena = {.limbs = few, .size = 4};
    gz_int two = {limbs, 2}, three = {limbs, 3};
    CHECK(!multiplies_in(&arena, three, two));
    CHECK(multiplies_in(&arena, two, two));
}

TEST(kept_values_survive_the_release_of_the_rest) {
    gz_arena arena = new_arena();
    gz_int below = gz_int_from(&arena, 7);
    size_t mark = gz_arena_mark(&arena);
    gz_int a = gz_int_from(&arena, -5);
    gz_int_from(&arena, 99);
    gz_int b = gz_int_shift_up(&arena, gz_int_from(&arena, 3), 200), zero = gz_int_zero();
    gz_int *values[4] = {&b, &zero, &a, &below};
    gz_arena_keep(&arena, mark, values, 4);
    CHECK(arena.used == mark + 4 + 1 + 1);
    CHECK(b.size == 4 && b.limb[3] == 768 && b.limb[2] == 0 && a.size == -1 && a.limb[0] == 5 && zero.size == 0);
    CHECK(below.limb[0] == 7);
}

/* ---- polynomials ---- */

/* Product of the linear factors (b·t − a) with roots a / b. */
static gz_poly from_roots(gz_arena *arena, int64_t (*fractions)[2], int count) {
    gz_poly p = {.degree = 0, .c = {gz_int_from(arena, 1)}};
    for (int i = 0; i < count; i++) {
        gz_poly factor = {.degree = 1,
                          .c = {gz_int_from(arena, -fractions[i][0]), gz_int_from(arena, fractions[i][1])}};
        gz_poly_product product = {&p, &factor, false};
        gz_poly next;
        gz_poly_sum_of_products(arena, &product, 1, &next);
        p = next;
    }
    return p;
}

static bool equal(const gz_poly *a, const gz_poly *b) {
    if (a->degree != b->degree) return false;
    for (int k = 0; k <= a->degree; k++)
        if (gz_int_compare(a->c[k], b->c[k])) return false;
    return true;
}

/* A random fraction in lowest terms with a positive denominator. */
static void random_fraction(test_random *random, int64_t fraction[2]) {
    int64_t b = 1 + (int64_t)test_random_below(random, 40), a = (int64_t)test_random_below(random, 60) - 10;
    int64_t x = a < 0 ? -a : a, y = b;
    while (y) {
        int64_t rest = x % y;
        x = y;
        y = rest;
    }
    fraction[0] = a / x;
    fraction[1] = b / x;
}

static bool same_fraction(const int64_t a[2], const int64_t b[2]) { return a[0] == b[0] && a[1] == b[1]; }

TEST(common_divisors_of_polynomials_are_found) {
    test_random random = {4};
    for (int i = 0; i < 2000; i++) {
        gz_arena arena = new_arena();
        /* common roots first, then roots of their own, all different */
        int64_t roots[8][2];
        int common = (int)test_random_below(&random, 4), own = 1 + (int)test_random_below(&random, 2), count = 0;
        while (count < common + 2 * own) {
            random_fraction(&random, roots[count]);
            bool seen = false;
            for (int k = 0; k < count; k++) seen |= same_fraction(roots[k], roots[count]);
            if (!seen) count++;
        }
        gz_poly shared = from_roots(&arena, roots, common), a, b, left = from_roots(&arena, roots + common, own),
                right = from_roots(&arena, roots + common + own, own), gcd;
        gz_poly_product first = {&shared, &left, true}, second = {&shared, &right, false};
        gz_poly_sum_of_products(&arena, &first, 1, &a);
        gz_poly_sum_of_products(&arena, &second, 1, &b);
        gz_poly_scale(&arena, &b, gz_int_from(&arena, 60), &b);
        gz_poly_gcd(&arena, &a, &b, &gcd);
        CHECK(equal(&gcd, &shared));
        CHECK(gz_poly_surely_coprime(&a, &b) == (common == 0));
        gz_poly_gcd(&arena, &b, &a, &gcd);
        CHECK(equal(&gcd, &shared));
        gz_poly_make_primitive(&arena, &a);
        CHECK(gz_int_sign(a.c[a.degree]) > 0);
    }
}

TEST(coprimality_modulo_a_prime_is_not_fooled_by_a_leading_coefficient_that_vanishes) {
    gz_arena arena = new_arena();
    /* p·t − 1 and (p·t − 1)·t: modulo p the common factor is a constant */
    int64_t roots[2][2] = {{1, (int64_t)GZ_PRIME}, {0, 1}};
    gz_poly a = from_roots(&arena, roots, 1), b = from_roots(&arena, roots, 2), gcd;
    CHECK(!gz_poly_surely_coprime(&a, &b));
    CHECK(!gz_poly_surely_coprime(&b, &a));
    gz_poly_gcd(&arena, &a, &b, &gcd);
    CHECK(equal(&gcd, &a));
    /* and t² − 1 against p·t + 1, coprime, whose second has a leading coefficient of 0 modulo p */
    int64_t ones[2][2] = {{1, 1}, {-1, 1}}, other[1][2] = {{-1, (int64_t)GZ_PRIME}};
    a = from_roots(&arena, ones, 2);
    b = from_roots(&arena, other, 1);
    CHECK(gz_poly_surely_coprime(&a, &b));
    /* a multiple of p is zero there: nothing is known */
    int64_t plain[1][2] = {{1, 3}};
    b = from_roots(&arena, plain, 1);
    gz_poly_scale(&arena, &b, gz_int_from(&arena, (int64_t)GZ_PRIME), &b);
    CHECK(!gz_poly_surely_coprime(&a, &b));
    gz_poly_gcd(&arena, &a, &b, &gcd);
    CHECK(gcd.degree == 0);
}

TEST(square_free_parts_have_each_root_once) {
    test_random random = {5};
    for (int i = 0; i < 2000; i++) {
        gz_arena arena = new_arena();
        int64_t roots[6][2], once[6][2];
        int count = 1 + (int)test_random_below(&random, 6), distinct = 0;
        for (int k = 0; k < count; k++) {
            if (k > 0 && test_random_below(&random, 2))
                memcpy(roots[k], roots[k - 1], sizeof roots[k]);
            else
                random_fraction(&random, roots[k]);
            bool seen = false;
            for (int m = 0; m < distinct; m++) seen |= same_fraction(roots[k], once[m]);
            if (!seen) memcpy(once[distinct++], roots[k], sizeof roots[k]);
        }
        gz_poly p = from_roots(&arena, roots, count), wanted = from_roots(&arena, once, distinct), part;
        bool changed = gz_poly_square_free(&arena, &p, &part);
        CHECK(changed == (distinct < count));
        if (changed) CHECK(equal(&part, &wanted));
    }
}

TEST(square_free_parts_need_more_than_a_prime_when_it_divides_the_discriminant) {
    gz_arena arena = new_arena();
    /* t·(t − p): a double root modulo p, none in truth */
    int64_t roots[2][2] = {{0, 1}, {(int64_t)GZ_PRIME, 1}};
    gz_poly p = from_roots(&arena, roots, 2), part;
    size_t used = arena.used;
    CHECK(!gz_poly_square_free(&arena, &p, &part));
    CHECK(arena.used == used);
}

TEST(derivatives_and_values_are_right) {
    gz_arena arena = new_arena();
    int64_t roots[3][2] = {{1, 2}, {1, 3}, {3, 1}};
    gz_poly p = from_roots(&arena, roots, 3); /* 6t³ − 23t² + 16t − 3 */
    static const int64_t wanted[3] = {16, -46, 18};
    gz_poly_derivative(&arena, &p, &p);
    CHECK(p.degree == 2);
    for (int k = 0; k < 3; k++) CHECK(gz_int_compare(p.c[k], gz_int_from(&arena, wanted[k])) == 0);
    /* 4·p'(1/2) = 64 − 92 + 18 */
    gz_dyadic half = {gz_int_from(&arena, 1), 1};
    CHECK(gz_int_compare(gz_poly_value(&arena, &p, half), gz_int_from(&arena, -10)) == 0);
    for (int k = 0; k < 3; k++) gz_poly_derivative(&arena, &p, &p);
    CHECK(gz_poly_is_zero(&p) && gz_poly_sign(&arena, &p, half) == 0);
}

/* ---- roots ---- */

static int compare_fraction(const int64_t fraction[2], double t) {
    mpq_t a, b;
    mpq_inits(a, b, NULL);
    mpq_set_si(a, fraction[0], (unsigned long)fraction[1]);
    mpq_set_d(b, t);
    int order = mpq_cmp(a, b);
    mpq_clears(a, b, NULL);
    return (order > 0) - (order < 0);
}

static int sort_fractions(const void *a, const void *b) {
    const int64_t *x = a, *y = b;
    int64_t order = x[0] * y[1] - y[0] * x[1];
    return (order > 0) - (order < 0);
}

/* Distinct roots in (0, 1] of the product of linear factors, sorted. */
static int expected_roots(int64_t (*fractions)[2], int count, int64_t (*wanted)[2]) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        bool seen = false;
        for (int k = 0; k < n; k++) seen |= same_fraction(fractions[i], wanted[k]);
        if (!seen && fractions[i][0] > 0 && fractions[i][0] <= fractions[i][1])
            memcpy(wanted[n++], fractions[i], sizeof wanted[0]);
    }
    qsort(wanted, (size_t)n, sizeof wanted[0], sort_fractions);
    return n;
}

TEST(roots_are_isolated_bracketed_and_signs_at_them_known) {
    test_random random = {6};
    for (int i = 0; i < 3000; i++) {
        gz_arena arena = new_arena();
        arena.integers_only = i % 2;
        int64_t fractions[6][2], wanted[6][2], others[4][2];
        int count = 1 + (int)test_random_below(&random, 6);
        for (int k = 0; k < count; k++) {
            random_fraction(&random, fractions[k]);
            if (k > 0 && test_random_below(&random, 4) == 0)
                memcpy(fractions[k], fractions[k - 1], sizeof fractions[k]);
        }
        for (int k = 0; k < 4; k++) {
            random_fraction(&random, others[k]);
            if (test_random_below(&random, 3) == 0) memcpy(others[k], fractions[0], sizeof others[k]);
        }
        gz_poly p = from_roots(&arena, fractions, count), q = from_roots(&arena, others, 4);
        gz_root roots[GZ_DEGREE];
        int found = gz_roots_isolate(&arena, &p, roots), n = expected_roots(fractions, count, wanted);
        CHECK_MSG(found == n, "%d roots instead of %d", found, n);
        for (int k = 0; k < found && found == n; k++) {
            gz_root *root = &roots[k];
            if (i % 5 == 0) gz_root_narrow(&arena, root, i % 3 * 40);
            CHECK(gz_root_side(&arena, root, 0.5) == -compare_fraction(wanted[k], 0.5));
            gz_root_bracket(&arena, root);
            int low = compare_fraction(wanted[k], root->below), high = compare_fraction(wanted[k], root->above);
            CHECK(root->below == root->above ? low == 0 : low > 0 && high < 0);
            CHECK(root->below == root->above || root->above == nextafter(root->below, 2));
            CHECK(gz_root_sign(&arena, root, &p) == 0);
            int sign = 1;
            for (int m = 0; m < 4; m++) sign *= sort_fractions(wanted[k], others[m]);
            CHECK(gz_root_sign(&arena, root, &q) == sign);
            gz_root_narrow(&arena, root, 200);
            CHECK(gz_root_side(&arena, root, root->below) <= 0 && gz_root_side(&arena, root, root->above) >= 0);
            CHECK(gz_root_sign(&arena, root, &q) == sign);
        }
        /* against the roots of the other polynomial */
        gz_root second[GZ_DEGREE];
        int64_t other_wanted[4][2];
        int m = gz_roots_isolate(&arena, &q, second), other_n = expected_roots(others, 4, other_wanted);
        CHECK(m == other_n);
        for (int a = 0; a < found && found == n; a++)
            for (int b = 0; b < m && m == other_n; b++)
                CHECK(gz_root_compare(&arena, &roots[a], &second[b]) == sort_fractions(wanted[a], other_wanted[b]));
    }
}

/* (t·2^n − k)² − c·2^(2n − 2·s): roots k/2^n ± √c / 2^s. */
static gz_poly close_pair(gz_arena *arena, int64_t k, size_t n, int64_t c, size_t s) {
    gz_int two_n = gz_int_shift_up(arena, gz_int_from(arena, 1), s);
    gz_int middle = gz_int_shift_up(arena, gz_int_from(arena, k), s - n);
    gz_poly p = {.degree = 2};
    p.c[2] = gz_int_multiply(arena, two_n, two_n);
    p.c[1] = gz_int_shift_up(arena, gz_int_negative(gz_int_multiply(arena, middle, two_n)), 1);
    p.c[0] = gz_int_subtract(arena, gz_int_multiply(arena, middle, middle), gz_int_from(arena, c));
    return p;
}

TEST(roots_between_the_same_doubles_are_told_apart) {
    static const size_t distances[] = {10, 60, 100, 500, 3000};
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++) {
        gz_arena arena = new_arena();
        gz_poly p = close_pair(&arena, 3, 3, 2, distances[i]), q = close_pair(&arena, 3, 3, 3, distances[i]);
        gz_root a[GZ_DEGREE], b[GZ_DEGREE];
        CHECK(gz_roots_isolate(&arena, &p, a) == 2 && gz_roots_isolate(&arena, &q, b) == 2);
        /* 3/8 − √3·s < 3/8 − √2·s < 3/8 + √2·s < 3/8 + √3·s */
        CHECK(gz_root_compare(&arena, &b[0], &a[0]) == -1 && gz_root_compare(&arena, &a[0], &b[0]) == 1);
        CHECK(gz_root_compare(&arena, &a[0], &a[1]) == -1 && gz_root_compare(&arena, &a[1], &b[1]) == -1);
        CHECK(gz_root_compare(&arena, &a[1], &a[1]) == 0);
        gz_root again[GZ_DEGREE], middle = gz_root_from(&arena, 0.375);
        gz_poly scaled;
        gz_poly_scale(&arena, &p, gz_int_from(&arena, 7), &scaled);
        CHECK(gz_roots_isolate(&arena, &scaled, again) == 2 && gz_root_compare(&arena, &again[0], &a[0]) == 0);
        CHECK(gz_root_compare(&arena, &a[0], &middle) == -1 && gz_root_compare(&arena, &middle, &a[0]) == 1);
        CHECK(gz_root_sign(&arena, &a[0], &q) == -1 && gz_root_sign(&arena, &b[0], &p) == 1);
        gz_root between = gz_root_between(&arena, &b[0], &a[0]);
        CHECK(gz_root_compare(&arena, &b[0], &between) == -1 && gz_root_compare(&arena, &between, &a[0]) == -1);
        between = gz_root_between(&arena, &a[0], &middle);
        CHECK(gz_root_compare(&arena, &a[0], &between) == -1 && gz_root_compare(&arena, &between, &middle) == -1);
    }
}

TEST(numbers_between_roots_are_found_whatever_the_roots_are) {
    static const size_t distances[] = {2, 10, 70};
    for (size_t i = 0; i < sizeof distances / sizeof *distances; i++)
        for (int which = 0; which < 4; which++) {
            gz_arena arena = new_arena();
            gz_poly p = close_pair(&arena, 1, 1, 2, distances[i] + 2),
                    q = close_pair(&arena, 1, 1, 3, distances[i] + 2);
            gz_root a[GZ_DEGREE], b[GZ_DEGREE], middle = gz_root_from(&arena, 0.5);
            CHECK(gz_roots_isolate(&arena, &p, a) == 2 && gz_roots_isolate(&arena, &q, b) == 2);
            gz_root *pairs[4][2] = {{&a[0], &a[1]}, {&b[0], &a[0]}, {&a[0], &middle}, {&middle, &b[1]}};
            gz_root between = gz_root_between(&arena, pairs[which][0], pairs[which][1]);
            CHECK(gz_root_compare(&arena, pairs[which][0], &between) == -1);
            CHECK(gz_root_compare(&arena, &between, pairs[which][1]) == -1);
        }
}

TEST(numbers_that_are_no_doubles_are_compared_exactly) {
    gz_arena arena = new_arena();
    /* 1/2 + 2^-80 and 1/2 + 2^-90, roots of linear polynomials, both strictly between the same doubles */
    gz_root roots[2][GZ_DEGREE], middle[2];
    for (int i = 0; i < 2; i++) {
        size_t bits = i ? 90 : 80;
        gz_int one = gz_int_from(&arena, 1);
        gz_poly p = {.degree = 1, .c = {gz_int_zero(), gz_int_shift_up(&arena, one, bits)}};
        p.c[0] = gz_int_negative(gz_int_add(&arena, gz_int_shift_up(&arena, one, bits - 1), one));
        CHECK(gz_roots_isolate(&arena, &p, roots[i]) == 1);
        middle[i] = gz_root_between(&arena, &roots[i][0], &(gz_root){.low = {one, 0}, .high = {one, 0}, .exact = true});
    }
    CHECK(gz_root_compare(&arena, &roots[0][0], &roots[1][0]) == 1);
    CHECK(gz_root_compare(&arena, &middle[0], &roots[0][0]) == 1);
    gz_root exact[2] = {{.p.degree = -1, .exact = true}, {.p.degree = -1, .exact = true}};
    for (int i = 0; i < 2; i++) {
        gz_int n = gz_int_add(&arena, gz_int_shift_up(&arena, gz_int_from(&arena, 1), 89), gz_int_from(&arena, 1 + i));
        exact[i].low = exact[i].high = (gz_dyadic){n, 90};
    }
    CHECK(gz_root_compare(&arena, &exact[0], &exact[1]) == -1);
    CHECK(gz_root_compare(&arena, &exact[0], &roots[1][0]) == 0 &&
          gz_root_compare(&arena, &roots[1][0], &exact[1]) == -1);
    CHECK(exact[0].below == 0.5 && exact[0].above == nextafter(0.5, 1));
}

/* ---- filters in doubles ---- */

static void value_at(mpq_t value, const gz_poly *p, const mpq_t t) {
    mpq_t c;
    mpq_init(c);
    mpq_set_ui(value, 0, 1);
    for (int k = p->degree; k >= 0; k--) {
        mpq_mul(value, value, t);
        mpz_set_ui(mpq_denref(c), 1);
        to_mpz(mpq_numref(c), p->c[k]);
        mpq_add(value, value, c);
    }
    mpq_clear(c);
}

TEST(values_in_doubles_are_within_their_error) {
    test_random random = {7};
    mpz_t z;
    mpq_t t, value, bound;
    mpz_init(z);
    mpq_inits(t, value, bound, NULL);
    double worst = 0;
    for (int i = 0; i < 20000; i++) {
        gz_arena arena = new_arena();
        gz_poly p = {.degree = (int)test_random_below(&random, 7)};
        unsigned spread = i % 4 == 0 ? 40 : 3;
        for (int k = 0; k <= p.degree; k++) {
            random_mpz(&random, z, spread);
            if (k == p.degree && mpz_sgn(z) == 0) mpz_set_ui(z, 1);
            p.c[k] = from_mpz(&arena, z);
        }
        double below = test_random_unit(&random), ends[2];
        if (i % 3 == 0) below = ldexp(below, -(int)test_random_below(&random, 1100));
        if (i % 3 == 1 && p.degree > 0) {
            /* at a root, where everything cancels */
            gz_root roots[GZ_DEGREE];
            if (gz_roots_isolate(&arena, &p, roots)) {
                gz_root_bracket(&arena, &roots[0]);
                below = roots[0].below;
            }
        }
        ends[0] = below, ends[1] = below < 1 ? nextafter(below, 1) : below;
        gz_rounded rounded = gz_poly_round(&p, below);
        for (int end = 0; end < 2; end++) {
            mpq_set_d(t, ends[end]);
            value_at(value, &p, t);
            if (rounded.exponent) mpq_div_2exp(value, value, (mp_bitcnt_t)rounded.exponent);
            mpq_set_d(bound, rounded.value);
            mpq_sub(value, value, bound);
            mpq_abs(value, value);
            mpq_set_d(bound, rounded.error);
            CHECK(mpq_cmp(value, bound) <= 0);
            mpq_div(value, value, bound);
            worst = fmax(worst, mpq_get_d(value));
        }
    }
    /* the bound is no wild guess either */
    CHECK_MSG(worst > 0.02, "worst error over bound: %g", worst);
    mpz_clear(z);
    mpq_clears(t, value, bound, NULL);
}

TEST(fractions_at_roots_are_enclosed) {
    test_random random = {8};
    mpq_t value, lower, upper, r, bottom;
    mpq_inits(value, lower, upper, r, bottom, NULL);
    for (int i = 0; i < 4000; i++) {
        gz_arena arena = new_arena();
        arena.integers_only = i % 2;
        int64_t root_at[1][2], zeros[2][2], poles[2][2];
        do random_fraction(&random, root_at[0]);
        while (root_at[0][0] <= 0 || root_at[0][0] > root_at[0][1]);
        for (int k = 0; k < 2; k++) random_fraction(&random, zeros[k]), random_fraction(&random, poles[k]);
        int64_t far = i % 5 == 0 ? INT64_C(1) << 50 : 1000;
        poles[0][0] += far * poles[0][1], poles[1][0] = -poles[1][0] - far * poles[1][1];
        if (i % 3 == 0) zeros[0][0] = root_at[0][0], zeros[0][1] = root_at[0][1];
        gz_poly p = from_roots(&arena, root_at, 1), over = from_roots(&arena, zeros, 2),
                under = from_roots(&arena, poles, 2);
        /* under < 0 between its poles: make it positive, and over too at the root */
        gz_poly_scale(&arena, &under, gz_int_from(&arena, -1), &under);
        gz_root roots[GZ_DEGREE];
        CHECK(gz_roots_isolate(&arena, &p, roots) == 1);
        if (gz_root_sign(&arena, &roots[0], &over) < 0) gz_poly_scale(&arena, &over, gz_int_from(&arena, -1), &over);
        double enclosure[2];
        gz_root_fraction(&arena, &roots[0], &over, &under, enclosure);
        mpq_set_si(r, root_at[0][0], (unsigned long)root_at[0][1]);
        value_at(value, &over, r);
        value_at(bottom, &under, r);
        mpq_div(value, value, bottom);
        if (mpq_cmp_ui(value, 1, 1) > 0) mpq_set_ui(value, 1, 1);
        mpq_set_d(lower, enclosure[0]);
        mpq_set_d(upper, enclosure[1]);
        CHECK(mpq_cmp(lower, value) <= 0 && mpq_cmp(value, upper) <= 0);
        CHECK(enclosure[1] - enclosure[0] < 0x1p-40);
    }
    mpq_clears(value, lower, upper, r, bottom, NULL);
}

/* c0 + c1·2^s·(d·t − n)^k, k = 1 or 2: as steep as one likes at n / d, where it is c0 */
static gz_poly steep(gz_arena *arena, int64_t c0, int64_t c1, size_t s, int64_t n, int64_t d, int k) {
    int64_t at[2][2] = {{n, d}, {n, d}};
    gz_poly p = from_roots(arena, at, k);
    gz_poly_scale(arena, &p, gz_int_shift_up(arena, gz_int_from(arena, c1), s), &p);
    p.c[0] = gz_int_add(arena, p.c[0], gz_int_from(arena, c0));
    return p;
}

TEST(fractions_that_are_steep_at_the_root_are_enclosed) {
    for (int plain = 0; plain < 2; plain++)
        for (int which = 0; which < 6; which++) {
            gz_arena arena = new_arena();
            arena.integers_only = plain;
            /* a root at 1/3, or at a number of 60 bits that is no double */
            int64_t n = which == 4 ? (INT64_C(1) << 59) + 1 : 1, d = which == 4 ? INT64_C(1) << 60 : 3;
            int64_t at[1][2] = {{n, d}};
            gz_poly p = from_roots(&arena, at, 1), over = steep(&arena, 1, 1, 0, n, d, 1), under = over;
            double wanted = 0.5, width = 0x1p-40;
            switch (which) {
            case 0: over.degree = -1, wanted = 0; break;              /* 0 / under */
            case 1: under = steep(&arena, 2, 1, 600, n, d, 1); break; /* 1 / (2 + steep) */
            case 2: over = steep(&arena, 1, 1, 600, n, d, 1), under = steep(&arena, 2, 1, 0, n, d, 1); break;
            case 3: under = steep(&arena, 2, 1, 9000, n, d, 2), width = 1; break; /* steeper than is followed */
            case 4: under = steep(&arena, 2, 1, 900, n, d, 2); break;
            case 5: /* tiny: 1 / 2^1500 */
                under = steep(&arena, 1, 1, 0, n, d, 1);
                gz_poly_scale(&arena, &under, gz_int_shift_up(&arena, gz_int_from(&arena, 1), 1500), &under);
                wanted = 0;
                break;
            }
            gz_root roots[GZ_DEGREE];
            CHECK(gz_roots_isolate(&arena, &p, roots) == 1);
            double value[2];
            gz_root_fraction(&arena, &roots[0], &over, &under, value);
            CHECK_MSG(value[0] <= wanted && wanted <= value[1] && value[1] - value[0] <= width, "case %d: %g %g", which,
                      value[0], value[1]);
        }
}

int main(int argc, char **argv) {
    if (setjmp(full)) {
        puts("    FAILED: the arena is too small");
        return 1;
    }
    return RUN_TESTS(argc, argv);
}
