/* A broad phase is one entry in the table of broad.c and one file of its own. */
#ifndef GZ_BROAD_BROAD_H
#define GZ_BROAD_BROAD_H

#include "graze/step.h"

#include "broad/boxes.h"
#include "broad/emit.h"
#include "broad/tree.h"
#include "broad/workspace.h"

/* Boxes of one kind of primitive. */
typedef struct gz_set {
    const gz_box *boxes;
    const uint32_t *ids; /* what box i stands for; NULL: i itself */
    uint32_t count;
} gz_set;

static inline uint32_t gz_set_id(const gz_set *set, uint32_t i) { return set->ids ? set->ids[i] : i; }

/* One search: every pair of a box of `a` with a box of `b` that meets, each once, is given to gz_emit. */
typedef struct gz_broad_call {
    graze_context *context;
    gz_workspace *workspace;
    gz_emitter *emitters; /* one for each of the context's threads */
    gz_set a, b;
    const gz_box *vertices; /* of the mesh */
    gz_tree_source *trees;  /* for the broad phases that want them */
    bool self;              /* b is a: unordered pairs, none with itself */
    bool interrupted;       /* the cancel callback and the deadline end the search */
} gz_broad_call;

/* GRAZE_OK, or GRAZE_ERR_OUT_OF_MEMORY. Uses the slots from GZ_SLOT_SORT_ITEMS on. */
typedef graze_status gz_broad_find(const gz_broad_call *call);

gz_broad_find gz_brute_find, gz_sap_find, gz_isap_find, gz_grid_find, gz_gsap_find, gz_hash_find, gz_bvh_find,
    gz_kdtree_find, gz_tracy_find, gz_stq_find, gz_cgal_find;

/* True if it takes the vertices' boxes and trees and does without boxes in the sets. */
bool gz_broad_from_vertices(graze_broad broad);

/* The emitter of a worker for a range of its work; NULL when the search is over. */
gz_emitter *gz_broad_worker(const gz_broad_call *call, uint32_t worker);

/* A search as the step asks for it. */
typedef struct gz_broad_request {
    graze_context *context;
    gz_workspace *workspace;
    const graze_mesh *mesh;
    graze_broad broad; /* AUTO: the fastest */
    graze_kind kind;
    gz_set a, b; /* EE, PP: b is not read */
    const gz_box *vertices;
    gz_tree_source *trees;
    bool interrupted;
    size_t room; /* pairs in a block */
    gz_sink *sink;
    void *sink_state;
} gz_broad_request;

/* Gives every pair that meets, shares no vertex and is not excluded by the mesh's rules to the sink, each once.
   GRAZE_OK also when the sink or a cancel ended it early. */
graze_status gz_broad_run(const gz_broad_request *request);

#endif
