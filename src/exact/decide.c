#include "exact/decide.h"

bool gz_exact_decide(graze_context *context, graze_kind kind, const graze_query *query, double separation, double t_max,
                     gz_exact_answer *answer) {
    (void)context;
    (void)kind;
    (void)query;
    (void)separation;
    (void)t_max;
    (void)answer;
    return false;
}
