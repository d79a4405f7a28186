#include "broad/curve.h"

#include "broad/sort.h"
#include "kernels/kernels.h"

#define CHUNK 2048
#define FEW 32u

typedef struct curve_job {
    const gz_rough *boxes;
    gz_box *bounds; /* of the centres seen by each worker */
    gz_keyed *items;
    const gz_keyed *order;
    uint32_t *rank;
    double origin[3], scale;
    int bits; /* on each axis */
    gz_curve_kernel *curve;
} curve_job;

/* Twice the centre; the high ends are negated. */
static inline double centre(const gz_rough *box, int c) { return (double)box->side[c] - (double)box->side[4 + c]; }

static void bound_range(void *state, size_t begin, size_t end, uint32_t worker) {
    curve_job *job = state;
    gz_box bounds = job->bounds[worker];
    for (size_t i = begin; i < end; i++)
        for (int c = 0; c < 3; c++) {
            double x = centre(&job->boxes[i], c);
            if (x < bounds.lo[c]) bounds.lo[c] = x;
            if (x > bounds.hi[c]) bounds.hi[c] = x;
        }
    job->bounds[worker] = bounds;
}

static void code_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const curve_job *job = state;
    double most = (double)(((uint32_t)1 << job->bits) - 1);
    for (size_t first = begin; first < end; first += GZ_BLOCK) {
        unsigned used = end - first < GZ_BLOCK ? (unsigned)(end - first) : GZ_BLOCK;
        uint32_t cells[3][GZ_BLOCK] = {{0}};
        uint64_t keys[GZ_BLOCK];
        for (unsigned lane = 0; lane < used; lane++)
            for (int c = 0; c < 3; c++) {
                double x = (centre(&job->boxes[first + lane], c) - job->origin[c]) * job->scale;
                cells[c][lane] = x >= most ? (uint32_t)most : x > 0 ? (uint32_t)x : 0;
            }
        job->curve(cells, job->bits, keys);
        for (unsigned lane = 0; lane < used; lane++)
            job->items[first + lane] = (gz_keyed){keys[lane], (uint32_t)(first + lane)};
    }
}

static void rank_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const curve_job *job = state;
    for (size_t i = begin; i < end; i++) job->rank[job->order[i].id] = (uint32_t)i;
}

/* Cells of one size on all axes; enough of them that a surface of `count` vertices rarely has two in one. */
static void plan_cells(curve_job *job, uint32_t count, uint32_t threads) {
    gz_box bounds = gz_box_empty();
    for (uint32_t i = 0; i < threads; i++) gz_box_join(&bounds, &job->bounds[i]);
    double extent = 0;
    for (int c = 0; c < 3; c++) {
        job->origin[c] = bounds.lo[c];
        if (bounds.hi[c] - bounds.lo[c] > extent) extent = bounds.hi[c] - bounds.lo[c];
    }
    job->bits = 2;
    for (uint32_t n = count; n; n >>= 2) job->bits++;
    job->scale = extent > 0 ? (double)((uint32_t)1 << job->bits) / extent : 0;
}

const uint32_t *gz_vertex_rank(graze_context *context, gz_workspace *workspace, const gz_rough *boxes, uint32_t count) {
    curve_job job = {.boxes = boxes, .curve = context->kernels->curve};
    if (count <= FEW) { /* a few blocks are all looked at anyway */
        job.rank = gz_reserve(context, workspace, GZ_SLOT_RANK, FEW, sizeof *job.rank);
        for (uint32_t i = 0; job.rank && i < count; i++) job.rank[i] = i;
        return job.rank;
    }
    job.items = gz_reserve(context, workspace, GZ_SLOT_BROAD_A, count, sizeof *job.items);
    gz_keyed *other = gz_reserve(context, workspace, GZ_SLOT_BROAD_B, count, sizeof *other);
    void *scratch = gz_reserve(context, workspace, GZ_SLOT_BROAD_C, 1, gz_sort_scratch(context, count));
    job.bounds = gz_reserve(context, workspace, GZ_SLOT_BROAD_D, context->threads, sizeof *job.bounds);
    job.rank = gz_reserve(context, workspace, GZ_SLOT_RANK, count, sizeof *job.rank);
    if (!job.items || !other || !scratch || !job.bounds || !job.rank) return NULL;
    for (uint32_t i = 0; i < context->threads; i++) job.bounds[i] = gz_box_empty();
    gz_parallel(context, count, CHUNK, bound_range, &job);
    plan_cells(&job, count, context->threads);
    gz_parallel(context, count, CHUNK, code_range, &job);
    job.order = gz_sort(context, job.items, other, count, 3 * job.bits, scratch);
    gz_parallel(context, count, 2 * CHUNK, rank_range, &job);
    return job.rank;
}
