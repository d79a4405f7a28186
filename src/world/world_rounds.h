/* The pairs of which one at least does not move straight: time is cut into windows, one round each. */
#ifndef GZ_WORLD_WORLD_ROUNDS_H
#define GZ_WORLD_WORLD_ROUNDS_H

#include "world/answer.h"

typedef struct gz_rounds {
    uint64_t checks, candidates;
    graze_reason reason; /* why they ended early; NONE: they did not */
    double ended_at;     /* then nothing is known from here on */
} gz_rounds;

/* Adds to `found` what touches or is unresolved. But for mode ALL the rounds end with the first that finds a pair, and
   with the last that begins no later than `limit`. What a round does depends on the motions alone, and not on what
   others have found: so no bit of an answer depends on threads. */
graze_status gz_rounds_run(gz_movers *movers, double limit, gz_contacts *found, gz_rounds *rounds);

#endif
