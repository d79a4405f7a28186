/* Status, context, versions, the floating-point environment: the ground. */
#include "check.h"

#include "base/context.h"
#include "base/fp_environment.h"
#include "base/merge_sort.h"

TEST(version_text_matches_the_macros) {
    char text[32];
    snprintf(text, sizeof text, "%d.%d.%d", GRAZE_VERSION_MAJOR, GRAZE_VERSION_MINOR, GRAZE_VERSION_PATCH);
    CHECK(strcmp(text, graze_version()) == 0);
}

TEST(every_enum_value_has_a_name_of_its_own) {
    for (int i = 0; i <= GRAZE_ERR_CANCELLED; i++)
        for (int j = 0; j < i; j++)
            CHECK(strcmp(graze_status_name((graze_status)i), graze_status_name((graze_status)j)) != 0);
    CHECK(strcmp(graze_status_name((graze_status)999), "unknown") == 0);
    CHECK(strcmp(graze_verdict_name(GRAZE_CLEAR), "clear") == 0);
    CHECK(strcmp(graze_verdict_name(GRAZE_HIT), "hit") == 0);
    CHECK(strcmp(graze_verdict_name(GRAZE_UNRESOLVED), "unresolved") == 0);
    CHECK(strcmp(graze_reason_name(GRAZE_REASON_BUDGET), "budget") == 0);
}

TEST(a_zeroed_result_reads_unresolved_at_zero) {
    graze_result result;
    memset(&result, 0, sizeof result);
    CHECK(result.verdict == GRAZE_UNRESOLVED);
    CHECK(result.toi == 0);
}

TEST(the_scalar_isa_is_always_there) {
    CHECK(graze_isa_available(GRAZE_ISA_SCALAR));
    CHECK(graze_isa_available(graze_isa_in_use()));
    CHECK(!graze_isa_available(GRAZE_ISA_AUTO));
}

TEST(context_options_are_checked) {
    graze_context *context = NULL;
    graze_context_options options = graze_default_context_options();
    options.struct_size = 3;
    CHECK(graze_context_create(&options, &context) == GRAZE_ERR_INVALID_ARGUMENT && !context);
    options = graze_default_context_options();
    options.deadline_seconds = NAN;
    CHECK(graze_context_create(&options, &context) == GRAZE_ERR_INVALID_ARGUMENT && !context);
    options = graze_default_context_options();
    options.threads = 1u << 30;
    CHECK(graze_context_create(&options, &context) == GRAZE_ERR_INVALID_ARGUMENT && !context);
    options = graze_default_context_options();
    options.allocator.allocate = NULL;
    CHECK(graze_context_create(&options, &context) == GRAZE_ERR_INVALID_ARGUMENT && !context);
    CHECK(graze_context_create(NULL, NULL) == GRAZE_ERR_INVALID_ARGUMENT);
    graze_context_destroy(NULL);
}

static void *never_allocate(void *user, size_t size, size_t alignment) {
    (void)user, (void)size, (void)alignment;
    return NULL;
}

TEST(a_context_without_memory_is_an_error_not_a_crash) {
    graze_context_options options = graze_default_context_options();
    options.allocator.allocate = never_allocate;
    graze_context *context = NULL;
    CHECK(graze_context_create(&options, &context) == GRAZE_ERR_OUT_OF_MEMORY && !context);
}

TEST(the_memory_limit_holds_and_the_peak_is_counted) {
    graze_context_options options = graze_default_context_options();
    options.memory_limit = 1 << 20;
    graze_context *context;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    void *small = gz_allocate(context, 1000);
    CHECK(small != NULL);
    CHECK(gz_allocate(context, 2 << 20) == NULL);
    CHECK(gz_allocate_array(context, SIZE_MAX / 2, 16) == NULL);
    graze_stats stats = graze_default_stats();
    CHECK(graze_context_stats(context, &stats) == GRAZE_OK);
    CHECK(stats.peak_bytes >= 1000 && stats.peak_bytes <= 1 << 20);
    gz_release(context, small, 1000);
    graze_context_destroy(context);
}

static void count_each(void *state, size_t begin, size_t end, uint32_t worker) {
    (void)worker;
    unsigned char *seen = state;
    for (size_t i = begin; i < end; i++) seen[i]++;
}

