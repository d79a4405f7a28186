/* Polynomials in time with integer coefficients, and times that are dyadic numbers: all that the checker computes with.
   Every double is an integer over a power of two, so nothing here is ever rounded. */
#ifndef GRAZE_VERIFY_POLYNOMIAL_H
#define GRAZE_VERIFY_POLYNOMIAL_H

#include <gmp.h>

#define POLY_TERMS 7 /* degree 6: the square of the volume polynomial */

typedef struct poly {
    int degree; /* -1: zero */
    mpz_t c[POLY_TERMS];
} poly;

/* n / 2^shift */
typedef struct dyadic {
    mpz_t n;
    mp_bitcnt_t shift;
} dyadic;

/* Products of machine words since the last poly_work_begin of this thread: what all that is below costs. */
void poly_work_begin(void);
double poly_work(void);

void dyadic_init(dyadic *t);
void dyadic_clear(dyadic *t);
void dyadic_set_double(dyadic *t, double x); /* x is finite and not negative */
void dyadic_middle(dyadic *t, const dyadic *a, const dyadic *b);

void poly_init(poly *p);
void poly_clear(poly *p);
void poly_copy(poly *p, const poly *a);
void poly_set_constant(poly *p, long value);
/* start at t = 0, end at t = 1 */
void poly_set_line(poly *p, const mpz_t start, const mpz_t end);
/* The result may be one of the operands. */
void poly_add(poly *p, const poly *a, const poly *b);
void poly_sub(poly *p, const poly *a, const poly *b);
void poly_mul(poly *p, const poly *a, const poly *b);
void poly_scale(poly *p, const poly *a, const mpz_t factor);

/* -1, 0, 1 */
int poly_sign_at(const poly *p, const dyadic *t);

/* The greatest common divisor, primitive. Not for two zeros. */
void poly_gcd(poly *p, const poly *a, const poly *b);
/* a without the roots it shares with b, and without multiple roots. Its sign is not that of a. Not for zeros. */
void poly_other_roots(poly *p, const poly *a, const poly *b);
/* a with every root once. Not for zero. */
void poly_simple_roots(poly *p, const poly *a);
/* a, whose roots are simple, without the root t where it is one. */
void poly_drop_root(poly *a, const dyadic *t);

/* Sturm's sequence of a polynomial without multiple roots: counts its roots in (a, b]. */
typedef struct sturm {
    int count;
    poly terms[POLY_TERMS];
} sturm;

void sturm_init(sturm *s, const poly *p);
void sturm_clear(sturm *s);
int sturm_count(const sturm *s, const dyadic *a, const dyadic *b);

/* True if p, not zero, has a root in (a, b]. */
int poly_has_root(const poly *p, const dyadic *a, const dyadic *b);

#endif
