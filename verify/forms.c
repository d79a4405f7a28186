#include "verify/forms.h"

void form_init(form *f) {
    f->terms = 0;
    for (int k = 0; k < FORM_TERMS; k++) mpz_init(f->c[k]);
    mpz_init(f->r);
}

void form_clear(form *f) {
    for (int k = 0; k < FORM_TERMS; k++) mpz_clear(f->c[k]);
    mpz_clear(f->r);
}

void form_set_whole(form *f, long value) {
    f->terms = 1;
    mpz_set_si(f->c[0], value);
    mpz_mul_2exp(f->c[0], f->c[0], FIXED_BITS);
    mpz_set_ui(f->r, 0);
}

void form_set_number(form *f, const enclosure *number) {
    form_set_whole(f, 0);
    if (number->terms) mpz_set(f->c[0], number->c[0]);
    mpz_set(f->r, number->r);
}

/* Coefficients up to that of a variable. */
static void reach(form *f, int variable) {
    for (; f->terms <= variable; f->terms++) mpz_set_ui(f->c[f->terms], 0);
}

void form_set_value(form *f, const enclosure *middle, const enclosure *half, int variable) {
    form_set_number(f, middle);
    reach(f, variable);
    if (half->terms) mpz_set(f->c[variable], half->c[0]);
    mpz_add(f->r, f->r, half->r);
}

/* ---- sums and products ---- */

void form_add(form *f, const form *a, const form *b) {
    int terms = a->terms > b->terms ? a->terms : b->terms;
    for (int k = 0; k < terms; k++) {
        if (k >= b->terms)
            mpz_set(f->c[k], a->c[k]);
        else if (k >= a->terms)
            mpz_set(f->c[k], b->c[k]);
        else
            mpz_add(f->c[k], a->c[k], b->c[k]);
    }
    f->terms = terms;
    mpz_add(f->r, a->r, b->r);
}

void form_scale(form *f, const form *a, const mpz_t factor) {
    f->terms = a->terms;
    for (int k = 0; k < a->terms; k++) mpz_mul(f->c[k], a->c[k], factor);
    mpz_mul(f->r, a->r, factor);
    mpz_abs(f->r, f->r);
}

/* |c1| + |c2| + … */
static void size_of_varying(mpz_t size, const form *a) {
    mpz_set_ui(size, 0);
    for (int k = 1; k < a->terms; k++) (mpz_sgn(a->c[k]) < 0 ? mpz_sub : mpz_add)(size, size, a->c[k]);
}

void form_spread(mpz_t spread, const form *a) {
    size_of_varying(spread, a);
    mpz_add(spread, spread, a->r);
}

void form_most(mpz_t most, const form *a) {
    form_spread(most, a);
    if (a->terms) (mpz_sgn(a->c[0]) < 0 ? mpz_sub : mpz_add)(most, most, a->c[0]);
}

/* Products of two ξ, |a|·rb + |b|·ra + ra·rb, in units of 2^(-2 FIXED_BITS). */
static void product_rest(mpz_t rest, const form *a, const form *b) {
    mpz_t one, other;
    mpz_inits(one, other, NULL);
    size_of_varying(one, a);
    size_of_varying(other, b);
    mpz_mul(rest, one, other);
    form_most(one, a);
    mpz_addmul(rest, one, b->r);
    form_most(other, b);
    mpz_sub(other, other, b->r);
    mpz_addmul(rest, other, a->r);
    mpz_clears(one, other, NULL);
}

void form_mul(form *f, const form *a, const form *b) {
    int terms = a->terms > b->terms ? a->terms : b->terms;
    f->terms = a->terms && b->terms ? terms : 0;
    product_rest(f->r, a, b);
    mpz_cdiv_q_2exp(f->r, f->r, FIXED_BITS);
    for (int k = 0; k < f->terms; k++) {
        mpz_set_ui(f->c[k], 0);
        if (k < a->terms) mpz_mul(f->c[k], a->c[k], b->c[0]);
        if (k > 0 && k < b->terms) mpz_addmul(f->c[k], a->c[0], b->c[k]);
        if (!mpz_divisible_2exp_p(f->c[k], FIXED_BITS)) mpz_add_ui(f->r, f->r, 1);
        mpz_fdiv_q_2exp(f->c[k], f->c[k], FIXED_BITS);
    }
}