TEST(counts_begin_anew_after_a_reset) {
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    graze_query query = {.x0 = {{0, 0, 1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}},
                         .x1 = {{0, 0, -1}, {-1, -1, 0}, {2, -1, 0}, {-1, 2, 0}}};
    graze_result result;
    graze_stats stats = graze_default_stats();
    for (uint64_t i = 1; i < 3; i++) {
        CHECK(graze_ccd_batch(context, GRAZE_VF, &query, 1, NULL, &result) == GRAZE_OK);
        CHECK(graze_context_stats(context, &stats) == GRAZE_OK && stats.queries == i && stats.checks > 0);
    }
    graze_context_reset_stats(context);
    CHECK(graze_context_stats(context, &stats) == GRAZE_OK && stats.queries == 0 && stats.checks == 0);
    graze_context_destroy(context);
}

TEST(parallel_work_visits_every_index_once) {
    for (uint32_t threads = 1; threads <= 8; threads++) {
        graze_context *context = test_context(threads, GRAZE_ISA_AUTO);
        CHECK(graze_context_threads(context) == threads);
        unsigned char seen[1001] = {0};
        gz_parallel(context, 1001, 7, count_each, seen);
        for (int i = 0; i < 1001; i++) CHECK(seen[i] == 1);
        graze_context_destroy(context);
    }
}

static int cancel_now(void *user) { return *(int *)user; }

TEST(cancelled_work_is_unresolved) {
    int now = 1;
    graze_context_options options = graze_default_context_options();
    options.cancel = cancel_now;
    options.cancel_user = &now;
    graze_context *context;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    CHECK(gz_cancelled(context));
    graze_context_destroy(context);
}

/* ---- sorted runs ---- */

typedef struct keyed_item {
    int key, number; /* which of all it was: equal ones keep their order */
} keyed_item;

static int compare_keys(const void *a, const void *b) {
    const keyed_item *x = a, *y = b;
    return (x->key > y->key) - (x->key < y->key);
}

enum { MOST_RUNS = 9, RUN_ITEMS = 5 };

/* Runs of any length, none among them: every third is empty. */
static size_t make_runs(keyed_item *items, size_t *ends, size_t runs) {
    size_t count = 0;
    for (size_t run = 0; run < runs; run++) {
        size_t length = run % 3 == 1 ? 0 : (run * 7) % RUN_ITEMS + 1;
        for (size_t i = 0; i < length; i++, count++)
            items[count] = (keyed_item){(int)((i + 1) * (run * 5 % 7 + 1) / 2), (int)count};
        ends[run] = count;
    }
    return count;
}

TEST(merged_runs_are_in_order_and_equal_items_keep_theirs) {
    for (size_t runs = 0; runs <= MOST_RUNS; runs++) {
        keyed_item items[MOST_RUNS * RUN_ITEMS], sorted[MOST_RUNS * RUN_ITEMS];
        size_t ends[MOST_RUNS], count = make_runs(items, ends, runs), seen = 0;
        gz_merge_runs(items, sorted, ends, runs, sizeof *items, compare_keys);
        for (size_t i = 0; i < count; i++) {
            seen += (size_t)sorted[i].number;
            if (i == 0) continue;
            int order = compare_keys(&sorted[i - 1], &sorted[i]);
            CHECK_MSG(order < 0 || (order == 0 && sorted[i - 1].number < sorted[i].number), "%zu runs, item %zu", runs,
                      i);
        }
        CHECK(seen == count * (count - (count > 0)) / 2);
    }
}

#if defined(__x86_64__)
TEST(another_rounding_mode_is_set_aside_and_put_back) {
    uint32_t before = _mm_getcsr();
    _mm_setcsr(before | 0x8040u | 0x6000u); /* flush to zero, denormals are zero, round towards zero */
    gz_fp_environment env;
    CHECK(gz_fp_enter(&env));
    volatile double tiny = DBL_MIN;
    tiny *= 0.5;
    CHECK(tiny > 0);
    gz_fp_leave(&env);
    CHECK((_mm_getcsr() & 0xE040u) == 0xE040u);
    _mm_setcsr(before);
}
#endif

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
