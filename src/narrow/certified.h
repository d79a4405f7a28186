/* Directional certificates from the inside: what the lanes, the scalar finish, the certificates and `exact` share. */
#ifndef GZ_NARROW_CERTIFIED_H
#define GZ_NARROW_CERTIFIED_H

#include "narrow/method.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* The least float that is not below d; INFINITY where there is none, and then nothing is proven in float. */
static inline float gz_float_not_below(double d) {
    float f = d > FLT_MAX ? INFINITY : (float)d;
    return f < d ? nextafterf(f, INFINITY) : f;
}

/* Where each round in lanes takes its direction from: half-way, where one direction often does for the whole step;
   soon; now. Measured on the candidates of real scenes; any choice is sound. */
#define GZ_LANE_ROUNDS 5
#define GZ_LANE_AHEAD                                                                                                  \
    { 0.5, 0.125, 0, 0, 0 }
/* a pair that a round with ahead = 0 moves less than this leaves the lanes */
#define GZ_LANE_LEAST_MOVE 0x1p-5

/* What proves [t0, t1) free: a direction, or, where `direction` is zero, that f has no root there. */
typedef void gz_record(void *state, const double direction[3], double t0, double t1);

/* Probes and polynomial steps that one query may take, by default: about 0.1 ms. Real scenes need at most a few
 * hundred. */
#define GZ_CERTIFIED_MAX_CHECKS 4096

/* How a pair is finished after the lanes. */
typedef struct gz_finish {
    const gz_narrow_call *call;
    bool exact;        /* the exact decision answers what is left, and narrows the bracket to adjacent doubles */
    gz_record *record; /* NULL, or called for every piece of the proof, in order of time */
    void *record_state;
} gz_finish;

/* Goes on from time t, which is proven free. `radii` is NULL, or one for each row. `result` comes unresolved, with
   `checks` counted so far. */
void gz_certified_finish(const gz_finish *finish, const graze_query *query, const double *radii, double t,
                         graze_result *result);

/* What `certified` and `exact` answer by: gz_solve, gz_solve_many and gz_solve_pairs. */
void gz_certified_query(const gz_narrow_call *call, bool exact, const graze_query *query, graze_result *result);
size_t gz_certified_queries(const gz_narrow_call *call, bool exact, const graze_query *queries, size_t count,
                            graze_result *results);
size_t gz_certified_pairs(const gz_narrow_call *call, bool exact, const gz_positions *positions,
                          const uint32_t (*ids)[4], size_t count, graze_result *results);

/* Lanes and finish for many pairs, as gz_solve_many. */
size_t gz_certified_solve(const gz_finish *finish, const gz_lane_source *source, size_t count, graze_result *results);

#endif