void form_add_mul(form *f, const form *a, const form *b) {
    form product;
    form_init(&product);
    form_mul(&product, a, b);
    form_add(f, f, &product);
    form_clear(&product);
}

/* ---- sine and cosine ---- */

/* 0 ± 1 */
static void set_anything(form *f) {
    f->terms = 0;
    mpz_set_ui(f->r, 1);
    mpz_mul_2exp(f->r, f->r, FIXED_BITS);
}

/* No more than half a circle: 31415/10000. */
static bool is_within_half_circle(const mpz_t most) {
    mpz_t limit;
    mpz_init_set_ui(limit, 31415);
    mpz_mul_2exp(limit, limit, FIXED_BITS);
    mpz_tdiv_q_ui(limit, limit, 10000);
    bool within = mpz_cmp(most, limit) < 0;
    mpz_clear(limit);
    return within;
}

/* cos(hξ) is from cos h to 1. */
static void set_near_cosine(form *f, const enclosure *cosine) {
    mpz_t one, low;
    mpz_init_set_ui(one, 1);
    mpz_init(low);
    mpz_mul_2exp(one, one, FIXED_BITS);
    mpz_sub(low, cosine->c[0], cosine->r);
    form_set_whole(f, 0);
    mpz_add(f->c[0], one, low);
    mpz_fdiv_q_2exp(f->c[0], f->c[0], 1);
    mpz_sub(f->r, one, low);
    mpz_cdiv_q_2exp(f->r, f->r, 1);
    mpz_add_ui(f->r, f->r, 1);
    mpz_clears(one, low, NULL);
}

/* sin(hξ) is within h³/(9√3) of ξ sin h: 0.06416 h³. */
static void set_near_sine(form *f, const enclosure *sine, const mpz_t most, int variable) {
    mpz_t rest;
    mpz_init(rest);
    form_set_whole(f, 0);
    reach(f, variable);
    mpz_set(f->c[variable], sine->c[0]);
    mpz_pow_ui(rest, most, 3);
    mpz_mul_ui(rest, rest, 6416);
    mpz_cdiv_q_ui(rest, rest, 100000);
    mpz_cdiv_q_2exp(rest, rest, 2 * FIXED_BITS);
    mpz_add(f->r, sine->r, rest);
    mpz_clear(rest);
}

void form_turn(form *sine, form *cosine, const enclosure *half, int variable) {
    enclosure end[2];
    mpz_t most;
    mpz_init(most);
    enclosure_most(most, half);
    if (!is_within_half_circle(most)) {
        set_anything(sine);
        set_anything(cosine);
        mpz_clear(most);
        return;
    }
    enclosure_init_all(end, 2);
    enclosure_sine(&end[0], &end[1], half);
    set_near_sine(sine, &end[0], most, variable);
    set_near_cosine(cosine, &end[1]);
    enclosure_clear_all(end, 2);
    mpz_clear(most);
}

/* ---- frames ---- */

void form_frame_init(form_frame *f) {
    for (int i = 0; i < 12; i++) form_init(&f->m[i / 4][i % 4]);
}

void form_frame_clear(form_frame *f) {
    for (int i = 0; i < 12; i++) form_clear(&f->m[i / 4][i % 4]);
}

void form_frame_identity(form_frame *f) {
    for (int i = 0; i < 12; i++) form_set_whole(&f->m[i / 4][i % 4], i / 4 == i % 4);
}

void form_frame_compose(form_frame *f, const form_frame *a, const form_frame *b) {
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++) {
            form_mul(&f->m[i][j], &a->m[i][0], &b->m[0][j]);
            for (int k = 1; k < 3; k++) form_add_mul(&f->m[i][j], &a->m[i][k], &b->m[k][j]);
            if (j == 3) form_add(&f->m[i][j], &f->m[i][j], &a->m[i][3]);
        }
}
