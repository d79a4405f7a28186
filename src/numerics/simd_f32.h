/* Floats in lanes: the names of simd.h that the certificates' probe uses, for float32. One of the two headers is
   included in a translation unit, never both. */
#ifndef GZ_NUMERICS_SIMD_F32_H
#define GZ_NUMERICS_SIMD_F32_H

#include "base/platform.h"
#include "numerics/simd_rows.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define GZ_SIMD_F32
typedef float v_element;

#if defined(GZ_SIMD_AVX512)
#include <immintrin.h>
#define GZ_SIMD_SUFFIX f32_avx512
#define V_WIDTH 16
typedef __m512 v_real;
typedef __mmask16 v_mask;
static inline v_real v_load(const float *p) { return _mm512_loadu_ps(p); }
static inline void v_store(float *p, v_real a) { _mm512_storeu_ps(p, a); }
static inline v_real v_set1(float a) { return _mm512_set1_ps(a); }
static inline v_real v_add(v_real a, v_real b) { return _mm512_add_ps(a, b); }
static inline v_real v_sub(v_real a, v_real b) { return _mm512_sub_ps(a, b); }
static inline v_real v_mul(v_real a, v_real b) { return _mm512_mul_ps(a, b); }
static inline v_real v_div(v_real a, v_real b) { return _mm512_div_ps(a, b); }
static inline v_real v_sqrt(v_real a) { return _mm512_sqrt_ps(a); }
static inline v_real v_min(v_real a, v_real b) { return _mm512_min_ps(a, b); }
static inline v_real v_max(v_real a, v_real b) { return _mm512_max_ps(a, b); }
static inline v_real v_abs(v_real a) { return _mm512_abs_ps(a); }
static inline v_real v_max_abs(v_real a, v_real b) { return _mm512_range_ps(a, b, 0x0b); }
static inline v_mask v_lt(v_real a, v_real b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
static inline v_mask v_le(v_real a, v_real b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
static inline v_mask v_eq(v_real a, v_real b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
static inline v_mask m_and(v_mask a, v_mask b) { return (v_mask)(a & b); }
static inline unsigned m_bits(v_mask a) { return a; }
static inline v_real v_select(v_mask m, v_real a, v_real b) { return _mm512_mask_blend_ps(m, b, a); }
/* 2^-e for a size in [2^e, 2^(e+1)); 0 or not finite where that is no normal float */
static inline v_real v_scale_of(v_real size) {
    __m512i exponent = _mm512_and_si512(_mm512_castps_si512(size), _mm512_set1_epi32(0x7f800000));
    return _mm512_castsi512_ps(_mm512_sub_epi32(_mm512_set1_epi32(0x7f000000), exponent));
}
/* doubles that are subtracted and then narrowed: V_PARTS of them make up the lanes of float */
#define V_PARTS 2
typedef __m512d v_wide;
typedef __m256 v_part;
static inline v_part v_narrow_sub(v_wide a, v_wide b) { return _mm512_cvtpd_ps(_mm512_sub_pd(a, b)); }
static inline v_real v_join(const v_part p[V_PARTS]) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(p[0]), p[1], 1);
}

#elif defined(GZ_SIMD_AVX2)
#include <immintrin.h>
#define GZ_SIMD_SUFFIX f32_avx2
#define V_WIDTH 8
typedef __m256 v_real;
typedef __m256 v_mask;
static inline v_real v_load(const float *p) { return _mm256_loadu_ps(p); }
static inline void v_store(float *p, v_real a) { _mm256_storeu_ps(p, a); }
static inline v_real v_set1(float a) { return _mm256_set1_ps(a); }
static inline v_real v_add(v_real a, v_real b) { return _mm256_add_ps(a, b); }
static inline v_real v_sub(v_real a, v_real b) { return _mm256_sub_ps(a, b); }
static inline v_real v_mul(v_real a, v_real b) { return _mm256_mul_ps(a, b); }
static inline v_real v_div(v_real a, v_real b) { return _mm256_div_ps(a, b); }
static inline v_real v_sqrt(v_real a) { return _mm256_sqrt_ps(a); }
static inline v_real v_min(v_real a, v_real b) { return _mm256_min_ps(a, b); }
static inline v_real v_max(v_real a, v_real b) { return _mm256_max_ps(a, b); }
static inline v_real v_abs(v_real a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
static inline v_mask v_lt(v_real a, v_real b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
static inline v_mask v_le(v_real a, v_real b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
static inline v_mask v_eq(v_real a, v_real b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
static inline v_mask m_and(v_mask a, v_mask b) { return _mm256_and_ps(a, b); }
static inline unsigned m_bits(v_mask a) { return (unsigned)_mm256_movemask_ps(a); }
static inline v_real v_select(v_mask m, v_real a, v_real b) { return _mm256_blendv_ps(b, a, m); }
static inline v_real v_scale_of(v_real size) {
    __m256i exponent = _mm256_and_si256(_mm256_castps_si256(size), _mm256_set1_epi32(0x7f800000));
    return _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_set1_epi32(0x7f000000), exponent));
}
#define V_PARTS 2
typedef __m256d v_wide;
typedef __m128 v_part;
static inline v_part v_narrow_sub(v_wide a, v_wide b) { return _mm256_cvtpd_ps(_mm256_sub_pd(a, b)); }
static inline v_real v_join(const v_part p[V_PARTS]) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(p[0]), p[1], 1);
}

#elif defined(GZ_SIMD_NEON)
#include <arm_neon.h>
#define GZ_SIMD_SUFFIX f32_neon
#define V_WIDTH 4
typedef float32x4_t v_real;
typedef uint32x4_t v_mask;
static inline v_real v_load(const float *p) { return vld1q_f32(p); }
static inline void v_store(float *p, v_real a) { vst1q_f32(p, a); }
static inline v_real v_set1(float a) { return vdupq_n_f32(a); }
static inline v_real v_add(v_real a, v_real b) { return vaddq_f32(a, b); }
static inline v_real v_sub(v_real a, v_real b) { return vsubq_f32(a, b); }
static inline v_real v_mul(v_real a, v_real b) { return vmulq_f32(a, b); }
static inline v_real v_div(v_real a, v_real b) { return vdivq_f32(a, b); }
static inline v_real v_sqrt(v_real a) { return vsqrtq_f32(a); }
static inline v_real v_abs(v_real a) { return vabsq_f32(a); }
static inline v_mask v_lt(v_real a, v_real b) { return vcltq_f32(a, b); }
static inline v_mask v_le(v_real a, v_real b) { return vcleq_f32(a, b); }
static inline v_mask v_eq(v_real a, v_real b) { return vceqq_f32(a, b); }
static inline v_mask m_and(v_mask a, v_mask b) { return vandq_u32(a, b); }
static inline unsigned m_bits(v_mask a) {
    return (vgetq_lane_u32(a, 0) & 1u) | (vgetq_lane_u32(a, 1) & 2u) | (vgetq_lane_u32(a, 2) & 4u) |
           (vgetq_lane_u32(a, 3) & 8u);
}
static inline v_real v_select(v_mask m, v_real a, v_real b) { return vbslq_f32(m, a, b); }
static inline v_real v_scale_of(v_real size) {
    uint32x4_t exponent = vandq_u32(vreinterpretq_u32_f32(size), vdupq_n_u32(0x7f800000));
    return vreinterpretq_f32_u32(vsubq_u32(vdupq_n_u32(0x7f000000), exponent));
}
#define V_PARTS 2
typedef float64x2_t v_wide;
typedef float32x2_t v_part;
static inline v_part v_narrow_sub(v_wide a, v_wide b) { return vcvt_f32_f64(vsubq_f64(a, b)); }
static inline v_real v_join(const v_part p[V_PARTS]) { return vcombine_f32(p[0], p[1]); }
static inline v_real v_min(v_real a, v_real b) { return v_select(v_lt(a, b), a, b); }
static inline v_real v_max(v_real a, v_real b) { return v_select(v_lt(b, a), a, b); }

#elif defined(GZ_SIMD_SCALAR)
#define GZ_SIMD_SUFFIX f32_scalar
#define V_WIDTH 1
typedef float v_real;
typedef unsigned v_mask;
static inline v_real v_load(const float *p) { return *p; }
static inline void v_store(float *p, v_real a) { *p = a; }
static inline v_real v_set1(float a) { return a; }
static inline v_real v_add(v_real a, v_real b) { return a + b; }
static inline v_real v_sub(v_real a, v_real b) { return a - b; }
static inline v_real v_mul(v_real a, v_real b) { return a * b; }
static inline v_real v_div(v_real a, v_real b) { return a / b; }
static inline v_real v_sqrt(v_real a) { return sqrtf(a); }
static inline v_real v_min(v_real a, v_real b) { return a < b ? a : b; }
static inline v_real v_max(v_real a, v_real b) { return a > b ? a : b; }
static inline v_real v_abs(v_real a) { return fabsf(a); }
static inline v_mask v_lt(v_real a, v_real b) { return a < b; }
static inline v_mask v_le(v_real a, v_real b) { return a <= b; }
static inline v_mask v_eq(v_real a, v_real b) { return a == b; }
static inline v_mask m_and(v_mask a, v_mask b) { return a & b; }
static inline unsigned m_bits(v_mask a) { return a; }
static inline v_real v_select(v_mask m, v_real a, v_real b) { return m ? a : b; }
static inline v_real v_scale_of(v_real size) {
    uint32_t bits;
    memcpy(&bits, &size, sizeof bits);
    bits = 0x7f000000u - (bits & 0x7f800000u);
    memcpy(&size, &bits, sizeof size);
    return size;
}
#define V_PARTS 1
typedef double v_wide;
typedef float v_part;
static inline v_part v_narrow_sub(v_wide a, v_wide b) { return (float)(a - b); }
static inline v_real v_join(const v_part p[V_PARTS]) { return p[0]; }
#else
#error "define one of GZ_SIMD_SCALAR, GZ_SIMD_AVX2, GZ_SIMD_AVX512, GZ_SIMD_NEON before including simd_f32.h"
#endif

#ifndef GZ_SIMD_AVX512
static inline v_real v_max_abs(v_real a, v_real b) { return v_max(v_abs(a), v_abs(b)); }
#endif

#define V_ALL_LANES ((1u << V_WIDTH) - 1u)

/* lane i of x, y, z from p[i][0], p[i][1], p[i][2] */
static inline void v_load3(const float *const p[V_WIDTH], v_real *x, v_real *y, v_real *z) {
    float lanes[3][V_WIDTH];
    for (int i = 0; i < V_WIDTH; i++)
        for (int c = 0; c < 3; c++) lanes[c][i] = p[i][c];
    *x = v_load(lanes[0]);
    *y = v_load(lanes[1]);
    *z = v_load(lanes[2]);
}

#define GZ_PASTE_(a, b) a##_##b
#define GZ_PASTE(a, b) GZ_PASTE_(a, b)
#define GZ_ISA_NAME(name) GZ_PASTE(name, GZ_SIMD_SUFFIX)

#endif
