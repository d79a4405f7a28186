/* Mode ALL: the pairs that workers find, with their results, brought into one list. */
#ifndef GZ_STEP_RESULT_LIST_H
#define GZ_STEP_RESULT_LIST_H

#include "step/call.h"

/* Findings of one worker of one kind. */
typedef struct gz_result_list {
    graze_pair_result *pairs;
    size_t count, room;
    size_t before; /* pairs of the workers before it; set when lists are joined */
    bool out_of_memory;
} gz_result_list;

/* One for each kind and thread of the context, empty; NULL when there is no memory. */
gz_result_list *gz_result_lists_open(const gz_step_call *call);

gz_result_list *gz_result_list_of(const gz_step_call *call, gz_result_list *lists, graze_kind kind, uint32_t worker);

/* False when there is no memory, which gz_result_lists_join then says, too. */
bool gz_result_list_add(graze_context *context, gz_result_list *list, const graze_pair_result *pair);

/* All that they hold becomes result->pairs, sorted by kind, a, b. */
graze_status gz_result_lists_join(const gz_step_call *call, gz_result_list *lists, graze_step_result *result);

void gz_result_lists_close(const gz_step_call *call, gz_result_list *lists);

#endif
