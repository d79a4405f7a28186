/* A rigid body between two poses, as a link that one joint moves. */
#ifndef GZ_WORLD_RIGID_H
#define GZ_WORLD_RIGID_H

#include "graze/world.h"

#include "articulated/joint.h"

/* Errors in the poses give a status, and *why says them in words. */
graze_status gz_rigid_motion(const graze_body_motion *motion, gz_joint_motion *joint, const char **why);

#endif
