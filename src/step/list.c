/* Lists of pairs: what a search finds, sorted, for the caller to keep. */
#include "step/list.h"

#include "step/kept_pairs.h"
#include "step/mesh_pair.h"
#include "step/pair_sort.h"
#include "step/search.h"

#define CHUNK_KEYS 65536u
#define CHECKED_AT_ONCE 4096u
#define CHUNK_BYTES gz_key_chunk_bytes(CHUNK_KEYS)

/* Findings of one worker of one kind. */
typedef struct found {
    gz_key_chunk *chunks;
    bool out_of_memory;
} found;

typedef struct list_job {
    const gz_step_call *call;
    gz_pair_key key;
    gz_pair_test *test;
    found *workers;
} list_job;

/* The worker's chunk with room for another key. */
static gz_key_chunk *open_chunk(const list_job *job, found *mine) {
    if (mine->chunks && mine->chunks->count < CHUNK_KEYS) return mine->chunks;
    gz_key_chunk *chunk = gz_spares_take(job->call->context, &job->call->workspace->spares, CHUNK_BYTES);
    if (!chunk) {
        mine->out_of_memory = true;
        return NULL;
    }
    chunk->next = mine->chunks;
    chunk->count = 0;
    return mine->chunks = chunk;
}

static bool list_all(list_job *job, found *mine, const uint32_t (*pairs)[2], size_t count) {
    for (size_t done = 0; done < count;) {
        gz_key_chunk *chunk = open_chunk(job, mine);
        if (!chunk) return false;
        size_t room = CHUNK_KEYS - chunk->count, some = count - done < room ? count - done : room;
        uint64_t *keys = chunk->keys + chunk->count;
        for (size_t i = 0; i < some; i++) keys[i] = gz_pair_key_of(job->key, pairs[done + i][0], pairs[done + i][1]);
        chunk->count += some;
        done += some;
    }
    return true;
}

static bool list_wanted(list_job *job, found *mine, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2],
                        size_t count) {
    bool wanted[GZ_TEST_BLOCK];
    if (!job->test(job->call, worker, kind, pairs, count, wanted)) {
        mine->out_of_memory = true;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        if (wanted[i] && !list_all(job, mine, &pairs[i], 1)) return false;
    return true;
}

static bool list_block(void *state, uint32_t worker, graze_kind kind, const uint32_t (*pairs)[2], size_t count) {
    list_job *job = state;
    found *mine = &job->workers[worker];
    if (!job->test) return list_all(job, mine, pairs, count);
    for (size_t done = 0; done < count; done += GZ_TEST_BLOCK) {
        size_t some = count - done < GZ_TEST_BLOCK ? count - done : GZ_TEST_BLOCK;
        if (!list_wanted(job, mine, worker, kind, pairs + done, some)) return false;
    }
    return true;
}

typedef struct kind_chunks {
    gz_key_chunk **chunks; /* an array of all */
    size_t count, total;
} kind_chunks;

/* Moves what the workers found of a kind into one array of chunks. */
static bool gather(const list_job *job, kind_chunks *all) {
    graze_context *context = job->call->context;
    for (uint32_t i = 0; i < context->threads; i++)
        for (const gz_key_chunk *chunk = job->workers[i].chunks; chunk; chunk = chunk->next) all->count++;
    if (all->count == 0) return true;
    all->chunks = gz_allocate_array(context, all->count, sizeof *all->chunks);
    if (!all->chunks) {
        all->count = 0;
        return false;
    }
    size_t next = 0;
    for (uint32_t i = 0; i < context->threads; i++) {
        for (gz_key_chunk *chunk = job->workers[i].chunks; chunk; chunk = chunk->next) {
            all->chunks[next++] = chunk;
            all->total += chunk->count;
        }
        job->workers[i].chunks = NULL;
    }
    return true;
}

static graze_status find_kind(const gz_step_call *call, int kind, gz_pair_test *test, kind_chunks *all) {
    graze_context *context = call->context;
    list_job job = {.call = call, .test = test, .key = gz_pair_key_for(call, (graze_kind)kind)};
    job.workers = gz_reserve(context, call->workspace, GZ_SLOT_MODE_WORKERS, context->threads, sizeof *job.workers);
    if (!job.workers) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++) job.workers[i] = (found){0};
    graze_status status = gz_step_search(call, (graze_kind)kind, false, list_block, &job);
    bool out_of_memory = !gather(&job, all);
    for (uint32_t i = 0; i < context->threads; i++) {
        out_of_memory |= job.workers[i].out_of_memory;
        while (job.workers[i].chunks) { /* not gathered */
            gz_key_chunk *next = job.workers[i].chunks->next;
            gz_release(context, job.workers[i].chunks, CHUNK_BYTES);
            job.workers[i].chunks = next;
        }
    }
    return status == GRAZE_OK && out_of_memory ? GRAZE_ERR_OUT_OF_MEMORY : status;
}

