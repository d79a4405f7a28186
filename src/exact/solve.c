#include "exact/solve.h"

#include "base/context.h"
#include "exact/separation.h"
#include "exact/touch.h"

#include <string.h>

/* 64 KiB on the stack hold every intermediate of a pair whose coordinates span some 300 bits; blocks from the allocator
   grow to a size that the widest doubles do not fill. */
#define STACK_LIMBS ((size_t)8192)
#define LEAST_BLOCK ((size_t)1 << 20)
#define LARGEST_BLOCK ((size_t)1 << 28)

static bool touch(void *state, gz_root *root, gz_place *place) { return gz_touch_test(state, root, place); }

static void solve_touch(gz_arena *arena, const gz_question *question, gz_pair *pair, gz_root_search *search) {
    gz_candidates candidates;
    gz_root_search_begin(search, arena, question->t_max, touch, pair);
    if (search->hit) return;
    gz_touch_candidates(pair, &candidates);
    for (int i = 0; i < candidates.count; i++) gz_root_search_roots(search, candidates.p[i]);
}

/* False when the arena was too small. */
static bool attempt(uint64_t *limbs, size_t size, const gz_question *question, gz_use_solution *use, void *state) {
    jmp_buf full;
    gz_arena arena = {.limbs = limbs, .size = size, .full = &full, .integers_only = question->integers_only};
    if (setjmp(full)) return false;
    gz_pair pair;
    gz_root_search search;
    gz_pair_load_sum(&pair, &arena, question->kind, question->query,
                     (double[3]){question->separation, question->radii[0], question->radii[1]});
    if (pair.separation.size == 0)
        solve_touch(&arena, question, &pair, &search);
    else if (question->norm == GRAZE_NORM_MAX)
        gz_solve_separation_max(&pair, question->t_max, &search);
    else
        gz_solve_separation(&pair, question->t_max, &search);
    use(state, &pair, &search);
    return true;
}

static bool attempt_on_stack(const gz_question *question, gz_use_solution *use, void *state) {
    uint64_t limbs[STACK_LIMBS];
    return attempt(limbs, STACK_LIMBS, question, use, state);
}

bool gz_solve(graze_context *context, bool may_allocate, const gz_question *question, gz_use_solution *use,
              void *state) {
    if (attempt_on_stack(question, use, state)) return true;
    for (size_t size = LEAST_BLOCK; may_allocate && size <= LARGEST_BLOCK; size *= 16) {
        uint64_t *block = gz_allocate(context, size);
        if (!block) return false;
        bool done = attempt(block, size / sizeof *block, question, use, state);
        gz_release(context, block, size);
        if (done) return true;
    }
    return false;
}

static void parameter(gz_root_search *search, const gz_fraction *fraction, double value[2]) {
    value[0] = value[1] = fraction->value;
    if (fraction->over) gz_root_fraction(search->arena, &search->first, fraction->over, fraction->under, value);
}

void gz_solution_parameters(gz_root_search *search, double u[2], double v[2]) {
    const gz_place *place = &search->place;
    if (place->anywhere) {
        u[0] = v[0] = 0;
        u[1] = v[1] = 1;
    } else if (place->bounded) {
        memcpy(u, place->bounds[0], sizeof place->bounds[0]);
        memcpy(v, place->bounds[1], sizeof place->bounds[1]);
    } else {
        parameter(search, &place->u, u);
        parameter(search, &place->v, v);
    }
}
