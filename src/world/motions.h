/* The units of a world in motion during one call. */
#ifndef GZ_WORLD_MOTIONS_H
#define GZ_WORLD_MOTIONS_H

#include "articulated/world/world.h"
#include "pair/swept.h"

/* Times [begin, end]; in the rounds of a call both are dyadic, and their difference is a power of two. */
typedef struct gz_span {
    double begin, end;
} gz_span;

static inline gz_window gz_span_window(gz_span span) {
    return (gz_window){0.5 * (span.begin + span.end), 0.5 * (span.end - span.begin)};
}

typedef struct gz_mover {
    const gz_unit *unit;
    const char *x[4]; /* positions without a frame: control points, the first and the last where it moves straight */
    size_t stride;
    gz_joint_motion joint; /* RIGID */
    double spin;           /* how fast it turns, at most */
    double size;           /* half of the longest side of its box, at the start or in its frame */
    gz_frame_model frame;  /* over the span of the round */
    double spread[3][3];   /* at least |entries of its rotation|, the same */
    bool wanted;           /* in the round */
    gz_box box;            /* over its span */
    gz_box *boxes;         /* of its vertices, the same; NULL for one with a tree */
} gz_mover;

typedef struct gz_movers {
    graze_context *context;
    const graze_world *world;
    graze_articulated_options options;
    double grow;  /* of every box, beside its padding */
    gz_span span; /* of the round */
    gz_mover *list;
    size_t count;
    double (*straight)[3]; /* x0, then x1 of the joined mesh; NULL where it is not needed */
    gz_box *boxes;
    size_t box_count;
    gz_search *search; /* whose scene has the links of models */
    gz_frames *frames; /* of it, one for each worker */
} gz_movers;

/* All motions of a call that gz_world_check has seen. Close it in any case. */
graze_status gz_movers_open(gz_movers *movers, graze_context *context, const graze_world *world,
                            const graze_body_motion *motions, size_t count, const graze_articulated_options *options);
void gz_movers_close(gz_movers *movers);

/* Rows times a matrix: each sum from left to right, each operation rounded. */
void gz_affine_rows(const double m[3][4], const double (*rest)[3], uint32_t count, double (*to)[3]);

/* The frame of a mover that has one over a span; `room` may hold it. */
const gz_frame_model *gz_mover_frame(gz_movers *movers, uint32_t worker, const gz_mover *mover, gz_span span,
                                     gz_frame_model *room);

#endif
