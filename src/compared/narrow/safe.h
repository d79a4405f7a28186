/* The failure-proof cubic test and the basic one it improves on, as the method table, the tests and the bench call
   them. Derivation: docs/numerics.md, section 6. */
#ifndef GZ_COMPARED_NARROW_SAFE_H
#define GZ_COMPARED_NARROW_SAFE_H

#include "narrow/method.h"

#include <stdbool.h>

typedef struct gz_safe_setup {
    double t_max;
    double bound;       /* B of a whole scene; 0: the pair's own, which never is larger */
    bool basic;         /* the cubic test without the modifications: it misses contacts */
    bool plane_cull;    /* clear pairs that a plane keeps apart */
    bool edge_cull;     /* skip vertex–edge tests that no root leads to */
    bool only_positive; /* no times: answer->toi and answer->time are not wanted */
} gz_safe_setup;

/* Outcomes of the tests; edge tests are vertex–edge tests, 3 of a face's and 4 of an edge pair's. */
typedef struct gz_safe_counts {
    uint64_t tests, plane_culled, bound_culled, rootless, root_hits;
    uint64_t edge_wanted; /* that the unculled algorithm runs: all where no root passes, a root or not */
    uint64_t edge_run, edge_hits;
    uint64_t edge_denied; /* hits of edge tests that a plane across the closest approach disproves */
} gz_safe_counts;

typedef struct gz_safe_answer {
    bool positive;
    double toi;  /* positive: proven, no contact before it */
    double time; /* positive: the time at which it was seen; nothing is proven of it */
} gz_safe_answer;

/* Coordinates are finite, of double within GRAZE_MAX_COORDINATE. */
gz_safe_answer gz_safe_test_f64(graze_kind kind, const graze_query *query, const gz_safe_setup *setup,
                                gz_safe_counts *counts);
/* Ranges that float cannot hold are answered in double. */
gz_safe_answer gz_safe_test_f32(graze_kind kind, const graze_query_f32 *query, const gz_safe_setup *setup,
                                gz_safe_counts *counts);

/* Method `safe` for a query in float, in float arithmetic. */
void gz_safe_solve_f32(const gz_narrow_call *call, const graze_query_f32 *query, graze_result *result);

/* B = (E + 2V)(1 + 16 eps): no component of a difference of two of the points, at any time of a pair that touches, nor
   of its change, is larger. E: the longest edge at t = 0; 2V: the largest relative motion. */
double gz_safe_bound_f64(graze_kind kind, const graze_query *query);
double gz_safe_bound_f32(graze_kind kind, const graze_query_f32 *query);

/* No positive answer is farther from contact than this, in [0, t_max]: 41 B eps^(1/4), rounded up. */
double gz_safe_reach_f64(double bound);
double gz_safe_reach_f32(double bound);

#endif
