/* One box against a block: what the kernels of the broad phase share. */
#ifndef GZ_BROAD_BLOCKS_KERNEL_H
#define GZ_BROAD_BLOCKS_KERNEL_H

#include "broad/rough.h"
#include "numerics/lanes.h"

#include <stdbool.h>

/* Bit i: lane i of the block meets the box. */
static GZ_INLINE unsigned block_meets(const gz_block *block, const gz_box *box) {
    d_real lo[3], hi[3];
    for (int c = 0; c < 3; c++) {
        lo[c] = d_set1(box->lo[c]);
        hi[c] = d_set1(box->hi[c]);
    }
    unsigned bits = 0;
    for (unsigned i = 0; i < GZ_BLOCK; i += d_width) {
        d_mask m = d_m_and(d_le(d_load(block->lo[0] + i), hi[0]), d_le(lo[0], d_load(block->hi[0] + i)));
        m = d_m_and(m, d_m_and(d_le(d_load(block->lo[1] + i), hi[1]), d_le(lo[1], d_load(block->hi[1] + i))));
        m = d_m_and(m, d_m_and(d_le(d_load(block->lo[2] + i), hi[2]), d_le(lo[2], d_load(block->hi[2] + i))));
        bits |= d_m_bits(m) << i;
    }
    return bits;
}

/* As block_meets, but for rough boxes; limit[i × stride] are the sides of the box. `strict`, a constant at every call:
   only lanes that meet by more than a point or a face. */
static GZ_INLINE unsigned rough_compare(const gz_rough_block *block, const float *limit, size_t stride, bool strict) {
#if defined(GZ_SIMD_AVX512) /* half a vector */
    __m256 all = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    for (size_t i = 0; i < 6; i++) {
        __m256 side = _mm256_loadu_ps(block->side[i]), most = _mm256_broadcast_ss(limit + i * stride);
        all =
            _mm256_and_ps(all, strict ? _mm256_cmp_ps(side, most, _CMP_LT_OQ) : _mm256_cmp_ps(side, most, _CMP_LE_OQ));
    }
    return (unsigned)_mm256_movemask_ps(all);
#else
    unsigned bits = 0;
    for (unsigned first = 0; first < GZ_BLOCK; first += f_width) {
        f_mask all = f_eq(f_set1(0), f_set1(0));
        for (size_t i = 0; i < 6; i++) {
            f_real side = f_load(block->side[i] + first), most = f_set1(limit[i * stride]);
            all = f_m_and(all, strict ? f_lt(side, most) : f_le(side, most));
        }
        bits |= f_m_bits(all) << first;
    }
    return bits;
#endif
}

static GZ_INLINE unsigned rough_meets(const gz_rough_block *block, const float *limit, size_t stride) {
    return rough_compare(block, limit, stride, false);
}

/* Writes base + lane for every set bit to `out`, which has room for eight more; returns how many. Without branches:
   the bits are as good as random. */
static GZ_INLINE unsigned append_lanes(uint32_t *out, uint32_t base, unsigned bits) {
#if defined(GZ_SIMD_AVX512)
    __m256i lanes = _mm256_add_epi32(_mm256_set1_epi32((int)base), _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
    _mm256_storeu_si256((__m256i *)(void *)out, _mm256_maskz_compress_epi32((__mmask8)bits, lanes));
    return (unsigned)__builtin_popcount(bits);
#else
    unsigned count = 0;
    for (unsigned lane = 0; lane < GZ_BLOCK; lane++) {
        out[count] = base + lane;
        count += bits >> lane & 1u;
    }
    return count;
#endif
}

/* Bit i: one of the `rows` ids of lane i is among the `count` ids of the other primitive, ids[k × stride]. */
static GZ_INLINE unsigned lanes_sharing(const uint32_t (*lanes)[GZ_BLOCK], int rows, const uint32_t *ids, size_t stride,
                                        int count) {
#if defined(GZ_SIMD_AVX2) || defined(GZ_SIMD_AVX512)
    __m256i equal = _mm256_setzero_si256();
    for (int q = 0; q < rows; q++) {
        __m256i row = _mm256_loadu_si256((const __m256i *)(const void *)lanes[q]);
        for (int p = 0; p < count; p++)
            equal = _mm256_or_si256(equal, _mm256_cmpeq_epi32(row, _mm256_set1_epi32((int)ids[(size_t)p * stride])));
    }
    return (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(equal));
#else
    unsigned bits = 0;
    for (int q = 0; q < rows; q++)
        for (int p = 0; p < count; p++)
            for (unsigned lane = 0; lane < GZ_BLOCK; lane++)
                bits |= (unsigned)(lanes[q][lane] == ids[(size_t)p * stride]) << lane;
    return bits;
#endif
}

#endif
