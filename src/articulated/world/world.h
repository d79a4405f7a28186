/* A world from the inside: bodies, still links under one tree, all others as a scene takes them, rules for pairs. */
#ifndef GZ_ARTICULATED_WORLD_WORLD_H
#define GZ_ARTICULATED_WORLD_WORLD_H

#include "graze/world.h"

#include "articulated/door.h"
#include "articulated/world/mesh_shape.h"
#include "articulated/world/rules.h"
#include "articulated/world/still_tree.h"
#include "articulated/world/units.h"

/* The links of a body, as they are in every version that has not changed them. */
typedef struct gz_body {
    atomic_size_t holds;
    graze_context *context;
    graze_body_kind kind;
    graze_model model;    /* of a body with a mesh of its own: one link without triangles, which rules name */
    gz_mesh_shape *shape; /* NULL: a model, or a static body */
} gz_body;

/* Everything that never moves. */
typedef struct gz_still {
    atomic_size_t holds;
    graze_context *context;
    gz_still_links links;
    gz_still_tree tree;
    gz_body **bodies; /* whose links they are: held */
    size_t body_count;
} gz_still;

struct graze_world {
    atomic_size_t holds;
    graze_context *context;
    gz_body **bodies;
    size_t body_count;
    gz_still *still;
    gz_scene_link *movers; /* all other links, without motion */
    size_t mover_count;
    uint32_t *motions; /* for each body which motion of a call moves it; UINT32_MAX: none does */
    uint32_t motion_count;
    gz_rules given, rules; /* what was said, and with the answers of the filter */
    graze_world_filter *filter;
    void *filter_user;
    uint64_t pairs; /* that are tested */
    bool mixed;     /* some body has a mesh of its own: */
    gz_units units; /* then all that has triangles */
};

/* Bodies and rules alone: what worlds are made of by gz_world_part(). Set to NULL on any status but GRAZE_OK. */
graze_status gz_world_gather(graze_context *context, const graze_body *bodies, size_t count,
                             const graze_world_options *options, graze_world **world);

/* A world of some bodies of another, which it shares with it, in this order. `places`: for each body of that one its
   number here, UINT32_MAX where it is not. Within a call. Set to NULL on any status but GRAZE_OK. */
graze_status gz_world_part(graze_context *context, const graze_world *all, const uint32_t *bodies, size_t count,
                           const uint32_t *places, graze_world **part);

/* graze_world_batch() from inside of a call, for results that gz_paths_open has closed. */
graze_status gz_world_run(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                          size_t count, const gz_paths *opened, const graze_articulated_options *options);

/* GRAZE_ERR_UNSUPPORTED for a world that has bodies other than models and static ones. */
graze_status gz_world_of_models(graze_context *context, const graze_world *world, const char *call);

/* graze_world_step() for a world of models and static bodies, inside a call that has entered the context. */
graze_status gz_world_step_models(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                                  size_t count, const graze_articulated_options *options,
                                  graze_articulated_result *result);

/* Options and motions of a call; `written` is what it writes. */
graze_status gz_world_check(graze_context *context, const graze_world *world, const graze_body_motion *motions,
                            size_t count, gz_pieces written, const graze_articulated_options *given,
                            graze_articulated_options *options);

/* A motion of a call that gz_world_check has seen, whole. */
graze_body_motion gz_body_motion_at(const graze_body_motion *motions, size_t index);

#endif
