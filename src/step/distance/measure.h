/* Distance and closest points of pairs at rest. */
#ifndef GZ_STEP_MEASURE_H
#define GZ_STEP_MEASURE_H

#include "graze/distance.h"

#include "base/context.h"
#include "numerics/vec3.h"
#include "pair/parting_job.h"

/* Rows of a query, finite and at most GRAZE_MAX_COORDINATE. The bits of graze_distance. */
void gz_measure(graze_kind kind, const gz_vec3 rows[4], graze_distance_result *result);

/* The same for at most GZ_PARTING_BLOCK pairs of one kind, any kind, at t = 0. */
void gz_measure_block(const graze_context *context, const gz_parting_job *job, graze_distance_result *results);

#endif
