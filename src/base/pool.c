/* The threads that contexts have by default: one pool for the process, and the library's only global.
 *
 * The caller of a loop works too and never waits for a thread that has not begun, so that on cores which others use as
 * well a loop takes hardly longer than on one thread. Several loops may be under way at once, one inside another too.
 */
#include "base/pool.h"

#if defined(GRAZE_HAVE_PTHREADS)

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

/* A loop under way, on the stack of its caller. All but `active` is read and written with the pool's lock held. */
typedef struct loop {
    graze_task *task;
    void *state;
    size_t count, next;   /* indices from `next` on are nobody's yet */
    atomic_size_t active; /* threads of the pool inside the task; changed with the lock held */
    struct loop *after;
} loop;

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    loop *loops;          /* those with indices that are nobody's */
    size_t threads, most; /* started; to be started at most */
    bool knows_most, knows_of_forks;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

/* Loops so far, for threads that look before they lie down: a step has a dozen short pieces of work, and waking up
   takes as long as one of them. */
static _Atomic uint64_t opened;
#define LOOKS 20000 /* some tenths of a millisecond */

/* Between two looks. Who is looked for may be waiting for this very core: a thread that is woken up often begins on the
   core of the one that woke it. */
static void pause_briefly(int looks) {
    if (looks % 64 == 63) sched_yield();
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#endif
}

static void look_for_work(uint64_t seen) {
    for (int i = 0; i < LOOKS && atomic_load_explicit(&opened, memory_order_relaxed) == seen; i++) pause_briefly(i);
}

static void look_for_the_end(const loop *l) {
    for (int i = 0; i < LOOKS && atomic_load_explicit(&l->active, memory_order_relaxed); i++) pause_briefly(i);
}

/* ---- with the lock held ---- */

static void append(loop *l) {
    loop **end = &pool.loops;
    while (*end) end = &(*end)->after;
    *end = l;
}

/* The next index; the last one takes the loop off the list. */
static size_t take(loop *l) {
    size_t index = l->next++;
    if (l->next == l->count) {
        loop **at = &pool.loops;
        while (*at != l) at = &(*at)->after;
        *at = l->after;
    }
    return index;
}

static void take_part(loop *l) {
    size_t index = take(l);
    l->active++;
    pthread_mutex_unlock(&pool.lock);
    l->task(l->state, index);
    pthread_mutex_lock(&pool.lock);
    if (--l->active == 0 && l->next == l->count) pthread_cond_broadcast(&pool.done);
}

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (!pool.loops) pthread_cond_wait(&pool.wake, &pool.lock);
        while (pool.loops) take_part(pool.loops);
        uint64_t seen = atomic_load_explicit(&opened, memory_order_relaxed);
        pthread_mutex_unlock(&pool.lock);
        look_for_work(seen);
        pthread_mutex_lock(&pool.lock);
    }
    return NULL;
}

/* In the child of a fork, which has none of the pool's threads, nor those whose loops were under way. */
static void forget(void) {
    pool.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pool.wake = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pool.done = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pool.loops = NULL;
    pool.threads = 0;
    pool.knows_most = false;
}

/* Beside the caller, who works too. Unless the environment says, twice the cores: callers may be several, and more
   would only wait for each other. */
static size_t most_threads(void) {
    uint32_t asked = gz_threads_asked();
    return asked ? asked - 1 : 2 * (size_t)gz_cores();
}

/* What cannot be started is not missed: the caller does its work. */
static void start_threads(size_t wanted) {
    if (!pool.knows_most) pool.most = most_threads();
    pool.knows_most = true;
    if (wanted > pool.most) wanted = pool.most;
    if (pool.threads >= wanted) return;
    if (!pool.knows_of_forks && pthread_atfork(NULL, NULL, forget) != 0) return;
    pool.knows_of_forks = true;
    sigset_t all, before; /* signals stay with the threads that expect them */
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (pool.threads < wanted) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, worker, NULL) != 0) break;
        pthread_detach(thread);
        pool.threads++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* ---- */

static void run(loop *l) {
    pthread_mutex_lock(&pool.lock);
    start_threads(l->count - 1);
    append(l);
    atomic_fetch_add_explicit(&opened, 1, memory_order_relaxed);
    for (size_t i = 1; i < l->count && i <= pool.threads; i++) pthread_cond_signal(&pool.wake);
    while (l->next < l->count) {
        size_t index = take(l);
        pthread_mutex_unlock(&pool.lock);
        l->task(l->state, index);
        pthread_mutex_lock(&pool.lock);
    }
    if (l->active) {
        pthread_mutex_unlock(&pool.lock);
        look_for_the_end(l);
        pthread_mutex_lock(&pool.lock);
    }
    while (l->active) pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
}

void graze_pool_for(void *user, size_t count, graze_task *task, void *state) {
    (void)user;
    if (count > 1)
        run(&(loop){.task = task, .state = state, .count = count});
    else if (count == 1)
        task(state, 0);
}

#else

void graze_pool_for(void *user, size_t count, graze_task *task, void *state) {
    (void)user;
    for (size_t i = 0; i < count; i++) task(state, i);
}

#endif
