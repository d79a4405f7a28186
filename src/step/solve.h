/* Pairs of a mesh, answered by the narrow phase. */
#ifndef GZ_STEP_SOLVE_H
#define GZ_STEP_SOLVE_H

#include "step/call.h"

/* The largest distance that counts as contact for this pair: the separation, and the vertices' thickness. */
double gz_pair_separation(const gz_step_call *call, graze_kind kind, const uint32_t ids[4]);

/* The largest difference of two coordinates of a pair on one axis at the start. */
double gz_start_size(graze_kind kind, const gz_positions *positions, const uint32_t ids[4]);

/* The radii of a pair's rows; all 0 without thickness. */
void gz_pair_radii(const gz_step_call *call, const uint32_t ids[4], double radii[4]);

/* Answers a block of pairs of one kind on the calling worker. `ids` is room for as many rows; `follow` as in
   gz_narrow_call. Returns how many are not CLEAR. */
size_t gz_step_solve(const gz_step_call *call, uint32_t worker, gz_counts *counts, graze_kind kind, double *follow,
                     const uint32_t (*pairs)[2], size_t count, uint32_t (*ids)[4], graze_result *results);

/* As gz_step_solve, but for pairs given by their vertices, in the order of a query's rows. */
size_t gz_step_solve_ids(const gz_step_call *call, uint32_t worker, gz_counts *counts, graze_kind kind, double *follow,
                         const uint32_t (*ids)[4], size_t count, graze_result *results);

#endif