static void release_chunks(graze_context *context, gz_spares *spares, kind_chunks *all) {
    for (size_t c = 0; c < all->count; c++) gz_spares_put(context, spares, all->chunks[c], CHUNK_BYTES);
    gz_release(context, all->chunks, all->count * sizeof *all->chunks);
    *all = (kind_chunks){0};
}

graze_status gz_list_kinds(const gz_step_call *call, int first, int last, gz_pair_test *test, gz_pair_list *list) {
    graze_context *context = call->context;
    kind_chunks all[GZ_KINDS + 1] = {{0}};
    graze_status status = GRAZE_OK;
    size_t total = 0, next = 0;
    for (int kind = first; kind <= last && status == GRAZE_OK; kind++) {
        if (!gz_step_has_kind(call, (graze_kind)kind)) continue;
        status = find_kind(call, kind, test, &all[kind]);
        total += all[kind].total;
    }
    gz_spares_forget_rest(context, &call->workspace->spares);
    *list = (gz_pair_list){0};
    if (status == GRAZE_OK && total) {
        list->pairs = gz_list_allocate(context, total, false);
        list->count = list->pairs ? total : 0;
        if (!list->pairs) status = GRAZE_ERR_OUT_OF_MEMORY;
    }
    for (int kind = first; kind <= last; kind++) {
        kind_chunks *mine = &all[kind];
        if (status == GRAZE_OK && mine->total &&
            !gz_pair_sort(call, (graze_kind)kind, mine->chunks, mine->count, mine->total, list->pairs + next))
            status = GRAZE_ERR_OUT_OF_MEMORY;
        next += mine->total;
        release_chunks(context, &call->workspace->spares, mine);
    }
    if (status != GRAZE_OK) gz_list_release(context, list);
    return status;
}

typedef struct pair_check {
    const graze_pair *pairs;
    uint32_t a[GZ_KINDS], b[GZ_KINDS]; /* how many there are of each kind */
    atomic_uint *kinds;                /* bit k: there are pairs of kind k */
} pair_check;

static size_t find_bad_pair(const void *state, size_t begin, size_t end) {
    const pair_check *check = state;
    unsigned kinds = 0;
    for (size_t i = begin; i < end; i++) {
        unsigned kind = (unsigned)check->pairs[i].kind;
        if (kind >= GZ_KINDS || check->pairs[i].a >= check->a[kind] || check->pairs[i].b >= check->b[kind]) return i;
        kinds |= 1u << kind;
    }
    atomic_fetch_or_explicit(check->kinds, kinds, memory_order_relaxed);
    return end;
}

static graze_status bad_pair(const gz_step_call *call, const pair_check *check, size_t i) {
    const graze_pair *pair = &check->pairs[i];
    if ((unsigned)pair->kind >= GZ_KINDS)
        return gz_fail(call->context, GRAZE_ERR_INVALID_ARGUMENT, i, "pair %zu: unknown kind %d", i, (int)pair->kind);
    return gz_fail(call->context, GRAZE_ERR_BAD_INDEX, i, "pair %zu: (%u, %u) of %u and %u", i, pair->a, pair->b,
                   check->a[pair->kind], check->b[pair->kind]);
}

graze_status gz_pairs_check(const gz_step_call *call, const graze_pair *pairs, size_t count, bool kinds[GZ_KINDS]) {
    atomic_uint seen;
    pair_check check = {.pairs = pairs, .kinds = &seen};
    atomic_init(&seen, 0);
    for (int kind = 0; kind < GZ_KINDS; kind++)
        gz_pair_counts(call->mesh, (graze_kind)kind, &check.a[kind], &check.b[kind]);
    size_t bad = gz_parallel_first(call->context, count, CHECKED_AT_ONCE, find_bad_pair, &check);
    if (bad < count) return bad_pair(call, &check, bad);
    for (int kind = 0; kind < GZ_KINDS; kind++) kinds[kind] = atomic_load(&seen) >> kind & 1u;
    return GRAZE_OK;
}

void gz_list_release(graze_context *context, gz_pair_list *list) {
    graze_pairs_release(context, list->pairs, list->count);
    *list = (gz_pair_list){0};
}
