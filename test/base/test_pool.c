/* The pool of threads: every index once, whatever the number of threads, calls and callers. */
#if defined(__linux__)
#define _GNU_SOURCE /* sched_setaffinity */
#endif
#include "check.h"

#include "base/pool.h"
#include "soup.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define INDICES 700 /* more than a loop of the pool has */

typedef struct tally {
    atomic_uint seen[INDICES];
} tally;

static void count_one(void *state, size_t index) { atomic_fetch_add(&((tally *)state)->seen[index], 1); }

static void check_loop(size_t count) {
    tally t = {0};
    graze_pool_for(NULL, count, count_one, &t);
    for (size_t i = 0; i < INDICES; i++) CHECK(atomic_load(&t.seen[i]) == (i < count ? 1u : 0u));
}

TEST(every_index_is_visited_once_before_the_call_returns) {
    for (int round = 0; round < 3000; round++) check_loop((size_t)round % 9);
    for (size_t count = 63; count <= INDICES; count = count % 3 == 0 ? count + 1 : 2 * count - 1) check_loop(count);
    check_loop(INDICES);
}

static void loop_inside(void *state, size_t index) {
    (void)index;
    tally inner = {0};
    graze_pool_for(NULL, 8, count_one, &inner);
    for (int i = 0; i < 8; i++) CHECK(atomic_load(&inner.seen[i]) == 1);
    atomic_fetch_add(&((tally *)state)->seen[0], 1);
}

TEST(a_loop_inside_a_loop_runs_too) {
    tally t = {0};
    graze_pool_for(NULL, 4, loop_inside, &t);
    CHECK(atomic_load(&t.seen[0]) == 4);
}

/* A loop in each index of a loop, and so on: more of them at once than the pool keeps. */
typedef struct nest {
    int depth;
    atomic_uint *ends;
} nest;

static void go_down(void *state, size_t index) {
    nest inner = *(nest *)state;
    if (index == 1 && --inner.depth > 0) graze_pool_for(NULL, 2, go_down, &inner);
    atomic_fetch_add(inner.ends, 1);
}

TEST(a_hundred_loops_inside_each_other_run_too) {
    atomic_uint ends = 0;
    graze_pool_for(NULL, 2, go_down, &(nest){100, &ends});
    CHECK(atomic_load(&ends) == 200);
}

static void *many_loops(void *unused) {
    (void)unused;
    for (int round = 0; round < 500; round++) check_loop(5);
    return NULL;
}

TEST(several_callers_at_once_do_not_disturb_each_other) {
    pthread_t callers[3];
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&callers[i], NULL, many_loops, NULL) == 0);
    for (int i = 0; i < 3; i++) pthread_join(callers[i], NULL);
}

/* ---- several loops at once ---- */

typedef struct meeting {
    atomic_int inside;
    atomic_bool open;  /* the first caller may go on */
    atomic_bool began; /* its loop is under way */
    atomic_bool alone; /* someone waited in vain */
} meeting;

/* Waits until two are inside, and gives up after a minute. */
static void meet(void *state, size_t index) {
    (void)index;
    meeting *m = state;
    atomic_fetch_add(&m->inside, 1);
    for (int i = 0; i < 60000 && atomic_load(&m->inside) < 2; i++)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    if (atomic_load(&m->inside) < 2) atomic_store(&m->alone, true);
}

