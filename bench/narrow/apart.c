#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "bench/narrow/apart.h"

#include "io/output.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/prctl.h>
#endif

void *bench_shared(size_t size) {
    void *memory = mmap(NULL, size ? size : 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void bench_shared_free(void *memory, size_t size) {
    if (memory) munmap(memory, size ? size : 1);
}

_Noreturn static void be_child(void (*work)(void *state), void *state, atomic_bool *returned) {
#if defined(__linux__)
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* it does not outlive the bench */
#endif
    io_leave_outputs();
    work(state);
    atomic_store(returned, true);
    _exit(0);
}

static bool tell(char *reason, const char *format, double number) {
    snprintf(reason, BENCH_APART_TEXT, format, number);
    return false;
}

/* Waits for the child, and ends it at the limit or at a stop. */
static bool watch(const bench_settings *settings, pid_t child, double limit, const atomic_bool *returned,
                  char *reason) {
    double end = bench_seconds() + limit;
    bool stopped = false, late = false;
    int status = 0;
    for (long pause = 20000;; pause = pause < 5000000 ? 2 * pause : pause) {
        pid_t ended = waitpid(child, &status, stopped || late ? 0 : WNOHANG);
        if (ended == child) break;
        if (ended < 0 && errno != EINTR) return tell(reason, "it cannot be waited for (%.0f)", errno);
        stopped = stopped || bench_stopped(settings);
        late = late || bench_seconds() > end;
        if (stopped || late) kill(child, SIGKILL);
        if (!stopped && !late) nanosleep(&(struct timespec){.tv_nsec = pause}, NULL);
    }
    if (stopped || atomic_load(returned)) return true;
    if (late) return tell(reason, "it did not return within %.3g s", limit);
    if (WIFSIGNALED(status)) return tell(reason, "signal %.0f ended it", WTERMSIG(status));
    return tell(reason, "it ended the process, with exit status %.0f", WEXITSTATUS(status));
}

bool bench_apart(const bench_settings *settings, double limit, void (*work)(void *state), void *state,
                 char reason[BENCH_APART_TEXT]) {
    atomic_bool *returned = bench_shared(sizeof *returned);
    if (!returned) return tell(reason, "no memory to share (%.0f)", errno);
    fflush(NULL); /* what is in buffers is the parent's to write */
    pid_t child = fork();
    if (child == 0) be_child(work, state, returned);
    bool good = child > 0 ? watch(settings, child, limit, returned, reason)
                          : tell(reason, "no process could be started (%.0f)", errno);
    bench_shared_free(returned, sizeof *returned);
    return good;
}
