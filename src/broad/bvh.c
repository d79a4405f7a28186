#include "broad/bvh.h"

#include "broad/sort.h"

#define VISIT_CHUNK 16
#define BUILD_CHUNK 2048

gz_bvh_kernel *gz_bvh_kernel_for(graze_isa isa) {
    switch (isa) {
#if defined(GRAZE_HAVE_AVX2)
    case GRAZE_ISA_AVX2: return gz_bvh_avx2;
#endif
#if defined(GRAZE_HAVE_AVX512)
    case GRAZE_ISA_AVX512: return gz_bvh_avx512;
#endif
#if defined(GRAZE_HAVE_NEON)
    case GRAZE_ISA_NEON: return gz_bvh_neon;
#endif
    default: return gz_bvh_scalar;
    }
}

static gz_curve_kernel *curve_for(graze_isa isa) {
    switch (isa) {
#if defined(GRAZE_HAVE_AVX2)
    case GRAZE_ISA_AVX2: return gz_curve_avx2;
#endif
#if defined(GRAZE_HAVE_AVX512)
    case GRAZE_ISA_AVX512: return gz_curve_avx512;
#endif
#if defined(GRAZE_HAVE_NEON)
    case GRAZE_ISA_NEON: return gz_curve_neon;
#endif
    default: return gz_curve_scalar;
    }
}

typedef struct build_job {
    const gz_set *set;
    gz_vertex_lists lists;
    gz_box *bounds; /* of the centres seen by each worker */
    gz_keyed *items;
    const gz_keyed *order;
    gz_tree *tree;
    const gz_box *vertices;
    double origin[3], scale;
    graze_isa isa;
    int bits; /* of the curve, on each axis */
    int level;
} build_job;

/* Half the centre: no overflow. Only speed depends on it. */
static inline double half_centre(const gz_box *box, int c) { return 0.25 * box->lo[c] + 0.25 * box->hi[c]; }

static void bound_range(void *state, size_t begin, size_t end, uint32_t worker) {
    build_job *job = state;
    gz_box bounds = job->bounds[worker];
    for (size_t i = begin; i < end; i++)
        for (int c = 0; c < 3; c++) {
            double x = half_centre(&job->set->boxes[i], c);
            if (x < bounds.lo[c]) bounds.lo[c] = x;
            if (x > bounds.hi[c]) bounds.hi[c] = x;
        }
    job->bounds[worker] = bounds;
}

static void code_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const build_job *job = state;
    gz_curve_kernel *curve = curve_for(job->isa);
    double most = (double)(((uint32_t)1 << job->bits) - 1);
    for (size_t first = begin; first < end; first += GZ_BLOCK) {
        unsigned used = end - first < GZ_BLOCK ? (unsigned)(end - first) : GZ_BLOCK;
        uint32_t cells[3][GZ_BLOCK] = {{0}};
        uint64_t keys[GZ_BLOCK];
        for (unsigned lane = 0; lane < used; lane++)
            for (int c = 0; c < 3; c++) {
                double x = (half_centre(&job->set->boxes[first + lane], c) - job->origin[c]) * job->scale;
                cells[c][lane] = x >= most ? (uint32_t)most : x > 0 ? (uint32_t)x : 0;
            }
        curve(cells, job->bits, keys);
        for (unsigned lane = 0; lane < used; lane++)
            job->items[first + lane] = (gz_keyed){keys[lane], (uint32_t)(first + lane)};
    }
}

static gz_box block_bounds(const gz_block *block) {
    gz_box box = gz_box_empty();
    for (int c = 0; c < 3; c++)
        for (unsigned lane = 0; lane < GZ_BLOCK; lane++) { /* unused lanes are NaN: no comparison takes them */
            if (block->lo[c][lane] < box.lo[c]) box.lo[c] = block->lo[c][lane];
            if (block->hi[c][lane] > box.hi[c]) box.hi[c] = block->hi[c][lane];
        }
    return box;
}

