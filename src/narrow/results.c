#include "narrow/results.h"

#include "base/sizes.h"
#include "narrow/method.h"

/* size in the first release: what callers who say nothing have */
#define FIRST_SIZE GZ_SIZE_UP_TO(graze_result, checks)
#define BLOCK 32

gz_results gz_results_at(graze_result *results, size_t count, size_t stride) {
    if (stride == 0) stride = FIRST_SIZE;
    bool usable = stride >= FIRST_SIZE && count <= SIZE_MAX / stride;
    return (gz_results){.first = (char *)results, .stride = usable ? stride : 0};
}

gz_results gz_results_open(graze_result *results, size_t count, const graze_options *options) {
    graze_options read;
    bool readable = gz_options_read(NULL, options, &read) == GRAZE_OK;
    return gz_results_at(results, count, readable ? read.result_stride : 0);
}

gz_pieces gz_results_pieces(gz_results results, size_t count) {
    size_t size = results.stride < sizeof(graze_result) ? results.stride : sizeof(graze_result);
    return (gz_pieces){results.first, results.stride ? count : 0, size, results.stride};
}

graze_status gz_results_check(graze_context *context, gz_results results) {
    if (results.stride) return GRAZE_OK;
    return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
                   "result_stride: it must be at least %zu, and not go beyond the address space", FIRST_SIZE);
}

static void store(gz_results results, size_t index, const graze_result *result) {
    size_t size = results.stride < sizeof *result ? results.stride : sizeof *result;
    memcpy(results.first + index * results.stride, result, size);
}

void gz_results_fill(gz_results results, uint32_t worker, size_t begin, size_t end, gz_answer *answer, void *state) {
    if (results.stride == sizeof(graze_result)) {
        answer(state, worker, begin, end, (graze_result *)(void *)results.first + begin);
        return;
    }
    for (graze_result block[BLOCK]; begin < end;) {
        size_t count = end - begin < BLOCK ? end - begin : BLOCK;
        answer(state, worker, begin, begin + count, block);
        for (size_t i = 0; i < count; i++) store(results, begin + i, &block[i]);
        begin += count;
    }
}

void gz_results_close(gz_results results, size_t count) {
    graze_result nothing;
    gz_result_unresolved(&nothing, GRAZE_REASON_NONE);
    for (size_t i = 0; results.stride && i < count; i++) store(results, i, &nothing);
}
