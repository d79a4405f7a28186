#include "base/context.h"

#include "base/isa.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/self_test.h"
#include "base/sizes.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GZ_ALIGNMENT 64

/* ---- defaults ---- */

static void *default_allocate(void *user, size_t size, size_t alignment) {
    (void)user;
    return gz_memory_get(size, alignment);
}

static void default_release(void *user, void *block, size_t size) {
    (void)user;
    (void)size;
    gz_memory_put(block);
}

#if defined(_OPENMP)
static void default_parallel_for(void *user, size_t count, graze_task *task, void *state) {
    (void)user;
#pragma omp parallel for schedule(static, 1) num_threads((int)count)
    for (size_t i = 0; i < count; i++) task(state, i);
}
#else
#define default_parallel_for graze_pool_for
#endif

static const graze_context_options context_defaults = {
    .allocator = {.allocate = default_allocate, .release = default_release},
    .parallel_for = default_parallel_for,
    .device = -1,
};

void graze_init_context_options(graze_context_options *options, size_t size) {
    gz_sized_init(options, size, &context_defaults, sizeof context_defaults);
}

/* ---- life ---- */

static bool open_scratch(graze_context *context) {
    context->scratch = gz_allocate_array(context, context->threads, sizeof *context->scratch);
    if (!context->scratch) return false;
    memset(context->scratch, 0, context->threads * sizeof *context->scratch);
    for (uint32_t i = 0; i < context->threads; i++)
        if (!(context->scratch[i].always = gz_allocate(context, GZ_SCRATCH_ALWAYS))) return false;
    return true;
}

static void close_scratch(graze_context *context) {
    for (uint32_t i = 0; context->scratch && i < context->threads; i++) {
        gz_worker_scratch_release(context, i);
        gz_release(context, context->scratch[i].always, GZ_SCRATCH_ALWAYS);
    }
    gz_release(context, context->scratch, context->threads * sizeof *context->scratch);
}

/* As many as the machine offers, as far as their scratch takes no more than half of the memory. */
static uint32_t threads_within(size_t memory_limit) {
    uint32_t threads = graze_pool_threads();
    size_t most = memory_limit / 2 / GZ_SCRATCH_ALWAYS;
    if (memory_limit && most < threads) threads = most ? (uint32_t)most : 1;
    return threads;
}

graze_status graze_context_create(const graze_context_options *given, graze_context **context) {
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    *context = NULL;
    graze_context_options options = context_defaults;
    const size_t least = GZ_SIZE_UP_TO(graze_context_options, memory_limit);
    if (given && gz_sized_read(NULL, "context options", &options, sizeof options, least, given) != GRAZE_OK)
        return GRAZE_ERR_INVALID_ARGUMENT;
    if (!options.allocator.allocate || !options.allocator.release || !options.parallel_for)
        return GRAZE_ERR_INVALID_ARGUMENT;
    if (isnan(options.deadline_seconds) || options.deadline_seconds < 0) return GRAZE_ERR_INVALID_ARGUMENT;
    if (options.threads > GZ_MOST_THREADS) return GRAZE_ERR_INVALID_ARGUMENT;
    if ((unsigned)options.isa > GRAZE_ISA_WASM) return GRAZE_ERR_INVALID_ARGUMENT;
    if ((unsigned)options.backend > GRAZE_BACKEND_CUDA || options.device < -1) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_isa isa = gz_isa_resolve(options.isa);
    if (isa == GRAZE_ISA_AUTO) return GRAZE_ERR_UNSUPPORTED;
    if (!gz_self_test(isa)) return GRAZE_ERR_FP_ENVIRONMENT;

    graze_context *made = options.allocator.allocate(options.allocator.user, sizeof *made, GZ_ALIGNMENT);
    if (!made) return GRAZE_ERR_OUT_OF_MEMORY;
    memset(made, 0, sizeof *made);
    made->options = options;
    made->isa = isa;
    made->kernels = gz_kernels_of(isa);
    made->threads = options.threads ? options.threads : threads_within(options.memory_limit);
    made->held_bytes = made->peak_bytes = sizeof *made;
    made->error.index = UINT64_MAX;
    if (!open_scratch(made)) {
        graze_context_destroy(made);
        return GRAZE_ERR_OUT_OF_MEMORY;
    }
    gz_log(made, GRAZE_LOG_DEBUG, "context: %s, %u threads, %s", graze_isa_name(made->isa), made->threads,
           options.parallel_for == default_parallel_for ? "the default parallel-for" : "the caller's parallel-for");
    *context = made;
    return GRAZE_OK;
}

