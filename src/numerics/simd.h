/* Doubles in lanes, one set of names for every instruction set.
 *
 * A kernel is written once against these names in a `*_kernel.h`; for each ISA a translation unit defines one of
 * GZ_SIMD_SCALAR, GZ_SIMD_AVX2, GZ_SIMD_AVX512, GZ_SIMD_NEON and includes it. Every operation is the IEEE one in each
 * lane and min, max are "a < b ? a : b" everywhere, so all paths agree bit for bit, NaN and signed zeros included.
 */
#ifndef GZ_NUMERICS_SIMD_H
#define GZ_NUMERICS_SIMD_H

#include "base/platform.h"
#include "numerics/simd_rows.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(GZ_SIMD_AVX512)
#include <immintrin.h>
#define GZ_SIMD_SUFFIX avx512
#define V_WIDTH 8
typedef __m512d v_double;
typedef __mmask8 v_mask;
static inline v_double v_load(const double *p) { return _mm512_loadu_pd(p); }
static inline void v_store(double *p, v_double a) { _mm512_storeu_pd(p, a); }
static inline v_double v_set1(double a) { return _mm512_set1_pd(a); }
static inline v_double v_add(v_double a, v_double b) { return _mm512_add_pd(a, b); }
static inline v_double v_sub(v_double a, v_double b) { return _mm512_sub_pd(a, b); }
static inline v_double v_mul(v_double a, v_double b) { return _mm512_mul_pd(a, b); }
static inline v_double v_div(v_double a, v_double b) { return _mm512_div_pd(a, b); }
static inline v_double v_sqrt(v_double a) { return _mm512_sqrt_pd(a); }
static inline v_double v_min(v_double a, v_double b) { return _mm512_min_pd(a, b); }
static inline v_double v_max(v_double a, v_double b) { return _mm512_max_pd(a, b); }
static inline v_double v_abs(v_double a) { return _mm512_abs_pd(a); }
static inline v_double v_max_abs(v_double a, v_double b) { return _mm512_range_pd(a, b, 0x0b); }
static inline v_double v_neg(v_double a) { return _mm512_xor_pd(a, _mm512_set1_pd(-0.0)); }
static inline v_mask v_lt(v_double a, v_double b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
static inline v_mask v_le(v_double a, v_double b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
static inline v_mask v_eq(v_double a, v_double b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
static inline v_mask m_and(v_mask a, v_mask b) { return (v_mask)(a & b); }
static inline v_mask m_or(v_mask a, v_mask b) { return (v_mask)(a | b); }
static inline v_mask m_not(v_mask a) { return (v_mask)~a; }
static inline unsigned m_bits(v_mask a) { return a; }
static inline v_mask m_from_bits(unsigned bits) { return (v_mask)bits; }
static inline v_double v_select(v_mask m, v_double a, v_double b) { return _mm512_mask_blend_pd(m, b, a); }
/* lane i from (const double *)((const char *)base + offset[i]) */
static inline v_double v_gather(const void *base, const int64_t *offset) {
    return _mm512_i64gather_pd(_mm512_loadu_si512(offset), base, 1);
}

#elif defined(GZ_SIMD_AVX2)
#include <immintrin.h>
#define GZ_SIMD_SUFFIX avx2
#define V_WIDTH 4
typedef __m256d v_double;
typedef __m256d v_mask;
static inline v_double v_load(const double *p) { return _mm256_loadu_pd(p); }
static inline void v_store(double *p, v_double a) { _mm256_storeu_pd(p, a); }
static inline v_double v_set1(double a) { return _mm256_set1_pd(a); }
static inline v_double v_add(v_double a, v_double b) { return _mm256_add_pd(a, b); }
static inline v_double v_sub(v_double a, v_double b) { return _mm256_sub_pd(a, b); }
static inline v_double v_mul(v_double a, v_double b) { return _mm256_mul_pd(a, b); }
static inline v_double v_div(v_double a, v_double b) { return _mm256_div_pd(a, b); }
static inline v_double v_sqrt(v_double a) { return _mm256_sqrt_pd(a); }
static inline v_double v_min(v_double a, v_double b) { return _mm256_min_pd(a, b); }
static inline v_double v_max(v_double a, v_double b) { return _mm256_max_pd(a, b); }
static inline v_double v_abs(v_double a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
static inline v_double v_neg(v_double a) { return _mm256_xor_pd(a, _mm256_set1_pd(-0.0)); }
static inline v_mask v_lt(v_double a, v_double b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
static inline v_mask v_le(v_double a, v_double b) { return _mm256_cmp_pd(a, b, _CMP_LE_OQ); }
static inline v_mask v_eq(v_double a, v_double b) { return _mm256_cmp_pd(a, b, _CMP_EQ_OQ); }
static inline v_mask m_and(v_mask a, v_mask b) { return _mm256_and_pd(a, b); }
static inline v_mask m_or(v_mask a, v_mask b) { return _mm256_or_pd(a, b); }
static inline v_mask m_not(v_mask a) { return _mm256_xor_pd(a, _mm256_castsi256_pd(_mm256_set1_epi64x(-1))); }
static inline unsigned m_bits(v_mask a) { return (unsigned)_mm256_movemask_pd(a); }
static inline v_mask m_from_bits(unsigned bits) {
    __m256i lane = _mm256_set_epi64x(8, 4, 2, 1);
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x((long long)bits), lane), lane));
}
static inline v_double v_select(v_mask m, v_double a, v_double b) { return _mm256_blendv_pd(b, a, m); }
static inline v_double v_gather(const void *base, const int64_t *offset) {
    return _mm256_i64gather_pd((const double *)base, _mm256_loadu_si256((const __m256i *)(const void *)offset), 1);
}

#elif defined(GZ_SIMD_NEON)
#include <arm_neon.h>
#define GZ_SIMD_SUFFIX neon
#define V_WIDTH 2
typedef float64x2_t v_double;
typedef uint64x2_t v_mask;
static inline v_double v_load(const double *p) { return vld1q_f64(p); }
static inline void v_store(double *p, v_double a) { vst1q_f64(p, a); }
static inline v_double v_set1(double a) { return vdupq_n_f64(a); }
static inline v_double v_add(v_double a, v_double b) { return vaddq_f64(a, b); }
static inline v_double v_sub(v_double a, v_double b) { return vsubq_f64(a, b); }
static inline v_double v_mul(v_double a, v_double b) { return vmulq_f64(a, b); }
static inline v_double v_div(v_double a, v_double b) { return vdivq_f64(a, b); }
static inline v_double v_sqrt(v_double a) { return vsqrtq_f64(a); }
static inline v_double v_abs(v_double a) { return vabsq_f64(a); }
static inline v_double v_neg(v_double a) { return vnegq_f64(a); }
static inline v_mask v_lt(v_double a, v_double b) { return vcltq_f64(a, b); }
static inline v_mask v_le(v_double a, v_double b) { return vcleq_f64(a, b); }
static inline v_mask v_eq(v_double a, v_double b) { return vceqq_f64(a, b); }
static inline v_mask m_and(v_mask a, v_mask b) { return vandq_u64(a, b); }
static inline v_mask m_or(v_mask a, v_mask b) { return vorrq_u64(a, b); }
static inline v_mask m_not(v_mask a) { return veorq_u64(a, vdupq_n_u64(~(uint64_t)0)); }
static inline unsigned m_bits(v_mask a) {
    return (unsigned)((vgetq_lane_u64(a, 0) & 1u) | (vgetq_lane_u64(a, 1) & 2u));
}
static inline v_mask m_from_bits(unsigned bits) {
    uint64x2_t m = vdupq_n_u64(bits & 1u ? ~(uint64_t)0 : 0);
    return vsetq_lane_u64(bits & 2u ? ~(uint64_t)0 : 0, m, 1);
}
static inline v_double v_select(v_mask m, v_double a, v_double b) { return vbslq_f64(m, a, b); }
static inline v_double v_min(v_double a, v_double b) { return v_select(v_lt(a, b), a, b); }
static inline v_double v_max(v_double a, v_double b) { return v_select(v_lt(b, a), a, b); }
static inline v_double v_gather(const void *base, const int64_t *offset) {
    double lane[2];
    memcpy(&lane[0], (const char *)base + offset[0], sizeof lane[0]);
    memcpy(&lane[1], (const char *)base + offset[1], sizeof lane[1]);
    return vld1q_f64(lane);
}

#elif defined(GZ_SIMD_SCALAR)
#define GZ_SIMD_SUFFIX scalar
#define V_WIDTH 1
typedef double v_double;
typedef unsigned v_mask; /* 0 or 1 */
static inline v_double v_load(const double *p) { return *p; }
static inline void v_store(double *p, v_double a) { *p = a; }
static inline v_double v_set1(double a) { return a; }
static inline v_double v_add(v_double a, v_double b) { return a + b; }
static inline v_double v_sub(v_double a, v_double b) { return a - b; }
static inline v_double v_mul(v_double a, v_double b) { return a * b; }
static inline v_double v_div(v_double a, v_double b) { return a / b; }
static inline v_double v_sqrt(v_double a) { return sqrt(a); }
static inline v_double v_min(v_double a, v_double b) { return a < b ? a : b; }
static inline v_double v_max(v_double a, v_double b) { return a > b ? a : b; }
static inline v_double v_abs(v_double a) { return fabs(a); }
static inline v_double v_neg(v_double a) { return -a; }
static inline v_mask v_lt(v_double a, v_double b) { return a < b; }
static inline v_mask v_le(v_double a, v_double b) { return a <= b; }
static inline v_mask v_eq(v_double a, v_double b) { return a == b; }
static inline v_mask m_and(v_mask a, v_mask b) { return a & b; }
static inline v_mask m_or(v_mask a, v_mask b) { return a | b; }
static inline v_mask m_not(v_mask a) { return a ^ 1u; }
static inline unsigned m_bits(v_mask a) { return a; }
static inline v_mask m_from_bits(unsigned bits) { return bits & 1u; }
static inline v_double v_select(v_mask m, v_double a, v_double b) { return m ? a : b; }
static inline v_double v_gather(const void *base, const int64_t *offset) {
    double lane;
    memcpy(&lane, (const char *)base + *offset, sizeof lane);
    return lane;
}
#else
#error "define one of GZ_SIMD_SCALAR, GZ_SIMD_AVX2, GZ_SIMD_AVX512, GZ_SIMD_NEON before including simd.h"
#endif

/* for kernels that are also compiled for float32, with simd_f32.h */
typedef double v_element;
typedef v_double v_real;

/* lane i of x, y, z from p[i][0], p[i][1], p[i][2]; nothing else is read */
static inline void v_load3(const double *const p[V_WIDTH], v_double *x, v_double *y, v_double *z) {
    gz_load_rows(p, x, y, z);
}

#ifndef GZ_SIMD_AVX512
static inline v_double v_max_abs(v_double a, v_double b) { return v_max(v_abs(a), v_abs(b)); }
#endif

#define V_ALL_LANES ((1u << V_WIDTH) - 1u)
static inline v_mask v_gt(v_double a, v_double b) { return v_lt(b, a); }
static inline v_mask v_ge(v_double a, v_double b) { return v_le(b, a); }

/* GZ_ISA_NAME(foo) is foo_avx2 and so on: the name of a kernel in this translation unit */
#define GZ_PASTE_(a, b) a##_##b
#define GZ_PASTE(a, b) GZ_PASTE_(a, b)
#define GZ_ISA_NAME(name) GZ_PASTE(name, GZ_SIMD_SUFFIX)

#endif
