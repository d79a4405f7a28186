#include "verify/enclosure.h"

#include <math.h>

void enclosure_init(enclosure *f) {
    f->terms = 0;
    for (int k = 0; k < ENCLOSURE_TERMS; k++) mpz_init(f->c[k]);
    mpz_init(f->r);
}

void enclosure_clear(enclosure *f) {
    for (int k = 0; k < ENCLOSURE_TERMS; k++) mpz_clear(f->c[k]);
    mpz_clear(f->r);
}

void enclosure_init_all(enclosure *f, int count) {
    for (int i = 0; i < count; i++) enclosure_init(&f[i]);
}

void enclosure_clear_all(enclosure *f, int count) {
    for (int i = 0; i < count; i++) enclosure_clear(&f[i]);
}

void enclosure_copy(enclosure *f, const enclosure *a) {
    f->terms = a->terms;
    for (int k = 0; k < a->terms; k++) mpz_set(f->c[k], a->c[k]);
    mpz_set(f->r, a->r);
}

static void set_number(enclosure *f) {
    f->terms = 1;
    mpz_set_ui(f->r, 0);
}

void enclosure_set_whole(enclosure *f, long value) {
    set_number(f);
    mpz_set_si(f->c[0], value);
    mpz_mul_2exp(f->c[0], f->c[0], FIXED_BITS);
}

/* x / 2^bits towards minus infinity; 1 into the bound where something is lost. */
static void shift_down(mpz_t x, mp_bitcnt_t bits, mpz_t r) {
    if (!mpz_divisible_2exp_p(x, bits)) mpz_add_ui(r, r, 1);
    mpz_fdiv_q_2exp(x, x, bits);
}

bool fixed_floor(mpz_t n, double x, int exponent) {
    int power;
    mpz_set_d(n, ldexp(frexp(x, &power), 53)); /* exact */
    long shift = (long)power - 53 - exponent + FIXED_BITS;
    if (shift >= 0) {
        mpz_mul_2exp(n, n, (mp_bitcnt_t)shift);
        return true;
    }
    bool exact = mpz_divisible_2exp_p(n, (mp_bitcnt_t)-shift);
    mpz_fdiv_q_2exp(n, n, (mp_bitcnt_t)-shift);
    return exact;
}

void enclosure_set_double(enclosure *f, double x, int exponent) {
    set_number(f);
    if (!fixed_floor(f->c[0], x, exponent)) mpz_set_ui(f->r, 1);
}

/* ---- sums and multiples ---- */

static void combine(enclosure *f, const enclosure *a, const enclosure *b, bool minus) {
    int terms = a->terms > b->terms ? a->terms : b->terms;
    for (int k = 0; k < terms; k++) {
        if (k >= b->terms)
            mpz_set(f->c[k], a->c[k]);
        else if (k >= a->terms && minus)
            mpz_neg(f->c[k], b->c[k]);
        else if (k >= a->terms)
            mpz_set(f->c[k], b->c[k]);
        else
            (minus ? mpz_sub : mpz_add)(f->c[k], a->c[k], b->c[k]);
    }
    f->terms = terms;
    mpz_add(f->r, a->r, b->r);
}

void enclosure_add(enclosure *f, const enclosure *a, const enclosure *b) { combine(f, a, b, false); }
void enclosure_sub(enclosure *f, const enclosure *a, const enclosure *b) { combine(f, a, b, true); }

void enclosure_scale(enclosure *f, const enclosure *a, const mpz_t factor) {
    f->terms = a->terms;
    for (int k = 0; k < a->terms; k++) mpz_mul(f->c[k], a->c[k], factor);
    mpz_mul(f->r, a->r, factor);
    mpz_abs(f->r, f->r);
}

void enclosure_scale_long(enclosure *f, const enclosure *a, long factor) {
    mpz_t whole;
    mpz_init_set_si(whole, factor);
    enclosure_scale(f, a, whole);
    mpz_clear(whole);
}

