/* Segmented interval lists, after Tracy, Buss and Woods (2009): the axis of largest spread is cut into segments in
   which about as many boxes begin; every segment lists the boxes whose interval touches it, so that one box is put in
   or taken out by walking its segments. A box meets the others of the segment that it begins in; a pair is found where
   the later of its two begins. */
#include "compared/broad/merged.h"

#define SEGMENT 64u /* boxes that begin in a segment */
#define ENTRIES_PER_BOX 12u

typedef struct tracy_job {
    gz_merged merged;
    double *borders; /* segment s is from borders[s] to the next; the first is open below */
    uint32_t segments;
    int axis;
    const gz_item *list;      /* all boxes in order of where they begin */
    uint32_t *starts, *items; /* of each segment: where its list ends, and all lists, by their place in the order */
} tracy_job;

/* The segment that holds x: the last border at or below it. */
static uint32_t segment_of(const tracy_job *job, double x) {
    uint32_t low = 0, high = job->segments;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (job->borders[middle] <= x) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

static uint64_t count_entries(const tracy_job *job) {
    uint64_t entries = 0;
    for (uint32_t i = 0; i < job->merged.count; i++) {
        const gz_box *box = &job->list[i].box;
        entries += segment_of(job, box->hi[job->axis]) - segment_of(job, box->lo[job->axis]) + 1u;
    }
    return entries;
}

/* Borders at every nth box in order; n doubled until the lists are short enough in all. */
static uint64_t plan(tracy_job *job) {
    uint32_t count = job->merged.count;
    for (uint64_t each = SEGMENT;; each *= 2) {
        job->segments = (uint32_t)(count / each) + 1;
        for (uint32_t s = 0; s < job->segments; s++) {
            uint64_t first = (uint64_t)s * each < count ? (uint64_t)s * each : count - 1u;
            job->borders[s] = job->list[first].box.lo[job->axis];
        }
        uint64_t entries = count_entries(job);
        if (job->segments == 1 || entries <= (uint64_t)count * ENTRIES_PER_BOX) return entries;
    }
}

static void insert_all(tracy_job *job) {
    for (uint32_t s = 0; s < job->segments; s++) job->starts[s] = 0;
    for (int write = 0; write < 2; write++) {
        for (uint32_t k = 0; k < job->merged.count; k++) {
            const gz_box *box = &job->list[k].box;
            uint32_t last = segment_of(job, box->hi[job->axis]);
            for (uint32_t s = segment_of(job, box->lo[job->axis]); s <= last; s++) {
                if (write) job->items[job->starts[s]] = k;
                job->starts[s]++;
            }
        }
        uint32_t sum = 0;
        for (uint32_t s = 0; s < job->segments && !write; s++) {
            uint32_t here = job->starts[s];
            job->starts[s] = sum;
            sum += here;
        }
    }
}

static void segment_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const tracy_job *job = state;
    const gz_merged *m = &job->merged;
    gz_emitter *emitter = gz_broad_worker(m->call, worker);
    for (size_t s = begin; emitter && s < end; s++) {
        uint32_t first = s ? job->starts[s - 1] : 0, last = job->starts[s];
        for (uint32_t y = last; y-- > first;) {
            const gz_item *b = &job->list[job->items[y]];
            if (segment_of(job, b->box.lo[job->axis]) != s) break; /* in order: those before began earlier too */
            for (uint32_t x = first; x < y; x++) {
                const gz_item *a = &job->list[job->items[x]];
                if (gz_merged_match(m, a->item, b->item) && gz_boxes_meet(&a->box, &b->box))
                    gz_merged_emit(m, emitter, a->item, b->item);
            }
        }
    }
}

graze_status gz_tracy_find(const gz_broad_call *call) {
    tracy_job job = {.merged = gz_merge(call)};
    uint32_t most = job.merged.count / SEGMENT + 1;
    job.axis = gz_merged_axis(&job.merged);
    const gz_keyed *order = gz_merged_sort(&job.merged, job.axis);
    job.borders = gz_reserve(call->context, call->workspace, GZ_SLOT_COMPARED_A, most, sizeof *job.borders);
    job.starts = gz_reserve(call->context, call->workspace, GZ_SLOT_COMPARED_B, most, sizeof *job.starts);
    job.list = order ? gz_merged_items(&job.merged, order) : NULL;
    if (!job.list || !job.borders || !job.starts) return GRAZE_ERR_OUT_OF_MEMORY;
    uint64_t entries = plan(&job);
    if (entries > UINT32_MAX) return GRAZE_ERR_OUT_OF_MEMORY;
    job.items = gz_reserve(call->context, call->workspace, GZ_SLOT_COMPARED_C, (size_t)entries, sizeof *job.items);
    if (!job.items) return GRAZE_ERR_OUT_OF_MEMORY;
    insert_all(&job);
    gz_parallel(call->context, job.segments, 1, segment_range, &job);
    return GRAZE_OK;
}
