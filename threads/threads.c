#include "threads/threads.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>

#define MOST_THREADS 1024

static struct {
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    graze_task *task;
    void *state;
    size_t count;
    atomic_size_t next;
    uint64_t generation;  /* of the work; a thread takes part in each at most once */
    bool open;            /* threads that wake up now may take part */
    atomic_size_t active; /* threads that take part; changed with the lock held */
    size_t threads;       /* started */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .wake = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

/* The generation, for threads that look before they lie down: a step has a dozen short pieces of work, and waking up
   takes as long as one of them. */
static _Atomic uint64_t announced;
#define LOOKS 20000 /* some tenths of a millisecond */

static void pause_briefly(void) {
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#endif
}

static void look_for_work(uint64_t seen) {
    for (int i = 0; i < LOOKS && atomic_load_explicit(&announced, memory_order_relaxed) == seen; i++) pause_briefly();
}

static void look_for_the_end(void) {
    for (int i = 0; i < LOOKS && atomic_load_explicit(&pool.active, memory_order_relaxed); i++) pause_briefly();
}

/* Held by the call under way. */
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void work(graze_task *task, void *state, size_t count) {
    for (size_t i; (i = atomic_fetch_add(&pool.next, 1)) < count;) task(state, i);
}

static void *worker(void *unused) {
    (void)unused;
    uint64_t seen = 0;
    pthread_mutex_lock(&pool.lock);
    for (;;) {
        while (!pool.open || pool.generation == seen) pthread_cond_wait(&pool.wake, &pool.lock);
        seen = pool.generation;
        graze_task *task = pool.task;
        void *state = pool.state;
        size_t count = pool.count;
        pool.active++;
        pthread_mutex_unlock(&pool.lock);
        work(task, state, count);
        pthread_mutex_lock(&pool.lock);
        if (--pool.active == 0) pthread_cond_signal(&pool.done);
        pthread_mutex_unlock(&pool.lock);
        look_for_work(seen);
        pthread_mutex_lock(&pool.lock);
    }
    return NULL;
}

/* With the lock held. What cannot be started is not missed: the caller does its work. */
static void start_threads(size_t wanted) {
    if (wanted > MOST_THREADS) wanted = MOST_THREADS;
    if (pool.threads >= wanted) return;
    sigset_t all, before; /* signals stay with the thread that expects them */
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

void threads_parallel_for(void *user, size_t count, graze_task *task, void *state) {
    (void)user;
    if (count < 2 || atomic_flag_test_and_set(&busy)) {
        for (size_t i = 0; i < count; i++) task(state, i);
        return;
    }
    pthread_mutex_lock(&pool.lock);
    start_threads(count - 1);
    pool.task = task;
    pool.state = state;
    pool.count = count;
    atomic_store(&pool.next, 0);
    pool.generation++;
    atomic_store_explicit(&announced, pool.generation, memory_order_relaxed);
    pool.open = true;
    pthread_cond_broadcast(&pool.wake);
    pthread_mutex_unlock(&pool.lock);

    work(task, state, count);

    pthread_mutex_lock(&pool.lock);
    pool.open = false;
    if (pool.active) {
        pthread_mutex_unlock(&pool.lock);
        look_for_the_end();
        pthread_mutex_lock(&pool.lock);
    }
    while (pool.active) pthread_cond_wait(&pool.done, &pool.lock);
    pthread_mutex_unlock(&pool.lock);
    atomic_flag_clear(&busy);
}

uint32_t threads_available(void) {
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores > 0 && cores <= MOST_THREADS ? (uint32_t)cores : 1;
}
