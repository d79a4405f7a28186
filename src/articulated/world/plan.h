/* A plan from the inside: its pieces as motions of a world. */
#ifndef GZ_ARTICULATED_WORLD_PLAN_H
#define GZ_ARTICULATED_WORLD_PLAN_H

#include "graze/plan.h"

#include "articulated/search.h"

enum { GZ_PLAN_BLOCK = 64 }; /* pieces that are solved together */

typedef struct gz_plan {
    graze_context *context;
    const graze_world *world;
    graze_path *paths;
    size_t count;
    double *times; /* of the ends of all pieces */
    size_t knots, pieces;
    graze_articulated_options options;
    double *bezier[GZ_PLAN_BLOCK]; /* of one piece each: the Bézier values of all paths, and then their errors */
    size_t bezier_size;
    graze_motion *motions;
    graze_body_motion *bodies;
    graze_articulated_result *results;
} gz_plan;

/* Context, world and count are set. Checks all that is given but the options; close it in any case. */
graze_status gz_plan_open(gz_plan *plan, const graze_path *paths, gz_pieces written);
void gz_plan_close(gz_plan *plan);

/* `count` motions of bodies, as number `place` of a block. */
const graze_body_motion *gz_plan_motions(gz_plan *plan, size_t piece, size_t place);

#endif
