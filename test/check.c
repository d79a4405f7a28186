#include "check.h"

#include <pthread.h>
#include <stdarg.h>

#define MAX_TESTS 512
#define TEST_SKIPPED 77 /* the exit status that CTest is told about */
#define MAX_SHOWN 10    /* failures printed in full for one test; the rest are counted */

static struct {
    const char *name;
    test_function *function;
} tests[MAX_TESTS];
static size_t test_count;
static size_t failures_here;
static bool checked_here;
static bool skipped_here;

void test_register(const char *name, test_function *function) {
    if (test_count == MAX_TESTS) abort();
    tests[test_count].name = name;
    tests[test_count++].function = function;
}

void test_checked(void) { __atomic_store_n(&checked_here, true, __ATOMIC_RELAXED); } /* by threads, too */

bool test_failed(const char *file, int line, const char *format, ...) {
    if (++failures_here > MAX_SHOWN) return false;
    printf("    %s:%d: ", file, line);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
    return true;
}

void test_skip(const char *format, ...) {
    if (skipped_here) return; /* one line for a test */
    skipped_here = true;
    printf("    skipped: ");
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    printf("\n");
}

int test_outcome(void) { return failures_here ? 1 : skipped_here ? TEST_SKIPPED : 0; }

static bool wanted(const char *name, int argc, char **argv) {
    if (argc < 2) return true;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], name) == 0) return true;
    return false;
}

static int list(void) {
    for (size_t i = 0; i < test_count; i++) puts(tests[i].name);
    return 0;
}

static void run_test(size_t i) {
    failures_here = 0;
    checked_here = skipped_here = false;
    printf("  %s\n", tests[i].name);
    fflush(stdout);
    tests[i].function();
    if (!checked_here && !skipped_here) test_failed(__FILE__, __LINE__, "no check ran");
    if (failures_here) printf("    FAILED: %zu checks\n", failures_here);
}

int test_run_all(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--list") == 0) return list();
    size_t passed = 0, failed = 0, skipped = 0;
    for (size_t i = 0; i < test_count; i++) {
        if (!wanted(tests[i].name, argc, argv)) continue;
        run_test(i);
        int outcome = test_outcome();
        passed += outcome == 0;
        failed += outcome == 1;
        skipped += outcome == TEST_SKIPPED;
    }
    printf("%zu passed, %zu failed, %zu skipped\n", passed, failed, skipped);
    if (failed || passed + skipped == 0) return 1;
    return passed ? 0 : TEST_SKIPPED;
}

const char *test_kind_name(graze_kind kind) {
    static const char *const names[] = {"GRAZE_VF", "GRAZE_EE", "GRAZE_PE", "GRAZE_PP"};
    return (unsigned)kind < 4 ? names[kind] : "?";
}

void test_print_query(graze_kind kind, const graze_query *query) {
    if (failures_here > MAX_SHOWN) return;
    printf("      graze_query query = { /* %s */\n", test_kind_name(kind));
    for (int end = 0; end < 2; end++) {
        printf("        .x%d = {", end);
        for (int i = 0; i < 4; i++) {
            const double *x = end ? query->x1[i] : query->x0[i];
            printf("{%a, %a, %a}%s", x[0], x[1], x[2], i < 3 ? ", " : "},\n");
        }
    }
    printf("      };\n");
}

/* ---- numbers ---- */

static struct {
    const uint8_t *bytes;
    size_t size;
} fed;

void test_random_feed(const uint8_t *bytes, size_t size) {
    fed.bytes = bytes;
    fed.size = size;
}

/* Up to 8 bytes; those that are missing are 0. */
static uint64_t take_fed(size_t count) {
    uint64_t taken = 0;
    for (; count > 0 && fed.size > 0; count--, fed.size--) taken = taken << 8 | *fed.bytes++;
    return taken;
}

static uint64_t made(test_random *random) {
    uint64_t z = (random->state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double unit_of(uint64_t bits) { return (double)(bits >> 11) * 0x1p-53; }

static double fed_unit(void) {
    unsigned shape = (unsigned)take_fed(1) % 8, place = (unsigned)take_fed(1);
    double lattice = place % 16 / 16.0;
    switch (shape) {
    case 4: return nextafter(lattice, 1);
    case 5: return lattice > 0 ? nextafter(lattice, 0) : 1 - 0x1p-53;
    case 6: return ldexp(1, -1 - (int)(place % 70));
    case 7: return unit_of(take_fed(8));
    default: return lattice;
    }
}

uint64_t test_random_bits(test_random *random) { return fed.size ? take_fed(8) : made(random); }

double test_random_unit(test_random *random) { return fed.size ? fed_unit() : unit_of(made(random)); }

double test_random_between(test_random *random, double low, double high) {
    return low + (high - low) * test_random_unit(random);
}

uint64_t test_random_below(test_random *random, uint64_t count) {
    if (fed.size) return take_fed(count <= 0x100 ? 1 : count <= 0x10000 ? 2 : 8) % count;
    return made(random) % count;
}

const char *test_data_folder(void) {
    const char *folder = getenv("GRAZE_DATA");
    if (folder && *folder) return folder;
    test_skip("GRAZE_DATA is not set");
    return NULL;
}

typedef struct thread_task {
    graze_task *task;
    void *state;
    size_t index;
} thread_task;

static void *run_task(void *argument) {
    const thread_task *task = argument;
    task->task(task->state, task->index);
    return NULL;
}

static void parallel_on_pthreads(void *user, size_t count, graze_task *task, void *state) {
    (void)user;
    enum { MOST = 64 };
    pthread_t threads[MOST];
    thread_task tasks[MOST];
    if (count > MOST) abort();
    bool started[MOST];
    for (size_t i = 0; i < count; i++) {
        tasks[i] = (thread_task){task, state, i};
        started[i] = pthread_create(&threads[i], NULL, run_task, &tasks[i]) == 0;
        if (!started[i]) run_task(&tasks[i]); /* WebAssembly has no threads */
    }
    for (size_t i = 0; i < count; i++)
        if (started[i]) pthread_join(threads[i], NULL);
}

graze_context *test_context(uint32_t threads, graze_isa isa) {
    graze_context_options options = graze_default_context_options();
    options.threads = threads;
    options.isa = isa;
    options.parallel_for = parallel_on_pthreads;
    graze_context *context = NULL;
    CHECK(graze_context_create(&options, &context) == GRAZE_OK);
    return context;
}
