/* One call for one query. */
#include "bench/narrow/measure.h"

#include "bench/narrow/apart.h"
#include "bench/narrow/methods.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

uint64_t bench_hash(uint64_t hash, int verdict, double toi) {
    unsigned char bytes[9] = {(unsigned char)verdict};
    uint64_t bits;
    memcpy(&bits, &toi, sizeof bits);
    for (int i = 0; i < 8; i++) bytes[1 + i] = (unsigned char)(bits >> 8 * i);
    for (int i = 0; i < 9; i++) hash = (hash ^ bytes[i]) * 0x100000001b3u; /* FNV-1a */
    return hash;
}

/* A step that visits every index once, and whose first visits are spread evenly: what a budget cuts off is then no
   special part of the set. */
static size_t stride_for(size_t count) {
    size_t stride = (size_t)(0.6180339887498949 * (double)count) | 1;
    for (;; stride += 2) {
        size_t a = count, b = stride;
        while (b) {
            size_t rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1) return stride % count;
    }
}

/* Least time between two readings of the clock. */
static double clock_cost(void) {
    double least = 1;
    for (int i = 0; i < 1000; i++) {
        double begin = bench_seconds(), spent = bench_seconds() - begin;
        if (spent < least) least = spent;
    }
    return least;
}

/* The call without a context is the cheaper one; where its memory does not suffice the context's is used, as a caller
   would. */
static const char *ask_one(const bench_settings *settings, graze_context *context, graze_kind kind,
                           const graze_query *query, const graze_options *options, graze_result *result,
                           double *seconds) {
    double begin = bench_seconds();
    const char *fault = bench_ccd(settings, kind, query, options, result);
    *seconds = bench_seconds() - begin;
    bool own = !bench_method_brought(settings, (int)options->method);
    if (own && !fault && result->verdict == GRAZE_UNRESOLVED && result->reason == GRAZE_REASON_MEMORY) {
        begin = bench_seconds();
        graze_status status = graze_ccd_batch(context, kind, query, 1, options, result);
        *seconds = bench_seconds() - begin;
        if (status != GRAZE_OK) return graze_status_name(status);
    }
    return fault;
}

static void keep(bench_answers *answers, size_t i, const graze_result *result) {
    answers->verdict[i] = (unsigned char)result->verdict;
    answers->toi[i] = result->toi;
    answers->covered++;
}

/* Answers to a set from a file of answers: no times. */
static void look_up(const bench_given *given, const bench_queries *set, bench_answers *answers) {
    graze_result result;
    for (size_t i = 0; i < set->count; i++)
        if (set->origin[i].path && bench_given_find(given, set->origin[i].path, set->origin[i].index, &result))
            keep(answers, i, &result);
}

static void set_hash(bench_answers *answers) {
    if (answers->covered < answers->count) return;
    answers->hash = BENCH_HASH_START;
    for (size_t i = 0; i < answers->count; i++)
        answers->hash = bench_hash(answers->hash, answers->verdict[i], answers->toi[i]);
}

/* ---- asking ---- */

typedef struct asking {
    const bench_settings *settings;
    const graze_options *options;
    const bench_queries *set;
    bench_effort effort;
    graze_context *context;
    bench_answers *answers;
    bool good;
    io_error error;
} asking;

/* One query; false after a fault. */
static bool ask_query(asking *a, size_t i, double clock, bool first) {
    graze_result result;
    double seconds;
    const char *fault =
        ask_one(a->settings, a->context, a->set->kind, &a->set->queries[i], a->options, &result, &seconds);
    if (fault)
        return io_fail(&a->error, bench_method(a->settings, (int)a->options->method)->name, 0, "%s query %zu: %s",
                       graze_kind_name(a->set->kind), i, fault);
    if (result.reason == GRAZE_REASON_CANCELLED) return true; /* a stop may have ended this very query */
    double us = 1e6 * (seconds > clock ? seconds - clock : 0);
    if (!(us >= a->answers->us[i])) a->answers->us[i] = us;
    if (first) keep(a->answers, i, &result);
    return true;
}

static void ask_all(void *state) {
    asking *a = state;
    size_t count = a->set->count, stride = stride_for(count);
    double clock = clock_cost(), start = bench_seconds();
    bool stopped = false;
    for (uint64_t pass = 0; a->good && !stopped && pass < a->effort.repeat; pass++) {
        double spent = bench_seconds() - start;
        bool more = spent * (double)(pass + 1) / (double)pass <= a->effort.budget;
        if (pass > 0 && (a->answers->covered < count || !more)) break;
        for (size_t k = 0, i = 0; a->good && k < count; k++, i = (i + stride) % count) {
            if (pass == 0 && bench_seconds() - start > a->effort.budget) break;
            stopped = bench_stopped(a->settings);
            if (stopped) break;
            a->good = ask_query(a, i, clock, pass == 0);
        }
    }
}

