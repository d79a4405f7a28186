/* Numbers as the unevaluated sum of two doubles, about 106 bits; plain double operations, no fused multiply-add, so
   that every machine computes the same. Error bounds: docs/numerics.md, section 4.7. */
#ifndef GZ_NUMERICS_DOUBLE_DOUBLE_H
#define GZ_NUMERICS_DOUBLE_DOUBLE_H

#include "base/platform.h"

typedef struct gz_dd {
    double hi, lo;
} gz_dd;

static GZ_INLINE gz_dd dd_of(double a) { return (gz_dd){a, 0}; }

/* a + b exactly */
static GZ_INLINE gz_dd dd_two_sum(double a, double b) {
    double s = a + b, part = s - a;
    return (gz_dd){s, (a - (s - part)) + (b - part)};
}

/* a + b exactly, for |a| >= |b| or a = 0 */
static GZ_INLINE gz_dd dd_quick_sum(double a, double b) {
    double s = a + b;
    return (gz_dd){s, b - (s - a)};
}

/* a * b exactly, unless its last bits underflow; |a|, |b| below 2^900 */
static GZ_INLINE gz_dd dd_two_product(double a, double b) {
    double p = a * b, x = a * 134217729.0, y = b * 134217729.0; /* 2^27 + 1 */
    double ah = x - (x - a), al = a - ah, bh = y - (y - b), bl = b - bh;
    return (gz_dd){p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
}

static GZ_INLINE gz_dd dd_add(gz_dd a, gz_dd b) {
    gz_dd s = dd_two_sum(a.hi, b.hi), t = dd_two_sum(a.lo, b.lo);
    s = dd_quick_sum(s.hi, s.lo + t.hi);
    return dd_quick_sum(s.hi, s.lo + t.lo);
}

static GZ_INLINE gz_dd dd_neg(gz_dd a) { return (gz_dd){-a.hi, -a.lo}; }
static GZ_INLINE gz_dd dd_sub(gz_dd a, gz_dd b) { return dd_add(a, dd_neg(b)); }

static GZ_INLINE gz_dd dd_mul(gz_dd a, gz_dd b) {
    gz_dd p = dd_two_product(a.hi, b.hi);
    return dd_quick_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

static GZ_INLINE gz_dd dd_scale(gz_dd a, double b) {
    gz_dd p = dd_two_product(a.hi, b);
    return dd_quick_sum(p.hi, p.lo + a.lo * b);
}

typedef struct gz_dd_vec {
    gz_dd x, y, z;
} gz_dd_vec;

static GZ_INLINE gz_dd_vec dd_vec_add(gz_dd_vec a, gz_dd_vec b) {
    return (gz_dd_vec){dd_add(a.x, b.x), dd_add(a.y, b.y), dd_add(a.z, b.z)};
}
static GZ_INLINE gz_dd_vec dd_vec_sub(gz_dd_vec a, gz_dd_vec b) {
    return (gz_dd_vec){dd_sub(a.x, b.x), dd_sub(a.y, b.y), dd_sub(a.z, b.z)};
}
static GZ_INLINE gz_dd_vec dd_vec_mul(gz_dd_vec a, gz_dd s) {
    return (gz_dd_vec){dd_mul(a.x, s), dd_mul(a.y, s), dd_mul(a.z, s)};
}
static GZ_INLINE gz_dd_vec dd_vec_scale(gz_dd_vec a, double s) {
    return (gz_dd_vec){dd_scale(a.x, s), dd_scale(a.y, s), dd_scale(a.z, s)};
}
static GZ_INLINE gz_dd dd_vec_dot(gz_dd_vec a, gz_dd_vec b) {
    return dd_add(dd_add(dd_mul(a.x, b.x), dd_mul(a.y, b.y)), dd_mul(a.z, b.z));
}
static GZ_INLINE gz_dd_vec dd_vec_cross(gz_dd_vec a, gz_dd_vec b) {
    return (gz_dd_vec){dd_sub(dd_mul(a.y, b.z), dd_mul(a.z, b.y)), dd_sub(dd_mul(a.z, b.x), dd_mul(a.x, b.z)),
                       dd_sub(dd_mul(a.x, b.y), dd_mul(a.y, b.x))};
}

#endif
