/* Boxes in float, to look at many quickly: two that meet in double meet in float too.
 *
 * Every coordinate goes through one map: minus an origin, times a power of two, rounded to float. Each of these steps
 * keeps the order of any two numbers or makes them equal, so x ≤ y in double means x ≤ y in float, and no rounding
 * outward is needed. That boxes which do not meet may seem to costs time, nothing else. */
#ifndef GZ_BROAD_ROUGH_H
#define GZ_BROAD_ROUGH_H

#include "broad/boxes.h"
#include "numerics/view.h"

/* Low ends, then high ends negated, each with a 0 behind: joining two boxes is a minimum. */
typedef struct gz_rough {
    float side[8];
} gz_rough;

/* Eight boxes, side by side. */
typedef struct gz_rough_block {
    float side[6][GZ_BLOCK];
} gz_rough_block;

/* The other way round, for a box to test with: high ends, low ends negated. It meets those whose six sides are ≤. */
typedef struct gz_rough_limit {
    float side[6];
} gz_rough_limit;

/* A view that makes good use of float for most of the boxes. */
gz_view gz_view_of(const gz_box *boxes, size_t count);

/* As gz_view_of, but from the boxes of some vertices. */
gz_view gz_view_of_vertices(const gz_box_input *input);

/* Boxes of all vertices over [0, t], without any in double. */
typedef struct gz_windows_job {
    gz_view view;
    const gz_box_input *input;
    double t;         /* in (0, t_max], or 1 */
    gz_rough *rough;  /* may be NULL */
    float (*ends)[8]; /* NULL, or also their positions: x, y, z, 0 at the start, and at t */
} gz_windows_job;

typedef struct gz_window_sizes {
    double largest; /* a bound of all |coordinates| of the ends and at t = 1, and of what is lost in making them:
                       docs/numerics.md, section 4.14 */
    double widest;  /* the longest side of a box, as it was before it was rounded to float */
} gz_window_sizes;

/* On the context's threads. */
gz_window_sizes gz_rough_windows(graze_context *context, const gz_windows_job *job);

/* On the context's threads. */
void gz_rough_boxes(graze_context *context, const gz_view *view, const gz_box *boxes, size_t count, gz_rough *rough);

static inline gz_rough gz_rough_empty(void) {
    return (gz_rough){{INFINITY, INFINITY, INFINITY, 0, INFINITY, INFINITY, INFINITY, 0}};
}

static inline void gz_rough_join(gz_rough *box, const gz_rough *other) {
    for (int i = 0; i < 8; i++) box->side[i] = other->side[i] < box->side[i] ? other->side[i] : box->side[i];
}

static inline gz_rough_limit gz_rough_limit_of(const gz_rough *box) {
    return (gz_rough_limit){{-box->side[4], -box->side[5], -box->side[6], -box->side[0], -box->side[1], -box->side[2]}};
}

static inline void gz_rough_block_set(gz_rough_block *block, unsigned lane, const gz_rough *box) {
    for (int i = 0; i < 6; i++) block->side[i][lane] = box->side[i + i / 3];
}

/* Lanes from `used` on meet nothing: every comparison with NaN is false. */
static inline void gz_rough_block_pad(gz_rough_block *block, unsigned used) {
    for (int i = 0; i < 6; i++)
        for (unsigned lane = used; lane < GZ_BLOCK; lane++) block->side[i][lane] = NAN;
}

#endif
