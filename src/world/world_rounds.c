#include "world/world_rounds.h"

#include "world/world_pair.h"

#include <math.h>

#define MOST_TURN 0.5 /* of a mover in one round, in radians */
#define MOST_ROUNDS 0x1p20
#define PAIRS_AT_ONCE 16

typedef struct round_worker {
    _Alignas(64) gz_contacts found;
    gz_counts counts;
    bool failed;
} round_worker;

typedef struct round_job {
    gz_movers *movers;
    gz_span span;
    const gz_near_list *near;
    round_worker *workers;
} round_job;

static void solve_range(void *state, size_t begin, size_t end, uint32_t worker) {
    const round_job *job = state;
    round_worker *mine = &job->workers[worker];
    for (size_t i = begin; i < end && !gz_cancelled(job->movers->context); i++) {
        graze_result result;
        gz_world_pair(job->movers, worker, &job->near->pairs[i], job->span, &result);
        mine->counts.queries++;
        mine->counts.checks += result.checks;
        mine->counts.unresolved += result.verdict == GRAZE_UNRESOLVED;
        if (result.verdict == GRAZE_CLEAR) continue;
        if (!gz_contacts_add(&mine->found, job->movers, &job->near->pairs[i], &result)) mine->failed = true;
    }
}

/* What the workers found, added up; their lists are empty after it. */
static bool collect(const round_job *job, gz_contacts *found, gz_rounds *rounds) {
    graze_context *context = job->movers->context;
    bool room = true;
    for (uint32_t i = 0; i < context->threads; i++) {
        round_worker *worker = &job->workers[i];
        rounds->checks += worker->counts.checks;
        gz_add_counts(context, &worker->counts);
        worker->counts = (gz_counts){0};
        room = room && !worker->failed;
        for (size_t j = 0; j < worker->found.count && room; j++) {
            const gz_touching *pair = &worker->found.pairs[j];
            room = gz_contacts_add(found, job->movers, &pair->near, &pair->joined.result);
        }
        worker->found.count = 0;
    }
    return room;
}

static graze_status run_round(round_job *job, gz_near_list *near, gz_contacts *found, gz_rounds *rounds) {
    gz_near_boxes(job->movers, job->span);
    graze_status status = gz_near_find(job->movers, near);
    if (status != GRAZE_OK) return status;
    rounds->candidates += near->count;
    gz_parallel(job->movers->context, near->count, PAIRS_AT_ONCE, solve_range, job);
    return collect(job, found, rounds) ? GRAZE_OK : GRAZE_ERR_OUT_OF_MEMORY;
}

/* A power of two. */
static double round_count(const gz_movers *movers) {
    double spin = 0, count = 1;
    for (size_t i = 0; i < movers->count; i++) spin = fmax(spin, movers->list[i].spin);
    while (count < MOST_ROUNDS && spin > MOST_TURN * count) count *= 2;
    return count;
}

/* Whether nothing more has to be done, and why where something is left. */
static bool is_over(const round_job *job, const gz_contacts *found, gz_rounds *rounds) {
    const graze_articulated_options *options = &job->movers->options;
    if (gz_cancelled(job->movers->context)) {
        rounds->reason = GRAZE_REASON_CANCELLED;
        rounds->ended_at = job->span.begin;
    } else if (rounds->checks > options->max_checks && job->span.end < options->t_max) {
        rounds->reason = GRAZE_REASON_BUDGET;
        rounds->ended_at = job->span.end;
    }
    bool first = options->mode != GRAZE_ARTICULATED_ALL && found->count > 0;
    return first || rounds->reason != GRAZE_REASON_NONE;
}

static graze_status run_all(round_job *job, double limit, gz_contacts *found, gz_rounds *rounds) {
    gz_near_list near = {0};
    gz_contacts here = {.context = job->movers->context};
    double count = round_count(job->movers), t_max = job->movers->options.t_max;
    graze_status status = GRAZE_OK;
    for (double i = 0; i < count && status == GRAZE_OK; i++) {
        job->span = (gz_span){i / count, (i + 1) / count};
        if (job->span.begin >= t_max || job->span.begin > limit) break;
        job->near = &near;
        status = run_round(job, &near, &here, rounds);
        if (status == GRAZE_OK && is_over(job, &here, rounds)) break;
    }
    for (size_t i = 0; i < here.count && status == GRAZE_OK; i++)
        if (!gz_contacts_add(found, job->movers, &here.pairs[i].near, &here.pairs[i].joined.result))
            status = GRAZE_ERR_OUT_OF_MEMORY;
    gz_contacts_release(&here);
    gz_release(job->movers->context, near.pairs, near.room * sizeof *near.pairs);
    return status;
}

graze_status gz_rounds_run(gz_movers *movers, double limit, gz_contacts *found, gz_rounds *rounds) {
    graze_context *context = movers->context;
    round_job job = {.movers = movers};
    if (!movers->world->units.curved) return GRAZE_OK;
    job.workers = gz_allocate_array(context, context->threads, sizeof *job.workers);
    if (!job.workers) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++) job.workers[i] = (round_worker){.found = {.context = context}};
    graze_status status = run_all(&job, limit, found, rounds);
    for (uint32_t i = 0; i < context->threads; i++) gz_contacts_release(&job.workers[i].found);
    gz_release(context, job.workers, context->threads * sizeof *job.workers);
    return status;
}
