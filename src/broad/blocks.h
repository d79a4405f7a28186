/* Boxes in blocks of eight, coordinate by coordinate, so that one box is tested against eight at once. */
#ifndef GZ_BROAD_BLOCKS_H
#define GZ_BROAD_BLOCKS_H

#include "broad/boxes.h"

#define GZ_BLOCK 8u

typedef struct gz_block {
    double lo[3][GZ_BLOCK], hi[3][GZ_BLOCK];
} gz_block;

static inline size_t gz_block_count(size_t items) { return items / GZ_BLOCK + (items % GZ_BLOCK != 0); }

static inline void gz_block_set(gz_block *block, unsigned lane, const gz_box *box) {
    for (int c = 0; c < 3; c++) {
        block->lo[c][lane] = box->lo[c];
        block->hi[c][lane] = box->hi[c];
    }
}

/* Lanes from `used` on meet nothing: every comparison with NaN is false. */
static inline void gz_block_pad(gz_block *block, unsigned used) {
    static const gz_box nothing = {{NAN, NAN, NAN}, {NAN, NAN, NAN}};
    for (unsigned lane = used; lane < GZ_BLOCK; lane++) gz_block_set(block, lane, &nothing);
}

#endif
