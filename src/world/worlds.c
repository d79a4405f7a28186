/* Many worlds: each is one by itself, of bodies that they share; a worker answers one after the other, by a context of
   one thread that lives as long as the call. */
#include "world/worlds.h"

#include "base/overlap.h"
#include "base/sizes.h"
#include "world/worlds_backend.h"
#include "world/worlds_joined.h"

#include <string.h>

#define NOWHERE UINT32_MAX
#define RESULT_LEAST GZ_SIZE_UP_TO(graze_articulated_result, pairs_close)

/* ---- making ---- */

static graze_status count_worlds(graze_context *context, const int32_t *world_of, size_t count, size_t *worlds) {
    *worlds = 0;
    for (size_t i = 0; i < count; i++) {
        if (world_of[i] < -1)
            return gz_fail(context, GRAZE_ERR_BAD_INDEX, i, "body %zu: there is no world %d", i, world_of[i]);
        if (world_of[i] >= 0 && (size_t)world_of[i] >= *worlds) *worlds = (size_t)world_of[i] + 1;
    }
    if (*worlds <= count) return GRAZE_OK;
    return gz_fail(context, GRAZE_ERR_BAD_INDEX, UINT64_MAX, "%zu worlds of %zu bodies: some have none", *worlds,
                   count);
}

/* How many bodies each world has. */
static graze_status count_bodies(graze_worlds *worlds, const int32_t *world_of, size_t count) {
    size_t everywhere = 0;
    for (size_t i = 0; i < count; i++) {
        if (world_of[i] < 0)
            everywhere++;
        else
            worlds->list[world_of[i]].count++;
    }
    for (size_t w = 0; w < worlds->count; w++) {
        if (worlds->list[w].count == 0)
            return gz_fail(worlds->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "world %zu has no body of its own",
                           w);
        worlds->list[w].count += everywhere;
    }
    return GRAZE_OK;
}

static graze_status list_bodies(graze_worlds *worlds, const int32_t *world_of, size_t count) {
    graze_context *context = worlds->context;
    for (size_t w = 0; w < worlds->count; w++) {
        gz_one_world *one = &worlds->list[w];
        one->bodies = gz_allocate_array(context, one->count, sizeof *one->bodies);
        if (!one->bodies) return GRAZE_ERR_OUT_OF_MEMORY;
        one->count = 0;
    }
    for (size_t i = 0; i < count; i++) {
        size_t begin = world_of[i] < 0 ? 0 : (size_t)world_of[i], end = world_of[i] < 0 ? worlds->count : begin + 1;
        for (size_t w = begin; w < end; w++) worlds->list[w].bodies[worlds->list[w].count++] = (uint32_t)i;
    }
    return GRAZE_OK;
}

/* `places` has room for all bodies, and is nowhere but between two worlds. */
static graze_status make_one(graze_worlds *worlds, gz_one_world *one, uint32_t *places) {
    for (size_t i = 0; i < one->count; i++) places[one->bodies[i]] = (uint32_t)i;
    graze_status status = gz_world_part(worlds->context, worlds->all, one->bodies, one->count, places, &one->world);
    for (size_t i = 0; i < one->count; i++) places[one->bodies[i]] = NOWHERE;
    return status;
}

static graze_status make_all(graze_worlds *worlds) {
    graze_context *context = worlds->context;
    size_t count = worlds->all->body_count;
    graze_status status = GRAZE_OK;
    gz_fp_environment env;
    uint32_t *places = gz_allocate_array(context, count, sizeof *places);
    if (!places) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) places[i] = NOWHERE;
    status = gz_context_enter(context, &env);
    if (status == GRAZE_OK) {
        for (size_t w = 0; w < worlds->count && status == GRAZE_OK; w++)
            status = make_one(worlds, &worlds->list[w], places);
        if (status == GRAZE_OK) status = gz_worlds_join(worlds);
        status = gz_context_leave(context, &env, status);
    }
    gz_release(context, places, count * sizeof *places);
    return status;
}

