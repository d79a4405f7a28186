/* graze bench safe: measures the failure-proof cubic test and judges it by exact truth, in one run. */
#include "bench/narrow/bench_safe.h"

#include "base/context.h"
#include "exact/decide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const double bench_safe_bins[SAFE_BINS] = {0.01, 0.1, 1, 5, 10, 20, 41};

static const gz_safe_setup variants[SAFE_VARIANTS] = {
    [SAFE_BASIC] = {.t_max = 1, .basic = true, .plane_cull = true, .only_positive = true},
    [SAFE_FULL] = {.t_max = 1, .plane_cull = true, .edge_cull = true, .only_positive = true},
    [SAFE_BASIC_PLANELESS] = {.t_max = 1, .basic = true, .only_positive = true},
    [SAFE_PLANELESS] = {.t_max = 1, .edge_cull = true, .only_positive = true},
    [SAFE_EDGES] = {.t_max = 1, .plane_cull = true, .only_positive = true},
    [SAFE_TOI] = {.t_max = 1, .plane_cull = true, .edge_cull = true},
    [SAFE_SCENE] = {.t_max = 1, .plane_cull = true, .edge_cull = true, .only_positive = true},
    [SAFE_F32] = {.t_max = 1, .plane_cull = true, .edge_cull = true},
};

/* Queries at a time: every variant sees a block while it is in the cache, so that all meet the same conditions. */
enum { BLOCK = 1024, ROUNDS = 3 };

/* At most this many false alarms of a set and precision are measured: in float they are too many. */
enum { MOST_BINNED = 2000 };

typedef struct block {
    graze_query room[BLOCK], wide[BLOCK];
    graze_query_f32 narrow[BLOCK];
    gz_safe_answer answers[SAFE_VARIANTS][BLOCK];
    graze_result results[BLOCK];
    gz_exact_answer truth[BLOCK], truth_f32[BLOCK];
} block;

static double run_variant(int variant, const safe_row *row, const graze_query *queries, block *b, size_t count,
                          gz_safe_counts *counts) {
    gz_safe_answer *answers = b->answers[variant];
    graze_kind kind = row->set->kind;
    gz_safe_setup setup = variants[variant];
    if (variant == SAFE_SCENE) setup.bound = row->bound;
    double start = bench_cpu_seconds();
    if (variant == SAFE_F32) {
        for (size_t i = 0; i < count; i++) answers[i] = gz_safe_test_f32(kind, &b->narrow[i], &setup, counts);
    } else {
        for (size_t i = 0; i < count; i++) answers[i] = gz_safe_test_f64(kind, &queries[i], &setup, counts);
    }
    return bench_cpu_seconds() - start;
}

static void time_block(safe_row *row, const graze_query *queries, block *b, size_t count) {
    for (size_t i = 0; i < count; i++)
        for (int r = 0; r < 4; r++)
            for (int c = 0; c < 3; c++) {
                b->narrow[i].x0[r][c] = (float)queries[i].x0[r][c];
                b->narrow[i].x1[r][c] = (float)queries[i].x1[r][c];
                b->wide[i].x0[r][c] = b->narrow[i].x0[r][c];
                b->wide[i].x1[r][c] = b->narrow[i].x1[r][c];
            }
    double least[SAFE_VARIANTS];
    for (int v = 0; v < SAFE_VARIANTS; v++) least[v] = INFINITY;
    for (int round = 0; round < ROUNDS; round++)
        for (int turn = 0; turn < SAFE_VARIANTS; turn++) {
            int v = (turn + round) % SAFE_VARIANTS;
            gz_safe_counts again = {0};
            /* once untimed, else a variant profits from what the one before it left in caches and branch predictors */
            run_variant(v, row, queries, b, count, round ? &again : &row->counts[v]);
            double seconds = run_variant(v, row, queries, b, count, &again);
            if (seconds < least[v]) least[v] = seconds;
        }
    for (int v = 0; v < SAFE_VARIANTS; v++) row->seconds[v] += least[v];
}

/* ---- truth ---- */

/* True when the boxes of the two primitives over the whole step overlap; comparisons only, so it is exact. */
static bool boxes_meet(graze_kind kind, const graze_query *q) {
    int first = kind == GRAZE_VF ? 1 : 2;
    for (int c = 0; c < 3; c++) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < 4; i++) {
            int side = i >= first;
            low[side] = fmin(low[side], fmin(q->x0[i][c], q->x1[i][c]));
            high[side] = fmax(high[side], fmax(q->x0[i][c], q->x1[i][c]));
        }
        if (low[0] > high[1] || low[1] > high[0]) return false;
    }
    return true;
}