void enclosure_divide_long(enclosure *f, const enclosure *a, unsigned long divisor) {
    f->terms = a->terms;
    mpz_cdiv_q_ui(f->r, a->r, divisor);
    for (int k = 0; k < a->terms; k++) {
        if (!mpz_divisible_ui_p(a->c[k], divisor)) mpz_add_ui(f->r, f->r, 1);
        mpz_fdiv_q_ui(f->c[k], a->c[k], divisor);
    }
}

void enclosure_shift(enclosure *f, const enclosure *a, long bits) {
    if (f != a) enclosure_copy(f, a);
    if (bits >= 0) {
        mpz_mul_2exp(f->r, f->r, (mp_bitcnt_t)bits);
        for (int k = 0; k < f->terms; k++) mpz_mul_2exp(f->c[k], f->c[k], (mp_bitcnt_t)bits);
        return;
    }
    mpz_cdiv_q_2exp(f->r, f->r, (mp_bitcnt_t)-bits);
    for (int k = 0; k < f->terms; k++) shift_down(f->c[k], (mp_bitcnt_t)-bits, f->r);
}

/* ---- products ---- */

/* |c0| + |c1| + … */
static void size_of(mpz_t size, const enclosure *a) {
    mpz_set_ui(size, 0);
    for (int k = 0; k < a->terms; k++) {
        if (mpz_sgn(a->c[k]) < 0)
            mpz_sub(size, size, a->c[k]);
        else
            mpz_add(size, size, a->c[k]);
    }
}

void enclosure_most(mpz_t most, const enclosure *a) {
    size_of(most, a);
    mpz_add(most, most, a->r);
}

/* Coefficient k of the product of two polynomials, unit 2^(-2 FIXED_BITS). */
static void product_term(mpz_t sum, const enclosure *a, const enclosure *b, int k) {
    mpz_set_ui(sum, 0);
    for (int i = k < b->terms ? 0 : k - b->terms + 1; i < a->terms && i <= k; i++)
        mpz_addmul(sum, a->c[i], b->c[k - i]);
}

/* |a|·rb + |b|·ra + ra·rb and all that is beyond s^5, in the same unit. */
static void product_rest(mpz_t rest, const enclosure *a, const enclosure *b) {
    mpz_t size, term;
    mpz_inits(size, term, NULL);
    enclosure_most(size, a);
    mpz_mul(rest, size, b->r);
    size_of(size, b);
    mpz_addmul(rest, size, a->r);
    for (int k = ENCLOSURE_TERMS; k < a->terms + b->terms - 1; k++) {
        product_term(term, a, b, k);
        mpz_abs(term, term);
        mpz_add(rest, rest, term);
    }
    mpz_clears(size, term, NULL);
}

void enclosure_mul(enclosure *f, const enclosure *a, const enclosure *b) {
    int terms = a->terms && b->terms ? a->terms + b->terms - 1 : 0;
    f->terms = terms < ENCLOSURE_TERMS ? terms : ENCLOSURE_TERMS;
    product_rest(f->r, a, b);
    mpz_cdiv_q_2exp(f->r, f->r, FIXED_BITS);
    for (int k = 0; k < f->terms; k++) {
        product_term(f->c[k], a, b, k);
        shift_down(f->c[k], FIXED_BITS, f->r);
    }
    while (f->terms > 1 && mpz_sgn(f->c[f->terms - 1]) == 0) f->terms--;
}

void enclosure_add_mul(enclosure *f, const enclosure *a, const enclosure *b) {
    enclosure product;
    enclosure_init(&product);
    enclosure_mul(&product, a, b);
    enclosure_add(f, f, &product);
    enclosure_clear(&product);
}

/* ---- roots and quotients of numbers ---- */

/* The least value of a number; true when it is positive. */
static bool least(mpz_t low, const enclosure *a) {
    if (a->terms == 0) return false;
    mpz_sub(low, a->c[0], a->r);
    return mpz_sgn(low) > 0;
}

bool enclosure_sqrt(enclosure *f, const enclosure *a) {
    mpz_t low, high;
    mpz_inits(low, high, NULL);
    bool positive = least(low, a);
    if (positive) {
        mpz_add(high, a->c[0], a->r);
        mpz_mul_2exp(low, low, FIXED_BITS);
        mpz_mul_2exp(high, high, FIXED_BITS);
        mpz_sqrt(low, low);
        mpz_sqrt(high, high);
        mpz_sub(f->r, high, low);
        mpz_add_ui(f->r, f->r, 1);
        mpz_set(f->c[0], low);
        f->terms = 1;
    }
    mpz_clears(low, high, NULL);
    return positive;
}

