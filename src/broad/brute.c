#include "broad/brute.h"

#include "kernels/kernels.h"

#define CHUNK 16

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
    if (emitter) job->call->context->kernels->brute(job, begin, end, emitter);
}

graze_status gz_brute_find(const gz_broad_call *call) {
    size_t count = gz_block_count(call->b.count);
    gz_block *blocks = gz_reserve(call->context, call->workspace, GZ_SLOT_BRUTE_BLOCKS, count, sizeof *blocks);
    if (!blocks) return GRAZE_ERR_OUT_OF_MEMORY;
    fill_job fill = {.set = &call->b, .blocks = blocks};
    gz_parallel(call->context, count, 512, fill_range, &fill);
    gz_brute_job job = {.call = call, .blocks = blocks};
    gz_parallel(call->context, call->a.count, CHUNK, visit_range, &job);
    return GRAZE_OK;
}
