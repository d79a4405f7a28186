/* The threads that contexts have by default: one pool for the process, and the library's only global.
 *
 * The caller of a loop works too and never waits for a thread that has not begun, so that on cores which others use as
 * well a loop takes hardly longer than on one thread. Several loops may be under way at once, one inside another too.
 *
 * A step has dozens of loops of some microseconds each: indices are claimed by atomic bits, and the lock is for threads
 * that lie down, are woken up or started.
 */
#include "base/pool.h"

#include "base/system.h"

#if defined(GRAZE_HAVE_PTHREADS)

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>

#define LOOPS 32u      /* under way at once; a caller that comes later works alone */
#define WORDS 4u       /* of 64 indices */
#define LOOP_MOST 256u /* indices of a loop; more are done by one loop after the other */
#if !defined(LOOKS)    /* test_pool_orders looks less often */
#define LOOKS 20000    /* before a thread lies down: some tenths of a millisecond */
#endif
#define WAKE_AT_ONCE 2u
#define NONE SIZE_MAX
#define UNKNOWN SIZE_MAX

/* A loop under way. It belongs to the pool, not to its caller: a thread that comes late reads a loop without free
   indices, or takes part in the next one. Who has claimed an index may read the rest: the loop ends after that. */
typedef struct loop {
    _Alignas(64) _Atomic uint64_t free[WORDS]; /* bit i of word k: index 64 k + i is nobody's yet */
    atomic_uint left;                          /* such indices */
    graze_task *task;
    void *state;
    size_t first; /* what index 0 stands for */
    unsigned count;
    _Alignas(64) atomic_uint finished;
    atomic_uint awaited; /* its caller has lain down; words, for not every machine exchanges bytes */
    atomic_uint used;
} loop;

static struct {
    _Atomic uint32_t open; /* bit i: loop i has free indices */
    atomic_uint sleeping;  /* changed with the lock held */
    loop loops[LOOPS];
    pthread_mutex_t lock;
    pthread_cond_t wake, done;
    atomic_size_t threads, most; /* started; to be started, UNKNOWN at first. Changed with the lock held */
    bool knows_of_forks;         /* with the lock held */
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER,
          .wake = PTHREAD_COND_INITIALIZER,
          .done = PTHREAD_COND_INITIALIZER,
          .most = UNKNOWN};

/* Between two looks. Who is looked for may be waiting for this very core: a thread that is woken up often begins on the
   core of the one that woke it. */
static void pause_briefly(int looks) {
    if (looks % 64 == 63) sched_yield();
#if defined(__x86_64__) && defined(__GNUC__)
    __builtin_ia32_pause();
#endif
}

/* ---- indices ---- */

static bool claim_at(loop *l, size_t index) {
    _Atomic uint64_t *word = &l->free[index / 64];
    uint64_t bit = (uint64_t)1 << index % 64;
    if (!(atomic_load_explicit(word, memory_order_relaxed) & bit)) return false;
    return atomic_fetch_and_explicit(word, ~bit, memory_order_acquire) & bit;
}

static size_t claim_any(loop *l) {
    for (size_t k = 0; k < WORDS; k++) {
        uint64_t bits;
        while ((bits = atomic_load_explicit(&l->free[k], memory_order_relaxed))) {
            size_t index = 64 * k + (size_t)__builtin_ctzll(bits);
            if (claim_at(l, index)) return index;
        }
    }
    return NONE;
}

/* A free index, `wanted` if it is one: a thread then gets the part of the work that it has at hand from the loop
   before. NONE when all are taken. */
static size_t claim(loop *l, size_t wanted) {
    size_t index = wanted < LOOP_MOST && claim_at(l, wanted) ? wanted : claim_any(l);
    if (index != NONE && atomic_fetch_sub(&l->left, 1) == 1) atomic_fetch_and(&pool.open, ~(1u << (l - pool.loops)));
    return index;
}

static void do_index(loop *l, size_t index) {
    unsigned count = l->count;
    l->task(l->state, l->first + index);
    if (atomic_fetch_add(&l->finished, 1) + 1 < count || !atomic_load(&l->awaited)) return;
    pthread_mutex_lock(&pool.lock);
    pthread_cond_broadcast(&pool.done);
    pthread_mutex_unlock(&pool.lock);
}

/* ---- threads ---- */

/* Some of those that lie down: each of them wakes others, so nobody has to wake them all. */
static void wake_some(void) {
    unsigned sleeping = atomic_load(&pool.sleeping);
    for (unsigned i = 0; i < WAKE_AT_ONCE && i < sleeping; i++) pthread_cond_signal(&pool.wake);
}

static bool look_for_work(void) {
    for (int i = 0; i < LOOKS; i++) {
        if (atomic_load_explicit(&pool.open, memory_order_relaxed)) return true;
        pause_briefly(i);
    }
    return false;
}

static void sleep_until_there_is_work(void) {
    pthread_mutex_lock(&pool.lock);
    atomic_fetch_add(&pool.sleeping, 1);
    while (!atomic_load(&pool.open)) pthread_cond_wait(&pool.wake, &pool.lock);
    atomic_fetch_sub(&pool.sleeping, 1);
    wake_some();
    pthread_mutex_unlock(&pool.lock);
}

