/* Two parallel planes that part a pair at t = 0, more than the separation from each other, with one primitive behind
   each: blocks of pairs in lanes, what does not fit those one by one. docs/numerics.md, section 3. */
#ifndef GZ_STEP_PARTING_H
#define GZ_STEP_PARTING_H

#include "pair/parting_job.h"
#include "step/call.h"

static inline bool gz_parting_in_lanes(const gz_step_call *call, graze_kind kind) {
    return kind <= GRAZE_EE && !call->mesh->thickness;
}

typedef struct gz_parted_block {
    uint32_t ids[GZ_PARTING_BLOCK][4];
    unsigned char parted[GZ_PARTING_BLOCK]; /* a gz_parting; none is left when the block is done */
    double stops[4][GZ_PARTING_BLOCK];      /* by row: the largest fraction of its way for which it stays behind */
} gz_parted_block;

/* An upper bound of ⟨n, x⟩ for every x of a ball whose middle `x` was rounded from; with `sign` −1 of its negative.
   `radius` is that of the ball, times ‖n‖ rounded up. */
double gz_reach(const double n[3], const double x[3], double radius, double sign);

/* For at most GZ_PARTING_BLOCK pairs: whether one direction proves that each is farther apart than separation and
   thickness at t = 0. Stops are not set. */
void gz_block_parted(const gz_step_call *call, graze_kind kind, const uint32_t (*pairs)[2], size_t count,
                     gz_parted_block *block);

/* As gz_block_parted, and sets where the rows stop; at 0 where the pair is not parted. */
void gz_block_stops(const gz_step_call *call, graze_kind kind, const uint32_t (*pairs)[2], size_t count,
                    gz_parted_block *block);

#endif
