/* Buffers that a step keeps from call to call: each slot grows to the largest size asked for and is never copied. */
#ifndef GZ_BROAD_WORKSPACE_H
#define GZ_BROAD_WORKSPACE_H

#include "base/context.h"

/* A slot has one owner at a time: who reserves it uses it until the function that did so returns, but for those that
   are said to last. */
typedef enum gz_slot {
    GZ_SLOT_VERTEX_BOXES, /* step/call.c, for the whole call, and the four after it */
    GZ_SLOT_EDGE_BOXES,
    GZ_SLOT_FACE_BOXES,
    GZ_SLOT_POINT_BOXES,
    GZ_SLOT_CODIM_EDGE_BOXES,
    GZ_SLOT_ROWS,         /* on_backend.c, for the whole call */
    GZ_SLOT_ROUGH,        /* tree.c, for the whole call */
    GZ_SLOT_SPREADS,      /* tree.c */
    GZ_SLOT_EMITTERS,     /* broad.c */
    GZ_SLOT_EMITTED,      /* broad.c, or earliest.c, which does not call it */
    GZ_SLOT_STEP_WORKERS, /* the mode under way (step.c, earliest.c, earliest_of_pairs.c, vertices.c) or list.c, and the
                             two after it */
    GZ_SLOT_STEP_IDS,
    GZ_SLOT_STEP_RESULTS,
    GZ_SLOT_STEP_SORT, /* the mode under way, once the search is done; line_search.c, once the step is */
    GZ_SLOT_FAR_ENDS,  /* far.c, for the whole call */
    GZ_SLOT_STEP_LEFT, /* step.c */
    GZ_SLOT_KEPT,      /* isap.c, from call to call; one for each kind of pair */
    GZ_SLOT_KEPT_LAST = GZ_SLOT_KEPT + 4,
    GZ_SLOT_TREES, /* tree.c, from call to call; two for each of the five sets of primitives */
    GZ_SLOT_TREES_LAST = GZ_SLOT_TREES + 9,
    /* sorting, whoever sorts: tree.c, sap.c, merged.c, pair_sort.c, step.c; brute.c, which does not */
    GZ_SLOT_BROAD_A,
    GZ_SLOT_BROAD_B,
    GZ_SLOT_BROAD_C,
    /* the broad phase under way (cells.c, sap.c, kdtree.c, tracy.c, isap.c, merged.c) */
    GZ_SLOT_BROAD_D,
    GZ_SLOT_BROAD_E,
    GZ_SLOT_BROAD_F,
    GZ_SLOT_BROAD_G,
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
        bool shared; /* it lies in the block, which keeps its memory */
    } slots[GZ_SLOTS];
    /* Slots that are first used by a large mesh lie together in one block: a new context then begins with a few large
       pages instead of a thousand small ones. */
    size_t shared_bytes; /* set for each call: of a block that is yet to be made; 0: none is wanted */
    struct {
        char *bytes;
        size_t size, used;
    } block;
} gz_workspace;

/* Room for count × size bytes, 64-byte aligned, contents undefined; NULL when there is no memory. */
void *gz_reserve(graze_context *context, gz_workspace *workspace, gz_slot slot, size_t count, size_t size);

/* Its memory goes back; it may be reserved again. */
void gz_give_up(graze_context *context, gz_workspace *workspace, gz_slot slot);

void gz_workspace_clear(graze_context *context, gz_workspace *workspace);

#endif
