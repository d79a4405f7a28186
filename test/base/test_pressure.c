/* The library under pressure: calls at the wrong moment, pointers that are NULL, strides beyond memory, small stacks.
 */
#include "check.h"

#include "soup.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#define POSITIONS(s) (const double(*)[3])(s)->x0, (const double(*)[3])(s)->x1

/* ---- the wrong moment ---- */

typedef struct asked {
    graze_context *context;
    atomic_int trimmed, errors, wrong;
} asked;

/* A filter that does what it may not. */
static int disturb(void *user, graze_kind kind, uint32_t a, uint32_t b) {
    (void)kind, (void)a, (void)b;
    asked *s = user;
    graze_error error = {.status = GRAZE_OK};
    if (graze_context_trim(s->context) == GRAZE_ERR_BUSY) s->trimmed++;
    if (graze_context_last_error(s->context, &error) == GRAZE_ERR_BUSY && error.status == GRAZE_ERR_BUSY) s->errors++;
    s->wrong += s->trimmed != s->errors && graze_context_threads(s->context) == 1;
    return 1;
}

TEST(trim_and_last_error_inside_a_filter_are_busy_and_do_nothing) {
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        graze_context *context = test_context(threads, GRAZE_ISA_AUTO);
        static soup s;
        soup_make(&s, context, SOUP_CLUSTERED, 60, 3);
        graze_step_result plain = graze_default_step_result(), disturbed = graze_default_step_result();
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, &plain) == GRAZE_OK);
        asked seen = {.context = context};
        s.mesh.filter = disturb;
        s.mesh.filter_user = &seen;
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), NULL, &disturbed) == GRAZE_OK);
        CHECK(seen.trimmed > 0 && seen.trimmed == seen.errors && seen.wrong == 0);
        CHECK(plain.verdict == disturbed.verdict && plain.toi == disturbed.toi);
        CHECK(graze_context_trim(context) == GRAZE_OK);
        CHECK(graze_context_trim(NULL) == GRAZE_ERR_INVALID_ARGUMENT);
        graze_mesh_release(context, &s.mesh);
        graze_context_destroy(context);
    }
}

typedef struct meddler {
    graze_context *context;
    atomic_bool done;
} meddler;

static void *meddle(void *argument) {
    meddler *m = argument;
    while (!atomic_load(&m->done)) {
        graze_error error;
        graze_status trimmed = graze_context_trim(m->context);
        graze_status status = graze_context_last_error(m->context, &error);
        CHECK(trimmed == GRAZE_OK || trimmed == GRAZE_ERR_BUSY);
        CHECK(status == GRAZE_OK || status == GRAZE_ERR_BUSY);
        CHECK(memchr(error.message, 0, sizeof error.message) != NULL);
        sched_yield();
    }
    return NULL;
}

TEST(a_second_thread_may_trim_and_ask_at_any_time) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static soup s;
    soup_make(&s, context, SOUP_CLUSTERED, 60, 3);
    meddler m = {.context = context};
    pthread_t other;
    CHECK(pthread_create(&other, NULL, meddle, &m) == 0);
    int answered = 0;
    for (int i = 0; answered < 300 && i < 1000000; i++) {
        graze_step_result r = graze_default_step_result();
        graze_step_options options = graze_default_step_options();
        options.stride = i % 3 ? 0 : 5; /* every third call fails and writes its error */
        graze_status status = graze_step(context, &s.mesh, POSITIONS(&s), &options, &r);
        CHECK(status == GRAZE_ERR_BUSY || status == (i % 3 ? GRAZE_OK : GRAZE_ERR_INVALID_ARGUMENT));
        answered += status == GRAZE_OK;
    }
    atomic_store(&m.done, true);
    pthread_join(other, NULL);
    CHECK(answered == 300);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* ---- NULL, and strides beyond memory ---- */

TEST(a_truth_that_is_null_has_no_hit) {
    double lower = 0, upper = 0, u[2] = {0}, v[2] = {0};
    char digits[4] = "xyz";
    CHECK(graze_truth_hit(NULL) == 0 && graze_truth_degree(NULL) == -1 && graze_truth_compare(NULL, 0.5) == -1);
    CHECK(graze_truth_contact_count(NULL) == 0 && graze_truth_on_boundary(NULL) == 0);
    graze_truth_bracket(NULL, &lower, &upper);
    graze_truth_parameters(NULL, u, v);
    CHECK(isnan(lower) && isnan(upper) && isnan(u[0]) && isnan(u[1]) && isnan(v[0]) && isnan(v[1]));
    CHECK(graze_truth_coefficient(NULL, 0, digits, sizeof digits) == 0 && digits[0] == 0);
    graze_truth_destroy(NULL, NULL);

    const graze_query query = {{{0, 0, 1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}},
                               {{0, 0, -1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}}};
    graze_truth *truth;
    CHECK(graze_truth_find(NULL, GRAZE_VF, &query, NULL, &truth) == GRAZE_OK);
    graze_truth_bracket(truth, NULL, &upper);
    graze_truth_bracket(truth, &lower, NULL);
    CHECK(lower == 0.5 && upper == 0.5);
    graze_truth_parameters(truth, NULL, v);
    graze_truth_parameters(truth, u, NULL);
    CHECK(graze_truth_coefficient(truth, 0, NULL, 9) > 0);
    CHECK(graze_truth_coefficient(truth, -1, digits, 0) == 0 && graze_truth_coefficient(truth, 99, NULL, 0) == 0);
    graze_truth_destroy(NULL, truth);
}

