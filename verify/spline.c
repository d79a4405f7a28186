#include "verify/spline.h"

#include <math.h>

double spline_begin(const spline *s) { return s->knots[s->degree]; }
double spline_end(const spline *s) { return s->knots[s->count]; }

const char *spline_fault(const spline *s) {
    size_t degree = (size_t)s->degree, last = s->count + degree, same = 1;
    if (s->count <= degree) return "a spline of no more control points than its degree";
    if (!(spline_begin(s) < spline_end(s))) return "a spline that ends when it begins";
    for (size_t i = 1; i <= last; i++) {
        if (s->knots[i] < s->knots[i - 1]) return "knots must not decrease";
        same = s->knots[i] == s->knots[i - 1] ? same + 1 : 1;
        bool inside = s->knots[i] > spline_begin(s) && s->knots[i] < spline_end(s);
        if (inside && same > degree) return "a spline that leaps";
    }
    return NULL;
}

size_t spline_first_point(const spline *s, double begin) {
    size_t low = (size_t)s->degree, high = s->count; /* knots[low] <= begin < knots[high] */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        *(s->knots[middle] <= begin ? &low : &high) = middle;
    }
    return low - (size_t)s->degree;
}

/* A double as a whole number of 2^-1074. */
static void set_exact(mpz_t n, double x) { fixed_floor(n, x, FIXED_BITS - 1074); }

/* (u - from)/(to - from), which is in [0, 1]. */
static void set_part(enclosure *part, double u, double from, double to) {
    mpz_t below, whole, start, rest;
    mpz_inits(below, whole, start, rest, NULL);
    set_exact(start, from);
    set_exact(below, u);
    set_exact(whole, to);
    mpz_sub(below, below, start);
    mpz_sub(whole, whole, start);
    mpz_mul_2exp(below, below, FIXED_BITS);
    enclosure_set_whole(part, 0);
    mpz_fdiv_qr(part->c[0], rest, below, whole);
    if (mpz_sgn(rest)) mpz_set_ui(part->r, 1);
    mpz_clears(below, whole, start, rest, NULL);
}

/* a + part·(b - a), into b */
static void mix(enclosure *b, const enclosure *a, const enclosure *part, enclosure *spare) {
    enclosure_sub(&spare[0], b, a);
    enclosure_mul(&spare[1], part, &spare[0]);
    enclosure_add(b, a, &spare[1]);
}

/* The Bézier value whose blossom has `begins` arguments at the begin and the others at the end. */
static void blossom(enclosure d[SPLINE_TERMS], const spline *s, size_t value, size_t first, int begins, double begin,
                    double end, int exponent) {
    enclosure part, spare[2];
    enclosure_init(&part);
    enclosure_init_all(spare, 2);
    for (int i = 0; i <= s->degree; i++)
        enclosure_set_double(&d[i], s->control[(first + (size_t)i) * s->values + value], exponent);
    for (int level = 1; level <= s->degree; level++)
        for (int j = s->degree; j >= level; j--) {
            const double *knot = s->knots + first + j;
            set_part(&part, level <= begins ? begin : end, knot[0], knot[s->degree + 1 - level]);
            mix(&d[j], &d[j - 1], &part, spare);
        }
    enclosure_clear(&part);
    enclosure_clear_all(spare, 2);
}

/* Bézier values become powers: differences of differences, times how many ways there are to choose. */
static void to_powers(enclosure c[SPLINE_TERMS], int degree) {
    long choose = 1;
    for (int k = 1; k <= degree; k++)
        for (int i = degree; i >= k; i--) enclosure_sub(&c[i], &c[i], &c[i - 1]);
    for (int k = 0; k <= degree; k++) {
        enclosure_scale_long(&c[k], &c[k], choose);
        choose = choose * (degree - k) / (k + 1);
    }
}

void spline_piece(enclosure c[SPLINE_TERMS], const spline *s, size_t value, double begin, double end, int exponent) {
    enclosure d[SPLINE_TERMS];
    size_t first = spline_first_point(s, begin);
    enclosure_init_all(d, SPLINE_TERMS);
    for (int k = 0; k < SPLINE_TERMS; k++) enclosure_set_whole(&c[k], 0);
    for (int k = 0; k <= s->degree; k++) {
        blossom(d, s, value, first, s->degree - k, begin, end, exponent);
        enclosure_copy(&c[k], &d[s->degree]);
    }
    to_powers(c, s->degree);
    enclosure_clear_all(d, SPLINE_TERMS);
}
