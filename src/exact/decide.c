#include "exact/decide.h"

#include "exact/solve.h"

#include <math.h>

static void use(void *state, gz_pair *pair, gz_search *search) {
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

bool gz_exact_decide(graze_context *context, graze_kind kind, const graze_query *query, double separation, double t_max,
                     gz_exact_answer *answer) {
    gz_question question = {kind, query, separation, GRAZE_NORM_EUCLIDEAN, t_max, false};
    return gz_solve(context, context != NULL, &question, use, answer);
}
