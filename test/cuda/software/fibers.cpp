#include "fibers.h"

#include <csetjmp>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>
#include <ucontext.h>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#define STACK_BYTES ((size_t)1 << 20)
#else
#define STACK_BYTES ((size_t)1 << 17)
#endif
#define GUARD_BYTES ((size_t)1 << 14) /* whole pages below the stack, which nobody may touch */

namespace software {

struct fiber {
    char *memory;
    ucontext_t first;
    jmp_buf here; /* where it waits */
    bool entered, done;
    void (*function)(void *);
    void *user;
};

static std::vector<fiber *> idle;
static fiber *now;        /* that runs */
static jmp_buf scheduler; /* where it was resumed */
#if defined(__SANITIZE_ADDRESS__)
static const void *host_stack;
static size_t host_stack_size;
#endif

/* ---- for the address sanitizer, which has to know of each stack ---- */

static void leave_for(const fiber *f, void **kept) {
#if defined(__SANITIZE_ADDRESS__)
    if (f)
        __sanitizer_start_switch_fiber(kept, f->memory + GUARD_BYTES, STACK_BYTES);
    else
        __sanitizer_start_switch_fiber(kept, host_stack, host_stack_size);
#else
    (void)f, (void)kept;
#endif
}

static void arrive(void *kept, bool on_fiber) {
#if defined(__SANITIZE_ADDRESS__)
    if (on_fiber)
        __sanitizer_finish_switch_fiber(kept, &host_stack, &host_stack_size);
    else
        __sanitizer_finish_switch_fiber(kept, nullptr, nullptr);
#else
    (void)kept, (void)on_fiber;
#endif
}

/* ---- a fiber ---- */

void fiber_wait() {
    fiber *me = now;
    void *kept = nullptr;
    if (_setjmp(me->here) == 0) {
        leave_for(nullptr, &kept);
        _longjmp(scheduler, 1);
    }
    arrive(kept, true);
}

/* One function after the other. */
static void run_functions() {
    arrive(nullptr, true);
    for (;;) {
        now->function(now->user);
        now->done = true;
        fiber_wait();
    }
}

static fiber *fiber_make() {
    fiber *f = new fiber();
    void *memory = mmap(nullptr, GUARD_BYTES + STACK_BYTES, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, GUARD_BYTES, PROT_NONE) != 0) {
        std::perror("software device: a stack");
        std::abort();
    }
    f->memory = (char *)memory;
    getcontext(&f->first);
    f->first.uc_stack.ss_sp = f->memory + GUARD_BYTES;
    f->first.uc_stack.ss_size = STACK_BYTES;
    f->first.uc_link = nullptr;
    makecontext(&f->first, run_functions, 0);
    return f;
}

fiber *fiber_begin(void (*function)(void *), void *user) {
    if (idle.empty()) idle.push_back(fiber_make());
    fiber *f = idle.back();
    idle.pop_back();
    f->done = false;
    f->function = function;
    f->user = user;
    return f;
}

bool fiber_resume(fiber *f) {
    void *kept = nullptr;
    now = f;
    if (_setjmp(scheduler) == 0) {
        leave_for(f, &kept);
        if (f->entered) _longjmp(f->here, 1);
        f->entered = true;
        setcontext(&f->first);
    }
    arrive(kept, false);
    if (!f->done) return false;
    idle.push_back(f);
    return true;
}

void fiber_drop(fiber *f) {
    munmap(f->memory, GUARD_BYTES + STACK_BYTES);
    delete f;
}

} // namespace software
