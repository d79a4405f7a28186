#include "exact/arena.h"

/* The first holds every intermediate of a pair whose coordinates span some 300 bits, and 16 KiB besides for what a
   solution works with; the second that of nearly all others, the third those of the widest doubles, and no polynomial
   of theirs fills the last. */
static const size_t sizes[] = {GZ_SCRATCH_ALWAYS, 1 << 20, 1 << 24, 1 << 28};
#define ON_STACK GZ_SCRATCH_ALWAYS
#define KEPT ((size_t)1 << 20) /* by a worker for its next pair */

static bool attempt(uint64_t *limbs, size_t bytes, gz_use_arena *use, void *state) {
    jmp_buf full;
    gz_arena arena = {.limbs = limbs, .size = bytes / sizeof *limbs, .full = &full};
    if (setjmp(full)) return false;
    use(state, &arena);
    return true;
}

/* Never a part of its caller, which may run on a small stack. */
static GZ_NOINLINE bool attempt_on_stack(gz_use_arena *use, void *state) {
    uint64_t limbs[ON_STACK / sizeof(uint64_t)];
    return attempt(limbs, sizeof limbs, use, state);
}

static void give_back(gz_arena_home home, void *limbs, size_t size) {
    if (!home.context)
        gz_release(NULL, limbs, size);
    else if (size > KEPT)
        gz_worker_scratch_release(home.context, home.worker);
}

bool gz_with_arena(gz_arena_home home, gz_use_arena *use, void *state) {
    if (!home.context && !home.heap) return attempt_on_stack(use, state);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        size_t size = sizes[i];
        void *limbs = home.context ? gz_worker_scratch(home.context, home.worker, size) : gz_allocate(NULL, size);
        if (!limbs) return false;
        bool done = attempt(limbs, size, use, state);
        give_back(home, limbs, size);
        if (done) return true;
    }
    return false;
}
