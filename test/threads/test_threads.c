/* The program's threads: every index once, whatever the number of threads, calls and callers. */
#include "check.h"

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

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
