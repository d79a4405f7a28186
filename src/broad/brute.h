/* Every box against every box, eight at a time: the yardstick for all others. */
#ifndef GZ_BROAD_BRUTE_H
#define GZ_BROAD_BRUTE_H

#include "broad/broad.h"

typedef struct gz_brute_job {
    const gz_broad_call *call;
    const gz_block *blocks; /* of set b, in order */
} gz_brute_job;

#endif