bool enclosure_divide(enclosure *f, const enclosure *a, const enclosure *b) {
    mpz_t low, error;
    mpz_inits(low, error, NULL);
    bool positive = least(low, b);
    if (positive) {
        f->terms = 1;
        if (a->terms == 0)
            mpz_set_ui(f->c[0], 0);
        else
            mpz_mul_2exp(f->c[0], a->c[0], FIXED_BITS);
        mpz_fdiv_q(f->c[0], f->c[0], b->c[0]);
        mpz_abs(error, f->c[0]); /* the exact quotient of the middles is no larger than this and 1 */
        mpz_add_ui(error, error, 1);
        mpz_mul(error, error, b->r);
        mpz_mul_2exp(f->r, a->r, FIXED_BITS);
        mpz_add(f->r, f->r, error);
        mpz_cdiv_q(f->r, f->r, low);
        mpz_add_ui(f->r, f->r, 1);
    }
    mpz_clears(low, error, NULL);
    return positive;
}

/* ---- sine and cosine ---- */

#define GUARD_BITS 96 /* more of them while the angle is halved and doubled again */

/* Sums x - x^3/3! + … (or 1 - x^2/2! + …) in units of 2^-bits, |x| <= 1/16, until terms vanish: fewer than 64 terms,
   each off by less than 2, and what is left out is less than 2. */
static void series(mpz_t sum, const mpz_t x, mp_bitcnt_t bits, bool odd) {
    mpz_t term;
    mpz_init(term);
    if (odd) {
        mpz_set(term, x);
    } else {
        mpz_set_ui(term, 1);
        mpz_mul_2exp(term, term, bits);
    }
    mpz_set_ui(sum, 0);
    for (unsigned long k = odd ? 2 : 1; mpz_sgn(term) != 0; k += 2) {
        mpz_add(sum, sum, term);
        for (unsigned long i = k; i < k + 2; i++) {
            mpz_mul(term, term, x);
            mpz_tdiv_q_2exp(term, term, bits);
            mpz_tdiv_q_ui(term, term, i);
        }
        mpz_neg(term, term);
    }
    mpz_clear(term);
}

/* sin 2x = 2 sin x cos x and cos 2x = 1 - 2 sin² x; the error, in units, becomes 4 times as large, and 4. */
static void double_angle(mpz_t sine, mpz_t cosine, mpz_t error, mp_bitcnt_t bits) {
    mpz_mul(cosine, cosine, sine);
    mpz_mul(sine, sine, sine);
    mpz_fdiv_q_2exp(cosine, cosine, bits - 1);
    mpz_fdiv_q_2exp(sine, sine, bits - 1);
    mpz_swap(sine, cosine);
    mpz_ui_sub(cosine, 0, cosine);
    mpz_t one;
    mpz_init_set_ui(one, 1);
    mpz_mul_2exp(one, one, bits);
    mpz_add(cosine, cosine, one);
    mpz_clear(one);
    mpz_mul_ui(error, error, 4);
    mpz_add_ui(error, error, 4);
}

/* Sine and cosine of the number x, without its bound. */
static void sine_of_middle(enclosure *sine, enclosure *cosine, const mpz_t x) {
    mp_bitcnt_t bits = FIXED_BITS + GUARD_BITS;
    size_t size = mpz_sizeinbase(x, 2);
    unsigned long halvings = size + 4 > FIXED_BITS ? size + 4 - FIXED_BITS : 0;
    mpz_t small, error;
    mpz_init(small);
    mpz_init_set_ui(error, 256);
    mpz_mul_2exp(small, x, GUARD_BITS);
    if (!mpz_divisible_2exp_p(small, halvings)) mpz_add_ui(error, error, 1);
    mpz_fdiv_q_2exp(small, small, halvings);
    series(sine->c[0], small, bits, true);
    series(cosine->c[0], small, bits, false);
    for (unsigned long i = 0; i < halvings; i++) double_angle(sine->c[0], cosine->c[0], error, bits);
    enclosure *both[2] = {sine, cosine};
    for (int i = 0; i < 2; i++) {
        both[i]->terms = 1;
        mpz_cdiv_q_2exp(both[i]->r, error, GUARD_BITS);
        shift_down(both[i]->c[0], GUARD_BITS, both[i]->r);
    }
    mpz_clears(small, error, NULL);
}

