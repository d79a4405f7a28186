/* Batches: queries that lie anywhere, answered by the context's threads or by a back end. */
#ifndef GZ_NARROW_BATCH_H
#define GZ_NARROW_BATCH_H

#include "narrow/method.h"
#include "narrow/results.h"

/* Queries a worker takes at once: enough for SIMD over queries, few enough to balance hard ones. */
#define GZ_BATCH_CHUNK 256
#define GZ_BATCH_LARGE 32768 /* queries from which on it may pay to ask a device */

/* The differences between kinds of batches; each function takes `state`. */
typedef struct gz_batch {
    const gz_method *method;
    const gz_narrow_call *call;
    size_t count;
    const void *queries; /* one after another; NULL: elsewhere */
    bool floats;         /* they are graze_query_f32 */
    gz_results results;
    gz_answer *answer; /* on the CPU */
    void (*gather)(void *state, size_t begin, size_t end, void *to);
    /* Checks the coordinates of the queries from *index on; *index is then the first that is bad, or `end` */
    graze_status (*check)(void *state, size_t *index, size_t end);
    void *state;
} gz_batch;

/* Checks and answers all of them. On any status but GRAZE_OK results may hold anything. */
graze_status gz_batch_run(const gz_batch *batch);

/* Answers those from `first` on by the context's threads. */
void gz_batch_answer_from(const gz_batch *batch, size_t first);

/* Asks the back end that the context wants. `taken` is false where the CPU is to answer: then nothing was done, or all
   of it is to be done again. */
graze_status gz_batch_on_backend(const gz_batch *batch, bool *taken);

/* Tells the choice what a large batch took on the CPU. */
void gz_batch_took(const gz_batch *batch, double seconds);

#endif
