/* Both sets of a search in one list, for the broad phases that do not keep them apart. */
#ifndef GZ_COMPARED_BROAD_MERGED_H
#define GZ_COMPARED_BROAD_MERGED_H

#include "broad/broad.h"
#include "broad/sort.h"

/* Item i of the list: box i of set a, or box i − a.count of set b. Self: set a alone. */
typedef struct gz_merged {
    const gz_broad_call *call;
    uint32_t count;
} gz_merged;

static inline gz_merged gz_merge(const gz_broad_call *call) {
    return (gz_merged){call, call->self ? call->a.count : call->a.count + call->b.count};
}

static inline bool gz_merged_in_b(const gz_merged *m, uint32_t i) { return i >= m->call->a.count; }

static inline const gz_box *gz_merged_box(const gz_merged *m, uint32_t i) {
    return gz_merged_in_b(m, i) ? &m->call->b.boxes[i - m->call->a.count] : &m->call->a.boxes[i];
}

static inline uint32_t gz_merged_id(const gz_merged *m, uint32_t i) {
    return gz_merged_in_b(m, i) ? gz_set_id(&m->call->b, i - m->call->a.count) : gz_set_id(&m->call->a, i);
}

/* True if items i and j can be a pair at all: of different sets, or of the one set there is. */
static inline bool gz_merged_match(const gz_merged *m, uint32_t i, uint32_t j) {
    return m->call->self || gz_merged_in_b(m, i) != gz_merged_in_b(m, j);
}

/* Emits two items whose boxes meet. */
static inline void gz_merged_emit(const gz_merged *m, gz_emitter *emitter, uint32_t i, uint32_t j) {
    if (gz_merged_in_b(m, i)) {
        gz_emit(emitter, gz_merged_id(m, j), gz_merged_id(m, i));
    } else {
        gz_emit(emitter, gz_merged_id(m, i), gz_merged_id(m, j));
    }
}

/* The axis along which the centers spread most. Only speed depends on it. */
int gz_merged_axis(const gz_merged *m);

/* Items in the order of lo on the axis, in slot A or B; NULL when there is no memory. Uses slots A to C. */
gz_keyed *gz_merged_sort(const gz_merged *m, int axis);

/* An item with its box, for lists that are walked in order. */
typedef struct gz_item {
    gz_box box;
    uint32_t item;
} gz_item;

/* The items in that order, in slot G; NULL when there is no memory. */
gz_item *gz_merged_items(const gz_merged *m, const gz_keyed *order);

#endif
