/* The door of the narrow phase: options and coordinates are validated here, then a method is called. */
#include "narrow/batch.h"

#include "base/least.h"
#include "base/self_test.h"
#include "base/sizes.h"
#include "narrow/first_alone.h"
#include "pair/pair.h"

#include <math.h>
#include <string.h>

static const graze_options option_defaults = {.struct_size = sizeof(graze_options), .t_max = 1};

void graze_init_options(graze_options *options, size_t size) {
    gz_sized_init(options, size, &option_defaults, sizeof option_defaults);
}

static graze_status bad(graze_context *context, const char *what, double value, const char *rule) {
    return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "%s %g: it must be %s", what, value, rule);
}

graze_status gz_options_read(graze_context *context, const graze_options *given, graze_options *options) {
    *options = option_defaults;
    if (!given) return GRAZE_OK;
    const size_t least = GZ_SIZE_UP_TO(graze_options, inside_tolerance);
    graze_status status = gz_sized_read(context, "options", options, sizeof *options, least, given);
    if (status != GRAZE_OK) return status;
    status = gz_range_check(context, options->min_separation, GRAZE_MAX_COORDINATE,
                            options->t_max == 0 ? 1 : options->t_max);
    if (status != GRAZE_OK) return status;
    if (!(options->tolerance >= 0 && options->tolerance <= GRAZE_MAX_COORDINATE))
        return bad(context, "tolerance", options->tolerance, "finite, not negative and at most 2^160");
    if (!(options->inside_tolerance >= 0 && options->inside_tolerance <= GRAZE_MAX_COORDINATE))
        return bad(context, "inside_tolerance", options->inside_tolerance, "finite and not negative");
    if (!gz_method_get(options->method))
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "method %d names none", (int)options->method);
    return GRAZE_OK;
}

graze_status gz_narrow_prepare(graze_context *context, graze_kind kind, const graze_options *given,
                               gz_narrow_call *call, const gz_method **method) {
    graze_options options;
    graze_status status = gz_options_read(context, given, &options);
    if (status != GRAZE_OK) return status;
    if ((unsigned)kind > GRAZE_PP)
        return gz_fail(context, GRAZE_ERR_INVALID_ARGUMENT, UINT64_MAX, "kind %d names none", (int)kind);
    *method = gz_method_get(options.method);
    const graze_method_info *info = &(*method)->info;
    if (!info->available)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "method %s is not in this build", info->name);
    if (!(info->kinds >> kind & 1u))
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "method %s does not answer this kind", info->name);
    if ((*method)->no_separation && options.min_separation > 0)
        return gz_fail(context, GRAZE_ERR_UNSUPPORTED, UINT64_MAX, "method %s does not take a separation", info->name);
    call->kind = kind;
    call->at_start = options.t_max == 0;
    call->question = (gz_question){
        .separation = options.min_separation,
        .t_max = call->at_start ? 1 : options.t_max,
        .tolerance = options.tolerance > 0 ? options.tolerance : info->default_tolerance,
        .max_checks = options.max_checks ? options.max_checks : info->default_max_checks,
    };
    call->inside_tolerance = options.inside_tolerance;
    call->exact = info->exact;
    call->kernels = context ? context->kernels : gz_kernels_of(graze_isa_in_use());
    call->context = context;
    return GRAZE_OK;
}

/* True if all coordinates are at most `most` in size; a NaN is not. By their bits, which order as sizes do: lanes of
   integers compare them two at a time and more. Inlined for a number of rows that is known: then no loop is left. */
static GZ_INLINE bool are_within(const graze_query *query, int rows, double most) {
    const double *x0 = query->x0[0], *x1 = query->x1[0];
    const uint64_t limit = gz_least_bits(most), size = UINT64_MAX >> 1;
    uint64_t beyond = 0; /* its highest bit: some difference was negative */
    for (int i = 0; i < 3 * rows; i++) {
        beyond |= limit - (gz_least_bits(x0[i]) & size);
        beyond |= limit - (gz_least_bits(x1[i]) & size);
    }
    return !(beyond >> 63);
}

graze_status gz_query_check(graze_kind kind, const graze_query *query, int any_finite) {
    int rows = gz_kind_rows(kind);
    if (GZ_LIKELY(rows == 4 ? are_within(query, 4, GRAZE_MAX_COORDINATE)
                            : are_within(query, rows, GRAZE_MAX_COORDINATE)))
        return GRAZE_OK;
    if (!are_within(query, rows, DBL_MAX)) return GRAZE_ERR_NOT_FINITE;
    return any_finite ? GRAZE_OK : GRAZE_ERR_OUT_OF_RANGE;
}

