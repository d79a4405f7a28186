/* Many worlds from the inside. */
#ifndef GZ_WORLD_WORLDS_H
#define GZ_WORLD_WORLDS_H

#include "graze/world_to.h"

#include "articulated/world/world.h"

typedef struct gz_one_world {
    graze_world *world;
    uint32_t *bodies; /* of all, in their order */
    size_t count;
} gz_one_world;

struct gz_joined_worlds;

struct graze_worlds {
    graze_context *context;
    graze_world *all; /* bodies and rules */
    gz_one_world *list;
    size_t count;
    struct gz_joined_worlds *joined; /* NULL: there is none */
    const char *not_joined;          /* and why */
};

/* A call that has been checked. */
typedef struct gz_worlds_call {
    graze_context *context;
    const graze_worlds *worlds;
    const graze_body_motion *motions;
    const size_t *of_body; /* which of them moves it; SIZE_MAX: none does */
    const graze_articulated_options *options;
    bool on_device; /* positions of STRAIGHT bodies are in the device's memory, after what is in the stream */
    void *stream;
    char *results;
    size_t stride;
    graze_status *statuses;
} gz_worlds_call;

#endif
