/* lanes.h for WebAssembly SIMD. pmin(b, a) is "a < b ? a : b". */
#ifndef GZ_NUMERICS_LANES_WASM_H
#define GZ_NUMERICS_LANES_WASM_H

#include <wasm_simd128.h>

enum { d_width = 2 };
typedef v128_t d_real;
typedef v128_t d_mask;
static GZ_INLINE d_real d_load(const double *p) { return wasm_v128_load(p); }
static GZ_INLINE void d_store(double *p, d_real a) { wasm_v128_store(p, a); }
static GZ_INLINE d_real d_set1(double a) { return wasm_f64x2_splat(a); }
static GZ_INLINE d_real d_add(d_real a, d_real b) { return wasm_f64x2_add(a, b); }
static GZ_INLINE d_real d_sub(d_real a, d_real b) { return wasm_f64x2_sub(a, b); }
static GZ_INLINE d_real d_mul(d_real a, d_real b) { return wasm_f64x2_mul(a, b); }
static GZ_INLINE d_real d_div(d_real a, d_real b) { return wasm_f64x2_div(a, b); }
static GZ_INLINE d_real d_sqrt(d_real a) { return wasm_f64x2_sqrt(a); }
static GZ_INLINE d_real d_abs(d_real a) { return wasm_f64x2_abs(a); }
static GZ_INLINE d_real d_min(d_real a, d_real b) { return wasm_f64x2_pmin(b, a); }
static GZ_INLINE d_real d_max(d_real a, d_real b) { return wasm_f64x2_pmax(b, a); }
static GZ_INLINE d_mask d_lt(d_real a, d_real b) { return wasm_f64x2_lt(a, b); }
static GZ_INLINE d_mask d_le(d_real a, d_real b) { return wasm_f64x2_le(a, b); }
static GZ_INLINE d_mask d_eq(d_real a, d_real b) { return wasm_f64x2_eq(a, b); }
static GZ_INLINE d_mask d_m_and(d_mask a, d_mask b) { return wasm_v128_and(a, b); }
static GZ_INLINE unsigned d_m_bits(d_mask a) { return (unsigned)wasm_i64x2_bitmask(a); }
static GZ_INLINE d_real d_select(d_mask m, d_real a, d_real b) { return wasm_v128_bitselect(a, b, m); }
static GZ_INLINE d_real d_neg(d_real a) { return wasm_f64x2_neg(a); }
static GZ_INLINE d_mask d_m_or(d_mask a, d_mask b) { return wasm_v128_or(a, b); }
static GZ_INLINE d_mask d_m_from_bits(unsigned bits) {
    return wasm_i64x2_make(-(int64_t)(bits & 1u), -(int64_t)(bits >> 1 & 1u));
}
static GZ_INLINE d_real d_scale_of(d_real size) {
    return wasm_i64x2_sub(wasm_i64x2_splat(0x7fe0000000000000),
                          wasm_v128_and(size, wasm_i64x2_splat(0x7ff0000000000000)));
}
static GZ_INLINE void d_load3(const double *const p[2], d_real *x, d_real *y, d_real *z) {
    v128_t a = wasm_v128_load(p[0]), b = wasm_v128_load(p[1]);
    *x = wasm_i64x2_shuffle(a, b, 0, 2);
    *y = wasm_i64x2_shuffle(a, b, 1, 3);
    *z = wasm_f64x2_make(p[0][2], p[1][2]);
}

enum { f_width = 4 };
typedef v128_t f_real;
typedef v128_t f_mask;
static GZ_INLINE f_real f_load(const float *p) { return wasm_v128_load(p); }
static GZ_INLINE void f_store(float *p, f_real a) { wasm_v128_store(p, a); }
static GZ_INLINE f_real f_set1(float a) { return wasm_f32x4_splat(a); }
static GZ_INLINE f_real f_add(f_real a, f_real b) { return wasm_f32x4_add(a, b); }
static GZ_INLINE f_real f_sub(f_real a, f_real b) { return wasm_f32x4_sub(a, b); }
static GZ_INLINE f_real f_mul(f_real a, f_real b) { return wasm_f32x4_mul(a, b); }
static GZ_INLINE f_real f_div(f_real a, f_real b) { return wasm_f32x4_div(a, b); }
static GZ_INLINE f_real f_sqrt(f_real a) { return wasm_f32x4_sqrt(a); }
static GZ_INLINE f_real f_abs(f_real a) { return wasm_f32x4_abs(a); }
static GZ_INLINE f_real f_min(f_real a, f_real b) { return wasm_f32x4_pmin(b, a); }
static GZ_INLINE f_real f_max(f_real a, f_real b) { return wasm_f32x4_pmax(b, a); }
static GZ_INLINE f_mask f_lt(f_real a, f_real b) { return wasm_f32x4_lt(a, b); }
static GZ_INLINE f_mask f_le(f_real a, f_real b) { return wasm_f32x4_le(a, b); }
static GZ_INLINE f_mask f_eq(f_real a, f_real b) { return wasm_f32x4_eq(a, b); }
static GZ_INLINE f_mask f_m_and(f_mask a, f_mask b) { return wasm_v128_and(a, b); }
static GZ_INLINE unsigned f_m_bits(f_mask a) { return (unsigned)wasm_i32x4_bitmask(a); }
static GZ_INLINE f_real f_select(f_mask m, f_real a, f_real b) { return wasm_v128_bitselect(a, b, m); }
static GZ_INLINE f_real f_scale_of(f_real size) {
    return wasm_i32x4_sub(wasm_i32x4_splat(0x7f000000), wasm_v128_and(size, wasm_i32x4_splat(0x7f800000)));
}
typedef v128_t f_part; /* two of its four lanes */
static GZ_INLINE f_part f_narrow_sub(d_real a, d_real b) { return wasm_f32x4_demote_f64x2_zero(wasm_f64x2_sub(a, b)); }
static GZ_INLINE f_real f_join(const f_part p[2]) { return wasm_i64x2_shuffle(p[0], p[1], 0, 2); }

#endif
