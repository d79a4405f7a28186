#include "broad/bvh.h"

#include "kernels/kernels.h"

#define VISIT_CHUNK 8 /* leaf blocks, that go down the tree together */

static void visit_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const gz_bvh_job *job = state;
    gz_emitter *emitter = gz_broad_worker(job->call, worker);
    if (emitter) job->call->context->kernels->bvh(job, begin, end, emitter);
}

static void flush_worker(void *state, uint32_t worker) {
    const gz_bvh_job *job = state;
    gz_emit_flush(&job->call->emitters[worker]);
}

graze_status gz_bvh_find(const gz_broad_call *call) {
    graze_kind kind = call->emitters[0].traversal->kind;
    gz_bvh_job job = {.call = call, .exact = call->trees->vertices};
    if (!gz_tree_build(call->trees, gz_tree_of(kind, false), &job.a)) return GRAZE_ERR_OUT_OF_MEMORY;
    if (call->self) {
        job.b = job.a;
    } else if (!gz_tree_build(call->trees, gz_tree_of(kind, true), &job.b)) {
        return GRAZE_ERR_OUT_OF_MEMORY;
    }
    gz_parallel_then(call->context, job.a.blocks[0], VISIT_CHUNK, visit_range, flush_worker, &job);
    return GRAZE_OK;
}
