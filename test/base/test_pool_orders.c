/* The pool in thousands of orders of its steps, each drawn from a seed: a scheduler takes the place of threads and
   atomics (orders.h). pool.c stands here once more, so that it can be taken apart. */
#define _XOPEN_SOURCE 700 /* contexts */
#define LOOKS 3           /* before a thread lies down */
#include "base/orders.h"

#include "../../src/base/pool.c"

#include "check.h"

enum { CALLERS = 2, ROUNDS = 3, MOST = 5, ORDERS = 40000 };

/* What a caller does, and what became of it. */
typedef struct job {
    unsigned counts[ROUNDS]; /* indices of its loops */
    bool inside;             /* each index has a loop of its own */
    unsigned seen[ROUNDS][MOST], inner[ROUNDS][MOST];
    unsigned round;
    bool done;
} job;

static bool slept_beside_work;

static bool all_threads_sleep(void) {
    unsigned workers = 0;
    for (unsigned i = 0; i < order.count; i++) {
        if (order.threads[i].entry != worker) continue;
        workers++;
        if (order.threads[i].waits != &pool.wake) return false;
    }
    return workers > 0;
}

/* A loop whose indices are being done has woken somebody up, if anybody sleeps. */
static void look_around(const void *state) {
    for (unsigned i = 0; i < LOOPS; i++) {
        loop *l = &pool.loops[i];
        if (l->used && l->state == state && l->finished < l->count && l->free[0] && all_threads_sleep())
            slept_beside_work = true;
    }
}

static void count_inner(void *state, size_t index) {
    order_point();
    ((unsigned *)state)[0] += 1 + 0 * (unsigned)index;
}

static void count_index(void *state, size_t index) {
    job *j = state;
    order_point();
    look_around(state);
    order_point();
    if (j->inside) graze_pool_for(NULL, 2, count_inner, &j->inner[j->round][index]);
    j->seen[j->round][index]++;
}

static void *call(void *state) {
    job *j = state;
    for (j->round = 0; j->round < ROUNDS; j->round++) {
        graze_pool_for(NULL, j->counts[j->round], count_index, j);
        for (unsigned i = 0; i < j->counts[j->round]; i++) CHECK(j->seen[j->round][i] == 1);
    }
    j->done = true;
    return NULL;
}

static void reset_pool(size_t most) {
    memset(&pool, 0, sizeof pool);
    pool.most = most;
    pool.knows_of_forks = true;
}

/* Nobody hangs: in the end callers are done, and threads wait for work. */
static bool try_order(uint64_t seed, job jobs[CALLERS]) {
    void *(*const entries[CALLERS])(void *) = {call, call};
    unsigned callers = 1 + (unsigned)(seed / 4 % CALLERS);
    memset(jobs, 0, CALLERS * sizeof *jobs);
    reset_pool(1 + seed / 8 % 3);
    for (unsigned c = 0; c < callers; c++) {
        jobs[c].inside = seed % 5 == 0;
        for (unsigned r = 0; r < ROUNDS; r++) jobs[c].counts[r] = 1 + (unsigned)((seed + 3 * r + 7 * c) % MOST);
    }
    void *const arguments[CALLERS] = {&jobs[0], &jobs[1]};
    order_run(seed, entries, arguments, callers);
    return jobs[0].done && (callers == 1 || jobs[1].done);
}

TEST(every_order_does_each_index_once_and_hangs_nowhere) {
    job jobs[CALLERS];
    slept_beside_work = false;
    unsigned long steps = 0;
    for (uint64_t seed = 1; seed <= ORDERS; seed++) {
        CHECK_MSG(try_order(seed, jobs), "seed = %llu", (unsigned long long)seed);
        CHECK_MSG(!slept_beside_work, "seed = %llu", (unsigned long long)seed);
        for (int c = 0; c < CALLERS; c++)
            for (int r = 0; r < ROUNDS && jobs[c].inside; r++)
                for (unsigned i = 0; i < jobs[c].counts[r]; i++) CHECK(jobs[c].inner[r][i] == 2);
        steps += order.steps;
    }
    printf("    %d orders, %lu steps\n", ORDERS, steps);
    CHECK(steps > 100 * ORDERS);
}

TEST(an_order_is_a_function_of_its_seed) {
    job jobs[CALLERS];
    for (uint64_t seed = 1; seed < 50; seed++) {
        try_order(seed, jobs);
        unsigned steps = order.steps;
        uint64_t state = order.state;
        try_order(seed, jobs);
        CHECK(order.steps == steps && order.state == state);
    }
}

/* The scheduler finds what is broken. */

static bool finds(bool (*wrong)(uint64_t seed)) {
    for (uint64_t seed = 1; seed <= ORDERS; seed++)
        if (wrong(seed)) return true;
    return false;
}

static bool hangs(uint64_t seed) {
    job jobs[CALLERS];
    return !try_order(seed, jobs);
}

static bool sleeps_beside_work(uint64_t seed) {
    job jobs[CALLERS];
    try_order(seed, jobs);
    return slept_beside_work;
}

TEST(a_caller_that_is_not_told_the_end_is_noticed) {
    order.loses_broadcasts = true;
    CHECK(finds(hangs));
    order.loses_broadcasts = false;
}

TEST(threads_that_are_not_woken_up_are_noticed) {
    slept_beside_work = false;
    order.loses_signals = true;
    CHECK(finds(sleeps_beside_work));
    order.loses_signals = slept_beside_work = false;
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
