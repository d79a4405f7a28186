#include "verify/polynomial.h"

#include <math.h>

/* ---- work ---- */

static _Thread_local double work; /* a thread checks one pair at a time */

void poly_work_begin(void) { work = 0; }
double poly_work(void) { return work; }

static void count_product(const mpz_t a, const mpz_t b) {
    work += (double)(mpz_size(a) + 1) * (double)(mpz_size(b) + 1);
}

/* ---- times ---- */

void dyadic_init(dyadic *t) {
    mpz_init(t->n);
    t->shift = 0;
}

void dyadic_clear(dyadic *t) { mpz_clear(t->n); }

void dyadic_set_double(dyadic *t, double x) {
    int exponent;
    double part = frexp(x, &exponent); /* x = part * 2^exponent, part has 53 bits */
    mpz_set_d(t->n, ldexp(part, 53));
    exponent -= 53;
    t->shift = 0;
    if (exponent >= 0)
        mpz_mul_2exp(t->n, t->n, (mp_bitcnt_t)exponent);
    else if (mpz_sgn(t->n) != 0) {
        mp_bitcnt_t even = mpz_scan1(t->n, 0), down = (mp_bitcnt_t)-exponent;
        if (even > down) even = down;
        mpz_fdiv_q_2exp(t->n, t->n, even);
        t->shift = down - even;
    }
}

void dyadic_middle(dyadic *t, const dyadic *a, const dyadic *b) {
    mp_bitcnt_t shift = a->shift > b->shift ? a->shift : b->shift;
    mpz_t x, y;
    mpz_inits(x, y, NULL);
    mpz_mul_2exp(x, a->n, shift - a->shift);
    mpz_mul_2exp(y, b->n, shift - b->shift);
    mpz_add(t->n, x, y);
    t->shift = shift + 1;
    mpz_clears(x, y, NULL);
}

/* ---- polynomials ---- */

void poly_init(poly *p) {
    p->degree = -1;
    for (int i = 0; i < POLY_TERMS; i++) mpz_init(p->c[i]);
}

void poly_clear(poly *p) {
    for (int i = 0; i < POLY_TERMS; i++) mpz_clear(p->c[i]);
}

/* Terms above `highest` are zero and stay unread. */
static void trim(poly *p, int highest) {
    while (highest >= 0 && mpz_sgn(p->c[highest]) == 0) highest--;
    p->degree = highest;
}

void poly_copy(poly *p, const poly *a) {
    if (p == a) return;
    for (int i = 0; i <= a->degree; i++) mpz_set(p->c[i], a->c[i]);
    p->degree = a->degree;
}

void poly_set_constant(poly *p, long value) {
    mpz_set_si(p->c[0], value);
    trim(p, 0);
}

void poly_set_line(poly *p, const mpz_t start, const mpz_t end) {
    mpz_set(p->c[0], start);
    mpz_sub(p->c[1], end, start);
    trim(p, 1);
}

static void combine(poly *p, const poly *a, const poly *b, int sign) {
    int highest = a->degree > b->degree ? a->degree : b->degree;
    for (int i = 0; i <= highest; i++) {
        if (i > b->degree)
            mpz_set(p->c[i], a->c[i]);
        else if (i > a->degree)
            sign > 0 ? mpz_set(p->c[i], b->c[i]) : mpz_neg(p->c[i], b->c[i]);
        else
            sign > 0 ? mpz_add(p->c[i], a->c[i], b->c[i]) : mpz_sub(p->c[i], a->c[i], b->c[i]);
    }
    trim(p, highest);
}

void poly_add(poly *p, const poly *a, const poly *b) { combine(p, a, b, 1); }
void poly_sub(poly *p, const poly *a, const poly *b) { combine(p, a, b, -1); }

void poly_mul(poly *p, const poly *a, const poly *b) {
    if (a->degree < 0 || b->degree < 0) {
        p->degree = -1;
        return;
    }
    poly r;
    poly_init(&r);
    r.degree = a->degree + b->degree;
    for (int i = 0; i <= a->degree; i++)
        for (int j = 0; j <= b->degree; j++) mpz_addmul(r.c[i + j], a->c[i], b->c[j]);
    for (int i = 0; i <= r.degree; i++) mpz_swap(p->c[i], r.c[i]);
    p->degree = r.degree;
    poly_clear(&r);
}

void poly_scale(poly *p, const poly *a, const mpz_t factor) {
    int highest = a->degree;
    for (int i = 0; i <= highest; i++) mpz_mul(p->c[i], a->c[i], factor);
    trim(p, highest);
}

int poly_sign_at(const poly *p, const dyadic *t) {
    if (p->degree < 0) return 0;
    mpz_t sum, term;
    mpz_init_set(sum, p->c[p->degree]);
    mpz_init(term);
    for (int i = p->degree - 1; i >= 0; i--) { /* Horner, times 2^(shift * degree) in all */
        count_product(sum, t->n);
        mpz_mul(sum, sum, t->n);
        mpz_mul_2exp(term, p->c[i], t->shift * (mp_bitcnt_t)(p->degree - i));
        mpz_add(sum, sum, term);
    }
    int sign = mpz_sgn(sum);
    mpz_clears(sum, term, NULL);
    return sign;
}

/* Divides by the greatest common divisor of the coefficients, which is positive: signs stay. */
static void make_primitive(poly *p) {
    if (p->degree < 0) return;
    mpz_t g;
    mpz_init(g);
    for (int i = 0; i <= p->degree; i++) {
        count_product(g, p->c[i]);
        mpz_gcd(g, g, p->c[i]);
    }
    if (mpz_cmp_ui(g, 1) > 0)
        for (int i = 0; i <= p->degree; i++) mpz_divexact(p->c[i], p->c[i], g);
    mpz_clear(g);
}

