/* Lists of pairs that a caller gets. */
#ifndef GZ_STEP_LIST_H
#define GZ_STEP_LIST_H

#include "step/call.h"

typedef struct gz_pair_list {
    graze_pair *pairs;
    size_t count; /* it has no room to spare */
} gz_pair_list;

/* Pairs that a test is asked about at once. */
#define GZ_TEST_BLOCK 64

/* Says which of at most GZ_TEST_BLOCK pairs are wanted; false when there is no memory to tell. Asked by several workers
   at once. */
typedef bool gz_pair_test(const gz_step_call *call, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2],
                          size_t count, bool *wanted);

/* Lists the pairs of the kinds from `first` to `last`, as far as the mesh has such, that pass the test (NULL: all),
   sorted by kind, a, b. Not ended by cancel or deadline: a part of a list would hide pairs. On failure it is empty. */
graze_status gz_list_kinds(const gz_step_call *call, int first, int last, gz_pair_test *test, gz_pair_list *list);

/* All pairs, found twice: with little memory beside the list. The mesh has no filter: one might answer in two ways. */
graze_status gz_list_twice(const gz_step_call *call, gz_pair_list *list);

/* True if all ids of a caller's list are in range; which kinds there are. */
graze_status gz_pairs_check(const gz_step_call *call, const graze_pair *pairs, size_t count, bool kinds[GZ_KINDS]);

/* graze_candidates inside a call that has entered the context. On failure the list may own pairs. */
graze_status gz_candidates_run(graze_context *context, const graze_mesh *mesh, const double (*x0)[3],
                               const double (*x1)[3], const graze_step_options *options, gz_pair_list *list);

/* graze_static_intersections in the same way. */
graze_status gz_intersections_run(graze_context *context, const graze_mesh *mesh, const double (*x)[3],
                                  const graze_step_options *options, gz_pair_list *list);

void gz_list_release(graze_context *context, gz_pair_list *list);

#endif
