/* A single pose: whether links touch, or are inside each other. */
#ifndef GZ_ARTICULATED_WORLD_POSE_H
#define GZ_ARTICULATED_WORLD_POSE_H

#include "articulated/search.h"

/* Where motions begin; the answer is in the pairs, as of gz_search_run. */
graze_status gz_search_pose(gz_search *search, gz_motions motions);

#endif
