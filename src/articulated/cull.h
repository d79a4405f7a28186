/* Pairs of links that may touch: by the boxes that links sweep, and by how far they can move. */
#ifndef GZ_ARTICULATED_CULL_H
#define GZ_ARTICULATED_CULL_H

#include "articulated/scene.h"

typedef struct gz_link_box {
    double lo[3], hi[3]; /* lo > hi: nothing */
    bool fixed;          /* to the world, with all links in it: two of these are no pair */
} gz_link_box;

/* Windows of equal length that [0, t_max] is cut into, so that none turns a link so far that its Taylor model is vague.
 */
int gz_cull_windows(const gz_scene *scene, double t_max);
/* Start of window `index` of so many; the one after the last starts at t_max. */
double gz_cull_window_begin(double t_max, int index, int windows);

/* Boxes in the world over [0, t_max] of all links that are not still, each grown by half of the separation and its
   padding: a box for each, then the same for each of the windows. */
void gz_cull_boxes(gz_frames *frames, double t_max, double separation, int windows, gz_link_box *boxes);

/* Their boxes at one time. */
void gz_cull_boxes_at(gz_frames *frames, double t, double separation, gz_link_box *boxes);

/* The box of a link over the window of the frames. */
gz_link_box gz_cull_box(gz_frames *frames, uint32_t link, double separation);

/* Closed boxes with a point in common. */
bool gz_link_boxes_meet(const gz_link_box *a, const gz_link_box *b);

typedef bool gz_pair_sink(void *user, uint32_t a, uint32_t b);

/* Calls `sink` for every two of `count` boxes that meet, a < b, by way of a hierarchy over them in their order; not for
   two that are fixed. `tree` has room for 2·count boxes. Ends early, and with false, when the sink says so. */
bool gz_cull_pairs(const gz_link_box *boxes, size_t count, gz_link_box *tree, gz_pair_sink *sink, void *user);

/* A time up to which the two links, less than `contact` apart in contact, cannot touch from `from` on: conservative
   advancement of their boxes by the motion bound, so many steps at most. */
double gz_cull_safe_time(gz_frames *frames, uint32_t a, uint32_t b, double contact, double from, double t_max,
                         int steps, uint64_t *checks);

#endif
