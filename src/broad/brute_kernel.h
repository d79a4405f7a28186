#include "broad/brute.h"

#include "broad/blocks_kernel.h"

static void brute_kernel(const gz_brute_job *job, size_t begin, size_t end, gz_emitter *emitter) {
    const gz_broad_call *call = job->call;
    size_t blocks = gz_block_count(call->b.count);
    for (size_t i = begin; i < end && !gz_stopped(emitter); i++) {
        uint32_t a = gz_set_id(&call->a, (uint32_t)i);
        size_t first = call->self ? i / GZ_BLOCK : 0;
        for (size_t k = first; k < blocks; k++) {
            unsigned bits = block_meets(&job->blocks[k], &call->a.boxes[i]);
            if (call->self && k == first) bits &= ~((2u << i % GZ_BLOCK) - 1u);
            for (; bits; bits &= bits - 1)
                gz_emit(emitter, a, gz_set_id(&call->b, (uint32_t)(k * GZ_BLOCK) + (uint32_t)__builtin_ctz(bits)));
        }
    }
}
