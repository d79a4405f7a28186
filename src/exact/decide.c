#include "exact/decide.h"

#include "exact/solve.h"
#include "exact/tiny.h"

#include <math.h>

void gz_take_answer(void *state, gz_pair *pair, gz_root_search *search) {
    (void)pair;
    gz_exact_answer found = {search->hit, NAN, NAN, {NAN, NAN}, {NAN, NAN}};
    if (found.hit) {
        gz_root_bracket(search->arena, &search->first);
        found.lower = search->first.below;
        found.upper = search->first.above;
        gz_solution_parameters(search, found.u, found.v);
    }
    *(gz_exact_answer *)state = found;
}

bool gz_exact_decide(graze_context *context, uint32_t worker, graze_kind kind, const graze_query *query,
                     double separation, double t_max, gz_exact_answer *answer) {
    return gz_exact_decide_thick(context, worker, kind, query, separation, (double[2]){0, 0}, t_max, answer);
}

bool gz_exact_decide_thick(graze_context *context, uint32_t worker, graze_kind kind, const graze_query *query,
                           double separation, const double radii[2], double t_max, gz_exact_answer *answer) {
    gz_exact_question question = {.kind = kind,
                                  .query = query,
                                  .separation = separation,
                                  .norm = GRAZE_NORM_EUCLIDEAN,
                                  .t_max = t_max,
                                  .radii = {radii[0], radii[1]}};
    gz_arena_home home = {.context = context, .worker = worker};
    return gz_decide_tiny(home, &question, answer) || gz_solve(home, &question, gz_take_answer, answer);
}
