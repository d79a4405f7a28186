#include "broad/tree.h"

#include "broad/emit.h"
#include "broad/hilbert.h"
#include "broad/sort.h"
#include "kernels/kernels.h"
#include "mesh/mesh.h"

#include <string.h>

/* Leaf blocks are filled in multiples of this, with what is above them on so many levels: about 2 µs. */
#define FAMILY ((size_t)(GZ_BLOCK * GZ_BLOCK))
#define FAMILY_LEVELS 2
#define SHARES 32u /* of the work that each thread takes at a time, as far as it goes */
/* A kept order is given up when its blocks have spread this much more than when they were ordered. */
#define WORN 1.25

/* Primitives: how many vertices each has, and which; NULL: primitive i is vertex i. */
typedef struct vertex_lists {
    const uint32_t *vertices;
    int each;
    const uint32_t *ids; /* of the primitives in the tree; NULL: all */
    uint32_t count;
} vertex_lists;

typedef struct build_job {
    const gz_tree_source *source;
    vertex_lists lists;
    const uint64_t *order; /* what gz_hilbert_places says, sorted; NULL: that of the leaves as they are */
    gz_tree *tree;
    double *spreads; /* of each worker: by how much its leaf blocks are larger than what is in them */
} build_job;

gz_tree_id gz_tree_of(graze_kind kind, bool second) {
    switch ((int)kind) {
    case GRAZE_VF: return second ? GZ_TREE_FACES : GZ_TREE_VERTICES;
    case GRAZE_EE: return GZ_TREE_EDGES;
    case GRAZE_PE: return second ? GZ_TREE_CODIM_EDGES : GZ_TREE_CODIM_POINTS;
    case GRAZE_PP: return GZ_TREE_CODIM_POINTS;
    }
    return GZ_TREE_FACES;
}

static vertex_lists lists_for(const graze_mesh *mesh, gz_tree_id id) {
    const uint32_t *edges = (const uint32_t *)mesh->edges;
    switch (id) {
    case GZ_TREE_FACES: return (vertex_lists){(const uint32_t *)mesh->faces, 3, NULL, mesh->face_count};
    case GZ_TREE_EDGES: return (vertex_lists){edges, 2, NULL, mesh->edge_count};
    case GZ_TREE_CODIM_POINTS: return (vertex_lists){NULL, 1, mesh->codim_points, mesh->codim_point_count};
    case GZ_TREE_CODIM_EDGES: return (vertex_lists){edges, 2, mesh->codim_edges, mesh->codim_edge_count};
    default: return (vertex_lists){NULL, 1, NULL, mesh->vertex_count};
    }
}

static const uint32_t *vertices_of(const vertex_lists *lists, const uint32_t *id) {
    return lists->vertices ? lists->vertices + (size_t)*id * (unsigned)lists->each : id;
}

static unsigned used_lanes(const gz_tree *tree, size_t k) {
    size_t left = tree->count - k * GZ_BLOCK;
    return left < GZ_BLOCK ? (unsigned)left : GZ_BLOCK;
}

/* The group of all primitives of a leaf block: that of their first vertices. */
static uint32_t common_group(const uint32_t *groups, const gz_leaf *leaf) {
    if (!groups) return GZ_MIXED;
    uint32_t group = groups[leaf->vertices[0][0]];
    for (unsigned lane = 1; lane < GZ_BLOCK; lane++)
        if (groups[leaf->vertices[0][lane]] != group) return GZ_MIXED;
    return group;
}

/* The halves of a primitive's least vertex; `step` is the distance from corner to corner. */
static uint8_t halves_of(const uint8_t *halves, const uint32_t *vertices, size_t step, int each) {
    uint32_t least = vertices[0];
    for (int corner = 1; corner < each; corner++)
        if (vertices[(size_t)corner * step] < least) least = vertices[(size_t)corner * step];
    return halves[least];
}

/* Halves of all primitives of a tree, where nobody needs to look into its leaves; 0: they differ. */
static uint8_t same_halves(const graze_mesh *mesh, int each) {
    const gz_owned_lists *owned = mesh->owned;
    if (!gz_mesh_halves(mesh)) return GZ_HALF_A | GZ_HALF_B | GZ_HALF_ASKED;
    return each > 1 ? owned->halves_of_longer : 0;
}

/* Halves of all primitives of a leaf block. Where they differ the filter is asked: what holds for pairs of two of them
   need not hold for others. */
static uint8_t common_halves(const uint8_t *halves, const gz_leaf *leaf, int each) {
    unsigned all = 0, both = ~0u;
    for (unsigned lane = 0; lane < GZ_BLOCK; lane++) {
        uint8_t mine = halves_of(halves, &leaf->vertices[0][lane], GZ_BLOCK, each);
        all |= mine;
        both &= mine;
    }
    return (uint8_t)(all == both ? all : all | GZ_HALF_ASKED);
}