TEST(a_stride_that_leaves_the_address_space_is_refused) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    static soup s;
    soup_make(&s, context, SOUP_UNIFORM, 9, 3);
    const size_t strides[] = {SIZE_MAX - 7, SIZE_MAX / 2 + 1, PTRDIFF_MAX / 8 / s.mesh.vertex_count * 8 + 8};
    for (size_t i = 0; i < sizeof strides / sizeof *strides; i++) {
        graze_step_options options = graze_default_step_options();
        options.stride = strides[i];
        graze_step_result r = graze_default_step_result();
        graze_pair *pairs;
        size_t count;
        graze_error error;
        CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_ERR_INVALID_ARGUMENT);
        CHECK(graze_context_last_error(context, &error) == GRAZE_OK && strstr(error.message, "stride"));
        CHECK(graze_candidates(context, &s.mesh, POSITIONS(&s), &options, &pairs, &count) ==
              GRAZE_ERR_INVALID_ARGUMENT);
        CHECK(graze_start_violations(context, &s.mesh, (const double(*)[3])s.x0, &options, &pairs, &count) ==
              GRAZE_ERR_INVALID_ARGUMENT);
    }
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* ---- the log ---- */

static void collect(void *user, graze_log_level level, const char *line) {
    char *all = user;
    if (level == GRAZE_LOG_DEBUG) strncat(strncat(all, line, 400), "\n", 2);
}

static int cancel_at_once(void *user) { return *(int *)user; }

