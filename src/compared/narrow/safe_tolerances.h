/* The tolerances of the failure-proof cubic test, from the bound B on every difference vector of the pair.
   docs/numerics.md, section 6.7, has beside each the least value that this evaluation needs. */
#ifndef GZ_COMPARED_NARROW_SAFE_TOLERANCES_H
#define GZ_COMPARED_NARROW_SAFE_TOLERANCES_H

#include "compared/narrow/safe_real.h"

typedef struct tolerances {
    real bound;   /* B */
    real mu;      /* the cubic counts as zero below it: convergence, and ends and extrema that are candidates */
    real beyond;  /* above it, no contact is attached across */
    real tau;     /* least size of the normal */
    real eta;     /* least height of a triangle or quadrilateral, times its edge */
    real radius;  /* R: the vertex–edge tests detect every distance up to it */
    real slope;   /* S = 3R, weight of the edge length in the vertex–edge function */
    real rho;     /* coefficients below it are dropped from the vertex–edge function */
    real psi;     /* the vertex–edge function counts as not positive below it */
    real lambda2; /* λ²: shorter edges are left to the vertex–vertex tests */
    real squared; /* D² + δ: squared distance of a vertex–vertex hit */
    real drift;   /* change of a barycentric weight in unit time, and room for its rounding */
} tolerances;

/* `speed` bounds the velocities alone. */
static inline tolerances tolerances_of(real bound, real speed) {
    const real b2 = bound * bound, b3 = b2 * bound;
    tolerances k;
    k.bound = bound;
    k.mu = 64 * EPS_3_4 * b3;
    k.beyond = k.mu + 256 * EPS * b3;
    k.tau = 64 * EPS_1_2 * b2;
    k.eta = 4 * EPS_1_4 * bound;
    k.radius = 6 * EPS_1_4 * bound;
    k.slope = 18 * EPS_1_4 * bound;
    k.rho = 3 * EPS_1_2 * b2;
    k.psi = 725 * EPS_1_2 * b2;
    k.lambda2 = 2080 * EPS_1_2 * b2;
    /* (16 B eps^(1/4) + S)² + 522 B² eps^(1/2), and δ */
    k.squared = 1678 * EPS_1_2 * b2 + 311 * EPS * b2;
    k.drift = 37 * b3 * speed;
    return k;
}

#endif
