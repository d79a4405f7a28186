/* Every box against every box, eight at a time: the yardstick for all others. */
#ifndef GZ_BROAD_BRUTE_H
#define GZ_BROAD_BRUTE_H

#include "broad/blocks.h"
#include "broad/broad.h"

typedef struct gz_brute_job {
    const gz_broad_call *call;
    const gz_block *blocks; /* of set b, in order */
} gz_brute_job;

/* Boxes [begin, end) of set a against all of set b; self: against those after them. */
typedef void gz_brute_kernel(const gz_brute_job *job, size_t begin, size_t end, gz_emitter *emitter);
gz_brute_kernel gz_brute_scalar, gz_brute_avx2, gz_brute_avx512, gz_brute_neon;

#endif
