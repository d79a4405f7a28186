/* A single pose: whether links touch, or are inside each other. */
#ifndef GZ_ARTICULATED_WORLD_POSE_H
#define GZ_ARTICULATED_WORLD_POSE_H

#include "articulated/search.h"
#include "graze/world.h"

/* Tests the pose in which motions begin; the answer is in the pairs, as of gz_search_run. */
graze_status gz_search_pose(gz_search *search, gz_motions motions);

/* Checks that every call with a world makes of its motions. */
graze_status gz_world_motions_check(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                                    size_t count, gz_pieces written);
/* Motions of a search that is open for a world: one for each body that moves; those that are not listed stand at zeros.
 */
gz_motions gz_world_motions(gz_search *search, const graze_body_motion *motions, size_t first, size_t count);
/* As gz_world_motions(), but all bodies stand where those given begin. */
gz_motions gz_world_stand(gz_search *search, const graze_body_motion *pose, size_t count);

#endif
