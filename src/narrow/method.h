/* A narrow-phase method is one entry in the table of methods.c and one file of its own. */
#ifndef GZ_NARROW_METHOD_H
#define GZ_NARROW_METHOD_H

#include "graze/query.h"

#include "base/context.h"
#include "base/question.h"
#include "kernels/kernels.h"
#include "numerics/kind.h"
#include "pair/result.h"
#include "pair/source.h"

#include <string.h>

/* Options as a method sees them: validated, and every default filled in. */
typedef struct gz_narrow_call {
    graze_kind kind;
    gz_question question;
    bool at_start; /* t_max = 0 was asked for: the pair is to rest at x0, and t_max is 1 */
    double inside_tolerance;
    bool exact; /* of the method: brackets are adjacent doubles, and no alarm is false */
    const gz_kernels *kernels;
    graze_context *context; /* NULL: no allocation, no cancelling */
    uint32_t worker;        /* whose scratch may be used, with a context */
    gz_counts *counts;      /* never NULL; `queries`, and `unresolved` of one query, are counted by the caller */
    const double *radii;    /* NULL, or four for each query; only to methods that are `thick` */
    /* NULL, or one for each pair in place of question.separation; only to gz_solve_pairs of methods that are `thick` */
    const double *separations;
    /* NULL, or a time from which on contacts are of no interest: a windowed method may then answer CLEAR for a pair
       that is free until there, and lowers it to just after each toi that it finds. Every other answer has the same
       bits. gz_solve_pairs then writes of a CLEAR result the verdict alone. */
    double *follow;
} gz_narrow_call;

/* Answers one query. `result` comes filled by gz_result_unresolved; finite coordinates within GRAZE_MAX_COORDINATE. */
typedef void gz_solve_one(const gz_narrow_call *call, const graze_query *query, graze_result *result);

/* Answers many, with the bits that gz_solve_one gives. Fills every result, counts those that are UNRESOLVED and returns
   how many are not CLEAR. Optional. */
typedef size_t gz_solve_many(const gz_narrow_call *call, const graze_query *queries, size_t count,
                             graze_result *results);

/* As gz_solve_many, but for queries in float32. Optional: without it they are widened. */
typedef size_t gz_solve_f32(const gz_narrow_call *call, const graze_query_f32 *queries, size_t count,
                            graze_result *results);

/* Answers pairs of a mesh without copying them first: pair k has the vertices ids[k][0..3] in the order of a query's
   rows. Else as gz_solve_many. Optional. */
typedef size_t gz_solve_pairs(const gz_narrow_call *call, const gz_positions *positions, const uint32_t (*ids)[4],
                              size_t count, graze_result *results);

typedef struct gz_method {
    graze_method_info info;
    gz_solve_one *solve; /* NULL: not in this build */
    gz_solve_many *solve_many;
    gz_solve_pairs *solve_pairs;
    gz_solve_f32 *solve_f32;
    int any_finite;    /* takes coordinates beyond GRAZE_MAX_COORDINATE */
    int no_separation; /* answers only min_separation = 0 */
    /* t_max only stops it: a toi below t_max has the same bits for every t_max above it; and toi is more than x for
       every pair whose boxes, grown by the separation, do not meet within [0, x·(1 + 2^-40) + 2^-900]. Then a step may
       leave out what cannot come before the earliest contact found so far. */
    int windowed;
    int thick; /* takes a radius for each vertex; without, the caller puts the largest into the separation */
} gz_method;

/* Never NULL for a valid enum value; DEFAULT gives what it stands for. NULL otherwise. */
const gz_method *gz_method_get(graze_method method);

/* The caller's options, NULL for none, with every field that they lack; each is in its range, and the method exists. */
graze_status gz_options_read(graze_context *context, const graze_options *given, graze_options *options);

/* Validates options and fills in the method's defaults. `call` has context, worker and counts set by the caller. */
graze_status gz_narrow_prepare(graze_context *context, graze_kind kind, const graze_options *options,
                               gz_narrow_call *call, const gz_method **method);

/* GRAZE_OK, or what is wrong with a coordinate of the query. */
graze_status gz_query_check(graze_kind kind, const graze_query *query, int any_finite);

/* Turns the answer for a pair at rest into one for t_max = 0: contact at the start, or none. */
void gz_result_at_start(graze_result *result);

/* Records that gz_query_check found this of a batch's query. */
graze_status gz_query_fail(graze_context *context, graze_status status, size_t index);

/* GRAZE_OK, or GRAZE_ERR_INVALID_ARGUMENT for a radius that is negative, NaN, or too large. `radii` may be NULL. */
graze_status gz_radii_check(graze_kind kind, const double *radii, double separation);

/* Answers `count` checked queries on the calling worker, call->worker, and counts them. */
void gz_narrow_answer(const gz_method *method, const gz_narrow_call *call, const graze_query *queries, size_t count,
                      graze_result *results);

#endif
