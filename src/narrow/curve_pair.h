/* A pair whose points move on cubic curves: scaled differences in Bernstein form, and what a direction proves of them.
   docs/numerics.md, section 4.13. */
#ifndef GZ_NARROW_CURVE_PAIR_H
#define GZ_NARROW_CURVE_PAIR_H

#include "graze/curve.h"

#include "pair/motion.h"

typedef struct gz_curve {
    graze_kind kind;
    int count;         /* of differences */
    v_vec w[4][4];     /* difference k, control point j */
    v_vec rows[4][4];  /* the rows seen from the first one, control point j */
    v_vec size;        /* largest |component| of the differences' control points */
    double largest;    /* of the three */
    double separation; /* scaled, too */
    double scale;      /* what coordinates were multiplied by */
} gz_curve;

void gz_curve_make(gz_curve *curve, graze_kind kind, const graze_curve_query *query, double separation);

/* Bernstein coefficients on [from, to] of the cubic with coefficients c on [0, 1]. */
void gz_curve_part(const double c[4], double from, double to, double part[4]);

/* The proof that a direction gives from the start of some time on. */
typedef struct gz_curve_probe {
    double gap;     /* beyond separation and rounding at the start, as a length; ≤ 0: nothing is proven */
    double falls;   /* about how fast it falls there */
    double reached; /* proven free from the start up to here */
} gz_curve_probe;

/* Along n, any vector of doubles, from time `from` to `to`. */
gz_curve_probe gz_curve_try(const gz_curve *curve, v_vec n, double from, double to);

/* The pair as it is at t, seen from its first row, as a query at rest; approximate. */
void gz_curve_still(const gz_curve *curve, double t, graze_query *still);

#endif
