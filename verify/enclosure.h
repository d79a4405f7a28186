/* Functions of a time s in [-1, 1], each enclosed by a polynomial with integer coefficients and a bound on what that
   leaves out; a number is one without s. The unit of all integers is 2^-FIXED_BITS, every rounding goes into the bound.

   Why each operation encloses what it should: docs/certificates.md, "Enclosures". */
#ifndef GRAZE_VERIFY_ENCLOSURE_H
#define GRAZE_VERIFY_ENCLOSURE_H

#include <gmp.h>
#include <stdbool.h>

#define FIXED_BITS 128
#define ENCLOSURE_TERMS 6 /* up to s^5 */

typedef struct enclosure {
    int terms; /* those from here on are zero, whatever c holds */
    mpz_t c[ENCLOSURE_TERMS];
    mpz_t r; /* >= 0: no value is farther from the polynomial's */
} enclosure;

/* x * 2^-exponent in units, towards minus infinity; whether that is exact. x is finite. */
bool fixed_floor(mpz_t n, double x, int exponent);

/* Zero, with what it needs to hold numbers. */
void enclosure_init(enclosure *f);
void enclosure_clear(enclosure *f);
void enclosure_init_all(enclosure *f, int count);
void enclosure_clear_all(enclosure *f, int count);

void enclosure_copy(enclosure *f, const enclosure *a);
void enclosure_set_whole(enclosure *f, long value);
void enclosure_set_double(enclosure *f, double x, int exponent);

/* The result may be an operand of sums and of multiples, not of the others. */
void enclosure_add(enclosure *f, const enclosure *a, const enclosure *b);
void enclosure_sub(enclosure *f, const enclosure *a, const enclosure *b);
void enclosure_scale(enclosure *f, const enclosure *a, const mpz_t factor);
void enclosure_scale_long(enclosure *f, const enclosure *a, long factor);
void enclosure_divide_long(enclosure *f, const enclosure *a, unsigned long divisor);
void enclosure_shift(enclosure *f, const enclosure *a, long bits); /* times 2^bits */
void enclosure_mul(enclosure *f, const enclosure *a, const enclosure *b);
void enclosure_add_mul(enclosure *f, const enclosure *a, const enclosure *b); /* f += a*b */

/* No value is larger than `most` in size, or larger than that allows. */
void enclosure_most(mpz_t most, const enclosure *a);

/* Of numbers alone. False: the number may be zero or negative, and there is no result. */
bool enclosure_sqrt(enclosure *f, const enclosure *a);
bool enclosure_divide(enclosure *f, const enclosure *a, const enclosure *b);

/* Any enclosure whose values are at most 2^22 or so in size: beyond, time and memory grow with it. */
void enclosure_sine(enclosure *sine, enclosure *cosine, const enclosure *angle);

#endif
