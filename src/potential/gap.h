/* The gap of a contact: the vector between its closest points, and the squared distance with its derivatives.
 *
 * Whatever the closest features are, the gap is r = Σ weight[a]·x[a] with weights that are affine in none, one or two
 * parameters, and the squared distance is the least |r|² over them. At that least value the parameters' own derivatives
 * drop out of the gradient, and enter the Hessian by one small solve: so point–point, point–edge, point–face and
 * edge–edge share one code. */
#ifndef GZ_POTENTIAL_GAP_H
#define GZ_POTENTIAL_GAP_H

#include "numerics/double_double.h"
#include "numerics/kind.h"
#include "numerics/vec3.h"
#include "potential/gap_block.h"
#include "potential/term.h"

#include <stdbool.h>

typedef struct gz_gap {
    gz_dd square;
    gz_vec3 vector; /* r */
    int parameters;
    double weight[4];   /* zero where a vertex has no part */
    double slope[2][4]; /* ∂weight/∂parameter */
    gz_vec3 motion[2];  /* ∂r/∂parameter; two are orthogonal to each other */
} gz_gap;

/* False, and nothing else set, where the features are farther apart than `most`, by more than a rounding. */
bool gz_gap_find(graze_kind kind, const double (*x)[3], double most, gz_gap *gap);

/* As gz_gap_find, but of a contact that the kernel told. */
bool gz_gap_take(graze_kind kind, const gz_gap_block *block, size_t k, double most, gz_gap *gap);

/* Gradient and, for order HESSIAN or more, Hessian of the squared distance, never projected. */
void gz_gap_term(graze_kind kind, const gz_gap *gap, graze_order order, graze_term *term);

/* Projects the Hessian of a function of the squared distance. */
void gz_gap_project(const gz_gap *gap, graze_term *term);

#endif
