#include "app/each.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct run {
    const app_loop *loop;
    atomic_size_t next;
    atomic_bool ended;
    atomic_flag locked; /* guards what follows */
    size_t failed;
    graze_status status;
} run;

static void note_failure(run *r, size_t i, graze_status status) {
    while (atomic_flag_test_and_set(&r->locked)) {
    }
    if (i < r->failed) {
        r->failed = i;
        r->status = status;
    }
    atomic_flag_clear(&r->locked);
    atomic_store(&r->ended, true);
}

static void work(void *state, size_t worker) {
    run *r = state;
    const app_loop *loop = r->loop;
    while (!atomic_load(&r->ended) && !(loop->stopped && loop->stopped(loop->user))) {
        size_t begin = atomic_fetch_add(&r->next, loop->chunk);
        if (begin >= loop->count) return;
        size_t end = loop->count - begin < loop->chunk ? loop->count : begin + loop->chunk;
        for (size_t i = begin; i < end; i++) {
            graze_status status = loop->item(loop->user, worker, i);
            if (status == GRAZE_OK) continue;
            note_failure(r, i, status);
            return;
        }
    }
}

size_t app_each(const app_loop *loop, graze_status *status) {
    run r = {.loop = loop, .locked = ATOMIC_FLAG_INIT, .failed = SIZE_MAX, .status = GRAZE_OK};
    atomic_init(&r.next, 0);
    atomic_init(&r.ended, false);
    graze_pool_for(NULL, loop->threads, work, &r);
    *status = r.status;
    return r.failed;
}
