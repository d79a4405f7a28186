/* Batches whose coordinates lie in arrays of their own, as other languages keep them. */
#include "narrow/batch.h"

#include "base/sizes.h"

#define CHUNK 64 /* queries that are gathered at once, on the stack */

typedef struct strided_job {
    const gz_method *method;
    const gz_narrow_call *call;
    const char *x0, *x1;
    ptrdiff_t strides0[3], strides1[3];
} strided_job;

static void gather_rows(const char *from, const ptrdiff_t strides[3], int rows, double (*x)[3]) {
    for (int i = 0; i < rows; i++)
        for (int c = 0; c < 3; c++) memcpy(&x[i][c], from + i * strides[1] + c * strides[2], sizeof x[i][c]);
}

static void gather(const strided_job *job, size_t index, graze_query *query) {
    int rows = gz_kind_rows(job->call->kind);
    gather_rows(job->x0 + (ptrdiff_t)index * job->strides0[0], job->strides0, rows, query->x0);
    gather_rows(job->x1 + (ptrdiff_t)index * job->strides1[0], job->strides1, rows, query->x1);
}

static void strided_part(void *state, uint32_t worker, size_t begin, size_t end, graze_result *results) {
    const strided_job *job = state;
    graze_query queries[CHUNK] = {{{{0}}}};
    gz_narrow_call call = *job->call;
    call.worker = worker;
    for (size_t first = begin; first < end; first += CHUNK) {
        size_t count = end - first < CHUNK ? end - first : CHUNK;
        for (size_t i = 0; i < count; i++) gather(job, first + i, &queries[i]);
        gz_narrow_answer(job->method, &call, queries, count, results + (first - begin));
    }
}

static void gather_queries(void *state, size_t begin, size_t end, void *to) {
    graze_query *queries = to;
    memset(queries, 0, (end - begin) * sizeof *queries); /* rows that the kind has not */
    for (size_t i = begin; i < end; i++) gather(state, i, &queries[i - begin]);
}

static graze_status check_queries(void *state, size_t *index, size_t end) {
    const strided_job *job = state;
    graze_query query = {{{0}}};
    for (graze_status status; *index < end; ++*index) {
        gather(job, *index, &query);
        if ((status = gz_query_check(job->call->kind, &query, job->method->any_finite)) != GRAZE_OK) return status;
    }
    return GRAZE_OK;
}

/* All 0: rows of three doubles, four of them to a query. */
static void read_strides(const ptrdiff_t given[3], ptrdiff_t strides[3]) {
    bool packed = given[0] == 0 && given[1] == 0 && given[2] == 0;
    strides[0] = packed ? (ptrdiff_t)sizeof(double[4][3]) : given[0];
    strides[1] = packed ? (ptrdiff_t)sizeof(double[3]) : given[1];
    strides[2] = packed ? (ptrdiff_t)sizeof(double) : given[2];
}

void graze_init_query_arrays(graze_query_arrays *arrays, size_t size) {
    gz_sized_init(arrays, size, &(graze_query_arrays){0}, sizeof *arrays);
}

/* The bytes from the first to the last of the numbers of a query; queries may go backwards. */
static gz_pieces pieces_of(const char *x, const ptrdiff_t strides[3], int rows, size_t count) {
    ptrdiff_t low = 0, high = sizeof(double);
    for (int i = 1; i < 3; i++) {
        ptrdiff_t reach = strides[i] * (i == 1 ? rows - 1 : 2);
        low += reach < 0 ? reach : 0;
        high += reach > 0 ? reach : 0;
    }
    size_t stride = (size_t)(strides[0] < 0 ? -strides[0] : strides[0]);
    if (strides[0] < 0 && count) x += (ptrdiff_t)(count - 1) * strides[0];
    return (gz_pieces){x + low, count, (size_t)(high - low), stride};
}

static graze_status check_apart(graze_context *context, const strided_job *job, size_t count, gz_results results) {
    int rows = gz_kind_rows(job->call->kind);
    gz_pieces written = gz_results_pieces(results, count);
    graze_status status =
        gz_apart_check(context, "results", written, "x0", pieces_of(job->x0, job->strides0, rows, count));
    if (status != GRAZE_OK) return status;
    return gz_apart_check(context, "results", written, "x1", pieces_of(job->x1, job->strides1, rows, count));
}

static graze_status run(graze_context *context, graze_kind kind, const graze_query_arrays *given, size_t count,
                        const graze_options *options, gz_results results) {
    graze_query_arrays read = graze_default_query_arrays();
    const size_t least = GZ_SIZE_UP_TO(graze_query_arrays, strides1);
    if (!given) return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "arrays: the pointer is NULL");
    graze_status status = gz_sized_read(context, "arrays", &read, sizeof read, least, given);
    if (status == GRAZE_OK) status = gz_results_check(context, results);
    if (status != GRAZE_OK) return status;
    if (count && (!read.x0 || !read.x1))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "arrays: x0 or x1 is NULL");
    gz_narrow_call call = {0};
    strided_job job = {.call = &call};
    status = gz_narrow_prepare(context, kind, options, &call, &job.method);
    if (status != GRAZE_OK) return status;
    job.x0 = (const char *)read.x0;
    job.x1 = (const char *)read.x1;
    read_strides(read.strides0, job.strides0);
    read_strides(read.strides1, job.strides1);
    status = check_apart(context, &job, count, results);
    if (status != GRAZE_OK) return status;
    gz_batch batch = {.method = job.method,
                      .call = &call,
                      .count = count,
                      .results = results,
                      .answer = strided_part,
                      .gather = gather_queries,
                      .check = check_queries,
                      .state = &job};
    return gz_batch_run(&batch);
}

graze_status graze_ccd_batch_strided(graze_context *context, graze_kind kind, const graze_query_arrays *arrays,
                                     size_t count, const graze_options *options, graze_result *first,
                                     size_t result_stride) {
    if (count && !first) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_results results =
        result_stride ? gz_results_at(first, count, result_stride) : gz_results_open(first, count, options);
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status == GRAZE_OK)
        status = gz_context_leave(context, &env, run(context, kind, arrays, count, options, results));
    if (status != GRAZE_OK) gz_results_close(results, count);
    return status;
}