static graze_status create(graze_worlds *worlds, const graze_body *bodies, const int32_t *world_of, size_t count,
                           const graze_world_options *options) {
    graze_context *context = worlds->context;
    if (!world_of || !bodies || count == 0)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "no bodies, or no worlds that they are in");
    graze_status status = count_worlds(context, world_of, count, &worlds->count);
    if (status != GRAZE_OK) return status;
    if (worlds->count == 0)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "no body is in a world of its own");
    worlds->list = gz_allocate_array(context, worlds->count, sizeof *worlds->list);
    if (!worlds->list) return GRAZE_ERR_OUT_OF_MEMORY;
    memset(worlds->list, 0, worlds->count * sizeof *worlds->list);
    status = gz_world_gather(context, bodies, count, options, &worlds->all);
    if (status == GRAZE_OK) status = count_bodies(worlds, world_of, count);
    if (status == GRAZE_OK) status = list_bodies(worlds, world_of, count);
    return status == GRAZE_OK ? make_all(worlds) : status;
}

graze_status graze_worlds_create(graze_context *context, const graze_body *bodies, const int32_t *world_of,
                                 size_t count, const graze_world_options *options, graze_worlds **worlds) {
    if (!worlds) return GRAZE_ERR_INVALID_ARGUMENT;
    *worlds = NULL;
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_worlds *made = gz_allocate(context, sizeof *made);
    if (!made) return GRAZE_ERR_OUT_OF_MEMORY;
    *made = (graze_worlds){.context = context};
    graze_status status = create(made, bodies, world_of, count, options);
    if (status == GRAZE_OK)
        *worlds = made;
    else
        graze_worlds_release(made);
    return status;
}

void graze_worlds_release(graze_worlds *worlds) {
    if (!worlds) return;
    graze_context *context = worlds->context;
    gz_worlds_joined_release(worlds);
    for (size_t w = 0; worlds->list && w < worlds->count; w++) {
        graze_world_release(worlds->list[w].world);
        gz_release(context, worlds->list[w].bodies, worlds->list[w].count * sizeof *worlds->list[w].bodies);
    }
    gz_release(context, worlds->list, worlds->count * sizeof *worlds->list);
    graze_world_release(worlds->all);
    gz_release(context, worlds, sizeof *worlds);
}

size_t graze_worlds_count(const graze_worlds *worlds) { return worlds ? worlds->count : 0; }

const graze_world *graze_worlds_at(const graze_worlds *worlds, size_t index) {
    return index < graze_worlds_count(worlds) ? worlds->list[index].world : NULL;
}

/* ---- one worker ---- */

typedef struct worlds_worker {
    _Alignas(64) graze_context *context; /* made by the first world that it answers */
    graze_body_motion *motions;          /* of one world */
    size_t failed;                       /* the first world that did, of those that it answered */
    graze_error error;
} worlds_worker;

typedef struct worlds_job {
    graze_context *context;
    const graze_worlds *worlds;
    const graze_body_motion *motions;
    const size_t *of_body; /* SIZE_MAX: it has none */
    size_t most;           /* bodies of a world */
    graze_articulated_options options;
    char *results;
    size_t stride;
    graze_status *statuses;
    worlds_worker *workers;
    bool on_device; /* positions of STRAIGHT bodies are */
    void *stream;
} worlds_job;

static void *get(void *user, size_t size, size_t alignment) {
    (void)alignment; /* memory of a context has the most that one asks for */
    return gz_allocate(user, size);
}
static void put(void *user, void *block, size_t size) { gz_release(user, block, size); }
static int is_cancelled(void *user) { return gz_cancelled(user); }

/* A context of one thread that takes memory and limits from that of the call. */
static bool open_worker(const worlds_job *job, worlds_worker *worker) {
    if (worker->context) return true;
    graze_context_options options = graze_default_context_options();
    options.allocator = (graze_allocator){get, put, job->context};
    options.threads = 1;
    options.isa = job->context->isa;
    options.cancel = is_cancelled;
    options.cancel_user = job->context;
    options.backend = GRAZE_BACKEND_CPU;
    if (graze_context_create(&options, &worker->context) != GRAZE_OK) return false;
    worker->motions = gz_allocate_array(job->context, job->most, sizeof *worker->motions);
    return worker->motions != NULL;
}

static size_t list_motions(const worlds_job *job, const gz_one_world *one, graze_body_motion *list) {
    size_t count = 0;
    for (size_t i = 0; i < one->count; i++) {
        size_t at = job->of_body[one->bodies[i]];
        if (at == SIZE_MAX) continue;
        list[count] = gz_body_motion_at(job->motions, at);
        list[count++].body = (uint32_t)i;
    }
    return count;
}