TEST(the_log_says_what_was_chosen_and_what_was_given_up) {
    char lines[4096] = "", threads[32];
    int cancelled = 0;
    graze_context_options with = graze_default_context_options();
    with.log = collect;
    with.log_user = lines;
    with.threads = 3;
    with.cancel = cancel_at_once;
    with.cancel_user = &cancelled;
    graze_context *context;
    CHECK(graze_context_create(&with, &context) == GRAZE_OK);
    snprintf(threads, sizeof threads, "%s, 3 threads", graze_isa_name(graze_context_isa(context)));
    CHECK_MSG(strstr(lines, threads), "%s", lines);
    static soup s;
    soup_make(&s, context, SOUP_UNIFORM, 60, 3);
    graze_step_options options = graze_default_step_options();
    graze_step_result r = graze_default_step_result();
    options.broad = GRAZE_BROAD_STQ;
    lines[0] = 0;
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
    CHECK_MSG(strstr(lines, "method certified") && strstr(lines, "stq") && strstr(lines, threads), "%s", lines);
    CHECK(strstr(lines, "back end cpu") && !strstr(lines, "given up"));
    cancelled = 1;
    CHECK(graze_step(context, &s.mesh, POSITIONS(&s), &options, &r) == GRAZE_OK);
    CHECK(r.reason == GRAZE_REASON_CANCELLED && strstr(lines, "given up"));
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* ---- small stacks ---- */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || !defined(__OPTIMIZE__)
#define STACKS_ARE_LARGER 1 /* frames of a sanitizer, or without optimization, are several times as large */
#else
#define STACKS_ARE_LARGER 0
#endif

#define QUERIES 40

/* Queries that reach every corner: random ones, touching ones, and coordinates over hundreds of bits, whose integers
   fill all of the memory that an exact decision may use. */
static void hard_query(test_random *random, int index, graze_query *query) {
    for (int k = 0; k < 24; k++) {
        double *x = k < 12 ? &query->x0[k / 3][k % 3] : &query->x1[k / 3 - 4][k % 3];
        *x = test_random_between(random, -1, 1);
        if (index % 4 == 1) *x = floor(4 * *x) / 4;
        if (index % 4 == 2) *x = ldexp(*x, (int)test_random_below(random, 300) - 150);
    }
    if (index % 4 == 3) memcpy(query->x0[0], query->x0[1], sizeof query->x0[0]);
}

typedef struct stack_work {
    graze_query queries[QUERIES];
    graze_context *context; /* NULL: single calls */
    soup *s;
    unsigned answered;
} stack_work;

static void batches(stack_work *work, graze_kind kind, const graze_options *options) {
    static graze_result results[QUERIES];
    if (work->context)
        work->answered += graze_ccd_batch(work->context, kind, work->queries, QUERIES, options, results) == GRAZE_OK;
    for (int i = 0; !work->context && i < QUERIES; i++)
        work->answered += graze_ccd(kind, &work->queries[i], options, &results[i]) == GRAZE_OK;
}

static void singles(stack_work *work, graze_kind kind, const graze_query *query) {
    graze_certificate_entry entries[16];
    graze_result result;
    size_t count;
    const double radii[4] = {0.1, 0.2, 0.3, 0.4};
    graze_query_f32 narrow;
    for (int k = 0; k < 12; k++) {
        narrow.x0[k / 3][k % 3] = (float)query->x0[k / 3][k % 3];
        narrow.x1[k / 3][k % 3] = (float)query->x1[k / 3][k % 3];
    }
    work->answered += graze_ccd_f32(kind, &narrow, NULL, &result) == GRAZE_OK;
    work->answered += graze_ccd_thick(kind, query, radii, NULL, &result) == GRAZE_OK;
    work->answered += graze_ccd_certificate(kind, query, NULL, entries, 16, &count, &result) == GRAZE_OK;
}

static void steps(stack_work *work) {
    for (int mode = GRAZE_STEP_EARLIEST; mode <= GRAZE_STEP_ALL; mode++)
        for (int method = GRAZE_METHOD_CERTIFIED; method <= GRAZE_METHOD_TI; method++) {
            graze_options narrow = graze_default_options();
            graze_step_options options = graze_default_step_options();
            graze_step_result r = graze_default_step_result();
            static double vertex_toi[3 * SOUP_MAX];
            narrow.method = (graze_method)method;
            options.narrow = &narrow;
            options.mode = (graze_step_mode)mode;
            options.vertex_toi = vertex_toi;
            work->answered += graze_step(work->context, &work->s->mesh, POSITIONS(work->s), &options, &r) == GRAZE_OK;
            graze_step_release(work->context, &r);
        }
    graze_pair *pairs;
    size_t count;
    const double(*x)[3] = (const double(*)[3])work->s->x0;
    work->answered += graze_static_intersections(work->context, &work->s->mesh, x, NULL, &pairs, &count) == GRAZE_OK;
    graze_pairs_release(work->context, pairs, count);
    graze_line_search_result search = graze_default_line_search_result();
    work->answered +=
        graze_line_search(work->context, &work->s->mesh, POSITIONS(work->s), NULL, NULL, NULL, &search) == GRAZE_OK;
}

static void *work_on_stack(void *argument) {
    stack_work *work = argument;
    for (int method = GRAZE_METHOD_CERTIFIED; graze_method_get((graze_method)method); method++)
        for (int kind = GRAZE_VF; kind <= GRAZE_PP; kind++)
            for (int separated = 0; separated < 2; separated++) {
                graze_options options = graze_default_options();
                options.method = (graze_method)method;
                options.min_separation = separated ? 1e-3 : 0;
                options.max_checks = 20000;
                batches(work, (graze_kind)kind, &options);
            }
    if (work->context) steps(work);
    for (int i = 0; !work->context && i < QUERIES; i++)
        for (int kind = GRAZE_VF; kind <= GRAZE_PP; kind++) singles(work, (graze_kind)kind, &work->queries[i]);
    return NULL;
}

/* Runs the work on a stack of our own and returns how many of its bytes were touched. */
static size_t stack_used(stack_work *work) {
    enum { BYTES = 1 << 20 };
    static _Alignas(4096) unsigned char stack[BYTES];
    pthread_attr_t attributes;
    pthread_t thread;
    memset(stack, 0x5A, sizeof stack);
    work->answered = 0;
    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstack(&attributes, stack, sizeof stack) == 0);
    CHECK(pthread_create(&thread, &attributes, work_on_stack, work) == 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attributes);
    size_t untouched = 0; /* it grows downwards */
    while (untouched < sizeof stack && stack[untouched] == 0x5A) untouched++;
    return sizeof stack - untouched;
}

static void make_work(stack_work *work) {
    test_random random = {21};
    for (int i = 0; i < QUERIES; i++) hard_query(&random, i, &work->queries[i]);
}

TEST(with_a_context_threads_of_64_kib_suffice) {
    if (STACKS_ARE_LARGER) {
        test_skip("built with a sanitizer, or without optimisation");
        return;
    }
    static stack_work work;
    static soup s;
    make_work(&work);
    work.context = test_context(1, GRAZE_ISA_AUTO);
    work.s = &s;
    soup_make(&s, work.context, SOUP_DEGENERATE, 60, 3);
    size_t used = stack_used(&work);
    CHECK_MSG(used <= 65536, "%zu bytes", used);
    CHECK(work.answered > 40);
    graze_stats stats = graze_default_stats();
    CHECK(graze_context_stats(work.context, &stats) == GRAZE_OK && stats.oracle_calls > 100);
    graze_mesh_release(work.context, &s.mesh);
    graze_context_destroy(work.context);
}

TEST(without_a_context_the_stated_stack_suffices) {
    if (STACKS_ARE_LARGER) {
        test_skip("built with a sanitizer, or without optimisation");
        return;
    }
    static stack_work work;
    make_work(&work);
    size_t used = stack_used(&work);
    CHECK_MSG(used <= GRAZE_STACK_WITHOUT_CONTEXT, "%zu bytes", used);
    CHECK(work.answered > 40 * QUERIES);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
