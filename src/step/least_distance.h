/* The least distance at t = 0 of the candidates of a step, by a search that shrinks with it. */
#ifndef GZ_STEP_LEAST_DISTANCE_H
#define GZ_STEP_LEAST_DISTANCE_H

#include "step/call.h"

#define GZ_OTHERS 64

/* A pair that is no candidate, but near. */
typedef struct gz_near_pair {
    graze_kind kind;
    uint32_t ids[4];
    double distance;
} gz_near_pair;

typedef struct gz_nearest {
    double
        least; /* computed distance, of the pairs whose swept boxes, grown by the separation, meet; INFINITY of none */
    /* Pairs nearer than that whose boxes do not meet: with a larger separation they may. `all_others` says that there
       are no more of them. */
    bool all_others;
    size_t other_count;
    gz_near_pair others[GZ_OTHERS];
} gz_nearest;

/* `separation` takes the place of the call's; `bound` is INFINITY, or the computed distance of a candidate. */
graze_status gz_find_nearest(const gz_step_call *call, double separation, double bound, gz_nearest *nearest);

/* As gz_find_nearest, but for a larger separation, given what was found for a smaller one. */
graze_status gz_find_nearest_again(const gz_step_call *call, double separation, gz_nearest *nearest);

/* The largest |coordinate| at t = 0. */
double gz_largest_start(const gz_step_call *call);

#endif
