/* Mode ALL: the pairs that workers find, with their results, brought into one list. */
#ifndef GZ_STEP_RESULT_LIST_H
#define GZ_STEP_RESULT_LIST_H

#include "step/call.h"

/* What one worker found of the kind under way. */
typedef struct gz_result_list {
    graze_pair_result *pairs;
    size_t count, room;
    bool out_of_memory;
} gz_result_list;

/* One for each thread of the context, empty; NULL when there is no memory. */
gz_result_list *gz_result_lists_open(const gz_step_call *call);

/* False when there is no memory, which gz_result_lists_append then says, too. */
bool gz_result_list_add(graze_context *context, gz_result_list *list, const graze_pair_result *pair);

/* Appends what they hold, all of it of this kind, to result->pairs, sorted by a, then b; then they are empty. */
graze_status gz_result_lists_append(const gz_step_call *call, gz_result_list *lists, graze_kind kind,
                                    graze_step_result *result);

void gz_result_lists_close(const gz_step_call *call, gz_result_list *lists);

#endif
