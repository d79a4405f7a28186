#include "broad/bvh.h"

#include "broad/beside_kernel.h"
#include "broad/blocks_kernel.h"
#include "mesh/mesh.h"

/* The bits of a test are as good as random, and a branch on each costs more than the test. So every stage writes what
   is left to a short list and the next stage walks that: nodes → leaf blocks of b → (leaf block of a, leaf block of b)
   → (primitive of a, leaf block of b) → rows of that, with the lanes of b → those that share no vertex → those that do
   not lie beside → pairs. Up to eight leaf blocks of a, the children of one block, go down the tree together. */
#define LEAVES 64u
#define ALL_LANES ((1u << GZ_BLOCK) - 1u)

/* Vertices that a primitive of each side has: constants where a step spends its time. */
typedef struct pair_shape {
    int a, b;
    bool self;
} pair_shape;

/* Some leaf blocks of a below one block, and what they still have to meet. */
typedef struct visitor {
    const gz_bvh_job *job;
    gz_emitter *emitter;
    uint32_t group;                  /* the block of level 1 that they are below */
    unsigned members;                /* bit i: leaf block 8 group + i is one of them */
    gz_rough_block limits[GZ_BLOCK]; /* of their primitives, to test with */
    beside_block edges[GZ_BLOCK];    /* the same, where the job looks beside them */
    unsigned leaf_count;
    uint32_t leaves[LEAVES + GZ_BLOCK];
    uint32_t blocks[(LEAVES + GZ_BLOCK) * GZ_BLOCK]; /* 8 × place in `leaves` + leaf block of a */
    /* 64 × place in `leaves` + 8 × leaf block of a + lane */
    uint32_t work[(LEAVES + GZ_BLOCK) * GZ_BLOCK * GZ_BLOCK + GZ_BLOCK];
} visitor;

/* The pairs of primitive `a` with the lanes set in `bits`; each is `asked` for where rules have not allowed all. */
static GZ_INLINE void emit_row(gz_emitter *emitter, uint32_t a, const uint32_t ids[GZ_BLOCK], unsigned bits, bool self,
                               bool asked) {
    if (GZ_UNLIKELY(asked) || emitter->room - emitter->count <= GZ_BLOCK) {
        for (; bits; bits &= bits - 1) gz_emit_distinct(emitter, a, ids[__builtin_ctz(bits)]);
        return;
    }
    uint32_t(*out)[2] = emitter->pairs + emitter->count;
#if defined(GZ_SIMD_AVX512)
    __m256i low = _mm256_set1_epi32((int)a);
    __m256i high = _mm256_maskz_compress_epi32((__mmask8)bits, _mm256_loadu_si256((const __m256i *)(const void *)ids));
    if (self) {
        __m256i least = _mm256_min_epu32(low, high);
        high = _mm256_max_epu32(low, high);
        low = least;
    }
    __m256i even = _mm256_unpacklo_epi32(low, high), odd = _mm256_unpackhi_epi32(low, high);
    _mm256_storeu_si256((__m256i *)(void *)out[0], _mm256_permute2x128_si256(even, odd, 0x20));
    _mm256_storeu_si256((__m256i *)(void *)out[4], _mm256_permute2x128_si256(even, odd, 0x31));
    emitter->count += (unsigned)__builtin_popcount(bits);
#else
    for (; bits; bits &= bits - 1, out++, emitter->count++) {
        uint32_t b = ids[__builtin_ctz(bits)];
        (*out)[0] = self && b < a ? b : a;
        (*out)[1] = self && b < a ? a : b;
    }
#endif
}

static GZ_INLINE gz_box hull_of(const gz_box *vertices, const uint32_t *ids, int count) {
    gz_box box = vertices[ids[0]];
    for (int i = 1; i < count; i++) gz_box_join(&box, &vertices[ids[(size_t)i * GZ_BLOCK]]);
    return box;
}

