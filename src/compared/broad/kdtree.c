/* A tree of planes across the axes: boxes on both sides of a plane go both ways. A pair is emitted in the leaf that
   holds the lower corner of what its boxes have in common. Where a plane parts too little the node stays a leaf. */
#include "compared/broad/merged.h"

#define LEAF 24u
#define ENTRIES_PER_BOX 12u
#define DEPTH 48

/* Items first … last of the list, in the region lo ≤ x < hi. */
typedef struct kd_leaf {
    size_t first, last;
    gz_box region;
} kd_leaf;

typedef struct kd_job {
    gz_merged merged;
    uint32_t *items;
    size_t item_count, item_room;
    kd_leaf *leaves;
    size_t leaf_count, leaf_room;
} kd_job;

static double middle(const gz_box *box, int axis) { return 0.5 * box->lo[axis] + 0.5 * box->hi[axis]; }

/* The axis of largest extent of the items, and the mean of their centers on it. */
static void choose_plane(const kd_job *job, const kd_leaf *node, int *axis, double *plane) {
    gz_box bounds = gz_box_empty();
    for (size_t k = node->first; k < node->last; k++) gz_box_join(&bounds, gz_merged_box(&job->merged, job->items[k]));
    *axis = 0;
    for (int c = 1; c < 3; c++)
        if (bounds.hi[c] - bounds.lo[c] > bounds.hi[*axis] - bounds.lo[*axis]) *axis = c;
    *plane = 0;
    double count = (double)(node->last - node->first);
    for (size_t k = node->first; k < node->last; k++)
        *plane += middle(gz_merged_box(&job->merged, job->items[k]), *axis) / count;
}

static void add_leaf(kd_job *job, const kd_leaf *node) { job->leaves[job->leaf_count++] = *node; }

/* Writes the two halves behind the list. False when the plane is no good or there is no room. */
static bool part(kd_job *job, const kd_leaf *node, kd_leaf halves[2]) {
    int axis;
    double plane;
    choose_plane(job, node, &axis, &plane);
    if (!(plane > node->region.lo[axis] && plane < node->region.hi[axis])) return false;
    size_t below = 0, above = 0, count = node->last - node->first;
    for (size_t k = node->first; k < node->last; k++) {
        const gz_box *box = gz_merged_box(&job->merged, job->items[k]);
        below += box->lo[axis] < plane;
        above += box->hi[axis] >= plane;
    }
    if (below == count || above == count || below + above > count + count / 2) return false;
    if (below + above > job->item_room - job->item_count) return false;
    size_t next[2] = {job->item_count, job->item_count + below};
    halves[0] = (kd_leaf){next[0], next[0] + below, node->region};
    halves[1] = (kd_leaf){next[1], next[1] + above, node->region};
    halves[0].region.hi[axis] = halves[1].region.lo[axis] = plane;
    for (size_t k = node->first; k < node->last; k++) {
        uint32_t item = job->items[k];
        const gz_box *box = gz_merged_box(&job->merged, item);
        if (box->lo[axis] < plane) job->items[next[0]++] = item;
        if (box->hi[axis] >= plane) job->items[next[1]++] = item;
    }
    job->item_count += below + above;
    return true;
}

static void build(kd_job *job, kd_leaf root) {
    kd_leaf stack[DEPTH + 2];
    int depths[DEPTH + 2], top = 0;
    stack[0] = root;
    depths[top++] = 0;
    while (top) {
        kd_leaf node = stack[--top], halves[2];
        int depth = depths[top];
        bool whole =
            node.last - node.first <= LEAF || depth == DEPTH || job->leaf_count + (size_t)top + 3 > job->leaf_room;
        if (whole || !part(job, &node, halves)) {
            add_leaf(job, &node);
            continue;
        }
        for (int side = 0; side < 2; side++) {
            stack[top] = halves[side];
            depths[top++] = depth + 1;
        }
    }
}

static bool holds(const gz_box *region, const gz_box *a, const gz_box *b) {
    for (int c = 0; c < 3; c++) {
        double x = a->lo[c] > b->lo[c] ? a->lo[c] : b->lo[c];
        if (x < region->lo[c] || (x >= region->hi[c] && region->hi[c] < INFINITY)) return false;
    }
    return true;
}

static void leaf_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const kd_job *job = state;
    const gz_merged *m = &job->merged;
    gz_emitter *emitter = gz_broad_worker(m->call, worker);
    for (size_t l = begin; emitter && l < end; l++) {
        const kd_leaf *leaf = &job->leaves[l];
        for (size_t x = leaf->first; x < leaf->last; x++)
            for (size_t y = x + 1; y < leaf->last; y++) {
                uint32_t i = job->items[x], j = job->items[y];
                const gz_box *a = gz_merged_box(m, i), *b = gz_merged_box(m, j);
                if (gz_merged_match(m, i, j) && gz_boxes_meet(a, b) && holds(&leaf->region, a, b))
                    gz_merged_emit(m, emitter, i, j);
            }
    }
}

graze_status gz_kdtree_find(const gz_broad_call *call) {
    kd_job job = {.merged = gz_merge(call)};
    uint32_t count = job.merged.count;
    /* inner nodes keep their lists too: every level costs at most half as much again as the boxes in it */
    job.item_room = (size_t)count * ENTRIES_PER_BOX * 4;
    job.leaf_room = (size_t)count + 8;
    job.items = gz_reserve(call->context, call->workspace, GZ_SLOT_COMPARED_A, job.item_room, sizeof *job.items);
    job.leaves = gz_reserve(call->context, call->workspace, GZ_SLOT_COMPARED_B, job.leaf_room, sizeof *job.leaves);
    if (!job.items || !job.leaves) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < count; i++) job.items[i] = i;
    job.item_count = count;
    kd_leaf root = {0, count, {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}}};
    build(&job, root);
    gz_parallel(call->context, job.leaf_count, 1, leaf_range, &job);
    return GRAZE_OK;
}
