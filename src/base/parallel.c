/* Loops over a range, by the context's threads. */
#include "base/context.h"
#include "base/least.h"

#define CHUNKS_EACH 4u /* that a thread takes of a short loop: so many that they end at about the same time */

/* Chunks that are some workers' first: [next, end). */
#define SHARES 16u
typedef struct share {
    _Alignas(64) atomic_size_t next;
    size_t end;
} share;

typedef struct parallel_job {
    gz_range_body *body;
    gz_worker_body *last;
    void *state;
    size_t count, chunk, tasks, share_count;
    share shares[SHARES];
} parallel_job;

/* A worker begins with its own share, which is the same part of the range in every loop: it finds at hand what it wrote
   in the loop before. Then it helps with the others. */
typedef struct share_walk {
    size_t at, left;
} share_walk;

static bool next_chunk(parallel_job *job, share_walk *walk, size_t *begin, size_t *end) {
    for (; walk->left > 0; walk->left--, walk->at = (walk->at + 1) % job->share_count) {
        share *from = &job->shares[walk->at];
        if (atomic_load_explicit(&from->next, memory_order_relaxed) >= from->end) continue;
        size_t index = atomic_fetch_add_explicit(&from->next, 1, memory_order_relaxed);
        if (index >= from->end) continue;
        *begin = index * job->chunk;
        *end = job->count - *begin < job->chunk ? job->count : *begin + job->chunk;
        return true;
    }
    return false;
}

/* One task for each worker; each takes the next chunk until none is left, so a worker's scratch has one user. */
static void parallel_task(void *state, size_t worker) {
    parallel_job *job = state;
    gz_fp_environment env;
    bool entered = gz_fp_enter(&env);
    (void)entered; /* the calling thread entered already; where that works it works here too */
    share_walk walk = {worker * job->share_count / job->tasks, job->share_count};
    size_t begin, end;
    while (next_chunk(job, &walk, &begin, &end)) job->body(job->state, begin, end, (uint32_t)worker);
    if (job->last) job->last(job->state, (uint32_t)worker);
    gz_fp_leave(&env);
}

static void run_alone(size_t count, size_t chunk, gz_range_body *body, gz_worker_body *last, void *state) {
    for (size_t begin = 0; begin < count; begin += chunk)
        body(state, begin, count - begin < chunk ? count : begin + chunk, 0);
    if (last) last(state, 0);
}

void gz_parallel_then(graze_context *context, size_t count, size_t chunk, gz_range_body *body, gz_worker_body *last,
                      void *state) {
    if (count == 0) return;
    if (chunk == 0) chunk = 1;
    size_t chunks = count / chunk + (count % chunk != 0);
    if (!context || context->threads == 1 || chunks == 1) {
        run_alone(count, chunk, body, last, state);
        return;
    }
    parallel_job job = {.body = body, .last = last, .state = state, .count = count, .chunk = chunk};
    job.tasks = chunks < context->threads ? chunks : context->threads;
    job.share_count = job.tasks < SHARES ? job.tasks : SHARES;
    for (size_t i = 0; i < job.share_count; i++) {
        atomic_init(&job.shares[i].next, chunks * i / job.share_count);
        job.shares[i].end = chunks * (i + 1) / job.share_count;
    }
    context->options.parallel_for(context->options.parallel_user, job.tasks, parallel_task, &job);
}

void gz_parallel(graze_context *context, size_t count, size_t chunk, gz_range_body *body, void *state) {
    gz_parallel_then(context, count, chunk, body, NULL, state);
}

size_t gz_chunk_for(const graze_context *context, size_t count, size_t least, size_t most) {
    if (!context || count <= most) return most;
    size_t fair = count / (CHUNKS_EACH * (size_t)context->threads);
    return fair < least ? least : fair > most ? most : fair;
}

/* ---- the first index ---- */

typedef struct find_job {
    gz_range_find *find;
    const void *state;
    gz_least first;
} find_job;

static void find_range(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    find_job *job = state;
    if (begin >= atomic_load_explicit(&job->first, memory_order_relaxed)) return;
    size_t found = job->find(job->state, begin, end);
    if (found < end) gz_least_lower_to(&job->first, found);
}

size_t gz_parallel_first(graze_context *context, size_t count, size_t chunk, gz_range_find *find, const void *state) {
    find_job job = {.find = find, .state = state};
    atomic_init(&job.first, count);
    gz_parallel(context, count, chunk, find_range, &job);
    return (size_t)atomic_load_explicit(&job.first, memory_order_relaxed);
}