/* The lanes of b, among those in `bits`, that meet a primitive of a in double. Numbers that differ as floats have the
   same order as doubles, so only lanes with an equal side are tested. */
static GZ_INLINE unsigned lanes_meeting(const gz_box *vertices, const uint32_t *ids_a, const gz_leaf *leaf_b,
                                        unsigned bits, unsigned certain, pair_shape shape) {
    unsigned open = bits & ~certain;
    if (!open) return bits;
    gz_box a = hull_of(vertices, ids_a, shape.a);
    for (; open; open &= open - 1) {
        unsigned lane = (unsigned)__builtin_ctz(open);
        gz_box b = hull_of(vertices, &leaf_b->vertices[0][lane], shape.b);
        if (!gz_boxes_meet(&a, &b)) bits &= ~(1u << lane);
    }
    return bits;
}

/* True if halves and groups of two leaf blocks leave anything to look for: obstacles that do not feel each other end
   here. */
static GZ_INLINE bool leaves_allowed(const graze_mesh *mesh, const gz_leaf *a, const gz_leaf *b) {
    unsigned both = (a->halves & b->halves / GZ_HALF_B) | (a->halves / GZ_HALF_B & b->halves);
    if (!(both & GZ_HALF_A)) return false;
    return !mesh->groups || a->group == GZ_MIXED || b->group == GZ_MIXED || gz_groups_allowed(mesh, a->group, b->group);
}

/* True if every pair of two leaf blocks that came so far is allowed. */
static GZ_INLINE bool rules_are_kept(const gz_traversal *traversal, const gz_leaf *a, const gz_leaf *b) {
    if (gz_asks_filter(traversal) && ((a->halves | b->halves) & GZ_HALF_ASKED)) return false;
    return !traversal->mesh->groups || (a->group != GZ_MIXED && b->group != GZ_MIXED);
}

/* Finds the leaf blocks of a that meet those on the list; returns their number. */
static GZ_INLINE unsigned find_blocks(visitor *v, pair_shape shape) {
    const gz_rough_block *group = &v->job->a.level[1][v->group];
    uint32_t first = v->group * GZ_BLOCK;
    unsigned count = 0;
    for (unsigned i = 0; i < v->leaf_count; i++) {
        uint32_t leaf = v->leaves[i];
        unsigned bits = rough_meets(group, v->job->b.leaves[leaf].bounds.side, 1) & v->members;
        /* blocks after this one meet it when their own turn comes, from the other side */
        if (shape.self && leaf - first < GZ_BLOCK) bits &= (2u << (leaf - first)) - 1u;
        count += append_lanes(v->blocks + count, i * GZ_BLOCK, bits);
    }
    return count;
}

/* Finds those of their primitives that meet the leaf blocks. */
static GZ_INLINE unsigned find_primitives(visitor *v, unsigned block_count) {
    const gz_tree *a = &v->job->a, *b = &v->job->b;
    const gz_traversal *traversal = v->emitter->traversal;
    uint32_t first = v->group * GZ_BLOCK;
    unsigned count = 0;
    for (unsigned i = 0; i < block_count; i++) {
        uint32_t block = first + v->blocks[i] % GZ_BLOCK;
        const gz_leaf *leaf_b = &b->leaves[v->leaves[v->blocks[i] / GZ_BLOCK]];
        if (traversal->ruled && !leaves_allowed(traversal->mesh, &a->leaves[block], leaf_b)) continue;
        unsigned bits = rough_meets(&a->level[0][block], leaf_b->bounds.side, 1);
        count += append_lanes(v->work + count, v->blocks[i] * GZ_BLOCK, bits);
    }
    return count;
}

/* An item of `work`. */
typedef struct work_item {
    uint32_t block, lane, leaf; /* leaf block of a in the group, primitive in it, leaf block of b */
} work_item;

static GZ_INLINE work_item item_of(const visitor *v, uint32_t item) {
    return (work_item){item / GZ_BLOCK % GZ_BLOCK, item % GZ_BLOCK, v->leaves[item / (GZ_BLOCK * GZ_BLOCK)]};
}

