/* Sort and sweep: boxes sorted along the axis on which their centers spread most; each is held against those that
   begin before it ends. */
#include "broad/broad.h"
#include "broad/sort.h"

#define CHUNK 64

typedef struct sap_list {
    gz_box *boxes; /* sorted by lo on the axis */
    uint32_t *ids;
    uint32_t count;
} sap_list;

typedef struct sap_job {
    const gz_broad_call *call;
    const gz_set *set;
    const gz_keyed *order;
    sap_list a, b;
    int axis;
} sap_job;

/* Half the center: no overflow. */
static double half_centre(const gz_box *box, int axis) { return 0.25 * box->lo[axis] + 0.25 * box->hi[axis]; }

/* The axis of largest variance. Any axis gives the same pairs, so plain sums will do. */
static int widest_axis(const gz_set *set) {
    int best = 0;
    double most = -1;
    for (int axis = 0; axis < 3; axis++) {
        double mean = 0, spread = 0;
        for (uint32_t i = 0; i < set->count; i++) mean += half_centre(&set->boxes[i], axis) / set->count;
        for (uint32_t i = 0; i < set->count; i++) spread += fabs(half_centre(&set->boxes[i], axis) - mean) / set->count;
        if (spread > most) {
            most = spread;
            best = axis;
        }
    }
    return best;
}

static void copy_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const sap_job *job = state;
    const sap_list *list = job->set == &job->call->a ? &job->a : &job->b;
    for (size_t i = begin; i < end; i++) {
        list->boxes[i] = job->set->boxes[job->order[i].id];
        list->ids[i] = gz_set_id(job->set, job->order[i].id);
    }
}

static bool sort_set(sap_job *job, const gz_set *set, gz_slot boxes_slot, gz_slot ids_slot, sap_list *list) {
    graze_context *context = job->call->context;
    gz_workspace *workspace = job->call->workspace;
    size_t scratch_size = gz_sort_scratch(context, set->count);
    gz_keyed *items = gz_reserve(context, workspace, GZ_SLOT_SORT_ITEMS, set->count, sizeof *items);
    gz_keyed *other = gz_reserve(context, workspace, GZ_SLOT_SORT_OTHER, set->count, sizeof *other);
    void *scratch = gz_reserve(context, workspace, GZ_SLOT_SORT_COUNTS, 1, scratch_size);
    list->boxes = gz_reserve(context, workspace, boxes_slot, set->count, sizeof *list->boxes);
    list->ids = gz_reserve(context, workspace, ids_slot, set->count, sizeof *list->ids);
    list->count = set->count;
    if (!items || !other || !scratch || !list->boxes || !list->ids) return false;
    for (uint32_t i = 0; i < set->count; i++) {
        items[i].key = gz_double_key(set->boxes[i].lo[job->axis]);
        items[i].id = i;
    }
    job->order = gz_sort(context, items, other, set->count, 64, scratch);
    job->set = set;
    gz_parallel(context, set->count, 4096, copy_range, job);
    return true;
}

/* The first box of the list that begins at x or later; `after`: later than x. */
static uint32_t first_from(const sap_list *list, int axis, double x, bool after) {
    uint32_t low = 0, high = list->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        double lo = list->boxes[middle].lo[axis];
        if (after ? lo <= x : lo < x) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Emits box i of `from` with those of `with` from `k` on that begin before it ends. */
static void sweep(const sap_list *from, uint32_t i, const sap_list *with, uint32_t k, int axis, bool swap,
                  gz_emitter *emitter) {
    const gz_box *box = &from->boxes[i];
    for (; k < with->count && with->boxes[k].lo[axis] <= box->hi[axis]; k++) {
        if (!gz_boxes_meet(box, &with->boxes[k])) continue;
        if (swap) {
            gz_emit(emitter, with->ids[k], from->ids[i]);
        } else {
            gz_emit(emitter, from->ids[i], with->ids[k]);
        }
    }
}

static void self_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const sap_job *job = state;
    gz_emitter *emitter = gz_broad_worker(job->call, worker);
    for (size_t i = begin; emitter && i < end; i++)
        sweep(&job->a, (uint32_t)i, &job->a, (uint32_t)i + 1, job->axis, false, emitter);
}

/* Of two boxes that meet, one begins first (or both at once: that counts as a's): each pair is found once. */
static void a_first_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const sap_job *job = state;
    gz_emitter *emitter = gz_broad_worker(job->call, worker);
    for (size_t i = begin; emitter && i < end; i++)
        sweep(&job->a, (uint32_t)i, &job->b, first_from(&job->b, job->axis, job->a.boxes[i].lo[job->axis], false),
              job->axis, false, emitter);
}

static void b_first_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const sap_job *job = state;
    gz_emitter *emitter = gz_broad_worker(job->call, worker);
    for (size_t i = begin; emitter && i < end; i++)
        sweep(&job->b, (uint32_t)i, &job->a, first_from(&job->a, job->axis, job->b.boxes[i].lo[job->axis], true),
              job->axis, true, emitter);
}

graze_status gz_sap_find(const gz_broad_call *call) {
    sap_job job = {.call = call, .axis = widest_axis(&call->b)};
    if (!sort_set(&job, &call->a, GZ_SLOT_COMPARED_A, GZ_SLOT_COMPARED_B, &job.a)) return GRAZE_ERR_OUT_OF_MEMORY;
    if (call->self) {
        gz_parallel(call->context, call->a.count, CHUNK, self_range, &job);
        return GRAZE_OK;
    }
    if (!sort_set(&job, &call->b, GZ_SLOT_COMPARED_C, GZ_SLOT_COMPARED_D, &job.b)) return GRAZE_ERR_OUT_OF_MEMORY;
    gz_parallel(call->context, call->a.count, CHUNK, a_first_range, &job);
    gz_parallel(call->context, call->b.count, CHUNK, b_first_range, &job);
    return GRAZE_OK;
}