graze_status gz_query_fail(graze_context *context, graze_status status, size_t index) {
    return gz_fail(context, status, index, "query %zu: a coordinate is %s", index,
                   status == GRAZE_ERR_NOT_FINITE ? "not finite" : "beyond 2^160");
}

void gz_result_at_start(graze_result *result) {
    if (result->verdict == GRAZE_CLEAR || result->toi > 0) gz_result_clear(result, 0);
}

/* With t_max = 0 the pair rests, and the question is only whether it touches at t = 0. */
static void answer_one(const gz_method *method, const gz_narrow_call *call, const graze_query *query,
                       graze_result *result) {
    if (!call->at_start) {
        method->solve(call, query, result);
        return;
    }
    graze_query rest = *query;
    memcpy(rest.x1, rest.x0, sizeof rest.x1);
    method->solve(call, &rest, result);
    gz_result_at_start(result);
}

typedef struct narrow_job {
    const gz_method *method;
    const gz_narrow_call *call;
    const graze_query *queries;    /* or */
    const graze_query_f32 *floats; /* else NULL */
} narrow_job;

/* One by one; returns how many are unresolved. */
static size_t answer_each(const narrow_job *job, const gz_narrow_call *call, size_t begin, size_t end,
                          graze_result *results) {
    size_t unresolved = 0;
    for (size_t i = begin; i < end; i++, results++) {
        graze_query wide;
        if (job->floats) wide = gz_widened(&job->floats[i]);
        gz_result_unresolved(results, GRAZE_REASON_NONE);
        answer_one(job->method, call, job->floats ? &wide : &job->queries[i], results);
        unresolved += results->verdict == GRAZE_UNRESOLVED;
    }
    return unresolved;
}

static void narrow_part(void *state, uint32_t worker, size_t begin, size_t end, graze_result *results) {
    const narrow_job *job = state;
    const gz_method *method = job->method;
    size_t count = end - begin;
    gz_counts counts = {.queries = count};
    gz_narrow_call call = *job->call;
    call.worker = worker;
    call.counts = &counts;
    if (gz_cancelled(call.context)) {
        for (size_t i = 0; i < count; i++) gz_result_unresolved(&results[i], GRAZE_REASON_CANCELLED);
        counts.unresolved = count;
    } else if (job->floats && method->solve_f32 && !call.at_start) {
        method->solve_f32(&call, job->floats + begin, count, results);
    } else if (!job->floats && method->solve_many && !call.at_start) {
        method->solve_many(&call, job->queries + begin, count, results);
    } else {
        counts.unresolved = answer_each(job, &call, begin, end, results);
    }
    gz_add_counts(call.context, &counts);
}

void gz_narrow_answer(const gz_method *method, const gz_narrow_call *call, const graze_query *queries, size_t count,
                      graze_result *results) {
    narrow_job job = {.method = method, .call = call, .queries = queries};
    narrow_part(&job, call->worker, 0, count, results);
}

graze_status gz_radii_check(graze_kind kind, const double *radii, double separation) {
    for (int i = 0; radii && i < gz_kind_rows(kind); i++)
        if (!(radii[i] >= 0 && separation + 2 * radii[i] <= GRAZE_MAX_COORDINATE)) return GRAZE_ERR_INVALID_ARGUMENT;
    return GRAZE_OK;
}

/* True for options as most callers have them: those of this version, each in its range, of a method that begins with
   the first look. */
static bool are_plain(const graze_options *o) {
    bool looks =
        o->method == GRAZE_METHOD_DEFAULT || o->method == GRAZE_METHOD_CERTIFIED || o->method == GRAZE_METHOD_EXACT;
    return looks && o->struct_size == sizeof *o && o->min_separation >= 0 &&
           o->min_separation <= GRAZE_MAX_COORDINATE && o->t_max > 0 && o->t_max <= 1 && o->tolerance >= 0 &&
           o->tolerance <= GRAZE_MAX_COORDINATE && o->inside_tolerance >= 0 &&
           o->inside_tolerance <= GRAZE_MAX_COORDINATE;
}

/* Answers a pair that the first look settles: nine in ten are, and all else that ccd does takes longer than that look.
   False: nothing is said of the question, not even that it may be asked. */
