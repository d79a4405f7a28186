/* Which of many boxes meet. */
#ifndef GZ_WORLD_BOX_PAIRS_H
#define GZ_WORLD_BOX_PAIRS_H

#include "base/context.h"
#include "broad/boxes.h"

typedef struct gz_boxed {
    gz_box box;
    uint32_t id;
} gz_boxed;

/* False: no more. */
typedef bool gz_take_pair(void *user, uint32_t a, uint32_t b);

/* Every two whose boxes meet, once, in any order; the items are put into another. False where the user wanted no more,
   or there was no memory. */
bool gz_box_pairs(graze_context *context, gz_boxed *items, size_t count, gz_take_pair *take, void *user);

#endif
