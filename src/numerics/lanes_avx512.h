/* lanes.h for AVX-512. */
#ifndef GZ_NUMERICS_LANES_AVX512_H
#define GZ_NUMERICS_LANES_AVX512_H

#include <immintrin.h>

enum { d_width = 8 };
typedef __m512d d_real;
typedef __mmask8 d_mask;
static GZ_INLINE d_real d_load(const double *p) { return _mm512_loadu_pd(p); }
static GZ_INLINE void d_store(double *p, d_real a) { _mm512_storeu_pd(p, a); }
static GZ_INLINE d_real d_set1(double a) { return _mm512_set1_pd(a); }
static GZ_INLINE d_real d_add(d_real a, d_real b) { return _mm512_add_pd(a, b); }
static GZ_INLINE d_real d_sub(d_real a, d_real b) { return _mm512_sub_pd(a, b); }
static GZ_INLINE d_real d_mul(d_real a, d_real b) { return _mm512_mul_pd(a, b); }
static GZ_INLINE d_real d_div(d_real a, d_real b) { return _mm512_div_pd(a, b); }
static GZ_INLINE d_real d_sqrt(d_real a) { return _mm512_sqrt_pd(a); }
static GZ_INLINE d_real d_min(d_real a, d_real b) { return _mm512_min_pd(a, b); }
static GZ_INLINE d_real d_max(d_real a, d_real b) { return _mm512_max_pd(a, b); }
static GZ_INLINE d_real d_abs(d_real a) { return _mm512_abs_pd(a); }
static GZ_INLINE d_real d_max_abs(d_real a, d_real b) { return _mm512_range_pd(a, b, 0x0b); }
static GZ_INLINE d_mask d_lt(d_real a, d_real b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
static GZ_INLINE d_mask d_le(d_real a, d_real b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
static GZ_INLINE d_mask d_eq(d_real a, d_real b) { return _mm512_cmp_pd_mask(a, b, _CMP_EQ_OQ); }
static GZ_INLINE d_mask d_m_and(d_mask a, d_mask b) { return (d_mask)(a & b); }
static GZ_INLINE unsigned d_m_bits(d_mask a) { return a; }
static GZ_INLINE d_real d_select(d_mask m, d_real a, d_real b) { return _mm512_mask_blend_pd(m, b, a); }
static GZ_INLINE d_real d_neg(d_real a) { return _mm512_xor_pd(a, _mm512_set1_pd(-0.0)); }
static GZ_INLINE d_mask d_m_or(d_mask a, d_mask b) { return (d_mask)(a | b); }
static GZ_INLINE d_mask d_m_from_bits(unsigned bits) { return (d_mask)bits; }
static GZ_INLINE d_real d_scale_of(d_real size) {
    __m512i exponent = _mm512_and_si512(_mm512_castpd_si512(size), _mm512_set1_epi64(0x7ff0000000000000));
    return _mm512_castsi512_pd(_mm512_sub_epi64(_mm512_set1_epi64(0x7fe0000000000000), exponent));
}
static GZ_INLINE void d_load3(const double *const p[8], d_real *x, d_real *y, d_real *z) {
    __m512d row[4];
    for (int i = 0; i < 4; i++)
        row[i] = _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_maskz_loadu_pd(7, p[i])),
                                    _mm256_maskz_loadu_pd(7, p[i + 4]), 1);
    __m512d xz01 = _mm512_unpacklo_pd(row[0], row[1]), xz23 = _mm512_unpacklo_pd(row[2], row[3]);
    __m512d y01 = _mm512_unpackhi_pd(row[0], row[1]), y23 = _mm512_unpackhi_pd(row[2], row[3]);
    const __m512i even = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
    const __m512i odd = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
    *x = _mm512_permutex2var_pd(xz01, even, xz23);
    *y = _mm512_permutex2var_pd(y01, even, y23);
    *z = _mm512_permutex2var_pd(xz01, odd, xz23);
}

