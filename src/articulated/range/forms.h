/* First-order forms over a cell of joint values: c0 + Σ c_v·ξ_v, ξ_v in [−1, 1], and a bound r on what that leaves out.
   Coefficients are doubles and exact by definition; every rounding goes into r (docs/numerics.md, section 9.8). */
#ifndef GZ_ARTICULATED_RANGE_FORMS_H
#define GZ_ARTICULATED_RANGE_FORMS_H

#include "motion/taylor.h"

/* Values between two links that can change. */
enum { GZ_MOST_VARIABLES = 16 };

/* A frame, a form for each entry [row][column]; column 3 is its origin. */
typedef struct gz_forms {
    int variables;
    double c0[3][4], c[GZ_MOST_VARIABLES][3][4];
    double spread[3][4]; /* at least Σ|c_v| */
    double size[3][4];   /* at least |c0| + Σ|c_v| */
    double r[3][4];
} gz_forms;

void gz_forms_identity(gz_forms *forms, int variables);

/* p·joint, where the joint is a model of one variable's ξ, `variable` < 0 where it stands. `error` is how far its value
   may be from the one meant: every entry is off by no more than that, times 1 + the length of the joint's offset. */
void gz_forms_append(const gz_forms *p, const gz_frame_model *joint, int variable, double error, gz_forms *out);

/* Along a direction n, exact by definition: the form of ⟨n, M·x⟩ is that of column 3 and x_j times that of column j. */
typedef struct gz_form_line {
    double n[3], length; /* at least |n| */
    double c0[4], c[GZ_MOST_VARIABLES][4];
    double size[4], r[4];
} gz_form_line;

void gz_forms_along(const gz_forms *forms, const double n[3], gz_form_line *line);

/* Interval of a box of points along a line: from middle − half to middle + half, rounding included. */
double gz_line_box(const gz_form_line *line, int variables, const double center[3], const double half[3], double *out);

#endif
