/* Incremental sort and sweep: the order of the last call is kept and put right by insertion, which costs little when
   boxes move little. An order that has become too wrong is made anew. */
#include "compared/broad/merged.h"

#define CHUNK 64
#define MOVES_PER_BOX 16 /* insertion steps, on average, after which sorting anew is cheaper */

typedef struct isap_job {
    gz_merged merged;
    const gz_item *items;
    int axis;
} isap_job;

static void sweep_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const isap_job *job = state;
    const gz_merged *m = &job->merged;
    gz_emitter *emitter = gz_broad_worker(m->call, worker);
    for (size_t i = begin; emitter && i < end; i++) {
        const gz_item *a = &job->items[i];
        for (size_t j = i + 1; j < m->count; j++) {
            const gz_item *b = &job->items[j];
            if (b->box.lo[job->axis] > a->box.hi[job->axis]) break;
            if (gz_merged_match(m, a->item, b->item) && gz_boxes_meet(&a->box, &b->box))
                gz_merged_emit(m, emitter, a->item, b->item);
        }
    }
}

/* Insertion sort; false when it takes too many moves (the order is still a permutation then). */
static bool put_right(const gz_merged *m, uint32_t *order, int axis) {
    uint64_t moves = 0, most = (uint64_t)m->count * MOVES_PER_BOX;
    for (uint32_t i = 1; i < m->count; i++) {
        uint32_t item = order[i], j = i;
        double lo = gz_merged_box(m, item)->lo[axis];
        for (; j > 0 && gz_merged_box(m, order[j - 1])->lo[axis] > lo; j--) order[j] = order[j - 1];
        order[j] = item;
        moves += i - j;
        if (moves > most) return false;
    }
    return true;
}

graze_status gz_isap_find(const gz_broad_call *call) {
    isap_job job = {.merged = gz_merge(call)};
    gz_workspace *workspace = call->workspace;
    int kind = (int)call->emitters[0].traversal->kind;
    gz_kept_order *kept = &workspace->kept[kind];
    bool known = kept->count == job.merged.count && kept->a_count == call->a.count;
    uint32_t *order =
        gz_reserve(call->context, workspace, (gz_slot)(GZ_SLOT_ISAP + kind), job.merged.count, sizeof *order);
    *kept = (gz_kept_order){.axis = kept->axis};
    if (!order) return GRAZE_ERR_OUT_OF_MEMORY;
    job.axis = known ? kept->axis : gz_merged_axis(&job.merged);
    if (!known || !put_right(&job.merged, order, job.axis)) {
        const gz_keyed *sorted = gz_merged_sort(&job.merged, job.axis);
        if (!sorted) return GRAZE_ERR_OUT_OF_MEMORY;
        for (uint32_t i = 0; i < job.merged.count; i++) order[i] = sorted[i].id;
    }
    *kept = (gz_kept_order){.count = job.merged.count, .a_count = call->a.count, .axis = job.axis};
    gz_item *items = gz_reserve(call->context, workspace, GZ_SLOT_COMPARED_D, job.merged.count, sizeof *items);
    if (!items) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < job.merged.count; i++)
        items[i] = (gz_item){*gz_merged_box(&job.merged, order[i]), order[i]};
    job.items = items;
    gz_parallel(call->context, job.merged.count, CHUNK, sweep_range, &job);
    return GRAZE_OK;
}
