/* Pairs of primitives that may touch during a span of time: their boxes over it meet. */
#ifndef GZ_WORLD_NEAR_H
#define GZ_WORLD_NEAR_H

#include "graze/step.h"

#include "world/motions.h"

/* Two movers, and a primitive of each: a of the first, b of the second. */
typedef struct gz_near_pair {
    uint32_t first, second;
    graze_pair pair;
} gz_near_pair;

typedef struct gz_near_list {
    gz_near_pair *pairs;
    size_t count, room;
} gz_near_list;

/* Frames and boxes of all movers over the span. */
void gz_near_boxes(gz_movers *movers, gz_span span);

/* All pairs that are tested with at least one mover that does not move straight, in any order. */
graze_status gz_near_find(gz_movers *movers, gz_near_list *list);

#endif