static void hold_on(void *state, size_t index) {
    meeting *m = state;
    if (index > 0) return;
    atomic_store(&m->began, true);
    while (!atomic_load(&m->open)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

static void *first_caller(void *state) {
    graze_pool_for(NULL, 2, hold_on, state);
    return NULL;
}

TEST(a_second_caller_has_threads_while_the_first_is_still_busy) {
    meeting m = {0};
    pthread_t first;
    CHECK(pthread_create(&first, NULL, first_caller, &m) == 0);
    while (!atomic_load(&m.began)) nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    graze_pool_for(NULL, 3, meet, &m);
    CHECK(atomic_load(&m.inside) == 3);
    atomic_store(&m.inside, 0);
    graze_pool_for(NULL, 2, meet, &m);
    CHECK(!atomic_load(&m.alone)); /* without a second thread the first index would have given up */
    atomic_store(&m.open, true);
    pthread_join(first, NULL);
}

/* ---- several contexts at once ---- */

typedef struct stepping {
    const soup *s;
    double toi; /* with one thread */
    atomic_int different;
} stepping;

static void *many_steps(void *argument) {
    stepping *shared = argument;
    graze_context_options options = graze_default_context_options();
    options.threads = 4;
    graze_context *context = NULL;
    if (graze_context_create(&options, &context) != GRAZE_OK) return NULL;
    for (int i = 0; i < 40; i++) {
        graze_step_result r = graze_default_step_result();
        graze_status status = graze_step(context, &shared->s->mesh, (const double(*)[3])shared->s->x0,
                                         (const double(*)[3])shared->s->x1, NULL, &r);
        if (status != GRAZE_OK || memcmp(&r.toi, &shared->toi, sizeof r.toi) != 0)
            atomic_fetch_add(&shared->different, 1);
    }
    graze_context_destroy(context);
    return NULL;
}

TEST(contexts_of_several_threads_share_the_pool_and_keep_their_bits) {
    static soup s;
    graze_context *context = test_context(1, GRAZE_ISA_AUTO);
    soup_make(&s, context, SOUP_CLUSTERED, 300, 5);
    graze_step_result r = graze_default_step_result();
    CHECK(graze_step(context, &s.mesh, (const double(*)[3])s.x0, (const double(*)[3])s.x1, NULL, &r) == GRAZE_OK);
    stepping shared = {.s = &s, .toi = r.toi};
    pthread_t callers[3];
    for (int i = 0; i < 3; i++) CHECK(pthread_create(&callers[i], NULL, many_steps, &shared) == 0);
    for (int i = 0; i < 3; i++) pthread_join(callers[i], NULL);
    CHECK(atomic_load(&shared.different) == 0);
    graze_mesh_release(context, &s.mesh);
    graze_context_destroy(context);
}

/* ---- the rest of the process ---- */

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* The process uses less than this share of a core, at last: threads look for work for a while, which on a machine that
   others use takes long. Threads that never lie down would not in half a minute either. */
static bool comes_to_rest(double share) {
    for (int i = 0; i < 100; i++) {
        double before = processor_seconds();
        nanosleep(&(struct timespec){.tv_nsec = 300000000}, NULL);
        if (processor_seconds() - before < 0.3 * share) return true;
    }
    return false;
}

TEST(idle_threads_sleep) {
    check_loop(5);
    CHECK(comes_to_rest(0.1));
}

/* The first index takes long; all others are done at once, and their threads lie down meanwhile. */
static void dawdle(void *rested, size_t index) {
    if (index == 0) *(bool *)rested = comes_to_rest(0.05);
}

TEST(threads_sleep_while_others_are_at_their_last_index) {
    bool rested = false;
    graze_pool_for(NULL, 5, dawdle, &rested);
    CHECK(rested);
}

static void expect_threads(const char *own, const char *openmp, uint32_t expected) {
    own ? setenv("GRAZE_NUM_THREADS", own, 1) : unsetenv("GRAZE_NUM_THREADS");
    openmp ? setenv("OMP_NUM_THREADS", openmp, 1) : unsetenv("OMP_NUM_THREADS");
    graze_context *context = NULL;
    CHECK(graze_context_create(NULL, &context) == GRAZE_OK);
    CHECK_MSG(graze_context_threads(context) == expected, "%u", graze_context_threads(context));
    graze_context_destroy(context);
    unsetenv("GRAZE_NUM_THREADS");
    unsetenv("OMP_NUM_THREADS");
}

TEST(the_environment_says_how_many_threads_a_context_has) {
    uint32_t cores = gz_cores();
    CHECK(cores >= 1);
    expect_threads(NULL, NULL, cores);
    expect_threads("3", NULL, 3);
    expect_threads(NULL, "5", 5);
    expect_threads(NULL, "6,2", 6);
    expect_threads("3", "5", 3);
    expect_threads("", "5", 5);
    expect_threads("none", NULL, cores);
    expect_threads("-4", "0", cores);
    expect_threads("1000000", NULL, 1024);
}

#if defined(__linux__)
static void *bound_to_one_core(void *cores) {
    cpu_set_t set;
    int first = 0;
    if (sched_getaffinity(0, sizeof set, &set) != 0) return NULL;
    while (!CPU_ISSET(first, &set)) first++;
    CPU_ZERO(&set);
    CPU_SET(first, &set);
    if (sched_setaffinity(0, sizeof set, &set) == 0) *(uint32_t *)cores = gz_cores();
    return NULL;
}

TEST(a_process_bound_to_one_core_has_one_thread) {
    uint32_t cores = 1;
    pthread_t bound;
    CHECK(pthread_create(&bound, NULL, bound_to_one_core, &cores) == 0);
    pthread_join(bound, NULL);
    CHECK(cores == 1);
}
#endif

#if !defined(__SANITIZE_THREAD__) /* which does not follow forks of a process with threads */
typedef struct restless {
    atomic_bool stop;
} restless;

static void *loop_on(void *state) {
    restless *r = state;
    while (!atomic_load(&r->stop)) check_loop(4);
    return NULL;
}

/* A child that uses the pool, and a context on it; five minutes at most. */
static void check_child(void) {
    fflush(stdout);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        alarm(300);
        tally t = {0};
        graze_pool_for(NULL, 8, count_one, &t);
        for (size_t i = 0; i < 8; i++)
            if (atomic_load(&t.seen[i]) != 1) _exit(1);
        _exit(0);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK_MSG(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d", status);
}

TEST(a_child_has_a_pool_of_its_own_after_a_fork) {
    check_loop(8);
    check_child();
    check_loop(8);
}

typedef struct crowd {
    pthread_mutex_t lock;
    pthread_t members[64];
    size_t count;
} crowd;

/* Long enough that every thread there is takes part. */
static void join_in(void *state, size_t index) {
    crowd *c = state;
    (void)index;
    pthread_mutex_lock(&c->lock);
    size_t i = 0;
    while (i < c->count && !pthread_equal(c->members[i], pthread_self())) i++;
    if (i == c->count) c->members[c->count++] = pthread_self();
    pthread_mutex_unlock(&c->lock);
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
}

/* In a child, whose pool is new: how many threads a loop has. */
static int threads_of_a_loop(const char *variable, const char *value) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        alarm(300);
        unsetenv("GRAZE_NUM_THREADS");
        unsetenv("OMP_NUM_THREADS");
        setenv(variable, value, 1);
        crowd c = {.lock = PTHREAD_MUTEX_INITIALIZER};
        graze_pool_for(NULL, 40, join_in, &c);
        _exit((int)c.count);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status));
    return WEXITSTATUS(status);
}

TEST(the_environment_limits_the_threads_of_a_loop) {
    CHECK(threads_of_a_loop("GRAZE_NUM_THREADS", "1") == 1);
    for (int asked = 2; asked <= 7; asked += 5) { /* more than two cores have, too */
        char text[8];
        snprintf(text, sizeof text, "%d", asked);
        int had = threads_of_a_loop("GRAZE_NUM_THREADS", text);
        CHECK_MSG(had > 1 && had <= asked, "%d of %d", had, asked);
    }
    CHECK(threads_of_a_loop("OMP_NUM_THREADS", "1") == 1);
}

TEST(a_fork_while_the_pool_works_does_not_hang_the_child) {
    restless r = {0};
    pthread_t other;
    CHECK(pthread_create(&other, NULL, loop_on, &r) == 0);
    for (int i = 0; i < 40; i++) check_child();
    atomic_store(&r.stop, true);
    pthread_join(other, NULL);
}
#endif

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
