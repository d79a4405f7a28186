/* lanes.h for AVX2. */
#ifndef GZ_NUMERICS_LANES_AVX2_H
#define GZ_NUMERICS_LANES_AVX2_H

#include "numerics/turn_avx.h"

enum { d_width = 4 };
typedef __m256d d_real;
typedef __m256d d_mask;
static GZ_INLINE d_real d_load(const double *p) { return _mm256_loadu_pd(p); }
static GZ_INLINE void d_store(double *p, d_real a) { _mm256_storeu_pd(p, a); }
static GZ_INLINE d_real d_set1(double a) { return _mm256_set1_pd(a); }
static GZ_INLINE d_real d_add(d_real a, d_real b) { return _mm256_add_pd(a, b); }
static GZ_INLINE d_real d_sub(d_real a, d_real b) { return _mm256_sub_pd(a, b); }
static GZ_INLINE d_real d_mul(d_real a, d_real b) { return _mm256_mul_pd(a, b); }
static GZ_INLINE d_real d_div(d_real a, d_real b) { return _mm256_div_pd(a, b); }
static GZ_INLINE d_real d_sqrt(d_real a) { return _mm256_sqrt_pd(a); }
static GZ_INLINE d_real d_min(d_real a, d_real b) { return _mm256_min_pd(a, b); }
static GZ_INLINE d_real d_max(d_real a, d_real b) { return _mm256_max_pd(a, b); }
static GZ_INLINE d_real d_abs(d_real a) { return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a); }
static GZ_INLINE d_mask d_lt(d_real a, d_real b) { return _mm256_cmp_pd(a, b, _CMP_LT_OQ); }
static GZ_INLINE d_mask d_le(d_real a, d_real b) { return _mm256_cmp_pd(a, b, _CMP_LE_OQ); }
static GZ_INLINE d_mask d_eq(d_real a, d_real b) { return _mm256_cmp_pd(a, b, _CMP_EQ_OQ); }
static GZ_INLINE d_mask d_m_and(d_mask a, d_mask b) { return _mm256_and_pd(a, b); }
static GZ_INLINE unsigned d_m_bits(d_mask a) { return (unsigned)_mm256_movemask_pd(a); }
static GZ_INLINE d_real d_select(d_mask m, d_real a, d_real b) { return _mm256_blendv_pd(b, a, m); }
static GZ_INLINE d_real d_neg(d_real a) { return _mm256_xor_pd(a, _mm256_set1_pd(-0.0)); }
static GZ_INLINE d_mask d_m_or(d_mask a, d_mask b) { return _mm256_or_pd(a, b); }
static GZ_INLINE d_mask d_m_from_bits(unsigned bits) {
    __m256i lane = _mm256_set_epi64x(8, 4, 2, 1);
    return _mm256_castsi256_pd(_mm256_cmpeq_epi64(_mm256_and_si256(_mm256_set1_epi64x((long long)bits), lane), lane));
}
static GZ_INLINE d_real d_scale_of(d_real size) {
    __m256i exponent = _mm256_and_si256(_mm256_castpd_si256(size), _mm256_set1_epi64x(0x7ff0000000000000));
    return _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_set1_epi64x(0x7fe0000000000000), exponent));
}
static GZ_INLINE void d_load3(const double *const p[4], d_real *x, d_real *y, d_real *z) {
    const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
    __m256d r0 = _mm256_maskload_pd(p[0], three), r1 = _mm256_maskload_pd(p[1], three);
    __m256d r2 = _mm256_maskload_pd(p[2], three), r3 = _mm256_maskload_pd(p[3], three);
    __m256d xz01 = _mm256_unpacklo_pd(r0, r1), xz23 = _mm256_unpacklo_pd(r2, r3);
    *x = _mm256_permute2f128_pd(xz01, xz23, 0x20);
    *y = _mm256_permute2f128_pd(_mm256_unpackhi_pd(r0, r1), _mm256_unpackhi_pd(r2, r3), 0x20);
    *z = _mm256_permute2f128_pd(xz01, xz23, 0x31);
}

enum { f_width = 8 };
typedef __m256 f_real;
typedef __m256 f_mask;
static GZ_INLINE f_real f_load(const float *p) { return _mm256_loadu_ps(p); }
static GZ_INLINE void f_store(float *p, f_real a) { _mm256_storeu_ps(p, a); }
static GZ_INLINE f_real f_set1(float a) { return _mm256_set1_ps(a); }
static GZ_INLINE f_real f_add(f_real a, f_real b) { return _mm256_add_ps(a, b); }
static GZ_INLINE f_real f_sub(f_real a, f_real b) { return _mm256_sub_ps(a, b); }
static GZ_INLINE f_real f_mul(f_real a, f_real b) { return _mm256_mul_ps(a, b); }
static GZ_INLINE f_real f_div(f_real a, f_real b) { return _mm256_div_ps(a, b); }
static GZ_INLINE f_real f_sqrt(f_real a) { return _mm256_sqrt_ps(a); }
static GZ_INLINE f_real f_min(f_real a, f_real b) { return _mm256_min_ps(a, b); }
static GZ_INLINE f_real f_max(f_real a, f_real b) { return _mm256_max_ps(a, b); }
static GZ_INLINE f_real f_abs(f_real a) { return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a); }
static GZ_INLINE f_mask f_lt(f_real a, f_real b) { return _mm256_cmp_ps(a, b, _CMP_LT_OQ); }
static GZ_INLINE f_mask f_le(f_real a, f_real b) { return _mm256_cmp_ps(a, b, _CMP_LE_OQ); }
static GZ_INLINE f_mask f_eq(f_real a, f_real b) { return _mm256_cmp_ps(a, b, _CMP_EQ_OQ); }
static GZ_INLINE f_mask f_m_and(f_mask a, f_mask b) { return _mm256_and_ps(a, b); }
static GZ_INLINE unsigned f_m_bits(f_mask a) { return (unsigned)_mm256_movemask_ps(a); }
static GZ_INLINE f_real f_select(f_mask m, f_real a, f_real b) { return _mm256_blendv_ps(b, a, m); }
static GZ_INLINE f_real f_scale_of(f_real size) {
    __m256i exponent = _mm256_and_si256(_mm256_castps_si256(size), _mm256_set1_epi32(0x7f800000));
    return _mm256_castsi256_ps(_mm256_sub_epi32(_mm256_set1_epi32(0x7f000000), exponent));
}
typedef __m128 f_part;
static GZ_INLINE f_part f_narrow_sub(d_real a, d_real b) { return _mm256_cvtpd_ps(_mm256_sub_pd(a, b)); }
static GZ_INLINE f_real f_join(const f_part p[2]) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(p[0]), p[1], 1);
}

static GZ_INLINE void f_sub_ends(const float *const a[8], const float *const b[8], f_real start[3], f_real end[3]) {
    __m256 row[8];
    for (int i = 0; i < 8; i++) row[i] = _mm256_sub_ps(_mm256_loadu_ps(b[i]), _mm256_loadu_ps(a[i]));
    turn_eight_rows(row, start, end);
}

#endif
