/* The least distance of two links on one segment of a motion: branch and bound over time. */
#ifndef GZ_ARTICULATED_CLEARANCE_CLEAR_PAIR_H
#define GZ_ARTICULATED_CLEARANCE_CLEAR_PAIR_H

#include "articulated/distance/link_gap.h"

/* Findings so far for a pair of links. */
typedef struct gz_clear_pair {
    uint32_t first, second; /* the links, in the order of answers */
    gz_link_pair pair;
    double tolerance;
    double lower, upper; /* of the least distance beyond contact; upper INFINITY: not below what was asked */
    size_t segment;      /* where `upper` is */
    double time;
    uint64_t checks;
} gz_clear_pair;

/* A part of time, and where it is in a segment. */
typedef struct gz_clear_job {
    gz_frames *windows, *times; /* frames of the segment's motion, for windows and for single times */
    size_t segment;
    double begin, end;
    double cut; /* a pair that stays this far apart is of no interest */
    uint64_t max_checks;
} gz_clear_job;

/* Takes the segment in: `lower` and `upper` are then those of all segments up to this one. */
void gz_clear_pair_add(gz_clear_pair *pair, const gz_clear_job *job);

/* Proven: from begin to end the pair is at least `beyond` apart. */
bool gz_clear_pair_is_beyond(const gz_clear_pair *pair, const gz_clear_job *job, double beyond, uint64_t *checks);

#endif