/* Unused lanes are NaN and come last: no comparison takes them. In halves: the compiler works on four at once. */
static float least_of(const float lanes[GZ_BLOCK]) {
    float least[GZ_BLOCK / 2];
    for (unsigned i = 0; i < 4; i++) least[i] = lanes[i + 4] < lanes[i] ? lanes[i + 4] : lanes[i];
    for (unsigned i = 0; i < 2; i++) least[i] = least[i + 2] < least[i] ? least[i + 2] : least[i];
    return least[1] < least[0] ? least[1] : least[0];
}

/* Blocks [begin, end) of a level above the leaves. */
static void fill_level(const gz_tree *tree, int level, size_t begin, size_t end) {
    const gz_rough_block *below = tree->level[level - 1];
    size_t count = tree->blocks[level - 1];
    for (size_t k = begin; k < end; k++) {
        size_t first = k * GZ_BLOCK, left = count - first;
        unsigned used = left < GZ_BLOCK ? (unsigned)left : GZ_BLOCK;
        gz_rough_block *block = &tree->level[level][k];
        for (unsigned child = 0; child < used; child++)
            for (int i = 0; i < 6; i++)
                block->side[i][child] = level == 1 ? -tree->leaves[first + child].bounds.side[(i + 3) % 6]
                                                   : least_of(below[first + child].side[i]);
        gz_rough_block_pad(block, used);
    }
}

/* Boxes of the leaf blocks [begin, end), whole families but for the last, and of what is above them. */
static double fill_families(const gz_tree_source *source, const gz_tree *tree, size_t begin, size_t end) {
    double spread = source->context->kernels->fill(tree, source->rough, begin, end);
    for (int level = 1; level <= FAMILY_LEVELS && level <= tree->top; level++) {
        begin /= GZ_BLOCK;
        end = gz_block_count(end);
        fill_level(tree, level, begin, end);
    }
    return spread;
}

/* Fills the few levels above the families. */
static void fill_top(const gz_tree *tree) {
    for (int level = FAMILY_LEVELS + 1; level <= tree->top; level++) fill_level(tree, level, 0, tree->blocks[level]);
}

static void leaf_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const build_job *job = state;
    gz_tree *tree = job->tree;
    const graze_mesh *mesh = job->source->mesh;
    uint8_t same = same_halves(mesh, tree->each);
    for (size_t k = begin; k < end; k++) {
        size_t first = k * GZ_BLOCK;
        unsigned used = used_lanes(tree, k);
        gz_leaf *leaf = &tree->leaves[k];
        for (unsigned lane = 0; lane < GZ_BLOCK; lane++) {
            if (job->order) leaf->ids[lane] = (uint32_t)job->order[first + (lane < used ? lane : 0)];
            const uint32_t *v = vertices_of(&job->lists, &leaf->ids[lane]);
            for (int corner = 0; corner < tree->each; corner++) leaf->vertices[corner][lane] = v[corner];
        }
        leaf->group = common_group(mesh->groups, leaf);
        leaf->halves = same ? same : common_halves(gz_mesh_halves(mesh), leaf, tree->each);
    }
    job->spreads[worker] += fill_families(job->source, tree, begin, end);
}

/* Places the levels; returns the number of blocks of all. */
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

/* Room for the items of any of the trees: a slot that grew from tree to tree would be paged in each time. */
static uint64_t *reserve_items(const gz_tree_source *source) {
    const graze_mesh *mesh = source->mesh;
    size_t most = mesh->vertex_count > mesh->edge_count ? mesh->vertex_count : mesh->edge_count;
    if (mesh->face_count > most) most = mesh->face_count;
    return gz_reserve(source->context, source->workspace, GZ_SLOT_SORT_ITEMS, most, sizeof(uint64_t));
}

/* From one array into the other, one half after the other and each in its order: few leaf blocks have both. */
static void part_halves(const build_job *job, const uint64_t *from, uint64_t *to) {
    const uint8_t *halves = gz_mesh_halves(job->source->mesh);
    size_t starts[GZ_HALF_VALUES + 1] = {0};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < job->lists.count; i++) {
            uint32_t id = (uint32_t)from[i];
            uint8_t half = halves_of(halves, vertices_of(&job->lists, &id), 1, job->lists.each);
            if (pass)
                to[starts[half]++] = from[i];
            else
                starts[half + 1]++;
        }
        for (int half = 0; !pass && half < GZ_HALF_VALUES; half++) starts[half + 1] += starts[half];
    }
}

/* Sorts the primitives; false when there is no memory. The boxes of the tree are yet to be made, and lend their room.
 */
static bool find_order(build_job *job) {
    const gz_tree_source *source = job->source;
    graze_context *context = source->context;
    const vertex_lists *lists = &job->lists;
    uint64_t *items = reserve_items(source), *other = (uint64_t *)(void *)job->tree->level[0];
    size_t bytes = gz_sort_scratch(context, lists->count);
    void *scratch = gz_reserve(context, source->workspace, GZ_SLOT_SORT_COUNTS, 1, bytes);
    if (!items || !scratch) return false;
    gz_hilbert_job places = {
        .boxes = source->rough, .vertices = lists->vertices, .each = lists->each, .ids = lists->ids, .items = items};
    int bits = gz_hilbert_places(context, &places, lists->count, source->mesh->vertex_count);
    job->order = gz_sort_packed(context, items, other, lists->count, bits, scratch);
    bool parted = !same_halves(source->mesh, lists->each);
    if (parted != (job->order == other)) memcpy(parted ? other : items, job->order, lists->count * sizeof *other);
    if (parted) part_halves(job, other, items);
    job->order = items;
    return true;
}