static void leaf_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const build_job *job = state;
    for (size_t k = begin; k < end; k++) {
        size_t first = k * GZ_BLOCK, left = job->tree->count - first;
        unsigned used = left < GZ_BLOCK ? (unsigned)left : GZ_BLOCK;
        gz_block *block = &job->tree->level[0][k];
        gz_leaf *leaf = &job->tree->leaves[k];
        for (unsigned lane = 0; lane < GZ_BLOCK; lane++) {
            uint32_t i = job->order[first + (lane < used ? lane : 0)].id, id = gz_set_id(job->set, i);
            gz_block_set(block, lane, &job->set->boxes[i]);
            leaf->ids[lane] = id;
            leaf->vertices[0][lane] = id;
            for (int v = 0; job->lists.vertices && v < job->lists.each; v++)
                leaf->vertices[v][lane] = job->lists.vertices[(size_t)id * (unsigned)job->lists.each + (unsigned)v];
        }
        gz_block_pad(block, used);
        leaf->bounds = block_bounds(block);
    }
}

static void refit_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const build_job *job = state;
    for (size_t k = begin; k < end; k++) {
        size_t left = job->tree->count - k * GZ_BLOCK;
        unsigned used = left < GZ_BLOCK ? (unsigned)left : GZ_BLOCK;
        gz_leaf *leaf = &job->tree->leaves[k];
        gz_box bounds = gz_box_empty();
        for (unsigned lane = 0; lane < used; lane++) {
            gz_box box = job->vertices[leaf->vertices[0][lane]];
            for (int v = 1; v < job->tree->each; v++) gz_box_join(&box, &job->vertices[leaf->vertices[v][lane]]);
            gz_block_set(&job->tree->level[0][k], lane, &box);
            gz_box_join(&bounds, &box);
        }
        leaf->bounds = bounds;
    }
}

static void level_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const build_job *job = state;
    const gz_block *below = job->tree->level[job->level - 1];
    size_t count = job->tree->blocks[job->level - 1];
    for (size_t k = begin; k < end; k++) {
        size_t first = k * GZ_BLOCK, left = count - first;
        unsigned used = left < GZ_BLOCK ? (unsigned)left : GZ_BLOCK;
        gz_block *block = &job->tree->level[job->level][k];
        for (unsigned lane = 0; lane < used; lane++) {
            gz_box box = job->level == 1 ? job->tree->leaves[first + lane].bounds : block_bounds(&below[first + lane]);
            gz_block_set(block, lane, &box);
        }
        gz_block_pad(block, used);
    }
}

static void fill_levels(graze_context *context, build_job *job) {
    for (job->level = 1; job->level <= job->tree->top; job->level++)
        gz_parallel(context, job->tree->blocks[job->level], BUILD_CHUNK / GZ_BLOCK, level_range, job);
}

/* Where the levels lie; returns the number of blocks of all. */
static size_t plan_levels(gz_tree *tree, uint32_t count) {
    size_t total = 0, blocks = gz_block_count(count);
    tree->count = count;
    tree->top = 0;
    for (int level = 0;; level++) {
        tree->blocks[level] = (uint32_t)blocks;
        total += blocks;
        tree->top = level;
        if (blocks == 1 && level > 0) return total;
        blocks = gz_block_count(blocks);
    }
}

/* Cells of one size on all axes; enough of them that a surface of `count` primitives rarely has two in one. */
static void plan_curve(build_job *job, uint32_t threads) {
    gz_box bounds = gz_box_empty();
    for (uint32_t i = 0; i < threads; i++) gz_box_join(&bounds, &job->bounds[i]);
    double extent = 0;
    for (int c = 0; c < 3; c++) {
        job->origin[c] = bounds.lo[c];
        if (bounds.hi[c] - bounds.lo[c] > extent) extent = bounds.hi[c] - bounds.lo[c];
    }
    job->bits = 2;
    for (uint32_t n = job->set->count; n; n >>= 2) job->bits++;
    job->scale = extent > 0 ? (double)((uint32_t)1 << job->bits) / extent : 0;
}

