/* lanes.h for NEON. */
#ifndef GZ_NUMERICS_LANES_NEON_H
#define GZ_NUMERICS_LANES_NEON_H

#include <arm_neon.h>

enum { d_width = 2 };
typedef float64x2_t d_real;
typedef uint64x2_t d_mask;
static GZ_INLINE d_real d_load(const double *p) { return vld1q_f64(p); }
static GZ_INLINE void d_store(double *p, d_real a) { vst1q_f64(p, a); }
static GZ_INLINE d_real d_set1(double a) { return vdupq_n_f64(a); }
static GZ_INLINE d_real d_add(d_real a, d_real b) { return vaddq_f64(a, b); }
static GZ_INLINE d_real d_sub(d_real a, d_real b) { return vsubq_f64(a, b); }
static GZ_INLINE d_real d_mul(d_real a, d_real b) { return vmulq_f64(a, b); }
static GZ_INLINE d_real d_div(d_real a, d_real b) { return vdivq_f64(a, b); }
static GZ_INLINE d_real d_sqrt(d_real a) { return vsqrtq_f64(a); }
static GZ_INLINE d_real d_abs(d_real a) { return vabsq_f64(a); }
static GZ_INLINE d_mask d_lt(d_real a, d_real b) { return vcltq_f64(a, b); }
static GZ_INLINE d_mask d_le(d_real a, d_real b) { return vcleq_f64(a, b); }
static GZ_INLINE d_mask d_eq(d_real a, d_real b) { return vceqq_f64(a, b); }
static GZ_INLINE d_mask d_m_and(d_mask a, d_mask b) { return vandq_u64(a, b); }
static GZ_INLINE d_real d_select(d_mask m, d_real a, d_real b) { return vbslq_f64(m, a, b); }
static GZ_INLINE d_real d_min(d_real a, d_real b) { return d_select(d_lt(a, b), a, b); }
static GZ_INLINE d_real d_max(d_real a, d_real b) { return d_select(d_lt(b, a), a, b); }
static GZ_INLINE d_real d_neg(d_real a) { return vnegq_f64(a); }
static GZ_INLINE d_mask d_m_or(d_mask a, d_mask b) { return vorrq_u64(a, b); }
static GZ_INLINE unsigned d_m_bits(d_mask a) {
    return (unsigned)((vgetq_lane_u64(a, 0) & 1u) | (vgetq_lane_u64(a, 1) & 2u));
}
static GZ_INLINE d_mask d_m_from_bits(unsigned bits) {
    uint64x2_t m = vdupq_n_u64(bits & 1u ? ~(uint64_t)0 : 0);
    return vsetq_lane_u64(bits & 2u ? ~(uint64_t)0 : 0, m, 1);
}
static GZ_INLINE d_real d_scale_of(d_real size) {
    uint64x2_t exponent = vandq_u64(vreinterpretq_u64_f64(size), vdupq_n_u64(0x7ff0000000000000u));
    return vreinterpretq_f64_u64(vsubq_u64(vdupq_n_u64(0x7fe0000000000000u), exponent));
}
static GZ_INLINE void d_load3(const double *const p[2], d_real *x, d_real *y, d_real *z) {
    float64x2_t a = vld1q_f64(p[0]), b = vld1q_f64(p[1]);
    *x = vzip1q_f64(a, b);
    *y = vzip2q_f64(a, b);
    *z = vsetq_lane_f64(p[1][2], vdupq_n_f64(p[0][2]), 1);
}

enum { f_width = 4 };
typedef float32x4_t f_real;
typedef uint32x4_t f_mask;
static GZ_INLINE f_real f_load(const float *p) { return vld1q_f32(p); }
static GZ_INLINE void f_store(float *p, f_real a) { vst1q_f32(p, a); }
static GZ_INLINE f_real f_set1(float a) { return vdupq_n_f32(a); }
static GZ_INLINE f_real f_add(f_real a, f_real b) { return vaddq_f32(a, b); }
static GZ_INLINE f_real f_sub(f_real a, f_real b) { return vsubq_f32(a, b); }
static GZ_INLINE f_real f_mul(f_real a, f_real b) { return vmulq_f32(a, b); }
static GZ_INLINE f_real f_div(f_real a, f_real b) { return vdivq_f32(a, b); }
static GZ_INLINE f_real f_sqrt(f_real a) { return vsqrtq_f32(a); }
static GZ_INLINE f_real f_abs(f_real a) { return vabsq_f32(a); }
static GZ_INLINE f_mask f_lt(f_real a, f_real b) { return vcltq_f32(a, b); }
static GZ_INLINE f_mask f_le(f_real a, f_real b) { return vcleq_f32(a, b); }
static GZ_INLINE f_mask f_eq(f_real a, f_real b) { return vceqq_f32(a, b); }
static GZ_INLINE f_mask f_m_and(f_mask a, f_mask b) { return vandq_u32(a, b); }
static GZ_INLINE f_real f_select(f_mask m, f_real a, f_real b) { return vbslq_f32(m, a, b); }
static GZ_INLINE f_real f_min(f_real a, f_real b) { return f_select(f_lt(a, b), a, b); }
static GZ_INLINE f_real f_max(f_real a, f_real b) { return f_select(f_lt(b, a), a, b); }
static GZ_INLINE unsigned f_m_bits(f_mask a) {
    static const uint32_t weights[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(a, vld1q_u32(weights)));
}
static GZ_INLINE f_real f_scale_of(f_real size) {
    uint32x4_t exponent = vandq_u32(vreinterpretq_u32_f32(size), vdupq_n_u32(0x7f800000));
    return vreinterpretq_f32_u32(vsubq_u32(vdupq_n_u32(0x7f000000), exponent));
}
typedef float32x2_t f_part;
static GZ_INLINE f_part f_narrow_sub(d_real a, d_real b) { return vcvt_f32_f64(vsubq_f64(a, b)); }
static GZ_INLINE f_real f_join(const f_part p[2]) { return vcombine_f32(p[0], p[1]); }

#endif
