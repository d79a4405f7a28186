/* B-splines of joint values over seconds: each piece between knots as a polynomial of its own time in [0, 1]. */
#ifndef GRAZE_VERIFY_SPLINE_H
#define GRAZE_VERIFY_SPLINE_H

#include "verify/enclosure.h"

#include <stddef.h>

#define SPLINE_TERMS 8 /* up to degree 7 */

typedef struct spline {
    int degree;
    size_t count;    /* of control points */
    size_t values;   /* of a control point */
    double *knots;   /* count + degree + 1 */
    double *control; /* point by point */
} spline;

/* NULL, or why it is none. */
const char *spline_fault(const spline *s);

double spline_begin(const spline *s);
double spline_end(const spline *s);

/* The control points that [begin, end] depends on, which has no knot inside: degree + 1 of them from here on. */
size_t spline_first_point(const spline *s, double begin);

/* Coefficients of value `value` on [begin, end] in powers of a time that goes from 0 to 1, divided by 2^exponent. */
void spline_piece(enclosure c[SPLINE_TERMS], const spline *s, size_t value, double begin, double end, int exponent);

#endif
