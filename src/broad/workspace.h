/* Buffers that a step keeps from call to call: each slot grows to the largest size asked for and is never copied. */
#ifndef GZ_BROAD_WORKSPACE_H
#define GZ_BROAD_WORKSPACE_H

#include "base/context.h"

/* A slot is named by who uses it and what for. It has one owner at a time: who reserves it uses it until the function
   that did so returns, but for those that are said to last. */
typedef enum gz_slot {
    GZ_SLOT_VERTEX_BOXES, /* step/search.c, for the whole call, and the four after it */
    GZ_SLOT_EDGE_BOXES,
    GZ_SLOT_FACE_BOXES,
    GZ_SLOT_POINT_BOXES,
    GZ_SLOT_CODIM_EDGE_BOXES,
    GZ_SLOT_BACKEND_ROWS, /* step/on_backend.c, for the whole call */
    GZ_SLOT_LOOK_ENDS,    /* step/float_look.c, for the whole call */
    GZ_SLOT_TREE_BOXES,   /* tree.c, for the whole call */
    GZ_SLOT_TREE_SPREADS, /* tree.c */
    GZ_SLOT_TREES,        /* tree.c, from call to call; two for each of the five sets of primitives */
    GZ_SLOT_TREES_LAST = GZ_SLOT_TREES + 9,
    GZ_SLOT_BROAD_EMITTERS, /* broad.c */
    GZ_SLOT_BROAD_PAIRS,    /* broad.c; step/earliest/earliest.c, which does not call it */
    GZ_SLOT_MODE_WORKERS,   /* the mode under way: step.c, earliest.c, of_pairs.c or vertices.c; list.c. And the three
                               after it */
    GZ_SLOT_MODE_IDS,
    GZ_SLOT_MODE_RESULTS,
    GZ_SLOT_MODE_LEFT,
    GZ_SLOT_FOUND_LISTS, /* step/result_list.c, from its opening to its end */
    GZ_SLOT_FOUND_KEYS,  /* step/result_list.c, and the one after it */
    GZ_SLOT_FOUND_ORDER,
    GZ_SLOT_NEAR_PAIRS, /* step/distance/kept_near.c, from call to call, and the two after it */
    GZ_SLOT_NEAR_POSITIONS,
    GZ_SLOT_NEAR_LISTS,
    GZ_SLOT_NEAR_WANTED,     /* step/distance/proximity.c */
    GZ_SLOT_VERTEX_LIMITS,   /* step/vertices.c, until its mode ends */
    GZ_SLOT_TRIAL_POSITIONS, /* step/line_search.c, while it goes back */
    GZ_SLOT_ISAP,            /* compared/broad/isap.c, from call to call; one for each kind of pair */
    GZ_SLOT_ISAP_LAST = GZ_SLOT_ISAP + 4,
    /* From here on what a search no longer needs once it has ended. */
    GZ_SLOT_SORT_ITEMS, /* whoever sorts: tree.c, sap.c, merged.c, pair_sort.c. And the two after it */
    GZ_SLOT_SORT_OTHER,
    GZ_SLOT_SORT_COUNTS,
    GZ_SLOT_BRUTE_BLOCKS, /* brute.c */
    GZ_SLOT_COMPARED_A,   /* the broad phase of compared/broad under way, and the three after it */
    GZ_SLOT_COMPARED_B,
    GZ_SLOT_COMPARED_C,
    GZ_SLOT_COMPARED_D,
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

/* Pairs that were within a reach of each other at one state. */
typedef struct gz_kept_near {
    bool known;   /* the state, and the mesh that it was a state of */
    double reach; /* negative: no list was kept */
    size_t count;
    uint32_t calls;   /* since then */
    uint32_t head[9]; /* counts and rules of the mesh */
} gz_kept_near;

#define GZ_TOPOLOGIES 8

/* Pairs that touched first in the last step. */
#define GZ_SEEDS 16
typedef struct gz_seed {
    int kind;
    uint32_t a, b;
} gz_seed;

/* Blocks of memory, all of one size, that were used by the last call and serve the next: by then their pages are there.
 */
typedef struct gz_spares {
    void **blocks;
    size_t count, room, size;
    atomic_size_t taken; /* of the blocks, the first ones; more when some were new */
} gz_spares;

typedef struct gz_workspace {
    gz_kept_order kept[5];
    gz_kept_tree trees[5];
    gz_kept_near near;
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
    gz_spares spares; /* step/list.c: what the keys of pairs were listed in */
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

/* A spare block, else a new one; NULL when there is no memory. By several workers at once. */
void *gz_spares_take(graze_context *context, gz_spares *spares, size_t size);

/* When a call has taken all that it needs: gives back those that it did not. */
void gz_spares_forget_rest(graze_context *context, gz_spares *spares);

/* After that: keeps a block for the next call, or gives it back where memory is short. */
void gz_spares_put(graze_context *context, gz_spares *spares, void *block, size_t size);

void gz_workspace_clear(graze_context *context, gz_workspace *workspace);

#endif
