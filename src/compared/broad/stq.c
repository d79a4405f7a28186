/* Sweep and tiniest queue (Belgrod et al., Algorithm 2): boxes sorted along the axis of largest spread; a queue of
   neighbors (i, j) whose intervals meet there. Each entry is tested on the other axes and, when i reaches j + 1 too,
   goes back as (i, j + 1). In parallel each worker has the queue of a slice of the i, one entry for each, so it never
   grows. */
#include "compared/broad/merged.h"

#define SLICE 256u

typedef struct stq_job {
    gz_merged merged;
    const gz_item *items;
    int axis;
} stq_job;

static bool reaches(const stq_job *job, uint32_t i, uint32_t j) {
    return j < job->merged.count && job->items[j].box.lo[job->axis] <= job->items[i].box.hi[job->axis];
}

static void slice_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const stq_job *job = state;
    gz_emitter *emitter = gz_broad_worker(job->merged.call, worker);
    if (!emitter) return;
    uint32_t queue[SLICE][2];
    size_t count = 0;
    for (size_t i = begin; i < end; i++)
        if (reaches(job, (uint32_t)i, (uint32_t)i + 1)) {
            queue[count][0] = (uint32_t)i;
            queue[count++][1] = (uint32_t)i + 1;
        }
    while (count && !gz_stopped(emitter)) {
        size_t kept = 0;
        for (size_t k = 0; k < count; k++) {
            uint32_t i = queue[k][0], j = queue[k][1], a = job->items[i].item, b = job->items[j].item;
            if (gz_merged_match(&job->merged, a, b) && gz_boxes_meet(&job->items[i].box, &job->items[j].box))
                gz_merged_emit(&job->merged, emitter, a, b);
            if (!reaches(job, i, j + 1)) continue;
            queue[kept][0] = i;
            queue[kept++][1] = j + 1;
        }
        count = kept;
    }
}

graze_status gz_stq_find(const gz_broad_call *call) {
    stq_job job = {.merged = gz_merge(call)};
    job.axis = gz_merged_axis(&job.merged);
    const gz_keyed *order = gz_merged_sort(&job.merged, job.axis);
    job.items = order ? gz_merged_items(&job.merged, order) : NULL;
    if (!job.items) return GRAZE_ERR_OUT_OF_MEMORY;
    gz_parallel(call->context, job.merged.count, SLICE, slice_range, &job);
    return GRAZE_OK;
}
