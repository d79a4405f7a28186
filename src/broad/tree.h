/* A flat tree of boxes: primitives in the order of a space-filling curve, eight to a block, eight blocks to a block
   of the level above. No pointers: child i of block k is block 8k + i one level down. */
#ifndef GZ_BROAD_TREE_H
#define GZ_BROAD_TREE_H

#include "broad/rough.h"
#include "broad/workspace.h"
#include "graze/mesh.h"

#define GZ_TREE_LEVELS 12 /* 8^12 > 2^31, with a level of one block on top */

/* The primitives of a block of level 0. Unused lanes repeat the first: their boxes meet nothing. */
typedef struct gz_leaf {
    uint32_t ids[GZ_BLOCK];
    gz_rough_limit bounds;
    uint32_t vertices[3][GZ_BLOCK]; /* of each primitive, as many rows as its kind has */
    uint32_t group;                 /* of all of them; GZ_MIXED where they differ, and without groups */
    uint8_t down[2];                /* of edges: bit i: y, and z, of edge i falls where its x rises */
    uint8_t halves;                 /* of all of them together: gz_owned_lists.halves */
} gz_leaf;

#define GZ_MIXED UINT32_MAX

typedef struct gz_tree {
    gz_rough_block *level[GZ_TREE_LEVELS]; /* level 0: the primitives; lane i of block k on level n + 1 bounds block
                                              8k + i */
    uint32_t blocks[GZ_TREE_LEVELS];
    int top; /* the level that has one block, never 0 */
    gz_leaf *leaves;
    uint32_t count;
    int each;    /* vertices that a primitive has */
    bool slopes; /* of edges: their leaves are to have their `down` */
} gz_tree;

/* The sets of primitives that there are trees of. */
typedef enum gz_tree_id {
    GZ_TREE_VERTICES,
    GZ_TREE_FACES,
    GZ_TREE_EDGES,
    GZ_TREE_CODIM_POINTS,
    GZ_TREE_CODIM_EDGES,
    GZ_TREES
} gz_tree_id;

/* The set that the first, or the second, primitive of a pair of this kind belongs to. */
gz_tree_id gz_tree_of(graze_kind kind, bool second);

/* The input that the trees of one call are made from. */
typedef struct gz_tree_source {
    graze_context *context;
    gz_workspace *workspace;
    const graze_mesh *mesh;
    const gz_box *vertices; /* a primitive's box is the hull of its vertices' */
    gz_box_input input;     /* where `vertices` is NULL: gz_bvh_find may give pairs, too, whose boxes … */
    double window;          /* … over [0, window] meet in float only */
    gz_view view;
    gz_rough *rough;       /* the same boxes */
    float (*ends)[8];      /* NULL, or with the window: gz_windows_job */
    gz_window_sizes sizes; /* what gz_rough_windows says */
} gz_tree_source;

/* To be followed by gz_tree_renew. False when there is no memory. */
bool gz_tree_open(gz_tree_source *source);

/* Builds a tree, of which `slopes` is set. Where the context holds one of as many primitives whose order still serves,
   the order is kept: any order is right. False when there is no memory. Uses slots A and C for its work. */
bool gz_tree_build(gz_tree_source *source, gz_tree_id id, gz_tree *tree);

/* New boxes of the vertices, in `source->vertices` or by `source->window`: gz_tree_renew, then
   gz_tree_refit for those of the trees that are built; the others have count 0. */
void gz_tree_renew(gz_tree_source *source);
void gz_tree_refit(const gz_tree_source *source, const gz_tree trees[GZ_TREES]);

#endif