bool gz_tree_build(graze_context *context, gz_workspace *workspace, const gz_set *set, gz_vertex_lists lists,
                   gz_slot blocks_slot, gz_slot leaves_slot, gz_tree *tree) {
    size_t count = set->count, total = plan_levels(tree, set->count);
    tree->each = lists.each;
    gz_keyed *items = gz_reserve(context, workspace, GZ_SLOT_BROAD_A, count, sizeof *items);
    gz_keyed *other = gz_reserve(context, workspace, GZ_SLOT_BROAD_B, count, sizeof *other);
    void *scratch = gz_reserve(context, workspace, GZ_SLOT_BROAD_C, 1, gz_sort_scratch(context, count));
    gz_box *bounds = gz_reserve(context, workspace, GZ_SLOT_BROAD_D, context->threads, sizeof *bounds);
    gz_block *blocks = gz_reserve(context, workspace, blocks_slot, total, sizeof *blocks);
    tree->leaves = gz_reserve(context, workspace, leaves_slot, tree->blocks[0], sizeof *tree->leaves);
    if (!items || !other || !scratch || !bounds || !blocks || !tree->leaves) return false;
    for (int level = 0; level <= tree->top; level++) {
        tree->level[level] = blocks;
        blocks += tree->blocks[level];
    }
    build_job job = {.isa = context->isa, .set = set, .lists = lists, .bounds = bounds, .items = items, .tree = tree};
    for (uint32_t i = 0; i < context->threads; i++) bounds[i] = gz_box_empty();
    gz_parallel(context, count, BUILD_CHUNK, bound_range, &job);
    plan_curve(&job, context->threads);
    gz_parallel(context, count, BUILD_CHUNK, code_range, &job);
    job.order = gz_sort(context, items, other, count, 3 * job.bits, scratch);
    gz_parallel(context, tree->blocks[0], BUILD_CHUNK / GZ_BLOCK, leaf_range, &job);
    fill_levels(context, &job);
    return true;
}

void gz_tree_refit(graze_context *context, gz_tree *tree, const gz_box *vertices) {
    build_job job = {.tree = tree, .vertices = vertices};
    gz_parallel(context, tree->blocks[0], BUILD_CHUNK / GZ_BLOCK, refit_range, &job);
    fill_levels(context, &job);
}

static void visit_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const gz_bvh_job *job = state;
    gz_emitter *emitter = gz_broad_worker(job->call, worker);
    if (emitter) gz_bvh_kernel_for(job->call->context->isa)(job, begin, end, emitter);
}

gz_vertex_lists gz_vertex_lists_for(const graze_mesh *mesh, graze_kind kind, bool second) {
    if (kind == GRAZE_VF && second) return (gz_vertex_lists){(const uint32_t *)mesh->faces, 3};
    if (kind == GRAZE_EE || (kind == GRAZE_PE && second)) return (gz_vertex_lists){(const uint32_t *)mesh->edges, 2};
    return (gz_vertex_lists){NULL, 1};
}

graze_status gz_bvh_find(const gz_broad_call *call) {
    const gz_search *search = call->emitters[0].search;
    gz_bvh_job job = {.call = call};
    if (!gz_tree_build(call->context, call->workspace, &call->a, gz_vertex_lists_for(search->mesh, search->kind, false),
                       GZ_SLOT_BROAD_E, GZ_SLOT_BROAD_F, &job.a))
        return GRAZE_ERR_OUT_OF_MEMORY;
    if (call->self) {
        job.b = job.a;
    } else if (!gz_tree_build(call->context, call->workspace, &call->b,
                              gz_vertex_lists_for(search->mesh, search->kind, true), GZ_SLOT_BROAD_G, GZ_SLOT_BROAD_H,
                              &job.b)) {
        return GRAZE_ERR_OUT_OF_MEMORY;
    }
    gz_parallel(call->context, job.a.blocks[0], VISIT_CHUNK, visit_range, &job);
    return GRAZE_OK;
}
