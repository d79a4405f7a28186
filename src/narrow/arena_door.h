/* Integers for a method that needs them now and then: on the stack, and in the worker's scratch when that is too
   small. */
#ifndef GZ_NARROW_ARENA_DOOR_H
#define GZ_NARROW_ARENA_DOOR_H

#include "exact/bigint.h"
#include "narrow/method.h"

typedef void gz_use_arena(void *state, gz_arena *arena);

/* Calls `use` with an arena, and again from its start with a larger one when that was full. False when the largest was
   full too, or there is no context to take it from. */
bool gz_with_arena(const gz_narrow_call *call, gz_use_arena *use, void *state);

#endif
