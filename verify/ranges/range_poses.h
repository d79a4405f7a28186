/* Two links at a single pose: whether triangles touch, and whether a part of one is inside a part of the other. */
#ifndef GRAZE_VERIFY_RANGE_POSES_H
#define GRAZE_VERIFY_RANGE_POSES_H

#include "verify/ranges/range_joints.h"

/* The pose of a claim: its triangles have a point in common, its points are within the distance of a contact, or one
   link is inside. */
bool range_touch_check(const range_scene *scene, const joint_motion *joints, path_pair pair, const range_claim *claim,
                       char reason[VERIFY_TEXT]);

/* In the middle of all ranges no part of either link is inside a closed part of the other. */
bool range_outside_check(const range_scene *scene, const joint_motion *joints, path_pair pair,
                         char reason[VERIFY_TEXT]);

/* Most that range_outside_check costs: faces times parts. */
double range_outside_cost(const range_scene *scene, path_pair pair);

#endif