static void drop_kept(graze_context *context) {
    if (context->forget_pairs) context->forget_pairs(context);
    gz_kept *const kept[] = {&context->step, &context->backend, &context->articulated, &context->mpi};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        if (kept[i]->object) kept[i]->destroy(context, kept[i]->object);
        kept[i]->object = NULL;
    }
}

graze_status graze_context_trim(graze_context *context) {
    if (!context) return GRAZE_ERR_INVALID_ARGUMENT;
    if (atomic_exchange(&context->busy, true)) return GRAZE_ERR_BUSY;
    drop_kept(context);
    for (uint32_t i = 0; i < context->threads; i++) gz_worker_scratch_release(context, i);
    atomic_store(&context->busy, false);
    return GRAZE_OK;
}

void graze_context_destroy(graze_context *context) {
    if (!context) return;
    drop_kept(context);
    close_scratch(context);
    context->options.allocator.release(context->options.allocator.user, context, sizeof *context);
}

graze_status gz_context_enter(graze_context *context, gz_fp_environment *env) {
    if (context) {
        if (atomic_exchange(&context->busy, true)) return GRAZE_ERR_BUSY;
        context->error = (graze_error){.status = GRAZE_OK, .index = UINT64_MAX};
        double allowed = context->options.deadline_seconds;
        context->deadline = allowed > 0 ? gz_seconds() + allowed : 0;
        atomic_store(&context->cancelled, false);
    }
    if (context ? gz_fp_enter(env) : gz_enter(env)) return GRAZE_OK;
    gz_fail(context, GRAZE_ERR_FP_ENVIRONMENT, UINT64_MAX, "the floating-point environment is not IEEE");
    if (context) atomic_store(&context->busy, false);
    return GRAZE_ERR_FP_ENVIRONMENT;
}

graze_status gz_context_leave(graze_context *context, const gz_fp_environment *env, graze_status status) {
    gz_fp_leave(env);
    if (context) {
        if (status != GRAZE_OK && context->error.status == GRAZE_OK)
            gz_fail(context, status, UINT64_MAX, "%s", graze_status_name(status));
        atomic_store(&context->busy, false);
    }
    return status;
}

/* ---- errors and log ---- */

graze_status gz_fail(graze_context *context, graze_status status, uint64_t index, const char *format, ...) {
    if (!context) return status;
    context->error.status = status;
    context->error.index = index;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context->error.message, sizeof context->error.message, format, arguments);
    va_end(arguments);
    return status;
}