typedef struct truth_job {
    graze_context *context;
    graze_kind kind;
    const graze_query *queries;
    gz_exact_answer *truth;
    atomic_bool failed;
} truth_job;

static void find_truth(void *state, size_t begin, size_t end, uint32_t worker) {
    truth_job *job = state;
    for (size_t i = begin; i < end; i++) {
        job->truth[i] = (gz_exact_answer){0};
        if (boxes_meet(job->kind, &job->queries[i]) &&
            !gz_exact_decide(job->context, worker, job->kind, &job->queries[i], 0, 1, &job->truth[i]))
            job->failed = true;
    }
}

static bool truths(graze_context *context, graze_kind kind, const graze_query *queries, size_t count,
                   gz_exact_answer *truth) {
    truth_job job = {.context = context, .kind = kind, .queries = queries, .truth = truth};
    gz_parallel(context, count, 64, find_truth, &job);
    return !job.failed;
}

/* Finds the bin of a false alarm by exact questions. */
static void bin_alarm(graze_context *context, safe_verdicts *v, graze_kind kind, const graze_query *query,
                      double unit) {
    for (int bin = 0; bin < SAFE_BINS; bin++) {
        gz_exact_answer exact;
        if (gz_exact_decide(context, 0, kind, query, bench_safe_bins[bin] * unit, 1, &exact) && exact.hit) {
            v->binned[bin]++;
            return;
        }
    }
    v->beyond++;
}

static uint64_t binned(const safe_verdicts *v) {
    uint64_t sum = v->beyond;
    for (int bin = 0; bin < SAFE_BINS; bin++) sum += v->binned[bin];
    return sum;
}

/* `unit` gives B eps^(1/4) of a query; NULL: the alarms are only counted. */
static void score(graze_context *context, safe_verdicts *v, graze_kind kind, const graze_query *queries,
                  const gz_safe_answer *answers, const gz_exact_answer *truth, size_t count,
                  double (*unit)(graze_kind kind, const graze_query *query)) {
    for (size_t i = 0; i < count; i++) {
        v->tests++;
        v->contacts += truth[i].hit;
        v->missed += truth[i].hit && !answers[i].positive;
        v->late += unit && truth[i].hit && answers[i].toi > truth[i].lower;
        if (truth[i].hit || !answers[i].positive) continue;
        v->alarms++;
        if (unit && binned(v) < MOST_BINNED) bin_alarm(context, v, kind, &queries[i], unit(kind, &queries[i]));
    }
}

static double unit_f64(graze_kind kind, const graze_query *query) {
    return gz_safe_reach_f64(gz_safe_bound_f64(kind, query)) / bench_safe_bins[SAFE_BINS - 1];
}

static double unit_f32(graze_kind kind, const graze_query *query) {
    graze_query_f32 narrow;
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 3; c++) {
            narrow.x0[r][c] = (float)query->x0[r][c];
            narrow.x1[r][c] = (float)query->x1[r][c];
        }
    return gz_safe_reach_f32(gz_safe_bound_f32(kind, &narrow)) / bench_safe_bins[SAFE_BINS - 1];
}

/* ---- other methods ---- */

static void run_other(graze_context *one_thread, safe_row *row, graze_method method, const graze_query *queries,
                      const gz_exact_answer *truth, size_t count, graze_result *results) {
    const graze_method_info *info = graze_method_get(method);
    if (!info->available) return;
    safe_other *other = NULL;
    for (int i = 0; i < row->other_count; i++)
        if (row->others[i].name == info->name) other = &row->others[i];
    if (!other) {
        other = &row->others[row->other_count++];
        *other = (safe_other){.name = info->name};
    }
    graze_options options = graze_default_options();
    options.method = method;
    double least = INFINITY;
    for (int round = 0; round < 2; round++) {
        double start = bench_cpu_seconds();
        graze_ccd_batch(one_thread, row->set->kind, queries, count, &options, results);
        least = fmin(least, bench_cpu_seconds() - start);
    }
    other->seconds += least;
    for (size_t i = 0; i < count; i++) {
        bool positive = results[i].verdict != GRAZE_CLEAR;
        other->tests++;
        other->contacts += truth[i].hit;
        other->missed += truth[i].hit && !positive;
        other->alarms += !truth[i].hit && positive;
    }
}

