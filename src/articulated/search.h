/* The search for contacts of one motion: time is halved, and with it the pairs of nodes that are still close. */
#ifndef GZ_ARTICULATED_SEARCH_H
#define GZ_ARTICULATED_SEARCH_H

#include "articulated/crossing.h"
#include "articulated/cull.h"
#include "articulated/inside.h"
#include "articulated/touch.h"
#include "base/overlap.h"

typedef struct gz_pair_state {
    gz_link_pair pair;
    uint32_t slot_a, slot_b; /* of the links in `active` */
    double safe;             /* apart before it */
    double limit;            /* what is later is of no interest: the contact found so far, or t_max */
    double turn;             /* of all joints between the links, over all time */
    bool moves_a, moves_b;
    bool close;  /* triangles were looked at */
    bool looked; /* at a single pose: boxes of the links meet */
    bool guided; /* `guide` is a direction along which triangles were apart, in the frame of b */
    gz_vec3 guide;
    gz_touch touch;
} gz_pair_state;

/* Two links that may touch, the first in the order of answers first. */
typedef struct gz_near_links {
    uint32_t a, b;
} gz_near_links;

/* A link of some pair that may touch. */
typedef struct gz_active_link {
    uint32_t link;
    gz_link_box box; /* at the time that was looked at last; of a still link at any time */
} gz_active_link;

typedef struct gz_search {
    gz_scene scene;
    const struct graze_world *world; /* NULL: arrays of models */
    graze_motion *motions;           /* room for those of a world's bodies that move */
    size_t motion_room;
    gz_frames wide, narrow; /* frames of the windows of the search, and of those of single triangles */
    graze_articulated_options options;
    gz_link_box *boxes, *tree; /* boxes: over all time, then over each window (gz_cull_boxes) */
    size_t box_room, tree_room;
    int windows;
    gz_near_links *near;
    size_t near_count, near_room;
    gz_active_link *active;
    size_t active_count, active_room;
    uint32_t *slots; /* for each link of the scene its place in `active`, UINT32_MAX for none */
    size_t slot_room;
    gz_pair_state *pairs;
    size_t pair_count, pair_room;
    gz_front_item *front;
    size_t front_count, front_room;
    uint64_t pairs_tested, checks;
    double limit;               /* mode EARLIEST and ANY: the least toi so far */
    size_t found;               /* the pair that has it; SIZE_MAX: none */
    graze_reason reason;        /* why the search ended early; NONE: it did not */
    double ended_at;            /* then nothing is known from here on */
    bool done;                  /* mode ANY: a contact */
    bool looked;                /* at single times, where triangles are near: look_first() */
    bool looked_at_end;         /* before any of that */
    int look_parts, look_place; /* mode ANY: the next single time is that place of so many parts of all time */
    uint32_t faces_until_look;  /* triangles that are tested before it */
} gz_search;

/* Everything that does not depend on the motion. Close it in any case. */
graze_status gz_search_open(gz_search *search, graze_context *context, const graze_model *const *models, size_t count,
                            const graze_articulated_options *options);
/* As gz_search_open(), but for a search that was opened before, or is all zeros: its memory is used again. */
graze_status gz_search_reopen(gz_search *search, graze_context *context, const graze_model *const *models, size_t count,
                              const graze_articulated_options *options);
/* As gz_search_reopen(), but for a world, which has to be there as long as the search is run. */
graze_status gz_search_reopen_world(gz_search *search, graze_context *context, const struct graze_world *world,
                                    const graze_articulated_options *options);
void gz_search_close(gz_search *search);

/* The beginning of one: what was found before is forgotten, joints are prepared. */
graze_status gz_search_begin(gz_search *search, gz_motions motions);
/* Lists the pairs of links whose boxes meet at time t. */
graze_status gz_search_pairs_at(gz_search *search, double t);

/* One motion; the answer is in the pairs. */
graze_status gz_search_run(gz_search *search, gz_motions motions);
/* No motion: all models stand at `from`, `wide` holds their frames. For arrays of models. */
graze_status gz_search_stand(gz_search *search, gz_motions motions);

/* Two links as they are tested, in the order that suits the search; false where they are not. */
bool gz_search_pair(const gz_search *search, uint32_t a, uint32_t b, gz_link_pair *pair);

/* Checks that every public call makes first; options are filled in. */
graze_status gz_articulated_options_check(graze_context *context, const graze_model *const *models, size_t count,
                                          const graze_motion *motions, const graze_articulated_options *given,
                                          graze_articulated_options *options);
/* As gz_articulated_options_check(), but for motions of `paths` paths, and a result that shares no memory with any of
   them. */
graze_status gz_motions_check(graze_context *context, const graze_model *const *models, size_t count,
                              const graze_motion *motions, size_t paths, gz_pieces written,
                              const graze_articulated_options *given, graze_articulated_options *options);

#endif
