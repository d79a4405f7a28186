/* Vectors of three doubles, in plain rounding arithmetic. */
#ifndef GZ_NUMERICS_VEC3_H
#define GZ_NUMERICS_VEC3_H

#include "base/platform.h"

#include <math.h>

typedef struct gz_vec3 {
    double c[3];
} gz_vec3;

static GZ_PAIR_FN inline gz_vec3 gz_vec3_of(const double x[3]) { return (gz_vec3){{x[0], x[1], x[2]}}; }
static GZ_PAIR_FN inline gz_vec3 gz_vec3_sub(gz_vec3 a, gz_vec3 b) {
    return (gz_vec3){{a.c[0] - b.c[0], a.c[1] - b.c[1], a.c[2] - b.c[2]}};
}
/* a + s·b */
static GZ_PAIR_FN inline gz_vec3 gz_vec3_along(gz_vec3 a, double s, gz_vec3 b) {
    return (gz_vec3){{a.c[0] + s * b.c[0], a.c[1] + s * b.c[1], a.c[2] + s * b.c[2]}};
}
static GZ_PAIR_FN inline double gz_vec3_dot(gz_vec3 a, gz_vec3 b) {
    return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}
static GZ_PAIR_FN inline gz_vec3 gz_vec3_cross(gz_vec3 a, gz_vec3 b) {
    return (gz_vec3){
        {a.c[1] * b.c[2] - a.c[2] * b.c[1], a.c[2] * b.c[0] - a.c[0] * b.c[2], a.c[0] * b.c[1] - a.c[1] * b.c[0]}};
}
static GZ_PAIR_FN inline gz_vec3 gz_vec3_scale(gz_vec3 a, double s) {
    return (gz_vec3){{s * a.c[0], s * a.c[1], s * a.c[2]}};
}
static GZ_PAIR_FN inline double gz_vec3_norm(gz_vec3 a) { return sqrt(gz_vec3_dot(a, a)); }

#endif
