/* Real roots of integer polynomials in [0, 1]: isolated, compared, narrowed, and other polynomials' signs at them. */
#ifndef GZ_EXACT_ROOTS_H
#define GZ_EXACT_ROOTS_H

#include "exact/poly.h"

/* A number in [0, 1]: either `low` itself, or the only root of p in (low, high), a simple one, and neither end a root.
 */
typedef struct gz_root {
    const gz_poly *of; /* the polynomial that was asked about; NULL for a number that came from nowhere */
    gz_poly p;         /* a divisor of it */
    gz_dyadic low, high;
    bool exact;
    bool bracketed; /* below and above are known */
    gz_poly local;  /* p over (start, start + 2^doublings) / 2^depth as over (0, 1), which holds the interval */
    gz_int start;
    size_t depth, doublings;
    int before;          /* sign of p between low and the root */
    size_t parts;        /* 2^parts: into how many the interval is cut next */
    size_t lost;         /* bits that cancel in `local` there, more than the interval's length explains */
    double below, above; /* adjacent doubles around the root, equal when it is one */
} gz_root;

/* A double in [0, 1] as a root of nothing. */
gz_root gz_root_from(gz_arena *arena, double t);

/* The roots of p, not zero, in (0, 1], ascending; returns how many. p must outlive them. */
int gz_roots_isolate(gz_arena *arena, const gz_poly *p, gz_root roots[GZ_DEGREE]);

/* −1, 0 or 1 as t in [0, 1] is before, at or after the root. Narrows it. */
int gz_root_side(gz_arena *arena, gz_root *root, double t);
/* −1, 0 or 1 as a is before, at or after b. */
int gz_root_compare(gz_arena *arena, gz_root *a, gz_root *b);
/* Finds `below` and `above`. */
void gz_root_bracket(gz_arena *arena, gz_root *root);
/* Cuts (low, high) down to 2^-bits or less. */
void gz_root_narrow(gz_arena *arena, gz_root *root, size_t bits);

/* A number strictly between two roots, the first before the second. Narrows them. */
gz_root gz_root_between(gz_arena *arena, gz_root *first, gz_root *second);

/* Sign of q at the root. */
int gz_root_sign(gz_arena *arena, gz_root *root, const gz_poly *q);

/* The primitive square-free polynomial, leading coefficient positive, that the root was found as a root of. */
void gz_root_polynomial(gz_arena *arena, const gz_root *root, gz_poly *p);

/* Doubles around over / under at the root, where that lies in [0, 1] and `under` is positive; 2^-44 apart or
   less, unless the fraction is ill-conditioned in the root. */
void gz_root_fraction(gz_arena *arena, gz_root *root, const gz_poly *over, const gz_poly *under, double value[2]);

/* Doubles around scale·a / b, which lies in [0, 1], for a within `a_error` of a and so on; scale is a power of two from
   2^-500 to 2^500. False when that leaves them 2^-40 apart or more. */
bool gz_enclose_quotient(double a, double a_error, double b, double b_error, double scale, double value[2]);

/* Doubles around 2^exponent·a / b, where that lies in [0, 1], for every a from above[0] to above[1] and b > 0 from
   below[0] to below[1]. */
void gz_enclose_integers(const gz_int above[2], const gz_int below[2], int64_t exponent, double value[2]);

#endif
