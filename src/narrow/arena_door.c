#include "narrow/arena_door.h"

/* 64 KiB hold every intermediate of a pair whose coordinates span some 300 bits; 1 MiB that of nearly all others, 16
   MiB that of the widest doubles. */
#define STACK_LIMBS ((size_t)8192)
#define FIRST_BLOCK ((size_t)1 << 20)
#define LARGEST_BLOCK ((size_t)1 << 24)

static bool attempt(uint64_t *limbs, size_t size, gz_use_arena *use, void *state) {
    jmp_buf full;
    gz_arena arena = {.limbs = limbs, .size = size, .full = &full};
    if (setjmp(full)) return false;
    use(state, &arena);
    return true;
}

static bool attempt_on_stack(gz_use_arena *use, void *state) {
    uint64_t limbs[STACK_LIMBS];
    return attempt(limbs, STACK_LIMBS, use, state);
}

bool gz_with_arena(const gz_narrow_call *call, gz_use_arena *use, void *state) {
    if (attempt_on_stack(use, state)) return true;
    for (size_t size = FIRST_BLOCK; call->context && size <= LARGEST_BLOCK; size *= 16) {
        uint64_t *limbs = gz_worker_scratch(call->context, call->worker, size);
        if (!limbs) return false;
        if (attempt(limbs, size / sizeof *limbs, use, state)) return true;
    }
    return false;
}
