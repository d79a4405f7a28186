#include "broad/tree.h"

#include "broad/emit.h"
#include "broad/sort.h"

#define CHUNK 2048

typedef struct build_job {
    const gz_tree_input *input;
    gz_keyed *items;
    const gz_keyed *order;
    gz_tree *tree;
    const gz_box *vertices;
    int level;
} build_job;

static const uint32_t *vertices_of(const gz_tree_input *input, const uint32_t *id) {
    return input->lists.vertices ? input->lists.vertices + (size_t)*id * (unsigned)input->lists.each : id;
}

/* By the vertex that comes first on the curve: neighbours stay neighbours, and only the vertices need a curve. */
static void key_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const build_job *job = state;
    for (size_t i = begin; i < end; i++) {
        uint32_t id = job->input->ids ? job->input->ids[i] : (uint32_t)i;
        const uint32_t *v = vertices_of(job->input, &id);
        uint32_t least = job->input->rank[v[0]];
        for (int k = 1; k < job->input->lists.each; k++)
            if (job->input->rank[v[k]] < least) least = job->input->rank[v[k]];
        job->items[i] = (gz_keyed){least, id};
    }
}

/* Boxes of a leaf block from those of its vertices. */
static void fill_leaf(const gz_tree *tree, size_t k, const gz_box *vertices) {
    size_t left = tree->count - k * GZ_BLOCK;
    unsigned used = left < GZ_BLOCK ? (unsigned)left : GZ_BLOCK;
    gz_leaf *leaf = &tree->leaves[k];
    gz_box bounds = gz_box_empty();
    for (unsigned lane = 0; lane < used; lane++) {
        gz_box box = vertices[leaf->vertices[0][lane]];
        for (int v = 1; v < tree->each; v++) gz_box_join(&box, &vertices[leaf->vertices[v][lane]]);
        gz_block_set(&tree->level[0][k], lane, &box);
        gz_box_join(&bounds, &box);
    }
    gz_block_pad(&tree->level[0][k], used);
    leaf->bounds = bounds;
}

static void leaf_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const build_job *job = state;
    for (size_t k = begin; k < end; k++) {
        size_t first = k * GZ_BLOCK, left = job->tree->count - first;
        unsigned used = left < GZ_BLOCK ? (unsigned)left : GZ_BLOCK;
        gz_leaf *leaf = &job->tree->leaves[k];
        for (unsigned lane = 0; lane < GZ_BLOCK; lane++) {
            leaf->ids[lane] = job->order[first + (lane < used ? lane : 0)].id;
            const uint32_t *v = vertices_of(job->input, &leaf->ids[lane]);
            for (int corner = 0; corner < job->tree->each; corner++) leaf->vertices[corner][lane] = v[corner];
        }
        fill_leaf(job->tree, k, job->input->vertices);
    }
}

static void refit_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const build_job *job = state;
    for (size_t k = begin; k < end; k++) fill_leaf(job->tree, k, job->vertices);
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
        gz_parallel(context, job->tree->blocks[job->level], CHUNK / GZ_BLOCK, level_range, job);
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

bool gz_tree_build(graze_context *context, gz_workspace *workspace, const gz_tree_input *input, gz_slot blocks_slot,
                   gz_slot leaves_slot, gz_tree *tree) {
    size_t count = input->count, total = plan_levels(tree, input->count);
    tree->each = input->lists.each;
    gz_keyed *items = gz_reserve(context, workspace, GZ_SLOT_BROAD_A, count, sizeof *items);
    gz_keyed *other = gz_reserve(context, workspace, GZ_SLOT_BROAD_B, count, sizeof *other);
    void *scratch = gz_reserve(context, workspace, GZ_SLOT_BROAD_C, 1, gz_sort_scratch(context, count));
    gz_block *blocks = gz_reserve(context, workspace, blocks_slot, total, sizeof *blocks);
    tree->leaves = gz_reserve(context, workspace, leaves_slot, tree->blocks[0], sizeof *tree->leaves);
    if (!items || !other || !scratch || !blocks || !tree->leaves) return false;
    for (int level = 0; level <= tree->top; level++) {
        tree->level[level] = blocks;
        blocks += tree->blocks[level];
    }
    int bits = 0;
    while (bits < 32 && input->vertex_count >> bits) bits++;
    build_job job = {.input = input, .items = items, .tree = tree};
    gz_parallel(context, count, CHUNK, key_range, &job);
    job.order = gz_sort(context, items, other, count, bits, scratch);
    gz_parallel(context, tree->blocks[0], CHUNK / GZ_BLOCK, leaf_range, &job);
    fill_levels(context, &job);
    return true;
}

void gz_tree_refit(graze_context *context, gz_tree *tree, const gz_box *vertices) {
    build_job job = {.tree = tree, .vertices = vertices};
    gz_parallel(context, tree->blocks[0], CHUNK / GZ_BLOCK, refit_range, &job);
    fill_levels(context, &job);
}

gz_vertex_lists gz_vertex_lists_for(const graze_mesh *mesh, graze_kind kind, bool second) {
    if ((kind == GRAZE_VF && second) || (int)kind == GZ_FF) return (gz_vertex_lists){(const uint32_t *)mesh->faces, 3};
    if (kind == GRAZE_EE || (kind == GRAZE_PE && second)) return (gz_vertex_lists){(const uint32_t *)mesh->edges, 2};
    return (gz_vertex_lists){NULL, 1};
}
