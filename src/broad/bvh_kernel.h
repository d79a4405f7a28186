#include "broad/bvh.h"

#include "broad/blocks_kernel.h"

/* The bits of a test are as good as random, and a branch on each costs more than the test. So every stage writes what
   is left to a short list and the next stage walks that: nodes → leaf blocks → (primitive of a, leaf block of b) →
   pairs. */
#define LEAVES 128

/* Vertices that a primitive of each side has: constants in each instance of the functions below. */
typedef struct pair_shape {
    int a, b;
    bool self;
} pair_shape;

/* One leaf block of a, and what it still has to meet. */
typedef struct visitor {
    const gz_bvh_job *job;
    gz_emitter *emitter;
    uint32_t block;
    gz_box boxes[GZ_BLOCK];
    unsigned leaf_count;
    uint32_t leaves[LEAVES + GZ_BLOCK];
    uint32_t work[(LEAVES + GZ_BLOCK) * GZ_BLOCK]; /* 8 × leaf block of b + lane of a */
} visitor;

/* The pairs of primitive `a` with the lanes set in `bits`. */
static GZ_INLINE void emit_row(gz_emitter *emitter, uint32_t a, const uint32_t ids[GZ_BLOCK], unsigned bits,
                               bool self) {
    if (GZ_UNLIKELY(emitter->search->ruled) || emitter->room - emitter->count <= GZ_BLOCK) {
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

/* Meets the leaf blocks on the list and empties it. */
static GZ_INLINE void meet_leaves(visitor *v, pair_shape shape) {
    const gz_tree *a = &v->job->a, *b = &v->job->b;
    const gz_block *block_a = &a->level[0][v->block];
    const gz_leaf *leaf_a = &a->leaves[v->block];
    unsigned work = 0;
    for (unsigned i = 0; i < v->leaf_count; i++) {
        uint32_t leaf = v->leaves[i];
        work += append_lanes(v->work + work, leaf * GZ_BLOCK, block_meets(block_a, &b->leaves[leaf].bounds));
    }
    v->leaf_count = 0;
    for (unsigned i = 0; i < work; i++) {
        uint32_t kb = v->work[i] / GZ_BLOCK;
        unsigned lane = v->work[i] % GZ_BLOCK;
        const gz_leaf *leaf_b = &b->leaves[kb];
        unsigned bits = block_meets(&b->level[0][kb], &v->boxes[lane]);
        unsigned shared = lanes_sharing((const uint32_t(*)[GZ_BLOCK])leaf_b->vertices, shape.b,
                                        &leaf_a->vertices[0][lane], GZ_BLOCK, shape.a);
        /* within one block each pair once, and none with itself */
        if (shape.self && kb == v->block) shared |= (2u << lane) - 1u;
        bits &= ~shared;
        if (bits) emit_row(v->emitter, leaf_a->ids[lane], leaf_b->ids, bits, shape.self);
    }
}

static GZ_INLINE void visit_tree(visitor *v, pair_shape shape) {
    const gz_tree *tree = &v->job->b;
    const gz_box *bounds = &v->job->a.leaves[v->block].bounds;
    uint32_t nodes[GZ_TREE_LEVELS * GZ_BLOCK];
    unsigned char levels[GZ_TREE_LEVELS * GZ_BLOCK];
    int depth = 0;
    nodes[0] = 0;
    levels[depth++] = (unsigned char)tree->top;
    while (depth) {
        uint32_t node = nodes[--depth];
        int level = levels[depth] - 1; /* of the children */
        unsigned bits = block_meets(&tree->level[level + 1][node], bounds);
        /* children whose leaves all come before this block have met it already; the node itself is not one of those, so
           at most seven of its children are */
        if (shape.self) {
            uint32_t first = v->block >> 3 * level;
            if (first > node * GZ_BLOCK) bits &= ~((1u << (first - node * GZ_BLOCK)) - 1u);
        }
        if (level > 0) {
            unsigned count = append_lanes(nodes + depth, node * GZ_BLOCK, bits);
            memset(levels + depth, level, GZ_BLOCK);
            depth += (int)count;
        } else {
            v->leaf_count += append_lanes(v->leaves + v->leaf_count, node * GZ_BLOCK, bits);
            if (v->leaf_count >= LEAVES) meet_leaves(v, shape);
        }
    }
    meet_leaves(v, shape);
}

static GZ_INLINE void visit_blocks(const gz_bvh_job *job, size_t begin, size_t end, gz_emitter *emitter,
                                   pair_shape shape) {
    visitor v; /* its lists are written before they are read */
    v.job = job;
    v.emitter = emitter;
    v.leaf_count = 0;
    for (size_t k = begin; k < end && !gz_stopped(emitter); k++) {
        v.block = (uint32_t)k;
        for (unsigned lane = 0; lane < GZ_BLOCK; lane++) v.boxes[lane] = gz_block_get(&job->a.level[0][k], lane);
        visit_tree(&v, shape);
    }
}

void GZ_ISA_NAME(gz_bvh)(const gz_bvh_job *job, size_t begin, size_t end, gz_emitter *emitter) {
    switch ((int)emitter->search->kind) {
    case GRAZE_VF: visit_blocks(job, begin, end, emitter, (pair_shape){1, 3, false}); return;
    case GRAZE_EE: visit_blocks(job, begin, end, emitter, (pair_shape){2, 2, true}); return;
    case GRAZE_PE: visit_blocks(job, begin, end, emitter, (pair_shape){1, 2, false}); return;
    case GRAZE_PP: visit_blocks(job, begin, end, emitter, (pair_shape){1, 1, true}); return;
    case GZ_FF: visit_blocks(job, begin, end, emitter, (pair_shape){3, 3, true}); return;
    }
}
