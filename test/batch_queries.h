/* Batches on a back end beside the same batches on the CPU: for a fake back end and for a device. */
#ifndef GRAZE_TEST_BATCH_QUERIES_H
#define GRAZE_TEST_BATCH_QUERIES_H

#include "safe_queries.h"
#include "same_bits.h"
#include "scaled_pairs.h"

/* A context on a back end; `memory_limit` 0: none. */
static inline graze_context *batch_context(graze_backend backend, uint32_t threads, size_t memory_limit) {
    graze_context_options options = graze_default_context_options();
    options.backend = backend;
    options.threads = threads;
    options.memory_limit = memory_limit;
    graze_context *context = NULL;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    return context;
}

/* Of all families in turn, at all sizes; some of them twice the same, and some at rest. */
static inline void batch_query(test_random *random, graze_kind kind, size_t i, graze_query *query) {
    safe_query(random, kind <= GRAZE_EE ? kind : GRAZE_EE, (int)(i % SAFE_FAMILIES), query);
    if (i % 17 == 0) memcpy(query->x1, query->x0, sizeof query->x1);
    if (i % 23 == 0) scale_query(query, (int)test_random_below(random, 120) - 60);
}

typedef enum batch_layout { BATCH_DOUBLES, BATCH_FLOATS, BATCH_STRIDED, BATCH_LAYOUTS } batch_layout;

/* A result, and something of the caller's after it. */
typedef struct batch_row {
    graze_result result;
    double own;
} batch_row;

typedef struct batch_arrays {
    size_t count;
    graze_query *queries;
    graze_query_f32 *floats;
    double *columns[2]; /* x0 and x1 by coordinate, row, query */
    batch_row *here, *there;
} batch_arrays;

static inline void batch_open(batch_arrays *b, size_t count) {
    *b = (batch_arrays){.count = count};
    b->queries = malloc(count * sizeof *b->queries);
    b->floats = malloc(count * sizeof *b->floats);
    b->here = malloc(count * sizeof *b->here);
    b->there = malloc(count * sizeof *b->there);
    for (int end = 0; end < 2; end++) b->columns[end] = malloc(12 * count * sizeof(double));
}

static inline void batch_close(batch_arrays *b) {
    free(b->queries);
    free(b->floats);
    free(b->here);
    free(b->there);
    for (int end = 0; end < 2; end++) free(b->columns[end]);
}

/* The queries in the other layouts, too. */
static inline void batch_lay_out(batch_arrays *b) {
    for (size_t i = 0; i < b->count; i++) {
        b->floats[i] = to_float(&b->queries[i]);
        for (int row = 0; row < 4; row++)
            for (int c = 0; c < 3; c++) {
                size_t at = (size_t)(4 * c + row) * b->count + i;
                b->columns[0][at] = b->queries[i].x0[row][c];
                b->columns[1][at] = b->queries[i].x1[row][c];
            }
    }
}

static inline void batch_fill(batch_arrays *b, graze_kind kind, uint64_t seed) {
    test_random random = {seed};
    for (size_t i = 0; i < b->count; i++) batch_query(&random, kind, i, &b->queries[i]);
    batch_lay_out(b);
}

/* Pairs of one size, whose edges, offsets and motions have sizes of their own. Returns a separation for all. */
static inline double batch_fill_scaled(batch_arrays *b, graze_kind kind, scaled_range range, test_random *random) {
    int exponent = range.least + (int)test_random_below(random, (uint64_t)(range.most - range.least + 1));
    scaled_pair pair = {.separation = 0};
    for (size_t i = 0; i < b->count; i++) {
        scaled_draw(random, kind, (scaled_range){exponent, exponent, range.spread}, &pair);
        b->queries[i] = pair.query;
    }
    batch_lay_out(b);
    return pair.separation;
}

static inline graze_status batch_ask(graze_context *context, batch_arrays *b, graze_kind kind, batch_layout layout,
                                     const graze_options *given, batch_row *rows) {
    graze_options options = *given;
    options.result_stride = sizeof *rows;
    for (size_t i = 0; i < b->count; i++) rows[i].own = (double)i;
    if (layout == BATCH_DOUBLES) return graze_ccd_batch(context, kind, b->queries, b->count, &options, &rows->result);
    if (layout == BATCH_FLOATS) return graze_ccd_batch_f32(context, kind, b->floats, b->count, &options, &rows->result);
    graze_query_arrays arrays = graze_default_query_arrays();
    arrays.x0 = b->columns[0];
    arrays.x1 = b->columns[1];
    ptrdiff_t strides[3] = {sizeof(double), (ptrdiff_t)(b->count * sizeof(double)),
                            (ptrdiff_t)(4 * b->count * sizeof(double))};
    memcpy(arrays.strides0, strides, sizeof strides);
    memcpy(arrays.strides1, strides, sizeof strides);
    return graze_ccd_batch_strided(context, kind, &arrays, b->count, &options, &rows->result, sizeof *rows);
}