enum { f_width = 16 };
typedef __m512 f_real;
typedef __mmask16 f_mask;
static GZ_INLINE f_real f_load(const float *p) { return _mm512_loadu_ps(p); }
static GZ_INLINE void f_store(float *p, f_real a) { _mm512_storeu_ps(p, a); }
static GZ_INLINE f_real f_set1(float a) { return _mm512_set1_ps(a); }
static GZ_INLINE f_real f_add(f_real a, f_real b) { return _mm512_add_ps(a, b); }
static GZ_INLINE f_real f_sub(f_real a, f_real b) { return _mm512_sub_ps(a, b); }
static GZ_INLINE f_real f_mul(f_real a, f_real b) { return _mm512_mul_ps(a, b); }
static GZ_INLINE f_real f_div(f_real a, f_real b) { return _mm512_div_ps(a, b); }
static GZ_INLINE f_real f_sqrt(f_real a) { return _mm512_sqrt_ps(a); }
static GZ_INLINE f_real f_min(f_real a, f_real b) { return _mm512_min_ps(a, b); }
static GZ_INLINE f_real f_max(f_real a, f_real b) { return _mm512_max_ps(a, b); }
static GZ_INLINE f_real f_abs(f_real a) { return _mm512_abs_ps(a); }
static GZ_INLINE f_real f_max_abs(f_real a, f_real b) { return _mm512_range_ps(a, b, 0x0b); }
static GZ_INLINE f_mask f_lt(f_real a, f_real b) { return _mm512_cmp_ps_mask(a, b, _CMP_LT_OQ); }
static GZ_INLINE f_mask f_le(f_real a, f_real b) { return _mm512_cmp_ps_mask(a, b, _CMP_LE_OQ); }
static GZ_INLINE f_mask f_eq(f_real a, f_real b) { return _mm512_cmp_ps_mask(a, b, _CMP_EQ_OQ); }
static GZ_INLINE f_mask f_m_and(f_mask a, f_mask b) { return (f_mask)(a & b); }
static GZ_INLINE unsigned f_m_bits(f_mask a) { return a; }
static GZ_INLINE f_real f_select(f_mask m, f_real a, f_real b) { return _mm512_mask_blend_ps(m, b, a); }
static GZ_INLINE f_real f_scale_of(f_real size) {
    __m512i exponent = _mm512_and_si512(_mm512_castps_si512(size), _mm512_set1_epi32(0x7f800000));
    return _mm512_castsi512_ps(_mm512_sub_epi32(_mm512_set1_epi32(0x7f000000), exponent));
}
typedef __m256 f_part;
static GZ_INLINE f_part f_narrow_sub(d_real a, d_real b) { return _mm512_cvtpd_ps(_mm512_sub_pd(a, b)); }
static GZ_INLINE f_real f_join(const f_part p[2]) { return _mm512_insertf32x8(_mm512_castps256_ps512(p[0]), p[1], 1); }

/* x, y and z of eight lanes, start and end */
static GZ_INLINE void f_turn_ends(const __m512 row[4], __m512 x[3]) {
    __m512 xy01 = _mm512_unpacklo_ps(row[0], row[1]), xy23 = _mm512_unpacklo_ps(row[2], row[3]);
    __m512 z01 = _mm512_unpackhi_ps(row[0], row[1]), z23 = _mm512_unpackhi_ps(row[2], row[3]);
    x[0] = _mm512_shuffle_ps(xy01, xy23, 0x44);
    x[1] = _mm512_shuffle_ps(xy01, xy23, 0xee);
    x[2] = _mm512_shuffle_ps(z01, z23, 0x44);
}
static GZ_INLINE __m512 f_two_ends(const float *p, const float *q) {
    return _mm512_insertf32x8(_mm512_castps256_ps512(_mm256_loadu_ps(p)), _mm256_loadu_ps(q), 1);
}
static GZ_INLINE void f_sub_ends(const float *const a[16], const float *const b[16], f_real start[3], f_real end[3]) {
    __m512 row[8], x[2][3];
    /* rows of lanes i and i + 4 together: the lanes come out in their order */
    for (int i = 0; i < 8; i++) {
        int lane = i + i / 4 * 4;
        row[i] = _mm512_sub_ps(f_two_ends(b[lane], b[lane + 4]), f_two_ends(a[lane], a[lane + 4]));
    }
    f_turn_ends(row, x[0]);
    f_turn_ends(row + 4, x[1]);
    for (int c = 0; c < 3; c++) {
        start[c] = _mm512_shuffle_f32x4(x[0][c], x[1][c], 0x88);
        end[c] = _mm512_shuffle_f32x4(x[0][c], x[1][c], 0xdd);
    }
}

#endif
