#include "exact/solve.h"

#include "exact/separation.h"
#include "exact/touch.h"

#include <string.h>

static bool touch(void *state, gz_root *root, gz_place *place) { return gz_touch_test(state, root, place); }

/* The workspace of a solution; in the arena, since it is large for a thread's stack. */
typedef struct desk {
    gz_pair pair;
    gz_root_search search;
    gz_candidates candidates;
} desk;

static void solve_touch(gz_arena *arena, const gz_exact_question *question, desk *d) {
    gz_root_search_begin(&d->search, arena, question->t_max, touch, &d->pair);
    if (d->search.hit) return;
    gz_touch_candidates(&d->pair, &d->candidates);
    for (int i = 0; i < d->candidates.count; i++) gz_root_search_roots(&d->search, d->candidates.p[i]);
}

typedef struct task {
    const gz_exact_question *question;
    gz_use_solution *use;
    void *state;
} task;

static void solve(void *state, gz_arena *arena) {
    const task *t = state;
    const gz_exact_question *question = t->question;
    arena->integers_only = question->integers_only;
    desk *d = (desk *)(void *)gz_arena_take(arena, (sizeof *d + sizeof(uint64_t) - 1) / sizeof(uint64_t));
    gz_pair_load_sum(&d->pair, arena, question->kind, question->query,
                     (double[3]){question->separation, question->radii[0], question->radii[1]});
    if (d->pair.separation.size == 0)
        solve_touch(arena, question, d);
    else if (question->norm == GRAZE_NORM_MAX)
        gz_solve_separation_max(&d->pair, question->t_max, &d->search);
    else
        gz_solve_separation(&d->pair, question->t_max, &d->search);
    t->use(t->state, &d->pair, &d->search);
}

bool gz_solve(gz_arena_home home, const gz_exact_question *question, gz_use_solution *use, void *state) {
    return gz_with_arena(home, solve, &(task){question, use, state});
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
