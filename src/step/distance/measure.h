/* Distances and closest points of pairs at rest, many at once. */
#ifndef GZ_STEP_MEASURE_H
#define GZ_STEP_MEASURE_H

#include "base/context.h"
#include "pair/near.h"
#include "pair/parting_job.h"

/* gz_measure for at most GZ_PARTING_BLOCK pairs of one kind, any kind, at t = 0. */
void gz_measure_block(const graze_context *context, const gz_parting_job *job, graze_distance_result *results);

#endif
