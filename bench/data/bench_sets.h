/* Queries to measure on. */
#ifndef GRAZE_BENCH_DATA_BENCH_SETS_H
#define GRAZE_BENCH_DATA_BENCH_SETS_H

#include "bench/suite.h"

typedef struct bench_set {
    char name[48];
    graze_kind kind;
    uint64_t count;       /* queries in the set */
    uint64_t candidates;  /* of which it is an even sample */
    graze_query *queries; /* NULL: random points in the unit cube, made as they are asked for */
    uint64_t seed;
    bool cloth;
} bench_set;

typedef struct bench_sets {
    bench_set sets[32];
    int count;
} bench_sets;

/* Queries first … first + count − 1, in `room` or in place. */
const graze_query *bench_take(const bench_set *set, uint64_t first, size_t count, graze_query *room);

/* Random cubes of both kinds, `cases` in all. */
void bench_add_cubes(bench_sets *sets, uint64_t cases);
/* The candidates of a step of a generated scene; at most `limit` of each kind. */
bool bench_add_generated(bench_sets *sets, graze_context *context, const char *scene, uint32_t size, uint32_t frame,
                         size_t limit, io_error *error);
/* The candidates of the first step of every scene in `data`/scenes. */
bool bench_add_data(bench_sets *sets, graze_context *context, const char *data, size_t limit, io_error *error);
void bench_free_sets(bench_sets *sets);

#endif
