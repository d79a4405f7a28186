/* A scheduler that tries orders: the threads of a test take turns, one at a time, and change at any atomic step, lock
 * or wait. Who goes on is drawn from a seed, so that an order that fails can be run again. Threads are contexts of one
 * thread of the system. Memory is sequentially consistent: what weaker orders allow is the thread sanitizer's to find.
 *
 * Include this, then the C file under test: its atomics and POSIX threads are those of the scheduler. */
#ifndef GRAZE_TEST_BASE_ORDERS_H
#define GRAZE_TEST_BASE_ORDERS_H

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

enum { ORDER_THREADS = 8, ORDER_STACK = 1 << 16, ORDER_STEPS = 100000 }; /* a run of more steps goes round in circles */

typedef struct order_mutex {
    bool locked;
} order_mutex;
typedef struct order_cond {
    int unused;
} order_cond;

typedef struct order_thread {
    ucontext_t context;
    void *(*entry)(void *);
    void *argument;
    const order_cond *waits; /* lies until it is woken up */
    bool ended;
    char *stack;
} order_thread;

static struct {
    order_thread threads[ORDER_THREADS];
    unsigned count, current;
    ucontext_t outside;
    uint64_t state;                       /* of the draws */
    unsigned rarity;                      /* one step in so many changes the thread */
    unsigned steps;                       /* so far */
    bool loses_signals, loses_broadcasts; /* broken on purpose */
} order;

static uint64_t order_draw(void) {
    uint64_t z = order.state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    return z ^ z >> 27;
}

static void order_switch_to(unsigned next) {
    unsigned before = order.current;
    order.current = next;
    if (next != before) swapcontext(&order.threads[before].context, &order.threads[next].context);
}

/* Any thread that can go on, this one too. */
static void order_switch(void) {
    if (++order.steps > ORDER_STEPS) setcontext(&order.outside);
    unsigned ready[ORDER_THREADS], count = 0;
    for (unsigned i = 0; i < order.count; i++)
        if (!order.threads[i].ended && !order.threads[i].waits) ready[count++] = i;
    if (count) {
        order_switch_to(ready[order_draw() % count]);
        return;
    }
    setcontext(&order.outside);
}

static void order_point(void) {
    order.steps++;
    if (order_draw() % order.rarity == 0) order_switch();
}

static void order_begin(void) {
    order_thread *own = &order.threads[order.current];
    own->entry(own->argument);
    own->ended = true;
    order_switch();
}

static int order_create(pthread_t *thread, void *unused, void *(*entry)(void *), void *argument) {
    (void)unused;
    if (order.count == ORDER_THREADS) return 1;
    order_thread *made = &order.threads[order.count++];
    made->entry = entry;
    made->argument = argument;
    made->waits = NULL;
    made->ended = false;
    if (!made->stack && !(made->stack = malloc(ORDER_STACK))) abort();
    getcontext(&made->context);
    made->context.uc_stack.ss_sp = made->stack;
    made->context.uc_stack.ss_size = ORDER_STACK;
    made->context.uc_link = NULL;
    makecontext(&made->context, order_begin, 0);
    memset(thread, 0, sizeof *thread);
    return 0;
}

static void order_lock(order_mutex *mutex) {
    order_point();
    while (mutex->locked) order_switch();
    mutex->locked = true;
}

static void order_unlock(order_mutex *mutex) {
    mutex->locked = false;
    order_point();
}

static void order_wait(const order_cond *cond, order_mutex *mutex) {
    mutex->locked = false;
    order.threads[order.current].waits = cond;
    order_switch();
    while (mutex->locked) order_switch();
    mutex->locked = true;
}

static void order_broadcast(const order_cond *cond) {
    for (unsigned i = 0; i < order.count && !order.loses_broadcasts; i++)
        if (order.threads[i].waits == cond) order.threads[i].waits = NULL;
    order_point();
}

/* One of those that wait for it, whichever. */
static void order_signal(const order_cond *cond) {
    unsigned first = (unsigned)(order_draw() % order.count);
    for (unsigned k = 0; k < order.count && !order.loses_signals; k++) {
        order_thread *t = &order.threads[(first + k) % order.count];
        if (t->waits != cond) continue;
        t->waits = NULL;
        break;
    }
    order_point();
}

static uint64_t order_and(_Atomic uint64_t *word, uint64_t mask) {
    order_point();
    uint64_t before = *word;
    *word = before & mask;
    return before;
}

static unsigned order_add(atomic_uint *word, unsigned more) {
    order_point();
    unsigned before = *word;
    *word = before + more;
    return before;
}

static unsigned order_exchange(atomic_uint *word, unsigned value) {
    order_point();
    unsigned before = *word;
    *word = value;
    return before;
}

/* These threads, and those that they make, until nobody can go on: all have ended, or wait. */
static void order_run(uint64_t seed, void *(*const *entries)(void *), void *const *arguments, unsigned count) {
    volatile bool back = false;
    order.count = order.current = order.steps = 0;
    order.state = seed;
    order.rarity = 1 + (unsigned)(seed % 4) * (unsigned)(seed % 4);
    for (unsigned i = 0; i < count; i++) {
        pthread_t thread;
        order_create(&thread, NULL, entries[i], arguments[i]);
    }
    getcontext(&order.outside);
    if (back) return;
    back = true;
    setcontext(&order.threads[0].context);
}

#undef atomic_load
#undef atomic_load_explicit
#undef atomic_store
#undef atomic_store_explicit
#undef atomic_fetch_add
#undef atomic_fetch_sub
#undef atomic_fetch_or
#undef atomic_fetch_and
#undef atomic_fetch_and_explicit
#undef atomic_exchange
#define atomic_load(object) (order_point(), *(object))
#define atomic_load_explicit(object, order_) (order_point(), *(object))
#define atomic_store(object, value) (order_point(), (void)(*(object) = (value)))
#define atomic_store_explicit(object, value, order_) (order_point(), (void)(*(object) = (value)))
#define atomic_fetch_add(object, value) order_add(object, value)
#define atomic_fetch_sub(object, value) order_add(object, 0u - (value))
#define atomic_fetch_or(object, value) (order_point(), (void)(*(object) |= (value)))
#define atomic_fetch_and(object, value) (order_point(), (void)(*(object) &= (value)))
#define atomic_fetch_and_explicit(object, value, order_) order_and(object, value)
#define atomic_exchange(object, value) order_exchange(object, value)

#undef PTHREAD_MUTEX_INITIALIZER
#undef PTHREAD_COND_INITIALIZER
#define PTHREAD_MUTEX_INITIALIZER                                                                                      \
    { false }
#define PTHREAD_COND_INITIALIZER                                                                                       \
    { 0 }
#define pthread_mutex_t order_mutex
#define pthread_cond_t order_cond
#define pthread_mutex_lock(mutex) order_lock(mutex)
#define pthread_mutex_unlock(mutex) order_unlock(mutex)
#define pthread_cond_wait(cond, mutex) order_wait(cond, mutex)
#define pthread_cond_signal(cond) order_signal(cond)
#define pthread_cond_broadcast(cond) order_broadcast(cond)
#define pthread_create(thread, attributes, entry, argument) order_create(thread, attributes, entry, argument)
#define pthread_detach(thread) (void)(thread)
#define sched_yield() order_switch()

#endif
