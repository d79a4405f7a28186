/* The context from the inside: memory, threads, limits, the last error. */
#ifndef GZ_BASE_CONTEXT_H
#define GZ_BASE_CONTEXT_H

#include "graze/base.h"

#include "base/fp_environment.h"
#include "base/platform.h"
#include "base/system.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Scratch memory of one worker, empty at the start of each use. The first part is there as long as the context is, so
   that no limit and no failing allocator changes the answer to an ordinary pair; what is asked for beyond it grows on
   demand and is kept from call to call. */
#define GZ_SCRATCH_ALWAYS ((size_t)80 << 10)
typedef struct gz_scratch {
    unsigned char *always, *bytes;
    size_t size; /* of bytes */
} gz_scratch;

/* Counts of one worker; summed into the context when its work is done. */
typedef struct gz_counts {
    uint64_t queries, checks, splits, oracle_calls, unresolved;
} gz_counts;

/* Something a room keeps in the context between calls (the step's buffers, say). */
typedef struct gz_kept {
    void *object;
    void (*destroy)(graze_context *context, void *object);
} gz_kept;

struct graze_context {
    graze_context_options options;
    uint32_t threads;
    const struct gz_kernels *kernels; /* of the instruction set in use */
    graze_isa isa;
    atomic_uint busy; /* a word: not every machine exchanges bytes */
    _Atomic uint64_t held_bytes, peak_bytes;
    _Atomic uint64_t queries, checks, splits, oracle_calls, unresolved;
    double deadline; /* gz_seconds() at which the call under way ends; 0: never */
    atomic_bool cancelled;
    gz_scratch *scratch; /* one for each thread */
    gz_kept step, backend, articulated, mpi;
    _Atomic(void *) spare_pairs, spare_list, spare_near; /* step/kept_pairs.h, and how they are given back */
    void (*forget_pairs)(graze_context *context);
    graze_error error;
};

/* Every public call with a context is enclosed by these: refuses a second thread, forgets the last error, starts the
   deadline, sets the floating-point environment. `leave` returns the status it is given. */
graze_status gz_context_enter(graze_context *context, gz_fp_environment *env);
graze_status gz_context_leave(graze_context *context, const gz_fp_environment *env, graze_status status);

/* Records what went wrong and returns `status`. `context` may be NULL. */
graze_status gz_fail(graze_context *context, graze_status status, uint64_t index, const char *format, ...)
    GZ_PRINTF(4, 5);

void gz_log(graze_context *context, graze_log_level level, const char *format, ...) GZ_PRINTF(3, 4);

/* Memory within the context's limit, 64-byte aligned; NULL when there is none. `context` may be NULL: the C library. */
void *gz_allocate(graze_context *context, size_t size);
void gz_release(graze_context *context, void *block, size_t size);
/* count × size without overflow; NULL when it does not fit. */
void *gz_allocate_array(graze_context *context, size_t count, size_t size);
/* Grows an array to hold at least `wanted` items, at least by half; false and unchanged when there is no memory. */
bool gz_grow(graze_context *context, void **array, size_t *capacity, size_t wanted, size_t item_size);

/* Scratch of worker `worker`, at least `size` bytes, contents undefined; NULL when there is no memory. */
void *gz_worker_scratch(graze_context *context, uint32_t worker, size_t size);

/* Gives back what is more than GZ_SCRATCH_ALWAYS. */
void gz_worker_scratch_release(graze_context *context, uint32_t worker);

/* True once the cancel callback or the deadline has ended the call. Cheap enough to ask every few thousand checks. */
bool gz_cancelled(graze_context *context);

/* Runs body(state, begin, end, worker) over chunks of [0, count): each index once, any order; worker < threads. */
typedef void gz_range_body(void *state, size_t begin, size_t end, uint32_t worker);
void gz_parallel(graze_context *context, size_t count, size_t chunk, gz_range_body *body, void *state);

/* And last(state, worker) once for every worker that took part, or may have, when no chunk is left for it: a loop over
   what the workers gathered is spared. */
typedef void gz_worker_body(void *state, uint32_t worker);
void gz_parallel_then(graze_context *context, size_t count, size_t chunk, gz_range_body *body, gz_worker_body *last,
                      void *state);

/* A chunk for short loops, in [least, most]: every thread gets some, but all of it is one where waking another thread
   takes longer than `most` does. */
size_t gz_chunk_for(const graze_context *context, size_t count, size_t least, size_t most);

/* The least index that find(state, begin, end) gives for any chunk, where `end` says that it has none; else `count`. */
typedef size_t gz_range_find(const void *state, size_t begin, size_t end);
size_t gz_parallel_first(graze_context *context, size_t count, size_t chunk, gz_range_find *find, const void *state);

void gz_add_counts(graze_context *context, const gz_counts *counts);

/* The counts so far; and back to them, for work that is done again or counts for nothing. No worker is at work. */
gz_counts gz_counts_so_far(const graze_context *context);
void gz_counts_back_to(graze_context *context, const gz_counts *counts);

#endif
