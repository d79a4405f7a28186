/* Room for integers, for those who need them now and then. */
#ifndef GZ_EXACT_ARENA_H
#define GZ_EXACT_ARENA_H

#include "base/context.h"
#include "exact/bigint.h"

/* The source of the room: the scratch of a context's worker; without a context the stack alone, or the C library. */
typedef struct gz_arena_home {
    graze_context *context;
    uint32_t worker;
    bool heap; /* without a context */
} gz_arena_home;

typedef void gz_use_arena(void *state, gz_arena *arena);

/* Calls `use` with an arena, and again from its start with a larger one when that was full. False when the largest was
   full too, or there is no memory. */
bool gz_with_arena(gz_arena_home home, gz_use_arena *use, void *state);

#endif