void gz_log(graze_context *context, graze_log_level level, const char *format, ...) {
    if (!context || !context->options.log) return;
    char line[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    context->options.log(context->options.log_user, level, line);
}

graze_status graze_context_last_error(const graze_context *asked, graze_error *error) {
    if (!asked || !error) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_context *context = (graze_context *)asked; /* but for the mark that it is in use nothing changes */
    if (atomic_exchange(&context->busy, true)) {
        *error = (graze_error){.status = GRAZE_ERR_BUSY, .index = UINT64_MAX, .message = "a call is under way"};
        return GRAZE_ERR_BUSY;
    }
    *error = context->error;
    atomic_store(&context->busy, false);
    return GRAZE_OK;
}

/* ---- memory ---- */

void *gz_allocate(graze_context *context, size_t size) {
    if (size == 0) size = 1;
    if (!context) return default_allocate(NULL, size, GZ_ALIGNMENT);
    uint64_t held = atomic_fetch_add(&context->held_bytes, size) + size;
    if (context->options.memory_limit && held > context->options.memory_limit) {
        atomic_fetch_sub(&context->held_bytes, size);
        return NULL;
    }
    void *block = context->options.allocator.allocate(context->options.allocator.user, size, GZ_ALIGNMENT);
    if (!block) {
        atomic_fetch_sub(&context->held_bytes, size);
        return NULL;
    }
    uint64_t peak = atomic_load(&context->peak_bytes);
    while (held > peak && !atomic_compare_exchange_weak(&context->peak_bytes, &peak, held)) {
    }
    return block;
}

void gz_release(graze_context *context, void *block, size_t size) {
    if (!block) return;
    if (size == 0) size = 1;
    if (!context) {
        default_release(NULL, block, size);
        return;
    }
    context->options.allocator.release(context->options.allocator.user, block, size);
    atomic_fetch_sub(&context->held_bytes, size);
}

void *gz_allocate_array(graze_context *context, size_t count, size_t size) {
    if (size && count > SIZE_MAX / size) return NULL;
    return gz_allocate(context, count * size);
}

bool gz_grow(graze_context *context, void **array, size_t *capacity, size_t wanted, size_t item_size) {
    if (wanted <= *capacity) return true;
    size_t larger = *capacity + *capacity / 2;
    if (larger < wanted) larger = wanted;
    void *grown = gz_allocate_array(context, larger, item_size);
    if (!grown && larger > wanted) {
        larger = wanted;
        grown = gz_allocate_array(context, larger, item_size);
    }
    if (!grown) return false;
    if (*array) memcpy(grown, *array, *capacity * item_size);
    gz_release(context, *array, *capacity * item_size);
    *array = grown;
    *capacity = larger;
    return true;
}

void *gz_worker_scratch(graze_context *context, uint32_t worker, size_t size) {
    gz_scratch *scratch = &context->scratch[worker];
    if (size <= GZ_SCRATCH_ALWAYS) return scratch->always;
    if (scratch->size < size) {
        gz_release(context, scratch->bytes, scratch->size);
        scratch->bytes = gz_allocate(context, size);
        scratch->size = scratch->bytes ? size : 0;
    }
    return scratch->bytes;
}

void gz_worker_scratch_release(graze_context *context, uint32_t worker) {
    gz_scratch *scratch = &context->scratch[worker];
    gz_release(context, scratch->bytes, scratch->size);
    scratch->bytes = NULL;
    scratch->size = 0;
}

/* ---- limits ---- */

bool gz_cancelled(graze_context *context) {
    if (!context) return false;
    if (atomic_load_explicit(&context->cancelled, memory_order_relaxed)) return true;
    bool now = (context->options.cancel && context->options.cancel(context->options.cancel_user)) ||
               (context->deadline > 0 && gz_seconds() >= context->deadline);
    if (now) atomic_store_explicit(&context->cancelled, true, memory_order_relaxed);
    return now;
}

/* ---- statistics ---- */

void gz_add_counts(graze_context *context, const gz_counts *counts) {
    if (!context) return;
    atomic_fetch_add(&context->queries, counts->queries);
    atomic_fetch_add(&context->checks, counts->checks);
    atomic_fetch_add(&context->splits, counts->splits);
    atomic_fetch_add(&context->oracle_calls, counts->oracle_calls);
    atomic_fetch_add(&context->unresolved, counts->unresolved);
}

gz_counts gz_counts_so_far(const graze_context *context) {
    return (gz_counts){.queries = context->queries,
                       .checks = context->checks,
                       .splits = context->splits,
                       .oracle_calls = context->oracle_calls,
                       .unresolved = context->unresolved};
}

void gz_counts_back_to(graze_context *context, const gz_counts *counts) {
    context->queries = counts->queries;
    context->checks = counts->checks;
    context->splits = counts->splits;
    context->oracle_calls = counts->oracle_calls;
    context->unresolved = counts->unresolved;
}

void graze_init_stats(graze_stats *stats, size_t size) { gz_sized_init(stats, size, &(graze_stats){0}, sizeof *stats); }

graze_status graze_context_stats(const graze_context *context, graze_stats *stats) {
    if (!context || !stats) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_status status = gz_sized_check(NULL, "stats", stats, GZ_SIZE_UP_TO(graze_stats, peak_bytes));
    if (status != GRAZE_OK) return status;
    const graze_stats now = {.queries = context->queries,
                             .checks = context->checks,
                             .splits = context->splits,
                             .oracle_calls = context->oracle_calls,
                             .unresolved = context->unresolved,
                             .peak_bytes = context->peak_bytes};
    gz_sized_write(stats, &now, sizeof now);
    return GRAZE_OK;
}

void graze_context_reset_stats(graze_context *context) {
    if (!context) return;
    context->queries = context->checks = context->splits = context->oracle_calls = context->unresolved = 0;
    atomic_store(&context->peak_bytes, atomic_load(&context->held_bytes));
}

uint32_t graze_context_threads(const graze_context *context) { return context ? context->threads : 0; }

graze_isa graze_context_isa(const graze_context *context) { return context ? context->isa : GRAZE_ISA_AUTO; }