/* Finds the items that meet a primitive of b, as rows: 256 × item + lanes of b. Rows overwrite the list while it is
   read, here and below. */
static GZ_INLINE unsigned find_rows(visitor *v, unsigned work) {
    unsigned rows = 0;
    for (unsigned i = 0; i < work; i++) {
        work_item at = item_of(v, v->work[i]);
        const float *limit = &v->limits[at.block].side[0][at.lane];
        unsigned bits = rough_meets(&v->job->b.level[0][at.leaf], limit, GZ_BLOCK);
        v->work[rows] = v->work[i] << GZ_BLOCK | bits;
        rows += bits != 0;
    }
    return rows;
}

/* Without lanes that share a vertex. */
static GZ_INLINE unsigned drop_sharing(visitor *v, unsigned row_count, pair_shape shape) {
    uint32_t first = v->group * GZ_BLOCK;
    unsigned rows = 0;
    for (unsigned i = 0; i < row_count; i++) {
        work_item at = item_of(v, v->work[i] >> GZ_BLOCK);
        const gz_leaf *leaf_a = &v->job->a.leaves[first + at.block], *leaf_b = &v->job->b.leaves[at.leaf];
        unsigned shared = lanes_sharing((const uint32_t(*)[GZ_BLOCK])leaf_b->vertices, shape.b,
                                        &leaf_a->vertices[0][at.lane], GZ_BLOCK, shape.a);
        /* within one block each pair once, and none with itself */
        if (shape.self) shared |= at.leaf == first + at.block ? (2u << at.lane) - 1u : 0;
        v->work[rows] = v->work[i] & ~shared;
        rows += (v->work[rows] & ALL_LANES) != 0;
    }
    return rows;
}

/* Without edges that lie beside each other. */
static GZ_INLINE unsigned drop_beside(visitor *v, unsigned row_count) {
    unsigned rows = 0;
    for (unsigned i = 0; i < row_count; i++) {
        work_item at = item_of(v, v->work[i] >> GZ_BLOCK);
        unsigned apart = beside_lanes(&v->job->b.level[0][at.leaf], &v->job->b.leaves[at.leaf], &v->edges[at.block],
                                      at.lane, v->job->beside);
        v->emitter->beside += (unsigned)__builtin_popcount(v->work[i] & apart);
        v->work[rows] = v->work[i] & ~apart;
        rows += (v->work[rows] & ALL_LANES) != 0;
    }
    return rows;
}

static GZ_INLINE void emit_rows(visitor *v, unsigned rows, pair_shape shape) {
    const gz_tree *b = &v->job->b;
    const gz_traversal *traversal = v->emitter->traversal;
    for (unsigned i = 0; i < rows; i++) {
        work_item at = item_of(v, v->work[i] >> GZ_BLOCK);
        unsigned bits = v->work[i] & ALL_LANES;
        const gz_leaf *leaf_a = &v->job->a.leaves[v->group * GZ_BLOCK + at.block], *leaf_b = &b->leaves[at.leaf];
        if (v->job->exact) {
            const float *limit = &v->limits[at.block].side[0][at.lane];
            unsigned certain = rough_compare(&b->level[0][at.leaf], limit, GZ_BLOCK, true);
            bits = lanes_meeting(v->job->exact, &leaf_a->vertices[0][at.lane], leaf_b, bits, certain, shape);
        }
        bool asked = traversal->ruled && !rules_are_kept(traversal, leaf_a, leaf_b);
        emit_row(v->emitter, leaf_a->ids[at.lane], leaf_b->ids, bits, shape.self, asked);
    }
}

/* Meets the leaf blocks on the list and empties it. */
static GZ_INLINE void meet_leaves(visitor *v, pair_shape shape) {
    unsigned rows = find_rows(v, find_primitives(v, find_blocks(v, shape)));
    rows = drop_sharing(v, rows, shape);
    if (shape.a == 2 && v->job->beside > 0) rows = drop_beside(v, rows);
    emit_rows(v, rows, shape);
    v->leaf_count = 0;
}

