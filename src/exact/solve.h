/* A whole question, from doubles to an answer, in one arena. */
#ifndef GZ_EXACT_SOLVE_H
#define GZ_EXACT_SOLVE_H

#include "exact/arena.h"
#include "exact/decide.h"
#include "exact/root_search.h"

typedef struct gz_exact_question {
    graze_kind kind;
    const graze_query *query;
    double separation;
    graze_norm norm;
    double t_max;
    bool integers_only; /* for tests */
    double radii[2];    /* of a and of b, added to the separation */
} gz_exact_question;

/* Uses the solution while the arena still holds it. */
typedef void gz_use_solution(void *state, gz_pair *pair, gz_root_search *search);

/* Solves the question. `use` is called once, after everything else is known; it may take from the arena too, and is
   called again from the start when that was too small. False when there is no memory. */
bool gz_solve(gz_arena_home home, const gz_exact_question *question, gz_use_solution *use, void *state);

/* Doubles around the two parameters of the first contact. */
void gz_solution_parameters(gz_root_search *search, double u[2], double v[2]);

#endif
