/* double_double.h in lanes: the same operations in the same order, so the same bits. */
#ifndef GZ_NUMERICS_DOUBLE_DOUBLE_LANES_H
#define GZ_NUMERICS_DOUBLE_DOUBLE_LANES_H

#include "numerics/lanes.h"

typedef struct dd_real {
    d_real hi, lo;
} dd_real;

static GZ_INLINE dd_real ddl_two_sum(d_real a, d_real b) {
    d_real s = d_add(a, b), part = d_sub(s, a);
    return (dd_real){s, d_add(d_sub(a, d_sub(s, part)), d_sub(b, part))};
}

static GZ_INLINE dd_real ddl_quick_sum(d_real a, d_real b) {
    d_real s = d_add(a, b);
    return (dd_real){s, d_sub(b, d_sub(s, a))};
}

static GZ_INLINE d_real ddl_high(d_real a) {
    d_real x = d_mul(a, d_set1(134217729.0)); /* 2^27 + 1 */
    return d_sub(x, d_sub(x, a));
}

static GZ_INLINE dd_real ddl_two_product(d_real a, d_real b) {
    d_real p = d_mul(a, b), ah = ddl_high(a), al = d_sub(a, ah), bh = ddl_high(b), bl = d_sub(b, bh);
    d_real left = d_add(d_add(d_sub(d_mul(ah, bh), p), d_mul(ah, bl)), d_mul(al, bh));
    return (dd_real){p, d_add(left, d_mul(al, bl))};
}

static GZ_INLINE dd_real ddl_add(dd_real a, dd_real b) {
    dd_real s = ddl_two_sum(a.hi, b.hi), t = ddl_two_sum(a.lo, b.lo);
    s = ddl_quick_sum(s.hi, d_add(s.lo, t.hi));
    return ddl_quick_sum(s.hi, d_add(s.lo, t.lo));
}

static GZ_INLINE dd_real ddl_mul(dd_real a, dd_real b) {
    dd_real p = ddl_two_product(a.hi, b.hi);
    return ddl_quick_sum(p.hi, d_add(p.lo, d_add(d_mul(a.hi, b.lo), d_mul(a.lo, b.hi))));
}

static GZ_INLINE dd_real ddl_scale(dd_real a, d_real b) {
    dd_real p = ddl_two_product(a.hi, b);
    return ddl_quick_sum(p.hi, d_add(p.lo, d_mul(a.lo, b)));
}

typedef struct dd_real_vec {
    dd_real x, y, z;
} dd_real_vec;

static GZ_INLINE dd_real_vec ddl_vec_add(dd_real_vec a, dd_real_vec b) {
    return (dd_real_vec){ddl_add(a.x, b.x), ddl_add(a.y, b.y), ddl_add(a.z, b.z)};
}
static GZ_INLINE dd_real_vec ddl_vec_scale(dd_real_vec a, d_real s) {
    return (dd_real_vec){ddl_scale(a.x, s), ddl_scale(a.y, s), ddl_scale(a.z, s)};
}
static GZ_INLINE dd_real ddl_vec_dot(dd_real_vec a, dd_real_vec b) {
    return ddl_add(ddl_add(ddl_mul(a.x, b.x), ddl_mul(a.y, b.y)), ddl_mul(a.z, b.z));
}

#endif
