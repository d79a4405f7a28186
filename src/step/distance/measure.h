/* Distance and closest points of one pair at rest. */
#ifndef GZ_STEP_MEASURE_H
#define GZ_STEP_MEASURE_H

#include "graze/distance.h"

#include "numerics/vec3.h"

/* Rows of a query, finite and at most GRAZE_MAX_COORDINATE. The bits of graze_distance. */
void gz_measure(graze_kind kind, const gz_vec3 rows[4], graze_distance_result *result);

#endif
