/* The program's threads: every index once, whatever the number of threads, calls and callers. */
#include "check.h"

#include "threads/each.h"
#include "threads/threads.h"

#include <pthread.h>
#include <stdatomic.h>

typedef struct tally {
    atomic_uint seen[64];
} tally;

static void count_one(void *state, size_t index) { atomic_fetch_add(&((tally *)state)->seen[index], 1); }

static void check_loop(size_t count) {
    tally t = {0};
    threads_parallel_for(NULL, count, count_one, &t);
    for (size_t i = 0; i < 64; i++) CHECK(atomic_load(&t.seen[i]) == (i < count ? 1u : 0u));
}

TEST(every_index_is_visited_once_before_the_call_returns) {
    for (int round = 0; round < 3000; round++) check_loop((size_t)round % 9);
    check_loop(64);
}

static void loop_inside(void *state, size_t index) {
    (void)index;
    tally inner = {0};
    threads_parallel_for(NULL, 8, count_one, &inner);
    for (int i = 0; i < 8; i++) CHECK(atomic_load(&inner.seen[i]) == 1);
    atomic_fetch_add(&((tally *)state)->seen[0], 1);
}

TEST(a_loop_inside_a_loop_runs_too) {
    tally t = {0};
    threads_parallel_for(NULL, 4, loop_inside, &t);
    CHECK(atomic_load(&t.seen[0]) == 4);
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

typedef struct items {
    atomic_int seen[10000];
    size_t bad[3];
} items;

static graze_status see(void *user, size_t worker, size_t i) {
    items *all = user;
    (void)worker;
    atomic_fetch_add(&all->seen[i], 1);
    for (int k = 0; k < 3; k++)
        if (all->bad[k] == i) return k == 0 ? GRAZE_ERR_OUT_OF_RANGE : GRAZE_ERR_OUT_OF_MEMORY;
    return GRAZE_OK;
}

TEST(each_item_is_seen_once_and_the_first_failure_does_not_depend_on_the_threads) {
    static items all;
    for (size_t threads = 1; threads <= 8; threads++)
        for (size_t chunk = 1; chunk <= 64; chunk *= 4) {
            graze_status status;
            memset(&all, 0, sizeof all);
            for (int k = 0; k < 3; k++) all.bad[k] = SIZE_MAX;
            threads_loop loop = {.count = 10000, .threads = threads, .chunk = chunk, .item = see, .user = &all};
            CHECK(threads_each(&loop, &status) == SIZE_MAX && status == GRAZE_OK);
            for (int i = 0; i < 10000; i++) CHECK(all.seen[i] == 1);
            all.bad[0] = 4711, all.bad[1] = 4712, all.bad[2] = 5000;
            CHECK(threads_each(&loop, &status) == 4711 && status == GRAZE_ERR_OUT_OF_RANGE);
        }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