/* `block` is the first of the leaf blocks of a, `bounds` holds them all. */
static GZ_INLINE void visit_tree(visitor *v, uint32_t block, const gz_rough_limit *bounds, pair_shape shape) {
    const gz_tree *tree = &v->job->b;
    uint32_t nodes[GZ_TREE_LEVELS * GZ_BLOCK];
    unsigned char levels[GZ_TREE_LEVELS * GZ_BLOCK];
    int depth = 0;
    nodes[0] = 0;
    levels[depth++] = (unsigned char)tree->top;
    for (;;) {
        if (!depth || v->leaf_count >= LEAVES) meet_leaves(v, shape);
        if (!depth) return;
        uint32_t node = nodes[--depth];
        int level = levels[depth] - 1; /* of the children */
        unsigned bits = rough_meets(&tree->level[level + 1][node], bounds->side, 1);
        /* children whose leaves all come before this block have met it already; the node itself is not one of those, so
           at most seven of its children are */
        if (shape.self) {
            uint32_t first = block >> 3 * level;
            if (first > node * GZ_BLOCK) bits &= ~((1u << (first - node * GZ_BLOCK)) - 1u);
        }
        if (level > 0) {
            unsigned count = append_lanes(nodes + depth, node * GZ_BLOCK, bits);
            memset(levels + depth, level, GZ_BLOCK);
            depth += (int)count;
        } else {
            v->leaf_count += append_lanes(v->leaves + v->leaf_count, node * GZ_BLOCK, bits);
        }
    }
}

static GZ_INLINE void visit_blocks(const gz_bvh_job *job, size_t begin, size_t end, gz_emitter *emitter,
                                   pair_shape shape) {
    visitor v; /* its lists are written before they are read */
    v.job = job;
    v.emitter = emitter;
    v.leaf_count = 0;
    for (size_t k = begin; k < end && !gz_stopped(emitter);) {
        size_t first = k, group = k / GZ_BLOCK;
        gz_rough_limit bounds = job->a.leaves[k].bounds;
        v.group = (uint32_t)group;
        v.members = 0;
        for (; k < end && k / GZ_BLOCK == group; k++) {
            const float *side = job->a.leaves[k].bounds.side;
            for (int i = 0; i < 6; i++) bounds.side[i] = side[i] > bounds.side[i] ? side[i] : bounds.side[i];
            const gz_rough_block *block = &job->a.level[0][k];
            gz_rough_block *limits = &v.limits[k % GZ_BLOCK];
            for (int i = 0; i < 6; i++)
                for (unsigned lane = 0; lane < GZ_BLOCK; lane++)
                    limits->side[i][lane] = -block->side[(i + 3) % 6][lane];
            if (shape.a == 2 && job->beside > 0) beside_prepare(block, &job->a.leaves[k], &v.edges[k % GZ_BLOCK]);
            v.members |= 1u << k % GZ_BLOCK;
        }
        visit_tree(&v, (uint32_t)first, &bounds, shape);
    }
}

static void bvh_kernel(const gz_bvh_job *job, size_t begin, size_t end, gz_emitter *emitter) {
    switch ((int)emitter->traversal->kind) {
    case GRAZE_VF: visit_blocks(job, begin, end, emitter, (pair_shape){1, 3, false}); return;
    case GRAZE_EE: visit_blocks(job, begin, end, emitter, (pair_shape){2, 2, true}); return;
    }
    pair_shape shape = {1, 2, false}; /* one instance for the others */
    if ((int)emitter->traversal->kind == GRAZE_PP) shape = (pair_shape){1, 1, true};
    if ((int)emitter->traversal->kind == GZ_FF) shape = (pair_shape){3, 3, true};
    visit_blocks(job, begin, end, emitter, shape);
}
