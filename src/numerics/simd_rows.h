/* Rows of three doubles into lanes: lane i of x, y, z from p[i][0], p[i][1], p[i][2]; nothing else is read. For the
   instruction set that simd.h names. */
#ifndef GZ_NUMERICS_SIMD_ROWS_H
#define GZ_NUMERICS_SIMD_ROWS_H

#if defined(GZ_SIMD_AVX512)
#include <immintrin.h>
static inline void gz_load_rows(const double *const p[8], __m512d *x, __m512d *y, __m512d *z) {
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

#elif defined(GZ_SIMD_AVX2)
#include <immintrin.h>
static inline void gz_load_rows(const double *const p[4], __m256d *x, __m256d *y, __m256d *z) {
    const __m256i three = _mm256_setr_epi64x(-1, -1, -1, 0);
    __m256d r0 = _mm256_maskload_pd(p[0], three), r1 = _mm256_maskload_pd(p[1], three);
    __m256d r2 = _mm256_maskload_pd(p[2], three), r3 = _mm256_maskload_pd(p[3], three);
    __m256d xz01 = _mm256_unpacklo_pd(r0, r1), xz23 = _mm256_unpacklo_pd(r2, r3);
    *x = _mm256_permute2f128_pd(xz01, xz23, 0x20);
    *y = _mm256_permute2f128_pd(_mm256_unpackhi_pd(r0, r1), _mm256_unpackhi_pd(r2, r3), 0x20);
    *z = _mm256_permute2f128_pd(xz01, xz23, 0x31);
}

#elif defined(GZ_SIMD_NEON)
#include <arm_neon.h>
static inline void gz_load_rows(const double *const p[2], float64x2_t *x, float64x2_t *y, float64x2_t *z) {
    float64x2_t a = vld1q_f64(p[0]), b = vld1q_f64(p[1]);
    *x = vzip1q_f64(a, b);
    *y = vzip2q_f64(a, b);
    *z = vsetq_lane_f64(p[1][2], vdupq_n_f64(p[0][2]), 1);
}

#else
static inline void gz_load_rows(const double *const p[1], double *x, double *y, double *z) {
    *x = p[0][0];
    *y = p[0][1];
    *z = p[0][2];
}
#endif

#endif
