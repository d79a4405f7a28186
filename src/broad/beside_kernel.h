/* Edges whose boxes meet although they lie side by side, as neighbors on a surface do: a direction across one of them
   tells them apart. An edge is nearly the diagonal of its box, and the leaf knows which one; so nothing but boxes is
   read. docs/numerics.md, section 4.15. */
#ifndef GZ_BROAD_BESIDE_KERNEL_H
#define GZ_BROAD_BESIDE_KERNEL_H

#include "broad/tree.h"
#include "numerics/error_bounds.h"
#include "numerics/lanes.h"

/* Eight edges: twice their centers, twice the halves of their diagonals, and these over their squared length. */
typedef struct beside_block {
    float centre[3][GZ_BLOCK], half[3][GZ_BLOCK], along[3][GZ_BLOCK];
} beside_block;

static GZ_INLINE float beside_sign(unsigned down, unsigned lane, float x) { return down >> lane & 1u ? -x : x; }

/* `block` has the boxes of the leaf; the high ends are negated. */
static GZ_INLINE void beside_prepare(const gz_rough_block *block, const gz_leaf *leaf, beside_block *edges) {
    for (unsigned i = 0; i < GZ_BLOCK; i++) {
        float square = 0;
        for (int c = 0; c < 3; c++) {
            float half = -block->side[3 + c][i] - block->side[c][i];
            edges->centre[c][i] = block->side[c][i] - block->side[3 + c][i];
            edges->half[c][i] = c ? beside_sign(leaf->down[c - 1], i, half) : half;
            square += half * half;
        }
        float over = 1 / (square > GZ_LEAST_DIVISOR_F32 ? square : GZ_LEAST_DIVISOR_F32); /* any direction will do */
        for (int c = 0; c < 3; c++) edges->along[c][i] = edges->half[c][i] * over;
    }
}

/* Bit i: lane i of the block is apart from that edge of a. A loop without branches, so that the compiler works on eight
   at once. */
static GZ_INLINE unsigned beside_lanes(const gz_rough_block *block, const gz_leaf *leaf, const beside_block *a,
                                       unsigned lane, float slack) {
    float above[GZ_BLOCK];
    float ax = a->centre[0][lane], ay = a->centre[1][lane], az = a->centre[2][lane];
    float ux = a->half[0][lane], uy = a->half[1][lane], uz = a->half[2][lane];
    float kx = a->along[0][lane], ky = a->along[1][lane], kz = a->along[2][lane];
    unsigned down_y = leaf->down[0], down_z = leaf->down[1];
    for (unsigned i = 0; i < GZ_BLOCK; i++) {
        float vx = block->side[0][i] + block->side[3][i];
        float vy = beside_sign(down_y, i, block->side[1][i] + block->side[4][i]);
        float vz = beside_sign(down_z, i, block->side[2][i] + block->side[5][i]);
        float dx = block->side[0][i] - block->side[3][i] - ax, dy = block->side[1][i] - block->side[4][i] - ay,
              dz = block->side[2][i] - block->side[5][i] - az;
        float k = dx * kx + dy * ky + dz * kz;
        float x = dx - k * ux, y = dy - k * uy, z = dz - k * uz;
        float reach = fabsf(x * ux + y * uy + z * uz) + fabsf(x * vx + y * vy + z * vz);
        above[i] = x * dx + y * dy + z * dz - (reach + ((fabsf(x) + fabsf(y) + fabsf(z)) * slack + GZ_DOT_TINY_F32));
    }
    unsigned bits = 0;
#if defined(GZ_SIMD_AVX2) || defined(GZ_SIMD_AVX512)
    bits = (unsigned)_mm256_movemask_ps(_mm256_cmp_ps(_mm256_setzero_ps(), _mm256_loadu_ps(above), _CMP_LT_OQ));
#else
    for (unsigned i = 0; i < GZ_BLOCK; i++) bits |= (unsigned)(above[i] > 0) << i;
#endif
    return bits;
}

#endif