static size_t family_count(const gz_tree *tree) {
    return tree->count ? tree->blocks[0] / FAMILY + (tree->blocks[0] % FAMILY != 0) : 0;
}

static size_t families_at_once(const graze_context *context, size_t families) {
    return families / context->threads / SHARES + 1;
}

/* Fills the tree; returns by how much the leaves are larger than what is in them, whatever the motion. */
static double fill_tree(build_job *job) {
    graze_context *context = job->source->context;
    double spread = 0;
    for (uint32_t i = 0; i < context->threads; i++) job->spreads[i] = 0;
    size_t at_once = families_at_once(context, family_count(job->tree));
    gz_parallel(context, job->tree->blocks[0], at_once * FAMILY, leaf_range, job);
    fill_top(job->tree);
    for (uint32_t i = 0; i < context->threads; i++) spread += job->spreads[i];
    return spread / job->source->view.scale; /* NaN, for boxes beyond the view, counts as worn */
}

bool gz_tree_build(gz_tree_source *source, gz_tree_id id, gz_tree *tree) {
    graze_context *context = source->context;
    gz_workspace *workspace = source->workspace;
    gz_kept_tree *kept = &workspace->trees[id];
    build_job job = {.source = source, .lists = lists_for(source->mesh, id), .tree = tree};
    /* a list of ids may be another one of the same length; all primitives are all primitives */
    bool keep = kept->count == job.lists.count && kept->vertex_count == source->mesh->vertex_count && !job.lists.ids;
    double spread = kept->spread;
    kept->count = 0;
    tree->each = job.lists.each;
    size_t total = plan_levels(tree, job.lists.count);
    gz_slot slot = (gz_slot)(GZ_SLOT_TREES + 2 * (int)id);
    gz_rough_block *blocks = gz_reserve(context, workspace, slot, total, sizeof *blocks);
    tree->leaves = gz_reserve(context, workspace, (gz_slot)(slot + 1), tree->blocks[0], sizeof *tree->leaves);
    job.spreads = gz_reserve(context, workspace, GZ_SLOT_TREE_SPREADS, context->threads, sizeof *job.spreads);
    if (!blocks || !tree->leaves || !job.spreads) return false;
    for (int level = 0; level <= tree->top; level++) {
        tree->level[level] = blocks;
        blocks += tree->blocks[level];
    }
    if (keep) keep = fill_tree(&job) <= WORN * spread;
    if (!keep) {
        if (!find_order(&job)) return false;
        spread = fill_tree(&job);
    }
    *kept = (gz_kept_tree){.count = job.lists.count, .vertex_count = source->mesh->vertex_count, .spread = spread};
    return true;
}

bool gz_tree_open(gz_tree_source *source) {
    source->rough = gz_reserve(source->context, source->workspace, GZ_SLOT_TREE_BOXES, source->mesh->vertex_count,
                               sizeof *source->rough);
    if (!source->rough) return false;
    source->view = source->vertices ? gz_view_of(source->vertices, source->mesh->vertex_count)
                                    : gz_view_of_vertices(&source->input);
    return true;
}

void gz_tree_renew(gz_tree_source *source) {
    if (source->vertices)
        gz_rough_boxes(source->context, &source->view, source->vertices, source->mesh->vertex_count, source->rough);
    else
        source->sizes = gz_rough_windows(source->context, &(gz_windows_job){.view = source->view,
                                                                            .input = &source->input,
                                                                            .t = source->window,
                                                                            .rough = source->rough,
                                                                            .ends = source->ends});
}

typedef struct refit_job {
    const gz_tree_source *source;
    const gz_tree *trees;
} refit_job;

/* Families by their number in all trees together. */
static void refit_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const refit_job *job = state;
    for (size_t i = begin; i < end; i++) {
        const gz_tree *tree = job->trees;
        size_t family = i;
        while (family >= family_count(tree)) family -= family_count(tree++);
        size_t first = family * FAMILY, left = tree->blocks[0] - first;
        fill_families(job->source, tree, first, first + (left < FAMILY ? left : FAMILY));
    }
}

void gz_tree_refit(const gz_tree_source *source, const gz_tree trees[GZ_TREES]) {
    refit_job job = {.source = source, .trees = trees};
    size_t families = 0;
    for (int id = 0; id < GZ_TREES; id++) families += family_count(&trees[id]);
    gz_parallel(source->context, families, families_at_once(source->context, families), refit_range, &job);
    for (int id = 0; id < GZ_TREES; id++)
        if (trees[id].count) fill_top(&trees[id]);
}
