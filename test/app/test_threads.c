/* Loops over many items: every item once, and the same failure for any number of threads. */
#include "check.h"

#include "app/each.h"

#include <stdatomic.h>

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
            app_loop loop = {.count = 10000, .threads = threads, .chunk = chunk, .item = see, .user = &all};
            CHECK(app_each(&loop, &status) == SIZE_MAX && status == GRAZE_OK);
            for (int i = 0; i < 10000; i++) CHECK(all.seen[i] == 1);
            all.bad[0] = 4711, all.bad[1] = 4712, all.bad[2] = 5000;
            CHECK(app_each(&loop, &status) == 4711 && status == GRAZE_ERR_OUT_OF_RANGE);
        }
}

int main(int argc, char **argv) { return RUN_TESTS(argc, argv); }