static void keep_error(worlds_worker *worker, size_t world, graze_status status) {
    if (status == GRAZE_OK || world >= worker->failed) return;
    worker->failed = world;
    worker->error = (graze_error){.status = status};
    if (worker->context) graze_context_last_error(worker->context, &worker->error);
}

static graze_status answer(const worlds_job *job, worlds_worker *worker, const gz_one_world *one,
                           graze_articulated_result *result) {
    if (!open_worker(job, worker) || !worker->motions) return GRAZE_ERR_OUT_OF_MEMORY;
    size_t count = list_motions(job, one, worker->motions);
    graze_status status = graze_world_step(worker->context, one->world, worker->motions, count, &job->options, result);
    if (status == GRAZE_OK && result->has_contact) {
        result->contact.model_a = one->bodies[result->contact.model_a];
        result->contact.model_b = one->bodies[result->contact.model_b];
    }
    return status;
}

static void answer_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const worlds_job *job = state;
    for (size_t w = begin; w < end; w++) {
        graze_articulated_result result = graze_default_articulated_result();
        job->statuses[w] = answer(job, &job->workers[worker], &job->worlds->list[w], &result);
        gz_sized_write(job->results + w * job->stride, &result, sizeof result);
        keep_error(&job->workers[worker], w, job->statuses[w]);
    }
}

/* ---- all of them ---- */

static graze_status find_motions(const worlds_job *job, size_t count, size_t *of_body) {
    graze_context *context = job->context;
    for (size_t b = 0; b < job->worlds->all->body_count; b++) of_body[b] = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        uint32_t body = gz_body_motion_at(job->motions, i).body;
        if (of_body[body] != SIZE_MAX)
            return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, i, "motion %zu: body %u already has one", i, body);
        of_body[body] = i;
    }
    return GRAZE_OK;
}

/* Counts of the workers, and the error of the first world that has one. */
static void close_workers(worlds_job *job) {
    graze_context *context = job->context;
    size_t first = SIZE_MAX;
    for (uint32_t i = 0; i < context->threads; i++) {
        worlds_worker *worker = &job->workers[i];
        if (worker->failed < first) {
            first = worker->failed;
            gz_fail(context, job->statuses[first], first, "world %zu: %s", first,
                    worker->error.message[0] ? worker->error.message : graze_status_name(job->statuses[first]));
        }
        if (!worker->context) continue;
        gz_counts counts = gz_counts_so_far(worker->context);
        gz_add_counts(context, &counts);
        gz_release(context, worker->motions, job->most * sizeof *worker->motions);
        graze_context_destroy(worker->context);
    }
}

/* Each by itself, on the threads of the context. */
static graze_status run_each(worlds_job *job) {
    graze_context *context = job->context;
    for (size_t w = 0; w < job->worlds->count; w++)
        if (job->worlds->list[w].count > job->most) job->most = job->worlds->list[w].count;
    job->workers = gz_allocate_array(context, context->threads, sizeof *job->workers);
    if (!job->workers) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++) job->workers[i] = (worlds_worker){.failed = SIZE_MAX};
    gz_parallel(context, job->worlds->count, 1, answer_range, job);
    close_workers(job);
    gz_release(context, job->workers, context->threads * sizeof *job->workers);
    return GRAZE_OK;
}

/* After a position that is wrong: each world by itself, from copies of positions that are on the device. */
static graze_status run_from_rows(worlds_job *job, const gz_worlds_call *call, size_t count, const double (*rows)[3]) {
    graze_body_motion *copies = gz_allocate_array(job->context, count, sizeof *copies);
    if (!copies) return GRAZE_ERR_OUT_OF_MEMORY;
    for (size_t i = 0; i < count; i++) copies[i] = gz_body_motion_at(job->motions, i);
    for (size_t i = 0; i < count; i++) copies[i].struct_size = sizeof *copies;
    gz_worlds_read_rows(call, rows, copies);
    job->motions = copies;
    graze_status status = run_each(job);
    gz_release(job->context, copies, count * sizeof *copies);
    return status;
}

