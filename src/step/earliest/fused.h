/* The fused step from the inside: what the ways to find its pairs share. */
#ifndef GZ_STEP_EARLIEST_FUSED_H
#define GZ_STEP_EARLIEST_FUSED_H

#include "base/least.h"
#include "step/float_look.h"

#define GZ_RECENT 8u

typedef struct gz_fused_worker {
    gz_emitter emitters[GZ_KINDS];
    bool has_best;
    graze_pair_result best;
    struct {
        double toi;
        gz_seed pair;
    } recent[GZ_RECENT]; /* the last pairs that it found to touch: each of them was earlier than all before it, or tied
                          */
    uint32_t recent_count;
    uint32_t (*left)[2]; /* pairs that are not plainly apart */
    gz_counts counts;
    double narrow_seconds;
} gz_fused_worker;

typedef struct gz_fused {
    const gz_step_call *call;
    gz_traversal traversals[GZ_KINDS];
    gz_fused_worker *workers;
    uint32_t worker_count;
    uint32_t (*ids)[4];
    graze_result *results;
    bool looks; /* `far` is made, and drops pairs that are plainly apart */
    gz_far_job far;
    gz_least best;  /* the least toi found */
    gz_least first; /* mode EARLIEST: gz_pair_rank of the first pair found with toi 0; else GZ_RANK_NONE */
    atomic_bool stopped;
} gz_fused;

/* No toi is less than 0: once a pair has it, only pairs that come before it in the order of ties matter. */
uint64_t gz_fused_first(const gz_fused *f);

/* Answers pairs of one kind and takes what limits the step; a gz_sink. */
gz_sink gz_fused_block;

/* The least toi found so far; INFINITY where nothing is. */
double gz_fused_best(const gz_fused *f);

#endif
