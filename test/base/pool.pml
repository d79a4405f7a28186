/* Sleep and wake-up of src/base/pool.c, for Spin: every order of the steps of its callers and threads, by test/base/pool_model.sh.
 *
 * Memory is sequentially consistent, as C11 atomics without an order are. A line that begins with a bar stands in pool.c, in this
 * order of its functions; the script looks for each. Threads look for work for a while before they lie down: here, any while.
 *
 * It shows: each index is done once; each caller comes to its end; no thread sleeps on while an index is free and all threads
 * sleep; threads that wait wake up. -DBREAK_… takes one of the reasons away, and the script expects Spin to find an error. */
#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef CALLERS
#define CALLERS 1
#endif
#ifndef ROUNDS
#define ROUNDS 2 /* loops of each caller, one after the other */
#endif
#ifndef INDICES
#define INDICES 2
#endif
#define SLOTS CALLERS

bool open[SLOTS]; /* pool.open */
byte sleeping;
bool used[SLOTS], awaited[SLOTS];
byte free[SLOTS], left[SLOTS], finished[SLOTS]; /* free: indices that nobody has claimed; each by one atomic step */
byte done_of[SLOTS];                            /* indices done, of the loop under way */
byte opening;                                   /* callers that may still wake somebody up */

bool locked;
#define PROCESSES 5
bool wake_waits[PROCESSES], done_waits[PROCESSES]; /* by number: who comes later takes nobody's signal */

#define LOCK atomic { !locked -> locked = true }
#define UNLOCK locked = false
#define LIE_DOWN(waits) atomic { waits[_pid] = true; locked = false }
#define GET_UP(waits)                                                                                                  \
    !waits[_pid];                                                                                                      \
    LOCK
#define SIGNAL(waits)                                                                                                  \
    atomic {                                                                                                           \
        if                                                                                                             \
        :: waits[0] -> waits[0] = false                                                                                \
        :: waits[1] -> waits[1] = false                                                                                \
        :: waits[2] -> waits[2] = false                                                                                \
        :: waits[3] -> waits[3] = false                                                                                \
        :: else                                                                                                        \
        fi                                                                                                             \
    }
#define BROADCAST(waits)                                                                                               \
    d_step { waits[0] = false; waits[1] = false; waits[2] = false; waits[3] = false; waits[4] = false }
#define ALL_ASLEEP (wake_waits[0] && (WORKERS < 2 || wake_waits[1])) /* threads have the first numbers */

#define ANY_OPEN (open[0] || (SLOTS > 1 && open[SLOTS - 1]))
#define ANY_FREE (free[0] || (SLOTS > 1 && free[SLOTS - 1]))

/* | for (unsigned i = 0; i < WAKE_AT_ONCE && i < sleeping; i++) pthread_cond_signal(&pool.wake); */
inline wake_some() {
    if
    :: sleeping > 0 -> SIGNAL(wake_waits)
    :: else
    fi
}

/* | if (index != NONE && atomic_fetch_sub(&l->left, 1) == 1) atomic_fetch_and(&pool.open, ~(1u << (l - pool.loops))); */
inline claim(l, got) {
    atomic {
        if
        :: free[l] > 0 -> free[l]--; got = true
        :: else -> got = false
        fi
    }
    if
    :: got ->
        atomic { left[l]--; last = left[l] == 0 };
        if
        :: last -> open[l] = false
        :: else
        fi
    :: else
    fi
}

/* | if (atomic_fetch_add(&l->finished, 1) + 1 < count || !atomic_load(&l->awaited)) return; */
/* | pthread_cond_broadcast(&pool.done); */
inline do_index(l) {
    atomic { done_of[l]++; assert(done_of[l] <= INDICES && used[l]) };
    atomic { finished[l]++; last = finished[l] == INDICES };
    if
    :: last ->
        if
        :: awaited[l] -> LOCK; BROADCAST(done_waits); UNLOCK
        :: else
        fi
    :: else
    fi
}