/* a := a positive multiple of the remainder of a by b, primitive; quotient, where asked for, is a multiple of the
   quotient, primitive, and exact only where the remainder is zero. */
static void reduce(poly *a, const poly *b, poly *quotient) {
    mpz_t lead, factor;
    mpz_inits(lead, factor, NULL);
    mpz_abs(lead, b->c[b->degree]);
    if (quotient) {
        for (int i = 0; i < POLY_TERMS; i++) mpz_set_ui(quotient->c[i], 0);
        quotient->degree = a->degree - b->degree;
    }
    while (a->degree >= b->degree) {
        int shift = a->degree - b->degree, highest = a->degree;
        /* |lead| * a - factor * b * t^shift, which has no leading term */
        mpz_set(factor, a->c[highest]);
        if (mpz_sgn(b->c[b->degree]) < 0) mpz_neg(factor, factor);
        for (int i = 0; i <= highest; i++) count_product(a->c[i], lead);
        for (int i = 0; i <= highest; i++) mpz_mul(a->c[i], a->c[i], lead);
        for (int i = 0; i <= b->degree; i++) count_product(factor, b->c[i]);
        for (int i = 0; i <= b->degree; i++) mpz_submul(a->c[i + shift], factor, b->c[i]);
        if (quotient) {
            for (int i = 0; i <= quotient->degree; i++) mpz_mul(quotient->c[i], quotient->c[i], lead);
            mpz_add(quotient->c[shift], quotient->c[shift], factor);
        }
        trim(a, highest - 1);
    }
    make_primitive(a);
    if (quotient) {
        trim(quotient, quotient->degree);
        make_primitive(quotient);
    }
    mpz_clears(lead, factor, NULL);
}

void poly_gcd(poly *p, const poly *a, const poly *b) {
    poly x, y;
    poly_init(&x);
    poly_init(&y);
    poly_copy(&x, a);
    poly_copy(&y, b);
    make_primitive(&x);
    make_primitive(&y);
    while (y.degree >= 0) {
        reduce(&x, &y, NULL);
        poly swap = x;
        x = y;
        y = swap;
    }
    poly_copy(p, &x);
    poly_clear(&x);
    poly_clear(&y);
}

/* a / b for a divisor b, primitive */
static void divide(poly *p, const poly *a, const poly *b) {
    poly rest, quotient;
    poly_init(&rest);
    poly_init(&quotient);
    poly_copy(&rest, a);
    reduce(&rest, b, &quotient);
    poly_copy(p, &quotient);
    poly_clear(&rest);
    poly_clear(&quotient);
}

static void derivative(poly *p, const poly *a) {
    for (int i = 1; i <= a->degree; i++) mpz_mul_si(p->c[i - 1], a->c[i], i);
    p->degree = a->degree < 1 ? -1 : a->degree - 1;
}

void poly_simple_roots(poly *p, const poly *a) {
    poly slope, common;
    poly_init(&slope);
    poly_init(&common);
    derivative(&slope, a);
    poly_gcd(&common, a, &slope);
    divide(p, a, &common);
    poly_clear(&slope);
    poly_clear(&common);
}

void poly_other_roots(poly *p, const poly *a, const poly *b) {
    poly simple, common;
    poly_init(&simple);
    poly_init(&common);
    poly_simple_roots(&simple, a);
    poly_gcd(&common, &simple, b);
    divide(p, &simple, &common);
    poly_clear(&simple);
    poly_clear(&common);
}

void poly_drop_root(poly *a, const dyadic *t) {
    if (poly_sign_at(a, t) != 0) return;
    poly factor; /* 2^shift t - n */
    poly_init(&factor);
    mpz_neg(factor.c[0], t->n);
    mpz_set_ui(factor.c[1], 1);
    mpz_mul_2exp(factor.c[1], factor.c[1], t->shift);
    factor.degree = 1;
    divide(a, a, &factor);
    poly_clear(&factor);
}

/* ---- roots ---- */

void sturm_init(sturm *s, const poly *p) {
    for (int i = 0; i < POLY_TERMS; i++) poly_init(&s->terms[i]);
    poly_copy(&s->terms[0], p);
    make_primitive(&s->terms[0]);
    s->count = 1;
    if (p->degree < 1) return;
    derivative(&s->terms[1], p);
    make_primitive(&s->terms[1]);
    s->count = 2;
    while (s->terms[s->count - 1].degree > 0) {
        poly *next = &s->terms[s->count];
        poly_copy(next, &s->terms[s->count - 2]);
        reduce(next, &s->terms[s->count - 1], NULL);
        for (int i = 0; i <= next->degree; i++) mpz_neg(next->c[i], next->c[i]);
        if (next->degree < 0) break;
        s->count++;
    }
}

void sturm_clear(sturm *s) {
    for (int i = 0; i < POLY_TERMS; i++) poly_clear(&s->terms[i]);
}

static int sign_changes(const sturm *s, const dyadic *t) {
    int changes = 0, last = 0;
    for (int i = 0; i < s->count; i++) {
        int sign = poly_sign_at(&s->terms[i], t);
        if (sign && last && sign != last) changes++;
        if (sign) last = sign;
    }
    return changes;
}

int sturm_count(const sturm *s, const dyadic *a, const dyadic *b) { return sign_changes(s, a) - sign_changes(s, b); }

int poly_has_root(const poly *p, const dyadic *a, const dyadic *b) {
    poly simple;
    sturm roots;
    poly_init(&simple);
    poly_simple_roots(&simple, p);
    sturm_init(&roots, &simple);
    int count = sturm_count(&roots, a, b);
    sturm_clear(&roots);
    poly_clear(&simple);
    return count > 0;
}