/* 0 ± 1 */
static void set_anything(enclosure *f) {
    f->terms = 0;
    mpz_set_ui(f->r, 1);
    mpz_mul_2exp(f->r, f->r, FIXED_BITS);
}

/* Adds ± most^power / divisor to the bound. */
static void add_remainder(enclosure *f, const mpz_t most, unsigned long power, unsigned long divisor) {
    mpz_t rest, unit;
    mpz_inits(rest, unit, NULL);
    mpz_pow_ui(rest, most, power);
    mpz_set_ui(unit, divisor);
    mpz_mul_2exp(unit, unit, FIXED_BITS * (power - 1));
    mpz_cdiv_q(rest, rest, unit);
    mpz_add(f->r, f->r, rest);
    mpz_clears(rest, unit, NULL);
}

/* u - u³/6 + u⁵/120 and 1 - u²/2 + u⁴/24: the next terms are |u|^7/5040 and |u|^6/720 at most. */
static void sine_near_zero(enclosure *sine, enclosure *cosine, const enclosure *u, const mpz_t most) {
    enclosure square, power, term;
    enclosure *all[3] = {&square, &power, &term};
    for (int i = 0; i < 3; i++) enclosure_init(all[i]);
    enclosure_mul(&square, u, u);
    enclosure_set_whole(cosine, 1);
    enclosure_divide_long(&term, &square, 2);
    enclosure_sub(cosine, cosine, &term);
    enclosure_mul(&power, &square, u);
    enclosure_divide_long(&term, &power, 6);
    enclosure_sub(sine, u, &term);
    enclosure_mul(&term, &square, &square);
    enclosure_divide_long(&term, &term, 24);
    enclosure_add(cosine, cosine, &term);
    enclosure_mul(&term, &power, &square);
    enclosure_divide_long(&term, &term, 120);
    enclosure_add(sine, sine, &term);
    add_remainder(sine, most, 7, 5040);
    add_remainder(cosine, most, 6, 720);
    for (int i = 0; i < 3; i++) enclosure_clear(all[i]);
}

/* sin(m + u) = sin m cos u + cos m sin u, cos(m + u) = cos m cos u - sin m sin u, where m is the middle. */
static void sine_of_sum(enclosure *sine, enclosure *cosine, const mpz_t m, const enclosure *u, const mpz_t most) {
    enclosure at[2], near[2], product;
    enclosure_init_all(at, 2);
    enclosure_init_all(near, 2);
    enclosure_init(&product);
    sine_of_middle(&at[0], &at[1], m);
    sine_near_zero(&near[0], &near[1], u, most);
    enclosure_mul(sine, &at[0], &near[1]);
    enclosure_add_mul(sine, &at[1], &near[0]);
    enclosure_mul(cosine, &at[1], &near[1]);
    enclosure_mul(&product, &at[0], &near[0]);
    enclosure_sub(cosine, cosine, &product);
    enclosure_clear_all(at, 2);
    enclosure_clear_all(near, 2);
    enclosure_clear(&product);
}

void enclosure_sine(enclosure *sine, enclosure *cosine, const enclosure *angle) {
    enclosure u;
    mpz_t middle, most;
    enclosure_init(&u);
    mpz_inits(middle, most, NULL);
    enclosure_copy(&u, angle);
    if (u.terms) mpz_swap(middle, u.c[0]); /* leaves zero */
    enclosure_most(most, &u);
    if (mpz_sizeinbase(most, 2) > FIXED_BITS + 2) { /* turns of four and more say nothing */
        set_anything(sine);
        set_anything(cosine);
    } else {
        sine_of_sum(sine, cosine, middle, &u, most);
    }
    mpz_clears(middle, most, NULL);
    enclosure_clear(&u);
}