static bool is_clear_at_once(graze_kind kind, const graze_query *query, const graze_options *options,
                             graze_result *result) {
    if (options && !are_plain(options)) return false;
    if (!result || !query || gz_result_overlaps(result, query, sizeof *query)) return false;
    if (!are_within(query, 4, GRAZE_MAX_COORDINATE)) return false;
    double separation = options ? options->min_separation : 0, t_max = options ? options->t_max : 1;
    gz_fp_environment env;
    if (!gz_enter(&env)) return false;
    bool clear = gz_first_alone(kind, query, gz_float_not_below(separation));
    gz_fp_leave(&env);
    if (!clear) return false;
    result->checks = 1;
    gz_result_clear(result, t_max);
    return true;
}

static graze_status ccd(graze_kind kind, const graze_query *query, const double *radii, const graze_options *options,
                        graze_result *result) {
    if (!result) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    if (!query || gz_result_overlaps(result, query, sizeof *query)) return GRAZE_ERR_INVALID_ARGUMENT;
    if (radii && gz_result_overlaps(result, radii, sizeof(double[4]))) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_counts counts = {0};
    gz_narrow_call call = {.counts = &counts, .radii = radii};
    const gz_method *method;
    graze_status status = gz_narrow_prepare(NULL, kind, options, &call, &method);
    if (status == GRAZE_OK) status = gz_query_check(kind, query, method->any_finite);
    if (status == GRAZE_OK) status = gz_radii_check(kind, radii, call.question.separation);
    if (status == GRAZE_OK && radii && !method->thick) status = GRAZE_ERR_UNSUPPORTED;
    if (status != GRAZE_OK) return status;
    gz_fp_environment env;
    if (!gz_enter(&env)) return GRAZE_ERR_FP_ENVIRONMENT;
    answer_one(method, &call, query, result);
    gz_fp_leave(&env);
    return GRAZE_OK;
}

graze_status graze_ccd(graze_kind kind, const graze_query *query, const graze_options *options, graze_result *result) {
    if ((kind == GRAZE_VF || kind == GRAZE_EE) && is_clear_at_once(kind, query, options, result)) return GRAZE_OK;
    return ccd(kind, query, NULL, options, result);
}

graze_status graze_ccd_thick(graze_kind kind, const graze_query *query, const double *radii,
                             const graze_options *options, graze_result *result) {
    return ccd(kind, query, radii, options, result);
}

/* ---- batches of queries in double, or in float ---- */

static void copy_queries(void *state, size_t begin, size_t end, void *to) {
    const narrow_job *job = state;
    if (job->floats)
        memcpy(to, job->floats + begin, (end - begin) * sizeof *job->floats);
    else
        memcpy(to, job->queries + begin, (end - begin) * sizeof *job->queries);
}

static graze_status check_queries(void *state, size_t *index, size_t end) {
    const narrow_job *job = state;
    for (graze_status status; *index < end; ++*index) {
        graze_query wide;
        if (job->floats) wide = gz_widened(&job->floats[*index]);
        const graze_query *query = job->floats ? &wide : &job->queries[*index];
        if ((status = gz_query_check(job->call->kind, query, job->method->any_finite)) != GRAZE_OK) return status;
    }
    return GRAZE_OK;
}

static graze_status batch(graze_context *context, graze_kind kind, narrow_job *job, size_t count,
                          const graze_options *options, gz_results results) {
    gz_narrow_call call = {0};
    graze_status status = gz_narrow_prepare(context, kind, options, &call, &job->method);
    if (status == GRAZE_OK) status = gz_results_check(context, results);
    size_t bytes = count * (job->floats ? sizeof *job->floats : sizeof *job->queries);
    gz_pieces read = gz_bytes_at(job->floats ? (const void *)job->floats : job->queries, bytes);
    if (status == GRAZE_OK)
        status = gz_apart_check(context, "results", gz_results_pieces(results, count), "queries", read);
    if (status != GRAZE_OK) return status;
    job->call = &call;
    gz_batch all = {.method = job->method,
                    .call = &call,
                    .count = count,
                    .queries = job->floats ? (const void *)job->floats : job->queries,
                    .floats = job->floats != NULL,
                    .results = results,
                    .answer = narrow_part,
                    .gather = copy_queries,
                    .check = check_queries,
                    .state = job};
    return gz_batch_run(&all);
}

static graze_status enter_batch(graze_context *context, graze_kind kind, narrow_job job, size_t count,
                                const graze_options *options, gz_results results) {
    gz_fp_environment env;
    graze_status status = gz_context_enter(context, &env);
    if (status == GRAZE_OK)
        status = gz_context_leave(context, &env, batch(context, kind, &job, count, options, results));
    if (status != GRAZE_OK) gz_results_close(results, count);
    return status;
}