/* On the back end where that was asked for and answers, else each by itself. */
static graze_status run(worlds_job *job, size_t count, size_t *of_body) {
    graze_status status = find_motions(job, count, of_body);
    if (status != GRAZE_OK) return status;
    job->of_body = of_body;
    const gz_worlds_call call = {.context = job->context,
                                 .worlds = job->worlds,
                                 .motions = job->motions,
                                 .of_body = of_body,
                                 .options = &job->options,
                                 .on_device = job->on_device,
                                 .stream = job->stream,
                                 .results = job->results,
                                 .stride = job->stride,
                                 .statuses = job->statuses};
    const char *why = gz_worlds_unsuited(&call);
    const double(*rows)[3] = NULL;
    bool answered = false;
    if (why && job->on_device)
        return gz_fail(job->context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "back end cuda: %s", why);
    if (!why) status = gz_worlds_by_backend(&call, &answered, &rows);
    if (status != GRAZE_OK || answered) return status;
    if (!job->on_device) return run_each(job);
    if (!rows)
        return gz_fail(
            job->context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX,
            "positions on a device: each STRAIGHT body has to be listed, with x0, x1 and a stride that is right");
    return run_from_rows(job, &call, count, rows);
}

static graze_status check(worlds_job *job, size_t count, const graze_articulated_options *given) {
    graze_context *context = job->context;
    gz_pieces results = gz_bytes_at(job->results, job->worlds->count * job->stride);
    gz_pieces statuses = gz_bytes_at(job->statuses, job->worlds->count * sizeof *job->statuses);
    graze_status status = gz_world_check(context, job->worlds->all, job->motions, count, results, given, &job->options);
    if (status == GRAZE_OK && job->options.mode == GRAZE_ARTICULATED_ALL)
        status = gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "mode all is not possible for many worlds");
    if (status == GRAZE_OK) status = gz_apart_check(context, "the results", results, "the statuses", statuses);
    if (status != GRAZE_OK || count == 0) return status;
    return gz_apart_check(context, "the statuses", statuses, "motions",
                          gz_bytes_at(job->motions, count * job->motions->struct_size));
}

static void close_results(const worlds_job *job) {
    const graze_articulated_result closed = graze_default_articulated_result();
    for (size_t w = 0; w < job->worlds->count; w++) {
        char *at = job->results + w * job->stride;
        memcpy(at, &job->stride, sizeof job->stride);
        gz_sized_write(at, &closed, sizeof closed);
    }
}

/* All results closed, before anything can fail. */
static graze_status open_results(worlds_job *job, graze_articulated_result *results) {
    if (gz_sized_check(NULL, "articulated result", results, RESULT_LEAST) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    job->stride = results->struct_size;
    job->results = (char *)results;
    close_results(job);
    return GRAZE_OK;
}

static graze_status step(worlds_job *job, size_t count, const graze_articulated_options *options,
                         graze_articulated_result *results) {
    graze_context *context = job->context;
    gz_fp_environment env;
    graze_status status = open_results(job, results);
    if (status != GRAZE_OK) return status;
    status = gz_context_enter(context, &env);
    if (status != GRAZE_OK) return status;
    size_t bodies = job->worlds->all->body_count;
    status = check(job, count, options);
    size_t *of_body = status == GRAZE_OK ? gz_allocate_array(context, bodies, sizeof *of_body) : NULL;
    if (status == GRAZE_OK) status = of_body ? run(job, count, of_body) : GRAZE_ERR_OUT_OF_MEMORY;
    gz_release(context, of_body, bodies * sizeof *of_body);
    if (status != GRAZE_OK) { /* some worlds may have been answered before */
        for (size_t w = 0; w < job->worlds->count; w++) job->statuses[w] = status;
        close_results(job);
    }
    return gz_context_leave(context, &env, status);
}

graze_status graze_worlds_step(graze_context *context, const graze_worlds *worlds, const graze_body_motion *motions,
                               size_t count, const graze_articulated_options *options,
                               graze_articulated_result *results, graze_status *statuses) {
    if (!context || !worlds || !results || !statuses) return GRAZE_ERR_INVALID_ARGUMENT;
    worlds_job job = {.context = context, .worlds = worlds, .motions = motions, .statuses = statuses};
    return step(&job, count, options, results);
}

graze_status graze_worlds_step_on_device(graze_context *context, const graze_worlds *worlds,
                                         const graze_body_motion *motions, size_t count,
                                         const graze_articulated_options *options, void *stream,
                                         graze_articulated_result *results, graze_status *statuses) {
    if (!context || !worlds || !results || !statuses) return GRAZE_ERR_INVALID_ARGUMENT;
    worlds_job job = {.context = context,
                      .worlds = worlds,
                      .motions = motions,
                      .statuses = statuses,
                      .on_device = true,
                      .stream = stream};
    return step(&job, count, options, results);
}
