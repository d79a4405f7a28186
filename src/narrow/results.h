/* Results in an array that the caller brings: each of as many bytes as it knows, `stride` from one to the next. */
#ifndef GZ_NARROW_RESULTS_H
#define GZ_NARROW_RESULTS_H

#include "graze/query.h"

#include "base/overlap.h"

/* The place that results go to. A stride of 0 cannot be used: nothing is written. */
typedef struct gz_results {
    char *first;
    size_t stride; /* bytes */
} gz_results;

/* The caller's array of `count` results; a stride of 0 stands for the size of graze_result in its first release. */
gz_results gz_results_at(graze_result *results, size_t count, size_t stride);
/* As gz_results_at, with the stride of the options, which may still be wrong. */
gz_results gz_results_open(graze_result *results, size_t count, const graze_options *options);

/* The bytes that are written. */
gz_pieces gz_results_pieces(gz_results results, size_t count);

graze_status gz_results_check(graze_context *context, gz_results results);

/* Fills `results` for the items [begin, end), as worker `worker`. */
typedef void gz_answer(void *state, uint32_t worker, size_t begin, size_t end, graze_result *results);

/* Has [begin, end) answered in place where the stride is that of graze_result, else through a small block. */
void gz_results_fill(gz_results results, uint32_t worker, size_t begin, size_t end, gz_answer *answer, void *state);

/* True if one result lies over what a single call reads. */
static inline bool gz_result_overlaps(const graze_result *result, const void *read, size_t bytes) {
    uintptr_t out = (uintptr_t)result, in = (uintptr_t)read;
    return out < in + bytes && in < out + sizeof *result;
}

/* None holds a verdict. */
void gz_results_close(gz_results results, size_t count);

#endif
