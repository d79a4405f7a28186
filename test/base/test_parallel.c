/* Loops over a range: each index once, whatever the threads; what comes last; the first index of many. */
#include "check.h"

#include "base/context.h"

enum { COUNT = 5000, THREADS = 7 };

typedef struct tally {
    _Alignas(64) atomic_uint seen[COUNT];
    atomic_uint sums[THREADS],
        lasts[THREADS]; /* of each worker: its indices, and how often it was told that it is done */
    atomic_uint late;   /* indices of a worker that was done */
    size_t chunk;
} tally;

static void take_range(void *state, size_t begin, size_t end, uint32_t worker) {
    tally *t = state;
    CHECK(begin < end && end <= COUNT && begin % t->chunk == 0 && end - begin <= t->chunk && worker < THREADS);
    if (atomic_load(&t->lasts[worker])) atomic_fetch_add(&t->late, 1);
    for (size_t i = begin; i < end; i++) atomic_fetch_add(&t->seen[i], 1);
    atomic_fetch_add(&t->sums[worker], (unsigned)(end - begin));
}

static void be_done(void *state, uint32_t worker) { atomic_fetch_add(&((tally *)state)->lasts[worker], 1); }

TEST(every_index_is_taken_once_and_then_each_worker_is_told_once) {
    static tally t;
    for (uint32_t threads = 1; threads <= THREADS; threads++) {
        graze_context *context = test_context(threads, GRAZE_ISA_AUTO);
        for (size_t chunk = 1; chunk <= 2 * COUNT; chunk = 3 * chunk + 1)
            for (size_t count = 1; count <= COUNT; count = 2 * count + chunk) {
                memset(&t, 0, sizeof t);
                t.chunk = chunk;
                gz_parallel_then(context, count, chunk, take_range, be_done, &t);
                for (size_t i = 0; i < COUNT; i++) CHECK(atomic_load(&t.seen[i]) == (i < count ? 1u : 0u));
                CHECK(atomic_load(&t.late) == 0);
                for (uint32_t w = 0; w < THREADS; w++) {
                    CHECK(atomic_load(&t.lasts[w]) <= 1u);
                    CHECK(atomic_load(&t.lasts[w]) == 1u || atomic_load(&t.sums[w]) == 0);
                }
            }
        graze_context_destroy(context);
    }
}

/* ---- the first index ---- */

static size_t find_mark(const void *state, size_t begin, size_t end) {
    const unsigned char *marks = state;
    for (size_t i = begin; i < end; i++)
        if (marks[i]) return i;
    return end;
}

TEST(the_first_of_many_is_found_whatever_the_threads) {
    static unsigned char marks[COUNT];
    test_random random = {3};
    for (uint32_t threads = 1; threads <= THREADS; threads++) {
        graze_context *context = test_context(threads, GRAZE_ISA_AUTO);
        CHECK(gz_parallel_first(context, 0, 8, find_mark, marks) == 0);
        for (int round = 0; round < 200; round++) {
            size_t first = COUNT, some = test_random_below(&random, 5), chunk = 1 + test_random_below(&random, 300);
            memset(marks, 0, sizeof marks);
            for (size_t i = 0; i < some; i++) {
                size_t at = test_random_below(&random, COUNT);
                marks[at] = 1;
                if (at < first) first = at;
            }
            CHECK(gz_parallel_first(context, COUNT, chunk, find_mark, marks) == first);
        }
        graze_context_destroy(context);
    }
}

TEST(chunks_of_short_loops_leave_some_for_every_thread) {
    graze_context *one = test_context(1, GRAZE_ISA_AUTO), *many = test_context(THREADS, GRAZE_ISA_AUTO);
    CHECK(gz_chunk_for(many, 1000, 10, 1000) == 1000); /* not worth waking another thread */
    CHECK(gz_chunk_for(NULL, 1000000, 10, 1000) == 1000 && gz_chunk_for(one, 1000000, 10, 1000) == 1000);
    CHECK(gz_chunk_for(many, 1001, 10, 1000) <= 1001 / THREADS && gz_chunk_for(many, 1001, 10, 1000) >= 10);
    CHECK(gz_chunk_for(many, 1001, 900, 1000) == 900);
    graze_context_destroy(one);
    graze_context_destroy(many);
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
