#include "step/result_list.h"

#include "step/kept_pairs.h"
#include "step/pair_sort.h"

#include <string.h>

gz_result_list *gz_result_lists_open(const gz_step_call *call) {
    uint32_t threads = call->context->threads;
    gz_result_list *lists = gz_reserve(call->context, call->workspace, GZ_SLOT_FOUND_LISTS, threads, sizeof *lists);
    for (uint32_t i = 0; lists && i < threads; i++) lists[i] = (gz_result_list){0};
    return lists;
}

bool gz_result_list_add(graze_context *context, gz_result_list *list, const graze_pair_result *pair) {
    void *pairs = list->pairs;
    if (!gz_grow(context, &pairs, &list->room, list->count + 1, sizeof *list->pairs)) {
        list->out_of_memory = true;
        return false;
    }
    list->pairs = pairs;
    list->pairs[list->count++] = *pair;
    return true;
}

/* How many there are; SIZE_MAX when there was no memory for all. */
static size_t count_all(const gz_result_list *lists, uint32_t threads) {
    size_t total = 0;
    for (uint32_t i = 0; i < threads; i++) {
        if (lists[i].out_of_memory) return SIZE_MAX;
        total += lists[i].count;
    }
    return total;
}

/* The pairs of all lists in order, without their results; NULL when there is no memory. */
static const graze_pair *sort_pairs(const gz_step_call *call, const gz_result_list *lists, graze_kind kind,
                                    size_t total) {
    graze_context *context = call->context;
    gz_pair_key key = gz_pair_key_for(call, kind);
    gz_key_chunk *keys = gz_reserve(context, call->workspace, GZ_SLOT_FOUND_KEYS, 1, gz_key_chunk_bytes(total));
    graze_pair *order = gz_reserve(context, call->workspace, GZ_SLOT_FOUND_ORDER, total, sizeof *order);
    if (!keys || !order) return NULL;
    keys->count = 0;
    for (uint32_t i = 0; i < context->threads; i++)
        for (size_t k = 0; k < lists[i].count; k++)
            keys->keys[keys->count++] = gz_pair_key_of(key, lists[i].pairs[k].pair.a, lists[i].pairs[k].pair.b);
    return gz_pair_sort(call, kind, &keys, 1, total, order) ? order : NULL;
}

/* Where a pair is among those in order. */
static size_t place_of(const graze_pair *order, size_t count, const graze_pair *pair) {
    size_t first = 0;
    while (count > 1) {
        size_t half = count / 2;
        const graze_pair *middle = &order[first + half];
        bool before = middle->a != pair->a ? pair->a < middle->a : pair->b < middle->b;
        first += before ? 0 : half;
        count = before ? half : count - half;
    }
    return first;
}

static graze_status append(const gz_step_call *call, gz_result_list *lists, graze_kind kind, size_t total,
                           graze_step_result *result) {
    graze_context *context = call->context;
    const graze_pair *order = sort_pairs(call, lists, kind, total);
    graze_pair_result *longer = order ? gz_pairs_allocate(context, result->pair_count + total) : NULL;
    if (!longer) return GRAZE_ERR_OUT_OF_MEMORY;
    if (result->pair_count) memcpy(longer, result->pairs, result->pair_count * sizeof *longer);
    for (uint32_t i = 0; i < context->threads; i++) {
        for (size_t k = 0; k < lists[i].count; k++)
            longer[result->pair_count + place_of(order, total, &lists[i].pairs[k].pair)] = lists[i].pairs[k];
        lists[i].count = 0;
    }
    gz_pairs_release(context, result->pairs);
    result->pairs = longer;
    result->pair_count += total;
    return GRAZE_OK;
}

graze_status gz_result_lists_append(const gz_step_call *call, gz_result_list *lists, graze_kind kind,
                                    graze_step_result *result) {
    size_t total = count_all(lists, call->context->threads);
    if (total == SIZE_MAX) return GRAZE_ERR_OUT_OF_MEMORY;
    return total ? append(call, lists, kind, total, result) : GRAZE_OK;
}

void gz_result_lists_close(const gz_step_call *call, gz_result_list *lists) {
    for (uint32_t i = 0; i < call->context->threads; i++)
        gz_release(call->context, lists[i].pairs, lists[i].room * sizeof *lists[i].pairs);
}