/* A plugin answers in a child process: all that it writes is in memory that both share. */
static bool ask_plugin(asking *a, io_error *error) {
    size_t count = a->set->count, numbers = count * sizeof(double);
    size_t size = sizeof *a + sizeof *a->answers + 2 * numbers + count;
    char *memory = bench_shared(size), reason[BENCH_APART_TEXT];
    const char *name = bench_method(a->settings, (int)a->options->method)->name;
    if (!memory) return io_fail(error, name, 0, "no memory to share");
    asking *job = (asking *)memory;
    bench_answers *here = a->answers, *there = (bench_answers *)(memory + sizeof *a);
    *job = *a;
    *there = *here;
    job->answers = there;
    there->us = (double *)(memory + sizeof *a + sizeof *there);
    there->toi = there->us + count;
    there->verdict = (unsigned char *)(there->toi + count);
    memcpy(there->us, here->us, numbers);
    memcpy(there->toi, here->toi, numbers);
    memcpy(there->verdict, here->verdict, count);
    bool returned = bench_apart(a->settings, bench_plugin_limit(a->effort.budget), ask_all, job, reason);
    memcpy(here->us, there->us, numbers);
    memcpy(here->toi, there->toi, numbers);
    memcpy(here->verdict, there->verdict, count);
    here->covered = there->covered;
    bool good = returned ? job->good : io_fail(error, name, 0, "%s queries: %s", graze_kind_name(a->set->kind), reason);
    if (returned && !good) *error = job->error;
    bench_shared_free(memory, size);
    return good;
}

static void clear_answers(bench_answers *answers, size_t count) {
    *answers = (bench_answers){.count = count};
    answers->us = bench_allocate(count, sizeof *answers->us);
    answers->verdict = bench_allocate(count, 1);
    answers->toi = bench_allocate(count, sizeof *answers->toi);
    for (size_t i = 0; i < count; i++) {
        answers->us[i] = answers->toi[i] = NAN;
        answers->verdict[i] = BENCH_NOT_ASKED;
    }
}

bool bench_ask(const bench_settings *settings, const graze_options *options, const bench_queries *set,
               bench_effort effort, bench_answers *answers, io_error *error) {
    clear_answers(answers, set->count);
    const bench_brought *brought = bench_method_brought(settings, (int)options->method);
    if (brought && brought->given) {
        look_up(brought->given, set, answers);
        set_hash(answers);
        return true;
    }
    if (set->count == 0 || !bench_method_answers_kind(settings, (int)options->method, set->kind)) return true;
    asking a = {
        .settings = settings, .options = options, .set = set, .effort = effort, .answers = answers, .good = true};
    a.context = bench_context(settings, 1, 0, error);
    if (!a.context) return false;
    bool good;
    if (brought) {
        good = ask_plugin(&a, error);
    } else {
        ask_all(&a);
        good = a.good;
        if (!good) *error = a.error;
    }
    graze_context_destroy(a.context);
    set_hash(answers);
    return good;
}

void bench_answers_free(bench_answers *answers) {
    free(answers->us);
    free(answers->verdict);
    free(answers->toi);
    *answers = (bench_answers){0};
}

/* ---- scores ---- */

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The least value that `percent` of them do not exceed; NaN of none. */
static double percentile(const double *sorted, size_t count, unsigned percent) {
    if (count == 0) return NAN;
    size_t rank = (count * percent + 99) / 100;
    return sorted[rank ? rank - 1 : 0];
}

static double mean_of(double sum, uint64_t count) { return count ? sum / (double)count : NAN; }

bench_score bench_score_of(const bench_queries *set, const unsigned char *hit, const bench_answers *answers,
                           int64_t source, bool gives_toi) {
    bench_score s = {0};
    double *us = bench_allocate(answers->count, sizeof *us), *errors = bench_allocate(answers->count, sizeof *errors);
    double sums[2] = {0, 0}, error_sum = 0;
    uint64_t counts[2] = {0, 0};
    size_t error_count = 0, timed = 0;
    for (size_t i = 0; i < answers->count; i++) {
        if (answers->verdict[i] == BENCH_NOT_ASKED) continue;
        if (source >= 0 && set->source[i] != (uint32_t)source) continue;
        bool touches = answers->verdict[i] != GRAZE_CLEAR; /* unresolved counts as a hit when scoring */
        s.covered++;
        if (answers->us[i] >= 0) { /* answers of a file have no times */
            us[timed++] = answers->us[i];
            sums[hit[i]] += answers->us[i];
            counts[hit[i]]++;
        }
        s.hits += answers->verdict[i] == GRAZE_HIT;
        s.unresolved += answers->verdict[i] == GRAZE_UNRESOLVED;
        s.false_positives += touches && !hit[i];
        s.false_negatives += !touches && hit[i];
        if (gives_toi && answers->verdict[i] == GRAZE_HIT && set->lower[i] <= 1) {
            double error = set->lower[i] - answers->toi[i];
            s.late += answers->toi[i] > set->upper[i];
            errors[error_count++] = fabs(error);
            error_sum += fabs(error);
        }
    }
    qsort(us, timed, sizeof *us, by_value);
    qsort(errors, error_count, sizeof *errors, by_value);
    s.mean = mean_of(sums[0] + sums[1], timed);
    s.median = percentile(us, timed, 50);
    s.p99 = percentile(us, timed, 99);
    s.max = percentile(us, timed, 100);
    s.mean_clear = mean_of(sums[0], counts[0]);
    s.mean_hit = mean_of(sums[1], counts[1]);
    s.toi_hits = error_count;
    s.toi_mean = mean_of(error_sum, error_count);
    s.toi_median = percentile(errors, error_count, 50);
    s.toi_max = percentile(errors, error_count, 100);
    free(us);
    free(errors);
    return s;
}
