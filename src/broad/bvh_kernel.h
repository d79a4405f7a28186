#include "broad/bvh.h"

#include "broad/blocks_kernel.h"

typedef struct visit {
    uint32_t block;
    int level;
} visit;

/* Every primitive of leaf block ka of a against those of leaf block kb of b. First the other block as a whole against
   the eight of a: most have nothing to do with it. */
static inline void meet_leaves(const gz_bvh_job *job, uint32_t ka, uint32_t kb, const gz_box *box_b,
                               gz_emitter *emitter) {
    const gz_block *a = &job->a.level[0][ka], *b = &job->b.level[0][kb];
    bool same = job->call->self && ka == kb;
    const uint32_t *ids_a = job->a.ids + (size_t)ka * GZ_BLOCK, *ids_b = job->b.ids + (size_t)kb * GZ_BLOCK;
    for (unsigned near = block_meets(a, box_b); near; near &= near - 1) {
        unsigned lane = (unsigned)__builtin_ctz(near);
        gz_box box = gz_block_get(a, lane);
        unsigned bits = block_meets(b, &box);
        if (same) bits &= ~((2u << lane) - 1u);
        for (; bits; bits &= bits - 1) gz_emit(emitter, ids_a[lane], ids_b[__builtin_ctz(bits)]);
    }
}

static inline void visit_tree(const gz_bvh_job *job, uint32_t ka, gz_emitter *emitter) {
    const gz_tree *tree = &job->b;
    gz_box box = gz_block_get(&job->a.level[1][ka / GZ_BLOCK], ka % GZ_BLOCK);
    visit stack[GZ_TREE_LEVELS * GZ_BLOCK];
    int depth = 0;
    stack[depth++] = (visit){0, tree->top};
    while (depth) {
        visit now = stack[--depth];
        const gz_block *node = &tree->level[now.level][now.block];
        for (unsigned bits = block_meets(node, &box); bits; bits &= bits - 1) {
            unsigned lane = (unsigned)__builtin_ctz(bits);
            uint32_t child = now.block * GZ_BLOCK + lane;
            int level = now.level - 1;
            /* self: the leaves below this child all come before ka, so they have met it already */
            if (job->call->self && (((uint64_t)child + 1) << 3 * level) <= ka) continue;
            if (level > 0) {
                stack[depth++] = (visit){child, level};
            } else {
                gz_box box_b = gz_block_get(node, lane);
                meet_leaves(job, ka, child, &box_b, emitter);
            }
        }
    }
}

void GZ_ISA_NAME(gz_bvh)(const gz_bvh_job *job, size_t begin, size_t end, gz_emitter *emitter) {
    for (size_t k = begin; k < end && !gz_stopped(emitter); k++) visit_tree(job, (uint32_t)k, emitter);
}