/* Counts since the last time. */
static inline graze_stats batch_stats(graze_context *context) {
    graze_stats stats = graze_default_stats();
    graze_context_stats(context, &stats);
    graze_context_reset_stats(context);
    return stats;
}

/* Asks both, and holds every bit of one against the other. How many were not clear. */
static inline size_t batch_compare(graze_context *cpu, graze_context *device, batch_arrays *b, graze_kind kind,
                                   batch_layout layout, const graze_options *options) {
    graze_status here = batch_ask(cpu, b, kind, layout, options, b->here);
    graze_status there = batch_ask(device, b, kind, layout, options, b->there);
    graze_error error;
    graze_context_last_error(device, &error);
    CHECK_MSG(here == GRAZE_OK && there == GRAZE_OK, "%s", error.message);
    size_t touching = 0;
    for (size_t i = 0; i < b->count; i++) {
        CHECK_QUERY(same_result(&b->here[i].result, &b->there[i].result) && b->there[i].own == (double)i, kind,
                    &b->queries[i]);
        touching += b->there[i].result.verdict != GRAZE_CLEAR;
    }
    graze_stats a = batch_stats(cpu), z = batch_stats(device);
    CHECK_MSG(a.queries == z.queries && a.checks == z.checks && a.oracle_calls == z.oracle_calls &&
                  a.unresolved == z.unresolved,
              "%llu, %llu queries; %llu, %llu checks; %llu, %llu exact", (unsigned long long)a.queries,
              (unsigned long long)z.queries, (unsigned long long)a.checks, (unsigned long long)z.checks,
              (unsigned long long)a.oracle_calls, (unsigned long long)z.oracle_calls);
    return touching;
}

/* Every kind, method and layout, with and without a separation, an early end and a small budget. How many queries were
   compared, and how many were not clear. */
static inline size_t batch_compare_all(graze_context *cpu, graze_context *device, size_t count, size_t *touching) {
    static const struct {
        double separation, t_max;
        uint64_t max_checks;
    } ways[] = {{0, 1, 0}, {1e-3, 0.3, 0}, {0.25, 1, 1}, {0, 1, 7}};
    batch_arrays b;
    size_t compared = 0;
    batch_open(&b, count);
    for (int kind = 0; kind < 4; kind++)
        for (int m = 0; m < 2; m++)
            for (int w = 0; w < 4; w++) {
                batch_fill(&b, (graze_kind)kind, (uint64_t)(kind + 10 * m + 100 * w));
                graze_options options = graze_default_options();
                options.method = m ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
                options.min_separation = ways[w].separation;
                options.t_max = ways[w].t_max;
                options.max_checks = ways[w].max_checks;
                for (int layout = 0; layout < BATCH_LAYOUTS; layout++, compared += count)
                    *touching += batch_compare(cpu, device, &b, (graze_kind)kind, (batch_layout)layout, &options);
            }
    batch_close(&b);
    return compared;
}

/* Batches of pairs with parts of any size, without and with a separation of any size. */
static inline size_t batch_compare_scaled(graze_context *cpu, graze_context *device, size_t batches, size_t count,
                                          size_t *touching) {
    test_random random = {7};
    batch_arrays b;
    batch_open(&b, count);
    for (size_t i = 0; i < batches; i++) {
        graze_kind kind = (graze_kind)(i % 4);
        batch_layout layout = (batch_layout)(i / 4 % BATCH_LAYOUTS);
        graze_options options = graze_default_options();
        options.method = i / 12 % 2 ? GRAZE_METHOD_EXACT : GRAZE_METHOD_CERTIFIED;
        options.min_separation =
            batch_fill_scaled(&b, kind, layout == BATCH_FLOATS ? scaled_floats : scaled_doubles, &random);
        if (i % 5 == 0) options.min_separation = 0;
        *touching += batch_compare(cpu, device, &b, kind, layout, &options);
    }
    batch_close(&b);
    return batches * count;
}

#endif
