/* Buffers that a step keeps from call to call: each slot grows to the largest size asked for and is never copied. */
#ifndef GZ_BROAD_WORKSPACE_H
#define GZ_BROAD_WORKSPACE_H

#include "base/context.h"

typedef enum gz_slot {
    GZ_SLOT_VERTEX_BOXES,
    GZ_SLOT_EDGE_BOXES,
    GZ_SLOT_FACE_BOXES,
    GZ_SLOT_POINT_BOXES,
    GZ_SLOT_CODIM_EDGE_BOXES,
    GZ_SLOT_RANK,
    GZ_SLOT_ROUGH,
    GZ_SLOT_SPREADS,
    GZ_SLOT_EMITTERS,
    GZ_SLOT_EMITTED,
    GZ_SLOT_STEP_WORKERS,
    GZ_SLOT_STEP_IDS,
    GZ_SLOT_STEP_RESULTS,
    GZ_SLOT_STEP_SORT,
    GZ_SLOT_KEPT, /* one for each kind of pair */
    GZ_SLOT_KEPT_LAST = GZ_SLOT_KEPT + 4,
    GZ_SLOT_TREES, /* three for each of the five sets of primitives */
    GZ_SLOT_TREES_LAST = GZ_SLOT_TREES + 14,
    GZ_SLOT_BROAD_A, /* from here on: the broad phase's own */
    GZ_SLOT_BROAD_B,
    GZ_SLOT_BROAD_C,
    GZ_SLOT_BROAD_D,
    GZ_SLOT_BROAD_E,
    GZ_SLOT_BROAD_F,
    GZ_SLOT_BROAD_G,
    GZ_SLOT_BROAD_H,
    GZ_SLOTS,
} gz_slot;

/* Whose order is in the slot of a kind; count 0: nobody's. */
typedef struct gz_kept_order {
    uint32_t count, a_count;
    int axis;
} gz_kept_order;

/* The tree whose order is in the slots of a set of primitives; count 0: none. */
typedef struct gz_kept_tree {
    uint32_t count, vertex_count;
    double spread; /* of its leaf blocks when they were ordered */
} gz_kept_tree;

#define GZ_TOPOLOGIES 8

/* Pairs that touched first in the last step. */
#define GZ_SEEDS 16
typedef struct gz_seed {
    int kind;
    uint32_t a, b;
} gz_seed;

typedef struct gz_workspace {
    gz_kept_order kept[5];
    gz_kept_tree trees[5];
    gz_seed seeds[GZ_SEEDS];
    uint32_t seed_count;
    uint64_t
        topologies[GZ_TOPOLOGIES]; /* hashes of those whose lists are complete, the next to go at `topology_next` */
    uint32_t topology_next;
    struct {
        void *bytes;
        size_t size;
    } slots[GZ_SLOTS];
} gz_workspace;

/* Room for count × size bytes, 64-byte aligned, contents undefined; NULL when there is no memory. */
void *gz_reserve(graze_context *context, gz_workspace *workspace, gz_slot slot, size_t count, size_t size);

void gz_workspace_clear(graze_context *context, gz_workspace *workspace);

#endif
