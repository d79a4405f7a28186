/* Positions in float for the first look at pairs: pair/far.h. */
#ifndef GZ_STEP_FLOAT_LOOK_H
#define GZ_STEP_FLOAT_LOOK_H

#include "pair/far.h"
#include "step/call.h"

/* True if a pair that is apart by more than separation and tolerance on a window has no toi in it, whatever else is
   asked: docs/numerics.md, section 4.14. */
bool gz_far_serves(const gz_step_call *call);

/* Makes room for the positions, where that serves. Else, and when there is no memory, false. */
bool gz_far_open(const gz_step_call *call);

/* After gz_tree_renew. */
gz_far_job gz_far_job_of(const gz_step_call *call);

/* After gz_tree_renew, where gz_far_open was true: what gz_bvh_job.beside may be. */
float gz_far_beside(const gz_step_call *call);

/* Both for the whole step, where boxes in double are kept. False as gz_far_open. */
bool gz_far_make(const gz_step_call *call, gz_far_job *job);

/* Writes the vertex–face or edge–edge pairs that are not plainly apart to `left` and counts the others. Returns how
   many are left. */
size_t gz_far_drop(const gz_step_call *call, const gz_far_job *job, graze_kind kind, const uint32_t (*pairs)[2],
                   size_t count, uint32_t (*left)[2], gz_counts *counts);

#endif
