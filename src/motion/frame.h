/* Rotations as quaternions and matrices, in plain rounding arithmetic; how far they are off is known. */
#ifndef GZ_MOTION_FRAME_H
#define GZ_MOTION_FRAME_H

#include "graze/articulated.h"

#include <stdbool.h>

typedef struct gz_matrix {
    double m[3][4]; /* rows of four, the last of which is 0: lanes read it */
} gz_matrix;

typedef struct gz_quaternion {
    double w, v[3];
} gz_quaternion;

/* False for a quaternion that is zero or not finite. The length does not matter. Entries are off by at most 2⁻⁴⁸, and
   by nothing when *exact is set. */
bool gz_matrix_of_quaternion(const double q[4], gz_matrix *r, bool *exact);

/* A rotation by an angle θ: fixed + cos θ·cosine + sin θ·sine, and the axis where that ends up. */
typedef struct gz_turn {
    gz_matrix fixed, cosine, sine;
    double axis[3];
} gz_turn;

/* before · (turn about the unit vector `axis`) · after; `after` may be NULL. */
void gz_turn_about(const gz_matrix *before, const double axis[3], const gz_matrix *after, gz_turn *turn);

gz_matrix gz_matrix_product(const gz_matrix *a, const gz_matrix *b);

/* Length of v without overflow or underflow; not finite where v is not. */
double gz_length(const double v[3]);
/* v divided by its length, components off by at most 2⁻⁵⁰; false when that is zero or not finite. */
bool gz_normalise(const double v[3], double unit[3]);

/* The quaternion of a rotation vector, |v| ≤ GZ_MAX_ANGLE. */
gz_quaternion gz_quaternion_of_vector(const double v[3]);
/* The rotation vector of the shorter rotation from one to the other, and its angle in [0, π]. Lengths do not matter
   where their products neither overflow nor underflow. */
double gz_turn_between(const gz_quaternion *from, const gz_quaternion *to, double turn[3]);
/* As gz_turn_between(), but from exp(from) to exp(to). */
double gz_shorter_turn(const double from[3], const double to[3], double turn[3]);

#endif
