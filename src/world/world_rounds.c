#include "world/world_rounds.h"

#include "world/world_pair.h"

#include <math.h>

#define MOST_TURN 0.5 /* of a mover in one round, in radians */
#define MOST_ROUNDS 0x1p20
#define PAIRS_AT_ONCE 16
#define MOST_PAIRS 256u /* of a span that is not halved, beside some for each two bodies */
#define MOST_DEPTH 10

typedef struct round_worker {
    _Alignas(64) gz_contacts found;
    gz_counts counts;
    bool failed;
} round_worker;

typedef struct round_job {
    gz_movers *movers;
    gz_span span;
    const gz_near_list *near;
    size_t most; /* pairs of a span that is not halved */
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

/* Findings of the workers, added up; their lists are empty after it. */
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

static graze_status solve(round_job *job, gz_near_list *near, gz_contacts *found, gz_rounds *rounds) {
    job->near = near;
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

/* True if nothing more has to be done, and why where something is left. */
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

static bool may_halve(const round_job *job, int depth) {
    return job->movers->options.mode != GRAZE_ARTICULATED_ALL && depth < MOST_DEPTH;
}

static graze_status run_span(round_job *job, gz_span span, const gz_mover_pairs *only, int depth, gz_contacts *found,
                             gz_rounds *rounds);

static graze_status run_halves(round_job *job, gz_span span, const gz_mover_pairs *active, int depth,
                               gz_contacts *found, gz_rounds *rounds) {
    double middle = 0.5 * (span.begin + span.end);
    graze_status status = run_span(job, (gz_span){span.begin, middle}, active, depth + 1, found, rounds);
    if (status != GRAZE_OK || middle >= job->movers->options.t_max || is_over(job, found, rounds)) return status;
    return run_span(job, (gz_span){middle, span.end}, active, depth + 1, found, rounds);
}

/* Many pairs: the first half of the span may have a contact, and then the second half costs nothing. Where the shortest
   span has many they are near throughout, and spans that follow may have twice as many: they grow longer again. */
static graze_status run_span(round_job *job, gz_span span, const gz_mover_pairs *only, int depth, gz_contacts *found,
                             gz_rounds *rounds) {
    graze_context *context = job->movers->context;
    gz_near_list near = {0};
    gz_mover_pairs active = {0};
    job->span = span;
    bool halved = false;
    gz_near_boxes(job->movers, span, only);
    graze_status status =
        gz_near_find(job->movers, only, job->most, &near, &active, may_halve(job, depth) ? &halved : NULL);
    if (!halved && near.count > job->most / 2) job->most = 2 * near.count;
    if (status == GRAZE_OK && !halved) status = solve(job, &near, found, rounds);
    gz_release(context, near.pairs, near.room * sizeof *near.pairs);
    if (status == GRAZE_OK && halved) status = run_halves(job, span, &active, depth, found, rounds);
    gz_release(context, active.pairs, active.room * sizeof *active.pairs);
    return status;
}

static graze_status run_all(round_job *job, double limit, gz_contacts *found, gz_rounds *rounds) {
    gz_contacts here = {.context = job->movers->context};
    double count = round_count(job->movers), t_max = job->movers->options.t_max;
    graze_status status = GRAZE_OK;
    for (double i = 0; i < count && status == GRAZE_OK; i++) {
        gz_span span = {i / count, (i + 1) / count};
        if (span.begin >= t_max || span.begin > limit) break;
        status = run_span(job, span, NULL, 0, &here, rounds);
        if (status == GRAZE_OK && is_over(job, &here, rounds)) break;
    }
    for (size_t i = 0; i < here.count && status == GRAZE_OK; i++)
        if (!gz_contacts_add(found, job->movers, &here.pairs[i].near, &here.pairs[i].joined.result))
            status = GRAZE_ERR_OUT_OF_MEMORY;
    gz_contacts_release(&here);
    return status;
}

graze_status gz_rounds_run(gz_movers *movers, double limit, gz_contacts *found, gz_rounds *rounds) {
    graze_context *context = movers->context;
    round_job job = {.movers = movers, .most = MOST_PAIRS};
    if (!movers->world->units.curved) return GRAZE_OK;
    job.workers = gz_allocate_array(context, context->threads, sizeof *job.workers);
    if (!job.workers) return GRAZE_ERR_OUT_OF_MEMORY;
    for (uint32_t i = 0; i < context->threads; i++) job.workers[i] = (round_worker){.found = {.context = context}};
    graze_status status = run_all(&job, limit, found, rounds);
    for (uint32_t i = 0; i < context->threads; i++) gz_contacts_release(&job.workers[i].found);
    gz_release(context, job.workers, context->threads * sizeof *job.workers);
    return status;
}
