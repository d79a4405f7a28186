/* Motions of bodies up to a part of the way, in doubles that a caller goes on from. */
#ifndef GZ_WORLD_MOTION_TO_H
#define GZ_WORLD_MOTION_TO_H

#include "graze/world_to.h"

#include "articulated/world/world.h"

/* `count` motions like those of a call, with room for the numbers that change. NULL: no memory. */
typedef struct gz_motions_to gz_motions_to;

/* `given`: motions of a call that a step has answered. `why` becomes not NULL where one of them has no part. */
gz_motions_to *gz_motions_to_open(graze_context *context, const graze_world *world, const graze_body_motion *given,
                                  size_t count, const char **why);
/* NULL is fine. */
void gz_motions_to_close(graze_context *context, gz_motions_to *to);

/* Numbers of the part [0, alpha], rounded. 0: the end is the start, 1: it is that of the motions given. False where
   nothing moves from the start. */
bool gz_motions_to_set(gz_motions_to *to, double alpha);

/* True if the part [0, 1] is what was given, and not a motion of its own. */
bool gz_motions_to_are_whole(const gz_motions_to *to);

const graze_body_motion *gz_motions_to_list(const gz_motions_to *to);

/* All of them standing at their ends, in the same numbers: the start of the next step. */
const graze_body_motion *gz_motions_to_rest(gz_motions_to *to);

#endif
