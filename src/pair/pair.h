/* One pair from its first probe to its answer, as plain data and plain functions: no context, no threads, no memory.
   The blocks of certified.c drive many in lanes; a single query, a thread of a GPU or a call in WebAssembly drives one,
   in lanes of width 1. docs/architecture.md, "The life of a pair". */
#ifndef GZ_PAIR_PAIR_H
#define GZ_PAIR_PAIR_H

#include "base/question.h"
#include "exact/decide.h"
#include "pair/result.h"
#include "pair/source.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

/* Records the proof that [t0, t1) is free: a direction, or, if `direction` is zero, that f has no root there. */
typedef void gz_record(void *state, const double direction[3], double t0, double t1);

/* Decides exactly, with the largest radii of a and of b. False when there is no memory for it. */
typedef bool gz_ask(void *state, const graze_query *query, const double most[2], gz_exact_answer *answer);

/* The question asked of a pair. */
typedef struct gz_certified_call {
    graze_kind kind;
    bool exact; /* exact arithmetic answers what is left, and brackets are narrowed to adjacent doubles */
    double separation, t_max;
    double tolerance; /* 0: a part of the pair's size */
    uint64_t max_checks;
    gz_ask *ask; /* NULL: exact arithmetic is not at hand, and a pair that needs it says so */
    void *ask_state;
    gz_record *record; /* NULL, or called for every piece of the proof, in order of time */
    void *record_state;
} gz_certified_call;

/* Takes over what is asked. The call has no gz_question inside: kernels copy it, and take fewer instructions where it
   is flat. */
static GZ_INLINE void gz_certified_take(gz_certified_call *call, const gz_question *question) {
    call->separation = question->separation;
    call->t_max = question->t_max;
    call->tolerance = question->tolerance;
    call->max_checks = question->max_checks;
}

/* ---- the schedule ---- */

/* The time that each round takes its direction from, as a part of the time left: halfway, where one direction often
   does for the whole step; soon; now. Measured on the candidates of real scenes; any choice is sound. */
#define GZ_CERTIFIED_ROUNDS 5
static GZ_INLINE double gz_certified_ahead(int round) { return round == 0 ? 0.5 : round == 1 ? 0.125 : 0; }
/* a pair that a round with its direction from now moves less than this is finished by itself */
#define GZ_LEAST_MOVE 0x1p-5

typedef enum gz_certified_next { GZ_NEXT_PROBE, GZ_NEXT_CLEAR, GZ_NEXT_FINISH } gz_certified_next;

/* The action after round `round`, which moved the pair by `moved` to t. Free up to `enough` is clear. */
static GZ_INLINE gz_certified_next gz_certified_after(int round, double t, double moved, double enough,
                                                      uint64_t max_checks) {
    if (t >= enough) return GZ_NEXT_CLEAR;
    if (gz_certified_ahead(round) == 0 && moved < GZ_LEAST_MOVE) return GZ_NEXT_FINISH;
    return round + 1 < GZ_CERTIFIED_ROUNDS && (uint64_t)round + 1 < max_checks ? GZ_NEXT_PROBE : GZ_NEXT_FINISH;
}

/* The least float that is not below d; INFINITY where there is none, and then nothing is proven in float. */
static GZ_INLINE float gz_float_not_below(double d) {
    float f = d > FLT_MAX ? INFINITY : (float)d;
    return f < d ? nextafterf(f, INFINITY) : f;
}

/* ---- the pair ---- */

/* Goes on from time t, which is proven free. `radii` is NULL, or one for each row. `result` comes unresolved, with
   `checks` counted so far. False when the pair needs exact arithmetic and there is none: it is to be answered again, as
   a whole, by someone who has it. */
GZ_PAIR_FN bool gz_certified_finish(const gz_certified_call *call, const graze_query *query, const double *radii,
                                    double t, double enough, graze_result *result);

/* As gz_certified_finish, but for a pair of faces or edges without separation and radii, if the volume polynomial
   settles it at once: it does for nineteen in twenty of those that the probes leave on real scenes. False when it does
   not, and then `result` is of no use. For a device, where a short way that most take is worth a kernel of its own. */
GZ_PAIR_FN bool gz_certified_finish_soon(const gz_certified_call *call, const graze_query *query, double t,
                                         double enough, graze_result *result);

/* All of it, for pair number `pair` of the source: the first probe in float, the rounds, the finish. */
GZ_PAIR_FN bool gz_certified_pair(const gz_certified_call *call, const gz_lane_source *source, uint32_t pair,
                                  double enough, graze_result *result);

#endif
