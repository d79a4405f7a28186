/* One tree over the boxes of all links that never move. */
#ifndef GZ_ARTICULATED_WORLD_STILL_TREE_H
#define GZ_ARTICULATED_WORLD_STILL_TREE_H

#include "articulated/cull.h"

typedef struct gz_still_tree {
    gz_face_tree boxes; /* a leaf's face is a place in `links` */
    uint32_t *links;    /* those with triangles, in the scene */
    size_t capacity;
} gz_still_tree;

/* Of the still links of a scene; boxes are grown by padding, and by half of the separations that rules ask for. */
graze_status gz_still_tree_build(graze_context *context, const gz_still_links *still, gz_still_tree *tree);
void gz_still_tree_release(graze_context *context, gz_still_tree *tree);

/* False proves: no link below the node has a box, for separations up to `grow`, that meets the one given
   (docs/numerics.md, section 9.11). */
bool gz_still_may_meet(const gz_face_node *node, const gz_link_box *box, double grow);

typedef bool gz_still_sink(void *user, uint32_t link);

/* Calls `sink` for every link whose box, grown by `grow`, may meet the one given. Ends early, and with false, when the
   sink says so. */
bool gz_still_tree_find(const gz_still_tree *tree, const gz_link_box *box, double grow, gz_still_sink *sink,
                        void *user);

#endif