/* Does an index of some loop; false when there is none. */
static bool take_part(size_t wanted) {
    for (uint32_t open = atomic_load(&pool.open); open; open &= open - 1) {
        loop *l = &pool.loops[__builtin_ctz(open)];
        size_t index = claim(l, wanted);
        if (index == NONE) continue;
        do_index(l, index);
        return true;
    }
    return false;
}

static void *worker(void *number) {
    size_t wanted = (size_t)(uintptr_t)number;
    for (;;) {
        while (take_part(wanted)) {
        }
        if (!look_for_work()) sleep_until_there_is_work();
    }
    return NULL;
}

/* In the child of a fork, which has none of the pool's threads, nor those whose loops were under way. */
static void forget(void) {
    pool.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    pool.wake = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    pool.done = (pthread_cond_t)PTHREAD_COND_INITIALIZER;
    atomic_store(&pool.open, 0);
    atomic_store(&pool.sleeping, 0);
    for (unsigned i = 0; i < LOOPS; i++) { /* those under way belong to threads that are not here */
        for (unsigned k = 0; k < WORDS; k++) atomic_store(&pool.loops[i].free[k], 0);
        atomic_store(&pool.loops[i].used, false);
    }
    atomic_store(&pool.threads, 0);
    atomic_store(&pool.most, UNKNOWN);
}

/* Beside the caller, who works too. Unless the environment says, twice the cores: callers may be several, and more
   would only wait for each other. */
static size_t most_threads(void) {
    uint32_t asked = gz_threads_asked();
    return asked ? asked - 1 : 2 * (size_t)gz_cores();
}

/* Signals stay with the threads that expect them. */
static void start_without_signals(void *state) {
    size_t wanted = *(const size_t *)state;
    for (size_t number; (number = atomic_load(&pool.threads) + 1) <= wanted; atomic_store(&pool.threads, number)) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, worker, (void *)(uintptr_t)number) != 0) break;
        pthread_detach(thread);
    }
}

/* The lock is held. A thread that cannot be started is no loss: the caller does its work. */
static void start_up_to(size_t wanted) {
    if (!pool.knows_of_forks && !gz_system_at_fork(forget)) return;
    pool.knows_of_forks = true;
    gz_system_without_signals(start_without_signals, &wanted);
}

static bool has_threads(size_t wanted) {
    size_t most = atomic_load(&pool.most);
    return atomic_load(&pool.threads) >= (wanted < most ? wanted : most);
}

static void start_threads(size_t wanted) {
    if (has_threads(wanted)) return;
    pthread_mutex_lock(&pool.lock);
    if (atomic_load(&pool.most) == UNKNOWN) atomic_store(&pool.most, most_threads());
    size_t most = atomic_load(&pool.most);
    if (!has_threads(wanted)) start_up_to(wanted < most ? wanted : most);
    pthread_mutex_unlock(&pool.lock);
}

/* ---- loops ---- */

/* One that nobody uses; NULL when all are under way. */
static loop *find_loop(void) {
    for (unsigned i = 0; i < LOOPS; i++) {
        loop *l = &pool.loops[i];
        if (!atomic_load_explicit(&l->used, memory_order_relaxed) && !atomic_exchange(&l->used, true)) return l;
    }
    return NULL;
}

/* Offers its indices. It counts as open before any is free: who claims the last one closes it. */
static void open_loop(loop *l) {
    atomic_store(&l->finished, 0);
    atomic_store(&l->left, l->count);
    atomic_fetch_or(&pool.open, 1u << (l - pool.loops));
    for (unsigned k = 0; k < WORDS && 64 * k < l->count; k++) {
        unsigned some = l->count - 64 * k;
        uint64_t bits = some < 64 ? ((uint64_t)1 << some) - 1 : UINT64_MAX;
        atomic_store_explicit(&l->free[k], bits, memory_order_release);
    }
    if (!atomic_load(&pool.sleeping)) return;
    pthread_mutex_lock(&pool.lock);
    wake_some();
    pthread_mutex_unlock(&pool.lock);
}

static bool is_finished(loop *l) { return atomic_load(&l->finished) == l->count; }

static void await_end(loop *l) {
    for (int i = 0; i < LOOKS && !is_finished(l); i++) pause_briefly(i);
    if (is_finished(l)) return;
    pthread_mutex_lock(&pool.lock);
    atomic_store(&l->awaited, true);
    while (!is_finished(l)) pthread_cond_wait(&pool.done, &pool.lock);
    atomic_store(&l->awaited, false);
    pthread_mutex_unlock(&pool.lock);
}

static void run(graze_task *task, void *state, size_t first, unsigned count) {
    start_threads(count - 1);
    loop *l = find_loop();
    if (!l) {
        for (size_t i = 0; i < count; i++) task(state, first + i);
        return;
    }
    l->task = task;
    l->state = state;
    l->first = first;
    l->count = count;
    open_loop(l);
    for (size_t index; (index = claim(l, 0)) != NONE;) do_index(l, index);
    await_end(l);
    atomic_store(&l->used, false);
}

void graze_pool_for(void *user, size_t count, graze_task *task, void *state) {
    (void)user;
    for (size_t first = 0; first < count; first += LOOP_MOST) {
        unsigned some = count - first < LOOP_MOST ? (unsigned)(count - first) : LOOP_MOST;
        if (some > 1)
            run(task, state, first, some);
        else
            task(state, first);
    }
}

#else

void graze_pool_for(void *user, size_t count, graze_task *task, void *state) {
    (void)user;
    for (size_t i = 0; i < count; i++) task(state, i);
}

#endif
