/* A step of a world from inside of a call. */
#ifndef GZ_WORLD_WORLD_STEP_H
#define GZ_WORLD_WORLD_STEP_H

#include "articulated/world/world.h"

/* Of motions that gz_world_check has seen; `result` holds the defaults, and on any status but GRAZE_OK still does. */
graze_status gz_world_answer(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                             size_t count, const graze_articulated_options *options, graze_articulated_result *result);

#endif
