/* A plan cut at the knots of all its paths: pieces on which every value is one polynomial. */
#ifndef GZ_ARTICULATED_WORLD_PIECES_H
#define GZ_ARTICULATED_WORLD_PIECES_H

#include "articulated/world/spline.h"
#include "base/context.h"
#include "base/overlap.h"

/* Who the paths move: how many bodies there are, and how many values each of them takes. */
typedef struct gz_plan_bodies {
    const void *of;
    size_t count;
    size_t (*values)(const void *of, size_t body);
} gz_plan_bodies;

typedef struct gz_plan {
    graze_context *context;
    gz_plan_bodies bodies;
    graze_path *paths;
    size_t count;
    double *times; /* of the ends of all pieces */
    size_t knots, pieces;
    size_t bezier_size; /* numbers that a piece takes: the Bézier values of all paths, and then their errors */
} gz_plan;

/* Reads, checks and cuts. Close it in any case. */
graze_status gz_plan_open(gz_plan *plan, const graze_path *given, gz_pieces written);
void gz_plan_close(gz_plan *plan);

size_t gz_plan_values(const gz_plan *plan, size_t path);
/* The motions of one piece, one for each path; `room` holds `bezier_size` numbers. */
void gz_plan_motions(const gz_plan *plan, size_t piece, double *room, graze_motion *motions);

#endif
