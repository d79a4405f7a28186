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

/* Pairs of movers, the first before the second or the same. */
typedef struct gz_mover_pairs {
    uint32_t (*pairs)[2];
    size_t count, room;
} gz_mover_pairs;

/* Frames and boxes over the span, of the movers of these pairs; NULL: of all. */
void gz_near_boxes(gz_movers *movers, gz_span span, const gz_mover_pairs *only);

/* All pairs that are tested with at least one mover that does not move straight, in any order. Of these movers alone;
   NULL: of all. `active` becomes the pairs of movers that have any. `too_long`: NULL, or set where the span is too long
   for some movers, or has more pairs than `most` and some for each two movers. Then it is to be halved: the list is not
   to be read, and those are active that may have pairs. */
graze_status gz_near_find(gz_movers *movers, const gz_mover_pairs *only, size_t most, gz_near_list *list,
                          gz_mover_pairs *active, bool *too_long);

#endif
