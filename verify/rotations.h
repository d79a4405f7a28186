/* Rotations as matrices of enclosed numbers, row by row, made of what files have: quaternions, axes, rotation vectors.
 */
#ifndef GRAZE_VERIFY_ROTATIONS_H
#define GRAZE_VERIFY_ROTATIONS_H

#include "verify/enclosure.h"
#include "verify/verify.h"

/* Says why, and is false. */
bool rotation_refuse(char reason[VERIFY_TEXT], const char *why);

/* a := a·b */
void matrix_multiply(enclosure a[9], const enclosure b[9]);
/* Of a quaternion (w first) of any length; false for zero. */
bool matrix_of_quaternion(const double q[4], enclosure m[9]);
void matrix_of_vector(const double v[3], enclosure m[9]);

/* A vector as unit vector and length; false for zero. */
bool vector_direction(const double v[3], enclosure unit[3], enclosure *length);
/* a × b; the result is neither. */
void vector_cross(enclosure c[3], const enclosure a[3], const enclosure b[3]);
void vector_dot(enclosure *dot, const enclosure a[3], const enclosure b[3]);

/* The parts of a turn about a unit vector: uuᵀ, I - uuᵀ and [u]×. */
void turn_set(const enclosure unit[3], enclosure fixed[9], enclosure cosine[9], enclosure sine[9]);
/* fixed + cos·cosine + sin·sine */
void turn_mix(enclosure *f, const enclosure *fixed, const enclosure *cosine, const enclosure *cos,
              const enclosure *sine, const enclosure *sin);

/* Axis and angle of the shorter turn from one rotation vector to another; *near is set where they are less than 2^-100
   apart, and there is neither. False: it is half a circle. */
bool shorter_turn(const double from[3], const double to[3], enclosure unit[3], enclosure *angle, bool *near,
                  char reason[VERIFY_TEXT]);

#endif
