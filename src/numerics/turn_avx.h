/* Rows of eight floats, the first three of each half, to columns: for AVX2 and AVX-512. */
#ifndef GZ_NUMERICS_TURN_AVX_H
#define GZ_NUMERICS_TURN_AVX_H

#include <immintrin.h>

/* Column c of the low half of four rows, then that of the high half. */
static GZ_INLINE void turn_four_rows(const __m256 row[4], __m256 x[3]) {
    __m256 xy01 = _mm256_unpacklo_ps(row[0], row[1]), xy23 = _mm256_unpacklo_ps(row[2], row[3]);
    __m256 z01 = _mm256_unpackhi_ps(row[0], row[1]), z23 = _mm256_unpackhi_ps(row[2], row[3]);
    x[0] = _mm256_shuffle_ps(xy01, xy23, 0x44);
    x[1] = _mm256_shuffle_ps(xy01, xy23, 0xee);
    x[2] = _mm256_shuffle_ps(z01, z23, 0x44);
}

/* Columns 0 to 2, and 4 to 6, of eight rows. */
static GZ_INLINE void turn_eight_rows(const __m256 row[8], __m256 low[3], __m256 high[3]) {
    __m256 x[2][3];
    turn_four_rows(row, x[0]);
    turn_four_rows(row + 4, x[1]);
    for (int c = 0; c < 3; c++) {
        low[c] = _mm256_permute2f128_ps(x[0][c], x[1][c], 0x20);
        high[c] = _mm256_permute2f128_ps(x[0][c], x[1][c], 0x31);
    }
}

#endif
