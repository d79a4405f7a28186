#include "broad/brute.h"

#define CHUNK 16

static gz_brute_kernel *kernel_for(graze_isa isa) {
    switch (isa) {
#if defined(GRAZE_HAVE_AVX2)
    case GRAZE_ISA_AVX2: return gz_brute_avx2;
#endif
#if defined(GRAZE_HAVE_AVX512)
    case GRAZE_ISA_AVX512: return gz_brute_avx512;
#endif
#if defined(GRAZE_HAVE_NEON)
    case GRAZE_ISA_NEON: return gz_brute_neon;
#endif
    default: return gz_brute_scalar;
    }
}

typedef struct fill_job {
    const gz_set *set;
    gz_block *blocks;
} fill_job;

static void fill_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    const fill_job *job = state;
    for (size_t k = begin; k < end; k++) {
        size_t first = k * GZ_BLOCK, left = job->set->count - first;
        unsigned used = left < GZ_BLOCK ? (unsigned)left : GZ_BLOCK;
        for (unsigned lane = 0; lane < used; lane++)
            gz_block_set(&job->blocks[k], lane, &job->set->boxes[first + lane]);
        gz_block_pad(&job->blocks[k], used);
    }
}

static void visit_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const gz_brute_job *job = state;
    gz_emitter *emitter = gz_broad_worker(job->call, worker);
    if (emitter) kernel_for(job->call->context->isa)(job, begin, end, emitter);
}

graze_status gz_brute_find(const gz_broad_call *call) {
    size_t count = gz_block_count(call->b.count);
    gz_block *blocks = gz_reserve(call->context, call->workspace, GZ_SLOT_BROAD_A, count, sizeof *blocks);
    if (!blocks) return GRAZE_ERR_OUT_OF_MEMORY;
    fill_job fill = {.set = &call->b, .blocks = blocks};
    gz_parallel(call->context, count, 512, fill_range, &fill);
    gz_brute_job job = {.call = call, .blocks = blocks};
    gz_parallel(call->context, call->a.count, CHUNK, visit_range, &job);
    return GRAZE_OK;
}
