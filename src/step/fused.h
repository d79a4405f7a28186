/* The fused step from the inside: what its ways to find the pairs share. */
#ifndef GZ_STEP_FUSED_H
#define GZ_STEP_FUSED_H

#include "step/call.h"

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
    bool coarse;           /* pairs may come whose boxes only nearly meet */
    _Atomic uint64_t best; /* bits of a double ≥ 0: they order as it does */
    atomic_bool stopped;
} gz_fused;

/* Answers pairs of one kind and takes what limits the step; a gz_sink. */
gz_sink gz_fused_block;

/* The least toi found so far; INFINITY where nothing is. */
double gz_fused_best(const gz_fused *f);

/* Every pair, by a tree that shrinks with the window. False when there is no memory. */
bool gz_fused_rounds(gz_fused *f);

#endif
