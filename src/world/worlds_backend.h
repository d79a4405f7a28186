/* Many worlds in one step on a back end. */
#ifndef GZ_WORLD_WORLDS_BACKEND_H
#define GZ_WORLD_WORLDS_BACKEND_H

#include "world/worlds.h"

/* NULL, or why the back end does not answer this call. */
const char *gz_worlds_unsuited(const gz_worlds_call *call);

/* All worlds by one step on the back end. `answered` stays false where a motion or a position is wrong: then each world
   has to be asked for itself. Where positions are on the device `rows` then has those of the joined mesh on the host,
   x0 and then x1, until the next call of the context; NULL where they are not known. */
graze_status gz_worlds_by_backend(const gz_worlds_call *call, bool *answered, const double (**rows)[3]);

/* Lets motions, copies of those of the call, read such rows. */
void gz_worlds_read_rows(const gz_worlds_call *call, const double (*rows)[3], graze_body_motion *motions);

#endif
