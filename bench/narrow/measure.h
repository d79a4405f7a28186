/* Runs a method on queries or on the candidates of a scene: times, verdicts, scores, and a hash of the answers. */
#ifndef GRAZE_BENCH_NARROW_MEASURE_H
#define GRAZE_BENCH_NARROW_MEASURE_H

#include "bench/data/data.h"

typedef struct bench_effort {
    double budget;   /* seconds; what is not done by then is left out */
    uint64_t repeat; /* passes, as far as the budget allows; the least time of each query counts */
} bench_effort;

/* One call for one query, one thread. Everything by query. */
typedef struct bench_answers {
    size_t count, covered;
    double *us;             /* least wall time; NaN where it was not asked */
    unsigned char *verdict; /* graze_verdict; BENCH_NOT_ASKED */
    double *toi;
    uint64_t hash; /* of all verdicts and toi; 0 unless all queries are covered */
} bench_answers;

enum { BENCH_NOT_ASKED = 255 };

/* False with the error set when the method refuses a query. A stop leaves the rest not asked. */
bool bench_ask(const bench_settings *settings, const graze_options *options, const bench_queries *set,
               bench_effort effort, bench_answers *answers, io_error *error);
void bench_answers_free(bench_answers *answers);

typedef struct bench_score {
    uint64_t covered, hits, unresolved, false_positives, false_negatives;
    double mean, median, p99, max;        /* µs */
    double mean_clear, mean_hit;          /* µs, by truth; NaN where there are none */
    uint64_t toi_hits;                    /* true hits of a method that gives a time */
    double toi_mean, toi_median, toi_max; /* |exact root − toi| over those; NaN of none */
    uint64_t late;                        /* hits whose toi is after the exact root */
} bench_score;

/* `hit` is the truth to score by. With `source` only the queries from there count. */
enum { BENCH_ALL_SOURCES = -1 };
bench_score bench_score_of(const bench_queries *set, const unsigned char *hit, const bench_answers *answers,
                           int64_t source, bool gives_toi);

/* ---- scenes: many pairs in one call ---- */

typedef struct bench_batch {
    uint64_t pairs, covered;          /* pairs there are, and those of the mixed list that were timed */
    double us_pair, us_clear, us_hit; /* mean µs: every candidate; those that are clear; those that touch */
    uint64_t unresolved, false_positives, false_negatives;
    uint64_t oracle_calls; /* pairs that reached exact arithmetic */
    uint64_t hash;         /* 0 unless every candidate is covered */
} bench_batch;

bool bench_ask_scene(const bench_settings *settings, const graze_options *options, const bench_scene *scene,
                     bench_effort effort, bench_batch *batch, io_error *error);

/* ---- hashes ---- */

#define BENCH_HASH_START 0xcbf29ce484222325u
uint64_t bench_hash(uint64_t hash, int verdict, double toi);

#endif