/* | atomic_fetch_add(&pool.sleeping, 1); */
/* | while (!atomic_load(&pool.open)) pthread_cond_wait(&pool.wake, &pool.lock); */
/* | atomic_fetch_sub(&pool.sleeping, 1); */
/* | wake_some(); */
active [WORKERS] proctype worker() {
    bool got, last;
    byte l;
look:
    l = 0;
    do
    :: l < SLOTS ->
        if
        :: open[l] ->
            claim(l, got);
            if
            :: got -> do_index(l); goto look
            :: else
            fi
        :: else
        fi;
        l++
    :: else -> break
    od;
    l = 0;
    if
    :: ANY_OPEN -> goto look
    :: skip /* it has looked long enough */
    fi;
    LOCK;
#ifdef BREAK_SLEEP_ORDER
    if
    :: ANY_OPEN -> UNLOCK; goto look
    :: else
    fi;
    sleeping++;
    LIE_DOWN(wake_waits);
end_broken:
    GET_UP(wake_waits);
#else
    sleeping++;
    do
    :: ANY_OPEN -> break
    :: else ->
        LIE_DOWN(wake_waits);
end_asleep: /* threads may sleep when all is done */
        GET_UP(wake_waits)
    od;
#endif
    sleeping--;
    wake_some();
    UNLOCK;
    goto look
}

/* | atomic_store(&l->finished, 0); */
/* | atomic_store(&l->left, l->count); */
/* | atomic_fetch_or(&pool.open, 1u << (l - pool.loops)); */
/* | atomic_store_explicit(&l->free[k], bits, memory_order_release); */
/* | if (!atomic_load(&pool.sleeping)) return; */
/* | for (int i = 0; i < LOOKS && !is_finished(l); i++) pause_briefly(i); */
/* | atomic_store(&l->awaited, true); */
/* | while (!is_finished(l)) pthread_cond_wait(&pool.done, &pool.lock); */
/* | atomic_store(&l->awaited, false); */
/* | for (size_t index; (index = claim(l, 0)) != NONE;) do_index(l, index); */
/* | atomic_store(&l->used, false); */
active [CALLERS] proctype caller() {
    bool got, last, somebody;
    byte l, round;
    for (round : 1 .. ROUNDS) {
        l = 0;
        do
        :: atomic { !used[l] -> used[l] = true; done_of[l] = 0; opening++ }; break
        :: else -> l++; assert(l < SLOTS)
        od;
        finished[l] = 0;
        left[l] = INDICES;
#ifdef BREAK_OPEN_ORDER
        somebody = sleeping > 0;
#endif
#ifdef BREAK_FREE_BEFORE_OPEN
        free[l] = INDICES;
        open[l] = true;
#else
        open[l] = true;
        free[l] = INDICES;
#endif
#ifndef BREAK_OPEN_ORDER
        somebody = sleeping > 0;
#endif
        if
        :: somebody -> LOCK; wake_some(); UNLOCK
        :: else
        fi;
        opening--;
        do
        :: claim(l, got);
           if
           :: got -> do_index(l)
           :: else -> break
           fi
        od;
        if
        :: finished[l] == INDICES -> goto ended
        :: finished[l] != INDICES -> skip
        fi;
        LOCK;
#ifdef BREAK_AWAIT_ORDER
        if
        :: finished[l] == INDICES -> UNLOCK; goto ended
        :: else
        fi;
        awaited[l] = true;
        LIE_DOWN(done_waits);
        GET_UP(done_waits);
#else
        awaited[l] = true;
        do
        :: finished[l] == INDICES -> break
        :: else -> LIE_DOWN(done_waits); GET_UP(done_waits)
        od;
#endif
        awaited[l] = false;
        UNLOCK;
ended:
        atomic { assert(done_of[l] == INDICES && finished[l] == INDICES && free[l] == 0); }
        assert(!open[l]);
        used[l] = false
    }
}

/* Where an index is free and its caller has opened the loop, somebody is awake for it besides the caller. */
active proctype watch() {
end_watch:
    atomic { ANY_FREE && opening == 0 && ALL_ASLEEP -> assert(false) }
}
