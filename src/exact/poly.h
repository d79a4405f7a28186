/* Polynomials in one unknown with integer coefficients, of degree 8 at most. */
#ifndef GZ_EXACT_POLY_H
#define GZ_EXACT_POLY_H

#include "exact/bigint.h"

#define GZ_DEGREE 8

typedef struct gz_poly {
    int degree; /* −1: zero */
    gz_int c[GZ_DEGREE + 1];
} gz_poly;

/* ± a·b */
typedef struct gz_poly_product {
    const gz_poly *a, *b;
    bool negative;
} gz_poly_product;

/* A number n / 2^exponent. */
typedef struct gz_dyadic {
    gz_int n;
    size_t exponent;
} gz_dyadic;

static inline bool gz_poly_is_zero(const gz_poly *p) { return p->degree < 0; }

void gz_poly_sum_of_products(gz_arena *arena, const gz_poly_product *terms, size_t count, gz_poly *sum);
/* sum = a + sign·b */
void gz_poly_add(gz_arena *arena, const gz_poly *a, const gz_poly *b, int sign, gz_poly *sum);
void gz_poly_scale(gz_arena *arena, const gz_poly *p, gz_int factor, gz_poly *scaled);
void gz_poly_derivative(gz_arena *arena, const gz_poly *p, gz_poly *derivative);

/* 2^(exponent·degree)·p(t) */
gz_int gz_poly_value(gz_arena *arena, const gz_poly *p, gz_dyadic t);
/* Sign of p at a dyadic number. */
int gz_poly_sign(gz_arena *arena, const gz_poly *p, gz_dyadic t);
/* As gz_poly_sign, but the first `bits` bits of p and t may be enough: only values near 0 need them all. */
int gz_poly_sign_from(gz_arena *arena, const gz_poly *p, gz_dyadic t, size_t bits);
#define GZ_FEW_BITS 384 /* what gz_poly_sign tries first; fewer than that cost no less */
/* Length of the longest coefficient in bits. */
size_t gz_poly_bits(const gz_poly *p);

/* The coefficients in doubles, divided by a power of two so that the largest are about 1: to guess with. */
void gz_poly_nearly(const gz_poly *p, double c[GZ_DEGREE + 1]);

/* p from the first bits of its coefficients: an integer within 2^GZ_SHORT_ERROR_BITS of 2^(bits − gz_poly_bits(p))·p
   everywhere in [t, t + 2^-bits], which lies in [0, 1]. docs/numerics.md, section 5. */
gz_int gz_poly_short(gz_arena *arena, const gz_poly *p, gz_dyadic t, size_t bits);
#define GZ_SHORT_ERROR_BITS 7
/* The sign that such a value proves; 0 when it proves none. */
int gz_short_sign(gz_int value);

/* p over [below, above], adjacent doubles in [0, 1] or one: every value of 2^-exponent·p there is within `error` of
   `value`. In doubles; docs/numerics.md, section 5. */
typedef struct gz_rounded {
    double value, error;
    int64_t exponent;
} gz_rounded;
gz_rounded gz_poly_round(const gz_poly *p, double below);

/* Divides by the common factor of the coefficients and makes the leading one positive. */
void gz_poly_make_primitive(gz_arena *arena, gz_poly *p);
/* True when a and b have no root in common, found modulo a prime; false says nothing. Neither may be zero. */
bool gz_poly_surely_coprime(const gz_poly *a, const gz_poly *b);
/* Greatest common divisor, primitive. Neither may be zero. */
void gz_poly_gcd(gz_arena *arena, const gz_poly *a, const gz_poly *b, gz_poly *gcd);
/* p / by for a divisor of p, primitive. */
void gz_poly_divide(gz_arena *arena, const gz_poly *p, const gz_poly *by, gz_poly *quotient);
/* The polynomial with the roots of p, each once: a multiple of p / gcd(p, p'). False when that is p itself. */
bool gz_poly_square_free(gz_arena *arena, const gz_poly *p, gz_poly *free);

#endif
