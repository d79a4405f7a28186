/* The number type of the cubic tests: double, or float where GZ_SAFE_F32 is defined. One precision in each translation
   unit; only the exported names carry a suffix. */
#ifndef GZ_COMPARED_NARROW_SAFE_REAL_H
#define GZ_COMPARED_NARROW_SAFE_REAL_H

#include "graze/query.h"

#include <math.h>
#include <stdbool.h>

#ifdef GZ_SAFE_F32
typedef float real;
typedef graze_query_f32 real_query;

#define EPS 0x1p-23f
#define EPS_1_2 0x1.6a09e6p-12f /* 2^-11.5 */
#define EPS_1_4 0x1.306fe0p-6f  /* 2^-5.75 */
#define EPS_3_4 0x1.ae89fap-18f /* 2^-17.25 */
#define REAL_TINY 0x1p-140f     /* underflow of the few products of a plane test */
#define TIME_TINY 0x1p-100f     /* below, a time may have no relative error */
#define SCALE_LOW 0x1p-80f      /* below, a pair is first enlarged by SCALE_UP */
#define SCALE_UP 0x1p60f
#define SCALE_HIGH 0x1p120f /* from here on the differences may overflow */
#define real_abs fabsf
#define real_sqrt sqrtf
#define real_frexp frexpf
#define real_ldexp ldexpf
#define real_nextafter nextafterf
#else
typedef double real;
typedef graze_query real_query;

#define EPS 0x1p-52
#define EPS_1_2 0x1p-26
#define EPS_1_4 0x1p-13
#define EPS_3_4 0x1p-39
#define REAL_TINY 0x1p-1060
#define TIME_TINY 0x1p-1000
#define SCALE_LOW 0x1p-800
#define SCALE_UP 0x1p600
#define SCALE_HIGH 0x1p900
#define real_abs fabs
#define real_sqrt sqrt
#define real_frexp frexp
#define real_ldexp ldexp
#define real_nextafter nextafter
#endif

static inline real real_min(real a, real b) { return a < b ? a : b; }
static inline real real_max(real a, real b) { return a > b ? a : b; }

typedef struct vec {
    real x, y, z;
} vec;

static inline vec vec_add(vec a, vec b) { return (vec){a.x + b.x, a.y + b.y, a.z + b.z}; }
static inline vec vec_sub(vec a, vec b) { return (vec){a.x - b.x, a.y - b.y, a.z - b.z}; }
static inline vec vec_scale(vec a, real s) { return (vec){a.x * s, a.y * s, a.z * s}; }
static inline real vec_dot(vec a, vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline vec vec_cross(vec a, vec b) {
    return (vec){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
static inline vec vec_abs(vec a) { return (vec){real_abs(a.x), real_abs(a.y), real_abs(a.z)}; }
static inline vec vec_max(vec a, vec b) { return (vec){real_max(a.x, b.x), real_max(a.y, b.y), real_max(a.z, b.z)}; }
static inline vec vec_min(vec a, vec b) { return (vec){real_min(a.x, b.x), real_min(a.y, b.y), real_min(a.z, b.z)}; }
static inline real vec_largest(vec a) { return real_max(a.x, real_max(a.y, a.z)); }
static inline real vec_size(vec a) { return vec_largest(vec_abs(a)); }

/* A difference of two moving points: x at t = 0, x + v at t = 1. */
typedef struct moving {
    vec x, v;
} moving;

static inline vec moving_at(const moving *m, real t) {
    return (vec){m->x.x + t * m->v.x, m->x.y + t * m->v.y, m->x.z + t * m->v.z};
}

#endif