graze_status graze_ccd_batch(graze_context *context, graze_kind kind, const graze_query *queries, size_t count,
                             const graze_options *options, graze_result *results) {
    if (count && (!queries || !results)) return GRAZE_ERR_INVALID_ARGUMENT;
    return enter_batch(context, kind, (narrow_job){.queries = queries}, count, options,
                       gz_results_open(results, count, options));
}

graze_status graze_ccd_batch_f32(graze_context *context, graze_kind kind, const graze_query_f32 *queries, size_t count,
                                 const graze_options *options, graze_result *results) {
    if (count && (!queries || !results)) return GRAZE_ERR_INVALID_ARGUMENT;
    return enter_batch(context, kind, (narrow_job){.floats = queries}, count, options,
                       gz_results_open(results, count, options));
}

graze_status graze_ccd_f32(graze_kind kind, const graze_query_f32 *query, const graze_options *options,
                           graze_result *result) {
    if (!result) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    if (!query || gz_result_overlaps(result, query, sizeof *query)) return GRAZE_ERR_INVALID_ARGUMENT;
    return enter_batch(NULL, kind, (narrow_job){.floats = query}, 1, options, gz_results_at(result, 1, sizeof *result));
}

/* In the plane a point against a segment is an upright segment through the point against the segment: contact, distance
   and times are the same, and a crossing can be proven. */
static void lift(graze_kind kind, const graze_query_2d *flat, graze_query *query) {
    double height = 0;
    for (int i = 0; i < 2; i++)
        for (int c = 0; c < 2; c++)
            height = fmax(height,
                          fmax(fabs(flat->x0[i + 1][c] - flat->x0[0][c]), fabs(flat->x1[i + 1][c] - flat->x1[0][c])));
    if (!(height > 0)) height = 1;
    height = fmin(ldexp(1, ilogb(height)), GRAZE_MAX_COORDINATE);
    memset(query, 0, sizeof *query);
    for (int end = 0; end < 2; end++) {
        double(*x)[3] = end ? query->x1 : query->x0;
        const double(*from)[2] = end ? flat->x1 : flat->x0;
        int rows = kind == GRAZE_PE ? 4 : 2;
        for (int i = 0; i < rows; i++) {
            int row = kind == GRAZE_PE && i > 0 ? i - 1 : i; /* the point twice */
            x[i][0] = from[row][0];
            x[i][1] = from[row][1];
        }
        if (kind == GRAZE_PE) x[0][2] = -height, x[1][2] = height;
    }
}

/* Not hypot, which rounds differently from one C library to the next. */
static double length_in_plane(const double n[2]) {
    double x = fabs(n[0]), y = fabs(n[1]), larger = x < y ? y : x, smaller = x < y ? x : y;
    return larger > 0 ? larger * sqrt(1 + (smaller / larger) * (smaller / larger)) : 0;
}

graze_status graze_ccd_2d(graze_kind kind, const graze_query_2d *query, const graze_options *options,
                          graze_result *result) {
    if (!result) return GRAZE_ERR_INVALID_ARGUMENT;
    gz_result_unresolved(result, GRAZE_REASON_NONE);
    if (!query || (kind != GRAZE_PE && kind != GRAZE_PP)) return GRAZE_ERR_INVALID_ARGUMENT;
    if (gz_result_overlaps(result, query, sizeof *query)) return GRAZE_ERR_INVALID_ARGUMENT;
    graze_query flat = {0}, lifted;
    for (int i = 0; i < gz_kind_rows(kind); i++) {
        memcpy(flat.x0[i], query->x0[i], sizeof query->x0[i]);
        memcpy(flat.x1[i], query->x1[i], sizeof query->x1[i]);
    }
    graze_status status = gz_query_check(kind, &flat, 0);
    if (status != GRAZE_OK) return status;
    graze_query_2d read = *query;
    if (kind == GRAZE_PP) memset(read.x0[2], 0, sizeof read.x0[2]), memset(read.x1[2], 0, sizeof read.x1[2]);
    lift(kind, &read, &lifted);
    status = graze_ccd(kind == GRAZE_PE ? GRAZE_EE : kind, &lifted, options, result);
    if (status != GRAZE_OK || result->verdict != GRAZE_HIT) return status;
    if (kind == GRAZE_PE) {
        result->u = result->v;
        result->v = 0;
    }
    result->point[2] = 0;
    double length = length_in_plane(result->normal); /* 0: the points coincide, and any direction is as good */
    result->normal[0] = length > 0 ? result->normal[0] / length : 1;
    result->normal[1] = length > 0 ? result->normal[1] / length : 0;
    result->normal[2] = 0;
    return GRAZE_OK;
}
