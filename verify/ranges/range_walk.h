/* Follows the proof that two links are apart over a range, letter by letter. */
#ifndef GRAZE_VERIFY_RANGE_WALK_H
#define GRAZE_VERIFY_RANGE_WALK_H

#include "verify/ranges/range_joints.h"

typedef struct range_cost {
    uint64_t cells, directions;
    double corners; /* of nodes that are compared corner by corner, and their boxes */
} range_cost;

/* Reads the proof of a pair, with `joints` NULL without any arithmetic, else checks it. It may give up that share of
   the range. False: it does not hold, does not cover all, or is not of the right letters. */
bool range_walk_check(const range_scene *scene, const joint_motion *joints, path_pair pair, path_text proof,
                      double open, range_cost *cost, char reason[VERIFY_TEXT]);

#endif
