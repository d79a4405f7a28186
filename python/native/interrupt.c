/* While the library works, Python's own handler of SIGINT can do no more than set a flag for the interpreter, which
   waits for the library. So for that time a handler stands before it, and the context's cancel callback asks whether it
   was called. */
#include "python/native/native.h"

#include <signal.h>
#include <stdatomic.h>

static atomic_int came;
static struct sigaction before;

static void on_interrupt(int number, siginfo_t *info, void *place) {
    atomic_store(&came, 1);
    if (before.sa_flags & SA_SIGINFO)
        before.sa_sigaction(number, info, place);
    else
        before.sa_handler(number);
}

static bool is_ours(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) && action->sa_sigaction == on_interrupt;
}

static bool is_a_handler(const struct sigaction *action) {
    return (action->sa_flags & SA_SIGINFO) || (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
}

void gzpy_watch(void) {
    struct sigaction now;
    atomic_store(&came, 0);
    if (sigaction(SIGINT, NULL, &now) || is_ours(&now) || !is_a_handler(&now)) return;
    before = now;
    now.sa_flags |= SA_SIGINFO;
    now.sa_sigaction = on_interrupt;
    sigaction(SIGINT, &now, NULL);
}

int gzpy_unwatch(void) {
    struct sigaction now;
    if (!sigaction(SIGINT, NULL, &now) && is_ours(&now)) sigaction(SIGINT, &before, NULL);
    return atomic_load(&came);
}

int gzpy_interrupted(void *user) {
    (void)user;
    return atomic_load_explicit(&came, memory_order_relaxed);
}
