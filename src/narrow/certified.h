/* `certified` and `exact` for many pairs: blocks in lanes. What happens to one pair is in pair.h. */
#ifndef GZ_NARROW_CERTIFIED_H
#define GZ_NARROW_CERTIFIED_H

#include "narrow/method.h"
#include "pair/pair.h"

/* Probes and polynomial steps that one query may take, by default: about 0.1 ms. Real scenes need at most a few
 * hundred. */
#define GZ_CERTIFIED_MAX_CHECKS 4096

/* The plain part of a call; exact arithmetic is asked with its context. */
gz_certified_call gz_certified_call_of(const gz_narrow_call *call);

/* The solvers of `certified` and `exact`. */
gz_solve_one gz_certified_query;
gz_solve_many gz_certified_queries;
gz_solve_pairs gz_certified_pairs;
gz_solve_f32 gz_certified_floats;

/* What both are besides their names: fields of a gz_method. */
#define GZ_CERTIFIED_SOLVERS                                                                                           \
    .solve = gz_certified_query, .solve_many = gz_certified_queries, .solve_pairs = gz_certified_pairs,                \
    .solve_f32 = gz_certified_floats, .windowed = 1, .thick = 1

#endif
