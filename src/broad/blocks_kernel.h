/* One box against a block. Included by the per-ISA kernels. */
#include "broad/blocks.h"
#include "numerics/simd.h"

/* Bit i: lane i of the block meets the box. */
static inline unsigned block_meets(const gz_block *block, const gz_box *box) {
    v_double lo[3], hi[3];
    for (int c = 0; c < 3; c++) {
        lo[c] = v_set1(box->lo[c]);
        hi[c] = v_set1(box->hi[c]);
    }
    unsigned bits = 0;
    for (unsigned i = 0; i < GZ_BLOCK; i += V_WIDTH) {
        v_mask m = m_and(v_le(v_load(block->lo[0] + i), hi[0]), v_le(lo[0], v_load(block->hi[0] + i)));
        m = m_and(m, m_and(v_le(v_load(block->lo[1] + i), hi[1]), v_le(lo[1], v_load(block->hi[1] + i))));
        m = m_and(m, m_and(v_le(v_load(block->lo[2] + i), hi[2]), v_le(lo[2], v_load(block->hi[2] + i))));
        bits |= m_bits(m) << i;
    }
    return bits;
}
