/* Rotations whose rotation vector moves straight: R(t) = exp(from + t·way). */
#ifndef GZ_MOTION_ROTVEC_H
#define GZ_MOTION_ROTVEC_H

#include "motion/taylor.h"

typedef struct gz_rotvec {
    double from[3], way[3]; /* way: rounded */
    double error[3];        /* of each component at any time, computed from them */
} gz_rotvec;

/* |from| and |to| ≤ GZ_MAX_ANGLE */
gz_rotvec gz_rotvec_between(const double from[3], const double to[3]);

/* Coefficients of x⁰ … x³ in the three functions below, of s + x, for s ≥ 0; off by at most GZ_ROTVEC_ERROR times z to
   the power 1 − function − k, z = max(1, √s). */
void gz_rotvec_coefficients(double s, double made[3][4]);

/* cos √s, sin √s/√s and (1 − cos √s)/s of a model of s. The function that it models is never below 0, nor beyond
   GZ_MAX_ANGLE squared. */
void gz_rotvec_functions(const gz_taylor *square, gz_taylor made[3]);

/* The rotation over a window; the origin stays at 0. */
void gz_rotvec_frame(const gz_rotvec *path, gz_window window, gz_frame_model *frame);

#endif