static void run_others(graze_context *one_thread, safe_row *row, const graze_query *queries,
                       const gz_exact_answer *truth, size_t count, graze_result *results) {
    static const graze_method methods[SAFE_OTHERS] = {GRAZE_METHOD_PROVOT, GRAZE_METHOD_SAFE,      GRAZE_METHOD_RP,
                                                      GRAZE_METHOD_RRP,    GRAZE_METHOD_CERTIFIED, GRAZE_METHOD_TI};
    for (int i = 0; i < SAFE_OTHERS; i++) run_other(one_thread, row, methods[i], queries, truth, count, results);
}

/* ---- the run ---- */

static double set_bound(const bench_set *set, block *b) {
    double bound = 0;
    for (uint64_t first = 0; first < set->count; first += BLOCK) {
        size_t count = set->count - first < BLOCK ? (size_t)(set->count - first) : BLOCK;
        const graze_query *queries = bench_take(set, first, count, b->room);
        for (size_t i = 0; i < count; i++) bound = fmax(bound, gz_safe_bound_f64(set->kind, &queries[i]));
    }
    return bound;
}

static bool measure(const bench_settings *settings, graze_context *context, graze_context *one_thread,
                    const bench_sets *sets, int index, block *b, uint64_t compared, safe_row *row) {
    const bench_set *set = &sets->sets[index];
    *row = (safe_row){.set = set, .bound = set_bound(set, b)};
    /* the compared queries are spread over the whole set */
    uint64_t blocks = (set->count + BLOCK - 1) / BLOCK, done = 0;
    for (uint64_t i = 0; i < blocks; i++) {
        uint64_t first = i * BLOCK;
        size_t count = set->count - first < BLOCK ? (size_t)(set->count - first) : BLOCK;
        const graze_query *queries = bench_take(set, first, count, b->room);
        time_block(row, queries, b, count);
        if (!truths(context, set->kind, queries, count, b->truth) ||
            !truths(context, set->kind, b->wide, count, b->truth_f32))
            return false;
        score(context, &row->basic, set->kind, queries, b->answers[SAFE_BASIC], b->truth, count, NULL);
        score(context, &row->full, set->kind, queries, b->answers[SAFE_TOI], b->truth, count, unit_f64);
        score(context, &row->scene, set->kind, queries, b->answers[SAFE_SCENE], b->truth, count, NULL);
        score(context, &row->single, set->kind, b->wide, b->answers[SAFE_F32], b->truth_f32, count, unit_f32);
        uint64_t due = (uint64_t)((double)compared * (double)(i + 1) / (double)blocks);
        if (due > done) {
            size_t some = due - done < count ? (size_t)(due - done) : count;
            run_others(one_thread, row, queries, b->truth, some, b->results);
            done = due;
        }
        if (bench_stopped(settings)) return true;
        bench_progress(settings, set->name, (index + (double)(i + 1) / (double)blocks) / sets->count);
    }
    return true;
}

/* Measures the sets in turn; one that is cut off by a stop is left out. */
static bool measure_sets(const bench_settings *settings, graze_context *context, graze_context *one_thread,
                         const bench_sets *sets, bench_report *report, io_error *error) {
    const uint64_t compared = settings->quick ? 500 : 5000;
    block *b = bench_allocate(1, sizeof *b);
    safe_row *rows = bench_allocate((size_t)sets->count, sizeof *rows);
    int measured = 0;
    bool done = true;
    while (done && measured < sets->count) {
        done = measure(settings, context, one_thread, sets, measured, b, compared, &rows[measured]);
        if (bench_stopped(settings)) break;
        if (!done) io_fail(error, sets->sets[measured].name, 0, "no exact truth");
        measured++;
    }
    if (bench_stopped(settings)) done = report->interrupted = true;
    if (done && measured) bench_safe_report(report, rows, measured);
    free(rows);
    free(b);
    return done;
}

bool bench_safe(const bench_settings *settings, bench_report *report, io_error *error) {
    const size_t limit = settings->quick ? 10000 : 200000;
    graze_context *context = bench_context(settings, settings->threads, 0, error);
    graze_context *one_thread = context ? bench_context(settings, 1, 0, error) : NULL;
    bench_sets sets = {.count = 0};
    bool done = one_thread != NULL;
    if (done) {
        bench_add_cubes(&sets, settings->cases ? settings->cases : settings->quick ? 100000 : 10000000);
        done = bench_add_generated(&sets, context, "cloth-ball", settings->quick ? 24 : 64, 12, limit, error) &&
               (!settings->data || bench_add_data(&sets, context, settings->data, limit, error)) &&
               measure_sets(settings, context, one_thread, &sets, report, error);
    }
    bench_free_sets(&sets);
    graze_context_destroy(one_thread);
    graze_context_destroy(context);
    return done;
}
