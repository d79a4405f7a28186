/* The broad phase of a call: its boxes, and the pairs that they find. */
#ifndef GZ_STEP_SEARCH_H
#define GZ_STEP_SEARCH_H

#include "step/call.h"

/* Makes the swept boxes and fills in the sets. `coarse`: trees may do with boxes in float, and find pairs, too, whose
   boxes only nearly meet. */
graze_status gz_step_boxes(gz_step_call *call, bool coarse);

/* As gz_step_boxes, but for trees from boxes in float, which gz_tree_renew is yet to make. */
graze_status gz_step_open_trees(gz_step_call *call);

/* Only those of the vertices. */
graze_status gz_step_vertex_boxes(gz_step_call *call);

gz_box_input gz_step_box_input(const gz_step_call *call);

/* Gives all pairs of a kind to the sink in blocks of at most call->room. */
graze_status gz_step_search(const gz_step_call *call, graze_kind kind, bool interrupted, gz_sink *sink, void *state);

/* True if that search would find the pair, but for shared vertices, groups and filter. */
bool gz_step_is_candidate(const gz_step_call *call, graze_kind kind, const uint32_t ids[4]);

#endif
